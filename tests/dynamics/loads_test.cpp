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

Points scaled(Points points, double factor) {
    for (Vec3f& p : points) p = to_float(to_double(p) * factor);
    return points;
}

// The deepest overlap where a larger body of the same density and shape stands on a smaller one: `ratio` of the sizes.
double overlap_of_two(const Points& points, double half, double ratio) {
    double reach = 0;
    for (const Vec3f& p : points) reach = std::max(reach, ratio * length(to_double(p)));
    RigidBody floor = body_at(0, -floor_half(reach), 0, 0);
    floor.kind = BodyKind::fixed;
    const std::vector<RigidBody> bodies{floor, body_at(0, half, 0, 1), body_at(0, half * (2 + ratio), 0, 2)};
    World world = make_world(throw_hulls({points, scaled(points, ratio)}, reach), bodies, awake());
    run(world, 3);
    const double first = half - world.centre(1).y;
    const double second = (1 + ratio) * half - (world.centre(2).y - world.centre(1).y);
    return std::max(first, second) / (2 * half);
}

// A point at a corner gives by up to four times what the masses of its bodies say.
TEST(DynamicsLoads, CornersGiveByASmallShareToo) {
    Points coin = prism_points(24, 1, 0.1);
    for (Vec3f& p : coin) p = {p.x, p.z, p.y};
    const Points cube = box_points(0.5, 0.5, 0.5);
    double worst = 0;
    for (double size = 0.001; size < 1; size *= 1.3) {
        for (const double ratio : {1.0, 1.28, 1.5, 1.76, 2.0}) {
            const double cubes = overlap_of_two(scaled(cube, size), size / 2, ratio);
            const double coins = overlap_of_two(scaled(coin, size), 0.1 * size, ratio);
            if (std::max(cubes, coins) > 0.009)
                std::printf("%g m, larger by %g: cubes %.2f%%, coins %.2f%%\n", size, ratio, 100 * cubes, 100 * coins);
            worst = std::max({worst, cubes, coins});
        }
    }
    std::printf("cubes and coins of 1 mm to 1 m: overlap of %.2f%% of the thickness at most\n", 100 * worst);
    EXPECT_LT(worst, 0.01);
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
