// SPDX-License-Identifier: MIT
//
// Scene folders: convex hulls, bodies that use them, their poses frame by frame, and optionally the candidate pairs of
// every frame. docs/formats.md describes the files. The constructor checks everything that does not depend on the
// frame; read_frame() checks the frame. A bad file gives Failure(bad_input) with the file and the place.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <lanefold/body.hpp>
#include <lanefold/hull_set.hpp>
#include <lanefold/vec.hpp>

#include "files/npy.hpp"

namespace lanefold::tools {

// The content of scene.json.
struct SceneInfo {
    std::string unit = "m";
    std::optional<double> pairs_margin;  // the stored pairs hold every pair nearer than this; absent: not known
};

// One frame in memory; reused from frame to frame, so it grows to the largest one and stays there.
struct SceneFrame {
    std::uint64_t index = 0;
    std::vector<float> position;          // [N][3], when the scene has float32 positions
    std::vector<double> position_double;  // [N][3], when it has float64
    std::vector<float> orientation;       // [N][4]
    std::vector<Pair> pairs;              // empty when the scene has none
};

class Scene {
public:
    explicit Scene(const std::filesystem::path& folder);

    const std::filesystem::path& folder() const { return folder_; }
    const SceneInfo& info() const { return info_; }
    std::uint64_t frames() const { return position_.length(0); }
    std::uint64_t bodies() const { return body_hull_.size(); }
    std::uint64_t hulls() const { return hull_offsets_.size() - 1; }
    bool has_pairs() const { return pairs_.has_value(); }
    bool positions_are_double() const { return positions_are_double_; }

    std::span<const std::uint64_t> hull_offsets() const { return hull_offsets_; }
    std::span<const Vec3f> hull_vertices() const { return hull_vertices_; }
    std::span<const std::uint32_t> body_hull() const { return body_hull_; }
    std::span<const float> inverse_mass() const { return inverse_mass_; }  // empty: every body movable
    std::span<const std::uint32_t> group() const { return group_; }        // empty: no groups

    // Stored pairs of one frame (0 when there are none) and of all.
    std::uint64_t pairs_in_frame(std::uint64_t frame) const;
    std::uint64_t pairs_in_all_frames() const { return has_pairs() ? pair_offsets_.back() : 0; }
    std::uint64_t max_pairs_in_a_frame() const;

    // Some of a frame's stored pairs, from its pair `first` on, as they are in the file.
    void read_pairs(std::uint64_t frame, std::uint64_t first, std::span<Pair> out) const;

    // Builds the hulls; a hull that cannot be built is bad input, named with its vertex.
    HullSet build_hulls(std::uint32_t threads = 0) const;

    // Reads and checks poses (finite, near-unit quaternions) and pairs (indices in range, a != b).
    void read_frame(std::uint64_t frame, SceneFrame& out) const;

    // The bodies of a frame that was read, as the library sees them. Borrows both.
    BodyView view(const SceneFrame& frame) const;

    // 64-bit content hashes (XXH64). A contacts folder records them as its inputs.
    std::uint64_t body_hull_hash() const;
    std::uint64_t group_hash() const;         // 0 without groups
    std::uint64_t inverse_mass_hash() const;  // 0 without masses
    // Hash of a frame's poses, and of its pairs when `with_pairs`.
    static std::uint64_t frame_hash(const SceneFrame& frame, bool with_pairs);

private:
    void check_hulls() const;
    void check_bodies() const;
    void open_poses();
    void open_pairs();

    std::filesystem::path folder_;
    SceneInfo info_;
    std::vector<std::uint64_t> hull_offsets_;
    std::vector<Vec3f> hull_vertices_;
    std::vector<std::uint32_t> body_hull_;
    std::vector<float> inverse_mass_;
    std::vector<std::uint32_t> group_;
    bool positions_are_double_ = false;
    NpyReader position_;
    NpyReader orientation_;
    std::vector<std::uint64_t> pair_offsets_;
    std::optional<NpyReader> pairs_;
};

// Writes a scene folder frame by frame with bounded memory. It writes scene.json last, so a folder without it is an
// unfinished scene. It refuses a folder that holds a scene, unless it may replace it.
class SceneWriter {
public:
    struct Contents {
        SceneInfo info;
        std::span<const std::uint64_t> hull_offsets;
        std::span<const Vec3f> hull_vertices;
        std::span<const std::uint32_t> body_hull;
        std::span<const float> inverse_mass;   // empty: no file
        std::span<const std::uint32_t> group;  // empty: no file
        bool positions_are_double = false;
        bool with_pairs = false;
    };

    SceneWriter(const std::filesystem::path& folder, const Contents& contents, bool replace = false);

    // positions_are_double decides which of the two forms must be called. `pairs` is ignored without with_pairs.
    void add_frame(std::span<const float> position, std::span<const float> orientation,
                   std::span<const Pair> pairs = {});
    void add_frame(std::span<const double> position, std::span<const float> orientation,
                   std::span<const Pair> pairs = {});

    // Commits every file. Without it only the folder stays.
    void commit();

private:
    void add_orientation_and_pairs(std::span<const float> orientation, std::span<const Pair> pairs);

    std::filesystem::path folder_;
    SceneInfo info_;
    std::uint64_t bodies_ = 0;
    std::vector<NpyWriter> static_files_;
    NpyWriter position_;
    NpyWriter orientation_;
    std::optional<NpyWriter> pairs_;
    std::vector<std::uint64_t> pair_offsets_{0};
};

}  // namespace lanefold::tools
