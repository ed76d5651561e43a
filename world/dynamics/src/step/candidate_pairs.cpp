// SPDX-License-Identifier: MIT
//
// Boxes with half the margin, swept by the body's velocity and grown by its spin.
#include "step/candidate_pairs.hpp"

#include <algorithm>
#include <utility>

#include <lanefold/detail/caller_memory.hpp>

#include "step/margins.hpp"

namespace lanefold::detail {

CallStatus CandidatePairs::find(WorldState& world, float dt, Loops& loops) {
    Bodies& bodies = world.bodies;
    const WorldSettings& settings = world.settings;
    const std::size_t n = bodies.size();
    const float fall = fall_in(settings, dt);
    growth_.resize(n);
    sweep_.resize(n);
    box_stands_.resize(n);
    loops.over(n, [&](std::size_t first, std::size_t last) {
        for (std::size_t i = first; i < last; ++i) {
            const float* v = bodies.motion(i).v;
            const float grown = bodies.spin(i) * bodies.radius(i) * dt + (bodies.movable(i) ? fall : 0);
            sweep_[i] = {v[0] * dt, v[1] * dt, v[2] * dt};
            const bool rests = !bodies.has_velocity(i);
            // A box that stands has the growth of the call before: another step or gravity, or a body that woke, may
            // change it.
            box_stands_[i] = bodies.boxed(i) && rests && grown == growth_[i] ? 1 : 0;
            growth_[i] = grown;
            bodies.set_boxed(i, rests);
        }
    });
    const FilterArrays filters = bodies.filters();
    PairFinderOptions options;
    options.margin = settings.margin * settings.unit;
    options.growth = growth_;
    options.motion = sweep_;
    options.inverse_mass = filters.mass;
    options.group = filters.group;
    options.category = filters.category;
    options.collides_with = filters.collides_with;
    options.unmoved = box_stands_;
    options.threads = settings.threads;
    options.isa = settings.isa;
    const PairFinderResult found = finder_.find(world.hulls, BodyView(bodies.poses()), options);
    if (!found.status) bodies.clear_boxed();  // a refused call made no boxes
    pairs_ = found.pairs;
    return found.status;
}

CallStatus check_candidates(const WorldState& world, std::span<const Pair> candidates) {
    if (candidates.data() == nullptr && !candidates.empty())
        return refuse("candidates is null but has a length", candidates.size());
    const std::size_t n = world.bodies.size();
    for (std::size_t i = 0; i < candidates.size(); ++i) {
        const auto [a, b] = candidates[i];
        if (a >= n || b >= n) return refuse("candidates: there is no such body", i);
        if (a == b) return refuse("candidates: a body with itself", i);
    }
    return {};
}

CallStatus CandidatePairs::take(const WorldState& world, std::span<const Pair> candidates) {
    sorted_.clear();
    for (Pair pair : candidates) {
        if (pair.a > pair.b) std::swap(pair.a, pair.b);
        if (world.bodies.may_touch(pair)) sorted_.push_back(pair);
    }
    if (!std::is_sorted(sorted_.begin(), sorted_.end())) std::sort(sorted_.begin(), sorted_.end());
    sorted_.erase(std::unique(sorted_.begin(), sorted_.end()), sorted_.end());
    pairs_ = sorted_;
    return {};
}

}  // namespace lanefold::detail
