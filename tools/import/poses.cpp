// SPDX-License-Identifier: MIT
//
// Poses of an import: seven numbers a row.

#include "import/poses.hpp"

#include <cmath>
#include <span>

#include "console/failure.hpp"

namespace lanefold::tools {

PoseFile::PoseFile(const std::filesystem::path& path, bool w_first) : reader_(path), w_first_(w_first) {
    const NpyHeader& header = reader_.header();
    double_ = header.dtype == npy_dtype<double>();
    if (double_) {
        reader_.expect_dtype<double>();
    } else if (header.dtype == npy_dtype<float>()) {
        reader_.expect_dtype<float>();
    } else {
        throw bad_input("{}: poses must be float32 or float64 ('<f4' or '<f8'), not '{}'", path.string(), header.dtype);
    }
    const std::size_t axes = header.shape.size();
    if ((axes != 2 && axes != 3) || header.shape.back() != 7) {
        std::string shape;
        for (const std::uint64_t n : header.shape) shape += fmt::format("{}{}", shape.empty() ? "" : ", ", n);
        throw bad_input("{}: poses must have shape (frames, bodies, 7) or (bodies, 7), not ({})", path.string(), shape);
    }
    frames_ = axes == 3 ? header.shape[0] : 1;
    rows_ = header.shape[axes - 2];
    if (frames_ == 0) throw bad_input("{}: holds no frame", path.string());
}

void PoseFile::read(std::uint64_t frame, std::vector<Pose>& out) {
    const std::size_t count = rows_ * 7;
    numbers_.resize(count);
    if (double_) {
        reader_.read(frame * count, std::span<double>(numbers_));
    } else {
        floats_.resize(count);
        reader_.read(frame * count, std::span<float>(floats_));
        numbers_.assign(floats_.begin(), floats_.end());
    }
    out.resize(rows_);
    for (std::size_t i = 0; i < rows_; ++i) {
        const double* n = numbers_.data() + i * 7;
        const Vec3d p{n[0], n[1], n[2]};
        const double* q = n + 3;
        const Quat given = w_first_ ? Quat{q[1], q[2], q[3], q[0]} : Quat{q[0], q[1], q[2], q[3]};
        const double square = ((given.x * given.x + given.y * given.y) + given.z * given.z) + given.w * given.w;
        if (!is_finite(p)) {
            throw bad_input("{}: frame {}, row {}: the position is not finite", reader_.path().string(), frame, i);
        }
        if (!(std::fabs(square - 1.0) <= kQuaternionTolerance)) {
            throw bad_input("{}: frame {}, row {}: the quaternion has length {:.6g} instead of 1",
                            reader_.path().string(), frame, i, std::sqrt(square));
        }
        const double l = std::sqrt(square);
        out[i] = {p, {given.x / l, given.y / l, given.z / l, given.w / l}};
    }
}

}  // namespace lanefold::tools
