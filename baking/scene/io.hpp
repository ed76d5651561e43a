// SPDX-License-Identifier: MIT
//
// Scene folders: hulls and other shapes, bodies that use them, their poses frame by frame, and optionally the candidate
// pairs of every frame. docs/formats.md describes the files. The constructor checks everything that does not depend on
// the frame; read_frame() checks the frame. A bad file gives Failure(bad_input) with the file and the place.
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
#include "scene/info.hpp"
#include "scene/other_shapes.hpp"

namespace lanefold::tools {

// One frame in memory; reused from frame to frame, so it grows to the largest one and stays there.
struct SceneFrame {
    std::uint64_t index = 0;
    std::vector<float> position;          // [N][3], when the scene has float32 positions
    std::vector<double> position_double;  // [N][3], when it has float64
    std::vector<float> orientation;       // [N][4]
    // [N], 1: the body is there, 0: it is not. Empty: all are. The pose of a body that is not there is all zeros,
    // whatever its file says, so it has no box, and the pairs of the frame are without it.
    std::vector<std::uint8_t> active;
    std::vector<Pair> pairs;  // empty when the scene has none

    bool is_there(std::size_t body) const { return active.empty() || active[body] != 0; }
};

inline constexpr const char* kSourceVerticesFile = "hull_source_vertices.npy";
inline constexpr const char* kHullRadiusFile = "hull_radius.npy";  // in version 2 it holds zeros
inline constexpr const char* kBodyScaleFile = "body_scale.npy";

// A hull of the files at the scale of a body.
struct ScaledHull {
    std::uint32_t hull = 0;
    float scale = 1;
    std::uint64_t body = 0;  // the first that has it
};

// A body with a scale is a body of another hull: the scene has the hulls of its files, then each hull and scale once
// (scaled_hulls.cpp). All that reads a scene sees these, as if its files had them; only writers of scenes need what the
// files say (set_shapes()).
class Scene {
public:
    explicit Scene(const std::filesystem::path& folder);

    const std::filesystem::path& folder() const { return folder_; }
    const SceneInfo& info() const { return info_; }
    std::uint64_t frames() const { return position_.length(0); }
    std::uint64_t bodies() const { return body_hull_.size(); }
    std::uint64_t hulls() const { return hull_offsets_.size() - 1; }
    std::uint64_t hulls_in_files() const { return hulls() - scaled_hulls_.size(); }
    // Null for a hull that the files have.
    const ScaledHull* scaled_hull(std::uint64_t hull) const {
        return hull < hulls_in_files() ? nullptr : &scaled_hulls_[hull - hulls_in_files()];
    }
    bool has_pairs() const { return pairs_.has_value(); }
    bool positions_are_double() const { return positions_are_double_; }
    bool has_mask() const { return active_.has_value(); }  // bodies appear and vanish

    std::span<const std::uint64_t> hull_offsets() const { return hull_offsets_; }
    std::span<const Vec3f> hull_vertices() const { return hull_vertices_; }
    std::span<const float> hull_radius() const { return hull_radius_; }  // empty: no hull is rounded
    // Half-spaces, compounds and surfaces, which have numbers among those of the hulls.
    const OtherShapes& other_shapes() const { return other_shapes_; }
    std::span<const std::uint32_t> body_hull() const { return body_hull_; }
    // As the files have them.
    std::span<const std::uint32_t> body_hull_in_files() const {
        return body_scale_.empty() ? body_hull_ : body_hull_in_files_;
    }
    std::span<const float> body_scale() const { return body_scale_; }      // empty: all are 1
    std::span<const float> inverse_mass() const { return inverse_mass_; }  // empty: every body movable
    std::span<const std::uint32_t> group() const { return group_; }        // empty: no groups
    std::span<const std::string> names() const { return names_; }          // of bodies; empty: they have none
    // "body 3", with its name if it has one: "body 3 ('wall/brick_12')".
    std::string describe(std::uint64_t body) const;

    // Stored pairs of one frame (0 when there are none) and of all, with those of bodies that are not there.
    std::uint64_t pairs_in_frame(std::uint64_t frame) const;
    std::uint64_t pairs_in_all_frames() const { return has_pairs() ? pair_offsets_.back() : 0; }
    std::uint64_t max_pairs_in_a_frame() const;

    // Some of a frame's stored pairs, from its pair `first` on, as they are in the file.
    void read_pairs(std::uint64_t frame, std::uint64_t first, std::span<Pair> out) const;

    // hull_source_vertices.npy: the numbers that were rounded to the rows of hull_vertices.npy, and these at the scales
    // of scaled hulls: a row for each of hull_vertices(). Checked against them.
    // Throws Failure(bad_input) when the file is not there: the scene was not imported, or its hulls are others.
    std::vector<Vec3d> read_source_vertices() const;
    bool has_source_vertices() const;

    // Builds the hulls, half-spaces, compounds and surfaces; what cannot be built is bad input, named with its place.
    HullSet build_hulls(std::uint32_t threads = 0) const;

    // Throws Failure(bad_input) with the body's scale if it made this hull, which cannot be built.
    void refuse_scaled(std::uint64_t hull, const char* what) const;

    // Reads and checks poses (finite, near-unit quaternions) of the bodies that are there, and pairs (indices in range,
    // a != b), and leaves out pairs with a body that is not there.
    void read_frame(std::uint64_t frame, SceneFrame& out) const;

    // Only the poses of `count` bodies from `first` on, as if they were all. Without pairs.
    void read_poses(std::uint64_t frame, std::uint64_t first, std::uint64_t count, SceneFrame& out) const;

    // The bodies of a frame that was read, as the library sees them. Borrows both.
    BodyView view(const SceneFrame& frame) const;

    // 64-bit content hashes (XXH64). A contacts folder records them as its inputs.
    std::uint64_t body_hull_hash() const;
    std::uint64_t group_hash() const;         // 0 without groups
    std::uint64_t inverse_mass_hash() const;  // 0 without masses
    // Hash of a frame's poses, and of its pairs when `with_pairs`.
    static std::uint64_t frame_hash(const SceneFrame& frame, bool with_pairs);

private:
    HullSet build_run(std::size_t first, std::size_t last, std::uint32_t threads) const;
    void check_hulls() const;
    void check_bodies() const;
    void open_poses();
    void open_pairs();
    void open_version_2();
    void open_version_3();
    void read_scales();
    void add_scaled_hulls();
    void check_surfaces() const;
    void read_mask(std::uint64_t first, std::uint64_t count, SceneFrame& out) const;
    void read_frame_pairs(SceneFrame& out) const;
    void refuse_wrong_pair(const SceneFrame& frame) const;  // none: all are right

    std::filesystem::path folder_;
    SceneInfo info_;
    std::vector<std::uint64_t> hull_offsets_;
    std::vector<Vec3f> hull_vertices_;
    std::vector<float> hull_radius_;
    OtherShapes other_shapes_;
    std::vector<std::uint32_t> body_hull_;
    std::vector<std::uint32_t> body_hull_in_files_;  // empty without scales
    std::vector<float> body_scale_;
    std::vector<ScaledHull> scaled_hulls_;
    std::vector<float> inverse_mass_;
    std::vector<std::uint32_t> group_;
    std::vector<std::string> names_;
    bool positions_are_double_ = false;
    NpyReader position_;
    NpyReader orientation_;
    std::vector<std::uint64_t> pair_offsets_;
    std::optional<NpyReader> pairs_;
    std::optional<NpyReader> active_;
};

// Writes a scene folder frame by frame with bounded memory. It writes scene.json last, so a folder without it is an
// unfinished scene. It refuses a folder that holds a scene, unless it may replace it.
class SceneWriter {
public:
    struct Contents {
        SceneInfo info;
        std::span<const std::uint64_t> hull_offsets;
        std::span<const Vec3f> hull_vertices;
        std::span<const Vec3d> hull_source_vertices;  // before they were rounded; empty: no file
        std::span<const float> hull_radius;           // one a hull; all 0 or empty: no file
        OtherShapes other_shapes;                     // all hulls: no files
        std::span<const std::uint32_t> body_hull;
        std::span<const float> body_scale;     // one a body; all 1 or empty: no file
        std::span<const float> inverse_mass;   // empty: no file
        std::span<const std::uint32_t> group;  // empty: no file
        std::span<const std::string> names;    // empty: no file; otherwise one a body, all different
        bool positions_are_double = false;
        bool with_pairs = false;
        bool with_mask = false;  // add_frame() says which bodies are there
    };

    SceneWriter(const std::filesystem::path& folder, const Contents& contents, bool replace = false);

    // positions_are_double decides which of the two forms must be called. `pairs` is ignored without with_pairs,
    // `active` (0 or 1 a body; empty: all are there) without with_mask.
    void add_frame(std::span<const float> position, std::span<const float> orientation,
                   std::span<const Pair> pairs = {}, std::span<const std::uint8_t> active = {});
    void add_frame(std::span<const double> position, std::span<const float> orientation,
                   std::span<const Pair> pairs = {}, std::span<const std::uint8_t> active = {});

    // Commits every file. Without it only the folder stays.
    void commit();

private:
    template <class T>
    void add_array(const char* name, std::span<const T> data, std::vector<std::uint64_t> row_shape);
    void add_other_shapes(const OtherShapes& shapes);
    void add_surfaces(const SceneSurfaces& surfaces);
    void add_the_rest(std::span<const float> orientation, std::span<const Pair> pairs,
                      std::span<const std::uint8_t> active);

    std::filesystem::path folder_;
    SceneInfo info_;
    int least_version_ = 1;  // that the files need
    std::uint64_t bodies_ = 0;
    std::vector<NpyWriter> static_files_;
    NpyWriter position_;
    NpyWriter orientation_;
    std::optional<NpyWriter> pairs_;
    std::vector<std::uint64_t> pair_offsets_{0};
    std::optional<NpyWriter> active_;
    std::vector<std::uint8_t> all_there_;  // of a frame whose mask is left out
    std::string names_;                    // the text of names.json; empty: no file
};

// Hulls, other shapes and bodies of a scene that has the ones of another, as that one's files say them.
void set_shapes(const Scene& scene, SceneWriter::Contents& contents);

}  // namespace lanefold::tools
