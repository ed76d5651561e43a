// SPDX-License-Identifier: MIT
//
// Euclidean distance of two separated hulls in extended precision, from every vertex-face and edge-edge pair. It
// decides where the float64 oracle and the float64 path differ. Beyond a size ratio of 1e5 rounding of the larger
// hull's coordinates exceeds the smaller hull's tolerance. The oracle is then the less exact of the two, because it
// computes supports a million sizes away.
#pragma once

#include <cmath>
#include <limits>
#include <vector>

#include <lanefold/reference.hpp>

namespace lanefold::precise_test {

class Arbiter {
public:
    Arbiter(const reference::OracleHull& a, const double pa[3], const float qa[4], const reference::OracleHull& b,
            const double pb[3], const float qb[4])
        : a_(place(a, qa, {0, 0, 0})),
          b_(place(
              b, qb,
              {static_cast<Real>(pb[0]) - pa[0], static_cast<Real>(pb[1]) - pa[1], static_cast<Real>(pb[2]) - pa[2]})) {
        over_faces(a, a_, b_);
        over_faces(b, b_, a_);
        for (const auto& e : a.edges) {
            for (const auto& f : b.edges) segments(a_[e.v[0]], a_[e.v[1]], b_[f.v[0]], b_[f.v[1]]);
        }
    }

    double distance() const { return static_cast<double>(best_); }

private:
    using Real = long double;
    using V = Vec3<Real>;

    static std::vector<V> place(const reference::OracleHull& h, const float q[4], const V& at) {
        Real x = q[0], y = q[1], z = q[2], w = q[3];
        const Real l = std::sqrt(x * x + y * y + z * z + w * w);
        x /= l, y /= l, z /= l, w /= l;
        const V r0{1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)};
        const V r1{2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)};
        const V r2{2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)};
        std::vector<V> out;
        for (const Vec3d& d : h.vertices) {
            const V v{d.x, d.y, d.z};
            out.push_back(V{dot(r0, v), dot(r1, v), dot(r2, v)} + at);
        }
        return out;
    }

    void offer(Real d) { best_ = d < best_ ? d : best_; }

    void over_faces(const reference::OracleHull& h, const std::vector<V>& own, const std::vector<V>& points) {
        for (const auto& t : h.triangles) {
            const V a = own[t.v[0]], b = own[t.v[1]], c = own[t.v[2]];
            const V n = cross(b - a, c - a);
            const Real l = length(n);
            if (!(l > 0)) continue;
            for (const V& p : points) {
                if (dot(cross(n, b - a), p - a) < 0 || dot(cross(n, c - b), p - b) < 0 ||
                    dot(cross(n, a - c), p - c) < 0)
                    continue;
                const Real height = dot(n, p - a) / l;
                if (height > 0) offer(height);
            }
        }
    }

    void to_segment(const V& p, const V& a, const V& b) {
        const V d = b - a;
        Real t = dot(p - a, d) / length_squared(d);
        t = t < 0 ? 0 : t > 1 ? 1 : t;
        offer(length(a + d * t - p));
    }

    void segments(const V& a0, const V& a1, const V& b0, const V& b1) {
        to_segment(b0, a0, a1);
        to_segment(b1, a0, a1);
        to_segment(a0, b0, b1);
        to_segment(a1, b0, b1);
        const V u = a1 - a0, v = b1 - b0, w = b0 - a0;
        const V x = cross(u, v);
        const Real xx = length_squared(x);
        if (!(xx > 0)) return;
        const Real s = dot(cross(w, v), x) / xx;
        const Real t = dot(cross(w, u), x) / xx;
        if (s >= 0 && s <= 1 && t >= 0 && t <= 1) offer(std::fabs(dot(x, w)) / std::sqrt(xx));
    }

    std::vector<V> a_;
    std::vector<V> b_;
    Real best_ = std::numeric_limits<Real>::infinity();
};

}  // namespace lanefold::precise_test
