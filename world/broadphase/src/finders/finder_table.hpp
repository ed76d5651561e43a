// SPDX-License-Identifier: MIT
//
// The finders' kernels of an instruction set: those of boxes, of the tree and of PairFilter. All of them give the same
// bits on every set.
#pragma once

#include <cstddef>
#include <cstdint>

#include <lanefold/body.hpp>
#include <lanefold/options.hpp>

#include "boxes/box_kernels.hpp"
#include "boxes/sides.hpp"
#include "tree/tree_kernels.hpp"

namespace lanefold::detail {

// Comparison of boxes, in PairFilter's terms.
struct PairJob {
    const Pair* pairs = nullptr;
    const double* travel = nullptr;  // of each body
    const Sides* boxes = nullptr;
    float* holds_until = nullptr;  // of each pair
};

struct FinderTable {
    Isa isa;
    BoxKernels boxes;
    TreeKernels tree;

    // Lists, from `open` on, which of pairs first .. last - 1 do not hold for certain, as their places behind `first`.
    // Returns how many.
    std::uint32_t (*open_pairs)(const PairJob& job, std::size_t first, std::size_t last, std::uint32_t* open);

    // Compares the boxes of pairs first + open[0 .. count - 1], and keeps the answers in holds_until. Returns whether
    // one differs from what was known.
    bool (*compare_pairs)(const PairJob& job, std::size_t first, const std::uint32_t* open, std::uint32_t count);
};

// The kernels of a set that this build has and this machine can run.
const FinderTable& finder_table(Isa isa);

extern const FinderTable finder_table_scalar;
extern const FinderTable finder_table_sse2;
extern const FinderTable finder_table_sse4_2;
extern const FinderTable finder_table_avx2;
extern const FinderTable finder_table_avx512;
extern const FinderTable finder_table_neon;

}  // namespace lanefold::detail
