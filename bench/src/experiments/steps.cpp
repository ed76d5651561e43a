// SPDX-License-Identifier: MIT
//
// Times the calls of simulation steps on all thread counts.
#include "experiments/steps.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <span>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include <lanefold/broadphase.hpp>
#include <lanefold/contact_stream.hpp>
#include <lanefold/isa.hpp>
#include <lanefold/narrowphase.hpp>
#include <lanefold/version.hpp>

namespace lanefold::bench {
namespace {

constexpr std::size_t kBefore = kStepFrames - 1;  // steps that grow memory and make certificates; not timed

// A step makes these calls, in this order.
constexpr std::size_t kCalls = 3;
constexpr std::array<const char*, kCalls> kIds{"search", "cold", "stream"};
constexpr std::array<const char*, kCalls> kTitles{"search for candidates", "narrowphase, cold", "narrowphase, stream"};

// Passes over all frames on a number of threads, each with objects of its own, as in a simulation.
class Steps {
public:
    // Finds the pairs of all frames, and compares the bytes of both calls.
    explicit Steps(const Scene& scene) : scene_(scene) {
        PairFinder finder;
        Workspace workspace;
        ContactStream<Manifold4> stream(PointMatching::off);
        for (std::size_t i = 0; i < scene.frames.size(); ++i) {
            const PairFinderResult found = finder.find(scene.hulls, bodies(i), finder_options(1));
            if (!found.status) throw std::runtime_error("a step failed");
            pairs_.emplace_back(found.pairs.begin(), found.pairs.end());
            timed_ += i < kBefore ? 0 : found.pairs.size();
            records_.resize(std::max(records_.size(), 2 * found.pairs.size()));
            const std::size_t cold = collide(i, options(1), workspace);
            const StreamResult warm = stream.step(scene.hulls, bodies(i), pairs_[i], options(1));
            if (!warm.status) throw std::runtime_error("a step failed");
            check(stream.contacts(), cold, i);
        }
        if (timed_ == 0) throw std::runtime_error(fmt::format("{}: no candidate pairs", scene.name));
    }

    // The pairs of all timed steps.
    std::size_t pairs() const { return timed_; }

    // A sample of call number `call` of kIds.
    void add_sample(std::size_t call, unsigned threads, Timing& row) {
        PairFinder finder;
        Workspace workspace;
        ContactStream<Manifold4> stream(PointMatching::off);
        row.add_sample(1, timed_, Counting::off, [&](benchmark::State& state) {
            pass_steps(state, scene_.frames.size(), kBefore, kNothing, [&](std::size_t i) {
                bool good = true;
                if (call == 0) good = bool(finder.find(scene_.hulls, bodies(i), finder_options(threads)).status);
                if (call == 1) collide(i, options(threads), workspace);
                if (call == 2) good = bool(stream.step(scene_.hulls, bodies(i), pairs_[i], options(threads)).status);
                if (!good) throw std::runtime_error("a step failed");
            });
        });
    }

private:
    BodyView bodies(std::size_t frame) const { return std::span<const Body>(scene_.frames[frame].bodies); }
    PairFinderOptions finder_options(unsigned threads) const {
        PairFinderOptions out;
        out.margin = static_cast<float>(scene_.margin);
        out.threads = threads;
        return out;
    }
    Options options(unsigned threads) const {
        Options out;
        out.margin = static_cast<float>(scene_.margin);
        out.hysteresis = 0;
        out.threads = threads;
        return out;
    }
    // The number of records of a cold call.
    std::size_t collide(std::size_t frame, const Options& options, Workspace& workspace) {
        const CompactResult r =
            collide_compact(scene_.hulls, bodies(frame), pairs_[frame], options, records_, workspace);
        if (!r.status) throw std::runtime_error("a step failed");
        return r.written;
    }
    void check(std::span<const Manifold4> stream, std::size_t cold, std::size_t step) const {
        if (stream.size() == cold && std::memcmp(stream.data(), records_.data(), cold * sizeof(Manifold4)) == 0) return;
        throw std::runtime_error(
            fmt::format("{}, step {}: the stream's bytes are not those of the cold call", scene_.name, step));
    }

    const Scene& scene_;
    std::vector<std::vector<Pair>> pairs_;  // of each frame
    std::size_t timed_ = 0;
    std::vector<Manifold4> records_;
};

std::string id_of(std::size_t call, unsigned threads) {
    return threads == 1 ? kIds[call] : fmt::format("{}-t{}", kIds[call], threads);
}

void add_engines(std::size_t call, unsigned threads, double margin, Results& results) {
    EngineInfo info;
    info.id = id_of(call, threads);
    const auto same = [&](const EngineInfo& e) { return e.id == info.id; };
    if (std::any_of(results.engines.begin(), results.engines.end(), same)) return;
    info.title = threads == 1 ? kTitles[call] : fmt::format("{}, {} threads", kTitles[call], threads);
    info.version = version();
    info.build = "this build, a kernel for each instruction set";
    info.settings = fmt::format("isa {}, threads {}", to_string(choose_isa(Isa::automatic).isa), threads);
    info.margin = margin;
    info.coherent = call != 1;
    results.engines.push_back(info);
}

}  // namespace

std::vector<unsigned> thread_counts(unsigned most) {
    std::vector<unsigned> out{1};
    for (unsigned power = 2; power < most; power *= 2) {
        out.push_back(power);
        if (power + power / 2 < most) out.push_back(power + power / 2);
    }
    if (most > 1) out.push_back(most);
    return out;
}

void measure_steps(const Scene& scene, unsigned most_threads, int rounds, Results& results) {
    if (scene.frames.size() < kStepFrames) {
        throw std::runtime_error(fmt::format("{}: --scaling needs {} consecutive frames of a scene, this has {}",
                                             scene.name, kStepFrames, scene.frames.size()));
    }
    const std::vector<unsigned> threads = thread_counts(most_threads);
    Steps steps(scene);
    std::vector<Timing> rows;  // the calls of the first number of threads, of the next, ...
    for (const unsigned t : threads) {
        for (std::size_t call = 0; call < kCalls; ++call) {
            Timing& row = rows.emplace_back();
            row.scene = scene.name;
            row.subset = "steps";
            row.engine = id_of(call, t);
            row.threads = t;
            row.pairs = steps.pairs();
            row.clock = ClockKind::wall;
            add_engines(call, t, scene.margin, results);
        }
    }
    for (int round = 0; round < rounds; ++round) {
        for (std::size_t k = 0; k < rows.size(); ++k) steps.add_sample(k % kCalls, rows[k].threads, rows[k]);
    }
    for (Timing& row : rows) results.timings.push_back(std::move(row));
}

}  // namespace lanefold::bench
