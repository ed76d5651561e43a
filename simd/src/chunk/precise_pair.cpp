// SPDX-License-Identifier: MIT
//
// A pair of a chunk as the float64 path takes it. Compiled once, for all kernels and for hysteresis.
#include <cstring>

#include <lanefold/detail/chunk.hpp>

namespace lanefold::detail {
namespace {

// A float32 position widens exactly.
void read_position(const BodyView& bodies, std::size_t i, double* out) {
    const std::byte* at = bodies.position + i * bodies.position_stride;
    if (bodies.position_is_double) {
        std::memcpy(out, at, 3 * sizeof(double));
        return;
    }
    float narrow[3];
    std::memcpy(narrow, at, sizeof narrow);
    for (int k = 0; k < 3; ++k) out[k] = static_cast<double>(narrow[k]);
}

void read_orientation(const BodyView& bodies, std::size_t i, float* out) {
    std::memcpy(out, bodies.orientation + i * bodies.orientation_stride, 4 * sizeof(float));
}

}  // namespace

PrecisePair precise_pair(const ChunkJob& job, std::uint32_t i) {
    const BodyView& bodies = *job.bodies;
    PrecisePair p;
    p.index_a = job.pairs[i].a;
    p.index_b = job.pairs[i].b;
    p.a = job.hulls + job.frames[job.frame_pairs[i].a].hull;
    p.b = job.hulls + job.frames[job.frame_pairs[i].b].hull;
    read_position(bodies, p.index_a, p.position_a);
    read_position(bodies, p.index_b, p.position_b);
    read_orientation(bodies, p.index_a, p.orientation_a);
    read_orientation(bodies, p.index_b, p.orientation_b);
    p.margin = job.pair_margins != nullptr ? job.pair_margins[i] : job.margin;
    p.face_preference = job.face_preference;
    p.points = job.points;
    p.method = job.method;
    p.patch_band = job.patch_band;
    return p;
}

}  // namespace lanefold::detail
