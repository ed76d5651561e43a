// SPDX-License-Identifier: MIT
//
// The float64 path from end to end: floor, pose, faces, edges, distance, contact, record. This file is the executable
// definition of a manifold's semantics. Each stage has a source of its own in core/src/precise.

#include <lanefold/detail/precise.hpp>

#include <algorithm>
#include <cstring>
#include <limits>
#include <vector>

#include "precise/floor.hpp"
#include "precise/other_faces.hpp"
#include "precise/patch_faces.hpp"
#include "precise/places.hpp"
#include "precise/pose.hpp"
#include "precise/record.hpp"
#include "precise/support.hpp"
#include "precise/witness.hpp"

namespace lanefold::detail {

namespace {

// If the best edge is a chord of a split face, the feature is the face: turns the edge axis into an axis of that face.
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

bool has_patches(const PrecisePair& pair) {
    return pair.method == ContactMethod::patch && !(pair.a->is_box() && pair.b->is_box());
}

double patch_band(const PrecisePair& pair, const Problem& p) { return static_cast<double>(pair.patch_band) * p.small; }

FaceContact clip(const PrecisePair& pair, Problem& p, PreciseScratch::Impl& memory, const FaceAxis& face) {
    const bool patch = has_patches(pair);
    if ((patch || p.thin) && !p.a.planes) prepare_planes(memory, p);
    return patch ? clip_patches(p, memory, face, patch_band(pair, p)) : clip_faces(p, memory, face);
}

// Takes a contact of edges or vertices. If its points are not on those features, settle_contact() finds the features
// that meet along the axis.
void take_features(const Problem& p, PreciseScratch::Impl& memory, const FeatureContact& contact, Outcome& r) {
    const bool there = !contact.aside && is_true_contact(p, contact, r.distance);
    if (!there && settle_contact(p, memory, contact.normal, r.distance, r)) return;
    FeatureContact beside;
    const bool other =
        !there && !contact.aside && p.thin && edges_beside(p, memory, contact.normal, r.distance, beside);
    take_feature_contact(p, memory, other ? beside : contact, r);
}

// Takes a face contact. `contact`: the optimum, if that is a contact of edges or vertices.
void take_face(const PrecisePair& pair, Problem& p, PreciseScratch::Impl& memory, const FaceAxis& face,
               const FeatureContact& contact, Outcome& r) {
    FaceContact clipped = clip(pair, p, memory, face);
    const double tie = p.depth_loss;
    const double limit = r.distance + p.preference + tie;
    const auto lost = [&] { return lost_depth(memory, clipped, limit); };
    const auto take_other = [&] {
        if (!p.a.planes) prepare_planes(memory, p);
        FaceAxis other = face;
        const bool patch =
            has_patches(pair) && clip_other_patches(p, memory, other, patch_band(pair, p), limit, clipped);
        if (!patch && !clip_other_faces(p, memory, other, limit, clipped)) return false;
        take_face_contact(other, clipped, r);
        return true;
    };
    if (lost() && p.thin && take_other()) return;
    if (lost() && contact.kind != ContactKind::none) {
        if (p.thin || is_true_contact(p, contact, r.distance) || !take_other()) take_features(p, memory, contact, r);
        return;
    }
    if (lost() && !clip_tied_supports(p, memory, face, tie, limit, clipped)) {
        // The deepest edge lies along a side of the reference face and outside of it by less than the tie of faces, so
        // both of its ends may be outside. Points up to that far outside count as inside.
        clipped = clip_faces_within(p, memory, face, tie);
        if (lost() && !p.thin && take_other()) return;
        if (lost() && p.thin && settle_contact(p, memory, clipped.normal, face.separation, r)) return;
        if (lost() && p.thin) {
            // A strip of the face carries the contact. Points at its rim are off its plane by what merging moved it.
            Problem wide = p;
            wide.off_surface += kBuildDeviation * p.large;
            clipped = clip_faces_within(wide, memory, face, tie);
        }
        if (lost()) keep_support_point(p, memory, face);
    }
    take_face_contact(face, clipped, r);
}

Outcome solve(const PrecisePair& pair, Problem& p, PreciseScratch::Impl& memory) {
    Outcome r;
    if (!prepare(pair, memory, p)) return r;
    FaceAxis face;
    EdgeAxis edge;
    const FloorVerdict floor = try_floor(p, face);
    if (floor == FloorVerdict::apart) return r;
    if (floor == FloorVerdict::unknown) {
        if (!search_faces(p, memory, face)) return r;
        if (face.separation <= p.touching && !search_edges(p, memory, face.separation, edge)) return r;
        chord_to_face(p, edge, face);
    }

    bool face_is_optimum = edge.edge_a == kNoIndex;
    FeatureContact contact;
    r.distance = face_is_optimum ? face.separation : edge.separation;
    if (r.distance > p.touching) {
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

    const bool use_face = face_is_optimum || face.separation >= r.distance - p.preference - std::max(p.loss, p.bend);
    if (use_face) {
        take_face(pair, p, memory, face, contact, r);
    } else {
        take_features(p, memory, contact, r);
    }
    if (pair.points == PointSelection::impact && !memory.points.empty()) keep_impact_points(p, memory.points);
    return r;
}

// If the kernels decided the distance, sets it, and removes the points that only the widened margin let in. The deepest
// ones stay. Faces with patches reach beyond the margin by both bands, whichever clip made their points.
void keep_decided(const PrecisePair& pair, const Problem& p, std::vector<ClipPoint>& points, Outcome& r) {
    if (!is_decided(pair) || !r.reported) return;
    r.distance = pair.distance;
    const bool face = r.kind == ContactKind::face_a || r.kind == ContactKind::face_b;
    const bool patch = face && has_patches(pair);
    const double reach = patch ? 2 * patch_band(pair, p) + p.tie : 0.0;
    const double margin = pair.margin;
    const double tied = margin + p.tie + p.bend;
    double deepest = std::numeric_limits<double>::infinity();
    for (const ClipPoint& c : points) deepest = std::min(deepest, c.separation);
    std::erase_if(points, [&](const ClipPoint& c) { return c.separation > std::max(deepest + reach, tied); });
    for (ClipPoint& c : points) {
        if (!patch || c.separation <= tied) c.separation = std::min(c.separation, std::max(margin, r.distance));
    }
}

template <class Manifold>
void run(const PrecisePair& pair, PreciseScratch& scratch, Manifold& out) {
    Problem p(*pair.a, *pair.b);
    Outcome r = solve(pair, p, scratch.impl());
    std::vector<ClipPoint>& points = scratch.impl().points;
    keep_decided(pair, p, points, r);
    write(pair, p, r, points, points.size(), out);
}

}  // namespace

void collide_precise(const PrecisePair& pair, PreciseScratch& scratch, Manifold4& out) { run(pair, scratch, out); }

void collide_precise(const PrecisePair& pair, PreciseScratch& scratch, Manifold16& out) { run(pair, scratch, out); }

void collide_precise(const PrecisePair& pair, PreciseScratch& scratch, PairDistance& out) {
    // The contact is built as well, so that normal and kind equal those of a manifold.
    Problem p(*pair.a, *pair.b);
    Outcome r = solve(pair, p, scratch.impl());
    keep_decided(pair, p, scratch.impl().points, r);
    std::memset(static_cast<void*>(&out), 0, sizeof out);
    if (!r.reported) return;
    write_axis(p, r, out);
}

}  // namespace lanefold::detail
