// SPDX-License-Identifier: MIT
//
// A box as the finder's kernels read it: its six sides in one row of eight numbers, lower ones negated. The sums of one
// row and the other one turned (upper sides beside lower ones) are then by how much two boxes reach into each other
// along each axis and direction.
#pragma once

#include <limits>

#include <lanefold/broadphase.hpp>

namespace lanefold::detail {

struct alignas(64) Sides {
    // Upper x, upper y, -lower x, -lower y, upper z, -lower z, and twice what takes part in no minimum.
    double of[8];

    WorldBox box() const { return {{0.0 - of[2], 0.0 - of[3], 0.0 - of[5]}, {of[0], of[1], of[4]}}; }
    bool empty() const { return !(-of[2] <= of[0]); }
};

inline constexpr double kNoSide = std::numeric_limits<double>::infinity();

constexpr Sides sides_of(const WorldBox& b) {
    return {{b.upper.x, b.upper.y, -b.lower.x, -b.lower.y, b.upper.z, -b.lower.z, kNoSide, kNoSide}};
}

// The sides of a box that overlaps nothing.
inline constexpr Sides kNoSides{{-kNoSide, -kNoSide, -kNoSide, -kNoSide, -kNoSide, -kNoSide, kNoSide, kNoSide}};

}  // namespace lanefold::detail
