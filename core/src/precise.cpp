// SPDX-License-Identifier: MIT
//
// The float64 path from end to end: pose, faces, edges, distance, contact, record. This file is the
// executable definition of a manifold's semantics; each stage has a file of its own (precise_*.cpp).

#include <lanefold/detail/precise.hpp>

#include <algorithm>
#include <cstring>

#include "precise_types.hpp"

namespace lanefold::detail {

namespace {

// An axis that is this close to the optimum, relative to the smaller hull, counts as the optimum even with
// face preference 0: faces win ties. A twentieth of the promised bound on the distance.
constexpr double kFaceTie = 1e-7;

// How much shallower than the optimum (beyond the preference) the deepest clipped point may be before the
// face manifold is replaced, relative to the smaller hull.
constexpr double kDepthLoss = 1e-6;

// PointSelection::impact: height of the band above the deepest point, relative to the smaller hull.
constexpr double kImpactBand = 1e-3;

// A separation below this fraction of the coordinates is rounding: the hulls touch.
constexpr double kTouching = 1e-14;

// The result before it is packed into a record; points are in memory.points.
struct Outcome {
    bool reported = false;
    ContactKind kind = ContactKind::none;
    std::uint32_t feature_a = 0;
    std::uint32_t feature_b = 0;
    Vec3d normal;  // local A
    double distance = 0;
};

// When the best edge is a chord of a split face, the face is the feature: its axis becomes that face's axis.
void chord_to_face(const Problem& p, EdgeAxis& edge, FaceAxis& face) {
    if (edge.edge_a == kNoIndex) return;
    const bool chord_a = p.a.is_diagonal(edge.edge_a);
    if (!chord_a && !p.b.is_diagonal(edge.edge_b)) return;
    face.on_b = !chord_a;
    face.facet = chord_a ? p.a.edge(edge.edge_a).facet0 : p.b.edge(edge.edge_b).facet0;
    face.normal = chord_a ? edge.normal : -transpose_times(p.from_b.rotation, edge.normal);
    const AxisSeparation s = separation_along(p, edge.normal);
    face.own = chord_a ? s.a : s.b;
    face.support = chord_a ? s.b : s.a;
    face.offset = dot(face.normal, (chord_a ? p.a : p.b).vertex(face.own));
    face.separation = s.value;
    edge = {};
}

void take_feature_contact(const Problem& p, PreciseScratch::Impl& memory, const FeatureContact& c, Outcome& r) {
    r.kind = c.kind;
    r.feature_a = c.feature_a;
    r.feature_b = c.feature_b;
    r.normal = c.normal;
    const bool edge_a = c.kind == ContactKind::edge_edge || c.kind == ContactKind::edge_vertex;
    const bool edge_b = c.kind == ContactKind::edge_edge || c.kind == ContactKind::vertex_edge;
    ClipPoint point;
    point.middle = (c.p + c.q) * 0.5;
    point.separation = c.distance;
    point.number_a =
        feature_number(p.a.record->feature_counts(), {edge_a ? FeatureType::edge : FeatureType::vertex, c.feature_a});
    point.number_b =
        feature_number(p.b.record->feature_counts(), {edge_b ? FeatureType::edge : FeatureType::vertex, c.feature_b});
    memory.points.clear();
    memory.points.push_back(point);
}

void take_face_contact(const FaceAxis& axis, const FaceContact& c, Outcome& r) {
    r.kind = axis.on_b ? ContactKind::face_b : ContactKind::face_a;
    r.feature_a = axis.on_b ? c.incident : c.reference;
    r.feature_b = axis.on_b ? c.reference : c.incident;
    r.normal = c.normal;
}

void keep_impact_points(const Problem& p, std::vector<ClipPoint>& points) {
    double deepest = points.front().separation;
    for (const ClipPoint& c : points) deepest = std::min(deepest, c.separation);
    const double limit = deepest + kImpactBand * p.small;
    std::size_t n = 0;
    for (const ClipPoint& c : points) {
        if (c.separation <= limit) points[n++] = c;
    }
    points.resize(n);
}

Outcome solve(const PrecisePair& pair, Problem& p, PreciseScratch::Impl& memory) {
    Outcome r;
    prepare(pair, memory, p);
    FaceAxis face;
    if (!search_faces(p, memory, face)) return r;
    EdgeAxis edge;
    const double touching = kTouching * p.scale;
    if (face.separation <= touching && !search_edges(p, memory, face.separation, edge)) return r;
    chord_to_face(p, edge, face);

    bool face_is_optimum = edge.edge_a == kNoIndex;
    FeatureContact contact;
    r.distance = face_is_optimum ? face.separation : edge.separation;
    if (r.distance > touching) {
        const Nearest nearest = finish_distance(p, memory, face, edge);
        if (nearest.beyond_margin) return r;
        r.distance = nearest.distance;
        face_is_optimum = nearest.face;
        contact = nearest.contact;
    } else if (!face_is_optimum) {
        contact = edge_contact(p, edge);
    }
    if (r.distance > p.margin) return r;
    r.reported = true;

    const bool use_face =
        face_is_optimum || face.separation >= r.distance - p.preference - std::max(kFaceTie * p.small, p.bend);
    if (use_face) {
        FaceContact clipped = clip_faces(p, memory, face);
        const double tie = kDepthLoss * p.small + p.bend;
        const double limit = r.distance + p.preference + tie;
        const bool lost = memory.points.empty() || clipped.deepest > limit;
        if (lost && contact.kind != ContactKind::none) {
            take_feature_contact(p, memory, contact, r);
        } else {
            if (lost && !clip_tied_supports(p, memory, face, tie, limit, clipped)) keep_support_point(p, memory, face);
            take_face_contact(face, clipped, r);
        }
    } else {
        take_feature_contact(p, memory, contact, r);
    }
    if (pair.points == PointSelection::impact && !memory.points.empty()) keep_impact_points(p, memory.points);
    return r;
}

template <class Manifold>
void write(const PrecisePair& pair, const Problem& p, const Outcome& r, std::vector<ClipPoint>& points, Manifold& out) {
    std::memset(static_cast<void*>(&out), 0, sizeof out);
    if (!r.reported) return;
    out.pair[0] = pair.index_a;
    out.pair[1] = pair.index_b;
    const Vec3f normal = to_float(p.world * r.normal);
    out.normal[0] = normal.x;
    out.normal[1] = normal.y;
    out.normal[2] = normal.z;
    out.distance = static_cast<float>(r.distance);
    out.feature_a = r.feature_a;
    out.feature_b = r.feature_b;
    out.total = static_cast<std::uint16_t>(std::min<std::size_t>(points.size(), 65535));
    reduce_points(points, Manifold::kCapacity);
    out.count = static_cast<std::uint8_t>(points.size());
    out.kind = r.kind;
    const std::uint32_t total_b = p.b.record->feature_counts().total();
    for (std::size_t i = 0; i < points.size(); ++i) {
        const Vec3f x = to_float(p.world * (points[i].middle + p.a.centre));
        ContactPoint& c = out.points[i];
        c.position[0] = x.x;
        c.position[1] = x.y;
        c.position[2] = x.z;
        c.separation = static_cast<float>(points[i].separation);
        c.feature = feature_id(points[i].number_a, points[i].number_b, total_b);
        for (std::size_t k = 0; k < i; ++k) {
            // Ids are unique within a manifold: the next free value, starting over after every step.
            if (out.points[k].feature == c.feature) {
                ++c.feature;
                k = static_cast<std::size_t>(-1);
            }
        }
    }
}

template <class Manifold>
void run(const PrecisePair& pair, PreciseScratch& scratch, Manifold& out) {
    Problem p(*pair.a, *pair.b);
    const Outcome r = solve(pair, p, scratch.impl());
    write(pair, p, r, scratch.impl().points, out);
}

}  // namespace

void collide_precise(const PrecisePair& pair, PreciseScratch& scratch, Manifold4& out) { run(pair, scratch, out); }

void collide_precise(const PrecisePair& pair, PreciseScratch& scratch, Manifold16& out) { run(pair, scratch, out); }

void collide_precise(const PrecisePair& pair, PreciseScratch& scratch, PairDistance& out) {
    // The contact is built as well: normal and kind are those of the manifold, whatever the output form.
    Problem p(*pair.a, *pair.b);
    const Outcome r = solve(pair, p, scratch.impl());
    std::memset(static_cast<void*>(&out), 0, sizeof out);
    if (!r.reported) return;
    const Vec3f normal = to_float(p.world * r.normal);
    out.normal[0] = normal.x;
    out.normal[1] = normal.y;
    out.normal[2] = normal.z;
    out.distance = static_cast<float>(r.distance);
    out.kind = r.kind;
}

}  // namespace lanefold::detail
