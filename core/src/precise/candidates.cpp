// SPDX-License-Identifier: MIT
//
// The candidates for a contact. The best face with the face most opposed to it is the contact of nearly all pairs. The
// others are for hulls of which several faces are one plane within rounding, for edges along the side of a face, and
// for edges and faces that merging moved.

#include "precise/candidates.hpp"

#include <algorithm>
#include <iterator>
#include <limits>

#include "precise/facets.hpp"
#include "precise/patch_faces.hpp"
#include "precise/pose.hpp"
#include "precise/record.hpp"
#include "precise/witness.hpp"

namespace lanefold::detail {

namespace {

using Kind = CandidateKind;

enum class For : std::uint8_t { all, thin, ordinary };

struct Row {
    Kind kind;
    For hulls;
};

// The canonical order. Level faces of a thin hull come before the optimum's features: a thin plate that lies flat is to
// have the points of a face, although its face is several that rounding cannot tell apart. Ordinary hulls have such
// faces merged, so a face that loses the depth leaves the contact to edges, as in the lanes.
constexpr Row kOrder[] = {
    {Kind::preferred_face, For::all},
    {Kind::level_patch, For::thin},
    {Kind::incident_face, For::thin},
    {Kind::level_face, For::thin},
    {Kind::features, For::all},
    {Kind::tied_corner, For::ordinary},
    {Kind::wider_face, For::all},
    {Kind::level_patch, For::ordinary},
    {Kind::incident_face, For::ordinary},
    {Kind::level_face, For::ordinary},
    {Kind::places, For::all},
    {Kind::edges_beside, For::thin},
    {Kind::strip, For::thin},
    {Kind::last, For::all},
};

// Whether a vertex of the other hull's face is as deep as the support vertex of an axis, and no face around that vertex
// is more opposed.
bool is_incident(const Problem& p, const FaceAxis& axis, std::uint32_t face) {
    const Solid& s = axis.on_b ? p.a : p.b;
    const Vec3d out = axis.on_b ? p.from_b.rotation * axis.normal : transpose_times(p.from_b.rotation, axis.normal);
    const double own = dot(out, face_normal(s, face));
    if (!(own < 0)) return false;
    const double deep = dot(out, s.vertex(axis.support)) + p.bend;
    for (std::uint32_t k = s.view.face_first[face]; k < s.view.face_first[face + 1]; ++k) {
        const std::uint32_t v = s.view.face_vertex[k];
        if (dot(out, s.vertex(v)) > deep) continue;
        double most = std::numeric_limits<double>::infinity();
        for (std::uint32_t i = s.view.vertex_first[v]; i < s.view.vertex_first[v + 1]; ++i)
            most = std::min(most, dot(out, face_normal(s, s.view.vertex_face[i])));
        if (own <= most + Tolerances::kAsOpposed) return true;
    }
    return false;
}

}  // namespace

bool has_patches(const PrecisePair& pair) {
    return pair.method == ContactMethod::patch && !(pair.a->is_box() && pair.b->is_box());
}

double patch_band(const PrecisePair& pair, const Problem& p) { return static_cast<double>(pair.patch_band) * p.small; }

Candidates::Candidates(const PrecisePair& pair, Problem& p, PreciseScratch::Impl& memory, const Optimum& optimum)
    : pair_(pair), p_(p), memory_(memory), optimum_(optimum) {}

bool Candidates::next(Candidate& c) {
    const For hulls = p_.thin ? For::thin : For::ordinary;
    for (; place_ < std::size(kOrder); ++place_) {
        const Row& row = kOrder[place_];
        if (row.hulls == For::all || row.hulls == hulls) {
            c = {};
            c.kind = row.kind;
            if (make(c)) return true;
        }
        step_ = 0;
        facet_ = 0;
        face_ = 0;
    }
    return false;
}

bool Candidates::make(Candidate& c) {
    const bool faces = optimum_.prefers_face;
    const bool face_is_optimum = faces && optimum_.is_face();
    switch (c.kind) {
        case Kind::preferred_face:
            return faces && once() && clip_preferred(c);
        case Kind::level_patch:
            return faces && clip_next_patch(c);
        case Kind::incident_face:
            return faces && clip_next_incident(optimum_.face, c);
        case Kind::level_face:
            return faces && clip_next_face(c);
        case Kind::tied_corner:
            return face_is_optimum && once() && clip_tied(c);
        case Kind::wider_face:
            return face_is_optimum && once() && clip_wider(p_, c);
        case Kind::features:
            return !optimum_.is_face() && once() && take_features(c);
        case Kind::places:
            return once() && find_places(c);
        case Kind::edges_beside:
            return !optimum_.is_face() && once() && find_edges(c);
        case Kind::strip:
            return face_is_optimum && once() && clip_strip(c);
        case Kind::last:
            return once() && take_last(c);
    }
    return false;
}

bool Candidates::clip_preferred(Candidate& c) {
    c.face = optimum_.face;
    const bool patch = has_patches(pair_);
    if ((patch || p_.thin) && !p_.a.planes) prepare_planes(memory_, p_);
    c.clipped = patch ? clip_patches(p_, memory_, c.face, patch_band(pair_, p_)) : clip_faces(p_, memory_, c.face);
    return true;
}

bool Candidates::next_level_facet(FaceAxis& axis) {
    const FaceAxis& best = optimum_.face;
    const std::uint32_t facets = best.on_b ? p_.b.facets : p_.a.facets;
    while (facet_ < facets) {
        const std::uint32_t f = facet_++;
        if (f == best.facet) continue;
        axis = evaluate_facet(p_, best.on_b, f);
        if (axis.separation >= best.separation - p_.bend) return true;
    }
    return false;
}

bool Candidates::clip_next_patch(Candidate& c) {
    if (!has_patches(pair_) || !next_level_facet(c.face)) return false;
    c.clipped = clip_patches(p_, memory_, c.face, patch_band(pair_, p_));
    return true;
}

bool Candidates::clip_next_incident(const FaceAxis& axis, Candidate& c) {
    if (!p_.a.planes) prepare_planes(memory_, p_);
    const std::uint32_t faces = (axis.on_b ? p_.a : p_.b).record->face_count;
    while (face_ < faces) {
        const std::uint32_t f = face_++;
        if (!is_incident(p_, axis, f)) continue;
        c.face = axis;
        c.clipped = clip_faces_on(p_, memory_, axis, f);
        return true;
    }
    return false;
}

bool Candidates::clip_next_face(Candidate& c) {
    if (!p_.a.planes) prepare_planes(memory_, p_);
    while (step_++ > 0 || next_level_facet(level_)) {
        if (clip_next_incident(level_, c)) return true;
        step_ = 0;
        face_ = 0;
    }
    return false;
}

bool Candidates::clip_tied(Candidate& c) {
    c.face = optimum_.face;
    c.found = clip_tied_supports(p_, memory_, c.face, p_.depth_loss, limit(p_, optimum_.distance), c.clipped);
    return true;
}

bool Candidates::clip_wider(const Problem& p, Candidate& c) {
    c.face = optimum_.face;
    c.clipped = clip_faces_within(p, memory_, c.face, p.depth_loss);
    return true;
}

// Points at the rim of a strip are off the face's plane by what merging moved it.
bool Candidates::clip_strip(Candidate& c) {
    Problem bent = p_;
    bent.off_surface += kBuildDeviation * p_.large;
    return clip_wider(bent, c);
}

bool Candidates::take_features(Candidate& c) {
    c.contact = optimum_.contact;
    return true;
}

bool Candidates::find_places(Candidate& c) {
    const bool by_face = optimum_.is_face();
    c.found = settle_contact(p_, memory_, by_face ? axis_normal(p_, optimum_.face) : optimum_.contact.normal,
                             by_face ? optimum_.face.separation : optimum_.distance, c.outcome);
    return true;
}

bool Candidates::find_edges(Candidate& c) {
    if (optimum_.contact.aside) return false;
    c.found = edges_beside(p_, memory_, optimum_.contact.normal, optimum_.distance, c.contact);
    return true;
}

bool Candidates::take_last(Candidate& c) {
    c.contact = optimum_.contact;
    if (!optimum_.is_face()) return true;
    c.face = optimum_.face;
    c.clipped = {axis_normal(p_, c.face), (c.face.on_b ? p_.b : p_.a).face_of(c.face.facet), incident_face(p_, c.face),
                 c.face.separation};
    keep_support_point(p_, memory_, c.face);
    return true;
}

double limit(const Problem& p, double distance) { return distance + p.preference + p.depth_loss; }

namespace {

Refusal accept_features(const Problem& p, PreciseScratch::Impl& memory, Candidate& c, double distance) {
    // edges_beside() returns none that would be refused.
    const Refusal refusal = c.kind == Kind::features ? refusal_of(p, c.contact, distance) : Refusal::none;
    if (refusal == Refusal::none) take_feature_contact(p, memory, c.contact, c.outcome);
    return refusal;
}

Refusal accept_face(const Problem& p, PreciseScratch::Impl& memory, Candidate& c, double distance) {
    take_face_contact(c.face, c.clipped, c.outcome);
    if (c.kind == Kind::last) return Refusal::none;
    const bool further = c.kind == Kind::incident_face || c.kind == Kind::level_face;
    if (further && !p.thin) keep_true_points(p, memory, c.face.on_b, c.clipped);
    if (memory.points.empty()) return Refusal::no_points;
    return lost_depth(memory, c.clipped, limit(p, distance)) ? Refusal::not_deep : Refusal::none;
}

}  // namespace

Refusal accept(const Problem& p, PreciseScratch::Impl& memory, Candidate& c, double distance) {
    if (!c.found) return Refusal::not_found;
    if (c.kind == Kind::places) return Refusal::none;  // on both surfaces and extreme by construction
    return c.contact.kind != ContactKind::none ? accept_features(p, memory, c, distance)
                                               : accept_face(p, memory, c, distance);
}

}  // namespace lanefold::detail
