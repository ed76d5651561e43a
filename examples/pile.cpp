// SPDX-License-Identifier: MIT
//
// Two hundred blocks of three shapes fall on a floor between four walls and come to rest. Compiled and run as a test;
// it prints examples/pile.expected on every machine.

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <vector>

#include <lanefold/hull_builder.hpp>
#include <lanefold/world.hpp>

namespace {

using namespace lanefold;

void add_box(std::vector<Vec3f>& vertices, std::vector<std::uint64_t>& offsets, float x, float y, float z) {
    for (int i = 0; i < 8; ++i) vertices.push_back({i & 1 ? x : -x, i & 2 ? y : -y, i & 4 ? z : -z});
    offsets.push_back(vertices.size());
}

RigidBody wall(std::uint32_t hull, double x, double y, double z) {
    RigidBody body;
    body.hull = hull;
    body.kind = BodyKind::fixed;
    body.position[0] = x;
    body.position[1] = y;
    body.position[2] = z;
    return body;
}

}  // namespace

int main() {
    std::vector<Vec3f> vertices;
    std::vector<std::uint64_t> offsets{0};
    add_box(vertices, offsets, 4, 0.5F, 4);   // 0: floor
    add_box(vertices, offsets, 0.5F, 20, 4);  // 1, 2: walls
    add_box(vertices, offsets, 4, 20, 0.5F);
    add_box(vertices, offsets, 0.2F, 0.2F, 0.2F);  // 3, 4: a cube, a plank
    add_box(vertices, offsets, 0.4F, 0.1F, 0.15F);
    for (const Vec3f v : {Vec3f{0.3F, 0, 0}, {-0.3F, 0, 0}, {0, 0.3F, 0}, {0, -0.3F, 0}, {0, 0, 0.3F}, {0, 0, -0.3F}})
        vertices.push_back(v);  // 5: an octahedron
    offsets.push_back(vertices.size());
    const BuildResult built = build_hulls(vertices, offsets);
    if (!built) return 1;

    std::vector<RigidBody> bodies = {wall(0, 0, -0.5, 0), wall(1, 2.5, 19, 0), wall(1, -2.5, 19, 0),
                                     wall(2, 0, 19, 2.5), wall(2, 0, 19, -2.5)};
    for (std::uint32_t i = 0; i < 200; ++i) {
        const std::uint32_t layer = i / 16;
        const std::uint32_t row = i / 4 % 4;
        RigidBody body;
        body.hull = 3 + i % 3;
        body.density = 2600;
        body.position[0] = -1.4 + 0.93 * (i % 4) + 0.01 * (i % 7);
        body.position[1] = 0.6 + 0.9 * layer;
        body.position[2] = -1.4 + 0.93 * row - 0.01 * (i % 5);
        bodies.push_back(body);
    }
    World world(built.hulls);
    if (!world.add_bodies(bodies)) return 2;

    for (int step = 1; step <= 600; ++step) {
        const StepResult result = world.step(1.0 / 60);
        if (!result.status) return 3;
        if (step % 120 == 0) {
            std::printf("%4.1f s: %4u contacts, %3u bodies awake\n", step / 60.0,
                        static_cast<unsigned>(result.contacts), static_cast<unsigned>(result.awake));
        }
    }
    float deepest = 0;
    for (const Manifold4& m : world.contacts()) deepest = std::min(deepest, m.distance);
    std::printf("%u manifolds at rest, none deeper than 2 cm: %s\n", static_cast<unsigned>(world.contacts().size()),
                deepest > -0.02F ? "yes" : "no");
}
