// SPDX-License-Identifier: MIT
//
// Times streams and cold calls on the same steps.
#include "experiments/warm.hpp"

#include <algorithm>
#include <array>
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

class Race {
public:
    explicit Race(const Scene& scene) : hulls_(scene.hulls), scene_(scene.name) {
        options_.margin = static_cast<float>(scene.margin);
        options_.hysteresis = 0;
        options_.threads = 1;
    }

    // Both over the same steps, not timed: compares their bytes.
    void compare(const Steps& steps) {
        stream_.reset();
        for (std::size_t i = 0; i < steps.size(); ++i) {
            const Frame& f = steps[i];
            if (out_.size() < f.pairs.size()) out_.resize(2 * f.pairs.size());
            const StreamResult warm = step(f);
            const CompactResult cold = collide(f);
            if (!warm.status || !cold.status) throw std::runtime_error("a step failed");
            if (stream_.contacts().size() != cold.written ||
                std::memcmp(stream_.contacts().data(), out_.data(), cold.written * sizeof(Manifold4)) != 0) {
                throw std::runtime_error(fmt::format("step {}: the stream's bytes are not those of the cold call", i));
            }
        }
    }

    // Rounds in turns: the rows of the cold calls and of the stream. The stream forgets the pairs of the round before
    // and keeps its memory, as the cold call does.
    std::array<Timing, 2> run(const Steps& steps, std::size_t pairs, int rounds) {
        std::array<Timing, 2> rows;
        for (Timing& row : rows) {
            row.scene = scene_;
            row.subset = "warm";
            row.engine = &row == rows.data() ? "lanefold-compact" : "lanefold-stream";
            row.pairs = pairs / kWindow;
        }
        for (int round = 0; round < 2 * rounds; ++round) {
            const bool warm = (round + round / 2) % 2 != 0;
            if (warm) stream_.reset();
            Counters counters;
            rows[warm ? 1 : 0].add_sample(1, pairs, Counting::off, [&](benchmark::State& state) {
                BatchResult last;
                pass_steps(
                    state, steps.size(), kBefore, kNothing,
                    [&](std::size_t i) { last = warm ? BatchResult(step(steps[i])) : BatchResult(collide(steps[i])); },
                    [&](std::size_t i) {
                        if (i >= kBefore) counters += last.counters;
                    });
            });
            if (warm) counters_ = counters;
        }
        return rows;
    }

    // The counters of the stream in the window of its last round.
    const Counters& counters() const { return counters_; }

    // The pairs of each step that touch, or those that do not.
    Steps part(const Steps& steps, bool touching) {
        Steps out = steps;
        for (Frame& f : out) {
            if (out_.size() < f.pairs.size()) out_.resize(2 * f.pairs.size());
            const CompactResult r = collide(f);
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
    StreamResult step(const Frame& f) {
        return stream_.step(hulls_, BodyView(std::span<const Body>(f.bodies)), f.pairs, options_);
    }
    CompactResult collide(const Frame& f) {
        return collide_compact(hulls_, BodyView(std::span<const Body>(f.bodies)), f.pairs, options_,
                               std::span<Manifold4>(out_), workspace_);
    }

    const HullSet& hulls_;
    std::string scene_;
    Options options_;
    Workspace workspace_;
    ContactStream<Manifold4> stream_ = ContactStream<Manifold4>(PointMatching::off);
    std::vector<Manifold4> out_;
    Counters counters_;
};

double share(std::uint64_t part, const Counters& all) {
    return 100 * static_cast<double>(part) / static_cast<double>(std::max<std::uint64_t>(all.hull_pairs, 1));
}

void print_row(Race& race, const char* what, const Steps& steps, int rounds) {
    std::size_t pairs = 0;
    for (std::size_t i = kBefore; i < steps.size(); ++i) pairs += steps[i].pairs.size();
    if (pairs == 0) return;
    race.compare(steps);
    const auto [cold, warm] = race.run(steps, pairs, rounds);
    const Counters& c = race.counters();
    std::vector<double> ratio = cold.values("ns");
    for (std::size_t i = 0; i < ratio.size(); ++i) ratio[i] /= warm.values("ns")[i];
    fmt::print("  {:<9} {:>7.0f} {:>8.1f} {:>8.1f} {:>6.2f} {:>8.1f} {:>8.1f} {:>8.1f} {:>8.1f}\n", what,
               static_cast<double>(pairs) / kWindow, cold.median(), warm.median(), median_of(std::move(ratio)),
               share(c.certificates_tried, c), share(c.rejected_certificate, c), share(c.certificates_held, c),
               share(c.certificates_made, c));
}

}  // namespace

void print_warm(const Scene& scene, const WarmPlan& plan) {
    if (scene.frames.size() < kWarmFrames) {
        throw std::runtime_error(fmt::format("{}: --warm needs {} consecutive frames, this scene has {}", scene.name,
                                             kWarmFrames, scene.frames.size()));
    }
    fmt::print("{}: {} frames\n", scene.name, scene.frames.size());
    const PinnedThread pinned(plan.processor);
    Race race(scene);
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
