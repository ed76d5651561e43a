// SPDX-License-Identifier: MIT
//
// See the header.

#include "import/frames.hpp"

#include <algorithm>
#include <cmath>

#include "console/failure.hpp"
#include "import/rows.hpp"

namespace lanefold::tools {

ImportFrames::ImportFrames(const ImportRequest& request, const Cast& cast) : request_(request), cast_(cast) {
    if (request.poses.empty()) {
        take_those_of_the_file();
        return;
    }
    std::vector<std::string> names;
    if (!request.pose_names.empty()) names = read_row_names(request.pose_names);
    file_ = std::make_unique<PoseFile>(request.poses, PoseFormat{request.w_first, request.form, names});
    source_ = file_.get();
    if (request.w_first && file_->has_matrices()) {
        throw bad_input("{}: the poses are matrices, which --quaternion says nothing of", file_->name());
    }
    rows_have_names_ = !names.empty();
    if (!request.pose_names.empty() && names.size() != file_->rows()) {
        throw bad_input("{}: {} names, but {} has {} rows", request.pose_names.string(), names.size(), file_->name(),
                        file_->rows());
    }
    row_ = match_rows(cast, file_->rows(), names, rows_have_names_ ? request.pose_names.string() : file_->name());
    if (!request.active.empty()) {
        mask_.emplace(request.active);
        if (mask_->frames() != file_->frames() || mask_->rows() != file_->rows()) {
            throw bad_input("{}: {} frames of {} rows, but {} has {} of {}", request.active.string(), mask_->frames(),
                            mask_->rows(), file_->name(), file_->frames(), file_->rows());
        }
    }
}

void ImportFrames::take_those_of_the_file() {
    for (const SourceFile& file : cast_.files) {
        if (!file.poses) continue;
        if (cast_.files.size() > 1) {
            throw bad_input("{}: a file with poses of its own is imported alone, or with --poses for all",
                            file.path.string());
        }
        source_ = file.poses.get();
        for (const CastPiece& piece : cast_.pieces) row_.push_back(piece.number);
    }
}

bool ImportFrames::is_double() const {
    return !source_ || source_->is_double() || request_.scale != 1 || cast_.has_own_origins || request_.at_rest();
}

void ImportFrames::read_rows(std::uint64_t frame) {
    if (mask_) mask_->read(frame, rows_active_);
    if (!mask_ && source_ && source_->has_mask()) source_->read_mask(frame, rows_active_);
    if (source_) source_->read(frame, rows_active_, poses_);
}

std::vector<RigidPose> ImportFrames::rest() {
    read_rows(0);
    std::vector<RigidPose> out;
    for (std::size_t i = 0; i < cast_.pieces.size(); ++i) {
        if (!rows_active_.empty() && rows_active_[row_[i]] == 0) {
            throw bad_input(
                "{}: piece '{}' is not there in frame 0, so its place at rest is not known; --pieces-at rest needs it",
                request_.active.string(), cast_.names[i]);
        }
        out.push_back(poses_[row_[i]]);
    }
    return out;
}

// `pose` is as the source has it, `place` is the body's position.
void ImportFrames::measure(std::size_t piece, const RigidPose& pose, const Vec3d& place) {
    const HullRecord& hull = cast_.hull_of(piece);
    const auto size = static_cast<double>(hull.size);
    if (source_) coarse_.add({source_->float_coordinate(row_[piece], pose), 0, 0}, request_.scale, size, piece);
    const Quat& q = pose.orientation;
    const auto error = [](double x) { return x - static_cast<double>(static_cast<float>(x)); };
    const double e[4] = {error(q.x), error(q.y), error(q.z), error(q.w)};
    // Twice the error of a quaternion is that of the angle.
    const double angle = 2 * std::sqrt(((e[0] * e[0] + e[1] * e[1]) + e[2] * e[2]) + e[3] * e[3]);
    const Vec3d centre{static_cast<double>(hull.centre[0]), static_cast<double>(hull.centre[1]),
                       static_cast<double>(hull.centre[2])};
    const double of_place = is_double() ? 0 : length(to_double(to_float(place)) - place);
    rounding_ = std::max(rounding_, angle * (length(centre) + size) + of_place);
}

void ImportFrames::read(std::uint64_t frame) {
    read_rows(frame);
    position.clear();
    orientation.clear();
    active.clear();
    for (std::size_t i = 0; i < cast_.pieces.size(); ++i) {
        const CastPiece& piece = cast_.pieces[i];
        const bool there = rows_active_.empty() || rows_active_[row_[i]] != 0;
        if (has_mask()) active.push_back(there ? 1 : 0);
        if (!there) {
            position.insert(position.end(), 3, 0.0);
            orientation.insert(orientation.end(), 4, 0.0F);
            continue;
        }
        const RigidPose pose = source_ ? poses_[row_[i]] : RigidPose{};
        const Quat& q = pose.orientation;
        const Vec3d p = pose.position * request_.scale + rotation(q) * piece.centre;
        if (!is_finite(p) || (!is_double() && !is_finite(to_float(p)))) {
            throw bad_input(
                "{}: frame {}: with --scale {} a position is ({:.3g}, {:.3g}, {:.3g}), beyond what {} holds",
                source_ ? source_->name() : std::string("--recentre"), frame, request_.scale, p.x, p.y, p.z,
                is_double() ? "float64" : "float32");
        }
        measure(i, pose, p);
        position.insert(position.end(), {p.x, p.y, p.z});
        orientation.insert(orientation.end(), {static_cast<float>(q.x), static_cast<float>(q.y),
                                               static_cast<float>(q.z), static_cast<float>(q.w)});
    }
    position_float.assign(is_double() ? 0 : position.size(), 0.0F);
    for (std::size_t i = 0; i < position_float.size(); ++i) position_float[i] = static_cast<float>(position[i]);
}

}  // namespace lanefold::tools
