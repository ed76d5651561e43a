// SPDX-License-Identifier: MIT
//
// The solver hands its kernels a job: rows of bodies and links, constraints as blocks of lanes, the constants of a
// step. One table per instruction set has their entry points. Contains no SIMD types.
#pragma once

#include <cstddef>
#include <cstdint>

#include <lanefold/manifold.hpp>
#include <lanefold/options.hpp>
#include <lanefold/vec.hpp>

#include "solve/rows.hpp"

namespace lanefold::detail {

// Fields of a block of contacts, each kWidth floats. The fields behind kContactHead are repeated for each of its
// points.
enum ContactField : std::uint32_t {
    kNormal = 0,             // 3, from A to B
    kTangent = 3,            // 3: the first; the second is normal x first
    kAnchor = 6,             // 3: mean of the points, from A's centre of mass
    kCentres = 9,            // 3: from B's centre of mass to A's
    kFriction = 12,          // 1
    kRestitution = 13,       // 1
    kTangentImpulse = 14,    // 2
    kTwistImpulse = 16,      // 1
    kAnchorSeparation = 17,  // 1: mean of the points' separations
    kStruck = 18,            // 1: what a strike does to the manifold (impacts.hpp)
    kSize = 19,              // 1: smallest extent of the smaller body that moves
    kTight = 20,             // 1: not 0: the manifold is tight (tight.hpp)
    kHot = 21,               // 1: not 0: a strike, or a tight contact, reaches the manifold (reach.hpp)
    kRoundA = 22,            // 1: by which A's hull is rounded
    kRoundB = 23,            // 1
    kPushed = 24,            // 1: normal impulses of all substeps so far, strikes included
    kPushedBefore = 25,      // 1: substeps before the first that pushed
    kPushedAfter = 26,       // 1: substeps since the last that pushed
    kLeverA = 27,            // 1: no point is further from A's centre of mass
    kLeverB = 28,            // 1
    kContactHead = 29,
    kPointArm = 0,         // 3: from A's centre of mass to the point, midway between the two surfaces
    kPointSeparation = 3,  // along the normal when the step began
    kPointExists = 4,      // 0: there is no such point
    kPointImpulse = 5,
    kPointReach = 6,    // distance from the anchor
    kPointParting = 7,  // velocity along the normal that a strike leaves; below 0: it is not struck
    kPointStrike = 8,   // impulse of the strike
    kPointBefore = 9,   // impulse that the substep began with
    kPointFields = 10,
};

// More fields for each point, behind those of all points: its row and its response while sweeps go over what a strike
// or a tight contact reaches (swept.hpp).
enum SweptField : std::uint32_t {
    kSweptMomentA = 0,  // 3
    kSweptMomentB = 3,  // 3
    kSweptSpinA = 6,    // 3
    kSweptSpinB = 9,    // 3
    kSweptGain = 12,    // 4: velocity of the point by a unit impulse at each
    kSweptAim = 16,     // 1: what is added to the velocity along the normal, so that 0 is sought
    kSweptThere = 17,   // 1: 0: the point takes no part; 1: it does; 2: and it touches
    kSweptYield = 18,   // 1: of the settings' spring, where it touches
    kSweptFields = 19,
};

// Fields of a block of links.
enum LinkField : std::uint32_t {
    kLinkArmA = 0,    // 3: from A's centre of mass to the link's end, when the step began
    kLinkArmB = 3,    // 3
    kLinkVector = 6,  // 3: from the end on A to the end on B, when the step began
    kLinkLength = 9,  // 1
    kLinkCable = 10,  // 1: not 0: holds one way only
    kLinkRestitution = 11,
    kLinkImpulse = 12,
    kLinkPeak = 13,      // largest impulse of the step
    kLinkVelocity = 14,  // the ends' velocity apart when the step began
    kLinkFields = 15,
};

// Constraints in blocks of kWidth lanes. Lane l of block i is entry i * kWidth + l of `a`, `b` and `source`.
struct ConstraintBlocks {
    float* data = nullptr;                 // per block: fields of kWidth floats
    const std::uint32_t* first = nullptr;  // per block: its first field in `data`
    const std::uint32_t* a = nullptr;      // rows; an empty lane has the row behind the last body
    const std::uint32_t* b = nullptr;
    const std::uint32_t* source = nullptr;  // record or link; kNoRow: the lane is empty
    const std::uint8_t* points = nullptr;   // per block: the most points of a lane; contacts only
};

// A spring-damper as a constraint that is solved implicitly: share of the error taken back per second, and the factors
// of effective mass and accumulated impulse.
struct Softness {
    float bias_rate = 0;
    float mass_scale = 1;
    float impulse_scale = 0;
    // Velocity that an impulse gives way by, as a multiple of what it changes: impulse_scale / mass_scale.
    float yield = 0;
};

class LinkGroups;
struct PathRow;

struct SolverJob {
    MotionRow* motion = nullptr;  // one more than bodies, rounded up to kBodyBlock; those behind the last: immovable
    TurnRow* turn = nullptr;
    const MassRow* mass = nullptr;
    const Vec3d* centre = nullptr;  // centre of mass, world
    const Material* material = nullptr;
    const Manifold4* records = nullptr;
    const PartMaterial* parts = nullptr;  // one per record, instead of the bodies' own; null: no body is a compound
    ContactImpulse* impulses = nullptr;   // one per record: in, those of the step before; out, of this one
    ContactPush* pushes = nullptr;        // one per record, out
    const LinkRow* links = nullptr;
    LinkImpulse* link_impulses = nullptr;
    ConstraintBlocks contact_blocks;
    ConstraintBlocks link_blocks;
    LinkGroups* link_groups = nullptr;

    float h = 0;  // duration of a substep
    float inverse_h = 0;
    float gravity[3] = {};
    float linear_decay = 1;  // factor of a velocity by damping in a substep
    float angular_decay = 1;
    float impulse_ratio = 1;  // duration of a substep against that of the step before
    Softness soft;            // contacts
    Softness soft_link;
    float push_speed = 0;
    float touching = 0;  // points this much less deep than the deepest one bear load, too
    float restitution_threshold = 0;
    float load_speed = 0;    // an impulse that takes away more velocity in a substep is no load
    float arm_spin = 0;      // slower bodies turn by less than kArmTurn in a step
    float impact_speed = 0;  // what closes faster strikes, also where nothing bounces

    PathRow* path = nullptr;         // path_moments for each row
    std::uint32_t path_moments = 0;  // kept in a step
    std::uint32_t path_stride = 1;   // substeps from one to the next
    std::uint32_t path_run = 0;
    std::uint32_t body_blocks = 0;
};

// Does its work on items [first, last): blocks of constraints, or blocks of kBodyBlock bodies.
using SolverFn = void (*)(const SolverJob& job, std::uint32_t first, std::uint32_t last);

struct SolverTable {
    Isa isa;
    std::uint32_t width;
    SolverFn begin_bodies;
    SolverFn accelerate;
    SolverFn move;
    SolverFn prepare_contacts;
    SolverFn warm_contacts;
    SolverFn solve_contacts;
    SolverFn tighten_contacts;
    SolverFn relax_contacts;
    SolverFn find_strikes;
    SolverFn strike_contacts;
    SolverFn store_contacts;
    SolverFn prepare_links;
    SolverFn warm_links;
    SolverFn solve_links;
    SolverFn relax_links;
    SolverFn bounce_links;
    SolverFn store_links;
};

extern const SolverTable solver_table_scalar;
extern const SolverTable solver_table_sse2;
extern const SolverTable solver_table_sse4_2;
extern const SolverTable solver_table_avx2;
extern const SolverTable solver_table_avx512;
extern const SolverTable solver_table_neon;

// The table of an instruction set that is_available().
const SolverTable& solver_table(Isa isa);

}  // namespace lanefold::detail
