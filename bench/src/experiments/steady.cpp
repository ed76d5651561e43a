// SPDX-License-Identifier: MIT
//
// Times calls with and without hysteresis on scenes that tremble.
#include "experiments/steady.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <stdexcept>

#include <fmt/format.h>

#include <lanefold/contact_stream.hpp>
#include <lanefold/narrowphase.hpp>
#include <lanefold/version.hpp>

#include "measure/machine.hpp"
#include "scenes/stacks.hpp"

namespace lanefold::bench {
namespace {

constexpr std::size_t kFrames = 10;
constexpr std::size_t kBefore = 2;  // steps that grow memory and make certificates; not timed
constexpr double kToReach = 1.25;   // a call with hysteresis, by one without
constexpr const char* kLayout = "{:<24} {:>7} {:>6} {:>7} {:>7} {:>7} {:>6} {:>7} {:>7} {:>6} {:>7} {:>8} {:>6}\n";

// A call with and without hysteresis, a stream with and without, in the order of the columns.
enum Way : std::uint8_t { call, call_hold, stream, stream_hold };
constexpr std::size_t kWays = 4;
constexpr std::array<const char*, kWays> kIds{"lanefold-compact", "lanefold-compact-hysteresis", "lanefold-stream",
                                              "lanefold-stream-hysteresis"};
constexpr std::array<const char*, kWays> kTitles{"lanefold, compact", "lanefold, compact, hysteresis",
                                                 "lanefold stream", "lanefold stream, hysteresis"};

// FNV-1a over words, enough to tell whether two builds give the same records.
std::uint64_t hash_of(const Manifold4* records, std::size_t count, std::uint64_t h) {
    for (std::size_t i = 0; i < count; ++i) {
        std::uint64_t words[sizeof(Manifold4) / 8];
        std::memcpy(words, records + i, sizeof words);
        for (const std::uint64_t w : words) h = std::rotl((h ^ w) * 0x100000001B3ULL, 29);
    }
    return h;
}

class SteadyRow {
public:
    SteadyRow(const Scene& scene, const std::string& name, double margin, double angle, std::uint64_t seed)
        : scene_(scene), frames_(tremble(scene, angle, kFrames, seed)) {
        options_.margin = static_cast<float>(margin);
        options_.threads = 1;
        const std::size_t pairs = frames_[0].pairs.size();
        for (auto& o : records_) o.resize(2 * pairs + 1);
        cold_.resize(2 * pairs + 1);
        for (std::size_t k = 0; k < kWays; ++k) {
            rows_[k].scene = name;
            rows_[k].subset = "trembling";
            rows_[k].engine = kIds[k];
            rows_[k].pairs = pairs;
        }
    }

    // All steps once, each way in its turn.
    void round() {
        for (std::size_t k = 0; k < kWays; ++k) {
            const auto way = static_cast<Way>((rounds_ + k) % kWays);
            forget(way);
            rows_[way].add_sample(1, pair_steps(), Counting::off, [&](benchmark::State& state) { pass(state, way); });
        }
        ++rounds_;
    }

    // Returns the ratio of the calls. The least times count, because other work on the machine only adds to them.
    double print(const std::string& name, const std::string& angle) const {
        const auto least = [&](Way w) { return rows_[w].min(); };
        const auto share = [&](std::uint64_t n) {
            return fmt::format("{:.1f}", 100 * static_cast<double>(n) / static_cast<double>(pair_steps()));
        };
        const auto ns = [&](Way w) { return fmt::format("{:.1f}", least(w)); };
        const double calls = least(call_hold) / least(call);
        fmt::print(kLayout, name, angle, frames_[0].pairs.size(), share(touching_), ns(call), ns(call_hold),
                   fmt::format("{:.2f}", calls), ns(stream), ns(stream_hold),
                   fmt::format("{:.2f}", least(stream_hold) / least(stream)), share(counters_.hold_tried),
                   share(counters_.hold_tried - counters_.hold_lanes), share(counters_.held));
        return calls;
    }

    // All records of the timed calls with hysteresis.
    std::uint64_t hash() const { return hash_; }

    void add_rows(Results& results) {
        for (Timing& row : rows_) results.timings.push_back(std::move(row));
    }

private:
    std::size_t pair_steps() const { return frames_[0].pairs.size() * (kFrames - kBefore); }

    // Empties the memory that the way kept from its round before.
    void forget(Way way) {
        if (way == stream || way == stream_hold) streams_[way - stream].reset();
        if (way != call_hold) return;
        kept_ = 0;
        counters_ = {};
        touching_ = 0;
        hash_ = 0;
    }
    // The records and figures of a call with hysteresis.
    void keep(std::size_t step, const BatchResult& r) {
        if (step >= kBefore) {
            counters_ += r.counters;
            touching_ += r.touching;
            hash_ = hash_of(records_[0].data(), written_, hash_);
        }
        std::swap(records_[0], records_[1]);
        kept_ = written_;
    }
    void pass(benchmark::State& state, Way way) {
        BatchResult last;
        pass_steps(
            state, frames_.size(), kBefore, kNothing, [&](std::size_t i) { last = run(way, frames_[i]); },
            [&](std::size_t i) {
                if (!last.status) throw std::runtime_error(std::string("a step failed: ") + last.status.what);
                if (way == call_hold) keep(i, last);
            });
    }
    BatchResult run(Way way, const Frame& f) {
        const BodyView bodies{std::span<const Body>(f.bodies)};
        Options options = options_;
        if (way == call || way == stream) options.hysteresis = 0;
        if (way == stream || way == stream_hold)
            return streams_[way - stream].step(scene_.hulls, bodies, f.pairs, options);
        CallInputs inputs;
        if (way == call_hold)
            inputs.previous = PreviousContacts::compact(std::span<const Manifold4>(records_[1].data(), kept_));
        std::vector<Manifold4>& out = way == call ? cold_ : records_[0];
        const CompactResult r = collide_compact(scene_.hulls, bodies, f.pairs, options, std::span<Manifold4>(out),
                                                workspaces_[way], inputs);
        if (way == call_hold) written_ = r.written;
        return r;
    }

    const Scene& scene_;
    std::vector<Frame> frames_;
    Options options_;
    std::array<Workspace, 2> workspaces_;
    std::array<ContactStream<Manifold4>, 2> streams_{ContactStream<Manifold4>(PointMatching::off),
                                                     ContactStream<Manifold4>(PointMatching::off)};
    std::array<std::vector<Manifold4>, 2> records_;  // of the calls with hysteresis: of this step, of the one before
    std::vector<Manifold4> cold_;
    std::size_t kept_ = 0;
    std::size_t written_ = 0;
    std::array<Timing, kWays> rows_;
    std::size_t rounds_ = 0;
    Counters counters_;
    std::uint64_t touching_ = 0;
    std::uint64_t hash_ = 0;
};

void name_engines(double margin, Results& results) {
    for (std::size_t k = 0; k < kWays; ++k) {
        EngineInfo info;
        info.id = kIds[k];
        info.title = kTitles[k];
        info.version = version();
        info.build = "this build, a kernel for each instruction set";
        info.settings = "the default but for hysteresis, one thread";
        info.margin = margin;
        info.coherent = k != call;
        results.engines.push_back(info);
    }
}

}  // namespace

void measure_steady(const SteadyPlan& plan, Results& results) {
    name_engines(plan.margin, results);
    const PinnedThread pinned(plan.processor);
    fmt::print(kLayout, "family", "angle", "pairs", "touch%", "call", "hold", "ratio", "stream", "hold", "ratio",
               "tried%", "float64%", "held%");
    std::size_t rows = 0;
    std::uint64_t hash = 0;
    std::vector<std::string> above;
    for (const std::string& name : trembling_names()) {
        if (!plan.names.empty() && std::find(plan.names.begin(), plan.names.end(), name) == plan.names.end()) continue;
        const Scene scene = make_trembling(name, plan.seed, plan.pairs, plan.margin);
        for (const double angle : plan.angles) {
            const std::string text = fmt::format("{:.0e}", angle);
            SteadyRow row(scene, fmt::format("{}@{}", name, text), plan.margin, angle, plan.seed);
            for (int k = 0; k < plan.rounds; ++k) row.round();
            const double ratio = row.print(name, text);
            hash = std::rotl(hash, 7) ^ row.hash();
            row.add_rows(results);
            ++rows;
            if (ratio > kToReach) above.push_back(fmt::format("{} {} ({:.2f})", name, text, ratio));
            std::fflush(stdout);
        }
    }
    fmt::print("{} of {} rows above {}:", above.size(), rows, kToReach);
    for (const std::string& a : above) fmt::print(" {},", a);
    fmt::print("\nhash of all records with hysteresis: {:016x}\n", hash);
}

}  // namespace lanefold::bench
