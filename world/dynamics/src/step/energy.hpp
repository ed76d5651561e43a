// SPDX-License-Identifier: MIT
//
// Contact gives no energy. What the stages of a step do not see does: a body that turns by radians between two of them
// is pushed at arms that have gone by, and one that lies in a floor after such a step is lifted out of it. So the
// energy of bodies that contacts connect is added up after the stages. Where there is more of it than before and what
// gravity has done, all of their velocities shrink by the same factor, which leaves the signs of all closing speeds.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "solve/colours.hpp"
#include "solve/loops.hpp"
#include "state/world_state.hpp"
#include "step/passes.hpp"

namespace lanefold::detail {

class EnergyBound {
public:
    // Memory for a step with so many bodies. Throws std::bad_alloc.
    void reserve(std::size_t bodies) { budget_.resize(bodies), parent_.resize(bodies), sum_.resize(bodies); }
    // Between the ends of the ways and Bodies::end_step(). `ends` are those of the step's manifolds. Does not throw.
    void hold(WorldState& world, std::span<const ConstraintEnds> ends, const Passes& passes, double dt, Loops& loops);

private:
    // A body's; summed up, that of all that are connected.
    struct Budget {
        double mass = 0;
        double after = 0;    // kinetic energy
        double allowed = 0;  // kinetic energy before, and gravity's work where it falls
        Vec3d momentum;
        bool stands = false;  // on something that does not move
        bool driven = false;  // by something that moves by itself, or held by links: it may gain
        bool gains = false;   // more than rounding
    };

    Budget budget_of(const WorldState& world, std::uint32_t body, double slow) const;
    void connect(const WorldState& world, std::span<const ConstraintEnds> ends);
    void add_up(const WorldState& world, const Passes& passes);
    static double factor(const Budget& sum);

    std::vector<Budget> budget_, sum_;
    std::vector<std::uint32_t> parent_;
};

}  // namespace lanefold::detail
