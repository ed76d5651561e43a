// SPDX-License-Identifier: MIT
//
// Triangle meshes for tests of surfaces, and the checks that every surface must pass.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include <lanefold/surface.hpp>
#include <lanefold/vec.hpp>

namespace lanefold::test {

using Triangle = std::array<std::uint32_t, 3>;

struct Mesh {
    std::vector<Vec3f> points;
    std::vector<Triangle> triangles;

    // The points and triangles of another mesh, moved.
    void add(const Mesh& other, const Vec3f& by = {});
};

// A grid of cells in the square 0 .. 1 with heights up to `height`, or flat.
Mesh grid_mesh(std::uint32_t cells, float height, std::uint64_t seed);

// The closed box between two corners, two triangles a side. `turned`: with the other diagonal of every side.
Mesh box_mesh(const Vec3f& low, const Vec3f& high, bool turned = false);

// A closed ball of about 2 rings * columns triangles.
Mesh ball_mesh(std::uint32_t rings, std::uint32_t columns, float radius);

// Every triangle with vertices of its own.
Mesh soup(const Mesh& mesh);

// Empty if neighbours, kinds of edges, rings and maps are consistent and equal those found by brute force over all
// triangles; otherwise the first fault. For small surfaces.
std::string surface_fault(const Surface& surface);

// The sum of the triangles' areas.
double surface_area(const Surface& surface);

// The sum of signed volumes of the triangles and the origin: of a closed surface its volume.
double enclosed_volume(const Surface& surface);

}  // namespace lanefold::test
