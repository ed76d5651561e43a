// SPDX-License-Identifier: MIT
//
// Poses of an import: seven or sixteen numbers a row.

#include "import/poses.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "console/failure.hpp"

namespace lanefold::tools {
namespace {

std::string text_of(const std::vector<std::uint64_t>& shape) {
    std::string out;
    for (const std::uint64_t n : shape) out += fmt::format("{}{}", out.empty() ? "" : ", ", n);
    return out;
}

}  // namespace

PoseFile::PoseFile(const std::filesystem::path& path, PoseFormat format) : reader_(path), format_(std::move(format)) {
    const NpyHeader& header = reader_.header();
    double_ = header.dtype == npy_dtype<double>();
    if (double_) {
        reader_.expect_dtype<double>();
    } else if (header.dtype == npy_dtype<float>()) {
        reader_.expect_dtype<float>();
    } else {
        throw bad_input("{}: poses must be float32 or float64 ('<f4' or '<f8'), not '{}'", path.string(), header.dtype);
    }
    const std::vector<std::uint64_t>& shape = header.shape;
    const std::size_t axes = shape.size();
    const bool matrices = axes >= 3 && axes <= 4 && shape[axes - 1] == 4 && shape[axes - 2] == 4;
    const bool quaternions = axes >= 2 && axes <= 3 && shape.back() == 7;
    if (!matrices && !quaternions) {
        throw bad_input(
            "{}: poses must have shape (frames, bodies, 7) or (bodies, 7), matrices (frames, bodies, 4, 4) or (bodies, "
            "4, 4), not ({})",
            path.string(), text_of(shape));
    }
    const std::size_t leading = axes - (matrices ? 2 : 1);
    frames_ = leading == 2 ? shape[0] : 1;
    rows_ = shape[leading - 1];
    numbers_per_row_ = matrices ? 16 : 7;
    if (frames_ == 0) throw bad_input("{}: holds no frame", path.string());
    if (!matrices && format_.form) {
        throw bad_input("--matrices: {} holds positions and quaternions", path.string());
    }
    if (matrices && format_.w_first) throw bad_input("--quaternion: {} holds matrices", path.string());
    if (matrices && !format_.form) find_form();
}

std::string PoseFile::place(std::uint64_t frame, std::size_t row) const {
    const std::string label = row < format_.labels.size() ? fmt::format(" ('{}')", format_.labels[row]) : "";
    return fmt::format("{}: frame {}, row {}{}", reader_.path().string(), frame, row, label);
}

void PoseFile::read_numbers(std::uint64_t frame) {
    const std::size_t count = rows_ * numbers_per_row_;
    numbers_.resize(count);
    if (double_) {
        reader_.read(frame * count, std::span<double>(numbers_));
        return;
    }
    floats_.resize(count);
    reader_.read(frame * count, std::span<float>(floats_));
    numbers_.assign(floats_.begin(), floats_.end());
}

// The first matrix with a translation decides. Every later one is checked against it.
void PoseFile::find_form() {
    bool same = true;
    for (std::uint64_t frame = 0; frame < frames_; ++frame) {
        read_numbers(frame);
        for (std::size_t i = 0; i < rows_; ++i) {
            const std::span<const double, 16> m(numbers_.data() + i * 16, 16);
            format_.form = form_of(m);
            if (format_.form) return;
            same = same && is_same_in_both_forms(m);
        }
    }
    if (!same) {
        throw bad_input(
            "{}: no matrix has a translation, so it cannot be seen whether vectors are columns or rows: say it with "
            "--matrices column or --matrices row",
            reader_.path().string());
    }
    format_.form = MatrixForm::column;
}

RigidPose PoseFile::from_quaternion(const double* n, std::uint64_t frame, std::size_t row) const {
    const Vec3d p{n[0], n[1], n[2]};
    const double* q = n + 3;
    const Quat given = format_.w_first ? Quat{q[1], q[2], q[3], q[0]} : Quat{q[0], q[1], q[2], q[3]};
    const double square = ((given.x * given.x + given.y * given.y) + given.z * given.z) + given.w * given.w;
    if (!is_finite(p)) throw bad_input("{}: the position is not finite", place(frame, row));
    if (!(std::fabs(square - 1.0) <= kQuaternionTolerance)) {
        throw bad_input("{}: the quaternion has length {:.6g} instead of 1", place(frame, row), std::sqrt(square));
    }
    const double l = std::sqrt(square);
    return {p, {given.x / l, given.y / l, given.z / l, given.w / l}};
}

RigidPose PoseFile::from_matrix(const double* n, std::uint64_t frame, std::size_t row) const {
    const std::span<const double, 16> m(n, 16);
    if (!std::all_of(m.begin(), m.end(), [](double x) { return std::isfinite(x); })) {
        throw bad_input("{}: the matrix is not finite", place(frame, row));
    }
    const bool column = format_.form == MatrixForm::column;
    if (!is_affine(m, *format_.form)) {
        throw bad_input("{}: the last {} of the matrix is not 0, 0, 0, 1, as it is in others", place(frame, row),
                        column ? "row" : "column");
    }
    RigidPose pose;
    std::string what;
    if (to_rigid(m, *format_.form, pose, what)) return pose;
    throw bad_input("{}: the matrix is not rigid: {}. A body has no scale: bake it into the vertices",
                    place(frame, row), what);
}

void PoseFile::read(std::uint64_t frame, std::span<const std::uint8_t> active, std::vector<RigidPose>& out) {
    read_numbers(frame);
    out.assign(rows_, RigidPose{});
    for (std::size_t i = 0; i < rows_; ++i) {
        if (!active.empty() && active[i] == 0) continue;
        const double* const n = numbers_.data() + i * numbers_per_row_;
        out[i] = has_matrices() ? from_matrix(n, frame, i) : from_quaternion(n, frame, i);
    }
}

MaskFile::MaskFile(const std::filesystem::path& path) : reader_(path) {
    const NpyHeader& header = reader_.header();
    reader_.expect_dtype(header.dtype == npy_dtype<std::uint8_t>() ? "|u1" : "|b1", 1);
    const std::size_t axes = header.shape.size();
    if (axes != 1 && axes != 2) {
        throw bad_input("{}: expected shape (frames, bodies) or (bodies), not ({})", path.string(),
                        text_of(header.shape));
    }
    frames_ = axes == 2 ? header.shape[0] : 1;
    rows_ = header.shape[axes - 1];
}

void MaskFile::read(std::uint64_t frame, std::vector<std::uint8_t>& out) const {
    out.resize(rows_);
    reader_.read(frame * rows_, std::span(out));
    const auto bad = std::find_if(out.begin(), out.end(), [](std::uint8_t x) { return x > 1; });
    if (bad == out.end()) return;
    throw bad_input("{}: frame {}, row {}: {} is neither 0 nor 1", reader_.path().string(), frame, bad - out.begin(),
                    *bad);
}

}  // namespace lanefold::tools
