// SPDX-License-Identifier: MIT
//
// Triangles, arcs, rings and candidates of a surface; see detail/surface_view.hpp.
#include <lanefold/detail/surface_view.hpp>

#include <algorithm>
#include <cmath>

#include "surface/height_grid.hpp"
#include "surface/triangle_tree.hpp"

namespace lanefold::detail {

bool SurfaceView::exists(std::uint32_t t) const {
    if (t >= triangles_) return false;
    return grid_ == nullptr || !grid_->hole(t / 2);
}

std::array<std::uint32_t, 3> SurfaceView::triangle(std::uint32_t t) const {
    if (grid_ != nullptr) return grid_->triangle(t);
    const std::uint32_t* c = mesh_.corners + 3 * static_cast<std::size_t>(t);
    return {c[0], c[1], c[2]};
}

std::uint32_t SurfaceView::opposite(std::uint32_t t, int k) const {
    if (grid_ != nullptr) return grid_->opposite(t, k);
    return mesh_.opposites[3 * static_cast<std::size_t>(t) + static_cast<std::size_t>(k)];
}

Vec3f SurfaceView::vertex(std::uint32_t v) const { return grid_ != nullptr ? grid_->vertex(v) : mesh_.vertices[v]; }

namespace {

// Whether the range of three numbers meets [low, high].
bool meets(float a, float b, float c, double low, double high) {
    return static_cast<double>(std::min({a, b, c})) <= high && static_cast<double>(std::max({a, b, c})) >= low;
}

Vec3d normal_of(const Vec3d (&corner)[3]) { return normalized(cross(corner[1] - corner[0], corner[2] - corner[0])); }

// The corners of a triangle, its normal, and the corner that is not on edge k.
struct Wing {
    Vec3d corner[3];
    Vec3d normal;
};

Wing wing(const SurfaceView& view, std::uint32_t t) {
    Wing w;
    const std::array<std::uint32_t, 3> v = view.triangle(t);
    for (std::size_t i = 0; i < 3; ++i) w.corner[i] = view.position(v[i]);
    w.normal = normal_of(w.corner);
    return w;
}

int next(int k) { return k == 2 ? 0 : k + 1; }

// How two triangles lie at the edge that begins at corner k of the first. Symmetric: the caller gives the lower number
// first.
EdgeKind kind_of(const Wing& a, int k, const Wing& b, int kb, double flat_tolerance) {
    const Vec3d& at = a.corner[k];
    const double rise_b = dot(a.normal, b.corner[next(next(kb))] - at);
    const double rise_a = dot(b.normal, a.corner[next(next(k))] - at);
    const bool same_side = dot(a.normal, b.normal) > 0;
    const double less = std::min(std::fabs(rise_a), std::fabs(rise_b));
    const double more = std::fabs(rise_a) > std::fabs(rise_b) ? rise_a : rise_b;
    if (less <= flat_tolerance) {
        if (same_side) return EdgeKind::flat;
        if (std::fabs(more) <= flat_tolerance) return EdgeKind::convex;
    }
    return more < 0 ? EdgeKind::convex : EdgeKind::concave;
}

SurfaceEdge edge_of(const SurfaceView& view, std::uint32_t t, int k, const Wing& own) {
    SurfaceEdge edge;
    const std::uint32_t across = view.opposite(t, k);
    if (across == kNoNeighbour) {
        edge.arc_end = normalized(cross(own.corner[next(k)] - own.corner[k], own.normal));
        return edge;
    }
    edge.neighbour = across / 3;
    const Wing other = wing(view, edge.neighbour);
    const auto j = static_cast<int>(across % 3);
    edge.kind = t < edge.neighbour ? kind_of(own, k, other, j, view.flat_tolerance())
                                   : kind_of(other, j, own, k, view.flat_tolerance());
    edge.arc_end = other.normal;
    return edge;
}

}  // namespace

Vec3d SurfaceView::normal(std::uint32_t t) const { return wing(*this, t).normal; }

EdgeKind SurfaceView::edge_kind(std::uint32_t t, int k) const { return edge_of(*this, t, k, wing(*this, t)).kind; }

SurfaceFace SurfaceView::face(std::uint32_t t) const {
    SurfaceFace face = bare_face(t);
    add_edges(t, face);
    return face;
}

SurfaceFace SurfaceView::bare_face(std::uint32_t t) const {
    SurfaceFace face;
    const std::array<std::uint32_t, 3> v = triangle(t);
    for (std::size_t i = 0; i < 3; ++i) {
        face.vertex[i] = v[i];
        face.corner[i] = position(v[i]);
    }
    face.normal = normal_of(face.corner);
    return face;
}

void SurfaceView::add_edges(std::uint32_t t, SurfaceFace& face) const {
    Wing own;
    std::copy_n(face.corner, 3, own.corner);
    own.normal = face.normal;
    for (int k = 0; k < 3; ++k) face.edge[k] = edge_of(*this, t, k, own);
}

// Calls visit(w) for the vertices of all triangles at v but v, some of them more than once, until it returns false.
// Returns whether it never did.
template <class Visit>
bool SurfaceView::visit_ring(std::uint32_t v, const Visit& visit) const {
    bool on = true;
    if (grid_ != nullptr) {
        grid_->visit_ring(v, [&](std::uint32_t w) { on = on && visit(w); });
        return on;
    }
    const auto fan = [&](std::uint32_t first) {
        std::uint32_t edge = first;
        do {
            const std::uint32_t* c = mesh_.corners + edge / 3 * 3;
            const std::uint32_t k = edge % 3;
            const std::uint32_t before = k == 0 ? 2 : k - 1;
            on = on && visit(c[k == 2 ? 0 : k + 1]) && visit(c[before]);
            edge = mesh_.opposites[edge / 3 * 3 + before];
        } while (on && edge != kNoNeighbour && edge != first);
    };
    const std::uint32_t start = mesh_.starts[v];
    if (start == kNoNeighbour) return true;
    if ((start & MeshArrays::kFans) == 0) {
        fan(start);
        return on;
    }
    const std::uint32_t* fans = mesh_.fans + (start & ~MeshArrays::kFans);
    for (std::uint32_t i = 1; on && i <= fans[0]; ++i) fan(fans[i]);
    return on;
}

void SurfaceView::ring(std::uint32_t v, std::vector<std::uint32_t>& out) const {
    out.clear();
    visit_ring(v, [&](std::uint32_t w) {
        out.push_back(w);
        return true;
    });
    std::sort(out.begin(), out.end());
    out.erase(std::unique(out.begin(), out.end()), out.end());
}

bool SurfaceView::in_cone(std::uint32_t v, const Vec3d& u, double slack) const {
    const Vec3d at = position(v);
    return visit_ring(v, [&](std::uint32_t w) { return dot(u, position(w) - at) <= slack; });
}

void SurfaceView::candidates(const SurfaceBox& box, std::vector<std::uint32_t>& out) const {
    out.clear();
    if (grid_ != nullptr) {
        grid_->candidates(box, out);
    } else {
        visit_near(mesh_.tree, box, [&](std::uint32_t t) {
            const std::uint32_t* c = mesh_.corners + 3 * static_cast<std::size_t>(t);
            const Vec3f& v0 = mesh_.vertices[c[0]];
            const Vec3f& v1 = mesh_.vertices[c[1]];
            const Vec3f& v2 = mesh_.vertices[c[2]];
            if (meets(v0.x, v1.x, v2.x, box.low.x, box.high.x) && meets(v0.y, v1.y, v2.y, box.low.y, box.high.y) &&
                meets(v0.z, v1.z, v2.z, box.low.z, box.high.z)) {
                out.push_back(t);
            }
        });
    }
    std::sort(out.begin(), out.end());
}

}  // namespace lanefold::detail
