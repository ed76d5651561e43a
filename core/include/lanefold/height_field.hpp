// SPDX-License-Identifier: MIT
//
// Height fields as surfaces: samples of a grid, row-major as NumPy has them, with holes, a diagonal per cell and tiles
// that share borders. Triangles are made on demand, and give the bits of the mesh of the same triangles.
//
// Sample (r, c) is the vertex number r * columns + c at x = x0 + c dx, y = y0 + r dy, z = offset + scale * sample, each
// computed in float64 and rounded to float32 once. Cell (r, c), number r * (columns - 1) + c, lies between the samples
// (r, c) and (r + 1, c + 1). Its triangles have the numbers 2 cell and 2 cell + 1; normals point to +z. Triangle 2 cell
// has the edge from (r, c) to (r, c + 1). Without its bit a cell is divided from (r, c) to (r + 1, c + 1), else from
// (r, c + 1) to (r + 1, c).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include <lanefold/export.hpp>
#include <lanefold/surface.hpp>

namespace lanefold {

// Samples of float32 or uint16 in the caller's memory: element (r, c) lies row_stride r + column_stride c bytes behind
// the first. Strides may be negative, as those of a flipped NumPy array.
struct HeightSamples {
    const void* data = nullptr;
    bool is_uint16 = false;
    std::ptrdiff_t row_stride = 0;
    std::ptrdiff_t column_stride = 0;

    HeightSamples() = default;
    // Rows of `columns` samples without gaps.
    HeightSamples(const float* samples, std::size_t columns)
        : data(samples),
          row_stride(static_cast<std::ptrdiff_t>(columns * sizeof(float))),
          column_stride(sizeof(float)) {}
    HeightSamples(const std::uint16_t* samples, std::size_t columns)
        : data(samples),
          is_uint16(true),
          row_stride(static_cast<std::ptrdiff_t>(columns * sizeof(std::uint16_t))),
          column_stride(sizeof(std::uint16_t)) {}
};

// How samples become a surface.
struct HeightFieldOptions {
    // Samples of a tile. Tile (i, j) of a grid of tiles has number i * tile_columns + j; its last row and column of
    // samples are the first ones of its neighbours, and must equal them. The field has tile_rows * (rows - 1) + 1 rows.
    std::size_t rows = 0;
    std::size_t columns = 0;
    std::size_t tile_rows = 1;
    std::size_t tile_columns = 1;
    double x0 = 0;
    double y0 = 0;
    double dx = 1;
    double dy = 1;
    double scale = 1;
    double offset = 0;
    // A byte per cell of the whole field, row-major, as a NumPy array of bool; or none. Not 0: the cell has no
    // triangles. Samples that only holes use may be NaN.
    std::span<const std::uint8_t> holes;
    // The same: not 0 divides the cell from (r, c + 1) to (r + 1, c).
    std::span<const std::uint8_t> diagonals;
    // A number per cell, or none.
    std::span<const std::uint16_t> materials;
    float thickness = SurfaceOptions{}.thickness;
    // Keeps the samples in place instead of a copy. They must not change or move while a copy of the surface lives;
    // `keep` is held until then.
    bool borrow = false;
    std::shared_ptr<const void> keep;
};

// A height field from one set of samples per tile. It refuses samples that are not finite or beyond 1e15, samples of
// tiles that differ on their common border (`where` is the vertex), masks and materials of another size, steps that
// are not positive or vanish beside x0 and y0, fewer than 2 rows or columns, and more than 2^30 triangles. Holes,
// diagonals and materials are copied.
LANEFOLD_EXPORT SurfaceResult build_height_field(std::span<const HeightSamples> tiles,
                                                 const HeightFieldOptions& options);

// The parts of a height field that make it again: build_height_field gives the same bits and the same fingerprint.
struct HeightFieldArrays {
    std::vector<float> heights;  // samples of one tile, with scale 1 and offset 0
    std::vector<std::uint8_t> holes;
    std::vector<std::uint8_t> diagonals;
    std::vector<std::uint16_t> materials;
    // The numbers. The caller sets the spans to the arrays, which are empty if none was given.
    HeightFieldOptions options;
};

// Copies out a height field, whose samples may be of tiles and of uint16. Nothing for a mesh.
LANEFOLD_EXPORT HeightFieldArrays height_field_arrays(const Surface& field);

}  // namespace lanefold
