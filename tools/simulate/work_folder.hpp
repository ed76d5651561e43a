// SPDX-License-Identifier: MIT
//
// The folder of an unfinished simulation, beside its output: all frames so far in one file, and the last checkpoint.
// Both have checksums, because a run that is resumed promises the bytes of one that was not interrupted. The process
// that works in the folder holds a lock on it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <functional>
#include <vector>

#include <lanefold/world.hpp>

#include "files/content_hash.hpp"
#include "files/folder_lock.hpp"
#include "scene/io.hpp"
#include "simulate/job.hpp"
#include "simulate/push_events.hpp"

namespace lanefold::tools {

// How far a run has come.
struct Checkpoint {
    std::uint64_t step = 0;
    std::uint64_t frames = 0;
};

class WorkFolder {
public:
    // `hash`: of everything that shapes the result. Throws Failure when another process works in the folder, or when it
    // is there and the request says neither --resume nor --replace.
    WorkFolder(const SimulateRequest& request, std::uint64_t hash);

    // True when there is a checkpoint: world and events then are as they were. Frames after it are cut off. Throws
    // Failure(bad_input) when checkpoint or frames are damaged, or are those of another run.
    bool load(World& world, PushEvents& events, Checkpoint& from);
    void add_frame(const World& world);
    void save(const World& world, const PushEvents& events, std::uint64_t step, std::uint64_t frames);
    // Writes the finished scene, with the name of its unit, and removes the folder. `request` has all defaults.
    // `before_end` gets the folder of the scene before it has its name: what is written then is there with the scene.
    void write_scene(const SimulateRequest& request, const std::string& unit, const Scene& scene, const HullSet& hulls,
                     const World& world, std::uint64_t first, std::uint64_t frames,
                     const std::function<void(const std::filesystem::path&)>& before_end);

private:
    // Pose of a body in a frame.
    struct StoredPose {
        double position[3];
        float orientation[4];
    };
    static_assert(sizeof(StoredPose) == 40);

    void lock();
    void verify_frames(std::uint64_t length, std::uint64_t expected);
    void check();
    void take(bool as_double, SceneFrame& frame) const;
    std::filesystem::path frames_file() const { return path_ / "frames"; }
    std::filesystem::path checkpoint_file() const { return path_ / "checkpoint"; }

    std::filesystem::path path_;
    std::uint64_t hash_;
    FolderLock lock_;
    std::ofstream frames_;
    ContentHash frames_hash_;  // of what was written to it
    std::vector<StoredPose> row_;
    std::vector<std::byte> state_;
    std::vector<std::byte> events_;
};

}  // namespace lanefold::tools
