// SPDX-License-Identifier: MIT
//
// Runs the experiments and adds their rows to the results.
#include "experiments/experiments.hpp"

#include <algorithm>
#include <optional>
#include <stdexcept>

#include <fmt/format.h>

#include <lanefold/hash.hpp>
#include <lanefold/limits.hpp>

#include "experiments/scene_row.hpp"
#include "measure/callgrind.hpp"
#include "measure/machine.hpp"
#include "scenes/random.hpp"

namespace lanefold::bench {
namespace {

// About `count` pairs in runs of neighbours, which a cache meets as it meets those of the whole list.
std::vector<Pair> in_runs(const std::vector<Pair>& pairs, std::size_t count) {
    constexpr std::size_t kRun = 100;
    const std::size_t step = std::max(kRun, kRun * pairs.size() / std::max<std::size_t>(count, 1));
    std::vector<Pair> out;
    for (std::size_t first = 0; first < pairs.size(); first += step) {
        const std::size_t end = std::min(first + kRun, pairs.size());
        out.insert(out.end(), pairs.begin() + static_cast<std::ptrdiff_t>(first),
                   pairs.begin() + static_cast<std::ptrdiff_t>(end));
    }
    return out;
}

void refuse_unknown(const char* option, const std::string& id, const std::vector<const EngineList*>& lists) {
    std::string known;
    for (const EngineList* list : lists) {
        for (const auto& e : *list) {
            const std::string other = e->info().id;
            if (other == id) return;
            known += (known.empty() ? "" : ", ") + other;
        }
    }
    throw std::runtime_error(fmt::format("{} {}: there is no such engine; there are {}", option, id, known));
}

}  // namespace

Experiments::Experiments(Config config, Results& results) : config_(std::move(config)), results_(results) {
    LanefoldSettings usual;
    usual.margin = config_.margin;
    engines_.push_back(make_lanefold(usual));
    LanefoldSettings strict = usual;
    strict.face_preference = 0;
    engines_.push_back(make_lanefold(strict));
    LanefoldSettings unmoved = usual;
    unmoved.memory = Memory::unmoved;
    engines_.push_back(make_lanefold(unmoved));
    LanefoldSettings warm = usual;
    warm.memory = Memory::cache;
    engines_.push_back(make_lanefold(warm));
    LanefoldSettings previous = usual;
    previous.memory = Memory::hysteresis;
    engines_.push_back(make_lanefold(previous));
    for (const Memory memory : {Memory::none, Memory::hysteresis, Memory::unmoved}) {
        LanefoldSettings compact = usual;
        compact.output = OutputForm::compact;
        compact.memory = memory;
        engines_.push_back(make_lanefold(compact));
    }
    if (config_.peers) {
        for (auto& peer : make_peers()) engines_.push_back(std::move(peer));
    }
    for (const std::string& file : config_.adapters) add_adapter(engines_, file);
    for (LanefoldSettings v : config_.variants) {
        v.margin = config_.margin;
        variants_.push_back(make_lanefold(v));
    }
    for (const std::string& id : config_.engines) refuse_unknown("--engines", id, {&engines_, &variants_});
    if (!config_.plan.slowed.empty()) refuse_unknown("--slow", config_.plan.slowed, {&engines_, &variants_});
}

bool Experiments::wanted(const std::string& id) const {
    return config_.engines.empty() || std::count(config_.engines.begin(), config_.engines.end(), id) != 0;
}

void Experiments::note_engine(const EngineInfo& info) {
    for (const EngineInfo& e : results_.engines) {
        if (e.id == info.id) return;
    }
    results_.engines.push_back(info);
}

std::vector<Engine*> Experiments::ready(const Scene& scene, const EngineList& all, bool headline) {
    std::vector<Engine*> out;
    for (const auto& e : all) {
        const EngineInfo info = e->info();
        if (&all == &engines_ && !wanted(info.id)) continue;
        if (headline && std::count(config_.headline.begin(), config_.headline.end(), info.id) == 0) continue;
        note_engine(info);
        const bool taken = scene.is_sharp() || e->takes_rounded();
        const std::string refusal = taken ? e->prepare(scene) : "sharp hulls only";
        if (!refusal.empty()) {
            const auto known = [&](const RefusalRow& r) { return r.scene == scene.name && r.engine == info.id; };
            if (std::none_of(results_.refusals.begin(), results_.refusals.end(), known)) {
                results_.refusals.push_back({scene.name, info.id, refusal});
            }
            continue;
        }
        e->set_frame(scene.frames.back());
        out.push_back(e.get());
    }
    return out;
}

Experiments::Split Experiments::split(const Scene& scene) {
    LanefoldSettings settings;
    settings.margin = scene.margin;
    const auto engine = make_lanefold(settings);
    const Frame& frame = scene.frames.back();
    engine->prepare(scene);
    engine->set_frame(frame);
    engine->reserve(frame.pairs.size());
    engine->collide(frame.pairs);
    Split s;
    for (std::size_t i = 0; i < frame.pairs.size(); ++i) {
        (engine->result(i).count != 0 ? s.touching : s.separated).push_back(frame.pairs[i]);
    }
    return s;
}

void Experiments::add_scene(const Scene& scene) {
    for (const SceneRow& s : results_.scenes) {
        if (s.name == scene.name) return;
    }
    SceneRow row = scene_row(scene);
    LanefoldSettings settings;
    settings.margin = scene.margin;
    const auto engine = make_lanefold(settings);
    engine->prepare(scene);
    engine->set_frame(scene.frames.back());
    engine->reserve(row.pairs);
    engine->collide(scene.frames.back().pairs);
    row.hash = hash_string(engine->hash(scene.frames.back().pairs));
    const BatchResult& r = engine->last();
    const double n = std::max<double>(static_cast<double>(row.pairs), 1);
    row.touching = static_cast<double>(r.touching) / n;
    row.overlapping = static_cast<double>(r.overlapping) / n;
    row.points = r.points;
    row.counters = r.counters;
    results_.scenes.push_back(row);
}

void Experiments::add_timings(const Scene& scene, const std::vector<Engine*>& list, const std::vector<Pair>& pairs,
                              const std::string& subset, const std::string& order) {
    Timing row;
    row.scene = scene.name;
    row.subset = subset;
    row.order = order;
    for (Timing& t : time_engines(list, pairs, config_.plan, row)) {
        if (!t.empty()) results_.timings.push_back(std::move(t));
    }
}

void Experiments::engines(const Scene& scene) {
    const PinnedThread pinned(config_.processor);
    add_scene(scene);
    const std::vector<Engine*> list = ready(scene, engines_);
    const Frame& frame = scene.frames.back();
    if (config_.oracle_pairs != 0) judge(scene, list);
    const Split s = split(scene);
    add_timings(scene, list, frame.pairs, "all");
    add_timings(scene, list, s.touching, "touching");
    add_timings(scene, list, s.separated, "separated");
    // lanefold again with the pairs shuffled, which shows what it gains from similar neighbours in the list.
    std::vector<Pair> shuffled = frame.pairs;
    shuffle(shuffled, config_.seed);
    if (!list.empty()) add_timings(scene, {list.front()}, shuffled, "all", "shuffled");
}

void Experiments::judge(const Scene& scene, const std::vector<Engine*>& list) {
    const OracleSample sample(scene, scene.frames.back(), config_.oracle_pairs, config_.oracle_seconds, config_.seed);
    for (Engine* e : list) {
        const Quality q = sample.judge(*e);
        const std::string id = e->info().id;
        results_.quality.push_back({scene.name, id, q});
        if (id.rfind("lanefold", 0) == 0 && (q.missed + q.false_hits != 0 || q.distance_error > kDistanceTolerance)) {
            results_.errors.push_back(fmt::format("{} on {}: {} missed, {} false, distance error {:.2g} sizes", id,
                                                  scene.name, q.missed, q.false_hits, q.distance_error));
        }
    }
}

void Experiments::vertices(const Scene& scene) {
    {
        const PinnedThread pinned(config_.processor);
        add_scene(scene);
        add_timings(scene, ready(scene, engines_, true), scene.frames.back().pairs, "all");
    }
    variants(scene);
    stages(scene);
}

void Experiments::variants(const Scene& scene) {
    const PinnedThread pinned(config_.processor);
    add_scene(scene);
    const auto timed = [&](const std::string& id) {
        return std::any_of(results_.timings.begin(), results_.timings.end(), [&](const Timing& r) {
            return r.scene == scene.name && r.subset == "all" && r.engine == id;
        });
    };
    std::vector<Engine*> list = ready(scene, variants_);
    std::erase_if(list, [&](Engine* e) { return timed(e->info().id); });
    add_timings(scene, list, scene.frames.back().pairs, "all");
}

void Experiments::stages(const Scene& scene) {
    const PinnedThread pinned(config_.processor);
    add_scene(scene);
    if (staged_isas().empty()) return;
    // Operations are counted at width 1, where no lane is idle.
    double flops = 0;
    std::vector<StageTime> counted;
    for (const Isa isa : staged_isas()) {
        StageProfile p = profile_stages(scene, isa, isa == Isa::scalar ? 1 : std::max(5, config_.plan.rounds));
        if (isa == Isa::scalar) {
            flops = p.flops;
            counted = p.stages;
            continue;
        }
        p.flops = flops;
        for (StageTime& t : p.stages) {
            for (const StageTime& c : counted) {
                if (c.stage == t.stage) t.flops = c.flops;
            }
        }
        results_.stages.push_back({scene.name, std::move(p)});
    }
}

void Experiments::threads(const Scene& scene, unsigned most) {
    add_scene(scene);
    EngineList list;
    for (const OutputForm form : {OutputForm::dense, OutputForm::compact}) {
        for (unsigned t = 2; t <= most; ++t) {
            LanefoldSettings s;
            s.threads = t;
            s.output = form;
            s.margin = scene.margin;
            list.push_back(make_lanefold(s));
        }
    }
    for (const auto& e : list) {
        note_engine(e->info());
        e->prepare(scene);
        e->set_frame(scene.frames.back());
    }
    std::vector<Engine*> engines;
    for (const auto& e : list) engines.push_back(e.get());
    TimingPlan plan = config_.plan;
    plan.clock = ClockKind::wall;
    Timing row;
    row.scene = scene.name;
    row.subset = "threads";
    for (Timing& t : time_engines(engines, scene.frames.back().pairs, plan, row)) {
        for (const auto& e : list) {
            if (e->info().id == t.engine) t.threads = dynamic_cast<LanefoldEngine&>(*e).settings().threads;
        }
        results_.timings.push_back(std::move(t));
    }
}

void Experiments::shares(const Scene& scene) {
    const PinnedThread pinned(config_.processor);
    add_scene(scene);
    const std::vector<Engine*> list = ready(scene, engines_, true);
    const Split s = split(scene);
    const std::size_t total = std::min(s.touching.size(), s.separated.size());
    for (int quarter = 0; quarter <= 4; ++quarter) {
        const std::size_t touching = total * static_cast<std::size_t>(quarter) / 4;
        std::vector<Pair> mix = thin_out(s.touching, touching);
        const std::vector<Pair> rest = thin_out(s.separated, total - touching);
        mix.insert(mix.end(), rest.begin(), rest.end());
        shuffle(mix, config_.seed);
        add_timings(scene, list, mix, fmt::format("share-{:.2f}", quarter / 4.0));
    }
}

void Experiments::frames(const Scene& scene) {
    const PinnedThread pinned(config_.processor);
    add_scene(scene);
    // Every frame gets the pairs of all frames, so that a cache kept per pair finds its pair again.
    Scene joined = scene;
    std::vector<Pair> all;
    for (const Frame& f : scene.frames) all.insert(all.end(), f.pairs.begin(), f.pairs.end());
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    for (Frame& f : joined.frames) f.pairs = all;
    std::vector<Engine*> list;
    for (Engine* e : ready(joined, engines_)) {
        const std::string id = e->info().id;
        if (id == "lanefold-unmoved" || id == "lanefold-compact-unmoved") continue;  // the bodies of this scene move
        // Leaves out engines that need seconds for one pass.
        e->reserve(all.size());
        const double a_pair = seconds_per_pair(*e, all, config_.plan.clock);
        if (a_pair * static_cast<double>(all.size()) < config_.plan.pass_seconds * 2) {
            list.push_back(e);
        }
    }
    for (Timing& t : time_frames(list, joined, config_.plan)) results_.timings.push_back(std::move(t));
    for (Engine* e : list) {
        e->forget();
        results_.flicker.push_back({scene.name, e->info().id, measure_flicker(joined, *e, 5.0)});
    }
}

void Experiments::count(const Scene& scene, std::size_t pairs) {
    add_scene(scene);
    const std::vector<Pair>& all = scene.frames.back().pairs;
    for (Engine* e : ready(scene, engines_)) {
        const bool ours = dynamic_cast<LanefoldEngine*>(e) != nullptr;
        count_engine(*e, scene, ours ? all : in_runs(all, pairs));
    }
    // The kernels of width 1 count operations, and their stages would be added to these.
    for (const Isa isa : staged_isas()) {
        if (isa != Isa::scalar) count_stages(scene, isa);
    }
}

void Experiments::stream(const Scene& scene, std::uint64_t pairs, unsigned threads) {
    std::optional<PinnedThread> pinned;
    if (threads == 1) pinned.emplace(config_.processor);
    add_scene(scene);
    constexpr std::size_t kBatch = 1U << 20U;
    const std::vector<Pair>& source = scene.frames.back().pairs;
    for (const OutputForm form : {OutputForm::dense, OutputForm::compact, OutputForm::overlap}) {
        LanefoldSettings settings;
        settings.margin = scene.margin;
        settings.threads = threads;
        settings.output = form;
        const auto engine = make_lanefold(settings);
        engine->prepare(scene);
        engine->set_frame(scene.frames.back());
        engine->reserve(kBatch);
        StreamRow row;
        row.scene = scene.name;
        row.output = to_string(form);
        row.threads = threads;
        Timing timing;
        timing.scene = scene.name;
        timing.subset = "stream";
        timing.engine = engine->info().id;
        timing.threads = threads;
        timing.clock = ClockKind::wall;
        timing.pairs = pairs;
        // The scene's pairs repeat; the batches of each repetition start at other places.
        timing.add_sample(1, pairs, Counting::off, [&](benchmark::State& state) {
            for (std::size_t at = 0; row.pairs < pairs;) {
                const std::size_t n = std::min<std::size_t>({kBatch, source.size() - at, pairs - row.pairs});
                engine->collide(std::span(source).subspan(at, n));
                if (row.pairs == 0) {
                    state.PauseTiming();
                    row.resident_before = resident_bytes();
                    state.ResumeTiming();
                }
                row.pairs += n;
                at = (at + n) % source.size();
            }
        });
        row.resident_after = resident_bytes();
        row.ns = timing.median();
        results_.streams.push_back(row);
    }
}

}  // namespace lanefold::bench
