// SPDX-License-Identifier: MIT
//
// The stages of box pairs: axes, edge contacts, face contacts. Pairs that float32 cannot settle are appended
// to the float64 list.
#pragma once

#include "box_edge_emit.hpp"
#include "hull_face_contact.hpp"

namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE {

LANEFOLD_INLINE std::uint32_t lane_count(std::uint32_t total, std::uint32_t begin) {
    return total - begin < kWidth ? total - begin : kWidth;
}
LANEFOLD_INLINE std::uint32_t lane_mask(std::uint32_t lanes) { return (1U << lanes) - 1U; }

inline void stage_box_axes(const ChunkJob& job, ChunkScratch::Impl& s, Counters& counters) {
    s.box_face_count = 0;
    s.box_edge_count = 0;
    alignas(64) float margins[kWidth];
    alignas(64) float optimum[kWidth];
    alignas(64) std::int32_t codes[kWidth];
    for (std::uint32_t l = 0; l < kWidth; ++l) margins[l] = job.margin;
    for (std::uint32_t begin = 0; begin < s.boxes.count; begin += kWidth) {
        const std::uint32_t lanes = lane_count(s.boxes.count, begin);
        LANEFOLD_STAGE_LANES(lanes, kWidth);
        const BoxRows rows = box_rows(s.boxes, begin);
        const std::uint32_t all = lane_mask(lanes);
        BoxLanes x;
        load_box_lanes(job, rows, x);
        if (job.pair_margins != nullptr) {
            for (std::uint32_t l = 0; l < kWidth; ++l) margins[l] = job.pair_margins[rows.pair[l]];
        }
        const WFloat margin = WFloat::load(margins);
        // Too far apart (or not finite): float64 decides.
        const WFloat far = (x.size_a + x.size_b) * splat(kPreciseSeparation);
        const std::uint32_t near_enough = bits(dot(x.t, x.t) <= far * far) & all;
        for (std::uint32_t rest = all & ~near_enough; rest != 0; rest &= rest - 1)
            s.precise_list[s.precise_count++] = rows.pair[lowest_bit(rest)];

        BoxOptimum o;
        box_faces(x, o);
        const std::uint32_t alive = bits(o.face_value <= margin) & near_enough;
        counters.rejected_face += count_bits(near_enough & ~alive);
        if (alive == 0) continue;
        box_edges(x, o);
        const WMask has_edge = o.edge_value > o.face_value;
        const WFloat best = select(has_edge, o.edge_value, o.face_value);
        const WFloat band = min(x.size_a, x.size_b) * splat(job.face_preference);
        const WMask face_wins = (o.face_value >= best - band) | ~has_edge;
        const WMask apart = best > splat(0.0F);
        const std::uint32_t touching = bits(best <= margin) & alive;
        counters.rejected_edge += count_bits(alive & ~touching);
        const WInt none(0);
        const WInt flags =
            (select(has_edge, WInt(BoxPick::kHasEdge), none) | select(face_wins, WInt(BoxPick::kFaceWins), none)) |
            select(apart, WInt(BoxPick::kUnproven), none);
        best.store(optimum);
        ((o.face_code + o.edge_code * WInt(16)) | flags).storeu(codes);
        // Apart, an edge axis must first prove that it is the distance, even if a face is preferred.
        const std::uint32_t edge_first = bits((apart & has_edge) | ~face_wins);
        for (std::uint32_t rest = touching; rest != 0; rest &= rest - 1) {
            const std::uint32_t l = lowest_bit(rest);
            const BoxPick pick = {begin + l, optimum[l], static_cast<std::uint32_t>(codes[l]), margins[l]};
            s.box_faces[s.box_face_count] = pick;
            s.box_edges[s.box_edge_count] = pick;
            const std::uint32_t edge = (edge_first >> l) & 1U;
            s.box_edge_count += edge;
            s.box_face_count += edge ^ 1U;
        }
    }
}

// Edge contacts of picks [first, box_edge_count).
template <class Record>
inline void stage_box_edges(const ChunkJob& job, ChunkScratch::Impl& s, std::uint32_t first, Record* out,
                            ChunkTotals& totals) {
    for (std::uint32_t begin = first; begin < s.box_edge_count; begin += kWidth) {
        const std::uint32_t lanes = lane_count(s.box_edge_count, begin);
        LANEFOLD_STAGE_LANES(lanes, kWidth);
        const BoxPick* picks = s.box_edges.data() + begin;
        BoxEdgeBatch batch;
        alignas(64) std::int32_t codes[kWidth];
        alignas(64) float value[kWidth];
        for (std::uint32_t l = 0; l < kWidth; ++l) {
            const BoxPick& p = picks[l < lanes ? l : 0];
            batch.rows.set(l, s.boxes, p.place);
            value[l] = p.optimum;
            codes[l] = static_cast<std::int32_t>(p.codes);
        }
        BoxLanes x;
        load_box_lanes(job, batch.rows.rows(), x);
        batch.distance = WFloat::load(value);
        BoxEdgeContact& c = batch.contact;
        const WInt code = WInt::loadu(codes);
        const WInt edge_code = shift_right_logical(code, 4) & WInt(15);
        const WInt axis_a = shift_right_logical(edge_code * WInt(11), 5);  // a third, for 0..8
        const WInt axis_b = edge_code + axis_a * WInt(-3);
        const WInt none(0);
        const std::uint32_t unproven = ~bits((code & WInt(BoxPick::kUnproven)) == none);
        const std::uint32_t face_wins = ~bits((code & WInt(BoxPick::kFaceWins)) == none);
        box_edge_contact(x, axis_a, axis_b, batch.distance, c);

        // Apart, only edges whose closest points lie on them are the distance; then a preferred face has its turn.
        const std::uint32_t all = lane_mask(lanes);
        const std::uint32_t inside = bits(c.inside) | ~unproven;
        const std::uint32_t to_face = all & inside & unproven & face_wins;
        const std::uint32_t finish = all & ~to_face & ~(inside & bits(c.meet));
        batch.emitted = all & ~to_face & ~finish;
        for (std::uint32_t rest = to_face; rest != 0; rest &= rest - 1) {
            s.box_faces[s.box_face_count] = picks[lowest_bit(rest)];
            s.box_faces[s.box_face_count++].codes &= ~BoxPick::kUnproven;
        }
        for (std::uint32_t rest = finish; rest != 0; rest &= rest - 1) {
            ++totals.counters.distance_finished;
            s.precise_list[s.precise_count++] = s.boxes.pair[picks[lowest_bit(rest)].place];
        }
        if (batch.emitted == 0) continue;
        alignas(64) std::int32_t at_a[kWidth], at_b[kWidth];
        edge_of_signs(axis_a, c.up_a).storeu(at_a);
        edge_of_signs(axis_b, c.up_b).storeu(at_b);
        for (std::uint32_t l = 0; l < kWidth; ++l) {
            batch.edge_a[l] = box_map(batch.rows.extents_a[l]).edge[at_a[l]];
            batch.edge_b[l] = box_map(batch.rows.extents_b[l]).edge[at_b[l]];
        }
        emit_box_edges(job, x, batch, out);
        count_box_edges<Record>(job, batch, totals);
    }
}

// Lanes whose clip does not give the contact go elsewhere; the bits of the others are returned.
inline std::uint32_t settle_box_faces(ChunkScratch::Impl& s, const BoxPick* picks, std::uint32_t all,
                                      std::uint32_t proven, std::uint32_t deep, ChunkTotals& totals) {
    for (std::uint32_t rest = all & ~proven; rest != 0; rest &= rest - 1) {
        ++totals.counters.distance_finished;
        s.precise_list[s.precise_count++] = s.boxes.pair[picks[lowest_bit(rest)].place];
    }
    const std::uint32_t left = all & proven;
    for (std::uint32_t rest = left & ~deep; rest != 0; rest &= rest - 1) {
        BoxPick pick = picks[lowest_bit(rest)];
        ++totals.counters.clip_fallbacks;
        if ((pick.codes & BoxPick::kHasEdge) != 0) {
            pick.codes &= ~(BoxPick::kUnproven | BoxPick::kFaceWins);
            s.box_edges[s.box_edge_count++] = pick;
        } else {
            s.precise_list[s.precise_count++] = s.boxes.pair[pick.place];
        }
    }
    return left & deep;
}

// Manifolds with more than four points. A few of them among a batch are put off, to be clipped again beside others of
// their kind: reduction costs about as much as the clip, and the same for one lane as for all.
inline void reduce_box_faces(ChunkScratch::Impl& s, const BoxPick* picks, BoxFaceBatch& batch) {
    const WMask crowded = WInt(4) < batch.total;
    const std::uint32_t lanes = bits(crowded) & batch.emitted;
    if (lanes == 0) return;
    const bool again = (picks[lowest_bit(lanes)].codes & BoxPick::kCrowded) != 0;
    if (again || count_bits(lanes) > kWidth / 4) {
        reduce_lanes(batch.clip.points, kBoxCandidates, crowded);
        return;
    }
    for (std::uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
        BoxPick pick = picks[lowest_bit(rest)];
        pick.codes = (pick.codes | BoxPick::kCrowded) & ~BoxPick::kUnproven;
        s.box_faces[s.box_face_count++] = pick;
    }
    batch.emitted &= ~lanes;
}

template <class Record>
inline void stage_box_faces(const ChunkJob& job, ChunkScratch::Impl& s, Record* out, ChunkTotals& totals) {
    // The list grows while it is read: what is put off comes again at its end.
    std::uint32_t lanes = 0;
    for (std::uint32_t begin = 0; begin < s.box_face_count; begin += lanes) {
        lanes = lane_count(s.box_face_count, begin);
        LANEFOLD_STAGE_LANES(lanes, kWidth);
        const BoxPick* picks = s.box_faces.data() + begin;
        BoxFaceBatch batch;
        alignas(64) std::int32_t codes[kWidth];
        alignas(64) float margin[kWidth], optimum[kWidth];
        for (std::uint32_t l = 0; l < kWidth; ++l) {
            const BoxPick& p = picks[l < lanes ? l : 0];
            batch.rows.set(l, s.boxes, p.place);
            codes[l] = static_cast<std::int32_t>(p.codes);
            optimum[l] = p.optimum;
            margin[l] = p.margin;
        }
        BoxLanes x;
        load_box_lanes(job, batch.rows.rows(), x);
        batch.distance = WFloat::load(optimum);
        const WInt code = WInt::loadu(codes);
        box_clip(x, batch.rows.rows(), code & WInt(15), WFloat::load(margin), batch.clip);

        WFloat deepest(3.402823466e+38F);
        for (const LanePoint& p : batch.clip.points) deepest = select(p.valid, min(p.separation, deepest), deepest);
        const WFloat size_sum = x.size_a + x.size_b;
        const WFloat size_min = min(x.size_a, x.size_b);
        const WFloat rounding = size_sum * splat(kDepthTolerance);
        // What was not proven to be the distance before is proven by a clip that comes as near.
        const std::uint32_t proven = bits((deepest <= batch.distance + size_sum * splat(kProvenTolerance)) |
                                          ((code & WInt(BoxPick::kUnproven)) == WInt(0)));
        const std::uint32_t deep = bits(deepest <= batch.distance + (size_min * splat(job.face_preference) + rounding));
        if (job.points == PointSelection::impact) {
            const WFloat limit = deepest + size_min * splat(kImpactBand);
            for (LanePoint& p : batch.clip.points) p.valid = p.valid & (p.separation <= limit);
        }
        batch.emitted = settle_box_faces(s, picks, lane_mask(lanes), proven, deep, totals);
        batch.total = count_valid(batch.clip);
        if constexpr (record_capacity<Record>() == 4) reduce_box_faces(s, picks, batch);
        totals.counters.face_contacts += count_bits(batch.emitted);
        emit_box_faces(job, batch, out, totals);
    }
}

template <class Record>
inline void run_boxes(const ChunkJob& job, ChunkScratch::Impl& s, Record* out, ChunkTotals& totals) {
    if (s.boxes.count == 0) return;
    stage_box_axes(job, s, totals.counters);
    LANEFOLD_STAGE_DONE(box_axes);
    stage_box_edges(job, s, 0, out, totals);
    LANEFOLD_STAGE_DONE(box_edges);
    const std::uint32_t first_fallback = s.box_edge_count;
    stage_box_faces(job, s, out, totals);
    LANEFOLD_STAGE_DONE(box_faces);
    stage_box_edges(job, s, first_fallback, out, totals);
    LANEFOLD_STAGE_DONE(box_edges);
}

}  // namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE
