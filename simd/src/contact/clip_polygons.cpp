// SPDX-License-Identifier: MIT
//
// Sizes the contacts' memory.

#include "contact/clip_polygons.hpp"

#include <lanefold/detail/hull_block.hpp>

namespace lanefold::detail {
namespace {

void reserve_polygon(ClipPolygon& p, std::size_t sides) {
    const std::size_t n = round_up(sides + 1, kBlockLanes) + kBlockLanes;
    for (AlignedBuffer<float>* b : {&p.x, &p.y, &p.z, &p.sx, &p.sy, &p.sz, &p.so}) b->reserve(n);
    p.vertex.reserve(n);
    p.edge.reserve(n);
}

void reserve_points(ClipPoints& p, std::size_t sides) {
    // For each incident edge its vertex and two crossings, then the reference vertices.
    const std::size_t n = round_up(4 * sides, kBlockLanes) + kBlockLanes;
    for (AlignedBuffer<float>* b : {&p.x, &p.y, &p.z, &p.separation}) b->reserve(n);
    p.feature_a.reserve(n);
    p.feature_b.reserve(n);
}

}  // namespace

void ContactScratch::reserve(std::size_t vertices, std::size_t faces) {
    picks.all.reserve(kListRoom);
    picks.sorted.reserve(kListRoom);
    held.picks.reserve(kListRoom);
    held.last.reserve(kListRoom);
    held.chosen.reserve(kListRoom);
    held.optima.reserve(kListRoom);
    reserve_polygon(clip.reference, vertices);
    reserve_polygon(clip.incident, vertices);
    reserve_points(clip.points, vertices);
    clip.patch.reserve(vertices, faces);
}

}  // namespace lanefold::detail
