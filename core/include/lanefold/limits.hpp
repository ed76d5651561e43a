// SPDX-License-Identifier: MIT
//
// The constants that shape results, with unit, reason and the consequence of changing them. "size" is half the diagonal
// of a hull's axis-aligned box in its own input frame.
#pragma once

#include <cstdint>

namespace lanefold {

// Promised bound of |distance - oracle|, relative to the larger hull's size (to the smaller one's beyond
// kPreciseSizeRatio). Also half the width of the band in which pairs may be classified either way. It is a contract,
// not a tuning parameter.
inline constexpr double kDistanceTolerance = 2e-6;

// Largest deviation, relative to size, that coplanar merging or box recognition may cause, measured in float64 by the
// builder. It is a quarter of the distance tolerance, so two hulls together use at most half of that.
inline constexpr double kBuildDeviation = 5e-7;

// Ratio of hull sizes beyond which a pair takes the float64 path, unless one face of the larger hull, a box, settles it
// (simd/src/floor/heights.hpp). float32 geometry of the larger hull is good to about 6e-7 of its own size. At 64:1 that
// is 4e-5 of the smaller hull, too much for a resting contact of a small body on a large floor. Raising it trades
// accuracy for speed on such pairs.
inline constexpr float kPreciseSizeRatio = 64.0F;

// Distance of a hull's centre from its own origin, in sizes, beyond which its pairs take the float64 path. The rotated
// centre offset is rounded to float32 once, which costs 6e-8 of its length.
inline constexpr float kPreciseCentreOffset = 4.0F;

// Distance between the two centres, in (size A + size B), beyond which a pair takes the float64 path. The relative
// translation is rounded to float32, which costs about 2e-7 of its length. Only pairs with margins of several hull
// sizes can touch at such distances.
inline constexpr float kPreciseSeparation = 2.0F;

// Slack of every pruning test, in (size A + size B). It must exceed the rounding error of any float32 separation
// (measured: below 1e-6). A larger value only costs time; a smaller one could change bits. Bounds of faces in fixed
// point have another slack in addition (kStepSlack).
inline constexpr float kPruneSlack = 4e-6F;

// Default relative face preference: 0.5% of the smaller hull's size. It gives 2 to 3 points per touching pair in
// settled piles, where strict minimum axes give 1.6.
inline constexpr float kDefaultFacePreference = 0.005F;

// Largest face preference in effect. A larger one would mean the same, because no hull that the builder accepts is 1e30
// times as large as another. As a length it stays within float32 (sizes up to 1e6, simd/src/chunk/sort.hpp), so no
// comparison with it overflows.
inline constexpr float kLargestPreference = 1e30F;

// Default relative hysteresis, for calls with previous contacts: 0.5% of the smaller hull's size, like the face
// preference. A larger value keeps features longer and lets normals be further from the optimum by as much.
inline constexpr float kDefaultHysteresis = 0.005F;

// Default of Options::patch_band, the height of a support patch relative to the smaller hull's size: 1%. It covers the
// nearly coplanar faces of a scanned or finely faceted flat side. With a larger value round hulls rest on wider
// patches; with a smaller one the manifold follows every small motion. Points up to twice this above the deepest one
// are kept.
inline constexpr float kPatchBand = 0.01F;

// Largest Options::patch_band. A patch of this height contains the whole hull.
inline constexpr float kMaxPatchBand = 1.0F;

// ContactMethod::patch: how much shallower than the deepest point the deepest kept point may be when points are left
// out, relative to the smaller hull's size. On a level patch the deepest corner changes with every small motion, and a
// choice that starts at it would turn with it.
inline constexpr float kPatchSpread = 1e-3F;

// Hulls whose indices do not fit 16 bits take the float64 path with 32-bit topology.
inline constexpr std::uint32_t kMaxIndex16 = 65535;

// All float arrays of a hull block are padded to a multiple of this many entries, the width of the widest vector. So
// one block serves every instruction set, and no kernel needs a loop for the rest.
inline constexpr std::uint32_t kBlockLanes = 16;

}  // namespace lanefold
