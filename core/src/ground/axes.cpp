// SPDX-License-Identifier: MIT
//
// See the header.

#include "ground/axes.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "ground/sort_stable.hpp"

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

// Directions that count as one may differ in their separation by a fourth of this, relative to the coordinates.
constexpr double kSameDirections = 4e-6;

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

// Which of the two directions across may be the opposite of one of the edge's outward directions.
Signs may_oppose(const GroundBody& body, const GroundEdge& e, const Vec3d& across, double squared) {
    Signs may;
    if (!body.has_faces()) return may;
    may.need(dot(across, e.middle), squared);
    Signs from;
    from.need(dot(across, e.from), squared);
    Signs to;
    to.need(dot(across, e.to), squared);
    // On both sides of the arc, or on none, whatever its sign.
    const bool off = (!from.plus && !to.minus) || (!from.minus && !to.plus);
    if (off) may.plus = may.minus = false;
    return may;
}

// Which of them may have no ray of the cone above them.
Signs may_be_top(const GroundCone& cone, const Vec3d& across, double squared, Signs may) {
    for (const Vec3d& ray : cone.rays) {
        if (!may.any()) break;
        may.need(-dot(across, ray), squared);
    }
    return may;
}

void add_rim(GroundCone& cone, const GroundBody& body, const Vec3d& at, const Vec3d& a, const Vec3d& b,
             const GroundEdge* mine) {
    const Vec3d across = cross(a, b);
    const double squared = length_squared(across);
    Signs may;
    if (mine != nullptr) may = may_oppose(body, *mine, across, squared);
    may = may_be_top(cone, across, squared, may);
    if (!may.any()) return;
    const double l = std::sqrt(squared);
    if (!(l > kParallel)) return;
    for (const double sign : {1.0, -1.0}) {
        if (!(sign > 0 ? may.plus : may.minus)) continue;
        const Vec3d u = across * (sign / l);
        const bool top =
            std::all_of(cone.rays.begin(), cone.rays.end(), [&](const Vec3d& ray) { return dot(u, ray) <= kOnRim; });
        if (!top || (mine != nullptr && !opposes(body, *mine, b, u))) continue;
        const double lowest = body.lowest(u).value;
        cone.rim.push_back({u, lowest, lowest - dot(u, at)});
        cone.most = std::max(cone.most, cone.rim.back().most);
    }
}

// The ends of the cone's parts in the planes across its rays: directions across two rays. If no such end of a ray's
// part is in the cone, the ray has no part, whatever edges the core has. The cones of pits and saddles have no end.
void find_ends(GroundCone& cone) {
    const std::size_t rays = cone.rays.size();
    cone.ends.clear();
    cone.open = 0;
    cone.has_ends = true;
    cone.bounded = rays <= 64;
    for (std::size_t i = 0; i < rays && cone.bounded; ++i) {
        for (std::size_t j = i + 1; j < rays; ++j) {
            const Vec3d across = cross(cone.rays[i], cone.rays[j]);
            const double squared = length_squared(across);
            if (!(squared > kNearlyOneRay)) cone.bounded = false;
            const Signs may = may_be_top(cone, across, squared, {});
            if (!may.any()) continue;
            cone.open |= std::uint64_t{1} << i | std::uint64_t{1} << j;
            const double l = std::sqrt(squared);
            if (may.plus) cone.ends.push_back(across * (1 / l));
            if (may.minus) cone.ends.push_back(across * (-1 / l));
        }
    }
}

// The directions on the rim of a cone: across two rays, or across a ray and an edge of the core. `at`: the vertex.
void find_rim(GroundCone& cone, const GroundBody& body, const Vec3d& at) {
    const std::size_t rays = cone.rays.size();
    cone.rim.clear();
    cone.most = -std::numeric_limits<double>::infinity();
    cone.has_rim = true;
    const auto is_open = [&](std::size_t i) { return !cone.bounded || (cone.open >> i & 1U) != 0; };
    for (std::size_t i = 0; i < rays; ++i) {
        if (!is_open(i)) continue;
        for (std::size_t j = i + 1; j < rays; ++j) {
            if (is_open(j)) add_rim(cone, body, at, cone.rays[i], cone.rays[j], nullptr);
        }
        for (const GroundEdge& e : body.edges) add_rim(cone, body, at, cone.rays[i], e.along, &e);
    }
}

}  // namespace

AxisFinder::AxisFinder(const GroundBody& body, GroundSurface& surface, const GroundTriangle& t, double preference,
                       std::vector<GroundAxis>& out)
    : body_(body), surface_(surface), t_(t), preference_(preference), tie_(kTie * body.size), out_(out) {
    for (const Vec3d& c : t.corner) reach_ = std::max(reach_, (std::fabs(c.x) + std::fabs(c.y)) + std::fabs(c.z));
    reach_ += 2 * body.size;
}

double AxisFinder::merit(const GroundAxis& a) const {
    switch (a.kind) {
        case GroundAxisKind::own_face:
            return a.separation + std::max(preference_, tie_);
        case GroundAxisKind::arc_end:
            return a.separation + preference_;
        case GroundAxisKind::body_face:
            return a.separation;
        default:
            return a.separation - 2 * tie_;
    }
}

void AxisFinder::sort_from(std::size_t first) {
    sort_stable(out_.begin() + static_cast<std::ptrdiff_t>(first), out_.end(),
                [&](const GroundAxis& a, const GroundAxis& b) { return merit(a) > merit(b); });
}

void AxisFinder::find_faces(bool all) {
    out_.clear();
    const GroundSupport support = body_.lowest(t_.normal());
    out_.push_back({GroundAxisKind::own_face, t_.normal(), support.value - top(t_.normal()), 0, 0});
    witness_ = support.vertex;
    least_ = all ? -std::numeric_limits<double>::infinity() : out_.front().separation;
    for (int k = 0; k < 3; ++k) {
        if (has_arc(t_.face.edge[k])) add(GroundAxisKind::arc_end, t_.face.edge[k].arc_end, k, 0);
    }
    for (std::uint32_t f = 0; f < body_.faces(); ++f) {
        const Vec3d u = -body_.normals[f];
        // The support along a face's normal is known.
        const double s = -body_.offsets[f] - top(u);
        if (s < least_ || surface_.admission(t_, u) != Admission::admitted) continue;
        out_.push_back({GroundAxisKind::body_face, u, s, 0, f});
    }
    sort_from(0);
}

void AxisFinder::find_others(double better) {
    const std::size_t first = out_.size();
    least_ = std::max(least_, better + 2 * tie_ - kSameDirections * reach_);
    for (int k = 0; k < 3; ++k) {
        if (has_arc(t_.face.edge[k]) && may_reach(k)) cross_arcs(k);
    }
    for (int k = 0; k < 3; ++k) rim(k);
    sort_from(first);
}

double AxisFinder::top(const Vec3d& u) const { return top_of(t_.corner, u); }

void AxisFinder::add(GroundAxisKind kind, const Vec3d& u, int edge, std::uint32_t part) {
    // One vertex of the core may show that the separation is below the least: the support is no higher.
    if (dot(u, body_.vertices[witness_]) - top(u) < least_) return;
    const double s = separation_along(body_, t_, u);
    if (s >= least_) out_.push_back({kind, u, s, edge, part});
}

// Whether a direction of edge k's arc may separate as much as the least. From a point of the edge to a vertex of the
// core that is below both ends of the arc: no direction between them sees that vertex higher than the higher of the two
// do.
bool AxisFinder::may_reach(int k) const {
    const Vec3d& at = t_.corner[k];
    const Vec3d& end = t_.face.edge[k].arc_end;
    const double limit = std::min(least_, 0.0) - kRounding * (reach_ + t_.length[k]);
    const auto shows = [&](const Vec3d& x) {
        const Vec3d from = x - at;
        return dot(t_.normal(), from) < limit && dot(end, from) < limit;
    };
    if (shows(body_.vertices[witness_])) return false;
    return std::none_of(body_.vertices.begin(), body_.vertices.end(), shows);
}

void AxisFinder::cross_arcs(int k) {
    const Vec3d& side = t_.side[k];
    const Vec3d& end = t_.face.edge[k].arc_end;
    const Vec3d middle = t_.normal() + end;
    const Vec3d from = cross(side, t_.normal());
    const Vec3d to = cross(end, side);
    for (std::uint32_t e = 0; e < body_.edges.size(); ++e) {
        const GroundEdge& mine = body_.edges[e];
        const Vec3d across = cross(side, mine.whole);
        const double squared = length_squared(across);
        Signs may = may_oppose(body_, mine, across, squared);
        may.need(dot(across, middle), squared);
        may.need(dot(across, from), squared);
        may.need(dot(across, to), squared);
        if (!may.any()) continue;
        const double l = std::sqrt(squared);
        if (!(l > kParallel * mine.length)) continue;
        if (may.plus) cross_arc(k, e, across * (1.0 / l));
        if (may.minus) cross_arc(k, e, across * (-1.0 / l));
    }
}

void AxisFinder::cross_arc(int k, std::uint32_t e, const Vec3d& u) {
    const Vec3d& end = t_.face.edge[k].arc_end;
    const bool on_arc = dot(u, t_.normal() + end) > 0 && dot(t_.side[k], cross(t_.normal(), u)) >= 0 &&
                        dot(t_.side[k], cross(u, end)) >= 0;
    const GroundEdge& mine = body_.edges[e];
    if (on_arc && opposes(body_, mine, mine.whole, u)) add(GroundAxisKind::edges, u, k, e);
}

// Whether no direction on the rim of the cone separates as much as the least. A vertex of the core shows it that is
// below all ends of the rim's parts, seen from the vertex of the cone, as in may_reach().
bool AxisFinder::is_below(const GroundCone& cone, const Vec3d& at) const {
    if (!cone.bounded) return false;
    const double limit = std::min(least_, 0.0) - 10 * kSure * reach_;
    const auto shows = [&](const Vec3d& x) {
        const Vec3d from = x - at;
        return std::all_of(cone.ends.begin(), cone.ends.end(), [&](const Vec3d& u) { return dot(u, from) < limit; });
    };
    return shows(body_.vertices[witness_]) || std::any_of(body_.vertices.begin(), body_.vertices.end(), shows);
}

// The rim of a corner's cone.
void AxisFinder::rim(int k) {
    GroundCone* const cone = surface_.cone(t_, k);
    if (cone == nullptr) return;
    if (!cone->has_rim) {
        if (!cone->has_ends) find_ends(*cone);
        if (is_below(*cone, t_.corner[k])) return;
        find_rim(*cone, body_, t_.corner[k]);
    }
    if (cone->most < least_) return;
    for (const GroundRim& r : cone->rim) {
        if (r.most < least_) continue;
        const double s = r.lowest - top(r.u);
        const auto is_known = [&](const GroundAxis& a) { return length_squared(a.u - r.u) < kOnRim; };
        if (s < least_ || std::any_of(out_.begin(), out_.end(), is_known)) continue;
        if (surface_.admission(t_, r.u) != Admission::admitted) continue;
        out_.push_back({GroundAxisKind::corner, r.u, s, k, 0});
    }
}

double separation_along(const GroundBody& body, const GroundTriangle& t, const Vec3d& u) {
    return body.lowest(u).value - top_of(t.corner, u);
}

}  // namespace lanefold::detail
