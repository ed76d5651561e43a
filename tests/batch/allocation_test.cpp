// SPDX-License-Identifier: MIT
//
// After one call, a call of the same shape allocates nothing.
#include <gtest/gtest.h>

#include <algorithm>

#include <tbb/task_arena.h>

#include <lanefold/contact_response.hpp>
#include <lanefold/contact_stream.hpp>
#include <lanefold/isa.hpp>
#include <lanefold/world.hpp>

#include "support/batch_scene.hpp"
#include "support/batch_threads.hpp"
#include "support/counted_new.hpp"
#include "support/world_scene.hpp"

namespace lanefold::test {
namespace {

// Allocations of the second and third of three equal calls.
template <class Call>
std::uint64_t allocations_when_warm(Call call) {
    call();
    const std::uint64_t before = allocations.load();
    call();
    call();
    return allocations.load() - before;
}

class Allocation : public testing::TestWithParam<Isa> {
protected:
    Allocation() { options.isa = GetParam(); }

    BatchScene scene = make_bad_batch_scene(77, 200, 4000);
    Options options = scene.options();
    Workspace workspace;
};

TEST(AllocationCounter, CountsOurAllocations) {
    const std::uint64_t before = allocations.load();
    Workspace workspace;
    EXPECT_GT(allocations.load(), before) << "the counter must be the one in use";
}

// A pile falls. Candidates, contacts and colours change from step to step. Every call restores the start and simulates
// the same fall, so earlier ones have met the largest number of each. The first begins with a broad phase that has seen
// nothing, the others with what it knows from the end of the fall, so two calls warm the world up.
TEST(AllocationWorld, StepsAllocateNothingWhenWarm) {
    const StandingScene pile = pile_scene(3, 60, Shape::debris);
    World world = make_world(pile.hulls, pile.bodies);
    std::vector<std::byte> start;
    expect_good(world.save(start));
    tbb::task_arena arena(4);
    const auto fall = [&] {
        EXPECT_TRUE(world.restore(start));
        std::uint64_t contacts = 0;
        for (int k = 0; k < 90; ++k) contacts += world.step(kWorldStep).contacts;
        EXPECT_GT(contacts, 1000U);
        EXPECT_TRUE(world.set_velocity(9, {0, 1, 0}, {}));
    };
    arena.execute([&] {
        fall();
        EXPECT_EQ(allocations_when_warm(fall), 0U);
    });
}

// A pile of spheres, a cable and a rod: contacts made and resolved in either order.
TEST(AllocationCounter, ContactResponseAllocatesNothingWhenWarm) {
    constexpr std::uint32_t kBodies = 60;
    std::vector<Vec3d> position(kBodies), velocity(kBodies);
    std::vector<double> inverse_mass(kBodies, 1.0), radius(kBodies, 0.6);
    std::vector<Pair> pairs;
    for (std::uint32_t i = 0; i < kBodies; ++i) {
        const std::uint32_t row = i / 4 % 4;
        const std::uint32_t layer = i / 16;
        position[i] = {0.9 * (i % 4), 0.9 * row, 0.9 * layer};
        for (std::uint32_t k = 0; k < i; ++k) pairs.push_back({k, i});
    }
    Link link;
    link.a = 3;
    link.b = 40;
    link.length = 0.5;
    const ResponseBodies bodies{position, velocity, inverse_mass, {}};
    std::vector<ResponseContact> contacts;
    ResponseWorkspace workspace;
    std::uint32_t resolved = 0;
    const auto step = [&](ResolutionOrder order) {
        for (Vec3d& v : velocity) v.z -= 0.1;
        contacts.clear();
        append_spheres(pairs, bodies, radius, 0.2, contacts);
        EXPECT_TRUE(append_cables({&link, 1}, bodies, contacts));
        EXPECT_TRUE(append_rods({&link, 1}, bodies, contacts));
        ResponseSettings settings;
        settings.order = order;
        settings.iterations = 500;
        const ResponseResult r = resolve_contacts(contacts, bodies, settings, workspace);
        resolved += r.position_iterations + r.velocity_iterations;
    };
    // The same fall each time: the memory is warm after the largest step.
    const std::vector<Vec3d> start = position;
    EXPECT_EQ(allocations_when_warm([&] {
                  std::copy(start.begin(), start.end(), position.begin());
                  std::fill(velocity.begin(), velocity.end(), Vec3d{});
                  for (int i = 0; i < 5; ++i) {
                      step(ResolutionOrder::passes);
                      step(ResolutionOrder::per_contact);
                  }
              }),
              0U);
    EXPECT_GT(resolved, 100U);
}

// Scales that a workspace knows; those of the first call are known to the others.
TEST_P(Allocation, KnownScalesAllocateNothing) {
    std::vector<float> scales(scene.bodies.size());
    for (std::size_t i = 0; i < scales.size(); ++i) scales[i] = 0.5F + 0.25F * static_cast<float>(i % 7);
    scales[5] = -1;
    const BodyView bodies = scene.view().with_scale(scales.data());
    std::vector<Manifold4> out(scene.pairs.size());
    EXPECT_EQ(allocations_when_warm([&] {
                  const BatchResult r = collide_serial(scene.hulls, bodies, std::span<const Pair>(scene.pairs), options,
                                                       std::span(out), workspace);
                  EXPECT_TRUE(r.status);
                  EXPECT_GT(r.touching, 100U);
              }),
              0U);
}

TEST_P(Allocation, SerialCallsAllocateNothingWhenWarm) {
    std::vector<Manifold4> out(scene.pairs.size());
    std::vector<Manifold16> out16(scene.pairs.size());
    EXPECT_EQ(allocations_when_warm([&] {
                  EXPECT_TRUE(collide_serial(scene.hulls, scene.view(), scene.pairs, options, out, workspace).status);
                  EXPECT_TRUE(collide_serial(scene.hulls, scene.view(), scene.pairs, options, out16, workspace).status);
              }),
              0U);
}

// Pairs come and go, in order and out of order, with marks and hysteresis.
TEST_P(Allocation, StreamStepsAllocateNothingWhenWarm) {
    std::sort(scene.pairs.begin(), scene.pairs.end());
    std::vector<Pair> shuffled(scene.pairs.rbegin(), scene.pairs.rend());
    const std::vector<std::uint8_t> marks(scene.bodies.size(), 1);
    const std::span<const Pair> lists[] = {scene.pairs, std::span(scene.pairs).subspan(500), shuffled,
                                           std::span(shuffled).subspan(700), std::span(scene.pairs).first(900)};
    tbb::task_arena arena(4);
    ContactStream<Manifold4> stream;
    ContactStream<Manifold16> stream16;
    std::uint64_t kept = 0;
    EXPECT_EQ(allocations_when_warm([&] {
                  arena.execute([&] {
                      for (int k = 0; k < 10; ++k) {
                          StepInputs inputs;
                          inputs.unmoved =
                              k % 3 == 0 ? std::span<const std::uint8_t>(marks) : std::span<const std::uint8_t>();
                          kept += stream.step(scene.hulls, scene.view(), lists[k % 5], options, inputs).kept;
                          kept += stream16.step(scene.hulls, scene.view(), lists[k % 5], options, inputs).kept;
                      }
                  });
              }),
              0U);
    EXPECT_GT(kept, 10000U);
}

TEST_P(Allocation, OnePairCallsAllocateNothingWhenWarm) {
    Manifold4 out{};
    Manifold16 out16{};
    EXPECT_EQ(
        allocations_when_warm([&] {
            for (const Pair& p : scene.pairs) {
                if (p.a >= scene.bodies.size() || p.b >= scene.bodies.size()) continue;
                EXPECT_TRUE(
                    collide_pair(scene.hulls, scene.bodies[p.a], scene.bodies[p.b], options, out, workspace).status);
                EXPECT_TRUE(
                    collide_pair(scene.hulls, scene.bodies[p.a], scene.bodies[p.b], options, out16, workspace).status);
            }
        }),
        0U);
}

TEST_P(Allocation, ParallelCallsAllocateNothingWhenWarm) {
    tbb::task_arena arena(4);
    std::vector<Manifold4> out(scene.pairs.size());
    std::vector<PairDistance> distances(scene.pairs.size());
    std::vector<std::uint64_t> bits((scene.pairs.size() + 63) / 64);
    arena.execute([&] {
        EXPECT_EQ(
            allocations_when_warm([&] {
                EXPECT_TRUE(collide(scene.hulls, scene.view(), scene.pairs, options, out, workspace).status);
                EXPECT_TRUE(collide(scene.hulls, scene.view(), scene.pairs, options, distances, workspace).status);
                EXPECT_TRUE(collide_overlap(scene.hulls, scene.view(), scene.pairs, options, bits, workspace).status);
            }),
            0U);
    });
}

TEST_P(Allocation, CompactCallsAllocateNothingWhenWarm) {
    tbb::task_arena arena(4);
    std::vector<Manifold4> out(scene.pairs.size());
    arena.execute([&] {
        EXPECT_EQ(
            allocations_when_warm([&] {
                EXPECT_TRUE(collide_compact(scene.hulls, scene.view(), scene.pairs, options, out, workspace).status);
                const CompactResult full = collide_compact(scene.hulls, scene.view(), scene.pairs, options,
                                                           std::span<Manifold4>(out).first(100), workspace);
                EXPECT_EQ(full.status.code, Status::truncated);
            }),
            0U);
    });
}

TEST_P(Allocation, CallsWithPreviousContactsAllocateNothingWhenWarm) {
    std::sort(scene.pairs.begin(), scene.pairs.end());
    tbb::task_arena arena(4);
    std::vector<Manifold4> previous(scene.pairs.size());
    std::vector<Manifold4> out(scene.pairs.size());
    std::vector<PairDistance> distances(scene.pairs.size());
    arena.execute([&] {
        const CompactResult first =
            collide_compact(scene.hulls, scene.view(), scene.pairs, options, previous, workspace);
        for (Body& body : scene.bodies) body.position[0] *= 1.01F;
        const CallInputs inputs{
            .previous = PreviousContacts::compact(std::span<const Manifold4>(previous).first(first.written))};
        std::uint64_t held = 0;
        EXPECT_EQ(
            allocations_when_warm([&] {
                held += collide(scene.hulls, scene.view(), scene.pairs, options, out, workspace, inputs).counters.held;
                EXPECT_TRUE(
                    collide(scene.hulls, scene.view(), scene.pairs, options, distances, workspace, inputs).status);
                EXPECT_TRUE(
                    collide_compact(scene.hulls, scene.view(), scene.pairs, options, out, workspace, inputs).status);
            }),
            0U);
        EXPECT_GT(held, 0U);
    });
}

TEST_P(Allocation, MemoryThatRunsOutIsAStatusAndTheWorkspaceStaysUsable) {
    const std::vector<Manifold4> expected = dense_reference<Manifold4>(scene, options);
    std::vector<Manifold4> out(scene.pairs.size());
    options.threads = 2;
    // TBB starts first. If it is linked statically and memory runs out while it starts, one of its locks stays taken.
    EXPECT_TRUE(collide(scene.hulls, scene.view(), scene.pairs, options, out, workspace).status);
    std::uint64_t failures = 0;
    Workspace cold[2];
    for (int compact = 0; compact < 2; ++compact) {
        for (std::uint64_t n = 0;; ++n) {
            const auto call = [&]() -> CallStatus {
                if (compact != 0) {
                    return collide_compact(scene.hulls, scene.view(), scene.pairs, options, out, cold[compact]).status;
                }
                return collide(scene.hulls, scene.view(), scene.pairs, options, out, cold[compact]).status;
            };
            limit = allocations.load() + n;
            const CallStatus status = call();
            limit = ~std::uint64_t{0};
            if (status) break;
            ASSERT_EQ(status.code, Status::out_of_memory) << status.what;
            ++failures;
            // Memory that has grown stays, so each call gets further.
            ASSERT_LT(n, 1000U);
        }
        EXPECT_TRUE(collide(scene.hulls, scene.view(), scene.pairs, options, out, cold[compact]).status);
        expect_same(out, expected, "after running out of memory");
    }
    EXPECT_GT(failures, 2U);
}

TEST_P(Allocation, SmallerAndRepeatedBatchesAllocateNothing) {
    std::vector<Manifold4> out(scene.pairs.size());
    const std::span<const Pair> pairs = scene.pairs;
    EXPECT_TRUE(collide(scene.hulls, scene.view(), pairs, options, out, workspace).status);
    EXPECT_TRUE(
        collide(scene.hulls, scene.view(), pairs.first(3), options, std::span<Manifold4>(out).first(3), workspace)
            .status);
    const std::uint64_t before = allocations.load();
    for (std::size_t n = 0; n < pairs.size(); n += 501) {
        EXPECT_TRUE(
            collide(scene.hulls, scene.view(), pairs.first(n), options, std::span<Manifold4>(out).first(n), workspace)
                .status);
    }
    EXPECT_EQ(allocations.load() - before, 0U);
}

INSTANTIATE_TEST_SUITE_P(Isas, Allocation, testing::ValuesIn(available_isas().begin(), available_isas().end()),
                         [](const testing::TestParamInfo<Isa>& isa) {
                             std::string name = to_string(isa.param);
                             std::erase(name, '.');
                             return name;
                         });

}  // namespace
}  // namespace lanefold::test
