// SPDX-License-Identifier: MIT
//
// A host cancels the task group in which it steps a world: a step whose narrowphase was left out says so and changes
// nothing, and what begins with the caller's manifolds is done whole.
#include <gtest/gtest.h>

#include <vector>

#include <tbb/task_arena.h>
#include <tbb/task_group.h>

#include "support/batch_threads.hpp"
#include "support/world_scene.hpp"

namespace lanefold::test {
namespace {

// Calls f in a task of a group that is cancelled.
template <class F>
void in_cancelled_group(const F& f) {
    tbb::task_arena arena(4);
    arena.execute([&] {
        tbb::task_group group;
        group.run([&] {
            group.cancel();
            f();
        });
        group.wait();
    });
}

TEST(DynamicsCancelled, StepsChangeNothingAndAdvancesAreWhole) {
    const StandingScene pile = pile_scene(29, 3000, Shape::debris);
    World undisturbed = make_world(pile);
    World disturbed = make_world(pile);
    // A step without any pair has nothing to leave out.
    run(undisturbed, 0.6);
    run(disturbed, 0.6);
    for (int k = 0; k < 20; ++k) {
        const std::uint64_t before = state_hash(disturbed);
        StepResult r;
        in_cancelled_group([&] { r = disturbed.step(kWorldStep); });
        ASSERT_EQ(r.status.code, Status::cancelled);
        EXPECT_EQ(state_hash(disturbed), before);

        const StepResult plain = undisturbed.step(kWorldStep);
        ASSERT_TRUE(disturbed.step(kWorldStep).status && plain.status);
        ASSERT_EQ(state_hash(disturbed), state_hash(undisturbed)) << k;

        const std::vector<Manifold4> manifolds(undisturbed.contacts().begin(), undisturbed.contacts().end());
        in_cancelled_group([&] { r = disturbed.advance(kWorldStep / 4, manifolds); });
        ASSERT_TRUE(r.status) << r.status.what;
        const StepResult advanced = undisturbed.advance(kWorldStep / 4, manifolds);
        ASSERT_TRUE(advanced.status);
        ASSERT_EQ(state_hash(disturbed), state_hash(undisturbed)) << k;
        EXPECT_EQ(r.contacts, advanced.contacts);
    }
    EXPECT_GT(undisturbed.contacts().size(), 2048U) << "enough for several tasks";
}

}  // namespace
}  // namespace lanefold::test
