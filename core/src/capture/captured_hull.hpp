// SPDX-License-Identifier: MIT
//
// Hulls of a capture: their hashes, and building them again.
#pragma once

#include <cstdint>

#include <lanefold/capture.hpp>

namespace lanefold::detail {

// XXH64 of a hull's block and record, without the pointer.
std::uint64_t hash_block(const HullRecord& record);

// Builds the hull alone, on this thread.
BuildResult rebuild(const CapturedHull& hull);

}  // namespace lanefold::detail
