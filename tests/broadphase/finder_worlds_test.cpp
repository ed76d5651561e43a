// SPDX-License-Identifier: MIT
//
// Worlds in a finder: the list is that of brute force in every world alone, world after world, for worlds of any size
// in one place, in any order of bodies, with shared bodies, masks and bodies without a box. On every instruction set.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <span>
#include <vector>

#include <gtest/gtest.h>

#include <lanefold/broadphase.hpp>
#include <lanefold/window_finder.hpp>

#include "support/finder_world.hpp"
#include "support/isa_fixture.hpp"
#include "support/random.hpp"

namespace lanefold::test {
namespace {

struct Worlds {
    FinderWorld all;
    std::vector<std::int32_t> world;
    std::vector<std::uint8_t> active;
    std::uint32_t count = 0;

    PairFinderOptions options(float margin) const {
        PairFinderOptions o = all.options(margin);
        o.world = world;
        o.worlds = count;
        o.active = active;
        return o;
    }
};

// Worlds of 0 to 9 bodies, one of 30, one of 300, and two shared plates: all of them in one place.
Worlds make_worlds(std::uint64_t seed, bool shuffled, Isa isa) {
    Random random(seed);
    Worlds w;
    std::vector<std::int32_t> world;
    for (; w.count < 60; ++w.count) {
        auto n = static_cast<std::size_t>(random.uniform(0, 10));
        if (w.count == 20) n = 30;
        if (w.count == 40) n = 300;
        world.insert(world.end(), n, static_cast<std::int32_t>(w.count));
    }
    world.insert(world.end(), 2, kSharedBody);
    w.all = make_world(seed, static_cast<std::uint32_t>(world.size()), 1.5, isa);
    w.world = world;
    if (shuffled) {
        for (std::size_t i = world.size(); i > 1; --i)
            std::swap(w.world[i - 1], w.world[static_cast<std::size_t>(random.uniform(0, static_cast<double>(i)))]);
    }
    for (std::size_t i = 0; i < w.world.size(); ++i) {
        if (w.world[i] != kSharedBody) continue;
        w.all.inverse_mass[i] = 0;
        w.all.bodies[i].hull = 20;
    }
    return w;
}

bool is_active(const Worlds& w, std::int32_t world) {
    return w.active.empty() || w.active[static_cast<std::size_t>(world)] != 0;
}

// Brute force over all bodies, world after world. `all`: with the poses that the finder has seen last.
std::uint64_t expect_worlds(PairFinder& finder, const Worlds& w, const FinderWorld& seen, float margin) {
    const PairFinderResult found = finder.find(w.all.hulls, w.all.view(), w.options(margin));
    EXPECT_TRUE(found.status) << found.status.what;
    std::vector<std::vector<Pair>> expected(w.count);
    for (const Pair& p : brute_force(seen, seen.options(margin))) {
        const std::int32_t a = w.world[p.a];
        const std::int32_t b = w.world[p.b];
        if (a != b && a != kSharedBody && b != kSharedBody) continue;
        const std::int32_t world = std::max(a, b);
        if (world != kSharedBody && is_active(w, world)) expected[static_cast<std::size_t>(world)].push_back(p);
    }
    if (found.world_offsets.size() != w.count + std::size_t{1}) {
        ADD_FAILURE() << found.world_offsets.size() << " offsets";
        return 0;
    }
    EXPECT_EQ(found.world_offsets.front(), 0U);
    EXPECT_EQ(found.world_offsets.back(), found.pairs.size());
    for (std::uint32_t k = 0; k < w.count; ++k) {
        const std::uint64_t first = found.world_offsets[k];
        const auto own = found.pairs.subspan(first, found.world_offsets[k + 1] - first);
        EXPECT_TRUE(std::equal(own.begin(), own.end(), expected[k].begin(), expected[k].end()))
            << "world " << k << ": " << own.size() << " found, " << expected[k].size() << " expected";
    }
    return found.pairs.size();
}

class EveryWorldFinder : public IsaTest {};

TEST_P(EveryWorldFinder, ListsAreThoseOfEveryWorldAlone) {
    for (const bool shuffled : {false, true}) {
        Random random(91);
        Worlds w = make_worlds(91, shuffled, GetParam());
        FinderWorld seen = w.all;
        PairFinder finder;
        std::uint64_t pairs = 0;
        for (int frame = 0; frame < 16; ++frame) {
            // All rest, few move, all move, few move with a mask, which changes.
            const int kind = frame % 4;
            w.active.clear();
            if (kind == 3) {
                for (std::uint32_t k = 0; k < w.count; ++k) w.active.push_back(random.uniform(0, 1) < 0.4 ? 1 : 0);
            }
            for (std::size_t i = 0; i < w.world.size(); ++i) {
                BodyD& body = w.all.bodies[i];
                if (w.world[i] == kSharedBody || kind == 0 || (kind != 2 && i % 16 != 1)) continue;
                for (double& x : body.position) x += random.uniform(-0.3, 0.3);
                turn(random, body, 0.3);
            }
            // One without a pose, and one that is far away, until the next frame in which all move.
            if (kind == 1) w.all.bodies[5].position[1] = std::numeric_limits<double>::quiet_NaN();
            if (kind == 1) w.all.bodies[9].position[0] = 1e200;
            if (kind == 2) w.all.bodies[5].position[1] = w.all.bodies[9].position[0] = 0.1;
            for (std::size_t i = 0; i < w.world.size(); ++i) {
                // The finder does not read the bodies of a world that takes no part.
                if (w.world[i] == kSharedBody || is_active(w, w.world[i])) seen.bodies[i] = w.all.bodies[i];
            }
            pairs += expect_worlds(finder, w, seen, 0.05F);
        }
        EXPECT_GT(pairs, 100000U);
    }
}

TEST_P(EveryWorldFinder, ChangedWorldsAreSeen) {
    Worlds w = make_worlds(92, false, GetParam());
    PairFinder finder;
    expect_worlds(finder, w, w.all, 0.02F);
    // A body changes its world; then the worlds change places.
    w.world[3] = 40;
    expect_worlds(finder, w, w.all, 0.02F);
    for (std::int32_t& k : w.world) k = k == kSharedBody ? k : static_cast<std::int32_t>(w.count) - 1 - k;
    expect_worlds(finder, w, w.all, 0.02F);
    // Without worlds every body meets every other one.
    const PairFinderResult one = finder.find(w.all.hulls, w.all.view(), w.all.options(0.02F));
    EXPECT_TRUE(one.world_offsets.empty());
    const std::vector<Pair> expected = brute_force(w.all, w.all.options(0.02F));
    EXPECT_TRUE(std::equal(one.pairs.begin(), one.pairs.end(), expected.begin(), expected.end()));
}

LANEFOLD_INSTANTIATE_ISA_TESTS(EveryWorldFinder);

void expect_refused(const Worlds& w, const PairFinderOptions& o, const char* what, std::uint64_t where) {
    PairFinder finder;
    const PairFinderResult r = finder.find(w.all.hulls, w.all.view(), o);
    EXPECT_EQ(r.status.code, Status::bad_argument);
    EXPECT_STREQ(r.status.what, what);
    EXPECT_EQ(r.status.where, where);
    EXPECT_TRUE(r.pairs.empty());
}

TEST(FinderWorlds, BadWorldsAreRefused) {
    Worlds w = make_worlds(93, false, Isa::automatic);
    const std::size_t n = w.world.size();
    PairFinderOptions o = w.options(0);
    o.worlds = 0;
    expect_refused(w, o, "world is given, but worlds is 0", n);
    o = w.options(0);
    o.world = {};
    expect_refused(w, o, "worlds is given, but world is not", w.count);
    o = w.options(0);
    o.world = o.world.first(3);
    expect_refused(w, o, "world needs one number for each body, or none", 3);
    std::vector<std::int32_t> bad = w.world;
    bad[7] = static_cast<std::int32_t>(w.count);
    o = w.options(0);
    o.world = bad;
    expect_refused(w, o, "world must be kSharedBody or below worlds", 7);
    bad[7] = -2;
    expect_refused(w, o, "world must be kSharedBody or below worlds", 7);
    const std::vector<std::uint8_t> active(w.count - 1, 1);
    o = w.options(0);
    o.active = active;
    expect_refused(w, o, "active needs one byte for each world, or none", active.size());
    std::vector<float> moves = w.all.inverse_mass;
    moves[n - 1] = 1;
    o = w.options(0);
    o.inverse_mass = moves;
    expect_refused(w, o, "world: a shared body must not move", n - 1);
    std::vector<Vec3f> motion(n);
    motion[n - 2].z = 0.1F;
    o = w.options(0);
    o.motion = motion;
    expect_refused(w, o, "world: a shared body must not move", n - 2);

    WindowFinder window;
    const BodyView view = w.all.view();
    const auto r = window.find(w.all.hulls, {&view, 1}, w.options(0));
    EXPECT_STREQ(r.status.what, "world is for PairFinder");
}

}  // namespace
}  // namespace lanefold::test
