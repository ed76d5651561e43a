// SPDX-License-Identifier: MIT
//
// Pairs with a surface in a chunk: of a hull, sharp or rounded, or of a compound's children, each with the whole
// surface. They take the float64 path for surfaces, pair by pair.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include <lanefold/detail/ground_pair.hpp>
#include <lanefold/detail/read_body.hpp>
#include <lanefold/detail/surface_block.hpp>

#include "batch/children.hpp"
#include "batch/several.hpp"

namespace lanefold::detail {

inline void set_position(const Vec3d& from, double (&to)[3]) {
    to[0] = from.x;
    to[1] = from.y;
    to[2] = from.z;
}

// Names the child that a record of the pair is of.
template <class Record>
void name_child(const GroundPair& pair, std::uint32_t child, Record& record) {
    using Number = decltype(record.child_a);
    (pair.surface_is_a ? record.child_b : record.child_a) = child_number<Number>(child);
}

// The pair of bodies, without the hull that meets the surface and its pose.
inline GroundPair ground_pair(const ChunkJob& job, std::uint32_t i, bool surface_is_a, const ExpandedBody& ground) {
    GroundPair pair;
    pair.surface = surface_block(*ground.record).view;
    std::memcpy(pair.orientation_surface, ground.body.orientation, sizeof pair.orientation_surface);
    pair.margin = job.margin_of(i);
    pair.face_preference = job.face_preference;
    pair.points = job.points;
    pair.surface_is_a = surface_is_a;
    pair.index_body = surface_is_a ? job.pairs[i].b : job.pairs[i].a;
    pair.index_surface = surface_is_a ? job.pairs[i].a : job.pairs[i].b;
    return pair;
}

// Takes the records of pair i, of which a body is a surface: for each child in order, the deepest first.
template <class Record>
void take_ground(const ChunkJob& job, std::uint32_t i, const ExpandedBody& a, const ExpandedBody& b,
                 GroundMemory& memory, RecordTaker<Record>& taker, Counters& counters) {
    const bool surface_is_a = is_surface(*a.record);
    const ExpandedBody& ground = surface_is_a ? a : b;
    const ExpandedBody& body = surface_is_a ? b : a;
    // Two shapes that never move.
    if (body.record->shape == ShapeKind::surface || body.record->shape == ShapeKind::half_space) return;
    GroundPair pair = ground_pair(job, i, surface_is_a, ground);
    for (std::uint32_t k = 0; k < body.children(); ++k) {
        // A hull beside a surface has the caller's positions, children have those relative to body a.
        const BodyD own = body.compound() ? body.child(k) : body.body;
        pair.body = job.hulls + own.hull;
        std::memcpy(pair.position_body, own.position, sizeof pair.position_body);
        std::memcpy(pair.orientation_body, own.orientation, sizeof pair.orientation_body);
        set_position(body.compound() ? ground.origin : position_of(ground.body), pair.position_surface);
        pair.shifted = surface_is_a || body.compound();
        if (pair.shifted) pair.shift = body.compound() ? position_of(own) : body.origin;
        ++counters.precise_pairs;
        const std::size_t count = collide_ground(pair, memory);
        for (std::size_t c = 0; c < count; ++c) {
            Record record;
            write_ground(pair, memory, c, record);
            if (body.compound()) name_child(pair, k, record);
            taker.take(i, record);
        }
    }
}

}  // namespace lanefold::detail
