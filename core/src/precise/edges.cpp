// SPDX-License-Identifier: MIT
//
// Edge search. An edge cannot win if one vertex (witness) of the other hull is, behind both faces of the edge, at least
// as deep as the best axis: every normal on the edge's arc is a combination of the two face normals whose coefficients
// sum to at least one. A mask of witnesses per face finds such edges and leaves a few edges of each hull. Two edges
// whose arcs cross on the Gauss sphere give an axis. Every axis that would win is evaluated with full supports, so that
// an ill-conditioned pair cannot give a wrong depth or separation.

#include "precise/edges.hpp"

#include <algorithm>
#include <cmath>

#include <lanefold/detail/geometry/nearest.hpp>

#include "precise/lanes.hpp"
#include "precise/support.hpp"

namespace lanefold::detail {

namespace {

// Squared sine below which two edges are parallel. Their cross product is only rounding. A face beside them, or a less
// parallel pair, has a separation within sine * length of theirs.
constexpr double kParallelSine2 = 1e-20;

// Squared sine below which the closest points of two lines are not computed from their cross product.
constexpr double kParallelLines2 = 1e-16;

// Sine of the angle between two edges below which rounding tilts their axis by more than is made good for.
constexpr double kTiltedSine = 1e-3;

// Cosine of the angle between the normals of an edge's facets, below which the edge is that of a blade. Rounded planes
// meet beside its vertices. A normal in the middle of its arc multiplies that error by 1 / cos(angle / 2): more than
// 4.5, and up to 1e5.
constexpr double kBlade = -0.9;

// Number of edge pairs above which each edge is first tried against a witness of its own.
constexpr std::size_t kManyPairs = 48;

// Heights of a witness up to which it rules a facet out: with planes as they are, and whatever their error.
struct Depth {
    double threshold;
    double surely;
};

// Fills Solid::dead: bit k of a facet is set if witness k rules the facet out, bit kWitnesses + k if it surely does.
void mark_dead(const Solid& s, const Depth& depth) {
    const std::uint32_t rows = std::min(s.witnesses, kWitnesses);
    const Lanes limit = all_lanes(depth.threshold);
    const Lanes sure_limit = all_lanes(depth.surely);
    for (std::size_t i = 0; i < s.facet_stride; i += 2) {
        LaneBits bits{0, 0};
        for (std::uint32_t k = 0; k < rows; ++k) {
            const std::int64_t bit = std::int64_t{1} << k;
            const LaneBits one{bit, bit};
            const Lanes gap = load_lanes(s.gaps + k * s.facet_stride + i);
            bits |= ((gap <= limit) & one) | ((gap <= sure_limit) & (one << kWitnesses));
        }
        store_lanes(s.dead + i, bits);
    }
}

bool is_blade(const Solid& s, std::uint32_t facet0, std::uint32_t facet1) {
    return dot(s.facet_normal(facet0), s.facet_normal(facet1)) < kBlade;
}

template <class Index>
std::uint32_t scan_edges(const Index* facet0, const Index* facet1, std::size_t step, const Solid& s,
                         std::uint32_t* out) {
    constexpr std::int64_t kDead = (std::int64_t{1} << kWitnesses) - 1;
    std::uint32_t n = 0;
    for (std::uint32_t e = 0; e < s.edges; ++e) {
        const std::uint32_t f0 = facet0[e * step];
        const std::uint32_t f1 = facet1[e * step];
        const std::int64_t both = s.dead[f0] & s.dead[f1];
        out[n] = e;
        n += static_cast<std::uint32_t>((both & kDead) == 0 || (both <= kDead && is_blade(s, f0, f1)));
    }
    return n;
}

std::uint32_t surviving_edges(const Solid& s, std::uint32_t* out) {
    if (s.triangulated) {
        return scan_edges(s.edge_ends + 2, s.edge_ends + 3, 4, s, out);
    }
    const std::byte* block = s.record->block;
    const std::byte* face0 = block + s.view.layout.edge_face0;
    const std::byte* face1 = block + s.view.layout.edge_face1;
    if (s.view.layout.index_bytes == 4) {
        return scan_edges(reinterpret_cast<const std::uint32_t*>(face0), reinterpret_cast<const std::uint32_t*>(face1),
                          1, s, out);
    }
    return scan_edges(reinterpret_cast<const std::uint16_t*>(face0), reinterpret_cast<const std::uint16_t*>(face1), 1,
                      s, out);
}

// Removes the edges that are ruled out by one more witness: the other hull's support along the middle of the edge's
// arc.
std::uint32_t thin_out(const Solid& own, const Solid& other, const PoseD& from_other, const Depth& depth,
                       std::uint32_t* edges, std::uint32_t count) {
    std::uint32_t n = 0;
    for (std::uint32_t i = 0; i < count; ++i) {
        const SolidEdge e = own.edge(edges[i]);
        const Vec3d n0 = own.facet_normal(e.facet0);
        const Vec3d n1 = own.facet_normal(e.facet1);
        const Support low = furthest(other, -transpose_times(from_other.rotation, n0 + n1));
        const Vec3d w = transform(from_other, other.vertex(low.index));
        edges[n] = edges[i];
        const double height = std::max(dot(n0, w) - own.offset[e.facet0], dot(n1, w) - own.offset[e.facet1]);
        const bool deep = height <= depth.threshold && (height <= depth.surely || !is_blade(own, e.facet0, e.facet1));
        n += static_cast<std::uint32_t>(!deep);
    }
    return n;
}

void gather_arcs(const Solid& s, const std::uint32_t* edges, std::uint32_t count, std::vector<ArcEdge>& arcs) {
    arcs.clear();
    for (std::uint32_t i = 0; i < count; ++i) {
        const SolidEdge e = s.edge(edges[i]);
        ArcEdge arc;
        arc.point = s.vertex(e.v0);
        arc.direction = normalized(s.vertex(e.v1) - arc.point);
        arc.n0 = s.facet_normal(e.facet0);
        arc.n1 = s.facet_normal(e.facet1);
        arc.index = edges[i];
        arcs.push_back(arc);
    }
}

// Transforms arcs to local A and negates their normals. These are B's arcs on the Minkowski difference.
void turn_arcs(const PoseD& from_b, std::vector<ArcEdge>& arcs) {
    for (ArcEdge& arc : arcs) {
        arc.point = transform(from_b, arc.point);
        arc.direction = from_b.rotation * arc.direction;
        arc.n0 = -(from_b.rotation * arc.n0);
        arc.n1 = -(from_b.rotation * arc.n1);
    }
}

double edge_length2(const Solid& s, std::uint32_t e) {
    const SolidEdge ends = s.edge(e);
    return length_squared(s.vertex(ends.v1) - s.vertex(ends.v0));
}

class PairSearch {
public:
    PairSearch(const Problem& p, double best_face, EdgeAxis& best) : p_(p), best_(best), goal_(best_face + p.tie) {
        best_.separation = best_face;
    }

    // Tries the axis of two edges. Returns false if it separates the hulls by more than the margin.
    bool try_pair(const ArcEdge& a, const ArcEdge& b) {
        // Let x = dir_a x dir_b. The arcs cross at +x if A's arc goes from the positive to the negative side of B's
        // great circle and B's arc from the negative to the positive side of A's great circle. They cross at -x if both
        // go the other way.
        const double t = p_.arc_slack;
        const double a0 = dot(a.n0, b.direction);
        const double a1 = dot(a.n1, b.direction);
        const double b0 = dot(b.n0, a.direction);
        const double b1 = dot(b.n1, a.direction);
        const bool plus = a0 > -t && a1 < t && b0 < t && b1 > -t;
        const bool minus = a0 < t && a1 > -t && b0 > -t && b1 < t;
        if (!plus && !minus) return true;
        const Vec3d x = cross(a.direction, b.direction);
        const double sine2 = length_squared(x);
        if (sine2 < kParallelSine2) return true;
        const double sine = std::sqrt(sine2);
        const double along = dot(x, b.point - a.point);
        const double goal = goal_ * sine;
        if (plus && along > goal && !evaluate(a, b, x, along, sine)) return false;
        return !(minus && -along > goal) || evaluate(a, b, -x, -along, sine);
    }

private:
    bool evaluate(const ArcEdge& a, const ArcEdge& b, const Vec3d& x, double along, double sine) {
        Vec3d n{x.x / sine, x.y / sine, x.z / sine};
        if (sine < kTiltedSine) {
            // Rounding tilts the axis by 1e-16 / sine. A tilt has the largest effect along the longer edge, so the axis
            // is made perpendicular to that edge.
            const bool a_longer = edge_length2(p_.a, a.index) >= edge_length2(p_.b, b.index);
            const Vec3d d = a_longer ? a.direction : b.direction;
            n = normalized(n - d * dot(n, d));
        }
        const double separation = separation_along(p_, n).value;
        if (!(separation > goal_)) return true;
        // Other edges, parallel to these, support this axis (as in boxes), so it belongs to them. Beside an edge of
        // merged faces a vertex may stand out by as much as the faces are bent. Rounding grows with 1 / sine.
        if (along / sine - separation > p_.touching / sine + 2 * p_.edge_bend) return true;
        // Several axes may be equal up to rounding. The hulls meet where the two edges pass each other within their
        // lengths. The edges of the other axes miss each other by a little.
        const EdgePoints points = closest_on_edges(p_, a.index, b.index);
        const bool meets = points.s >= 0 && points.s <= 1 && points.t >= 0 && points.t <= 1;
        if (!meets && !(separation > best_.separation + p_.equal)) return true;
        best_.edge_a = a.index;
        best_.edge_b = b.index;
        best_.normal = n;
        best_.separation = separation;
        goal_ = meets ? separation + p_.equal : separation - p_.tie;
        return !(separation > p_.margin);
    }

    const Problem& p_;
    EdgeAxis& best_;
    double goal_;  // separation that the next axis must exceed
};

}  // namespace

bool search_edges(Problem& p, PreciseScratch::Impl& memory, double best_face, EdgeAxis& best) {
    // The coefficients of a normal on an arc may sum to more than one, so a bound holds for depths only, not for
    // positive separations.
    const double threshold = std::min(best_face, 0.0) + p.tie;
    const Depth depth{threshold, threshold - p.slack - p.bend};
    mark_dead(p.a, depth);
    mark_dead(p.b, depth);
    std::uint32_t* edges_a = memory.a.survivors.data();
    std::uint32_t* edges_b = memory.b.survivors.data();
    std::uint32_t count_a = surviving_edges(p.a, edges_a);
    std::uint32_t count_b = surviving_edges(p.b, edges_b);
    if (static_cast<std::size_t>(count_a) * count_b > kManyPairs) {
        count_a = thin_out(p.a, p.b, p.from_b, depth, edges_a, count_a);
        count_b = thin_out(p.b, p.a, p.from_a, depth, edges_b, count_b);
    }
    PairSearch search(p, best_face, best);
    if (count_a == 0 || count_b == 0) return true;
    gather_arcs(p.a, edges_a, count_a, memory.a.arcs);
    gather_arcs(p.b, edges_b, count_b, memory.b.arcs);
    turn_arcs(p.from_b, memory.b.arcs);
    for (const ArcEdge& a : memory.a.arcs) {
        for (const ArcEdge& b : memory.b.arcs) {
            if (!search.try_pair(a, b)) return false;
        }
    }
    return true;
}

EdgePoints closest_on_edges(const Vec3d& a0, const Vec3d& a1, const Vec3d& b0, const Vec3d& b1) {
    const Vec3d u = a1 - a0;
    const Vec3d v = b1 - b0;
    const Vec3d w = b0 - a0;
    const auto products = geometry::EdgeProducts<double>::of(u, v, w);
    const Vec3d x = cross(u, v);
    const double det = length_squared(x);
    EdgePoints r;
    r.parallel = det <= kParallelLines2 * (products.aa * products.bb);
    // Cross products, because aa bb - ab ab loses half of the digits if the edges are nearly parallel.
    r.s = r.parallel ? 0.0 : dot(cross(w, v), x) / det;
    r.t = r.parallel ? 0.0 : dot(cross(w, u), x) / det;
    const auto near = geometry::closest_on_edges(products, geometry::clamp01(r.s));
    const bool on_lines = !r.parallel && near.a == r.s;
    const double s = near.a;
    const double t = on_lines ? geometry::clamp01(r.t) : near.b;
    r.p = a0 + u * s;
    r.q = b0 + v * t;
    return r;
}

EdgePoints closest_on_edges(const Problem& p, std::uint32_t a, std::uint32_t b) {
    const SolidEdge ea = p.a.edge(a);
    const SolidEdge eb = p.b.edge(b);
    return closest_on_edges(p.a.vertex(ea.v0), p.a.vertex(ea.v1), transform(p.from_b, p.b.vertex(eb.v0)),
                            transform(p.from_b, p.b.vertex(eb.v1)));
}

}  // namespace lanefold::detail
