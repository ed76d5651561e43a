// SPDX-License-Identifier: MIT
//
// Google Benchmark takes every sample. A row of results is a benchmark SCENE/SUBSET/ORDER/ENGINE; each of its samples
// is registered, and run at once, when it is the row's turn: so engines take turns in the caller's order. The counters
// of a sample are the time of a pair, the surroundings and the counts of the processor.
#pragma once

#include <cstdint>
#include <functional>
#include <iosfwd>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>

#include "measure/surroundings.hpp"

namespace lanefold::bench {

using Sample = benchmark::BenchmarkReporter::Run;

// One pass of a sample. It may pause the clock of `state`.
using Pass = std::function<void(benchmark::State& state)>;

// A pass over steps, as in a simulation: step(i) is timed, unless i is one of the first `before`; what comes before and
// after it is not.
inline constexpr auto kNothing = [](std::size_t) {};
template <class Prepare, class Step, class Done = decltype(kNothing)>
void pass_steps(benchmark::State& state, std::size_t steps, std::size_t before, const Prepare& prepare,
                const Step& step, const Done& done = kNothing) {
    state.PauseTiming();
    for (std::size_t i = 0; i < steps; ++i) {
        prepare(i);
        if (i >= before) state.ResumeTiming();
        step(i);
        if (i >= before) state.PauseTiming();
        done(i);
    }
    state.ResumeTiming();
}

// Counts of the processor are told for passes without untimed parts only, because they cannot be paused.
enum class Counting : std::uint8_t { off, on };

// A row of results: its name, and its samples, one a round.
struct Timing {
    std::string scene;
    std::string subset = "all";  // all, touching, separated, frames, share-0.25, ...
    std::string order = "scene";
    std::string engine;
    unsigned threads = 1;
    ClockKind clock = ClockKind::thread;
    std::size_t pairs = 0;  // in one call
    std::vector<Sample> samples;

    // Takes a sample of so many passes, each of `pass_pairs` pairs.
    void add_sample(int passes, std::size_t pass_pairs, Counting counting, const Pass& pass);

    bool empty() const { return samples.empty(); }
    // A counter of each sample: "ns" for a pair, "ghz", ...
    std::vector<double> values(const char* counter) const;
    double min() const;
    double median() const;
    double spread() const;  // half the distance of the quartiles, relative to the median
    double median_ghz() const;
};

double median_of(std::vector<double> values);

// Writes the samples of all rows as Google Benchmark does (--benchmark_out). What else is known, such as scenes and
// engines, is in its context, which AddCustomContext() has filled.
void write_samples(std::vector<Timing> timings, std::ostream& out);

}  // namespace lanefold::bench
