// SPDX-License-Identifier: MIT
//
// Edge contacts of boxes as records, lanes = pairs.
#pragma once

#include "box/edge_contact.hpp"
#include "box/face_emit.hpp"
#include "record/lane_edge_emit.hpp"

namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE {

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

LANEFOLD_INLINE LaneFeatureRecords box_edge_records(const BoxEdgeBatch& batch) {
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

}  // namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE
