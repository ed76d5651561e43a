// SPDX-License-Identifier: MIT
//
// Point sets without a hull: each gets a typed error with the bad point, none crashes or hangs.
#include <bit>
#include <cmath>
#include <iterator>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <lanefold/hull_builder.hpp>

#include "support/hull_checks.hpp"
#include "support/hulls.hpp"

namespace lanefold::test {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInf = std::numeric_limits<float>::infinity();

HullReport refuse(const Points& p) {
    const BuildResult r = build_hull(p);
    EXPECT_FALSE(r);
    EXPECT_TRUE(r.hulls.empty());
    if (r.failures.size() != 1) return {};
    EXPECT_STRNE(r.failures[0].what, "");
    return r.failures[0];
}

TEST(HullErrors, NotFiniteNamesThePoint) {
    for (const float bad : {kNan, kInf, -kInf}) {
        Points p = box_points(1, 1, 1);
        p[5].y = bad;
        const HullReport r = refuse(p);
        EXPECT_EQ(r.error, HullError::not_finite);
        EXPECT_EQ(r.culprit, 5U);
    }
}

TEST(HullErrors, TooLargeNamesThePoint) {
    Points p = box_points(1, 1, 1);
    p[6].z = -1.1e15F;
    const HullReport r = refuse(p);
    EXPECT_EQ(r.error, HullError::too_large);
    EXPECT_EQ(r.culprit, 6U);
    EXPECT_TRUE(build_hull(box_points(0.9e15, 0.9e15, 0.9e15)));
    for (const double s : {1e18, 1e23, 3e38}) EXPECT_EQ(refuse(box_points(s, s, s)).error, HullError::too_large) << s;
    // One huge point among ordinary ones, and beside a tiny one.
    Points mixed = box_points(1, 1, 1);
    mixed[0] = mixed[0] * 1e-23F;
    mixed[7].x = 1e18F;
    EXPECT_EQ(refuse(mixed).error, HullError::too_large);
    EXPECT_EQ(refuse(mixed).culprit, 7U);
}

// Denormals and tiny numbers beside ordinary ones are coordinates like any other.
TEST(HullErrors, TinyCoordinatesBesideOrdinaryOnesAreFine) {
    for (const float tiny : {1e-45F, 1e-42F, 1e-38F, 1e-23F}) {
        Points p = box_points(1, 1, 1);
        for (std::size_t i = 0; i < p.size(); ++i) p[i].x = i % 2 == 0 ? 0.0F : 1.0F;
        p.push_back({tiny, 0.0F, 0.0F});
        p.push_back({-tiny, tiny, -tiny});
        const BuildResult r = build_hull(p);
        ASSERT_TRUE(r) << static_cast<double>(tiny);
        EXPECT_EQ(r.hulls[0].vertex_count, 8U);
        EXPECT_TRUE(r.hulls[0].is_box());
    }
}

TEST(HullErrors, TooSmall) {
    for (const double s : {1e-16, 1e-23, 1e-40, 1e-44}) {
        EXPECT_EQ(refuse(box_points(s, s, s)).error, HullError::too_small) << s;
    }
    EXPECT_TRUE(build_hull(box_points(1e-15, 1e-15, 1e-15)));
}

TEST(HullErrors, TooFewDistinctPoints) {
    EXPECT_EQ(refuse({}).error, HullError::too_few_points);
    EXPECT_EQ(refuse({{1, 2, 3}}).error, HullError::too_few_points);
    Points p;
    for (int i = 0; i < 50; ++i) p.push_back({static_cast<float>(i % 3), i % 2 == 0 ? 0.0F : -0.0F, 1.0F});
    EXPECT_EQ(refuse(p).error, HullError::too_few_points);
}

TEST(HullErrors, CollinearNamesTheFurthestFromTheLine) {
    Points p;
    for (int i = 0; i < 20; ++i)
        p.push_back({static_cast<float>(i), static_cast<float>(2 * i), static_cast<float>(-i)});
    p[7].x += 4e-6F;
    const HullReport r = refuse(p);
    EXPECT_EQ(r.error, HullError::collinear);
    EXPECT_EQ(r.culprit, 7U);
}

TEST(HullErrors, FlatNamesTheFurthestFromThePlane) {
    Random random(3);
    Points p;
    for (int i = 0; i < 30; ++i) p.push_back(to_float({random.uniform(-1, 1), random.uniform(-1, 1), 0.5}));
    EXPECT_EQ(refuse(p).error, HullError::flat);
    p[11].z += 5e-7F;
    const HullReport r = refuse(p);
    EXPECT_EQ(r.error, HullError::flat);
    EXPECT_EQ(r.culprit, 11U);
    p[11].z += 0.5e-4F;
    EXPECT_TRUE(build_hull(p));
}

TEST(HullErrors, FlatInAnyDirectionAtAnyScale) {
    Random random(4);
    for (int i = 0; i < 200; ++i) {
        const Mat3d m = rotation(random.rotation());
        const double scale = random.log_uniform(1e-12, 1e12);
        Points p;
        for (int k = 0; k < 12; ++k) {
            p.push_back(to_float(m * Vec3d{random.uniform(-1, 1), random.uniform(-1, 1), 0} * scale));
        }
        ASSERT_EQ(refuse(p).error, HullError::flat) << i;
    }
}

TEST(HullErrors, ThicknessDecidesFlatAtTheDocumentedBound) {
    // A square plate of half diagonal 1: size is 1 up to the thickness.
    const double h = 1 / std::sqrt(2.0);
    for (const double t : {1.2e-6, 1e-5, 1e-4}) {
        const BuildResult r = build_hull(box_points(h, h, t / 2));
        ASSERT_TRUE(r) << t;
        EXPECT_EQ(check_hull(r.hulls, 0, box_points(h, h, t / 2)), "") << t;
        EXPECT_TRUE(r.hulls[0].is_box()) << t;
    }
    for (const double t : {0.8e-6, 1e-7, 1e-12}) EXPECT_EQ(refuse(box_points(h, h, t / 2)).error, HullError::flat) << t;
}

TEST(HullErrors, BadOffsetsAreReportedPerHull) {
    const Points p = box_points(1, 1, 1);
    const std::uint64_t offsets[] = {0, 8, 4, 8, 99};
    const BuildResult r = build_hulls(p, offsets);
    ASSERT_EQ(r.failures.size(), 3U);
    EXPECT_EQ(r.failures[0].hull, 1U);
    EXPECT_EQ(r.failures[0].error, HullError::bad_offsets);
    EXPECT_EQ(r.failures[1].hull, 2U);  // four corners of one side
    EXPECT_EQ(r.failures[1].error, HullError::flat);
    EXPECT_EQ(r.failures[2].hull, 3U);
    EXPECT_EQ(r.failures[2].error, HullError::bad_offsets);
    EXPECT_TRUE(r.hulls.empty());
}

TEST(HullErrors, OneBadHullAmongManyIsNamed) {
    Points p;
    std::vector<std::uint64_t> offsets{0};
    for (int i = 0; i < 40; ++i) {
        Points b = box_points(1, 2, 3);
        if (i == 17) b[3].x = kNan;
        if (i == 30) b.resize(3);
        p.insert(p.end(), b.begin(), b.end());
        offsets.push_back(p.size());
    }
    const BuildResult r = build_hulls(p, offsets);
    ASSERT_EQ(r.failures.size(), 2U);
    EXPECT_EQ(r.failures[0].hull, 17U);
    EXPECT_EQ(r.failures[0].culprit, 3U);
    EXPECT_EQ(r.failures[1].hull, 30U);
    EXPECT_EQ(r.failures[1].error, HullError::too_few_points);
}

TEST(HullErrors, NoHullsGiveAnEmptySet) {
    const Points p = box_points(1, 1, 1);
    for (const std::uint64_t first : {0U, 8U}) {
        const std::uint64_t one[] = {first};
        const BuildResult r = build_hulls(p, one);
        EXPECT_TRUE(r);
        EXPECT_TRUE(r.hulls.empty());
    }
}

// An empty list is a mistake: (number of hulls + 1) entries are never none.
TEST(HullErrors, NoOffsetsAreRefused) {
    const Points p = box_points(1, 1, 1);
    for (const std::vector<std::uint64_t>& offsets : {std::vector<std::uint64_t>(), std::vector<std::uint64_t>{9}}) {
        for (const Points& points : {p, Points()}) {
            const BuildResult r = build_hulls(points, offsets);
            ASSERT_EQ(r.failures.size(), 1U);
            EXPECT_EQ(r.failures[0].error, HullError::bad_offsets);
            EXPECT_EQ(r.failures[0].hull, 0U);
            EXPECT_NE(std::string(r.failures[0].what).find("offsets must"), std::string::npos);
            EXPECT_TRUE(r.hulls.empty());
        }
    }
}

TEST(HullErrors, EveryErrorHasAName) {
    const char* const names[] = {"ok",   "too_few_points", "not_finite",  "too_large", "too_small", "collinear",
                                 "flat", "internal",       "bad_offsets", "too_far",   "bad_radius"};
    for (std::size_t i = 0; i < std::size(names); ++i) EXPECT_STREQ(to_string(static_cast<HullError>(i)), names[i]);
    EXPECT_STREQ(to_string(static_cast<HullError>(std::size(names))), "unknown");
}

TEST(HullErrors, RandomBitsNeverCrash) {
    std::uint32_t built = 0;
    std::uint32_t refused = 0;
    for (std::uint64_t i = 0; i < 4000; ++i) {
        Random random(5, i);
        Points p(random.between(0, 24));
        // Finite numbers of every exponent, or of a few exponents.
        const std::uint32_t low = random.between(0, 200);
        const std::uint32_t span = random.between(1, 55);
        for (Vec3f& v : p) {
            for (float* x : {&v.x, &v.y, &v.z}) {
                const std::uint32_t exponent = low + random.index(span);
                const auto bits = static_cast<std::uint32_t>(random.next() & 0x807FFFFFU) | exponent << 23U;
                *x = std::bit_cast<float>(bits);
            }
        }
        const BuildResult r = build_hull(p);
        if (!r) {
            ++refused;
            ASSERT_NE(r.failures[0].error, HullError::internal) << i;
            continue;
        }
        ++built;
        ASSERT_EQ(check_hull(r.hulls, 0, p), "") << i;
    }
    EXPECT_GT(built, 300U);
    EXPECT_GT(refused, 300U);
}

}  // namespace
}  // namespace lanefold::test
