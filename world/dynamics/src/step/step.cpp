// SPDX-License-Identifier: MIT
//
// The order of a step: candidate pairs, manifolds, wakes, impulses, constraints, solver, sleep. Until the solver runs,
// a step that is refused or runs out of memory leaves the world as it was.
#include "step/step.hpp"

#include <atomic>
#include <new>

#include <lanefold/detail/block_runs.hpp>
#include <lanefold/detail/caller_memory.hpp>
#include <lanefold/detail/stopwatch.hpp>
#include <lanefold/isa.hpp>
#include <lanefold/match_contacts.hpp>

namespace lanefold::detail {
namespace {

// Shorter steps than this divide by zero in float32, longer ones are no simulation.
constexpr double kShortestStep = 1e-9;
constexpr double kLongestStep = 10;

// Nothing moves, nothing can begin to, and the manifolds are those of these poses.
bool idle(const Bodies& bodies) {
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        if (bodies.unmoved()[i] == 0 || bodies.movable(i)) return false;
    }
    return true;
}

// Names the lowest body whose motion is not finite.
CallStatus check_finite(const Bodies& bodies, Loops& loops) {
    std::atomic<std::uint64_t> lowest = bodies.size();
    loops.over(bodies.size(), [&](std::size_t first, std::size_t last) {
        for (std::size_t i = first; i < last; ++i) {
            if (!bodies.finite(i)) return keep_lowest(lowest, i);
        }
    });
    const std::uint64_t i = lowest.load(std::memory_order_relaxed);
    if (i == bodies.size()) return {};
    return {Status::bad_pose, "a body's motion is no longer finite; the body is", i};
}

void count_sleepers(const WorldState& world, StepResult& result) {
    for (std::size_t i = 0; i < world.bodies.size(); ++i) {
        if (world.bodies.kind(i) != BodyKind::dynamic) continue;
        ++(world.sleep.asleep(i) ? result.asleep : result.awake);
    }
}

}  // namespace

CallStatus Step::begin(const WorldSettings& settings, double dt, Isa& isa) {
    if (!(dt >= kShortestStep && dt <= kLongestStep)) return refuse("dt must be 1e-9 to 10 seconds");
    const IsaChoice choice = choose_isa(settings.isa);
    isa = choice.isa;
    loops_.begin_step(settings.threads);
    return choice.status;
}

CallStatus Step::find_manifolds(WorldState& world, double dt, const std::span<const Pair>* candidates, Stopwatch& watch,
                                StepResult& result) {
    CallStatus status = check_finite(world.bodies, loops_);
    if (status && candidates == nullptr) status = candidates_.find(world, static_cast<float>(dt), loops_);
    if (!status) return status;
    result.seconds_pairs = watch.lap();
    status = manifolds_.find(world, candidates_.pairs(), static_cast<float>(dt), loops_);
    if (!status) return status;
    result.pairs = candidates_.pairs().size();
    result.seconds_collide = watch.lap();
    return status;
}

// Does all that may need memory before anything moves. If it runs out, or a number is too large, the world is what it
// was before the step.
CallStatus Step::prepare(WorldState& world, double dt, StepResult& result) {
    const std::size_t found = world.contacts.found().size();
    if (found >= kNoRecord) return refuse("more than 2^32 - 2 manifolds", found);
    world.contacts.room_for_impulses(found);
    islands_.reserve(world.bodies.size(), found);
    const bool woken = islands_.wake_touched(world, static_cast<float>(dt), loops_);
    world.contacts.carry_impulses(loops_);
    world.contacts.swap_found();
    const auto undo = [&] {
        world.contacts.swap_found();
        if (woken) world.sleep.undo_wake(world.bodies);
    };
    try {
        const CallStatus status = constraints_.build(world, result.isa, loops_, result);
        if (status) {
            solver_.plan(world, constraints_, result.isa);
        } else {
            undo();
        }
        return status;
    } catch (const std::bad_alloc&) {
        undo();
        throw;
    }
}

// From the found manifolds to the end.
void Step::solve(WorldState& world, double dt, StepResult& result) {
    Stopwatch watch;
    result.status = prepare(world, dt, result);
    if (!result.status) return;
    solver_.run(world, constraints_, dt, loops_);
    result.status = check_finite(world.bodies, loops_);
    if (!result.status) {
        // An impulse that is not finite would spoil bodies that the caller has put right.
        world.contacts.forget_impulses();
        world.links.forget_impulses();
    }
    islands_.fall_asleep(world, constraints_.contact_ends(), static_cast<float>(dt), loops_);
    count_sleepers(world, result);
    result.seconds_solve = watch.lap();
}

StepResult Step::run(WorldState& world, double dt, const std::span<const Pair>* candidates) {
    StepResult result;
    result.status = begin(world.settings, dt, result.isa);
    if (!result.status) return result;
    try {
        Stopwatch watch;
        if (candidates != nullptr) result.status = candidates_.take(world, *candidates);
        if (!result.status) return result;
        if (idle(world.bodies)) {
            count_sleepers(world, result);
            return result;
        }
        result.status = find_manifolds(world, dt, candidates, watch, result);
        if (result.status) solve(world, dt, result);
    } catch (const std::bad_alloc&) {
        result.status = {Status::out_of_memory, "step", 0};
    }
    return result;
}

StepResult Step::advance(WorldState& world, double dt, std::span<const Manifold4> manifolds) {
    StepResult result;
    result.status = begin(world.settings, dt, result.isa);
    if (result.status) result.status = check_manifolds(manifolds, world.bodies.size());
    if (result.status) result.status = check_finite(world.bodies, loops_);
    if (!result.status) return result;
    try {
        take_manifolds(world.contacts, manifolds, loops_);
        result.pairs = manifolds.size();
        solve(world, dt, result);
    } catch (const std::bad_alloc&) {
        result.status = {Status::out_of_memory, "advance", 0};
    }
    return result;
}

WorldPairs Step::find_pairs(WorldState& world, double dt) {
    WorldPairs result;
    Isa isa = Isa::scalar;
    result.status = begin(world.settings, dt, isa);
    if (!result.status) return result;
    try {
        result.status = candidates_.find(world, static_cast<float>(dt), loops_);
    } catch (const std::bad_alloc&) {
        result.status = {Status::out_of_memory, "find_pairs", 0};
    }
    if (result.status) result.pairs = candidates_.pairs();
    return result;
}

}  // namespace lanefold::detail
