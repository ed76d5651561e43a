// SPDX-License-Identifier: MIT
//
// Checks everything that must hold for any hull of the builder, from the public records, blocks and input points, with
// independent arithmetic.
#pragma once

#include <span>
#include <string>
#include <vector>

#include <lanefold/hull_builder.hpp>
#include <lanefold/hull_set.hpp>

namespace lanefold::test {

struct HullExpectation {
    bool merged = true;          // built with merge_coplanar: every edge must be convex
    bool contains_input = true;  // not cut down to a budget
};

// The first violation, in words; empty when there is none. `input` are the points from which hull `id` was built.
// Covers numbering, adjacency, padding, planes, boxes, extents, convexity and containment.
std::string check_hull(const HullSet& hulls, std::size_t id, std::span<const Vec3f> input,
                       const HullExpectation& expect = {});

// The faces of a hull as loops of INPUT point numbers, each starting at its lowest, sorted. They are equal for equal
// hulls with any order of the points.
std::vector<std::vector<std::uint32_t>> input_faces(const HullSet& hulls, std::size_t id,
                                                    std::span<const std::uint32_t> renumber = {});

// Bytes of a hull's block.
std::span<const std::byte> block_bytes(const HullRecord& record);

}  // namespace lanefold::test
