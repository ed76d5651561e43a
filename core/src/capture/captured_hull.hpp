// SPDX-License-Identifier: MIT
//
// Hulls of a capture: their hashes, and building them again.
#pragma once

#include <cstdint>

#include <lanefold/capture.hpp>

namespace lanefold::detail {

// XXH64 of a hull's block and record, without the pointer; of a surface its fingerprint.
std::uint64_t hash_block(const HullSet& hulls, std::uint32_t id);

// A half-space of a set, as two points: its normal as it was given, and its offset with two zeros.
CapturedHull capture_half_space(const HullSet& hulls, std::uint32_t id);

// A surface of a set, which it shares.
CapturedHull capture_surface(const HullSet& hulls, std::uint32_t id);

// Builds the hull alone, on this thread. A half-space has its two points, a surface itself.
BuildResult rebuild(const CapturedHull& hull);

}  // namespace lanefold::detail
