// SPDX-License-Identifier: MIT
//
// Boxes that fly freely, in float64 and fine steps, and whether two of them would meet: the judge of fast bodies. It
// shares no code with the engine. The separation of two boxes is the largest over the 15 axes that can separate them,
// whose sign is exact: below zero it is the depth, above zero no more than the distance.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include <lanefold/pose.hpp>
#include <lanefold/vec.hpp>

#include "support/random.hpp"

namespace lanefold::test {

// A box whose centre is its centre of mass. Without `free` nothing but its velocity and spin moves it.
struct FlyingBox {
    Vec3d half;
    Vec3d centre;
    Quat turn{0, 0, 0, 1};
    Vec3d velocity;
    Vec3d spin;  // world axes
    bool free = true;

    double reach() const { return length(half); }
    double thickness() const { return 2 * std::min({half.x, half.y, half.z}); }
};

namespace flights {

inline Vec3d body_spin_rate(const Vec3d& half, const Vec3d& w) {
    // Euler's equations of a homogeneous box; its moments of inertia but for a factor.
    const double x = half.x * half.x, y = half.y * half.y, z = half.z * half.z;
    const Vec3d i{y + z, z + x, x + y};
    return {(i.y - i.z) * w.y * w.z / i.x, (i.z - i.x) * w.z * w.x / i.y, (i.x - i.y) * w.x * w.y / i.z};
}

inline Quat turned_by(const Quat& q, const Vec3d& body_spin, double time) {
    const double angle = length(body_spin) * time;
    return angle == 0 ? q : q * about(body_spin * (1 / length(body_spin)), angle);
}

// Half of the box's extent along a unit vector.
inline double extent(const FlyingBox& box, const Mat3d& r, const Vec3d& u) {
    return (std::fabs(dot(column(r, 0), u)) * box.half.x + std::fabs(dot(column(r, 1), u)) * box.half.y) +
           std::fabs(dot(column(r, 2), u)) * box.half.z;
}

}  // namespace flights

// Moves it by a time in which it turns by little: the spin of its middle is found by the midpoint rule.
inline void fly(FlyingBox& box, double time, const Vec3d& gravity) {
    if (box.free) {
        box.centre = box.centre + box.velocity * time + gravity * (0.5 * time * time);
        box.velocity = box.velocity + gravity * time;
        const Vec3d w = transpose_times(rotation(box.turn), box.spin);
        const Vec3d middle = w + flights::body_spin_rate(box.half, w) * (0.5 * time);
        const Vec3d end = w + flights::body_spin_rate(box.half, middle) * time;
        box.turn = flights::turned_by(box.turn, middle, time);
        box.spin = rotation(box.turn) * end;
        return;
    }
    box.centre = box.centre + box.velocity * time;
    if (length(box.spin) > 0) box.turn = about(box.spin * (1 / length(box.spin)), length(box.spin) * time) * box.turn;
}

inline double box_separation(const FlyingBox& a, const FlyingBox& b) {
    const Mat3d ra = rotation(a.turn), rb = rotation(b.turn);
    const Vec3d between = b.centre - a.centre;
    double most = -1e300;
    const auto along = [&](const Vec3d& u) {
        most = std::max(most, std::fabs(dot(between, u)) - flights::extent(a, ra, u) - flights::extent(b, rb, u));
    };
    for (int i = 0; i < 3; ++i) {
        along(column(ra, i));
        along(column(rb, i));
        for (int k = 0; k < 3; ++k) {
            const Vec3d u = cross(column(ra, i), column(rb, k));
            if (length_squared(u) > 1e-12) along(normalized(u));
        }
    }
    return most;
}

// The least separation of two boxes in a time, to `fine`; the search ends where they are as deep as `deep`.
inline double least_separation(FlyingBox a, FlyingBox b, double time, const Vec3d& gravity, double fine, double deep) {
    constexpr double kTurn = 0.02;  // radians that one step of the spin may take
    const double fastest = length(a.velocity - b.velocity) + length(a.spin) * a.reach() + length(b.spin) * b.reach() +
                           length(gravity) * time;
    const double turning = std::max(length(a.spin), length(b.spin));
    double least = 1e300;
    for (double left = time; left > 0 && least > -deep;) {
        const double now = box_separation(a, b);
        least = std::min(least, now);
        double step = std::min(left, std::max(now, fine) / fastest);
        if (turning > 0) step = std::min(step, kTurn / turning);
        fly(a, step, gravity);
        fly(b, step, gravity);
        left -= step;
    }
    return least;
}

}  // namespace lanefold::test
