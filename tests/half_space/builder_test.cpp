// SPDX-License-Identifier: MIT
//
// Half-spaces in sets: what the builder takes and refuses, fingerprints, appending and removing, captures.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include <lanefold/capture.hpp>
#include <lanefold/half_space.hpp>
#include <lanefold/serial.hpp>

#include "support/hulls.hpp"

namespace lanefold::test {
namespace {

HullSet one(const HalfSpace& plane) {
    BuildResult built = build_half_spaces(std::span(&plane, 1));
    EXPECT_TRUE(static_cast<bool>(built));
    return built.hulls;
}

Body at(float x, float y, float z, std::uint32_t hull = 0) { return {{x, y, z}, hull, {0, 0, 0, 1}}; }

TEST(HalfSpaces, NumbersThatAreNoPlaneAreRefusedWithTheirPlace) {
    const float inf = std::numeric_limits<float>::infinity();
    const float nan = std::nanf("");
    struct Case {
        HalfSpace plane;
        HullError error;
    };
    const Case cases[] = {{{{0, 0, 0}, 0}, HullError::too_small},      {{{0, -0.0F, 0}, 1}, HullError::too_small},
                          {{{1e-40F, 0, 0}, 0}, HullError::too_small}, {{{nan, 0, 1}, 0}, HullError::not_finite},
                          {{{0, inf, 1}, 0}, HullError::not_finite},   {{{0, 0, 1}, nan}, HullError::not_finite},
                          {{{0, 0, 1}, -inf}, HullError::not_finite},  {{{0, 0, 1}, 2e15F}, HullError::too_large}};
    for (const Case& c : cases) {
        const HalfSpace planes[] = {{{0, 0, 1}, 0}, c.plane, {{1, 0, 0}, 2}};
        const BuildResult r = build_half_spaces(planes);
        ASSERT_EQ(r.failures.size(), 1U) << to_string(c.error);
        EXPECT_EQ(r.failures[0].hull, 1U);
        EXPECT_EQ(r.failures[0].error, c.error);
        EXPECT_STRNE(r.failures[0].what, "");
        EXPECT_TRUE(r.hulls.empty());
    }
    const BuildResult none = build_half_spaces({});
    EXPECT_TRUE(static_cast<bool>(none));
    EXPECT_TRUE(none.hulls.empty());
    for (const float length : {1e-37F, 1.0F, 3e38F}) EXPECT_EQ(one({{0, length, 0}, 1}).size(), 1U) << length;
}

TEST(HalfSpaces, SetsKeepThemBesideHulls) {
    const HalfSpace plane{{1, 2, 3}, -0.25F};
    const HullSet floor = one(plane);
    const HullSet box = build_hull(box_points(1, 1, 1)).hulls;
    const HullSet both = box.append(floor);
    ASSERT_EQ(both.size(), 2U);
    EXPECT_EQ(half_space(both, 1), plane);
    EXPECT_EQ(half_space(both, 0), std::nullopt);
    EXPECT_EQ(half_space(both, 2), std::nullopt);
    EXPECT_TRUE(both.contains(1));
    EXPECT_EQ(both[1].shape, ShapeKind::half_space);
    EXPECT_TRUE(both.vertices(1).empty());
    EXPECT_TRUE(both.input_index(1).empty());
    EXPECT_EQ(both.info(1).mass.volume, 0);
    EXPECT_EQ(both[1].feature_counts().total(), 1U);
    EXPECT_EQ(both.max_vertices(), 8U);
    EXPECT_FALSE(both.rounded());
    EXPECT_GT(floor.hot_bytes(), 0U);
    const std::uint32_t second[] = {1};
    const HullSet without = both.remove(second);
    EXPECT_FALSE(without.contains(1));
    EXPECT_EQ(half_space(without, 1), std::nullopt);
    EXPECT_EQ(half_space(without.append(floor), 2), plane);
    // -0 and 0 are one number; every other bit counts.
    EXPECT_EQ(floor.fingerprint(), one(plane).fingerprint());
    EXPECT_EQ(one({{0, 0, 1}, 0}).fingerprint(), one({{0, -0.0F, 1}, -0.0F}).fingerprint());
    EXPECT_NE(floor.fingerprint(), one({{1, 2, 3}, 0.25F}).fingerprint());
    EXPECT_NE(floor.fingerprint(), one({{2, 4, 6}, -0.25F}).fingerprint());
    EXPECT_NE(both.fingerprint(), floor.append(box).fingerprint());
    const HalfSpace planes[] = {plane, {{0, 0, 1}, 0}};
    EXPECT_EQ(build_half_spaces(planes).hulls.fingerprint(), floor.append(one({{0, 0, 1}, 0})).fingerprint());
}

TEST(HalfSpaces, CapturesKeepThem) {
    const HullSet hulls = one({{1, 1, 5}, 0.5F}).append(build_hull(box_points(1, 1, 1)).hulls);
    const Body bodies[] = {at(0, 0, 0), at(0.25F, 0.5F, 1.8F, 1)};
    const Pair pairs[] = {{0, 1}};
    Options options;
    options.margin = 0.5F;
    Manifold4 m{};
    Workspace workspace;
    ASSERT_TRUE(collide_serial(hulls, BodyView(bodies), pairs, options, std::span(&m, 1), workspace).status);
    ASSERT_EQ(m.kind, ContactKind::face_a);
    Capture capture;
    const CapturedCall call{hulls, BodyView(bodies), pairs, options, {}, Isa::scalar, 0, {}, {}, {}};
    ASSERT_TRUE(capture.add(call, 0, m));
    const CaptureResult back = read_capture(capture.bytes());
    ASSERT_TRUE(back.status) << back.status.what;
    EXPECT_EQ(back.other_blocks, 0U);
    EXPECT_EQ(back.capture.hulls().fingerprint(), hulls.fingerprint());
    EXPECT_EQ(half_space(back.capture.hulls(), 0), half_space(hulls, 0));
    EXPECT_EQ(back.capture.bytes(), capture.bytes());
    const CapturedPair& pair = back.capture.pairs()[0];
    Manifold4 again{};
    ASSERT_TRUE(collide_pair(back.capture.hulls(), pair.a, pair.b, pair.options(), again, workspace).status);
    EXPECT_EQ(std::memcmp(&again, &m, sizeof m), 0);
}

}  // namespace
}  // namespace lanefold::test
