// SPDX-License-Identifier: MIT
//
// Contacts of all pairs of a chunk with a sphere or a capsule.
#pragma once

#include "small/box_pairs.hpp"
#include "small/hull_pairs.hpp"

namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE {

template <class Record>
inline void stage_small(Chunk<Record> chunk, const SmallLists& lists) {
    stage_bars(chunk, lists.bars);
    stage_bars_on_boxes(chunk, lists.box_a, false);
    stage_bars_on_boxes(chunk, lists.box_b, true);
    stage_bars_on_hulls(chunk, lists.hull_a, false);
    stage_bars_on_hulls(chunk, lists.hull_b, true);
}

}  // namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE
