// SPDX-License-Identifier: MIT
//
// The frames and hulls of one pair.
#pragma once

#include "lanes/wide.hpp"
#include "pair/rows.hpp"

namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE {

// Frames of pair i of the chunk.
LANEFOLD_INLINE const BodyFrame& frame_a(const ChunkJob& job, std::uint32_t i) {
    return job.frames[job.frame_pairs[i].a];
}
LANEFOLD_INLINE const BodyFrame& frame_b(const ChunkJob& job, std::uint32_t i) {
    return job.frames[job.frame_pairs[i].b];
}

// Returns false and sets nothing if the pair gets a status instead.
LANEFOLD_INLINE bool find_places(const ChunkJob& job, std::uint32_t i, PairPlaces& out) {
    const std::size_t bodies = job.bodies->count;
    const Pair pair = job.pairs[i];
    if (pair.a >= bodies || pair.b >= bodies || pair.a == pair.b) return false;
    const BodyFrame& a = frame_a(job, i);
    const BodyFrame& b = frame_b(job, i);
    if (a.hull >= kFirstBadFrame || b.hull >= kFirstBadFrame) return false;
    out = {&a, &b, job.hulls + a.hull, job.hulls + b.hull};
    return true;
}

// Position of body i in the caller's numbers. A float32 position is exact.
LANEFOLD_INLINE void body_position(const BodyView& v, std::size_t i, double* p) {
    const std::byte* at = v.position + i * v.position_stride;
    if (v.position_is_double) {
        __builtin_memcpy(p, at, 3 * sizeof(double));
        return;
    }
    float f[3];
    __builtin_memcpy(f, at, sizeof f);
    for (int k = 0; k < 3; ++k) p[k] = static_cast<double>(f[k]);
}

// a if bit is 0, b if it is 1. No branch, because it would be mispredicted half of the time.
LANEFOLD_INLINE std::uint32_t either(std::uint32_t bit, std::uint32_t a, std::uint32_t b) {
    return a ^ ((a ^ b) & (0U - bit));
}

// The hull that has the face, and the other one. `on_b`: 0 if the face is A's, 1 if it is B's.
struct FaceHulls {
    const HullRecord* own;
    const HullRecord* other;
};

LANEFOLD_INLINE FaceHulls face_hulls(const ChunkJob& job, const PairRow& row, std::uint32_t on_b) {
    return {job.hulls + either(on_b, row.hull_a, row.hull_b), job.hulls + either(on_b, row.hull_b, row.hull_a)};
}

// Repeats the last pair of a list behind its end, to fill a vector.
LANEFOLD_INLINE void pad_list(PairList& list) {
    const std::uint32_t count = list.count;
    if (count == 0) return;
    for (std::uint32_t k = count; k < count + kWidth; ++k) {
        list.pair[k] = list.pair[count - 1];
        list.places[k] = list.places[count - 1];
    }
}

}  // namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE
