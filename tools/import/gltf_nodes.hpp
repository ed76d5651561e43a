// SPDX-License-Identifier: MIT
//
// The nodes of a glTF scene, and where they are in each frame of its animations.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <lanefold/pose.hpp>

#include "import/gltf_file.hpp"

namespace lanefold::tools {

// x_world = linear * x + translation.
struct Affine {
    Mat3d linear;
    Vec3d translation;
};

struct GltfNode {
    std::string name;  // as the file has it; may be empty
    std::uint64_t number = 0;
    std::size_t parent = kNoParent;  // in the list of nodes, before this one
    const Json* json = nullptr;
    Vec3d translation;
    Quat rotation;
    Vec3d scale{1, 1, 1};
    std::optional<Affine> matrix;  // instead of the three

    static constexpr std::size_t kNoParent = ~std::size_t{0};
};

struct GltfAnimationChoice {
    std::string name;            // of the animation; empty: all together
    std::optional<double> rate;  // frames per second; absent: that of the keys
};

class GltfNodes {
public:
    // The nodes of the file's scene, parents before children. Throws Failure(bad_input).
    GltfNodes(const GltfFile& file, const GltfAnimationChoice& choice);

    const std::vector<GltfNode>& nodes() const { return nodes_; }
    std::uint64_t frames() const { return frames_; }
    bool is_animated() const { return !channels_.empty(); }
    // A warning where the animation moves between keys that are few, and frames are taken at these only; or empty.
    const std::string& note() const { return note_; }
    // Frames per second; 0 without an animation.
    double rate() const { return rate_; }
    // Whether the scale of a node is 0 somewhere, which is how a glTF file makes things vanish.
    bool has_zero_scale() const { return zero_scale_; }

    // The largest coordinate of the float32 keys that move the node or those above it; 0 without any.
    double largest_key(std::size_t node) const;

    // World transforms of all nodes in a frame. Throws Failure(bad_input) for a quaternion without a direction.
    void place(std::uint64_t frame, std::vector<Affine>& world) const;

private:
    enum class Path { translation, rotation, scale };
    enum class Interpolation { step, linear, cubic };
    struct Channel {
        std::size_t node = 0;
        Path path = Path::translation;
        Interpolation interpolation = Interpolation::linear;
        GltfNumbers times;
        GltfNumbers values;
        std::string where;  // "animations[0].channels[2]"
    };

    void read_tree();
    void read_node(std::uint64_t number, std::size_t parent);
    void read_animations(const GltfAnimationChoice& choice);
    void read_channel(const Json& animation, const Json& channel, const std::string& where);
    void check_times(const Channel& channel) const;
    void check_for_conflicts() const;
    void choose_times(const std::optional<double>& rate);
    void note_few_keys(std::size_t keys, double length);
    void find_zero_scale();
    double time_of(std::uint64_t frame) const { return first_ + static_cast<double>(frame) / rate_; }
    void sample(const Channel& channel, double time, double out[4]) const;

    const GltfFile& file_;
    std::vector<GltfNode> nodes_;
    std::vector<std::size_t> by_number_;  // the place in nodes_ of each node of the file
    std::vector<Channel> channels_;
    std::uint64_t frames_ = 1;
    double first_ = 0;  // seconds
    double rate_ = 0;
    bool zero_scale_ = false;
    std::string note_;
};

}  // namespace lanefold::tools
