// SPDX-License-Identifier: MIT
//
// Pairs of a hull and a far larger box. They are part of a chunk's scratch, which holds no SIMD types.
#pragma once

#include "pair/rows.hpp"

namespace lanefold::detail {

struct FloorLists {
    PairList boxes;  // the smaller hull is a box, too
    PairList hulls;  // it is another hull

    void reserve() {
        boxes.reserve();
        hulls.reserve();
    }
};

}  // namespace lanefold::detail
