// SPDX-License-Identifier: MIT
//
// A captured pair of a compound's child and a surface. A call rounds its points to float32 once, as offsets from the
// compound, so a call with the child alone cannot give their last bit. This can.
#pragma once

#include <cstring>
#include <vector>

#include <lanefold/capture.hpp>
#include <lanefold/detail/ground_pair.hpp>
#include <lanefold/detail/surface_block.hpp>

namespace lanefold::detail {

// All records of the captured pair, as the captured call had them. The poses are good.
template <class Record>
std::vector<Record> captured_ground(const Capture& capture, const CapturedPair& captured) {
    const HullRecord* const hulls = capture.hulls().records();
    GroundPair pair;
    pair.surface_is_a = hulls[captured.a.hull].shape == ShapeKind::surface;
    const BodyD& ground = pair.surface_is_a ? captured.a : captured.b;
    const BodyD& body = pair.surface_is_a ? captured.b : captured.a;
    pair.surface = surface_block(hulls[ground.hull]).view;
    pair.body = hulls + body.hull;
    std::memcpy(pair.orientation_surface, ground.orientation, sizeof pair.orientation_surface);
    std::memcpy(pair.orientation_body, body.orientation, sizeof pair.orientation_body);
    std::memcpy(pair.position_surface, ground.position, sizeof pair.position_surface);
    std::memcpy(pair.position_body, body.position, sizeof pair.position_body);
    pair.margin = captured.margin;
    pair.face_preference = captured.face_preference;
    pair.points = captured.points;
    pair.index_body = pair.surface_is_a ? captured.bodies.b : captured.bodies.a;
    pair.index_surface = pair.surface_is_a ? captured.bodies.a : captured.bodies.b;
    pair.shifted = true;
    pair.shift = {body.position[0], body.position[1], body.position[2]};
    GroundMemory memory;
    std::vector<Record> out(collide_ground(pair, memory));
    for (std::size_t k = 0; k < out.size(); ++k) {
        write_ground(pair, memory, k, out[k]);
        out[k].child_a = captured.record.child_a;
        out[k].child_b = captured.record.child_b;
    }
    return out;
}

}  // namespace lanefold::detail
