// SPDX-License-Identifier: MIT
//
// Boxes of float32, one by one and eight to a node of the tree (tree/box_tree.hpp).
#pragma once

#include <cstdint>

namespace lanefold::detail {

struct FloatBox {
    float lower[3];
    float upper[3];
};

// A ray: its origin, moved by rounding to either side, and the fractions of it per length along each axis.
struct FloatRay {
    float low[3];
    float high[3];
    float per[3];
    bool everywhere = false;  // it meets every box
};

// Stands for a body or a slot where there is none.
inline constexpr std::uint32_t kNoIndex = 0xFFFFFFFFU;

// Eight boxes, one array per side.
struct alignas(64) BoxNode {
    static constexpr std::uint32_t kBoxes = 8;

    float lower[3][kBoxes];
    float upper[3][kBoxes];

    void set(std::uint32_t lane, const FloatBox& b) {
        for (int i = 0; i < 3; ++i) {
            lower[i][lane] = b.lower[i];
            upper[i][lane] = b.upper[i];
        }
    }
    FloatBox get(std::uint32_t lane) const {
        return {{lower[0][lane], lower[1][lane], lower[2][lane]}, {upper[0][lane], upper[1][lane], upper[2][lane]}};
    }
};

}  // namespace lanefold::detail
