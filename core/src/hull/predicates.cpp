// SPDX-License-Identifier: MIT
//
// Exact sign of a 4x4 orientation determinant of float32 values; see hull/predicates.hpp.
#include "hull/predicates.hpp"

#include <cstddef>

namespace lanefold::detail {

namespace {

// A sum of non-overlapping float64 components, smallest first; its sign is that of the last. Room for the 48 components
// of the determinant's 24 triple products.
class ExactSum {
public:
    void add(double b) {
        double q = b;
        std::size_t kept = 0;
        for (std::size_t i = 0; i < count_; ++i) {
            const double e = part_[i];
            const double sum = q + e;
            const double e_virtual = sum - q;
            const double error = (q - (sum - e_virtual)) + (e - e_virtual);
            q = sum;
            if (error != 0.0) part_[kept++] = error;
        }
        if (q != 0.0) part_[kept++] = q;
        count_ = kept;
    }

    // Adds sign * x * y * z. y and z are float32 values, so their product is exact (48 bits). Its product with x is
    // split into a rounded value and its error (T. J. Dekker, 1971), because there may be no FMA.
    void add_product(double sign, double x, double y, double z) {
        const double u = sign * x;
        const double v = y * z;
        const double p = u * v;
        double u_high = 0, u_low = 0, v_high = 0, v_low = 0;
        split(u, u_high, u_low);
        split(v, v_high, v_low);
        add(((u_high * v_high - p) + u_high * v_low + u_low * v_high) + u_low * v_low);
        add(p);
    }

    // Adds sign * x . (y x z).
    void add_determinant(double sign, const Vec3d& x, const Vec3d& y, const Vec3d& z) {
        add_product(sign, x.x, y.y, z.z);
        add_product(-sign, x.x, y.z, z.y);
        add_product(sign, x.y, y.z, z.x);
        add_product(-sign, x.y, y.x, z.z);
        add_product(sign, x.z, y.x, z.y);
        add_product(-sign, x.z, y.y, z.x);
    }

    int sign() const {
        if (count_ == 0) return 0;
        return part_[count_ - 1] > 0 ? 1 : -1;
    }

private:
    static void split(double a, double& high, double& low) {
        constexpr double kSplitter = 134217729.0;  // 2^27 + 1: halves of 26 bits
        const double c = kSplitter * a;
        high = c - (c - a);
        low = a - high;
    }

    double part_[64] = {};
    std::size_t count_ = 0;
};

}  // namespace

int side_of_plane_exact(const Vec3d& a, const Vec3d& b, const Vec3d& c, const Vec3d& p) {
    ExactSum s;
    s.add_determinant(1.0, b, c, p);
    s.add_determinant(-1.0, a, c, p);
    s.add_determinant(1.0, a, b, p);
    s.add_determinant(-1.0, a, b, c);
    return s.sign();
}

TrianglePlane::TrianglePlane(const Vec3d& a, const Vec3d& b, const Vec3d& c) : a_(a), b_(b), c_(c) {
    const Vec3d u = b - a;
    const Vec3d v = c - a;
    normal_ = cross(u, v);
    magnitude_ = {absolute(u.y * v.z) + absolute(u.z * v.y), absolute(u.z * v.x) + absolute(u.x * v.z),
                  absolute(u.x * v.y) + absolute(u.y * v.x)};
    const double l = length(normal_);
    inverse_length_ = l > 0 ? 1.0 / l : 0.0;
}

int side_of_plane(const Vec3d& a, const Vec3d& b, const Vec3d& c, const Vec3d& p) {
    return TrianglePlane(a, b, c).side(p);
}

}  // namespace lanefold::detail
