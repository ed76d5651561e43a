// SPDX-License-Identifier: MIT
//
// See the header. The nearest rotation is found by Newton's iteration for the polar decomposition (N. Higham, Computing
// the polar decomposition, 1986).

#include "import/rigid.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include <lanefold/detail/turn.hpp>

namespace lanefold::tools {
namespace {

// Rotation part and translation of a matrix in column form.
struct Parts {
    Mat3d linear;
    Vec3d translation;
};

Parts parts_of(std::span<const double, 16> m, MatrixForm form) {
    const Mat3d block{{{m[0], m[1], m[2]}, {m[4], m[5], m[6]}, {m[8], m[9], m[10]}}};
    if (form == MatrixForm::column) return {block, {m[3], m[7], m[11]}};
    return {transpose(block), {m[12], m[13], m[14]}};
}

// The fourth row of an affine matrix, up to the noise of an inverse in float32.
bool is_last(double a, double b, double c, double d) {
    constexpr double kNoise = 1e-6;
    return std::fabs(a) <= kNoise && std::fabs(b) <= kNoise && std::fabs(c) <= kNoise && std::fabs(d - 1) <= kNoise;
}

double determinant(const Mat3d& m) { return dot(m.row[0], cross(m.row[1], m.row[2])); }

Mat3d inverse_transpose(const Mat3d& m) {
    const double d = 1 / determinant(m);
    return {{cross(m.row[1], m.row[2]) * d, cross(m.row[2], m.row[0]) * d, cross(m.row[0], m.row[1]) * d}};
}

// Half the sum of the matrix and of its inverse's transpose converges to the rotation, quadratically: six steps are
// enough for a matrix that is near it.
Mat3d nearest_rotation(Mat3d m, int steps = 6) {
    for (int step = 0; step < steps; ++step) {
        const Mat3d other = inverse_transpose(m);
        for (int i = 0; i < 3; ++i) m.row[i] = (m.row[i] + other.row[i]) * 0.5;
    }
    return m;
}

}  // namespace

std::optional<MatrixForm> form_of(std::span<const double, 16> m) {
    const bool column = is_last(m[12], m[13], m[14], m[15]);
    const bool row = is_last(m[3], m[7], m[11], m[15]);
    if (column == row) return std::nullopt;
    return column ? MatrixForm::column : MatrixForm::row;
}

bool is_affine(std::span<const double, 16> m, MatrixForm form) {
    return form == MatrixForm::column ? is_last(m[12], m[13], m[14], m[15]) : is_last(m[3], m[7], m[11], m[15]);
}

bool is_same_in_both_forms(std::span<const double, 16> m) {
    const auto near = [](double a, double b) { return std::fabs(a - b) <= kRigidTolerance; };
    return near(m[1], m[4]) && near(m[2], m[8]) && near(m[6], m[9]);
}

bool to_rigid(std::span<const double, 16> m, MatrixForm form, RigidPose& out, std::string& what) {
    const Parts parts = parts_of(m, form);
    Vec3d axes[3];
    double scale[3];
    double worst = 0;
    for (int i = 0; i < 3; ++i) {
        axes[i] = column(parts.linear, i);
        scale[i] = length(axes[i]);
        worst = std::max(worst, std::fabs(scale[i] - 1));
        if (!std::isfinite(scale[i])) worst = scale[i];
    }
    if (!(worst <= kRigidTolerance)) {
        what = fmt::format("scale {:.6g}, {:.6g}, {:.6g}", scale[0], scale[1], scale[2]);
        return false;
    }
    for (int i = 0; i < 3; ++i) {
        const int j = (i + 1) % 3;
        const double cosine = dot(axes[i], axes[j]) / (scale[i] * scale[j]);
        if (std::fabs(cosine) <= kRigidTolerance) continue;
        const double angle = std::acos(std::clamp(cosine, -1.0, 1.0)) * 180 / std::numbers::pi;
        what = fmt::format("shear: axes {} and {} are {:.6g} degrees apart instead of 90", "xyz"[i], "xyz"[j], angle);
        return false;
    }
    if (determinant(parts.linear) < 0) {
        what = "mirrored: its determinant is -1";
        return false;
    }
    out = {parts.translation, detail::quaternion_of(nearest_rotation(parts.linear))};
    return true;
}

bool split_stretch(const Mat3d& linear, Mat3d& turn, Mat3d& stretch, Mat3d& inverse_stretch) {
    // Far from the rotation each step halves the stretch.
    constexpr int kSteps = 64;
    // The smallest volume of the unit cube, relative to the largest axis: below it the inverse has no digits.
    constexpr double kFlat = 1e-9;
    double largest = 0;
    for (int i = 0; i < 3; ++i) largest = std::max(largest, length(column(linear, i)));
    const double volume = determinant(linear);
    if (!std::isfinite(largest) || !(std::fabs(volume) > kFlat * largest * largest * largest)) return false;
    turn = nearest_rotation(linear, kSteps);
    if (volume < 0) {
        for (Vec3d& row : turn.row) row = -row;
    }
    stretch = transpose(turn) * linear;
    inverse_stretch = transpose(inverse_transpose(stretch));
    return true;
}

std::optional<double> uniform_scale(const Mat3d& stretch) {
    const double scale = (stretch.row[0].x + stretch.row[1].y + stretch.row[2].z) / 3;
    if (!(scale > 0) || !std::isnormal(static_cast<float>(scale))) return std::nullopt;
    double off = 0;
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            const Vec3d axis = column(stretch, j);
            const double element = i == 0 ? axis.x : i == 1 ? axis.y : axis.z;
            off = std::max(off, std::fabs(element - (i == j ? scale : 0)));
        }
    }
    if (!(off <= kUniformTolerance * scale)) return std::nullopt;
    return std::fabs(scale - 1) <= kUniformTolerance ? 1 : scale;
}

}  // namespace lanefold::tools
