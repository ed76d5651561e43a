// SPDX-License-Identifier: MIT
//
// A body that moves before a surface: when does it first come down to a triangle, from its outer side? In float64, one
// pair at a time. Internal; docs/between_frames.md has the definition.
//
// All is in the axes and coordinates that the surface has at fraction 0. Its position may move on a line, and it may
// turn about it. Results are in the axes that it has at their fraction.
#pragma once

#include <cstdint>

#include <lanefold/detail/ground_pair.hpp>
#include <lanefold/detail/surface_view.hpp>
#include <lanefold/export.hpp>
#include <lanefold/hull_set.hpp>
#include <lanefold/manifold.hpp>
#include <lanefold/pose.hpp>
#include <lanefold/sweep_record.hpp>
#include <lanefold/vec.hpp>

namespace lanefold::detail {

// A hull, sharp or rounded, on its way: its position on a line, its orientation about a fixed axis through the
// position, both at a constant rate. A child of a compound moves with its body: `beside` is its place.
struct GroundMotion {
    const HullRecord* body = nullptr;
    const SurfaceView* surface = nullptr;
    Vec3d position;     // of the body at fraction 0
    Vec3d shift;        // from there to that at fraction 1
    Vec3d beside;       // from the position to the origin of the hull's coordinates, at fraction 0
    Mat3d rotation;     // of the hull, at fraction 0
    Vec3d axis;         // unit; zero without a turn
    double angle = 0;   // radians, above 0
    Vec3d ground_axis;  // that of the surface's own turn; zero without one
    double ground_angle = 0;
    double target = 0;     // signed distance at which they meet, >= 0
    double tolerance = 0;  // of a hit's distance, above 0, at least ground_accuracy() times four
};

// Bounds the error of a distance, as the records say it, of a body of this rounded size.
LANEFOLD_EXPORT double ground_accuracy(double size, double target);

// The first meeting.
struct GroundMeeting {
    SweepState state = SweepState::miss;
    SweepFailure failure = SweepFailure::none;
    double fraction = 1;         // of a failure: no triangle is met before
    std::uint32_t triangle = 0;  // the lowest of those that are met then
    std::uint32_t feature_body = 0;
    std::uint32_t feature_surface = 0;
    ContactKind kind = ContactKind::none;  // the body is a
    Vec3d normal;                          // unit, from the surface to the body
    double distance = 0;                   // signed
    Vec3d point;                           // the deepest one, midway, from the body's position then
    std::uint32_t rounds = 0;              // distances of this triangle that were computed
    std::uint64_t distances = 0;           // of all triangles
};

// A triangle is met when the distance of the body comes down to the target, if the direction to the body is then
// admissible: from behind the body passes. `overlapping`: collide_surface() has a contact at fraction 0. The
// floating-point environment must be the default one. Throws std::bad_alloc.
LANEFOLD_EXPORT GroundMeeting meet_ground(const GroundMotion& motion, GroundMemory& memory);

}  // namespace lanefold::detail
