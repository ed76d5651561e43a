// SPDX-License-Identifier: MIT
//
// A pair of a chunk as the float64 path takes it. Compiled once, for all kernels and for hysteresis.
#include <cstring>

#include <lanefold/detail/chunk.hpp>
#include <lanefold/detail/read_body.hpp>

namespace lanefold::detail {
PrecisePair precise_pair(const ChunkJob& job, std::uint32_t i) {
    const BodyView& bodies = *job.bodies;
    PrecisePair p;
    p.index_a = job.pairs[i].a;
    p.index_b = job.pairs[i].b;
    p.a = job.hulls + job.frames[job.frame_pairs[i].a].hull;
    p.b = job.hulls + job.frames[job.frame_pairs[i].b].hull;
    const BodyD a = read_body(bodies, p.index_a);
    const BodyD b = read_body(bodies, p.index_b);
    std::memcpy(p.position_a, a.position, sizeof p.position_a);
    std::memcpy(p.position_b, b.position, sizeof p.position_b);
    std::memcpy(p.orientation_a, a.orientation, sizeof p.orientation_a);
    std::memcpy(p.orientation_b, b.orientation, sizeof p.orientation_b);
    p.margin = job.margin_of(i);
    p.face_preference = job.face_preference;
    p.points = job.points;
    p.method = job.method;
    p.patch_band = job.patch_band;
    return p;
}

bool hulls_of(const ChunkJob& job, std::uint32_t i, const HullRecord*& a, const HullRecord*& b) {
    const std::size_t bodies = job.bodies->count;
    const Pair pair = job.pairs[i];
    if (pair.a >= bodies || pair.b >= bodies || pair.a == pair.b) return false;
    const Pair at = job.frame_pairs[i];
    const std::uint32_t hull_a = job.frames[at.a].hull;
    const std::uint32_t hull_b = job.frames[at.b].hull;
    if (hull_a >= kFirstBadFrame || hull_b >= kFirstBadFrame) return false;
    a = job.hulls + hull_a;
    b = job.hulls + hull_b;
    return true;
}

}  // namespace lanefold::detail
