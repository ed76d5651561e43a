// SPDX-License-Identifier: MIT
//
// The hash that proves equal bits: XXH64 (seed 0) of a manifold's bytes with `pair` set to zero and every -0 float set
// to +0. A frame's hash is the sum modulo 2^64 over its reported records, so it does not depend on their order. A
// scene's hash is the sum of mix(frame index, frame hash).
#pragma once

#include <cstdint>
#include <string>

#include <lanefold/export.hpp>
#include <lanefold/manifold.hpp>

namespace lanefold {

// XXH64 of the bytes of a record, seed 0; see above.
LANEFOLD_EXPORT std::uint64_t hash_record(const Manifold4& m);
LANEFOLD_EXPORT std::uint64_t hash_record(const Manifold16& m);

// XXH64 of the 16 little-endian bytes (frame index, frame hash).
LANEFOLD_EXPORT std::uint64_t mix_frame_hash(std::uint64_t frame, std::uint64_t frame_hash);

// 16 lower-case hex digits.
LANEFOLD_EXPORT std::string hash_string(std::uint64_t hash);

}  // namespace lanefold
