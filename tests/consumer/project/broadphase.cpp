// SPDX-License-Identifier: MIT
//
// The smallest program that needs lanefold::broadphase to link: three cubes in a row, of which two pairs overlap.
#include <array>
#include <cstdio>

#include <lanefold/broadphase.hpp>
#include <lanefold/hull_builder.hpp>

int main() {
    std::array<lanefold::Vec3f, 8> corners;
    for (std::size_t i = 0; i < corners.size(); ++i) {
        corners[i] = {(i & 1) != 0 ? 1.0F : -1.0F, (i & 2) != 0 ? 1.0F : -1.0F, (i & 4) != 0 ? 1.0F : -1.0F};
    }
    const lanefold::BuildResult built = lanefold::build_hull(corners);
    if (!built) return 1;
    const std::array<lanefold::Body, 3> bodies{
        {{{0, 0, 0}, 0, {0, 0, 0, 1}}, {{1.5F, 0, 0}, 0, {0, 0, 0, 1}}, {{3, 0, 0}, 0, {0, 0, 0, 1}}}};
    lanefold::PairFinder finder;
    const auto found = finder.find(built.hulls, std::span<const lanefold::Body>(bodies));
    if (!found.status) return 2;
    for (const lanefold::Pair& p : found.pairs) std::printf("%u %u\n", p.a, p.b);
    return found.pairs.size() == 2 && found.pairs[1] == lanefold::Pair{1, 2} ? 0 : 3;
}
