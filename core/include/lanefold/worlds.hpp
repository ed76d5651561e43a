// SPDX-License-Identifier: MIT
//
// Many worlds in one call: which pairs, records and bodies are those of each, and what came of each.
#pragma once

#include <cstdint>
#include <span>

#include <lanefold/manifold.hpp>
#include <lanefold/options.hpp>
#include <lanefold/status.hpp>

namespace lanefold {

// The result of one world: that of a call of its own, collide_compact() with its pairs and its room. The sums are of
// the pairs before next_pair.
struct WorldResult {
    Status status = Status::ok;     // ok, truncated or cancelled
    float deepest = 0;              // the least distance of its records, 0 or more: nothing overlaps; 0 without records
    std::uint64_t written = 0;      // records
    std::uint64_t required = 0;     // records that all its pairs have
    std::uint64_t next_pair = 0;    // the first pair without a record for want of room; the end of its pairs otherwise
    std::uint64_t touching = 0;     // distance <= margin
    std::uint64_t overlapping = 0;  // distance < 0
    std::uint64_t points = 0;
    std::uint64_t by_status[kStatusCount] = {};
    std::uint64_t by_kind[kContactKindCount] = {};
    std::uint64_t hash = 0;  // 0 unless Options::hash
};

// The worlds of a call, by offsets that ascend: world w has elements offsets[w] to offsets[w + 1] - 1.
struct WorldRanges {
    // Divide `pairs`; one more than worlds. PairFinderResult::world_offsets are such offsets.
    std::span<const std::uint64_t> pairs;
    // Divide `out`, as many: the room of each world. With the offsets of `pairs` every world has room for all its
    // pairs.
    std::span<const std::uint64_t> records;
    // Divide the bodies, as many, or none. With them the indices in records are those of the world alone: its bodies
    // count from 0 on, and behind its last one come the bodies that all worlds share, which are those before the first
    // world and behind the last, in their order. A pair with a body of another world is refused.
    std::span<const std::uint64_t> bodies = {};
    // Per world, or none: 0 means that the world takes no part. Nothing of it is read or written but its result.
    std::span<const std::uint8_t> active = {};
    // The `records` and the results of an earlier call of these worlds, or none. CallInputs::previous is its `out`
    // then, as a whole: the records of world w are those that it wrote into its room, and their indices are those that
    // `bodies` gives. The results may be those that this call writes.
    std::span<const std::uint64_t> previous_records = {};
    std::span<const WorldResult> previous_results = {};
};

// The result of a call: the sums over all worlds. Its status is truncated where some world is, and status.where names
// the first.
struct [[nodiscard]] WorldsResult : BatchResult {
    std::uint64_t written = 0;
    std::uint64_t truncated = 0;  // worlds
};

}  // namespace lanefold
