// SPDX-License-Identifier: MIT
//
// The finder's kernels of one instruction set. This file is compiled once per set (cmake/KernelIsa.cmake) and exports
// nothing but its table.

#include "boxes/box_lanes.hpp"
#include "boxes/window_lanes.hpp"
#include "finders/finder_table.hpp"
#include "finders/pair_lanes.hpp"
#include "tree/node_lanes.hpp"
#include "tree/ray_lanes.hpp"

namespace lanefold::detail {

const FinderTable LANEFOLD_ISA_PASTE(finder_table_, LANEFOLD_KERNEL_ISA) = {
    Isa::LANEFOLD_KERNEL_ISA,
    {LANEFOLD_KERNEL_NAMESPACE::place_boxes, LANEFOLD_KERNEL_NAMESPACE::place_window,
     LANEFOLD_KERNEL_NAMESPACE::compare_window},
    {LANEFOLD_KERNEL_NAMESPACE::pairs_of_leaf, LANEFOLD_KERNEL_NAMESPACE::query, LANEFOLD_KERNEL_NAMESPACE::along},
    LANEFOLD_KERNEL_NAMESPACE::open_pairs,
    LANEFOLD_KERNEL_NAMESPACE::compare_pairs};

}  // namespace lanefold::detail
