// SPDX-License-Identifier: MIT
//
// The block of a surface's id, and the question whether a record is one. The surface itself is shared with the caller
// and with other sets; the block only says where it is, and whoever holds the set holds it. Internal.
#pragma once

#include <lanefold/detail/inline.hpp>
#include <lanefold/diagnostics.hpp>
#include <lanefold/vec.hpp>

namespace lanefold::detail {

class SurfaceView;

struct alignas(64) SurfaceBlock {
    const SurfaceView* view;
    Vec3f corner[8];  // of a box that contains all triangles, rounded outward
};
static_assert(sizeof(SurfaceBlock) == 128);

LANEFOLD_INLINE bool is_surface(const HullRecord& r) { return r.shape == ShapeKind::surface; }

LANEFOLD_INLINE const SurfaceBlock& surface_block(const HullRecord& r) {
    return *reinterpret_cast<const SurfaceBlock*>(r.block);
}

}  // namespace lanefold::detail
