// SPDX-License-Identifier: MIT
//
// The pairs of a hull and a far larger box among those that the sort left to the float64 path.
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

// Moves them from the float64 list to their own lists.
inline void take_floor_pairs(const ChunkJob& job, PreciseList& precise, FloorLists& floors) {
    floors.boxes.count = 0;
    floors.hulls.count = 0;
    const std::uint32_t count = precise.count;
    precise.count = 0;
    for (std::uint32_t k = 0; k < count; ++k) {
        const std::uint32_t i = precise.pair[k];
        const BodyFrame& a = frame_a(job, i);
        const BodyFrame& b = frame_b(job, i);
        const PairPlaces places = {&a, &b, job.hulls + a.hull, job.hulls + b.hull};
        const bool left = job.rounded != nullptr && bit_of(job.rounded->precise, i);
        const bool floor = !left && is_floor_pair(*places.hull_a, *places.hull_b);
        const bool boxes = (places.hull_a->flags & places.hull_b->flags & HullRecord::kBox) != 0;
        if (!floor || !(boxes || job.method == ContactMethod::clip)) {
            precise.push(i);
            continue;
        }
        PairList& list = boxes ? floors.boxes : floors.hulls;
        list.pair[list.count] = i;
        list.places[list.count++] = places;
    }
    pad_list(floors.boxes);
    pad_list(floors.hulls);
}

}  // namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE
