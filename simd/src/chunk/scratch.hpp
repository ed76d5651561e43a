// SPDX-License-Identifier: MIT
//
// Working memory of one chunk, stage by stage: plain arrays without SIMD types, so that one scratch serves every
// instruction set. A stage takes the parts that it reads and writes, and no more.
#pragma once

#include <lanefold/detail/chunk.hpp>

#include "box/scratch.hpp"
#include "contact/scratch.hpp"
#include "pair/rows.hpp"
#include "search/scratch.hpp"

namespace lanefold::detail {

// The paths of a chunk's pairs.
struct PairPaths {
    PairList hulls;
    PairList boxes;
    PreciseList precise;
};

struct ChunkScratch::Impl {
    PairPaths paths;
    BoxScratch boxes;
    HullPairs pairs;
    SearchScratch search;
    ContactScratch contacts;
    PreciseScratch precise;
    AlignedBuffer<PairDistance> overlap_records;  // level overlap: written and not read
};

}  // namespace lanefold::detail
