// SPDX-License-Identifier: MIT
//
// Generated scenes. Moving bodies come first, then the floor and the four walls of every bin.

#include "generate/scene.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <functional>
#include <mutex>
#include <span>
#include <vector>

#include <tbb/parallel_for.h>
#include <tbb/partitioner.h>
#include <tbb/task_arena.h>

#include <lanefold/detail/stopwatch.hpp>
#include <lanefold/hull_builder.hpp>

#include "console/failure.hpp"
#include "console/thread_count.hpp"
#include "files/staged_folder.hpp"
#include "generate/fall.hpp"
#include "generate/layout.hpp"
#include "generate/random.hpp"
#include "scene/find_pairs.hpp"
#include "scene/io.hpp"

namespace lanefold::tools {

namespace {

constexpr std::uint64_t kAssignmentStream = std::uint64_t{1} << 41U;
// The number of a step must fit 64 bits with room; nobody waits for so much.
constexpr double kMostSeconds = 1e6;

// The data that all frames share.
struct Cast {
    Shapes shapes;  // with the slabs' hulls at the end
    std::vector<std::uint32_t> body_hull;
    std::vector<float> inverse_mass;
    std::vector<Bin> bins;
    std::uint32_t movers = 0;
};

// Gives every hull to one body; the hulls of the remaining bodies are random.
std::vector<std::uint32_t> assign_hulls(const GenerateRequest& request, std::uint32_t hulls) {
    std::vector<std::uint32_t> out(request.bodies);
    Random random(request.seed, kAssignmentStream);
    for (std::uint32_t i = 0; i < request.bodies; ++i) out[i] = i < hulls ? i : random.below(hulls);
    for (std::uint32_t i = request.bodies; i > 1; --i) std::swap(out[i - 1], out[random.below(i)]);
    return out;
}

// Adds a box hull and an immovable body for each floor and wall.
void add_slabs(Cast& cast) {
    const auto first_hull = static_cast<std::uint32_t>(cast.shapes.hulls.size());
    std::vector<Vec3f> vertices;
    std::vector<std::uint64_t> offsets{0};
    for (const Bin& bin : cast.bins) {
        for (const Slab& slab : bin.slabs) {
            cast.body_hull.push_back(first_hull + static_cast<std::uint32_t>(offsets.size() - 1));
            cast.inverse_mass.push_back(0);
            const Vec3f h = to_float(slab.half);
            for (unsigned c = 0; c < 8; ++c) {
                vertices.push_back(
                    {(c & 1U) != 0 ? h.x : -h.x, (c & 2U) != 0 ? h.y : -h.y, (c & 4U) != 0 ? h.z : -h.z});
            }
            offsets.push_back(vertices.size());
        }
    }
    const BuildResult built = build_hulls(vertices, offsets);
    if (!built) throw Failure(ExitCode::interrupted, "the walls of a bin are no hulls");
    const std::uint64_t before = cast.shapes.vertices.size();
    cast.shapes.vertices.insert(cast.shapes.vertices.end(), vertices.begin(), vertices.end());
    for (std::size_t i = 1; i < offsets.size(); ++i) cast.shapes.offsets.push_back(before + offsets[i]);
    cast.shapes.radius.resize(cast.shapes.offsets.size() - 1);
    cast.shapes.hulls = cast.shapes.hulls.append(built.hulls);
}

Cast make_cast(const GenerateRequest& request) {
    Cast cast;
    const std::uint32_t hulls = std::min(request.hulls, request.bodies);
    cast.movers = request.bodies;
    cast.shapes = generate_shapes(request.kind, hulls, request.seed, request.threads);
    cast.body_hull = assign_hulls(request, hulls);
    for (const std::uint32_t h : cast.body_hull) {
        cast.inverse_mass.push_back(static_cast<float>(1.0 / (kDensity * cast.shapes.hulls.info(h).mass.volume)));
    }
    cast.bins = lay_out(cast.shapes.hulls, cast.body_hull, request.seed);
    add_slabs(cast);
    return cast;
}

FrameSchedule make_schedule(const GenerateRequest& request, const std::vector<Bin>& bins) {
    double seconds = request.seconds;
    for (const Bin& bin : bins) {
        if (request.seconds == 0) seconds = std::max(seconds, settling_time(bin.height));
    }
    return {request.frames, static_cast<std::uint64_t>(std::ceil(seconds / kStep))};
}

// Simulates all bins, one per thread at a time. The poses do not depend on the number of threads.
std::vector<Fall> simulate_bins(const GenerateRequest& request, const Cast& cast, const FrameSchedule& schedule) {
    std::vector<Fall> falls(cast.bins.size());
    Progress progress(request.progress, "simulate", "steps", schedule.last_step * cast.bins.size());
    std::atomic<std::uint64_t> done{0};
    std::mutex drawing;
    const auto tell = [&](std::uint64_t steps) {
        const std::uint64_t now = done.fetch_add(steps) + steps;
        // A thread does not wait while another thread draws the progress.
        const std::unique_lock<std::mutex> lock(drawing, std::try_to_lock);
        if (lock) progress.update(now);
        return !request.stop.stop_requested();
    };
    tbb::task_arena arena(arena_size(request.threads));
    const auto threads_of_a_bin = static_cast<std::uint32_t>(
        std::max<std::size_t>(1, static_cast<std::size_t>(arena.max_concurrency()) / cast.bins.size()));
    const std::function<bool(std::uint64_t)> advance = tell;
    const auto one = [&](std::size_t b) {
        const Bin& bin = cast.bins[b];
        const auto mine = std::span<const std::uint32_t>(cast.body_hull).subspan(bin.first, bin.start.size());
        falls[b] =
            fall(request.engine, {bin, cast.shapes.hulls, mine, schedule, threads_of_a_bin, request.isa, advance});
    };
    arena.execute(
        [&] { tbb::parallel_for(std::size_t{0}, cast.bins.size(), std::size_t{1}, one, tbb::simple_partitioner()); });
    if (request.stop.stop_requested()) throw Failure(ExitCode::interrupted, "interrupted; nothing was written");
    return falls;
}

// One frame's poses in the order of the bodies.
class FramePoses {
public:
    explicit FramePoses(const Cast& cast) : cast_(cast) {
        const std::size_t bodies = cast.body_hull.size();
        position_.resize(bodies * 3);
        orientation_.resize(bodies * 4);
        std::size_t body = cast.movers;
        for (const Bin& bin : cast.bins) {
            for (const Slab& slab : bin.slabs) {
                const Vec3f p = to_float(bin.position + slab.centre);
                std::copy_n(&p.x, 3, position_.begin() + static_cast<std::ptrdiff_t>(body * 3));
                orientation_[body * 4 + 3] = 1;
                ++body;
            }
        }
    }

    void take(const std::vector<Fall>& falls, std::uint32_t frame) {
        for (std::size_t b = 0; b < falls.size(); ++b) {
            const Bin& bin = cast_.bins[b];
            copy(falls[b].position, 3, bin, frame, position_);
            copy(falls[b].orientation, 4, bin, frame, orientation_);
        }
    }

    const std::vector<float>& position() const { return position_; }
    const std::vector<float>& orientation() const { return orientation_; }
    BodyView view() const {
        return BodyView::from_arrays(position_.data(), orientation_.data(), cast_.body_hull.data(),
                                     cast_.body_hull.size());
    }

private:
    static void copy(const std::vector<float>& from, std::size_t width, const Bin& bin, std::uint32_t frame,
                     std::vector<float>& to) {
        const std::size_t floats = bin.start.size() * width;
        std::copy_n(from.begin() + static_cast<std::ptrdiff_t>(floats * frame), floats,
                    to.begin() + static_cast<std::ptrdiff_t>(bin.first * width));
    }

    const Cast& cast_;
    std::vector<float> position_;
    std::vector<float> orientation_;
};

void write_frames(const GenerateRequest& request, const Cast& cast, const FrameSchedule& schedule,
                  const std::vector<Fall>& falls, GenerateReport& report) {
    StagedFolder folder(request.folder, request.replace);
    SceneWriter::Contents contents;
    if (request.pairs) contents.info.pairs_margin = static_cast<double>(request.margin);
    // A single frame has no rate, and remains readable by programs that know version 1 only.
    if (request.frames > 1 && schedule.rate() <= kMostFramesPerSecond) {
        contents.info.frames_per_second = schedule.rate();
    }
    contents.hull_offsets = cast.shapes.offsets;
    contents.hull_vertices = cast.shapes.vertices;
    contents.hull_radius = cast.shapes.radius;
    contents.body_hull = cast.body_hull;
    contents.inverse_mass = cast.inverse_mass;
    contents.with_pairs = request.pairs;
    SceneWriter writer(folder.path(), contents);
    PairFinder finder(request.threads);
    FramePoses poses(cast);
    Progress progress(request.progress, "write", "frames", request.frames);
    for (std::uint32_t frame = 0; frame < request.frames; ++frame) {
        if (request.stop.stop_requested()) throw Failure(ExitCode::interrupted, "interrupted; nothing was written");
        poses.take(falls, frame);
        std::span<const Pair> pairs;
        if (request.pairs) pairs = finder.find(cast.shapes.hulls, poses.view(), cast.inverse_mass, {}, request.margin);
        writer.add_frame(std::span<const float>(poses.position()), poses.orientation(), pairs);
        report.pairs += pairs.size();
        report.pairs_last_frame = pairs.size();
        progress.update(frame + 1);
    }
    writer.commit();
    folder.commit();
}

void check(const GenerateRequest& request) {
    if (request.bodies == 0) throw bad_input("--bodies must be 1 or more");
    if (request.frames == 0) throw bad_input("--frames must be 1 or more");
    if (request.hulls == 0) throw bad_input("--hulls must be 1 or more");
    if (!(request.margin >= 0) || !std::isfinite(request.margin)) throw bad_input("--margin must be 0 or more");
    if (!(request.seconds >= 0 && request.seconds <= kMostSeconds)) throw bad_input("--seconds must be 0 to 1e6");
    if (request.engine == FallEngine::bullet && request.kind == ShapeKind::gravel)
        throw bad_input("--engine bullet: not with gravel, whose spheres it would have as hulls");
    static_cast<void>(thread_count(request.threads));
    // Refuses an output that cannot be written before minutes of simulation.
    const StagedFolder probe(request.folder, request.replace);
}

}  // namespace

GenerateReport generate_scene(const GenerateRequest& request) {
    check(request);
    GenerateReport report;
    detail::Stopwatch watch;
    const Cast cast = make_cast(request);
    report.bodies = cast.body_hull.size();
    report.hulls = cast.shapes.hulls.size();
    report.bins = cast.bins.size();
    report.seconds_shapes = watch.lap();

    const FrameSchedule schedule = make_schedule(request, cast.bins);
    const std::vector<Fall> falls = simulate_bins(request, cast, schedule);
    report.simulated_seconds = static_cast<double>(schedule.last_step) * kStep;
    for (const Fall& fall : falls) {
        report.fastest_at_end = std::max(report.fastest_at_end, fall.fastest_at_end);
        report.escaped += fall.escaped;
    }
    report.seconds_fall = watch.lap();

    write_frames(request, cast, schedule, falls, report);
    report.seconds_write = watch.lap();
    return report;
}

}  // namespace lanefold::tools
