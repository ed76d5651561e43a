// SPDX-License-Identifier: MIT
//
// Sizes a chunk's working memory.

#include "chunk/chunk_scratch.hpp"

#include <algorithm>

#include <lanefold/detail/hull_block.hpp>

namespace lanefold::detail {

ChunkScratch::ChunkScratch() : impl_(std::make_unique<Impl>()) {}
ChunkScratch::ChunkScratch(ChunkScratch&&) noexcept = default;
ChunkScratch& ChunkScratch::operator=(ChunkScratch&&) noexcept = default;
ChunkScratch::~ChunkScratch() = default;

PreciseScratch& ChunkScratch::precise() { return impl_->precise; }

void ChunkScratch::reserve(std::uint32_t max_vertices, std::uint32_t max_faces, std::uint32_t max_edges) {
    Impl& s = *impl_;
    // Nearly every call; to ask each of a hundred buffers takes a tenth of the time of a pair.
    if (s.reserved && max_vertices <= s.vertices && max_faces <= s.faces && max_edges <= s.edges) return;
    max_vertices = std::max(max_vertices, s.vertices);
    max_faces = std::max(max_faces, s.faces);
    max_edges = std::max(max_edges, s.edges);
    s.reserved = false;  // until all of them have grown
    s.paths.hulls.reserve();
    s.paths.boxes.reserve();
    s.paths.floors.reserve();
    s.paths.precise.pair.reserve(kListRoom);
    s.paths.precise.distance.reserve(kListRoom);
    s.boxes.reserve();
    s.pairs.reserve();
    s.asked.reserve();
    s.overlap_records.reserve(kListRoom);
    s.precise.reserve(max_vertices, max_faces, max_edges);

    // Hulls with 32-bit topology never reach the stages in lanes.
    const std::size_t limit = kMaxIndex16;
    const std::size_t v = std::min<std::size_t>(max_vertices, limit);
    const std::size_t f = std::min<std::size_t>(max_faces, limit);
    const std::size_t e = std::min<std::size_t>(max_edges, limit);
    s.search.reserve(f, e);
    s.contacts.reserve(v, round_up(f, 4 * std::size_t{kBlockLanes}));
    s.vertices = max_vertices;
    s.faces = max_faces;
    s.edges = max_edges;
    s.reserved = true;
}

}  // namespace lanefold::detail
