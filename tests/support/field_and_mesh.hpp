// SPDX-License-Identifier: MIT
//
// A height field with holes, and the mesh of its triangles: what a call says of one it says of the other.
#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include <lanefold/height_field.hpp>
#include <lanefold/surface.hpp>

#include "support/random.hpp"

namespace lanefold::test {

struct FieldAndMesh {
    Surface field, mesh;
    std::vector<std::uint32_t> numbers;  // the field's, of the mesh's triangles
};

// Cells of 1, a tenth of them holes; heights from 0 to `most`.
inline FieldAndMesh field_and_mesh(Random& random, std::size_t rows, std::size_t columns, double most) {
    std::vector<float> samples(rows * columns);
    for (float& z : samples) z = static_cast<float>(random.uniform(0, most));
    std::vector<std::uint8_t> holes((rows - 1) * (columns - 1));
    for (std::uint8_t& h : holes) h = random.chance(0.1) ? 1 : 0;
    HeightFieldOptions options;
    options.rows = rows;
    options.columns = columns;
    options.holes = holes;
    const HeightSamples tiles[1] = {HeightSamples(samples.data(), columns)};
    const SurfaceResult field = build_height_field(tiles, options);
    EXPECT_TRUE(field) << field.status.what;
    const SurfaceArrays arrays = surface_arrays(field.surface);
    SurfaceOptions exact;
    exact.weld_tolerance = 0;
    exact.split_t_junctions = false;
    exact.drop_opposite = false;
    const SurfaceResult mesh = build_surface(arrays.vertices, arrays.triangles, exact);
    EXPECT_TRUE(mesh) << mesh.status.what;
    return {field.surface, mesh.surface, arrays.numbers};
}

}  // namespace lanefold::test
