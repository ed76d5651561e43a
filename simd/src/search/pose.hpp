// SPDX-License-Identifier: MIT
//
// The relative pose of each pair of general hulls, and the axis between the centres (lanes = pairs).
#pragma once

#include <cstddef>

#include "pair/lane_rows.hpp"
#include "search/bounds.hpp"
#include "search/classes.hpp"
#include "search/search_state.hpp"

namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE {

inline constexpr float kTinyAxis = 1e-6F;  // times the sum of the sizes: closer centres give no usable direction

// Moves those of the pairs in slots [first, first + count) whose bits are not set to the float64 list and closes the
// gaps. Returns how many pairs remain.
inline std::uint32_t drop_far_pairs(HullPairs& pairs, SearchScratch& s, PreciseList& precise, std::uint32_t first,
                                    std::uint32_t count, std::uint32_t near_enough) {
    std::uint32_t to = first;
    for (std::uint32_t l = 0; l < count; ++l) {
        const std::uint32_t from = first + l;
        if (!bit_at(near_enough, l)) {
            precise.push(pairs.rows[from].pair);
            continue;
        }
        pairs.rows[to] = pairs.rows[from];
        pairs.inverses[to] = pairs.inverses[from];
        pairs.axes[to] = pairs.axes[from];
        s.scan_a[to] = s.scan_a[from];
        s.scan_b[to] = s.scan_b[from];
        ++to;
    }
    return to - first;
}

// Sizes of kWidth pairs of hulls.
struct LaneSizes {
    WFloat a, b;
    WFloat sum;
    WFloat smaller;
};

LANEFOLD_INLINE LaneSizes load_sizes(const PairPlaces* places) {
    const WFloat a = LaneSize::load({places, false}).size;
    const WFloat b = LaneSize::load({places, true}).size;
    return {a, b, a + b, select(a < b, a, b)};
}

// The squared distance of the centres, and which pairs are near enough for float32. A pair whose distance is not a
// number is not.
struct LaneReach {
    WFloat length2;
    WMask near_enough;
};

LANEFOLD_INLINE LaneReach reach_of(const WVec3& t, WFloat size_sum) {
    const WFloat length2 = dot(t, t);
    const WFloat far = size_sum * splat(kPreciseSeparation);
    return {length2, length2 <= far * far};
}

// The axis between the centres and the tolerances of the pairs.
LANEFOLD_INLINE LaneAxis centre_axis(const ChunkJob& job, const LanePose& to_a, WFloat length2,
                                     const LaneSizes& sizes) {
    const WVec3& t = to_a.t;
    const WFloat length = sqrt(length2);
    const WMask usable = length > sizes.sum * splat(kTinyAxis);
    LaneAxis axis;
    axis.n = {select(usable, t.x / length, splat(1.0F)), select(usable, t.y / length, splat(0.0F)),
              select(usable, t.z / length, splat(0.0F))};
    axis.m = negate(rotate_back(to_a.r, axis.n));
    axis.tn = dot(t, axis.n);
    axis.slack = splat(kPruneSlack) * sizes.sum;
    axis.face_band = splat(job.face_preference) * sizes.smaller;
    axis.size_sum = sizes.sum;
    axis.size_min = sizes.smaller;
    return axis;
}

// The pose of A in B's frame, and the unit of fixed point (search/bounds.hpp).
LANEFOLD_INLINE LaneInverse invert(const LanePose& to_a, WFloat tn, WMask near_enough, const LaneSizes& sizes) {
    LaneInverse inverse;
    inverse.to_b = {{column_x(to_a.r), column_y(to_a.r), column_z(to_a.r)}, negate(rotate_back(to_a.r, to_a.t))};
    // The distance of a pair that is about to be dropped may not be a number.
    inverse.scale = select(near_enough, splat(kCoarseOne) / (tn + sizes.sum), splat(0.0F));
    inverse.offset_a = coarse_offset(sizes.a * inverse.scale);
    inverse.offset_b = coarse_offset(sizes.b * inverse.scale);
    return inverse;
}

// Computes relative poses and centre axes of the pairs of a list. Pairs too far apart for float32 move to the float64
// list. The others fill the slots in order, without gaps.
inline void stage_pose(const ChunkJob& job, const PairList& list, HullPairs& pairs, SearchScratch& s,
                       PreciseList& precise) {
    std::uint32_t kept = 0;
    for (std::uint32_t begin = 0; begin < list.count; begin += kWidth) {
        const std::uint32_t lanes = lane_count(list.count, begin);
        LANEFOLD_STAGE_LANES(lanes, kWidth);
        const std::uint32_t* pair = list.pair.data() + begin;
        const PairPlaces* places = list.places.data() + begin;
        for (std::uint32_t l = 0; l < kWidth; ++l) {
            s.scan_a[kept + l] = scan_class(*places[l].hull_a);
            s.scan_b[kept + l] = scan_class(*places[l].hull_b);
        }
        const WFloat margin = load_margins(job, pair);
        const LaneBodiesAt at = LaneBodiesAt::load(job, pair, places);
        const LanePose& to_a = at.to_a;
        const LaneSizes sizes = load_sizes(places);
        const LaneReach reach = reach_of(to_a.t, sizes.sum);
        const LaneAxis axis = centre_axis(job, to_a, reach.length2, sizes);
        const LaneInverse inverse = invert(to_a, axis.tn, reach.near_enough, sizes);
        const LanePair row = {to_a, margin, at.a.hull, at.b.hull, load_indices(pair)};
        row.store(&pairs.rows[kept]);
        inverse.store(&pairs.inverses[kept]);
        axis.store(&pairs.axes[kept]);
        const std::uint32_t all = lane_mask(lanes);
        const std::uint32_t near_enough = bits(reach.near_enough);
        kept += (near_enough & all) == all ? lanes : drop_far_pairs(pairs, s, precise, kept, lanes, near_enough);
    }
    pairs.count = kept;
}

}  // namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE
