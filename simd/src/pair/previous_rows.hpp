// SPDX-License-Identifier: MIT
//
// Hysteresis of one chunk as the stages in lanes see it: where the previous records of its pairs are, and which pairs
// are left to the float64 path. No SIMD types.
#pragma once

#include <cstddef>
#include <cstdint>

#include <lanefold/detail/chunk.hpp>
#include <lanefold/export.hpp>
#include <lanefold/manifold.hpp>

namespace lanefold::detail {

class PreviousRecords;

// The part of a record that hysteresis and sums read: bytes 20 to 40 of it, the same for every capacity.
struct RecordHead {
    float distance;
    std::uint32_t feature_a;
    std::uint32_t feature_b;
    std::uint16_t total;
    std::uint8_t count;
    std::uint8_t kind;    // any byte
    std::uint8_t status;  // any byte
    std::uint8_t reserved[3];
};
inline constexpr std::size_t kHeadOffset = offsetof(Manifold4, distance);
static_assert(sizeof(RecordHead) == 20);
static_assert(kHeadOffset == offsetof(Manifold16, distance));
static_assert(kHeadOffset + offsetof(RecordHead, feature_a) == offsetof(Manifold4, feature_a));
static_assert(kHeadOffset + offsetof(RecordHead, feature_b) == offsetof(Manifold4, feature_b));
static_assert(kHeadOffset + offsetof(RecordHead, total) == offsetof(Manifold4, total));
static_assert(kHeadOffset + offsetof(RecordHead, count) == offsetof(Manifold4, count));
static_assert(kHeadOffset + offsetof(RecordHead, kind) == offsetof(Manifold4, kind));
static_assert(kHeadOffset + offsetof(RecordHead, status) == offsetof(Manifold4, status));

// Part of the area of the usual reduction that the previous points must span. The float64 path has the same
// (core/src/precise/hold.cpp).
inline constexpr float kHeldSpread = 0.9F;

struct ChunkHold {
    const PreviousRecords* previous = nullptr;
    std::uint64_t first = 0;        // index of the chunk's first pair in the call
    float hysteresis = 0;           // Options::hysteresis
    std::uint32_t most_points = 4;  // capacity of a previous record
    // Per pair, for those that were asked for: the head (RecordHead) and the whole of its previous record. A pair
    // without one has a record of zeros.
    const std::byte* head[kChunkPairs] = {};
    const std::byte* record[kChunkPairs] = {};
    // Pairs that are left to the float64 path (coherence/hold.cpp). The lanes decide the others.
    std::uint64_t left[kChunkWords] = {};

    void leave(std::uint32_t pair) { left[pair / 64] |= std::uint64_t{1} << (pair % 64); }
};

// Looks up the previous records of the pairs in `bits`.
LANEFOLD_EXPORT void find_previous(ChunkHold& hold, const std::uint64_t* bits);

}  // namespace lanefold::detail
