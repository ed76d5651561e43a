// SPDX-License-Identifier: MIT
//
// Times streams and cold calls on the same steps.
#include "experiments/warm.hpp"

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <lanefold/contact_stream.hpp>
#include <lanefold/narrowphase.hpp>

#include "measure/machine.hpp"

namespace lanefold::bench {
namespace {

constexpr std::size_t kWindow = 24;  // steps that are timed
constexpr std::size_t kBefore = 6;   // steps before them, not timed
static_assert(kWindow + kBefore == kWarmFrames);

// The steps of a window, with all of their pairs or some.
using Steps = std::vector<Frame>;

struct Sums {
    double cold = 0;  // seconds
    double warm = 0;
    double pairs = 0;
    Counters counters;
};

class Race {
public:
    Race(const HullSet& hulls, double margin) : hulls_(hulls) {
        options_.margin = static_cast<float>(margin);
        options_.hysteresis = 0;
        options_.threads = 1;
    }

    // One turn over the steps. The stream forgets the pairs of the turn before and keeps its memory, as the cold call
    // does.
    Sums turn(const Steps& steps) {
        stream_.reset();
        Sums sums;
        for (std::size_t i = 0; i < steps.size(); ++i) {
            const Frame& f = steps[i];
            if (out_.size() < f.pairs.size()) out_.resize(2 * f.pairs.size());
            const BodyView view(std::span<const Body>(f.bodies));
            StreamResult warm;
            CompactResult cold;
            double seconds[2];
            for (const std::size_t which : {i % 2, 1 - i % 2}) {
                const double start = thread_seconds();
                if (which == 0)
                    warm = stream_.step(hulls_, view, f.pairs, options_);
                else
                    cold = collide_compact(hulls_, view, f.pairs, options_, std::span<Manifold4>(out_), workspace_);
                seconds[which] = thread_seconds() - start;
            }
            if (!warm.status || !cold.status) throw std::runtime_error("a step failed");
            if (stream_.contacts().size() != cold.written ||
                std::memcmp(stream_.contacts().data(), out_.data(), cold.written * sizeof(Manifold4)) != 0) {
                throw std::runtime_error(fmt::format("step {}: the stream's bytes are not those of the cold call", i));
            }
            if (i < kBefore) continue;
            sums.warm += seconds[0];
            sums.cold += seconds[1];
            sums.pairs += static_cast<double>(f.pairs.size());
            sums.counters += warm.counters;
        }
        return sums;
    }

    // The pairs of each step that touch, or those that do not.
    Steps part(const Steps& steps, bool touching) {
        Steps out = steps;
        for (Frame& f : out) {
            if (out_.size() < f.pairs.size()) out_.resize(2 * f.pairs.size());
            const CompactResult r = collide_compact(hulls_, BodyView(std::span<const Body>(f.bodies)), f.pairs,
                                                    options_, std::span<Manifold4>(out_), workspace_);
            std::vector<Pair> kept;
            std::size_t k = 0;
            for (const Pair& p : f.pairs) {
                const bool touches = k < r.written && out_[k].pair[0] == p.a && out_[k].pair[1] == p.b;
                k += touches ? 1 : 0;
                if (touches == touching) kept.push_back(p);
            }
            f.pairs = std::move(kept);
        }
        return out;
    }

private:
    const HullSet& hulls_;
    Options options_;
    Workspace workspace_;
    ContactStream<Manifold4> stream_ = ContactStream<Manifold4>(PointMatching::off);
    std::vector<Manifold4> out_;
};

double share(std::uint64_t part, const Counters& all) {
    return 100 * static_cast<double>(part) / static_cast<double>(std::max<std::uint64_t>(all.hull_pairs, 1));
}

void print_row(Race& race, const char* what, const Steps& steps, int rounds) {
    std::vector<double> cold, warm, ratio;
    Sums last;
    race.turn(steps);
    for (int round = 0; round < rounds; ++round) {
        last = race.turn(steps);
        if (last.pairs == 0) return;
        cold.push_back(1e9 * last.cold / last.pairs);
        warm.push_back(1e9 * last.warm / last.pairs);
        ratio.push_back(last.cold / last.warm);
    }
    const Counters& c = last.counters;
    fmt::print("  {:<9} {:>7.0f} {:>8.1f} {:>8.1f} {:>6.2f} {:>8.1f} {:>8.1f} {:>8.1f} {:>8.1f}\n", what,
               last.pairs / static_cast<double>(steps.size() - kBefore), median_of(cold), median_of(warm),
               median_of(ratio), share(c.certificates_tried, c), share(c.rejected_certificate, c),
               share(c.certificates_held, c), share(c.certificates_made, c));
}

}  // namespace

void print_warm(const Scene& scene, const WarmPlan& plan) {
    if (scene.frames.size() < kWarmFrames) {
        throw std::runtime_error(fmt::format("{}: --warm needs {} consecutive frames, this scene has {}", scene.name,
                                             kWarmFrames, scene.frames.size()));
    }
    fmt::print("{}: {} frames\n", scene.name, scene.frames.size());
    const PinnedThread pinned(plan.processor);
    Race race(scene.hulls, scene.margin);
    for (const double at : {0.1, 0.33, 0.6, 1.0}) {
        const auto first = static_cast<std::size_t>(at * static_cast<double>(scene.frames.size() - kWindow - kBefore));
        const auto begin = scene.frames.begin() + static_cast<std::ptrdiff_t>(first);
        const Steps steps(begin, begin + static_cast<std::ptrdiff_t>(kWindow + kBefore));
        fmt::print(
            " steps {} to {}: pairs, ns a pair cold and warm, ratio; % of pairs: asked whether apart, apart, best face "
            "settled, certified\n",
            first + kBefore, first + kBefore + kWindow);
        print_row(race, "all", steps, plan.rounds);
        print_row(race, "touching", race.part(steps, true), plan.rounds);
        print_row(race, "apart", race.part(steps, false), plan.rounds);
        std::fflush(stdout);
    }
}

}  // namespace lanefold::bench
