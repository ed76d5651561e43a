// SPDX-License-Identifier: MIT
//
// The program of docs/overview.md: a hull from points, three bodies, two candidate pairs, their contacts. Compiled and
// run as a test; it prints examples/minimal.expected.

#include <cstdio>

#include <lanefold/hull_builder.hpp>
#include <lanefold/narrowphase.hpp>

int main() {
    using namespace lanefold;
    const Vec3f cube[] = {{-1, -1, -1}, {1, -1, -1}, {-1, 1, -1}, {1, 1, -1},
                          {-1, -1, 1},  {1, -1, 1},  {-1, 1, 1},  {1, 1, 1}};
    const BuildResult built = build_hull(cube);
    if (!built) return 1;  // built.failures says which hull, which point and why

    // Position, hull, orientation (x, y, z, w). The second cube sits 0.1 deep on the first, the third is far away.
    const Body bodies[] = {
        {{0, 0, 0}, 0, {0, 0, 0, 1}}, {{0.5F, 0, 1.9F}, 0, {0, 0, 0, 1}}, {{5, 0, 0}, 0, {0, 0, 0, 1}}};
    const Pair pairs[] = {{0, 1}, {0, 2}};
    Manifold4 contacts[2];
    Workspace workspace;  // keep it from call to call: then nothing allocates
    const BatchResult result = collide(built.hulls, BodyView(bodies), pairs, Options{}, contacts, workspace);
    if (!result.status) return 2;  // result.status.what says why

    for (const Manifold4& m : contacts) {
        std::printf("%s, distance %.2f, %d points\n", to_string(m.kind), double{m.distance}, m.count);
        for (int i = 0; i < m.count; ++i) {
            const Vec3f p = world_point(bodies[m.pair[0]].position, m.points[i]);
            std::printf("  at (%.2f, %.2f, %.2f)\n", double{p.x}, double{p.y}, double{p.z});
        }
    }
}
