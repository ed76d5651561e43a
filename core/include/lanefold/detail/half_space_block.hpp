// SPDX-License-Identifier: MIT
//
// The block of a half-space, and the question whether a record is one. Its record has no vertices and no edges, one
// face, its centre at the origin, and infinite size, half extents and radius. Internal.
#pragma once

#include <lanefold/detail/hull_block.hpp>
#include <lanefold/detail/inline.hpp>

namespace lanefold::detail {

struct alignas(64) HalfSpaceBlock {
    double normal[3];  // unit
    double offset;
    float given[4];  // the normal and the offset as the builder got them
    float plane[4];  // the unit normal and the offset in float32, for lanes
};
static_assert(sizeof(HalfSpaceBlock) == 64);

LANEFOLD_INLINE bool is_half_space(const HullRecord& r) { return r.shape == ShapeKind::half_space; }

LANEFOLD_INLINE const HalfSpaceBlock& half_space_block(const HullRecord& r) {
    return *reinterpret_cast<const HalfSpaceBlock*>(r.block);
}

}  // namespace lanefold::detail
