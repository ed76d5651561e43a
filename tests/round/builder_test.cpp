// SPDX-License-Identifier: MIT
//
// The builder of rounded hulls, and all that keeps their radius: sets, fingerprints, captures, boxes of bodies, pairs
// of a finder. Two boxes against closed forms.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include <lanefold/broadphase.hpp>
#include <lanefold/capture.hpp>
#include <lanefold/serial.hpp>

#include "support/hulls.hpp"

namespace lanefold::test {
namespace {

BuildResult rounded_box(float half, float radius) {
    BuildOptions options;
    options.radius = radius;
    return build_hull(box_points(half, half, half), options);
}

Body at(float x, float y, float z, std::uint32_t hull = 0) { return {{x, y, z}, hull, {0, 0, 0, 1}}; }

TEST(RoundedHulls, RadiiThatAreNoneAreRefusedWithTheHull) {
    const float inf = std::numeric_limits<float>::infinity();
    for (const float radius : {-1.0F, -1e-30F, inf, -inf, std::nanf(""), 2e15F, 1e-40F}) {
        const BuildResult r = rounded_box(1, radius);
        ASSERT_EQ(r.failures.size(), 1U) << radius;
        EXPECT_EQ(r.failures[0].error, HullError::bad_radius) << radius;
        EXPECT_TRUE(r.hulls.empty());
    }
    Points points = box_points(1, 1, 1);
    const Points more = box_points(2, 2, 2);
    points.insert(points.end(), more.begin(), more.end());
    const std::uint64_t offsets[] = {0, 8, 16};
    BuildOptions options;
    const float radii[] = {0.5F, -0.5F, 0.25F};
    options.radii = std::span(radii).first(2);
    BuildResult r = build_hulls(points, offsets, options);
    ASSERT_EQ(r.failures.size(), 1U);
    EXPECT_EQ(r.failures[0].hull, 1U);
    options.radii = radii;
    r = build_hulls(points, offsets, options);
    ASSERT_EQ(r.failures.size(), 1U);
    EXPECT_EQ(r.failures[0].error, HullError::bad_radius);
    const float good[] = {0.5F, -0.0F};
    options.radii = good;
    r = build_hulls(points, offsets, options);
    ASSERT_TRUE(r);
    EXPECT_EQ(r.hulls[0].round_radius, 0.5F);
    EXPECT_EQ(r.hulls[1].round_radius, 0.0F);
    EXPECT_FALSE(std::signbit(r.hulls[1].round_radius));
}

TEST(RoundedHulls, SetsKeepTheRadiusAndTheRestIsTheCores) {
    const HullSet sharp = rounded_box(1, 0).hulls;
    const HullSet round = rounded_box(1, 0.25F).hulls;
    EXPECT_FALSE(sharp.rounded());
    EXPECT_TRUE(round.rounded());
    EXPECT_NE(sharp.fingerprint(), round.fingerprint());
    EXPECT_NE(round.fingerprint(), rounded_box(1, 0.26F).hulls.fingerprint());
    EXPECT_EQ(sharp[0].size, round[0].size);
    EXPECT_EQ(sharp[0].radius, round[0].radius);
    EXPECT_EQ(sharp[0].half_extent[0], round[0].half_extent[0]);
    const HullSet both = sharp.append(round);
    EXPECT_TRUE(both.rounded());
    EXPECT_EQ(both[1].round_radius, 0.25F);
    const std::uint32_t last[] = {1};
    EXPECT_FALSE(both.remove(last).rounded());
    EXPECT_EQ(both.remove(last).append(round)[2].round_radius, 0.25F);
}

// Faces, edges and corners of two boxes; the distance is that of the cores less the radii.
TEST(RoundedHulls, BoxesHaveTheDistancesOfTheirCoresLessTheRadii) {
    const HullSet hulls = rounded_box(1, 0.25F).hulls.append(rounded_box(1, 0.5F).hulls);
    Workspace workspace;
    Options options;
    options.margin = 0.5F;
    for (const double gap : {0.1, 0.75, 0.9, 1.1}) {
        for (const int axes : {1, 2, 3}) {
            const auto d = static_cast<float>(2 + gap / std::sqrt(axes));
            const Body a = at(0, 0, 0);
            const Body b = at(d, axes > 1 ? d : 0.0F, axes > 2 ? d : 0.0F, 1);
            Manifold4 m{};
            ASSERT_TRUE(collide_pair(hulls, a, b, options, m, workspace).status);
            EXPECT_NEAR(m.distance, gap - 0.75, 2e-6) << gap << ", axes " << axes;
            EXPECT_EQ(m.count, axes == 1 ? 4 : 1);
            // From the surface of A to that of B: halfway from 1.25 to d - 1.5 along a face.
            if (axes == 1) {
                EXPECT_NEAR(m.points[0].position[0], 0.5 * (1.25 + (static_cast<double>(d) - 1.5)), 2e-6);
            }
            const Vec3f on_a = witness_on_a(m.normal, m.points[0]);
            if (axes == 3) {
                EXPECT_NEAR(length(to_double(on_a) - Vec3d{1, 1, 1}), 0.25, 2e-6);
            }
        }
    }
}

TEST(RoundedHulls, CapturesKeepTheRadius) {
    const HullSet hulls = rounded_box(1, 0.25F).hulls;
    const Body bodies[] = {at(0, 0, 0), at(2.25F, 0.5F, 0)};
    const Pair pairs[] = {{0, 1}};
    const Options options;
    Manifold4 m{};
    Workspace workspace;
    ASSERT_TRUE(collide_serial(hulls, BodyView(bodies), pairs, options, std::span(&m, 1), workspace).status);
    ASSERT_NE(m.kind, ContactKind::none);
    Capture capture;
    const CapturedCall call{hulls, BodyView(bodies), pairs, options, {}, Isa::scalar, 0, {}, {}, {}};
    ASSERT_TRUE(capture.add(call, 0, m));
    const CaptureResult back = read_capture(capture.bytes());
    ASSERT_TRUE(back.status) << back.status.what;
    EXPECT_EQ(back.other_blocks, 0U);
    EXPECT_EQ(back.capture.hulls().fingerprint(), hulls.fingerprint());
    EXPECT_EQ(back.capture.hulls()[0].round_radius, 0.25F);
}

TEST(RoundedHulls, BoxesOfBodiesContainTheRadius) {
    const HullSet hulls = rounded_box(1, 0).hulls.append(rounded_box(1, 0.5F).hulls);
    std::vector<Body> bodies;
    for (std::uint32_t i = 0; i < 60; ++i) bodies.push_back(at(2.4F * static_cast<float>(i), 0, 0, i % 2));
    std::vector<WorldBox> boxes(bodies.size());
    ASSERT_TRUE(world_boxes(hulls, BodyView(bodies), 0, boxes, 1).status);
    EXPECT_NEAR(boxes[1].upper.x, 2.4 + 1.5, 1e-5);
    EXPECT_NEAR(boxes[2].upper.x, 4.8 + 1, 1e-5);
    // A gap of 0.4 between the cores, which the radius of each second body bridges. All neighbours touch.
    PairFinder finder;
    for (int frame = 0; frame < 3; ++frame) {
        const PairFinderResult r = finder.find(hulls, BodyView(bodies), PairFinderOptions{});
        ASSERT_TRUE(r.status) << r.status.what;
        EXPECT_EQ(r.pairs.size(), bodies.size() - 1) << frame;
        for (Body& b : bodies) b.position[1] += 0.25F;
    }
}

}  // namespace
}  // namespace lanefold::test
