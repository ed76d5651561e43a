// SPDX-License-Identifier: MIT
//
// The stages of box pairs: axes, edge contacts, face contacts. Pairs that float32 cannot settle are appended
// to the float64 list.
#pragma once

#include "box_clip.hpp"
#include "box_edge_contact.hpp"
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
    alignas(64) float face_value[kWidth], optimum[kWidth];
    alignas(64) std::int32_t face_code[kWidth], edge_code[kWidth];
    for (std::uint32_t begin = 0; begin < s.box_count; begin += kWidth) {
        const std::uint32_t lanes = lane_count(s.box_count, begin);
        LANEFOLD_STAGE_LANES(lanes, kWidth);
        const std::uint32_t* list = s.box_list.data() + begin;
        const std::uint32_t all = lane_mask(lanes);
        BoxLanes x;
        load_box_lanes(job, list, lanes, x);
        WFloat margin(job.margin);
        if (job.pair_margins != nullptr) {
            for (std::uint32_t l = 0; l < kWidth; ++l) margins[l] = job.pair_margins[list[l < lanes ? l : 0]];
            margin = WFloat::load(margins);
        }
        // Too far apart (or not finite): float64 decides.
        const WFloat far = (x.size_a + x.size_b) * splat(kPreciseSeparation);
        std::uint32_t near_enough = bits(dot(x.t, x.t) <= far * far) & all;
        for (std::uint32_t rest = all & ~near_enough; rest != 0; rest &= rest - 1)
            s.precise_list[s.precise_count++] = list[lowest_bit(rest)];

        BoxOptimum o;
        box_faces(x, o);
        std::uint32_t alive = bits(o.face_value <= margin) & near_enough;
        for (std::uint32_t rest = near_enough & ~alive; rest != 0; rest &= rest - 1) ++counters.rejected_face;
        if (alive == 0) continue;
        box_edges(x, o);
        const WMask has_edge = o.edge_value > o.face_value;
        const WFloat best = select(has_edge, o.edge_value, o.face_value);
        const WFloat band = min(x.size_a, x.size_b) * splat(job.face_preference);
        const std::uint32_t with_edge = bits(has_edge);
        const std::uint32_t face_wins = bits(o.face_value >= best - band) | ~with_edge;
        const std::uint32_t apart = bits(best > splat(0.0F));
        const std::uint32_t touching = bits(best <= margin) & alive;
        for (std::uint32_t rest = alive & ~touching; rest != 0; rest &= rest - 1) ++counters.rejected_edge;
        o.face_value.store(face_value);
        best.store(optimum);
        o.face_code.storeu(face_code);
        o.edge_code.storeu(edge_code);
        for (std::uint32_t rest = touching; rest != 0; rest &= rest - 1) {
            const std::uint32_t l = lowest_bit(rest);
            const std::uint32_t face = (face_wins >> l) & 1U;
            // Apart, an edge axis must first prove that it is the distance, even if a face is preferred.
            const std::uint32_t unproven = (apart >> l) & 1U;
            const std::uint32_t edge_first = (unproven & (with_edge >> l)) | (face ^ 1U);
            const BoxPick pick = {list[l],
                                  static_cast<std::uint32_t>(face_code[l]),
                                  static_cast<std::uint32_t>(edge_code[l]),
                                  face_value[l],
                                  optimum[l],
                                  (with_edge >> l) & 1U,
                                  face,
                                  unproven};
            s.box_faces[s.box_face_count] = pick;
            s.box_edges[s.box_edge_count] = pick;
            s.box_edge_count += edge_first;
            s.box_face_count += edge_first ^ 1U;
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
        std::uint32_t pairs[kWidth];
        alignas(64) std::int32_t axis_a[kWidth], axis_b[kWidth];
        alignas(64) float value[kWidth];
        for (std::uint32_t l = 0; l < kWidth; ++l) {
            const BoxPick& p = s.box_edges[begin + (l < lanes ? l : 0)];
            pairs[l] = p.pair;
            value[l] = p.optimum;
            axis_a[l] = static_cast<std::int32_t>(p.edge_code / 3);
            axis_b[l] = static_cast<std::int32_t>(p.edge_code % 3);
        }
        BoxLanes x;
        load_box_lanes(job, pairs, lanes, x);
        BoxEdgeContact c;
        box_edge_contact(x, WInt::loadu(axis_a), WInt::loadu(axis_b), WFloat::load(value), c);
        alignas(64) float n[3][kWidth], m[3][kWidth];
        c.n.x.store(n[0]);
        c.n.y.store(n[1]);
        c.n.z.store(n[2]);
        c.point.x.store(m[0]);
        c.point.y.store(m[1]);
        c.point.z.store(m[2]);
        const std::uint32_t inside = bits(c.inside);
        const std::uint32_t meet = bits(c.meet);
        const std::uint32_t up_a[3] = {bits(c.up_a[0]), bits(c.up_a[1]), bits(c.up_a[2])};
        const std::uint32_t up_b[3] = {bits(c.up_b[0]), bits(c.up_b[1]), bits(c.up_b[2])};
        for (std::uint32_t l = 0; l < lanes; ++l) {
            const BoxPick pick = s.box_edges[begin + l];
            if (pick.unproven != 0) {
                if (((inside >> l) & 1U) == 0) {
                    ++totals.counters.distance_finished;
                    s.precise_list[s.precise_count++] = pick.pair;
                    continue;
                }
                if (pick.face_wins != 0) {
                    s.box_faces[s.box_face_count] = pick;
                    s.box_faces[s.box_face_count++].unproven = 0;
                    continue;
                }
            }
            if (((meet >> l) & 1U) == 0) {
                ++totals.counters.distance_finished;
                s.precise_list[s.precise_count++] = pick.pair;
                continue;
            }
            const HullRecord& hull_a = job.hulls[frame_a(job, pick.pair).hull];
            const HullRecord& hull_b = job.hulls[frame_b(job, pick.pair).hull];
            const std::uint32_t edge_a =
                box_map(hull_a).edge[edge_of_signs(static_cast<std::uint32_t>(axis_a[l]), up_a, l)];
            const std::uint32_t edge_b =
                box_map(hull_b).edge[edge_of_signs(static_cast<std::uint32_t>(axis_b[l]), up_b, l)];
            Record& r = out[pick.pair];
            write_header(job, pick.pair,
                         {{n[0][l], n[1][l], n[2][l]}, pick.optimum, ContactKind::edge_edge, edge_a, edge_b}, r);
            if constexpr (!__is_same(Record, PairDistance)) {
                r.total = 1;
                write_point(frame_a(job, pick.pair), {m[0][l], m[1][l], m[2][l]}, pick.optimum,
                            feature_id(6 + edge_a, 6 + edge_b, kBoxFeatures), r);
            }
            ++totals.counters.edge_contacts;
            count_record(job, pick.pair, r, totals);
        }
    }
}

// Feature numbers (reference, incident) of candidate c.
LANEFOLD_INLINE void candidate_features(const BoxMap& reference, const BoxMap& incident, std::uint32_t reference_face,
                                        std::uint32_t incident_face, std::uint32_t candidate, std::int32_t side,
                                        std::uint32_t& number_reference, std::uint32_t& number_incident) {
    if (candidate >= 8) {
        number_reference = vertex_number(reference, face_corner(reference_face, candidate - 8));
        number_incident = face_number(incident, incident_face);
        return;
    }
    const std::uint32_t q = candidate / 2;
    if (side < 0) {
        // Corners in loop order -a-b, +a-b, +a+b, -a+b.
        number_reference = face_number(reference, reference_face);
        number_incident = vertex_number(incident, face_corner(incident_face, q ^ (q >> 1)));
        return;
    }
    // Sides in loop order: b-, a+, b+, a-.
    constexpr std::uint32_t kSide[4] = {3, 0, 2, 1};
    number_reference = edge_number(reference, face_side(reference_face, static_cast<std::uint32_t>(side)));
    number_incident = edge_number(incident, face_side(incident_face, kSide[q]));
}

// The two boxes of a lane's face contact.
struct LaneBox {
    const BoxMap* reference;
    const BoxMap* incident;
    std::uint32_t reference_face;
    std::uint32_t incident_face;
};

template <class Record>
inline void stage_box_faces(const ChunkJob& job, ChunkScratch::Impl& s, Record* out, ChunkTotals& totals) {
    for (std::uint32_t begin = 0; begin < s.box_face_count; begin += kWidth) {
        const std::uint32_t lanes = lane_count(s.box_face_count, begin);
        LANEFOLD_STAGE_LANES(lanes, kWidth);
        std::uint32_t pairs[kWidth];
        alignas(64) std::int32_t code[kWidth];
        alignas(64) float margin[kWidth], optimum[kWidth];
        for (std::uint32_t l = 0; l < kWidth; ++l) {
            const BoxPick& p = s.box_faces[begin + (l < lanes ? l : 0)];
            pairs[l] = p.pair;
            code[l] = static_cast<std::int32_t>(p.face_code);
            optimum[l] = p.optimum;
            margin[l] = job.pair_margins != nullptr ? job.pair_margins[p.pair] : job.margin;
        }
        BoxLanes x;
        load_box_lanes(job, pairs, lanes, x);
        BoxClip clip;
        box_clip(x, WInt::loadu(code), WFloat::load(margin), clip);

        WFloat deepest(3.402823466e+38F);
        for (const LanePoint& p : clip.points) deepest = select(p.valid, min(p.separation, deepest), deepest);
        const WFloat size_sum = x.size_a + x.size_b;
        const WFloat size_min = min(x.size_a, x.size_b);
        const WFloat rounding = size_sum * splat(kDepthTolerance);
        const WFloat best = WFloat::load(optimum);
        const std::uint32_t proven = bits(deepest <= best + size_sum * splat(kProvenTolerance));
        const std::uint32_t deep = bits(deepest <= best + (size_min * splat(job.face_preference) + rounding));
        if (job.points == PointSelection::impact) {
            const WFloat limit = deepest + size_min * splat(kImpactBand);
            for (LanePoint& p : clip.points) p.valid = p.valid & (p.separation <= limit);
        }
        LaneStore<kBoxCandidates> stored;
        store_candidates<kBoxCandidates>(clip.points, kBoxCandidates, record_capacity<Record>(), lanes, stored);
        alignas(64) std::int32_t sides[8][kWidth], incident_axis[kWidth];
        for (int k = 0; k < 8; ++k) clip.side[k].storeu(sides[k]);
        clip.incident_axis.storeu(incident_axis);
        const std::uint32_t on_b_bits = bits(clip.plane.on_b);
        const std::uint32_t reference_up = bits(clip.normal_sign > splat(0.0F));
        const std::uint32_t incident_up = bits(clip.incident_sign > splat(0.0F));

        LaneRecord records[kWidth];
        LaneBox boxes[kWidth];
        for (std::uint32_t l = 0; l < lanes; ++l) {
            const BoxPick& pick = s.box_faces[begin + l];
            records[l].emit = false;
            if (pick.unproven != 0 && ((proven >> l) & 1U) == 0) {
                ++totals.counters.distance_finished;
                s.precise_list[s.precise_count++] = pick.pair;
                continue;
            }
            if (((deep >> l) & 1U) == 0) {
                ++totals.counters.clip_fallbacks;
                if (pick.has_edge != 0) {
                    s.box_edges[s.box_edge_count] = pick;
                    s.box_edges[s.box_edge_count].unproven = 0;
                    s.box_edges[s.box_edge_count++].face_wins = 0;
                } else {
                    s.precise_list[s.precise_count++] = pick.pair;
                }
                continue;
            }
            const bool on_b = ((on_b_bits >> l) & 1U) != 0;
            const std::uint32_t hull_a = frame_a(job, pick.pair).hull;
            const std::uint32_t hull_b = frame_b(job, pick.pair).hull;
            const std::uint32_t axis = pick.face_code < 3 ? pick.face_code : pick.face_code - 3;
            LaneBox& box = boxes[l];
            box.reference = &box_map(job.hulls[on_b ? hull_b : hull_a]);
            box.incident = &box_map(job.hulls[on_b ? hull_a : hull_b]);
            box.reference_face = 2 * axis + ((reference_up >> l) & 1U);
            box.incident_face = 2 * static_cast<std::uint32_t>(incident_axis[l]) + ((incident_up >> l) & 1U);
            const std::uint32_t number_reference = box.reference->face[box.reference_face];
            const std::uint32_t number_incident = box.incident->face[box.incident_face];
            records[l] = {pick.pair,
                          pick.optimum,
                          on_b ? number_incident : number_reference,
                          on_b ? number_reference : number_incident,
                          kBoxFeatures,
                          true,
                          false};
            ++totals.counters.face_contacts;
        }
        const auto features = [&](std::uint32_t l, std::uint32_t c, std::uint32_t& a, std::uint32_t& b) {
            const std::int32_t side = c < 8 ? sides[c][l] : -1;
            const bool on_b = ((on_b_bits >> l) & 1U) != 0;
            const LaneBox& box = boxes[l];
            candidate_features(*box.reference, *box.incident, box.reference_face, box.incident_face, c, side,
                               on_b ? b : a, on_b ? a : b);
        };
        emit_lanes(job, stored, clip.plane, records, lanes, out, totals, features);
    }
}

template <class Record>
inline void run_boxes(const ChunkJob& job, ChunkScratch::Impl& s, Record* out, ChunkTotals& totals) {
    if (s.box_count == 0) return;
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
