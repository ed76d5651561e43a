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

// The same for a measurement: with the planted slowdown, if this engine has one.
double measured(Engine& engine, std::span<const Pair> pairs, const TimingPlan& plan, bool slowed) {
    const double start = clock_seconds(plan.clock);
    engine.collide(pairs);
    const double used = clock_seconds(plan.clock) - start;
    if (!slowed) return used;
    while (clock_seconds(plan.clock) - start < used * (1 + plan.slowed_by)) {
    }
    return clock_seconds(plan.clock) - start;
}

HardwareCounts per_pair(HardwareCounts c, double pairs) {
    for (double* value : {&c.instructions, &c.cycles, &c.branch_misses, &c.cache_misses, &c.joules}) *value /= pairs;
    return c;
}

double quantile(std::vector<double> values, double q) {
    if (values.empty()) return 0;
    std::sort(values.begin(), values.end());
    const double at = q * static_cast<double>(values.size() - 1);
    const auto low = static_cast<std::size_t>(at);
    const std::size_t high = std::min(low + 1, values.size() - 1);
    const double part = at - static_cast<double>(low);
    return values[low] * (1 - part) + values[high] * part;
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

std::vector<std::size_t> shuffled_indices(std::size_t n, std::uint64_t seed) {
    std::vector<std::size_t> v(n);
    std::iota(v.begin(), v.end(), std::size_t{0});
    shuffle(v, seed);
    return v;
}

}  // namespace

double Timing::min() const { return quantile(ns, 0); }
double Timing::median() const { return quantile(ns, 0.5); }
double Timing::max() const { return quantile(ns, 1); }
double Timing::spread() const { return ns.empty() ? 0 : (quantile(ns, 0.75) - quantile(ns, 0.25)) / 2 / median(); }
double Timing::median_ghz() const {
    std::vector<double> ghz;
    for (const Surroundings& s : around) ghz.push_back(s.ghz);
    return quantile(std::move(ghz), 0.5);
}

double seconds_per_pair(Engine& engine, const std::vector<Pair>& pairs, ClockKind clock) {
    const std::vector<Pair> few = thin_out(pairs, 64);
    double best = 1e9;
    for (int i = 0; i < 3; ++i) best = std::min(best, timed(engine, few, clock) / static_cast<double>(few.size()));
    return best;
}

double median_of(std::vector<double> values) { return quantile(std::move(values), 0.5); }

std::vector<Pair> thin_out(const std::vector<Pair>& pairs, std::size_t limit) {
    if (pairs.size() <= limit) return pairs;
    std::vector<Pair> out;
    out.reserve(limit);
    for (std::size_t i = 0; i < limit; ++i) out.push_back(pairs[i * pairs.size() / limit]);
    return out;
}

std::vector<Timing> time_engines(const std::vector<Engine*>& engines, const std::vector<Pair>& pairs,
                                 const TimingPlan& plan) {
    std::vector<Timing> out(engines.size());
    if (pairs.empty()) return out;
    std::vector<Work> work;
    for (std::size_t e = 0; e < engines.size(); ++e) {
        work.push_back(plan_work(*engines[e], pairs, plan));
        out[e].engine = engines[e]->info().id;
        out[e].clock = plan.clock;
        out[e].pairs = work[e].pairs.size();
    }
    for (int round = 0; round < plan.rounds; ++round) {
        for (const std::size_t e : shuffled_indices(engines.size(), plan.seed + static_cast<std::uint64_t>(round))) {
            // One pass without measurement brings the engine's data back into the caches.
            if (work[e].passes > 1) engines[e]->collide(work[e].pairs);
            const bool slowed = out[e].engine == plan.slowed;
            const Watch watch(plan.clock);
            double s = 0;
            thread_counters().start();
            for (int p = 0; p < work[e].passes; ++p) s += measured(*engines[e], work[e].pairs, plan, slowed);
            const HardwareCounts counts = thread_counters().stop();
            out[e].around.push_back(watch.stop());
            if (plan.clock == ClockKind::thread) {
                out[e].counts.push_back(
                    per_pair(counts, static_cast<double>(work[e].passes) * static_cast<double>(out[e].pairs)));
            }
            out[e].ns.push_back(s * 1e9 / static_cast<double>(work[e].passes) / static_cast<double>(out[e].pairs));
        }
    }
    return out;
}

std::vector<Timing> time_frames(const std::vector<Engine*>& engines, const std::vector<Frame>& frames,
                                const TimingPlan& plan) {
    std::vector<Timing> out(engines.size());
    std::size_t largest = 0;
    std::size_t total = 0;
    for (const Frame& f : frames) {
        largest = std::max(largest, f.pairs.size());
        total += f.pairs.size();
    }
    for (int round = -1; round < plan.rounds; ++round) {  // round -1 warms up
        for (const std::size_t e : shuffled_indices(engines.size(), plan.seed + static_cast<std::uint64_t>(round))) {
            engines[e]->reserve(largest);
            out[e].engine = engines[e]->info().id;
            out[e].clock = plan.clock;
            out[e].pairs = total / frames.size();
            const bool slowed = out[e].engine == plan.slowed;
            const Watch watch(plan.clock);
            double s = 0;
            for (const Frame& f : frames) {
                engines[e]->set_frame(f);
                s += measured(*engines[e], f.pairs, plan, slowed);
            }
            if (round < 0) continue;
            out[e].around.push_back(watch.stop());
            out[e].ns.push_back(s * 1e9 / static_cast<double>(total));
        }
    }
    return out;
}

}  // namespace lanefold::bench
