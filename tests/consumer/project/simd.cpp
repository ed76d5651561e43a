// SPDX-License-Identifier: MIT
//
// The smallest program that needs lanefold::simd to link: collides a tetrahedron with a copy of itself.
#include <array>

#include <lanefold/hull_builder.hpp>
#include <lanefold/serial.hpp>

int main() {
    const std::array<lanefold::Vec3f, 4> corners{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    const lanefold::BuildResult built = lanefold::build_hull(corners);
    if (!built) return 1;
    const std::array<lanefold::Body, 2> bodies{{{{0, 0, 0}, 0, {0, 0, 0, 1}}, {{0.25F, 0, 0}, 0, {0, 0, 0, 1}}}};
    const std::array<lanefold::Pair, 1> pairs{{{0, 1}}};
    std::array<lanefold::Manifold4, 1> contacts{};
    lanefold::Workspace workspace;
    const auto view = lanefold::BodyView(std::span<const lanefold::Body>(bodies));
    const auto result = lanefold::collide_serial(built.hulls, view, pairs, {}, contacts, workspace);
    return result.status && result.overlapping == 1 && contacts[0].count > 0 ? 0 : 2;
}
