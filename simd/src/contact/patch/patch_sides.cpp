// SPDX-License-Identifier: MIT
//
// Sizes the patch contacts' memory.

#include "contact/patch/patch_sides.hpp"

#include <lanefold/detail/hull_block.hpp>

namespace lanefold::detail {

void PatchScratch::reserve(std::size_t vertices, std::size_t faces) {
    // One more entry closes an outline, and whole vectors are read and written from any entry on.
    const std::size_t v = round_up(vertices + 1, kBlockLanes) + kBlockLanes;
    const std::size_t f = round_up(faces, kBlockLanes) + kBlockLanes;
    for (PatchSide& s : side) {
        for (AlignedBuffer<float>* b :
             {&s.x, &s.y, &s.z, &s.u, &s.v, &s.height, &s.out_u, &s.out_v, &s.side_u, &s.side_v, &s.side_at})
            b->reserve(v);
        for (AlignedBuffer<float>* b : {&s.nx, &s.ny, &s.nz, &s.d, &s.p, &s.q, &s.c}) b->reserve(f);
        s.vertex.reserve(v);
        s.sorted.reserve(v);
        s.outline.reserve(v);
        s.face.reserve(f);
        if (s.seen.size() < f) {
            s.seen.reserve(f);
            for (std::size_t i = 0; i < f; ++i) s.seen[i] = 0;
            s.epoch = 0;
        }
    }
    // Every vertex of the incident patch, two crossings for each of its sides, every reference corner.
    const std::size_t n = round_up(4 * vertices, kBlockLanes) + kBlockLanes;
    points.u.reserve(n);
    points.v.reserve(n);
    for (int k = 0; k < 2; ++k) {
        points.low[k].reserve(n);
        points.high[k].reserve(n);
        points.feature[k].reserve(n);
        points.height[k].reserve(n);
        points.face[k].reserve(n);
    }
}

}  // namespace lanefold::detail
