// SPDX-License-Identifier: MIT
//
// The same bits on every instruction set, with any number of threads, with whichever candidate pairs, and after a
// restart. The golden hashes are those of a pile with links after 1.5 s; they change only on purpose.
#include <gtest/gtest.h>

#include <cstddef>
#include <cstring>
#include <vector>

#include <tbb/task_arena.h>

#include <lanefold/isa.hpp>
#include <lanefold/narrowphase.hpp>

#include "support/isa_fixture.hpp"
#include "support/signed_state.hpp"
#include "support/world_scene.hpp"

namespace lanefold::test {
namespace {

constexpr std::uint64_t kGoldenClip = 0xff3790e0b8671522ULL;
constexpr std::uint64_t kGoldenPatch = 0xebb9860598f19fa5ULL;

// Debris of all numbers of points, some with restitution, two chains and cables, a moving plate.
World bits_world(const WorldSettings& settings) {
    StandingScene pile = pile_scene(11, 160, Shape::debris);
    for (std::size_t i = 5; i < pile.bodies.size(); i += 7) pile.bodies[i].restitution = 0.5F;
    RigidBody plate = body_at(0, 0.2, 0, 1);
    plate.kind = BodyKind::kinematic;
    plate.velocity[0] = 0.3F;
    plate.spin[1] = 1;
    pile.bodies.push_back(plate);
    World world = make_world(pile.hulls, pile.bodies, settings);
    std::vector<BodyLink> links;
    for (std::uint32_t i = 0; i < 12; ++i) {
        BodyLink link;
        link.kind = i % 3 == 0 ? LinkKind::cable : LinkKind::rod;
        link.a = 8 + i;
        link.b = 9 + i;
        link.end_a = {0.05, 0, 0};
        link.length = length(world.centre(link.a) - world.centre(link.b));
        links.push_back(link);
    }
    BodyLink hung;
    hung.kind = LinkKind::cable;
    hung.a = 50;
    hung.end_b = world.centre(50) + Vec3d{0, 1, 0};
    hung.length = 1.2;
    hung.restitution = 0.4F;
    links.push_back(hung);
    expect_good(world.add_links(links));
    return world;
}

std::uint64_t hash_after(World& world, int steps, StepResult* last = nullptr) {
    for (int k = 0; k < steps; ++k) {
        const StepResult r = world.step(kWorldStep);
        EXPECT_TRUE(r.status) << r.status.what;
        if (last != nullptr) *last = r;
    }
    return state_hash(world);
}

class DynamicsBits : public IsaTest {};

TEST_P(DynamicsBits, AreThoseOfEveryInstructionSet) {
    for (const ContactMethod method : {ContactMethod::clip, ContactMethod::patch}) {
        WorldSettings s;
        s.isa = GetParam();
        s.method = method;
        World world = bits_world(s);
        StepResult last;
        const std::uint64_t hash = hash_after(world, 90, &last);
        EXPECT_EQ(last.isa, GetParam());
        EXPECT_GT(last.contacts, 200U);
        EXPECT_EQ(last.links, 13U);
        EXPECT_EQ(hash, method == ContactMethod::clip ? kGoldenClip : kGoldenPatch)
            << std::hex << hash << (method == ContactMethod::clip ? " clip" : " patch");
    }
}
LANEFOLD_INSTANTIATE_ISA_TESTS(DynamicsBits);

TEST(DynamicsThreads, GiveTheSameBits) {
    for (const std::uint32_t threads : {1U, 2U, 3U, 5U}) {
        WorldSettings s;
        s.threads = threads;
        World world = bits_world(s);
        std::uint64_t hash = 0;
        tbb::task_arena arena(static_cast<int>(threads));
        arena.execute([&] { hash = hash_after(world, 90); });
        EXPECT_EQ(hash, kGoldenClip) << threads;
    }
}

// The caller's pairs in any order, repeated or more than needed, and the caller's own narrowphase, give the same result
// as the world's.
TEST(DynamicsPairs, OfTheCallerGiveTheSameBits) {
    World world = bits_world({});
    World by_pairs = bits_world({});
    World by_manifolds = bits_world({});
    Workspace workspace;
    std::vector<Manifold4> out;
    for (int k = 0; k < 40; ++k) {
        std::vector<Pair> all;
        for (std::uint32_t a = 0; a < world.size(); ++a)
            for (std::uint32_t b = a + 1; b < world.size(); ++b) all.push_back({b, a});
        const WorldPairs candidates = by_manifolds.find_pairs(kWorldStep);
        ASSERT_TRUE(candidates.status) << candidates.status.what;
        const std::span<const Pair> found = candidates.pairs;
        std::vector<float> margins;
        for (const Pair& pair : found) margins.push_back(by_manifolds.pair_margin(pair, kWorldStep));
        CallInputs inputs;
        inputs.pair_margins = margins;
        inputs.previous = PreviousContacts::compact(by_manifolds.contacts());
        inputs.unmoved = by_manifolds.unmoved();
        out.resize(found.size());
        const CompactResult r =
            collide_compact(by_manifolds.hulls(), by_manifolds.bodies(), found, Options{}, out, workspace, inputs);
        ASSERT_TRUE(r.status) << r.status.what;
        out.resize(r.written);
        ASSERT_TRUE(world.step(kWorldStep).status);
        ASSERT_TRUE(by_manifolds.advance(kWorldStep, out).status);
        if (k < 4) {
            ASSERT_TRUE(by_pairs.step(kWorldStep, all).status);
            EXPECT_EQ(by_pairs.contacts().size() >= world.contacts().size(), true);
        }
    }
    EXPECT_EQ(state_hash(world), state_hash(by_manifolds));
}

TEST(DynamicsState, RestoredWorldGoesOnToTheSameBits) {
    World whole = bits_world({});
    World first = bits_world({});
    World second = bits_world({});
    hash_after(first, 50);
    std::vector<std::byte> bytes;
    expect_good(first.save(bytes));
    hash_after(second, 3);
    expect_good(second.restore(bytes));
    EXPECT_EQ(hash_after(second, 40), hash_after(whole, 90));

    // Bytes that are no such state are refused, and nothing changes.
    const std::uint64_t before = state_hash(second);
    std::vector<std::byte> damaged = bytes;
    damaged[bytes.size() / 2] ^= std::byte{1};
    EXPECT_FALSE(second.restore(damaged));
    EXPECT_FALSE(second.restore(std::span(bytes).first(bytes.size() - 1)));
    EXPECT_FALSE(second.restore(std::span(bytes).first(10)));
    EXPECT_FALSE(second.restore({}));
    World other = make_world(tower_scene(2));
    EXPECT_FALSE(other.restore(bytes));
    EXPECT_EQ(state_hash(second), before);
}

// Every bit of the bytes counts, those of the head too.
TEST(DynamicsState, EveryDamagedBitIsSeen) {
    World world = make_world(tower_scene(2));
    run(world, 0.1);
    std::vector<std::byte> bytes;
    expect_good(world.save(bytes));
    for (std::size_t i = 0; i < 8 * bytes.size(); ++i) {
        std::vector<std::byte> damaged = bytes;
        damaged[i / 8] ^= static_cast<std::byte>(1U << (i % 8));
        EXPECT_FALSE(world.restore(damaged)) << "bit " << i;
    }
    expect_good(world.restore(bytes));
}

TEST(DynamicsState, ForgedNumbersAreRefused) {
    World world = make_world(tower_scene(2));
    run(world, 2);
    ASSERT_TRUE(world.asleep(1));
    std::vector<std::byte> bytes;
    expect_good(world.save(bytes));
    std::vector<std::byte> copy = bytes;
    sign(copy);
    ASSERT_TRUE(copy == bytes) << "the checksum is that of save()";
    constexpr std::size_t kLabel = 108;
    const std::size_t records = saved_body(3);
    ASSERT_EQ(bytes.size(), records + 2 * (sizeof(Manifold4) + sizeof(ContactImpulse)));
    const std::uint64_t before = state_hash(world);
    const auto forged = [&](std::size_t at, std::uint32_t number, std::size_t size) {
        copy = bytes;
        std::memcpy(copy.data() + at, &number, size);
        sign(copy);
        return world.restore(copy);
    };
    for (const CallStatus& status : {
             forged(saved_body(1) + kLabel, 3, 4),                // a label of a body that does not exist
             forged(records, 3, 4),                               // so is a manifold's body
             forged(records, 1, 4),                               // a body with itself
             forged(records, 2, 4),                               // a pair before the one before
             forged(records + offsetof(Manifold4, count), 5, 1),  // too many points
         }) {
        EXPECT_STREQ(status.what, "state: damaged");
    }
    EXPECT_EQ(state_hash(world), before);
    run(world, 0.1);
    expect_good(world.restore(bytes));
    EXPECT_EQ(state_hash(world), before);
}

// As many bodies and links with the same hulls, but not the same ones.
TEST(DynamicsState, OfOtherBodiesOrLinksIsRefused) {
    StandingScene scene = tower_scene(2);
    BodyLink link;
    link.a = 1;
    link.length = 2;
    World world = make_world(scene);
    expect_good(world.add_links({&link, 1}));
    run(world, 0.1);
    std::vector<std::byte> bytes;
    expect_good(world.save(bytes));
    const auto restored = [&](const StandingScene& s, const BodyLink& l) {
        World other = make_world(s);
        expect_good(other.add_links({&l, 1}));
        return static_cast<bool>(other.restore(bytes));
    };
    EXPECT_TRUE(restored(scene, link));
    const auto changed = [&](auto change) {
        StandingScene s = scene;
        change(s.bodies[2]);
        return restored(s, link);
    };
    EXPECT_FALSE(changed([](RigidBody& b) { b.kind = BodyKind::kinematic; }));
    EXPECT_FALSE(changed([](RigidBody& b) { b.hull = 0; }));
    EXPECT_FALSE(changed([](RigidBody& b) { b.mass = 7; }));
    EXPECT_FALSE(changed([](RigidBody& b) { b.friction = 0.5F; }));
    EXPECT_FALSE(changed([](RigidBody& b) { b.category = 2; }));
    BodyLink longer = link;
    longer.length = 3;
    EXPECT_FALSE(restored(scene, longer));
}

}  // namespace
}  // namespace lanefold::test
