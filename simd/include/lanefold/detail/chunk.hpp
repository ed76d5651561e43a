// SPDX-License-Identifier: MIT
//
// The interface between the batch calls and the kernels: a chunk of pairs, the memory to work in, and the table of
// entry points of one instruction set. Internal; contains no SIMD types.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include <lanefold/body.hpp>
#include <lanefold/detail/body_frame.hpp>
#include <lanefold/detail/precise.hpp>
#include <lanefold/export.hpp>
#include <lanefold/hull_set.hpp>
#include <lanefold/options.hpp>
#include <lanefold/pair_cache.hpp>

namespace lanefold::detail {

// Pairs per chunk: a multiple of every lane width. The scratch of a chunk (about 350 bytes per pair) stays inside an L2
// cache of 1 MiB. Chunk boundaries depend on the number of pairs only. It changes no result.
inline constexpr std::uint32_t kChunkPairs = 1024;
// Words of 64 bits, a bit for each pair.
inline constexpr std::uint32_t kChunkWords = kChunkPairs / 64;

struct CertificateTable;
struct ChunkHold;
struct RoundedPairs;
struct ReuseMemory;

enum class OutputLevel : std::uint8_t { overlap = 0, distance = 1, manifold4 = 2, manifold16 = 3 };

struct ChunkJob {
    const HullRecord* hulls = nullptr;
    const BodyFrame* frames = nullptr;  // prepared bodies
    const BodyView* bodies = nullptr;   // the caller's bodies, for the float64 path
    const Pair* pairs = nullptr;        // pairs of this chunk; see set_pairs()
    // Pair i uses frames[frame_pairs[i].a] and frames[frame_pairs[i].b]. If frames are prepared per body, frame_pairs
    // are the pairs themselves; if they are prepared per pair of this chunk, {0, 1}, {2, 3}, ...
    const Pair* frame_pairs = nullptr;
    std::uint32_t count = 0;              // <= kChunkPairs
    const float* pair_margins = nullptr;  // of this chunk, or null
    float margin = 0;
    // The same for the cores of the hulls, with which the kernels compare: larger if a pair's hulls are rounded.
    const float* core_margins = nullptr;
    const RoundedPairs* rounded = nullptr;  // of this chunk (simd/src/round), or null: no hull is rounded
    float face_preference = 0;
    PointSelection points = PointSelection::all;
    PairCache* cache = nullptr;                      // of this chunk, read and written; or null
    const CertificateTable* certificates = nullptr;  // of this chunk (simd/src/coherence), or null
    ChunkHold* hold = nullptr;                       // hysteresis of this chunk (simd/src/coherence), or null
    // Wider margins of the pairs that get an anchor (simd/src/coherence/carry.hpp): the first stage adds `reuse` times
    // the smaller size to the entries of `widened`, kChunkPairs bits. Then pair_margins is `wide_margins`. Or null.
    float* wide_margins = nullptr;
    const std::uint64_t* widened = nullptr;
    float reuse = 0;
    // kChunkPairs bits: the pairs that the kernels skip, and their number. Null: none.
    const std::uint64_t* skip = nullptr;
    std::uint32_t skip_count = 0;
    ContactMethod method = ContactMethod::clip;
    float patch_band = kPatchBand;
    OutputLevel level = OutputLevel::manifold4;
    // Level overlap: unused. distance: PairDistance[count]. manifold4, manifold16: Manifold4[count], Manifold16[count].
    // Element i belongs to pair i.
    void* out = nullptr;
    // True (dense output): every element is written. False (compact output): elements of unreported pairs are not
    // written.
    bool write_unreported = true;
    // True: records are written past the caches, because the output is larger than they are. `out` then lies on a
    // 64-byte boundary.
    bool stream = false;
    // kChunkPairs bits each: pair i touches or has a status other than ok; pair i overlaps (distance < 0). All words
    // are written.
    std::uint64_t* reported = nullptr;
    std::uint64_t* overlapping = nullptr;

    // Sets the pairs, for frames that are prepared per body.
    void set_pairs(const Pair* first) { pairs = frame_pairs = first; }
    // The margin of pair i.
    float margin_of(std::uint32_t i) const { return pair_margins != nullptr ? pair_margins[i] : margin; }
};

// Pair i of the chunk in the form that the float64 path takes. Its indices and frames must be valid.
LANEFOLD_EXPORT PrecisePair precise_pair(const ChunkJob& job, std::uint32_t i);

// The hulls of pair i. Returns false if its indices or frames are not good.
LANEFOLD_EXPORT bool hulls_of(const ChunkJob& job, std::uint32_t i, const HullRecord*& a, const HullRecord*& b);

// Sums of one chunk.
struct ChunkTotals {
    std::uint64_t touching = 0;
    std::uint64_t overlapping = 0;
    std::uint64_t points = 0;
    std::uint64_t by_status[kStatusCount] = {};
    std::uint64_t by_kind[kContactKindCount] = {};
    Counters counters;
};

// Working memory of one chunk at a time. Each thread at work has one.
class LANEFOLD_EXPORT ChunkScratch {
public:
    ChunkScratch();
    ChunkScratch(ChunkScratch&&) noexcept;
    ChunkScratch& operator=(ChunkScratch&&) noexcept;
    ~ChunkScratch();

    // Reserves memory for hulls of these counts; allocates only when they grow.
    void reserve(std::uint32_t max_vertices, std::uint32_t max_faces, std::uint32_t max_edges);

    // The memory of the float64 path, free between chunks.
    PreciseScratch& precise();

    struct Impl;
    // Not *impl_, because libstdc++'s debug assertion in it is a symbol that kernels must not need.
    Impl& impl() { return *impl_.get(); }  // NOLINT(readability-redundant-smartptr-get)

private:
    std::unique_ptr<Impl> impl_;
};

// Prepares frames[i] for i in [first, last): from body i if `indices` is null, otherwise from body indices[i]. An index
// out of range gives kFrameBadPose; such a pair becomes bad_index before its frame is read.
using PrepareBodiesFn = void (*)(const BodyView& bodies, const HullRecord* hulls, std::size_t hull_count,
                                 const std::uint32_t* indices, std::size_t first, std::size_t last, BodyFrame* frames);

// Runs the whole pipeline on one chunk. Requires round-to-nearest without FTZ and DAZ (see fp_environment.hpp).
using CollideChunkFn = void (*)(const ChunkJob& job, ChunkScratch& scratch, ChunkTotals& totals);

// Reuse in a stream (simd/src/coherence/anchor.hpp). The first writes the records of the pairs that their anchors cover
// and tells which others get one; the second, after collide_chunk, makes these anchors and takes from the records what
// is beyond the margins of the call. Both require the same environment.
using ReuseChunkFn = void (*)(const ChunkJob& job, ReuseMemory& memory, ChunkScratch& scratch, ChunkTotals& totals);

struct KernelTable {
    Isa isa;
    unsigned width;  // float lanes
    PrepareBodiesFn prepare_bodies;
    CollideChunkFn collide_chunk;
    ReuseChunkFn carry_chunk;
    ReuseChunkFn anchor_chunk;
};

// The table of an instruction set; null if the set is not available.
LANEFOLD_EXPORT const KernelTable* kernel_table(Isa isa);

}  // namespace lanefold::detail
