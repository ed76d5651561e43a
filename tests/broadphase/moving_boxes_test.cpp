// SPDX-License-Identifier: MIT
//
// Bodies that creep, turn and jump: the finder computes few of their boxes, and lists the pairs of all boxes all the
// same, to the last bit, on every instruction set.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

#include <gtest/gtest.h>

#include <lanefold/broadphase.hpp>
#include <lanefold/hull_builder.hpp>
#include <lanefold/isa.hpp>

#include "support/isa_fixture.hpp"
#include "support/random.hpp"

namespace lanefold::test {
namespace {

constexpr std::uint32_t kBodies = 600;
constexpr float kMargin = 0.05F;

// Clouds of points about `centre` of each hull, scaled.
HullSet make_hulls(std::uint64_t seed, double scale) {
    Random random(seed);
    std::vector<Vec3f> points;
    std::vector<std::uint64_t> offsets{0};
    for (int h = 0; h < 12; ++h) {
        const double size = scale * random.uniform(0.1, 0.6);
        // A hull of a body whose origin is elsewhere.
        const Vec3d centre = h % 4 == 0 ? random.in_ball() * 2.0 : Vec3d{};
        for (int i = 0; i < 5 + 3 * h; ++i) points.push_back(to_float(centre + random.in_ball() * size));
        offsets.push_back(points.size());
    }
    const BuildResult built = build_hulls(points, offsets);
    EXPECT_TRUE(built);
    return built.hulls;
}

std::vector<BodyD> make_bodies(std::uint64_t seed, double origin) {
    Random random(seed);
    std::vector<BodyD> bodies(kBodies);
    for (BodyD& b : bodies) {
        for (double& x : b.position) x = origin + random.uniform(-2.5, 2.5);
        const Quat q = random.rotation();
        const double from[4] = {q.x, q.y, q.z, q.w};
        for (int k = 0; k < 4; ++k) b.orientation[k] = static_cast<float>(from[k]);
        b.hull = random.index(12);
    }
    return bodies;
}

void move(Random& random, BodyD& b, double speed) {
    for (double& x : b.position) x += random.uniform(-speed, speed);
    // Quaternions of any length that is still accepted.
    for (float& x : b.orientation) {
        const auto turned = static_cast<float>(static_cast<double>(x) + random.uniform(-speed, speed));
        const float before = x;
        x = turned;
        const double n = length_squared(b.orientation);
        if (std::fabs(n - 1) > 0.9e-3) x = before;
    }
}

struct Compared {
    std::uint64_t pairs = 0;
    std::uint64_t changes = 0;
    std::vector<Pair> last;
};

// Finds the pairs of a frame and compares them with those of all boxes.
void compare(PairFinder& finder, const HullSet& hulls, const std::vector<BodyD>& bodies, const PairFinderOptions& o,
             Compared& sum) {
    const BodyView view = std::span<const BodyD>(bodies);
    std::vector<WorldBox> boxes(bodies.size());
    ASSERT_TRUE(world_boxes(hulls, view, 0.5 * static_cast<double>(o.margin), boxes).status);
    std::vector<Pair> expected;
    for (std::uint32_t a = 0; a < boxes.size(); ++a) {
        for (std::uint32_t b = a + 1; b < boxes.size(); ++b) {
            if (overlap(boxes[a], boxes[b])) expected.push_back({a, b});
        }
    }
    const PairFinderResult found = finder.find(hulls, view, o);
    ASSERT_TRUE(found.status);
    ASSERT_EQ(found.isa, o.isa);
    ASSERT_TRUE(std::equal(found.pairs.begin(), found.pairs.end(), expected.begin(), expected.end()))
        << found.pairs.size() << " found, " << expected.size() << " expected";
    sum.pairs += expected.size();
    std::vector<Pair> both;
    std::set_intersection(sum.last.begin(), sum.last.end(), expected.begin(), expected.end(), std::back_inserter(both));
    sum.changes += sum.last.empty() ? 0 : sum.last.size() + expected.size() - 2 * both.size();
    sum.last = expected;
}

class MovingBoxes : public IsaTest {};

TEST_P(MovingBoxes, PairsAreThoseOfAllBoxesAtEverySpeed) {
    for (const double origin : {0.0, 1e6}) {
        Random random(91);
        const HullSet hulls = make_hulls(92, 1);
        std::vector<BodyD> bodies = make_bodies(93, origin);
        PairFinder finder;
        Compared sum;
        PairFinderOptions o;
        o.isa = GetParam();
        o.margin = kMargin;
        const double speeds[] = {1e-15, 1e-8, 1e-6, 1e-4, 1e-3, 0.01, 0.1};
        for (int frame = 0; frame < 140 && !testing::Test::HasFatalFailure(); ++frame) {
            for (std::size_t i = 0; i < bodies.size(); ++i) {
                if ((i + static_cast<std::size_t>(frame)) % 3 != 0) move(random, bodies[i], speeds[frame % 7]);
            }
            // Some change their hulls, lose their boxes and get them back.
            bodies[random.index(kBodies)].hull = random.index(13);
            compare(finder, hulls, bodies, o, sum);
        }
        std::printf("origin %g: %llu pairs, %llu changes\n", origin, static_cast<unsigned long long>(sum.pairs),
                    static_cast<unsigned long long>(sum.changes));
        EXPECT_GT(sum.pairs, 150000U);
        EXPECT_GT(sum.changes, 5000U);
    }
}

TEST_P(MovingBoxes, BoxesAreThoseOfTheLatestFrameWhenAskedFor) {
    Random random(94);
    const HullSet hulls = make_hulls(95, 1);
    std::vector<BodyD> bodies = make_bodies(96, 3);
    bodies[17].hull = 12;
    PairFinder finder;
    PairFinderOptions o;
    o.isa = GetParam();
    o.margin = kMargin;
    std::vector<WorldBox> boxes(bodies.size());
    for (int frame = 0; frame < 20; ++frame) {
        for (BodyD& b : bodies) move(random, b, 1e-4);
        ASSERT_TRUE(finder.find(hulls, std::span<const BodyD>(bodies), o).status);
        if (frame % 3 != 0) continue;
        ASSERT_TRUE(
            world_boxes(hulls, std::span<const BodyD>(bodies), 0.5 * static_cast<double>(kMargin), boxes).status);
        EXPECT_TRUE(std::equal(boxes.begin(), boxes.end(), finder.boxes().begin(), finder.boxes().end()));
    }
}

TEST_P(MovingBoxes, OtherHullsUnderTheSameIdsAreSeen) {
    Random random(97);
    HullSet hulls = make_hulls(98, 1);
    std::vector<BodyD> bodies = make_bodies(99, 0);
    PairFinder finder;
    Compared sum;
    PairFinderOptions o;
    o.isa = GetParam();
    for (int frame = 0; frame < 12 && !testing::Test::HasFatalFailure(); ++frame) {
        o.margin = frame < 8 ? kMargin : 2 * kMargin;
        for (BodyD& b : bodies) move(random, b, 1e-5);
        // The set before is gone: only the finder may hold its hulls.
        if (frame % 3 == 2) hulls = make_hulls(100, frame % 2 == 0 ? 0.5 : 1.5);
        compare(finder, hulls, bodies, o, sum);
    }
    EXPECT_GT(sum.changes, 5000U);
}

// Two rods that meet at their ends, far from their origins: one turns by steps of a millionth, and after each step the
// pair is there exactly if the boxes overlap. Between, a step is a hundred times as long as the gap.
TEST_P(MovingBoxes, EndsOfTurningRodsMeetInTheRightFrame) {
    std::vector<Vec3f> points;
    for (const float x : {0.0F, 4.0F}) {
        for (const float y : {-0.1F, 0.1F}) {
            for (const float z : {-0.1F, 0.1F}) points.push_back({x, y, z});
        }
    }
    const std::vector<std::uint64_t> offsets{0, points.size()};
    const BuildResult built = build_hulls(points, offsets);
    ASSERT_TRUE(built);
    std::vector<BodyD> bodies(2);
    for (BodyD& b : bodies) b.orientation[3] = 1;
    bodies[1].position[0] = 3.9;
    bodies[1].position[1] = 0.2;
    PairFinder finder;
    Compared sum;
    PairFinderOptions o;
    o.isa = GetParam();
    std::uint64_t there = 0;
    constexpr int kFrames = 4000;
    for (int frame = 0; frame < kFrames && !testing::Test::HasFatalFailure(); ++frame) {
        const double angle = 1e-6 * static_cast<double>(frame % 2000 - 1000);
        bodies[0].orientation[2] = static_cast<float>(std::sin(angle / 2));
        bodies[0].orientation[3] = static_cast<float>(std::cos(angle / 2));
        compare(finder, built.hulls, bodies, o, sum);
        there += sum.last.size();
    }
    std::printf("%llu of %d frames with the pair\n", static_cast<unsigned long long>(there), kFrames);
    EXPECT_GT(there, kFrames / 3);
    EXPECT_LT(there, 2 * kFrames / 3);
}

LANEFOLD_INSTANTIATE_ISA_TESTS(MovingBoxes);

}  // namespace
}  // namespace lanefold::test
