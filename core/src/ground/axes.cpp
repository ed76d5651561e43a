// SPDX-License-Identifier: MIT
//
// See the header.

#include "ground/axes.hpp"

#include <algorithm>

namespace lanefold::detail {

namespace {

// Advantage of the triangle's own normal, then of other faces, relative to the body: rounding must not choose.
constexpr double kTie = 1e-9;

// Sine of the angle between two edges below which their directions have no cross product to rely on. Edges this close to
// parallel have the ends of arcs and faces beside them.
constexpr double kParallel = 1e-7;

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

    void run() {
        add(GroundAxisKind::own_face, t_.normal(), 0, 0);
        for (int k = 0; k < 3; ++k) {
            if (has_arc(t_.face.edge[k])) add(GroundAxisKind::arc_end, t_.face.edge[k].arc_end, k, 0);
        }
        for (std::uint32_t f = 0; f < body_.faces(); ++f) {
            const Vec3d u = -body_.normals[f];
            if (surface_.admission(t_, u) == Admission::admitted) add(GroundAxisKind::body_face, u, 0, f);
        }
        for (int k = 0; k < 3; ++k) {
            if (!has_arc(t_.face.edge[k])) continue;
            for (std::uint32_t e = 0; e < body_.edges.size(); ++e) cross_arcs(k, e);
        }
    }

private:
    void add(GroundAxisKind kind, const Vec3d& u, int edge, std::uint32_t part) {
        out_.push_back({kind, u, separation_along(body_, t_, u), edge, part});
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
            const bool on_arc = dot(u, t_.normal() + its.arc_end) > 0 &&
                                dot(t_.side[k], cross(t_.normal(), u)) >= 0 &&
                                dot(t_.side[k], cross(u, its.arc_end)) >= 0;
            if (on_arc && opposes(body_, mine, along, u)) add(GroundAxisKind::edges, u, k, e);
        }
    }

    const GroundBody& body_;
    GroundSurface& surface_;
    const GroundTriangle& t_;
    std::vector<GroundAxis>& out_;
};

}  // namespace

double separation_along(const GroundBody& body, const GroundTriangle& t, const Vec3d& u) {
    const double top = std::max({dot(u, t.corner[0]), dot(u, t.corner[1]), dot(u, t.corner[2])});
    return body.lowest(u).value - top;
}

void admissible_axes(const GroundBody& body, GroundSurface& surface, const GroundTriangle& t, double preference,
                     std::vector<GroundAxis>& out) {
    out.clear();
    Collector(body, surface, t, out).run();
    const auto merit = [&](const GroundAxis& a) {
        if (a.kind == GroundAxisKind::edges) return a.separation - std::max(preference, 2 * kTie * body.size);
        return a.kind == GroundAxisKind::own_face ? a.separation + kTie * body.size : a.separation;
    };
    std::stable_sort(out.begin(), out.end(),
                     [&](const GroundAxis& a, const GroundAxis& b) { return merit(a) > merit(b); });
}

}  // namespace lanefold::detail
