// SPDX-License-Identifier: MIT
//
// Rigid bodies that move: contacts of lanefold's narrowphase, friction, restitution, cables and rods, sleep.
//
// A step finds candidate pairs, computes their manifolds with a margin for the motion to come, and solves contacts and
// links in lanes, on all cores of the caller's tbb::task_arena. The state after a step is a function of the state
// before it, the settings and the duration: the same bits on every instruction set and with any number of threads.
//
//     World world(hulls);
//     world.add_bodies(bodies);                      // all of them or none
//     for (...) {
//         const StepResult r = world.step(1.0 / 60);  // nothing allocates once it has met the largest step
//         if (!r.status) ...                          // names argument and place
//         draw(world.bodies());
//     }
//
// A backend with a broad phase or a narrowphase call of its own hands in its pairs (step) or its manifolds (advance).
//
// Method: soft constraints with substeps (E. Catto, "Solver2D", 2024), warm-started by feature ids; constraints are
// coloured in their order, so that those of one colour share no body that moves, and are solved in lanes, colour after
// colour. A body that nothing touches keeps its angular momentum to rounding, whatever its inertia; it turns by the
// implicit midpoint rule, which keeps its energy (M. A. Austin, P. S. Krishnaprasad, L.-S. Wang, "Almost Poisson
// integration of rigid body systems", 1993).
//
// Fixed sharp hulls side by side with level faces (tiles, bricks, boards) of the same filters act as one surface: what
// slides over them meets no seam (collide_surface.hpp). A body may then have several manifolds with a piece, each with
// its own normal. Manifolds that a caller hands in are taken as they are.
//
// A fixed body may be a surface of triangles (surface_set.hpp): terrain, walls, sets. A body then has a manifold with
// it for each normal, up to the 64 deepest.
//
// A body may be a compound (compound.hpp): one rigid body whose children meet other bodies. A pair has a manifold for
// each pair of children that touch, up to the 64 deepest, and their impulses are carried by the children's numbers.
// Such pairs have no hysteresis, as in the calls.
//
// Refused with a status that names the argument and the place, and nothing changed: numbers that are not finite,
// masses, densities or lengths that are not positive, bodies or hulls that do not exist or were removed, coefficients
// out of range, and what would leave float32 in the solver: speeds, spins and gravity beyond 1e12, masses below 1e-15
// or beyond 1e15, friction beyond 1e6. No call throws, prints or allocates by our code once warm; memory that runs out
// is the status out_of_memory, and nothing changed.
//
// With reuse (WorldSettings), a step that is refused after it has looked for contacts has changed no body, but the next
// one computes all contacts: its last bits may be others, within the same bound.
//
// A body is lost when its motion is no longer finite, its speed or spin exceeds 1e13, or its place leaves float32. The
// step that finds it goes on without it: StepResult::lost and World::lost() tell. It stays where the step began,
// without pairs and contacts, and its links hold nothing any more; what slept against it wakes. All other bodies keep
// the bits that they would have if none of its pairs and links had been there in that step. set_pose() brings it back.
//
// remove() takes a body out in the same way: indices stay, and set_pose() puts it in again. So a world may hold bodies
// in store.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include <lanefold/body.hpp>
#include <lanefold/export.hpp>
#include <lanefold/hull_set.hpp>
#include <lanefold/options.hpp>
#include <lanefold/rigid_body.hpp>
#include <lanefold/status.hpp>

namespace lanefold {

// The settings of a world. The solver uses them for all bodies.
struct WorldSettings {
    // How long a metre is in the caller's unit of length. Scales the lengths and speeds below, not gravity.
    float unit = 1;
    Vec3f gravity{0, -9.81F, 0};  // in the caller's unit
    // A step is made of so many; more make stacks stiffer and links tighter, for as many times the solver's time.
    std::uint32_t substeps = 10;

    // Overlap is taken back like by a spring of this frequency, at most a sixth of the substeps' rate (100 Hz with the
    // defaults at 60 steps a second), and this damping ratio. Stiffer sags less under a load, and more bodies stand
    // upon each other: a tower of equal cubes of side s buckles beyond the cube root of (2 pi hertz)^2 s / g of them,
    // 34 cubes of 1 m with the defaults. More damping takes overlap back more slowly: within a tenth of a second with
    // the defaults. Links that are solved together (rigid_body.hpp) are no springs; the others are of link_hertz, at
    // most a quarter of the substeps' rate.
    float contact_hertz = 120;
    float contact_damping = 32;
    float link_hertz = 240;
    float link_damping = 5;
    // Speed at which overlap is taken back at most, metres a second: deep overlaps of bodies of like mass do not
    // explode (docs/response.md).
    float push_speed = 3;
    // Closing speeds up to this do not bounce, metres a second: a body at rest does not tremble.
    float restitution_threshold = 1;
    // Share of velocity lost in a second, as 1 / (1 + damping * time): 0 loses nothing.
    float linear_damping = 0;
    float angular_damping = 0;

    // Gaps up to this are contacts already, in metres; on top of what the bodies may move in the step.
    float margin = 0.02F;
    // How the narrowphase makes points; with clip, whether features are held against flicker (CallInputs::previous).
    ContactMethod method = ContactMethod::clip;
    float face_preference = kDefaultFacePreference;
    float hysteresis = kDefaultHysteresis;  // 0: off
    // Bounded reuse: manifolds of pairs that have moved by at most this share of the smaller hull's size against one
    // another are carried, within the bound that StreamOptions::reuse promises (contact_stream.hpp). 0 to kMaxReuse; 0:
    // every manifold is exact. Steps of general hulls that settle take less time; pairs of boxes, sets with rounded
    // hulls, compounds or surfaces gain nothing.
    float reuse = 0;

    // Bodies connected by contacts and links sleep together once all of them have been slower than this for that long.
    // Metres a second, of any point of a body; seconds.
    bool sleep = true;
    float sleep_speed = 0.05F;
    float sleep_time = 0.5F;

    Isa isa = Isa::automatic;
    std::uint32_t threads = 0;  // 0: all of the arena
};

// A body that takes no part any more.
struct LostBody {
    std::uint32_t body;
    std::uint32_t step;  // the step of the world that lost it, from 1 on
};

// The work of a step, and whether it was refused.
struct [[nodiscard]] StepResult {
    CallStatus status;
    std::uint64_t pairs = 0;     // candidates
    std::uint64_t contacts = 0;  // manifolds that were solved
    std::uint64_t points = 0;    // their points
    std::uint64_t links = 0;     // links that were solved
    std::uint32_t colours = 0;   // colours of contacts
    std::uint64_t overflow = 0;  // constraints that found no colour and were solved one by one
    std::uint64_t carried = 0;   // candidates whose manifolds were not computed (WorldSettings::reuse)
    std::uint64_t awake = 0;     // dynamic bodies at the end of the step
    std::uint64_t asleep = 0;
    std::uint64_t lost = 0;  // bodies that this step has lost, neither awake nor asleep: the last ones of World::lost()
    // The link that is off most from its length at the end of the step, and by which share of it; a slack cable is not.
    double link_error = 0;
    std::uint64_t worst_link = 0;
    Isa isa = Isa::scalar;
    // Seconds, for information; nothing depends on them.
    double seconds_pairs = 0;
    double seconds_collide = 0;
    double seconds_solve = 0;
};

// Candidate pairs of a step.
struct [[nodiscard]] WorldPairs {
    CallStatus status;
    // (a, b), a < b, ascending. Valid until the next call that is not const.
    std::span<const Pair> pairs;
};

// Sums over all dynamic bodies that are not lost, in float64.
struct WorldMotion {
    Vec3d momentum;
    Vec3d angular_momentum;  // about the world's origin
    double kinetic_energy = 0;
    double potential_energy = 0;  // in the settings' gravity, 0 at the world's origin
    double mass = 0;
};

// Rigid bodies and links that move. It cannot be copied; save() and restore() carry its state. One that was moved from
// has no bodies and refuses every call, until another is assigned to it.
class LANEFOLD_EXPORT World {
public:
    World();
    // A world without bodies whose hulls are these.
    explicit World(HullSet hulls);
    World(World&&) noexcept;
    World& operator=(World&&) noexcept;
    ~World();

    // The hulls that bodies may have, and behind them those of bodies with a scale.
    const HullSet& hulls() const;
    // More hulls: a set that begins with the hulls there are (HullSet::append); hulls that no body has may be removed.
    CallStatus set_hulls(const HullSet& hulls);

    // The settings of the next step.
    const WorldSettings& settings() const;
    // Wakes every body. Refused: numbers that are not finite or out of range.
    CallStatus set_settings(const WorldSettings& settings);

    // All of them or, with a status that names the first that is refused, none. They follow those there are; indices
    // stay.
    CallStatus add_bodies(std::span<const RigidBody> bodies);
    // The same of links.
    CallStatus add_links(std::span<const BodyLink> links);

    // One step of dt seconds, with the world's own candidate pairs. If the host has cancelled its task group, steps
    // whose narrowphase was left out are refused as cancelled and change nothing; a step that has begun to move bodies
    // is done whole.
    StepResult step(double dt);
    // With the caller's, which need not be in order and may hold more than needed. Pairs that find_pairs() does not
    // give may change last bits: within its margin, such a pair is solved, too.
    StepResult step(double dt, std::span<const Pair> candidates);
    // With the manifolds of the caller's own narrowphase, ascending by pair as collide_compact() returns them, made at
    // the poses of bodies() with margins of at least pair_margin().
    StepResult advance(double dt, std::span<const Manifold4> manifolds);

    // Candidate pairs of the next step of dt seconds: every pair that may touch, group bits considered.
    WorldPairs find_pairs(double dt);
    // The margin of a pair in a step of dt seconds: WorldSettings::margin and what the two may approach each other.
    float pair_margin(const Pair& pair, double dt) const;

    // Number of bodies.
    std::size_t size() const;
    // Poses, as collide() takes them.
    std::span<const BodyD> bodies() const;
    // Per body, 1: it has not moved since the manifolds of the last step were made (CallInputs::unmoved).
    std::span<const std::uint8_t> unmoved() const;
    // Whether the body sleeps.
    bool asleep(std::size_t body) const;
    // Whether a step has lost the body.
    bool lost(std::size_t body) const;
    // The lost bodies, in the order of their steps, in each ascending.
    std::span<const LostBody> lost() const;
    Vec3d centre(std::size_t body) const;    // centre of mass, world
    Vec3f velocity(std::size_t body) const;  // velocity of the centre of mass, world axes
    Vec3f spin(std::size_t body) const;      // angular velocity, world axes, radians per second
    double mass(std::size_t body) const;     // 0 unless dynamic
    // Momentum and energy of all dynamic bodies.
    WorldMotion motion() const;

    // The manifolds of the last step, ascending by pair; one of a pair, but for surfaces and pieces of one.
    std::span<const Manifold4> contacts() const;
    // The impulses of each of them.
    std::span<const ContactImpulse> impulses() const;
    // All that each of them pushed in the last step; 0 after restore(). Where contact would give energy, velocities
    // shrink by a factor that no push tells.
    std::span<const ContactPush> pushes() const;
    // Force along each link in the last substep, newtons; negative: it pulls its ends together.
    float link_force(std::size_t link) const;
    // By how much the link is longer than it should be, in the caller's unit; negative: shorter. 0 for a slack cable.
    double link_error(std::size_t link) const;

    // Wakes the body and what sleeps with it; of a kinematic body also what touches it or hangs on it. Refused: a body
    // that does not exist, is fixed or lost, numbers that are not finite or beyond 1e12.
    CallStatus set_velocity(std::size_t body, const Vec3f& velocity, const Vec3f& spin);
    // The same; an impulse in kilogram metres a second at a point of the world.
    CallStatus apply_impulse(std::size_t body, const Vec3f& impulse, const Vec3d& point);
    // The same of an angular impulse, newton metre seconds, world axes.
    CallStatus apply_angular_impulse(std::size_t body, const Vec3f& impulse);
    // Places the body's hull origin; wakes what touches it there or touched it before, and what links hang on it. A
    // body that is lost or was removed comes back, at rest.
    CallStatus set_pose(std::size_t body, const double position[3], const float orientation[4]);
    // Gives a kinematic body the velocity and spin that take its hull's origin there in a step of dt seconds, by the
    // shorter turn; it wakes as by set_velocity(), unless it rests there already. It is then there but for a millionth
    // of the way, which the next target takes back; turns beyond 1.5 radians a substep fall short. It keeps the
    // velocity afterwards. Refused: what set_velocity() and set_pose() refuse, and a body that is not kinematic.
    CallStatus set_target(std::size_t body, const double position[3], const float orientation[4], double dt);
    // Takes the body out: it stays where it is, at rest, without pairs and contacts, and its links hold nothing. Wakes
    // what touched it or hangs on it. A lost body is no longer lost. Nothing where it was removed before.
    CallStatus remove(std::size_t body);
    // Whether the body was removed.
    bool removed(std::size_t body) const;
    // Wakes the body and what sleeps with it.
    CallStatus wake(std::size_t body);

    // Everything that changes from step to step, as bytes: a world with the same hulls, bodies, links and settings that
    // restores them goes on to the same bits. Refused: bytes of another world, damaged or cut short; nothing is
    // changed. Positions, velocities, impulses and what reuse carries are taken as they are.
    CallStatus save(std::vector<std::byte>& out) const;
    // See save().
    CallStatus restore(std::span<const std::byte> bytes);

    struct Impl;  // world/dynamics/src/calls/impl.hpp

private:
    friend class WorldBatch;  // steps many worlds with the working memory of few
    std::unique_ptr<Impl> impl_;
};

}  // namespace lanefold
