// SPDX-License-Identifier: MIT
//
// Candidate pairs over frames: each frame's list is that of brute force over all float64 boxes, after any frames. Both
// ways of finding it (a whole search, single bodies that left their boxes) occur. On every instruction set.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iterator>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <lanefold/broadphase.hpp>
#include <lanefold/hull_builder.hpp>
#include <lanefold/isa.hpp>

#include "support/finder_world.hpp"
#include "support/isa_fixture.hpp"
#include "support/random.hpp"

namespace lanefold::test {
namespace {

class EveryPairFinder : public IsaTest {};

TEST_P(EveryPairFinder, EveryFrameOfMovingBodiesIsThatOfBruteForce) {
    constexpr std::uint64_t kSeed = 81;
    Random random(kSeed);
    std::uint64_t whole = 0;
    std::uint64_t single = 0;
    std::uint64_t none = 0;
    std::uint64_t pairs = 0;
    for (const float slack : {0.1F, 0.0F, 1.0F}) {
        FinderWorld w = make_world(kSeed, 1200, 6, GetParam());
        PairFinder finder;
        finder.set_slack(slack);
        for (int frame = 0; frame < 24; ++frame) {
            // All bodies rest; some drift; a few jump far away; all move.
            const int kind = frame % 4;
            const double speed = kind == 0 ? 0 : kind == 1 ? 0.02 : kind == 2 ? 0.001 : 0.3;
            for (std::size_t i = 0; i < w.bodies.size(); ++i) {
                if (kind == 1 && i % 16 != 0) continue;
                for (double& x : w.bodies[i].position) x += random.uniform(-speed, speed);
                turn(random, w.bodies[i], speed);
            }
            if (kind == 2) {
                w.bodies[7].position[0] = frame % 8 == 2 ? 1e9 : 0.5;
                w.bodies[8].position[1] = frame == 18 ? -1e300 : 0.5;
            }
            const PairFinderResult r = expect_frame(finder, w, w.options(0.05F));
            pairs += r.pairs.size();
            ++(r.whole ? whole : r.searched != 0 ? single : none);
        }
    }
    std::printf("seed %llu: %llu pairs, %llu whole searches, %llu of single bodies, %llu frames without any\n",
                static_cast<unsigned long long>(kSeed), static_cast<unsigned long long>(pairs),
                static_cast<unsigned long long>(whole), static_cast<unsigned long long>(single),
                static_cast<unsigned long long>(none));
    EXPECT_GT(pairs, 100000U);
    EXPECT_GE(whole, 15U);
    EXPECT_GE(single, 15U);
    EXPECT_GE(none, 10U);
}

// Boxes swept by a motion and grown by a number of each body's own, frame after frame.
TEST_P(EveryPairFinder, SweptAndGrownBoxesAreThoseOfBruteForce) {
    Random random(84);
    FinderWorld w = make_world(84, 800, 5, GetParam());
    PairFinder finder;
    std::uint64_t still = 0;
    std::uint64_t swept = 0;
    for (int frame = 0; frame < 12; ++frame) {
        std::vector<float> growth(w.bodies.size());
        std::vector<Vec3f> motion(w.bodies.size());
        for (std::size_t i = 0; i < w.bodies.size(); ++i) {
            growth[i] = static_cast<float>(random.uniform(0, 0.1));
            motion[i] = to_float(Vec3d{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-0.2, 0.2)});
            for (double& x : w.bodies[i].position) x += random.uniform(-0.05, 0.05);
        }
        still += expect_frame(finder, w, w.options(0.02F)).pairs.size();
        PairFinderOptions o = w.options(0.02F);
        o.growth = growth;
        o.motion = motion;
        swept += expect_frame(finder, w, o).pairs.size();
    }
    std::printf("%llu pairs of bodies as they are, %llu of swept ones\n", static_cast<unsigned long long>(still),
                static_cast<unsigned long long>(swept));
    EXPECT_GT(swept, still + still / 2);

    std::vector<float> growth(w.bodies.size(), 0.0F);
    std::vector<Vec3f> motion(w.bodies.size());
    PairFinderOptions bad;
    bad.isa = GetParam();
    bad.growth = std::span(growth).first(3);
    EXPECT_FALSE(finder.find(w.hulls, w.view(), bad).status);
    bad.growth = growth;
    growth[5] = -1;
    EXPECT_EQ(finder.find(w.hulls, w.view(), bad).status.where, 5U);
    bad.growth = {};
    bad.motion = motion;
    motion[7].y = std::numeric_limits<float>::quiet_NaN();
    EXPECT_EQ(finder.find(w.hulls, w.view(), bad).status.where, 7U);
    motion[7].y = 0;
    EXPECT_TRUE(finder.find(w.hulls, w.view(), bad).status);
}

TEST_P(EveryPairFinder, ChangedFiltersNumbersHullsAndMarginsAreSeen) {
    Random random(82);
    FinderWorld w = make_world(82, 600, 4, GetParam());
    PairFinder finder;
    EXPECT_TRUE(expect_frame(finder, w, w.options(0.02F)).whole);
    EXPECT_FALSE(expect_frame(finder, w, w.options(0.02F)).whole);
    // A wider margin: all boxes grow, most beyond their fat boxes.
    EXPECT_TRUE(expect_frame(finder, w, w.options(1.0F)).status);
    EXPECT_TRUE(expect_frame(finder, w, w.options(0.0F)).status);
    w.inverse_mass[3] = w.inverse_mass[3] == 0 ? 1.0F : 0.0F;
    EXPECT_TRUE(expect_frame(finder, w, w.options(0.0F)).whole);
    w.inverse_mass[3] = w.inverse_mass[3] == 0 ? 0.0F : 2.0F;
    EXPECT_FALSE(expect_frame(finder, w, w.options(0.0F)).whole) << "another mass that still moves";
    w.group[5] = 9;
    EXPECT_TRUE(expect_frame(finder, w, w.options(0.0F)).status);
    w.collides_with[6] = 0;
    EXPECT_TRUE(expect_frame(finder, w, w.options(0.0F)).status);
    PairFinderOptions few = w.options(0.0F);
    few.category = few.collides_with = {};
    EXPECT_GT(expect_frame(finder, w, few).pairs.size(), brute_force(w, w.options(0.0F)).size());
    w.bodies[11].hull = 20;  // becomes the plate
    EXPECT_TRUE(expect_frame(finder, w, w.options(0.0F)).status);
    // The number of bodies changes.
    w.bodies.resize(500);
    for (auto* list : {&w.group, &w.category, &w.collides_with}) list->resize(500);
    w.inverse_mass.resize(500);
    EXPECT_TRUE(expect_frame(finder, w, w.options(0.0F)).status);
    w.bodies.push_back(body_at(random, 4, 20));
    w.inverse_mass.push_back(1);
    w.group.push_back(0);
    w.category.push_back(1);
    w.collides_with.push_back(7);
    EXPECT_TRUE(expect_frame(finder, w, w.options(0.0F)).status);
}

TEST_P(EveryPairFinder, BodiesLoseTheirBoxAndGetItBack) {
    FinderWorld w = make_world(83, 300, 2, GetParam());
    const float x = w.bodies[150].orientation[0];
    PairFinder finder;
    const std::size_t before = expect_frame(finder, w, w.options(0.0F)).pairs.size();
    w.bodies[150].orientation[0] = std::numeric_limits<float>::quiet_NaN();
    w.bodies[20].hull = 21;
    const PairFinderResult lost = expect_frame(finder, w, w.options(0.0F));
    EXPECT_EQ(lost.without_box, 2U);
    EXPECT_LT(lost.pairs.size(), before);
    EXPECT_TRUE(finder.boxes()[20].empty());
    w.bodies[150].orientation[0] = x;
    EXPECT_EQ(expect_frame(finder, w, w.options(0.0F)).without_box, 1U);
    // A body that had no box when the tree was built.
    PairFinder other;
    EXPECT_TRUE(expect_frame(other, w, w.options(0.0F)).status);
    w.bodies[20].hull = 3;
    EXPECT_TRUE(expect_frame(other, w, w.options(0.0F)).whole);
    // One whose hull comes later, and that is marked.
    w.bodies[20].hull = static_cast<std::uint32_t>(w.hulls.size());
    EXPECT_EQ(expect_frame(other, w, w.options(0.0F)).without_box, 1U);
    w.hulls = w.hulls.append(w.hulls);
    const std::vector<std::uint8_t> unmoved(w.bodies.size(), 1);
    PairFinderOptions marked = w.options(0.0F);
    marked.unmoved = unmoved;
    EXPECT_EQ(expect_frame(other, w, marked).without_box, 0U);
}

TEST_P(EveryPairFinder, UnmovedBodiesKeepTheirBoxes) {
    Random random(84);
    FinderWorld w = make_world(84, 800, 4, GetParam());
    PairFinder finder;
    std::vector<std::uint8_t> unmoved(w.bodies.size(), 1);
    for (int frame = 0; frame < 6; ++frame) {
        PairFinderOptions o = w.options(frame == 4 ? 0.1F : 0.02F);
        o.unmoved = unmoved;  // ignored in the first frame, and when the margin changes
        EXPECT_TRUE(expect_frame(finder, w, o).status);
        for (std::size_t i = 0; i < w.bodies.size(); ++i) {
            unmoved[i] = i % 3 != 0 ? 1 : 0;
            if (i % 3 != 0) continue;
            for (double& x : w.bodies[i].position) x += random.uniform(-0.1, 0.1);
        }
    }
    // False marks give stale boxes, because marks are not checked.
    std::fill(unmoved.begin(), unmoved.end(), std::uint8_t{1});
    PairFinderOptions o = w.options(0.02F);
    EXPECT_TRUE(finder.find(w.hulls, w.view(), o).status);
    const WorldBox box = finder.boxes()[0];
    w.bodies[0].position[0] += 50;
    o.unmoved = unmoved;
    EXPECT_TRUE(finder.find(w.hulls, w.view(), o).status);
    EXPECT_EQ(finder.boxes()[0], box);
}

// Boxes that touch within rounding, and bodies that creep: what is kept of earlier comparisons holds until an answer
// changes, to the last bit.
TEST_P(EveryPairFinder, PairsOfCreepingBodiesAreThoseOfBruteForce) {
    constexpr std::uint64_t kSeed = 85;
    Random random(kSeed);
    FinderWorld w = make_world(kSeed, 0, 1, GetParam());
    for (int i = 0; i < 512; ++i) {
        BodyD b{};
        const int cell[3] = {i % 8, i / 8 % 8, i / 64};
        for (int k = 0; k < 3; ++k) b.position[k] = 0.7 * cell[k];
        b.orientation[3] = 1;
        b.hull = 3;
        w.bodies.push_back(b);
    }
    const Vec3d side = [&] {
        const WorldBox box = world_box(w.hulls.vertices(3), {rotation(Quat{0, 0, 0, 1}), {}}, 0.025);
        return box.upper - box.lower;
    }();
    for (BodyD& b : w.bodies) {
        b.position[0] *= side.x / 0.7;
        b.position[1] *= side.y / 0.7;
        b.position[2] *= side.z / 0.7;
    }
    PairFinder finder;
    std::vector<Pair> before;
    std::uint64_t changes = 0;
    std::uint64_t whole = 0;
    for (int frame = 0; frame < 60; ++frame) {
        const double speed = frame % 3 == 0 ? 1e-15 : frame % 3 == 1 ? 1e-9 : 1e-4;
        for (std::size_t i = 0; i < w.bodies.size(); ++i) {
            if (i % 5 == static_cast<std::size_t>(frame % 5)) continue;
            for (double& x : w.bodies[i].position) x += random.uniform(-speed, speed);
        }
        PairFinderOptions o;
        o.margin = 0.05F;
        o.isa = GetParam();
        const PairFinderResult r = expect_frame(finder, w, o);
        whole += r.whole ? 1U : 0U;
        std::vector<Pair> both;
        std::set_intersection(before.begin(), before.end(), r.pairs.begin(), r.pairs.end(), std::back_inserter(both));
        changes += frame == 0 ? 0 : before.size() + r.pairs.size() - 2 * both.size();
        before.assign(r.pairs.begin(), r.pairs.end());
    }
    std::printf("seed %llu: %zu pairs at the end, %llu changes, %llu whole searches\n",
                static_cast<unsigned long long>(kSeed), before.size(), static_cast<unsigned long long>(changes),
                static_cast<unsigned long long>(whole));
    EXPECT_GT(changes, 1000U);
    EXPECT_LE(whole, 2U);
}

TEST_P(EveryPairFinder, ThreadsAndSlackDoNotChangeAnything) {
    FinderWorld w = make_world(85, 3000, 8, GetParam());
    PairFinder one;
    PairFinder many;
    one.set_slack(0);
    Random random(85);
    for (int frame = 0; frame < 4; ++frame) {
        PairFinderOptions o = w.options(0.02F);
        o.threads = 1;
        const PairFinderResult a = one.find(w.hulls, w.view(), o);
        o.threads = frame == 2 ? 3 : 0;
        const PairFinderResult b = many.find(w.hulls, w.view(), o);
        ASSERT_TRUE(a.status && b.status);
        EXPECT_GT(a.pairs.size(), 3000U);
        EXPECT_TRUE(std::equal(a.pairs.begin(), a.pairs.end(), b.pairs.begin(), b.pairs.end()));
        for (BodyD& body : w.bodies) body.position[0] += random.uniform(-0.05, 0.05);
    }
}

LANEFOLD_INSTANTIATE_ISA_TESTS(EveryPairFinder);

}  // namespace
}  // namespace lanefold::test
