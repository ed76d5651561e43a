// SPDX-License-Identifier: MIT
//
// The passes over box pairs: axes, edge contacts, face contacts, contacts of corners and parallel edges. Each makes
// records, or moves a pick to the list of another pass, of which the flags of BoxPick say what is known by then. Pairs
// that float32 cannot settle are appended to the float64 list.
#pragma once

#include "box/axis_search.hpp"
#include "box/box_emit.hpp"
#include "box/box_hold.hpp"
#include "pair/chunk_context.hpp"
#include "pair/tolerances.hpp"

namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE {

// Moves the lanes whose edges do not give the contact to the faces, to the closest points, or if they overlap to the
// float64 list, and returns the bits of the others. The lanes are the picks from `begin` on; `all`: lanes in use.
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
    const std::uint32_t apart = bits(pick.optimum > splat(0.0F));
    append_picks(s.nearest, finish & apart, pick);
    for (std::uint32_t rest = finish & ~apart; rest != 0; rest &= rest - 1) {
        ++totals.counters.distance_finished;
        precise.push(batch.places.pair[lowest_bit(rest)]);
    }
    return all & ~to_face & ~finish;
}

// Edge contacts.
template <class Record>
inline void pass_box_edges(Chunk<Record> chunk, const PairList& boxes, BoxScratch& s) {
    BoxPicks& picks = s.edges;
    for (std::uint32_t begin = picks.done; begin < picks.count; begin += kWidth) {
        const std::uint32_t lanes = lane_count(picks.count, begin);
        LANEFOLD_STAGE_LANES(lanes, kWidth);
        BoxEdgeBatch batch;
        batch.places.set(boxes, picks.place.data() + begin, lanes);
        BoxLanes x;
        load_box_lanes(chunk.job, batch.places.places, batch.places.pair, no_lanes(), x);
        const LaneBoxPick pick = LaneBoxPick::load(picks, begin);
        batch.distance = pick.optimum;
        const WInt axis_a = shift_right_logical(pick.edge_code() * WInt(11), 5);  // a third, for 0..8
        const WInt axis_b = pick.edge_code() + axis_a * WInt(-3);
        box_edge_contact(x, axis_a, axis_b, batch.distance, batch.contact);
        batch.emitted = settle_box_edges(s, chunk.precise, begin, lane_mask(lanes), pick, batch, chunk.totals);
        batch.emitted = hold_box_features(chunk, s, batch.places, x, pick, batch.emitted, BoxPick::kFromEdges);
        if (batch.emitted == 0) continue;
        name_box_edges(axis_a, axis_b, batch);
        write_features<true>(chunk.job, box_edge_records(batch), x.world, x.offset_a, chunk.out, chunk.totals);
    }
    picks.done = picks.count;
}

// The verdict of the clips of kWidth picks; bits of lanes.
struct BoxClipVerdict {
    std::uint32_t all;     // lanes in use
    std::uint32_t proven;  // the optimum is the distance
    std::uint32_t deep;    // the clip reaches the depth of the contact
    std::uint32_t empty;   // it has no point
};

// Moves the lanes whose clip does not give the contact to the edges, to the closest points or to the float64 list, and
// returns the bits of the others.
inline std::uint32_t settle_box_faces(const PairList& boxes, BoxScratch& s, PreciseList& precise, std::uint32_t begin,
                                      const BoxClipVerdict& v, ChunkTotals& totals) {
    for (std::uint32_t rest = v.all & ~v.proven; rest != 0; rest &= rest - 1) {
        BoxPick pick = s.faces[begin + lowest_bit(rest)];
        pick.codes |= bit_at(v.empty, lowest_bit(rest)) ? BoxPick::kEmpty : 0;
        s.nearest.push(pick);
    }
    const std::uint32_t left = v.all & v.proven;
    for (std::uint32_t rest = left & ~v.deep; rest != 0; rest &= rest - 1) {
        BoxPick pick = s.faces[begin + lowest_bit(rest)];
        ++totals.counters.clip_fallbacks;
        if ((pick.codes & BoxPick::kNearest) != 0) {
            s.nearest.push(pick);
        } else if ((pick.codes & BoxPick::kHasEdge) != 0) {
            pick.codes &= ~(BoxPick::kUnproven | BoxPick::kFaceWins);
            s.edges.push(pick);
        } else {
            precise.push(boxes.pair[pick.place]);
        }
    }
    return left & v.deep;
}

// Reduces manifolds with more than four points; picks [begin, end) of the list. If a batch has only a few of them, they
// are appended to the list and clipped again beside others of their kind, because reduction costs about as much as the
// clip, for one lane as much as for all. `codes`: makes those of the batch of those in the list.
template <class Codes, class Reduce>
LANEFOLD_INLINE void reduce_box_faces(BoxPicks& picks, std::uint32_t begin, std::uint32_t end, BoxFaceBatch& batch,
                                      const Codes& codes, const Reduce& reduce) {
    const WMask crowded = WInt(4) < batch.clip.total;
    const std::uint32_t lanes = bits(crowded) & batch.emitted;
    // Deferred picks are at the end of the list. If this batch has one, its last pick is one, and no pick is deferred
    // twice.
    const bool again = (picks.codes[end - 1] & BoxPick::kCrowded) != 0;
    if (again || count_bits(lanes) > kWidth / 4) {
        reduce(crowded);
        return;
    }
    // No branch on whether there are any: that depends on the whole clip and would be mispredicted half of the time.
    LaneBoxPick pick = LaneBoxPick::load(picks, begin);
    pick.codes = (codes(pick.codes) | WInt(BoxPick::kCrowded | BoxPick::kFinal)) & WInt(~BoxPick::kUnproven);
    append_picks(picks, lanes, pick);
    batch.emitted &= ~lanes;
}

// Decides which clips give their contacts. Returns the lanes that do; the others went to other lists. `h`: null without
// hysteresis.
template <class Record>
LANEFOLD_INLINE std::uint32_t judge_box_faces(Chunk<Record> chunk, const PairList& boxes, BoxScratch& s,
                                              std::uint32_t begin, std::uint32_t lanes, const BoxLanes& x,
                                              const LaneBoxPick& pick, const BoxFaceHold* h, BoxFaceBatch& batch) {
    const WFloat deepest = batch.clip.deepest;
    const WFloat size_sum = x.size_a + x.size_b;
    const WFloat size_min = min(x.size_a, x.size_b);
    const std::uint32_t proven = bits(clip_proves(deepest, pick, size_sum));
    const float preference = chunk.job.face_preference;
    WFloat reach = splat(preference);
    if (h != nullptr) reach = select(h->held, splat(preference + chunk.job.hold->hysteresis), reach);
    const std::uint32_t deep = bits(clip_is_deep(deepest, batch.distance, size_min * reach, size_sum));
    if (chunk.job.points == PointSelection::impact) {
        keep_impact(batch.clip.points, kBoxCandidates, deepest + size_min * splat(kImpactBand));
        batch.clip.total = count_valid(batch.clip.points, kBoxCandidates);
    }
    const std::uint32_t empty = bits(deepest == splat(kHighest));
    const std::uint32_t held = h == nullptr ? 0 : bits(h->held) & lane_mask(lanes);
    const std::uint32_t usual =
        settle_box_faces(boxes, s, chunk.precise, begin, {lane_mask(lanes) & ~held, proven, deep, empty}, chunk.totals);
    if (held == 0) return usual;
    // If only the incident face differs, and the previous one does not stay, the chosen faces give the contact.
    const std::uint32_t stays =
        held & deep &
        bits(pick.without(BoxPick::kSameReference) | (h->previous.incident() == batch.clip.incident_face));
    return_boxes(s, begin, held & ~stays);
    return usual | stays;
}

// The chosen faces of kWidth picks with their boxes. With hysteresis some picks become held ones.
template <bool kHold, class Record>
LANEFOLD_INLINE void load_box_picks(Chunk<Record> chunk, const BoxPlaces& at, std::uint32_t all, LaneBoxPick& pick,
                                    BoxLanes& x, BoxFaceHold& h) {
    if constexpr (kHold) {
        const WMask on_b = WInt(2) < select(pick.without(BoxPick::kHeld), pick.face_code(), pick.held_code());
        WVec3 other_world[3];
        load_box_lanes(chunk.job, at.places, at.pair, on_b, x, other_world);
        h.previous = LanePrevious::load(*chunk.job.hold, at.pair);
        const WMask exchanged = exchange_faces(chunk.job, at.places, x, h.previous, pick);
        const std::uint32_t tried = count_bits(bits(exchanged) & all);
        chunk.totals.counters.hold_tried += tried;
        chunk.totals.counters.hold_lanes += tried;
        for (int k = 0; k < 3; ++k) x.world[k] = select(exchanged, other_world[k], x.world[k]);
        h.held = ~pick.without(BoxPick::kHeld);
    } else {
        load_box_lanes(chunk.job, at.places, at.pair, WInt(2) < pick.face_code(), x);
    }
}

// Face contacts.
template <bool kHold, class Record>
inline void pass_box_faces(Chunk<Record> chunk, const PairList& boxes, BoxScratch& s) {
    // The list grows while it is read: deferred picks are appended at its end.
    std::uint32_t lanes = 0;
    BoxPicks& picks = s.faces;
    for (std::uint32_t begin = picks.done; begin < picks.count; begin += lanes) {
        lanes = lane_count(picks.count, begin);
        LANEFOLD_STAGE_LANES(lanes, kWidth);
        BoxFaceBatch batch;
        batch.places.set(boxes, picks.place.data() + begin, lanes);
        BoxLanes x;
        BoxFaceHold h;
        LaneBoxPick pick = LaneBoxPick::load(picks, begin);
        load_box_picks<kHold>(chunk, batch.places, lane_mask(lanes), pick, x, h);
        batch.distance = pick.optimum;
        if constexpr (kHold) {
            const BoxHeldFaces faces = held_faces(pick, h.held, *chunk.job.hold);
            box_clip(batch.places.places, x, select(h.held, pick.held_code(), pick.face_code()), pick.margin, &faces,
                     batch.clip);
            compare_features(batch.clip, h);
        } else {
            box_clip(batch.places.places, x, pick.face_code(), pick.margin, nullptr, batch.clip);
        }
        batch.emitted = judge_box_faces(chunk, boxes, s, begin, lanes, x, pick, kHold ? &h : nullptr, batch);
        if constexpr (kHold) batch.emitted = hold_box_faces(chunk, s, pick, x, batch, h);
        if constexpr (record_capacity<Record>() == 4) {
            reduce_box_faces(
                picks, begin, begin + lanes, batch,
                [&](WInt listed) LANEFOLD_INLINE_LAMBDA { return kHold ? pick.codes : listed; },
                [&](WMask crowded) LANEFOLD_INLINE_LAMBDA {
                    if constexpr (kHold)
                        reduce_held_boxes(*chunk.job.hold, x, h, crowded, batch, chunk.totals.counters);
                    else
                        reduce_lanes(batch.clip.points, kBoxCandidates, crowded);
                });
        }
        chunk.totals.counters.face_contacts += count_bits(batch.emitted);
        emit_box_faces(chunk, batch);
    }
    picks.done = picks.count;
}

// Moves the lanes whose face is preferred, and may have points, to the faces with the distance. Returns their bits.
LANEFOLD_INLINE std::uint32_t prefer_faces(const ChunkJob& job, const BoxLanes& x, const BoxNearest& c,
                                           LaneBoxPick pick, std::uint32_t touching, BoxScratch& s) {
    const std::uint32_t open = bits(pick.without(BoxPick::kEmpty | BoxPick::kNearest)) & touching;
    if (open == 0) return 0;
    BoxOptimum o;
    box_faces(x, o);
    const WFloat band = min(x.size_a, x.size_b) * splat(job.face_preference);
    const std::uint32_t preferred = bits(o.face_value >= c.distance - band) & open;
    pick.optimum = c.distance;
    pick.codes = (pick.codes & WInt(BoxPick::kCodeMask)) | WInt(BoxPick::kNearest);
    append_picks(s.faces, preferred, pick);
    return preferred;
}

// Closest points of picks [first, last) of boxes that are apart. Lanes that are not proven are appended to the list, or
// if kTurned to the float64 list.
template <bool kTurned, class Record>
inline void find_box_nearest(Chunk<Record> chunk, const PairList& boxes, BoxScratch& s, std::uint32_t first,
                             std::uint32_t last) {
    for (std::uint32_t begin = first; begin < last; begin += kWidth) {
        const std::uint32_t lanes = lane_count(last, begin);
        LANEFOLD_STAGE_LANES(lanes, kWidth);
        alignas(64) std::uint32_t at[kWidth];
        __builtin_memcpy(at, s.nearest.place.data() + begin, sizeof at);
        BoxPlaces places;
        places.set(boxes, at, lanes);
        BoxLanes x;
        load_box_lanes(chunk.job, places.places, places.pair, no_lanes(), x);
        const LaneBoxPick pick = LaneBoxPick::load(s.nearest, begin);
        BoxNearest c;
        box_nearest<kTurned>(x, c);
        const std::uint32_t all = lane_mask(lanes);
        const std::uint32_t proven = bits(c.proven) & all;
        if constexpr (!kTurned) append_picks(s.nearest, all & ~proven, pick);
        for (std::uint32_t rest = kTurned ? all & ~proven : 0; rest != 0; rest &= rest - 1) {
            ++chunk.totals.counters.distance_finished;
            chunk.precise.push(places.pair[lowest_bit(rest)]);
        }
        const std::uint32_t touching = bits(c.distance <= pick.margin) & proven;
        chunk.totals.counters.rejected_distance += count_bits(proven & ~touching);
        std::uint32_t emitted = touching & ~prefer_faces(chunk.job, x, c, pick, touching, s);
        if (emitted == 0) continue;
        if (chunk.job.hold != nullptr) {
            const LaneBoxPick nearest = {pick.place, c.distance, pick.codes, pick.margin};
            emitted = hold_box_features(chunk, s, places, x, nearest, emitted, BoxPick::kFromNearest);
        }
        write_features<true>(chunk.job, box_nearest_records(places, emitted, c), x.world, x.offset_a, chunk.out,
                             chunk.totals);
    }
}

// Closest points.
template <class Record>
inline void pass_box_nearest(Chunk<Record> chunk, const PairList& boxes, BoxScratch& s) {
    const std::uint32_t turned = s.nearest.count;
    find_box_nearest<false>(chunk, boxes, s, s.nearest.done, turned);
    find_box_nearest<true>(chunk, boxes, s, turned, s.nearest.count);
    s.nearest.done = s.nearest.count;
}

template <class Record>
inline void faces_of_boxes(Chunk<Record> chunk, const PairList& boxes, BoxScratch& s) {
    if constexpr (!__is_same(Record, PairDistance)) {
        if (chunk.job.hold != nullptr) return pass_box_faces<true>(chunk, boxes, s);
    }
    pass_box_faces<false>(chunk, boxes, s);
}

// A pass takes the picks that its list has got since the pass before of the same kind.
enum class BoxPass : std::uint8_t { edges, faces, nearest };

// Their order. Edges that do not give the contact go to the faces or to the closest points; faces to the edges or to
// the closest points; closest points to the faces that are preferred, and those whose clip has no point come back.
// Hysteresis takes picks of every list to the faces, and back (box_hold.hpp).
inline constexpr BoxPass kBoxPasses[] = {BoxPass::edges,   BoxPass::faces, BoxPass::edges,
                                         BoxPass::nearest, BoxPass::faces, BoxPass::nearest,
                                         BoxPass::faces,   BoxPass::edges, BoxPass::nearest};

template <class Record>
inline void run_boxes(Chunk<Record> chunk, const PairList& boxes, BoxScratch& s) {
    if (boxes.count == 0) return;
    stage_box_axes(chunk.job, boxes, s, chunk.precise, chunk.totals.counters);
    find_previous_boxes(chunk.job, boxes, s);
    LANEFOLD_STAGE_DONE(box_axes);
    for (const BoxPass pass : kBoxPasses) {
        switch (pass) {
            case BoxPass::edges:
                pass_box_edges(chunk, boxes, s);
                LANEFOLD_STAGE_DONE(box_edges);
                break;
            case BoxPass::faces:
                faces_of_boxes(chunk, boxes, s);
                LANEFOLD_STAGE_DONE(box_faces);
                break;
            case BoxPass::nearest:
                pass_box_nearest(chunk, boxes, s);
                LANEFOLD_STAGE_DONE(box_edges);
                break;
        }
    }
}

}  // namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE
