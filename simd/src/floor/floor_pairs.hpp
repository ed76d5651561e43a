// SPDX-License-Identifier: MIT
//
// Pairs of a hull and a far larger box or a half-space. They are part of a chunk's scratch, which holds no SIMD types.
#pragma once

#include "pair/rows.hpp"

namespace lanefold::detail {

struct FloorLists {
    PairList boxes;  // the smaller hull is a box, too
    PairList hulls;  // it is another hull
    // On half-spaces.
    PairList plane_boxes;
    PairList plane_hulls;

    std::uint32_t count() const { return boxes.count + hulls.count + plane_boxes.count + plane_hulls.count; }

    void reserve() {
        for (PairList* list : {&boxes, &hulls, &plane_boxes, &plane_hulls}) list->reserve();
    }
};

}  // namespace lanefold::detail
