// SPDX-License-Identifier: MIT
//
// Calls the kernels of a table chunk by chunk, also of a table that no instruction set selects.
#pragma once

#include <algorithm>
#include <array>
#include <span>
#include <vector>

#include <lanefold/aligned_buffer.hpp>
#include <lanefold/detail/chunk.hpp>
#include <lanefold/fp_environment.hpp>

namespace lanefold::test {

// Dense records of the pairs, and the sums over all chunks. It takes these options: margin, face preference,
// points, method and patch band.
inline std::vector<Manifold4> collide_by(const detail::KernelTable& table, const HullSet& hulls, const BodyView& bodies,
                                         std::span<const Pair> pairs, const Options& options,
                                         detail::ChunkTotals& totals) {
    const FpEnvironmentGuard guard;
    AlignedBuffer<detail::BodyFrame> frames;
    frames.reserve(bodies.count);
    table.prepare_bodies(bodies, hulls.records(), hulls.size(), nullptr, 0, bodies.count, frames.data());
    detail::ChunkScratch scratch;
    scratch.reserve(hulls.max_vertices(), hulls.max_faces(), hulls.max_edges());
    AlignedBuffer<Manifold4> out;
    out.reserve(pairs.size());
    for (std::size_t first = 0; first < pairs.size(); first += detail::kChunkPairs) {
        std::array<std::uint64_t, detail::kChunkPairs / 64> reported{}, overlapping{};
        detail::ChunkJob job;
        job.hulls = hulls.records();
        job.frames = frames.data();
        job.bodies = &bodies;
        job.set_pairs(pairs.data() + first);
        job.count = static_cast<std::uint32_t>(std::min<std::size_t>(detail::kChunkPairs, pairs.size() - first));
        job.margin = options.margin;
        job.face_preference = options.face_preference;
        job.points = options.points;
        job.method = options.method;
        job.patch_band = options.patch_band;
        job.out = out.data() + first;
        job.reported = reported.data();
        job.overlapping = overlapping.data();
        table.collide_chunk(job, scratch, totals);
    }
    return {out.data(), out.data() + pairs.size()};
}

}  // namespace lanefold::test
