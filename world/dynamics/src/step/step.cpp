// SPDX-License-Identifier: MIT
//
// The order of a step: candidate pairs, manifolds, wakes, impulses, constraints, solver, sleep. Until the solver runs,
// a step that is refused or runs out of memory leaves the world as it was.
#include "step/step.hpp"

#include <cmath>
#include <new>
#include <utility>

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
        if (bodies.unmoved()[i] == 0 || bodies.movable(i) || !bodies.sound(i)) return false;
    }
    return true;
}

void count_sleepers(const WorldState& world, StepResult& result) {
    for (std::size_t i = 0; i < world.bodies.size(); ++i) {
        if (world.bodies.kind(i) != BodyKind::dynamic) continue;
        if (!world.bodies.lost(i)) ++(world.sleep.asleep(i) ? result.asleep : result.awake);
    }
}

// Names the link that is off most, in parts of its length.
void measure_links(const WorldState& world, StepResult& result) {
    for (std::size_t i = 0; i < world.links.size(); ++i) {
        const double error =
            std::abs(world.links.error(i, world.bodies)) / static_cast<double>(world.links.rows()[i].length);
        if (!(error > result.link_error)) continue;
        result.link_error = error;
        result.worst_link = i;
    }
}

void count_step(WorldState& world) {
    constexpr std::uint32_t kMost = kRemoved - 2;  // a step that follows may lose a body, under its number
    if (world.steps < kMost) ++world.steps;
}

// Counts the step, and tells what it has left.
void finish(WorldState& world, StepResult& result) {
    count_step(world);
    count_sleepers(world, result);
    measure_links(world, result);
}

}  // namespace

CallStatus check_duration(double dt) {
    return dt >= kShortestStep && dt <= kLongestStep ? CallStatus{} : refuse("dt must be 1e-9 to 10 seconds");
}

CallStatus Step::begin(const WorldSettings& settings, double dt, Isa& isa) {
    const CallStatus duration = check_duration(dt);
    if (!duration) return duration;
    const IsaChoice choice = choose_isa(settings.isa);
    isa = choice.isa;
    loops_.begin_step(settings.threads);
    return choice.status;
}

// `again`: the step begins again without lost bodies. Nothing has moved. With reuse the found manifolds stay, because a
// second call would carry those that the first has computed.
CallStatus Step::find_manifolds(WorldState& world, CandidatePairs& finder, double dt,
                                const std::span<const Pair>* candidates, bool again, StepResult& result) {
    Stopwatch watch;
    CallStatus status;
    if (candidates == nullptr) {
        status = finder.find(world, static_cast<float>(dt), loops_);
    } else {
        status = finder.take(world, *candidates);
    }
    if (!status) return status;
    result.seconds_pairs += watch.lap();
    if (again && world.anchored) {
        drop_lost(world);
    } else {
        status = manifolds_.find(world, finder.pairs(), static_cast<float>(dt), loops_);
        if (!status) return status;
    }
    result.carried = world.anchored ? world.anchored->carried() : 0;
    pairs_ = finder.pairs();
    result.pairs = pairs_.size();
    result.seconds_collide += watch.lap();
    return status;
}

// Does all that may need memory before anything moves. If it runs out, or a number is too large, the world is what it
// was before the step.
CallStatus Step::prepare(WorldState& world, double dt, StepResult& result) {
    const std::size_t found = world.contacts.found().size();
    if (found >= kNoRecord) return refuse("more than 2^32 - 2 manifolds", found);
    world.contacts.room_for_impulses(found);
    islands_.reserve(world.bodies.size(), found);
    energy_.reserve(world.bodies.size());
    woken_ = islands_.wake_touched(world, static_cast<float>(dt), loops_);
    world.contacts.carry_impulses(loops_);
    world.contacts.swap_found();
    try {
        passes_.leave(world, dt, loops_);
        const CallStatus status = constraints_.build(world, passes_.left(), result.isa, loops_, result);
        if (status) {
            solver_.plan(world, constraints_, result.isa);
        } else {
            undo_prepare(world);
        }
        return status;
    } catch (const std::bad_alloc&) {
        undo_prepare(world);
        throw;
    }
}

void Step::undo_prepare(WorldState& world) {
    world.contacts.swap_found();
    if (woken_) world.sleep.undo_wake(world.bodies);
}

// From the found manifolds to velocities and impulses after the step. False: bodies were lost, and the step must begin
// again without them.
bool Step::solve(WorldState& world, double dt, StepResult& result) {
    Stopwatch watch;
    result.status = prepare(world, dt, result);
    if (!result.status) return true;
    solver_.run(world, constraints_, dt, loops_);
    const bool sound = losses_.sound(world, loops_);
    if (!sound) {
        try {
            losses_.look_for(world, constraints_, solver_, dt, loops_);
        } catch (const std::bad_alloc&) {
            undo_prepare(world);
            throw;
        }
        undo_prepare(world);
        losses_.lose_found(world);
    } else {
        result.status = find_passes(world, dt);
    }
    result.seconds_solve += watch.lap();
    return sound;
}

// Finds the bodies that must stop within the step. If memory runs out, the world is what it was before the step.
CallStatus Step::find_passes(WorldState& world, double dt) {
    try {
        const CallStatus status = passes_.find(world, pairs_, manifolds_.seams(), solver_.paths(), dt, loops_);
        if (status) return status;
        losses_.take_back(world);
        undo_prepare(world);
        return status;
    } catch (const std::bad_alloc&) {
        losses_.take_back(world);
        undo_prepare(world);
        throw;
    }
}

// After the stages: new poses, losses, sleep.
void Step::end(WorldState& world, double dt, StepResult& result) {
    Stopwatch watch;
    passes_.stop(world);
    energy_.hold(world, constraints_.contact_ends(), passes_, dt, loops_);
    loops_.over(world.bodies.size(), [&](std::size_t first, std::size_t last) {
        for (std::size_t i = first; i < last; ++i) world.bodies.end_step(i);
    });
    world.substep = static_cast<float>(dt / world.settings.substeps);
    islands_.fall_asleep(world, constraints_.contact_ends(), static_cast<float>(dt), loops_);
    result.lost = losses_.end(world);
    finish(world, result);
    result.seconds_solve += watch.lap();
}

// `find` makes the found manifolds of the bodies that are not lost.
template <class Find>
void Step::whole(WorldState& world, double dt, StepResult& result, const Find& find) {
    bool done = false;
    while (!done && result.status) {
        result.status = find();
        if (result.status) done = solve(world, dt, result);
    }
    if (result.status) {
        end(world, dt, result);
    } else {
        losses_.undo(world);
    }
}

StepResult Step::run(WorldState& world, CandidatePairs& finder, double dt, const std::span<const Pair>* candidates) {
    StepResult result;
    result.status = begin(world.settings, dt, result.isa);
    if (result.status && candidates != nullptr) result.status = check_candidates(world, *candidates);
    if (!result.status) return result;
    try {
        if (idle(world.bodies)) {
            world.contacts.forget_pushes();
            finish(world, result);
            return result;
        }
        losses_.begin(world, loops_);
        bool again = false;
        whole(world, dt, result,
              [&] { return find_manifolds(world, finder, dt, candidates, std::exchange(again, true), result); });
        if (!result.status) ManifoldFinder::forget(world);
    } catch (const std::bad_alloc&) {
        losses_.undo(world);
        ManifoldFinder::forget(world);
        result.status = {Status::out_of_memory, "step", 0};
    }
    return result;
}

StepResult Step::advance(WorldState& world, double dt, std::span<const Manifold4> manifolds) {
    StepResult result;
    result.status = begin(world.settings, dt, result.isa);
    if (result.status) result.status = check_manifolds(manifolds, world);
    if (!result.status) return result;
    try {
        losses_.begin(world, loops_);
        result.pairs = manifolds.size();
        whole(world, dt, result, [&] {
            take_manifolds(world, manifolds, loops_);
            own_pairs_.clear();
            for (const Manifold4& m : world.contacts.found()) own_pairs_.push_back({m.pair[0], m.pair[1]});
            pairs_ = own_pairs_;
            return CallStatus{};
        });
    } catch (const std::bad_alloc&) {
        losses_.undo(world);
        result.status = {Status::out_of_memory, "advance", 0};
    }
    return result;
}

WorldPairs Step::find_pairs(WorldState& world, CandidatePairs& finder, double dt) {
    WorldPairs result;
    Isa isa = Isa::scalar;
    result.status = begin(world.settings, dt, isa);
    if (!result.status) return result;
    try {
        result.status = finder.find(world, static_cast<float>(dt), loops_);
    } catch (const std::bad_alloc&) {
        result.status = {Status::out_of_memory, "find_pairs", 0};
    }
    if (result.status) result.pairs = finder.pairs();
    return result;
}

}  // namespace lanefold::detail
