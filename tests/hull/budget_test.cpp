// SPDX-License-Identifier: MIT
//
// Reduction of a hull to a budget of vertices, with the deviation reported.
#include <algorithm>
#include <cstdio>
#include <numeric>

#include <gtest/gtest.h>

#include <lanefold/hull_builder.hpp>
#include <lanefold/reference.hpp>

#include "support/hull_checks.hpp"
#include "support/hulls.hpp"

namespace lanefold::test {
namespace {

Points ball(std::uint64_t seed, int count) {
    Random random(seed);
    Points p;
    for (int i = 0; i < count; ++i) p.push_back(to_float(random.direction() * random.uniform(0.9, 1.0)));
    return p;
}

// Largest distance of a point from a hull by the oracle.
double outside(const HullSet& cut, const Points& p) {
    const reference::OracleHull oracle = reference::make_oracle_hull(cut.vertices(0));
    double worst = 0;
    for (const Vec3f& v : p) worst = std::max(worst, reference::point_distance(oracle, Mat3d{}, to_double(v)));
    return worst;
}

TEST(HullBudget, IsKeptAndTheReportedDeviationIsTheDistance) {
    const Points p = ball(101, 300);
    const BuildResult full = build_hull(p);
    ASSERT_TRUE(full);
    const std::uint32_t all = full.hulls[0].vertex_count;
    ASSERT_GT(all, 100U);
    EXPECT_EQ(full.hulls.info(0).budget_deviation, 0.0);
    double previous = 1e9;
    for (const std::uint32_t budget : {4U, 5U, 8U, 16U, 32U, 64U, 100U}) {
        BuildOptions options;
        options.max_vertices = budget;
        const BuildResult r = build_hull(p, options);
        ASSERT_TRUE(r);
        EXPECT_EQ(r.hulls[0].vertex_count, budget);
        HullExpectation expect;
        expect.contains_input = false;
        EXPECT_EQ(check_hull(r.hulls, 0, p, expect), "") << budget;
        const double reported = r.hulls.info(0).budget_deviation;
        const double size = static_cast<double>(full.hulls[0].size);
        EXPECT_NEAR(reported, outside(r.hulls, p) / size, 1e-6) << budget;
        EXPECT_LT(reported, previous) << budget;
        previous = reported;
        std::printf("budget %u: deviation %g\n", budget, reported);
    }
    EXPECT_LT(previous, 0.05);
}

TEST(HullBudget, LargeEnoughChangesNothing) {
    const Points p = ball(102, 50);
    const BuildResult full = build_hull(p);
    BuildOptions options;
    options.max_vertices = full.hulls[0].vertex_count;
    EXPECT_EQ(build_hull(p, options).hulls.fingerprint(), full.hulls.fingerprint());
    options.max_vertices = 100000;
    EXPECT_EQ(build_hull(p, options).hulls.fingerprint(), full.hulls.fingerprint());
}

TEST(HullBudget, BelowATetrahedronIsATetrahedron) {
    BuildOptions options;
    for (const std::uint32_t budget : {1U, 2U, 3U, 4U}) {
        options.max_vertices = budget;
        const BuildResult r = build_hull(ball(103, 40), options);
        ASSERT_TRUE(r);
        EXPECT_EQ(r.hulls[0].vertex_count, 4U);
        EXPECT_EQ(r.hulls[0].face_count, 4U);
    }
}

TEST(HullBudget, KeepsTheFurthestTips) {
    Points p = ball(104, 200);
    for (const Vec3f& tip :
         {Vec3f{9, 0, 0}, Vec3f{0, -8, 0}, Vec3f{0, 0, 7}, Vec3f{-6, 0, 0}, Vec3f{0, 5, 0}, Vec3f{0, 0, -4}}) {
        p.push_back(tip);
    }
    BuildOptions options;
    options.max_vertices = 6;
    const BuildResult r = build_hull(p, options);
    ASSERT_TRUE(r);
    const auto index = r.hulls.input_index(0);
    for (std::uint32_t tip = 200; tip < 206; ++tip) EXPECT_TRUE(std::ranges::count(index, tip) == 1) << tip;
}

TEST(HullBudget, DoesNotDependOnTheOrderOfPoints) {
    const Points p = ball(105, 120);
    std::vector<std::uint32_t> order(p.size());
    std::iota(order.begin(), order.end(), 0U);
    Random random(106);
    for (std::uint32_t i = 120; i > 1; --i) std::swap(order[i - 1], order[random.index(i)]);
    Points q;
    for (const std::uint32_t i : order) q.push_back(p[i]);
    BuildOptions options;
    options.max_vertices = 24;
    const BuildResult a = build_hull(p, options);
    const BuildResult b = build_hull(q, options);
    EXPECT_EQ(input_faces(a.hulls, 0), input_faces(b.hulls, 0, order));
    EXPECT_EQ(a.hulls.info(0).budget_deviation, b.hulls.info(0).budget_deviation);
}

TEST(HullBudget, WorksOnFlatSidedHulls) {
    for (std::uint64_t i = 0; i < 60; ++i) {
        Random random(107, i);
        const Points p = transformed(prism_points(random.between(8, 60), 1, random.log_uniform(0.01, 3)), 1.0,
                                     i % 2 == 0 ? Quat{} : random.rotation(), {});
        BuildOptions options;
        options.max_vertices = random.between(4, 15);
        const BuildResult r = build_hull(p, options);
        ASSERT_TRUE(r);
        HullExpectation expect;
        expect.contains_input = false;
        EXPECT_EQ(check_hull(r.hulls, 0, p, expect), "") << i;
        EXPECT_LE(r.hulls[0].vertex_count, options.max_vertices);
        const double size = static_cast<double>(build_hull(p).hulls[0].size);
        EXPECT_NEAR(r.hulls.info(0).budget_deviation, outside(r.hulls, p) / size, 1e-6) << i;
    }
}

// The search must not take time quadratic in the points; ctest's time limit would end the test.
TEST(HullBudget, HundredThousandPointsAndAThousandSides) {
    const Points many = ball(102, 100000);
    const Points sides = prism_points(1000, 1.0, 0.5);
    for (const Points& p : {many, sides}) {
        BuildOptions options;
        options.max_vertices = 64;
        const BuildResult r = build_hull(p, options);
        ASSERT_TRUE(r);
        EXPECT_LE(r.hulls[0].vertex_count, 64U);
        HullExpectation expect;
        expect.contains_input = false;
        EXPECT_EQ(check_hull(r.hulls, 0, p, expect), "");
        const double reported = r.hulls.info(0).budget_deviation;
        EXPECT_NEAR(reported, outside(r.hulls, p) / static_cast<double>(r.hulls[0].size), 0.05 * reported);
        EXPECT_LT(reported, 0.1);
        std::printf("%zu points, budget 64: deviation %g of size\n", p.size(), reported);
    }
}

}  // namespace
}  // namespace lanefold::test
