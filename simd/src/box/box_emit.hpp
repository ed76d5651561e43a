// SPDX-License-Identifier: MIT
//
// Contacts of boxes as records, lanes = pairs: faces, edges, and the corners and edges of closest points.
#pragma once

#include "box/box_nearest.hpp"
#include "box/edge_contact.hpp"
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

template <class Record>
inline void emit_box_faces(Chunk<Record> chunk, const BoxFaceBatch& batch) {
    const BoxClip& clip = batch.clip;
    const LanePlane& plane = clip.plane;
    const WMask on_b = plane.on_b;
    const LaneContact contact = {batch.places.pair,
                                 batch.emitted,
                                 select(on_b, negate(plane.w), plane.w),
                                 batch.distance,
                                 select(on_b, clip.incident_face, clip.reference_face),
                                 select(on_b, clip.reference_face, clip.incident_face),
                                 face_kind(on_b),
                                 clip.total};
    // The pairs of features stay packed, because numbering four kept ones is cheaper than numbering twelve candidates.
    const auto number = [&](WInt features) LANEFOLD_INLINE_LAMBDA { return box_pair_number(features, on_b); };
    write_faces<true>(chunk.job, contact, ClippedPoints(plane, clip.points, clip.features, kBoxCandidates, number),
                      chunk.out, chunk.totals);
}

struct BoxEdgeBatch {
    BoxPlaces places;
    std::uint32_t emitted;                    // lanes that become records
    alignas(64) std::int32_t edge_a[kWidth];  // canonical
    alignas(64) std::int32_t edge_b[kWidth];
    WFloat distance;
    BoxEdgeContact contact;
};

// Sets the canonical numbers of the edges; the signs of the supports select them.
LANEFOLD_INLINE void name_box_edges(WInt axis_a, WInt axis_b, BoxEdgeBatch& batch) {
    alignas(64) std::int32_t at_a[kWidth], at_b[kWidth];
    edge_of_signs(axis_a, batch.contact.up_a).storeu(at_a);
    edge_of_signs(axis_b, batch.contact.up_b).storeu(at_b);
    for (std::uint32_t l = 0; l < kWidth; ++l) {
        batch.edge_a[l] = box_map(batch.places.places[l].hull_a).edge[at_a[l]];
        batch.edge_b[l] = box_map(batch.places.places[l].hull_b).edge[at_b[l]];
    }
}

LANEFOLD_INLINE LaneFeatureContact box_edge_records(const BoxEdgeBatch& batch) {
    const WInt edge_a = WInt::loadu(batch.edge_a);
    const WInt edge_b = WInt::loadu(batch.edge_b);
    return {batch.places.pair,
            batch.emitted,
            batch.distance,
            batch.contact.n,
            batch.contact.point,
            edge_a,
            edge_b,
            (edge_a + WInt(kBoxFaces)) * WInt(kBoxFeatures) + (edge_b + WInt(kBoxFaces)),
            WInt(static_cast<std::int32_t>(ContactKind::edge_edge))};
}

// Canonical features of kWidth boxes.
struct BoxNearFeatures {
    alignas(64) std::int32_t number[kWidth];

    // `of_b`: the boxes are those of B.
    LANEFOLD_INLINE BoxNearFeatures(const BoxNearPoint& p, const BoxPlaces& places, bool of_b) {
        alignas(64) std::int32_t corner[kWidth], edge[kWidth];
        const WInt zero(0);
        ((select(p.up[0], WInt(1), zero) + select(p.up[1], WInt(2), zero)) + select(p.up[2], WInt(4), zero))
            .storeu(corner);
        edge_of_signs(p.axis, p.up).storeu(edge);
        const std::uint32_t corners = bits(p.corner);
        for (std::uint32_t l = 0; l < kWidth; ++l) {
            const BoxMap& map = box_map(of_b ? places.places[l].hull_b : places.places[l].hull_a);
            number[l] = static_cast<std::int32_t>(bit_at(corners, l) ? map.vertex(static_cast<std::uint32_t>(corner[l]))
                                                                     : map.edge[edge[l]]);
        }
    }
};

// `emitted`: lanes that become records.
LANEFOLD_INLINE LaneFeatureContact box_nearest_records(const BoxPlaces& places, std::uint32_t emitted,
                                                       const BoxNearest& c) {
    const WInt a = WInt::loadu(BoxNearFeatures(c.a, places, false).number);
    const WInt b = WInt::loadu(BoxNearFeatures(c.b, places, true).number);
    const WInt first_edge(kBoxFaces);
    const WInt first_vertex(kBoxFaces + kBoxEdges);
    const WInt number = (a + select(c.a.corner, first_vertex, first_edge)) * WInt(kBoxFeatures) +
                        (b + select(c.b.corner, first_vertex, first_edge));
    return {places.pair, emitted, c.distance, c.n, c.point, a, b, number, feature_kind(c.a.corner, c.b.corner)};
}

}  // namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE
