// SPDX-License-Identifier: MIT
//
// Single float32 points, for code that works on one pair between the stages in lanes, and their transformation between
// the frames of the two hulls.
#pragma once

#include "pair/rows.hpp"
#include "pair/support.hpp"

namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE {

struct Point {
    float x, y, z;
};

// The same point in all lanes.
LANEFOLD_INLINE WVec3 splat(const Point& p) { return {splat(p.x), splat(p.y), splat(p.z)}; }

LANEFOLD_INLINE Point sub(const Point& a, const Point& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
LANEFOLD_INLINE float dot(const Point& a, const Point& b) { return (a.x * b.x + a.y * b.y) + a.z * b.z; }
LANEFOLD_INLINE Point cross(const Point& a, const Point& b) {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

// v of B's frame in A's.
LANEFOLD_INLINE Point to_a(const PairRow& row, const Point& v) {
    const float* r = row.to_a.r;
    const float* t = row.to_a.t;
    return {((r[0] * v.x + r[1] * v.y) + r[2] * v.z) + t[0], ((r[3] * v.x + r[4] * v.y) + r[5] * v.z) + t[1],
            ((r[6] * v.x + r[7] * v.y) + r[8] * v.z) + t[2]};
}
// v of A's frame in B's.
LANEFOLD_INLINE Point to_b(const PairRow& row, const Point& v) {
    const float* r = row.to_a.r;
    const float* t = row.to_a.t;
    const Point d = {v.x - t[0], v.y - t[1], v.z - t[2]};
    return {(r[0] * d.x + r[3] * d.y) + r[6] * d.z, (r[1] * d.x + r[4] * d.y) + r[7] * d.z,
            (r[2] * d.x + r[5] * d.y) + r[8] * d.z};
}

LANEFOLD_INLINE Point face_normal(const HullFloats& h, std::uint32_t f) {
    const float* n = plane_of(h, f);
    return {n[0], n[1], n[2]};
}
LANEFOLD_INLINE float face_offset(const HullFloats& h, std::uint32_t f) { return plane_of(h, f)[3]; }

// From A's origin to B's, in A's frame; and from B's to A's, in B's.
LANEFOLD_INLINE Point origin_b(const PairRow& row) { return {row.to_a.t[0], row.to_a.t[1], row.to_a.t[2]}; }
LANEFOLD_INLINE Point origin_a(const InverseRow& row) { return {row.to_b.t[0], row.to_b.t[1], row.to_b.t[2]}; }

LANEFOLD_INLINE Point vertex_of(const HullFloats& h, std::uint32_t v) { return {h.vx[v], h.vy[v], h.vz[v]}; }

LANEFOLD_INLINE Point rotate_to_a(const PairRow& row, const Point& v) {
    const float* r = row.to_a.r;
    return {(r[0] * v.x + r[1] * v.y) + r[2] * v.z, (r[3] * v.x + r[4] * v.y) + r[5] * v.z,
            (r[6] * v.x + r[7] * v.y) + r[8] * v.z};
}
LANEFOLD_INLINE Point rotate_to_b(const PairRow& row, const Point& v) {
    const float* r = row.to_a.r;
    return {(r[0] * v.x + r[3] * v.y) + r[6] * v.z, (r[1] * v.x + r[4] * v.y) + r[7] * v.z,
            (r[2] * v.x + r[5] * v.y) + r[8] * v.z};
}

// Separation along n by full supports. n: A's frame, from A to B, unit up to rounding.
LANEFOLD_INLINE float separation_along(const PairRow& row, const HullFloats& a, const HullFloats& b, const Point& n) {
    const Point m = rotate_to_b(row, n);
    const Best top = support(a, n.x, n.y, n.z);
    const Best low = support(b, -m.x, -m.y, -m.z);
    return (dot(n, origin_b(row)) - low.value) - top.value;
}

}  // namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE
