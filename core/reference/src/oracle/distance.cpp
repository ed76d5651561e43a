// SPDX-License-Identifier: MIT
//
// The oracle's signed distance. For overlapping hulls: the largest separation over all face normals and all cross
// products of edges, each evaluated with full supports, so that a badly conditioned axis can only give a lower bound.
// For hulls that are apart: the Euclidean distance by brute force over pairs of vertex and face and of two edges.
//
// Four safe shortcuts keep the brute force affordable; a test compares the result with a search that has none. (1) For
// any points a of A and b of B, sep(n) <= n.(b - a), so an axis that cannot beat the best one found is not evaluated.
// (2) The optimum lies in the Gauss arcs of both edges, that is n.(w - a) <= 0 for the two vertices w opposite edge a
// in its adjacent triangles. Axes outside by more than a tolerance far above rounding are not evaluated. (3) A unit
// normal on the arc of an edge is a combination of its two face normals with weights >= 0 whose sum is at least 1. If
// n.(b - a) <= t <= 0 for both faces and one point b, the separation of the whole arc is at most t. With the supports
// of the face search as b and the best face's separation as t, few edges are left. (4) If a face separates, axes of
// edges are not needed, and the distance is searched among the features themselves.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

#include <lanefold/fp_environment.hpp>
#include <lanefold/reference.hpp>

#include "oracle/closest.hpp"
#include "oracle/exact.hpp"
#include "oracle/plane_distance.hpp"
#include "oracle/small_core.hpp"

namespace lanefold::reference {
namespace {

// Slack of the arc test, relative to the sizes. Rounding moves an axis from its exact place by about 4e-16 / sine of
// the angle between the edges. Below a sine of 1e-5 the arc test is skipped.
constexpr double kArcSlack = 1e-9;
constexpr double kArcSine = 1e-5;

// Shortcut (4) is for pairs that are apart by more than this, relative to the sizes. For nearer ones the direction
// between the closest points can be mostly rounding, and the axis of two edges may be the better minimiser.
constexpr double kApart = 1e-6;

double highest(const std::vector<Vec3d>& points, const Vec3d& n) {
    double best = -std::numeric_limits<double>::infinity();
    for (const Vec3d& p : points) {
        const double h = dot(n, p);
        best = h > best ? h : best;
    }
    return best;
}

struct Lowest {
    double height = std::numeric_limits<double>::infinity();
    std::size_t index = 0;
};

Lowest lowest_of(const std::vector<Vec3d>& points, const Vec3d& n) {
    Lowest best;
    for (std::size_t i = 0; i < points.size(); ++i) {
        const double h = dot(n, points[i]);
        if (h < best.height) best = {h, i};
    }
    return best;
}

double lowest(const std::vector<Vec3d>& points, const Vec3d& n) { return lowest_of(points, n).height; }

// Both hulls in A's frame relative to A's position. A's numbers stay exact, B's are rounded once.
struct Placed {
    const OracleHull& a;
    const OracleHull& b;
    const std::vector<Vec3d>& va;
    std::vector<Vec3d> vb;
    Mat3d b_to_a;
    double size;

    Placed(const OracleHull& hull_a, const PoseD& pose_a, const OracleHull& hull_b, const PoseD& pose_b)
        : a(hull_a), b(hull_b), va(hull_a.vertices), size(hull_a.size + hull_b.size) {
        b_to_a = transpose(pose_a.rotation) * pose_b.rotation;
        const Vec3d offset = transpose_times(pose_a.rotation, pose_b.position - pose_a.position);
        vb.reserve(hull_b.vertices.size());
        for (const Vec3d& v : hull_b.vertices) vb.push_back(b_to_a * v + offset);
    }

    double separation(const Vec3d& n) const { return lowest(vb, n) - highest(va, n); }
};

struct Best {
    double separation = -std::numeric_limits<double>::infinity();
    Vec3d normal;

    void offer(double value, const Vec3d& n) {
        if (value > separation) separation = value, normal = n;
    }
};

// The two vertices opposite an edge in its adjacent triangles, and the edge itself.
struct EdgeData {
    Vec3d origin;
    Vec3d direction;  // not normalised
    double length;
    Vec3d opposite[2];  // relative to origin
};

std::vector<EdgeData> edge_data(const OracleHull& h, const std::vector<OracleHull::Edge>& edges,
                                const std::vector<Vec3d>& placed, const Mat3d* rotation) {
    std::vector<EdgeData> out;
    out.reserve(edges.size());
    for (const OracleHull::Edge& e : edges) {
        EdgeData d{};
        d.origin = placed[e.v[0]];
        const Vec3d exact = h.vertices[e.v[1]] - h.vertices[e.v[0]];
        d.direction = rotation != nullptr ? *rotation * exact : exact;
        d.length = length(d.direction);
        for (int side = 0; side < 2; ++side) {
            for (const std::uint32_t v : h.triangles[e.face[side]].v) {
                if (v != e.v[0] && v != e.v[1]) d.opposite[side] = placed[v] - d.origin;
            }
        }
        out.push_back(d);
    }
    return out;
}

// Results of the face search on one hull: its outward normals in A's frame, and for each the vertex of the other hull
// that is deepest behind it.
struct FaceSide {
    std::vector<Vec3d> normals;
    std::vector<Vec3d> deepest;
    std::size_t best = 0;  // the face with the largest separation
};

FaceSide search_side(const Placed& p, bool of_b, Best& best) {
    const std::vector<Vec3d>& own = of_b ? p.vb : p.va;
    const std::vector<Vec3d>& other = of_b ? p.va : p.vb;
    FaceSide side;
    double highest_separation = -std::numeric_limits<double>::infinity();
    for (const Vec3d& n : of_b ? p.b.normals : p.a.normals) {
        const Vec3d outward = of_b ? p.b_to_a * n : n;
        const Lowest low = lowest_of(other, outward);
        const double separation = low.height - highest(own, outward);
        best.offer(separation, of_b ? -outward : outward);
        if (separation > highest_separation) {
            highest_separation = separation;
            side.best = side.normals.size();
        }
        side.normals.push_back(outward);
        side.deepest.push_back(other[low.index]);
    }
    return side;
}

// Cosine of two normals below which an edge is always tried: weights on an arc between nearly opposite normals are
// large and multiply rounding.
constexpr double kOpposite = -0.999999;

// Shortcut (3): whether an axis on the arc of this edge can have a separation above `best`.
bool may_beat(const FaceSide& side, const OracleHull::Edge& e, const Vec3d& on_edge, double best) {
    const Vec3d& n0 = side.normals[e.face[0]];
    const Vec3d& n1 = side.normals[e.face[1]];
    if (dot(n0, n1) < kOpposite) return true;
    const double limit = std::fmin(best, 0.0);
    for (const std::size_t face : {std::size_t{e.face[0]}, std::size_t{e.face[1]}, side.best}) {
        const Vec3d reach = side.deepest[face] - on_edge;
        if (dot(n0, reach) <= limit && dot(n1, reach) <= limit) return false;
    }
    return true;
}

std::vector<OracleHull::Edge> edges_left(const FaceSide& side, const OracleHull& h, const std::vector<Vec3d>& placed,
                                         double best) {
    std::vector<OracleHull::Edge> out;
    for (const OracleHull::Edge& e : h.edges) {
        if (may_beat(side, e, placed[e.v[0]], best)) out.push_back(e);
    }
    return out;
}

void search_edges(const Placed& p, const FaceSide& side_a, const FaceSide& side_b, Best& best) {
    const std::vector<EdgeData> ea = edge_data(p.a, edges_left(side_a, p.a, p.va, best.separation), p.va, nullptr);
    const std::vector<EdgeData> eb = edge_data(p.b, edges_left(side_b, p.b, p.vb, best.separation), p.vb, &p.b_to_a);
    const double slack = kArcSlack * p.size;
    for (const EdgeData& a : ea) {
        for (const EdgeData& b : eb) {
            const Vec3d c = cross(a.direction, b.direction);
            const double ll = length_squared(c);
            const double long_enough = kArcSine * a.length * b.length;
            bool possible[2] = {true, true};  // along +c, along -c
            if (ll > long_enough * long_enough) {
                // x is beyond the slack on the positive side: sign(x) x^2 > (slack |c|)^2.
                const double limit = slack * slack * ll;
                const double a0 = dot(c, a.opposite[0]), a1 = dot(c, a.opposite[1]);
                const double b0 = dot(c, b.opposite[0]), b1 = dot(c, b.opposite[1]);
                const double high = std::max(std::max(a0, a1), std::max(-b0, -b1));
                const double low = std::min(std::min(a0, a1), std::min(-b0, -b1));
                possible[0] = !(high > 0.0 && high * high > limit);
                possible[1] = !(low < 0.0 && low * low > limit);
                if (!possible[0] && !possible[1]) continue;
            }
            const Vec3d accurate = accurate_cross(a.direction, b.direction);
            const double l = length(accurate);
            if (!(l > 0.0)) continue;
            const double gap = dot(accurate, b.origin - a.origin);
            for (int flip = 0; flip < 2; ++flip) {
                const double s = flip == 0 ? 1.0 : -1.0;
                if (!possible[flip] || s * gap <= best.separation * l) continue;
                const Vec3d n = accurate * (s / l);
                best.offer(p.separation(n), n);
            }
        }
    }
}

// Euclidean distance, starting from a separating direction. Only features within reach of the best distance so far are
// tried: closest points x of A and y of B at distance d satisfy n.x >= min n.B - d.
class Distance {
public:
    Distance(const Placed& p, const Vec3d& n) : p_(p) {
        lowest_b_ = lowest(p.vb, n);
        highest_a_ = highest(p.va, n);
        for (const Vec3d& v : p.va) height_a_.push_back(dot(n, v));
        for (const Vec3d& v : p.vb) height_b_.push_back(dot(n, v));
    }

    Vec3d run() {
        vertices_against_faces(p_.va, height_a_, p_.b, p_.vb, height_b_, true);
        vertices_against_faces(p_.vb, height_b_, p_.a, p_.va, height_a_, false);
        edges_against_edges();
        return gap_;
    }

private:
    // Lengths are compared with a relative slack, so that skipping only loses differences below rounding.
    bool beyond(double gap) const { return gap > distance_ * (1.0 + 1e-9); }
    bool near_a(double height) const { return height >= lowest_b_ - distance_ * (1.0 + 1e-9); }
    bool near_b(double height) const { return height <= highest_a_ + distance_ * (1.0 + 1e-9); }

    void offer(const Vec3d& gap) {
        const double d = length(gap);
        if (d < distance_) distance_ = d, gap_ = gap;
    }

    void vertices_against_faces(const std::vector<Vec3d>& points, const std::vector<double>& point_height,
                                const OracleHull& hull, const std::vector<Vec3d>& v, const std::vector<double>& height,
                                bool points_are_a) {
        for (std::size_t i = 0; i < points.size(); ++i) {
            if (!(points_are_a ? near_a(point_height[i]) : near_b(point_height[i]))) continue;
            for (const OracleHull::Triangle& t : hull.triangles) {
                const double h0 = height[t.v[0]], h1 = height[t.v[1]], h2 = height[t.v[2]];
                if (points_are_a ? !(near_b(h0) || near_b(h1) || near_b(h2))
                                 : !(near_a(h0) || near_a(h1) || near_a(h2))) {
                    continue;
                }
                if (beyond(points_are_a ? std::fmin(std::fmin(h0, h1), h2) - point_height[i]
                                        : point_height[i] - std::fmax(std::fmax(h0, h1), h2))) {
                    continue;
                }
                const Vec3d q = closest_on_triangle(points[i], v[t.v[0]], v[t.v[1]], v[t.v[2]]);
                offer(points_are_a ? q - points[i] : points[i] - q);
            }
        }
    }

    void edges_against_edges() {
        for (const OracleHull::Edge& e : p_.a.edges) {
            if (!near_a(height_a_[e.v[0]]) && !near_a(height_a_[e.v[1]])) continue;
            for (const OracleHull::Edge& f : p_.b.edges) {
                if (!near_b(height_b_[f.v[0]]) && !near_b(height_b_[f.v[1]])) continue;
                // y - x is at least as long as its part along the separating direction.
                if (beyond(std::fmin(height_b_[f.v[0]], height_b_[f.v[1]]) -
                           std::fmax(height_a_[e.v[0]], height_a_[e.v[1]]))) {
                    continue;
                }
                offer(segment_to_segment(p_.va[e.v[0]], p_.va[e.v[1]], p_.vb[f.v[0]], p_.vb[f.v[1]]));
            }
        }
    }

    const Placed& p_;
    double lowest_b_ = 0;
    double highest_a_ = 0;
    std::vector<double> height_a_;
    std::vector<double> height_b_;
    double distance_ = std::numeric_limits<double>::infinity();
    Vec3d gap_;
};

}  // namespace

OracleResult signed_distance(const OracleHull& a, const PoseD& pose_a, const OracleHull& b, const PoseD& pose_b) {
    return in_default_environment([&]() -> OracleResult {
        if (a.half_space || b.half_space) return half_space_distance(a, pose_a, b, pose_b);
        if (is_small(a) || is_small(b)) {
            OracleResult cores = small_core_distance(a, pose_a, b, pose_b);
            cores.distance -= a.round_radius + b.round_radius;
            return cores;
        }
        const Placed placed(a, pose_a, b, pose_b);
        Best best;
        const FaceSide side_a = search_side(placed, false, best);
        const FaceSide side_b = search_side(placed, true, best);
        if (!(best.separation > kApart * placed.size)) search_edges(placed, side_a, side_b, best);
        if (best.separation > 0.0) {
            const Vec3d gap = Distance(placed, best.normal).run();
            const double d = length(gap);
            // The direction between the closest points has the largest separation, unless they are so close (relative
            // to the hulls) that rounding turns it; then the axis is the better minimiser. In both cases the distance
            // is that of the closest points, and the axis gives a lower bound of it.
            if (d > 0.0) {
                const Vec3d n = gap * (1.0 / d);
                if (placed.separation(n) >= best.separation) best.normal = n;
            }
            best.separation = std::max(best.separation, d);
        }
        return {best.separation - (a.round_radius + b.round_radius), pose_a.rotation * best.normal};
    });
}

double separation_along(const OracleHull& a, const PoseD& pose_a, const OracleHull& b, const PoseD& pose_b,
                        const Vec3d& normal) {
    return in_default_environment([&]() -> double {
        if (a.half_space || b.half_space) return half_space_separation(a, pose_a, b, pose_b, normal);
        const Vec3d to_b = pose_b.position - pose_a.position;
        const double cores = (lowest(b.vertices, transpose_times(pose_b.rotation, normal)) + dot(normal, to_b)) -
                             highest(a.vertices, transpose_times(pose_a.rotation, normal));
        return cores - (a.round_radius + b.round_radius);
    });
}

double point_distance(const OracleHull& h, const Mat3d& rotation, const Vec3d& point) {
    return in_default_environment([&]() -> double {
        const Vec3d p = transpose_times(rotation, point);
        if (h.half_space) return height_over(h, p);
        if (is_small(h)) return distance_to_small_core(h, p) - h.round_radius;
        double above = -std::numeric_limits<double>::infinity();
        for (std::size_t f = 0; f < h.triangles.size(); ++f) {
            above = std::fmax(above, dot(h.normals[f], p - h.vertices[h.triangles[f].v[0]]));
        }
        if (above <= 0.0) return above - h.round_radius;
        double best = std::numeric_limits<double>::infinity();
        for (const OracleHull::Triangle& t : h.triangles) {
            const Vec3d q = closest_on_triangle(p, h.vertices[t.v[0]], h.vertices[t.v[1]], h.vertices[t.v[2]]);
            best = std::fmin(best, length(q - p));
        }
        return best - h.round_radius;
    });
}

}  // namespace lanefold::reference
