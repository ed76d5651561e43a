// SPDX-License-Identifier: MIT
//
// The smallest program that needs core, simd and parallel to link: builds a hull (core), collides it with itself
// by the serial call (simd) and by the batch call (parallel, TBB), and expects the exact result.
#include <array>
#include <cstdio>
#include <cstring>

#include <lanefold/hull_builder.hpp>
#include <lanefold/isa.hpp>
#include <lanefold/narrowphase.hpp>
#include <lanefold/serial.hpp>

int main() {
    // A cube of side 2.
    std::array<lanefold::Vec3f, 8> corners;
    for (std::size_t i = 0; i < corners.size(); ++i) {
        corners[i] = {(i & 1) != 0 ? 1.0F : -1.0F, (i & 2) != 0 ? 1.0F : -1.0F, (i & 4) != 0 ? 1.0F : -1.0F};
    }
    const lanefold::BuildResult built = lanefold::build_hull(corners);
    if (!built) return 1;

    // The second cube lies 1.5 above the first: 0.5 deep.
    const std::array<lanefold::Body, 2> bodies{{{{0, 0, 0}, 0, {0, 0, 0, 1}}, {{0, 0, 1.5F}, 0, {0, 0, 0, 1}}}};
    const std::array<lanefold::Pair, 1> pairs{{{0, 1}}};
    std::array<lanefold::Manifold4, 1> serial{};
    std::array<lanefold::Manifold4, 1> batch{};
    lanefold::Workspace workspace;
    const auto view = lanefold::BodyView(std::span<const lanefold::Body>(bodies));
    const auto a = lanefold::collide_serial(built.hulls, view, pairs, {}, serial, workspace);
    const auto b = lanefold::collide(built.hulls, view, pairs, {}, batch, workspace);
    std::printf("%s: distance %g, %d points\n", lanefold::to_string(b.isa), static_cast<double>(batch[0].distance),
                batch[0].count);
    if (!a.status || !b.status || b.overlapping != 1) return 2;
    if (batch[0].distance != -0.5F || batch[0].normal[2] != 1.0F || batch[0].count != 4) return 3;
    return std::memcmp(serial.data(), batch.data(), sizeof batch) == 0 ? 0 : 4;
}
