// SPDX-License-Identifier: MIT
//
// What the front doors (serial and parallel) hand to the kernels: a chunk of pairs, the memory to work in,
// and the table of entry points of one instruction set. Internal; contains no SIMD types.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include <lanefold/body.hpp>
#include <lanefold/detail/body_frame.hpp>
#include <lanefold/detail/precise.hpp>
#include <lanefold/hull_set.hpp>
#include <lanefold/options.hpp>

namespace lanefold::detail {

// Pairs per chunk: a multiple of every lane width; the scratch of a chunk (about 350 bytes a pair) then
// stays inside a 1 MiB L2. Boundaries depend on the pair count only. Does not change any result.
inline constexpr std::uint32_t kChunkPairs = 1024;

enum class OutputLevel : std::uint8_t { overlap = 0, distance = 1, manifold4 = 2, manifold16 = 3 };

struct ChunkJob {
    const HullRecord* hulls = nullptr;
    const BodyFrame* frames = nullptr;  // prepared bodies
    const BodyView* bodies = nullptr;   // as the caller gave them, for the float64 path
    const Pair* pairs = nullptr;        // of this chunk: set_pairs()
    // Pair i uses frames[frame_pairs[i].a] and frames[frame_pairs[i].b]: the pairs themselves, or (few pairs, many
    // bodies, frames prepared for the pairs of this chunk) {0, 1}, {2, 3}, ...
    const Pair* frame_pairs = nullptr;
    std::uint32_t count = 0;              // <= kChunkPairs
    const float* pair_margins = nullptr;  // of this chunk, or null
    float margin = 0;
    float face_preference = 0;
    PointSelection points = PointSelection::all;
    PairCache* cache = nullptr;  // of this chunk, read and written; or null
    // kChunkPairs bits: pairs to leave alone, as if they were not there, and how many they are; null: none.
    const std::uint64_t* skip = nullptr;
    std::uint32_t skip_count = 0;
    ContactMethod method = ContactMethod::clip;
    float patch_band = kPatchBand;
    // Per pair of this chunk what its previous record chose; null for the whole chunk when there are none.
    const PreviousChoice* previous = nullptr;
    float hysteresis = 0;
    Manifold4* records = nullptr;  // level distance with `previous`: kChunkPairs to work in
    OutputLevel level = OutputLevel::manifold4;
    // overlap: unused. distance: PairDistance[count]; manifold4/16: Manifold4/16[count], slot i for pair i.
    void* out = nullptr;
    // Dense output: true, every slot is written. Compact: false, slots of unreported pairs are left alone.
    bool write_unreported = true;
    // Write records past the caches: the output is larger than they are. `out` lies on a 64-byte boundary then.
    bool stream = false;
    // kChunkPairs bits each: pair i touches or has a status; pair i overlaps (distance < 0). Written whole.
    std::uint64_t* reported = nullptr;
    std::uint64_t* overlapping = nullptr;

    // With the frames of all bodies, as is usual.
    void set_pairs(const Pair* first) { pairs = frame_pairs = first; }
};

// Sums of one chunk.
struct ChunkTotals {
    std::uint64_t touching = 0;
    std::uint64_t overlapping = 0;
    std::uint64_t points = 0;
    std::uint64_t by_status[kStatusCount] = {};
    std::uint64_t by_kind[kContactKindCount] = {};
    Counters counters;
};

// Working memory of one chunk at a time; one per thread at work. Sized once for a hull set.
class ChunkScratch {
public:
    ChunkScratch();
    ChunkScratch(ChunkScratch&&) noexcept;
    ChunkScratch& operator=(ChunkScratch&&) noexcept;
    ~ChunkScratch();

    // Makes room for hulls of these counts; allocates only when they grow.
    void reserve(std::uint32_t max_vertices, std::uint32_t max_faces, std::uint32_t max_edges);

    struct Impl;
    // Not *impl_: libstdc++'s debug assertion in it is a symbol that kernels must not need.
    Impl& impl() { return *impl_.get(); }  // NOLINT(readability-redundant-smartptr-get)

private:
    std::unique_ptr<Impl> impl_;
};

// Prepares frames[i] for i in [first, last) from bodies; `indices` null: body i. Otherwise body indices[i],
// where an index out of range gives kFrameBadPose (the pair is found bad_index before it is read).
using PrepareBodiesFn = void (*)(const BodyView& bodies, const HullRecord* hulls, std::size_t hull_count,
                                 const std::uint32_t* indices, std::size_t first, std::size_t last, BodyFrame* frames);

// The whole pipeline on one chunk. Requires round-to-nearest without FTZ/DAZ (see fp_environment.hpp).
using CollideChunkFn = void (*)(const ChunkJob& job, ChunkScratch& scratch, ChunkTotals& totals);

struct KernelTable {
    Isa isa;
    unsigned width;  // float lanes
    PrepareBodiesFn prepare_bodies;
    CollideChunkFn collide_chunk;
};

// The table of an instruction set that is_available(); null otherwise.
const KernelTable* kernel_table(Isa isa);

}  // namespace lanefold::detail
