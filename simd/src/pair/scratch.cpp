// SPDX-License-Identifier: MIT
//
// Sizing of a chunk's working memory.

#include "pair/scratch.hpp"

#include <algorithm>

#include <lanefold/detail/hull_block.hpp>

namespace lanefold::detail {

ChunkScratch::ChunkScratch() : impl_(std::make_unique<Impl>()) {}
ChunkScratch::ChunkScratch(ChunkScratch&&) noexcept = default;
ChunkScratch& ChunkScratch::operator=(ChunkScratch&&) noexcept = default;
ChunkScratch::~ChunkScratch() = default;

namespace {

void reserve_polygon(ClipPolygon& p, std::size_t sides) {
    const std::size_t n = round_up(sides + 1, kBlockLanes) + kBlockLanes;
    for (AlignedBuffer<float>* b : {&p.x, &p.y, &p.z, &p.sx, &p.sy, &p.sz, &p.so}) b->reserve(n);
    p.vertex.reserve(n);
    p.edge.reserve(n);
}

void reserve_points(ClipPoints& p, std::size_t sides) {
    // Per incident edge its vertex and two crossings, then the reference vertices.
    const std::size_t n = round_up(4 * sides, kBlockLanes) + kBlockLanes;
    for (AlignedBuffer<float>* b : {&p.x, &p.y, &p.z, &p.separation}) b->reserve(n);
    p.feature_a.reserve(n);
    p.feature_b.reserve(n);
}

}  // namespace

void ChunkScratch::reserve(std::uint32_t max_vertices, std::uint32_t max_faces, std::uint32_t max_edges) {
    Impl& s = *impl_;
    s.precise.reserve(max_vertices, max_faces, max_edges);
    const std::size_t pairs = kChunkPairs + kBlockLanes;  // lanes past the end of a list write here
    for (AlignedBuffer<std::uint32_t>* b :
         {&s.hull_list, &s.box_list, &s.precise_list, &s.alive_list, &s.face_list, &s.edge_list, &s.scan_a, &s.scan_b})
        b->reserve(pairs);
    s.hull_places.reserve(pairs);
    s.box_places.reserve(pairs);
    // A pick can come back from one list into the other, once, and a crowded face contact into its own, once.
    s.box_faces.reserve(2 * pairs);
    s.box_edges.reserve(2 * pairs);
    s.picks.reserve(pairs);
    s.sorted_picks.reserve(pairs);
    s.rows.reserve(pairs);
    s.inverses.reserve(pairs);
    s.axes.reserve(pairs);
    s.gap.reserve(pairs);
    s.optimum.reserve(pairs);
    s.overlap_records.reserve(pairs);

    // Hulls with 32-bit topology never reach these stages.
    const std::size_t limit = kMaxIndex16;
    const std::size_t v = std::min<std::size_t>(max_vertices, limit);
    const std::size_t f = round_up(std::min<std::size_t>(max_faces, limit), 4 * std::size_t{kBlockLanes});
    const std::size_t e = round_up(std::min<std::size_t>(max_edges, limit), kBlockLanes);
    s.bound_stride = std::max(s.bound_stride, static_cast<std::uint32_t>(f));
    s.bound.reserve(kSearchGroup * f);
    s.group.reserve(pairs);
    s.members.reserve(pairs);
    s.active.reserve(pairs);
    s.face_bits.reserve(f);
    // Beyond the end of a list: whole vectors are written there, and combinations that do not count refer to it.
    const std::size_t edges = kEdgeBatch + e + 4 * std::size_t{kBlockLanes};
    for (EdgeRows* rows : {&s.edges_a, &s.edges_b}) {
        rows->edge.reserve(edges);
        rows->member.reserve(edges);
        rows->rows.reserve(16 * edges);
    }
    s.edge_jobs.reserve(kSearchGroup);
    for (AlignedBuffer<std::uint32_t>* b : {&s.combination_a, &s.combination_b, &s.crossing_a, &s.crossing_b})
        b->reserve(kCombinations + 4 * std::size_t{kBlockLanes});
    s.mask_stride = std::max(s.mask_stride, static_cast<std::uint32_t>(e / 32 + 1));
    s.edge_masks.reserve(std::size_t{2} * kSearchGroup * s.mask_stride);
    s.mask_words.reserve(s.mask_stride);
    reserve_polygon(s.reference, v);
    reserve_polygon(s.incident, v);
    reserve_points(s.points, v);
    s.patch.reserve(v, f);
}

}  // namespace lanefold::detail
