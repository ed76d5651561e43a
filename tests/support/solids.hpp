// SPDX-License-Identifier: MIT
//
// Homogeneous solids and their energy in float64, from points and faces. Shares no code with the library's masses and
// moments, nor with World::motion().
#pragma once

#include <cmath>
#include <span>
#include <vector>

#include <lanefold/world.hpp>

#include "support/hull_checks.hpp"

namespace lanefold::test {

struct Solid {
    double mass = 0;
    Vec3d centre;                                       // of mass, own axes
    Mat3d products{{{0, 0, 0}, {0, 0, 0}, {0, 0, 0}}};  // integral of x x^T dm about the centre
};

namespace solids {

inline void add_square(Mat3d& m, const Vec3d& x, double factor) {
    m.row[0] = m.row[0] + x * (factor * x.x);
    m.row[1] = m.row[1] + x * (factor * x.y);
    m.row[2] = m.row[2] + x * (factor * x.z);
}

}  // namespace solids

// Sums tetrahedra between the origin and the triangles of the faces.
inline Solid solid_of(const HullSet& hulls, std::size_t id, std::span<const Vec3f> points, double density) {
    Solid out;
    for (const std::vector<std::uint32_t>& face : input_faces(hulls, id)) {
        for (std::size_t k = 2; k < face.size(); ++k) {
            const Vec3d a = to_double(points[face[0]]), b = to_double(points[face[k - 1]]),
                        c = to_double(points[face[k]]);
            const double six_volumes = density * dot(a, cross(b, c));
            const Vec3d sum = a + b + c;
            out.mass += six_volumes / 6;
            out.centre = out.centre + sum * (six_volumes / 24);
            for (const Vec3d& x : {a, b, c, sum}) solids::add_square(out.products, x, six_volumes / 120);
        }
    }
    out.centre = out.centre * (1 / out.mass);
    solids::add_square(out.products, out.centre, -out.mass);
    return out;
}

struct SolidEnergy {
    double kinetic = 0;
    double height = 0;  // potential energy, zero at the origin
};

inline SolidEnergy energy_of(const World& world, std::size_t body, const Solid& solid) {
    const BodyD& pose = world.bodies()[body];
    const auto q = [&](int k) { return static_cast<double>(pose.orientation[k]); };
    const double n = std::sqrt(q(0) * q(0) + q(1) * q(1) + q(2) * q(2) + q(3) * q(3));
    const Mat3d r = rotation(Quat{q(0) / n, q(1) / n, q(2) / n, q(3) / n});
    const Vec3d v = to_double(world.velocity(body)), w = transpose_times(r, to_double(world.spin(body)));
    const Vec3d centre = Vec3d{pose.position[0], pose.position[1], pose.position[2]} + r * solid.centre;
    // The velocity of a point x against the centre is w x x, whose square is w w x x - (w x)^2.
    const double spread = solid.products.row[0].x + solid.products.row[1].y + solid.products.row[2].z;
    const double turning = length_squared(w) * spread - dot(w, solid.products * w);
    return {0.5 * (solid.mass * length_squared(v) + turning),
            -solid.mass * dot(to_double(world.settings().gravity), centre)};
}

}  // namespace lanefold::test
