// SPDX-License-Identifier: MIT
//
// Runs engines in turns and measures their time.
#include "measure/runner.hpp"

#include <algorithm>
#include <numeric>

#include "scenes/random.hpp"

namespace lanefold::bench {
namespace {

double timed(Engine& engine, std::span<const Pair> pairs, ClockKind clock) {
    const double start = clock_seconds(clock);
    engine.collide(pairs);
    return clock_seconds(clock) - start;
}

// A call as it is measured: with the planted slowdown, if this engine has one.
void collide(Engine& engine, std::span<const Pair> pairs, const TimingPlan& plan, bool slowed) {
    if (!slowed) return engine.collide(pairs);
    const double start = clock_seconds(plan.clock);
    const double used = timed(engine, pairs, plan.clock);
    while (clock_seconds(plan.clock) - start < used * (1 + plan.slowed_by)) {
    }
}

// The work of one engine in a round.
struct Work {
    std::vector<Pair> pairs;
    int passes = 1;
};

Work plan_work(Engine& engine, const std::vector<Pair>& pairs, const TimingPlan& plan) {
    Work work;
    // A first run of few pairs shows whether all of them take too long. It also warms up.
    engine.reserve(pairs.size());
    const double a_pair = seconds_per_pair(engine, pairs, plan.clock);
    work.pairs = thin_out(pairs, std::max<std::size_t>(64, static_cast<std::size_t>(plan.pass_seconds / a_pair)));
    engine.reserve(work.pairs.size());
    engine.forget();
    const double pass = std::min(timed(engine, work.pairs, plan.clock), timed(engine, work.pairs, plan.clock));
    work.passes = std::clamp(static_cast<int>(plan.round_seconds / pass), 1, 1000);
    return work;
}

// A row for each engine. All differ from `row` in the engine and the clock alone.
std::vector<Timing> rows_of(const std::vector<Engine*>& engines, const TimingPlan& plan, Timing row) {
    std::vector<Timing> out;
    row.clock = plan.clock;
    for (const Engine* e : engines) {
        row.engine = e->info().id;
        out.push_back(row);
    }
    return out;
}

}  // namespace

void take_turns(std::size_t rows, int rounds, std::uint64_t seed, const std::function<void(std::size_t row)>& sample) {
    for (int round = 0; round < rounds; ++round) {
        std::vector<std::size_t> order(rows);
        std::iota(order.begin(), order.end(), std::size_t{0});
        shuffle(order, seed + static_cast<std::uint64_t>(round));
        for (const std::size_t row : order) sample(row);
    }
}

double seconds_per_pair(Engine& engine, const std::vector<Pair>& pairs, ClockKind clock) {
    const std::vector<Pair> few = thin_out(pairs, 64);
    double best = 1e9;
    for (int i = 0; i < 3; ++i) best = std::min(best, timed(engine, few, clock) / static_cast<double>(few.size()));
    return best;
}

std::vector<Pair> thin_out(const std::vector<Pair>& pairs, std::size_t limit) {
    if (pairs.size() <= limit) return pairs;
    std::vector<Pair> out;
    out.reserve(limit);
    for (std::size_t i = 0; i < limit; ++i) out.push_back(pairs[i * pairs.size() / limit]);
    return out;
}

std::vector<Timing> time_engines(const std::vector<Engine*>& engines, const std::vector<Pair>& pairs,
                                 const TimingPlan& plan, const Timing& row) {
    std::vector<Timing> out = rows_of(engines, plan, row);
    if (pairs.empty()) return out;
    std::vector<Work> work;
    for (std::size_t e = 0; e < engines.size(); ++e) {
        work.push_back(plan_work(*engines[e], pairs, plan));
        out[e].pairs = work[e].pairs.size();
    }
    take_turns(out.size(), plan.rounds, plan.seed, [&](std::size_t e) {
        const Work& w = work[e];
        // One pass without measurement brings the engine's data back into the caches.
        if (w.passes > 1) engines[e]->collide(w.pairs);
        const bool slowed = out[e].engine == plan.slowed;
        const Counting counting = plan.clock == ClockKind::thread ? Counting::on : Counting::off;
        out[e].add_sample(w.passes, w.pairs.size(), counting,
                          [&](benchmark::State&) { collide(*engines[e], w.pairs, plan, slowed); });
    });
    return out;
}

std::vector<Timing> time_frames(const std::vector<Engine*>& engines, const Scene& scene, const TimingPlan& plan) {
    std::size_t largest = 0;
    std::size_t total = 0;
    for (const Frame& f : scene.frames) {
        largest = std::max(largest, f.pairs.size());
        total += f.pairs.size();
    }
    Timing row;
    row.scene = scene.name;
    row.subset = "frames";
    row.pairs = total / scene.frames.size();
    std::vector<Timing> out = rows_of(engines, plan, row);
    for (Engine* e : engines) {
        e->reserve(largest);
        for (const Frame& f : scene.frames) {
            e->set_frame(f);
            e->collide(f.pairs);
        }
    }
    take_turns(out.size(), plan.rounds, plan.seed, [&](std::size_t e) {
        const bool slowed = out[e].engine == plan.slowed;
        out[e].add_sample(1, total, Counting::off, [&](benchmark::State& state) {
            pass_steps(
                state, scene.frames.size(), 0, [&](std::size_t i) { engines[e]->set_frame(scene.frames[i]); },
                [&](std::size_t i) { collide(*engines[e], scene.frames[i].pairs, plan, slowed); });
        });
    });
    return out;
}

}  // namespace lanefold::bench
