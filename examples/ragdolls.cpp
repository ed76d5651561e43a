// SPDX-License-Identifier: MIT
//
// Stiff figures of capsules fall on a floor without an end: each is one body, a compound of its parts. Compiled and run
// as a test; it prints examples/ragdolls.expected on every machine.

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <vector>

#include <lanefold/compound.hpp>
#include <lanefold/half_space.hpp>
#include <lanefold/hull_builder.hpp>
#include <lanefold/world.hpp>

namespace {

using namespace lanefold;

// A part is a capsule along y, or a ball: half its length, its radius, its place in the figure.
struct Part {
    float half, radius;
    double x, y;
};
constexpr Part kParts[] = {
    {0.14F, 0.14F, 0, 0.3},      {0, 0.12F, 0, 0.74},         // trunk, head
    {0.23F, 0.05F, -0.26, 0.25}, {0.23F, 0.05F, 0.26, 0.25},  // arms
    {0.4F, 0.07F, -0.1, -0.4},   {0.4F, 0.07F, 0.1, -0.4},    // legs
};

// Hulls 0 to 5 are the parts, 6 is the figure, 7 the floor. Empty if something is wrong.
HullSet make_hulls() {
    std::vector<Vec3f> points;
    std::vector<std::uint64_t> offsets{0};
    std::vector<float> radii;
    std::vector<CompoundChild> children;
    for (const Part& part : kParts) {
        points.push_back({0, part.half, 0});
        if (part.half > 0) points.push_back({0, -part.half, 0});
        offsets.push_back(points.size());
        radii.push_back(part.radius);
        CompoundChild child;
        child.hull = static_cast<std::uint32_t>(children.size());
        child.position[0] = part.x;
        child.position[1] = part.y;
        children.push_back(child);
    }
    BuildOptions options;
    options.radii = radii;
    const BuildResult parts = build_hulls(points, offsets, options);
    if (!parts) return {};
    const CompoundResult figure = build_compound(parts.hulls, children);
    const HalfSpace plane{{0, 1, 0}, 0};
    const BuildResult floor = build_half_spaces({&plane, 1});
    return figure && floor ? figure.hulls.append(floor.hulls) : HullSet();
}

}  // namespace

int main() {
    const HullSet hulls = make_hulls();
    if (hulls.size() != 8) return 1;
    std::vector<RigidBody> bodies(1);
    bodies[0].hull = 7;
    bodies[0].kind = BodyKind::fixed;
    for (int i = 0; i < 36; ++i) {
        RigidBody body;
        body.hull = 6;
        body.position[0] = 0.9 * (i % 3) + 0.05 * (i % 5);
        body.position[1] = 1.5 + 0.9 * (i / 9);
        body.position[2] = 0.9 * (i / 3 % 3) + 0.05 * (i % 7);
        body.spin[0] = 1.0F + static_cast<float>(i % 4);
        body.spin[2] = static_cast<float>(i % 6) - 2.5F;
        bodies.push_back(body);
    }
    World world(hulls);
    if (!world.add_bodies(bodies)) return 2;
    std::printf("a figure has %zu parts and weighs %.1f kg\n", hulls.child_count(6), world.mass(1));
    for (int step = 1; step <= 900; ++step) {
        const StepResult result = world.step(1.0 / 60);
        if (!result.status) return 3;
        if (step % 180 == 0)
            std::printf("%4.1f s: %3zu contacts, %2zu figures awake\n", step / 60.0,
                        static_cast<std::size_t>(result.contacts), static_cast<std::size_t>(result.awake));
    }
    // A contact says which parts meet.
    int heads = 0;
    float deepest = 0;
    for (const Manifold4& m : world.contacts()) {
        const bool on_floor = m.pair[0] == 0;
        heads += on_floor && m.child_b == 1 ? 1 : 0;
        deepest = std::min(deepest, m.distance);
    }
    std::printf("%d heads are on the floor; none is deeper than 1 cm: %s\n", heads, deepest > -0.01F ? "yes" : "no");
}
