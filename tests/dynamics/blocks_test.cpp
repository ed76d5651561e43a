// SPDX-License-Identifier: MIT
//
// Manifolds of one to four points share the solver's blocks. Each has the bits that it has alone, whatever shares its
// block: heaps of two pieces in one world, and each heap in a world of its own.
#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <vector>

#include "support/isa_fixture.hpp"
#include "support/world_scene.hpp"

namespace lanefold::test {
namespace {

constexpr std::uint32_t kHeaps = 40;
constexpr int kSteps = 60;

// Pieces of debris in heaps of two, far apart. Their velocities begin as 0 with both signs.
StandingScene heaps() {
    StandingScene scene = pile_scene(3, 2 * kHeaps, Shape::debris);
    const std::size_t first = scene.bodies.size() - std::size_t{2} * kHeaps;
    std::vector<RigidBody> bodies{scene.bodies[0]};
    for (std::uint32_t i = 0; i < 2 * kHeaps; ++i) {
        RigidBody body = scene.bodies[first + i];
        body.position[0] = 2.5 * (i / 2 % 8) - 9;
        body.position[1] = i % 2 == 0 ? 0.3 : 0.8;
        body.position[2] = 2.5 * (i / 16) - 5;
        if (i % 6 < 2) body.restitution = 0.5F;
        for (int k = 0; k < 3; ++k) {
            body.velocity[k] = (i >> k) % 2 == 0 ? -0.0F : 0.0F;
            body.spin[k] = (i >> k) % 2 == 0 ? 0.0F : -0.0F;
        }
        bodies.push_back(body);
    }
    scene.bodies = bodies;
    return scene;
}

WorldSettings settings_of(Isa isa) {
    WorldSettings s;
    s.isa = isa;
    s.sleep = false;
    s.gravity = {-0.0F, -9.81F, -0.0F};
    return s;
}

struct Motion {
    Vec3f velocity, spin;
    BodyD body;
};

Motion motion_of(const World& world, std::size_t i) { return {world.velocity(i), world.spin(i), world.bodies()[i]}; }

bool same_bytes(const Motion& a, const Motion& b) {
    return std::memcmp(&a.velocity, &b.velocity, sizeof a.velocity) == 0 &&
           std::memcmp(&a.spin, &b.spin, sizeof a.spin) == 0 &&
           std::memcmp(a.body.position, b.body.position, sizeof a.body.position) == 0 &&
           std::memcmp(a.body.orientation, b.body.orientation, sizeof a.body.orientation) == 0;
}

class DynamicsBlocks : public IsaTest {};

TEST_P(DynamicsBlocks, OfAllNumbersOfPointsGiveTheBitsOfEachAlone) {
    const StandingScene scene = heaps();
    World all = make_world(scene, settings_of(GetParam()));
    std::vector<World> alone;
    for (std::uint32_t h = 0; h < kHeaps; ++h) {
        const std::array<RigidBody, 3> bodies{scene.bodies[0], scene.bodies[2 * h + 1], scene.bodies[2 * h + 2]};
        alone.push_back(make_world(scene.hulls, bodies, settings_of(Isa::scalar)));
    }
    std::array<std::uint64_t, 5> of_points{};
    for (int k = 0; k < kSteps; ++k) {
        ASSERT_TRUE(all.step(kWorldStep).status);
        for (const Manifold4& m : all.contacts()) ++of_points[m.count];
        for (std::uint32_t h = 0; h < kHeaps; ++h) {
            ASSERT_TRUE(alone[h].step(kWorldStep).status);
            for (std::uint32_t i = 1; i < 3; ++i) {
                ASSERT_TRUE(same_bytes(motion_of(all, 2 * h + i), motion_of(alone[h], i)))
                    << "step " << k << ", heap " << h << ", body " << i;
            }
        }
    }
    for (std::size_t p = 1; p < of_points.size(); ++p) EXPECT_GT(of_points[p], 200U) << p << " points";
}
LANEFOLD_INSTANTIATE_ISA_TESTS(DynamicsBlocks);

}  // namespace
}  // namespace lanefold::test
