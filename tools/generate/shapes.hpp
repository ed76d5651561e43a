// SPDX-License-Identifier: MIT
//
// Seeded hull shapes for generated scenes. Unit: metres. The origin of every shape is its centre of mass (to float32
// rounding), so that it can be simulated as it is stored.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include <lanefold/hull_set.hpp>
#include <lanefold/vec.hpp>

namespace lanefold::tools {

enum class ShapeKind : std::uint8_t {
    boxes,   // axis-aligned in their own frame, sides 0.3 to 1.1 m
    debris,  // 8 to 32 vertices: boxes with corners cut off, and splinters
    rocks,   // 32 to 64 vertices: pebbles of triangles, and stones of flat facets
    big,     // 128 to 250 vertices, likewise
    mixed,   // boxes, debris, rocks and big hulls, 35:35:20:10
    gravel,  // spheres, radius 0.08 to 0.3 m
};

std::optional<ShapeKind> parse_shape_kind(std::string_view name);
std::string_view to_string(ShapeKind kind);

// Hulls as a scene stores them: hull i has vertices offsets[i] .. offsets[i + 1].
struct Shapes {
    std::vector<std::uint64_t> offsets{0};
    std::vector<Vec3f> vertices;
    std::vector<float> radius;  // by which each is rounded
    HullSet hulls;              // built from exactly these vertices and radii
};

// `count` distinct hulls. Hull i depends on kind, seed and i only. threads 0: as many as the machine has.
Shapes generate_shapes(ShapeKind kind, std::uint32_t count, std::uint64_t seed, std::uint32_t threads = 0);

}  // namespace lanefold::tools
