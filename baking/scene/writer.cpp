// SPDX-License-Identifier: MIT
//
// Writes scene folders. Every array has a temporary name until all are complete; scene.json comes last.

#include <algorithm>
#include <type_traits>
#include <utility>

#include "console/failure.hpp"
#include "files/input_file.hpp"
#include "scene/hull_sources.hpp"
#include "scene/io.hpp"

namespace lanefold::tools {
namespace {

namespace fs = std::filesystem;

// Creates the folder. Refuses one that holds a scene or another file that would be overwritten.
const fs::path& prepare_folder(const fs::path& folder, bool replace) {
    std::error_code error;
    fs::create_directories(folder, error);
    if (error || !fs::is_directory(folder)) throw io_failure("{}: cannot create the folder", folder.string());
    if (replace) {
        // Without scene.json the folder is no scene, so no reader can mix old and new arrays.
        fs::remove(folder / "scene.json", error);
        remove_stale_temporaries(folder);
        return folder;
    }
    for (const char* name : {"scene.json", "position.npy", "pairs.npy", "hull_vertices.npy"}) {
        if (is_there(folder / name)) {
            throw bad_input("{}: exists already; choose another folder or ask to replace it", (folder / name).string());
        }
    }
    remove_stale_temporaries(folder);
    return folder;
}

// The numbers of rows that are arrays.
template <class Row>
auto numbers_of(const std::vector<Row>& rows) {
    using Number = std::remove_cvref_t<decltype(rows[0][0])>;
    return std::span<const Number>(reinterpret_cast<const Number*>(rows.data()),
                                   rows.size() * sizeof(Row) / sizeof(Number));
}

}  // namespace

SceneWriter::SceneWriter(const fs::path& folder, const Contents& contents, bool replace)
    : folder_(prepare_folder(folder, replace)),
      info_(contents.info),
      bodies_(contents.body_hull.size()),
      position_(contents.positions_are_double ? NpyWriter::of<double>(folder / "position.npy", {bodies_, 3})
                                              : NpyWriter::of<float>(folder / "position.npy", {bodies_, 3})),
      orientation_(NpyWriter::of<float>(folder / "orientation.npy", {bodies_, 4})) {
    if (bodies_ == 0) throw bad_input("{}: a scene needs at least one body", folder.string());
    const auto add = [&]<class T>(const char* name, std::span<const T> data, std::vector<std::uint64_t> row_shape) {
        add_array(name, data, std::move(row_shape));
    };
    add("hull_offsets.npy", contents.hull_offsets, {});
    const auto coordinates =
        std::span(reinterpret_cast<const float*>(contents.hull_vertices.data()), contents.hull_vertices.size() * 3);
    add("hull_vertices.npy", coordinates, {3});
    if (!contents.hull_source_vertices.empty()) {
        const auto source = std::span(reinterpret_cast<const double*>(contents.hull_source_vertices.data()),
                                      contents.hull_source_vertices.size() * 3);
        add(kSourceVerticesFile, source, {3});
    }
    if (std::any_of(contents.hull_radius.begin(), contents.hull_radius.end(), [](float r) { return r > 0; })) {
        add(kHullRadiusFile, contents.hull_radius, {});
        least_version_ = 3;
    }
    add_other_shapes(contents.other_shapes);
    add("body_hull.npy", contents.body_hull, {});
    if (std::any_of(contents.body_scale.begin(), contents.body_scale.end(), [](float s) { return s != 1; })) {
        add(kBodyScaleFile, contents.body_scale, {});
        least_version_ = 3;
    }
    if (!contents.inverse_mass.empty()) add("body_inverse_mass.npy", contents.inverse_mass, {});
    if (!contents.group.empty()) add("body_group.npy", contents.group, {});
    if (contents.with_pairs) pairs_.emplace(NpyWriter::of<std::uint32_t>(folder / "pairs.npy", {2}));
    if (contents.with_mask) {
        active_.emplace(folder / "active.npy", "|b1", 1, std::vector<std::uint64_t>{bodies_});
        all_there_.assign(bodies_, 1);
    }
    if (!contents.names.empty()) names_ = names_text(contents.names);
    if (active_ || !names_.empty()) least_version_ = std::max(least_version_, 2);
}

template <class T>
void SceneWriter::add_array(const char* name, std::span<const T> data, std::vector<std::uint64_t> row_shape) {
    NpyWriter& writer = static_files_.emplace_back(NpyWriter::of<T>(folder_ / name, std::move(row_shape)));
    writer.append(data);
}

void SceneWriter::add_other_shapes(const OtherShapes& shapes) {
    if (std::all_of(shapes.kind.begin(), shapes.kind.end(), [](std::uint8_t kind) { return kind == 0; })) return;
    least_version_ = 3;
    add_array(kHullKindFile, std::span<const std::uint8_t>(shapes.kind), {});
    add_surfaces(shapes.surfaces);
    if (!shapes.half_spaces.empty()) {
        std::vector<float> planes;
        for (const HalfSpace& s : shapes.half_spaces)
            planes.insert(planes.end(), {s.normal.x, s.normal.y, s.normal.z, s.offset});
        add_array(kHalfSpacesFile, std::span<const float>(planes), {4});
    }
    if (shapes.children.empty()) return;
    std::vector<std::uint32_t> hull;
    std::vector<double> position;
    std::vector<float> orientation;
    for (const CompoundChild& child : shapes.children) {
        hull.push_back(child.hull);
        position.insert(position.end(), std::begin(child.position), std::end(child.position));
        orientation.insert(orientation.end(), std::begin(child.orientation), std::end(child.orientation));
    }
    add_array(kCompoundOffsetsFile, std::span<const std::uint64_t>(shapes.offsets), {});
    add_array(kChildHullFile, std::span<const std::uint32_t>(hull), {});
    add_array(kChildPositionFile, std::span<const double>(position), {3});
    add_array(kChildOrientationFile, std::span<const float>(orientation), {4});
}

void SceneWriter::add_surfaces(const SceneSurfaces& surfaces) {
    const auto add = [&]<class T>(const char* name, const std::vector<T>& data) {
        if (!data.empty()) add_array(name, std::span<const T>(data), {});
    };
    if (surfaces.meshes() > 0) {
        const auto coordinates =
            std::span(reinterpret_cast<const float*>(surfaces.vertices.data()), 3 * surfaces.vertices.size());
        add_array(kSurfaceOffsetsFile, numbers_of(surfaces.offsets), {2});
        add_array(kSurfaceVerticesFile, coordinates, {3});
        add_array(kSurfaceTrianglesFile, numbers_of(surfaces.triangles), {3});
    }
    if (!surfaces.fields.empty()) {
        const auto numbers =
            std::span(reinterpret_cast<const double*>(surfaces.fields.data()), kFieldNumbers * surfaces.fields.size());
        add_array(kHeightFieldsFile, numbers, {kFieldNumbers});
        add(kHeightSamplesFile, surfaces.samples);
        add(kHeightSamplesFile, surfaces.short_samples);
        add(kHeightHolesFile, surfaces.holes);
        add(kHeightDiagonalsFile, surfaces.diagonals);
    }
    add(kSurfaceThicknessFile, surfaces.thickness);
}

void SceneWriter::add_frame(std::span<const float> position, std::span<const float> orientation,
                            std::span<const Pair> pairs, std::span<const std::uint8_t> active) {
    position_.append(position);
    add_the_rest(orientation, pairs, active);
}

void SceneWriter::add_frame(std::span<const double> position, std::span<const float> orientation,
                            std::span<const Pair> pairs, std::span<const std::uint8_t> active) {
    position_.append(position);
    add_the_rest(orientation, pairs, active);
}

void SceneWriter::add_the_rest(std::span<const float> orientation, std::span<const Pair> pairs,
                               std::span<const std::uint8_t> active) {
    orientation_.append(orientation);
    if (active_) active_->append(active.empty() ? std::span<const std::uint8_t>(all_there_) : active);
    if (!pairs_) return;
    pairs_->append_bytes(std::as_bytes(pairs));
    pair_offsets_.push_back(pair_offsets_.back() + pairs.size());
}

void SceneWriter::commit() {
    // Removes arrays of the old scene that the new one does not have.
    std::error_code ignored;
    for (const char* name : {"body_inverse_mass.npy", "body_group.npy",      "pairs.npy",
                             "pair_offsets.npy",      "names.json",          "active.npy",
                             kHullKindFile,           kHullRadiusFile,       kHalfSpacesFile,
                             kCompoundOffsetsFile,    kChildHullFile,        kChildPositionFile,
                             kChildOrientationFile,   kSurfaceOffsetsFile,   kSurfaceVerticesFile,
                             kSurfaceTrianglesFile,   kSurfaceThicknessFile, kHeightFieldsFile,
                             kHeightSamplesFile,      kHeightHolesFile,      kHeightDiagonalsFile,
                             kHullSourcesFile,        kSourceVerticesFile,   kBodyScaleFile}) {
        fs::remove(folder_ / name, ignored);
    }
    for (NpyWriter& file : static_files_) file.commit();
    position_.commit();
    orientation_.commit();
    if (pairs_) {
        pairs_->commit();
        write_npy(folder_ / "pair_offsets.npy", std::span<const std::uint64_t>(pair_offsets_), {pair_offsets_.size()});
    }
    if (active_) active_->commit();
    if (!names_.empty()) write_file(folder_ / "names.json", names_);
    write_file(folder_ / "scene.json", scene_info_text(info_, least_version_));
}

}  // namespace lanefold::tools
