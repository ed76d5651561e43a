// SPDX-License-Identifier: MIT
//
// The contact of a half-space and a hull: one support query along the plane's normal gives the height of every vertex.
// The lowest one is the distance, and all within the margin are points.

#include "precise/plane_contact.hpp"

#include <algorithm>
#include <cmath>

#include <lanefold/detail/half_space_block.hpp>
#include <lanefold/detail/round.hpp>

#include "precise/plane_axes.hpp"
#include "precise/pose.hpp"
#include "precise/record.hpp"
#include "precise/reduce.hpp"
#include "precise/support.hpp"

namespace lanefold::detail {
namespace {

// Difference of two positions along an axis beyond which nothing touches a plane: the offset of a point from body A has
// to be a number of float32, wherever on the plane it is.
constexpr double kFarthest = 1e38;

// A vertex stands over another one if it is beside it by at most this part of its height over it. A side of a hull that
// leans by less than 7 degrees puts its upper corners over the lower ones, which carry the hull; of a flatter one both
// are corners of what touches. A larger part would drop corners of low cones, a smaller one keep the upper corners of
// plates that lean.
constexpr double kStandsOver = 0.125;

bool is_within(const PrecisePair& pair) {
    for (int k = 0; k < 3; ++k) {
        if (!(std::fabs(pair.position_b[k] - pair.position_a[k]) <= kFarthest)) return false;
    }
    return true;
}

// The hull of the pair, and the plane in its local frame.
struct Beside {
    const Solid& hull;
    bool hull_is_a;
    Vec3d normal;       // out of the half-space, in the hull's local frame
    double above;       // of the origin of that frame over the plane
    Vec3d normal_in_a;  // in A's local frame

    explicit Beside(const Problem& p)
        : hull(is_half_space(*p.b.record) ? p.a : p.b), hull_is_a(is_half_space(*p.b.record)) {
        const HalfSpaceBlock& plane = half_space_block(hull_is_a ? *p.b.record : *p.a.record);
        const Vec3d n{plane.normal[0], plane.normal[1], plane.normal[2]};
        const PoseD& from_hull = hull_is_a ? p.from_a : p.from_b;
        normal = transpose_times(from_hull.rotation, n);
        above = dot(n, from_hull.position) - plane.offset;
        normal_in_a = hull_is_a ? normal : n;
    }

    double height(std::size_t vertex) const { return above + dot(normal, hull.vertex(vertex)); }
    Vec3d in_a(const Problem& p, std::size_t vertex) const {
        return hull_is_a ? hull.vertex(vertex) : transform(p.from_b, hull.vertex(vertex));
    }
    std::uint32_t number(std::uint32_t vertex) const {
        return feature_number(hull.record->feature_counts(), {FeatureType::vertex, vertex});
    }
    std::uint32_t& vertex_number(ClipPoint& c) const { return hull_is_a ? c.number_a : c.number_b; }

    // The point between a vertex and the plane.
    ClipPoint point(const Problem& p, const PlaneAxes& axes, std::uint32_t vertex) const {
        ClipPoint c;
        c.separation = height(vertex);
        c.middle = in_a(p, vertex) - normal_in_a * (0.5 * c.separation);
        // From the middle of the hull, which may be far from the origin of the plane.
        const Vec3d from_centre = hull_is_a ? c.middle : c.middle - p.from_b.position;
        c.u = dot(axes.across, from_centre);
        c.v = dot(axes.along, from_centre);
        vertex_number(c) = number(vertex);
        return c;
    }

    // The lowest vertex that the given one stands over and that is not kept, or itself. The lowest index of equally low
    // ones.
    std::uint32_t lowest_below(std::uint32_t vertex, std::vector<ClipPoint>& kept) const {
        const Vec3d top = hull.vertex(vertex);
        const double top_height = height(vertex);
        std::uint32_t lowest = vertex;
        double least = top_height;
        for (std::uint32_t i = 0; i < hull.vertices; ++i) {
            const double h = height(i);
            if (!(h < least)) continue;
            const Vec3d down = top - hull.vertex(i);
            const double drop = top_height - h;
            if (length_squared(down - normal * dot(normal, down)) > kStandsOver * kStandsOver * (drop * drop)) continue;
            const std::uint32_t own = number(i);
            if (std::any_of(kept.begin(), kept.end(), [&](ClipPoint& c) { return vertex_number(c) == own; })) continue;
            least = h;
            lowest = i;
        }
        return lowest;
    }
};

}  // namespace

bool has_half_space(const PrecisePair& pair) { return is_half_space(*pair.a) || is_half_space(*pair.b); }

Outcome solve_half_space(const PrecisePair& pair, Problem& p, PreciseScratch::Impl& memory) {
    Outcome r;
    memory.points.clear();
    if (is_half_space(*pair.a) == is_half_space(*pair.b)) return r;  // two half-spaces never touch
    if (!is_within(pair) || !prepare(pair, memory, p)) return r;
    const Beside beside(p);
    const double size = unit_size(*beside.hull.record);
    static_cast<Tolerances&>(p) = Tolerances(size, size, size + std::fabs(beside.above));
    const Support low = furthest(beside.hull, -beside.normal);
    r.distance = beside.height(low.index);
    if (r.distance > p.margin) return r;
    r.reported = true;
    r.kind = beside.hull_is_a ? ContactKind::face_b : ContactKind::face_a;
    r.normal = beside.hull_is_a ? -beside.normal_in_a : beside.normal_in_a;
    const PlaneAxes axes(r.normal);
    for (std::uint32_t i = 0; i < beside.hull.vertices; ++i) {
        if (i == low.index || beside.height(i) <= p.margin + p.tie) memory.points.push_back(beside.point(p, axes, i));
    }
    if (pair.points == PointSelection::impact) keep_impact_points(p, memory.points);
    return r;
}

void reduce_on_plane(const Problem& p, const Outcome& r, std::size_t capacity, std::vector<ClipPoint>& points) {
    if (points.size() <= capacity) return;
    reduce_points(points, capacity);
    const Beside beside(p);
    const PlaneAxes axes(r.normal);
    const std::uint32_t first = beside.number(0);
    // From the lowest to the highest: what a higher one leaves is over none of the lower ones.
    bool done[Manifold16::kCapacity] = {};
    for (std::size_t k = 0; k < points.size(); ++k) {
        std::size_t next = points.size();
        for (std::size_t i = 0; i < points.size(); ++i) {
            if (!done[i] && (next == points.size() || points[i].separation < points[next].separation)) next = i;
        }
        done[next] = true;
        for (;;) {
            const std::uint32_t top = beside.vertex_number(points[next]) - first;
            const std::uint32_t low = beside.lowest_below(top, points);
            if (low == top) break;
            points[next] = beside.point(p, axes, low);
        }
    }
}

}  // namespace lanefold::detail
