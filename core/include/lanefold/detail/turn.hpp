// SPDX-License-Identifier: MIT
//
// The motion between two orientations: a turn about a fixed axis by the shorter way. Without libm, so that the bits are
// the same everywhere.
#pragma once

#include <lanefold/detail/angles.hpp>
#include <lanefold/pose.hpp>
#include <lanefold/vec.hpp>

namespace lanefold::detail {

// The rotation by q, then by p.
inline Quat product(const Quat& p, const Quat& q) {
    return {(p.w * q.x + p.x * q.w) + (p.y * q.z - p.z * q.y), (p.w * q.y + p.y * q.w) + (p.z * q.x - p.x * q.z),
            (p.w * q.z + p.z * q.w) + (p.x * q.y - p.y * q.x), (p.w * q.w - p.x * q.x) - (p.y * q.y + p.z * q.z)};
}

inline Quat inverse(const Quat& q) { return {-q.x, -q.y, -q.z, q.w}; }

// A turn about a unit axis in world axes, radians. Without a turn both are zero.
struct Turn {
    Vec3d axis;
    double angle = 0;
};

// From the first of two unit quaternions to the last, at most half a turn.
inline Turn shorter_turn(const Quat& first, const Quat& last) {
    Quat turn = product(last, inverse(first));
    if (turn.w < 0) turn = {-turn.x, -turn.y, -turn.z, -turn.w};
    const Vec3d v = {turn.x, turn.y, turn.z};
    const double sine = length(v);
    if (sine == 0) return {};
    return {v * (1.0 / sine), 2.0 * portable_atan(sine / turn.w)};
}

// The rotation by `fraction` of the turn.
inline Quat part_of(const Turn& turn, double fraction) {
    if (turn.angle == 0) return {};
    const SineCosine half = portable_sin_cos(0.5 * (turn.angle * fraction));
    return {turn.axis.x * half.sine, turn.axis.y * half.sine, turn.axis.z * half.sine, half.cosine};
}

}  // namespace lanefold::detail
