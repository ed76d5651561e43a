// SPDX-License-Identifier: MIT
//
// The program of the README: the contact of two cubes. Compiled and run as a test; it prints examples/first.expected.

#include <cstdio>
#include <lanefold/lanefold.hpp>

using namespace lanefold;

int main() {
    const Vec3f cube[] = {{-1, -1, -1}, {1, -1, -1}, {-1, 1, -1}, {1, 1, -1},
                          {-1, -1, 1},  {1, -1, 1},  {-1, 1, 1},  {1, 1, 1}};
    const BuildResult built = build_hull(cube);
    const Body bodies[] = {{{0, 0, 0}, 0, {0, 0, 0, 1}}, {{0.5F, 0, 1.9F}, 0, {0, 0, 0, 1}}};
    const Pair pairs[] = {{0, 1}};
    Manifold4 contacts[1];
    Workspace workspace;
    if (!collide(built.hulls, bodies, pairs, Options{}, contacts, workspace).status) return 1;
    std::printf("distance %.2f, %d points\n", double{contacts[0].distance}, contacts[0].count);
}
