// SPDX-License-Identifier: MIT
//
// Rigid bodies and the links between them, as a caller describes them to a World (world.hpp).
//
// Lengths in metres, masses in kilograms, times in seconds; WorldSettings::unit says how long a metre is in the
// caller's unit where that is another.
#pragma once

#include <cstdint>

#include <lanefold/vec.hpp>

namespace lanefold {

// Selects what moves a body.
enum class BodyKind : std::uint8_t {
    dynamic = 0,    // forces, contacts and links move it
    fixed = 1,      // never moves
    kinematic = 2,  // moves with its velocity and spin, whatever is in its way
};

// A body as add_bodies() takes it.
struct RigidBody {
    std::uint32_t hull = 0;
    BodyKind kind = BodyKind::dynamic;
    // The hull's input origin; orientation is (x, y, z, w).
    double position[3] = {};
    float orientation[4] = {0, 0, 0, 1};
    // Velocity of the centre of mass, world axes; angular velocity in radians per second. A fixed body has 0.
    float velocity[3] = {};
    float spin[3] = {};
    // Mass is density times the hull's volume, or `mass` where that is not 0: 1e-15 to 1e15. Centre of mass and inertia
    // are those of the homogeneous hull (HullInfo::mass), of a compound the sums over its children, which count twice
    // where they overlap. Neither matters unless the body is dynamic.
    float density = 1000;
    float mass = 0;
    // Coulomb's coefficient of a pair is the geometric mean of its bodies', 0 to 1e6, its restitution the larger one.
    float friction = 0.6F;
    float restitution = 0;  // 0 to 1
    // The filters of FinderOptions: a and b can touch if a.category & b.collides_with and b.category & a.collides_with
    // are both not 0. Bodies of equal non-zero group never touch (limbs of one character).
    std::uint32_t category = 1;
    std::uint32_t collides_with = 0xFFFFFFFFU;
    std::uint32_t group = 0;
    // Scales the hull about its origin, as BodyView::scale: the body has the hull that ScaledHulls makes, its mass and
    // inertia. The world's set then has that hull, too (World::hulls), and the body's pose names it.
    float scale = 1;
};

// Instead of a body: the end of the link is a point of the world.
inline constexpr std::uint32_t kWorldAnchor = 0xFFFFFFFFU;

// A link holds its ends apart or together by their distance.
enum class LinkKind : std::uint8_t {
    cable = 0,  // the ends are at most `length` apart
    rod = 1,    // the ends are exactly `length` apart; while they coincide it has no direction and does nothing
};

// A link as add_links() takes it. Links that movable bodies connect are solved together, so chains, trees, bridges and
// small nets keep their lengths whatever hangs on them (docs/response.md). Where too many loops close, or more than
// some thirty links meet at a body, they are solved one after the other, and give under loads of a hundred times their
// weight. StepResult::link_error tells what came of it.
struct BodyLink {
    LinkKind kind = LinkKind::rod;
    std::uint32_t a = 0;
    std::uint32_t b = kWorldAnchor;
    // Points of the two bodies in the input coordinates of their hulls; end_b in the world without a b.
    Vec3d end_a;
    Vec3d end_b;
    double length = 0;      // > 0
    float restitution = 0;  // when a cable comes taut, 0 to 1
};

// The impulses of one manifold in the last substep of the last step, in kilogram metres a second.
struct ContactImpulse {
    float normal[4];   // one for each point
    float tangent[3];  // friction of the whole manifold, world axes, on body b
    float twist;       // moment of friction about the normal, on body b
};

// All that one manifold has pushed in the whole of the last step: what stopped or threw back the bodies, and what bore
// them.
struct ContactPush {
    float impulse;  // along the normal, of all points, on body b, kilogram metres a second; 0: it did not push
    float before;   // substeps before the first that pushed
    float after;    // substeps after the last that pushed
};

}  // namespace lanefold
