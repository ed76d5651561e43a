// SPDX-License-Identifier: MIT
//
// See the header.
#include "queries/neighbours.hpp"

#include <algorithm>

#include <lanefold/compound.hpp>
#include <lanefold/detail/compound_block.hpp>
#include <lanefold/detail/half_space_block.hpp>
#include <lanefold/detail/read_body.hpp>

#include "boxes/tasks.hpp"
#include "boxes/world_boxes.hpp"

namespace lanefold::detail {
namespace {

// Queries that a task takes at once.
constexpr std::size_t kQueriesPerBlock = 32;

// Places for bodies near a box at first; more are made where they are needed.
constexpr std::size_t kNearAtFirst = 256;

}  // namespace

BodyFilters::Query filter_of(const QueryOptions& o, std::size_t q) {
    BodyFilters::Query filter;
    if (!o.group.empty()) filter.group = o.group[q];
    if (!o.category.empty()) filter.category = o.category[q];
    if (!o.collides_with.empty()) filter.collides_with = o.collides_with[q];
    if (!o.world.empty()) filter.world = o.world[q];
    return filter;
}

Status shape_status(const HullSet& hulls, const BodyD& body) {
    if (!hulls.contains(body.hull) || is_half_space(hulls[body.hull])) return Status::bad_hull;
    return is_finite(position_of(body)) && is_orientation(body.orientation) ? Status::ok : Status::bad_pose;
}

void Neighbours::find_of(const FinderScene& scene, const FinderTable& table, const BodyFilters::Query& filter,
                         const WorldBox& box, bool children, Block& block) const {
    if (block.near.size() < kNearAtFirst) block.near.resize(kNearAtFirst);
    const BoxTree& tree = scene.tree->tree();
    const auto search = [&] {
        return table.tree.query(tree.view(), scene.tree->frame().box(box), tree.reach_of_world(filter.world),
                                block.near.data(), block.near.size());
    };
    std::size_t count = search();
    if (count > block.near.size()) {
        block.near.resize(count + count / 4);
        count = search();
    }
    if (block.near.size() < count + scene.planes.size()) block.near.resize(count + scene.planes.size());
    for (const WorldPlane& plane : scene.planes) block.near[count++] = plane.body;
    std::sort(block.near.begin(), block.near.begin() + static_cast<std::ptrdiff_t>(count));
    const HullSet& hulls = *scene.hulls;
    for (std::size_t k = 0; k < count; ++k) {
        const std::uint32_t b = block.near[k];
        const BodyD& body = scene.bodies[b];
        if (!scene.tree->filters().pass(filter, b) || !hulls.contains(body.hull)) continue;
        const bool plane = is_half_space(hulls[body.hull]);
        if (!plane && !overlap(box, body_box(hulls, body, 0))) continue;
        const std::size_t parts = children ? hulls.child_count(body.hull) : 0;
        if (parts == 0) {
            block.of.push_back({b, 0});
            block.bodies.push_back(body);
        }
        for (std::uint32_t c = 0; c < parts; ++c) {
            const BodyD child = child_body(hulls, body, c);
            if (!overlap(box, body_box(hulls, child, 0))) continue;
            block.of.push_back({b, c});
            block.bodies.push_back(child);
        }
    }
}

void Neighbours::find(const FinderScene& scene, const FinderTable& table, const QueryOptions& options,
                      std::size_t first, bool children) {
    const std::size_t count = shapes.size();
    offsets.assign(count + 1, 0);
    const std::size_t used = (count + kQueriesPerBlock - 1) / kQueriesPerBlock;
    if (blocks_.size() < used) blocks_.resize(used);
    for_blocks(count, kQueriesPerBlock, options.threads, [&](std::size_t begin, std::size_t end) {
        Block& block = blocks_[begin / kQueriesPerBlock];
        block.of.clear();
        block.bodies.clear();
        for (std::size_t i = begin; i < end; ++i) {
            const std::size_t before = block.of.size();
            if (shapes[i].status == Status::ok)
                find_of(scene, table, filter_of(options, first + i), shapes[i].box, children, block);
            offsets[i + 1] = block.of.size() - before;
        }
    });
    for (std::size_t i = 0; i < count; ++i) offsets[i + 1] += offsets[i];
    const std::size_t all = offsets[count];
    of.clear();
    bodies.clear();
    for (std::size_t b = 0; b < used; ++b) {
        of.insert(of.end(), blocks_[b].of.begin(), blocks_[b].of.end());
        bodies.insert(bodies.end(), blocks_[b].bodies.begin(), blocks_[b].bodies.end());
    }
    pairs.resize(all);
    for (std::size_t i = 0; i < count; ++i) {
        for (std::size_t k = offsets[i]; k < offsets[i + 1]; ++k)
            pairs[k] = {static_cast<std::uint32_t>(all + i), static_cast<std::uint32_t>(k)};
        bodies.push_back(shapes[i].body);
    }
}

}  // namespace lanefold::detail
