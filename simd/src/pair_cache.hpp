// SPDX-License-Identifier: MIT
//
// The pair cache of the general path. A pair that was apart remembers the face or the two edges whose axis showed it;
// one that came through the searches remembers the vertices under its best faces. The axis is tried before anything
// else and drops the pair if it still separates it by more than margin and slack, which proves that the exact distance
// exceeds the margin, as the centre axis does. The vertices are the first witnesses of the face searches, in place of
// the supports along the centre axis: any vertices will do (hull_faces.hpp). So no entry can change a result; indices
// are checked before they are used.
#pragma once

#include "hull_faces.hpp"

namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE {

enum class CacheKind : std::uint32_t { none = 0, face_a = 1, face_b = 2, edges = 3, witnesses = 4 };

LANEFOLD_INLINE void remember(const ChunkJob& job, const PairRow& row, CacheKind kind, std::uint32_t a,
                              std::uint32_t b) {
    if (job.cache == nullptr) return;
    job.cache[row.pair] = {{a | (b << 16), static_cast<std::uint32_t>(kind)}};
}

// After a face search of one hull: if a face separates the pair by more than its margin, which.
template <bool kOnB>
LANEFOLD_INLINE void remember_face(const ChunkJob& job, const PairRow& row, bool apart, std::uint32_t face) {
    if (apart) remember(job, row, kOnB ? CacheKind::face_b : CacheKind::face_a, kOnB ? 0 : face, kOnB ? face : 0);
}

// Separation along an axis in A's frame, unit up to rounding, from A to B.
LANEFOLD_INLINE float separation_along(const PairRow& row, const HullFloats& a, const HullFloats& b, const Point& n) {
    const Point m = rotate_to_b(row, n);
    const Best top = support(a, n.x, n.y, n.z);
    const Best low = support(b, -m.x, -m.y, -m.z);
    return (dot(n, {row.t[0], row.t[1], row.t[2]}) - low.value) - top.value;
}

// Shorter edge products have no direction that float32 could normalise (and shorter edges no weight).
inline constexpr float kLeastEdgeProduct = 1e-30F;
// Squared sine below which the axis of two edges is rounding.
inline constexpr float kLeastCacheSine2 = 1e-8F;

LANEFOLD_INLINE bool edges_separate(const ChunkJob& job, const PairRow& row, float limit, std::uint32_t edge_a,
                                    std::uint32_t edge_b) {
    const HullRecord& hull_a = job.hulls[row.hull_a];
    const HullRecord& hull_b = job.hulls[row.hull_b];
    if (edge_a >= hull_a.edge_count || edge_b >= hull_b.edge_count) return false;
    const HullFloats a = hull_floats(hull_a);
    const HullFloats b = hull_floats(hull_b);
    const std::uint16_t* ends_a = hull_topology(hull_a).edge_vertex + 2 * edge_a;
    const std::uint16_t* ends_b = hull_topology(hull_b).edge_vertex + 2 * edge_b;
    const Point along_a = sub(vertex_of(a, ends_a[1]), vertex_of(a, ends_a[0]));
    const Point along_b = rotate_to_a(row, sub(vertex_of(b, ends_b[1]), vertex_of(b, ends_b[0])));
    const Point c = cross(along_a, along_b);
    const float length2 = dot(c, c);
    const float product = dot(along_a, along_a) * dot(along_b, along_b);
    if (!(product > kLeastEdgeProduct && length2 > kLeastCacheSine2 * product)) return false;
    const float length = __builtin_sqrtf(length2);
    Point n = {c.x / length, c.y / length, c.z / length};
    if (dot(n, {row.t[0], row.t[1], row.t[2]}) < 0.0F) n = {-n.x, -n.y, -n.z};
    return separation_along(row, a, b, n) > limit;
}

template <bool kOnB>
LANEFOLD_INLINE bool face_separates(const ChunkJob& job, const PairRow& row, const InverseRow& inverse, float slack,
                                    std::uint32_t f) {
    const HullFloats faces = hull_floats(job.hulls[kOnB ? row.hull_b : row.hull_a]);
    const HullFloats other = hull_floats(job.hulls[kOnB ? row.hull_a : row.hull_b]);
    if (f >= faces.faces) return false;
    const float* t = kOnB ? inverse.t : row.t;
    const Point n = {faces.nx[f], faces.ny[f], faces.nz[f]};
    const Point m = kOnB ? rotate_to_a(row, n) : rotate_to_b(row, n);
    const Best lowest = support(other, -m.x, -m.y, -m.z);
    return (dot(n, {t[0], t[1], t[2]}) - faces.d[f]) - lowest.value > row.margin + slack;
}

enum class CacheAnswer : std::uint8_t { nothing, apart, witnesses };

// What the entry of this pair is good for. `witnesses`: axis.support_a and support_b are set.
LANEFOLD_INLINE CacheAnswer ask_cache(const ChunkJob& job, const PairRow& row, const InverseRow& inverse, AxisRow& axis,
                                      Counters& counters) {
    if (job.cache == nullptr) return CacheAnswer::nothing;
    const PairCache entry = job.cache[row.pair];
    const std::uint32_t a = entry.opaque[0] & 0xFFFFU;
    const std::uint32_t b = entry.opaque[0] >> 16;
    bool apart = false;
    switch (entry.opaque[1]) {
        case static_cast<std::uint32_t>(CacheKind::face_a):
            apart = face_separates<false>(job, row, inverse, axis.slack, a);
            break;
        case static_cast<std::uint32_t>(CacheKind::face_b):
            apart = face_separates<true>(job, row, inverse, axis.slack, b);
            break;
        case static_cast<std::uint32_t>(CacheKind::edges):
            apart = edges_separate(job, row, row.margin + axis.slack, a, b);
            break;
        case static_cast<std::uint32_t>(CacheKind::witnesses):
            if (a >= job.hulls[row.hull_a].vertex_count || b >= job.hulls[row.hull_b].vertex_count) break;
            axis.support_a = a;
            axis.support_b = b;
            ++counters.cache_witnesses;
            return CacheAnswer::witnesses;
        default:
            return CacheAnswer::nothing;
    }
    ++counters.cache_tried;
    if (!apart) return CacheAnswer::nothing;
    ++counters.rejected_cache;
    return CacheAnswer::apart;
}

}  // namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE
