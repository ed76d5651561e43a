// SPDX-License-Identifier: MIT
//
// What a World holds. Arrays run over bodies, over links or over the manifolds of the last step.
#pragma once

#include <vector>

#include <lanefold/broadphase.hpp>
#include <lanefold/detail/caller_memory.hpp>
#include <lanefold/pose.hpp>
#include <lanefold/workspace.hpp>
#include <lanefold/world.hpp>

#include "solve/colours.hpp"
#include "solve/loops.hpp"
#include "solve/solver_job.hpp"
#include "solve/stages.hpp"

namespace lanefold {

struct World::Impl {
    HullSet hulls;
    WorldSettings settings;

    // ---- bodies -------------------------------------------------------------------------------------------
    std::vector<BodyD> pose;
    std::vector<Quat> orientation;
    std::vector<BodyKind> kind;
    std::vector<std::uint32_t> groups;  // RigidBody's
    std::vector<std::uint32_t> touches;
    std::vector<std::uint32_t> limb_of;
    std::vector<float> finder_mass;  // 0: not dynamic; of a pair of two such bodies nobody wants to know
    std::vector<float> radius;       // largest distance of a vertex from the centre of mass
    std::vector<float> still;        // seconds below the sleep speed
    // What sleeps with what: the lowest body of its island; kAwake.
    std::vector<std::uint32_t> bed;
    std::vector<std::uint8_t> unmoved;
    std::vector<std::uint8_t> marks;  // of a step: marks_for()
    std::vector<std::uint8_t> boxed;  // the finder has the box of this pose, at rest
    // One row more than bodies, rounded up to 16; those behind the last body are immovable.
    std::vector<Vec3d> centre;          // of mass, world
    std::vector<detail::MassRow> mass;  // inverse_mass 0: not dynamic
    std::vector<detail::Material> material;
    std::vector<detail::MotionRow> motion;
    std::vector<detail::TurnRow> turn;

    // ---- links --------------------------------------------------------------------------------------------
    std::vector<BodyLink> link;
    std::vector<detail::LinkRow> link_row;
    std::vector<detail::LinkImpulse> link_impulse;

    // ---- the last step's manifolds and what they did ------------------------------------------------------------
    AlignedBuffer<Manifold4> record;
    AlignedBuffer<ContactImpulse> impulse;
    std::size_t records = 0;
    float last_h = 0;  // duration of its substeps; 0: there was no step

    // ---- working memory ---------------------------------------------------------------------------------------
    AlignedBuffer<Manifold4> next_record;
    AlignedBuffer<ContactImpulse> next_impulse;
    std::size_t next_records = 0;
    std::vector<float> growth;  // what the finder is told of each body
    std::vector<Vec3f> sweep;
    std::vector<std::uint8_t> box_stands;
    std::vector<Pair> sorted;
    std::vector<float> pair_margin;
    std::vector<detail::ConstraintEnds> ends;       // per record; bodies also where there is no constraint
    std::vector<detail::ConstraintEnds> link_ends;  // per link
    AlignedBuffer<std::uint8_t> pushing;            // per record
    std::vector<std::uint32_t> island;              // union-find
    std::vector<std::uint8_t> restless;             // of islands, at their lowest body
    std::vector<std::uint32_t> bed_before;          // before bodies were woken in this step
    std::vector<float> still_before;
    std::vector<detail::Stage> stages;
    PairFinder finder;
    detail::ColouredBlocks contact_blocks;
    detail::ColouredBlocks link_blocks;
    detail::StageRunner runner;
    detail::Loops loops;
    Workspace workspace;

    static constexpr std::uint32_t kAwake = 0xFFFFFFFFU;

    std::size_t bodies() const { return pose.size(); }
    std::span<const Manifold4> contacts() const { return {record.data(), records}; }
    // bodies.cpp
    CallStatus check_body(const RigidBody& body, std::uint64_t where) const;
    void push_body(const RigidBody& body);
    void pop_bodies(std::size_t count);
    void resize_rows(std::size_t count);
    void place(std::size_t i, const double position[3], const Quat& q);
    void update_pose(std::size_t i);
    // step.cpp
    CallStatus begin_call(double dt, Isa& isa);
    CallStatus check_manifolds(std::span<const Manifold4> manifolds) const;
    bool idle() const;
    void count_sleepers(StepResult& result) const;
    CallStatus take_candidates(std::span<const Pair> candidates);
    std::span<const std::uint8_t> marks_for(float dt);
    CallStatus collide(std::span<const Pair> pairs, double dt, StepResult& result);
    StepResult step(double dt, const std::span<const Pair>* candidates);
    StepResult advance(double dt, std::span<const Manifold4> manifolds);
    CallStatus prepare(double dt, StepResult& result);
    void finish_step(double dt, StepResult& result);
    // pairs.cpp
    bool wanted(const Pair& pair) const;
    CallStatus find_pairs(float dt, std::span<const Pair>& pairs);
    float margin_of(const Pair& pair, float dt) const;
    float fall_in(float dt) const;
    // impulses.cpp
    void carry_impulses();
    void swap_records();
    void forget_impulses();
    // constraints.cpp
    CallStatus make_constraints(Isa isa, StepResult& result);
    detail::SolverJob make_job(double dt);
    void make_stages(Isa isa);
    void solve(double dt, const StepResult& result);
    CallStatus look_for_infinities();
    // sleep.cpp
    void get_up(std::size_t i);
    void wake_bed(std::uint32_t label);
    void wake_body(std::size_t i);
    void wake_around(std::size_t i);
    void wake_all();
    bool wake_touched(std::span<const Manifold4> found, float dt);
    void put_back_to_bed();
    void make_room_to_sleep(std::size_t manifolds);
    void fall_asleep(float dt);
    bool count_stillness(float dt);
    void find_islands();
    std::uint32_t root(std::uint32_t i);
    void unite(std::uint32_t a, std::uint32_t b);
};

// What a World shows: itself, or after it was moved from a world without anything.
const World::Impl& seen(const std::unique_ptr<World::Impl>& world);
CallStatus moved_from();

}  // namespace lanefold
