// SPDX-License-Identifier: MIT
//
// From points to a hull set: the order of the build's steps, and their distribution over threads.
#include <lanefold/detail/point_box.hpp>
#include <lanefold/hull_builder.hpp>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <new>
#include <system_error>
#include <thread>
#include <utility>

#include <lanefold/fp_environment.hpp>
#include <lanefold/limits.hpp>

#include "hull/hull.hpp"
#include "hull/principal.hpp"
#include "hull/small_core.hpp"
#include "set/store.hpp"

namespace lanefold {

namespace {

// Limit of float64 coordinates: that of float32 ones, whose products the builder bounds.
constexpr double kLargestCoordinate = 1e15;

Vec3d wide(const Vec3f& p) { return to_double(p); }
Vec3d wide(const Vec3d& p) { return p; }

HullReport refuse(HullError error, std::size_t culprit, const char* what) {
    HullReport r;
    r.error = error;
    r.culprit = static_cast<std::uint32_t>(culprit);
    r.what = what;
    return r;
}

using detail::PointBox;

// Refuses what no origin would mend, and finds the box.
template <class Point>
HullReport look_at(std::span<const Point> points, PointBox& box) {
    for (std::size_t i = 0; i < points.size(); ++i) {
        const Vec3d p = wide(points[i]);
        if (!is_finite(p)) return refuse(HullError::not_finite, i, "a coordinate is NaN or infinite");
        if (std::max({std::fabs(p.x), std::fabs(p.y), std::fabs(p.z)}) > kLargestCoordinate)
            return refuse(HullError::too_large, i, "a coordinate is beyond 1e15");
        box.add(p);
    }
    if (points.empty()) return refuse(HullError::too_few_points, 0, "fewer than 4 distinct points");
    return {};
}

// The points less the origin, rounded to float32 once. Returns the number of the point that rounding moved furthest.
template <class Point>
std::size_t round_about(const Vec3d& origin, std::span<const Point> points, std::vector<Vec3f>& out, double& moved) {
    out.clear();
    out.reserve(points.size());
    std::size_t worst = 0;
    moved = 0;
    for (std::size_t i = 0; i < points.size(); ++i) {
        const Vec3d p = wide(points[i]) - origin;
        out.push_back(to_float(p));
        const double by = length(to_double(out.back()) - p);
        if (!(by > moved)) continue;
        moved = by;
        worst = i;
    }
    return worst;
}

// A point or a segment is the core of a rounded hull only.
HullReport build_core(std::span<const Vec3f> points, const BuildOptions& options, float radius,
                      detail::HullDraft& out) {
    if (radius > 0 && detail::take_small_core(points, radius, out)) return {};
    return detail::build_draft(points, options, radius, out);
}

// Builds a hull about an origin that the options choose.
template <class Point>
HullReport build_about(std::span<const Point> points, const BuildOptions& options, float radius, detail::HullDraft& out,
                       HullFrame& frame) {
    PointBox box;
    if (const HullReport bad = look_at(points, box); !bad) return bad;
    std::vector<Vec3f> rounded;
    frame.shift = options.origin == Origin::input ? Vec3d{} : box.low + (box.high - box.low) * 0.5;
    const std::size_t worst = round_about(frame.shift, points, rounded, frame.rounding);
    const double size = box.size() + static_cast<double>(radius);
    if (options.origin == Origin::input && size > 0 && frame.rounding > kDistanceTolerance * size) {
        return refuse(HullError::too_far, worst,
                      "float32 about this origin would move a point by more than 2e-6 of the size; use "
                      "Origin::box_centre, which gives the hull an origin of its own");
    }
    const HullReport first = build_core(rounded, options, radius, out);
    if (!first || options.origin != Origin::centre_of_mass) return first;
    frame.shift = frame.shift + out.info.mass.centre_of_mass;
    round_about(frame.shift, points, rounded, frame.rounding);
    out = {};
    return build_core(rounded, options, radius, out);
}

// float32 points are not moved without need: about their own origin they are exact, and their centre of mass is that of
// the exact points.
HullReport build_one(std::span<const Vec3f> points, const BuildOptions& options, float radius, detail::HullDraft& out,
                     HullFrame& frame) {
    if (options.origin == Origin::box_centre) return build_about(points, options, radius, out, frame);
    const HullReport first = build_core(points, options, radius, out);
    if (!first || options.origin == Origin::input) return first;
    frame.shift = out.info.mass.centre_of_mass;
    std::vector<Vec3f> moved;
    round_about(frame.shift, points, moved, frame.rounding);
    out = {};
    return build_core(moved, options, radius, out);
}

HullReport build_one(std::span<const Vec3d> points, const BuildOptions& options, float radius, detail::HullDraft& out,
                     HullFrame& frame) {
    return build_about(points, options, radius, out, frame);
}

HullReport out_of_memory() { return refuse(HullError::internal, 0, "out of memory"); }

constexpr const char* kOffsetsRule = "offsets must ascend and stay within the points";

HullReport bad_offsets(const char* what) { return refuse(HullError::bad_offsets, 0, what); }

// Largest radius: that of coordinates (kLargestCoordinate).
constexpr float kLargestRadius = 1e15F;

HullReport bad_radius(const char* what) { return refuse(HullError::bad_radius, 0, what); }

HullReport check_radius(float radius) {
    if (!std::isfinite(radius)) return bad_radius("a radius is not finite");
    if (radius < 0) return bad_radius("a radius is negative");
    if (radius > kLargestRadius) return bad_radius("a radius is beyond 1e15");
    // By bits: a host with DAZ takes denormals for zero.
    const std::uint32_t bits = std::bit_cast<std::uint32_t>(radius);
    if (bits << 1 != 0 && bits < 0x00800000U) return bad_radius("a radius is below the normal numbers of float32");
    return {};
}

float radius_of(const BuildOptions& options, std::size_t hull) {
    return options.radii.empty() ? options.radius : options.radii[hull];
}

template <class Point>
HullReport build_safely(std::span<const Point> points, const BuildOptions& options, float radius,
                        detail::HullDraft& out, HullFrame& frame) {
    try {
        return in_default_environment([&] {
            const HullReport report = build_one(points, options, radius, out, frame);
            out.round_radius = radius + 0.0F;  // no -0
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

template <class Point>
void build_all(std::span<const Point> points, std::span<const std::uint64_t> offsets, const BuildOptions& options,
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
        reports[i] = check_radius(radius_of(options, i));
        if (!reports[i]) return;
        reports[i] = build_safely(points.subspan(offsets[i], offsets[i + 1] - offsets[i]), options,
                                  radius_of(options, i), drafts[i], frames[i]);
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

// One result for points of either type.
template <class Point>
BuildResult build_points(std::span<const Point> points, std::span<const std::uint64_t> offsets,
                         const BuildOptions& options) {
    BuildResult result;
    result.failures.reserve(1);  // so that running out of memory can be told
    if (offsets.empty()) result.failures.push_back(bad_offsets("offsets must have (number of hulls + 1) entries"));
    if (offsets.size() == 1 && offsets[0] > points.size()) result.failures.push_back(bad_offsets(kOffsetsRule));
    if (!options.radii.empty() && offsets.size() != options.radii.size() + 1)
        result.failures.push_back(bad_radius("radii must have one radius for each hull, or none"));
    if (offsets.size() < 2 || !result.failures.empty()) return result;
    try {
        build_all(points, offsets, options, result);
    } catch (const std::bad_alloc&) {
        result.hulls = {};
        result.frames.clear();
        result.failures.assign(1, out_of_memory());
    }
    return result;
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
        case HullError::too_far:
            return "too_far";
        case HullError::bad_radius:
            return "bad_radius";
    }
    return "unknown";
}

BuildResult build_hulls(std::span<const Vec3f> points, std::span<const std::uint64_t> offsets,
                        const BuildOptions& options) {
    return build_points(points, offsets, options);
}

BuildResult build_hulls(std::span<const Vec3d> points, std::span<const std::uint64_t> offsets,
                        const BuildOptions& options) {
    return build_points(points, offsets, options);
}

BuildResult build_hull(std::span<const Vec3f> points, const BuildOptions& options) {
    const std::uint64_t offsets[2] = {0, points.size()};
    return build_points(points, offsets, options);
}

BuildResult build_hull(std::span<const Vec3d> points, const BuildOptions& options) {
    const std::uint64_t offsets[2] = {0, points.size()};
    return build_points(points, offsets, options);
}

}  // namespace lanefold
