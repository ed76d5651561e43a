// SPDX-License-Identifier: MIT
//
// Rotations and rigid poses in float64, for the builder, the reference and the float64 path. Quaternions are (x, y, z,
// w).
#pragma once

#include <lanefold/vec.hpp>

namespace lanefold {

// A quaternion. As a rotation it must have unit length.
struct Quat {
    double x = 0.0;
    double y = 0.0;
    double z = 0.0;
    double w = 1.0;
};

// Row-major 3x3 matrix: (M v)_i = row[i] . v.
struct Mat3d {
    Vec3d row[3]{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

    friend constexpr bool operator==(const Mat3d&, const Mat3d&) = default;
};

constexpr Vec3d operator*(const Mat3d& m, const Vec3d& v) {
    return {dot(m.row[0], v), dot(m.row[1], v), dot(m.row[2], v)};
}

// Column i of a matrix, 0 to 2.
constexpr Vec3d column(const Mat3d& m, int i) {
    if (i == 0) return {m.row[0].x, m.row[1].x, m.row[2].x};
    if (i == 1) return {m.row[0].y, m.row[1].y, m.row[2].y};
    return {m.row[0].z, m.row[1].z, m.row[2].z};
}

// The transpose; of a rotation it is the inverse.
constexpr Mat3d transpose(const Mat3d& m) { return {{column(m, 0), column(m, 1), column(m, 2)}}; }

constexpr Mat3d operator*(const Mat3d& a, const Mat3d& b) {
    const Mat3d t = transpose(b);
    Mat3d r;
    for (int i = 0; i < 3; ++i) r.row[i] = {dot(a.row[i], t.row[0]), dot(a.row[i], t.row[1]), dot(a.row[i], t.row[2])};
    return r;
}

// M^T v without forming the transpose.
constexpr Vec3d transpose_times(const Mat3d& m, const Vec3d& v) {
    return {dot(column(m, 0), v), dot(column(m, 1), v), dot(column(m, 2), v)};
}

// Rotation of a unit quaternion. The caller normalises first.
constexpr Mat3d rotation(const Quat& q) {
    const double xx = q.x * q.x, yy = q.y * q.y, zz = q.z * q.z;
    const double xy = q.x * q.y, xz = q.x * q.z, yz = q.y * q.z;
    const double wx = q.w * q.x, wy = q.w * q.y, wz = q.w * q.z;
    return {{{1.0 - 2.0 * (yy + zz), 2.0 * (xy - wz), 2.0 * (xz + wy)},
             {2.0 * (xy + wz), 1.0 - 2.0 * (xx + zz), 2.0 * (yz - wx)},
             {2.0 * (xz - wy), 2.0 * (yz + wx), 1.0 - 2.0 * (xx + yy)}}};
}

// Largest | |q|^2 - 1 | that is accepted as a rotation. Beyond it the pair has status bad_pose, because such a
// quaternion is a mistake of the caller (a scale, or a blend that is not normalised).
inline constexpr double kQuaternionTolerance = 1e-3;

// The square of a quaternion's length, in float64.
inline double length_squared(const float q[4]) {
    const double x = q[0], y = q[1], z = q[2], w = q[3];
    return ((x * x + y * y) + z * z) + w * w;
}

// Whether the quaternion is finite and within kQuaternionTolerance of unit length: then it is an orientation.
inline bool is_orientation(const float q[4]) {
    return std::fabs(length_squared(q) - 1.0) <= kQuaternionTolerance;  // false for NaN
}

// Normalises in float64. Returns false and leaves `out` unchanged if the quaternion is no orientation.
inline bool normalize(const float q[4], Quat& out) {
    if (!is_orientation(q)) return false;
    const double x = q[0], y = q[1], z = q[2], w = q[3];
    const double l = std::sqrt(length_squared(q));
    out = {x / l, y / l, z / l, w / l};
    return true;
}

// x_world = rotation * x_body + position.
struct PoseD {
    Mat3d rotation;
    Vec3d position;
};

// A body's point in the world.
constexpr Vec3d transform(const PoseD& p, const Vec3d& v) { return p.rotation * v + p.position; }

}  // namespace lanefold
