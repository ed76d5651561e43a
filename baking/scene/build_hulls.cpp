// SPDX-License-Identifier: MIT
//
// Builds the hulls of a scene, and its half-spaces, compounds and surfaces among them: run after run of one kind, so
// that each gets its number.

#include <utility>
#include <vector>

#include <fmt/format.h>

#include <lanefold/compound.hpp>
#include <lanefold/half_space.hpp>
#include <lanefold/hull_builder.hpp>
#include <lanefold/surface_set.hpp>

#include "console/failure.hpp"
#include "scene/io.hpp"

namespace lanefold::tools {
namespace {

namespace fs = std::filesystem;

HullSet build_planes(std::span<const HalfSpace> planes, std::size_t first_plane, std::size_t first_hull,
                     const Scene& scene) {
    BuildResult result = lanefold::build_half_spaces(planes);
    if (result) return std::move(result.hulls);
    const HullReport& report = result.failures.front();
    scene.refuse_scaled(first_hull + report.hull, report.what);
    throw bad_input("{}: row {} (hull {}) is no half-space: {}", (scene.folder() / kHalfSpacesFile).string(),
                    first_plane + report.hull, first_hull + report.hull, report.what);
}

// `hulls` with a run of compounds, of which the first has the number `first` among the compounds.
HullSet add_compounds(const HullSet& hulls, const Scene& scene, std::size_t first, std::size_t count) {
    const OtherShapes& shapes = scene.other_shapes();
    CompoundResult result =
        lanefold::build_compounds(hulls, shapes.children, std::span(shapes.offsets).subspan(first, count + 1));
    if (result) return std::move(result.hulls);
    const CompoundReport& report = result.failures.front();
    const std::size_t compound = first + report.compound;
    scene.refuse_scaled(hulls.size() + report.compound, report.what);
    const bool of_child = report.error == CompoundError::bad_pose;
    // Only poses are left to be wrong, and their file is that of what the words name.
    const char* const file = !of_child ? kCompoundOffsetsFile
                             : std::string_view(report.what).find("quaternion") == std::string::npos
                                 ? kChildPositionFile
                                 : kChildOrientationFile;
    throw bad_input("{}: compound {} (hull {}), row {}: {}", (scene.folder() / file).string(), compound,
                    hulls.size() + report.compound, shapes.offsets[compound] + report.child, report.what);
}

// Surfaces of the hulls `first` to `last` - 1; `meshes` and `fields` came before.
HullSet build_surfaces(const OtherShapes& shapes, std::size_t first, std::size_t last, std::size_t& meshes,
                       std::size_t& fields, const fs::path& folder) {
    std::vector<Surface> surfaces;
    for (std::size_t h = first; h < last; ++h) {
        const bool is_field = shapes.is_height_field(h);
        std::size_t& own = is_field ? fields : meshes;
        surfaces.push_back(build_surface_of(shapes.surfaces, is_field, own, meshes + fields, h, folder));
        ++own;
    }
    BuildResult result = surface_set(surfaces);
    if (result) return std::move(result.hulls);
    const HullReport& report = result.failures.front();
    throw bad_input("{}: hull {} is no surface: {}", (folder / kHullKindFile).string(), first + report.hull,
                    report.what);
}

}  // namespace

// Hulls from `first` to `last` - 1.
HullSet Scene::build_run(std::size_t first, std::size_t last, std::uint32_t threads) const {
    BuildOptions options;
    options.threads = threads;
    if (!hull_radius_.empty()) options.radii = std::span(hull_radius_).subspan(first, last - first);
    BuildResult result =
        lanefold::build_hulls(hull_vertices_, std::span(hull_offsets_).subspan(first, last - first + 1), options);
    if (result) return std::move(result.hulls);
    const HullReport& report = result.failures.front();
    const std::size_t hull = first + report.hull;
    refuse_scaled(hull, report.what);
    if (report.error == HullError::bad_radius)
        throw bad_input("{}: hull {} cannot be built: {}", (folder_ / kHullRadiusFile).string(), hull, report.what);
    const std::uint64_t row = hull_offsets_[hull];
    throw bad_input("{}: hull {} (rows {} to {}) cannot be built: {} ({}), row {}{}",
                    (folder_ / "hull_vertices.npy").string(), hull, row, hull_offsets_[hull + 1], report.what,
                    to_string(report.error), row + report.culprit,
                    result.failures.size() > 1 ? fmt::format("; {} hulls failed", result.failures.size()) : "");
}

HullSet Scene::build_hulls(std::uint32_t threads) const {
    if (other_shapes_.kind.empty()) return build_run(0, hulls(), threads);
    HullSet out;
    std::size_t planes = 0;
    std::size_t compounds = 0;
    std::size_t meshes = 0;
    std::size_t fields = 0;
    for (std::size_t first = 0, last = 0; first < hulls(); first = last) {
        const ShapeKind kind = other_shapes_.kind_of(first);
        for (last = first; last < hulls() && other_shapes_.kind_of(last) == kind; ++last) {
        }
        const std::size_t count = last - first;
        if (kind == ShapeKind::hull) {
            out = out.append(build_run(first, last, threads));
        } else if (kind == ShapeKind::half_space) {
            const auto own = std::span(other_shapes_.half_spaces).subspan(planes, count);
            out = out.append(build_planes(own, planes, first, *this));
            planes += count;
        } else if (kind == ShapeKind::surface) {
            out = out.append(build_surfaces(other_shapes_, first, last, meshes, fields, folder_));
        } else {
            out = add_compounds(out, *this, compounds, count);
            compounds += count;
        }
    }
    return out;
}

}  // namespace lanefold::tools
