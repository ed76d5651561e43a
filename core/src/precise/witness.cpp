// SPDX-License-Identifier: MIT
//
// Tests of contact points, and contacts whose points are right by construction. For edges and faces near the resolution
// of float64, points can lie far off the hulls although every step is right to its last bit: closest points of almost
// parallel lines, crossings with very short sides, and heights over faces seen edge on. So each point is tested against
// both surfaces and against its features. If no point is left, the hulls are moved along the axis until they almost
// touch, and the iteration of Gilbert, Johnson and Keerthi finds points that are on both hulls by construction.

#include "precise/witness.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

#include "precise/facets.hpp"
#include "precise/gjk.hpp"
#include "precise/lanes.hpp"
#include "precise/places.hpp"
#include "precise/record.hpp"
#include "precise/support.hpp"

namespace lanefold::detail {

namespace {

// Factor on Tolerances::off_feature for the reference face's side of a crossing, because the edges cross in projection
// only.
constexpr double kOffSide = 3;

// Factor on Tolerances::loss up to which hulls that were moved together almost touch.
constexpr double kAlmost = 1e3;

// Loss of separation, in units of Tolerances::loss, that edges beside the best ones may have: a quarter of the promised
// bound.
constexpr double kNearlyBest = 5;

// Distance from the points of contact, relative to the smaller hull, up to which edges are beside them. Only time
// depends on it.
constexpr double kBeside = 1e-3;

// Bound on the slides of a contact: to the end of a face, then to the end of an edge, on each hull.
constexpr int kMaxSlides = 4;

Feature feature_of(const FeatureCounts& n, std::uint32_t number) {
    if (number < n.faces) return {FeatureType::face, number};
    if (number < n.faces + n.edges) return {FeatureType::edge, number - n.faces};
    return {FeatureType::vertex, number - n.faces - n.edges};
}

// Lower bound of the distance of x (local frame) from the solid, 0 inside.
double distance_from(const Problem& p, const Solid& s, const Vec3d& x) {
    // A problem whose second hull is the point.
    Problem q(*s.record, *s.record);
    q.a = s;
    double at[3][kPreciseLanes];
    double dots[kPreciseLanes];
    for (double(&row)[kPreciseLanes] : at) std::fill(std::begin(row), std::end(row), 0.0);
    q.b.vertices = 1;
    q.b.vertex_stride = kPreciseLanes;
    q.b.x = at[0];
    q.b.y = at[1];
    q.b.z = at[2];
    q.b.dots = dots;
    q.from_b.position = x;
    q.margin = std::numeric_limits<double>::infinity();
    static_cast<Tolerances&>(q) = Tolerances(p.small, p.large, static_cast<double>(s.record->size) + length(x));
    return std::max(closest_points(q, length_squared(x) > 0 ? x : Vec3d{1, 0, 0}).lower, 0.0);
}

// Whether x (local frame) is within the tolerance of a face, over or under it or beside its rim. Then the solid has a
// point as near: the corners are as far off their plane as merging moved them, and the rim is between corners.
bool is_near_face(const Solid& s, std::uint32_t face, const Vec3d& x, double tolerance) {
    const Vec3d n = s.facet_normal(face);
    const std::uint32_t first = s.view.face_first[face];
    const std::uint32_t corners = s.face_size(face);
    const double distance = std::fabs(dot(n, x) - s.offset[face]);
    double rim = std::numeric_limits<double>::infinity();
    double bend = 0;
    bool inside = true;
    Vec3d from = s.vertex(s.view.face_vertex[first + corners - 1]);
    for (std::uint32_t k = 0; k < corners; ++k) {
        const Vec3d to = s.vertex(s.view.face_vertex[first + k]);
        if (!(dot(cross(n, to - from), x - from) >= 0)) {
            inside = false;
            rim = std::min(rim, segment_distance(x, from, to));
        }
        bend = std::max(bend, std::fabs(dot(n, to) - s.offset[face]));
        from = to;
    }
    return (inside ? distance : rim) + bend <= tolerance;
}

// Whether x (local frame) is within the tolerance of the solid's surface. `face`: where it is expected. The highest
// plane decides where x is farther below or above it, and where the face of that plane is there. Otherwise the
// iteration does, because beyond a sharp rim x is hardly above any plane.
bool on_surface(const Problem& p, const Solid& s, std::uint32_t face, const Vec3d& x, double tolerance) {
    const bool has_face = !s.triangulated && face < s.facets;
    if (has_face && is_near_face(s, face, x, tolerance)) return true;
    double top = -std::numeric_limits<double>::infinity();
    std::uint32_t highest = 0;
    for (std::uint32_t f = 0; f < s.facets; ++f) {
        const double height = dot(s.facet_normal(f), x) - s.offset[f];
        highest = height > top ? f : highest;
        top = std::max(top, height);
    }
    if (!(std::fabs(top) <= tolerance)) return false;
    if (!s.triangulated && is_near_face(s, highest, x, tolerance)) return true;
    return distance_from(p, s, x) <= tolerance;
}

Vec3d to_local_b(const Problem& p, const Vec3d& x) { return transform(p.from_a, x); }

// Faces of both hulls at which a point of contact is expected; kNoIndex: none.
struct ExpectedFaces {
    std::uint32_t a = kNoIndex;
    std::uint32_t b = kNoIndex;
};

bool on_both(const Problem& p, const ExpectedFaces& faces, const Vec3d& on_a, const Vec3d& on_b, double tolerance) {
    return on_surface(p, p.a, faces.a, on_a, tolerance) && on_surface(p, p.b, faces.b, to_local_b(p, on_b), tolerance);
}

bool is(const Place& p, FeatureType t) { return p.feature.type == t; }

// Direction number `way` in which the two places may slide if a face meets a face or an edge: along the edge in either
// direction, or towards a corner of one of the faces. Zero if there are no more directions. Local A.
Vec3d way_to_slide(const Problem& p, const Place& a, const Place& b, std::uint32_t way) {
    const auto along_edge = [way](const Solid& s, std::uint32_t edge) {
        if (way > 1) return Vec3d{};
        const SolidEdge ends = s.edge(edge);
        const Vec3d along = s.vertex(ends.v1) - s.vertex(ends.v0);
        return way == 0 ? along : -along;
    };
    if (is(a, FeatureType::edge)) return along_edge(p.a, a.feature.index);
    if (is(b, FeatureType::edge)) return p.from_b.rotation * along_edge(p.b, b.feature.index);
    const std::uint32_t of_b = p.b.face_size(b.feature.index);
    if (way < of_b) {
        const std::uint32_t slot = p.b.view.face_first[b.feature.index] + way;
        return p.from_b.rotation * (p.b.vertex(p.b.view.face_vertex[slot]) - b.x);
    }
    if (way - of_b >= p.a.face_size(a.feature.index)) return {};
    const std::uint32_t slot = p.a.view.face_first[a.feature.index] + (way - of_b);
    return p.a.vertex(p.a.view.face_vertex[slot]) - a.x;
}

bool nameable(const Place& a, const Place& b) {
    if (is(a, FeatureType::face)) return is(b, FeatureType::vertex);
    return is(b, FeatureType::face) ? is(a, FeatureType::vertex) : true;
}

// The state that two places of a contact keep while they slide.
struct Meeting {
    const Problem& p;
    Vec3d normal;
    double distance = 0;
    double tolerance = 0;  // distance from features
    Extreme of_a;
    Extreme of_b;

    Place place_a(const Vec3d& x) const { return place_of(p.a, of_a, x, tolerance, 2 * p.off_surface); }
    Place place_b(const Vec3d& x) const { return place_of(p.b, of_b, x, tolerance, 2 * p.off_surface); }

    bool holds(const Place& a, const Place& b) const {
        const Vec3d q = transform(p.from_b, b.x);
        const double off = p.off_surface;
        return length((q - a.x) - normal * distance) <= off && on_both(p, {}, a.x, q, off);
    }
};

// Slides both places along the plane or line that their features share, until a record can hold the features (it cannot
// hold a face against a face or an edge). Tries every direction until the places end on both hulls. Returns false if
// none does.
bool slide(const Meeting& m, Place& a, Place& b, int depth) {
    if (nameable(a, b)) return m.holds(a, b);
    if (depth == kMaxSlides) return false;
    for (std::uint32_t way = 0;; ++way) {
        const Vec3d step = way_to_slide(m.p, a, b, way);
        if (step == Vec3d{}) return false;
        const Vec3d step_b = transpose_times(m.p.from_b.rotation, step);
        const double room = std::min(room_along(m.p.a, a, step), room_along(m.p.b, b, step_b));
        if (!std::isfinite(room)) continue;
        Place to_a = m.place_a(a.x + step * room);
        Place to_b = m.place_b(b.x + step_b * room);
        if (to_a.feature == a.feature && to_b.feature == b.feature) continue;
        if (!slide(m, to_a, to_b, depth + 1)) continue;
        a = to_a;
        b = to_b;
        return true;
    }
}

ContactKind kind_of(const Place& a, const Place& b) {
    if (is(a, FeatureType::face)) return ContactKind::face_a;
    if (is(b, FeatureType::face)) return ContactKind::face_b;
    if (is(a, FeatureType::edge)) return is(b, FeatureType::edge) ? ContactKind::edge_edge : ContactKind::edge_vertex;
    return is(b, FeatureType::edge) ? ContactKind::vertex_edge : ContactKind::vertex_vertex;
}

// The axis of an edge of A and one of B on the side of `normal`, and the sine between them.
Vec3d axis_of_edges(const Problem& p, std::uint32_t edge_a, std::uint32_t edge_b, const Vec3d& normal, double& sine) {
    const SolidEdge ea = p.a.edge(edge_a);
    const SolidEdge eb = p.b.edge(edge_b);
    const Vec3d across = cross(normalized(p.a.vertex(ea.v1) - p.a.vertex(ea.v0)),
                               p.from_b.rotation * normalized(p.b.vertex(eb.v1) - p.b.vertex(eb.v0)));
    sine = length(across);
    return across * ((dot(across, normal) < 0 ? -1.0 : 1.0) / sine);
}

// Takes the two edges at the points of contact, and their own axis as the normal if it separates the hulls as well as
// the given one. Merged faces of a thin hull are turned so far that the axis of its true edges may have been pruned,
// and the one that was found is supported by other features than those at the points. Returns false if that does not
// help.
bool take_edges(const Meeting& m, Place& a, Place& b, Vec3d& normal) {
    Feature fa;
    Feature fb;
    if (!nearest_edge(m.p.a, a.x, m.tolerance, fa) || !nearest_edge(m.p.b, b.x, m.tolerance, fb)) return false;
    double sine = 0;
    const Vec3d axis = axis_of_edges(m.p, fa.index, fb.index, normal, sine);
    if (!(sine > Tolerances::kEdgeSine)) return false;
    if (!(separation_along(m.p, axis).value >= m.distance)) return false;
    a.feature = fa;
    b.feature = fb;
    normal = axis;
    return true;
}

// Finds the points at which the hulls meet if B is moved along the normal until they almost touch.
bool meeting_points(const Problem& pair, PreciseScratch::Impl& memory, const Vec3d& normal, double distance,
                    Vec3d& on_a, Vec3d& on_b) {
    Problem p = pair;
    const Vec3d shift = normal * (p.loss + p.rounding - distance);
    p.from_b.position = p.from_b.position + shift;
    p.from_a.position = -(p.from_a.rotation * p.from_b.position);
    p.margin = std::numeric_limits<double>::infinity();
    GjkResult found = closest_points(p, normal);
    if (!found.converged) found = closest_points_brute_force(p, memory, found);
    if (!(found.distance <= kAlmost * p.loss)) return false;
    on_a = found.p;
    on_b = found.q - shift;
    return true;
}

// Fills memory.points with the clip by a face that is extreme along a normal beside its own. Returns false if the clip
// loses the depth.
bool clip_settled(const Problem& p, PreciseScratch::Impl& memory, FaceAxis& axis, std::uint32_t face, double distance) {
    const Solid& own = axis.on_b ? p.b : p.a;
    if (own.triangulated) return false;
    const Support top = furthest(own, axis.normal);
    axis.facet = face;
    axis.own = top.index;
    axis.offset = top.value;
    axis.separation = distance;
    const FaceContact clipped = clip_faces(p, memory, axis);
    return !memory.points.empty() && clipped.deepest <= distance + p.bend + p.off_surface;
}

void gather_edges(const Solid& s, const Vec3d& x, double reach, std::vector<std::uint32_t>& out) {
    out.clear();
    for (std::uint32_t e = 0; e < s.record->edge_count; ++e) {
        if (at_feature(s, {FeatureType::edge, e}, x, reach)) out.push_back(e);
    }
}

}  // namespace

Refusal refusal_of(const Problem& p, const FeatureContact& c, double distance) {
    const Vec3d miss = (c.q - c.p) - c.normal * distance;
    if (c.aside || !(length(miss) <= p.off_surface)) return Refusal::off_surface;
    const auto [fa, fb] = c.features();
    if (!at_feature(p.a, fa, c.p, p.off_feature) || !at_feature(p.b, fb, to_local_b(p, c.q), p.off_feature))
        return Refusal::off_surface;
    const bool extreme = Extreme(p, p.a, c.normal).feature(fa) &&
                         Extreme(p, p.b, -transpose_times(p.from_b.rotation, c.normal)).feature(fb);
    return extreme ? Refusal::none : Refusal::not_extreme;
}

bool is_true_point(const Problem& p, const ClipPoint& c, const FaceContact& faces, bool reference_on_b) {
    const Vec3d half = faces.normal * (0.5 * c.separation);
    const Vec3d on_a = c.middle - half;
    const Vec3d on_b = c.middle + half;
    const ExpectedFaces expected = reference_on_b ? ExpectedFaces{faces.incident, faces.reference}
                                                  : ExpectedFaces{faces.reference, faces.incident};
    if (!on_both(p, expected, on_a, on_b, p.off_surface)) return false;
    const Feature fa = feature_of(p.a.record->feature_counts(), c.number_a);
    const Feature fb = feature_of(p.b.record->feature_counts(), c.number_b);
    if (fa.type == FeatureType::vertex && fb.type == FeatureType::vertex) return true;  // a crossing of two patches
    const bool crossing = fa.type == FeatureType::edge && fb.type == FeatureType::edge;
    const double tolerance = p.off_feature;
    const double at_a = tolerance * (crossing && !reference_on_b ? kOffSide : 1.0);
    const double at_b = tolerance * (crossing && reference_on_b ? kOffSide : 1.0);
    return at_feature(p.a, fa, on_a, at_a) && at_feature(p.b, fb, to_local_b(p, on_b), at_b);
}

void keep_true_points(const Problem& p, PreciseScratch::Impl& memory, bool reference_on_b, FaceContact& c) {
    std::vector<ClipPoint>& points = memory.points;
    std::size_t n = 0;
    c.deepest = std::numeric_limits<double>::infinity();
    for (const ClipPoint& q : points) {
        if (!is_true_point(p, q, c, reference_on_b)) continue;
        c.deepest = std::min(c.deepest, q.separation);
        points[n++] = q;
    }
    points.resize(n);
}

bool settle_contact(const Problem& p, PreciseScratch::Impl& memory, const Vec3d& normal, double distance, Outcome& r) {
    Vec3d on_a;
    Vec3d on_b;
    if (!meeting_points(p, memory, normal, distance, on_a, on_b)) return false;
    const Meeting meeting{p,
                          normal,
                          distance,
                          0.5 * p.off_feature,
                          Extreme(p, p.a, normal),
                          Extreme(p, p.b, -transpose_times(p.from_b.rotation, normal))};
    Place a = meeting.place_a(on_a);
    Place b = meeting.place_b(to_local_b(p, on_b));
    Vec3d taken = normal;
    const bool extreme = meeting.of_a.feature(a.feature) && meeting.of_b.feature(b.feature);
    if ((extreme || !take_edges(meeting, a, b, taken)) && !slide(meeting, a, b, 0)) return false;

    ClipPoint point;
    const Vec3d q = transform(p.from_b, b.x);
    point.middle = (a.x + q) * 0.5;
    point.separation = distance;
    point.number_a = feature_number(p.a.record->feature_counts(), a.feature);
    point.number_b = feature_number(p.b.record->feature_counts(), b.feature);
    r.kind = kind_of(a, b);
    r.feature_a = a.feature.index;
    r.feature_b = b.feature.index;
    r.normal = taken;
    if (r.kind == ContactKind::face_a || r.kind == ContactKind::face_b) {
        FaceAxis axis;
        axis.on_b = r.kind == ContactKind::face_b;
        axis.normal = axis.on_b ? -transpose_times(p.from_b.rotation, normal) : normal;
        axis.support = axis.on_b ? a.feature.index : b.feature.index;
        (axis.on_b ? r.feature_a : r.feature_b) = incident_face(p, axis);
        if (clip_settled(p, memory, axis, axis.on_b ? b.feature.index : a.feature.index, distance)) return true;
    }
    memory.points.clear();
    memory.points.push_back(point);
    return true;
}

bool edges_beside(const Problem& p, PreciseScratch::Impl& memory, const Vec3d& normal, double distance,
                  FeatureContact& contact) {
    Vec3d on_a;
    Vec3d on_b;
    if (!meeting_points(p, memory, normal, distance, on_a, on_b)) return false;
    gather_edges(p.a, on_a, kBeside * p.small, memory.a.near_edges);
    gather_edges(p.b, to_local_b(p, on_b), kBeside * p.small, memory.b.near_edges);
    double best = distance - kNearlyBest * p.loss;
    bool found = false;
    for (const std::uint32_t i : memory.a.near_edges) {
        for (const std::uint32_t j : memory.b.near_edges) {
            EdgeAxis axis{i, j, {}, distance};
            double sine = 0;
            axis.normal = axis_of_edges(p, i, j, normal, sine);
            if (!(sine > Tolerances::kEdgeSine)) continue;
            const double separation = separation_along(p, axis.normal).value;
            if (!(separation >= best)) continue;
            const FeatureContact tried = edge_contact(p, axis);
            if (refusal_of(p, tried, distance) != Refusal::none) continue;
            best = separation;
            contact = tried;
            found = true;
        }
    }
    return found;
}

}  // namespace lanefold::detail
