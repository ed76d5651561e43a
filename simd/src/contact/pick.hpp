// SPDX-License-Identifier: MIT
//
// Finds the two faces of each face contact. The reference face is that of the best axis; the incident face is one of
// those around the support vertex of the other hull.
#pragma once

#include "contact/scratch.hpp"
#include "lanes/lowest_row.hpp"
#include "pair/lane_rows.hpp"
#include "pair/support.hpp"

namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE {

// The data from which the faces of a contact are found. Each step reads what the step before it prefetched.
struct PickPath {
    const std::uint16_t* reference_first;  // entries of the reference face and of the next
    const std::uint16_t* incident_first;   // entries of all faces
    const std::uint16_t* vertex_first;     // entries of the support vertex and of the next
    const std::uint16_t* vertex_face;
    const float* polygons[2];  // reference, incident
    const float* planes;       // planes of the incident hull
    const float* turn;  // pose whose transpose takes the reference hull's directions into the incident hull's frame
    std::uint32_t reference_face;
};

// The incident face: among the faces around the support vertex the most anti-parallel to the reference face; the lowest
// index on ties. The most anti-parallel of all faces could miss the deepest point.
LANEFOLD_INLINE std::uint32_t incident_face(const PickPath& path, const float* reference_normal) {
    const std::uint32_t first = path.vertex_first[0];
    const std::uint32_t count = path.vertex_first[1] - first;
    const std::uint16_t* faces = path.vertex_face + first;
    const float* m = reference_normal;
    const Quad turned = transposed_times(path.turn, m[0], m[1], m[2]);
    const float n[3] = {turned[0], turned[1], turned[2]};
    return lowest_row(path.planes, faces, count, n);
}

// Contacts whose faces are looked up together, enough for prefetched data to arrive between steps.
inline constexpr std::uint32_t kPickGroup = 64;

// Most polygons lie on two cache lines.
LANEFOLD_INLINE void prefetch_polygon(const float* polygon) {
    __builtin_prefetch(polygon);
    constexpr std::size_t kLineFloats = 64 / sizeof(float);
    __builtin_prefetch(polygon + kLineFloats - 1);
}

LANEFOLD_INLINE PickPath begin_path(const ChunkJob& job, const HullPairs& pairs, std::uint32_t slot) {
    static_assert(sizeof(PairRow) == sizeof(InverseRow));
    constexpr std::size_t kStride = sizeof(PairRow) / sizeof(float);
    const float* const turns[2] = {pairs.rows.data()->to_a.r, pairs.inverses.data()->to_b.r};
    const PairOptimum& o = pairs.optima[slot];
    const FaceHulls hulls = face_hulls(job, pairs.rows[slot], o.face_on_b);
    const HullTopology r = hull_topology(*hulls.own);
    const HullTopology i = hull_topology(*hulls.other);
    const PickPath path = {r.face_first + o.face,
                           i.face_first,
                           i.vertex_first + o.support,
                           i.vertex_face,
                           {r.polygons, i.polygons},
                           hull_floats(*hulls.other).planes,
                           turns[o.face_on_b] + kStride * slot,
                           o.face};
    __builtin_prefetch(path.reference_first);
    __builtin_prefetch(path.vertex_first);
    return path;
}

// Picks the faces of all pairs of a list.
inline void pick_faces(const ChunkJob& job, const HullPairs& pairs, const SlotList& list, FacePick* all) {
    PickPath paths[kPickGroup];
    for (std::uint32_t begin = 0; begin < list.count; begin += kPickGroup) {
        const std::uint32_t left = list.count - begin;
        const std::uint32_t count = left < kPickGroup ? left : kPickGroup;
        FacePick* picks = all + begin;
        for (std::uint32_t k = 0; k < count; ++k) {
            picks[k].slot = list.slot[begin + k];
            paths[k] = begin_path(job, pairs, picks[k].slot);
        }
        for (std::uint32_t k = 0; k < count; ++k) {
            const PickPath& path = paths[k];
            const std::uint32_t first = path.reference_first[0];
            picks[k].reference_sides = path.reference_first[1] - first;
            picks[k].polygon[0] = polygon_at(path.polygons[0], first, path.reference_face);
            prefetch_polygon(picks[k].polygon[0]);
            __builtin_prefetch(path.vertex_face + path.vertex_first[0]);
        }
        for (std::uint32_t k = 0; k < count; ++k) {
            picks[k].incident_face = incident_face(paths[k], picks[k].polygon[0]);
            __builtin_prefetch(paths[k].incident_first + picks[k].incident_face);
        }
        for (std::uint32_t k = 0; k < count; ++k) {
            const PickPath& path = paths[k];
            const std::uint32_t face = picks[k].incident_face;
            const std::uint32_t first = path.incident_first[face];
            picks[k].incident_sides = path.incident_first[face + 1] - first;
            picks[k].polygon[1] = polygon_at(path.polygons[1], first, face);
            prefetch_polygon(picks[k].polygon[1]);
        }
    }
}

}  // namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE
