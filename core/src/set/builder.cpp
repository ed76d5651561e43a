// SPDX-License-Identifier: MIT
//
// From points to a hull set: the order of the build's steps, and their distribution over threads.
#include <lanefold/hull_builder.hpp>

#include <algorithm>
#include <atomic>
#include <new>
#include <system_error>
#include <thread>
#include <utility>

#include <lanefold/fp_environment.hpp>

#include "hull/hull.hpp"
#include "hull/principal.hpp"
#include "set/store.hpp"

namespace lanefold {

namespace {

// Builds the hull about its centre of mass. The centre is subtracted from all points in float64, and the result is
// rounded once.
HullReport build_centred(std::span<const Vec3f> points, const BuildOptions& options, detail::HullDraft& out,
                         Vec3d& shift) {
    const HullReport first = detail::build_draft(points, options, out);
    if (!first) return first;
    shift = out.info.mass.centre_of_mass;
    std::vector<Vec3f> moved;
    moved.reserve(points.size());
    for (const Vec3f& p : points) moved.push_back(to_float(to_double(p) - shift));
    out = {};
    return detail::build_draft(moved, options, out);
}

HullReport out_of_memory() {
    HullReport r;
    r.error = HullError::internal;
    r.what = "out of memory";
    return r;
}

constexpr const char* kOffsetsRule = "offsets must ascend and stay within the points";

HullReport bad_offsets(const char* what) {
    HullReport r;
    r.error = HullError::bad_offsets;
    r.what = what;
    return r;
}

HullReport build_safely(std::span<const Vec3f> points, const BuildOptions& options, detail::HullDraft& out,
                        HullFrame& frame) {
    try {
        return in_default_environment([&] {
            const HullReport report = options.origin == Origin::centre_of_mass
                                          ? build_centred(points, options, out, frame.shift)
                                          : detail::build_draft(points, options, out);
            if (report) detail::principal_axes(out.info.mass.inertia, frame.principal_axes, frame.principal_moments);
            return report;
        });
    } catch (const std::bad_alloc&) {
        return out_of_memory();
    }
}

// Runs work() on this thread and up to `threads` - 1 others.
template <class Work>
void run_on_threads(std::size_t threads, const Work& work) {
    struct Others {
        std::vector<std::thread> list;
        ~Others() {
            for (std::thread& t : list) t.join();
        }
    } others;
    try {
        for (std::size_t t = 1; t < threads; ++t) others.list.emplace_back(work);
    } catch (const std::system_error&) {  // the system has no more threads: fewer do it
    } catch (const std::bad_alloc&) {     // nor memory for them
    }
    work();
}

void build_all(std::span<const Vec3f> points, std::span<const std::uint64_t> offsets, const BuildOptions& options,
               BuildResult& result) {
    const std::size_t count = offsets.size() - 1;
    std::vector<HullReport> reports(count);
    std::vector<detail::HullDraft> drafts(count);
    std::vector<HullFrame> frames(count);

    const auto build = [&](std::size_t i) {
        if (offsets[i] > offsets[i + 1] || offsets[i + 1] > points.size()) {
            reports[i] = bad_offsets(kOffsetsRule);
            return;
        }
        reports[i] =
            build_safely(points.subspan(offsets[i], offsets[i + 1] - offsets[i]), options, drafts[i], frames[i]);
    };

    std::size_t threads = options.threads != 0 ? options.threads : std::thread::hardware_concurrency();
    threads = std::clamp<std::size_t>(threads, 1, count);
    std::atomic<std::size_t> next{0};
    const auto work = [&] {
        for (std::size_t i = next++; i < count; i = next++) build(i);
    };
    run_on_threads(threads, work);

    for (std::size_t i = 0; i < count; ++i) {
        if (reports[i]) continue;
        reports[i].hull = static_cast<std::uint32_t>(i);
        result.failures.push_back(reports[i]);
    }
    if (result.failures.empty()) {
        result.hulls = in_default_environment([&] { return HullSet(detail::make_segment(drafts)); });
        result.frames = std::move(frames);
    }
}

}  // namespace

const char* to_string(HullError error) {
    switch (error) {
        case HullError::ok:
            return "ok";
        case HullError::too_few_points:
            return "too_few_points";
        case HullError::not_finite:
            return "not_finite";
        case HullError::too_large:
            return "too_large";
        case HullError::too_small:
            return "too_small";
        case HullError::collinear:
            return "collinear";
        case HullError::flat:
            return "flat";
        case HullError::internal:
            return "internal";
        case HullError::bad_offsets:
            return "bad_offsets";
    }
    return "unknown";
}

BuildResult build_hulls(std::span<const Vec3f> points, std::span<const std::uint64_t> offsets,
                        const BuildOptions& options) {
    BuildResult result;
    result.failures.reserve(1);  // so that running out of memory can be told
    if (offsets.empty()) result.failures.push_back(bad_offsets("offsets must have (number of hulls + 1) entries"));
    if (offsets.size() == 1 && offsets[0] > points.size()) result.failures.push_back(bad_offsets(kOffsetsRule));
    if (offsets.size() < 2) return result;
    try {
        build_all(points, offsets, options, result);
    } catch (const std::bad_alloc&) {
        result.hulls = {};
        result.frames.clear();
        result.failures.assign(1, out_of_memory());
    }
    return result;
}

BuildResult build_hull(std::span<const Vec3f> points, const BuildOptions& options) {
    const std::uint64_t offsets[2] = {0, points.size()};
    return build_hulls(points, offsets, options);
}

}  // namespace lanefold
