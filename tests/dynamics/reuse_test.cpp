// SPDX-License-Identifier: MIT
//
// Bounded reuse in a world: its manifolds are within the promised bound of the exact ones at every step, whatever
// happens to bodies; equal bits on every instruction set, with any number of threads, after a restart and in the place
// of lost bodies; structures stand as without.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>
#include <vector>

#include <gtest/gtest.h>
#include <tbb/task_arena.h>

#include <lanefold/limits.hpp>
#include <lanefold/reuse_judge.hpp>

#include "anchored_pairs.hpp"
#include "support/isa_fixture.hpp"
#include "support/signed_state.hpp"
#include "support/world_scene.hpp"

namespace lanefold::test {
namespace {

constexpr float kReuse = 1e-2F;

WorldSettings reusing(float reuse = kReuse) {
    WorldSettings s;
    s.reuse = reuse;
    return s;
}

using Bytes = std::vector<std::byte>;

Bytes state_of(const World& world) {
    Bytes bytes;
    expect_good(world.save(bytes));
    return bytes;
}

// Steps, and how many pairs they carried.
std::uint64_t carried_in(World& world, int steps) {
    std::uint64_t carried = 0;
    for (int k = 0; k < steps; ++k) {
        const StepResult r = world.step(kWorldStep);
        EXPECT_TRUE(r.status) << r.status.what;
        carried += r.carried;
    }
    return carried;
}

class DynamicsReuse : public IsaTest {};

TEST_P(DynamicsReuse, GivesTheSameBitsOnEveryInstructionSetWithAnyThreads) {
    const StandingScene pile = pile_scene(11, 160, Shape::debris);
    World plain = make_world(pile, reusing());
    const std::uint64_t carried = carried_in(plain, 120);
    EXPECT_GT(carried, 120U * 40U);
    for (const std::uint32_t threads : {1U, 3U}) {
        WorldSettings s = reusing();
        s.isa = GetParam();
        s.threads = threads;
        World world = make_world(pile, s);
        tbb::task_arena arena(static_cast<int>(threads));
        arena.execute([&] { EXPECT_EQ(carried_in(world, 120), carried); });
        EXPECT_TRUE(state_of(world) == state_of(plain)) << threads;
    }
}
LANEFOLD_INSTANTIATE_ISA_TESTS(DynamicsReuse);

// Judges every pair of a step by the oracle.
struct JudgedSteps {
    std::vector<reference::OracleHull> oracles;
    std::uint64_t pairs = 0;
    std::uint64_t reported = 0;
    std::uint64_t carried = 0;
    double distance_share = 0;

    explicit JudgedSteps(const HullSet& hulls) {
        for (std::size_t i = 0; i < hulls.size(); ++i) oracles.push_back(reference::make_oracle_hull(hulls, i));
    }

    void step(World& world) {
        const std::span<const Pair> candidates = world.find_pairs(kWorldStep).pairs;
        const std::vector<Pair> pairs_now(candidates.begin(), candidates.end());
        std::vector<float> margins;
        for (const Pair& pair : pairs_now) margins.push_back(world.pair_margin(pair, kWorldStep));
        const std::vector<BodyD> bodies(world.bodies().begin(), world.bodies().end());
        const StepResult r = world.step(kWorldStep);
        ASSERT_TRUE(r.status) << r.status.what;
        carried += r.carried;
        ASSERT_EQ(r.pairs, pairs_now.size());
        const std::span<const Manifold4> records = world.contacts();
        std::size_t next = 0;
        for (std::size_t i = 0; i < pairs_now.size(); ++i) {
            const Pair& pair = pairs_now[i];
            const bool has = next < records.size() && Pair{records[next].pair[0], records[next].pair[1]} == pair;
            judge(world, bodies, pair, margins[i], has ? records[next] : Manifold4{});
            next += has ? 1U : 0U;
        }
        ASSERT_EQ(next, records.size());
    }

    void judge(const World& world, const std::vector<BodyD>& bodies, const Pair& pair, float margin,
               const Manifold4& record) {
        const BodyD& a = bodies[pair.a];
        const BodyD& b = bodies[pair.b];
        reference::JudgedPair q;
        q.index_a = pair.a;
        q.index_b = pair.b;
        q.a = &oracles[a.hull];
        q.b = &oracles[b.hull];
        q.record_a = &world.hulls()[a.hull];
        q.record_b = &world.hulls()[b.hull];
        q.pose_a = reference::oracle_pose(a.position, a.orientation);
        q.pose_b = reference::oracle_pose(b.position, b.orientation);
        q.margin = margin;
        q.face_preference = world.settings().face_preference;
        q.hysteresis = world.settings().hysteresis;
        const reference::Judgement j = reference::judge_reuse(q, record, world.settings().reuse);
        EXPECT_TRUE(j.right()) << "pair (" << pair.a << ", " << pair.b << "): " << j.what;
        ++pairs;
        reported += is_reported(record) ? 1U : 0U;
        distance_share = std::max(distance_share, j.distance_share);
    }
};

// A pile settles; bodies are placed elsewhere and come back to within the bound of their anchors and beyond it, are
// pushed, and fall asleep.
TEST(DynamicsReuseBound, HoldsInEveryStep) {
    const StandingScene pile = pile_scene(3, 60, Shape::debris);
    World world = make_world(pile, reusing());
    JudgedSteps judged(world.hulls());
    run(world, 1);
    for (int k = 0; k < 60; ++k) {
        judged.step(world);
        const std::size_t body = 6 + static_cast<std::size_t>(k) % 50;
        BodyD pose = world.bodies()[body];
        pose.position[0] += k % 3 == 0 ? 0.002 : k % 3 == 1 ? 0.03 : 1e-4;
        if (k % 5 == 0) expect_good(world.set_pose(body, pose.position, pose.orientation));
        if (k % 19 == 0) expect_good(world.apply_impulse(body, {0, 40, 5}, world.centre(body)));
    }
    std::printf("%llu pairs, %llu reported, %llu carried, share of the bound %.3f\n",
                static_cast<unsigned long long>(judged.pairs), static_cast<unsigned long long>(judged.reported),
                static_cast<unsigned long long>(judged.carried), judged.distance_share);
    EXPECT_GT(judged.carried, judged.pairs / 12);
    EXPECT_GT(judged.reported, judged.pairs / 4);
    EXPECT_GT(judged.distance_share, 0.01) << "records are exact";
}

TEST(DynamicsReuseState, RestoredWorldGoesOnToTheSameBits) {
    const StandingScene pile = pile_scene(11, 120, Shape::debris);
    World whole = make_world(pile, reusing());
    World other = make_world(pile, reusing());
    std::uint64_t carried = 0;
    for (int k = 0; k < 12; ++k) {
        carried_in(whole, 20);
        const Bytes bytes = state_of(whole);
        World fresh = make_world(pile, reusing());
        expect_good(fresh.restore(bytes));
        EXPECT_TRUE(state_of(fresh) == bytes);
        carried_in(other, 7);
        expect_good(other.restore(bytes));
        const std::uint64_t own = carried_in(whole, 15);
        EXPECT_EQ(carried_in(fresh, 15), own);
        EXPECT_EQ(carried_in(other, 15), own);
        EXPECT_TRUE(state_of(fresh) == state_of(whole)) << k;
        EXPECT_TRUE(state_of(other) == state_of(whole)) << k;
        carried += own;
    }
    EXPECT_GT(carried, 12U * 15U * 20U);
}

// Pairs that a step of the restored world carries.
std::uint64_t carried_after(World& world, const Bytes& bytes) {
    expect_good(world.restore(bytes));
    return world.step(kWorldStep).carried;
}

TEST(DynamicsReuseState, ForgedAnchorsAreRefusedOrComputed) {
    const StandingScene pile = pile_scene(11, 60, Shape::debris);
    World world = make_world(pile, reusing());
    run(world, 1.65);
    const Bytes good = state_of(world);
    // The last anchor that has a contact, or its numbers would not count.
    std::size_t last = good.size();
    detail::SavedAnchor anchor;
    do {
        last -= sizeof anchor;
        std::memcpy(&anchor, good.data() + last, sizeof anchor);
    } while (anchor.state.what != detail::kFreshAnchor && anchor.state.what != detail::kCarriedAnchor);
    const auto with = [&](std::size_t at, auto value) {
        Bytes bytes = good;
        std::memcpy(bytes.data() + last + at, &value, sizeof value);
        sign(bytes);
        return bytes;
    };
    const auto at = [](std::size_t part, std::size_t offset) { return part + offset; };
    constexpr std::size_t kPose = offsetof(detail::SavedAnchor, pose);
    constexpr std::size_t kPoints = offsetof(detail::SavedAnchor, points);
    constexpr std::size_t kState = offsetof(detail::SavedAnchor, state);
    const float nan = std::numeric_limits<float>::quiet_NaN();
    EXPECT_TRUE(world.restore(good));
    const std::uint64_t before = state_hash(world);
    for (const Bytes& bytes :
         {with(at(kPose, 40), nan), with(at(kPose, 56), nan), with(at(kPoints, 0), nan),
          with(at(kPoints, 12), std::uint32_t{0xFFFFFFFFU}), with(at(kPoints, 12), 0U), with(at(kPoints, 124), nan),
          with(at(kState, 0), std::uint8_t{4}), with(at(kState, 1), std::uint8_t{9}), with(at(kState, 12), nan),
          with(offsetof(detail::SavedAnchor, pair), 0x10000U)}) {
        EXPECT_FALSE(world.restore(bytes));
        EXPECT_EQ(state_hash(world), before);
    }
    Bytes cut(good.begin(), good.end() - 8);
    sign(cut);
    EXPECT_FALSE(world.restore(cut));
    // Numbers that a step could not have made, though each is one that steps make: the pair is computed.
    const std::uint64_t carried = carried_after(world, good);
    ASSERT_GT(carried, 20U);
    for (const Bytes& bytes :
         {with(at(kState, 12), anchor.state.offset + 0.01F), with(at(kState, 4), std::uint32_t{1000000}),
          with(at(kPose, 36), anchor.pose.pose[9] + 0.01F), with(at(kPose, 0), -anchor.pose.pose[0]),
          with(at(kPoints, 0), anchor.points.normal[0] + 0.1F), with(at(kPoints, 0), -anchor.points.normal[0]),
          with(at(kPoints, 32), anchor.points.on_a[0][0] + 0.01F),
          with(at(kPoints, 80), anchor.points.on_b[0][0] + 0.01F)}) {
        EXPECT_EQ(carried_after(world, bytes), carried - 1);
    }
    // A world without reuse takes the state, and computes.
    World exact = make_world(pile);
    expect_good(exact.restore(good));
    EXPECT_EQ(exact.step(kWorldStep).carried, 0U);
}

// The step that loses a body begins again without it; the others keep the bits that they have without it.
TEST(DynamicsReuseState, LostBodiesChangeNoOtherBits) {
    constexpr std::size_t kPoisoned = 50;
    WorldSettings s = reusing();
    s.sleep = false;
    StandingScene pile = pile_scene(5, 120, Shape::debris);
    pile.bodies[kPoisoned].restitution = 1;
    pile.bodies[kPoisoned].density = 1e5F;
    World world = make_world(pile, s);
    run(world, 1.2);
    const Bytes state = state_of(world);
    World without = make_world(pile, s);
    expect_good(without.restore(state));
    // A heavy body bounces others off so fast that they are lost in the middle of the step.
    Bytes fast = state;
    const float velocity[3] = {0, -9e12F, 0};
    std::memcpy(fast.data() + saved_body(kPoisoned) + kSavedVelocity, velocity, sizeof velocity);
    sign(fast);
    expect_good(world.restore(fast));
    std::uint64_t carried = 0;
    for (int k = 0; k < 30; ++k) {
        const StepResult r = world.step(kWorldStep);
        ASSERT_TRUE(r.status) << r.status.what;
        ASSERT_EQ(r.lost != 0, k == 0);
        std::vector<Pair> kept;
        for (const Pair& pair : without.find_pairs(kWorldStep).pairs) {
            if (!world.lost(pair.a) && !world.lost(pair.b)) kept.push_back(pair);
        }
        ASSERT_TRUE(without.step(kWorldStep, kept).status);
        carried += r.carried;
        for (std::size_t i = 0; i < world.size(); ++i) {
            if (world.lost(i)) continue;
            ASSERT_EQ(std::memcmp(&world.bodies()[i], &without.bodies()[i], sizeof(BodyD)), 0) << k << ' ' << i;
        }
    }
    EXPECT_GT(carried, 30U * 10U);
}

TEST(DynamicsReuseSettings, AreRefusedOutOfRange) {
    World world = make_world(pile_scene(3, 5));
    for (const float wrong :
         {-1e-3F, 0.11F, std::numeric_limits<float>::infinity(), std::numeric_limits<float>::quiet_NaN()}) {
        const CallStatus status = world.set_settings(reusing(wrong));
        EXPECT_EQ(status.code, Status::bad_argument) << wrong;
        EXPECT_STREQ(status.what, "settings.reuse must be 0 to 0.1; 0 would do");
    }
    EXPECT_EQ(world.settings().reuse, 0);
    expect_good(world.set_settings(reusing(kMaxReuse)));
}

// Patches have no previous records, and anchors all the same.
TEST(DynamicsReuseSettings, PatchesAreCarriedToo) {
    WorldSettings s = reusing();
    s.method = ContactMethod::patch;
    World world = make_world(pile_scene(11, 60, Shape::debris), s);
    run(world, 1.5);
    EXPECT_GT(carried_in(world, 20), 60U);
}

// Nothing to carry among boxes: the bits are those without reuse.
TEST(DynamicsReuseSettings, BoxesAreComputed) {
    const StandingScene scene = rough_tower_scene(6, 3);
    World exact = make_world(scene);
    World world = make_world(scene, reusing());
    run(exact, 2);
    EXPECT_EQ(carried_in(world, 120), 0U);
    EXPECT_EQ(state_hash(world), state_hash(exact));
}

double moved(const World& world, const StandingScene& scene) {
    double most = 0;
    for (std::size_t i = 1; i < world.size(); ++i) {
        const double* p = scene.bodies[i].position;
        const double* q = world.bodies()[i].position;
        most = std::max(most, length(Vec3d{q[0] - p[0], q[1] - p[1], q[2] - p[2]}));
    }
    return most;
}

// The stones of an arch and drums of 16 sides on one another: their contacts are carried, and they stand.
TEST(DynamicsReuseStands, ArchesAndTowersOfDrums) {
    WorldSettings s = reusing();
    s.sleep = false;
    const StandingScene thick = arch_scene(15, 0.13, 0.8F);
    World standing = make_world(thick, s);
    EXPECT_GT(carried_in(standing, 1200), 1200U * 10U);
    std::printf("arch: moved %.3g m in 20 s\n", moved(standing, thick));
    EXPECT_LT(moved(standing, thick), 0.05);
    World falling = make_world(arch_scene(15, 0.085, 0.8F), s);
    run(falling, 5);
    EXPECT_GT(moved(falling, arch_scene(15, 0.085, 0.8F)), 1);

    StandingScene drums = rough_tower_scene(1, 1);
    Points drum;
    for (int i = 0; i < 16; ++i) {
        const double angle = 3.14159265358979 * i / 8;
        for (const float y : {-0.5F, 0.5F})
            drum.push_back({static_cast<float>(0.5 * std::cos(angle)), y, static_cast<float>(0.5 * std::sin(angle))});
    }
    drums.hulls = world_hulls(std::vector<Points>{drum});
    drums.bodies.resize(1);
    for (int i = 0; i < 8; ++i) drums.bodies.push_back(body_at(0.01 * (i % 3), 0.5 + i, 0.01 * (i % 2), 2));
    World tower = make_world(drums, s);
    EXPECT_GT(carried_in(tower, 1200), 1200U * 4U);
    std::printf("drums: moved %.3g m in 20 s\n", moved(tower, drums));
    EXPECT_LT(moved(tower, drums), 0.02);
}

}  // namespace
}  // namespace lanefold::test
