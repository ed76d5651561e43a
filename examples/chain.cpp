// SPDX-License-Identifier: MIT
//
// A chain of twenty rods starts level, swings down and comes to rest. Compiled and run as a test; it prints
// examples/chain.expected on every machine.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <vector>

#include <lanefold/hull_builder.hpp>
#include <lanefold/world.hpp>

int main() {
    using namespace lanefold;
    std::vector<Vec3f> bead;
    for (int i = 0; i < 8; ++i)
        bead.push_back({i & 1 ? 0.05F : -0.05F, i & 2 ? 0.05F : -0.05F, i & 4 ? 0.05F : -0.05F});
    const BuildResult built = build_hull(bead);
    if (!built) return 1;

    constexpr std::uint32_t kBeads = 20;
    constexpr double kRod = 0.25;
    std::vector<RigidBody> bodies(kBeads);
    std::vector<BodyLink> links(kBeads);
    for (std::uint32_t i = 0; i < kBeads; ++i) {
        bodies[i].position[0] = kRod * (i + 1);
        links[i].a = i;
        links[i].length = kRod;
        if (i != 0) links[i].b = i - 1;  // the first hangs from the world's origin
    }
    World world(built.hulls);
    WorldSettings settings;
    settings.substeps = 8;  // tighter links
    settings.linear_damping = 0.3F;
    settings.angular_damping = 0.3F;
    if (!world.set_settings(settings) || !world.add_bodies(bodies) || !world.add_links(links)) return 2;

    double stretched = 0;
    for (int step = 1; step <= 60 * 60; ++step) {
        if (!world.step(1.0 / 60).status) return 3;
        Vec3d above;
        for (std::uint32_t i = 0; i < kBeads; ++i) {
            stretched = std::max(stretched, std::fabs(length(world.centre(i) - above) - kRod));
            above = world.centre(i);
        }
        if (step == 60)
            std::printf("after 1 s the end is below the middle: %s\n",
                        world.centre(kBeads - 1).y < world.centre(kBeads / 2).y ? "yes" : "no");
    }
    const Vec3d end = world.centre(kBeads - 1);
    std::printf("after 60 s the end hangs at (%.1f, %.2f)\n", std::fabs(end.x), end.y);
    // Weights in newtons: of all beads, and of the last.
    const double weight = world.mass(0) * 9.81;
    std::printf("the first rod pulls with %.0f of %.0f N, the last with %.1f of %.1f N\n",
                -static_cast<double>(world.link_force(0)), kBeads * weight,
                -static_cast<double>(world.link_force(kBeads - 1)), weight);
    std::printf("no rod was ever off by more than a tenth: %s\n", stretched < 0.1 * kRod ? "yes" : "no");
}
