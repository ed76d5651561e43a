// SPDX-License-Identifier: MIT
//
// Edge contacts of boxes on their way into records, lanes = pairs.
#pragma once

#include "box/edges.hpp"
#include "box/emit.hpp"
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

LANEFOLD_INLINE LaneEdgeRecords box_edge_records(const BoxEdgeBatch& batch) {
    const WInt edge_a = WInt::loadu(batch.edge_a);
    const WInt edge_b = WInt::loadu(batch.edge_b);
    return {batch.places.pair,
            batch.emitted,
            batch.distance,
            batch.contact.n,
            batch.contact.point,
            edge_a,
            edge_b,
            (edge_a + WInt(6)) * WInt(static_cast<std::int32_t>(kBoxFeatures)) + (edge_b + WInt(6))};
}

}  // namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE
