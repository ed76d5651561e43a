// SPDX-License-Identifier: MIT
//
// Working memory of one chunk, divided by stages. It is plain arrays without SIMD types, so one scratch serves every
// instruction set. A stage takes only the parts that it reads and writes.
#pragma once

#include <lanefold/detail/chunk.hpp>

#include "box/box_picks.hpp"
#include "contact/clip_polygons.hpp"
#include "floor/floor_pairs.hpp"
#include "pair/rows.hpp"
#include "search/search_state.hpp"

namespace lanefold::detail {

// The pairs of a chunk by the path that they take.
struct PairPaths {
    PairList hulls;
    PairList boxes;
    FloorLists floors;
    PreciseList precise;
};

struct ChunkScratch::Impl {
    PairPaths paths;
    BoxScratch boxes;
    HullPairs pairs;
    PairList asked;  // room for coherence
    SearchScratch search;
    ContactScratch contacts;
    PreciseScratch precise;
    AlignedBuffer<PairDistance> overlap_records;  // level overlap: written, never read
    bool reserved = false;                        // there is room for hulls of these counts:
    std::uint32_t vertices = 0, faces = 0, edges = 0;
};

}  // namespace lanefold::detail
