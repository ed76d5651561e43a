// SPDX-License-Identifier: MIT
//
// Everything that must hold for any hull that the builder delivers, checked from outside: from the public
// records, blocks and input points, by arithmetic of its own.
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

// The first violation found, in words; empty when there is none. `input` are the points that hull `id` was
// built from. Covers numbering, adjacency, padding, planes, boxes, extents, convexity and containment.
std::string check_hull(const HullSet& hulls, std::size_t id, std::span<const Vec3f> input,
                       const HullExpectation& expect = {});

// The faces of a hull as loops of INPUT point numbers, each starting at its lowest, sorted: equal for equal
// hulls whatever the order of their points.
std::vector<std::vector<std::uint32_t>> input_faces(const HullSet& hulls, std::size_t id,
                                                    std::span<const std::uint32_t> renumber = {});

// Bytes of a hull's block.
std::span<const std::byte> block_bytes(const HullRecord& record);

}  // namespace lanefold::test
