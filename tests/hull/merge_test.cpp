// SPDX-License-Identifier: MIT
//
// Coplanar merging: coplanar triangles become one face, others stay split, and the deviation is measured, bounded and
// reported.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include <gtest/gtest.h>

#include <lanefold/detail/hull_block.hpp>
#include <lanefold/hull_builder.hpp>
#include <lanefold/limits.hpp>
#include <lanefold/reference.hpp>

#include "hull/merge.hpp"
#include "support/hull_checks.hpp"
#include "support/hulls.hpp"
#include "support/sweep.hpp"

namespace lanefold::test {
namespace {

// Vertices of the largest and of the second largest face.
std::array<std::uint32_t, 2> largest_faces(const HullSet& s) {
    const detail::HullView h(s[0]);
    std::vector<std::uint32_t> counts;
    for (std::uint32_t f = 0; f < s[0].face_count; ++f) counts.push_back(h.face_first[f + 1] - h.face_first[f]);
    std::sort(counts.rbegin(), counts.rend());
    return {counts[0], counts[1]};
}

TEST(HullMerge, PrismLidsBecomePolygonsInAnyRotation) {
    for (const std::uint32_t sides : {3U, 5U, 12U, 32U, 100U, 1000U}) {
        for (std::uint64_t i = 0; i < (sides > 200 ? 3 : 30); ++i) {
            Random random(91, i);
            const Quat q = i == 0 ? Quat{} : random.rotation();
            const Vec3d offset = i < 2 ? Vec3d{} : random.direction() * 2.0;
            const Points p = transformed(prism_points(sides, 1, random.log_uniform(0.05, 5)), 1.0, q, offset);
            const BuildResult r = build_hull(p);
            ASSERT_TRUE(r);
            ASSERT_EQ(check_hull(r.hulls, 0, p), "") << sides << " " << i;
            EXPECT_EQ(r.hulls[0].face_count, sides + 2) << sides << " " << i;
            EXPECT_EQ(largest_faces(r.hulls), (std::array<std::uint32_t, 2>{std::max(sides, 4U), std::max(sides, 4U)}));
            // 2 V - 4 triangles of the exact hull.
            EXPECT_EQ(r.hulls.info(0).merged_faces, 4 * sides - 4 - (sides + 2));
        }
    }
}

TEST(HullMerge, DeviationBoundDecides) {
    // A pyramid roof of the given height on a box: below the bound it vanishes into a face, above it stays.
    for (const double height : {1e-8, 1e-7, 4e-7, 6e-7, 1e-6, 1e-4}) {
        Points p = box_points(1, 1, 1);
        const double size = std::sqrt(3.0);
        p.push_back({0, 0, static_cast<float>(1 + height * size)});
        const double rounded = static_cast<double>(p.back().z) - 1;
        const BuildResult r = build_hull(p);
        ASSERT_TRUE(r);
        EXPECT_EQ(check_hull(r.hulls, 0, p), "") << height;
        const bool flat = rounded / size <= kBuildDeviation;
        EXPECT_EQ(r.hulls[0].face_count, flat ? 6U : 9U) << height;
        EXPECT_EQ(r.hulls[0].vertex_count, flat ? 8U : 9U) << height;
        EXPECT_EQ(r.hulls.info(0).dropped_vertices, flat && rounded > 0 ? 1U : 0U) << height;
        if (flat) {
            EXPECT_NEAR(r.hulls.info(0).deviation, rounded / size, 1e-12) << height;
        }
    }
}

TEST(HullMerge, SmallStepsDoNotDrift) {
    // A strip of many quads, each bent against the last by much less than the bound, all together by far more.
    for (const double bend : {1e-6, 1e-5, 1e-4, 1e-3}) {
        Points p;
        const int n = 60;
        for (int i = 0; i <= n; ++i) {
            const double x = 2.0 * i / n - 1;
            const double z = -bend * x * x;
            p.push_back(to_float({x, -1, z}));
            p.push_back(to_float({x, 1, z}));
        }
        p.push_back({0, 0, -1});
        const BuildResult r = build_hull(p);
        ASSERT_TRUE(r);
        EXPECT_EQ(check_hull(r.hulls, 0, p), "") << bend;
        EXPECT_LE(r.hulls.info(0).deviation, kBuildDeviation);
        // One plane over width w sags by bend w^2 / 4, so about sqrt(bend / (4e-7 size)) planes are needed.
        const double least = std::sqrt(bend / (4 * kBuildDeviation * static_cast<double>(r.hulls[0].size)));
        std::uint32_t top = 0;
        const detail::HullView h(r.hulls[0]);
        for (std::uint32_t f = 0; f < r.hulls[0].face_count; ++f) top += h.normal(f).z > 0.9 ? 1U : 0U;
        EXPECT_GE(top, std::min(static_cast<double>(n), std::floor(least))) << bend;
        EXPECT_LT(top, 2.0 * n) << bend;
    }
}

TEST(HullMerge, OptionKeepsEveryTriangle) {
    BuildOptions options;
    options.merge_coplanar = false;
    HullExpectation expect;
    expect.merged = false;
    for (std::uint64_t i = 0; i < 2 * kShapeCount; ++i) {
        Random random(92, i);
        const Points p = make_points(static_cast<Shape>(i % kShapeCount), random);
        const BuildResult r = build_hull(p, options);
        ASSERT_TRUE(r);
        EXPECT_EQ(check_hull(r.hulls, 0, p, expect), "") << i;
        EXPECT_EQ(r.hulls[0].face_count, 2 * r.hulls[0].vertex_count - 4);
        EXPECT_EQ(r.hulls.info(0).merged_faces, 0U);
        EXPECT_EQ(r.hulls.info(0).deviation, 0.0);
        EXPECT_FALSE(r.hulls[0].is_box());
    }
}

TEST(HullMerge, ThinPlatesKeepTheirTwoSidesAndRims) {
    for (const double thickness : {1.3e-6, 2e-6, 1e-5, 1e-3}) {
        for (std::uint64_t i = 0; i < 40; ++i) {
            Random random(93, i);
            const std::uint32_t sides = random.between(3, 12);
            const double lid_size = 1.0;  // half diagonal of the lid's box is at most this
            const Points p =
                transformed(prism_points(sides, lid_size, thickness), 1.0, i == 0 ? Quat{} : random.rotation(), {});
            const BuildResult r = build_hull(p);
            ASSERT_TRUE(r) << thickness;
            ASSERT_EQ(check_hull(r.hulls, 0, p), "") << thickness << " " << i;
            // Two large faces that look opposite ways.
            const detail::HullView h(r.hulls[0]);
            std::uint32_t both = 0;
            for (std::uint32_t f = 0; f < r.hulls[0].face_count; ++f) {
                both += h.face_first[f + 1] - h.face_first[f] >= std::min(sides, 4U) - 1 ? 1U : 0U;
            }
            EXPECT_GE(both, 2U);
            EXPECT_GE(r.hulls[0].face_count, 4U);
        }
    }
}

// The distance that a hull's merging can change: of every input point from the hull of the stored vertices,
// judged by the oracle, which shares no code with the builder.
TEST(HullMerge, StoredVerticesSpanTheInput) {
    const std::uint32_t count = sweep_pairs(150, 5000);
    double worst = 0;
    std::uint32_t dropping = 0;
    for (std::uint64_t i = 0; i < count; ++i) {
        Random random(sweep_seed(94), i);
        const Mat3d turn = rotation(random.rotation());
        Points p;
        const std::uint32_t n = random.between(1, 5);
        const double noise = random.log_uniform(1e-9, 1e-6);
        for (std::uint32_t a = 0; a <= n; ++a) {
            for (std::uint32_t b = 0; b <= n; ++b) {
                for (std::uint32_t c = 0; c <= n; ++c) {
                    p.push_back(
                        to_float(turn * Vec3d{double(a) / n, double(b) / n, double(c) / n} + random.in_ball() * noise));
                }
            }
        }
        const BuildResult r = build_hull(p);
        ASSERT_TRUE(r);
        ASSERT_EQ(check_hull(r.hulls, 0, p), "") << i;
        dropping += r.hulls.info(0).dropped_vertices > 0 ? 1U : 0U;
        const reference::OracleHull oracle = reference::make_oracle_hull(r.hulls.vertices(0));
        ASSERT_FALSE(oracle.vertices.empty());
        for (const Vec3f& v : p)
            worst = std::max(worst, reference::point_distance(oracle, Mat3d{}, to_double(v)) / oracle.size);
    }
    std::printf("%u of %u hulls drop vertices; an input point is at most %g sizes outside\n", dropping, count, worst);
    EXPECT_LE(worst, 1.2 * kBuildDeviation);
    EXPECT_GT(worst, 1e-8);
    EXPECT_GT(dropping, count / 4);
}

TEST(ConvexLoop, ToleranceAndOrder) {
    const std::vector<Vec3d> square = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0.5, 1e-3, 0}, {0.5, -1e-3, 0}};
    const Vec3d up{0, 0, 1};
    const auto convex = [&](std::vector<std::uint32_t> loop, double tolerance) {
        return detail::is_convex_loop(square, loop, up, tolerance);
    };
    EXPECT_TRUE(convex({0, 1, 2, 3}, 0));
    EXPECT_TRUE(convex({2, 3, 0, 1}, 0));
    EXPECT_FALSE(convex({3, 2, 1, 0}, 0));        // clockwise
    EXPECT_FALSE(convex({0, 2, 1, 3}, 0));        // crossing
    EXPECT_TRUE(convex({0, 5, 1, 2, 3}, 0));      // outside the square: a corner
    EXPECT_FALSE(convex({0, 4, 1, 2, 3}, 9e-4));  // dented beyond the tolerance
    EXPECT_TRUE(convex({0, 4, 1, 2, 3}, 1.1e-3));
    EXPECT_FALSE(convex({4, 0, 1, 2, 3}, 1.1e-3));  // out of order along its side
    EXPECT_FALSE(convex({0, 1}, 1));
    EXPECT_TRUE(detail::is_convex_loop(square, std::vector<std::uint32_t>{3, 2, 1, 0}, -up, 0));
}

}  // namespace
}  // namespace lanefold::test
