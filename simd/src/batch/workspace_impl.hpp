// SPDX-License-Identifier: MIT
//
// What a Workspace holds: the prepared bodies of a call, one slot of private memory per task at work, and
// the offsets of a compact call. Private to the front doors.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include <lanefold/aligned_buffer.hpp>
#include <lanefold/detail/chunk.hpp>
#include <lanefold/workspace.hpp>

namespace lanefold::detail {

inline constexpr std::uint32_t kChunkWords = kChunkPairs / 64;

// Chunks that a task may have computed but not yet placed in a compact output, because an earlier chunk of
// another task is unfinished. Chunks are claimed in order, so that a task is seldom more than one ahead; with
// four a task waits only when its neighbour's chunk takes four times as long.
inline constexpr std::uint32_t kMaxPending = 4;

// A computed chunk of a compact call, waiting for its place in the output.
struct PendingChunk {
    std::uint64_t chunk = 0;
    std::uint64_t records = 0;
    ChunkTotals totals;
    std::uint64_t reported[kChunkWords] = {};
    bool counted_only = false;  // no records were made: it lies beyond the end of the output
    std::uint32_t staging = 0;  // which of the slot's staging areas
};

// Everything that one task writes while it works. 128 bytes: two cache lines, because the processor prefetches
// lines in pairs, and neighbouring slots belong to different threads.
struct alignas(128) WorkSlot {
    ChunkScratch scratch;
    AlignedBuffer<BodyFrame> frames;         // of a chunk's pairs, when bodies are prepared per pair
    AlignedBuffer<PreviousChoice> previous;  // of a chunk's pairs, when there are previous contacts
    AlignedBuffer<Manifold4> records;        // of a chunk, for level distance with previous contacts
    AlignedBuffer<std::byte> staging;        // compact: kMaxPending areas of a chunk's records
    std::uint64_t reported[kChunkWords] = {};
    std::uint64_t overlapping[kChunkWords] = {};
    std::uint64_t skip[kChunkWords] = {};
    ChunkTotals totals;
    std::uint64_t hash = 0;
    std::uint64_t written = 0;
    PendingChunk pending[kMaxPending];
};

}  // namespace lanefold::detail

namespace lanefold {

struct Workspace::Impl {
    std::atomic<bool> in_use = false;  // a second call at the same time is refused instead of corrupted
    AlignedBuffer<detail::BodyFrame> frames;
    std::vector<std::unique_ptr<detail::WorkSlot>> slots;
    // Compact, per chunk, each plus one so that 0 means unknown: records of the chunk; where they end.
    AlignedBuffer<std::uint64_t> chunk_records;
    AlignedBuffer<std::uint64_t> chunk_end;

    // Makes `count` slots that can work on hulls of these counts.
    void reserve_slots(unsigned count, const HullSet& hulls);
};

}  // namespace lanefold
