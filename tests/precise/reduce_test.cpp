// SPDX-License-Identifier: MIT
//
// Points of a manifold that are kept by spread (lanefold/detail/geometry/spread.hpp), on the float64 path.
#include <vector>

#include <gtest/gtest.h>

#include "precise/reduce.hpp"

namespace lanefold::test {
namespace {

detail::ClipPoint at(double u, double v, double separation) {
    detail::ClipPoint p;
    p.middle = {u, v, 0};
    p.u = u;
    p.v = v;
    p.separation = separation;
    return p;
}

// The deepest point is at the origin; (10, 0) is furthest from it, (5, 8) furthest from the line through both. Among
// the others (5, -3) is outside of one side of that triangle by 30, twice the area, and (-3, -2.5) of two by 25 and
// 11.5.
std::vector<detail::ClipPoint> points() {
    return {at(-3, -2.5, 0), at(5, 8, 0), at(2, 1, -0.5), at(0, 0, -1), at(5, -3, 0), at(10, 0, 0)};
}

std::vector<Vec3d> kept(std::size_t capacity) {
    std::vector<detail::ClipPoint> list = points();
    detail::reduce_points(list, capacity);
    std::vector<Vec3d> places;
    for (const detail::ClipPoint& p : list) places.push_back(p.middle);
    return places;
}

TEST(Reduce, FourthPointIsFurthestOutsideOfOneSide) {
    EXPECT_EQ(kept(4), (std::vector<Vec3d>{{5, 8, 0}, {0, 0, 0}, {5, -3, 0}, {10, 0, 0}}));
}

TEST(Reduce, FifthPointIsFurthestFromAllKeptOnes) {
    EXPECT_EQ(kept(5), (std::vector<Vec3d>{{-3, -2.5, 0}, {5, 8, 0}, {0, 0, 0}, {5, -3, 0}, {10, 0, 0}}));
}

TEST(Reduce, PointsWithinTheCapacityStay) { EXPECT_EQ(kept(6).size(), 6U); }

}  // namespace
}  // namespace lanefold::test
