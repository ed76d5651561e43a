// SPDX-License-Identifier: MIT
//
// Decides whether a hull is too thin for float32 lanes. Lanes are accurate to a few 1e-7 of the size. If an edge, the
// width of a face or the gap between opposite faces is not far above that, its direction or value is mostly rounding.
#include <algorithm>
#include <cmath>

#include "hull/geometry.hpp"
#include "hull/support.hpp"
#include "set/store.hpp"

namespace lanefold::detail {

namespace {

// Shortest edge and narrowest face, relative to size, whose directions float32 resolves. Below it, tests found contact
// points of lanes off the surfaces. Random hulls of 250 vertices rarely have any below 1e-3.
constexpr double kLeastWidth = 3e-4;

// Least thickness across any face, relative to size. For a box kLeastWidth is enough, because its opposite faces are
// exactly parallel.
constexpr double kLeastThickness = 1e-3;

// Least turn of a face's loop at a corner, as a sine. Two sides in almost one line have almost the same normals: the
// lanes' rounding decides which of them is nearest and which one a crossing is on, and the error of the direction of a
// short one is multiplied by the length of the other.
constexpr double kLeastTurn = 3e-4;

double squared_from_line(const Vec3d& x, const Vec3d& on_line, const Vec3d& unit) {
    return length_squared(cross(unit, x - on_line));
}

// Whether the face is narrower than `least` across one of its sides, has a shorter side, or two sides in almost one
// line. It walks around the face once with a side and the corner furthest from it (rotating calipers).
bool narrow_face(std::span<const Vec3d> points, std::span<const std::uint32_t> loop, double least) {
    const std::size_t n = loop.size();
    const auto at = [&](std::size_t k) { return points[loop[k % n]]; };
    std::size_t far = 2;
    for (std::size_t k = 0; k < n; ++k) {
        const Vec3d side = at(k + 1) - at(k);
        if (!(length_squared(side) >= least * least)) return true;
        const Vec3d unit = normalized(side);
        const Vec3d next_side = at(k + 2) - at(k + 1);
        const double next_length = length(next_side);
        if (dot(unit, next_side) > 0 && length(cross(unit, next_side)) < kLeastTurn * next_length) return true;
        far = std::max(far, k + 2);
        double reach = squared_from_line(at(far), at(k), unit);
        while (far + 1 < k + n) {
            const double next = squared_from_line(at(far + 1), at(k), unit);
            if (!(next > reach)) break;
            reach = next;
            ++far;
        }
        if (!(reach >= least * least)) return true;
    }
    return false;
}

}  // namespace

bool is_thin(const HullDraft& hull, double size) {
    const FaceLoops& faces = hull.topology.faces;
    const std::span<const Vec3d> points = hull.vertices;
    for (std::uint32_t f = 0; f < faces.face_count(); ++f) {
        if (narrow_face(points, faces.loop(f), kLeastWidth * size)) return true;
    }
    if (hull.box) return false;
    const VertexGraph graph(faces, static_cast<std::uint32_t>(points.size()));
    for (std::uint32_t f = 0; f < faces.face_count(); ++f) {
        const std::uint32_t on_face = faces.loop(f)[0];
        const Vec3d n = normalized(newell_normal(points, faces.loop(f)));
        const double extent = support_maximum(points, graph, n, on_face) + support_maximum(points, graph, -n, on_face);
        if (!(extent >= kLeastThickness * size)) return true;
    }
    return false;
}

}  // namespace lanefold::detail
