// SPDX-License-Identifier: MIT
//
// Face contacts of general hulls with lanes = pairs, for faces of up to 4 or up to 8 sides: gather the polygons, clip,
// decide, write. What has more sides goes through hull_face_contact.hpp.
#pragma once

#include "hull_face_contact.hpp"
#include "lane_clip.hpp"
#include "lane_patch_reduce.hpp"

namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE {

// Face `face` of a hull in its own frame as rows of floats: x, y and z of kSides vertices (slots beyond the count repeat
// the first), then the plane. 16 floats for four sides, 28 of 32 for eight.
template <int kSides>
constexpr std::size_t polygon_row() {
    return kSides > 4 ? 32 : 16;
}

// Whole vectors are written: what they leave behind the row belongs to the next one, or to its end's padding.
template <int kSides, std::uint32_t kVectors>
LANEFOLD_INLINE void write_corners(const HullFloats& h, WInt corner, float* row) {
    look_up<kVectors>(h.vx, corner).storeu(row);
    look_up<kVectors>(h.vy, corner).storeu(row + kSides);
    look_up<kVectors>(h.vz, corner).storeu(row + 2 * kSides);
}

template <int kSides>
LANEFOLD_INLINE void write_polygon(const HullFloats& h, const std::uint16_t* loop, std::uint32_t face,
                                   std::uint32_t count, float* row) {
    constexpr bool kWide = kLookUpVectors >= 4 && kWidth >= static_cast<std::uint32_t>(kSides);
    if (kWide && h.vertices <= 4 * kWidth) {
        // The lanes beyond the loop read what follows it in the block.
        const WInt corner = select(WInt::iota() < WInt(static_cast<std::int32_t>(count)), load_u16(loop),
                                   WInt(static_cast<std::int32_t>(loop[0])));
        if (h.vertices <= kWidth)
            write_corners<kSides, 1>(h, corner, row);
        else if (h.vertices <= 2 * kWidth)
            write_corners<kSides, 2>(h, corner, row);
        else
            write_corners<kSides, 4>(h, corner, row);
    } else {
        for (std::uint32_t k = 0; k < static_cast<std::uint32_t>(kSides); ++k) {
            const std::uint32_t v = loop[k < count ? k : 0];
            row[k] = h.vx[v];
            row[kSides + k] = h.vy[v];
            row[2 * kSides + k] = h.vz[v];
        }
    }
    row[3 * kSides] = h.nx[face];
    row[3 * kSides + 1] = h.ny[face];
    row[3 * kSides + 2] = h.nz[face];
    row[3 * kSides + 3] = h.d[face];
}

template <int kSides>
LANEFOLD_INLINE void load_polygons(const float* rows, LaneFace<kSides>& out) {
    constexpr std::size_t kRow = polygon_row<kSides>();
    WFloat c[32];
    for (std::size_t half = 0; half < kRow; half += 16) {
        const float* at[kWidth];
        for (std::uint32_t l = 0; l < kWidth; ++l) at[l] = rows + l * kRow + half;
        load_rows16(at, c + half);
    }
    for (int k = 0; k < kSides; ++k) out.x[k] = {c[k], c[kSides + k], c[2 * kSides + k]};
    out.n = {c[3 * kSides], c[3 * kSides + 1], c[3 * kSides + 2]};
    out.d = c[3 * kSides + 3];
}

// The canonical numbers of the features around a face.
struct FaceNumbers {
    const std::uint16_t* vertex;  // the loop
    const std::uint16_t* edge;
    std::uint32_t face;
    std::uint32_t first_edge;
    std::uint32_t first_vertex;
};

LANEFOLD_INLINE FaceNumbers face_numbers(const HullRecord& h, const HullTopology& topology, std::uint32_t face) {
    const std::uint32_t first = topology.face_first[face];
    return {topology.face_vertex + first, topology.face_edge + first, face, h.face_count, h.face_count + h.edge_count};
}

// What candidate c of the clip is made of: a corner of the reference face (corner >= 0), else of incident side c / 2 its
// first vertex (side < 0) or its crossing with a reference side. Selects, not branches: nobody can foresee which.
LANEFOLD_INLINE void name_features(const FaceNumbers& reference, const FaceNumbers& incident, std::uint32_t c,
                                   std::int32_t corner, std::int32_t side, std::uint32_t& on_reference,
                                   std::uint32_t& on_incident) {
    const bool is_corner = corner >= 0;
    const bool is_vertex = side < 0;
    const std::uint32_t k = is_corner ? 0 : c / 2;
    const std::uint32_t reference_vertex = reference.first_vertex + reference.vertex[is_corner ? corner : 0];
    const std::uint32_t reference_edge = reference.first_edge + reference.edge[is_vertex ? 0 : side];
    const std::uint32_t incident_vertex = incident.first_vertex + incident.vertex[k];
    const std::uint32_t incident_edge = incident.first_edge + incident.edge[k];
    const std::uint32_t along = is_vertex ? reference.face : reference_edge;
    const std::uint32_t clipped = is_vertex ? incident_vertex : incident_edge;
    on_reference = is_corner ? reference_vertex : along;
    on_incident = is_corner ? incident.face : clipped;
}

// The same for support patches that are single faces: a crossing has the names of the vertices at which the two sides
// start, counter-clockwise seen from outside the reference face. The incident face's loop runs the other way.
LANEFOLD_INLINE void name_patch_features(const FaceNumbers& reference, const FaceNumbers& incident,
                                         std::uint32_t incident_sides, std::uint32_t c, std::int32_t corner,
                                         std::int32_t side, std::uint32_t& on_reference, std::uint32_t& on_incident) {
    const bool is_corner = corner >= 0;
    const bool is_vertex = side < 0;
    const std::uint32_t k = is_corner ? 0 : c / 2;
    const std::uint32_t start = k + 1 == incident_sides ? 0 : k + 1;
    const std::int32_t at = is_corner ? corner : is_vertex ? 0 : side;
    const std::uint32_t reference_vertex = reference.first_vertex + reference.vertex[at];
    const std::uint32_t incident_vertex = incident.first_vertex + incident.vertex[is_vertex ? k : start];
    on_reference = !is_corner && is_vertex ? reference.face : reference_vertex;
    on_incident = is_corner ? incident.face : incident_vertex;
}

// Up to where points of a patch manifold count: its rim does not come and go with the tremor that it is there to ignore.
LANEFOLD_INLINE float patch_limit(const PairRow& row, const AxisRow& axis, const PairOptimum& o) {
    const float reach = o.face_value + 2.0F * (kPatchBand * axis.size_min);
    return reach > row.margin ? reach : row.margin;
}

// kPatch: the manifolds of support patches that are single faces (ContactMethod::patch).
template <int kSides, bool kPatch, class Record>
inline void lane_face_contacts(const ChunkJob& job, ChunkScratch::Impl& s, const FacePick* picks, std::uint32_t count,
                               Record* out, ChunkTotals& totals) {
    constexpr std::size_t kRow = polygon_row<kSides>();
    for (std::uint32_t begin = 0; begin < count; begin += kWidth) {
        const std::uint32_t lanes = count - begin < kWidth ? count - begin : kWidth;
        LANEFOLD_STAGE_LANES(lanes, kWidth);
        alignas(64) float polygons_a[kWidth * kRow + kBlockLanes];
        alignas(64) float polygons_b[kWidth * kRow + kBlockLanes];
        FaceNumbers numbers_a[kWidth];
        FaceNumbers numbers_b[kWidth];
        std::uint32_t reference_most = 3;
        std::uint32_t incident_most = 3;
        const float* poses[kWidth];
        const float* frames[kWidth];
        alignas(64) std::int32_t count_a[kWidth], count_b[kWidth], on_b_lanes[kWidth];
        alignas(64) float margin[kWidth], optimum[kWidth], band[kWidth], size_sum[kWidth], size_min[kWidth];
        for (std::uint32_t l = 0; l < kWidth; ++l) {
            const FacePick& p = picks[begin + (l < lanes ? l : 0)];
            const PairRow& row = s.rows[p.slot];
            const AxisRow& axis = s.axes[p.slot];
            const PairOptimum& o = s.optimum[p.slot];
            const bool on_b = o.face_on_b != 0;
            const HullRecord& a = job.hulls[row.hull_a];
            const HullRecord& b = job.hulls[row.hull_b];
            reference_most = p.reference_sides > reference_most ? p.reference_sides : reference_most;
            incident_most = p.incident_sides > incident_most ? p.incident_sides : incident_most;
            const std::uint32_t sides_a = on_b ? p.incident_sides : p.reference_sides;
            const std::uint32_t sides_b = on_b ? p.reference_sides : p.incident_sides;
            count_a[l] = static_cast<std::int32_t>(sides_a);
            count_b[l] = static_cast<std::int32_t>(sides_b);
            numbers_a[l] = face_numbers(a, hull_topology(a), on_b ? p.incident_face : o.face);
            numbers_b[l] = face_numbers(b, hull_topology(b), on_b ? o.face : p.incident_face);
            write_polygon<kSides>(hull_floats(a), numbers_a[l].vertex, numbers_a[l].face, sides_a,
                                  polygons_a + l * kRow);
            write_polygon<kSides>(hull_floats(b), numbers_b[l].vertex, numbers_b[l].face, sides_b,
                                  polygons_b + l * kRow);
            poses[l] = row.r;
            frames[l] = frame_a(job, row.pair).rotation;
            on_b_lanes[l] = on_b ? 1 : 0;
            margin[l] = kPatch ? patch_limit(row, axis, o) : row.margin;
            optimum[l] = o.edge_value;
            band[l] = axis.face_band;
            size_sum[l] = axis.size_sum;
            size_min[l] = axis.size_min;
        }
        LaneFace<kSides> a;
        LaneFace<kSides> b;
        load_polygons<kSides>(polygons_a, a);
        load_polygons<kSides>(polygons_b, b);
        a.count = WInt::loadu(count_a);
        b.count = WInt::loadu(count_b);
        // B's polygon into A's frame.
        WFloat pose[16];
        load_rows16(poses, pose);
        const WVec3 row0 = {pose[0], pose[1], pose[2]};
        const WVec3 row1 = {pose[3], pose[4], pose[5]};
        const WVec3 row2 = {pose[6], pose[7], pose[8]};
        const WVec3 t = {pose[9], pose[10], pose[11]};
        const std::size_t most = reference_most > incident_most ? reference_most : incident_most;
        for (std::size_t k = 0; k < most; ++k)
            b.x[k] = WVec3{dot(row0, b.x[k]), dot(row1, b.x[k]), dot(row2, b.x[k])} + t;
        b.n = {dot(row0, b.n), dot(row1, b.n), dot(row2, b.n)};
        b.d = b.d + dot(b.n, t);
        const WMask on_b = WInt::loadu(on_b_lanes) == WInt(1);
        LaneFace<kSides> reference;
        LaneFace<kSides> incident;
        for (std::size_t k = 0; k < most; ++k) {
            reference.x[k] = select(on_b, b.x[k], a.x[k]);
            incident.x[k] = select(on_b, a.x[k], b.x[k]);
        }
        reference.n = select(on_b, b.n, a.n);
        incident.n = select(on_b, a.n, b.n);
        reference.d = select(on_b, b.d, a.d);
        incident.d = select(on_b, a.d, b.d);
        reference.count = select(on_b, b.count, a.count);
        incident.count = select(on_b, a.count, b.count);

        LaneClip<kSides> clip;
        const WFloat sizes = WFloat::load(size_sum);
        lane_clip<kSides>(reference_most, incident_most, reference, incident, sizes, WFloat::load(margin), clip);

        WFloat deepest(3.402823466e+38F);
        const std::uint32_t corners = 2 * incident_most;  // where the reference face's begin
        const int used = static_cast<int>(corners + reference_most);
        for (int c = 0; c < used; ++c) {
            const LanePoint& p = clip.points[c];
            deepest = select(p.valid, min(p.separation, deepest), deepest);
        }
        const WFloat best = WFloat::load(optimum);
        const std::uint32_t proven = bits(deepest <= best + sizes * splat(kProvenTolerance));
        const std::uint32_t deep = bits(deepest <= best + (WFloat::load(band) + sizes * splat(kDepthTolerance)));
        if (job.points == PointSelection::impact) {
            const WFloat limit = deepest + WFloat::load(size_min) * splat(kImpactBand);
            for (int c = 0; c < used; ++c)
                clip.points[c].valid = clip.points[c].valid & (clip.points[c].separation <= limit);
        }
        LaneStore<LaneClip<kSides>::kCandidates> stored;
        if constexpr (kPatch) {
            const WFloat spread = WFloat::load(size_min) * splat(kPatchSpread);
            store_candidates<LaneClip<kSides>::kCandidates>(
                clip.points, used, record_capacity<Record>(), lanes, stored,
                [&](LanePoint* p, int n, WMask crowded) { reduce_patch_lanes(p, n, crowded, on_b, spread); });
        } else {
            store_candidates<LaneClip<kSides>::kCandidates>(clip.points, used, record_capacity<Record>(), lanes,
                                                            stored);
        }
        alignas(64) std::int32_t sides[static_cast<std::size_t>(2 * kSides)][kWidth];
        for (std::uint32_t k = 0; k < corners; ++k) clip.side[k].storeu(sides[k]);

        // The contact plane into the world.
        WFloat frame[16];
        load_rows16(frames, frame);
        const WVec3 world0 = {frame[0], frame[1], frame[2]};
        const WVec3 world1 = {frame[3], frame[4], frame[5]};
        const WVec3 world2 = {frame[6], frame[7], frame[8]};
        const auto to_world = [&](const WVec3& x) { return WVec3{dot(world0, x), dot(world1, x), dot(world2, x)}; };
        const LanePlane plane = {to_world(clip.u), to_world(clip.v), to_world(reference.n),
                                 to_world(clip.origin) + WVec3{frame[9], frame[10], frame[11]}, on_b};

        LaneRecord records[kWidth];
        for (std::uint32_t l = 0; l < lanes; ++l) {
            const FacePick& p = picks[begin + l];
            const PairRow& row = s.rows[p.slot];
            const PairOptimum& o = s.optimum[p.slot];
            records[l].emit = false;
            if (!face_contact_stands(s, p, ((proven >> l) & 1U) != 0, ((deep >> l) & 1U) != 0, totals.counters))
                continue;
            const bool b_side = o.face_on_b != 0;
            const std::uint32_t total_a = job.hulls[row.hull_a].feature_counts().total();
            const std::uint32_t total_b = job.hulls[row.hull_b].feature_counts().total();
            records[l] = {row.pair,
                          o.edge_value,
                          b_side ? p.incident_face : o.face,
                          b_side ? o.face : p.incident_face,
                          total_b,
                          true,
                          static_cast<std::uint64_t>(total_a) * total_b > (std::uint64_t{1} << 32)};
            ++totals.counters.face_contacts;
        }
        const auto features = [&](std::uint32_t l, std::uint32_t c, std::uint32_t& number_a, std::uint32_t& number_b) {
            const bool b_side = on_b_lanes[l] != 0;
            const FaceNumbers& reference_numbers = b_side ? numbers_b[l] : numbers_a[l];
            const FaceNumbers& incident_numbers = b_side ? numbers_a[l] : numbers_b[l];
            const auto corner = static_cast<std::int32_t>(c) - static_cast<std::int32_t>(corners);
            std::uint32_t on_reference = 0;
            std::uint32_t on_incident = 0;
            const std::int32_t side = sides[corner < 0 ? c : 0][l];
            if constexpr (kPatch) {
                name_patch_features(reference_numbers, incident_numbers, picks[begin + l].incident_sides, c, corner,
                                    side, on_reference, on_incident);
            } else {
                name_features(reference_numbers, incident_numbers, c, corner, side, on_reference, on_incident);
            }
            number_a = b_side ? on_incident : on_reference;
            number_b = b_side ? on_reference : on_incident;
        };
        emit_lanes(job, stored, plane, records, lanes, out, totals, features);
    }
}

// Faces of more sides than this are clipped one pair at a time.
inline constexpr std::uint32_t kMostLaneSides = 8;

// The first `count` of s.picks. Batches of like numbers of sides, so that no lane waits for a bigger face.
template <bool kPatch, class Record>
inline void sorted_lane_contacts(const ChunkJob& job, ChunkScratch::Impl& s, std::uint32_t count, Record* out,
                                 ChunkTotals& totals) {
    constexpr std::uint32_t kKeys = (kMostLaneSides + 1) * (kMostLaneSides + 1);
    // By the larger of the two counts, then by the reference face's.
    const auto key = [](const FacePick& p) {
        const std::uint32_t most = p.reference_sides > p.incident_sides ? p.reference_sides : p.incident_sides;
        return most * (kMostLaneSides + 1) + p.reference_sides;
    };
    std::uint32_t first[kKeys + 1] = {};
    for (std::uint32_t k = 0; k < count; ++k) ++first[key(s.picks[k]) + 1];
    for (std::uint32_t n = 0; n < kKeys; ++n) first[n + 1] += first[n];
    const std::uint32_t small = first[5 * (kMostLaneSides + 1)];  // up to 4 sides
    for (std::uint32_t k = 0; k < count; ++k) s.sorted_picks[first[key(s.picks[k])]++] = s.picks[k];
    lane_face_contacts<4, kPatch>(job, s, s.sorted_picks.data(), small, out, totals);
    lane_face_contacts<8, kPatch>(job, s, s.sorted_picks.data() + small, count - small, out, totals);
}

// All of face_list.
template <class Record>
inline void stage_face_contacts(const ChunkJob& job, ChunkScratch::Impl& s, Record* out, ChunkTotals& totals) {
    std::uint32_t count = 0;
    for (std::uint32_t k = 0; k < s.face_count; ++k) {
        const FacePick pick = pick_faces(job, s, s.face_list[k]);
        if (pick.reference_sides <= kMostLaneSides && pick.incident_sides <= kMostLaneSides)
            s.picks[count++] = pick;
        else
            large_face_contact(job, s, pick, out, totals);
    }
    sorted_lane_contacts<false>(job, s, count, out, totals);
}

}  // namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE
