// SPDX-License-Identifier: MIT
//
// Planks hang from cables between two banks; a crate is set down on the middle. Compiled and run as a test; it prints
// examples/bridge.expected on every machine.

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

RigidBody at(std::uint32_t hull, double x, double y, float mass) {
    RigidBody body;
    body.hull = hull;
    body.position[0] = x;
    body.position[1] = y;
    body.mass = mass;
    return body;
}

}  // namespace

int main() {
    std::vector<Vec3f> vertices;
    std::vector<std::uint64_t> offsets{0};
    add_box(vertices, offsets, 0.2F, 0.05F, 0.8F);  // 0: plank
    add_box(vertices, offsets, 0.3F, 0.3F, 0.3F);   // 1: crate
    const BuildResult built = build_hulls(vertices, offsets);
    if (!built) return 1;

    // Eleven planks. Cables on both sides join neighbouring planks, and the first and the last plank to the banks.
    constexpr std::uint32_t kPlanks = 11;
    std::vector<RigidBody> bodies;
    std::vector<BodyLink> links;
    for (std::uint32_t i = 0; i < kPlanks; ++i) bodies.push_back(at(0, 0.5 * i, 0, 10));
    for (const double side : {-0.8, 0.8}) {
        for (std::uint32_t i = 0; i <= kPlanks; ++i) {
            BodyLink cable;
            cable.kind = LinkKind::cable;
            cable.length = 0.12;
            cable.a = i == kPlanks ? kPlanks - 1 : i;
            cable.end_a = {i == kPlanks ? 0.2 : -0.2, 0, side};
            if (i == 0) cable.end_b = {-0.3, 0, side};
            if (i == kPlanks) cable.end_b = {0.5 * (kPlanks - 1) + 0.3, 0, side};
            if (i != 0 && i != kPlanks) {
                cable.b = i - 1;
                cable.end_b = {0.2, 0, side};
            }
            links.push_back(cable);
        }
    }
    bodies.push_back(at(1, 2.5, 0.4, 100));
    World world(built.hulls);
    WorldSettings settings;
    settings.substeps = 16;  // a crate ten times as heavy as a plank
    settings.linear_damping = 0.5F;
    settings.angular_damping = 0.5F;
    if (!world.set_settings(settings) || !world.add_bodies(bodies) || !world.add_links(links)) return 2;

    for (int step = 1; step <= 20 * 60; ++step) {
        if (!world.step(1.0 / 60).status) return 3;
        if (step % 600 == 0)
            std::printf("%2d s: the middle plank is %.1f m below the banks\n", step / 60, -world.centre(5).y);
    }
    std::printf("the crate stands on the bridge: %s\n",
                world.centre(kPlanks).y > world.centre(5).y + 0.3 ? "yes" : "no");
    double held = 0;
    int slack = 0;
    for (std::size_t i = 0; i < links.size(); ++i) {
        const double force = -static_cast<double>(world.link_force(i));
        held = force > held ? force : held;
        slack += force <= 0 ? 1 : 0;
    }
    std::printf("%d of %d cables are slack; the tightest pulls with more than 100 N: %s\n", slack,
                static_cast<int>(links.size()), held > 100 ? "yes" : "no");
}
