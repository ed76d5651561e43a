// SPDX-License-Identifier: MIT
//
// Normals, mass and angles of a hull; see hull/geometry.hpp.
#include "hull/geometry.hpp"

#include <algorithm>
#include <limits>

#include <lanefold/detail/angles.hpp>
#include <lanefold/detail/point_box.hpp>

namespace lanefold::detail {

Vec3d newell_normal(std::span<const Vec3d> points, std::span<const std::uint32_t> loop) {
    // Cross products of differences from the first corner, which keep all digits far from the origin.
    const Vec3d& origin = points[loop[0]];
    Vec3d sum;
    for (std::size_t k = 1; k + 1 < loop.size(); ++k) {
        sum = sum + cross(points[loop[k]] - origin, points[loop[k + 1]] - origin);
    }
    return sum;
}

std::vector<Vec3d> face_normals(std::span<const Vec3d> points, const FaceLoops& faces) {
    std::vector<Vec3d> normals(faces.face_count());
    for (std::uint32_t f = 0; f < faces.face_count(); ++f) {
        normals[f] = normalized(newell_normal(points, faces.loop(f)));
    }
    return normals;
}

MassProperties mass_properties(std::span<const Vec3d> points, const FaceLoops& faces) {
    const PointBox box(points);
    const Vec3d reference = (box.low + box.high) * 0.5;
    double volume6 = 0;
    Vec3d first;         // 24 times the integral of x
    double second[6]{};  // 120 times the integrals of xx, yy, zz, xy, xz, yz
    for (std::uint32_t f = 0; f < faces.face_count(); ++f) {
        const auto loop = faces.loop(f);
        const Vec3d a = points[loop[0]] - reference;
        for (std::size_t k = 1; k + 1 < loop.size(); ++k) {
            const Vec3d b = points[loop[k]] - reference;
            const Vec3d c = points[loop[k + 1]] - reference;
            const double v = dot(a, cross(b, c));
            const Vec3d s = a + b + c;
            volume6 += v;
            first = first + s * v;
            second[0] += v * (a.x * a.x + b.x * b.x + c.x * c.x + s.x * s.x);
            second[1] += v * (a.y * a.y + b.y * b.y + c.y * c.y + s.y * s.y);
            second[2] += v * (a.z * a.z + b.z * b.z + c.z * c.z + s.z * s.z);
            second[3] += v * (a.x * a.y + b.x * b.y + c.x * c.y + s.x * s.y);
            second[4] += v * (a.x * a.z + b.x * b.z + c.x * c.z + s.x * s.z);
            second[5] += v * (a.y * a.z + b.y * b.z + c.y * c.z + s.y * s.z);
        }
    }
    MassProperties m;
    m.volume = volume6 / 6.0;
    const Vec3d c = first * (1.0 / (4.0 * volume6));
    m.centre_of_mass = reference + c;
    const double xx = second[0] / 120.0 - m.volume * c.x * c.x;
    const double yy = second[1] / 120.0 - m.volume * c.y * c.y;
    const double zz = second[2] / 120.0 - m.volume * c.z * c.z;
    const double xy = second[3] / 120.0 - m.volume * c.x * c.y;
    const double xz = second[4] / 120.0 - m.volume * c.x * c.z;
    const double yz = second[5] / 120.0 - m.volume * c.y * c.z;
    m.inertia = {{{yy + zz, -xy, -xz}, {-xy, xx + zz, -yz}, {-xz, -yz, xx + yy}}};
    return m;
}

double smallest_edge_angle(const HullTopology& topology, std::span<const Vec3d> normals) {
    double smallest = std::numeric_limits<double>::infinity();  // tangent of half the angle
    for (std::uint32_t e = 0; e < topology.edge_count(); ++e) {
        const Vec3d& a = normals[topology.edge_face0[e]];
        const Vec3d& b = normals[topology.edge_face1[e]];
        const double cosine1 = 1.0 + dot(a, b);
        const double sine = length(cross(a, b));
        if (cosine1 > 0) smallest = std::min(smallest, sine / cosine1);
    }
    return 2.0 * portable_atan(smallest);
}

}  // namespace lanefold::detail
