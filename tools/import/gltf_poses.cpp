// SPDX-License-Identifier: MIT
//
// See the header.

#include "import/gltf_poses.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "console/failure.hpp"

namespace lanefold::tools {
namespace {

// Exporters write a scale of 0 as 0 or as something that people cannot see.
constexpr double kVanished = 1e-6;

bool is_vanished(const Affine& m) {
    return std::all_of(std::begin(m.linear.row), std::end(m.linear.row), [](const Vec3d& row) {
        return std::fabs(row.x) <= kVanished && std::fabs(row.y) <= kVanished && std::fabs(row.z) <= kVanished;
    });
}

}  // namespace

GltfPoses::GltfPoses(std::shared_ptr<const GltfStage> stage, std::vector<std::size_t> pieces,
                     std::vector<std::string> names)
    : stage_(std::move(stage)), pieces_(std::move(pieces)), names_(std::move(names)) {
    for (const std::size_t node : pieces_) largest_key_.push_back(stage_->nodes.largest_key(node));
}

void GltfPoses::place(std::uint64_t frame) {
    if (placed_ != frame) stage_->nodes.place(frame, world_);
    placed_ = frame;
}

std::vector<Mat3d> GltfPoses::take_stretch() {
    std::vector<Mat3d> out(pieces_.size());
    unstretch_.assign(pieces_.size(), {});
    std::vector<bool> found(pieces_.size(), false);
    std::size_t missing = pieces_.size();
    for (std::uint64_t frame = 0; frame < frames() && missing > 0; ++frame) {
        place(frame);
        for (std::size_t i = 0; i < pieces_.size(); ++i) {
            const Affine& m = world_[pieces_[i]];
            if (found[i] || is_vanished(m)) continue;
            found[i] = true;
            --missing;
            Mat3d turn;
            if (!split_stretch(m.linear, turn, out[i], unstretch_[i])) {
                throw bad_input("{}: frame {}: node '{}' is flattened by its scale", name(), frame, names_[i]);
            }
        }
    }
    return out;
}

void GltfPoses::read_mask(std::uint64_t frame, std::vector<std::uint8_t>& out) {
    place(frame);
    out.clear();
    for (const std::size_t node : pieces_) out.push_back(is_vanished(world_[node]) ? 0 : 1);
}

void GltfPoses::read(std::uint64_t frame, std::span<const std::uint8_t> active, std::vector<RigidPose>& out) {
    place(frame);
    out.assign(pieces_.size(), RigidPose{});
    for (std::size_t i = 0; i < pieces_.size(); ++i) {
        if (!active.empty() && active[i] == 0) continue;
        const Affine& m = world_[pieces_[i]];
        const Mat3d linear = unstretch_.empty() ? m.linear : m.linear * unstretch_[i];
        const double numbers[16] = {linear.row[0].x,
                                    linear.row[0].y,
                                    linear.row[0].z,
                                    m.translation.x,
                                    linear.row[1].x,
                                    linear.row[1].y,
                                    linear.row[1].z,
                                    m.translation.y,
                                    linear.row[2].x,
                                    linear.row[2].y,
                                    linear.row[2].z,
                                    m.translation.z,
                                    0,
                                    0,
                                    0,
                                    1};
        std::string what;
        if (!is_finite(m.translation)) what = "its place is not finite";
        if (what.empty() && to_rigid(numbers, MatrixForm::column, out[i], what)) continue;
        throw bad_input("{}: frame {}: node '{}' is not rigid: {}{}", name(), frame, names_[i], what,
                        unstretch_.empty() ? ". Apply it in the program that wrote the file, or take it into the "
                                             "vertices with --apply-scale"
                                           : ", beside that of its first frame: a body cannot change its shape");
    }
}

}  // namespace lanefold::tools
