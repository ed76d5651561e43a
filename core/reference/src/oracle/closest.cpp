// SPDX-License-Identifier: MIT
//
// Closest points of a point and a triangle, and of two segments, in float64.
#include "oracle/closest.hpp"

#include <algorithm>

namespace lanefold::reference {
namespace {

Vec3d closest_on_segment(const Vec3d& p, const Vec3d& a, const Vec3d& b) {
    const Vec3d e = b - a;
    const double ee = length_squared(e);
    if (!(ee > 0.0)) return a;
    return a + e * std::clamp(dot(p - a, e) / ee, 0.0, 1.0);
}

}  // namespace

Vec3d closest_on_triangle(const Vec3d& p, const Vec3d& a, const Vec3d& b, const Vec3d& c) {
    const Vec3d ab = b - a;
    const Vec3d ac = c - a;
    const Vec3d n = cross(ab, ac);
    const Vec3d ap = p - a;
    // Barycentric coordinates of the projection, times |n|^2.
    const double wb = dot(cross(ap, ac), n);
    const double wc = dot(cross(ab, ap), n);
    const double nn = length_squared(n);
    const double wa = nn - wb - wc;
    if (wa >= 0.0 && wb >= 0.0 && wc >= 0.0 && nn > 0.0) return p - n * (dot(ap, n) / nn);
    // Outside: the nearest of the three sides, by trying all three.
    const Vec3d on[3] = {closest_on_segment(p, a, b), closest_on_segment(p, b, c), closest_on_segment(p, c, a)};
    int best = 0;
    for (int i = 1; i < 3; ++i) {
        if (length_squared(on[i] - p) < length_squared(on[best] - p)) best = i;
    }
    return on[best];
}

Vec3d segment_to_segment(const Vec3d& p0, const Vec3d& p1, const Vec3d& q0, const Vec3d& q1) {
    // The closest pair is interior to both segments, or one of the four end points belongs to it.
    const Vec3d ends[4] = {closest_on_segment(p0, q0, q1) - p0, closest_on_segment(p1, q0, q1) - p1,
                           q0 - closest_on_segment(q0, p0, p1), q1 - closest_on_segment(q1, p0, p1)};
    Vec3d best = ends[0];
    for (int i = 1; i < 4; ++i) {
        if (length_squared(ends[i]) < length_squared(best)) best = ends[i];
    }
    const Vec3d u = p1 - p0;
    const Vec3d v = q1 - q0;
    const Vec3d w = q0 - p0;
    // By cross products, because products of lengths cancel where the segments are almost parallel.
    const Vec3d n = cross(u, v);
    const double det = length_squared(n);
    if (!(det > 0.0)) return best;
    const double s = dot(cross(w, v), n) / det;
    const double t = dot(cross(w, u), n) / det;
    if (s < 0.0 || s > 1.0 || t < 0.0 || t > 1.0) return best;
    const Vec3d inner = (q0 + v * t) - (p0 + u * s);
    return length_squared(inner) < length_squared(best) ? inner : best;
}

}  // namespace lanefold::reference
