// SPDX-License-Identifier: MIT
//
// Finds the two faces of each face contact. The reference face is that of the best axis; the incident face is one of
// those around the support vertex of the other hull.
#pragma once

#include "contact/clip_polygons.hpp"
#include "pair/incident_face.hpp"
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

// The faces of a pair whose clip is known.
LANEFOLD_INLINE FacePick known_pick(const ChunkJob& job, const HullPairs& pairs, std::uint32_t slot) {
    const PairRow& row = pairs.rows[slot];
    const ClipFaces& clip = pairs.clips[slot];
    const FaceHulls hulls = face_hulls(job, row, pairs.optima[slot].face_on_b);
    FacePick pick;
    pick.slot = slot;
    pick.incident_face = clip.incident_face;
    pick.reference_sides = clip.sides[0];
    pick.incident_sides = clip.sides[1];
    pick.polygon[0] = polygon_at(hull_topology(*hulls.own).polygons, clip.polygon[0]);
    pick.polygon[1] = polygon_at(hull_topology(*hulls.other).polygons, clip.polygon[1]);
    prefetch_polygon(pick.polygon[0]);
    prefetch_polygon(pick.polygon[1]);
    return pick;
}

// Picks the faces of the pairs at `places` of a list, `count` of them.
LANEFOLD_INLINE void pick_group(const ChunkJob& job, const HullPairs& pairs, const SlotList& list,
                                const std::uint32_t* places, std::uint32_t count, FacePick* picks) {
    PickPath paths[kPickGroup];
    for (std::uint32_t k = 0; k < count; ++k) {
        picks[places[k]].slot = list.slot[places[k]];
        paths[k] = begin_path(job, pairs, list.slot[places[k]]);
    }
    for (std::uint32_t k = 0; k < count; ++k) {
        const PickPath& path = paths[k];
        FacePick& pick = picks[places[k]];
        const std::uint32_t first = path.reference_first[0];
        pick.reference_sides = path.reference_first[1] - first;
        pick.polygon[0] = polygon_at(path.polygons[0], first, path.reference_face);
        prefetch_polygon(pick.polygon[0]);
        __builtin_prefetch(path.vertex_face + path.vertex_first[0]);
    }
    for (std::uint32_t k = 0; k < count; ++k) {
        const PickPath& path = paths[k];
        FacePick& pick = picks[places[k]];
        pick.incident_face = incident_face(FacesAround(path.vertex_first, path.vertex_face), path.planes,
                                           reference_normal(path.turn, pick.polygon[0]));
        __builtin_prefetch(path.incident_first + pick.incident_face);
    }
    for (std::uint32_t k = 0; k < count; ++k) {
        const PickPath& path = paths[k];
        FacePick& pick = picks[places[k]];
        const std::uint32_t first = path.incident_first[pick.incident_face];
        pick.incident_sides = path.incident_first[pick.incident_face + 1] - first;
        pick.polygon[1] = polygon_at(path.polygons[1], first, pick.incident_face);
        prefetch_polygon(pick.polygon[1]);
    }
}

// Picks the faces of all pairs of a list.
inline void pick_faces(const ChunkJob& job, const HullPairs& pairs, const SlotList& list, FacePick* picks) {
    const bool clips = pairs.settled != 0;
    std::uint32_t places[kPickGroup];
    std::uint32_t known[kPickGroup];
    for (std::uint32_t begin = 0; begin < list.count; begin += kPickGroup) {
        const std::uint32_t end = list.count - begin < kPickGroup ? list.count : begin + kPickGroup;
        std::uint32_t count = 0;
        std::uint32_t count_known = 0;
        for (std::uint32_t k = begin; k < end; ++k) {
            const bool is_known = clips && pairs.clips[list.slot[k]].sides[0] != 0;
            places[count] = k;
            known[count_known] = k;
            count += is_known ? 0U : 1U;
            count_known += is_known ? 1U : 0U;
        }
        for (std::uint32_t k = 0; k < count_known; ++k) picks[known[k]] = known_pick(job, pairs, list.slot[known[k]]);
        pick_group(job, pairs, list, places, count, picks);
    }
}

}  // namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE
