// SPDX-License-Identifier: MIT
//
// The points of the float64 path as sets for the rules of lanefold/detail/geometry.

#include "precise/reduce.hpp"

#include <lanefold/detail/geometry/patch.hpp>
#include <lanefold/detail/geometry/point_list.hpp>

#include "precise/plane_axes.hpp"

namespace lanefold::detail {

namespace {

// The points where they are in the contact plane.
struct PlacedPoints : geometry::InPlane<double> {
    using Number = double;
    using Index = std::int32_t;
    static constexpr int kStep = 1;

    const std::vector<ClipPoint>& points;

    explicit PlacedPoints(const std::vector<ClipPoint>& p) : points(p) {}
    int size() const { return static_cast<int>(points.size()); }
    double depth(std::uint32_t i) const { return points[i].separation; }
    double separation(int c) const { return depth(index(c)); }
    Spot spot(std::uint32_t i) const { return {points[i].u, points[i].v}; }
    Spot at(int c) const { return spot(index(c)); }
    static std::int32_t numbers(int c) { return c; }
    static bool exists(int) { return true; }
    static std::uint32_t index(int c) { return static_cast<std::uint32_t>(c); }
    static std::uint32_t index_of(double, std::int32_t step) { return index(step); }
};

// The points relative to the middle of their extent. The axes depend on the normal from A to B, which stays the same
// when the reference face changes from A to B between frames.
struct PatchPlan : PlacedPoints {
    PlaneAxes axes;
    Spot middle = {0, 0};
    double half = 0;

    PatchPlan(const std::vector<ClipPoint>& p, const Vec3d& normal) : PlacedPoints(p), axes(normal) {
        const auto extent = geometry::extent_of(*this, [this](int c) { return at(c); });
        middle = extent.middle;
        half = extent.half;
    }
    Spot spot(std::uint32_t i) const {
        const Vec3d& x = points[i].middle;
        return geometry::turned<double>({dot(axes.across, x), dot(axes.along, x)}) - middle;
    }
    Spot at(int c) const { return spot(index(c)); }
    Spot plan(int c) const { return at(c); }
    static const Spot& plan_of(const Spot& x) { return x; }
    static double least(double x) { return x; }
    static double most(double x) { return x; }
};

template <class List>
void keep_only(List& list, std::vector<ClipPoint>& points) {
    std::uint32_t kept[geometry::kMaxKept];
    const std::uint32_t count = list.copy_sorted(kept);
    for (std::uint32_t i = 0; i < count; ++i) points[i] = points[kept[i]];
    points.resize(count);
}

}  // namespace

void reduce_points(std::vector<ClipPoint>& points, std::size_t capacity) {
    if (points.size() <= capacity) return;
    geometry::PointList<PlacedPoints> list(PlacedPoints(points), static_cast<std::uint32_t>(capacity));
    geometry::take_by_spread(list, list.take(geometry::deepest_of(list)));
    keep_only(list, points);
}

void reduce_patch_points(std::vector<ClipPoint>& points, const Vec3d& normal, std::size_t capacity, double slack) {
    if (points.size() <= capacity) return;
    const auto most = static_cast<std::uint32_t>(capacity);
    geometry::PointList<PatchPlan> list(PatchPlan(points, normal), most);
    geometry::PointList<PlacedPoints> by_spread(PlacedPoints(points), most);
    geometry::keep_patch(list, by_spread, true, slack);
    keep_only(list, points);
}

}  // namespace lanefold::detail
