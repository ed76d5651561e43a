// SPDX-License-Identifier: MIT
//
// The float64 path from end to end: pose, faces, edges, distance, contact, record. This file is the
// executable definition of a manifold's semantics; each stage has a file of its own (precise_*.cpp).

#include <lanefold/detail/precise.hpp>

#include <algorithm>
#include <cstring>

#include "precise/record.hpp"

namespace lanefold::detail {

namespace {

// An axis that is this close to the optimum, relative to the smaller hull, counts as the optimum even with
// face preference 0: faces win ties. A twentieth of the promised bound on the distance.
constexpr double kFaceTie = 1e-7;

// A separation below this fraction of the coordinates is rounding: the hulls touch.
constexpr double kTouching = 1e-14;

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

Outcome solve(const PrecisePair& pair, Problem& p, PreciseScratch::Impl& memory) {
    Outcome r;
    if (!prepare(pair, memory, p)) return r;
    FaceAxis face;
    EdgeAxis edge;
    const double touching = kTouching * p.scale;
    const FloorVerdict floor = try_floor(p, face);
    if (floor == FloorVerdict::apart) return r;
    if (floor == FloorVerdict::unknown) {
        if (!search_faces(p, memory, face)) return r;
        if (face.separation <= touching && !search_edges(p, memory, face.separation, edge)) return r;
        chord_to_face(p, edge, face);
    }

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
        const bool patch = pair.method == ContactMethod::patch && !(pair.a->is_box() && pair.b->is_box());
        if (patch && !p.a.planes) prepare_planes(memory, p);
        const double band = static_cast<double>(pair.patch_band) * p.small;
        FaceContact clipped = patch ? clip_patches(p, memory, face, band) : clip_faces(p, memory, face);
        const double tie = kDepthLoss * p.small + p.bend;
        const double limit = r.distance + p.preference + tie;
        const auto lost = [&] { return memory.points.empty() || clipped.deepest > limit; };
        if (lost() && contact.kind != ContactKind::none) {
            take_feature_contact(p, memory, contact, r);
        } else {
            if (lost() && !clip_tied_supports(p, memory, face, tie, limit, clipped)) {
                // An edge that lies along a side of the reference face, outside of it by no more than makes faces tie: the ends
                // of that edge may be anywhere.
                clipped = clip_faces_within(p, memory, face, tie);
                if (lost()) keep_support_point(p, memory, face);
            }
            take_face_contact(face, clipped, r);
        }
    } else {
        take_feature_contact(p, memory, contact, r);
    }
    if (pair.points == PointSelection::impact && !memory.points.empty()) keep_impact_points(p, memory.points);
    return r;
}

template <class Manifold>
void run(const PrecisePair& pair, PreciseScratch& scratch, Manifold& out) {
    Problem p(*pair.a, *pair.b);
    const Outcome r = solve(pair, p, scratch.impl());
    std::vector<ClipPoint>& points = scratch.impl().points;
    write(pair, p, r, points, points.size(), out);
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
    write_axis(p, r, out);
}

}  // namespace lanefold::detail
