// SPDX-License-Identifier: MIT
//
// Times kinds of pairs in turns, and judges a sample of each.
#include "experiments/round_rows.hpp"

#include <algorithm>
#include <memory>
#include <optional>

#include <fmt/format.h>

#include <lanefold/limits.hpp>

#include "measure/lanefold.hpp"
#include "measure/machine.hpp"
#include "measure/quality.hpp"
#include "scenes/round.hpp"

namespace lanefold::bench {
namespace {

constexpr const char* kLayout = "{:<20} {:<26} {:>7} {:>9} {:>9} {:>9} {:>9} {:>7} {:>7} {:>7} {:>7} {:>9}\n";

std::string share(double part) { return fmt::format("{:.0f}%", 100 * part); }

void print_engine(const std::string& kind, const EngineInfo& info, std::size_t pairs, double ns,
                  const std::string& touching, const std::string& precise, double against,
                  const std::optional<Quality>& q) {
    const std::string none = "-";
    const bool judged = q && q->found != 0;
    const bool deep = judged && q->overlapping != 0;
    fmt::print(kLayout, kind, info.title.substr(0, 26), pairs, touching, precise, fmt::format("{:.1f}", ns),
               against > 0 ? fmt::format("{:.2f}", ns / against) : none,
               q ? fmt::format("{}+{}", q->missed, q->false_hits) : none,
               judged ? fmt::format("{:.2f}", q->points) : none, deep ? share(q->depth_good) : none,
               deep ? share(q->normal_good) : none, judged ? fmt::format("{:.1e}", q->distance_error) : none);
}

// lanefold, then the peers that take the scene.
EngineList engines_of(const RoundPlan& plan) {
    EngineList out;
    LanefoldSettings s;
    s.margin = plan.margin;
    out.push_back(make_lanefold(s));
    if (!plan.peers) return out;
    for (auto& peer : make_peers()) out.push_back(std::move(peer));
    for (const std::string& file : plan.adapters) add_adapter(out, file);
    return out;
}

class Row {
public:
    Row(const RoundPlan& plan, const EngineList& engines, const std::string& name)
        : plan_(plan), scene_(make_round(name, plan.seed, plan.pairs, plan.margin)) {
        const bool whole = scene_.hulls.max_children() != 0;
        for (const auto& e : engines) {
            if (e != engines.front() && (whole || (!scene_.is_sharp() && !e->takes_rounded()))) continue;
            if (!e->prepare(scene_).empty()) continue;
            e->set_frame(scene_.frames.back());
            ready_.push_back(e.get());
        }
        // The oracle has single hulls only.
        if (plan.oracle_pairs != 0 && !whole) {
            const OracleSample sample(scene_, scene_.frames.back(), plan.oracle_pairs, plan.oracle_seconds, plan.seed);
            for (Engine* e : ready_) quality_.emplace_back(sample.judge(*e));
        }
        quality_.resize(ready_.size());
    }

    // Prints a line for each engine. Returns whether lanefold agrees with the oracle. `parts`: pairs of children of the
    // compounds, 0: there are none.
    bool print(const std::string& name, std::size_t parts) {
        const std::vector<Pair>& pairs = scene_.frames.back().pairs;
        Timing row;
        row.scene = name;
        const std::vector<Timing> times = time_engines(ready_, pairs, plan_.timing, row);
        auto& ours = dynamic_cast<LanefoldEngine&>(*ready_.front());
        ours.reserve(pairs.size());
        ours.collide(pairs);
        const BatchResult last = ours.last();
        const auto n = static_cast<double>(parts != 0 ? parts : pairs.size());
        // A pair of children takes so long; other engines have no compounds.
        const double own = times.front().median() * static_cast<double>(pairs.size()) / n;
        const double precise = static_cast<double>(last.counters.precise_pairs + last.counters.distance_finished);
        for (std::size_t k = 0; k < ready_.size(); ++k) {
            if (times[k].empty()) continue;
            const bool first = k == 0;
            print_engine(first ? name : "", ready_[k]->info(), times[k].pairs, first ? own : times[k].median(),
                         first && parts == 0 ? share(static_cast<double>(last.touching) / n) : "",
                         first ? share(precise / n) : "", first ? 0 : own, quality_[k]);
        }
        std::fflush(stdout);
        const std::optional<Quality>& q = quality_.front();
        return !q || (q->missed + q->false_hits == 0 && q->distance_error <= kDistanceTolerance);
    }

    std::size_t pairs() const { return scene_.frames.back().pairs.size(); }

private:
    const RoundPlan& plan_;
    Scene scene_;
    std::vector<Engine*> ready_;
    std::vector<std::optional<Quality>> quality_;
};

}  // namespace

bool print_round(const RoundPlan& plan) {
    const PinnedThread pinned(plan.processor);
    const EngineList engines = engines_of(plan);
    fmt::print(kLayout, "kind", "engine", "pairs", "touching", "float64", "ns/pair", "/lanefold", "wrong", "points",
               "depth", "normal", "error");
    bool right = true;
    std::size_t parts = 0;
    for (const RoundKind& kind : round_kinds()) {
        if (!plan.names.empty() && std::find(plan.names.begin(), plan.names.end(), kind.name) == plan.names.end())
            continue;
        Row row(plan, engines, kind.name);
        // A pair of compounds counts as the pairs of their children.
        right &= row.print(kind.name, kind.name == "compound" ? parts : 0);
        if (kind.name == "parts") parts = row.pairs();
    }
    fmt::print(
        "wrong: missed + false contacts of the sample; points: of a contact; depth, normal: overlapping pairs "
        "whose depth, and overlap along the normal, is right within 1 mm or 1%; error: of the distance, in sizes\n");
    return right;
}

}  // namespace lanefold::bench
