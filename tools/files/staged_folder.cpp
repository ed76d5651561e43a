// SPDX-License-Identifier: MIT
//
// Folders that appear whole. See the header.

#include "files/staged_folder.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "console/failure.hpp"

namespace lanefold::tools {

namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 10> kSceneFiles{
    "scene.json",     "hull_offsets.npy", "hull_vertices.npy", "body_hull.npy", "body_inverse_mass.npy",
    "body_group.npy", "position.npy",     "orientation.npy",   "pairs.npy",     "pair_offsets.npy"};

bool is_scene_file(const fs::path& name) {
    return std::find(kSceneFiles.begin(), kSceneFiles.end(), name.string()) != kSceneFiles.end();
}

void check_target(const fs::path& target, bool replace) {
    std::error_code error;
    if (!fs::exists(target, error)) return;
    if (!fs::is_directory(target, error)) throw bad_input("{}: exists and is not a folder", target.string());
    bool empty = true;
    for (const fs::directory_entry& entry : fs::directory_iterator(target)) {
        empty = false;
        if (!is_scene_file(entry.path().filename())) {
            throw bad_input("{}: the folder holds something that is not part of a scene ({})", target.string(),
                            entry.path().filename().string());
        }
    }
    if (!empty && !replace) {
        throw bad_input("{}: holds a scene already; choose another folder, or --replace it", target.string());
    }
}

fs::path hidden_name(const fs::path& target, std::string_view what) {
    return target.parent_path() / fmt::format(".{}.{}.{}.tmp", target.filename().string(), ::getpid(), what);
}

}  // namespace

StagedFolder::StagedFolder(const fs::path& target, bool replace) : target_(fs::absolute(target).lexically_normal()) {
    if (!target_.has_filename()) target_ = target_.parent_path();  // "folder/"
    check_target(target_, replace);
    stage_ = hidden_name(target_, "new");
    std::error_code error;
    fs::create_directories(target_.parent_path(), error);
    fs::remove_all(stage_, error);
    if (!fs::create_directory(stage_, error)) {
        throw io_failure("{}: cannot create a folder here ({})", target_.parent_path().string(), error.message());
    }
}

StagedFolder::~StagedFolder() {
    std::error_code ignored;
    if (!committed_) fs::remove_all(stage_, ignored);
}

void StagedFolder::commit() {
    std::error_code error;
    const fs::path old = hidden_name(target_, "old");
    const bool replaces = fs::exists(target_, error);
    if (replaces) fs::rename(target_, old, error);
    if (!error) fs::rename(stage_, target_, error);
    if (error) {
        std::error_code ignored;
        if (replaces && !fs::exists(target_, ignored)) fs::rename(old, target_, ignored);
        throw io_failure("{}: cannot move the finished scene here ({})", target_.string(), error.message());
    }
    committed_ = true;
    if (replaces) fs::remove_all(old, error);
}

}  // namespace lanefold::tools
