// SPDX-License-Identifier: MIT
//
// Writes scene folders. Every array has a temporary name until all are complete; scene.json comes last.

#include <utility>

#include <nlohmann/json.hpp>

#include "console/failure.hpp"
#include "files/input_file.hpp"
#include "files/json_number.hpp"
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
        NpyWriter& writer = static_files_.emplace_back(NpyWriter::of<T>(folder / name, std::move(row_shape)));
        writer.append(data);
    };
    static_files_.reserve(5);
    add("hull_offsets.npy", contents.hull_offsets, {});
    const auto coordinates =
        std::span(reinterpret_cast<const float*>(contents.hull_vertices.data()), contents.hull_vertices.size() * 3);
    add("hull_vertices.npy", coordinates, {3});
    add("body_hull.npy", contents.body_hull, {});
    if (!contents.inverse_mass.empty()) add("body_inverse_mass.npy", contents.inverse_mass, {});
    if (!contents.group.empty()) add("body_group.npy", contents.group, {});
    if (contents.with_pairs) pairs_.emplace(NpyWriter::of<std::uint32_t>(folder / "pairs.npy", {2}));
}

void SceneWriter::add_frame(std::span<const float> position, std::span<const float> orientation,
                            std::span<const Pair> pairs) {
    position_.append(position);
    add_orientation_and_pairs(orientation, pairs);
}

void SceneWriter::add_frame(std::span<const double> position, std::span<const float> orientation,
                            std::span<const Pair> pairs) {
    position_.append(position);
    add_orientation_and_pairs(orientation, pairs);
}

void SceneWriter::add_orientation_and_pairs(std::span<const float> orientation, std::span<const Pair> pairs) {
    orientation_.append(orientation);
    if (!pairs_) return;
    pairs_->append_bytes(std::as_bytes(pairs));
    pair_offsets_.push_back(pair_offsets_.back() + pairs.size());
}

void SceneWriter::commit() {
    // Removes arrays of the old scene that the new one does not have.
    std::error_code ignored;
    for (const char* name : {"body_inverse_mass.npy", "body_group.npy", "pairs.npy", "pair_offsets.npy"}) {
        fs::remove(folder_ / name, ignored);
    }
    for (NpyWriter& file : static_files_) file.commit();
    position_.commit();
    orientation_.commit();
    if (pairs_) {
        pairs_->commit();
        write_npy(folder_ / "pair_offsets.npy", std::span<const std::uint64_t>(pair_offsets_), {pair_offsets_.size()});
    }
    nlohmann::ordered_json json{{"format", "lanefold-scene"}, {"version", 1}, {"unit", info_.unit}};
    if (info_.pairs_margin) {
        // A margin that is a float is written in its shortest form: 0.02.
        const auto margin = static_cast<float>(*info_.pairs_margin);
        const bool was_float = static_cast<double>(margin) == *info_.pairs_margin;
        json["pairs_margin"] = was_float ? as_decimal(margin) : *info_.pairs_margin;
    }
    write_file(folder_ / "scene.json", json.dump(2) + "\n");
}

}  // namespace lanefold::tools
