// SPDX-License-Identifier: MIT
//
// A World gives the bytes of the default floating-point environment under every rounding mode and with denormals
// flushed, and restores the host's settings.
#include <gtest/gtest.h>

#include <cfenv>
#include <cstring>
#include <vector>

#include "support/fp_modes.hpp"
#include "support/world_scene.hpp"

namespace lanefold::test {
namespace {

// The answers of a world after all of its calls that compute.
struct Told {
    std::uint64_t state = 0;
    std::vector<double> numbers;
    std::vector<std::byte> saved;
    std::uint64_t restored = 0;
    bool takes_denormals = false;
};

struct Scene {
    StandingScene pile = pile_scene(11, 60, Shape::debris);
    std::vector<BodyLink> links;

    Scene() {
        // Slow bodies: denormal velocities and what comes of them.
        for (std::size_t i = 1; i < pile.bodies.size(); i += 5)
            if (pile.bodies[i].kind == BodyKind::dynamic) pile.bodies[i].velocity[0] = 3e-39F;
        BodyLink link;
        link.kind = LinkKind::cable;
        link.a = 8;
        link.b = 9;
        link.end_a = {0.05, 0.01, 0.03};
        link.length = 0.7;
        links.push_back(link);
    }
};

Told tell(const Scene& scene) {
    Told told;
    World world = make_world(scene.pile);
    expect_good(world.add_links(scene.links));
    const double position[3] = {0.123456789, 4.7, 0.3};
    const float orientation[4] = {0.1F, 0.2F, 0.3F, 0.9273618F};
    expect_good(world.set_pose(7, position, orientation));
    expect_good(world.apply_impulse(9, {0.1F, 0.7F, -0.3F}, {0.11, 0.22, 0.33}));
    for (int k = 0; k < 40; ++k) {
        const WorldPairs pairs = world.find_pairs(kWorldStep);
        EXPECT_TRUE(pairs.status);
        for (const Pair& pair : pairs.pairs) told.numbers.push_back(static_cast<double>(world.pair_margin(pair, 0.01)));
        const std::vector<Pair> list(pairs.pairs.begin(), pairs.pairs.end());
        EXPECT_TRUE((k % 2 == 0 ? world.step(kWorldStep) : world.step(kWorldStep, list)).status);
        if (k % 8 == 0) {
            const std::vector<Manifold4> manifolds(world.contacts().begin(), world.contacts().end());
            EXPECT_TRUE(world.advance(kWorldStep / 8, manifolds).status);
        }
    }
    const WorldMotion m = world.motion();
    for (const double x : {m.momentum.x, m.angular_momentum.y, m.kinetic_energy, m.potential_energy, m.mass,
                           world.mass(9), static_cast<double>(world.link_force(0))})
        told.numbers.push_back(x);
    told.state = state_hash(world);
    expect_good(world.save(told.saved));
    // A state goes on to the same bits wherever it is restored.
    World restored = make_world(scene.pile);
    expect_good(restored.add_links(scene.links));
    expect_good(restored.restore(told.saved));
    EXPECT_EQ(state_hash(restored), told.state);
    for (int k = 0; k < 10; ++k) expect_good(restored.step(kWorldStep).status);
    told.restored = state_hash(restored);
    // Denormal numbers are positive in any environment.
    WorldSettings tiny;
    tiny.unit = 1e-39F;
    told.takes_denormals = static_cast<bool>(restored.set_settings(tiny));
    return told;
}

TEST(DynamicsFpEnvironment, IsTheDefaultWhateverTheHostSets) {
    const Scene scene;
    const std::fenv_t before = current_environment();
    const Told expected = tell(scene);
    EXPECT_GT(expected.numbers.size(), 1000U);
    for (const Mode& mode : modes()) {
        mode.set();
        const unsigned control = control_of_host();
        const Told told = tell(scene);
        const unsigned after = control_of_host();
        std::fesetenv(&before);
        EXPECT_EQ(after, control) << mode.name;
        EXPECT_EQ(told.state, expected.state) << mode.name;
        EXPECT_TRUE(told.saved == expected.saved) << mode.name;
        EXPECT_EQ(told.restored, expected.restored) << mode.name;
        EXPECT_TRUE(told.takes_denormals && expected.takes_denormals) << mode.name;
        ASSERT_EQ(told.numbers.size(), expected.numbers.size()) << mode.name;
        EXPECT_EQ(std::memcmp(told.numbers.data(), expected.numbers.data(), told.numbers.size() * sizeof(double)), 0)
            << mode.name;
    }
}

}  // namespace
}  // namespace lanefold::test
