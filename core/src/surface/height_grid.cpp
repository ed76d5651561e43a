// SPDX-License-Identifier: MIT
//
// Triangles of a height field on demand, and those near a box; see height_grid.hpp.
#include "surface/height_grid.hpp"

#include <cstring>

#include <lanefold/detail/surface_view.hpp>

namespace lanefold::detail {

namespace {

constexpr std::uint32_t kBlock = HeightGrid::kBlock;

// The corners of a cell in the order 00, 01, 11, 10 (row, column), and the edges between them.
enum Side : std::uint8_t { below, right, above, left, within };

// By [diagonal][half][edge]: the side of the cell that an edge of its triangle is.
constexpr Side kSides[2][2][3] = {{{below, right, within}, {within, above, left}},
                                  {{below, within, left}, {right, above, within}}};
// By [diagonal][half][corner]: which corner of the cell.
constexpr std::uint8_t kCorners[2][2][3] = {{{0, 1, 2}, {0, 2, 3}}, {{0, 1, 3}, {1, 2, 3}}};
constexpr Side kAcross[] = {above, left, below, right, within};

// The half-edge of a cell's triangle that is this side.
std::uint32_t half_edge(std::size_t cell, bool diagonal, Side side, std::uint32_t not_half) {
    for (std::uint32_t half = 0; half < 2; ++half) {
        if (half == not_half) continue;
        for (std::uint32_t k = 0; k < 3; ++k) {
            if (kSides[diagonal ? 1 : 0][half][k] == side) return 3 * (static_cast<std::uint32_t>(2 * cell) + half) + k;
        }
    }
    return kNoNeighbour;
}

void widen(HeightGrid::Range& range, float z) {
    range.low = std::min(range.low, z);
    range.high = std::max(range.high, z);
}

}  // namespace

double HeightGrid::height_in(std::size_t tile, std::size_t row, std::size_t column) const {
    const HeightSamples& samples = tiles[tile];
    const auto* at = static_cast<const std::byte*>(samples.data) +
                     static_cast<std::ptrdiff_t>(row) * samples.row_stride +
                     static_cast<std::ptrdiff_t>(column) * samples.column_stride;
    double sample = 0;
    if (samples.is_uint16) {
        std::uint16_t s = 0;
        std::memcpy(&s, at, sizeof s);
        sample = s;
    } else {
        float s = 0;
        std::memcpy(&s, at, sizeof s);
        sample = static_cast<double>(s);
    }
    return offset + scale * sample;
}

float HeightGrid::z(std::uint32_t row, std::uint32_t column) const {
    if (tiles.size() == 1) return static_cast<float>(height_in(0, row, column));
    // The last row and column belong to the last tile.
    const std::uint32_t i = std::min(row, cell_rows - 1) / tile_cell_rows;
    const std::uint32_t j = std::min(column, cell_columns - 1) / tile_cell_columns;
    return static_cast<float>(height_in(static_cast<std::size_t>(i) * tiles_across + j, row - i * tile_cell_rows,
                                        column - j * tile_cell_columns));
}

Vec3f HeightGrid::vertex(std::uint32_t v) const {
    const std::uint32_t row = v / columns;
    const std::uint32_t column = v % columns;
    return {x(column), y(row), z(row, column)};
}

Corners HeightGrid::triangle(std::uint32_t t) const {
    const std::size_t cell = t / 2;
    const auto row = static_cast<std::uint32_t>(cell / cell_columns);
    const auto column = static_cast<std::uint32_t>(cell % cell_columns);
    const std::uint32_t first = row * columns + column;
    const std::uint32_t corners[4] = {first, first + 1, first + columns + 1, first + columns};
    const std::uint8_t* c = kCorners[diagonal(cell) ? 1 : 0][t % 2];
    return {corners[c[0]], corners[c[1]], corners[c[2]]};
}

std::uint32_t HeightGrid::opposite(std::uint32_t t, int k) const {
    const std::size_t cell = t / 2;
    const auto row = static_cast<std::uint32_t>(cell / cell_columns);
    const auto column = static_cast<std::uint32_t>(cell % cell_columns);
    const Side side = kSides[diagonal(cell) ? 1 : 0][t % 2][k];
    std::size_t other = cell;
    switch (side) {
        case within:
            return half_edge(cell, diagonal(cell), within, t % 2);
        case below:
            if (row == 0) return kNoNeighbour;
            other = cell - cell_columns;
            break;
        case above:
            if (row + 1 == cell_rows) return kNoNeighbour;
            other = cell + cell_columns;
            break;
        case left:
            if (column == 0) return kNoNeighbour;
            other = cell - 1;
            break;
        case right:
            if (column + 1 == cell_columns) return kNoNeighbour;
            other = cell + 1;
            break;
    }
    if (hole(other)) return kNoNeighbour;
    return half_edge(other, diagonal(other), kAcross[side], 2);
}

void HeightGrid::add_cell(std::uint32_t row, std::uint32_t column, const SurfaceBox& near,
                          std::vector<std::uint32_t>& out) const {
    const std::size_t cell = static_cast<std::size_t>(row) * cell_columns + column;
    if (hole(cell)) return;
    const float low[2] = {x(column), y(row)};
    const float high[2] = {x(column + 1), y(row + 1)};
    const Vec3f corner[4] = {{low[0], low[1], z(row, column)},
                             {high[0], low[1], z(row, column + 1)},
                             {high[0], high[1], z(row + 1, column + 1)},
                             {low[0], high[1], z(row + 1, column)}};
    for (std::uint32_t half = 0; half < 2; ++half) {
        const std::uint8_t* const c = kCorners[diagonal(cell) ? 1 : 0][half];
        if (meets(box_of(corner[c[0]], corner[c[1]], corner[c[2]]), near)) {
            out.push_back(static_cast<std::uint32_t>(2 * cell) + half);
        }
    }
}

void HeightGrid::candidates(const SurfaceBox& near, std::vector<std::uint32_t>& out) const {
    struct Place {
        std::uint32_t level;
        std::uint32_t row;
        std::uint32_t column;
    };
    // A block leaves at most its blocks below, less one, behind: 16 levels of them are more than 2^30 triangles have.
    Place stack[16 * kBlock * kBlock];
    std::size_t depth = 0;
    if (!levels.empty()) stack[depth++] = {static_cast<std::uint32_t>(levels.size()) - 1, 0, 0};
    // The first and the last cell of a block on an axis: cells of block i at level l are i * span .. (i + 1) * span.
    while (depth > 0) {
        const Place at = stack[--depth];
        const Level& level = levels[at.level];
        const Range& range = level.blocks[static_cast<std::size_t>(at.row) * level.columns + at.column];
        std::uint64_t span = kBlock;
        for (std::uint32_t l = 0; l < at.level; ++l) span *= kBlock;
        const auto first_row = static_cast<std::uint32_t>(at.row * span);
        const auto first_column = static_cast<std::uint32_t>(at.column * span);
        const auto last_row = static_cast<std::uint32_t>(std::min<std::uint64_t>(first_row + span, cell_rows));
        const auto last_column = static_cast<std::uint32_t>(std::min<std::uint64_t>(first_column + span, cell_columns));
        const ItemBox block{{x(first_column), y(first_row), range.low}, {x(last_column), y(last_row), range.high}};
        if (range.low > range.high || !meets(block, near)) continue;
        if (at.level == 0) {
            for (std::uint32_t r = first_row; r < last_row; ++r) {
                for (std::uint32_t c = first_column; c < last_column; ++c) add_cell(r, c, near, out);
            }
            continue;
        }
        const Level& below_it = levels[at.level - 1];
        for (std::uint32_t r = at.row * kBlock; r < std::min((at.row + 1) * kBlock, below_it.rows); ++r) {
            for (std::uint32_t c = at.column * kBlock; c < std::min((at.column + 1) * kBlock, below_it.columns); ++c) {
                stack[depth++] = {at.level - 1, r, c};
            }
        }
    }
}

void HeightGrid::make_levels() {
    constexpr Range kNothing{HUGE_VALF, -HUGE_VALF};
    Level level;
    level.rows = (cell_rows + kBlock - 1) / kBlock;
    level.columns = (cell_columns + kBlock - 1) / kBlock;
    level.blocks.assign(static_cast<std::size_t>(level.rows) * level.columns, kNothing);
    for (std::uint32_t r = 0; r < cell_rows; ++r) {
        for (std::uint32_t c = 0; c < cell_columns; ++c) {
            if (hole(static_cast<std::size_t>(r) * cell_columns + c)) continue;
            Range& range = level.blocks[static_cast<std::size_t>(r / kBlock) * level.columns + c / kBlock];
            widen(range, z(r, c));
            widen(range, z(r, c + 1));
            widen(range, z(r + 1, c));
            widen(range, z(r + 1, c + 1));
        }
    }
    levels.push_back(std::move(level));
    while (levels.back().blocks.size() > 1) {
        const Level& down = levels.back();
        Level up;
        up.rows = (down.rows + kBlock - 1) / kBlock;
        up.columns = (down.columns + kBlock - 1) / kBlock;
        up.blocks.assign(static_cast<std::size_t>(up.rows) * up.columns, kNothing);
        for (std::uint32_t r = 0; r < down.rows; ++r) {
            for (std::uint32_t c = 0; c < down.columns; ++c) {
                Range& range = up.blocks[static_cast<std::size_t>(r / kBlock) * up.columns + c / kBlock];
                const Range& part = down.blocks[static_cast<std::size_t>(r) * down.columns + c];
                range = {std::min(range.low, part.low), std::max(range.high, part.high)};
            }
        }
        levels.push_back(std::move(up));
    }
}

std::size_t HeightGrid::bytes() const {
    std::size_t sum = tiles.capacity() * sizeof(HeightSamples) + owned.capacity() +
                      (holes.capacity() + diagonals.capacity()) * sizeof(std::uint64_t);
    for (const Level& level : levels) sum += level.blocks.capacity() * sizeof(Range);
    return sum;
}

}  // namespace lanefold::detail
