// SPDX-License-Identifier: MIT
//
// Scaled hulls: closed forms, mirrored ones, one id for each hull and scale, contacts that scale, what is refused.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include <lanefold/half_space.hpp>
#include <lanefold/scaled_hulls.hpp>
#include <lanefold/serial.hpp>

#include "support/hulls.hpp"

namespace lanefold::test {
namespace {

// A tetrahedron without symmetry, a box, a rounded box, a capsule and the half-space z <= 0.5 x ...
HullSet scale_set() {
    std::vector<Vec3f> points;
    std::vector<std::uint64_t> offsets{0};
    for (const Points& p : {Points{{0, 0, 0}, {1, 0, 0}, {0, 2, 0}, {0, 0, 3}}, box_points(1, 2, 3),
                            box_points(1, 1, 1), Points{{-1, 0, 0}, {1, 0, 0}}}) {
        points.insert(points.end(), p.begin(), p.end());
        offsets.push_back(points.size());
    }
    const float radii[] = {0, 0, 0.25F, 0.5F};
    BuildOptions options;
    options.radii = radii;
    const HalfSpace plane{{3, 0, 4}, 2};
    return build_hulls(points, offsets, options).hulls.append(build_half_spaces(std::span(&plane, 1)).hulls);
}

TEST(ScaledHulls, AreThoseOfTheScaledVerticesEachOnce) {
    ScaledHulls scaled(scale_set());
    const HullScale wanted[] = {{0, {2, 3, -0.5F}}, {1, {1, 1, 1}},  {0, {2, 3, -0.5F}},
                                {1, {2, 0.5F, 4}},  {2, {-3, 3, 3}}, {3, {2, 2, 2}}};
    const ScaledIds ids = scaled.take(wanted);
    ASSERT_TRUE(ids) << ids.status.what;
    EXPECT_EQ(ids.ids, (std::vector<std::uint32_t>{5, 1, 5, 6, 7, 8}));
    const HullSet& hulls = scaled.hulls();
    ASSERT_EQ(hulls.size(), 9U);
    EXPECT_NEAR(hulls.info(5).mass.volume, 6.0 / 6.0 * 3.0, 1e-9);
    EXPECT_GT(hulls.info(5).mass.volume, 0);
    for (std::size_t v = 0; v < 4; ++v) {
        const Vec3f& own = hulls.vertices(0)[hulls.input_index(5)[v]];
        EXPECT_EQ(hulls.vertices(5)[v], (Vec3f{own.x * 2, own.y * 3, own.z * -0.5F}));
    }
    EXPECT_TRUE(hulls[6].is_box());
    EXPECT_EQ(hulls[6].half_extent[2], 12.0F);
    EXPECT_EQ(hulls[7].round_radius, 0.75F);
    EXPECT_EQ(hulls[8].round_radius, 1.0F);
    // The same points built at once.
    const Points points{{0, 0, 0}, {2, 0, 0}, {0, 6, 0}, {0, 0, -1.5F}};
    const HullSet alone = build_hull(points).hulls;
    const std::uint32_t others[] = {0, 1, 2, 3, 4, 6, 7, 8};
    EXPECT_EQ(HullSet().append(alone).fingerprint(), alone.fingerprint());
    EXPECT_NE(hulls.remove(others).fingerprint(), hulls.fingerprint());
    // Asked for again: nothing new.
    EXPECT_EQ(scaled.take(0, {2, 3, -0.5F}).ids.at(0), 5U);
    EXPECT_EQ(scaled.hulls().size(), 9U);
    EXPECT_EQ(scaled.take(0, {2, 3, 0.5F}).ids.at(0), 9U);
}

// A mirrored or stretched pair has the contact of the mirrored or stretched placement.
TEST(ScaledHulls, ContactsScale) {
    ScaledHulls scaled(scale_set());
    Random random(1501);
    Workspace workspace;
    Options options;
    options.margin = 10;
    for (const float s : {0.25F, 3.0F, -2.0F}) {
        const std::uint32_t a = scaled.take(0, {s, s, s}).ids.at(0);
        const std::uint32_t b = scaled.take(2, {s, s, s}).ids.at(0);
        const std::uint32_t plane = scaled.take(4, {s, s, s}).ids.at(0);
        for (int i = 0; i < 50; ++i) {
            const Vec3f at = to_float(random.in_ball() * 3.0);
            const auto body = [](std::uint32_t hull, const Vec3f& x) {
                return Body{{x.x, x.y, x.z}, hull, {0, 0, 0, 1}};
            };
            for (const auto& [own, big] : {std::pair{2U, b}, std::pair{4U, plane}}) {
                Manifold4 m{};
                Manifold4 n{};
                ASSERT_TRUE(collide_pair(scaled.hulls(), body(0, at), body(own, {}), options, m, workspace).status);
                ASSERT_TRUE(collide_pair(scaled.hulls(), body(a, at * s), body(big, {}), options, n, workspace).status);
                EXPECT_NEAR(n.distance, m.distance * std::fabs(s), 1e-5F) << s;
                EXPECT_EQ(n.total, m.total);
            }
        }
    }
}

// The plane of a half-space under any scale contains its scaled points.
TEST(ScaledHulls, HalfSpacesStretch) {
    ScaledHulls scaled(scale_set());
    const Vec3f scale{2, -1, 0.5F};
    const ScaledIds id = scaled.take(4, scale);
    ASSERT_TRUE(id);
    const std::optional<HalfSpace> plane = half_space(scaled.hulls(), id.ids[0]);
    ASSERT_TRUE(plane.has_value());
    // Points of 0.6 x + 0.8 z = 2.
    for (const Vec3d& x : {Vec3d{2, 0, 1}, Vec3d{-2, 5, 4}, Vec3d{10, 1, -5}}) {
        const Vec3d y{x.x * 2, -x.y, x.z * 0.5};
        EXPECT_NEAR(dot(normalized(to_double(plane->normal)), y), static_cast<double>(plane->offset), 1e-6);
    }
    EXPECT_GT(dot(to_double(plane->normal), Vec3d{1.2, 0, 0.4}), static_cast<double>(plane->offset) - 10);
}

TEST(ScaledHulls, WhatIsNoScaleIsRefusedWithItsPlace) {
    ScaledHulls scaled(scale_set());
    const float inf = std::numeric_limits<float>::infinity();
    const HullScale wrong[] = {{0, {0, 1, 1}},    {0, {1, std::nanf(""), 1}},
                               {0, {1, 1, inf}},  {0, {1e-40F, 1, 1}},
                               {9, {1, 1, 1}},    {2, {1, 2, 1}},
                               {3, {1, 1, 2}},    {0, {1, 1, 1e-9F}},
                               {0, {1e20F, 1, 1}}};
    for (const HullScale& w : wrong) {
        const HullScale wanted[] = {{1, {2, 2, 2}}, w};
        const ScaledIds ids = scaled.take(wanted);
        EXPECT_EQ(ids.status.code, Status::bad_argument);
        EXPECT_EQ(ids.status.where, 1U);
        EXPECT_STRNE(ids.status.what, "");
        EXPECT_TRUE(ids.ids.empty());
        EXPECT_EQ(scaled.hulls().size(), 5U);
    }
    EXPECT_TRUE(scaled.take(std::span<const HullScale>()));
}

}  // namespace
}  // namespace lanefold::test
