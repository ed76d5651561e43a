// SPDX-License-Identifier: MIT
//
// See methods.hpp.
#include "methods.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <lanefold/isa.hpp>

#include "engine_lanefold.hpp"
#include "machine.hpp"
#include "quality.hpp"
#include "stages.hpp"

namespace lanefold::bench {
namespace {

double face_contact_ns(const Scene& scene, ContactMethod method, int passes) {
    const Isa isa = choose_isa(Isa::automatic).isa;
    const std::vector<Isa> staged = staged_isas();
    if (std::find(staged.begin(), staged.end(), isa) == staged.end()) return 0;
    for (const StageTime& t : profile_stages(scene, isa, passes, method).stages) {
        if (t.name == "face contacts") return t.ns;
    }
    return 0;
}

void print_batch_methods(const Scene& scene, const MethodsPlan& plan) {
    const std::vector<Pair>& pairs = scene.frames.back().pairs;
    std::vector<std::unique_ptr<LanefoldEngine>> list;
    for (const PointSelection points : {PointSelection::all, PointSelection::impact}) {
        for (const ContactMethod method : {ContactMethod::clip, ContactMethod::patch}) {
            LanefoldSettings s;
            s.margin = scene.margin;
            s.method = method;
            s.points = points;
            list.push_back(make_lanefold(s));
        }
    }
    std::vector<Engine*> engines;
    for (const auto& e : list) {
        e->prepare(scene);
        e->set_frame(scene.frames.back());
        engines.push_back(e.get());
    }
    const OracleSample sample(scene, scene.frames.back(), plan.oracle_pairs, plan.oracle_seconds, plan.timing.seed);
    const std::vector<Timing> times = time_engines(engines, pairs, plan.timing);
    fmt::print("  {:<34} {:>8} {:>5} {:>7} {:>12} {:>7} {:>9} {:>9}\n", "batch", "ns/pair", "+-%", "x clip",
               "ns/face cont.", "points", "depth um", "normal um");
    for (std::size_t k = 0; k < list.size(); ++k) {
        engines[k]->reserve(pairs.size());
        engines[k]->collide(pairs);
        const Counters& counters = list[k]->last().counters;
        const auto contacts = static_cast<double>(std::max<std::uint64_t>(counters.face_contacts, 1));
        const double points = static_cast<double>(list[k]->last().points) /
                              static_cast<double>(std::max<std::uint64_t>(list[k]->last().touching, 1));
        // The contact stage knows no selection worth a row of its own.
        const double stage = k < 2
                                 ? face_contact_ns(scene, list[k]->settings().method, std::max(5, plan.timing.rounds)) *
                                       static_cast<double>(pairs.size()) / contacts
                                 : 0;
        const Quality q = sample.judge(*engines[k]);
        fmt::print("  {:<34} {:>8.1f} {:>5.1f} {:>7.2f} {:>12} {:>7.2f} {:>9.3f} {:>9.3f}\n", list[k]->info().title,
                   times[k].median(), 100 * times[k].spread(), times[k].median() / times[0].median(),
                   stage > 0 ? fmt::format("{:.0f}", stage) : "", points, 1e6 * q.depth_worst, 1e6 * q.normal_worst);
    }
}

}  // namespace

void print_methods(const Scene& scene, const MethodsPlan& plan) {
    const PinnedThread pinned(plan.processor);
    fmt::print("\n{}: {} pairs, margin {} m\n", scene.name, scene.frames.back().pairs.size(), scene.margin);
    print_batch_methods(scene, plan);
}

}  // namespace lanefold::bench
