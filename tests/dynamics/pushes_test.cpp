// SPDX-License-Identifier: MIT
//
// World::pushes(): without friction, damping and links, what the manifolds of a step push is what changes momenta. In
// few steps contact would give energy, and velocities shrink (step/energy.hpp), which no push tells.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

#include "support/isa_fixture.hpp"
#include "support/world_scene.hpp"

namespace lanefold::test {
namespace {

// So short that no body is stopped on its way: then it loses the speed of the fall that it misses.
constexpr double kShort = 1.0 / 480;

// The largest difference between a body's change of momentum in a step and what pushed it, as a share of its momentum
// at 1 m/s and of all that pushed it.
struct Balance {
    double worst = 0;
    std::size_t compared = 0;  // bodies in a step
    std::size_t shrunk = 0;    // of which the difference is more than rounding
    double most_pushed = 0;
    std::size_t pushed = 0;   // manifolds
    std::size_t several = 0;  // of more than one substep
    std::size_t late = 0;     // that did not push at once
    std::size_t ended = 0;    // and that stopped before the step's end
};

void add_step(World& world, Balance& balance) {
    std::vector<Vec3d> before, pushed(world.size());
    std::vector<double> sum(world.size());
    for (std::size_t i = 0; i < world.size(); ++i) before.push_back(to_double(world.velocity(i)));
    const StepResult r = world.step(kShort);
    ASSERT_TRUE(r.status) << r.status.what;
    const float substeps = static_cast<float>(world.settings().substeps);
    for (std::size_t k = 0; k < world.contacts().size(); ++k) {
        const Manifold4& m = world.contacts()[k];
        const ContactPush& p = world.pushes()[k];
        ASSERT_GE(p.impulse, 0.0F);
        if (p.impulse == 0.0F) continue;
        ASSERT_GE(p.before, 0.0F);
        ASSERT_GE(p.after, 0.0F);
        ASSERT_LT(p.before + p.after, substeps);
        ++balance.pushed;
        balance.several += p.before + p.after < substeps - 1;
        balance.late += p.before > 0;
        balance.ended += p.after > 0;
        const Vec3d impulse = to_double({m.normal[0], m.normal[1], m.normal[2]}) * static_cast<double>(p.impulse);
        pushed[m.pair[0]] = pushed[m.pair[0]] - impulse;
        pushed[m.pair[1]] = pushed[m.pair[1]] + impulse;
        for (const std::uint32_t i : m.pair) sum[i] += static_cast<double>(p.impulse);
    }
    for (std::size_t i = 0; i < world.size(); ++i) {
        const double mass = world.mass(i);
        if (mass == 0) continue;
        const Vec3d gained =
            (to_double(world.velocity(i)) - before[i]) * mass - to_double(world.settings().gravity) * (mass * kShort);
        const double off = length(gained - pushed[i]) / (mass + sum[i]);
        balance.worst = std::max(balance.worst, off);
        ++balance.compared;
        balance.shrunk += off > 1e-5;
        balance.most_pushed = std::max(balance.most_pushed, sum[i] / mass);
    }
}

class Pushes : public IsaTest {};

TEST_P(Pushes, AreWhatChangesMomenta) {
    WorldSettings s;
    s.isa = GetParam();
    s.sleep = false;
    StandingScene pile = pile_scene(11, 120, Shape::debris);
    for (std::size_t i = 0; i < pile.bodies.size(); ++i) {
        pile.bodies[i].friction = 0;
        if (i % 3 == 0) pile.bodies[i].restitution = 0.6F;
        // Light ones under heavy ones are tight.
        if (i % 5 == 0) pile.bodies[i].density = 8000;
    }
    World world = make_world(pile, s);
    Balance balance;
    for (int k = 0; k < 480; ++k) {
        add_step(world, balance);
        if (HasFatalFailure()) return;
    }
    std::printf(
        "worst %.2g, %zu of %zu shrunk, most pushed %.3g m/s, %zu manifolds, %zu several, %zu late, %zu ended\n",
        balance.worst, balance.shrunk, balance.compared, balance.most_pushed, balance.pushed, balance.several,
        balance.late, balance.ended);
    EXPECT_LT(balance.worst, 0.02);
    EXPECT_LT(500 * balance.shrunk, balance.compared);
    EXPECT_GT(balance.most_pushed, 2);
    EXPECT_GT(balance.pushed, 5000U);
    EXPECT_GT(balance.several, 1000U);
    EXPECT_GT(balance.late, 100U);
    EXPECT_GT(balance.ended, 100U);
}
LANEFOLD_INSTANTIATE_ISA_TESTS(Pushes);

// A step in which nothing moves pushes nothing, and neither does what was restored.
TEST(PushesAtRest, AreNone) {
    WorldSettings s;
    StandingScene scene = pile_scene(3, 6, Shape::box);
    World world = make_world(scene, s);
    StepResult r;
    for (int k = 0; k < 1200 && (k == 0 || r.awake != 0); ++k) r = world.step(kWorldStep);
    ASSERT_EQ(r.awake, 0U);
    const auto all = [&] {
        double sum = 0;
        for (const ContactPush& p : world.pushes()) sum += static_cast<double>(p.impulse);
        return sum;
    };
    ASSERT_FALSE(world.contacts().empty());
    ASSERT_EQ(world.pushes().size(), world.contacts().size());
    r = world.step(kWorldStep);
    EXPECT_EQ(all(), 0);
    ASSERT_TRUE(world.wake(world.size() - 1));
    r = world.step(kWorldStep);
    EXPECT_GT(all(), 0);
    std::vector<std::byte> state;
    ASSERT_TRUE(world.save(state));
    ASSERT_TRUE(world.restore(state));
    EXPECT_EQ(all(), 0);
    EXPECT_EQ(world.pushes().size(), world.contacts().size());
}

}  // namespace
}  // namespace lanefold::test
