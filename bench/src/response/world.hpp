// SPDX-License-Identifier: MIT
//
// A world of some engine that steps a standing scene: what the pages of response measure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include <lanefold/pose.hpp>
#include <lanefold/vec.hpp>
#include <lanefold/world.hpp>

#include "support/standing_scenes.hpp"

namespace lanefold::bench {

class ResponseWorld {
public:
    virtual ~ResponseWorld() = default;
    virtual void step(double dt) = 0;
    // The state of a body of the scene, which keeps its place: hull origin, orientation, motion of the centre of mass.
    virtual Vec3d position(std::size_t body) const = 0;
    virtual Quat orientation(std::size_t body) const = 0;
    virtual Vec3d velocity(std::size_t body) const = 0;
    virtual Vec3d spin(std::size_t body) const = 0;
};

// One thread each. `sleep`: what lies still is left alone after a while, as each engine does it.
std::unique_ptr<ResponseWorld> make_lanefold_world(const test::StandingScene& scene, const WorldSettings& settings);

// Bullet's whole steps, so many to a step of the measurement; its defaults: 10 iterations, margin 0.04 for hulls and
// boxes.
std::unique_ptr<ResponseWorld> make_bullet_world(const test::StandingScene& scene, std::uint32_t substeps, bool sleep);
std::string bullet_version();

// One step with so many substeps; 4 are usual. The margin of its contacts is its own 20 mm.
std::unique_ptr<ResponseWorld> make_box3d_world(const test::StandingScene& scene, std::uint32_t substeps, bool sleep);
std::string box3d_version();

// So many of Jolt's collision steps, each with its defaults: 10 iterations for velocities, 2 for positions.
std::unique_ptr<ResponseWorld> make_jolt_world(const test::StandingScene& scene, std::uint32_t steps, bool sleep);
std::string jolt_version();

// So many of MuJoCo's steps, for steps of dt seconds only; it has no restitution and never sleeps.
std::unique_ptr<ResponseWorld> make_mujoco_world(const test::StandingScene& scene, std::uint32_t substeps, double dt);
std::string mujoco_version();

}  // namespace lanefold::bench
