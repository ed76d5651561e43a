// SPDX-License-Identifier: MIT
//
// Tolerances that boxes and general hulls share. A tolerance that one stage needs stands in that stage's file; those
// that the float64 path shares are in lanefold/limits.hpp.
#pragma once

#include "lanes/wide.hpp"

namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE {

// sin^2 of the angle between two edges below which their cross product is not a usable axis. At sin = 1e-6 the
// separation varies by less than 1e-6 of size along the whole stretch that is given up.
inline constexpr float kParallelSine2 = 1e-12F;

// How far the numerators and the determinant of closest_parameters() may be off, in products of edge lengths, per size
// of both hulls: a dozen roundings of 6e-8. Where edges are nearly parallel this is a large part of the determinant,
// and whether the closest points lie on the edges is not known.
inline constexpr float kParameterError = 1e-6F;

// Distance, in (size A + size B), by which the closest points of two edges may miss the axis.
inline constexpr float kWitnessTolerance = 1e-6F;

// Distance, in (size A + size B), by which a vertex may lie outside a side plane and still count as inside: faces that
// coincide edge on edge keep their corners instead of losing them to rounding. Points on "both surfaces" are
// off by at most this.
inline constexpr float kClipTolerance = 5e-7F;

// Cosine between reference and incident normals above which (nearly perpendicular faces) reference vertices
// are not projected onto the incident face: where the ray meets its plane is the plane's rounding divided by
// this, and nothing rests on a face seen edge on.
inline constexpr float kProjectCosine = -0.05F;

// Rounding allowed, in (size A + size B), when the deepest clipped point is compared with the optimum.
inline constexpr float kDepthTolerance = 2e-6F;

// Apart: a clipped point no further than the best axis says, but for this in (size A + size B), proves that the axis'
// separation IS the distance.
inline constexpr float kProvenTolerance = 2.5e-7F;

// PointSelection::impact keeps points within this above the deepest one, relative to the smaller hull.
inline constexpr float kImpactBand = 1e-3F;

}  // namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE
