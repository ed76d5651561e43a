// SPDX-License-Identifier: MIT
//
// Recognition of boxes; see hull/box.hpp. The edge directions give a frame, the vertices its centre and extents, and
// the corners of that box are compared with the vertices.
#include "hull/box.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include <lanefold/detail/point_box.hpp>

namespace lanefold::detail {

namespace {

double component(const Vec3d& v, std::size_t i) { return i == 0 ? v.x : i == 1 ? v.y : v.z; }

// Rounds centre and half extents, then measures the distances of the corners from the vertices. Returns nullopt if the
// vertices do not match the eight corners one to one.
std::optional<FoundBox> fit(std::span<const Vec3d> vertices, const Mat3d& rotation, bool rotated, const Vec3d& centre,
                            const Vec3d& half_extent) {
    FoundBox box;
    box.frame.rotation = rotation;
    box.frame.rotated = rotated;
    const Vec3f c = to_float(centre);
    const Vec3f h = to_float(half_extent);
    if (!(h.x > 0 && h.y > 0 && h.z > 0)) return std::nullopt;
    box.frame.centre[0] = c.x;
    box.frame.centre[1] = c.y;
    box.frame.centre[2] = c.z;
    box.frame.half_extent[0] = h.x;
    box.frame.half_extent[1] = h.y;
    box.frame.half_extent[2] = h.z;
    const Vec3d centre32 = to_double(c);
    const Vec3d h32 = to_double(h);
    std::array<bool, 8> taken{};
    double squared = 0;
    for (const Vec3d& v : vertices) {
        const Vec3d q = transpose_times(rotation, v - centre32);
        const std::size_t corner = (q.x > 0 ? 1U : 0U) + (q.y > 0 ? 2U : 0U) + (q.z > 0 ? 4U : 0U);
        if (taken[corner]) return std::nullopt;
        taken[corner] = true;
        const Vec3d placed{q.x > 0 ? h32.x : -h32.x, q.y > 0 ? h32.y : -h32.y, q.z > 0 ? h32.z : -h32.z};
        squared = std::max(squared, length_squared(rotation * placed + centre32 - v));
    }
    box.deviation = std::sqrt(squared);
    return box;
}

// Sums the four edges of each of the three directions. Returns false if the faces are not six quads whose opposite
// sides form three such classes.
bool sum_edge_directions(std::span<const Vec3d> vertices, const HullTopology& t, std::array<Vec3d, 3>& sum) {
    if (vertices.size() != 8 || t.faces.face_count() != 6 || t.edge_count() != 12) return false;
    std::array<std::uint32_t, 12> group{};
    for (std::uint32_t e = 0; e < 12; ++e) group[e] = e;
    for (std::uint32_t f = 0; f < 6; ++f) {
        if (t.faces.loop(f).size() != 4) return false;
        for (std::uint32_t k = 0; k < 2; ++k) {
            const std::uint32_t a = group[t.face_edge[t.faces.first[f] + k]];
            const std::uint32_t b = group[t.face_edge[t.faces.first[f] + k + 2]];
            std::replace(group.begin(), group.end(), std::max(a, b), std::min(a, b));
        }
    }
    std::size_t classes = 0;
    for (std::uint32_t e = 0; e < 12; ++e) {
        if (group[e] != e) continue;
        if (classes == 3) return false;
        const Vec3d first = vertices[t.edge_vertex[2 * e + 1]] - vertices[t.edge_vertex[2 * e]];
        Vec3d total;
        for (std::uint32_t o = e; o < 12; ++o) {
            if (group[o] != e) continue;
            const Vec3d edge = vertices[t.edge_vertex[2 * o + 1]] - vertices[t.edge_vertex[2 * o]];
            total = dot(edge, first) < 0 ? total - edge : total + edge;
        }
        sum[classes++] = total;
    }
    return classes == 3;
}

// The rotation whose columns are the three directions. They are made orthogonal starting with the longest, whose
// direction is known best, and ordered and signed to be as close to the input axes as possible.
std::optional<Mat3d> box_rotation(std::array<Vec3d, 3> direction) {
    std::stable_sort(direction.begin(), direction.end(),
                     [](const Vec3d& a, const Vec3d& b) { return length_squared(a) > length_squared(b); });
    if (!(length_squared(direction[2]) > 0)) return std::nullopt;
    direction[0] = normalized(direction[0]);
    direction[1] = direction[1] - direction[0] * dot(direction[0], direction[1]);
    if (!(length_squared(direction[1]) > 0)) return std::nullopt;
    direction[1] = normalized(direction[1]);
    direction[2] = cross(direction[0], direction[1]);

    static constexpr std::size_t kOrders[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    double best = -1;
    std::array<Vec3d, 3> axis;
    for (const auto& order : kOrders) {
        double trace = 0;
        for (std::size_t i = 0; i < 3; ++i) trace += std::fabs(component(direction[order[i]], i));
        if (trace <= best) continue;
        best = trace;
        for (std::size_t i = 0; i < 3; ++i) axis[i] = direction[order[i]];
    }
    std::size_t weakest = 0;
    for (std::size_t i = 0; i < 3; ++i) {
        if (component(axis[i], i) < 0) axis[i] = -axis[i];
        if (component(axis[i], i) < component(axis[weakest], weakest)) weakest = i;
    }
    if (dot(cross(axis[0], axis[1]), axis[2]) < 0) axis[weakest] = -axis[weakest];
    return transpose(Mat3d{{axis[0], axis[1], axis[2]}});
}

}  // namespace

std::optional<FoundBox> find_box(std::span<const Vec3d> vertices, const HullTopology& topology, double tolerance) {
    std::array<Vec3d, 3> direction;
    if (!sum_edge_directions(vertices, topology, direction)) return std::nullopt;

    // First a box along the input axes, which needs no rotation.
    const PointBox around(vertices);
    auto box = fit(vertices, Mat3d{}, false, (around.low + around.high) * 0.5, (around.high - around.low) * 0.5);
    if (box && box->deviation <= tolerance) return box;

    const auto rotation = box_rotation(direction);
    if (!rotation) return std::nullopt;
    // The sum is relative to one corner, so that it stays exact far from the origin.
    Vec3d offset;
    for (const Vec3d& v : vertices) offset = offset + (v - vertices[0]);
    const Vec3d centre = vertices[0] + offset * 0.125;
    Vec3d extent;
    for (const Vec3d& v : vertices) {
        const Vec3d q = transpose_times(*rotation, v - centre);
        extent = extent + Vec3d{std::fabs(q.x), std::fabs(q.y), std::fabs(q.z)};
    }
    box = fit(vertices, *rotation, true, centre, extent * 0.125);
    if (box && box->deviation <= tolerance) return box;
    return std::nullopt;
}

}  // namespace lanefold::detail
