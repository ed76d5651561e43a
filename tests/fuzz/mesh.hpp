// SPDX-License-Identifier: MIT
//
// Meshes of the fuzzer's bytes, for the targets of surfaces.
#pragma once

#include <vector>

#include "fuzz/input.hpp"
#include "support/meshes.hpp"

namespace lanefold::fuzz {

inline constexpr std::size_t kMostPoints = 60;
inline constexpr std::size_t kMostTriangles = 120;

// Raw bits, or small whole numbers, which make points on edges, coincident faces and flat triangles.
inline test::Mesh read_mesh(Input& in, bool raw) {
    test::Mesh mesh;
    const std::size_t points = in.take<std::uint8_t>() % kMostPoints + 1;
    for (std::size_t i = 0; i < points; ++i) {
        if (raw) {
            mesh.points.push_back(in.take<Vec3f>());
            continue;
        }
        const auto bits = in.take<std::uint16_t>();
        mesh.points.push_back({static_cast<float>(bits % 7U) / 2.0F, static_cast<float>(bits / 7U % 7U) / 3.0F,
                               static_cast<float>(bits / 49U % 3U) / 2.0F});
    }
    while (in.left() >= 3 && mesh.triangles.size() < kMostTriangles) {
        const auto corner = [&] { return static_cast<std::uint32_t>(in.take<std::uint8_t>() % (points + 1)); };
        const std::uint32_t a = corner();
        const std::uint32_t b = corner();
        const std::uint32_t c = corner();
        // One index more than there are points, once in a while.
        if (!raw && (a == points || b == points || c == points)) continue;
        mesh.triangles.push_back({a, b, c});
    }
    return mesh;
}

}  // namespace lanefold::fuzz
