// SPDX-License-Identifier: MIT
//
// The search for the best axis of box pairs, in two passes over a group of the list: face axes first, then edge axes
// for the pairs that no face separates. Each pass is a chain of its own. One common chain would fill the processor's
// window, and neighbours would hardly overlap. The pairs that the first pass leaves are packed, so the second pass has
// full lanes.
#pragma once

#include "box/axes.hpp"
#include "box/picks.hpp"
#include "pair/tolerances.hpp"

namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE {

// Results of the face axes for one vector of pairs.
struct BoxFaceAxes {
    BoxOptimum optimum;
    WFloat margin;
    WFloat band;  // face preference as a length
    WInt place;
};

LANEFOLD_INLINE void keep_survivors(const BoxLanes& x, const BoxFaceAxes& f, std::uint32_t alive, BoxSurvivors& out) {
    const std::uint32_t n = out.count;
    const Packing p = packing(alive);
    const WFloat t[3] = {x.t.x, x.t.y, x.t.z};
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) pack(x.r[i][j], p).storeu(out.r[i][j] + n);
    for (int k = 0; k < 3; ++k) pack(t[k], p).storeu(out.t[k] + n);
    for (int k = 0; k < 3; ++k) pack(x.ha[k], p).storeu(out.ha[k] + n);
    for (int k = 0; k < 3; ++k) pack(x.hb[k], p).storeu(out.hb[k] + n);
    pack(f.band, p).storeu(out.band + n);
    pack(f.optimum.face_value, p).storeu(out.face_value + n);
    pack(f.optimum.face_code, p).storeu(out.face_code + n);
    pack(f.margin, p).storeu(out.margin + n);
    store_indices(pack(f.place, p), out.place + n);
    out.count = n + count_bits(alive);
}

// kFaceTie (size A + size B), or less: the sum of the half extents is one to 1.74 times that of the sizes.
LANEFOLD_INLINE WFloat box_face_tie(const BoxLanes& x) {
    const WFloat a = (x.ha[0] + x.ha[1]) + x.ha[2];
    const WFloat b = (x.hb[0] + x.hb[1]) + x.hb[2];
    return (a + b) * splat(kFaceTie / 1.74F);
}

// Tests the edge axes of the lanes named by `alive` and decides; pairs that touch become picks.
LANEFOLD_INLINE void decide_axes(const BoxLanes& x, BoxFaceAxes& f, std::uint32_t alive, BoxScratch& s,
                                 Counters& counters) {
    BoxOptimum& o = f.optimum;
    box_edges(x, o);
    const WMask higher = o.edge_value > o.face_value;
    const WFloat best = select(higher, o.edge_value, o.face_value);
    const WMask apart = best > splat(0.0F);
    const WMask has_edge = higher & ~(apart & (o.face_value >= best - box_face_tie(x)));
    const WMask face_wins = (o.face_value >= best - f.band) | ~has_edge;
    const std::uint32_t touching = bits(best <= f.margin) & alive;
    counters.rejected_edge += count_bits(alive & ~touching);
    const WInt none(0);
    const WInt flags =
        (select(has_edge, WInt(BoxPick::kHasEdge), none) | select(face_wins, WInt(BoxPick::kFaceWins), none)) |
        select(apart, WInt(BoxPick::kUnproven), none);
    const WInt codes = (o.face_code + o.edge_code * WInt(1 << BoxPick::kEdgeShift)) | flags;
    // If the pair is apart, the edges must first prove that their separation is the distance, even if a face is
    // preferred.
    const std::uint32_t edge_first = bits((apart & has_edge) | ~face_wins);
    const LaneBoxPick pick = {f.place, best, codes, f.margin};
    append_picks(s.faces, touching & ~edge_first, pick);
    append_picks(s.edges, touching & edge_first, pick);
}

// Tests the face axes of pairs [first, last) of the list.
inline void search_box_faces(const ChunkJob& job, const PairList& boxes, BoxScratch& s, PreciseList& precise,
                             std::uint32_t first, std::uint32_t last, Counters& counters) {
    alignas(64) float margins[kWidth];
    for (std::uint32_t l = 0; l < kWidth; ++l) margins[l] = job.margin;
    s.survivors.count = 0;
    for (std::uint32_t begin = first; begin < last; begin += kWidth) {
        const std::uint32_t lanes = lane_count(last, begin);
        LANEFOLD_STAGE_LANES(lanes, kWidth);
        const std::uint32_t* pairs = boxes.pair.data() + begin;
        const std::uint32_t all = lane_mask(lanes);
        BoxLanes x;
        load_box_lanes(job, boxes.places.data() + begin, pairs, no_lanes(), x);
        if (job.core_margins != nullptr) {
            for (std::uint32_t l = 0; l < kWidth; ++l) margins[l] = job.core_margins[pairs[l]];
        }
        BoxFaceAxes f;
        f.margin = WFloat::load(margins);
        // Pairs that are too far apart, or not finite, go to the float64 list.
        const WFloat far = (x.size_a + x.size_b) * splat(kPreciseSeparation);
        const std::uint32_t near_enough = bits(dot(x.t, x.t) <= far * far) & all;
        for (std::uint32_t rest = all & ~near_enough; rest != 0; rest &= rest - 1)
            precise.push(pairs[lowest_bit(rest)]);

        box_faces(x, f.optimum);
        const std::uint32_t alive = bits(f.optimum.face_value <= f.margin) & near_enough;
        counters.rejected_face += count_bits(near_enough & ~alive);
        if (alive == 0) continue;
        f.band = min(x.size_a, x.size_b) * splat(job.face_preference);
        f.place = WInt(static_cast<std::int32_t>(begin)) + WInt::iota();
        // If lanes cannot be packed, the edge axes follow at once.
        if constexpr (kPackLanes)
            keep_survivors(x, f, alive, s.survivors);
        else
            decide_axes(x, f, alive, s, counters);
    }
}

inline void search_box_edges(BoxScratch& s, Counters& counters) {
    const BoxSurvivors& v = s.survivors;
    for (std::uint32_t begin = 0; begin < v.count; begin += kWidth) {
        const std::uint32_t lanes = lane_count(v.count, begin);
        LANEFOLD_STAGE_LANES(lanes, kWidth);
        BoxLanes x;
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j) x.r[i][j] = WFloat::loadu(v.r[i][j] + begin);
        x.t = {WFloat::loadu(v.t[0] + begin), WFloat::loadu(v.t[1] + begin), WFloat::loadu(v.t[2] + begin)};
        for (int k = 0; k < 3; ++k) x.ha[k] = WFloat::loadu(v.ha[k] + begin);
        for (int k = 0; k < 3; ++k) x.hb[k] = WFloat::loadu(v.hb[k] + begin);
        BoxFaceAxes f;
        f.optimum.face_value = WFloat::loadu(v.face_value + begin);
        f.optimum.face_code = WInt::loadu(v.face_code + begin);
        f.margin = WFloat::loadu(v.margin + begin);
        f.band = WFloat::loadu(v.band + begin);
        f.place = load_indices(v.place + begin);
        decide_axes(x, f, lane_mask(lanes), s, counters);
    }
}

inline void stage_box_axes(const ChunkJob& job, const PairList& boxes, BoxScratch& s, PreciseList& precise,
                           Counters& counters) {
    for (BoxPicks* list : {&s.faces, &s.edges, &s.nearest}) list->clear();
    for (std::uint32_t first = 0; first < boxes.count; first += kBoxGroup) {
        const std::uint32_t left = boxes.count - first;
        search_box_faces(job, boxes, s, precise, first, first + (left < kBoxGroup ? left : kBoxGroup), counters);
        search_box_edges(s, counters);
    }
}

}  // namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE
