// SPDX-License-Identifier: MIT
//
// The promises and defaults of the calls, with unit, reason and the consequence of changing them. "size" is half the
// diagonal of a hull's axis-aligned box in its own input frame. diagnostics.hpp has the limits of the kernels.
#pragma once

namespace lanefold {

// Promised bound of |distance - oracle|, relative to the larger hull's size (to the smaller one's beyond
// kPreciseSizeRatio). Also half the width of the band in which pairs may be classified either way. It is a contract,
// not a tuning parameter.
inline constexpr double kDistanceTolerance = 2e-6;

// Largest deviation, relative to size, that coplanar merging or box recognition may cause, measured in float64 by the
// builder. It is a quarter of the distance tolerance, so two hulls together use at most half of that.
inline constexpr double kBuildDeviation = 5e-7;

// Default relative face preference: 0.5% of the smaller hull's size. It gives 2 to 3 points per touching pair in
// settled piles, where strict minimum axes give 1.6.
inline constexpr float kDefaultFacePreference = 0.005F;

// Default relative hysteresis, for calls with previous contacts: 0.5% of the smaller hull's size, like the face
// preference. A larger value keeps features longer and lets normals be further from the optimum by as much.
inline constexpr float kDefaultHysteresis = 0.005F;

// Largest StreamOptions::reuse: 10% of the smaller hull's size. A record may be wrong by twice this, so with more it
// would say little about its pair.
inline constexpr float kMaxReuse = 0.1F;

// Default of Options::patch_band, the height of a support patch relative to the smaller hull's size: 1%. It covers the
// nearly coplanar faces of a scanned or finely faceted flat side. With a larger value round hulls rest on wider
// patches; with a smaller one the manifold follows every small motion. Points up to twice this above the deepest one
// are kept.
inline constexpr float kPatchBand = 0.01F;

// Largest Options::patch_band. A patch of this height contains the whole hull.
inline constexpr float kMaxPatchBand = 1.0F;

}  // namespace lanefold
