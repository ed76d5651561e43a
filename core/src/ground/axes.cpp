// SPDX-License-Identifier: MIT
//
// See the header.

#include "ground/axes.hpp"

#include <algorithm>
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

bool has_arc(const SurfaceEdge& e) { return e.kind == EdgeKind::convex || e.kind == EdgeKind::border; }

// Whether u, perpendicular to an edge of the core, is the opposite of one of its outward directions.
bool opposes(const GroundBody& body, const GroundEdge& e, const Vec3d& along, const Vec3d& u) {
    if (!body.has_faces()) return true;
    const Vec3d a = -e.normal[0];
    const Vec3d b = -e.normal[1];
    if (!(dot(u, a + b) > 0)) return false;
    return dot(along, cross(a, u)) * dot(along, cross(u, b)) >= 0;
}

class Collector {
public:
    Collector(const GroundBody& body, GroundSurface& surface, const GroundTriangle& t, std::vector<GroundAxis>& out)
        : body_(body), surface_(surface), t_(t), out_(out) {}

    // Candidates better than the triangle's normal, or all.
    void run(bool all) {
        add(GroundAxisKind::own_face, t_.normal(), 0, 0);
        if (!all) least_ = out_.front().separation;
        for (int k = 0; k < 3; ++k) {
            if (has_arc(t_.face.edge[k])) add(GroundAxisKind::arc_end, t_.face.edge[k].arc_end, k, 0);
        }
        for (std::uint32_t f = 0; f < body_.faces(); ++f) {
            const Vec3d u = -body_.normals[f];
            if (separation_along(body_, t_, u) < least_) continue;
            if (surface_.admission(t_, u) == Admission::admitted) add(GroundAxisKind::body_face, u, 0, f);
        }
        for (int k = 0; k < 3; ++k) {
            if (!has_arc(t_.face.edge[k])) continue;
            for (std::uint32_t e = 0; e < body_.edges.size(); ++e) cross_arcs(k, e);
        }
        for (int k = 0; k < 3; ++k) rim(k);
    }

private:
    bool is_known(const Vec3d& u) const {
        return std::any_of(out_.begin(), out_.end(),
                           [&](const GroundAxis& a) { return length_squared(a.u - u) < kOnRim; });
    }

    void add(GroundAxisKind kind, const Vec3d& u, int edge, std::uint32_t part) {
        const double s = separation_along(body_, t_, u);
        if (s >= least_) out_.push_back({kind, u, s, edge, part});
    }

    void cross_arcs(int k, std::uint32_t e) {
        const GroundEdge& mine = body_.edges[e];
        const Vec3d along = body_.vertices[mine.v[1]] - body_.vertices[mine.v[0]];
        const Vec3d across = cross(t_.side[k], along);
        const double l = length(across);
        if (!(l > kParallel * length(along))) return;
        for (const double sign : {1.0, -1.0}) {
            const Vec3d u = across * (sign / l);
            const SurfaceEdge& its = t_.face.edge[k];
            const bool on_arc = dot(u, t_.normal() + its.arc_end) > 0 && dot(t_.side[k], cross(t_.normal(), u)) >= 0 &&
                                dot(t_.side[k], cross(u, its.arc_end)) >= 0;
            if (on_arc && opposes(body_, mine, along, u)) add(GroundAxisKind::edges, u, k, e);
        }
    }

    // The rim of a corner's cone: across two rays from the corner, or across a ray and an edge of the core.
    void rim(int k) {
        GroundCone* const cone = surface_.cone(t_, k);
        if (cone == nullptr) return;
        if (!cone->has_rim) find_rim(*cone);
        for (const Vec3d& u : cone->rim) {
            if (is_known(u) || separation_along(body_, t_, u) < least_) continue;
            if (surface_.admission(t_, u) == Admission::admitted) add(GroundAxisKind::corner, u, k, 0);
        }
    }

    void find_rim(GroundCone& cone) const {
        cone.rim.clear();
        for (std::size_t i = 0; i < cone.rays.size(); ++i) {
            for (std::size_t j = i + 1; j < cone.rays.size(); ++j) add_rim(cone, cone.rays[i], cone.rays[j], nullptr);
            for (const GroundEdge& e : body_.edges) add_rim(cone, cone.rays[i], e.along, &e);
        }
        cone.has_rim = true;
    }

    void add_rim(GroundCone& cone, const Vec3d& a, const Vec3d& b, const GroundEdge* mine) const {
        const Vec3d across = cross(a, b);
        const double l = length(across);
        if (!(l > kParallel)) return;
        for (const double sign : {1.0, -1.0}) {
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
