// SPDX-License-Identifier: MIT
//
// Times families of placements and clouds in turns.
#include "experiments/cliffs.hpp"

#include <algorithm>
#include <map>
#include <memory>

#include <fmt/format.h>

#include "measure/lanefold.hpp"
#include "measure/machine.hpp"
#include "scenes/placements.hpp"
#include "scenes/synthetic.hpp"

namespace lanefold::bench {
namespace {

struct Runner {
    Scene scene;
    std::unique_ptr<LanefoldEngine> engine;

    const std::vector<Pair>& pairs() const { return scene.frames.back().pairs; }
    double share(std::uint64_t count) const {
        return 100 * static_cast<double>(count) / static_cast<double>(std::max<std::size_t>(pairs().size(), 1));
    }
};

bool is_placement(const std::string& name) {
    const auto& all = placements();
    return std::any_of(all.begin(), all.end(), [&](const Placement& p) { return p.name == name; });
}

std::unique_ptr<Runner> make_runner(const std::string& name, const CliffsPlan& plan) {
    auto out = std::make_unique<Runner>();
    out->scene = is_placement(name) ? make_placement(name, plan.seed, plan.pairs, plan.margin)
                                    : make_synthetic(name, plan.seed, plan.pairs, plan.margin);
    LanefoldSettings s;
    s.margin = plan.margin;
    out->engine = make_lanefold(s);
    out->engine->prepare(out->scene);
    out->engine->set_frame(out->scene.frames.back());
    out->engine->reserve(out->pairs().size());
    return out;
}

// Median ns a pair of both runners, which take turns.
std::pair<double, double> in_turns(Runner& a, Runner& b, const TimingPlan& plan, int processor) {
    const PinnedThread pinned(processor);
    std::vector<double> ns[2];
    for (int round = 0; round < plan.rounds; ++round) {
        for (const int which : {round % 2, 1 - round % 2}) {
            Runner& r = which == 0 ? a : b;
            TimingPlan one = plan;
            one.rounds = 1;
            Timing row;
            row.scene = r.scene.name;
            ns[which].push_back(time_engines({r.engine.get()}, r.pairs(), one, row)[0].median());
        }
    }
    return {median_of(ns[0]), median_of(ns[1])};
}

}  // namespace

void print_cliffs(const CliffsPlan& plan) {
    fmt::print("{:<24} {:>7} {:>9} {:>9} {:>9} {:>10} {:>9}  {}\n", "family", "pairs", "touching%", "float64%",
               "ns/pair", "against ns", "ratio", "against: what");
    std::map<std::string, std::unique_ptr<Runner>> standards;
    for (const Placement& p : placements()) {
        if (!plan.names.empty() && std::find(plan.names.begin(), plan.names.end(), p.name) == plan.names.end())
            continue;
        auto& standard = standards[p.against];
        if (!standard) standard = make_runner(p.against, plan);
        const auto family = make_runner(p.name, plan);
        const auto [ns, against] = in_turns(*family, *standard, plan.timing, plan.processor);
        family->engine->reserve(family->pairs().size());
        family->engine->collide(family->pairs());
        const BatchResult& last = family->engine->last();
        const std::uint64_t precise = last.counters.distance_finished + last.counters.precise_pairs;
        fmt::print("{:<24} {:>7} {:>9.1f} {:>9.1f} {:>9.1f} {:>10.1f} {:>9.2f}  {}: {}\n", p.name,
                   family->pairs().size(), family->share(last.touching), family->share(precise), ns, against,
                   ns / against, p.against, p.description);
        std::fflush(stdout);
    }
}

}  // namespace lanefold::bench
