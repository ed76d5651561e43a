// SPDX-License-Identifier: MIT
//
// Points and segments against each other and against hulls, by brute force: all faces, and all cross products of edges
// with the segment, with full supports; if one of them separates, all ends against all triangles and the segment
// against all edges.
#include "oracle/small_core.hpp"

#include <algorithm>
#include <limits>

#include "oracle/closest.hpp"

namespace lanefold::reference {
namespace {

struct PlacedHull {
    const OracleHull& hull;
    Mat3d turn;
    std::vector<Vec3d> at;

    PlacedHull(const OracleHull& h, const Mat3d& rotation, const Vec3d& offset) : hull(h), turn(rotation) {
        for (const Vec3d& v : h.vertices) at.push_back(rotation * v + offset);
    }
    const Vec3d& end(std::size_t k) const { return at[std::min(k, at.size() - 1)]; }
    double highest(const Vec3d& n) const {
        double most = -std::numeric_limits<double>::infinity();
        for (const Vec3d& x : at) most = std::max(most, dot(n, x));
        return most;
    }
};

// min over b - max over a.
double separation(const PlacedHull& a, const PlacedHull& b, const Vec3d& n) { return -b.highest(-n) - a.highest(n); }

// A unit vector perpendicular to a direction that is not zero.
Vec3d across(const Vec3d& u) {
    const Vec3d x = cross(u, {1, 0, 0});
    const Vec3d y = cross(u, {0, 1, 0});
    return normalized(length_squared(x) > length_squared(y) ? x : y);
}

// A minimiser for small cores that meet: it is perpendicular to both.
Vec3d any_normal(const Vec3d& u, const Vec3d& v) {
    const Vec3d x = cross(u, v);
    if (length_squared(x) > 1e-20 * length_squared(u) * length_squared(v)) return normalized(x);
    const Vec3d& longer = length_squared(u) > length_squared(v) ? u : v;
    return length_squared(longer) > 0 ? across(longer) : Vec3d{1, 0, 0};
}

OracleResult between_small(const PlacedHull& a, const PlacedHull& b) {
    const Vec3d gap = segment_to_segment(a.end(0), a.end(1), b.end(0), b.end(1));
    const double d = length(gap);
    if (d > 0) return {d, gap * (1 / d)};
    return {0, any_normal(a.end(1) - a.end(0), b.end(1) - b.end(0))};
}

// `sign`: 1 if the hull is a.
OracleResult on_hull(const PlacedHull& hull, const PlacedHull& small, double sign) {
    const PlacedHull& a = sign > 0 ? hull : small;
    const PlacedHull& b = sign > 0 ? small : hull;
    OracleResult best{-std::numeric_limits<double>::infinity(), {}};
    const auto offer = [&](const Vec3d& n) {
        const double s = separation(a, b, n);
        if (s > best.distance) best = {s, n};
    };
    for (const Vec3d& n : hull.hull.normals) offer(hull.turn * n * sign);
    const Vec3d along = small.end(1) - small.end(0);
    for (const OracleHull::Edge& e : hull.hull.edges) {
        const Vec3d x = cross(normalized(hull.at[e.v[1]] - hull.at[e.v[0]]), normalized(along));
        if (!(length_squared(x) > 1e-20)) continue;
        offer(normalized(x));
        offer(-normalized(x));
    }
    if (!(best.distance > 0)) return best;
    Vec3d gap{std::numeric_limits<double>::infinity(), 0, 0};  // from hull to small core
    const auto nearer = [&](const Vec3d& g) {
        if (length_squared(g) < length_squared(gap)) gap = g;
    };
    for (const OracleHull::Triangle& t : hull.hull.triangles) {
        for (const Vec3d& x : small.at)
            nearer(x - closest_on_triangle(x, hull.at[t.v[0]], hull.at[t.v[1]], hull.at[t.v[2]]));
    }
    for (const OracleHull::Edge& e : hull.hull.edges)
        nearer(segment_to_segment(hull.at[e.v[0]], hull.at[e.v[1]], small.end(0), small.end(1)));
    const double d = length(gap);
    const Vec3d n = gap * (sign / d);
    if (d > 0 && separation(a, b, n) >= best.distance) best.normal = n;
    best.distance = std::max(best.distance, d);
    return best;
}

}  // namespace

OracleResult small_core_distance(const OracleHull& a, const PoseD& pose_a, const OracleHull& b, const PoseD& pose_b) {
    // In A's frame.
    const PlacedHull placed_a(a, Mat3d{}, {});
    const PlacedHull placed_b(b, transpose(pose_a.rotation) * pose_b.rotation,
                              transpose_times(pose_a.rotation, pose_b.position - pose_a.position));
    OracleResult r;
    if (is_small(a) && is_small(b)) {
        r = between_small(placed_a, placed_b);
    } else if (is_small(b)) {
        r = on_hull(placed_a, placed_b, 1);
    } else {
        r = on_hull(placed_b, placed_a, -1);
    }
    r.normal = pose_a.rotation * r.normal;
    return r;
}

double distance_to_small_core(const OracleHull& h, const Vec3d& x) {
    return length(segment_to_segment(x, x, h.vertices.front(), h.vertices.back()));
}

}  // namespace lanefold::reference
