// SPDX-License-Identifier: MIT
//
// A step: candidate pairs, manifolds, wakers, constraints, sleep.
#include <algorithm>
#include <cmath>
#include <new>

#include <lanefold/detail/stopwatch.hpp>
#include <lanefold/fp_environment.hpp>
#include <lanefold/isa.hpp>
#include <lanefold/match_contacts.hpp>
#include <lanefold/narrowphase.hpp>

#include "world/impl.hpp"

namespace lanefold {
namespace {

using detail::refuse;

// Shorter steps than this divide by zero in float32, longer ones are no simulation.
constexpr double kShortestStep = 1e-9;
constexpr double kLongestStep = 10;

}  // namespace

// What a call of so long a step needs first.
CallStatus World::Impl::begin_call(double dt, Isa& isa) {
    if (!(dt >= kShortestStep && dt <= kLongestStep)) return refuse("dt must be 1e-9 to 10 seconds");
    const IsaChoice choice = choose_isa(settings.isa);
    isa = choice.isa;
    loops.begin_step(settings.threads);
    return choice.status;
}

// The caller's pairs, ascending, each once, without those that nobody wants.
CallStatus World::Impl::take_candidates(std::span<const Pair> candidates) {
    if (candidates.data() == nullptr && !candidates.empty())
        return refuse("candidates is null but has a length", candidates.size());
    sorted.clear();
    for (std::size_t i = 0; i < candidates.size(); ++i) {
        Pair pair = candidates[i];
        if (pair.a >= bodies() || pair.b >= bodies()) return refuse("candidates: there is no such body", i);
        if (pair.a == pair.b) return refuse("candidates: a body with itself", i);
        if (pair.a > pair.b) std::swap(pair.a, pair.b);
        if (wanted(pair)) sorted.push_back(pair);
    }
    if (!std::is_sorted(sorted.begin(), sorted.end())) std::sort(sorted.begin(), sorted.end());
    sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
    return {};
}

// Who did not move, and has the margins of the step before. In a long step gravity may bring a body that has just woken
// further than any of its records knows.
std::span<const std::uint8_t> World::Impl::marks_for(float dt) {
    if (!(fall_in(dt) > 0)) return unmoved;
    marks = unmoved;
    for (std::size_t i = 0; i < bodies(); ++i) {
        if (motion[i].inverse_mass > 0) marks[i] = 0;
    }
    return marks;
}

CallStatus World::Impl::collide(std::span<const Pair> pairs, double dt, StepResult& result) {
    pair_margin.resize(pairs.size());
    loops.over(pairs.size(), [&](std::size_t first, std::size_t last) {
        for (std::size_t i = first; i < last; ++i) pair_margin[i] = margin_of(pairs[i], static_cast<float>(dt));
    });
    next_record.reserve_grown(pairs.size());
    Options options;
    options.pair_margins = pair_margin;
    options.method = settings.method;
    options.face_preference = settings.face_preference;
    options.isa = settings.isa;
    options.threads = settings.threads;
    if (settings.method == ContactMethod::clip) {
        options.previous = PreviousContacts::compact(contacts());
        options.hysteresis = settings.hysteresis;
        options.unmoved = marks_for(static_cast<float>(dt));
    }
    const CompactResult found =
        collide_compact(hulls, BodyView(pose), pairs, options, std::span(next_record.data(), pairs.size()), workspace);
    if (!found.status) return found.status;
    next_records = found.written;
    result.pairs = pairs.size();
    return {};
}

// Wakers, impulses and constraints of the manifolds in next_record: all that may need memory, before anything moves. If
// it runs out, or a number is too large, the world is what it was before the step.
CallStatus World::Impl::prepare(double dt, StepResult& result) {
    if (next_records >= kNoRecord) return refuse("more than 2^32 - 2 manifolds", next_records);
    next_impulse.reserve_grown(next_records);
    make_room_to_sleep(next_records);
    const bool woken = wake_touched({next_record.data(), next_records}, static_cast<float>(dt));
    carry_impulses();
    swap_records();
    const auto undo = [&] {
        swap_records();
        if (woken) put_back_to_bed();
    };
    try {
        const CallStatus status = make_constraints(result.isa, result);
        if (status) {
            make_stages(result.isa);
        } else {
            undo();
        }
        return status;
    } catch (const std::bad_alloc&) {
        undo();
        throw;
    }
}

// From manifolds in next_record to the end.
void World::Impl::finish_step(double dt, StepResult& result) {
    detail::Stopwatch watch;
    result.status = prepare(dt, result);
    if (!result.status) return;
    solve(dt, result);
    result.status = look_for_infinities();
    if (!result.status) forget_impulses();
    fall_asleep(static_cast<float>(dt));
    count_sleepers(result);
    result.seconds_solve = watch.lap();
}

// Nothing moves, nothing can begin to, and the records are those of these poses.
bool World::Impl::idle() const {
    for (std::size_t i = 0; i < bodies(); ++i) {
        if (unmoved[i] == 0 || motion[i].inverse_mass > 0) return false;
    }
    return true;
}

void World::Impl::count_sleepers(StepResult& result) const {
    for (std::size_t i = 0; i < bodies(); ++i) {
        if (kind[i] != BodyKind::dynamic) continue;
        ++(bed[i] == kAwake ? result.awake : result.asleep);
    }
}

StepResult World::Impl::step(double dt, const std::span<const Pair>* candidates) {
    StepResult result;
    result.status = begin_call(dt, result.isa);
    if (!result.status) return result;
    try {
        detail::Stopwatch watch;
        std::span<const Pair> pairs;
        if (candidates != nullptr) {
            result.status = take_candidates(*candidates);
            if (!result.status) return result;
            pairs = sorted;
        }
        if (idle()) {
            count_sleepers(result);
            return result;
        }
        result.status = look_for_infinities();
        if (!result.status) return result;
        if (candidates == nullptr) {
            result.status = find_pairs(static_cast<float>(dt), pairs);
            if (!result.status) return result;
        }
        result.seconds_pairs = watch.lap();
        result.status = collide(pairs, dt, result);
        if (!result.status) return result;
        result.seconds_collide = watch.lap();
        finish_step(dt, result);
    } catch (const std::bad_alloc&) {
        result.status = {Status::out_of_memory, "step", 0};
    }
    return result;
}

CallStatus World::Impl::check_manifolds(std::span<const Manifold4> manifolds) const {
    if (manifolds.data() == nullptr && !manifolds.empty())
        return refuse("manifolds is null but has a length", manifolds.size());
    for (std::size_t i = 0; i < manifolds.size(); ++i) {
        const Manifold4& m = manifolds[i];
        if (m.pair[0] >= bodies() || m.pair[1] >= bodies() || m.pair[0] == m.pair[1])
            return refuse("manifolds: not a pair of two bodies", i);
        if (i != 0) {
            const Manifold4& before = manifolds[i - 1];
            if (Pair{before.pair[0], before.pair[1]} >= Pair{m.pair[0], m.pair[1]})
                return refuse("manifolds: pairs do not ascend", i);
        }
        if (m.count > Manifold4::kCapacity) return refuse("manifolds: more points than there is room for", i);
        float sum = (m.normal[0] + m.normal[1]) + (m.normal[2] + m.distance);
        for (std::uint32_t k = 0; k < m.count; ++k) {
            const ContactPoint& p = m.points[k];
            sum += (p.position[0] + p.position[1]) + (p.position[2] + p.separation);
        }
        if (!std::isfinite(sum)) return refuse("manifolds: a number is not finite", i);
    }
    return {};
}

StepResult World::Impl::advance(double dt, std::span<const Manifold4> manifolds) {
    StepResult result;
    result.status = begin_call(dt, result.isa);
    if (result.status) result.status = check_manifolds(manifolds);
    if (result.status) result.status = look_for_infinities();
    if (!result.status) return result;
    try {
        next_record.reserve_grown(manifolds.size());
        loops.over(manifolds.size(), [&](std::size_t first, std::size_t last) {
            std::copy_n(manifolds.data() + first, last - first, next_record.data() + first);
        });
        next_records = manifolds.size();
        result.pairs = manifolds.size();
        finish_step(dt, result);
    } catch (const std::bad_alloc&) {
        result.status = {Status::out_of_memory, "advance", 0};
    }
    return result;
}

StepResult World::step(double dt) {
    if (!impl_) return {.status = moved_from()};
    return in_default_environment([&] { return impl_->step(dt, nullptr); });
}

StepResult World::step(double dt, std::span<const Pair> candidates) {
    if (!impl_) return {.status = moved_from()};
    return in_default_environment([&] { return impl_->step(dt, &candidates); });
}

StepResult World::advance(double dt, std::span<const Manifold4> manifolds) {
    if (!impl_) return {.status = moved_from()};
    return in_default_environment([&] { return impl_->advance(dt, manifolds); });
}

}  // namespace lanefold
