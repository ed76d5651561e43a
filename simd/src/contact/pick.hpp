// SPDX-License-Identifier: MIT
//
// The two faces of each face contact: the reference face is that of the best axis, the incident face is chosen among those
// around the support vertex of the other hull.
#pragma once

#include "contact/scratch.hpp"
#include "pair/lane_rows.hpp"
#include "pair/support.hpp"

namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE {

// Where the faces of a contact are found, step by step: each step begins with what the one before it asked for.
struct PickPath {
    const std::uint16_t* reference_first;  // of the reference face and of the next
    const std::uint16_t* incident_first;   // of all faces
    const std::uint16_t* vertex_first;     // of the support vertex and of the next
    const std::uint16_t* vertex_face;
    const float* polygons[2];  // reference, incident
    const float* planes;       // of the incident hull
    const float* turn;  // pose whose transpose takes the reference hull's directions into the incident hull's frame
    std::uint32_t reference_face;
};

// incident_face() for up to kFewFaces, side by side: almost every vertex has no more.
#if LANEFOLD_ISA_ID == LANEFOLD_ISA_avx512 || LANEFOLD_ISA_ID == LANEFOLD_ISA_avx2
inline constexpr std::uint32_t kFewFaces = 8;
LANEFOLD_INLINE std::uint32_t incident_face_of_few(const float* planes, const std::uint16_t* faces, std::uint32_t count,
                                                   const float* n) {
    const __m256i place = _mm256_set_epi32(7, 6, 5, 4, 3, 2, 1, 0);
    const __m256i real = _mm256_cmpgt_epi32(_mm256_set1_epi32(static_cast<int>(count)), place);
    // What follows the list in the block is no face: the hull's first one instead, which then does not count.
    const __m256i listed = _mm256_cvtepu16_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(faces)));
    alignas(32) std::uint32_t face[kFewFaces];
    _mm256_store_si256(reinterpret_cast<__m256i*>(face), _mm256_and_si256(listed, real));
    __m256 r[4];
    for (std::uint32_t k = 0; k < 4; ++k) {
        const __m256 low = _mm256_castps128_ps256(_mm_load_ps(plane_at(planes, face[k])));
        r[k] = _mm256_insertf128_ps(low, _mm_load_ps(plane_at(planes, face[k + 4])), 1);
    }
    const __m256d xy01 = _mm256_castps_pd(_mm256_unpacklo_ps(r[0], r[1]));
    const __m256d xy23 = _mm256_castps_pd(_mm256_unpacklo_ps(r[2], r[3]));
    const __m256d z01 = _mm256_castps_pd(_mm256_unpackhi_ps(r[0], r[1]));
    const __m256d z23 = _mm256_castps_pd(_mm256_unpackhi_ps(r[2], r[3]));
    const auto along = [&](__m256d x, std::uint32_t axis) {
        return _mm256_mul_ps(_mm256_castpd_ps(x), _mm256_set1_ps(n[axis]));
    };
    const __m256 c =
        _mm256_add_ps(_mm256_add_ps(along(_mm256_unpacklo_pd(xy01, xy23), 0), along(_mm256_unpackhi_pd(xy01, xy23), 1)),
                      along(_mm256_unpacklo_pd(z01, z23), 2));
    const __m256 v = _mm256_blendv_ps(_mm256_set1_ps(kHighest), c, _mm256_castsi256_ps(real));
    const __m128 q = _mm_min_ps(_mm256_castps256_ps128(v), _mm256_extractf128_ps(v, 1));
    const __m128 d = _mm_min_ps(q, _mm_movehl_ps(q, q));
    const __m256 lowest = _mm256_broadcastss_ps(_mm_min_ss(d, _mm_movehdup_ps(d)));
    const int ties = _mm256_movemask_ps(_mm256_cmp_ps(v, lowest, _CMP_EQ_OQ));
    return faces[lowest_bit(static_cast<std::uint32_t>(ties))];
}
#else
inline constexpr std::uint32_t kFewFaces = 0;
LANEFOLD_INLINE std::uint32_t incident_face_of_few(const float*, const std::uint16_t* faces, std::uint32_t,
                                                   const float*) {
    return faces[0];
}
#endif

inline std::uint32_t incident_face_scan(const float* planes, const std::uint16_t* faces, std::uint32_t count,
                                        const float* n) {
    std::uint32_t best = 0;
    float lowest = kHighest;
    for (std::uint32_t k = 0; k < count; ++k) {
        const float* plane = plane_at(planes, faces[k]);
        const float c = (plane[0] * n[0] + plane[1] * n[1]) + plane[2] * n[2];
        const bool lower = c < lowest;
        lowest = lower ? c : lowest;
        best = lower ? faces[k] : best;
    }
    return best;
}

// The incident face must contain the support vertex ("most anti-parallel" alone can lose the deepest point): among the
// faces around it, the one most against the reference face; lowest index on ties.
LANEFOLD_INLINE std::uint32_t incident_face(const PickPath& path, const float* reference_normal) {
    const std::uint32_t first = path.vertex_first[0];
    const std::uint32_t count = path.vertex_first[1] - first;
    const std::uint16_t* faces = path.vertex_face + first;
    const float* m = reference_normal;
    const Quad turned = transposed_times(path.turn, m[0], m[1], m[2]);
    const float n[3] = {turned[0], turned[1], turned[2]};
    if constexpr (kFewFaces > 0) {
        if (count <= kFewFaces) return incident_face_of_few(path.planes, faces, count, n);
    }
    return incident_face_scan(path.planes, faces, count, n);
}

// Contacts whose faces are looked up side by side: enough for their data to arrive in the meantime.
inline constexpr std::uint32_t kPickGroup = 64;

// Polygons mostly lie on two cache lines.
LANEFOLD_INLINE void prefetch_polygon(const float* polygon) {
    __builtin_prefetch(polygon);
    __builtin_prefetch(polygon + 15);
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

// All of pairs.faces into picks.
inline void pick_faces(const ChunkJob& job, const HullPairs& pairs, FacePick* all) {
    PickPath paths[kPickGroup];
    for (std::uint32_t begin = 0; begin < pairs.faces.count; begin += kPickGroup) {
        const std::uint32_t left = pairs.faces.count - begin;
        const std::uint32_t count = left < kPickGroup ? left : kPickGroup;
        FacePick* picks = all + begin;
        for (std::uint32_t k = 0; k < count; ++k) {
            picks[k].slot = pairs.faces.slot[begin + k];
            paths[k] = begin_path(job, pairs, picks[k].slot);
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
