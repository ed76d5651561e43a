// SPDX-License-Identifier: MIT
//
// Rigid poses out of 4x4 matrices.
#pragma once

#include <optional>
#include <span>
#include <string>

#include <lanefold/pose.hpp>

namespace lanefold::tools {

// Largest deviation from a rigid motion: of an axis from length 1, and of the cosine between two axes from 0. Baked
// float32 matrices stay below 1e-6; a scale that an animator set is far above.
inline constexpr double kRigidTolerance = 1e-4;

// A position and a unit quaternion.
struct RigidPose {
    Vec3d position;
    Quat orientation;
};

// The place of a matrix's translation: in its last column (x' = M x), or in its last row (x' = x M: USD, Houdini,
// Maya).
enum class MatrixForm { column, row };

// The form that the numbers (row-major) admit alone. Nothing when the translation is zero, so that both do.
std::optional<MatrixForm> form_of(std::span<const double, 16> m);
// Is the matrix an affine one in this form?
bool is_affine(std::span<const double, 16> m, MatrixForm form);
// True when row and column form mean the same motion.
bool is_same_in_both_forms(std::span<const double, 16> m);

// The pose of an affine matrix. Otherwise `what` says why it is not rigid, with the amount: "scale 2, 1, 1".
bool to_rigid(std::span<const double, 16> m, MatrixForm form, RigidPose& out, std::string& what);

// Splits a matrix into a rotation and the stretch before it: linear = turn * stretch, by the polar decomposition. A
// mirroring belongs to the stretch. Returns false for a matrix that flattens.
bool split_stretch(const Mat3d& linear, Mat3d& turn, Mat3d& stretch, Mat3d& inverse_stretch);

// The largest deviation of a stretch from a multiple of the identity, and of that from 1, relative to it. It is four
// steps of float32, which quaternions and matrices of files leave, and a quarter of the 2e-6 of a size that distances
// may be off.
inline constexpr double kUniformTolerance = 5e-7;

// The factor of a stretch that is the same in all directions: a third of the matrix's trace, from which no element
// deviates. 1 if it is so near to that. Nothing for a mirroring, and for any other stretch.
std::optional<double> uniform_scale(const Mat3d& stretch);

}  // namespace lanefold::tools
