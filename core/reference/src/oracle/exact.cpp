// SPDX-License-Identifier: MIT
//
// Exact orientation of float32 points: a float64 filter (J. R. Shewchuk, "Adaptive precision floating-point arithmetic
// and fast robust geometric predicates", 1997) and, if it cannot decide, the determinant as an exact sum. Products of
// two float32 values are exact in float64, so the 24 triple products are 48 float64 terms.
#include "oracle/exact.hpp"

#include <cstddef>

namespace lanefold::reference {
namespace {

// An exact sum of float64 values: components that do not overlap, ascending in magnitude.
class ExactSum {
public:
    void add(double value) {
        double carry = value;
        std::size_t kept = 0;
        for (std::size_t i = 0; i < count_; ++i) {
            const double x = component_[i];
            const double sum = carry + x;
            const double x_part = sum - carry;
            const double rounding = (carry - (sum - x_part)) + (x - x_part);
            if (rounding != 0.0) component_[kept++] = rounding;
            carry = sum;
        }
        if (carry != 0.0) component_[kept++] = carry;
        count_ = kept;
    }

    // Adds sign * p . (q x r).
    void add_triple_product(double sign, const Vec3d& p, const Vec3d& q, const Vec3d& r) {
        add_product(sign * p.x, q.y, r.z);
        add_product(-sign * p.x, q.z, r.y);
        add_product(sign * p.y, q.z, r.x);
        add_product(-sign * p.y, q.x, r.z);
        add_product(sign * p.z, q.x, r.y);
        add_product(-sign * p.z, q.y, r.x);
    }

    // The sign of the largest component, which exceeds the sum of all others.
    int sign() const {
        if (count_ == 0) return 0;
        return component_[count_ - 1] > 0.0 ? 1 : -1;
    }

private:
    void add_product(double x, double y, double z) {
        const double xy = x * y;  // exact: 24 + 24 bits
        const double high = xy * z;
        const double low = std::fma(xy, z, -high);
        if (low != 0.0) add(low);
        if (high != 0.0) add(high);
    }

    double component_[64] = {};  // at most one component per added term: 48
    std::size_t count_ = 0;
};

}  // namespace

int orientation(const Vec3d& a, const Vec3d& b, const Vec3d& c, const Vec3d& d) {
    const Vec3d u = b - a;
    const Vec3d v = c - a;
    const Vec3d w = d - a;
    const double vy_wz = v.y * w.z, vz_wy = v.z * w.y;
    const double vz_wx = v.z * w.x, vx_wz = v.x * w.z;
    const double vx_wy = v.x * w.y, vy_wx = v.y * w.x;
    const double determinant = (u.x * (vy_wz - vz_wy) + u.y * (vz_wx - vx_wz)) + u.z * (vx_wy - vy_wx);
    const double permanent = (std::fabs(u.x) * (std::fabs(vy_wz) + std::fabs(vz_wy)) +
                              std::fabs(u.y) * (std::fabs(vz_wx) + std::fabs(vx_wz))) +
                             std::fabs(u.z) * (std::fabs(vx_wy) + std::fabs(vy_wx));
    // (7 + 56 e) e with e = 2^-53, rounded up.
    constexpr double kFilter = 8e-16;
    if (determinant > kFilter * permanent) return 1;
    if (determinant < -kFilter * permanent) return -1;

    ExactSum sum;
    sum.add_triple_product(1.0, b, c, d);
    sum.add_triple_product(-1.0, a, c, d);
    sum.add_triple_product(1.0, a, b, d);
    sum.add_triple_product(-1.0, a, b, c);
    return sum.sign();
}

}  // namespace lanefold::reference
