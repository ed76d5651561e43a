// SPDX-License-Identifier: MIT
//
// Flat meshes at z = 0, tessellated in every way that made other engines bump, and the bodies that slide over them.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include <gtest/gtest.h>

#include <lanefold/surface.hpp>

#include "support/random.hpp"

namespace lanefold::test {

struct FlatMesh {
    std::vector<Vec3f> points;
    std::vector<std::array<std::uint32_t, 3>> triangles;

    std::uint32_t add(double x, double y, double z = 0) {
        points.push_back({static_cast<float>(x), static_cast<float>(y), static_cast<float>(z)});
        return static_cast<std::uint32_t>(points.size() - 1);
    }
    void quad(std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t d, bool other = false) {
        if (other) {
            triangles.push_back({a, b, d});
            triangles.push_back({b, c, d});
        } else {
            triangles.push_back({a, b, c});
            triangles.push_back({a, c, d});
        }
    }
    Surface build() const {
        const SurfaceResult r = build_surface(points, triangles);
        EXPECT_TRUE(r) << r.status.what;
        return r.surface;
    }
};

enum class Tiling : std::uint8_t {
    diagonals,     // squares with one diagonal
    alternating,   // diagonals that alternate
    crossed,       // four triangles about the middle of each square
    rows,          // rows shifted by half a side
    slivers,       // 1:50
    tiles_meet,    // two halves with vertices of their own along the seam
    t_junctions,   // cells of one side meet cells half their length
    random_flips,  // jittered points, random diagonals
};
inline constexpr std::uint32_t kTilingCount = 8;

// n by n cells of the given size about the origin.
inline FlatMesh flat_mesh(Tiling tiling, std::uint32_t n, double cell, Random& random) {
    FlatMesh m;
    const double low = -0.5 * n * cell;
    const double dy = tiling == Tiling::slivers ? cell / 50 : cell;
    const std::uint32_t rows = tiling == Tiling::slivers ? 50 * n : n;
    const auto grid = [&](double from, std::uint32_t columns, double width, double height, std::uint32_t lines) {
        const auto first = static_cast<std::uint32_t>(m.points.size());
        for (std::uint32_t j = 0; j <= lines; ++j) {
            for (std::uint32_t i = 0; i <= columns; ++i) {
                const bool inner = i > 0 && j > 0 && i < columns && j < lines;
                const bool jitter = tiling == Tiling::random_flips && inner;
                const double jx = jitter ? random.uniform(-0.2, 0.2) * cell : 0;
                const double jy = jitter ? random.uniform(-0.2, 0.2) * cell : 0;
                const double shift = tiling == Tiling::rows && j % 2 == 1 && i > 0 && i < columns ? 0.5 * width : 0;
                m.add(from + i * width + shift + jx, low + j * height + jy);
            }
        }
        const std::uint32_t w = columns + 1;
        for (std::uint32_t j = 0; j < lines; ++j) {
            for (std::uint32_t i = 0; i < columns; ++i) {
                const std::uint32_t a = first + j * w + i;
                if (tiling == Tiling::crossed) {
                    const std::uint32_t c = m.add(from + (i + 0.5) * width, low + (j + 0.5) * height);
                    m.triangles.push_back({a, a + 1, c});
                    m.triangles.push_back({a + 1, a + w + 1, c});
                    m.triangles.push_back({a + w + 1, a + w, c});
                    m.triangles.push_back({a + w, a, c});
                    continue;
                }
                bool other = tiling == Tiling::alternating && (i + j) % 2 == 1;
                if (tiling == Tiling::random_flips) other = random.chance(0.5);
                if (tiling == Tiling::rows) other = j % 2 == 0;
                m.quad(a, a + 1, a + w + 1, a + w, other);
            }
        }
    };
    if (tiling == Tiling::tiles_meet || tiling == Tiling::t_junctions) {
        const bool fine = tiling == Tiling::t_junctions;
        grid(low, n / 2, cell, cell, n);
        grid(low + (n / 2) * cell, fine ? n : n / 2, fine ? cell / 2 : cell, fine ? cell / 2 : cell, fine ? 2 * n : n);
    } else {
        grid(low, n, cell, dy, rows);
    }
    return m;
}

}  // namespace lanefold::test
