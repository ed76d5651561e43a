// SPDX-License-Identifier: MIT
//
// Runs of `lanefold collide`: streamed through files, or repeated in memory.

#include "bake/collide_job.hpp"

#include <algorithm>
#include <chrono>
#include <exception>
#include <fstream>
#include <mutex>
#include <new>

#include <fmt/format.h>
#include <oneapi/tbb/enumerable_thread_specific.h>
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/parallel_for_each.h>
#include <oneapi/tbb/task_arena.h>

#include <lanefold/hash.hpp>

#include "bake/bake_inputs.hpp"
#include "bake/cost.hpp"
#include "bake/frame_pipeline.hpp"
#include "bake/frame_runner.hpp"
#include "bake/memory_plan.hpp"
#include "console/failure.hpp"
#include "console/thread_count.hpp"
#include "files/system.hpp"
#include "scene/find_pairs.hpp"

namespace lanefold::tools {
namespace {

using Clock = std::chrono::steady_clock;

// Share of the available memory that --repeat may fill with frames.
constexpr double kMemoryShare = 0.8;

// Memory that this process may still take: the smaller of the machine's free memory and its own limit. Systems other
// than Linux do not tell the first.
double available_bytes() {
    double bytes = 1e18;
    std::ifstream file("/proc/meminfo");
    for (std::string key; file >> key;) {
        if (key == "MemAvailable:" && file >> bytes) {
            bytes *= 1024.0;
            break;
        }
        file.ignore(256, '\n');
    }
    return std::min(bytes, static_cast<double>(system::memory_limit()));
}

// A frame of fewer pieces a process than this is not worth the way of its records through one process.
constexpr std::uint64_t kSharedPieces = 4;

template <class M>
class Job {
public:
    Job(const CollideRequest& request, const BakeInputs& inputs, const StopToken& stop, oneapi::tbb::task_arena& arena)
        : request_(request),
          scene_(inputs.scene),
          hulls_(inputs.hulls),
          options_(inputs.options),
          arena_(arena),
          reference_(inputs.reference),
          stop_(stop),
          frames_(choose_frames(request.frames, scene_, hulls_, request.settings, options_.threads)),
          runner_(scene_, hulls_, options_, stop_, arena, reference_, request.capture) {
        report_.frames = frames_.size();
    }

    CollideReport run() {
        if (request_.output) {
            stream_to_files();
        } else if (request_.repeat == 0) {
            stream_in_memory();
        }
        if (request_.repeat > 0) repeat();
        return std::move(report_);
    }

private:
    using Outcome = typename FrameRunner<M>::Outcome;

    void load(std::uint64_t frame, SceneFrame& out) {
        if (stop_.stop_requested()) throw Failure(ExitCode::interrupted, "interrupted");
        scene_.read_frame(frame, out);
        if (!request_.settings.find_pairs) return;
        if (!finder_) finder_.emplace(options_.threads);
        arena_.execute([&] { find_pairs(*finder_, scene_, hulls_, request_.settings.margin, out); });
    }

    // Reads every frame before anything is written, so that a bad frame late in the scene costs no work.
    void check_frames() {
        Distribution* const others = request_.distribution;
        std::vector<std::uint64_t> mine;
        for (std::size_t i = 0; i < frames_.size(); ++i) {
            if (others == nullptr || i % others->ranks() == others->rank()) mine.push_back(frames_[i]);
        }
        oneapi::tbb::enumerable_thread_specific<SceneFrame> frames;
        const auto check = [&] {
            oneapi::tbb::parallel_for_each(mine, [&](std::uint64_t i) {
                if (stop_.stop_requested()) throw Failure(ExitCode::interrupted, "interrupted");
                scene_.read_frame(i, frames.local());
            });
        };
        if (others == nullptr) return arena_.execute(check);
        std::exception_ptr failure;
        try {
            arena_.execute(check);
        } catch (...) {
            failure = std::current_exception();
        }
        const bool right = others->all(!failure);
        if (failure) std::rethrow_exception(failure);
        if (!right) throw bad_input("another process found a frame that is wrong");
    }

    // Frames that all processes compute together, piece by piece; the others go to one process each.
    bool is_shared(std::uint64_t frame) const {
        if (request_.distribution == nullptr || request_.settings.find_pairs) return false;
        const std::uint64_t usual = kSharedPieces * request_.distribution->ranks() * kPiecePairs;
        return request_.distribution->ranks() > 1 &&
               scene_.pairs_in_frame(frame) > (request_.shared_pairs > 0 ? request_.shared_pairs : usual);
    }

    void bake(FramePipeline<M>& pipeline) {
        Distribution* const others = request_.distribution;
        if (others == nullptr) {
            return pipeline.run([at = frames_.begin(), end = frames_.end()]() mutable {
                return at == end ? std::nullopt : std::optional(*at++);
            });
        }
        std::vector<std::uint64_t> single;
        for (const std::uint64_t frame : frames_) {
            if (is_shared(frame)) {
                pipeline.run_shared(frame, *others);
            } else {
                single.push_back(frame);
            }
        }
        others->begin_frames(single);
        pipeline.run([&] { return others->next_frame(); });
        others->end_frames();
    }

    void stream_to_files() {
        Distribution* const others = request_.distribution;
        // Counted by one process, before any of them writes.
        if (!request_.resume && (others == nullptr || others->rank() == 0)) {
            report_.remade_frames = ContactsWriter::count_frames(*request_.output, frames_);
        }
        check_frames();
        // Processes that share frames end at about the same time if each takes many times as many as it takes at once.
        const std::uint64_t window = others == nullptr ? frames_.size() : frames_.size() / (8 * others->ranks());
        const MemoryPlan plan =
            plan_memory(scene_, hulls_, request_.settings,
                        {static_cast<std::size_t>(arena_.max_concurrency()), window, request_.memory_limit});
        const ContactsWriter writer(*request_.output, contacts_description(scene_, hulls_, request_.settings));
        Progress progress(request_.progress, "collide", "frames", frames_.size());
        std::mutex mutex;  // reading and writing threads tell of their frames
        std::size_t done = 0;
        const Clock::time_point start = Clock::now();
        const double processor = processor_seconds();
        const auto seconds = [&] { return std::chrono::duration<double>(Clock::now() - start).count(); };
        const auto kept = [&](const FrameSummary& frame) {
            const std::lock_guard lock(mutex);
            ++report_.resumed_frames;
            add(frame);
            show(progress, ++done, seconds());
        };
        const auto finished = [&](const FrameSummary& frame) {
            const std::lock_guard lock(mutex);
            add(frame);
            report_.timed_pairs += frame.pairs;
            report_.record_bytes += frame.records * sizeof(M);
            show(progress, ++done, seconds());
        };
        const BakeContext context{scene_,        hulls_,          request_.settings, options_,
                                  stop_,         arena_,          reference_,        writer,
                                  request_.sync, request_.resume, request_.overlap,  request_.capture};
        FramePipeline<M> pipeline(context, plan, BakeEvents{kept, finished});
        try {
            bake(pipeline);
        } catch (const Failure& failure) {
            // The frames were right when they were checked, so they have changed meanwhile.
            throw io_failure("{}{} after {} of {} frames; they are whole in {}; --resume continues", failure.what(),
                             failure.code() == ExitCode::bad_input ? " (not so when this run began)" : "", done,
                             frames_.size(), request_.output->string());
        }
        report_.counters = pipeline.counters();
        report_.stages = pipeline.times().passed;
        report_.processor = pipeline.times().processor;
        report_.stored_bytes = pipeline.bytes();
        report_.seconds_to_files = seconds();
        report_.processor_to_files = processor_seconds() - processor;
        report_.run_seconds = {report_.stages.narrowphase};
        report_.output_form = "compact, to files";
    }

    void stream_in_memory() {
        Progress progress(request_.progress, "collide", "frames", frames_.size());
        SceneFrame frame;
        double seconds = 0;
        for (std::size_t i = 0; i < frames_.size(); ++i) {
            load(frames_[i], frame);
            const Outcome outcome = runner_.in_memory(frame, true);
            seconds += outcome.seconds;
            add_computed(outcome);
            show(progress, i + 1, seconds);
        }
        report_.run_seconds = {seconds};
        report_.output_form = form_in_memory();
    }

    std::string form_in_memory() const {
        if (runner_.has_several()) return fmt::format("compact, one reused buffer, {} bytes a record", sizeof(M));
        return fmt::format("dense, one reused buffer, {} bytes a pair", sizeof(M));
    }

    // One warm-up run and the measured ones, everything in memory.
    void repeat() {
        const std::vector<SceneFrame> loaded = load_all();
        report_.output_form = form_in_memory();
        report_.run_seconds.clear();
        const std::uint64_t hash_of_files = report_.hash;
        report_.total = {};
        report_.counters = {};
        report_.hash = 0;
        report_.timed_pairs = 0;
        for (const SceneFrame& frame : loaded) add_computed(runner_.in_memory(frame, true));
        if (request_.output && hash_of_files != report_.hash) {
            throw Failure(ExitCode::violation,
                          fmt::format("dense and compact output differ: hash {} against {}; please report this",
                                      hash_string(report_.hash), hash_string(hash_of_files)));
        }
        Progress progress(request_.progress, "measure", "runs", request_.repeat);
        for (std::uint32_t run = 0; run < request_.repeat; ++run) {
            double seconds = 0;
            for (const SceneFrame& frame : loaded) seconds += runner_.in_memory(frame, false).seconds;
            report_.run_seconds.push_back(seconds);
            progress.update(run + 1, {{"ns_per_pair", "ns/pair", report_.ns_per_pair(seconds)}});
        }
    }

    std::vector<SceneFrame> load_all() {
        const double per_body = (scene_.positions_are_double() ? 40.0 : 28.0) + (scene_.has_mask() ? 1.0 : 0.0);
        double needed = per_body * static_cast<double>(scene_.bodies()) * static_cast<double>(frames_.size());
        if (!request_.settings.find_pairs) {
            for (const std::uint64_t frame : frames_) {
                needed += static_cast<double>(scene_.pairs_in_frame(frame)) * sizeof(Pair);
            }
        }
        const double available = available_bytes() * kMemoryShare - static_cast<double>(kOutputBytes);
        const auto refuse = [&] {
            return bad_input(
                "--repeat keeps the frames in memory: {} frames need {}B, {}B are free; choose fewer with --frames",
                frames_.size(), short_number(needed), short_number(std::max(available, 0.0)));
        };
        if (needed > available) throw refuse();
        try {
            std::vector<SceneFrame> loaded(frames_.size());
            for (std::size_t i = 0; i < frames_.size(); ++i) load(frames_[i], loaded[i]);
            return loaded;
        } catch (const std::bad_alloc&) {
            throw refuse();
        }
    }

    void add(const FrameSummary& frame) {
        report_.total.add(frame);
        report_.hash += mix_frame_hash(frame.frame, frame.hash);
    }

    void add_computed(const Outcome& outcome) {
        add(outcome.summary);
        report_.counters += outcome.counters;
        report_.timed_pairs += outcome.summary.pairs;
    }

    void show(Progress& progress, std::size_t done, double seconds) const {
        const double rate = seconds > 0 ? static_cast<double>(report_.timed_pairs) / seconds : 0.0;
        progress.update(done, {{"pairs_per_second", "pairs/s", rate},
                               {"touching", "touching", static_cast<double>(report_.total.touching)}});
    }

    const CollideRequest& request_;
    const Scene& scene_;
    const HullSet& hulls_;
    const Options& options_;
    oneapi::tbb::task_arena& arena_;
    std::optional<ReferenceSettings> reference_;
    const StopToken& stop_;
    std::vector<std::uint64_t> frames_;
    FrameRunner<M> runner_;
    std::optional<PairFinder> finder_;  // started when it is needed: it costs memory and threads
    CollideReport report_;
};

}  // namespace

double CollideReport::fastest_seconds() const {
    return run_seconds.empty() ? 0.0 : *std::min_element(run_seconds.begin(), run_seconds.end());
}

double CollideReport::ns_per_pair(double seconds) const {
    return timed_pairs == 0 ? 0.0 : seconds * 1e9 / static_cast<double>(timed_pairs);
}

double CollideReport::median_ns_per_pair() const {
    if (run_seconds.empty()) return 0.0;
    std::vector<double> sorted = run_seconds;
    std::sort(sorted.begin(), sorted.end());
    const std::size_t n = sorted.size();
    return ns_per_pair((sorted[(n - 1) / 2] + sorted[n / 2]) / 2.0);
}

CollideReport run_collide(const CollideRequest& asked, const StopToken& stop) {
    const Clock::time_point start = Clock::now();
    CollideRequest request = asked;
    const int threads = thread_count(request.threads);
    const oneapi::tbb::global_control limit(oneapi::tbb::global_control::max_allowed_parallelism,
                                            static_cast<std::size_t>(threads));
    oneapi::tbb::task_arena arena(threads);
    const BakeInputs inputs(request.scene, request.frames, request.settings, request.isa, threads);
    if (!inputs.note.empty()) fmt::print(stderr, "lanefold: {}\n", inputs.note);
    request.settings = inputs.settings;

    CollideReport report = request.settings.capacity == 4 ? Job<Manifold4>(request, inputs, stop, arena).run()
                                                          : Job<Manifold16>(request, inputs, stop, arena).run();
    report.isa = inputs.options.isa;
    report.threads = static_cast<std::uint32_t>(threads);
    report.seconds_total = std::chrono::duration<double>(Clock::now() - start).count();
    return report;
}

}  // namespace lanefold::tools
