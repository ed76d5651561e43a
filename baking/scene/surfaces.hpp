// SPDX-License-Identifier: MIT
//
// Surfaces of a scene, from version 3 on: meshes of triangles and height fields. They have numbers among those of the
// hulls; docs/formats.md describes their files.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <vector>

#include <lanefold/surface.hpp>
#include <lanefold/vec.hpp>

namespace lanefold::tools {

// Files that only scenes with surfaces have.
inline constexpr const char* kSurfaceOffsetsFile = "surface_offsets.npy";
inline constexpr const char* kSurfaceVerticesFile = "surface_vertices.npy";
inline constexpr const char* kSurfaceTrianglesFile = "surface_triangles.npy";
inline constexpr const char* kSurfaceThicknessFile = "surface_thickness.npy";
inline constexpr const char* kHeightFieldsFile = "height_fields.npy";
inline constexpr const char* kHeightSamplesFile = "height_samples.npy";
inline constexpr const char* kHeightHolesFile = "height_holes.npy";
inline constexpr const char* kHeightDiagonalsFile = "height_diagonals.npy";

// A row of height_fields.npy.
struct FieldGrid {
    double rows = 0;  // of samples; whole numbers
    double columns = 0;
    double x0 = 0;
    double y0 = 0;
    double dx = 1;
    double dy = 1;
    double scale = 1;
    double offset = 0;

    friend bool operator==(const FieldGrid&, const FieldGrid&) = default;
    std::uint64_t samples() const { return static_cast<std::uint64_t>(rows) * static_cast<std::uint64_t>(columns); }
    std::uint64_t cells() const {
        return (static_cast<std::uint64_t>(rows) - 1) * (static_cast<std::uint64_t>(columns) - 1);
    }
};
inline constexpr std::size_t kFieldNumbers = 8;
static_assert(sizeof(FieldGrid) == kFieldNumbers * sizeof(double));

// All surfaces of a scene: meshes in the order of their numbers, and height fields in that of theirs.
struct SceneSurfaces {
    using Corners = std::array<std::uint32_t, 3>;

    // Mesh m has the vertices and triangles from offsets[m] up to offsets[m + 1]; (meshes + 1) rows, or none.
    std::vector<std::array<std::uint64_t, 2>> offsets;
    std::vector<Vec3f> vertices;
    std::vector<Corners> triangles;  // of the mesh's vertices, counted from 0
    std::vector<FieldGrid> fields;
    // Samples of all fields, one after the other, as one of these two.
    std::vector<float> samples;
    std::vector<std::uint16_t> short_samples;
    std::vector<std::uint8_t> holes;      // of the cells of all fields; empty: none
    std::vector<std::uint8_t> diagonals;  // the same
    // One of each surface in the order of its number, whether mesh or field; empty: SurfaceOptions' own.
    std::vector<float> thickness;

    std::size_t meshes() const { return offsets.empty() ? 0 : offsets.size() - 1; }
    std::size_t size() const { return meshes() + fields.size(); }

    // Appends arrays of a surface as a mesh.
    void add_mesh(std::span<const Vec3f> points, std::span<const Corners> corners);
};

// Reads the files of a scene with so many meshes and fields. Checks counts, that all used numbers are finite, and
// indices. Throws Failure(bad_input) with the file and the place.
SceneSurfaces read_surfaces(const std::filesystem::path& folder, std::size_t meshes, std::size_t fields);

// Builds surface number `surface`, which is the mesh or the field `own` among its kind, as it is stored: equal
// vertices are one, nothing else is joined, divided or left out but what has no area. Throws Failure(bad_input) that
// names the folder's file and hull `hull`.
lanefold::Surface build_surface_of(const SceneSurfaces& surfaces, bool is_field, std::size_t own, std::size_t surface,
                                   std::size_t hull, const std::filesystem::path& folder);

}  // namespace lanefold::tools
