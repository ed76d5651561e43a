// SPDX-License-Identifier: MIT
//
// The motion of bodies from one frame to the next, as sweeps take it (docs/between_frames.md), and the masses by which
// impulses are estimated from it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <lanefold/body.hpp>
#include <lanefold/detail/turn.hpp>
#include <lanefold/hull_set.hpp>
#include <lanefold/pose.hpp>

#include "scene/io.hpp"

namespace lanefold::tools {

// The motion of a body's hull origin, per frame.
struct BodyMotion {
    Vec3d shift;
    Vec3d spin;          // axis times radians
    bool there = false;  // in both frames
};

// The velocity of a point of the body that is at `arm` from its hull origin.
inline Vec3d velocity_at(const BodyMotion& motion, const Vec3d& arm) { return motion.shift + cross(motion.spin, arm); }

// From one pose to another. Not there where an orientation is none.
BodyMotion motion_between(const BodyD& first, const BodyD& last);

// One a body. Both frames have poses that were checked.
void read_motions(const Scene& scene, const SceneFrame& first, const SceneFrame& last, std::vector<BodyMotion>& out);

// The body between its first pose and its last.
PoseD pose_at(const BodyD& first, const BodyMotion& motion, double fraction);

// Masses of bodies, and the centres of mass of homogeneous hulls.
class BodyMasses {
public:
    // density: per cubed unit of the scene, of all bodies; else the inverse masses count; else no body has a mass.
    BodyMasses(const HullSet& hulls, std::span<const std::uint32_t> body_hull, std::span<const float> inverse_mass,
               std::optional<double> density);

    bool movable(std::uint32_t body) const { return inverse_mass_.empty() || inverse_mass_[body] > 0; }

    // How far the centre of mass moves in a motion that begins at a pose.
    Vec3d centre_shift(std::uint32_t body, const BodyMotion& motion, const PoseD& begin) const;
    // The mass that resists a change of the speed of two centres of mass against each other; 0 if neither can move.
    double against_each_other(std::uint32_t a, std::uint32_t b) const;

private:
    std::span<const std::uint32_t> body_hull_;
    std::vector<double> inverse_mass_;
    std::vector<Vec3d> centre_;  // of mass, by hull, input coordinates
};

}  // namespace lanefold::tools
