// SPDX-License-Identifier: MIT
//
// lanefold_calls: Google Benchmarks of whole calls of few pairs, where the fixed costs of a call count, and of resets
// of one world of a batch. Names are FORM/HULLS/PAIRS/THREADS and reset/WORLDS; select with --benchmark_filter. The
// time is that of a call.
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>

#include <lanefold/hull_builder.hpp>
#include <lanefold/narrowphase.hpp>
#include <lanefold/serial.hpp>
#include <lanefold/world_batch.hpp>

namespace {

using namespace lanefold;

// A cube, or 24 points on a sphere.
HullSet hull_of(bool cube) {
    std::vector<Vec3f> points;
    std::uint32_t bits = 1;
    const auto random = [&] {
        bits = bits * 1664525U + 1013904223U;
        return static_cast<float>(bits >> 8U) * 0x1p-23F - 1;
    };
    for (int c = 0; cube && c < 8; ++c)
        points.push_back({(c & 1) != 0 ? 1.0F : -1.0F, (c & 2) != 0 ? 1.0F : -1.0F, (c & 4) != 0 ? 1.0F : -1.0F});
    while (!cube && points.size() < 24) {
        const Vec3f v{random(), random(), random()};
        const float length = std::sqrt((v.x * v.x + v.y * v.y) + v.z * v.z);
        if (length > 0.1F && length < 1) points.push_back({v.x / length, v.y / length, v.z / length});
    }
    return build_hull(points).hulls;
}

enum class Form { dense, compact, serial };

void call(benchmark::State& state, Form form, bool cube, std::size_t pairs, std::uint32_t threads) {
    const HullSet hulls = hull_of(cube);
    std::vector<Body> bodies;
    std::vector<Pair> list;
    for (std::uint32_t i = 0; i < pairs; ++i) {
        const float x = 4 * static_cast<float>(i);
        bodies.push_back({{x, 0, 0}, 0, {0, 0, 0, 1}});
        bodies.push_back({{x + 0.5F, 0.1F, 1.5F}, 0, {0, 0.258819F, 0, 0.9659258F}});
        list.push_back({2 * i, 2 * i + 1});
    }
    std::vector<Manifold4> out(pairs);
    Workspace workspace;
    Options options;
    options.threads = threads;
    for ([[maybe_unused]] auto step : state) {
        CallStatus status;
        if (form == Form::dense) status = collide(hulls, bodies, list, options, out, workspace).status;
        if (form == Form::compact) status = collide_compact(hulls, bodies, list, options, out, workspace).status;
        if (form == Form::serial) status = collide_serial(hulls, bodies, list, options, out, workspace).status;
        if (!status) state.SkipWithError(status.what);
        benchmark::ClobberMemory();
    }
}

// One world in turn of worlds of 24 cubes in six stacks, back to the state that was kept. Steps are not timed.
void reset(benchmark::State& state, std::size_t worlds) {
    constexpr std::uint32_t kStacks = 6, kLayers = 4;
    constexpr double kStep = 1.0 / 60;
    WorldBatch batch(hull_of(true), worlds);
    std::vector<RigidBody> bodies, floor;
    for (std::uint32_t i = 0; i < kStacks * kLayers; ++i) {
        RigidBody& body = bodies.emplace_back();
        body.position[0] = 3.0 * (i % kStacks);
        body.position[1] = 2.0 * (i / kStacks + 1);
    }
    for (std::uint32_t i = 0; i < kStacks; ++i) {
        RigidBody& body = floor.emplace_back();
        body.kind = BodyKind::fixed;
        body.position[0] = 3.0 * i;
    }
    if (!batch.add_bodies(bodies) || !batch.add_shared(floor) || !batch.keep().status) {
        return state.SkipWithError("the worlds are refused");
    }
    std::vector<std::uint8_t> active(worlds, 0);
    std::size_t next = 0;
    for ([[maybe_unused]] auto step : state) {
        if (next % worlds == 0) {
            state.PauseTiming();
            if (!batch.step(kStep).status) state.SkipWithError("a step is refused");
            state.ResumeTiming();
        }
        active[next % worlds] = 1;
        if (!batch.reset(active).status) state.SkipWithError("a reset is refused");
        active[next++ % worlds] = 0;
    }
}

void register_all() {
    for (const std::size_t worlds : {64U, 1024U}) {
        benchmark::RegisterBenchmark(("reset/" + std::to_string(worlds)).c_str(),
                                     [worlds](auto& state) { reset(state, worlds); });
    }
    const std::pair<Form, const char*> forms[] = {
        {Form::dense, "dense"}, {Form::compact, "compact"}, {Form::serial, "serial"}};
    for (const auto& [form, name] : forms) {
        for (const bool cube : {true, false}) {
            for (const std::size_t pairs : {1U, 10U, 100U, 607U, 1000U, 10000U}) {
                for (const std::uint32_t threads : {1U, 0U}) {
                    if (form == Form::serial && threads == 0) continue;
                    const std::string all = std::string(name) + (cube ? "/cubes/" : "/rocks/") + std::to_string(pairs) +
                                            (threads == 0 ? "/all" : "/one");
                    benchmark::RegisterBenchmark(all.c_str(), [form = form, cube, pairs, threads](auto& state) {
                        call(state, form, cube, pairs, threads);
                    });
                }
            }
        }
    }
}

}  // namespace

int main(int argc, char** argv) {
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
    register_all();
    benchmark::RunSpecifiedBenchmarks();
}
