// SPDX-License-Identifier: MIT
//
// The pair cache of the general path. It remembers one of two things:
//
// - Of a pair that was apart: the face or the two edges whose axis separated it. This axis is tested first, with full
//   supports. If its separation exceeds the margin by more than the slack, the exact distance exceeds the margin and
//   the pair is dropped.
// - Of a pair that came through the searches: its best face and three vertices that held down the bounds of the other
//   faces. The face is evaluated first: its support is the first witness of its search, and its separation is the cut
//   of both searches. The vertices are further first witnesses of both searches.
//
// Any face may be evaluated first and any vertex may be a witness (search/faces.hpp), so no entry can change a result.
// Indices are checked before they are used.
#pragma once

#include "pair/face_support.hpp"
#include "search/bounds.hpp"

namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE {

enum class CacheKind : std::uint32_t { none = 0, face_a = 1, face_b = 2, edges = 3, best_on_a = 4, best_on_b = 5 };

LANEFOLD_INLINE void remember(const ChunkJob& job, const PairRow& row, CacheKind kind, std::uint32_t a,
                              std::uint32_t b) {
    if (job.cache == nullptr) return;
    job.cache[row.pair] = {{a | (b << 16), static_cast<std::uint32_t>(kind)}};
}

// Remembers the best face of a search on one hull if it separates the pair by more than its margin (`apart`).
template <bool kOnB>
LANEFOLD_INLINE void remember_face(const ChunkJob& job, const PairRow& row, bool apart, std::uint32_t face) {
    if (apart) remember(job, row, kOnB ? CacheKind::face_b : CacheKind::face_a, kOnB ? 0 : face, kOnB ? face : 0);
}

// An entry of a pair that came through the searches holds two vertices of 12 bits behind its kind. Vertex 0 replaces a
// vertex whose number does not fit.
inline constexpr std::uint32_t kKindBits = 8;
inline constexpr std::uint32_t kExtraBits = 12;
inline constexpr std::uint32_t kMostExtra = (1U << kExtraBits) - 1U;

// Remembers the best face of the pair, the last two witnesses of the other hull's search, and of the best face's own
// search the last witness that is not the support of that face.
LANEFOLD_INLINE void remember_best(const ChunkJob& job, const PairRow& row, bool on_b, std::uint32_t face,
                                   const FaceSearch& of_best, std::uint32_t under, const FaceSearch& of_other) {
    if (job.cache == nullptr) return;
    const std::uint32_t last = of_best.witness_count - 1;
    const std::uint32_t last_other = of_other.witness_count - 1;
    const std::uint32_t own = of_best.witness[last == under && last > 0 ? last - 1 : last].vertex;
    const std::uint32_t second = of_other.witness[last_other > 0 ? last_other - 1 : 0].vertex;
    const auto kind = static_cast<std::uint32_t>(on_b ? CacheKind::best_on_b : CacheKind::best_on_a);
    job.cache[row.pair] = {{face | (of_other.witness[last_other].vertex << 16),
                            kind | (own <= kMostExtra ? own : 0) << kKindBits |
                                (second <= kMostExtra ? second : 0) << (kKindBits + kExtraBits)}};
}

// Product of squared edge lengths, in length^4. Below it float32 cannot normalise the cross product, and such edges
// matter to no result.
inline constexpr float kLeastEdgeProduct = 1e-30F;
// Squared sine of the angle between two edges, below which their axis is mostly rounding. Such edges separate nothing
// here.
inline constexpr float kLeastCacheSine2 = 1e-8F;

// The separation along the axis of two edges; kLowest if they give none.
LANEFOLD_INLINE float edge_separation(const ChunkJob& job, const PairRow& row, std::uint32_t edge_a,
                                      std::uint32_t edge_b) {
    const HullRecord& hull_a = job.hulls[row.hull_a];
    const HullRecord& hull_b = job.hulls[row.hull_b];
    if (edge_a >= hull_a.edge_count || edge_b >= hull_b.edge_count) return kLowest;
    const HullFloats a = hull_floats(hull_a);
    const HullFloats b = hull_floats(hull_b);
    const std::uint16_t* ends_a = hull_topology(hull_a).edge_vertex + 2 * edge_a;
    const std::uint16_t* ends_b = hull_topology(hull_b).edge_vertex + 2 * edge_b;
    const Point along_a = sub(vertex_of(a, ends_a[1]), vertex_of(a, ends_a[0]));
    const Point along_b = rotate_to_a(row, sub(vertex_of(b, ends_b[1]), vertex_of(b, ends_b[0])));
    const Point c = cross(along_a, along_b);
    const float length2 = dot(c, c);
    const float product = dot(along_a, along_a) * dot(along_b, along_b);
    if (!(product > kLeastEdgeProduct && length2 > kLeastCacheSine2 * product)) return kLowest;
    const float length = __builtin_sqrtf(length2);
    Point n = {c.x / length, c.y / length, c.z / length};
    if (dot(n, origin_b(row)) < 0.0F) n = {-n.x, -n.y, -n.z};
    return separation_along(row, a, b, n);
}

// The separation of a face; kLowest if the hull has no such face.
template <bool kOnB>
LANEFOLD_INLINE float face_separation(const ChunkJob& job, const PairRow& row, const InverseRow& inverse,
                                      std::uint32_t f) {
    if (f >= face_hulls(job, row, kOnB ? 1 : 0).own->face_count) return kLowest;
    return face_support(job, row, inverse, kOnB, f).separation;
}

enum class CacheAnswer : std::uint8_t { nothing, apart, best_face };

// Reads the entry of this pair. On `best_face` it has set the members of the axis that concern the cache, and the
// support of the face's hull. `gap`: on `apart` the separation of the cached axis, less margin and slack, which is
// positive; on `best_face` the lowest float.
LANEFOLD_INLINE CacheAnswer ask_cache(const ChunkJob& job, const PairRow& row, const InverseRow& inverse, AxisRow& axis,
                                      float& gap, Counters& counters) {
    if (job.cache == nullptr) return CacheAnswer::nothing;
    const PairCache entry = job.cache[row.pair];
    const std::uint32_t a = entry.opaque[0] & 0xFFFFU;
    const std::uint32_t b = entry.opaque[0] >> 16;
    float separation = kLowest;
    const std::uint32_t kind = entry.opaque[1] & ((1U << kKindBits) - 1U);
    switch (kind) {
        case static_cast<std::uint32_t>(CacheKind::face_a):
            separation = face_separation<false>(job, row, inverse, a);
            break;
        case static_cast<std::uint32_t>(CacheKind::face_b):
            separation = face_separation<true>(job, row, inverse, b);
            break;
        case static_cast<std::uint32_t>(CacheKind::edges):
            separation = edge_separation(job, row, a, b);
            break;
        case static_cast<std::uint32_t>(CacheKind::best_on_a):
        case static_cast<std::uint32_t>(CacheKind::best_on_b): {
            const bool on_b = kind == static_cast<std::uint32_t>(CacheKind::best_on_b);
            const FaceHulls hulls = face_hulls(job, row, on_b ? 1 : 0);
            const std::uint32_t own = (entry.opaque[1] >> kKindBits) & kMostExtra;
            const std::uint32_t second = entry.opaque[1] >> (kKindBits + kExtraBits);
            if (a >= hulls.own->face_count || b >= hulls.own->vertex_count || own >= hulls.other->vertex_count ||
                second >= hulls.own->vertex_count)
                break;
            axis.best_on = on_b ? CachedBest::on_b : CachedBest::on_a;
            axis.best_face = a;
            (on_b ? axis.support_b : axis.support_a) = b;
            axis.extra_a = static_cast<std::uint16_t>(on_b ? own : second);
            axis.extra_b = static_cast<std::uint16_t>(on_b ? second : own);
            gap = kLowest;
            ++counters.cache_begun;
            return CacheAnswer::best_face;
        }
        default:
            return CacheAnswer::nothing;
    }
    ++counters.cache_tried;
    if (!(separation > row.margin + axis.slack)) return CacheAnswer::nothing;
    gap = separation - (row.margin + axis.slack);
    ++counters.rejected_cache;
    return CacheAnswer::apart;
}

}  // namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE
