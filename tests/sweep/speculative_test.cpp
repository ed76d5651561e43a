// SPDX-License-Identifier: MIT
//
// Speculative margins: every pair that meets in the step is within its margin before it; two bodies that fly at each
// other need all of it; bad input is refused with reason and place.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include <lanefold/speculative.hpp>

#include "support/sweep_scene.hpp"

namespace lanefold::test {
namespace {

struct Velocities {
    std::vector<Vec3f> linear;
    std::vector<Vec3f> angular;

    BodyVelocities view() const { return {linear, angular}; }
};

// The velocities of a scene with its motions, if the step takes one unit of time.
Velocities velocities_of(const SweepScene& s) {
    Velocities v;
    for (std::size_t i = 0; i < s.begin.size(); ++i) {
        const BodyD& f = s.begin[i];
        const BodyD& l = s.end[i];
        v.linear.push_back(
            to_float({l.position[0] - f.position[0], l.position[1] - f.position[1], l.position[2] - f.position[2]}));
        v.angular.push_back(to_float(s.spins[i]));
    }
    return v;
}

TEST(Speculative, EveryPairThatMeetsInTheStepIsWithinItsMarginBefore) {
    const SweepFamily family = {.name = "speculative",
                                .shapes = {Shape::box, Shape::debris, Shape::point, Shape::segment},
                                .rounding = {0.5, 0.05, 1},
                                .most_turn = 6};
    const SweepScene s = make_sweeps(family, 21, 2000);
    std::vector<SweepRecord> records(s.pairs.size());
    SweepWorkspace workspace;
    ASSERT_TRUE(
        sweep_serial(s.library.hulls, s.first(), s.last(), s.pairs, s.options, records, workspace, s.inputs()).status);
    const Velocities v = velocities_of(s);
    std::vector<float> margins(s.pairs.size());
    ASSERT_TRUE(speculative_margins(s.library.hulls, s.first(), v.view(), s.pairs, 1, 0.01F, margins));
    int hits = 0;
    for (std::size_t i = 0; i < records.size(); ++i) {
        if (records[i].state != SweepState::hit) continue;
        ++hits;
        EXPECT_LE(reference::distance_at(s.oracle(i), 0).distance, static_cast<double>(margins[i])) << i;
        EXPECT_GE(margins[i], 0.01F);
    }
    EXPECT_GT(hits, 300);
}

TEST(Speculative, BodiesThatFlyAtEachOtherNeedAllOfIt) {
    const Points points[1] = {box_points(1, 1, 1)};
    const Library library = build_library(points);
    const Body bodies[2] = {{{0, 0, 0}, 0, {0, 0, 0, 1}}, {{0, 0, 10}, 0, {0, 0, 0, 1}}};
    const Velocities v = {{{0, 0, 3}, {0, 0, -5}}, {{0, 0, 0}, {0, 0, 2}}};
    const Pair pairs[3] = {{0, 1}, {1, 0}, {0, 7}};
    float margins[3];
    ASSERT_TRUE(speculative_margins(library.hulls, bodies, v.view(), pairs, 0.5F, 0.25F, margins));
    EXPECT_NEAR(margins[0], 0.25 + 0.5 * (8 + 2 * std::sqrt(3.0)), 1e-5);
    EXPECT_GE(static_cast<double>(margins[0]), 0.25 + 0.5 * (8 + 2 * std::sqrt(3.0)));
    EXPECT_EQ(margins[1], margins[0]);
    EXPECT_EQ(margins[2], 0.25F);  // the call gives this pair its status
}

TEST(Speculative, BadInputIsRefusedWithReasonAndPlace) {
    const Points points[1] = {box_points(1, 1, 1)};
    const Library library = build_library(points);
    const Body bodies[2] = {{{0, 0, 0}, 0, {0, 0, 0, 1}}, {{0, 0, 10}, 0, {0, 0, 0, 1}}};
    Velocities v = {{{0, 0, 3}, {0, 0, -5}}, {{0, 0, 0}, {0, 0, 2}}};
    const Pair pairs[1] = {{0, 1}};
    float margins[1] = {7};
    const auto refused = [&](float time, float margin) {
        const CallStatus status = speculative_margins(library.hulls, bodies, v.view(), pairs, time, margin, margins);
        EXPECT_EQ(status.code, Status::bad_argument);
        EXPECT_EQ(margins[0], 7);
        return status;
    };
    EXPECT_STREQ(refused(-1, 0).what, "time is negative or not finite");
    EXPECT_STREQ(refused(1, std::numeric_limits<float>::quiet_NaN()).what, "margin is negative or not finite");
    v.angular[1].x = std::numeric_limits<float>::infinity();
    EXPECT_STREQ(refused(1, 0).what, "velocities.angular is not finite");
    EXPECT_EQ(refused(1, 0).where, 1U);
    v.linear.pop_back();
    EXPECT_STREQ(refused(1, 0).what, "velocities.linear and bodies differ in length");
    // Beyond float32: the largest number, not infinity.
    v = {{{0, 0, 3e38F}, {0, 0, -3e38F}}, {{0, 0, 0}, {0, 0, 2}}};
    ASSERT_TRUE(speculative_margins(library.hulls, bodies, v.view(), pairs, 100, 0, margins));
    EXPECT_EQ(margins[0], std::numeric_limits<float>::max());
}

}  // namespace
}  // namespace lanefold::test
