// SPDX-License-Identifier: MIT
//
// Structures that stand or fall by their geometry and friction: card house, arch, dominoes, spinning top. Closed forms
// say which, and how fast.
#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "support/isa_fixture.hpp"
#include "support/world_scene.hpp"

namespace lanefold::test {
namespace {

class DynamicsStructures : public IsaTest {
protected:
    World awake(const StandingScene& scene) const { return make_awake_world(scene, GetParam()); }
};

// The largest distance of a body from its first place.
double moved(const World& world, const StandingScene& scene) {
    double most = 0;
    for (std::size_t i = 1; i < world.size(); ++i) {
        const double* p = scene.bodies[i].position;
        const Vec3d d{world.bodies()[i].position[0] - p[0], world.bodies()[i].position[1] - p[1],
                      world.bodies()[i].position[2] - p[2]};
        most = std::max(most, length(d));
    }
    return most;
}

// The force between two cards that lean against each other is level, and the face of the one that takes it is off the
// upright by the lean: they stand while friction exceeds its tangent. (Against the floor half of that is enough.)
TEST_P(DynamicsStructures, LeaningCardsStandByTheFrictionOfTheClosedForm) {
    for (const double lean : {0.2, 0.35, 0.5}) {
        const double least = std::tan(lean);
        const StandingScene holds = card_house_scene(1, lean, static_cast<float>(1.1 * least));
        const StandingScene slides = card_house_scene(1, lean, static_cast<float>(0.9 * least));
        World standing = awake(holds);
        World sliding = awake(slides);
        run(standing, 5);
        run(sliding, 5);
        std::printf("lean %.2f: moved %.3g m above the least friction, %.3g m below\n", lean, moved(standing, holds),
                    moved(sliding, slides));
        EXPECT_LT(moved(standing, holds), 0.01) << lean;
        EXPECT_GT(moved(sliding, slides), 0.2) << lean;
    }
}

TEST_P(DynamicsStructures, CardHouseOfThreeStoreysStands) {
    const StandingScene scene = card_house_scene(3, 0.35, 0.6F);
    World world = awake(scene);
    run(world, 20);
    std::printf("moved %.3g m in 20 s\n", moved(world, scene));
    EXPECT_LT(moved(world, scene), 1e-3);
}

// Milankovitch's thickness, 0.1075 of the mean radius, parts arches that stand from those that fall.
TEST_P(DynamicsStructures, ArchStandsAboveTheLeastThicknessAndFallsBelow) {
    const StandingScene thick = arch_scene(15, 0.13, 0.8F);
    const StandingScene thin = arch_scene(15, 0.085, 0.8F);
    World standing = awake(thick);
    World falling = awake(thin);
    run(standing, 20);
    run(falling, 5);
    std::printf("0.13: moved %.3g m in 20 s; 0.085: %.3g m in 5 s\n", moved(standing, thick), moved(falling, thin));
    EXPECT_LT(moved(standing, thick), 0.05);
    EXPECT_GT(moved(falling, thin), 1);
}

// All fall, one after the other, and the wave runs at a steady speed of 0.7 to 2 times sqrt(g h).
TEST_P(DynamicsStructures, DominoesFallInASteadyWave) {
    constexpr std::uint32_t kDominoes = 40;
    const StandingScene scene = domino_scene(kDominoes, 0.4);
    World world = awake(scene);
    std::vector<double> fell(kDominoes + 1, 0);
    for (int k = 1; k < 60 * 20; ++k) {
        ASSERT_TRUE(world.step(kWorldStep).status);
        for (std::uint32_t i = 1; i <= kDominoes; ++i) {
            if (fell[i] == 0 && world.centre(i).y < 0.45) fell[i] = k * kWorldStep;
        }
    }
    for (std::uint32_t i = 2; i <= kDominoes; ++i) EXPECT_GT(fell[i], fell[i - 1] - 0.5 * kWorldStep) << i;
    const double pitch = scene.bodies[2].position[0] - scene.bodies[3].position[0];
    const double first = 10 * std::fabs(pitch) / (fell[20] - fell[10]);
    const double second = 10 * std::fabs(pitch) / (fell[35] - fell[25]);
    const double unit = std::sqrt(9.81 * 1.0);
    std::printf("wave: %.3f and %.3f of sqrt(g h)\n", first / unit, second / unit);
    EXPECT_GT(first / unit, 0.7);
    EXPECT_LT(first / unit, 2);
    EXPECT_NEAR(second / first, 1, 0.05);
}

// A top in steady precession goes round at the rate of the equations and keeps its lean. It turns by a quarter of a
// radian in a step of 1/240 s; in steps of 1/60 s its tip wanders.
TEST_P(DynamicsStructures, TopPrecessesAtTheRateOfTheClosedForm) {
    constexpr double kLean = 0.3;
    const TopScene scene = top_scene(kLean, 60);
    World world = awake(scene);
    double turned = 0;
    double before = 0;
    double least = 10, most = 0;
    constexpr double kStep = 1.0 / 240;
    constexpr int kSteps = 5 * 240;
    for (int k = 0; k < kSteps; ++k) {
        ASSERT_TRUE(world.step(kStep).status);
        const BodyD& pose = world.bodies()[1];
        Quat q;
        ASSERT_TRUE(normalize(pose.orientation, q));
        const Vec3d axis = rotation(q) * Vec3d{0, 1, 0};
        const double angle = std::atan2(-axis.z, axis.x);
        if (k != 0) turned += std::remainder(angle - before, 2 * 3.14159265358979);
        before = angle;
        const double lean = std::acos(axis.y);
        least = std::min(least, lean);
        most = std::max(most, lean);
    }
    const double rate = turned / ((kSteps - 1) * kStep);
    std::printf("precession %.4f rad/s, closed form %.4f; lean %.3f to %.3f\n", rate, scene.precession, least, most);
    EXPECT_NEAR(rate / scene.precession, 1, 0.02);
    EXPECT_NEAR(least, kLean, 0.05);
    EXPECT_NEAR(most, kLean, 0.05);
}
LANEFOLD_INSTANTIATE_ISA_TESTS(DynamicsStructures);

}  // namespace
}  // namespace lanefold::test
