// SPDX-License-Identifier: MIT
//
// On which side of a plane through three points does a fourth lie, without ever being wrong. Coordinates are
// float32 values held in float64. A float64 evaluation with a forward error bound decides almost always
// (J. R. Shewchuk, "Adaptive precision floating-point arithmetic and fast robust geometric predicates",
// 1997); what it cannot decide is summed exactly as a floating-point expansion.
#pragma once

#include <lanefold/vec.hpp>

namespace lanefold::detail {

// Sign of (b - a) x (c - a) . (p - a): +1 when p is on the side from which a, b, c run counter-clockwise,
// -1 on the other, 0 when the four points are exactly coplanar.
int side_of_plane(const Vec3d& a, const Vec3d& b, const Vec3d& c, const Vec3d& p);

// The same sign by exact summation only. For tests and for callers whose filter already failed.
int side_of_plane_exact(const Vec3d& a, const Vec3d& b, const Vec3d& c, const Vec3d& p);

// A triangle's plane prepared for many queries.
class TrianglePlane {
public:
    TrianglePlane() = default;
    TrianglePlane(const Vec3d& a, const Vec3d& b, const Vec3d& c);

    // (b - a) x (c - a): outward, twice the area long.
    const Vec3d& area_normal() const { return normal_; }

    // Signed distance of p in float64; what decides anything is side().
    double height(const Vec3d& p) const { return dot(normal_, p - a_) * inverse_length_; }

    // Exact, as side_of_plane.
    int side(const Vec3d& p) const {
        const Vec3d w = p - a_;
        const double h = dot(normal_, w);
        const double bound =
            kFilter * ((magnitude_.x * absolute(w.x) + magnitude_.y * absolute(w.y)) + magnitude_.z * absolute(w.z));
        if (h > bound) return 1;
        if (h < -bound) return -1;
        return side_of_plane_exact(a_, b_, c_, p);
    }

    // Nine units of rounding (2^-53 each) of the sum of all products' magnitudes; the evaluation above,
    // differences included, errs by less than eight. Too small would give wrong signs, larger costs time.
    static constexpr double kFilter = 1e-15;

private:
    static double absolute(double x) { return x < 0 ? -x : x; }

    Vec3d a_, b_, c_;
    Vec3d normal_;
    Vec3d magnitude_;  // the cross product with every term taken positive
    double inverse_length_ = 0;
};

}  // namespace lanefold::detail
