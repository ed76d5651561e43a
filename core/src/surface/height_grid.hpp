// SPDX-License-Identifier: MIT
//
// The samples of a height field, its triangles made on demand, and the pyramid of lowest and highest samples.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include <lanefold/detail/surface_view.hpp>
#include <lanefold/height_field.hpp>

#include "surface/mesh_draft.hpp"
#include "surface/triangle_tree.hpp"

namespace lanefold::detail {

struct HeightGrid {
    // Cells on a side of a block of the pyramid's lowest level, and blocks of a level on a side of a block above.
    static constexpr std::uint32_t kBlock = 4;

    // The samples that the cells of a block have; low > high if all of them are holes.
    struct Range {
        float low;
        float high;
    };
    struct Level {
        std::uint32_t rows = 0;
        std::uint32_t columns = 0;
        std::vector<Range> blocks;
    };

    std::uint32_t rows = 0;  // of samples
    std::uint32_t columns = 0;
    std::uint32_t cell_rows = 0;
    std::uint32_t cell_columns = 0;
    std::uint32_t tile_cell_rows = 0;
    std::uint32_t tile_cell_columns = 0;
    std::uint32_t tiles_across = 0;
    double x0 = 0;
    double y0 = 0;
    double dx = 1;
    double dy = 1;
    double scale = 1;
    double offset = 0;
    std::vector<HeightSamples> tiles;
    std::shared_ptr<const void> keep;
    std::vector<std::byte> owned;
    std::vector<std::uint64_t> holes;      // a bit per cell, or empty
    std::vector<std::uint64_t> diagonals;  // a bit per cell, or empty
    std::vector<Level> levels;

    float x(std::uint32_t column) const { return static_cast<float>(x0 + static_cast<double>(column) * dx); }
    float y(std::uint32_t row) const { return static_cast<float>(y0 + static_cast<double>(row) * dy); }
    // The sample of a tile, in float64 before it is rounded to float32.
    double height_in(std::size_t tile, std::size_t row, std::size_t column) const;
    float z(std::uint32_t row, std::uint32_t column) const;

    std::size_t cells() const { return static_cast<std::size_t>(cell_rows) * cell_columns; }
    bool hole(std::size_t cell) const { return !holes.empty() && (holes[cell / 64] >> (cell % 64) & 1U) != 0; }
    bool diagonal(std::size_t cell) const {
        return !diagonals.empty() && (diagonals[cell / 64] >> (cell % 64) & 1U) != 0;
    }

    Vec3f vertex(std::uint32_t v) const;
    Corners triangle(std::uint32_t t) const;
    std::uint32_t opposite(std::uint32_t t, int k) const;
    // Calls visit(w) for the vertices of all triangles at v but v, some of them more than once.
    template <class Visit>
    void visit_ring(std::uint32_t v, const Visit& visit) const;
    // Adds the triangles whose boxes meet the box, in no order.
    void candidates(const SurfaceBox& box, std::vector<std::uint32_t>& out) const;
    // See SurfaceView::along().
    double along(const RayLine& ray, double most, VisitTriangle visit, void* context, const Vec3d& reach) const;

    // Makes the pyramid; all else is there.
    void make_levels();
    std::size_t bytes() const;

private:
    void add_cell(std::uint32_t row, std::uint32_t column, const SurfaceBox& near,
                  std::vector<std::uint32_t>& out) const;
};

template <class Visit>
void HeightGrid::visit_ring(std::uint32_t v, const Visit& visit) const {
    const std::uint32_t row = v / columns;
    const std::uint32_t column = v % columns;
    for (std::uint32_t r = row > 0 ? row - 1 : 0; r <= row && r < cell_rows; ++r) {
        for (std::uint32_t c = column > 0 ? column - 1 : 0; c <= column && c < cell_columns; ++c) {
            const std::size_t cell = static_cast<std::size_t>(r) * cell_columns + c;
            if (hole(cell)) continue;
            for (std::uint32_t half = 0; half < 2; ++half) {
                const Corners corners = triangle(static_cast<std::uint32_t>(2 * cell) + half);
                if (std::find(corners.begin(), corners.end(), v) == corners.end()) continue;
                for (const std::uint32_t w : corners) {
                    if (w != v) visit(w);
                }
            }
        }
    }
}

}  // namespace lanefold::detail
