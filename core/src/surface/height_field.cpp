// SPDX-License-Identifier: MIT
//
// From samples to a height field: arguments that are refused, copies, the pyramid.
#include <lanefold/height_field.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <new>
#include <utility>

#include <lanefold/detail/surface_view.hpp>
#include <lanefold/fp_environment.hpp>

#include <xxhash.h>

#include "surface/surface_state.hpp"

namespace lanefold {

namespace {

using detail::HeightGrid;

constexpr std::size_t kMostTriangles = std::size_t{1} << 30U;
// Largest magnitude of a coordinate, as for meshes.
constexpr double kLargest = 1e15;

CallStatus refuse(const char* what, std::uint64_t where = 0) { return {Status::bad_argument, what, where}; }

// Numbers of samples, tiles, and cells, and spans of their length.
CallStatus check_counts(std::span<const HeightSamples> tiles, const HeightFieldOptions& o) {
    if (o.rows < 2 || o.columns < 2) return refuse("a height field needs at least 2 rows and 2 columns of samples");
    if (o.tile_rows < 1 || o.tile_columns < 1) return refuse("a height field needs at least one tile");
    constexpr std::size_t kMost = kMostTriangles;
    if (o.rows > kMost || o.columns > kMost || o.tile_rows > kMost || o.tile_columns > kMost)
        return refuse("more than 2^30 triangles", kMostTriangles);
    const std::size_t rows = o.tile_rows * (o.rows - 1);
    const std::size_t columns = o.tile_columns * (o.columns - 1);
    if (rows > kMostTriangles || columns > kMostTriangles || 2 * rows * columns > kMostTriangles ||
        (rows + 1) * (columns + 1) >= Surface::kBorder)
        return refuse("more than 2^30 triangles", kMostTriangles);
    if (tiles.size() != o.tile_rows * o.tile_columns)
        return refuse("not one set of samples for each tile", tiles.size());
    const std::size_t cells = rows * columns;
    if (!o.holes.empty() && o.holes.size() != cells) return refuse("not one hole mark for each cell", o.holes.size());
    if (!o.diagonals.empty() && o.diagonals.size() != cells)
        return refuse("not one diagonal mark for each cell", o.diagonals.size());
    if (!o.materials.empty() && o.materials.size() != cells)
        return refuse("not one material for each cell", o.materials.size());
    for (std::size_t i = 0; i < tiles.size(); ++i) {
        if (tiles[i].data == nullptr) return refuse("a tile has no samples", i);
    }
    return {};
}

CallStatus check_numbers(const HeightFieldOptions& o) {
    for (const double x : {o.x0, o.y0, o.dx, o.dy, o.scale, o.offset}) {
        if (!std::isfinite(x)) return refuse("a number of the options is not finite");
    }
    if (!(o.dx > 0) || !(o.dy > 0)) return refuse("dx and dy must be positive");
    if (!(o.thickness >= 0)) return refuse("thickness is negative or NaN");
    return {};
}

void set_counts(std::span<const HeightSamples> tiles, const HeightFieldOptions& o, HeightGrid& grid) {
    grid.tile_cell_rows = static_cast<std::uint32_t>(o.rows - 1);
    grid.tile_cell_columns = static_cast<std::uint32_t>(o.columns - 1);
    grid.tiles_across = static_cast<std::uint32_t>(o.tile_columns);
    grid.cell_rows = static_cast<std::uint32_t>(o.tile_rows) * grid.tile_cell_rows;
    grid.cell_columns = static_cast<std::uint32_t>(o.tile_columns) * grid.tile_cell_columns;
    grid.rows = grid.cell_rows + 1;
    grid.columns = grid.cell_columns + 1;
    grid.x0 = o.x0;
    grid.y0 = o.y0;
    grid.dx = o.dx;
    grid.dy = o.dy;
    grid.scale = o.scale;
    grid.offset = o.offset;
    grid.tiles.assign(tiles.begin(), tiles.end());
}

// The columns and rows must be different numbers of float32.
CallStatus check_axes(const HeightGrid& grid) {
    for (std::uint32_t c = 0; c < grid.cell_columns; ++c) {
        if (!(grid.x(c) < grid.x(c + 1))) return refuse("columns are closer than float32 can tell", c);
    }
    for (std::uint32_t r = 0; r < grid.cell_rows; ++r) {
        if (!(grid.y(r) < grid.y(r + 1))) return refuse("rows are closer than float32 can tell", r);
    }
    for (const float x : {grid.x(0), grid.x(grid.cell_columns), grid.y(0), grid.y(grid.cell_rows)}) {
        if (!(std::fabs(static_cast<double>(x)) <= kLargest)) return refuse("a coordinate is beyond 1e15");
    }
    return {};
}

bool same_bits(double a, double b) { return std::memcmp(&a, &b, sizeof a) == 0; }

// Tile (i, j) and its neighbours with larger numbers.
CallStatus check_borders(const HeightGrid& grid, std::size_t tile_rows) {
    const std::size_t across = grid.tiles_across;
    for (std::size_t i = 0; i < tile_rows; ++i) {
        for (std::size_t j = 0; j < across; ++j) {
            const std::size_t tile = i * across + j;
            const std::size_t row = i * grid.tile_cell_rows;
            const std::size_t column = j * grid.tile_cell_columns;
            for (std::size_t r = 0; j + 1 < across && r <= grid.tile_cell_rows; ++r) {
                if (!same_bits(grid.height_in(tile, r, grid.tile_cell_columns), grid.height_in(tile + 1, r, 0)))
                    return refuse("tiles differ on their common border",
                                  (row + r) * grid.columns + column + grid.tile_cell_columns);
            }
            for (std::size_t c = 0; i + 1 < tile_rows && c <= grid.tile_cell_columns; ++c) {
                if (!same_bits(grid.height_in(tile, grid.tile_cell_rows, c), grid.height_in(tile + across, 0, c)))
                    return refuse("tiles differ on their common border",
                                  (row + grid.tile_cell_rows) * grid.columns + column + c);
            }
        }
    }
    return {};
}

std::vector<std::uint64_t> packed(std::span<const std::uint8_t> marks) {
    std::vector<std::uint64_t> bits(marks.empty() ? 0 : marks.size() / 64 + 1, 0);
    for (std::size_t i = 0; i < marks.size(); ++i) bits[i / 64] |= std::uint64_t{marks[i] != 0} << (i % 64);
    return bits;
}

// Copies the samples of all tiles, without gaps.
void own_samples(HeightGrid& grid) {
    const std::size_t rows = grid.tile_cell_rows + std::size_t{1};
    const std::size_t columns = grid.tile_cell_columns + std::size_t{1};
    std::size_t bytes = 0;
    for (const HeightSamples& s : grid.tiles) bytes += rows * columns * (s.is_uint16 ? 2 : 4);
    grid.owned.resize(bytes);
    std::byte* to = grid.owned.data();
    for (HeightSamples& s : grid.tiles) {
        const std::size_t each = s.is_uint16 ? 2 : 4;
        std::byte* const first = to;
        for (std::size_t r = 0; r < rows; ++r) {
            const auto* from = static_cast<const std::byte*>(s.data) + static_cast<std::ptrdiff_t>(r) * s.row_stride;
            for (std::size_t c = 0; c < columns; ++c, to += each)
                std::memcpy(to, from + static_cast<std::ptrdiff_t>(c) * s.column_stride, each);
        }
        s.data = first;
        s.row_stride = static_cast<std::ptrdiff_t>(columns * each);
        s.column_stride = static_cast<std::ptrdiff_t>(each);
    }
}

// Bounds of all triangles, their fingerprint, and the first vertex that has no height.
struct Survey {
    float low[3] = {HUGE_VALF, HUGE_VALF, HUGE_VALF};
    float high[3] = {-HUGE_VALF, -HUGE_VALF, -HUGE_VALF};
    std::uint64_t hash = 0;
    std::uint64_t bad = 0;
    bool is_bad = false;
};

bool is_used(const HeightGrid& grid, std::uint32_t row, std::uint32_t column) {
    if (grid.holes.empty()) return true;
    for (std::uint32_t r = row > 0 ? row - 1 : 0; r <= row && r < grid.cell_rows; ++r) {
        for (std::uint32_t c = column > 0 ? column - 1 : 0; c <= column && c < grid.cell_columns; ++c) {
            if (!grid.hole(static_cast<std::size_t>(r) * grid.cell_columns + c)) return true;
        }
    }
    return false;
}

Survey survey(const HeightGrid& grid) {
    Survey all;
    std::vector<Vec3f> row(grid.columns);
    for (std::uint32_t r = 0; r < grid.rows; ++r) {
        for (std::uint32_t c = 0; c < grid.columns; ++c) {
            row[c] = {};
            if (!is_used(grid, r, c)) continue;
            const Vec3f p = grid.vertex(r * grid.columns + c);
            if (!(std::fabs(static_cast<double>(p.z)) <= kLargest) && !all.is_bad) {
                all.is_bad = true;
                all.bad = static_cast<std::uint64_t>(r) * grid.columns + c;
            }
            row[c] = p;
            const float at[3] = {p.x, p.y, p.z};
            for (int a = 0; a < 3; ++a) {
                all.low[a] = std::min(all.low[a], at[a]);
                all.high[a] = std::max(all.high[a], at[a]);
            }
        }
        all.hash = XXH64(row.data(), row.size() * sizeof(Vec3f), all.hash);
    }
    const auto add = [&all](const auto& v) { all.hash = XXH64(v.data(), v.size() * sizeof(v[0]), all.hash); };
    add(grid.holes);
    add(grid.diagonals);
    return all;
}

// Every side of a cell is one edge of its triangles.
std::uint64_t count_borders(const HeightGrid& grid) {
    std::uint64_t borders = 0;
    for (std::uint32_t r = 0; r < grid.cell_rows; ++r) {
        for (std::uint32_t c = 0; c < grid.cell_columns; ++c) {
            const std::size_t cell = static_cast<std::size_t>(r) * grid.cell_columns + c;
            if (grid.hole(cell)) continue;
            borders += r == 0 || grid.hole(cell - grid.cell_columns) ? 1U : 0U;
            borders += r + 1 == grid.cell_rows || grid.hole(cell + grid.cell_columns) ? 1U : 0U;
            borders += c == 0 || grid.hole(cell - 1) ? 1U : 0U;
            borders += c + 1 == grid.cell_columns || grid.hole(cell + 1) ? 1U : 0U;
        }
    }
    return borders;
}

SurfaceResult build(std::span<const HeightSamples> tiles, const HeightFieldOptions& options) {
    SurfaceResult result;
    result.status = check_counts(tiles, options);
    if (result.status) result.status = check_numbers(options);
    if (!result.status) return result;
    const auto state = std::make_shared<detail::SurfaceState>();
    HeightGrid& grid = state->grid;
    set_counts(tiles, options, grid);
    result.status = check_axes(grid);
    if (result.status) result.status = check_borders(grid, options.tile_rows);
    if (!result.status) return result;
    grid.holes = packed(options.holes);
    grid.diagonals = packed(options.diagonals);
    if (options.borrow) {
        grid.keep = options.keep;
    } else {
        own_samples(grid);
    }
    const Survey all = survey(grid);
    if (all.is_bad) {
        result.status = refuse("a sample is not finite or beyond 1e15", all.bad);
        return result;
    }
    grid.make_levels();
    state->report.border_edges = count_borders(grid);
    state->materials.assign(options.materials.begin(), options.materials.end());
    state->fingerprint = XXH64(state->materials.data(), state->materials.size() * sizeof(std::uint16_t), all.hash);
    state->fingerprint = XXH64(&options.thickness, sizeof options.thickness, state->fingerprint);
    double largest = 0;
    if (all.low[0] <= all.high[0]) {
        state->bounds = {to_double(Vec3f{all.low[0], all.low[1], all.low[2]}),
                         to_double(Vec3f{all.high[0], all.high[1], all.high[2]})};
        for (int a = 0; a < 3; ++a) {
            largest = std::max(
                {largest, std::fabs(static_cast<double>(all.low[a])), std::fabs(static_cast<double>(all.high[a]))});
        }
    }
    state->rounding = detail::kCoordinateRounding * largest * std::sqrt(3.0);
    state->bind_field(static_cast<double>(options.thickness), largest);
    result.surface = Surface(state);
    return result;
}

}  // namespace

SurfaceResult build_height_field(std::span<const HeightSamples> tiles, const HeightFieldOptions& options) {
    try {
        return in_default_environment([&] { return build(tiles, options); });
    } catch (const std::bad_alloc&) {
        SurfaceResult result;
        result.status = {Status::out_of_memory, "out of memory", 0};
        return result;
    }
}

HeightFieldArrays height_field_arrays(const Surface& field) {
    HeightFieldArrays out;
    const HeightGrid* const grid = field.view().grid();
    if (grid == nullptr) return out;
    out.options.rows = grid->rows;
    out.options.columns = grid->columns;
    out.options.x0 = grid->x0;
    out.options.y0 = grid->y0;
    out.options.dx = grid->dx;
    out.options.dy = grid->dy;
    out.options.thickness = field.thickness();
    for (std::uint32_t r = 0; r < grid->rows; ++r) {
        for (std::uint32_t c = 0; c < grid->columns; ++c) out.heights.push_back(grid->z(r, c));
    }
    for (std::size_t cell = 0; cell < grid->cells(); ++cell) {
        if (!grid->holes.empty()) out.holes.push_back(grid->hole(cell) ? 1 : 0);
        if (!grid->diagonals.empty()) out.diagonals.push_back(grid->diagonal(cell) ? 1 : 0);
        if (field.has_materials()) out.materials.push_back(field.material(static_cast<std::uint32_t>(2 * cell)));
    }
    return out;
}

}  // namespace lanefold
