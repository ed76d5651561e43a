// SPDX-License-Identifier: MIT
//
// The two faces of each face contact: the reference face is that of the best axis, the incident face is chosen among those
// around the support vertex of the other hull.
#pragma once

#include "chunk_scratch_impl.hpp"
#include "hull_faces.hpp"
#include "support.hpp"

namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE {

// Where the faces of a contact are found, step by step: each step begins with what the one before it asked for.
struct PickPath {
    const std::uint16_t* reference_first;  // of the reference face and of the next
    const std::uint16_t* incident_first;   // of all faces
    const std::uint16_t* vertex_first;     // of the support vertex and of the next
    const std::uint16_t* vertex_face;
    const float* polygons[2];  // reference, incident
    const float* normals;      // of the incident hull: x; y and z follow at `stride`
    const float* turn;  // pose whose transpose takes the reference hull's directions into the incident hull's frame
    std::uint32_t stride;
    std::uint32_t reference_face;
};

// Coordinate `table` of the normals of faces f; kVectors = 0: of any number of faces.
template <std::uint32_t kVectors>
LANEFOLD_INLINE WFloat normals_of(const float* table, WInt f) {
    if constexpr (kVectors == 0)
        return gather(table, f);
    else
        return look_up<kVectors>(table, f);
}

// incident_face() for up to a vector of faces.
template <std::uint32_t kVectors>
LANEFOLD_INLINE std::uint32_t incident_face_lanes(const PickPath& h, const std::uint16_t* faces, std::uint32_t count,
                                                  const float* n) {
    // The lanes beyond the list read what follows it in the block.
    const WMask real = WInt::iota() < WInt(static_cast<std::int32_t>(count));
    const WInt f = select(real, load_u16(faces), WInt(0));
    const WFloat c = (normals_of<kVectors>(h.normals, f) * splat(n[0]) +
                      normals_of<kVectors>(h.normals + h.stride, f) * splat(n[1])) +
                     normals_of<kVectors>(h.normals + 2 * h.stride, f) * splat(n[2]);
    const WFloat against = select(real, negate(c), splat(kLowest));
    return faces[lowest_bit(bits(against == splat(reduce_max(against))))];
}

// incident_face() for up to kFewFaces, where half a vector costs less than a whole one: almost every vertex has no more.
#if LANEFOLD_ISA_ID == LANEFOLD_ISA_avx512
inline constexpr std::uint32_t kFewFaces = 8;
LANEFOLD_INLINE std::uint32_t incident_face_of_few(const PickPath& h, const std::uint16_t* faces, std::uint32_t count,
                                                   const float* n) {
    const auto real = static_cast<__mmask8>((1U << count) - 1U);
    const __m256i f = _mm256_cvtepu16_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(faces)));
    const __m256 none = _mm256_set1_ps(kHighest);
    const auto along = [&](std::uint32_t axis) {
        const __m256 x = _mm256_mmask_i32gather_ps(none, real, f, h.normals + axis * h.stride, 4);
        return _mm256_mul_ps(x, _mm256_set1_ps(n[axis]));
    };
    const __m256 c = _mm256_add_ps(_mm256_add_ps(along(0), along(1)), along(2));
    const __m256 v = _mm256_mask_blend_ps(real, none, c);
    const __m128 q = _mm_min_ps(_mm256_castps256_ps128(v), _mm256_extractf128_ps(v, 1));
    const __m128 d = _mm_min_ps(q, _mm_movehl_ps(q, q));
    const __m256 lowest = _mm256_broadcastss_ps(_mm_min_ss(d, _mm_movehdup_ps(d)));
    return faces[lowest_bit(_mm256_cmp_ps_mask(v, lowest, _CMP_EQ_OQ))];
}
#else
inline constexpr std::uint32_t kFewFaces = 0;
LANEFOLD_INLINE std::uint32_t incident_face_of_few(const PickPath&, const std::uint16_t* faces, std::uint32_t,
                                                   const float*) {
    return faces[0];
}
#endif

inline std::uint32_t incident_face_scan(const PickPath& h, const std::uint16_t* faces, std::uint32_t count,
                                        const float* n) {
    const float* nx = h.normals;
    const float* ny = nx + h.stride;
    const float* nz = ny + h.stride;
    std::uint32_t best = 0;
    float lowest = kHighest;
    for (std::uint32_t k = 0; k < count; ++k) {
        const std::uint32_t f = faces[k];
        const float c = (nx[f] * n[0] + ny[f] * n[1]) + nz[f] * n[2];
        const bool lower = c < lowest;
        lowest = lower ? c : lowest;
        best = lower ? f : best;
    }
    return best;
}

// The incident face must contain the support vertex ("most anti-parallel" alone can lose the deepest point): among the
// faces around it, the one most against the reference face; lowest index on ties.
LANEFOLD_INLINE std::uint32_t incident_face(const PickPath& h, const float* reference_normal) {
    const std::uint32_t first = h.vertex_first[0];
    const std::uint32_t count = h.vertex_first[1] - first;
    const std::uint16_t* faces = h.vertex_face + first;
    const float* m = reference_normal;
    const Quad turned = transposed_times(h.turn, m[0], m[1], m[2]);
    const float n[3] = {turned[0], turned[1], turned[2]};
    if constexpr (kFewFaces > 0) {
        if (count <= kFewFaces) return incident_face_of_few(h, faces, count, n);
    }
    if constexpr (kLookUpVectors >= 4) {
        if (count <= kWidth) {
            if (h.stride <= kLookUpVectors * kWidth) return incident_face_lanes<kLookUpVectors>(h, faces, count, n);
            return incident_face_lanes<0>(h, faces, count, n);
        }
    }
    return incident_face_scan(h, faces, count, n);
}

// a where bit is 0, b where it is 1. Not a branch: which hull has the reference face is a coin toss.
LANEFOLD_INLINE std::uint32_t either(std::uint32_t bit, std::uint32_t a, std::uint32_t b) {
    return a ^ ((a ^ b) & (0U - bit));
}

// Contacts whose faces are looked up side by side: enough for their data to arrive in the meantime.
inline constexpr std::uint32_t kPickGroup = 64;

// Polygons mostly lie on two cache lines.
LANEFOLD_INLINE void prefetch_polygon(const float* polygon) {
    __builtin_prefetch(polygon);
    __builtin_prefetch(polygon + 15);
}

LANEFOLD_INLINE PickPath begin_path(const ChunkJob& job, const ChunkScratch::Impl& s, std::uint32_t slot) {
    static_assert(sizeof(PairRow) == sizeof(InverseRow));
    constexpr std::size_t kStride = sizeof(PairRow) / sizeof(float);
    const float* const turns[2] = {s.rows.data()->r, s.inverses.data()->r};
    const PairRow& row = s.rows[slot];
    const PairOptimum& o = s.optimum[slot];
    const HullRecord& incident = job.hulls[either(o.face_on_b, row.hull_b, row.hull_a)];
    const HullTopology r = hull_topology(job.hulls[either(o.face_on_b, row.hull_a, row.hull_b)]);
    const HullTopology i = hull_topology(incident);
    const PickPath path = {r.face_first + o.face,
                           i.face_first,
                           i.vertex_first + o.support,
                           i.vertex_face,
                           {r.polygons, i.polygons},
                           hull_floats(incident).nx,
                           turns[o.face_on_b] + kStride * slot,
                           pad16(incident.face_count),
                           o.face};
    __builtin_prefetch(path.reference_first);
    __builtin_prefetch(path.vertex_first);
    return path;
}

// All of face_list into picks.
inline void pick_faces(const ChunkJob& job, ChunkScratch::Impl& s) {
    PickPath paths[kPickGroup];
    for (std::uint32_t begin = 0; begin < s.face_count; begin += kPickGroup) {
        const std::uint32_t count = s.face_count - begin < kPickGroup ? s.face_count - begin : kPickGroup;
        FacePick* picks = s.picks.data() + begin;
        for (std::uint32_t k = 0; k < count; ++k) {
            picks[k].slot = s.face_list[begin + k];
            paths[k] = begin_path(job, s, picks[k].slot);
        }
        for (std::uint32_t k = 0; k < count; ++k) {
            const PickPath& path = paths[k];
            const std::uint32_t first = path.reference_first[0];
            picks[k].reference_sides = path.reference_first[1] - first;
            picks[k].polygon[0] = path.polygons[0] + 4 * polygon_place(first, path.reference_face);
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
            picks[k].polygon[1] = path.polygons[1] + 4 * polygon_place(first, face);
            prefetch_polygon(picks[k].polygon[1]);
        }
    }
}

}  // namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE
