// SPDX-License-Identifier: MIT
//
// Contacts of corners and parallel edges of boxes as records, lanes = pairs.
#pragma once

#include "box/box_nearest.hpp"
#include "box/face_emit.hpp"
#include "record/lane_edge_emit.hpp"

namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE {

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
LANEFOLD_INLINE LaneFeatureRecords box_nearest_records(const BoxPlaces& places, std::uint32_t emitted,
                                                       const BoxNearest& c) {
    const WInt a = WInt::loadu(BoxNearFeatures(c.a, places, false).number);
    const WInt b = WInt::loadu(BoxNearFeatures(c.b, places, true).number);
    const WInt first_edge(kBoxFaces);
    const WInt first_vertex(kBoxFaces + kBoxEdges);
    const WInt number = (a + select(c.a.corner, first_vertex, first_edge)) * WInt(kBoxFeatures) +
                        (b + select(c.b.corner, first_vertex, first_edge));
    static_assert(static_cast<int>(ContactKind::vertex_edge) == static_cast<int>(ContactKind::edge_edge) + 1 &&
                  static_cast<int>(ContactKind::edge_vertex) == static_cast<int>(ContactKind::edge_edge) + 2 &&
                  static_cast<int>(ContactKind::vertex_vertex) == static_cast<int>(ContactKind::edge_edge) + 3);
    const WInt kind = WInt(static_cast<std::int32_t>(ContactKind::edge_edge)) +
                      (select(c.a.corner, WInt(1), WInt(0)) + select(c.b.corner, WInt(2), WInt(0)));
    return {places.pair, emitted, c.distance, c.n, c.point, a, b, number, kind};
}

}  // namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE
