// SPDX-License-Identifier: MIT
//
// Pairs of general hulls to relative poses and the axis between their centres (lanes = pairs).
#pragma once

#include <cstddef>

#include "pair/lane_rows.hpp"
#include "search/bounds.hpp"
#include "search/scratch.hpp"

namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE {

inline constexpr float kTinyAxis = 1e-6F;  // of the sizes: closer centres give no usable direction

// How many vectors the scans of a hull take: vertices, then faces, 1 to kUnrolled, or more. Hulls of one class take one path.
inline constexpr std::uint32_t kScanClasses = (kUnrolled + 1) * (kUnrolled + 1);

LANEFOLD_INLINE std::uint32_t scan_class(const HullRecord& h) {
    const std::uint32_t v = (h.vertex_count - 1) / kWidth;
    const std::uint32_t f = (h.face_count - 1) / kShorts;
    return (kUnrolled + 1) * (v < kUnrolled ? v : kUnrolled) + (f < kUnrolled ? f : kUnrolled);
}

// Of the pairs in slots [first, first + count) those whose bits are not set go to the float64 list, the others close up.
// Returns how many those are.
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

// The pairs of a list with their relative poses and centre axes. Pairs too far apart for float32 are moved to the float64
// list; what remains is compacted in order.
inline void stage_pose(const ChunkJob& job, const PairList& list, HullPairs& pairs, SearchScratch& s,
                       PreciseList& precise) {
    std::uint32_t kept = 0;
    for (std::uint32_t begin = 0; begin < list.count; begin += kWidth) {
        const std::uint32_t lanes = lane_count(list.count, begin);
        LANEFOLD_STAGE_LANES(lanes, kWidth);
        const std::uint32_t* pair = list.pair.data() + begin;
        const DoublePositions positions(job, pair);
        const PairPlaces* places = list.places.data() + begin;
        alignas(64) float margins[kWidth];
        for (std::uint32_t l = 0; l < kWidth; ++l) {
            if (job.pair_margins != nullptr) margins[l] = job.pair_margins[pair[l]];
            s.scan_a[kept + l] = scan_class(*places[l].hull_a);
            s.scan_b[kept + l] = scan_class(*places[l].hull_b);
        }
        WFloat a[16];
        WFloat b[16];
        load_rows16(FrameRows{places, false}, a);
        load_rows16(FrameRows{places, true}, b);
        const WVec3 d = positions.delta(a, b) + (WVec3{b[9], b[10], b[11]} - WVec3{a[9], a[10], a[11]});
        const WVec3 a_col[3] = {{a[0], a[3], a[6]}, {a[1], a[4], a[7]}, {a[2], a[5], a[8]}};
        const WVec3 b_col[3] = {{b[0], b[3], b[6]}, {b[1], b[4], b[7]}, {b[2], b[5], b[8]}};
        WFloat out[16];
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j) out[3 * i + j] = dot(a_col[i], b_col[j]);
        const WVec3 t = {dot(a_col[0], d), dot(a_col[1], d), dot(a_col[2], d)};
        out[9] = t.x;
        out[10] = t.y;
        out[11] = t.z;
        WFloat record[2];
        load_rows2(HullRows{places, false}, record);
        const WFloat size_a = record[1];
        load_rows2(HullRows{places, true}, record);
        const WFloat size_b = record[1];
        const WFloat sizes = size_a + size_b;
        const WFloat smaller = select(size_a < size_b, size_a, size_b);
        const WFloat length2 = dot(t, t);
        const WFloat far = sizes * splat(kPreciseSeparation);
        const std::uint32_t near_enough = bits(length2 <= far * far);  // false for NaN and Inf too
        const WFloat length = sqrt(length2);
        const WMask usable = length > sizes * splat(kTinyAxis);
        const WVec3 n = {select(usable, t.x / length, splat(1.0F)), select(usable, t.y / length, splat(0.0F)),
                         select(usable, t.z / length, splat(0.0F))};
        WFloat axis[16];
        axis[0] = n.x;
        axis[1] = n.y;
        axis[2] = n.z;
        for (int j = 0; j < 3; ++j) axis[3 + j] = negate(dot(n, {out[j], out[3 + j], out[6 + j]}));
        axis[6] = dot(t, n);
        axis[7] = splat(kPruneSlack) * sizes;
        axis[8] = splat(job.face_preference) * smaller;
        axis[9] = sizes;
        axis[10] = smaller;
        for (int i = 11; i < 16; ++i) axis[i] = splat(0.0F);
        out[12] = job.pair_margins != nullptr ? WFloat::load(margins) : splat(job.margin);
        static_assert(offsetof(BodyFrame, hull) == 15 * sizeof(float));
        out[13] = a[15];
        out[14] = b[15];
        out[15] = bit_cast_float(load_indices(pair));
        WFloat inverse[16];
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j) inverse[3 * i + j] = out[3 * j + i];
        for (int j = 0; j < 3; ++j) inverse[9 + j] = negate(dot(t, {out[j], out[3 + j], out[6 + j]}));
        // Pairs that are about to be dropped may have no distance that is a number.
        const WFloat scale = select(length2 <= far * far, splat(kCoarseOne) / (axis[6] + sizes), splat(0.0F));
        inverse[12] = scale;
        inverse[13] = bit_cast_float(coarse_offset(size_a * scale));
        inverse[14] = bit_cast_float(coarse_offset(size_b * scale));
        inverse[15] = splat(0.0F);
        store_rows16(out, pairs.rows[kept].to_a.r);
        store_rows16(inverse, pairs.inverses[kept].to_b.r);
        store_rows16(axis, pairs.axes[kept].n);
        const std::uint32_t all = lane_mask(lanes);
        kept += (near_enough & all) == all ? lanes : drop_far_pairs(pairs, s, precise, kept, lanes, near_enough);
    }
    pairs.count = kept;
}

}  // namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE
