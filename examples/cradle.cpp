// SPDX-License-Identifier: MIT
//
// Newton's cradle: five cubes on rods; the first is released and the last one rises. Compiled and run as a test; it
// prints examples/cradle.expected on every machine.

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <vector>

#include <lanefold/hull_builder.hpp>
#include <lanefold/world.hpp>

int main() {
    using namespace lanefold;
    // A cube of 10 cm whose side faces meet those of its neighbours.
    std::vector<Vec3f> cube;
    for (int i = 0; i < 8; ++i)
        cube.push_back({i & 1 ? 0.05F : -0.05F, i & 2 ? 0.05F : -0.05F, i & 4 ? 0.05F : -0.05F});
    const BuildResult built = build_hull(cube);
    if (!built) return 1;

    World world(built.hulls);
    WorldSettings settings;
    settings.sleep = false;
    settings.margin = 0.001F;
    settings.restitution_threshold = 0.05F;
    if (!world.set_settings(settings)) return 2;

    // Each cube hangs from two points across the row, so that it swings in one plane. The gap between cubes is 1 mm.
    // The first cube starts raised.
    std::vector<RigidBody> bodies;
    std::vector<BodyLink> links;
    const double length = 1;
    for (std::uint32_t i = 0; i < 5; ++i) {
        const double angle = i == 0 ? -0.5 : 0;
        const double x = 0.101 * i;
        RigidBody body;
        body.position[0] = x + length * std::sin(angle);
        body.position[1] = -length * std::cos(angle);
        body.mass = 1;
        body.friction = 0;
        body.restitution = 1;
        bodies.push_back(body);
        for (const double side : {-0.5, 0.5}) {
            BodyLink rod;
            rod.a = i;
            rod.end_b = {x, 0, side};
            rod.length = std::sqrt(length * length + side * side);
            links.push_back(rod);
        }
    }
    if (!world.add_bodies(bodies) || !world.add_links(links)) return 3;

    double highest_first = -1;
    double highest_last = -1;
    for (int step = 1; step <= 6 * 960; ++step) {
        if (!world.step(1.0 / 960).status) return 4;
        // Records how high the last cube rises in its first half swing, and then the first cube.
        const double seconds = step / 960.0;
        if (seconds < 1.5) highest_last = std::fmax(highest_last, world.centre(4).y);
        if (seconds >= 1.5 && seconds < 2.6) highest_first = std::fmax(highest_first, world.centre(0).y);
    }
    const double from = length * (1 - std::cos(0.5));
    std::printf("let go %.2f m above rest\n", from);
    std::printf("the far cube rises to %.2f m, the first comes back to %.2f m\n", highest_last + length,
                highest_first + length);
}
