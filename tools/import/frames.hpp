// SPDX-License-Identifier: MIT
//
// Poses of the bodies of an import, frame by frame.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "import/cast.hpp"
#include "import/coarse_step.hpp"
#include "import/poses.hpp"

namespace lanefold::tools {

class ImportFrames {
public:
    // Opens the request's files. Throws when their rows do not fit the pieces.
    ImportFrames(const ImportRequest& request, const Cast& cast);

    std::uint64_t count() const { return source_ ? source_->frames() : 1; }
    bool has_poses() const { return source_ != nullptr; }
    bool has_mask() const { return mask_.has_value() || (source_ && source_->has_mask()); }
    bool are_of_the_file() const { return source_ && !file_; }                // that has the pieces
    bool has_quaternions() const { return file_ && !file_->has_matrices(); }  // of --poses
    double rate() const { return source_ ? source_->rate() : 0; }
    // Whether one row of poses places both pieces, or none does.
    bool move_as_one(std::size_t a, std::size_t b) const { return source_ == nullptr || row_[a] == row_[b]; }
    bool rows_have_names() const { return rows_have_names_; }
    // Positions of bodies without poses, and sums and products of positions, are stored as float64.
    bool is_double() const;
    // The largest distance, after scaling, by which the frames read so far moved a vertex: positions and quaternions
    // are rounded to what a scene stores.
    double rounding() const { return rounding_; }
    // float32 positions of the file, as far as they were read.
    const CoarseStep& coarse() const { return coarse_; }

    // The poses of the pieces in frame 0. Throws if one is not there then.
    std::vector<RigidPose> rest();

    // Poses of the pieces. Pieces that are not there have zeros.
    void read(std::uint64_t frame);

    std::vector<double> position;
    std::vector<float> position_float;  // empty when positions are float64
    std::vector<float> orientation;
    std::vector<std::uint8_t> active;  // of bodies; empty without a mask

private:
    void take_those_of_the_file();
    void read_rows(std::uint64_t frame);
    void measure(std::size_t piece, const RigidPose& pose, const Vec3d& place);

    const ImportRequest& request_;
    const Cast& cast_;
    std::unique_ptr<PoseFile> file_;  // of --poses
    PoseSource* source_ = nullptr;    // that file, or the poses of the file that has the pieces
    std::optional<MaskFile> mask_;
    bool rows_have_names_ = false;
    std::vector<std::uint32_t> row_;  // of each piece
    std::vector<RigidPose> poses_;
    std::vector<std::uint8_t> rows_active_;
    double rounding_ = 0;
    CoarseStep coarse_;
};

}  // namespace lanefold::tools
