// SPDX-License-Identifier: MIT
//
// Candidate pairs of a window of frames: each frame's list is that of brute force over all float64 boxes, however many
// frames the window has, however fast its bodies are. On every instruction set.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <lanefold/broadphase.hpp>
#include <lanefold/isa.hpp>
#include <lanefold/window_finder.hpp>

#include "support/finder_world.hpp"
#include "support/isa_fixture.hpp"
#include "support/random.hpp"

namespace lanefold::test {
namespace {

// Frames of a world, and the views that a finder takes.
struct Window {
    std::vector<std::vector<BodyD>> frames;

    std::vector<BodyView> views() const {
        std::vector<BodyView> views;
        for (const std::vector<BodyD>& bodies : frames) views.emplace_back(std::span<const BodyD>(bodies));
        return views;
    }
};

// The next frame: one body of `one_of` moves by up to `way` along each axis and turns.
void move_on(FinderWorld& w, Random& random, std::uint32_t one_of, double way) {
    for (BodyD& b : w.bodies) {
        if (random.index(one_of) != 0) continue;
        for (double& x : b.position) x += random.uniform(-way, way);
        turn(random, b, std::min(way, 0.5));
    }
}

Window make_window(FinderWorld& w, Random& random, std::size_t frames, std::uint32_t one_of, double way) {
    Window window;
    for (std::size_t f = 0; f < frames; ++f) {
        window.frames.push_back(w.bodies);
        move_on(w, random, one_of, way);
    }
    return window;
}

std::vector<Pair> listed(const WindowFinder& finder, std::size_t frame, std::uint32_t threads = 0) {
    std::vector<Pair> pairs(finder.count(frame));
    EXPECT_TRUE(finder.list(frame, pairs, threads));
    return pairs;
}

// Compares all frames with brute force. Returns how many pairs they have.
std::uint64_t expect_window(WindowFinder& finder, FinderWorld w, const Window& window, const PairFinderOptions& o,
                            WindowFinderResult& result) {
    result = finder.find(w.hulls, window.views(), o);
    EXPECT_TRUE(result.status) << result.status.what;
    EXPECT_EQ(result.isa, w.isa);
    std::uint64_t pairs = 0;
    for (std::size_t f = 0; f < window.frames.size(); ++f) {
        w.bodies = window.frames[f];
        const std::vector<Pair> expected = brute_force(w, o);
        EXPECT_TRUE(listed(finder, f) == expected)
            << "frame " << f << ": " << finder.count(f) << " found, " << expected.size() << " expected";
        pairs += expected.size();
    }
    EXPECT_EQ(finder.count(window.frames.size()), 0U);
    return pairs;
}

class EveryWindowFinder : public IsaTest {};

TEST_P(EveryWindowFinder, EveryFrameOfAWindowIsThatOfBruteForce) {
    constexpr std::uint64_t kSeed = 101;
    Random random(kSeed);
    FinderWorld w = make_world(kSeed, 900, 5, GetParam());
    WindowFinder finder;
    std::uint64_t pairs = 0;
    std::uint64_t whole = 0;
    std::uint64_t split = 0;
    for (const std::size_t frames : {16U, 1U, 5U, 8U, 9U, 15U, 2U}) {
        // All rest; some move; all move; all move by more than their size.
        for (const double way : {0.0, 0.02, 0.3, 4.0}) {
            const Window window = make_window(w, random, frames, way == 0.02 ? 4 : 1, way);
            WindowFinderResult result;
            pairs += expect_window(finder, w, window, w.options(0.05F), result);
            ++(result.searches == 1 ? whole : split);
            EXPECT_LE(result.searches, frames);
            if (way == 4.0 && frames == 16) {
                EXPECT_GE(result.searches, 8U);
            }
        }
    }
    std::printf("seed %llu: %llu pairs, %llu windows in one search, %llu in several\n",
                static_cast<unsigned long long>(kSeed), static_cast<unsigned long long>(pairs),
                static_cast<unsigned long long>(whole), static_cast<unsigned long long>(split));
    EXPECT_GT(pairs, 100000U);
    EXPECT_GE(whole, 15U);
    EXPECT_GE(split, 5U);
}

// Boxes that touch within rounding: the lists change from frame to frame by what the last bit says.
TEST_P(EveryWindowFinder, BoxesThatTouchAreThoseOfBruteForce) {
    Random random(102);
    FinderWorld w = make_world(102, 0, 1, GetParam());
    const WorldBox box =
        world_box(w.hulls.vertices(3), {rotation(Quat{0, 0, 0, 1}), {}}, 0.5 * static_cast<double>(0.05F));
    const Vec3d side = box.upper - box.lower;
    for (int i = 0; i < 343; ++i) {
        BodyD b{};
        const int cell[3] = {i % 7, i / 7 % 7, i / 49};
        b.position[0] = side.x * cell[0];
        b.position[1] = side.y * cell[1];
        b.position[2] = side.z * cell[2];
        b.orientation[3] = 1;
        b.hull = 3;
        w.bodies.push_back(b);
    }
    PairFinderOptions o;
    o.margin = 0.05F;
    o.isa = GetParam();
    WindowFinder finder;
    std::uint64_t changes = 0;
    for (const double way : {1e-12, 1e-9}) {
        const Window window = make_window(w, random, 16, 2, way);
        WindowFinderResult result;
        expect_window(finder, w, window, o, result);
        for (std::size_t f = 1; f < 16; ++f) changes += listed(finder, f) != listed(finder, f - 1) ? 1U : 0U;
    }
    EXPECT_GE(changes, 25U);
}

TEST_P(EveryWindowFinder, BodiesLoseTheirBoxInSomeFrames) {
    Random random(103);
    FinderWorld w = make_world(103, 400, 2, GetParam());
    Window window = make_window(w, random, 12, 1, 0.05);
    constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
    constexpr double kInf = std::numeric_limits<double>::infinity();
    for (std::size_t f : {0U, 7U, 8U}) window.frames[f][5].orientation[2] = kNan;
    for (std::size_t f = 3; f < 12; ++f) window.frames[f][6].position[1] = f % 2 == 0 ? kInf : std::nan("");
    for (std::vector<BodyD>& frame : window.frames) {
        frame[7].hull = 21;
        for (float& q : frame[8].orientation) q *= 1.1F;
        // Rests without a box, and with one.
        frame[9] = window.frames[0][9];
        frame[9].orientation[0] = kNan;
        frame[10] = window.frames[0][10];
        frame[11].position[0] = 1e300;
    }
    WindowFinder finder;
    WindowFinderResult result;
    EXPECT_GT(expect_window(finder, w, window, w.options(0.05F), result), 10000U);
    for (std::size_t f = 0; f < 12; ++f) {
        const std::uint64_t expected = 3U + (f == 0 || f == 7 || f == 8 ? 1U : 0U) + (f >= 3 ? 1U : 0U);
        EXPECT_EQ(finder.without_box(f), expected) << "frame " << f;
    }
    EXPECT_EQ(finder.without_box(12), 0U);
    // Nobody has a box, and nobody is there.
    for (std::vector<BodyD>& frame : window.frames) {
        for (BodyD& b : frame) b.hull = 99;
    }
    EXPECT_EQ(expect_window(finder, w, window, w.options(0.05F), result), 0U);
    EXPECT_EQ(finder.without_box(11), 400U);
    w.bodies.clear();
    Window nobody;
    nobody.frames.resize(3);
    PairFinderOptions o;
    o.isa = GetParam();
    EXPECT_EQ(expect_window(finder, w, nobody, o, result), 0U);
}

TEST_P(EveryWindowFinder, GrowthFiltersAndHullsAreThoseOfPairFinder) {
    Random random(104);
    FinderWorld w = make_world(104, 500, 4, GetParam());
    std::vector<float> growth(w.bodies.size());
    for (float& x : growth) x = static_cast<float>(random.uniform(0, 0.2));
    WindowFinder windows;
    PairFinder finder;
    std::uint64_t pairs = 0;
    for (int turn = 0; turn < 6; ++turn) {
        const Window window = make_window(w, random, 10, 2, 0.1);
        PairFinderOptions o = w.options(turn == 3 ? 0.3F : 0.02F);
        if (turn % 2 == 1) o.growth = growth;
        if (turn == 4) o.group = {};
        if (turn == 5) o.category = o.collides_with = {};
        ASSERT_TRUE(windows.find(w.hulls, window.views(), o).status);
        for (std::size_t f = 0; f < window.frames.size(); ++f) {
            const PairFinderResult one = finder.find(w.hulls, window.views()[f], o);
            ASSERT_TRUE(one.status);
            EXPECT_TRUE(listed(windows, f) == std::vector<Pair>(one.pairs.begin(), one.pairs.end()))
                << windows.count(f) << " and " << one.pairs.size();
            pairs += one.pairs.size();
        }
        // Hulls come and go; bodies of removed ones have no box.
        if (turn == 1) w.hulls = w.hulls.append(make_world(200, 0, 1, GetParam()).hulls);
        if (turn == 2) w.hulls = w.hulls.remove(std::vector<std::uint32_t>{2, 5, 20});
        for (int k = 0; k < 50; ++k) w.bodies[random.index(500)].hull = random.index(42);
    }
    EXPECT_GT(pairs, 30000U);
}

// Plates that jump over dust: boxes around all of their frames meet every grain, of which each frame has few. And a
// crowd in which each body meets most others in every frame: the finder learns from the window before.
TEST_P(EveryWindowFinder, SearchesThatFindTooMuchAreSplit) {
    Random random(107);
    FinderWorld w = make_world(107, 1500, 5, GetParam());
    PairFinderOptions o;
    o.isa = GetParam();
    for (std::size_t i = 0; i < 30; ++i) w.bodies[50 * i].hull = 20;
    Window window;
    for (std::size_t f = 0; f < 12; ++f) {
        for (std::size_t i = 0; i < 30; ++i) {
            BodyD& plate = w.bodies[50 * i];
            std::fill(plate.orientation, plate.orientation + 3, 0.0F);
            plate.orientation[3] = 1;
            plate.position[2] = (f % 2 == 0 ? 20 : -20) + 1.5 * static_cast<double>(i);
        }
        window.frames.push_back(w.bodies);
    }
    WindowFinder finder;
    WindowFinderResult result;
    const std::uint64_t pairs = expect_window(finder, w, window, o, result);
    EXPECT_EQ(result.searches, 12U);
    EXPECT_LE(result.compared, pairs + 12 * 16 * 1500);

    FinderWorld crowd = make_world(108, 400, 0.6, GetParam());
    const Window still = make_window(crowd, random, 8, 1, 0.001);
    WindowFinder other;
    EXPECT_GT(expect_window(other, crowd, still, o, result), 8 * 16 * 400U);
    EXPECT_EQ(result.searches, 8U);
    expect_window(other, crowd, still, o, result);
    EXPECT_EQ(result.searches, 1U);
}

// A body that flew off to the end of float64 makes nobody else's boxes coarse, and nobody search in vain.
TEST_P(EveryWindowFinder, OneFarBodyDisturbsNobody) {
    for (const double far : {1e12, 1e18, 1e300, 1.7e308}) {
        Random random(110);
        FinderWorld w = make_world(110, 1500, 12, GetParam());
        w.bodies[750].hull = 0;
        w.bodies[7].position[0] = far;
        const Window window = make_window(w, random, 8, 1, 0.05);
        WindowFinder windows;
        WindowFinderResult result;
        const std::uint64_t pairs = expect_window(windows, w, window, w.options(0.02F), result);
        EXPECT_EQ(result.searches, 1U);
        EXPECT_LT(result.compared, pairs) << far << ": " << pairs << " pairs in 8 frames";
        PairFinder finder;
        EXPECT_TRUE(expect_frame(finder, w, w.options(0.02F)).status);
    }
}

// Bodies that creep, windows after windows: the tree is kept, and what leaves its boxes is searched. Some jump, lose
// their box, get one for the first time, get another hull, or other filters.
TEST_P(EveryWindowFinder, WindowsAfterWindowsAreThoseOfBruteForce) {
    Random random(109);
    FinderWorld w = make_world(109, 700, 4, GetParam());
    const std::uint32_t hull = w.bodies[30].hull;
    const BodyD lost = w.bodies[31];
    w.bodies[30].hull = 99;
    WindowFinder finder;
    std::uint64_t all = 0;
    std::uint64_t some = 0;
    std::uint64_t none = 0;
    std::uint64_t pairs = 0;
    for (int turn = 0; turn < 24; ++turn) {
        // Nobody moves, or everybody creeps; one of forty moves more in every third window, many do in one.
        Window window;
        for (int f = 0; f < 3 + turn % 7; ++f) {
            window.frames.push_back(w.bodies);
            if (turn % 2 != 0) move_on(w, random, 1, 0.0002);
        }
        if (turn % 3 == 0) move_on(w, random, turn == 12 ? 2 : 40, 0.3);
        PairFinderOptions o = w.options(turn >= 20 ? 0.04F : 0.02F);
        if (turn == 8) o.group = {};
        WindowFinderResult result;
        pairs += expect_window(finder, w, window, o, result);
        EXPECT_EQ(result.searches, 1U);
        ++(result.searched == w.bodies.size() ? all : result.searched != 0 ? some : none);
        if (turn == 5) w.bodies[31].orientation[1] = 2;
        if (turn == 7) w.bodies[31] = lost;
        if (turn == 10) w.bodies[30].hull = hull;
        if (turn == 15) w.bodies[33].hull = 20;
        if (turn == 17) w.bodies[33].hull = 1;
    }
    std::printf("%llu pairs, %llu windows searched whole, %llu in part, %llu not at all\n",
                static_cast<unsigned long long>(pairs), static_cast<unsigned long long>(all),
                static_cast<unsigned long long>(some), static_cast<unsigned long long>(none));
    EXPECT_GT(pairs, 100000U);
    EXPECT_GE(all, 4U);
    EXPECT_GE(some, 5U);
    EXPECT_GE(none, 4U);
}

LANEFOLD_INSTANTIATE_ISA_TESTS(EveryWindowFinder);

// Positions of float32 in arrays of their own, frames of other layouts, and threads.
TEST(WindowFinder, LayoutsAndThreadsDoNotChangeAnything) {
    Random random(105);
    FinderWorld w = make_world(105, 6000, 10, choose_isa(Isa::automatic).isa);
    for (BodyD& b : w.bodies) {
        for (double& x : b.position) x = static_cast<double>(static_cast<float>(x));
    }
    const std::vector<BodyD> wide = w.bodies;
    std::vector<float> position;
    std::vector<float> orientation;
    std::vector<std::uint32_t> hull;
    std::vector<Body> narrow;
    for (const BodyD& b : wide) {
        Body n{};
        for (int k = 0; k < 3; ++k) n.position[k] = static_cast<float>(b.position[k]);
        std::copy_n(b.orientation, 4, n.orientation);
        n.hull = b.hull;
        narrow.push_back(n);
        position.insert(position.end(), n.position, n.position + 3);
        orientation.insert(orientation.end(), n.orientation, n.orientation + 4);
        hull.push_back(n.hull);
    }
    move_on(w, random, 2, 0.2);
    const std::vector<BodyView> views = {
        std::span<const BodyD>(wide), std::span<const Body>(narrow),
        BodyView::from_arrays(position.data(), orientation.data(), hull.data(), hull.size()), w.view()};
    std::vector<Pair> first;
    for (const std::uint32_t threads : {1U, 0U, 3U}) {
        WindowFinder finder;
        PairFinderOptions o = w.options(0.02F);
        o.threads = threads;
        ASSERT_TRUE(finder.find(w.hulls, views, o).status);
        const std::vector<Pair> pairs = listed(finder, 0, threads);
        EXPECT_GT(pairs.size(), 6000U);
        EXPECT_TRUE(listed(finder, 1, threads) == pairs);
        EXPECT_TRUE(listed(finder, 2, threads) == pairs);
        EXPECT_FALSE(listed(finder, 3, threads) == pairs);
        if (first.empty()) first = listed(finder, 3, threads);
        EXPECT_TRUE(listed(finder, 3, threads) == first);
    }
}

TEST(WindowFinder, WhatItDoesNotTakeIsRefused) {
    FinderWorld w = make_world(106, 50, 2, Isa::automatic);
    const std::vector<std::vector<BodyD>> same(17, w.bodies);
    std::vector<BodyView> views;
    for (const std::vector<BodyD>& bodies : same) views.emplace_back(std::span<const BodyD>(bodies));
    WindowFinder finder;
    const auto refused = [&](std::span<const BodyView> frames, const PairFinderOptions& o, const char* what) {
        const CallStatus status = finder.find(w.hulls, frames, o).status;
        EXPECT_EQ(status.code, Status::bad_argument);
        EXPECT_NE(std::string(status.what).find(what), std::string::npos) << status.what;
        return status.where;
    };
    const std::span<const BodyView> all(views);
    EXPECT_EQ(refused({}, {}, "1 to kMostFramesInWindow"), 0U);
    EXPECT_EQ(refused(all, {}, "1 to kMostFramesInWindow"), 17U);
    EXPECT_EQ(refused({static_cast<const BodyView*>(nullptr), 2}, {}, "frames is null"), 2U);
    PairFinderOptions o;
    const std::vector<Vec3f> motion(50);
    o.motion = motion;
    refused(all.first(2), o, "motion");
    o = {};
    const std::vector<std::uint8_t> unmoved(50);
    o.unmoved = unmoved;
    refused(all.first(2), o, "unmoved");
    o = {};
    o.margin = -1;
    refused(all.first(2), o, "margin");
    views[3].count = 49;
    EXPECT_EQ(refused(all.first(5), {}, "same number of bodies"), 3U);
    views[3].count = 50;
    views[4].orientation = nullptr;
    EXPECT_EQ(refused(all.first(5), {}, "a field is null"), 1U);
    std::vector<BodyD> other = w.bodies;
    other[31].hull = other[31].hull == 0 ? 1 : 0;
    views[4] = std::span<const BodyD>(other);
    EXPECT_EQ(refused(all.first(5), {}, "same hull"), 31U);

    // A refusal leaves the latest window as it was.
    ASSERT_TRUE(finder.find(w.hulls, all.first(4), {}).status);
    refused(all.first(5), {}, "same hull");
    std::vector<Pair> pairs(finder.count(3));
    EXPECT_FALSE(pairs.empty());
    EXPECT_TRUE(finder.list(3, pairs));
    EXPECT_EQ(finder.list(4, {}).where, 4U);
    EXPECT_EQ(finder.list(3, std::span(pairs).first(pairs.size() - 1)).where, pairs.size() - 1);
    WindowFinder moved = std::move(finder);
    EXPECT_FALSE(finder.find(w.hulls, all.first(1), {}).status);  // NOLINT(bugprone-use-after-move)
    EXPECT_EQ(finder.count(0), 0U);
    EXPECT_EQ(moved.count(3), pairs.size());
}

}  // namespace
}  // namespace lanefold::test
