// SPDX-License-Identifier: MIT
//
// Runs samples as benchmarks, and writes them.
#include "measure/harness.hpp"

#include <algorithm>
#include <cmath>
#include <ostream>
#include <stdexcept>
#include <utility>

#include "measure/counters.hpp"

namespace lanefold::bench {
namespace {

// Keeps the run that Google Benchmark reports.
class Collector : public benchmark::BenchmarkReporter {
public:
    bool ReportContext(const Context& /*context*/) override { return true; }
    void ReportRuns(const std::vector<Run>& runs) override { found.insert(found.end(), runs.begin(), runs.end()); }

    std::vector<Run> found;
};

void note(benchmark::UserCounters& counters, const Surroundings& s) {
    counters["ghz"] = s.ghz;
    counters["width"] = s.width;
    counters["waited"] = s.waited;
    counters["switches"] = static_cast<double>(s.switches);
    counters["stolen"] = s.stolen;
    counters["others"] = s.others;
    counters["ready"] = s.ready;
    counters["faults"] = s.faults;
}

// Counts of a pair. One that could not be read has no counter.
void note(benchmark::UserCounters& counters, const HardwareCounts& c, double pairs) {
    const auto add = [&](const char* name, double value) {
        if (!std::isnan(value)) counters[name] = value / pairs;
    };
    add("instructions", c.instructions);
    add("core_cycles", c.cycles);
    add("branch_misses", c.branch_misses);
    add("cache_misses", c.cache_misses);
    add("nanojoules", c.joules * 1e9);
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

}  // namespace

void Timing::add_sample(int passes, std::size_t pass_pairs, Counting counting, const Pass& pass) {
    const auto body = [&](benchmark::State& state) {
        const Watch watch(clock);
        thread_counters().start();
        for ([[maybe_unused]] auto step : state) pass(state);
        const HardwareCounts counts = thread_counters().stop();
        note(state.counters, watch.stop());
        const auto in_pass = static_cast<double>(pass_pairs);
        if (counting == Counting::on) note(state.counters, counts, passes * in_pass);
        state.counters["pairs"] = static_cast<double>(pairs);
        // The seconds of a pass by its thousand millions of pairs.
        state.counters["ns"] = benchmark::Counter(
            1e-9 * in_pass, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
    };
    const std::string name = scene + "/" + subset + "/" + order + "/" + engine;
    benchmark::ClearRegisteredBenchmarks();
    auto* const registered = benchmark::RegisterBenchmark(name.c_str(), body)->Iterations(passes);
    if (clock == ClockKind::wall) registered->UseRealTime();
    Collector collector;
    benchmark::RunSpecifiedBenchmarks(&collector, ".");
    if (collector.found.size() != 1 || collector.found.front().error_occurred) {
        throw std::runtime_error(name + ": Google Benchmark gave no sample");
    }
    samples.push_back(std::move(collector.found.front()));
}

std::vector<double> Timing::values(const char* counter) const {
    std::vector<double> out;
    for (const Sample& s : samples) out.push_back(s.counters.at(counter));
    return out;
}

double Timing::min() const { return quantile(values("ns"), 0); }
double Timing::median() const { return quantile(values("ns"), 0.5); }
double Timing::spread() const {
    const std::vector<double> ns = values("ns");
    return ns.empty() ? 0 : (quantile(ns, 0.75) - quantile(ns, 0.25)) / 2 / median();
}
double Timing::median_ghz() const { return quantile(values("ghz"), 0.5); }

double median_of(std::vector<double> values) { return quantile(std::move(values), 0.5); }

void write_samples(std::vector<Timing> timings, std::ostream& out) {
    benchmark::JSONReporter reporter;
    reporter.SetOutputStream(&out);
    reporter.SetErrorStream(&out);
    reporter.ReportContext({});
    for (std::size_t row = 0; row < timings.size(); ++row) {
        Timing& t = timings[row];
        for (std::size_t i = 0; i < t.samples.size(); ++i) {
            Sample& s = t.samples[i];
            s.family_index = static_cast<std::int64_t>(row);
            s.repetitions = static_cast<std::int64_t>(t.samples.size());
            s.repetition_index = static_cast<std::int64_t>(i);
            // Google Benchmark ran each on one thread; the number is that of the call.
            s.threads = t.threads;
            if (t.threads > 1) s.run_name.threads = "threads:" + std::to_string(t.threads);
            s.run_name.iterations.clear();
        }
        reporter.ReportRuns(t.samples);
    }
    reporter.Finalize();
}

}  // namespace lanefold::bench
