// SPDX-License-Identifier: MIT
//
// From points and triangles to a surface: arguments that are refused, and the order of the steps.
#include "surface/mesh_builder.hpp"

#include <cmath>
#include <new>
#include <numeric>
#include <utility>

#include <lanefold/detail/point_box.hpp>
#include <lanefold/detail/surface_view.hpp>
#include <lanefold/fp_environment.hpp>
#include <lanefold/limits.hpp>

#include "surface/surface_state.hpp"

namespace lanefold::detail {

namespace {

// A half-edge must leave the highest bit of its 32 free (MeshArrays::kFans).
constexpr std::size_t kMostTriangles = std::size_t{1} << 29U;

// Largest magnitude of a coordinate: products of four lengths stay finite in float64.
constexpr double kLargest = 1e15;

// Default of SurfaceOptions::weld_tolerance, in roundings of the largest coordinate.
constexpr double kWeldRoundings = 8;
// A tolerance below this, relative to the largest coordinate, joins equal points only: cells of the weld, which are a
// few times larger, must be numbers that float64 can count.
constexpr double kLeastTolerance = 0x1p-47;

// Rounds of dividing edges. A division may make a triangle that is too flat, and whose edges its neighbours then must
// share: rare after the second round. All that is left after the last one is reported.
constexpr int kSplitRounds = 8;

CallStatus refuse(const char* what, std::uint64_t where = 0) { return {Status::bad_argument, what, where}; }

Vec3d wide(const Vec3f& p) { return to_double(p); }
Vec3d wide(const Vec3d& p) { return p; }

double largest_of(const Vec3d& p) { return std::max({std::fabs(p.x), std::fabs(p.y), std::fabs(p.z)}); }

CallStatus check_options(const MeshInput& input, const SurfaceOptions& options) {
    if (std::isnan(options.weld_tolerance) || std::isinf(options.weld_tolerance))
        return refuse("weld_tolerance is not finite");
    if (!(options.thickness >= 0)) return refuse("thickness is negative or NaN");
    if (options.origin != Origin::input && options.origin != Origin::box_centre)
        return refuse("a surface's origin is Origin::input or Origin::box_centre");
    if (input.triangles.size() > kMostTriangles) return refuse("more than 2^29 triangles", kMostTriangles);
    if (input.points >= Surface::kBorder) return refuse("more than 2^32 - 2 points", Surface::kBorder - 1);
    return {};
}

// Checks triangles and the points that they use, and finds the box.
template <class Point>
CallStatus check_triangles(std::span<const Point> points, const MeshInput& input, detail::PointBox& box) {
    for (std::size_t t = 0; t < input.triangles.size(); ++t) {
        for (const std::uint32_t v : input.triangles[t]) {
            if (v >= points.size()) return refuse("a triangle's index is out of range", t);
            const Vec3d p = wide(points[v]);
            if (!is_finite(p)) return refuse("a coordinate of a point is NaN or infinite", v);
            if (largest_of(p) > kLargest) return refuse("a coordinate of a point is beyond 1e15", v);
            box.add(p);
        }
    }
    if (input.triangles.empty()) box.low = box.high = {};
    return {};
}

// Rounds the points about the origin. float32 points were rounded before, about their own.
template <class Point>
CallStatus round_points(std::span<const Point> points, const MeshInput& input, const detail::PointBox& box,
                        const SurfaceOptions& options, MeshDraft& draft) {
    std::vector<bool> used(points.size(), false);
    for (const Corners& c : input.triangles) {
        for (const std::uint32_t v : c) used[v] = true;
    }
    if (options.origin == Origin::box_centre) draft.shift = box.low + (box.high - box.low) * 0.5;
    std::size_t worst = 0;
    draft.points.assign(points.size(), Vec3f{});
    for (std::size_t v = 0; v < points.size(); ++v) {
        if (!used[v]) continue;
        const Vec3d p = wide(points[v]) - draft.shift;
        draft.points[v] = to_float(p) + Vec3f{};  // no -0
        draft.largest = std::max(draft.largest, largest_of(to_double(draft.points[v])));
        if constexpr (std::is_same_v<Point, Vec3f>)
            draft.largest = std::max(draft.largest, largest_of(wide(points[v])));
        const double by = length(to_double(draft.points[v]) - p);
        if (by > draft.rounding) worst = v;
        draft.rounding = std::max(draft.rounding, by);
    }
    if (options.origin == Origin::input && draft.rounding > kDistanceTolerance * box.size()) {
        return refuse("float32 would move a point by more than 2e-6 of the size; use Origin::box_centre", worst);
    }
    return {};
}

EdgeMatch rematch(MeshDraft& draft, const SurfaceOptions& options) {
    EdgeMatch match = match_edges(draft);
    if (leave_out_copies(draft, match, options.drop_opposite)) match = match_edges(draft);
    return match;
}

// Sets `healed` if no vertex lies on an edge without a neighbour any more.
EdgeMatch refine(MeshDraft& draft, const SurfaceOptions& options, bool& healed) {
    weld(draft, 0);
    leave_out_degenerate(draft);
    EdgeMatch match = rematch(draft, options);
    const auto points = static_cast<std::uint32_t>(draft.points.size());
    bool changed = false;
    if (options.drop_opposite && cut_opposite(draft)) {
        weld(draft, points);
        leave_out_degenerate(draft);
        match = rematch(draft, options);
        changed = true;
    }
    for (int round = 0; options.split_t_junctions && round < kSplitRounds; ++round) {
        healed = !split_edges(draft, match);
        if (healed) break;
        leave_out_degenerate(draft);
        match = rematch(draft, options);
        changed = true;
    }
    if (!changed) return match;
    // Pieces stand behind all others until here.
    std::vector<std::uint32_t> order(draft.triangles.size());
    std::iota(order.begin(), order.end(), 0U);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return draft.input[a] < draft.input[b]; });
    MeshDraft sorted;
    for (const std::uint32_t t : order) sorted.add(draft.triangles[t], draft.input[t]);
    draft.triangles = std::move(sorted.triangles);
    draft.input = std::move(sorted.input);
    return match_edges(draft);
}

void note_triangles(const MeshDraft& draft, const std::vector<std::uint32_t>& edges, SurfaceFinding& finding) {
    std::vector<std::uint32_t> triangles;
    for (const std::uint32_t e : edges) triangles.push_back(e / 3);
    std::sort(triangles.begin(), triangles.end());
    triangles.erase(std::unique(triangles.begin(), triangles.end()), triangles.end());
    for (const std::uint32_t t : triangles) note(finding, draft.input[t]);
}

void report_edges(MeshDraft& draft, const EdgeMatch& match, bool healed) {
    note_triangles(draft, match.non_manifold, draft.report.non_manifold);
    note_triangles(draft, match.winding, draft.report.winding);
    for (const std::uint32_t across : match.opposites) draft.report.border_edges += across == kNoNeighbour ? 1 : 0;
    if (!healed) count_unhealed(draft, match);
}

template <class Point>
SurfaceResult build(std::span<const Point> points, MeshInput input, const SurfaceOptions& options) {
    SurfaceResult result;
    input.points = points.size();
    result.status = check_options(input, options);
    if (!result.status) return result;
    detail::PointBox box;
    result.status = check_triangles(points, input, box);
    if (!result.status) return result;
    MeshDraft draft;
    result.status = round_points(points, input, box, options, draft);
    if (!result.status) return result;
    draft.tolerance =
        options.weld_tolerance < 0 ? kWeldRoundings * kCoordinateRounding * draft.largest : options.weld_tolerance;
    if (draft.tolerance < kLeastTolerance * draft.largest) draft.tolerance = 0;
    draft.report.weld_tolerance = draft.tolerance;
    draft.triangles.assign(input.triangles.begin(), input.triangles.end());
    if (input.numbers.empty()) {
        draft.input.resize(draft.triangles.size());
        std::iota(draft.input.begin(), draft.input.end(), 0U);
    } else {
        draft.input.assign(input.numbers.begin(), input.numbers.end());
    }
    bool healed = false;
    EdgeMatch match = refine(draft, options, healed);
    report_edges(draft, match, healed);
    result.surface = Surface(make_mesh_state(draft, match, input.materials, options.thickness));
    return result;
}

template <class Point>
SurfaceResult build_safely(std::span<const Point> points, const MeshInput& input, const SurfaceOptions& options) {
    try {
        return in_default_environment([&] { return build(points, input, options); });
    } catch (const std::bad_alloc&) {
        SurfaceResult result;
        result.status = {Status::out_of_memory, "out of memory", 0};
        return result;
    }
}

}  // namespace

SurfaceResult build_mesh(std::span<const Vec3d> points, const MeshInput& input, const SurfaceOptions& options) {
    return build_safely(points, input, options);
}

SurfaceResult build_mesh(std::span<const Vec3f> points, const MeshInput& input, const SurfaceOptions& options) {
    return build_safely(points, input, options);
}

}  // namespace lanefold::detail

namespace lanefold {

namespace {

template <class Point>
SurfaceResult build_any(std::span<const Point> points, std::span<const std::array<std::uint32_t, 3>> triangles,
                        const SurfaceOptions& options) {
    SurfaceResult result;
    if (!options.materials.empty() && options.materials.size() != triangles.size()) {
        result.status = {Status::bad_argument, "materials must have one number for each triangle, or none",
                         options.materials.size()};
        return result;
    }
    return detail::build_mesh(points, {triangles, {}, options.materials, 0}, options);
}

}  // namespace

SurfaceResult build_surface(std::span<const Vec3f> points, std::span<const std::array<std::uint32_t, 3>> triangles,
                            const SurfaceOptions& options) {
    return build_any(points, triangles, options);
}

SurfaceResult build_surface(std::span<const Vec3d> points, std::span<const std::array<std::uint32_t, 3>> triangles,
                            const SurfaceOptions& options) {
    return build_any(points, triangles, options);
}

}  // namespace lanefold
