// SPDX-License-Identifier: MIT
//
// Ten boxes stand on each other for ten seconds, awake all the time, then sleep. Compiled and run as a test; it prints
// examples/tower.expected on every machine.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

#include <lanefold/hull_builder.hpp>
#include <lanefold/world.hpp>

int main() {
    using namespace lanefold;
    const Vec3f cube[] = {{-0.5F, -0.5F, -0.5F}, {0.5F, -0.5F, -0.5F}, {-0.5F, 0.5F, -0.5F}, {0.5F, 0.5F, -0.5F},
                          {-0.5F, -0.5F, 0.5F},  {0.5F, -0.5F, 0.5F},  {-0.5F, 0.5F, 0.5F},  {0.5F, 0.5F, 0.5F}};
    const BuildResult built = build_hull(cube);
    if (!built) return 1;

    // The lowest box is the ground. Mass and inertia come from hull and density.
    std::vector<RigidBody> bodies(11);
    bodies[0].kind = BodyKind::fixed;
    for (std::size_t i = 1; i < bodies.size(); ++i) bodies[i].position[1] = static_cast<double>(i);

    World world(built.hulls);
    WorldSettings settings;
    settings.sleep = false;
    if (!world.set_settings(settings) || !world.add_bodies(bodies)) return 2;

    std::vector<Vec3d> start;
    double drift = 0;
    for (int step = 1; step <= 600; ++step) {
        const StepResult result = world.step(1.0 / 60);
        if (!result.status) return 3;  // result.status.what says why
        for (std::size_t i = 0; i < world.size(); ++i) {
            if (step == 60) start.push_back(world.centre(i));
            if (step <= 60) continue;
            const Vec3d moved = world.centre(i) - start[i];
            drift = std::max(drift, std::sqrt(moved.x * moved.x + moved.z * moved.z));
        }
        if (step % 200 == 0) {
            std::printf("%4.1f s: %u contacts, %u points, drift of any box below 0.0001 m: %s\n", step / 60.0,
                        static_cast<unsigned>(result.contacts), static_cast<unsigned>(result.points),
                        drift < 1e-4 ? "yes" : "no");
        }
    }
    std::printf("the top box has sunk by %.1f mm\n", 1000 * (10 - world.centre(10).y));

    settings.sleep = true;
    if (!world.set_settings(settings)) return 2;
    int steps = 0;
    while (!world.asleep(10)) {
        if (!world.step(1.0 / 60).status) return 3;
        ++steps;
    }
    std::printf("allowed to sleep, the tower does after %.1f s\n", steps / 60.0);
}
