// SPDX-License-Identifier: MIT
//
// The pairs of a hull and a far larger box, or a half-space, among those that the sort left to the float64 path.
#pragma once

#include "floor/floor_pairs.hpp"
#include "pair/places.hpp"
#include "pair/tolerances.hpp"
#include "round/rounded_pairs.hpp"

namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE {

// Whether one hull is a far larger box, along its input axes and exact in float32, and the other one good for float32.
// Neither the thickness of the larger one nor its distance from its own origin matters, because its pose is float64.
LANEFOLD_INLINE bool is_floor_pair(const HullRecord& a, const HullRecord& b) {
    const bool on_b = b.size > a.size;
    const HullRecord& floor = on_b ? b : a;
    const HullRecord& small = on_b ? a : b;
    return floor.exact_box && floor.size > kPreciseSizeRatio * small.size && (small.flags & kPreciseFlags) == 0 &&
           small.size >= kSmallestSize && small.size <= kLargestSize;
}

// The size of a hull beside a half-space: a point or a segment counts with its radius.
LANEFOLD_INLINE float size_on_plane(const HullRecord& h) {
    return h.size + ((h.flags & HullRecord::kSmall) != 0 ? h.round_radius : 0.0F);
}

// Whether a hull is good for float32. The centre of a point is far from its own origin in sizes of its core, which are
// none.
LANEFOLD_INLINE bool is_fine_on_plane(const HullRecord& h) {
    const float size = size_on_plane(h);
    const float* c = h.centre;
    const float reach = kPreciseCentreOffset * size;
    const bool centred = (c[0] * c[0] + c[1] * c[1]) + c[2] * c[2] <= reach * reach;
    const std::uint8_t doubtful = (h.flags & HullRecord::kSmall) != 0 && centred ? HullRecord::kFar : std::uint8_t{0};
    return (h.flags & kPreciseFlags & ~doubtful) == 0 && size >= kSmallestSize && size <= kLargestSize;
}

// Whether one is a half-space, and the other one good for float32.
LANEFOLD_INLINE bool is_plane_pair(const HullRecord& a, const HullRecord& b) {
    const bool on_b = b.shape == ShapeKind::half_space;
    return (on_b ? b : a).shape == ShapeKind::half_space && is_fine_on_plane(on_b ? a : b);
}

// Moves them from the float64 list to their own lists.
inline void take_floor_pairs(const ChunkJob& job, PreciseList& precise, FloorLists& floors) {
    for (PairList* list : {&floors.boxes, &floors.hulls, &floors.plane_boxes, &floors.plane_hulls}) list->count = 0;
    const std::uint32_t count = precise.count;
    precise.count = 0;
    for (std::uint32_t k = 0; k < count; ++k) {
        const std::uint32_t i = precise.pair[k];
        const BodyFrame& a = frame_a(job, i);
        const BodyFrame& b = frame_b(job, i);
        const PairPlaces places = {&a, &b, job.hulls + a.hull, job.hulls + b.hull};
        const bool plane = is_plane_pair(*places.hull_a, *places.hull_b);
        const bool left = job.rounded != nullptr && bit_of(job.rounded->precise, i);
        const bool floor = !left && is_floor_pair(*places.hull_a, *places.hull_b);
        if (plane) {
            const bool box = ((places.hull_a->flags | places.hull_b->flags) & HullRecord::kBox) != 0;
            PairList& list = box ? floors.plane_boxes : floors.plane_hulls;
            list.pair[list.count] = i;
            list.places[list.count++] = places;
            continue;
        }
        const bool boxes = (places.hull_a->flags & places.hull_b->flags & HullRecord::kBox) != 0;
        if (!floor || !(boxes || job.method == ContactMethod::clip)) {
            precise.push(i);
            continue;
        }
        PairList& list = boxes ? floors.boxes : floors.hulls;
        list.pair[list.count] = i;
        list.places[list.count++] = places;
    }
    for (PairList* list : {&floors.boxes, &floors.hulls, &floors.plane_boxes, &floors.plane_hulls}) pad_list(*list);
}

}  // namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE
