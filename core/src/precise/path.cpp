// SPDX-License-Identifier: MIT
//
// The float64 path from end to end: floor, pose, faces, edges, distance, candidates, record. This file is the
// executable definition of a manifold: the first candidate for a contact that is accepted (candidates.hpp; DESIGN.md:
// This is a manifold). Each stage has a source of its own in core/src/precise.

#include <lanefold/detail/precise.hpp>

#include <algorithm>
#include <cstring>
#include <limits>
#include <vector>

#include <lanefold/detail/surface_block.hpp>

#include "precise/candidates.hpp"
#include "precise/floor.hpp"
#include "precise/plane_contact.hpp"
#include "precise/pose.hpp"
#include "precise/record.hpp"
#include "precise/small.hpp"
#include "precise/support.hpp"

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

TriedCandidate describe(const Candidate& c, Refusal refusal, const std::vector<ClipPoint>& points) {
    TriedCandidate t{c.kind, refusal, c.outcome.kind, c.outcome.feature_a, c.outcome.feature_b};
    if (refusal == Refusal::not_found) return t;
    if (c.contact.kind != ContactKind::none) {
        t.kind = c.contact.kind;
        t.feature_a = c.contact.feature_a;
        t.feature_b = c.contact.feature_b;
        t.points = 1;
        t.deepest = c.contact.distance;
        return t;
    }
    t.points = static_cast<std::uint32_t>(points.size());
    t.deepest = std::numeric_limits<double>::infinity();
    for (const ClipPoint& q : points) t.deepest = std::min(t.deepest, q.separation);
    return t;
}

// Takes the first candidate that is accepted. `tried`: where to list them, or null.
void choose(const PrecisePair& pair, Problem& p, PreciseScratch::Impl& memory, const Optimum& optimum,
            std::vector<TriedCandidate>* tried, Outcome& r) {
    Candidates candidates(pair, p, memory, optimum);
    Candidate c;
    while (candidates.next(c)) {
        const Refusal refusal = accept(p, memory, c, optimum.distance);
        if (tried != nullptr) tried->push_back(describe(c, refusal, memory.points));
        if (refusal != Refusal::none) continue;
        r = c.outcome;
        r.reported = true;
        r.distance = optimum.distance;
        return;
    }
}

Outcome solve(const PrecisePair& pair, Problem& p, PreciseScratch::Impl& memory,
              std::vector<TriedCandidate>* tried = nullptr) {
    if (is_surface(*pair.a) || is_surface(*pair.b)) return {};  // core/src/ground has such pairs
    if (has_half_space(pair)) return solve_half_space(pair, p, memory);
    if (has_small_core(pair)) return solve_small(pair, p, memory);
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
    const bool prefers_face =
        face_is_optimum || face.separation >= r.distance - p.preference - std::max(p.loss, p.bend);
    choose(pair, p, memory, {face, contact, r.distance, prefers_face}, tried, r);
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
    const double margin = static_cast<double>(pair.margin) + p.radii;
    const double tied = margin + p.tie + p.bend;
    double deepest = std::numeric_limits<double>::infinity();
    for (const ClipPoint& c : points) deepest = std::min(deepest, c.separation);
    std::erase_if(points, [&](const ClipPoint& c) { return c.separation > std::max(deepest + reach, tied); });
    for (ClipPoint& c : points) {
        if (!patch || c.separation <= tied) c.separation = std::min(c.separation, std::max(margin, r.distance));
    }
}

template <class Manifold>
void run(const PrecisePair& pair, PreciseScratch& scratch, Manifold& out,
         std::vector<TriedCandidate>* tried = nullptr) {
    Problem p(*pair.a, *pair.b);
    Outcome r = solve(pair, p, scratch.impl(), tried);
    std::vector<ClipPoint>& points = scratch.impl().points;
    keep_decided(pair, p, points, r);
    const std::size_t total = points.size();
    if (has_half_space(pair)) reduce_on_plane(p, r, Manifold::kCapacity, points);
    write(pair, p, r, points, total, out);
}

}  // namespace

void collide_precise(const PrecisePair& pair, PreciseScratch& scratch, Manifold4& out) { run(pair, scratch, out); }

void collide_precise(const PrecisePair& pair, PreciseScratch& scratch, Manifold16& out) { run(pair, scratch, out); }

void collide_precise(const PrecisePair& pair, PreciseScratch& scratch, Manifold16& out,
                     std::vector<TriedCandidate>& tried) {
    run(pair, scratch, out, &tried);
}

void collide_precise(const PrecisePair& pair, PreciseScratch& scratch, PairDistance& out) {
    // The contact is built as well, so that normal and kind equal those of a manifold.
    Problem p(*pair.a, *pair.b);
    Outcome r = solve(pair, p, scratch.impl());
    keep_decided(pair, p, scratch.impl().points, r);
    std::memset(static_cast<void*>(&out), 0, sizeof out);
    if (!r.reported) return;
    write_axis(pair, p, r, out);
}

}  // namespace lanefold::detail
