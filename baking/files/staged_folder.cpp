// SPDX-License-Identifier: MIT
//
// Folders that appear whole. The stage is a hidden folder beside the target; its writer holds a lock on it. The new
// scene and the old one exchange names in one step. On a file system without that operation the old scene gets a hidden
// name first; if the program is killed then, the next run gives it its name back.

#include "files/staged_folder.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <random>
#include <string>
#include <string_view>
#include <utility>

#include "console/failure.hpp"
#include "files/atomic_file.hpp"
#include "files/input_file.hpp"
#include "files/system.hpp"

namespace lanefold::tools {

namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 31> kSceneFiles{"scene.json",
                                                       "hull_offsets.npy",
                                                       "hull_vertices.npy",
                                                       "body_hull.npy",
                                                       "body_inverse_mass.npy",
                                                       "names.json",
                                                       "position.npy",
                                                       "orientation.npy",
                                                       "pair_offsets.npy",
                                                       "body_group.npy",
                                                       "body_scale.npy",
                                                       "active.npy",
                                                       "pairs.npy",
                                                       "hull_kind.npy",
                                                       "hull_radius.npy",
                                                       "half_spaces.npy",
                                                       "compound_offsets.npy",
                                                       "child_hull.npy",
                                                       "child_position.npy",
                                                       "child_orientation.npy",
                                                       "surface_offsets.npy",
                                                       "surface_vertices.npy",
                                                       "surface_triangles.npy",
                                                       "surface_thickness.npy",
                                                       "height_fields.npy",
                                                       "height_samples.npy",
                                                       "height_holes.npy",
                                                       "height_diagonals.npy",
                                                       "ragdoll_setup.json",
                                                       "hull_sources.json",
                                                       "hull_source_vertices.npy"};

constexpr std::string_view kNew = ".new.tmp";
constexpr std::string_view kOld = ".old.tmp";

bool is_scene_file(const std::string& name) {
    // Temporary files of a killed writer count as part of the scene.
    const bool temporary = name.starts_with('.') && name.ends_with(".tmp");
    return temporary || std::find(kSceneFiles.begin(), kSceneFiles.end(), name) != kSceneFiles.end();
}

void check_target(const fs::path& target, bool replace) {
    if (!is_there(target)) return;
    std::error_code error;
    if (!fs::is_directory(target, error)) throw bad_input("{}: exists and is not a folder", target.string());
    bool empty = true;
    fs::directory_iterator entries(target, error);
    if (error) throw bad_input("{}: cannot look into the folder: {}", target.string(), error.message());
    for (; entries != fs::directory_iterator(); entries.increment(error)) {
        const std::string name = entries->path().filename().string();
        empty = false;
        if (!is_scene_file(name)) {
            throw bad_input("{}: the folder holds something that is not part of a scene ({})", target.string(), name);
        }
        if (error) throw io_failure("{}: cannot look into the folder: {}", target.string(), error.message());
    }
    if (!empty && !replace) {
        throw bad_input("{}: holds a scene already; choose another folder, or --replace it", target.string());
    }
}

fs::path hidden_name(const fs::path& target, std::string_view what) {
    static std::random_device random;
    const std::uint64_t unique = (std::uint64_t{random()} << 32U) | random();
    return target.parent_path() / fmt::format(".{}.{:016x}{}", target.filename().string(), unique, what);
}

// Gives the old scene its name back; EEXIST or ENOTEMPTY: a scene has it. Some file systems and old kernels know no
// exclusive rename; of folders only an empty one can be lost by another.
bool give_back(const fs::path& old, const fs::path& target) {
    return system::rename_unless_there(old, target) || (errno != EEXIST && system::rename_folder(old, target));
}

// Removes what killed runs left beside the target. An old scene with a hidden name gets its own name back if the target
// is missing.
void clean_up(const fs::path& target) {
    const std::string prefix = fmt::format(".{}.", target.filename().string());
    std::error_code error;
    for (const fs::directory_entry& entry : fs::directory_iterator(target.parent_path(), error)) {
        const std::string name = entry.path().filename().string();
        const bool old = name.ends_with(kOld);
        // Sixteen digits stand between prefix and suffix, so ".a.b.…" belongs to the target "a.b", not to "a".
        if (!name.starts_with(prefix) || (!old && !name.ends_with(kNew)) ||
            name.size() != prefix.size() + 16 + kNew.size()) {
            continue;
        }
        const FolderLock lock(entry.path());
        if (lock.state() != FolderLock::State::mine) continue;
        std::error_code ignored;
        if (!old || (!give_back(entry.path(), target) && (errno == EEXIST || errno == ENOTEMPTY))) {
            fs::remove_all(entry.path(), ignored);
        }
    }
}

}  // namespace

StagedFolder::StagedFolder(const fs::path& target, bool replace)
    : target_(fs::absolute(target).lexically_normal()), replace_(replace) {
    if (!target_.has_filename()) target_ = target_.parent_path();  // "folder/"
    std::error_code error;
    // A link to a scene stays; the folder that it names is replaced.
    if (fs::is_symlink(fs::symlink_status(target_, error))) {
        const fs::path resolved = fs::canonical(target_, error);
        if (error) throw bad_input("{}: the link leads nowhere: {}", target_.string(), error.message());
        target_ = resolved;
    }
    clean_up(target_);
    check_target(target_, replace);
    fs::create_directories(target_.parent_path(), error);
    // Another process may remove the folder between the two steps; then it is made again.
    while (lock_.state() != FolderLock::State::mine) {
        stage_ = hidden_name(target_, kNew);
        if (!fs::create_directory(stage_, error)) {
            throw io_failure("{}: cannot create a folder here ({})", target_.parent_path().string(), error.message());
        }
        lock_ = FolderLock(stage_);
        // On a file system without locks nobody can lock the folder to remove it, so it is safe without one.
        if (lock_.state() != FolderLock::State::mine && is_there(stage_)) break;
    }
}

StagedFolder::~StagedFolder() {
    std::error_code ignored;
    if (!committed_) fs::remove_all(stage_, ignored);
}

void StagedFolder::commit() {
    const auto failed = [&] {
        return io_failure("{}: cannot move the finished scene here ({})", target_.string(), std::strerror(errno));
    };
    sync_path(stage_);
    if (!replace_ || !is_there(target_)) {
        // Over an empty folder, too, but over nothing else.
        if (!system::rename_folder(stage_, target_)) {
            if (errno != ENOTEMPTY && errno != EEXIST) throw failed();
            throw io_failure("{}: another process has written a scene here meanwhile; it stays", target_.string());
        }
    } else if (system::exchange_names(stage_, target_)) {
        std::error_code ignored;
        committed_ = true;
        sync_path(target_.parent_path());
        fs::remove_all(stage_, ignored);  // after the exchange this is the old scene
        return;
    } else {
        // Overlay and some network file systems cannot exchange names: two renames take its place.
        const fs::path old = hidden_name(target_, kOld);
        if (!system::rename_folder(target_, old)) throw failed();
        if (!system::rename_folder(stage_, target_)) {
            const int reason = errno;
            system::rename_folder(old, target_);
            errno = reason;
            throw failed();
        }
        std::error_code ignored;
        fs::remove_all(old, ignored);
    }
    committed_ = true;
    sync_path(target_.parent_path());
}

}  // namespace lanefold::tools
