// SPDX-License-Identifier: MIT
//
// Triangle meshes for tests of surfaces; see meshes.hpp.
#include "support/meshes.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include <lanefold/detail/surface_view.hpp>

#include "support/random.hpp"

namespace lanefold::test {

void Mesh::add(const Mesh& other, const Vec3f& by) {
    const auto first = static_cast<std::uint32_t>(points.size());
    for (const Vec3f& p : other.points) points.push_back(p + by);
    for (const Triangle& t : other.triangles) triangles.push_back({first + t[0], first + t[1], first + t[2]});
}

Mesh grid_mesh(std::uint32_t cells, float height, std::uint64_t seed) {
    Mesh mesh;
    Random random(seed, 0);
    for (std::uint32_t r = 0; r <= cells; ++r) {
        for (std::uint32_t c = 0; c <= cells; ++c) {
            const auto z = height > 0 ? static_cast<float>(random.uniform(0.0, 1.0)) * height : 0.0F;
            mesh.points.push_back({static_cast<float>(c) / static_cast<float>(cells),
                                   static_cast<float>(r) / static_cast<float>(cells), z});
        }
    }
    for (std::uint32_t r = 0; r < cells; ++r) {
        for (std::uint32_t c = 0; c < cells; ++c) {
            const std::uint32_t v = r * (cells + 1) + c;
            mesh.triangles.push_back({v, v + 1, v + cells + 2});
            mesh.triangles.push_back({v, v + cells + 2, v + cells + 1});
        }
    }
    return mesh;
}

Mesh box_mesh(const Vec3f& low, const Vec3f& high, bool turned) {
    Mesh mesh;
    for (int i = 0; i < 8; ++i) {
        mesh.points.push_back(
            {(i & 1) != 0 ? high.x : low.x, (i & 2) != 0 ? high.y : low.y, (i & 4) != 0 ? high.z : low.z});
    }
    constexpr std::uint32_t kSides[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4},
                                            {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
    for (const auto& s : kSides) {
        const std::uint32_t o = turned ? 1 : 0;
        mesh.triangles.push_back({s[o], s[o + 1], s[o + 2]});
        mesh.triangles.push_back({s[o], s[o + 2], s[(o + 3) % 4]});
    }
    return mesh;
}

Mesh ball_mesh(std::uint32_t rings, std::uint32_t columns, float radius) {
    constexpr double kPi = 3.14159265358979323846;
    Mesh mesh;
    mesh.points.push_back({0, 0, -radius});
    for (std::uint32_t r = 1; r < rings; ++r) {
        const double up = kPi * r / rings;
        for (std::uint32_t c = 0; c < columns; ++c) {
            const double turn = 2 * kPi * c / columns;
            mesh.points.push_back(to_float(
                Vec3d{std::sin(up) * std::cos(turn), std::sin(up) * std::sin(turn), -std::cos(up)} * double{radius}));
        }
    }
    mesh.points.push_back({0, 0, radius});
    const auto top = static_cast<std::uint32_t>(mesh.points.size() - 1);
    for (std::uint32_t c = 0; c < columns; ++c) {
        const std::uint32_t d = (c + 1) % columns;
        mesh.triangles.push_back({0, 1 + d, 1 + c});
        for (std::uint32_t r = 0; r + 2 < rings; ++r) {
            const std::uint32_t v = 1 + r * columns;
            mesh.triangles.push_back({v + c, v + d, v + columns + d});
            mesh.triangles.push_back({v + c, v + columns + d, v + columns + c});
        }
        mesh.triangles.push_back({top, top - columns + c, top - columns + d});
    }
    return mesh;
}

Mesh soup(const Mesh& mesh) {
    Mesh out;
    for (const Triangle& t : mesh.triangles) {
        const auto first = static_cast<std::uint32_t>(out.points.size());
        for (const std::uint32_t v : t) out.points.push_back(mesh.points[v]);
        out.triangles.push_back({first, first + 1, first + 2});
    }
    return out;
}

namespace {

// The ring of every vertex, from all triangles.
std::vector<std::set<std::uint32_t>> all_rings(const Surface& surface) {
    std::vector<std::set<std::uint32_t>> rings(surface.vertex_count());
    for (std::uint32_t t = 0; t < surface.triangle_count(); ++t) {
        if (!surface.exists(t)) continue;
        const Triangle v = surface.triangle(t);
        for (std::size_t k = 0; k < 3; ++k) {
            rings[v[k]].insert(v[(k + 1) % 3]);
            rings[v[k]].insert(v[(k + 2) % 3]);
        }
    }
    return rings;
}

std::string edge_fault(const Surface& surface, std::uint32_t t, int k) {
    const detail::SurfaceView& view = surface.view();
    const std::uint32_t across = view.opposite(t, k);
    const std::string where = " at triangle " + std::to_string(t) + " edge " + std::to_string(k);
    if (across == detail::kNoNeighbour) {
        return view.edge_kind(t, k) == detail::EdgeKind::border ? "" : "a border that is none" + where;
    }
    const std::uint32_t u = across / 3;
    const auto j = static_cast<int>(across % 3);
    if (u == t || u >= view.triangle_count() || !view.exists(u)) return "a neighbour that is none" + where;
    if (view.opposite(u, j) != 3 * t + static_cast<std::uint32_t>(k))
        return "a neighbour that does not know it" + where;
    const Triangle a = view.triangle(t);
    const Triangle b = view.triangle(u);
    const auto i = static_cast<std::size_t>(k);
    const auto l = static_cast<std::size_t>(j);
    if (a[i] != b[(l + 1) % 3] || a[(i + 1) % 3] != b[l]) return "neighbours with different edges" + where;
    if (view.edge_kind(t, k) != view.edge_kind(u, j)) return "an edge of two kinds" + where;
    return view.face(t).edge[k].arc_end == view.normal(u) ? "" : "an arc that does not end at the neighbour" + where;
}

}  // namespace

std::string surface_fault(const Surface& surface) {
    const detail::SurfaceView& view = surface.view();
    const SurfaceBox bounds = surface.bounds();
    for (std::uint32_t t = 0; t < surface.triangle_count(); ++t) {
        if (!surface.exists(t)) continue;
        const Vec3d n = view.normal(t);
        if (!(std::fabs(length(n) - 1) < 1e-12)) return "no unit normal at triangle " + std::to_string(t);
        for (int k = 0; k < 3; ++k) {
            if (std::string fault = edge_fault(surface, t, k); !fault.empty()) return fault;
            const Vec3d p = view.position(surface.triangle(t)[static_cast<std::size_t>(k)]);
            if (p.x < bounds.low.x || p.y < bounds.low.y || p.z < bounds.low.z || p.x > bounds.high.x ||
                p.y > bounds.high.y || p.z > bounds.high.z)
                return "a vertex out of bounds at triangle " + std::to_string(t);
        }
    }
    const auto rings = all_rings(surface);
    std::vector<std::uint32_t> ring;
    for (std::uint32_t v = 0; v < surface.vertex_count(); ++v) {
        view.ring(v, ring);
        if (!std::equal(ring.begin(), ring.end(), rings[v].begin(), rings[v].end()))
            return "a wrong ring at vertex " + std::to_string(v);
    }
    return {};
}

double surface_area(const Surface& surface) {
    double area = 0;
    for (std::uint32_t t = 0; t < surface.triangle_count(); ++t) {
        if (!surface.exists(t)) continue;
        const detail::SurfaceFace f = surface.view().face(t);
        area += 0.5 * length(cross(f.corner[1] - f.corner[0], f.corner[2] - f.corner[0]));
    }
    return area;
}

double enclosed_volume(const Surface& surface) {
    double volume = 0;
    for (std::uint32_t t = 0; t < surface.triangle_count(); ++t) {
        if (!surface.exists(t)) continue;
        const detail::SurfaceFace f = surface.view().face(t);
        volume += dot(f.corner[0], cross(f.corner[1], f.corner[2])) / 6;
    }
    return volume;
}

}  // namespace lanefold::test
