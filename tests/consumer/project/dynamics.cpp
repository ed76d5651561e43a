// SPDX-License-Identifier: MIT
//
// The smallest program that needs lanefold::dynamics to link: a cube falls on a floor. It includes all public headers.
#include <cstdio>

#include <lanefold/lanefold.hpp>

int main() {
    using namespace lanefold;
    const Vec3f cube[] = {{-1, -1, -1}, {1, -1, -1}, {-1, 1, -1}, {1, 1, -1},
                          {-1, -1, 1},  {1, -1, 1},  {-1, 1, 1},  {1, 1, 1}};
    const BuildResult built = build_hull(cube);
    if (!built) return 1;
    RigidBody floor;
    floor.kind = BodyKind::fixed;
    RigidBody falls;
    falls.position[1] = 3;
    const RigidBody bodies[] = {floor, falls};
    World world(built.hulls);
    if (!world.add_bodies(bodies)) return 2;
    for (int step = 0; step < 120; ++step) {
        if (!world.step(1.0 / 60).status) return 3;
    }
    std::printf("the cube rests at %.2f\n", world.bodies()[1].position[1]);
    return world.bodies()[1].position[1] > 1.9 && world.bodies()[1].position[1] < 2.01 ? 0 : 4;
}
