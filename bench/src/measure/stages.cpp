// SPDX-License-Identifier: MIT
//
// Profiles the stages of the kernels.
#include "measure/stages.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>

#include <lanefold/aligned_buffer.hpp>
#include <lanefold/detail/chunk.hpp>
#include <lanefold/detail/stage_clock.hpp>

#include "measure/machine.hpp"

namespace lanefold::detail {

// The marks in the kernels write to it.
extern StageClock stage_clock;
StageClock stage_clock;
extern void (*at_stage_done)(Stage);
void (*at_stage_done)(Stage) = nullptr;

extern const KernelTable kernel_table_staged_scalar;
extern const KernelTable kernel_table_staged_avx2;
extern const KernelTable kernel_table_staged_avx512;
extern const KernelTable kernel_table_staged_neon;

}  // namespace lanefold::detail

namespace lanefold::bench {
namespace {

using detail::kChunkPairs;
using detail::kStageCount;
using detail::StageClock;

// Frequency of stage_ticks(), measured with the wall clock. It is constant on every processor of the last fifteen
// years.
double ticks_per_second() {
    static const double rate = [] {
        const double start = wall_seconds();
        const std::uint64_t first = detail::stage_ticks();
        double s = 0;
        while (s < 0.05) s = wall_seconds() - start;
        return static_cast<double>(detail::stage_ticks() - first) / s;
    }();
    return rate;
}

const detail::KernelTable* staged_table(Isa isa) {
    switch (isa) {
#ifdef LANEFOLD_HAVE_STAGED_SCALAR
        case Isa::scalar:
            return &detail::kernel_table_staged_scalar;
#endif
#ifdef LANEFOLD_HAVE_STAGED_AVX2
        case Isa::avx2:
            return &detail::kernel_table_staged_avx2;
#endif
#ifdef LANEFOLD_HAVE_STAGED_AVX512
        case Isa::avx512:
            return &detail::kernel_table_staged_avx512;
#endif
#ifdef LANEFOLD_HAVE_STAGED_NEON
        case Isa::neon:
            return &detail::kernel_table_staged_neon;
#endif
        default:
            return nullptr;
    }
}

// A scene's pairs as jobs of the kernels.
class Chunks {
public:
    Chunks(const Scene& scene, const detail::KernelTable& table, ContactMethod method)
        : scene_(&scene), method_(method), view_(std::span<const Body>(scene.frames.back().bodies)) {
        const Frame& frame = scene.frames.back();
        frames_.reserve(frame.bodies.size());
        table.prepare_bodies(view_, scene.hulls.records(), scene.hulls.size(), nullptr, 0, frame.bodies.size(),
                             frames_.data());
        out_.reserve(frame.pairs.size() * sizeof(Manifold4));
        scratch_.reserve(scene.hulls.max_vertices(), scene.hulls.max_faces(), scene.hulls.max_edges());
    }

    std::size_t count() const { return (scene_->frames.back().pairs.size() + kChunkPairs - 1) / kChunkPairs; }

    void run(const detail::KernelTable& table, std::size_t chunk) {
        const Frame& frame = scene_->frames.back();
        const std::size_t first = chunk * kChunkPairs;
        detail::ChunkJob job;
        job.hulls = scene_->hulls.records();
        job.frames = frames_.data();
        job.bodies = &view_;
        job.set_pairs(frame.pairs.data() + first);
        job.count = static_cast<std::uint32_t>(std::min<std::size_t>(kChunkPairs, frame.pairs.size() - first));
        job.margin = static_cast<float>(scene_->margin);
        job.face_preference = kDefaultFacePreference;
        job.method = method_;
        job.level = detail::OutputLevel::manifold4;
        job.out = out_.data() + first * sizeof(Manifold4);
        job.reported = reported_.data();
        job.overlapping = overlapping_.data();
        table.collide_chunk(job, scratch_, totals_);
    }

private:
    const Scene* scene_;
    ContactMethod method_;
    BodyView view_;
    AlignedBuffer<detail::BodyFrame> frames_;
    AlignedBuffer<std::byte> out_;
    std::array<std::uint64_t, kChunkPairs / 64> reported_{};
    std::array<std::uint64_t, kChunkPairs / 64> overlapping_{};
    detail::ChunkScratch scratch_;
    detail::ChunkTotals totals_;
};

// Times of one pass over one chunk, in stage_ticks().
struct ChunkTicks {
    std::array<std::uint64_t, kStageCount> staged{};
    std::uint64_t plain = 0;
};

// Per chunk, per pass.
using Ticks = std::vector<std::vector<ChunkTicks>>;

// Runs all chunks in turn. A chunk that is repeated at once would make its branches easier to predict.
Ticks run_in_turns(Chunks& chunks, const detail::KernelTable& staged, const detail::KernelTable& plain, int passes) {
    Ticks out(chunks.count(), std::vector<ChunkTicks>(static_cast<std::size_t>(passes)));
    StageClock& clock = detail::stage_clock;
    for (int pass = -1; pass < passes; ++pass) {  // pass -1 warms up
        const auto p = static_cast<std::size_t>(pass);
        for (std::size_t c = 0; c < out.size(); ++c) {
            clock = StageClock{};
            clock.last = detail::stage_ticks();
            chunks.run(staged, c);
            if (pass >= 0) std::copy_n(clock.ticks, kStageCount, out[c][p].staged.begin());
        }
        for (std::size_t c = 0; c < out.size(); ++c) {
            const std::uint64_t start = detail::stage_ticks();
            chunks.run(plain, c);
            if (pass >= 0) out[c][p].plain = detail::stage_ticks() - start;
        }
    }
    return out;
}

// The sum over all chunks of the lower quartile over the passes. The quartile is needed because these clocks go on
// while another process has the processor.
template <class Value>
double usual_sum(const Ticks& ticks, Value value) {
    double sum = 0;
    std::vector<std::uint64_t> samples;
    for (const std::vector<ChunkTicks>& passes : ticks) {
        samples.clear();
        for (const ChunkTicks& t : passes) samples.push_back(value(t));
        const auto quarter = samples.begin() + static_cast<std::ptrdiff_t>(samples.size() / 4);
        std::nth_element(samples.begin(), quarter, samples.end());
        sum += static_cast<double>(*quarter);
    }
    return sum;
}

}  // namespace

std::vector<Isa> staged_isas() {
    std::vector<Isa> out;
    for (const Isa isa : available_isas()) {
        if (staged_table(isa) != nullptr) out.push_back(isa);
    }
    return out;
}

void mark_stages(const Scene& scene, Isa isa, void (*before_chunk)(), void (*at_mark)(detail::Stage)) {
    const detail::KernelTable* staged = staged_table(isa);
    if (staged == nullptr) throw std::runtime_error("no kernels with a stage clock for this set");
    Chunks chunks(scene, *staged, ContactMethod::clip);
    detail::stage_clock = StageClock{};
    for (std::size_t c = 0; c < chunks.count(); ++c) chunks.run(*staged, c);
    detail::at_stage_done = at_mark;
    for (std::size_t c = 0; c < chunks.count(); ++c) {
        before_chunk();
        chunks.run(*staged, c);
    }
    detail::at_stage_done = nullptr;
}

StageProfile profile_stages(const Scene& scene, Isa isa, int passes, ContactMethod method) {
    const detail::KernelTable* staged = staged_table(isa);
    const detail::KernelTable* plain = detail::kernel_table(isa);
    if (staged == nullptr || plain == nullptr) throw std::runtime_error("no kernels with a stage clock for this set");
    Chunks chunks(scene, *plain, method);
    const Ticks ticks = run_in_turns(chunks, *staged, *plain, passes);
    // Another run counts what does not vary from pass to pass.
    StageClock& clock = detail::stage_clock;
    clock = StageClock{};
    for (std::size_t c = 0; c < chunks.count(); ++c) chunks.run(*staged, c);

    StageProfile profile;
    profile.isa = isa;
    profile.width = plain->width;
    const double pairs = static_cast<double>(std::max<std::size_t>(scene.frames.back().pairs.size(), 1));
    const double to_ns = 1e9 / ticks_per_second() / pairs;
    for (std::size_t s = 0; s < kStageCount; ++s) {
        StageTime stage;
        stage.stage = static_cast<detail::Stage>(s);
        stage.ns = usual_sum(ticks, [s](const ChunkTicks& t) { return t.staged[s]; }) * to_ns;
        if (clock.offered[s] != 0) {
            stage.lanes = static_cast<double>(clock.lanes[s]) / static_cast<double>(clock.offered[s]);
        }
        stage.flops = static_cast<double>(clock.flops[s]) / pairs;
        profile.staged_ns += stage.ns;
        profile.flops += stage.flops;
        profile.stages.push_back(stage);
    }
    profile.plain_ns = usual_sum(ticks, [](const ChunkTicks& t) { return t.plain; }) * to_ns;
    // Removes stages for which this scene has no pairs.
    std::erase_if(profile.stages, [&profile](const StageTime& t) { return t.ns < 0.002 * profile.staged_ns; });
    return profile;
}

}  // namespace lanefold::bench
