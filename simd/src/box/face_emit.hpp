// SPDX-License-Identifier: MIT
//
// Face manifolds of boxes as records, lanes = pairs, without a branch per lane. Selects move the kept candidates of
// every lane to its first four places, and two transposes write whole records.
#pragma once

#include "box/face_clip.hpp"
#include "pair/chunk_context.hpp"
#include "record/lane_emit.hpp"

namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE {

struct BoxFaceBatch {
    BoxPlaces places;
    std::uint32_t emitted;  // lanes that become records
    WFloat distance;
    BoxClip clip;
};

// The number of a pair of features before it is mixed to an id; see feature_id().
LANEFOLD_INLINE WInt box_pair_number(WInt features, WMask on_b) {
    const WInt incident = BoxFaceNumbers::incident_of(features);
    const WInt reference = BoxFaceNumbers::reference_of(features);
    return select(on_b, incident, reference) * WInt(kBoxFeatures) + select(on_b, reference, incident);
}

LANEFOLD_INLINE LaneRecords box_records(const BoxFaceBatch& batch) {
    const BoxClip& clip = batch.clip;
    const WMask on_b = clip.plane.on_b;
    return {batch.places.pair,
            batch.emitted,
            batch.distance,
            clip.total,
            select(on_b, clip.incident_face, clip.reference_face),
            select(on_b, clip.reference_face, clip.incident_face)};
}

inline void emit_box_faces(Chunk<Manifold4> chunk, BoxFaceBatch& batch) {
    const LanePlane& plane = batch.clip.plane;
    LaneManifolds m;
    gather_points(batch.clip.points, batch.clip.features, kBoxCandidates, m.point);
    // The pairs of features stay packed up to here, because numbering four kept ones is cheaper than numbering twelve
    // candidates.
    for (LaneManifoldPoint& p : m.point) p.number = box_pair_number(p.number, plane.on_b);
    write_lanes<true>(chunk.job, box_records(batch), plane, m, chunk.out, chunk.totals);
}

// Records of other capacities use the code of the general path.
template <class Record>
inline void emit_box_faces(Chunk<Record> chunk, BoxFaceBatch& batch) {
    const BoxClip& clip = batch.clip;
    WInt number[kBoxCandidates];
    for (int c = 0; c < kBoxCandidates; ++c) number[c] = box_pair_number(clip.features[c], clip.plane.on_b);
    emit_lanes(chunk.job, box_records(batch), clip.plane, clip.points, number, kBoxCandidates, chunk.out, chunk.totals);
}

}  // namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE
