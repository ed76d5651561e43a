// SPDX-License-Identifier: MIT
//
// The stages of box pairs: axes, edge contacts, face contacts. Pairs that float32 cannot settle are appended to
// the float64 list.
#pragma once

#include "box/edge_emit.hpp"
#include "box/search.hpp"
#include "pair/tolerances.hpp"

namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE {

// Moves the lanes whose edges do not give the contact to the faces or to the float64 list, and returns the bits of the
// others. The lanes are the picks from `begin` on; `all`: lanes in use.
inline std::uint32_t settle_box_edges(BoxScratch& s, PreciseList& precise, std::uint32_t begin, std::uint32_t all,
                                      const LaneBoxPick& pick, const BoxEdgeBatch& batch, ChunkTotals& totals) {
    const BoxEdgeContact& c = batch.contact;
    const std::uint32_t unproven = ~bits(pick.without(BoxPick::kUnproven));
    // In a pair that is apart, the edges' separation is the distance only if the closest points lie on the edges. Once
    // this holds, a preferred face may give the contact.
    const std::uint32_t inside = bits(c.inside) | ~unproven;
    const std::uint32_t face_wins = ~bits(pick.without(BoxPick::kFaceWins));
    const std::uint32_t to_face = all & inside & unproven & face_wins;
    const std::uint32_t finish = all & ~to_face & ~(inside & bits(c.meet));
    for (std::uint32_t rest = to_face; rest != 0; rest &= rest - 1) {
        BoxPick on = s.edges[begin + lowest_bit(rest)];
        on.codes &= ~BoxPick::kUnproven;
        s.faces.push(on);
    }
    for (std::uint32_t rest = finish; rest != 0; rest &= rest - 1) {
        ++totals.counters.distance_finished;
        precise.push(batch.places.pair[lowest_bit(rest)]);
    }
    return all & ~to_face & ~finish;
}

// Edge contacts of picks [first, end of the list).
template <class Record>
inline void stage_box_edges(const ChunkJob& job, const PairList& boxes, BoxScratch& s, PreciseList& precise,
                            std::uint32_t first, Record* out, ChunkTotals& totals) {
    BoxPicks& picks = s.edges;
    for (std::uint32_t begin = first; begin < picks.count; begin += kWidth) {
        const std::uint32_t lanes = lane_count(picks.count, begin);
        LANEFOLD_STAGE_LANES(lanes, kWidth);
        BoxEdgeBatch batch;
        batch.places.set(boxes, picks.place.data() + begin, lanes);
        BoxLanes x;
        load_box_lanes(job, batch.places.places, batch.places.pair, no_lanes(), x);
        const LaneBoxPick pick = LaneBoxPick::load(picks, begin);
        batch.distance = pick.optimum;
        const WInt axis_a = shift_right_logical(pick.edge_code() * WInt(11), 5);  // a third, for 0..8
        const WInt axis_b = pick.edge_code() + axis_a * WInt(-3);
        box_edge_contact(x, axis_a, axis_b, batch.distance, batch.contact);
        batch.emitted = settle_box_edges(s, precise, begin, lane_mask(lanes), pick, batch, totals);
        if (batch.emitted == 0) continue;
        name_box_edges(axis_a, axis_b, batch);
        const LaneEdgeRecords records = box_edge_records(batch);
        write_edge_lanes(job, records, x.world, x.offset_a, out);
        count_edge_lanes<Record, true>(job, records, totals);
    }
}

// Moves the lanes whose clip does not give the contact to the edges or to the float64 list, and returns the bits of the
// others.
inline std::uint32_t settle_box_faces(const PairList& boxes, BoxScratch& s, PreciseList& precise, std::uint32_t begin,
                                      std::uint32_t all, std::uint32_t proven, std::uint32_t deep,
                                      ChunkTotals& totals) {
    for (std::uint32_t rest = all & ~proven; rest != 0; rest &= rest - 1) {
        ++totals.counters.distance_finished;
        precise.push(boxes.pair[s.faces.place[begin + lowest_bit(rest)]]);
    }
    const std::uint32_t left = all & proven;
    for (std::uint32_t rest = left & ~deep; rest != 0; rest &= rest - 1) {
        BoxPick pick = s.faces[begin + lowest_bit(rest)];
        ++totals.counters.clip_fallbacks;
        if ((pick.codes & BoxPick::kHasEdge) != 0) {
            pick.codes &= ~(BoxPick::kUnproven | BoxPick::kFaceWins);
            s.edges.push(pick);
        } else {
            precise.push(boxes.pair[pick.place]);
        }
    }
    return left & deep;
}

// Reduces manifolds with more than four points; picks [begin, end) of the list. If a batch has only a few of them, they
// are appended to the list and clipped again beside others of their kind, because reduction costs about as much as the
// clip, for one lane as much as for all.
inline void reduce_box_faces(BoxPicks& picks, std::uint32_t begin, std::uint32_t end, BoxFaceBatch& batch) {
    const WMask crowded = WInt(4) < batch.clip.total;
    const std::uint32_t lanes = bits(crowded) & batch.emitted;
    // Deferred picks are at the end of the list. If this batch has one, its last pick is one, and no pick is deferred
    // twice.
    const bool again = (picks.codes[end - 1] & BoxPick::kCrowded) != 0;
    if (again || count_bits(lanes) > kWidth / 4) {
        reduce_lanes(batch.clip.points, kBoxCandidates, crowded);
        return;
    }
    // No branch on whether there are any: that depends on the whole clip and would be mispredicted half of the time.
    LaneBoxPick pick = LaneBoxPick::load(picks, begin);
    pick.codes = (pick.codes | WInt(BoxPick::kCrowded)) & WInt(~BoxPick::kUnproven);
    append_picks(picks, lanes, pick);
    batch.emitted &= ~lanes;
}

template <class Record>
inline void stage_box_faces(const ChunkJob& job, const PairList& boxes, BoxScratch& s, PreciseList& precise,
                            Record* out, ChunkTotals& totals) {
    // The list grows while it is read: deferred picks are appended at its end.
    std::uint32_t lanes = 0;
    BoxPicks& picks = s.faces;
    for (std::uint32_t begin = 0; begin < picks.count; begin += lanes) {
        lanes = lane_count(picks.count, begin);
        LANEFOLD_STAGE_LANES(lanes, kWidth);
        BoxFaceBatch batch;
        batch.places.set(boxes, picks.place.data() + begin, lanes);
        BoxLanes x;
        const LaneBoxPick pick = LaneBoxPick::load(picks, begin);
        load_box_lanes(job, batch.places.places, batch.places.pair, WInt(2) < pick.face_code(), x);
        batch.distance = pick.optimum;
        box_clip(batch.places.places, x, pick.face_code(), pick.margin, batch.clip);

        const WFloat deepest = batch.clip.deepest;
        const WFloat size_sum = x.size_a + x.size_b;
        const WFloat size_min = min(x.size_a, x.size_b);
        const WFloat rounding = size_sum * splat(kDepthTolerance);
        // A clip with a point as near as the optimum proves that the optimum is the distance.
        const std::uint32_t proven =
            bits((deepest <= batch.distance + size_sum * splat(kProvenTolerance)) | pick.without(BoxPick::kUnproven));
        const std::uint32_t deep = bits(deepest <= batch.distance + (size_min * splat(job.face_preference) + rounding));
        if (job.points == PointSelection::impact) {
            keep_impact(batch.clip.points, kBoxCandidates, deepest + size_min * splat(kImpactBand));
            batch.clip.total = count_valid(batch.clip.points, kBoxCandidates);
        }
        batch.emitted = settle_box_faces(boxes, s, precise, begin, lane_mask(lanes), proven, deep, totals);
        if constexpr (record_capacity<Record>() == 4) reduce_box_faces(picks, begin, begin + lanes, batch);
        totals.counters.face_contacts += count_bits(batch.emitted);
        emit_box_faces(job, batch, out, totals);
    }
}

template <class Record>
inline void run_boxes(const ChunkJob& job, const PairList& boxes, BoxScratch& s, PreciseList& precise, Record* out,
                      ChunkTotals& totals) {
    if (boxes.count == 0) return;
    stage_box_axes(job, boxes, s, precise, totals.counters);
    LANEFOLD_STAGE_DONE(box_axes);
    stage_box_edges(job, boxes, s, precise, 0, out, totals);
    LANEFOLD_STAGE_DONE(box_edges);
    const std::uint32_t first_fallback = s.edges.count;
    stage_box_faces(job, boxes, s, precise, out, totals);
    LANEFOLD_STAGE_DONE(box_faces);
    stage_box_edges(job, boxes, s, precise, first_fallback, out, totals);
    LANEFOLD_STAGE_DONE(box_edges);
}

}  // namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE
