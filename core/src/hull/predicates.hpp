// SPDX-License-Identifier: MIT
//
// The exact side of a plane through three points on which a fourth lies. Coordinates are float32 values in float64. A
// float64 evaluation with a forward error bound almost always decides (J. R. Shewchuk, "Adaptive precision
// floating-point arithmetic and fast robust geometric predicates", 1997). Otherwise the determinant is summed exactly
// as a floating-point expansion.
#pragma once

#include <lanefold/vec.hpp>

namespace lanefold::detail {

// Sign of (b - a) x (c - a) . (p - a): +1 if p is on the side from which a, b, c run counter-clockwise, -1 on the other
// side, 0 if the four points are exactly coplanar.
int side_of_plane(const Vec3d& a, const Vec3d& b, const Vec3d& c, const Vec3d& p);

// The same sign by exact summation only, for tests and for callers whose filter has failed.
int side_of_plane_exact(const Vec3d& a, const Vec3d& b, const Vec3d& c, const Vec3d& p);

// A triangle's plane prepared for many queries.
class TrianglePlane {
public:
    TrianglePlane() = default;
    TrianglePlane(const Vec3d& a, const Vec3d& b, const Vec3d& c);

    // (b - a) x (c - a): outward; its length is twice the area.
    const Vec3d& area_normal() const { return normal_; }

    // Signed distance of p in float64. Decisions use side().
    double height(const Vec3d& p) const { return dot(normal_, p - a_) * inverse_length_; }

    // Exact, like side_of_plane().
    int side(const Vec3d& p) const {
        const Vec3d w = p - a_;
        const double h = dot(normal_, w);
        const double bound =
            kFilter * ((magnitude_.x * absolute(w.x) + magnitude_.y * absolute(w.y)) + magnitude_.z * absolute(w.z));
        if (h > bound) return 1;
        if (h < -bound) return -1;
        return side_of_plane_exact(a_, b_, c_, p);
    }

    // Error bound relative to the sum of all products' magnitudes: nine units of rounding (2^-53 each). The evaluation
    // above, with its differences, errs by less than eight. A smaller bound gives wrong signs, a larger one costs time.
    static constexpr double kFilter = 1e-15;

private:
    static double absolute(double x) { return x < 0 ? -x : x; }

    Vec3d a_, b_, c_;
    Vec3d normal_;
    Vec3d magnitude_;  // the cross product with all terms positive
    double inverse_length_ = 0;
};

}  // namespace lanefold::detail
