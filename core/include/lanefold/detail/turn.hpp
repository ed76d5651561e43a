// SPDX-License-Identifier: MIT
//
// The motion between two orientations: a turn about a fixed axis by the shorter way. Without libm, so that the bits are
// the same everywhere.
#pragma once

#include <algorithm>
#include <cmath>

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

// The unit quaternion of a rotation.
inline Quat quaternion_of(const Mat3d& r) {
    const double x = r.row[0].x;
    const double y = r.row[1].y;
    const double z = r.row[2].z;
    // Four times the square of each component; the largest one divides.
    const double squares[4] = {1 + x - y - z, 1 - x + y - z, 1 - x - y + z, 1 + x + y + z};
    const auto largest = std::max_element(squares, squares + 4) - squares;
    Quat q;
    if (largest == 3) {
        q = {r.row[2].y - r.row[1].z, r.row[0].z - r.row[2].x, r.row[1].x - r.row[0].y, squares[3]};
    } else if (largest == 0) {
        q = {squares[0], r.row[0].y + r.row[1].x, r.row[0].z + r.row[2].x, r.row[2].y - r.row[1].z};
    } else if (largest == 1) {
        q = {r.row[0].y + r.row[1].x, squares[1], r.row[1].z + r.row[2].y, r.row[0].z - r.row[2].x};
    } else {
        q = {r.row[0].z + r.row[2].x, r.row[1].z + r.row[2].y, squares[2], r.row[1].x - r.row[0].y};
    }
    const double l = std::sqrt(((q.x * q.x + q.y * q.y) + q.z * q.z) + q.w * q.w);
    return {q.x / l, q.y / l, q.z / l, q.w / l};
}

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
