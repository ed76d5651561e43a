// SPDX-License-Identifier: MIT
//
// Convex polygons in the plane, for tests that compare a manifold with an area: clipping, enumeration of the
// corners of an intersection of half planes, shoelace formula, convex hull. Shares no code with the library.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace lanefold::test {

struct Point2 {
    double x, y;
};

// An independent intersection: a convex polygon cut by the half planes of another one.
inline std::vector<Point2> intersection(std::vector<Point2> p, const std::vector<Point2>& q) {
    for (std::size_t k = 0; k < q.size(); ++k) {
        const Point2 a = q[k], b = q[(k + 1) % q.size()];
        std::vector<Point2> kept;
        for (std::size_t i = 0; i < p.size(); ++i) {
            const Point2 u = p[i], v = p[(i + 1) % p.size()];
            const double hu = (b.x - a.x) * (u.y - a.y) - (b.y - a.y) * (u.x - a.x);
            const double hv = (b.x - a.x) * (v.y - a.y) - (b.y - a.y) * (v.x - a.x);
            if (hu >= 0) kept.push_back(u);
            if ((hu > 0 && hv < 0) || (hu < 0 && hv > 0)) {
                const double t = hu / (hu - hv);
                kept.push_back({u.x + t * (v.x - u.x), u.y + t * (v.y - u.y)});
            }
        }
        p = kept;
    }
    return p;
}

inline double area(std::vector<Point2> p) {
    if (p.size() < 3) return 0;
    // Points may come in any order: sort around their middle.
    Point2 m{0, 0};
    for (const Point2& v : p) m = {m.x + v.x / double(p.size()), m.y + v.y / double(p.size())};
    std::sort(p.begin(), p.end(), [&](const Point2& u, const Point2& v) {
        return std::atan2(u.y - m.y, u.x - m.x) < std::atan2(v.y - m.y, v.x - m.x);
    });
    double sum = 0;
    for (std::size_t i = 0; i < p.size(); ++i) {
        const Point2 u = p[i], v = p[(i + 1) % p.size()];
        sum += u.x * v.y - u.y * v.x;
    }
    return 0.5 * sum;
}

// nx x + ny y <= offset.
struct HalfPlane {
    double nx, ny, offset;
};

// The corners of an intersection of half planes, without clipping: the crossings of two border lines that lie in all
// other half planes. They have no order; a corner of three lines occurs several times.
inline std::vector<Point2> corners_of(const std::vector<HalfPlane>& planes, double epsilon) {
    std::vector<Point2> out;
    for (std::size_t i = 0; i < planes.size(); ++i) {
        for (std::size_t j = i + 1; j < planes.size(); ++j) {
            const HalfPlane &p = planes[i], &q = planes[j];
            const double det = p.nx * q.ny - p.ny * q.nx;
            if (std::fabs(det) < 1e-9 * std::hypot(p.nx, p.ny) * std::hypot(q.nx, q.ny)) continue;
            const Point2 x{(p.offset * q.ny - q.offset * p.ny) / det, (p.nx * q.offset - q.nx * p.offset) / det};
            const bool inside = std::all_of(planes.begin(), planes.end(), [&](const HalfPlane& h) {
                return h.nx * x.x + h.ny * x.y <= h.offset + epsilon * std::hypot(h.nx, h.ny);
            });
            if (inside) out.push_back(x);
        }
    }
    return out;
}

// Convex hull, counter-clockwise (A. M. Andrew, 1979), of any points with x and y.
template <class P>
std::vector<P> convex_hull(std::vector<P> p) {
    std::sort(p.begin(), p.end(), [](const P& u, const P& v) { return u.x < v.x || (u.x == v.x && u.y < v.y); });
    std::vector<P> hull;
    for (int side = 0; side < 2; ++side) {
        const std::size_t base = hull.size();
        for (const P& x : p) {
            while (hull.size() >= base + 2) {
                const P &u = hull[hull.size() - 2], &v = hull.back();
                if ((v.x - u.x) * (x.y - u.y) - (v.y - u.y) * (x.x - u.x) > 0) break;
                hull.pop_back();
            }
            hull.push_back(x);
        }
        if (!hull.empty()) hull.pop_back();
        std::reverse(p.begin(), p.end());
    }
    return hull;
}

}  // namespace lanefold::test
