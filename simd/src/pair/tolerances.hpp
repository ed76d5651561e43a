// SPDX-License-Identifier: MIT
//
// Tolerances that boxes and general hulls share. A tolerance of a single stage is in that stage's file; those that the
// float64 path shares are in lanefold/limits.hpp and in contact_constants.hpp.
#pragma once

#include <lanefold/detail/contact_constants.hpp>
#include <lanefold/hull_set.hpp>

#include "lanes/wide.hpp"

namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE {

// Hulls with sizes outside this range take the float64 path, because fourth powers of edge lengths must stay within the
// range of float32. In the caller's unit: a micrometre to a thousand kilometres if the unit is the metre.
inline constexpr float kSmallestSize = 1e-6F;
inline constexpr float kLargestSize = 1e6F;

// Pairs with a hull that has one of these flags take the float64 path. A far larger box may have them (floor/).
inline constexpr std::uint8_t kPreciseFlags =
    HullRecord::kWide | HullRecord::kFar | HullRecord::kThin | HullRecord::kOther;

// sin^2 of the angle between two edges below which their cross product is not a usable axis. At sin = 1e-6 the
// separation varies by less than 1e-6 of size over the angles that are left out.
inline constexpr float kParallelSine2 = 1e-12F;

// Error bound of the numerators and the determinant of closest_parameters(), in products of edge lengths, per size of
// both hulls: a dozen roundings of 6e-8. For almost parallel edges it is a large part of the determinant, and it is
// uncertain whether the closest points lie on the edges.
inline constexpr float kParameterError = 1e-6F;

// Distance, in (size A + size B), by which the closest points of two edges may miss the axis.
inline constexpr float kWitnessTolerance = 1e-6F;

// Distance, in (size A + size B), by which a vertex may lie outside a side plane and still count as inside. Faces that
// coincide edge on edge thus keep their corners despite rounding. Points may lie off the surfaces by at most this,
// except beyond sharp corners, where contact/tips.hpp tests for more.
inline constexpr float kClipTolerance = 5e-7F;

// Cosine between reference and incident normals, above which (faces almost perpendicular) reference vertices are not
// projected onto the incident face in lanes. The projection divides the rounding of the incident plane by this cosine.
inline constexpr float kProjectCosine = -0.05F;

// The same cosine, above which no reference vertex is projected at all: a face seen edge on supports nothing. It is the
// float64 path's (core/src/precise/contact.cpp). Between both, a pair with a reference vertex inside the incident face
// takes that path. Only hulls with a sharp edge, such as blades, have such a face at the support vertex.
inline constexpr float kEdgeOnCosine = -0.01F;

// Rounding, in (size A + size B), that is allowed when the deepest clipped point is compared with the optimum.
inline constexpr float kDepthTolerance = 2e-6F;

// For pairs that are apart, in (size A + size B): a clipped point whose separation exceeds that of the best axis by at
// most this proves that the axis' separation is the distance.
inline constexpr float kProvenTolerance = 2.5e-7F;

// For pairs that are apart: an edge axis that exceeds the best face by at most this, in (size A + size B), counts as no
// better. The cross products of the sides of two parallel faces are the faces' normal again. Rounding, up to some 3e-7,
// then decides which of them is highest, and the closest points of such edges lie anywhere along them. The face is
// therefore tested instead, with the higher of both separations, v, as the distance. This is safe for any edges:
//
// - The distance D is at least the separation along any direction, so D >= v - r, where r is rounding.
// - The lanes report the pair only if the clip finds a point of the incident face over the reference face (within
//   kClipTolerance) that is at most v + kProvenTolerance above it, or if the support vertex is over the face, in which
//   case D is the face's separation, at most v. Both points belong to the hulls, so
//   D <= v + (kProvenTolerance + r) (size A + size B).
// - A point beyond a tip of the face is up to kTip (contact/tips.hpp) aside of it. D exceeds v there by the root of
//   both squares at most, 8.4e-7, instead of by kProvenTolerance.
// - Otherwise the float64 path decides, as for every face that does not prove its distance.
//
// So |v - D| <= (2.5e-7 + r) (size A + size B) clear of tips, as for other faces. There the face's normal separates by
// at least v - 5e-7 (size A + size B) >= D - 1.5e-6 (larger size) - r, so it minimises the distance within the promised
// 2e-6.
inline constexpr float kFaceTie = 5e-7F;

// The shared constants of contacts, rounded to float32.
inline constexpr float kFlatAxis = static_cast<float>(detail::kFlatAxis);
inline constexpr float kImpactBand = static_cast<float>(detail::kImpactBand);

}  // namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE
