// SPDX-License-Identifier: MIT
//
// Tests how much of the corners of a contact area the kept points cover.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

#include "placed.hpp"

namespace lanefold::reference::judging {

namespace {

double twice_area(const PlanPoint& a, const PlanPoint& b, double u, double v) {
    return (b.u - a.u) * (v - a.v) - (b.v - a.v) * (u - a.u);
}

double distance(const PlanPoint& a, double u, double v) { return std::hypot(a.u - u, a.v - v); }

// Twice the area that (u, v) adds outside the triangle.
double added(const PlanPoint& a, const PlanPoint& b, const PlanPoint& c, double u, double v) {
    const double turn = twice_area(a, b, c.u, c.v) < 0 ? -1.0 : 1.0;
    return std::max(
        {0.0, -turn * twice_area(a, b, u, v), -turn * twice_area(b, c, u, v), -turn * twice_area(c, a, u, v)});
}

// Twice the area that (u, v) adds, summed over all three sides: outside two sides it adds more than a triangle.
double added_to_all(const PlanPoint& a, const PlanPoint& b, const PlanPoint& c, double u, double v) {
    const double turn = twice_area(a, b, c.u, c.v) < 0 ? -1.0 : 1.0;
    return std::max(0.0, -turn * twice_area(a, b, u, v)) + std::max(0.0, -turn * twice_area(b, c, u, v)) +
           std::max(0.0, -turn * twice_area(c, a, u, v));
}

// The largest value over the certain corners, less the effect of their errors (`reach`: how fast the value changes).
template <class Value>
double most(const std::vector<Corner>& corners, double reach, const Value& value) {
    double out = 0;
    for (const Corner& c : corners) {
        if (c.certain) out = std::max(out, value(c.u, c.v) - reach * c.error);
    }
    return out;
}

}  // namespace

Plane::Plane(const Vec3d& n)
    : across(normalized(cross(n, std::fabs(n.x) < 0.6 ? Vec3d{1, 0, 0} : Vec3d{0, 1, 0}))), along(cross(n, across)) {}

// A. M. Andrew's monotone chain, 1979. The builder and the float64 path have one as well (plane_hull.hpp); the judge
// shares no code with what it judges.
double twice_hull_area(std::vector<PlanPoint> points) {
    std::sort(points.begin(), points.end(),
              [](const PlanPoint& p, const PlanPoint& q) { return p.u < q.u || (p.u == q.u && p.v < q.v); });
    double area = 0;
    for (const bool upper : {false, true}) {
        std::vector<PlanPoint> chain;
        for (std::size_t k = 0; k < points.size(); ++k) {
            const PlanPoint& p = points[upper ? points.size() - 1 - k : k];
            while (chain.size() >= 2 && twice_area(chain[chain.size() - 2], chain.back(), p.u, p.v) <= 0) {
                chain.pop_back();
            }
            chain.push_back(p);
        }
        for (std::size_t k = 1; k < chain.size(); ++k)
            area += chain[k - 1].u * chain[k].v - chain[k].u * chain[k - 1].v;
    }
    return area;
}

bool spread_keeps(const std::vector<Corner>& corners, const std::vector<PlanPoint>& kept, double slack,
                  double depth_slack) {
    if (kept.size() != 4) return false;
    double deepest = std::numeric_limits<double>::infinity();
    for (const Corner& c : corners) {
        if (c.certain) deepest = std::min(deepest, c.separation);
    }
    std::size_t order[4] = {0, 1, 2, 3};
    do {
        const PlanPoint& a = kept[order[0]];
        const PlanPoint& b = kept[order[1]];
        const PlanPoint& c = kept[order[2]];
        const PlanPoint& d = kept[order[3]];
        if (a.separation > deepest + depth_slack) continue;
        const double ab = distance(a, b.u, b.v);
        if (ab + slack < most(
                             corners, 1, [&](double u, double v) { return distance(a, u, v); }))
            continue;
        const double area = std::fabs(twice_area(a, b, c.u, c.v));
        const double area_slack = 2.0 * slack * (ab + slack);
        if (area + area_slack <
            most(
                corners, ab, [&](double u, double v) { return std::fabs(twice_area(a, b, u, v)); })) {
            continue;
        }
        const double around = 2.0 * ab + slack;
        // Either measure may be the larger one, for corners beyond a vertex of the triangle.
        if (std::max(added(a, b, c, d.u, d.v), added_to_all(a, b, c, d.u, d.v)) + 3.0 * slack * around <
            most(
                corners, 3.0 * around, [&](double u, double v) { return added(a, b, c, u, v); })) {
            continue;
        }
        return true;
    } while (std::next_permutation(order, order + 4));
    return false;
}

bool spread_covers(const std::vector<Corner>& corners, const std::vector<PlanPoint>& kept, double slack) {
    double apart = 0;
    for (std::size_t i = 0; i < kept.size(); ++i) {
        double nearest = std::numeric_limits<double>::infinity();
        for (std::size_t k = 0; k < kept.size(); ++k) {
            if (k != i) nearest = std::min(nearest, distance(kept[k], kept[i].u, kept[i].v));
        }
        apart = std::max(apart, nearest);
    }
    return most(corners, 1, [&](double u, double v) {
               double nearest = std::numeric_limits<double>::infinity();
               for (const PlanPoint& p : kept) nearest = std::min(nearest, distance(p, u, v));
               return nearest;
           }) <= apart + slack;
}

}  // namespace lanefold::reference::judging
