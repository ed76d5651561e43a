// SPDX-License-Identifier: MIT
//
// The bodies of a world. Row i of every array is body i, and only Bodies changes them; the kernels of a step write
// motion and turn rows through SolverJob.
//
//     array                              changed by                                    saved
//     kind, filters, radius, mass,       add()                                         as a fingerprint
//     material, parts, hull in the pose
//     centre, orientation, pose          place(), end_step(), set_state()              yes
//     velocities in motion               kernels, set_velocity(), stop(), set_state(), yes
//                                        end_at()
//     inverse mass in motion             hold(), release(), by Sleep; lose(),          by the sleep label
//                                        bring_back()                                  and lost
//     lost                               lose(), bring_back(), set_state()             yes
//     turn                               kernels, end_at(); its orientation with the   no
//                                        pose
//     unmoved                            cleared by the caller's changes, set by       yes
//                                        end_step()
//     boxed                              cleared with the pose, set by CandidatePairs  no
//
// A body depends on the world around it through contacts, links and sleep labels only. So bodies that touch no others
// can be saved, set back or held by their rows alone.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <lanefold/body.hpp>
#include <lanefold/hull_set.hpp>
#include <lanefold/pose.hpp>
#include <lanefold/rigid_body.hpp>

#include "solve/solver_job.hpp"
#include "state/parts.hpp"

namespace lanefold::detail {

// Beyond these the solver's float32 squares and products leave their range: lengths a second and radians a second, as a
// caller may give them. A body that gets ten times as fast is lost; until then gravity and rounding may add something.
inline constexpr float kMostSpeed = 1e12F;
inline constexpr float kLostSpeed = 1e13F;

// Stands for the step of a body that the caller has taken out of the world. No step has this number.
inline constexpr std::uint32_t kRemoved = 0xFFFFFFFFU;

inline bool speed_fits(const float* v, float most = kMostSpeed) {
    return std::abs(v[0]) <= most && std::abs(v[1]) <= most && std::abs(v[2]) <= most;
}

inline float length(const float* v) { return std::sqrt((v[0] * v[0] + v[1] * v[1]) + v[2] * v[2]); }

// The part of a body that steps change.
struct BodyState {
    double position[3];
    double centre[3];
    double orientation[4];
    float v[3];
    float w[3];
};

// Per body, for the pair finder: which pairs may touch. may_touch() is the same rule for a single pair.
struct FilterArrays {
    std::span<const float> mass;  // 0: not dynamic; two such bodies make no pair
    std::span<const std::uint32_t> group, category, collides_with;
};

class Bodies {
public:
    std::size_t size() const { return pose_.size(); }
    std::uint32_t blocks() const { return static_cast<std::uint32_t>(motion_.size() / kBodyBlock); }

    BodyKind kind(std::size_t i) const { return kind_[i]; }
    float radius(std::size_t i) const { return radius_[i]; }
    const MassRow& mass(std::size_t i) const { return mass_[i]; }
    const Material& material(std::size_t i) const { return material_[i]; }
    std::uint32_t hull(std::size_t i) const { return pose_[i].hull; }
    // Some body is a compound.
    bool has_compounds() const { return !parts_.empty(); }
    // Children of a compound; 0 of any other body.
    std::uint32_t children(std::size_t i) const { return part_end_[i] - first_part(i); }
    // Whether records may name this child of the body: 0 of a body without children.
    bool has_part(std::size_t i, std::uint32_t child) const { return child < std::max(children(i), 1U); }
    CompoundPart part(std::size_t i, std::uint32_t child) const {
        if (children(i) != 0) return parts_[first_part(i) + child];
        return {material_[i].size, material_[i].round, {0, 0, 0}, radius_[i]};
    }
    // A lost body is of no group here.
    FilterArrays filters() const { return {finder_mass_, group_, finder_category_, collides_with_}; }
    std::uint32_t category(std::size_t i) const { return category_[i]; }  // as it was added
    bool may_touch(const Pair& pair) const;

    std::span<const BodyD> poses() const { return pose_; }
    const Vec3d& centre(std::size_t i) const { return centre_[i]; }
    const Quat& orientation(std::size_t i) const { return orientation_[i]; }
    const MotionRow& motion(std::size_t i) const { return motion_[i]; }
    const TurnRow& turn(std::size_t i) const { return turn_[i]; }
    float speed(std::size_t i) const { return length(motion_[i].v); }
    float spin(std::size_t i) const { return length(motion_[i].w); }
    // Some body gives back some of an impact.
    bool bounce() const { return bounce_; }
    // Impulses and gravity change its velocity: it is dynamic, awake and not lost. False for the row behind the last
    // body.
    bool movable(std::size_t i) const { return motion_[i].inverse_mass > 0; }
    bool has_velocity(std::size_t i) const;
    // The solver can go on with its velocity, and float32 can store its place.
    bool sound(std::size_t i) const;
    // The same of the end of the step whose stages have run, before end_step().
    bool sound_after(std::size_t i) const;
    // It takes no part any more: no pairs, no contacts, no links. It stays where it was last. A step has lost it, or
    // the caller has removed it.
    bool lost(std::size_t i) const { return lost_[i] != 0; }
    // The step of the world that lost it, from 1 on; kRemoved: the caller took it out; 0: it takes part.
    std::uint32_t lost_step(std::size_t i) const { return lost_[i]; }
    bool removed(std::size_t i) const { return lost_[i] == kRemoved; }
    // 1: it has not moved since the manifolds of the last step were made, and their margins still hold for it.
    std::span<const std::uint8_t> unmoved() const { return unmoved_; }
    // The finder has the box of this pose, made while the body had no velocity.
    bool boxed(std::size_t i) const { return boxed_[i] != 0; }

    // Adds one that check_body() has accepted. Throws std::bad_alloc; truncate() then takes back what was begun.
    void add(const HullSet& hulls, const RigidBody& body);
    void truncate(std::size_t count);

    // Puts the hull's origin at `position`.
    void place(std::size_t i, const double position[3], const Quat& orientation);
    void set_velocity(std::size_t i, const float v[3], const float w[3]);
    // A held body has infinite mass: it goes on with its velocity, and nothing changes that.
    void hold(std::size_t i) { motion_[i].inverse_mass = 0; }
    // A lost body stays held.
    void release(std::size_t i) { motion_[i].inverse_mass = lost(i) ? 0 : mass_[i].inverse_mass; }
    // Takes its velocity, and all part in the steps to come.
    void lose(std::size_t i, std::uint32_t step);
    // Takes lose() back, but for the velocity.
    void bring_back(std::size_t i);
    // Velocities before the solver's stages, kept and set back. keep_velocities() throws std::bad_alloc.
    void keep_velocities();
    void set_velocities_back();
    void set_velocity_back(std::size_t i);
    // As kept.
    const float* velocity_before(std::size_t i) const { return kept_[i].v; }
    const float* spin_before(std::size_t i) const { return kept_[i].w; }
    // Takes the velocity of a held body.
    void stop(std::size_t i);
    // The manifolds of the last step no longer hold for any body.
    void clear_unmoved() { unmoved_.assign(unmoved_.size(), 0); }

    BodyState state(std::size_t i) const;
    void set_state(std::size_t i, const BodyState& state, bool unmoved, std::uint32_t lost);

    void set_boxed(std::size_t i, bool boxed) { boxed_[i] = boxed ? 1 : 0; }
    void clear_boxed() { boxed_.assign(boxed_.size(), 0); }

    // Gives the kernels of a step their rows: one more than bodies, rounded up to kBodyBlock.
    void lend_rows(SolverJob& job);
    // After the stages: the body has moved and turned only so far since the step began, and has other velocities.
    void end_at(std::size_t i, const Vec3d& moved, const Quat& turned, const Vec3d& v, const Vec3d& w);
    // Moves the body as its turn row says, at the end of a step. Several tasks may do it for different bodies.
    void end_step(std::size_t i);

private:
    std::uint32_t first_part(std::size_t i) const { return i == 0 ? 0 : part_end_[i - 1]; }
    void resize_rows(std::size_t count);
    Vec3d arm(std::size_t i) const;
    void update_pose(std::size_t i);

    std::vector<BodyKind> kind_;
    std::vector<std::uint32_t> category_, collides_with_, group_;  // RigidBody's
    std::vector<float> finder_mass_;
    std::vector<std::uint32_t> finder_category_;
    std::vector<std::uint32_t> lost_;
    struct Velocity {
        float v[3];
        float w[3];
    };
    std::vector<Velocity> kept_;           // by keep_velocities()
    std::vector<float> radius_;            // largest distance of a point from the centre of mass
    std::vector<std::uint32_t> part_end_;  // of its children in parts_, which follow those of the bodies before
    std::vector<CompoundPart> parts_;
    std::vector<BodyD> pose_;
    std::vector<Quat> orientation_;
    std::vector<std::uint8_t> unmoved_;
    std::vector<std::uint8_t> boxed_;
    // Rows for the kernels; those behind the last body are immovable.
    std::vector<Vec3d> centre_;  // centre of mass, world
    std::vector<MassRow> mass_;  // inverse_mass 0: not dynamic
    std::vector<Material> material_;
    bool bounce_ = false;
    std::vector<MotionRow> motion_;
    std::vector<TurnRow> turn_;
};

}  // namespace lanefold::detail
