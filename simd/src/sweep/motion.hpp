// SPDX-License-Identifier: MIT
//
// The motion of a body and of a pair in a sweep, in float64: positions on a line, orientations about a fixed axis, both
// at a constant rate. docs/between_frames.md has the definition. A child of a compound moves with its body: its hull is
// placed in the body's coordinates. A half-space is its plane.
#pragma once

#include <span>

#include <lanefold/body.hpp>
#include <lanefold/detail/time_within.hpp>
#include <lanefold/hull_set.hpp>
#include <lanefold/manifold.hpp>
#include <lanefold/pose.hpp>
#include <lanefold/sweep_record.hpp>

namespace lanefold::detail {

// The place of a child in the coordinates of its body.
struct ChildPlace {
    Mat3d rotation;
    Vec3d position;
    Vec3d first;  // the position turned by the body's first orientation
};

// The plane of a half-space in its body's coordinates.
struct MovingPlane {
    Vec3d normal;  // unit
    double offset = 0;
};

// One body from its first pose (fraction 0) to its second (fraction 1).
struct BodyMotion {
    const HullRecord* hull = nullptr;
    std::uint32_t hull_id = 0;
    std::span<const Vec3f> vertices;  // of the core, input coordinates of its hull
    Vec3d position;                   // first
    Vec3d shift;                      // from the first position to the second
    float given[4] = {};              // first orientation of the hull, as the kernels get it
    Quat first;                       // the same, normalised
    Mat3d rotation;                   // of the body's first orientation
    Vec3d axis;                       // unit, world axes; zero without a turn
    double angle = 0;                 // radians, 0 to kLargestTurn
    Vec3d spin;                       // axis * angle
    double lever = 0;                 // no point of the core is further from the position
    double own_lever = 0;             // and none from the origin of its hull's coordinates
    bool is_child = false;
    bool is_plane = false;
    bool is_ground = false;  // a surface of triangles, without vertices and levers
    ChildPlace place;        // of a child
    MovingPlane plane;       // of a half-space
};

// A point of a hull in the coordinates of its body.
inline Vec3d in_body(const BodyMotion& body, const Vec3f& vertex) {
    const Vec3d v = to_double(vertex);
    return body.is_child ? body.place.rotation * v + body.place.position : v;
}

// A direction of a body's coordinates in those of its hull.
inline Vec3d in_hull(const BodyMotion& body, const Vec3d& direction) {
    return body.is_child ? transpose_times(body.place.rotation, direction) : direction;
}

// The caller's bodies and what they do.
struct Motions {
    const HullSet* hulls = nullptr;
    const BodyView* begin = nullptr;
    const BodyView* end = nullptr;
    std::span<const Vec3d> spins;
};

// A body's motion, or why it has none.
struct MotionProblem {
    Status status = Status::ok;
    SweepFailure failure = SweepFailure::none;
};
// The tolerance is at least so many times the accuracy of the distance, so that there are distances that are certain to
// be within it and others that are certain to be above the target.
inline constexpr double kAccuraciesInTolerance = 4;

// A compound has the motion of its body, and no vertices.
MotionProblem read_motion(const Motions& motions, std::uint32_t body, BodyMotion& out);
// From the motion of a compound to that of one of its children.
BodyMotion child_motion(const HullSet& hulls, const BodyMotion& compound, std::uint32_t child);
// Whether it is one.
bool moves_children(const BodyMotion& body);

// A pair in motion. All places are relative to a's position.
struct PairMotion {
    BodyMotion a;
    BodyMotion b;
    Vec3d offset;         // from a's position to b's, at fraction 0
    Vec3d shift;          // its change from fraction 0 to 1
    double target = 0;    // of the distance of the cores: the caller's and both radii
    double radii = 0;     // their sum
    double slack = 0;     // bounds the rounding of every separation that is computed in float64
    double accuracy = 0;  // bounds the error of a distance of the kernels, with the rounding of their poses
    double tolerance = 0;
};
// Reads a and b. Compounds are left to the caller, who takes their children before relate().
MotionProblem read_pair(const Motions& motions, const Pair& pair, PairMotion& out);
// Fills in the rest from a and b, of which neither is a compound or a surface and one at most a half-space.
SweepFailure relate(const SweepOptions& options, PairMotion& out);

// A pair at a fraction of its motion.
struct Moment {
    double fraction = 0;
    Vec3d offset;
    Quat turn_a;  // since fraction 0
    Quat turn_b;
    Mat3d rotation_a;
    Mat3d rotation_b;
};
Moment moment_at(const PairMotion& pair, double fraction);

// The rotation of a body while `fraction` of its motion passes.
Quat turn_in(const BodyMotion& body, double fraction);

// The pair at a moment, as two bodies for the kernels, in a frame that turns with the body of the longer lever, or with
// a half-space: its orientation is the caller's to the last bit. Rounding an orientation to float32 so moves points by
// a part of the shorter lever only; a child's is rounded in any case. `frame` is the rotation from that frame to world
// axes.
void bodies_at(const PairMotion& pair, const Moment& moment, BodyD (&bodies)[2], Mat3d& frame);

// The part of the motion outside of which spheres about the two bodies keep them apart; `nearest`: from a's centre to
// b's.
Window find_window(const PairMotion& pair);

}  // namespace lanefold::detail
