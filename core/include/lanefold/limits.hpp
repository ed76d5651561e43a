// SPDX-License-Identifier: MIT
//
// Every constant that shapes a result, with its unit, its reason and what changing it does.
// "size" is half the diagonal of a hull's axis-aligned box in its own input frame.
#pragma once

#include <cstdint>

namespace lanefold {

// Promised bound on |distance - oracle|, relative to the larger hull's size (to the smaller one's beyond
// kPreciseSizeRatio). Also the half width of the classification band. A contract, not a tuning knob.
inline constexpr double kDistanceTolerance = 2e-6;

// Largest deviation, relative to size, that coplanar merging or box recognition may introduce, measured in
// float64 at build. A quarter of the distance tolerance, so that two hulls together use at most half.
inline constexpr double kBuildDeviation = 5e-7;

// Ratio of hull sizes beyond which a pair takes the float64 path. float32 geometry of the larger hull is
// good to about 6e-7 of ITS size; at 64:1 that is 4e-5 of the smaller hull, more than a resting contact of
// a small body on a large floor can bear. Raising it trades accuracy for speed on such pairs.
inline constexpr float kPreciseSizeRatio = 64.0F;

// Distance of a hull's centre from its own origin, in sizes, beyond which its pairs take the float64 path:
// the rotated centre offset is rounded to float32 once, which costs 6e-8 of its length.
inline constexpr float kPreciseCentreOffset = 4.0F;

// Distance between the two centres, in (size A + size B), beyond which a pair takes the float64 path: the
// relative translation is rounded to float32, which costs about 2e-7 of its length. Only reachable with
// margins of several hull sizes.
inline constexpr float kPreciseSeparation = 2.0F;

// Relative slack of every pruning test, in (size A + size B). Must exceed the rounding error of any float32 separation
// (measured below 1e-6); larger only costs time, smaller could change bits. Bounds of faces in fixed point have a slack
// of their own besides.
inline constexpr float kPruneSlack = 4e-6F;

// Default relative face preference: 0.5% of the smaller hull's size. Gives 2-3 points per touching pair in
// settled piles where strict minimum axes give 1.6.
inline constexpr float kDefaultFacePreference = 0.005F;

// A larger face preference means the same: no hull that the builder takes is 1e30 times as large as another. As a length
// it stays within float32 (sizes up to 1e6, chunk_sort.hpp), so that nothing that is compared with it overflows.
inline constexpr float kLargestPreference = 1e30F;

// Default relative hysteresis, for calls that are given previous contacts: 0.5% of the smaller hull's size, like the
// face preference. Larger holds features longer and lets normals be that much further from the optimum.
inline constexpr float kDefaultHysteresis = 0.005F;

// Default of Options::patch_band, the height of a support patch relative to the smaller hull: 1%. Nearly coplanar faces
// of a scanned or finely faceted flat side lie within it. Larger makes round hulls rest on wider patches; smaller lets
// the manifold follow every tremor of the pose again. Points up to twice this above the deepest one are kept.
inline constexpr float kPatchBand = 0.01F;

// Largest Options::patch_band: beyond the whole hull a patch has nothing more to hold.
inline constexpr float kMaxPatchBand = 1.0F;

// ContactMethod::patch: when points must be left out, the deepest one kept may be shallower by this, relative to the
// smaller hull. On a level patch any tremor makes another corner the deepest, and a choice that starts there spins.
inline constexpr float kPatchSpread = 1e-3F;

// Hulls whose indices do not fit 16 bits take the float64 path with 32-bit topology.
inline constexpr std::uint32_t kMaxIndex16 = 65535;

// All float arrays of a hull block are padded to this many entries, the widest vector of any ISA, so that
// one block serves every ISA and no kernel needs a tail loop.
inline constexpr std::uint32_t kBlockLanes = 16;

}  // namespace lanefold
