// SPDX-License-Identifier: MIT
//
// See the header.

#include "ground/axes.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace lanefold::detail {

namespace {

// Advantage of the triangle's own normal, then of other faces, relative to the body: rounding must not choose.
constexpr double kTie = 1e-9;

// Sine of the angle between two edges below which their directions have no cross product to rely on. Edges this close
// to parallel have the ends of arcs and faces beside them.
constexpr double kParallel = 1e-7;

// Sine by which a ray may be above a direction across it by rounding.
constexpr double kOnRim = 1e-12;

// Sine of the angle by which a direction that is not yet of unit length must be on the wrong side of another, so that
// it is for certain: far more than kOnRim and than any rounding.
constexpr double kSure = 1e-8;
constexpr double kSureSquared = kSure * kSure;

// Squared sine of the angle between two rays below which the rounding of their cross product may be more than kSure.
constexpr double kNearlyOneRay = 1e-6;

// Relative error of a separation, with much room.
constexpr double kRounding = 1e-12;

bool has_arc(const SurfaceEdge& e) { return e.kind == EdgeKind::convex || e.kind == EdgeKind::border; }

// Whether u, perpendicular to an edge of the core, is the opposite of one of its outward directions.
bool opposes(const GroundBody& body, const GroundEdge& e, const Vec3d& along, const Vec3d& u) {
    if (!body.has_faces()) return true;
    const Vec3d a = -e.normal[0];
    const Vec3d b = -e.normal[1];
    if (!(dot(u, a + b) > 0)) return false;
    return dot(along, cross(a, u)) * dot(along, cross(u, b)) >= 0;
}

// Which of a direction and its opposite may still be one that is sought.
struct Signs {
    bool plus = true;
    bool minus = true;

    bool any() const { return plus || minus; }
    // The component along something must not be negative. `squared` is the squared length of the direction; the other
    // one is no longer than 2.
    void need(double component, double squared) {
        if (!(component * component > kSureSquared * squared)) return;
        (component < 0 ? plus : minus) = false;
    }
};

class Collector {
public:
    Collector(const GroundBody& body, GroundSurface& surface, const GroundTriangle& t, std::vector<GroundAxis>& out)
        : body_(body), surface_(surface), t_(t), out_(out) {}

    // Candidates better than the triangle's normal, or all.
    void run(bool all) {
        const GroundSupport support = body_.lowest(t_.normal());
        out_.push_back({GroundAxisKind::own_face, t_.normal(), support.value - top(t_.normal()), 0, 0});
        witness_ = support.vertex;
        if (!all) least_ = out_.front().separation;
        bool open[3];
        for (int k = 0; k < 3; ++k) {
            open[k] = has_arc(t_.face.edge[k]) && (all || may_reach(k));
            if (open[k]) add(GroundAxisKind::arc_end, t_.face.edge[k].arc_end, k, 0);
        }
        for (std::uint32_t f = 0; f < body_.faces(); ++f) {
            const Vec3d u = -body_.normals[f];
            // The support along a face's normal is known.
            const double s = -body_.offsets[f] - top(u);
            if (s < least_ || surface_.admission(t_, u) != Admission::admitted) continue;
            out_.push_back({GroundAxisKind::body_face, u, s, 0, f});
        }
        for (int k = 0; k < 3; ++k) {
            if (open[k]) cross_arcs(k);
        }
        for (int k = 0; k < 3; ++k) rim(k);
    }

private:
    bool is_known(const Vec3d& u) const {
        return std::any_of(out_.begin(), out_.end(),
                           [&](const GroundAxis& a) { return length_squared(a.u - u) < kOnRim; });
    }

    double top(const Vec3d& u) const {
        return std::max({dot(u, t_.corner[0]), dot(u, t_.corner[1]), dot(u, t_.corner[2])});
    }

    // Whether the separation along u is below the least, as one vertex of the core shows: the support is no higher.
    bool is_less(const Vec3d& u) const { return dot(u, body_.vertices[witness_]) - top(u) < least_; }

    void add(GroundAxisKind kind, const Vec3d& u, int edge, std::uint32_t part) {
        if (is_less(u)) return;
        const double s = separation_along(body_, t_, u);
        if (s >= least_) out_.push_back({kind, u, s, edge, part});
    }

    // Whether a direction of edge k's arc may separate as much as the least. From a point of the edge to a vertex of
    // the core that is below both ends of the arc: no direction between them sees that vertex higher than the higher
    // of the two do.
    bool may_reach(int k) const {
        const Vec3d& at = t_.corner[k];
        const Vec3d& end = t_.face.edge[k].arc_end;
        const double room =
            kRounding * (body_.size + (std::fabs(at.x) + std::fabs(at.y)) + std::fabs(at.z) + t_.length[k]);
        const double limit = std::min(least_, 0.0) - room;
        const auto shows = [&](const Vec3d& x) {
            const Vec3d from = x - at;
            return dot(t_.normal(), from) < limit && dot(end, from) < limit;
        };
        if (shows(body_.vertices[witness_])) return false;
        return std::none_of(body_.vertices.begin(), body_.vertices.end(), shows);
    }

    void cross_arcs(int k) {
        const Vec3d& side = t_.side[k];
        const Vec3d& end = t_.face.edge[k].arc_end;
        const Vec3d middle = t_.normal() + end;
        const Vec3d from = cross(side, t_.normal());
        const Vec3d to = cross(end, side);
        for (std::uint32_t e = 0; e < body_.edges.size(); ++e) {
            const GroundEdge& mine = body_.edges[e];
            const Vec3d across = cross(side, mine.whole);
            const double squared = length_squared(across);
            Signs may;
            may.need(dot(across, middle), squared);
            may.need(dot(across, from), squared);
            may.need(dot(across, to), squared);
            if (!may.plus && !may.minus) continue;
            const double l = std::sqrt(squared);
            if (!(l > kParallel * mine.length)) continue;
            if (may.plus) cross_arc(k, e, across * (1.0 / l));
            if (may.minus) cross_arc(k, e, across * (-1.0 / l));
        }
    }

    void cross_arc(int k, std::uint32_t e, const Vec3d& u) {
        const Vec3d& end = t_.face.edge[k].arc_end;
        const bool on_arc = dot(u, t_.normal() + end) > 0 && dot(t_.side[k], cross(t_.normal(), u)) >= 0 &&
                            dot(t_.side[k], cross(u, end)) >= 0;
        const GroundEdge& mine = body_.edges[e];
        if (on_arc && opposes(body_, mine, mine.whole, u)) add(GroundAxisKind::edges, u, k, e);
    }

    // The rim of a corner's cone: across two rays from the corner, or across a ray and an edge of the core.
    void rim(int k) {
        GroundCone* const cone = surface_.cone(t_, k);
        if (cone == nullptr) return;
        if (!cone->has_rim) find_rim(*cone);
        for (const Vec3d& u : cone->rim) {
            if (is_less(u) || is_known(u)) continue;
            const double s = separation_along(body_, t_, u);
            if (s < least_ || surface_.admission(t_, u) != Admission::admitted) continue;
            out_.push_back({GroundAxisKind::corner, u, s, k, 0});
        }
    }

    // The cone's part in the plane across a ray ends where that plane meets the plane across another ray. If no such
    // end is in the cone, the ray has no part of the rim, whatever edges the core has. The cones of pits and saddles
    // have no rim at all.
    void find_rim(GroundCone& cone) {
        const std::size_t rays = cone.rays.size();
        const bool many = rays > 64;
        std::uint64_t open = 0;  // a bit for each ray that has a part
        cone.rim.clear();
        cone.has_rim = true;
        for (std::size_t i = 0; i < rays && !many; ++i) {
            for (std::size_t j = i + 1; j < rays; ++j) {
                const std::uint64_t both = std::uint64_t{1} << i | std::uint64_t{1} << j;
                if ((open & both) == both) continue;
                const Vec3d across = cross(cone.rays[i], cone.rays[j]);
                const double squared = length_squared(across);
                if (!(squared > kNearlyOneRay) || may_be_top(cone, across, squared).any()) open |= both;
            }
        }
        const auto is_open = [&](std::size_t i) { return many || (open >> i & 1U) != 0; };
        for (std::size_t i = 0; i < rays; ++i) {
            if (!is_open(i)) continue;
            for (std::size_t j = i + 1; j < rays; ++j) {
                if (is_open(j)) add_rim(cone, cone.rays[i], cone.rays[j], nullptr);
            }
            for (const GroundEdge& e : body_.edges) add_rim(cone, cone.rays[i], e.along, &e);
        }
    }

    // Which of the two directions across may have no ray above them.
    static Signs may_be_top(const GroundCone& cone, const Vec3d& across, double squared) {
        Signs may;
        for (const Vec3d& ray : cone.rays) {
            may.need(-dot(across, ray), squared);
            if (!may.any()) break;
        }
        return may;
    }

    void add_rim(GroundCone& cone, const Vec3d& a, const Vec3d& b, const GroundEdge* mine) const {
        const Vec3d across = cross(a, b);
        const double squared = length_squared(across);
        const Signs may = may_be_top(cone, across, squared);
        if (!may.any()) return;
        const double l = std::sqrt(squared);
        if (!(l > kParallel)) return;
        for (const double sign : {1.0, -1.0}) {
            if (!(sign > 0 ? may.plus : may.minus)) continue;
            const Vec3d u = across * (sign / l);
            const bool top = std::all_of(cone.rays.begin(), cone.rays.end(),
                                         [&](const Vec3d& ray) { return dot(u, ray) <= kOnRim; });
            if (top && (mine == nullptr || opposes(body_, *mine, b, u))) cone.rim.push_back(u);
        }
    }

    const GroundBody& body_;
    GroundSurface& surface_;
    const GroundTriangle& t_;
    std::vector<GroundAxis>& out_;
    double least_ = -std::numeric_limits<double>::infinity();
    std::uint32_t witness_ = 0;  // vertex of the core
};

}  // namespace

double separation_along(const GroundBody& body, const GroundTriangle& t, const Vec3d& u) {
    const double top = std::max({dot(u, t.corner[0]), dot(u, t.corner[1]), dot(u, t.corner[2])});
    return body.lowest(u).value - top;
}

void admissible_axes(const GroundBody& body, GroundSurface& surface, const GroundTriangle& t, double preference,
                     bool all, std::vector<GroundAxis>& out) {
    out.clear();
    Collector(body, surface, t, out).run(all);
    const double tie = kTie * body.size;
    const auto merit = [&](const GroundAxis& a) {
        switch (a.kind) {
            case GroundAxisKind::own_face:
                return a.separation + std::max(preference, tie);
            case GroundAxisKind::arc_end:
                return a.separation + preference;
            case GroundAxisKind::body_face:
                return a.separation;
            default:
                return a.separation - 2 * tie;
        }
    };
    std::stable_sort(out.begin(), out.end(),
                     [&](const GroundAxis& a, const GroundAxis& b) { return merit(a) > merit(b); });
}

}  // namespace lanefold::detail
