// SPDX-License-Identifier: MIT
//
// Energies in float64; bodies that nothing moves cost nothing.
#include "step/energy.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>

#include <lanefold/detail/disjoint_sets.hpp>

#include "state/mass.hpp"

namespace lanefold::detail {
namespace {

// A gain beyond this share of the energy is none of rounding: a step must not give a thousandth in a hundred steps.
constexpr double kRounding = 5e-6;
// Bodies whose points are slower than this share of gravity's gain in a step have no energy.
constexpr double kSlow = 1e-3;

Vec3d vector(const float* v) { return to_double({v[0], v[1], v[2]}); }

double turning_energy(const WorldState& world, std::uint32_t body, const Quat& turn, const float* spin) {
    const Vec3d own = transpose_times(rotation(turn), vector(spin));
    return 0.5 * dot(own, symmetric_matrix(world.bodies.mass(body).inertia) * own);
}

}  // namespace

EnergyBound::Budget EnergyBound::budget_of(const WorldState& world, std::uint32_t body, double slow) const {
    const Bodies& bodies = world.bodies;
    Budget out;
    const MotionRow& motion = bodies.motion(body);
    const auto fast = [&](const float* v, const float* w) {
        return static_cast<double>(length(v) + length(w) * bodies.radius(body)) > slow;
    };
    out.mass = 1 / static_cast<double>(motion.inverse_mass);
    if (!fast(motion.v, motion.w) && !fast(bodies.velocity_before(body), bodies.spin_before(body))) return out;
    const TurnRow& t = bodies.turn(body);
    const Vec3d v = vector(motion.v), before = vector(bodies.velocity_before(body));
    const Quat first = bodies.orientation(body);
    const Quat last = unit(after(quaternion(t.dq), first));
    // To lift a body out of an overlap takes nothing from its motion: where a stack settles, it would stick.
    const double work = std::max(0.0, out.mass * dot(to_double(world.settings.gravity), vector(t.dp)));
    out.momentum = v * out.mass;
    out.after = 0.5 * dot(out.momentum, v) + turning_energy(world, body, last, motion.w);
    out.allowed =
        (0.5 * out.mass * length_squared(before) + turning_energy(world, body, first, bodies.spin_before(body))) + work;
    out.gains = out.after > out.allowed + kRounding * out.after;
    return out;
}

void EnergyBound::connect(const WorldState& world, std::span<const ConstraintEnds> ends) {
    const Bodies& bodies = world.bodies;
    for (std::uint32_t i = 0; i < parent_.size(); ++i) parent_[i] = i;
    for (const ConstraintEnds& e : ends) {
        if (e.points == 0) continue;
        if (e.movable_a != 0 && e.movable_b != 0) {
            unite(parent_, e.a, e.b);
            continue;
        }
        Budget& own = budget_[e.movable_a != 0 ? e.a : e.b];
        const std::uint32_t other = e.movable_a != 0 ? e.b : e.a;
        (bodies.has_velocity(other) ? own.driven : own.stands) = true;
    }
    for (const BodyLink& link : world.links.links()) {
        budget_[link.a].driven = true;
        if (link.b != kWorldAnchor) budget_[link.b].driven = true;
    }
}

void EnergyBound::add_up(const WorldState& world, const Passes& passes) {
    for (Budget& sum : sum_) sum = {};
    for (std::uint32_t i = 0; i < parent_.size(); ++i) {
        if (!world.bodies.movable(i)) continue;
        const Budget& own = budget_[i];
        Budget& sum = sum_[find_root(parent_, i)];
        sum.mass += own.mass;
        sum.after += own.after;
        sum.allowed += own.allowed;
        sum.momentum = sum.momentum + own.momentum;
        sum.stands = sum.stands || own.stands;
        sum.driven = sum.driven || own.driven || passes.is_carried(i);
    }
}

// The factor of velocities: against the whole's, which no contact between its bodies changes, or against what it
// stands on.
double EnergyBound::factor(const Budget& sum) {
    if (sum.driven || !(sum.after > sum.allowed + kRounding * sum.after)) return 1;
    const double whole = sum.stands ? 0 : 0.5 * length_squared(sum.momentum) / sum.mass;
    const double inner = sum.after - whole;
    return inner > 0 ? std::sqrt(std::max(0.0, sum.allowed - whole) / inner) : 1;
}

void EnergyBound::hold(WorldState& world, std::span<const ConstraintEnds> ends, const Passes& passes, double dt,
                       Loops& loops) {
    Bodies& bodies = world.bodies;
    const double slow = kSlow * dt * length(to_double(world.settings.gravity));
    std::atomic<bool> some = false;
    loops.over(bodies.size(), [&](std::size_t first, std::size_t last) {
        bool gains = false;
        for (std::size_t i = first; i < last; ++i) {
            budget_[i] = bodies.movable(i) ? budget_of(world, static_cast<std::uint32_t>(i), slow) : Budget{};
            gains = gains || budget_[i].gains;
        }
        if (gains) some.store(true, std::memory_order_relaxed);
    });
    if (!some.load(std::memory_order_relaxed)) return;
    connect(world, ends);
    add_up(world, passes);
    for (std::uint32_t i = 0; i < bodies.size(); ++i) {
        if (!bodies.movable(i)) continue;
        const Budget& sum = sum_[find_root(parent_, i)];
        const double share = factor(sum);
        if (!(share < 1)) continue;
        const Vec3d whole = sum.stands ? Vec3d{0, 0, 0} : sum.momentum * (1 / sum.mass);
        const Vec3f v = to_float(whole + (vector(bodies.motion(i).v) - whole) * share);
        const Vec3f w = to_float(vector(bodies.motion(i).w) * share);
        const float velocity[3] = {v.x, v.y, v.z}, spin[3] = {w.x, w.y, w.z};
        bodies.set_velocity(i, velocity, spin);
    }
}

}  // namespace lanefold::detail
