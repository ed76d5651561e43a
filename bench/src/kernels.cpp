// SPDX-License-Identifier: MIT
//
// lanefold_kernels: Google Benchmarks of the kernels of one instruction set on whole chunks, without batch calls and
// threads. Names are chunk/SCENE/ISA/LEVEL and prepare/SCENE/ISA; select with --benchmark_filter. Time is per pair (or
// body). Levels stop the pipeline early, so their differences show the cost of distance and contacts.
#include <array>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>

#include <lanefold/aligned_buffer.hpp>
#include <lanefold/detail/chunk.hpp>
#include <lanefold/isa.hpp>

#include "measure/machine.hpp"
#include "scenes/synthetic.hpp"

namespace {

using namespace lanefold;
using bench::Scene;

constexpr std::uint64_t kSeed = 1;
// So many different chunks that a branch predictor cannot learn them.
constexpr std::size_t kPairs = 16 * detail::kChunkPairs;

const char* const kScenes[] = {"boxes",       "debris",      "rocks42",      "rocks",       "big",
                               "vertices-8",  "vertices-16", "vertices-24",  "vertices-32", "vertices-48",
                               "vertices-64", "vertices-96", "vertices-128", "vertices-250"};

struct Level {
    const char* name;
    detail::OutputLevel level;
    std::size_t record;
};
constexpr std::array<Level, 4> kLevels{{{"overlap", detail::OutputLevel::overlap, 0},
                                        {"distance", detail::OutputLevel::distance, sizeof(PairDistance)},
                                        {"manifold4", detail::OutputLevel::manifold4, sizeof(Manifold4)},
                                        {"manifold16", detail::OutputLevel::manifold16, sizeof(Manifold16)}}};

// Scenes are made once, when a benchmark that uses them is selected.
const Scene& scene_of(const std::string& name) {
    static std::map<std::string, Scene> scenes;
    auto [at, fresh] = scenes.try_emplace(name);
    if (fresh) at->second = bench::make_synthetic(name, kSeed, kPairs, bench::kDefaultMargin);
    return at->second;
}

double per_item(const benchmark::State& state, double items) { return items * static_cast<double>(state.iterations()); }

void report(benchmark::State& state, double items) {
    state.SetItemsProcessed(static_cast<std::int64_t>(per_item(state, items)));
    state.counters["per_item"] =
        benchmark::Counter(per_item(state, items), benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
    state.counters["GHz"] = bench::core_ghz();
}

void collide_chunks(benchmark::State& state, const std::string& name, Isa isa, const Level& level) {
    const Scene& scene = scene_of(name);
    const bench::Frame& frame = scene.frames.back();
    const detail::KernelTable& table = *detail::kernel_table(isa);
    const BodyView view{std::span<const Body>(frame.bodies)};
    const std::size_t chunks = frame.pairs.size() / detail::kChunkPairs;
    if (chunks == 0) {
        state.SkipWithError("the scene has less than one chunk of pairs");
        return;
    }
    AlignedBuffer<detail::BodyFrame> frames;
    frames.reserve(frame.bodies.size());
    table.prepare_bodies(view, scene.hulls.records(), scene.hulls.size(), nullptr, 0, frame.bodies.size(),
                         frames.data());
    AlignedBuffer<std::byte> out;
    out.reserve(detail::kChunkPairs * sizeof(Manifold16));
    std::array<std::uint64_t, detail::kChunkPairs / 64> reported{};
    std::array<std::uint64_t, detail::kChunkPairs / 64> overlapping{};
    detail::ChunkScratch scratch;
    scratch.reserve(scene.hulls.max_vertices(), scene.hulls.max_faces(), scene.hulls.max_edges());
    detail::ChunkJob job;
    job.hulls = scene.hulls.records();
    job.frames = frames.data();
    job.bodies = &view;
    job.count = detail::kChunkPairs;
    job.margin = static_cast<float>(scene.margin);
    job.face_preference = kDefaultFacePreference;
    job.level = level.level;
    job.out = level.record == 0 ? nullptr : out.data();
    job.reported = reported.data();
    job.overlapping = overlapping.data();
    detail::ChunkTotals totals;
    std::size_t at = 0;
    for ([[maybe_unused]] auto step : state) {
        job.set_pairs(frame.pairs.data() + at * detail::kChunkPairs);
        table.collide_chunk(job, scratch, totals);
        benchmark::ClobberMemory();
        at = (at + 1) % chunks;
    }
    report(state, detail::kChunkPairs);
    state.counters["touching"] = static_cast<double>(totals.touching) / per_item(state, detail::kChunkPairs);
}

void prepare_bodies(benchmark::State& state, const std::string& name, Isa isa) {
    const Scene& scene = scene_of(name);
    const bench::Frame& frame = scene.frames.back();
    const detail::KernelTable& table = *detail::kernel_table(isa);
    const BodyView view{std::span<const Body>(frame.bodies)};
    AlignedBuffer<detail::BodyFrame> frames;
    frames.reserve(frame.bodies.size());
    for ([[maybe_unused]] auto step : state) {
        table.prepare_bodies(view, scene.hulls.records(), scene.hulls.size(), nullptr, 0, frame.bodies.size(),
                             frames.data());
        benchmark::ClobberMemory();
    }
    report(state, static_cast<double>(frame.bodies.size()));
}

void register_all() {
    for (const char* scene : kScenes) {
        for (const Isa isa : available_isas()) {
            const std::string tail = std::string(scene) + "/" + to_string(isa);
            for (const Level& level : kLevels) {
                benchmark::RegisterBenchmark(
                    ("chunk/" + tail + "/" + level.name).c_str(),
                    [scene, isa, &level](benchmark::State& state) { collide_chunks(state, scene, isa, level); });
            }
            benchmark::RegisterBenchmark(("prepare/" + tail).c_str(),
                                         [scene, isa](benchmark::State& state) { prepare_bodies(state, scene, isa); });
        }
    }
}

}  // namespace

int main(int argc, char** argv) {
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
    const bench::Machine machine = bench::describe_machine();
    benchmark::AddCustomContext("cpu", machine.cpu);
    benchmark::AddCustomContext("compiler", machine.compiler);
    benchmark::AddCustomContext("commit", machine.commit);
    benchmark::AddCustomContext("flags", machine.flags);
    register_all();
    benchmark::RunSpecifiedBenchmarks();
    benchmark::Shutdown();
    return 0;
}
