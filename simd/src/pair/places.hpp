// SPDX-License-Identifier: MIT
//
// Which frames and hulls a pair has, one pair at a time.
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

// a where bit is 0, b where it is 1. Not a branch: it would be guessed wrong half of the time.
LANEFOLD_INLINE std::uint32_t either(std::uint32_t bit, std::uint32_t a, std::uint32_t b) {
    return a ^ ((a ^ b) & (0U - bit));
}

// The hull that has a face, and the other. `on_b`: 0, the face is A's, or 1.
struct FaceHulls {
    const HullRecord* own;
    const HullRecord* other;
};

LANEFOLD_INLINE FaceHulls face_hulls(const ChunkJob& job, const PairRow& row, std::uint32_t on_b) {
    return {job.hulls + either(on_b, row.hull_a, row.hull_b), job.hulls + either(on_b, row.hull_b, row.hull_a)};
}

}  // namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE
