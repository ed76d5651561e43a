// SPDX-License-Identifier: MIT
//
// Half-spaces: a floor, a wall or a slope without an end. A half-space is an id of a HullSet like a hull, for bodies
// that do not move by themselves; the body's pose moves its plane.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include <lanefold/export.hpp>
#include <lanefold/hull_builder.hpp>
#include <lanefold/hull_set.hpp>
#include <lanefold/vec.hpp>

namespace lanefold {

// All points x with n.x <= offset, in the coordinates of its body. n is `normal` divided by its length, in float64, so
// that a normal of any length gives the plane that it says. It points out of the solid side. `offset` is a length.
struct HalfSpace {
    Vec3f normal{0, 0, 1};
    float offset = 0;

    friend constexpr bool operator==(const HalfSpace&, const HalfSpace&) = default;
};

// A set with one id for each half-space, to be used alone or appended to a set of hulls. The same numbers give the same
// bits and fingerprint. Refused as HullError::not_finite (a NaN or an infinity), too_small (no component of the normal
// is a normal number of float32 other than zero) and too_large (an offset beyond 1e15). Half-spaces have no vertices
// and no mass.
//
// A pair of a half-space and a hull, sharp or rounded, has as distance that of the hull's lowest vertex from the plane,
// less the radius, however deep. Its contact has face 0 of the half-space as reference (face_a or face_b); the feature
// of the other hull is 0. Its points are all vertices within the margin, at any depth, reduced as always; of the kept
// ones none stands over another vertex (is above it and beside it by at most an eighth of that). Ids are those of the
// vertex and of the face. Both methods (ContactMethod) give this contact. Two half-spaces never touch.
LANEFOLD_EXPORT BuildResult build_half_spaces(std::span<const HalfSpace> planes);

// The half-space of an id, as it was given; nothing if the id is none, removed or a hull's.
LANEFOLD_EXPORT std::optional<HalfSpace> half_space(const HullSet& hulls, std::size_t id);

}  // namespace lanefold
