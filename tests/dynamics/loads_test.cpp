// SPDX-License-Identifier: MIT
//
// Loads on bodies of every size: a contact gives by a share of the smaller body.
#include <algorithm>
#include <cmath>
#include <cstdio>

#include <gtest/gtest.h>

#include "support/throws.hpp"

namespace lanefold::test {
namespace {

WorldSettings awake() {
    WorldSettings s;
    s.sleep = false;
    return s;
}

struct Stack {
    const char* name;
    Points points;
    double half;  // of its height
    std::vector<float> masses;
};

// The deepest overlap of two neighbours after `seconds`, as a share of a body's height.
double overlap(const Stack& stack, double seconds) {
    double reach = 0;
    for (const Vec3f& p : stack.points) reach = std::max(reach, length(to_double(p)));
    RigidBody floor = body_at(0, -floor_half(reach), 0, 0);
    floor.kind = BodyKind::fixed;
    std::vector<RigidBody> bodies{floor};
    for (std::size_t i = 0; i < stack.masses.size(); ++i) {
        bodies.push_back(body_at(0, stack.half * (2 * static_cast<double>(i) + 1), 0, 1));
        bodies.back().mass = stack.masses[i];
    }
    World world = make_world(throw_hulls({stack.points}, reach), bodies, awake());
    run(world, seconds);
    double deepest = 0, below = -stack.half;
    for (std::size_t i = 1; i < world.size(); ++i) {
        deepest = std::max(deepest, 2 * stack.half - (world.centre(i).y - below));
        below = world.centre(i).y;
    }
    return deepest / (2 * stack.half);
}

TEST(DynamicsLoads, HeavyCubesStandOnLightOnesOfAnySize) {
    double worst = 0;
    for (const double size : {0.02, 0.1, 1.0, 10.0}) {
        for (const float ratio : {1.0F, 10.0F, 100.0F, 300.0F, 1000.0F}) {
            if (size < 0.1 && ratio > 300) continue;  // sinks through: docs/response.md
            const auto mass = static_cast<float>(1000 * size * size * size);
            const double half = size / 2;
            const double deepest = overlap({"cubes", box_points(half, half, half), half, {mass, mass * ratio}}, 4);
            if (deepest > 0.008)
                std::printf("cubes of %g m, 1:%g: %.2f%%\n", size, static_cast<double>(ratio), 100 * deepest);
            worst = std::max(worst, deepest);
        }
    }
    std::printf("heavy on light cubes: overlap of %.2f%% of the side at most\n", 100 * worst);
    EXPECT_LT(worst, 0.0105);
}

TEST(DynamicsLoads, StacksOfSmallThingsKeepTheirHeight) {
    Points coin = prism_points(24, 0.012, 0.001);
    for (Vec3f& p : coin) p = {p.x, p.z, p.y};
    const Stack stacks[] = {
        {"20 coins of 2 mm", coin, 0.001, std::vector<float>(20, 0.007F)},
        {"10 dice of 16 mm", box_points(0.008, 0.008, 0.008), 0.008, std::vector<float>(10, 0.005F)},
        {"20 books of 3 cm", box_points(0.1, 0.015, 0.075), 0.015, std::vector<float>(20, 0.5F)},
        {"10 plates of 1 mm", box_points(0.05, 0.0005, 0.05), 0.0005, std::vector<float>(10, 0.02F)},
        {"5 cubes of 1 mm", box_points(0.0005, 0.0005, 0.0005), 0.0005, std::vector<float>(5, 1e-6F)}};
    for (const Stack& stack : stacks) {
        const double deepest = overlap(stack, 3);
        std::printf("%s: overlap of %.2f%% of the thickness at most\n", stack.name, 100 * deepest);
        EXPECT_LT(deepest, 0.01) << stack.name;
    }
}

}  // namespace
}  // namespace lanefold::test
