// SPDX-License-Identifier: MIT
//
// The smallest program that needs lanefold::core to link: builds a hull.
#include <array>

#include <lanefold/hull_builder.hpp>

int main() {
    const std::array<lanefold::Vec3f, 4> corners{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    const lanefold::BuildResult built = lanefold::build_hull(corners);
    return built && built.hulls.size() == 1 ? 0 : 1;
}
