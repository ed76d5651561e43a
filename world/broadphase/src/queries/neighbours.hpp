// SPDX-License-Identifier: MIT
//
// The bodies near the shapes of a pass of queries, as a batch for the narrowphase: bodies, pairs, and which of them are
// whose. A neighbour is a body whose own float64 box meets the query's: a function of the two alone, whatever the fat
// boxes of the finder are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <lanefold/body.hpp>
#include <lanefold/scene_queries.hpp>

#include "finders/finder_scene.hpp"
#include "finders/finder_table.hpp"

namespace lanefold::detail {

// A shape of a query at its first pose, and the box around all of its poses with its reach; empty if it has a status.
struct QueryShape {
    BodyD body;
    WorldBox box;
    Status status = Status::ok;
};

// The filter of query q.
BodyFilters::Query filter_of(const QueryOptions& options, std::size_t q);

// The status of a shape: half-spaces are bad hulls.
Status shape_status(const HullSet& hulls, const BodyD& body);

class Neighbours {
public:
    struct Of {
        std::uint32_t body;
        std::uint32_t child;
    };

    // Finds those of queries `first` to first + shapes - 1, ascending by query, body and child. `children`: compounds
    // are replaced by their children.
    void find(const FinderScene& scene, const FinderTable& table, const QueryOptions& options, std::size_t first,
              bool children);

    // The shapes of the pass, which the caller sets before find(), and after it the bodies of the batch: a neighbour
    // for each pair, then the shapes. Pair k is (shape, neighbour k).
    std::vector<QueryShape> shapes;
    std::vector<BodyD> bodies;
    std::vector<Pair> pairs;
    std::vector<Of> of;                // per pair
    std::vector<std::size_t> offsets;  // of query i of the pass: pairs offsets[i] .. offsets[i + 1]

private:
    struct Block {
        std::vector<std::uint32_t> near;
        std::vector<Of> of;
        std::vector<BodyD> bodies;
    };
    void find_of(const FinderScene& scene, const FinderTable& table, const BodyFilters::Query& filter,
                 const WorldBox& box, bool children, Block& block) const;

    std::vector<Block> blocks_;
};

}  // namespace lanefold::detail
