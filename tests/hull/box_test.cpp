// SPDX-License-Identifier: MIT
//
// Recognition of boxes at any centre and rotation; other shapes must not be recognised.
#include <algorithm>
#include <cmath>
#include <cstdio>

#include <gtest/gtest.h>

#include <lanefold/detail/hull_block.hpp>
#include <lanefold/hull_builder.hpp>
#include <lanefold/limits.hpp>

#include "support/hull_checks.hpp"
#include "support/hulls.hpp"

namespace lanefold::test {
namespace {

constexpr std::uint8_t kBoxFlags = HullRecord::kBox | HullRecord::kRotated;

TEST(HullBox, AxisAlignedBoxesKeepTheInputAxes) {
    for (std::uint64_t i = 0; i < 300; ++i) {
        Random random(71, i);
        const Vec3d h{random.log_uniform(1e-3, 1e3), random.log_uniform(1e-3, 1e3), random.log_uniform(1e-3, 1e3)};
        const Vec3d c = i % 3 == 0 ? Vec3d{} : random.direction() * (length(h) * random.log_uniform(0.1, 3));
        Points p = box_points(h.x, h.y, h.z);
        for (Vec3f& v : p) v = to_float(to_double(v) + c);
        const BuildResult r = build_hull(p);
        ASSERT_TRUE(r) << i;
        ASSERT_EQ(r.hulls[0].flags & kBoxFlags, HullRecord::kBox) << i;
        ASSERT_EQ(check_hull(r.hulls, 0, p), "") << i;
        EXPECT_NEAR(double(r.hulls[0].half_extent[0]), h.x, 4e-7 * length(h));
        EXPECT_NEAR(double(r.hulls[0].half_extent[1]), h.y, 4e-7 * length(h));
        EXPECT_NEAR(double(r.hulls[0].half_extent[2]), h.z, 4e-7 * length(h));
        EXPECT_NEAR(r.hulls.info(0).min_edge_angle, std::acos(0.0), 1e-3);
    }
}

TEST(HullBox, QuarterTurnsNeedNoRotation) {
    // All 24 rotations of a box onto the axes, exact in float32.
    std::uint32_t count = 0;
    int order[3] = {0, 1, 2};
    do {
        for (int signs = 0; signs < 8; ++signs) {
            Points p = box_points(1, 2, 3);
            for (Vec3f& v : p) {
                const float in[3] = {v.x, v.y, v.z};
                float out[3];
                for (int k = 0; k < 3; ++k) out[k] = (signs >> k & 1) != 0 ? -in[order[k]] : in[order[k]];
                v = {out[0], out[1], out[2]};
            }
            const BuildResult r = build_hull(p);
            ASSERT_TRUE(r);
            EXPECT_EQ(r.hulls[0].flags & kBoxFlags, HullRecord::kBox);
            EXPECT_EQ(check_hull(r.hulls, 0, p), "");
            ++count;
        }
    } while (std::next_permutation(order, order + 3));
    EXPECT_EQ(count, 48U);  // reflections too: a box is its own mirror image
}

TEST(HullBox, RotatedBoxesAreFoundWithinTheBound) {
    double worst = 0;
    std::uint32_t found = 0;
    const std::uint32_t count = 1500;
    for (std::uint64_t i = 0; i < count; ++i) {
        Random random(72, i);
        const double scale = random.log_uniform(1e-6, 1e6);
        const Vec3d h{scale * random.log_uniform(0.01, 1), scale * random.log_uniform(0.01, 1),
                      scale * random.log_uniform(0.01, 1)};
        const Points p = transformed(box_points(h.x, h.y, h.z), 1.0, random.rotation(),
                                     i % 2 == 0 ? Vec3d{} : random.direction() * length(h) * 1.5);
        const BuildResult r = build_hull(p);
        ASSERT_TRUE(r) << i;
        ASSERT_EQ(check_hull(r.hulls, 0, p), "") << i;
        found += r.hulls[0].is_box() ? 1U : 0U;
        if (!r.hulls[0].is_box()) continue;
        EXPECT_NE(r.hulls[0].flags & HullRecord::kRotated, 0) << i;
        worst = std::max(worst, r.hulls.info(0).deviation);
        // Half extents in some order.
        double e[3] = {double(r.hulls[0].half_extent[0]), double(r.hulls[0].half_extent[1]),
                       double(r.hulls[0].half_extent[2])};
        double expected[3] = {h.x, h.y, h.z};
        std::sort(e, e + 3);
        std::sort(expected, expected + 3);
        for (int k = 0; k < 3; ++k) EXPECT_NEAR(e[k], expected[k], 6e-7 * length(h)) << i;
    }
    std::printf("%u of %u rotated boxes found, worst deviation %g of size\n", found, count, worst);
    EXPECT_EQ(found, count);
    EXPECT_LE(worst, kBuildDeviation);
    EXPECT_GT(worst, 1e-8);
}

TEST(HullBox, BoxesWithSubdividedFacesAreBoxes) {
    for (std::uint64_t i = 0; i < 60; ++i) {
        Random random(73, i);
        const Mat3d m = rotation(random.rotation());
        const Vec3d h{random.uniform(0.3, 2), random.uniform(0.3, 2), random.uniform(0.3, 2)};
        const std::uint32_t n = random.between(2, 8);
        Points p;
        for (std::uint32_t a = 0; a <= n; ++a) {
            for (std::uint32_t b = 0; b <= n; ++b) {
                for (std::uint32_t c = 0; c <= n; ++c) {
                    p.push_back(
                        to_float(m * Vec3d{h.x * (2.0 * a / n - 1), h.y * (2.0 * b / n - 1), h.z * (2.0 * c / n - 1)}));
                }
            }
        }
        const BuildResult r = build_hull(p);
        ASSERT_TRUE(r);
        EXPECT_EQ(check_hull(r.hulls, 0, p), "") << i;
        EXPECT_TRUE(r.hulls[0].is_box()) << i;
        EXPECT_GT(r.hulls.info(0).dropped_vertices, 0U) << i;
    }
}

TEST(HullBox, NearBoxesAreNone) {
    // A corner moved by more than the bound: not a box, in any of its corners and directions.
    for (std::uint32_t corner = 0; corner < 8; ++corner) {
        for (std::uint64_t i = 0; i < 20; ++i) {
            Random random(74, 8 * i + corner);
            Points p = box_points(1, 0.7, 1.3);
            const Vec3d d = random.direction() * (3e-6 * length(Vec3d{1, 0.7, 1.3}));
            p[corner] = to_float(to_double(p[corner]) + d);
            const BuildResult r = build_hull(p);
            ASSERT_TRUE(r);
            EXPECT_FALSE(r.hulls[0].is_box());
            EXPECT_EQ(check_hull(r.hulls, 0, p), "") << corner << " " << i;
        }
    }
    // Sheared and tapered boxes, and a box with a ninth vertex.
    Points sheared = box_points(1, 1, 1);
    for (Vec3f& v : sheared) v.x += v.z * 1e-5F;
    Points tapered = box_points(1, 1, 1);
    for (Vec3f& v : tapered) v.x *= 1.0F + v.z * 1e-5F;
    Points peaked = box_points(1, 1, 1);
    peaked.push_back({0, 0, 1.00001F});
    for (const Points& p : {sheared, tapered, peaked}) {
        const BuildResult r = build_hull(p);
        ASSERT_TRUE(r);
        EXPECT_FALSE(r.hulls[0].is_box());
        EXPECT_EQ(check_hull(r.hulls, 0, p), "");
    }
}

TEST(HullBox, OptionTurnsRecognitionOff) {
    BuildOptions options;
    options.recognize_boxes = false;
    const Points p = box_points(1, 2, 3);
    const BuildResult r = build_hull(p, options);
    ASSERT_TRUE(r);
    EXPECT_FALSE(r.hulls[0].is_box());
    EXPECT_EQ(r.hulls[0].face_count, 6U);
    EXPECT_EQ(check_hull(r.hulls, 0, p), "");
}

TEST(HullBox, ThinAndLongBoxes) {
    for (const double ratio : {1e-3, 1e-4, 1e-5}) {
        for (std::uint64_t i = 0; i < 50; ++i) {
            Random random(75, i);
            for (const Points& shape : {box_points(1, 1, ratio), box_points(1, ratio, ratio)}) {
                const Points p = transformed(shape, 1.0, random.rotation(), {});
                const BuildResult r = build_hull(p);
                ASSERT_TRUE(r) << ratio << " " << i;
                EXPECT_EQ(check_hull(r.hulls, 0, p), "") << ratio << " " << i;
            }
        }
    }
}

}  // namespace
}  // namespace lanefold::test
