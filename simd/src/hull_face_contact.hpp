// SPDX-License-Identifier: MIT
//
// Face contacts of general hulls: incident face, clipping, selection, reduction, record.
#pragma once

#include "emit.hpp"
#include "hull_clip.hpp"
#include "patch_reduce.hpp"

namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE {

// Rounding allowed, in (size A + size B), when the deepest clipped point is compared with the optimum.
inline constexpr float kDepthTolerance = 2e-6F;

// Apart: a clipped point no further than the best axis says, but for this in (size A + size B), proves that the axis'
// separation IS the distance.
inline constexpr float kProvenTolerance = 2.5e-7F;

// PointSelection::impact keeps points within this above the deepest one, relative to the smaller hull.
inline constexpr float kImpactBand = 1e-3F;

// The incident face must contain the support vertex ("most anti-parallel" alone can lose the deepest point): among the
// faces around it, the one most against `n` (in the incident hull's frame); lowest index on ties.
inline std::uint32_t incident_face_scan(const HullFloats& h, const std::uint16_t* faces, std::uint32_t count,
                                        const Point& n) {
    std::uint32_t best = 0;
    float lowest = 3.402823466e+38F;
    for (std::uint32_t k = 0; k < count; ++k) {
        const std::uint32_t f = faces[k];
        const float c = (h.nx[f] * n.x + h.ny[f] * n.y) + h.nz[f] * n.z;
        const bool lower = c < lowest;
        lowest = lower ? c : lowest;
        best = lower ? f : best;
    }
    return best;
}

// The same for up to a vector of faces.
template <std::uint32_t kVectors>
LANEFOLD_INLINE std::uint32_t incident_face_lanes(const HullFloats& h, const std::uint16_t* faces, std::uint32_t count,
                                                  const Point& n) {
    const WInt f = load_u16(faces);
    const WFloat c = (look_up<kVectors>(h.nx, f) * splat(n.x) + look_up<kVectors>(h.ny, f) * splat(n.y)) +
                     look_up<kVectors>(h.nz, f) * splat(n.z);
    const WFloat against = select(WInt::iota() < WInt(static_cast<std::int32_t>(count)), negate(c), splat(kLowest));
    return faces[lowest_bit(bits(against == splat(reduce_max(against))))];
}

LANEFOLD_INLINE std::uint32_t incident_face(const HullFloats& h, const HullTopology& topology, std::uint32_t vertex,
                                            const Point& n) {
    const std::uint32_t first = topology.vertex_first[vertex];
    const std::uint32_t count = topology.vertex_first[vertex + 1] - first;
    const std::uint16_t* faces = topology.vertex_face + first;
    if (kLookUpVectors >= 4 && count <= kWidth && h.faces <= 4 * kWidth) {
        if (h.faces <= kWidth) return incident_face_lanes<1>(h, faces, count, n);
        if (h.faces <= 2 * kWidth) return incident_face_lanes<2>(h, faces, count, n);
        return incident_face_lanes<4>(h, faces, count, n);
    }
    return incident_face_scan(h, faces, count, n);
}

// Face f of a hull as a plane in A's frame.
LANEFOLD_INLINE ClipPlane plane_in_a(const HullFloats& h, std::uint32_t f, bool is_b, const PairRow& row) {
    const Point n = {h.nx[f], h.ny[f], h.nz[f]};
    if (!is_b) return {n, h.d[f]};
    const Point m = rotate_to_a(row, n);
    return {m, h.d[f] + ((m.x * row.t[0] + m.y * row.t[1]) + m.z * row.t[2])};
}

LANEFOLD_INLINE float deepest_separation(const ClipPoints& p) {
    float d = 3.402823466e+38F;
    for (std::uint32_t i = 0; i < p.count; ++i) d = p.separation[i] < d ? p.separation[i] : d;
    return d;
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

// Both faces of the contact in `slot`.
inline FacePick pick_faces(const ChunkJob& job, const ChunkScratch::Impl& s, std::uint32_t slot) {
    const PairRow& row = s.rows[slot];
    const PairOptimum& o = s.optimum[slot];
    const bool on_b = o.face_on_b != 0;
    const HullRecord& reference = job.hulls[on_b ? row.hull_b : row.hull_a];
    const HullRecord& incident = job.hulls[on_b ? row.hull_a : row.hull_b];
    const HullFloats f = hull_floats(reference);
    const HullTopology reference_topology = hull_topology(reference);
    const HullTopology incident_topology = hull_topology(incident);
    const Point n = {f.nx[o.face], f.ny[o.face], f.nz[o.face]};
    const std::uint32_t face = incident_face(hull_floats(incident), incident_topology, o.support,
                                             on_b ? rotate_to_a(row, n) : rotate_to_b(row, n));
    const auto sides = [](const HullTopology& t, std::uint32_t f_index) {
        return static_cast<std::uint32_t>(t.face_first[f_index + 1]) - t.face_first[f_index];
    };
    return {slot, face, sides(reference_topology, o.face), sides(incident_topology, face)};
}

// What becomes of a clipped contact. `proven`: some point is as close as the best axis says; `deep`: about as
// close. False: it does not stand and was handed on, to the float64 path or to the edge contacts.
LANEFOLD_INLINE bool face_contact_stands(ChunkScratch::Impl& s, const FacePick& pick, bool proven, bool deep,
                                         Counters& counters) {
    const PairOptimum& o = s.optimum[pick.slot];
    if (o.unproven != 0 && !proven) {
        ++counters.distance_finished;
        s.precise_list[s.precise_count++] = s.rows[pick.slot].pair;
        return false;
    }
    if (deep) return true;
    ++counters.clip_fallbacks;
    if (o.has_edge != 0)
        s.edge_list[s.edge_count++] = pick.slot;
    else
        s.precise_list[s.precise_count++] = s.rows[pick.slot].pair;  // rounding undid the clip
    return false;
}

// What is left to do with the points of a contact (s.points, out: the reference face's outward normal in A's frame):
// does it stand, selection, reduction, record.
template <class Record>
inline void finish_face_contact(const ChunkJob& job, ChunkScratch::Impl& s, const FacePick& pick, const Point& out,
                                Record* records, ChunkTotals& totals) {
    const PairRow& row = s.rows[pick.slot];
    const AxisRow& axis = s.axes[pick.slot];
    const PairOptimum& o = s.optimum[pick.slot];
    const bool on_b = o.face_on_b != 0;
    ClipPoints& points = s.points;
    const float deepest = deepest_separation(points);
    const bool proven = deepest <= o.edge_value + axis.size_sum * kProvenTolerance;
    const bool deep = deepest <= o.edge_value + (axis.face_band + axis.size_sum * kDepthTolerance);
    if (!face_contact_stands(s, pick, proven, deep, totals.counters)) return;
    if (job.points == PointSelection::impact) keep_impact(points, kImpactBand * axis.size_min);

    const Point n = {on_b ? -out.x : out.x, on_b ? -out.y : out.y, on_b ? -out.z : out.z};
    const ContactHeader header = {n, o.edge_value, on_b ? ContactKind::face_b : ContactKind::face_a,
                                  on_b ? pick.incident_face : o.face, on_b ? o.face : pick.incident_face};
    Record& record = records[row.pair];
    write_header(job, row.pair, header, record);
    if constexpr (!__is_same(Record, PairDistance)) {
        record.total = static_cast<std::uint16_t>(points.count < 65535U ? points.count : 65535U);
        std::uint32_t kept[kMaxKept];
        const std::uint32_t count =
            job.method == ContactMethod::patch
                ? reduce_patch_points(points, n, kPatchSpread * axis.size_min, Record::kCapacity, kept)
                : reduce_points(points, n, Record::kCapacity, kept);
        const std::uint32_t total_b = job.hulls[row.hull_b].feature_counts().total();
        const BodyFrame& frame = frame_a(job, row.pair);
        for (std::uint32_t i = 0; i < count; ++i) {
            const std::uint32_t k = kept[i];
            write_point(frame, point_at(points, k), points.separation[k],
                        feature_id(points.feature_a[k], points.feature_b[k], total_b), record);
        }
    }
    ++totals.counters.face_contacts;
    count_record(job, row.pair, record, totals);
}

// The contact of one pair of faces with any number of sides.
template <class Record>
inline void large_face_contact(const ChunkJob& job, ChunkScratch::Impl& s, const FacePick& pick, Record* records,
                               ChunkTotals& totals) {
    const PairRow& row = s.rows[pick.slot];
    const AxisRow& axis = s.axes[pick.slot];
    const PairOptimum& o = s.optimum[pick.slot];
    const bool on_b = o.face_on_b != 0;
    const HullRecord& reference = job.hulls[on_b ? row.hull_b : row.hull_a];
    const HullRecord& incident = job.hulls[on_b ? row.hull_a : row.hull_b];
    const HullFloats reference_floats = hull_floats(reference);
    const HullFloats incident_floats = hull_floats(incident);
    const FeatureCounts reference_counts = reference.feature_counts();
    const FeatureCounts incident_counts = incident.feature_counts();
    const ClipPlane plane = plane_in_a(reference_floats, o.face, on_b, row);
    const float tolerance = kClipTolerance * axis.size_sum;
    ClipPoints& points = s.points;
    points.count = 0;
    const ClipOutput clip = {&points, plane, row.margin, !on_b};
    load_polygon(reference_floats, hull_topology(reference), o.face, on_b ? &row : nullptr, s.reference);
    load_polygon(incident_floats, hull_topology(incident), pick.incident_face, on_b ? nullptr : &row, s.incident);
    make_side_planes(s.reference, plane.n, 1.0F);
    make_side_planes(s.incident, plane.n, -1.0F);
    clip_incident_edges(s.reference, s.incident, o.face, reference_counts, incident_counts, tolerance, clip);
    clip_reference_vertices(s.reference, s.incident, plane_in_a(incident_floats, pick.incident_face, !on_b, row),
                            pick.incident_face, reference_counts, tolerance, clip);

    finish_face_contact(job, s, pick, plane.n, records, totals);
}

}  // namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE
