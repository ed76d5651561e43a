// SPDX-License-Identifier: MIT
//
// See the header.

#include "scene/surfaces.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

#include <lanefold/detail/exact_surface.hpp>
#include <lanefold/height_field.hpp>

#include "console/failure.hpp"
#include "files/input_file.hpp"
#include "files/npy.hpp"
#include "scene/arrays.hpp"

namespace lanefold::tools {
namespace {

namespace fs = std::filesystem;

// A field has at most 2^30 triangles, so rows and columns are below this.
constexpr double kMostSamplesOfASide = 0x1p+30;

template <class Row>
std::vector<Row> read_rows(const fs::path& path, std::uint64_t rows) {
    using Number = std::remove_reference_t<decltype(*std::declval<Row>().data())>;
    const NpyReader file(path);
    file.expect_dtype<Number>();
    file.expect_shape({rows, std::tuple_size_v<Row>});
    std::vector<Row> out(file.length());
    file.read_bytes(0, std::as_writable_bytes(std::span(out)));
    return out;
}

void check_offsets_of(const SceneSurfaces& s, std::size_t column, const fs::path& path, std::uint64_t rows,
                      const char* rows_file) {
    std::vector<std::uint64_t> own;
    for (const auto& row : s.offsets) own.push_back(row[column]);
    check_offsets(own, path.string() + (column == 0 ? ": column 0" : ": column 1"), rows, rows_file);
}

// Vertices that no triangle uses may be anything, as in the library.
void check_mesh(const SceneSurfaces& s, std::size_t mesh, const fs::path& folder) {
    const auto [first_vertex, first_triangle] = s.offsets[mesh];
    const auto [end_vertex, end_triangle] = s.offsets[mesh + 1];
    const std::uint64_t count = end_vertex - first_vertex;
    for (std::uint64_t t = first_triangle; t < end_triangle; ++t) {
        for (const std::uint32_t v : s.triangles[t]) {
            if (v >= count) {
                throw bad_input("{}: row {}: vertex {}, but mesh {} has {}", (folder / kSurfaceTrianglesFile).string(),
                                t, v, mesh, count);
            }
            const Vec3f& p = s.vertices[first_vertex + v];
            if (std::isfinite(p.x) && std::isfinite(p.y) && std::isfinite(p.z)) continue;
            throw bad_input("{}: row {}: ({}, {}, {}) is not finite", (folder / kSurfaceVerticesFile).string(),
                            first_vertex + v, p.x, p.y, p.z);
        }
    }
    if (end_triangle == first_triangle) {
        throw bad_input("{}: mesh {} has no triangles", (folder / kSurfaceOffsetsFile).string(), mesh);
    }
}

void read_meshes(const fs::path& folder, std::size_t meshes, SceneSurfaces& out) {
    const fs::path path = folder / kSurfaceOffsetsFile;
    out.offsets = read_rows<std::array<std::uint64_t, 2>>(path, meshes + 1);
    const auto vertices = read_rows<std::array<float, 3>>(folder / kSurfaceVerticesFile, kAnyLength);
    for (const auto& [x, y, z] : vertices) out.vertices.push_back({x, y, z});
    out.triangles = read_rows<SceneSurfaces::Corners>(folder / kSurfaceTrianglesFile, kAnyLength);
    check_offsets_of(out, 0, path, out.vertices.size(), kSurfaceVerticesFile);
    check_offsets_of(out, 1, path, out.triangles.size(), kSurfaceTrianglesFile);
    for (std::size_t m = 0; m < meshes; ++m) check_mesh(out, m, folder);
}

// A byte for each cell: bool or uint8.
std::vector<std::uint8_t> read_cells(const fs::path& path, std::uint64_t cells) {
    if (!is_there(path)) return {};
    const NpyReader file(path);
    file.expect_shape({cells});
    file.expect_dtype(file.header().dtype == npy_dtype<std::uint8_t>() ? "|u1" : "|b1", 1);
    std::vector<std::uint8_t> out(cells);
    file.read(0, std::span(out));
    return out;
}

bool is_side(double x) { return x >= 2 && x <= kMostSamplesOfASide && std::floor(x) == x; }

void read_fields(const fs::path& folder, std::size_t fields, SceneSurfaces& out) {
    const fs::path path = folder / kHeightFieldsFile;
    std::uint64_t samples = 0;
    std::uint64_t cells = 0;
    for (const auto& [rows, columns, x0, y0, dx, dy, scale, offset] :
         read_rows<std::array<double, kFieldNumbers>>(path, fields)) {
        out.fields.push_back({rows, columns, x0, y0, dx, dy, scale, offset});
        if (!is_side(rows) || !is_side(columns) || rows * columns > kMostSamplesOfASide) {
            throw bad_input("{}: row {}: {} rows and {} columns of samples, expected 2 or more of each", path.string(),
                            out.fields.size() - 1, rows, columns);
        }
        samples += out.fields.back().samples();
        cells += out.fields.back().cells();
    }
    const NpyReader file(folder / kHeightSamplesFile);
    file.expect_shape({samples});
    if (file.header().dtype == npy_dtype<std::uint16_t>()) {
        out.short_samples = file.read_all<std::uint16_t>();
    } else {
        out.samples = file.read_all<float>();
    }
    out.holes = read_cells(folder / kHeightHolesFile, cells);
    out.diagonals = read_cells(folder / kHeightDiagonalsFile, cells);
}

void refuse_any(const fs::path& folder, std::initializer_list<const char*> names, const char* why) {
    for (const char* const name : names) {
        if (is_there(folder / name)) throw bad_input("{}: is there, but {}", (folder / name).string(), why);
    }
}

lanefold::SurfaceResult build_mesh(const SceneSurfaces& s, std::size_t mesh, float thickness) {
    const auto [first_vertex, first_triangle] = s.offsets[mesh];
    const auto [end_vertex, end_triangle] = s.offsets[mesh + 1];
    return build_surface(std::span(s.vertices).subspan(first_vertex, end_vertex - first_vertex),
                         std::span(s.triangles).subspan(first_triangle, end_triangle - first_triangle),
                         detail::exact_surface(thickness));
}

SurfaceResult build_field(const SceneSurfaces& s, std::size_t field, float thickness) {
    std::uint64_t first_sample = 0;
    std::uint64_t first_cell = 0;
    for (std::size_t f = 0; f < field; ++f) {
        first_sample += s.fields[f].samples();
        first_cell += s.fields[f].cells();
    }
    const FieldGrid& grid = s.fields[field];
    HeightFieldOptions options;
    options.rows = static_cast<std::size_t>(grid.rows);
    options.columns = static_cast<std::size_t>(grid.columns);
    options.x0 = grid.x0;
    options.y0 = grid.y0;
    options.dx = grid.dx;
    options.dy = grid.dy;
    options.scale = grid.scale;
    options.offset = grid.offset;
    options.thickness = thickness;
    if (!s.holes.empty()) options.holes = std::span(s.holes).subspan(first_cell, grid.cells());
    if (!s.diagonals.empty()) options.diagonals = std::span(s.diagonals).subspan(first_cell, grid.cells());
    const HeightSamples samples = s.short_samples.empty()
                                      ? HeightSamples(s.samples.data() + first_sample, options.columns)
                                      : HeightSamples(s.short_samples.data() + first_sample, options.columns);
    return build_height_field(std::span(&samples, 1), options);
}

}  // namespace

void SceneSurfaces::add_mesh(std::span<const Vec3f> points, std::span<const Corners> corners) {
    vertices.insert(vertices.end(), points.begin(), points.end());
    triangles.insert(triangles.end(), corners.begin(), corners.end());
    if (offsets.empty()) offsets.push_back({0, 0});
    offsets.push_back({vertices.size(), triangles.size()});
}

SceneSurfaces read_surfaces(const fs::path& folder, std::size_t meshes, std::size_t fields) {
    SceneSurfaces out;
    if (meshes > 0) {
        read_meshes(folder, meshes, out);
    } else {
        refuse_any(folder, {kSurfaceOffsetsFile, kSurfaceVerticesFile, kSurfaceTrianglesFile},
                   "hull_kind.npy names no mesh (kind 3)");
    }
    if (fields > 0) {
        read_fields(folder, fields, out);
    } else {
        refuse_any(folder, {kHeightFieldsFile, kHeightSamplesFile, kHeightHolesFile, kHeightDiagonalsFile},
                   "hull_kind.npy names no height field (kind 4)");
    }
    const fs::path path = folder / kSurfaceThicknessFile;
    if (!is_there(path)) return out;
    if (meshes + fields == 0) refuse_any(folder, {kSurfaceThicknessFile}, "hull_kind.npy names no surface");
    out.thickness = read_list<float>(NpyReader(path), meshes + fields);
    for (std::size_t i = 0; i < out.thickness.size(); ++i) {
        if (out.thickness[i] >= 0) continue;
        throw bad_input("{}: surface {} has thickness {}, expected a number >= 0 or infinity", path.string(), i,
                        out.thickness[i]);
    }
    return out;
}

lanefold::Surface build_surface_of(const SceneSurfaces& surfaces, bool is_field, std::size_t own, std::size_t surface,
                                   std::size_t hull, const fs::path& folder) {
    const float thickness = surfaces.thickness.empty() ? SurfaceOptions().thickness : surfaces.thickness[surface];
    const SurfaceResult built = is_field ? build_field(surfaces, own, thickness) : build_mesh(surfaces, own, thickness);
    const bool of_sample = is_field && std::string_view(built.status.what).starts_with("a sample");
    const fs::path path = folder / (of_sample  ? kHeightSamplesFile
                                    : is_field ? kHeightFieldsFile
                                               : kSurfaceTrianglesFile);
    const char* const what = is_field ? "height field" : "mesh";
    if (!built) {
        throw bad_input("{}: {} {} (hull {}) cannot be built: {}, {} {}", path.string(), what, own, hull,
                        built.status.what, of_sample ? "its sample" : "at", built.status.where);
    }
    if (built.surface.empty()) {
        throw bad_input("{}: {} {} (hull {}): no triangle has an area", path.string(), what, own, hull);
    }
    return built.surface;
}

}  // namespace lanefold::tools
