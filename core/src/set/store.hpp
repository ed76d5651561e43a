// SPDX-License-Identifier: MIT
//
// From a hull in input coordinates to its block and record, and the segment that owns many of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include <lanefold/aligned_buffer.hpp>
#include <lanefold/detail/hull_block.hpp>
#include <lanefold/hull_set.hpp>
#include <lanefold/surface.hpp>

#include "hull/draft.hpp"

namespace lanefold::detail {

// Whether the hull has an edge, a face or a thickness that float32 lanes cannot resolve. `size`: half diagonal of its
// box.
bool is_thin(const HullDraft& hull, double size);

// The record without its block pointer, extents and radius; the block's layout follows from it.
HullRecord make_record(const HullDraft& hull);

// Fills the zeroed block of hull_layout(record).bytes, and the record's extents and radius.
void write_block(const HullDraft& hull, HullRecord& record, std::byte* block);

// XXH64 of stored vertices and canonical topology.
std::uint64_t hash_hull(const HullDraft& hull);

}  // namespace lanefold::detail

namespace lanefold {

struct HullSet::Segment {
    AlignedBuffer<std::byte> blocks;
    std::vector<HullRecord> records;
    std::vector<HullInfo> info;
    std::vector<std::uint64_t> hash;  // per hull
    std::vector<std::size_t> index_first;
    std::vector<std::uint32_t> input_index;
    std::vector<Surface> surfaces;  // of a segment of surfaces: one per id; otherwise none
};

namespace detail {

std::shared_ptr<const HullSet::Segment> make_segment(std::span<const HullDraft> hulls);

}  // namespace detail
}  // namespace lanefold
