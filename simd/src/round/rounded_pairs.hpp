// SPDX-License-Identifier: MIT
//
// Pairs of rounded hulls. Signed distance of rounded hulls is that of their cores less both radii, and support sets are
// those of the cores, moved along the normal. So all stages work on cores, with margins that are larger by the radii;
// then one pass over the records of the lanes takes the radii off. Records of the float64 path are finished by that
// path (core/src/precise/record.cpp). Pairs of spheres and capsules have stages of their own (simd/src/small), which do
// without all this: they are listed here, and the sort leaves them out. Compiled once, for all kernels.
#pragma once

#include <array>
#include <cstdint>

#include <lanefold/detail/chunk.hpp>

#include "pair/rows.hpp"

namespace lanefold::detail {

// The pairs of a chunk with a core that is a point or a segment, for lanes of their own.
struct SmallLists {
    PairList bars;   // both are points or segments
    PairList box_a;  // A is a box
    PairList box_b;
    PairList hull_a;  // A is a general hull
    PairList hull_b;

    std::array<PairList*, 5> all() { return {&bars, &box_a, &box_b, &hull_a, &hull_b}; }
    void reserve() {
        for (PairList* list : all()) list->reserve();
    }
};

// The pairs of a chunk with a rounded hull.
struct RoundedPairs {
    float core_margins[kChunkPairs];     // of all pairs of the chunk
    std::uint64_t pairs[kChunkWords];    // a bit for each pair whose record is made for the cores, or in float64
    std::uint64_t precise[kChunkWords];  // of these: a bit for each that takes the float64 path
    std::uint64_t small[kChunkWords];    // a bit for each pair in the lists
    SmallLists lists;
    bool read_again = false;  // there are records from which radii are taken
};

// Finds the pairs of a job with a rounded hull. Returns false if there is none; `out` is then undefined. The job's
// frames must be prepared.
LANEFOLD_EXPORT bool find_rounded_pairs(const ChunkJob& job, RoundedPairs& out);

// Makes records of the cores records of the rounded hulls: those of the reported pairs with a bit in job.rounded.
LANEFOLD_EXPORT void round_records(const ChunkJob& job, PairDistance* records, ChunkTotals& totals);
LANEFOLD_EXPORT void round_records(const ChunkJob& job, Manifold4* records, ChunkTotals& totals);
LANEFOLD_EXPORT void round_records(const ChunkJob& job, Manifold16* records, ChunkTotals& totals);

}  // namespace lanefold::detail
