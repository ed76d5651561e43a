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

#include "measure/machine.hpp"
#include "measure/surroundings.hpp"

namespace lanefold::bench {
namespace {

constexpr std::size_t kBefore = kStepFrames - 1;  // steps that grow memory and make certificates; not timed

// A step makes these calls, in this order.
constexpr std::size_t kCalls = 3;
constexpr std::array<const char*, kCalls> kIds{"search", "cold", "stream"};
constexpr std::array<const char*, kCalls> kTitles{"search for candidates", "narrowphase, cold", "narrowphase, stream"};

// Seconds of each call, and the pairs of all timed steps.
struct Sums {
    std::array<double, kCalls> seconds{};
    double pairs = 0;
};

class Steps {
public:
    explicit Steps(const Scene& scene) : scene_(scene) {}

    // All frames with objects of their own, as in a simulation that uses so many threads.
    Sums run(unsigned threads) {
        PairFinder finder;
        Workspace workspace;
        ContactStream<Manifold4> stream(PointMatching::off);
        PairFinderOptions find;
        find.margin = static_cast<float>(scene_.margin);
        find.threads = threads;
        Options options;
        options.margin = find.margin;
        options.hysteresis = 0;
        options.threads = threads;
        Sums sums;
        for (std::size_t i = 0; i < scene_.frames.size(); ++i) {
            const BodyView bodies(std::span<const Body>(scene_.frames[i].bodies));
            const double start = wall_seconds();
            const PairFinderResult found = finder.find(scene_.hulls, bodies, find);
            const double searched = wall_seconds();
            const std::span<const Pair> pairs = found.pairs;
            if (records_.size() < pairs.size()) records_.resize(2 * pairs.size());
            const double begun = wall_seconds();
            const CompactResult cold = collide_compact(scene_.hulls, bodies, pairs, options, records_, workspace);
            const double collided = wall_seconds();
            const StreamResult warm = stream.step(scene_.hulls, bodies, pairs, options);
            const double end = wall_seconds();
            if (!found.status || !cold.status || !warm.status) throw std::runtime_error("a step failed");
            check(stream.contacts(), cold.written, i);
            if (i < kBefore) continue;
            sums.seconds[0] += searched - start;
            sums.seconds[1] += collided - begun;
            sums.seconds[2] += end - collided;
            sums.pairs += static_cast<double>(pairs.size());
        }
        return sums;
    }

private:
    void check(std::span<const Manifold4> stream, std::size_t cold, std::size_t step) const {
        if (stream.size() == cold && std::memcmp(stream.data(), records_.data(), cold * sizeof(Manifold4)) == 0) return;
        throw std::runtime_error(
            fmt::format("{}, step {}: the stream's bytes are not those of the cold call", scene_.name, step));
    }

    const Scene& scene_;
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
    std::vector<TimingRow> rows;  // the calls of the first number of threads, of the next, ...
    for (const unsigned t : threads) {
        for (std::size_t call = 0; call < kCalls; ++call) {
            rows.push_back({scene.name, "steps", "scene", t, {}});
            rows.back().timing.engine = id_of(call, t);
            rows.back().timing.clock = ClockKind::wall;
            add_engines(call, t, scene.margin, results);
        }
    }
    Steps steps(scene);
    for (int round = 0; round < rounds; ++round) {
        for (std::size_t k = 0; k < threads.size(); ++k) {
            const Watch watch(ClockKind::wall);
            const Sums sums = steps.run(threads[k]);
            const Surroundings around = watch.stop();
            if (sums.pairs == 0) throw std::runtime_error(fmt::format("{}: no candidate pairs", scene.name));
            for (std::size_t call = 0; call < kCalls; ++call) {
                Timing& timing = rows[k * kCalls + call].timing;
                timing.pairs = static_cast<std::size_t>(sums.pairs);
                timing.ns.push_back(sums.seconds[call] * 1e9 / sums.pairs);
                timing.around.push_back(around);
            }
        }
    }
    for (TimingRow& row : rows) results.timings.push_back(std::move(row));
}

}  // namespace lanefold::bench
