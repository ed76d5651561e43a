// SPDX-License-Identifier: MIT
//
// The content of a Workspace: the prepared bodies of a call, one slot of private memory per task, and the counts of a
// compact call. Only the batch code includes this file.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include <lanefold/aligned_buffer.hpp>
#include <lanefold/detail/chunk.hpp>
#include <lanefold/detail/scaled_bodies.hpp>
#include <lanefold/workspace.hpp>

#include "coherence/anchor.hpp"
#include "coherence/certificate.hpp"
#include "coherence/hold.hpp"
#include "coherence/previous_records.hpp"
#include "round/rounded_pairs.hpp"

namespace lanefold::detail {

// Chunks that a task may have computed but not yet placed in a compact output because another task has not finished an
// earlier chunk. Chunks are claimed in order, so a task is seldom more than one ahead. With four, a task waits only if
// another task's chunk takes four times as long.
inline constexpr std::uint32_t kMaxPending = 4;

struct SeveralRecords;
struct SeveralMemory;

// Memory of a task for pairs that give several records (batch/several.hpp); only where the set has a compound or
// a surface.
struct SeveralSlot {
    SeveralSlot();
    ~SeveralSlot();
    void reserve(std::uint32_t most_children);

    std::unique_ptr<SeveralMemory> memory;
};

// A computed chunk of a compact call that is not yet placed in the output.
struct PendingChunk {
    std::uint64_t chunk = 0;
    std::uint64_t records = 0;
    ChunkTotals totals;
    std::uint64_t reported[kChunkWords] = {};
    std::uint64_t standing[kChunkWords] = {};  // pairs whose records are the previous ones, if they have one
    std::size_t found[kChunkPairs] = {};       // of those pairs: where, or kNoPrevious
    bool counted_only = false;                 // beyond the end of the output: counted, without records
    std::uint32_t staging = 0;                 // index of the slot's staging area
    std::shared_ptr<SeveralRecords> several;   // of pairs that give several records; null: the set has none that do
};

// Pairs [begin, end) of the call.
struct PairRange {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;

    std::uint32_t count() const { return static_cast<std::uint32_t>(end - begin); }
    std::uint64_t count64() const { return end - begin; }  // of a range that is longer than a chunk
};

// Neighbouring worlds of a call, and their pairs.
struct WorldRun {
    std::size_t first_world = 0;
    PairRange pairs;
};

// Everything that one task writes. Aligned to 128 bytes, two cache lines: the processor prefetches lines in pairs, and
// neighbouring slots belong to different threads.
struct alignas(128) WorkSlot {
    ChunkScratch scratch;
    CertificateTable certificates;     // of a chunk
    AlignedBuffer<BodyFrame> frames;   // of a chunk's pairs, when bodies are prepared per pair
    AlignedBuffer<Manifold4> records;  // of a chunk, for level distance with previous contacts
    AlignedBuffer<std::byte> staging;  // compact: kMaxPending areas of a chunk's records
    std::uint64_t reported[kChunkWords] = {};
    std::uint64_t overlapping[kChunkWords] = {};
    std::uint64_t skip[kChunkWords] = {};
    HoldMemory hold;
    RoundedPairs rounded;  // of a chunk
    ChunkTotals totals;
    std::uint64_t hash = 0;
    std::uint64_t written = 0;
    std::unique_ptr<ReuseMemory> reuse;  // of a chunk, with reuse
    std::uint64_t carried = 0;           // pairs, with reuse
    std::uint64_t anchored = 0;
    std::unique_ptr<SeveralSlot> several;
    std::shared_ptr<SeveralRecords> again;  // of a pair that is computed again
    PendingChunk pending[kMaxPending];
};

}  // namespace lanefold::detail

namespace lanefold {

struct Workspace::Impl {
    // 1 while a call runs: refuses a second one, which would corrupt the first. A word, because not every processor can
    // exchange a byte.
    std::atomic<std::uint32_t> in_use = 0;
    detail::ScaledBodies scaled;
    AlignedBuffer<detail::BodyFrame> frames;
    std::vector<std::unique_ptr<detail::WorkSlot>> slots;
    // Compact output, per chunk: number of records, and where they end. Both are stored plus one, so that 0 means
    // unknown.
    AlignedBuffer<std::uint64_t> chunk_records;
    AlignedBuffer<std::uint64_t> chunk_end;
    detail::PreviousMemory previous;
    AlignedBuffer<std::uint32_t> previous_index;  // per pair, of a call of worlds with previous records
    std::vector<detail::WorldRun> world_runs;     // of a call of many worlds

    // Makes `count` slots with memory for the largest hulls of the set.
    void reserve_slots(unsigned count, const HullSet& hulls);
};

}  // namespace lanefold
