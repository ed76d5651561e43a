// SPDX-License-Identifier: MIT
//
// The poses that a glTF file gives its pieces.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "import/gltf_nodes.hpp"
#include "import/poses.hpp"

namespace lanefold::tools {

// A file and its nodes, which refer to it.
struct GltfStage {
    GltfFile file;
    GltfNodes nodes;

    GltfStage(const std::filesystem::path& path, const GltfAnimationChoice& choice) : file(path), nodes(file, choice) {}
};

class GltfPoses : public PoseSource {
public:
    // `pieces`: the place of each piece's node in the list of nodes; `names`: for messages.
    GltfPoses(std::shared_ptr<const GltfStage> stage, std::vector<std::size_t> pieces, std::vector<std::string> names);

    // Takes what a node does to its mesh, besides turning and moving it, out of its poses, and returns it for each
    // piece: the stretch S of the node's matrix R S in the first frame in which its scale is not 0. A node that is
    // never there has the identity.
    std::vector<Mat3d> take_stretch();

    std::string name() const override { return stage_->file.path().string(); }
    std::uint64_t frames() const override { return stage_->nodes.frames(); }
    std::uint64_t rows() const override { return pieces_.size(); }
    bool is_double() const override { return true; }
    double float_coordinate(std::size_t row, const RigidPose& /*pose*/) const override { return largest_key_[row]; }
    double rate() const override { return stage_->nodes.rate(); }
    // A node with scale 0 is not there.
    bool has_mask() const override { return stage_->nodes.has_zero_scale(); }
    void read_mask(std::uint64_t frame, std::vector<std::uint8_t>& out) override;
    void read(std::uint64_t frame, std::span<const std::uint8_t> active, std::vector<RigidPose>& out) override;

private:
    void place(std::uint64_t frame);

    std::shared_ptr<const GltfStage> stage_;
    std::vector<std::size_t> pieces_;
    std::vector<std::string> names_;
    std::vector<double> largest_key_;
    std::vector<Mat3d> unstretch_;  // inverses; empty: none was taken
    std::vector<Affine> world_;
    std::uint64_t placed_ = ~std::uint64_t{0};  // the frame of world_
};

}  // namespace lanefold::tools
