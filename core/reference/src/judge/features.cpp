// SPDX-License-Identifier: MIT
//
// Judges features and ids. A feature that meets the other hull along the normal is extreme along it: all of its
// vertices lie on the support plane, within the effects of merging and rounding. The ids of a face contact name
// vertices, edges and faces of its two faces only; the id of any other contact names its two features.
#include <algorithm>
#include <cmath>
#include <limits>

#include "placed.hpp"
#include "text.hpp"

namespace lanefold::reference::judging {

namespace {

// Distance by which a vertex of a feature may be below its hull's support plane along the normal, relative to the
// hull's size: merged faces deviate by 5e-7, twice for two vertices, and a float32 normal has an error of a few
// roundings.
constexpr double kOnSupport = 1.5e-6;

// Difference of cosines within which faces tie as the most opposed one.
constexpr double kOpposedTie = 1e-5;

// Beyond a ratio of 64:1 a face is split unless its corners are on one plane within this, relative to the hull's size.
constexpr double kFlat = 1e-9;

const char* name_of(FeatureType type) {
    if (type == FeatureType::face) return "face";
    return type == FeatureType::edge ? "edge" : "vertex";
}

double slack(const Trial& t, const Placed& hull) {
    return kOnSupport * hull.size() + 2.0 * t.bounds.distance(t.out.distance) + t.held();
}

// Judges whether the feature is extreme along `out`, the outward direction of its hull.
void judge_extreme(const Trial& t, const Placed& hull, char name, const Feature& f, const Vec3d& out) {
    const double top = hull.support(out);
    const double allowed = slack(t, hull);
    const std::vector<std::uint32_t> vertices = hull.vertices_of(f);
    // Beyond 64:1 a face of the larger hull is split if it is not flat. Three corners or a chord then carry the
    // contact. They may carry a single point of a thin hull as well: merging turns a strip of a face as far as it is
    // narrow, and the normal at a point over the strip is that of the strip.
    const bool strip = hull.is_thin() && t.record.m.total == 1;
    const bool split = strip || (t.bounds.beyond && hull.size() == t.bounds.larger);
    std::size_t needed = vertices.size();
    if (f.type == FeatureType::face && split && hull.bend(f.index) > kFlat * hull.size()) needed = 2;
    std::size_t extreme = 0;
    double worst = 0;
    for (const std::uint32_t v : vertices) {
        const double below = top - hull.height(v, out);
        worst = std::max(worst, below);
        extreme += below <= allowed ? 1U : 0U;
    }
    if (extreme >= needed) return;
    t.out.violate(Violation::feature, text("%s %u of %c is not extreme along the normal: %.3g below, %.3g allowed",
                                           name_of(f.type), f.index, name, worst, allowed));
}

// Cosine of a face's normal, as stored or by its corners, with `out`.
double cosine_of(const Placed& hull, std::uint32_t face, bool by_corners, const Vec3d& out) {
    const Vec3d n = by_corners ? hull.loop_normal(face) : hull.stored_normal(face);
    return dot(is_finite(n) ? n : hull.stored_normal(face), out);
}

// Judges the incident face: it must be the most opposed one around a vertex that is the deepest or as deep. Merging
// turns the stored normal of a narrow face: moving the corners of a needle's side by 5e-7 of its size turns the side by
// that over its width. So the faces are compared by their stored normals and by those of their corners, which are the
// truth and which the engine uses beyond 64:1.
void judge_incident(const Trial& t) {
    const Placed& hull = t.incident();
    const Vec3d out = t.reference_is_b() ? t.normal : -t.normal;  // outward direction of the incident hull
    const double top = hull.support(out);
    const double allowed = slack(t, hull);
    double best_gap = std::numeric_limits<double>::infinity();
    for (const bool by_corners : {false, true}) {
        const double opposed = cosine_of(hull, t.incident_face(), by_corners, out);
        for (const std::uint32_t v : hull.loop(t.incident_face())) {
            if (top - hull.height(v, out) > allowed) continue;
            double most = -1;
            for (const std::uint32_t f : hull.faces_around(v))
                most = std::max(most, cosine_of(hull, f, by_corners, out));
            best_gap = std::min(best_gap, most - opposed);
        }
    }
    if (!std::isfinite(best_gap)) {
        t.out.violate(Violation::feature,
                      text("the incident face %u holds no vertex that is deepest along the normal", t.incident_face()));
    } else if (t.pair.hysteresis == 0 && best_gap > kOpposedTie) {
        t.out.violate(Violation::feature, text("the incident face %u is not the most opposed one around the deepest "
                                               "vertex: its cosine lacks %.3g",
                                               t.incident_face(), best_gap));
    }
}

bool holds(const std::vector<std::uint32_t>& list, std::uint32_t index) {
    return std::find(list.begin(), list.end(), index) != list.end();
}

// Whether the two features of a point belong to the two faces of the contact.
bool belongs(const Trial& t, const FeaturePair& f) {
    const bool b_is_reference = t.reference_is_b();
    const Feature& r = b_is_reference ? f.b : f.a;
    const Feature& i = b_is_reference ? f.a : f.b;
    using T = FeatureType;
    const bool own_faces =
        (r.type != T::face || r.index == t.reference_face()) && (i.type != T::face || i.index == t.incident_face());
    const bool own_corners = (r.type != T::vertex || holds(t.reference().loop(t.reference_face()), r.index)) &&
                             (i.type != T::vertex || holds(t.incident().loop(t.incident_face()), i.index));
    const bool own_sides = (r.type != T::edge || holds(t.reference().loop_edges(t.reference_face()), r.index)) &&
                           (i.type != T::edge || holds(t.incident().loop_edges(t.incident_face()), i.index));
    const bool crossing = r.type == T::edge && i.type == T::edge;
    const bool vertex_on_face =
        (r.type == T::face && i.type == T::vertex) || (r.type == T::vertex && i.type == T::face);
    if (!t.patches()) return own_faces && own_corners && own_sides && (crossing || vertex_on_face);
    // Patches use vertices beside the two faces, over any face; ids name sides by the vertices at which they start.
    const bool starts = r.type == T::vertex && i.type == T::vertex;
    return (crossing && own_sides) || vertex_on_face || starts;
}

void judge_ids(const Trial& t) {
    const FeatureCounts& a = t.a.counts();
    const FeatureCounts& b = t.b.counts();
    const FeatureTypes types = types_of(t.record.m.kind);
    for (std::uint32_t i = 0; i < t.count(); ++i) {
        for (std::uint32_t k = 0; k < i; ++k) {
            if (t.point(i).feature != t.point(k).feature) continue;
            t.out.violate(Violation::points, text("points %u and %u have the same feature id", k, i));
        }
        if (!t.decodable()) continue;
        const auto f = decode_feature(a, b, t.point(i).feature);
        if (!f) {
            t.out.violate(Violation::feature,
                          text("point %u: id %08x names no pair of features", i, t.point(i).feature));
            continue;
        }
        const bool right =
            t.face() ? belongs(t, *f)
                     : f->a == Feature{types.a, t.record.m.feature_a} && f->b == Feature{types.b, t.record.m.feature_b};
        if (right) continue;
        t.out.violate(Violation::feature,
                      text("point %u: id %08x means %s %u of a and %s %u of b, which are not of "
                           "this contact",
                           i, t.point(i).feature, name_of(f->a.type), f->a.index, name_of(f->b.type), f->b.index));
    }
}

}  // namespace

bool judge_features(Trial& t) {
    const Manifold16& m = t.record.m;
    const FeatureTypes types = types_of(m.kind);
    if (m.feature_a >= t.a.number_of(types.a) || m.feature_b >= t.b.number_of(types.b)) {
        t.out.violate(Violation::feature,
                      text("features %u and %u of kind %s", m.feature_a, m.feature_b, lanefold::to_string(m.kind)));
        return false;
    }
    if (is_reference(t.pair.method)) return true;
    if (!t.face() || !t.reference_is_b()) judge_extreme(t, t.a, 'a', {types.a, m.feature_a}, t.normal);
    if (!t.face() || t.reference_is_b()) judge_extreme(t, t.b, 'b', {types.b, m.feature_b}, -t.normal);
    if (t.face()) judge_incident(t);
    judge_ids(t);
    return true;
}

}  // namespace lanefold::reference::judging
