// SPDX-License-Identifier: MIT
//
// Face contacts of general hulls with lanes = pairs, for faces of up to 4 or up to 8 sides: gather the polygons, clip,
// decide, write. What has more sides goes through hull_face_contact.hpp.
#pragma once

#include "hull_face_contact.hpp"
#include "lane_clip.hpp"

namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE {

// Face `face` of a hull in its own frame as rows of 16 floats: the vertices, then the plane.
// Four sides: x0 y0 z0 .. z3, nx ny nz d. Eight: 24 floats of vertices, the plane, 4 unused.
template <int kSides>
LANEFOLD_INLINE void write_polygon(const HullFloats& h, const HullTopology& topology, std::uint32_t face,
                                   std::uint32_t count, float* row) {
    const std::uint16_t* loop = topology.face_vertex + topology.face_first[face];
    for (std::uint32_t k = 0; k < static_cast<std::uint32_t>(kSides); ++k) {
        const std::uint32_t v = loop[k < count ? k : 0];
        row[3 * k] = h.vx[v];
        row[3 * k + 1] = h.vy[v];
        row[3 * k + 2] = h.vz[v];
    }
    row[3 * kSides] = h.nx[face];
    row[3 * kSides + 1] = h.ny[face];
    row[3 * kSides + 2] = h.nz[face];
    row[3 * kSides + 3] = h.d[face];
}

template <int kSides>
LANEFOLD_INLINE void load_polygons(const float* const* rows, LaneFace<kSides>& out) {
    WFloat c[32];
    load_rows16(rows, c);
    if constexpr (kSides > 4) {
        const float* second[kWidth];
        for (std::uint32_t l = 0; l < kWidth; ++l) second[l] = rows[l] + 16;
        load_rows16(second, c + 16);
    }
    for (int k = 0; k < kSides; ++k) out.x[k] = {c[3 * k], c[3 * k + 1], c[3 * k + 2]};
    out.n = {c[3 * kSides], c[3 * kSides + 1], c[3 * kSides + 2]};
    out.d = c[3 * kSides + 3];
}

template <int kSides, class Record>
inline void lane_face_contacts(const ChunkJob& job, ChunkScratch::Impl& s, const FacePick* picks, std::uint32_t count,
                               Record* out, ChunkTotals& totals) {
    constexpr std::size_t kRow = kSides > 4 ? 32 : 16;
    for (std::uint32_t begin = 0; begin < count; begin += kWidth) {
        const std::uint32_t lanes = count - begin < kWidth ? count - begin : kWidth;
        LANEFOLD_STAGE_LANES(lanes, kWidth);
        alignas(64) float polygons_a[kWidth][kRow];
        alignas(64) float polygons_b[kWidth][kRow];
        int most = 3;
        const float* rows_a[kWidth];
        const float* rows_b[kWidth];
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
            most = p.reference_sides > static_cast<std::uint32_t>(most) ? static_cast<int>(p.reference_sides) : most;
            most = p.incident_sides > static_cast<std::uint32_t>(most) ? static_cast<int>(p.incident_sides) : most;
            count_a[l] = static_cast<std::int32_t>(on_b ? p.incident_sides : p.reference_sides);
            count_b[l] = static_cast<std::int32_t>(on_b ? p.reference_sides : p.incident_sides);
            write_polygon<kSides>(hull_floats(a), hull_topology(a), on_b ? p.incident_face : o.face,
                                  static_cast<std::uint32_t>(count_a[l]), polygons_a[l]);
            write_polygon<kSides>(hull_floats(b), hull_topology(b), on_b ? o.face : p.incident_face,
                                  static_cast<std::uint32_t>(count_b[l]), polygons_b[l]);
            rows_a[l] = polygons_a[l];
            rows_b[l] = polygons_b[l];
            poses[l] = row.r;
            frames[l] = frame_a(job, row.pair).rotation;
            on_b_lanes[l] = on_b ? 1 : 0;
            margin[l] = row.margin;
            optimum[l] = o.edge_value;
            band[l] = axis.face_band;
            size_sum[l] = axis.size_sum;
            size_min[l] = axis.size_min;
        }
        LaneFace<kSides> a;
        LaneFace<kSides> b;
        load_polygons<kSides>(rows_a, a);
        load_polygons<kSides>(rows_b, b);
        a.count = WInt::loadu(count_a);
        b.count = WInt::loadu(count_b);
        // B's polygon into A's frame.
        WFloat pose[16];
        load_rows16(poses, pose);
        const WVec3 row0 = {pose[0], pose[1], pose[2]};
        const WVec3 row1 = {pose[3], pose[4], pose[5]};
        const WVec3 row2 = {pose[6], pose[7], pose[8]};
        const WVec3 t = {pose[9], pose[10], pose[11]};
        for (WVec3& x : b.x) x = WVec3{dot(row0, x), dot(row1, x), dot(row2, x)} + t;
        b.n = {dot(row0, b.n), dot(row1, b.n), dot(row2, b.n)};
        b.d = b.d + dot(b.n, t);
        const WMask on_b = WInt::loadu(on_b_lanes) == WInt(1);
        LaneFace<kSides> reference;
        LaneFace<kSides> incident;
        for (std::size_t k = 0; k < static_cast<std::size_t>(kSides); ++k) {
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
        lane_clip<kSides>(most, reference, incident, sizes, WFloat::load(margin), clip);

        WFloat deepest(3.402823466e+38F);
        const int used = 3 * most;
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
        store_candidates<LaneClip<kSides>::kCandidates>(clip.points, used, record_capacity<Record>(), lanes, stored);
        alignas(64) std::int32_t sides[static_cast<std::size_t>(2 * kSides)][kWidth];
        for (int k = 0; k < 2 * most; ++k) clip.side[k].storeu(sides[k]);

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
            const FacePick& p = picks[begin + l];
            const PairRow& row = s.rows[p.slot];
            const PairOptimum& o = s.optimum[p.slot];
            const bool b_side = o.face_on_b != 0;
            const HullRecord& ref = job.hulls[b_side ? row.hull_b : row.hull_a];
            const HullRecord& inc = job.hulls[b_side ? row.hull_a : row.hull_b];
            std::uint32_t number_reference = o.face;
            std::uint32_t number_incident = p.incident_face;
            if (c >= 2U * static_cast<std::uint32_t>(most)) {
                const HullTopology topology = hull_topology(ref);
                const std::uint32_t v =
                    topology.face_vertex[topology.face_first[o.face] + c - 2U * static_cast<std::uint32_t>(most)];
                number_reference = ref.face_count + ref.edge_count + v;
            } else {
                const HullTopology topology = hull_topology(inc);
                const std::uint32_t slot = topology.face_first[p.incident_face] + c / 2;
                const std::int32_t side = sides[c][l];
                if (side < 0) {
                    number_incident = inc.face_count + inc.edge_count + topology.face_vertex[slot];
                } else {
                    const HullTopology other = hull_topology(ref);
                    number_incident = inc.face_count + topology.face_edge[slot];
                    number_reference =
                        ref.face_count + other.face_edge[other.face_first[o.face] + static_cast<std::uint32_t>(side)];
                }
            }
            number_a = b_side ? number_incident : number_reference;
            number_b = b_side ? number_reference : number_incident;
        };
        emit_lanes(job, stored, plane, records, lanes, out, totals, features);
    }
}

// All of face_list. Batches of equal numbers of sides, so that no lane waits for a bigger face.
template <class Record>
inline void stage_face_contacts(const ChunkJob& job, ChunkScratch::Impl& s, Record* out, ChunkTotals& totals) {
    constexpr std::uint32_t kMost = 8;
    std::uint32_t first[kMost + 2] = {};
    for (std::uint32_t k = 0; k < s.face_count; ++k) {
        FacePick& pick = s.picks[k];
        pick = pick_faces(job, s, s.face_list[k]);
        const std::uint32_t sides =
            pick.reference_sides > pick.incident_sides ? pick.reference_sides : pick.incident_sides;
        pick.most_sides = sides;
        if (sides <= kMost)
            ++first[sides + 1];
        else
            large_face_contact(job, s, pick, out, totals);
    }
    for (std::uint32_t n = 0; n <= kMost; ++n) first[n + 1] += first[n];
    const std::uint32_t small = first[5];  // up to 4 sides
    const std::uint32_t all = first[kMost + 1];
    for (std::uint32_t k = 0; k < s.face_count; ++k)
        if (s.picks[k].most_sides <= kMost) s.sorted_picks[first[s.picks[k].most_sides]++] = s.picks[k];
    lane_face_contacts<4>(job, s, s.sorted_picks.data(), small, out, totals);
    lane_face_contacts<8>(job, s, s.sorted_picks.data() + small, all - small, out, totals);
}

}  // namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE
