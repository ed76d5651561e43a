// SPDX-License-Identifier: MIT
//
// See the header.
#include "sweep/ground_meeting.hpp"

#include <algorithm>

#include <lanefold/detail/round.hpp>
#include <lanefold/detail/surface_block.hpp>
#include <lanefold/detail/swapped_kind.hpp>
#include <lanefold/detail/turn.hpp>

namespace lanefold::detail {
namespace {

GroundMotion ground_motion(const SweepOptions& options, const PairMotion& pair) {
    const bool surface_is_a = pair.a.is_ground;
    const BodyMotion& ground = surface_is_a ? pair.a : pair.b;
    const BodyMotion& body = surface_is_a ? pair.b : pair.a;
    GroundMotion m;
    m.body = body.hull;
    m.surface = surface_block(*ground.hull).view;
    m.position = transpose_times(ground.rotation, surface_is_a ? pair.offset : -pair.offset);
    m.shift = transpose_times(ground.rotation, surface_is_a ? pair.shift : -pair.shift);
    m.rotation = transpose(ground.rotation) * body.rotation;
    if (body.is_child) {
        m.beside = m.rotation * body.place.position;
        m.rotation = m.rotation * body.place.rotation;
    }
    m.axis = transpose_times(ground.rotation, body.axis);
    m.angle = body.angle;
    m.ground_axis = transpose_times(ground.rotation, ground.axis);
    m.ground_angle = ground.angle;
    m.target = static_cast<double>(options.target);
    const double size = rounded_size(*body.hull);
    m.tolerance = std::max(static_cast<double>(options.tolerance) * size,
                           kAccuraciesInTolerance * ground_accuracy(size, m.target));
    return m;
}

void put(const Vec3d& from, float (&to)[3]) {
    const Vec3f x = to_float(from);
    to[0] = x.x;
    to[1] = x.y;
    to[2] = x.z;
}

// Two shapes that never move.
bool is_no_pair(const PairMotion& pair) {
    const BodyMotion& body = pair.a.is_ground ? pair.b : pair.a;
    return body.is_ground || body.is_plane;
}

}  // namespace

std::uint64_t meet_surface(const SweepOptions& options, const PairMotion& pair, GroundMemory& memory, SweepRecord& r) {
    if (is_no_pair(pair)) {
        r.state = SweepState::failed;
        r.failure = SweepFailure::shape;
        r.fraction = 0;
        return 0;
    }
    const GroundMotion motion = ground_motion(options, pair);
    const GroundMeeting m = meet_ground(motion, memory);
    r.state = m.state;
    r.failure = m.failure;
    r.fraction = m.fraction;
    r.rounds = static_cast<std::uint16_t>(m.rounds);
    if (m.state != SweepState::hit && m.state != SweepState::overlapping) return m.distances;
    const bool surface_is_a = pair.a.is_ground;
    const Mat3d& axes = surface_is_a ? pair.a.rotation : pair.b.rotation;
    Vec3d normal = m.normal;
    Vec3d point = m.point;
    if (motion.ground_angle > 0) {
        const Mat3d turned = rotation(part_of({motion.ground_axis, motion.ground_angle}, m.fraction));
        normal = turned * normal;
        point = turned * point;
    }
    put(axes * (surface_is_a ? normal : -normal), r.normal);
    const Vec3d at = surface_is_a ? point + (motion.position + motion.shift * m.fraction) : point;
    put(axes * at, r.point);
    r.distance = static_cast<float>(m.distance);
    r.kind = surface_is_a ? swapped(m.kind) : m.kind;
    r.feature_a = surface_is_a ? m.feature_surface : m.feature_body;
    r.feature_b = surface_is_a ? m.feature_body : m.feature_surface;
    return m.distances;
}

}  // namespace lanefold::detail
