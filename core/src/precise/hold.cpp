// SPDX-License-Identifier: MIT
//
// Hysteresis: decides whether the features of the pair's previous contact stay although others are now a little better.
// All values are computed at the present poses. The previous record only selects the features to test, so whatever it
// contains, only an allowed axis can be chosen.

#include <algorithm>

#include <lanefold/detail/plane_hull.hpp>

#include "precise/plane_contact.hpp"
#include "precise/pose.hpp"
#include "precise/record.hpp"
#include "precise/reduce.hpp"
#include "precise/small.hpp"
#include "precise/support.hpp"
#include "precise/witness.hpp"

namespace lanefold::detail {

namespace {

// Sine of the angle between two edges below which their axis is not kept, because a small turn of a body swings it
// round.
constexpr double kHeldSine = 1e-3;

// Length, in units of Tolerances::loss, by which the supports along a kept edge axis may lie beyond its edges: half of
// the promised bound on the distance. Beyond it the edges no longer meet.
constexpr double kEdgeSupport = 10;

// Part of the area of the usual reduction that the previous points must span.
constexpr double kSpread = 0.9;

bool is_face(ContactKind kind) { return kind == ContactKind::face_a || kind == ContactKind::face_b; }

// Evaluates the previous reference face. Returns false if there is no such face.
bool reference_axis(const Problem& p, const FeatureChoice& f, FaceAxis& best) {
    const bool on_b = f.kind == ContactKind::face_b;
    const Solid& own = on_b ? p.b : p.a;
    const std::uint32_t face = on_b ? f.feature_b : f.feature_a;
    if (face >= own.record->face_count) return false;
    const std::uint32_t first = own.first_facet(face);
    const std::uint32_t last = own.first_facet(face + 1);
    for (std::uint32_t facet = first; facet < last; ++facet) {
        const FaceAxis axis = evaluate_facet(p, on_b, facet);
        if (facet == first || axis.separation > best.separation) best = axis;
    }
    return first < last;
}

// Evaluates the axis of the previous edges. Returns false unless both support it and pass each other within their
// lengths.
bool edge_axis(const Problem& p, const FeatureChoice& f, EdgeAxis& best) {
    if (f.feature_a >= p.a.record->edge_count || f.feature_b >= p.b.record->edge_count) return false;
    const SolidEdge ea = p.a.edge(f.feature_a);
    const SolidEdge eb = p.b.edge(f.feature_b);
    const Vec3d a0 = p.a.vertex(ea.v0);
    const Vec3d a1 = p.a.vertex(ea.v1);
    const Vec3d b0 = transform(p.from_b, p.b.vertex(eb.v0));
    const Vec3d b1 = transform(p.from_b, p.b.vertex(eb.v1));
    const Vec3d x = cross(normalized(a1 - a0), normalized(b1 - b0));
    const double sine = length(x);
    if (!(sine >= kHeldSine)) return false;
    const EdgePoints points = closest_on_edges(a0, a1, b0, b1);
    if (!(points.s >= 0 && points.s <= 1 && points.t >= 0 && points.t <= 1)) return false;
    best.edge_a = f.feature_a;
    best.edge_b = f.feature_b;
    for (const double sign : {1.0, -1.0}) {
        best.normal = x * (sign / sine);
        best.separation = separation_along(p, best.normal).value;
        const double along = dot(best.normal, b0 - a0);
        if (along - best.separation <= kEdgeSupport * p.loss + 2 * p.bend) return true;
    }
    return false;
}

// Computes the value with which a previous axis is compared: the distance, or if larger, the separation of the chosen
// reference face plus the preference. Returns false if that face does not exist.
bool utility_of(const Problem& p, const FeatureChoice& chosen, double distance, double& utility) {
    utility = distance;
    if (!is_face(chosen.kind)) return true;
    FaceAxis axis;
    if (!reference_axis(p, chosen, axis)) return false;
    utility = std::max(utility, axis.separation + p.preference);
    return true;
}

bool hold_face(const Problem& p, PreciseScratch::Impl& memory, const FeatureChoice& previous, double band,
               double utility, Outcome& r) {
    FaceAxis axis;
    if (!reference_axis(p, previous, axis)) return false;
    if (!(axis.separation + p.preference >= utility - band)) return false;
    const std::uint32_t incident = axis.on_b ? previous.feature_a : previous.feature_b;
    const FaceContact clipped = clip_faces(p, memory, axis, incident, band);
    const double limit = r.distance + (p.preference + band) + p.depth_loss;
    if (lost_depth(memory, clipped, limit)) return false;
    take_face_contact(axis, clipped, r);
    return true;
}

bool hold_edges(const Problem& p, PreciseScratch::Impl& memory, const FeatureChoice& previous, double band,
                double utility, Outcome& r) {
    EdgeAxis axis;
    if (!edge_axis(p, previous, axis)) return false;
    if (!(axis.separation >= utility - band)) return false;
    take_feature_contact(p, memory, edge_contact(p, axis), r);
    return true;
}

// Area of the convex hull of at most 16 points, in the contact plane.
double hull_area(ClipPoint* points, std::size_t count) {
    std::sort(points, points + count,
              [](const ClipPoint& a, const ClipPoint& b) { return a.u < b.u || (a.u == b.u && a.v < b.v); });
    ClipPoint hull[2 * Manifold16::kCapacity];
    const std::size_t corners =
        plane_hull(points, count, hull,
                   [](const ClipPoint& p, const ClipPoint& q, const ClipPoint& r) { return turn(p, q, r.u, r.v) > 0; });
    double area = 0;
    for (std::size_t k = 0; k < corners; ++k) {
        const ClipPoint& from = hull[k];
        const ClipPoint& to = hull[k + 1 < corners ? k + 1 : 0];
        area += from.u * to.v - from.v * to.u;
    }
    return 0.5 * area;
}

// Reduces the points to those of the previous record if all of these still exist, reach the depth within `band`, and
// span nearly the area of the usual reduction. Returns whether they do.
bool hold_points(const PreviousChoice& previous, std::uint32_t total_b, std::size_t capacity, double band,
                 std::vector<ClipPoint>& points) {
    if (points.size() <= capacity || previous.count != capacity) return false;
    ClipPoint kept[Manifold16::kCapacity];
    std::size_t count = 0;
    double deepest = points.front().separation;
    for (const ClipPoint& c : points) {
        deepest = std::min(deepest, c.separation);
        const std::uint32_t id = feature_id(c.number_a, c.number_b, total_b);
        const auto* const end = previous.points + previous.count;
        const bool known = std::any_of(previous.points, end, [id](const ContactPoint& q) { return q.feature == id; });
        if (known && count < capacity) kept[count++] = c;
    }
    if (count != capacity) return false;
    const ClipPoint* lowest = std::min_element(
        kept, kept + count, [](const ClipPoint& a, const ClipPoint& b) { return a.separation < b.separation; });
    if (!(lowest->separation <= deepest + band)) return false;
    ClipPoint sorted[Manifold16::kCapacity];
    std::copy(kept, kept + count, sorted);
    const double area = hull_area(sorted, count);
    reduce_points(points, capacity);
    std::copy(points.begin(), points.end(), sorted);
    const bool spread = area >= kSpread * hull_area(sorted, count);
    if (spread) std::copy(kept, kept + count, points.begin());
    return spread;
}

// A contact with a half-space has no other features: only the choice of its points may stay.
template <class Manifold>
bool hold_on_plane(const PrecisePair& pair, const Hold& hold, PreciseScratch::Impl& memory, Manifold& out) {
    if (!(hold.previous->features == hold.chosen)) return false;
    Problem p(*pair.a, *pair.b);
    Outcome r = solve_half_space(pair, p, memory);
    if (!r.reported) return false;
    const std::size_t total = memory.points.size();
    const double band = static_cast<double>(hold.hysteresis) * p.small;
    if (!hold_points(*hold.previous, p.b.record->feature_counts().total(), Manifold::kCapacity, band, memory.points))
        return false;
    write(pair, p, r, memory.points, total, out);
    out.distance = hold.distance;
    return true;
}

template <class Manifold>
bool hold(const PrecisePair& pair, const Hold& hold, PreciseScratch& scratch, Manifold& out) {
    const PreviousChoice& previous = *hold.previous;
    if (has_half_space(pair)) return hold_on_plane(pair, hold, scratch.impl(), out);
    // A previous face may stay against any contact. Two previous edges may stay against edges or vertices, but not
    // against a face, because several points support a body better than one. A contact with a vertex never stays,
    // because no other axis is nearly as good.
    const bool faces = is_face(previous.features.kind);
    const bool edges = previous.features.kind == ContactKind::edge_edge && !is_face(hold.chosen.kind);
    if (!faces && !edges) return false;
    // A contact of a small core has no other features that are nearly as good.
    if (has_small_core(pair)) return false;
    Problem p(*pair.a, *pair.b);
    PreciseScratch::Impl& memory = scratch.impl();
    if (!prepare(pair, memory, p)) return false;
    prepare_planes(memory, p);
    Outcome r;
    r.reported = true;
    r.distance = static_cast<double>(hold.distance) + p.radii;
    const double band = static_cast<double>(hold.hysteresis) * p.small;
    double utility = 0;
    if (!utility_of(p, hold.chosen, r.distance, utility)) return false;
    if (faces ? !hold_face(p, memory, previous.features, band, utility, r)
              : !hold_edges(p, memory, previous.features, band, utility, r))
        return false;
    std::vector<ClipPoint>& points = memory.points;
    if (pair.points == PointSelection::impact) keep_impact_points(p, points);
    const std::size_t total = points.size();
    const bool same = FeatureChoice{r.feature_a, r.feature_b, r.kind} == hold.chosen;
    const bool held = hold_points(previous, p.b.record->feature_counts().total(), Manifold::kCapacity, band, points);
    if (same && !held) return false;
    write(pair, p, r, points, total, out);
    out.distance = hold.distance;
    return true;
}

}  // namespace

bool hold_contact(const PrecisePair& pair, const Hold& h, PreciseScratch& scratch, Manifold4& out) {
    return hold(pair, h, scratch, out);
}

bool hold_contact(const PrecisePair& pair, const Hold& h, PreciseScratch& scratch, Manifold16& out) {
    return hold(pair, h, scratch, out);
}

}  // namespace lanefold::detail
