// SPDX-License-Identifier: MIT
//
// Face contacts of general hulls, one pair at a time: clip, decide, select, reduce, write.
#pragma once

#include "contact/hull_hold.hpp"
#include "contact/large_clip.hpp"
#include "contact/patch/reduce.hpp"
#include "record/emit.hpp"

namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE {

// Face f of a hull as a plane in A's frame.
LANEFOLD_INLINE ClipPlane plane_in_a(const HullFloats& h, std::uint32_t f, bool is_b, const PairRow& row) {
    const Point n = face_normal(h, f);
    const float d = face_offset(h, f);
    if (!is_b) return {n, d};
    const Point m = rotate_to_a(row, n);
    return {m, d + dot(m, origin_b(row))};
}

LANEFOLD_INLINE float deepest_separation(const ClipPoints& p) {
    float deepest = kHighest;
    for (std::uint32_t i = 0; i < p.count; ++i) deepest = p.separation[i] < deepest ? p.separation[i] : deepest;
    return deepest;
}

LANEFOLD_INLINE void keep_impact(ClipPoints& p, float band) {
    const float limit = deepest_separation(p) + band;
    std::uint32_t n = 0;
    for (std::uint32_t i = 0; i < p.count; ++i) {
        if (!(p.separation[i] <= limit)) continue;
        p.x[n] = p.x[i];
        p.y[n] = p.y[i];
        p.z[n] = p.z[i];
        p.separation[n] = p.separation[i];
        p.feature_a[n] = p.feature_a[i];
        p.feature_b[n] = p.feature_b[i];
        ++n;
    }
    p.count = n;
}

// Moves a pair whose points rounding has spoilt to the float64 path. Its distance is known.
LANEFOLD_INLINE void leave_to_float64(HullPairs& pairs, PreciseList& precise, std::uint32_t slot, Counters& counters) {
    ++counters.clip_fallbacks;
    precise.push(pairs.rows[slot].pair, pairs.optima[slot].value);
}

// Moves a pair whose clip does not give the contact to the closest points, the edge contacts or the float64 path.
// `proven`: the best axis is known to be the distance, and only the clipped points are too far apart. `deepest`: the
// least separation of these points.
LANEFOLD_INLINE void hand_on(HullPairs& pairs, PreciseList& precise, std::uint32_t slot, bool proven, float deepest,
                             Counters& counters) {
    if (!proven) {
        // The closest points need this value, not the separation along the best axis any more.
        pairs.optima[slot].value = deepest;
        pairs.apart.push(slot);
        return;
    }
    if (pairs.optima[slot].has_edge == 0) return leave_to_float64(pairs, precise, slot, counters);
    ++counters.clip_fallbacks;
    pairs.edges.push(slot);
}

// Whether the support vertex, seen along the normal, is inside the best face for certain: by more than rounding, which
// else might take a vertex far beyond a tip for one inside. `size_sum`: of both hulls.
inline bool support_inside_face(const ChunkJob& job, const PairRow& row, const PairOptimum& o, float size_sum) {
    const FaceHulls hulls = face_hulls(job, row, o.face_on_b);
    const HullFloats h = hull_floats(*hulls.own);
    const HullFloats other = hull_floats(*hulls.other);
    const HullTopology topology = hull_topology(*hulls.own);
    const Point s = vertex_of(other, o.support);
    const Point v = o.face_on_b != 0 ? to_b(row, s) : to_a(row, s);
    const Point n = face_normal(h, o.face);
    const std::uint32_t first = topology.face_first[o.face];
    const std::uint32_t last = topology.face_first[o.face + 1];
    Point from = vertex_of(h, topology.face_vertex[last - 1]);
    for (std::uint32_t k = first; k < last; ++k) {
        const Point to = vertex_of(h, topology.face_vertex[k]);
        const Point side = sub(to, from);
        const float room = (__builtin_fabsf(side.x) + __builtin_fabsf(side.y)) + __builtin_fabsf(side.z);
        if (!(dot(cross(n, side), sub(v, from)) >= room * (size_sum * kClipTolerance))) return false;
        from = to;
    }
    return true;
}

// Whether the best axis needs no proof that it is the distance.
LANEFOLD_INLINE bool overlap_or_edges(const PairOptimum& o) { return !(o.value > 0.0F) || o.has_edge != 0; }

// Whether it is certain before the clip that it does not change the distance: the chosen faces give the contact, or the
// float64 path makes one for the distance that is known (leave_to_float64()).
inline bool surely_chosen(const ChunkJob& job, const PairRow& row, const PairOptimum& o, float size_sum) {
    if (o.has_edge == 0 && !(o.value > 0.0F)) return true;
    if (o.has_edge != 0 && !(o.face_value + size_sum * kDepthTolerance <= row.margin)) return false;
    return support_inside_face(job, row, o, size_sum);
}

// Takes those of the first `total` picks out that are decided before the clip: they go to the pass of held faces, or to
// the last one. Returns how many are left.
inline std::uint32_t hold_before_clip(const ChunkJob& job, HullPairs& pairs, HeldPicks& held, FacePick* picks,
                                      std::uint32_t total, Counters& counters) {
    std::uint32_t count = 0;
    for (std::uint32_t k = 0; k < total; ++k) {
        const FacePick pick = picks[k];
        const PairRow& row = pairs.rows[pick.slot];
        const RecordHead head = previous_head(*job.hold, row.pair);
        if (!is_good_face(head) || same_faces(pairs, pick, head) ||
            !surely_chosen(job, row, pairs.optima[pick.slot], pairs.axes[pick.slot].size_sum)) {
            picks[count++] = pick;
            continue;
        }
        ++counters.hold_tried;
        ++counters.hold_lanes;
        if (!hold_hull(job, pairs, held, pick)) held.last[held.count_last++] = pick;
    }
    return count;
}

// Decides whether the points give the contact, and selects them; otherwise hands the pair on. `proven`: whether the
// best axis is known to be the distance. `spoilt`: whether rounding has spoilt the points (contact/tips.hpp).
LANEFOLD_INLINE bool settle_face_contact(const ChunkJob& job, HullPairs& pairs, ClipPoints& points,
                                         PreciseList& precise, const FacePick& pick, bool proven, bool spoilt,
                                         Counters& counters) {
    const AxisRow& axis = pairs.axes[pick.slot];
    const PairOptimum& o = pairs.optima[pick.slot];
    const float deepest = deepest_separation(points);
    const bool deep = deepest <= o.value + (axis.face_band + axis.size_sum * kDepthTolerance);
    if (!proven || !deep) {
        hand_on(pairs, precise, pick.slot, proven, deepest, counters);
        return false;
    }
    if (spoilt) {
        leave_to_float64(pairs, precise, pick.slot, counters);
        return false;
    }
    if (job.points == PointSelection::impact) keep_impact(points, kImpactBand * axis.size_min);
    return true;
}

// Whether the points of a contact can wait: they fit, and no ids of features are equal.
LANEFOLD_INLINE bool can_wait(const ChunkJob& job, const HullPairs& pairs, const ClipPoints& points,
                              std::uint32_t slot) {
    const PairRow& row = pairs.rows[slot];
    const std::uint64_t total_a = job.hulls[row.hull_a].feature_counts().total();
    const std::uint64_t total_b = job.hulls[row.hull_b].feature_counts().total();
    return points.count <= kQueuedPoints && total_a * total_b <= std::uint64_t{1} << 32;
}

// Whether a contact whose points are settled is written in this pass; otherwise it went to another one.
inline bool stays_in_pass(const ChunkJob& job, HullPairs& pairs, HeldPicks& held, const FacePick& pick,
                          Counters& counters) {
    if (job.hold == nullptr || held.pass != HoldPass::chosen) return true;
    const RecordHead head = previous_head(*job.hold, pairs.rows[pick.slot].pair);
    const bool edges = head.status == static_cast<std::uint8_t>(Status::ok) &&
                       head.kind == static_cast<std::uint8_t>(ContactKind::edge_edge);
    const bool faces = is_good_face(head);
    if (!(edges || faces) || same_faces(pairs, pick, head)) return true;
    ++counters.hold_tried;
    ++counters.hold_lanes;
    return !(faces && hold_hull(job, pairs, held, pick));
}

// Decides whether the clip of held faces gives the contact, and selects its points; otherwise moves the pair to the
// last pass.
inline bool settle_held_contact(const ChunkJob& job, HullPairs& pairs, HeldPicks& held, ClipPoints& points,
                                const FacePick& pick, bool spoilt, Counters& counters) {
    const AxisRow& axis = pairs.axes[pick.slot];
    const float band = axis.face_band + axis.size_min * job.hold->hysteresis;
    const bool deep =
        deepest_separation(points) <= pairs.optima[pick.slot].value + (band + axis.size_sum * kDepthTolerance);
    if (!deep || spoilt) {
        return_hull(job, pairs, held, pick.slot, spoilt, counters);
        return false;
    }
    ++counters.held;
    if (job.points == PointSelection::impact) keep_impact(points, kImpactBand * axis.size_min);
    return true;
}

// Whether the previous points of this contact are compared with those of its reduction to four. `count`: of its points.
inline bool asks_four(const ChunkJob& job, const HullPairs& pairs, const FacePick& pick, HoldPass pass) {
    if (pass == HoldPass::last) return false;
    const RecordHead head = previous_head(*job.hold, pairs.rows[pick.slot].pair);
    return is_good_face(head) && head.count == 4 && (pass == HoldPass::held || same_faces(pairs, pick, head));
}

// Replaces the places of the points that a reduction kept by those of the previous ones, where these may stay. Records
// of 16 points, and pairs of so many features that ids may be equal, are left to the float64 path.
inline void hold_reduction(const ChunkJob& job, const HullPairs& pairs, const ClipPoints& points, const FacePick& pick,
                           const Point& n, HoldPass pass, std::uint32_t* kept, ChunkTotals& totals) {
    const PairRow& row = pairs.rows[pick.slot];
    if (job.level != OutputLevel::manifold4 || !can_wait(job, pairs, points, pick.slot)) {
        job.hold->leave(row.pair);
        return;
    }
    if (!asks_four(job, pairs, pick, pass)) return;
    std::int32_t number[kQueuedPoints];
    const std::uint32_t total_b = job.hulls[row.hull_b].feature_counts().total();
    for (std::uint32_t i = 0; i < points.count; ++i)
        number[i] = static_cast<std::int32_t>(points.feature_a[i] * total_b + points.feature_b[i]);
    for (std::uint32_t i = points.count; i < lanes_up(points.count); ++i) number[i] = 0;
    const PointRows rows = {points.x.data(),          points.y.data(), points.z.data(),
                            points.separation.data(), number,          points.count};
    const FourHeld what =
        hold_four(rows, n, *job.hold, row.pair, job.hold->hysteresis * pairs.axes[pick.slot].size_min, kept);
    if (pass != HoldPass::held) count_four(what, totals.counters);
}

// Reduces the points of a contact and writes it. `outward`: the reference face's outward normal in A's frame.
template <class Record>
inline void write_face_contact(const ChunkJob& job, const HullPairs& pairs, const ClipPoints& points,
                               const FacePick& pick, const Point& outward, HoldPass pass, Record* records,
                               ChunkTotals& totals) {
    const PairRow& row = pairs.rows[pick.slot];
    const PairOptimum& o = pairs.optima[pick.slot];
    const bool on_b = o.face_on_b != 0;
    const Point n = {on_b ? -outward.x : outward.x, on_b ? -outward.y : outward.y, on_b ? -outward.z : outward.z};
    const BodyFrame& frame = frame_a(job, row.pair);
    const float* turn = frame.rotation;
    const ContactHeader header = {{row_times(turn, n), row_times(turn + 3, n), row_times(turn + 6, n)},
                                  o.value,
                                  on_b ? ContactKind::face_b : ContactKind::face_a,
                                  on_b ? pick.incident_face : o.face,
                                  on_b ? o.face : pick.incident_face};
    Record& record = records[row.pair];
    begin_record(job, row.pair, header, record);
    if constexpr (!__is_same(Record, PairDistance)) {
        record.total = static_cast<std::uint16_t>(points.count < 65535U ? points.count : 65535U);
        std::uint32_t kept[geometry::kMaxKept];
        const std::uint32_t count =
            job.method == ContactMethod::patch
                ? reduce_patch_points(points, n, kPatchSpread * pairs.axes[pick.slot].size_min, Record::kCapacity, kept)
                : reduce_points(points, n, Record::kCapacity, kept);
        const std::uint32_t total_b = job.hulls[row.hull_b].feature_counts().total();
        if (job.hold != nullptr && points.count > count)
            hold_reduction(job, pairs, points, pick, n, pass, kept, totals);
        for (std::uint32_t i = 0; i < count; ++i) {
            const std::uint32_t k = kept[i];
            const Point p = point_at(points, k);
            append_point(row_times(turn, p) + frame.offset[0], row_times(turn + 3, p) + frame.offset[1],
                         row_times(turn + 6, p) + frame.offset[2], points.separation[k],
                         feature_id(points.feature_a[k], points.feature_b[k], total_b), record);
            make_id_unique(record);
        }
    }
    ++totals.counters.face_contacts;
    count_record(job, row.pair, record, totals);
}

// Clips one pair of faces with any number of sides into s.points. Returns the reference face's outward normal in A's
// frame. Sets `spoilt` if float32 does not give the points: one beyond a sharp corner, or inside a steep face.
inline Point clip_large_faces(const ChunkJob& job, const HullPairs& pairs, ClipScratch& s, const FacePick& pick,
                              bool& spoilt) {
    const PairRow& row = pairs.rows[pick.slot];
    const AxisRow& axis = pairs.axes[pick.slot];
    const PairOptimum& o = pairs.optima[pick.slot];
    const bool on_b = o.face_on_b != 0;
    const FaceHulls hulls = face_hulls(job, row, o.face_on_b);
    const HullRecord& reference = *hulls.own;
    const HullRecord& incident = *hulls.other;
    const HullFloats reference_floats = hull_floats(reference);
    const HullFloats incident_floats = hull_floats(incident);
    const FeatureCounts reference_counts = reference.feature_counts();
    const FeatureCounts incident_counts = incident.feature_counts();
    const ClipPlane plane = plane_in_a(reference_floats, o.face, on_b, row);
    const float tolerance = kClipTolerance * axis.size_sum;
    ClipPoints& points = s.points;
    points.count = 0;
    const ClipOutput clip = {&points, plane, row.margin, !on_b};
    load_polygon(pick.polygon[0], pick.reference_sides, on_b ? &row : nullptr, s.reference);
    load_polygon(pick.polygon[1], pick.incident_sides, on_b ? nullptr : &row, s.incident);
    make_side_planes(s.reference, plane.n, 1.0F);
    make_side_planes(s.incident, plane.n, -1.0F);
    clip_incident_edges(s.reference, s.incident, o.face, reference_counts, incident_counts, tolerance, clip);
    const ClipPlane incident_plane = plane_in_a(incident_floats, pick.incident_face, !on_b, row);
    spoilt = !clip_reference_vertices(s.reference, s.incident, incident_plane, pick.incident_face, reference_counts,
                                      tolerance, clip) ||
             points.count > s.reference.count + s.incident.count ||
             beyond_tip(s.reference, plane.n, points, kTip * axis.size_sum);
    return plane.n;
}

// Whether the best axis is known to be the distance, from the points of clip_large_faces(). `spoilt`: they prove
// nothing.
inline bool large_clip_proves(const ChunkJob& job, const HullPairs& pairs, const ClipPoints& points,
                              const FacePick& pick, bool spoilt) {
    const PairOptimum& o = pairs.optima[pick.slot];
    const float size_sum = pairs.axes[pick.slot].size_sum;
    return overlap_or_edges(o) || (!spoilt && deepest_separation(points) <= o.value + size_sum * kProvenTolerance) ||
           support_inside_face(job, pairs.rows[pick.slot], o, size_sum);
}

}  // namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE
