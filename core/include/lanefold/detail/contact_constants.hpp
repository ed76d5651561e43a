// SPDX-License-Identifier: MIT
//
// Constants of contacts that the kernels and the float64 path share. Kernels round them to float32.
#pragma once

namespace lanefold::detail {

// Limit of a normal's component along x: below it, the x axis crossed with the normal gives the first axis of the
// contact plane, otherwise the y axis does. Both axes are far from the normal then: at least 0.6 of their cross product
// is left. Another value turns the axes of some planes.
inline constexpr double kFlatAxis = 0.6;

// PointSelection::impact: height of the band above the deepest point whose points are kept, relative to the smaller
// hull's size.
inline constexpr double kImpactBand = 1e-3;

// Reduction of a patch manifold (geometry/patch.hpp). Ratio of areas above which the choice by spread
// replaces the one in fixed directions.
inline constexpr double kPatchMoreArea = 1.25;

// A corner's reach in a direction is reduced by this factor times its distance from the line in that direction. With 0
// the furthest corner of a ragged rim jumps from one side of the direction to the other; with a much larger factor
// corners near the middle win.
inline constexpr double kPatchAside = 1.4;

// The fixed directions are turned by 17 degrees, because regular polygons have ties at multiples of 15 and 22.5
// degrees. Cosine and sine, as far as they matter.
inline constexpr double kPatchTurnCos = 0.955;
inline constexpr double kPatchTurnSin = 0.296;

// Square of the distance from the middle of the points, in halves of their larger extent, below which the deepest point
// counts as in the middle: half way out.
inline constexpr double kPatchMiddle2 = 0.25;

// Sine of 120 degrees, as far as it matters: the fixed triangle around a deepest point in the middle.
inline constexpr double kPatchTriangleSin = 0.866;

}  // namespace lanefold::detail
