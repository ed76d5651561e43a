// SPDX-License-Identifier: MIT
//
// Small random worlds for the tests of many worlds at once.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include <gtest/gtest.h>

#include <lanefold/hull_builder.hpp>
#include <lanefold/world.hpp>

#include "support/batch_scene.hpp"
#include "support/world_scene.hpp"

namespace lanefold::test {

// A floor, two boxes and four rocks.
inline HullSet small_hulls() {
    BatchRandom random(3);
    std::vector<Vec3f> points;
    std::vector<std::uint64_t> offsets{0};
    const auto box = [&](float x, float y, float z) {
        for (int c = 0; c < 8; ++c)
            points.push_back({(c & 1) != 0 ? x : -x, (c & 2) != 0 ? y : -y, (c & 4) != 0 ? z : -z});
        offsets.push_back(points.size());
    };
    box(4, 0.5F, 4);
    box(0.25F, 0.25F, 0.25F);
    box(0.4F, 0.15F, 0.3F);
    for (int rock = 0; rock < 4; ++rock) {
        for (int i = 0; i < 12; ++i) {
            float u[3];
            random.axis(u);
            points.push_back({0.3F * u[0], 0.25F * u[1], 0.3F * u[2]});
        }
        offsets.push_back(points.size());
    }
    const BuildResult built = build_hulls(points, offsets);
    EXPECT_TRUE(built);
    return built.hulls;
}

inline std::vector<RigidBody> random_bodies(BatchRandom& random) {
    std::vector<RigidBody> bodies(3 + random.below(10));
    bodies[0].kind = BodyKind::fixed;
    bodies[0].position[1] = -0.5;
    for (std::size_t i = 1; i < bodies.size(); ++i) {
        RigidBody& body = bodies[i];
        body.hull = 1 + random.below(6);
        body.kind = random.below(12) == 0 ? BodyKind::kinematic : BodyKind::dynamic;
        body.position[0] = static_cast<double>(random.uniform(-0.5F, 0.5F));
        body.position[1] = 0.3 + 0.3 * static_cast<double>(i);
        body.position[2] = static_cast<double>(random.uniform(-0.5F, 0.5F));
        random.rotation(body.orientation);
        body.restitution = random.below(3) == 0 ? 0.3F : 0.0F;
    }
    return bodies;
}

struct CampaignSize {
    std::size_t worlds;
    int steps;
};

// LANEFOLD_WORLDS=N: N worlds for 1,000 steps; LANEFOLD_LONG=1: 1,000 of them; otherwise these.
inline CampaignSize campaign_size(std::size_t worlds, int steps) {
    constexpr CampaignSize kWhole{1000, 1000};
    if (const char* const chosen = std::getenv("LANEFOLD_WORLDS"))
        return {std::max<std::size_t>(1, std::strtoull(chosen, nullptr, 10)), kWhole.steps};
    return std::getenv("LANEFOLD_LONG") != nullptr ? kWhole : CampaignSize{worlds, steps};
}

inline std::vector<std::byte> bytes_of(const World& world) {
    std::vector<std::byte> bytes;
    EXPECT_TRUE(world.save(bytes));
    return bytes;
}

}  // namespace lanefold::test
