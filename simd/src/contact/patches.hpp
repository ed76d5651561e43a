// SPDX-License-Identifier: MIT
//
// Face contacts by support patches (ContactMethod::patch). The axis, its face and the support vertex are those of the
// searches; only the points differ from those of face clipping. Patches that are single faces go through the clip in
// lanes; others are intersected one pair at a time.
#pragma once

#include "contact/lane_faces.hpp"
#include "contact/patch/clip.hpp"

namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE {

// Largest separation of points of a patch manifold. It covers the whole patch, so that points at its rim do not come
// and go with small motions.
LANEFOLD_INLINE float patch_limit(float patch_band, const PairRow& row, const AxisRow& axis, const PairOptimum& o) {
    const float reach = o.face_value + 2.0F * (patch_band * axis.size_min);
    return reach > row.margin ? reach : row.margin;
}

// Copies the points with separation up to `limit`, midway between the surfaces. Both heights of each point must be
// known.
inline void keep_patch_points(const PatchPoints& from, const Point& outward, const Point& across, const Point& along,
                              float limit, bool reference_is_a, ClipPoints& to) {
    to.count = 0;
    for (std::uint32_t i = 0; i < from.count; ++i) {
        const float separation = -from.height[kIncident][i] - from.height[kReference][i];
        if (!(separation <= limit)) continue;
        const float h = 0.5F * (from.height[kReference][i] - from.height[kIncident][i]);
        const float u = from.u[i];
        const float v = from.v[i];
        const std::uint32_t k = to.count++;
        to.x[k] = (across.x * u + along.x * v) + outward.x * h;
        to.y[k] = (across.y * u + along.y * v) + outward.y * h;
        to.z[k] = (across.z * u + along.z * v) + outward.z * h;
        to.separation[k] = separation;
        std::uint32_t number[2];
        for (int side = 0; side < 2; ++side)
            number[side] = from.feature[side][i] == kPatchFace ? static_cast<std::uint32_t>(from.face[side][i])
                                                               : from.feature[side][i];
        to.feature_a[k] = number[reference_is_a ? kReference : kIncident];
        to.feature_b[k] = number[reference_is_a ? kIncident : kReference];
    }
}

// Fills s.points; returns the outward normal of the reference face in A's frame. `doubtful`: heights are below the
// resolution of lanes.
inline Point patch_contact(const ChunkJob& job, const HullPairs& pairs, ClipScratch& s, const FacePick& pick,
                           bool& doubtful) {
    const PairRow& row = pairs.rows[pick.slot];
    const AxisRow& axis = pairs.axes[pick.slot];
    const PairOptimum& o = pairs.optima[pick.slot];
    const bool on_b = o.face_on_b != 0;
    const FaceHulls hulls = face_hulls(job, row, o.face_on_b);
    const HullRecord& reference = *hulls.own;
    const HullRecord& incident = *hulls.other;
    const HullFloats floats[2] = {hull_floats(reference), hull_floats(incident)};
    const HullTopology topology[2] = {hull_topology(reference), hull_topology(incident)};

    const Point own = face_normal(floats[0], o.face);
    const Point outward = on_b ? rotate_to_a(row, own) : own;
    const Point inwards = on_b ? outward : rotate_to_b(row, own);  // in the incident hull's frame
    const Point back = {-inwards.x, -inwards.y, -inwards.z};
    Point across;
    Point along;
    plane_axes(outward, across, along);
    const PatchFrame frame[2] = {patch_frame(row, on_b, across, along, outward, own),
                                 patch_frame(row, !on_b, across, along, {-outward.x, -outward.y, -outward.z}, back)};
    // A's origin in B's frame.
    const Point far_origin = origin_a(pairs.inverses[pick.slot]);
    const Point near_origin = {0.0F, 0.0F, 0.0F};
    const float top[2] = {face_offset(floats[0], o.face), dot(back, vertex_of(floats[1], o.support))};
    const std::uint32_t face[2] = {o.face, pick.incident_face};
    const float band = job.patch_band * axis.size_min;
    const float tolerance = kClipTolerance * axis.size_sum;
    for (std::uint32_t k = 0; k < 2; ++k) {
        PatchSide& side = s.patch.side[k];
        list_patch(floats[k], topology[k], frame[k], top[k], band, face[k], side);
        place_patch(floats[k], frame[k], side);
        place_planes(floats[k], frame[k], (k == 0) == on_b ? far_origin : near_origin, side);
        sort_corners(side);
        make_outline(side, tolerance);
    }
    const PatchSide& r = s.patch.side[kReference];
    const PatchSide& i = s.patch.side[kIncident];
    const std::uint32_t first_reference = reference.face_count + reference.edge_count;
    const std::uint32_t first_incident = incident.face_count + incident.edge_count;
    PatchPoints& points = s.patch.points;
    points.count = 0;
    if (r.corners >= 3) {
        clip_patch_vertices(r, i, first_incident, tolerance, points);
        clip_patch_corners(r, i, first_reference, tolerance, points);
        clip_patch_sides(r, i, first_reference, first_incident, tolerance, points);
    }
    const bool steep_reference = measure_patch_heights(r, kReference, tolerance, points);
    const bool steep_incident = measure_patch_heights(i, kIncident, tolerance, points);
    doubtful = steep_reference || steep_incident;
    keep_patch_points(points, outward, across, along, patch_limit(job.patch_band, row, axis, o), !on_b, s.points);
    return outward;
}

// Whether the patch below the support of height `top` along `outward` (own frame) consists of its significant face
// only.
inline bool patch_is_face(const HullFloats& h, const HullTopology& topology, const Point& outward, float top,
                          float band, std::uint32_t face) {
    const float limit = top - band;
    std::uint32_t of_face = 0;
    for (std::uint32_t k = topology.face_first[face]; k < topology.face_first[face + 1]; ++k)
        of_face += dot(outward, vertex_of(h, topology.face_vertex[k])) >= limit ? 1U : 0U;
    const WVec3 n = splat(outward);
    std::uint32_t high = 0;
    for (std::uint32_t begin = 0; begin < h.vertices && high <= of_face; begin += kWidth) {
        const WVec3 x = load_points(h.vx + begin, h.vy + begin, h.vz + begin);
        std::uint32_t busy = bits(dot(n, x) >= splat(limit));
        if (h.vertices - begin < kWidth) busy &= lane_mask(h.vertices - begin);
        for (; busy != 0; busy &= busy - 1) ++high;
    }
    return high == of_face;
}

// Whether both patches of a contact are single faces of few sides. Their outlines are then these faces, so clipping in
// lanes gives the patch manifold.
inline bool patches_are_faces(const ChunkJob& job, const HullPairs& pairs, const FacePick& pick) {
    if (pick.reference_sides > kMostLaneSides || pick.incident_sides > kMostLaneSides) return false;
    const PairRow& row = pairs.rows[pick.slot];
    const PairOptimum& o = pairs.optima[pick.slot];
    const bool on_b = o.face_on_b != 0;
    const FaceHulls hulls = face_hulls(job, row, o.face_on_b);
    const HullFloats r = hull_floats(*hulls.own);
    const HullFloats i = hull_floats(*hulls.other);
    const Point own = face_normal(r, o.face);
    const Point inwards = on_b ? rotate_to_a(row, own) : rotate_to_b(row, own);
    const Point back = {-inwards.x, -inwards.y, -inwards.z};
    const float band = job.patch_band * pairs.axes[pick.slot].size_min;
    return patch_is_face(r, hull_topology(*hulls.own), own, face_offset(r, o.face), band, o.face) &&
           patch_is_face(i, hull_topology(*hulls.other), back, dot(back, vertex_of(i, o.support)), band,
                         pick.incident_face);
}

// Whether the best axis is known to be the distance. For hulls that are apart the clipped faces decide it, in the code
// that clips such faces with ContactMethod::clip. So the distance does not depend on the method, to the last bit.
inline bool clip_proves(const ChunkJob& job, const HullPairs& pairs, ClipScratch& s, const FacePick& pick) {
    const PairOptimum& o = pairs.optima[pick.slot];
    if (overlap_or_edges(o) || support_inside_face(job, pairs.rows[pick.slot], o, pairs.axes[pick.slot].size_sum))
        return true;
    const std::uint32_t most = pick.reference_sides > pick.incident_sides ? pick.reference_sides : pick.incident_sides;
    if (most <= kFewSides) return lane_clip_proves<kFewSides>(job, pairs, pick);
    if (most <= kMostLaneSides) return lane_clip_proves<kMostLaneSides>(job, pairs, pick);
    bool spoilt = false;
    clip_large_faces(job, pairs, s, pick, spoilt);
    return large_clip_proves(job, pairs, s.points, pick, spoilt);
}

// Makes the contacts of all of pairs.faces.
template <class Record>
inline void stage_patch_contacts(const ChunkJob& job, HullPairs& pairs, ContactScratch& s, PreciseList& precise,
                                 Record* out, ChunkTotals& totals) {
    FacePick* picks = s.picks.all.data();
    pick_faces(job, pairs, pairs.faces, picks);
    std::uint32_t count = 0;
    for (std::uint32_t k = 0; k < pairs.faces.count; ++k) {
        const FacePick pick = picks[k];
        if (patches_are_faces(job, pairs, pick)) {
            picks[count++] = pick;
            continue;
        }
        const bool proven = clip_proves(job, pairs, s.clip, pick);
        bool doubtful = false;
        const Point outward = patch_contact(job, pairs, s.clip, pick, doubtful);
        const PatchScratch& patch = s.clip.patch;
        const bool spoilt =
            doubtful || beyond_tip(patch.side[kReference], patch.points, kTip * pairs.axes[pick.slot].size_sum);
        if (settle_face_contact(job, pairs, s.clip.points, precise, pick, proven, spoilt, totals.counters))
            write_face_contact(job, pairs, s.clip.points, pick, outward, HoldPass::chosen, out, totals);
    }
    sorted_lane_contacts<true>(job, pairs, s.picks, s.held, precise, count, out, totals);
}

}  // namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE
