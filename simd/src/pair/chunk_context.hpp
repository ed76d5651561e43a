// SPDX-License-Identifier: MIT
//
// A chunk as its stages see it, with the type of its records.
#pragma once

#include "pair/rows.hpp"

namespace lanefold::detail {

// Four pointers: pass it by value, so that the compiler keeps them in registers.
template <class Record>
struct Chunk {
    const ChunkJob& job;
    PreciseList& precise;  // pairs that are left to the float64 path
    Record* out;           // element i belongs to pair i
    ChunkTotals& totals;
};

}  // namespace lanefold::detail
