// SPDX-License-Identifier: MIT
//
// Judges records of pairs with a core that is a point or a segment. Such a contact has one point, or two: of a segment
// on a face the ends of its part over the face, of two parallel segments the ends of the part beside each other.
#include <algorithm>
#include <cmath>
#include <limits>

#include "placed.hpp"
#include "text.hpp"

namespace lanefold::reference::judging {
namespace {

// Part of the unit by which an end must be inside of everything that could leave it out, for two points to be due.
constexpr double kClear = 1e-5;

// The highest feature of a core: what names it beside a face.
FeatureType highest(const Placed& hull) {
    if (hull.counts().faces > 0) return FeatureType::face;
    return hull.counts().edges > 0 ? FeatureType::edge : FeatureType::vertex;
}

// A face of a hull is beside the highest feature of the core.
FeatureTypes types_beside_core(const Trial& t) {
    const ContactKind kind = t.record.m.kind;
    if (kind == ContactKind::face_a) return {FeatureType::face, highest(t.b)};
    if (kind == ContactKind::face_b) return {highest(t.a), FeatureType::face};
    return types_of(kind);
}

double bound_of(const Trial& t, const Vec3d& x, double s) {
    return 2.0 * (kDistanceTolerance * t.bounds.unit + t.bounds.noise) + t.bend() +
           4.0 * kFloat * (t.stored(x) + std::fabs(s));
}

// A feature of a hull lies on its support plane along the normal, as far as the preferences allow. A segment on a face
// may lean.
void judge_extreme(const Trial& t, const Placed& hull, const Feature& f, const Vec3d& out) {
    const double allowed = 1.5e-6 * hull.size() + 2.0 * t.bounds.distance(t.out.distance);
    const std::vector<std::uint32_t> vertices = hull.vertices_of(f);
    // A face that is not flat is split; a chord or three corners then carry the contact.
    const bool split = f.type == FeatureType::face && hull.bend(f.index) > 1e-9 * hull.size();
    const std::size_t needed = split ? 2 : vertices.size();
    std::size_t extreme = 0;
    double worst = 0;
    for (const std::uint32_t v : vertices) {
        const double below = hull.support(out) - hull.height(v, out);
        worst = std::max(worst, below);
        extreme += below <= allowed ? 1U : 0U;
    }
    if (extreme >= needed) return;
    t.out.violate(Violation::feature, text("feature %u is not extreme along the normal: %.3g below, %.3g allowed",
                                           f.index, worst, allowed));
}

bool judge_named(const Trial& t, const FeatureTypes& types) {
    const Manifold16& m = t.record.m;
    if (m.feature_a >= t.a.number_of(types.a) || m.feature_b >= t.b.number_of(types.b)) {
        t.out.violate(Violation::feature,
                      text("features %u and %u of kind %s", m.feature_a, m.feature_b, lanefold::to_string(m.kind)));
        return false;
    }
    const bool face = t.face();
    // Two segments beside each other may lean: their points are judged one by one.
    if (!face && m.count == 2) return true;
    if (!face || types.a == FeatureType::face) judge_extreme(t, t.a, {types.a, m.feature_a}, t.normal);
    if (!face || types.b == FeatureType::face) judge_extreme(t, t.b, {types.b, m.feature_b}, -t.normal);
    return true;
}

void judge_point(const Trial& t, std::uint32_t i) {
    const auto s = static_cast<double>(t.point(i).separation);
    const Vec3d x = vec(t.point(i).position);
    if (!is_finite(x) || !std::isfinite(s)) {
        t.out.violate(Violation::points, text("point %u is not finite", i));
        return;
    }
    if (!(s <= static_cast<double>(t.pair.margin) + t.bounds.distance(s)))
        t.out.violate(Violation::points, text("point %u: separation %.9g beyond the margin", i, s));
    const Vec3d n = vec(t.record.m.normal);
    const Vec3d on_a = x - n * (0.5 * s);
    const Vec3d on_b = x + n * (0.5 * s);
    const double bound = bound_of(t, x, s);
    const double off_a = std::fabs(point_distance(*t.pair.a, t.pair.pose_a.rotation, on_a));
    const double off_b = std::fabs(point_distance(*t.pair.b, t.pair.pose_b.rotation, on_b - t.b.offset()));
    const double share = std::max(off_a, off_b) / bound;
    t.out.surface_share = std::max(t.out.surface_share, share);
    t.out.surface_error = std::max(t.out.surface_error, share * 2.0 * kDistanceTolerance);
    if (!(share <= 1)) {
        t.out.violate(Violation::off_surface,
                      text("point %u: off the core of a by %.3g, of b by %.3g, %.3g allowed", i, off_a, off_b, bound));
        return;
    }
    if (!t.decodable()) return;
    const auto f = decode_feature(t.a.counts(), t.b.counts(), t.point(i).feature);
    if (!f) {
        t.out.violate(Violation::feature, text("point %u: id %08x names no features", i, t.point(i).feature));
        return;
    }
    const double named = 4.0 * bound + kDistanceTolerance * t.bounds.unit + t.bend();
    const double from_a = t.a.feature_distance(f->a, on_a);
    const double from_b = t.b.feature_distance(f->b, on_b);
    if (!(from_a <= named && from_b <= named))
        t.out.violate(Violation::feature, text("point %u is off the features that its id names: of a by %.3g, of b by "
                                               "%.3g, %.3g allowed",
                                               i, from_a, from_b, named));
}

void judge_deepest(const Trial& t) {
    double deepest = std::numeric_limits<double>::infinity();
    for (std::uint32_t i = 0; i < t.count(); ++i)
        deepest = std::min(deepest, static_cast<double>(t.point(i).separation));
    const double bound = 2.0 * t.bounds.distance(t.out.distance) + t.bend();
    const double open = t.face() ? t.preference() : 0.0;
    const double error = std::fabs(deepest - t.out.distance);
    t.out.depth_share = std::max(error - open, 0.0) / bound;
    if (!(error <= bound + open))
        t.out.violate(Violation::shallow,
                      text("the deepest point has separation %.9g, the pair %.9g", deepest, t.out.distance));
}

// The part of the segment over the record's face, whose sides are moved inwards by `clear`. False if it is empty.
bool part_over_face(const Trial& t, double clear, Vec3d* ends) {
    const Placed& hull = t.reference();
    const Placed& small = t.incident();
    const Vec3d out = hull.stored_normal(t.reference_face());
    const Vec3d from = small.vertex(0);
    const Vec3d along = small.vertex(1) - from;
    double low = 0;
    double high = 1;
    const std::vector<std::uint32_t> loop = hull.loop(t.reference_face());
    for (std::size_t k = 0; k < loop.size(); ++k) {
        const Vec3d p = hull.vertex(loop[k]);
        const Vec3d inward = normalized(cross(out, hull.vertex(loop[(k + 1) % loop.size()]) - p));
        const double at = dot(inward, from - p) - clear;
        const double slope = dot(inward, along);
        if (at < 0 && at + slope < 0) return false;
        if (at < 0) low = std::max(low, -at / slope);
        if (at + slope < 0) high = std::min(high, at / -slope);
    }
    if (!(high >= low)) return false;
    ends[0] = from + along * low;
    ends[1] = from + along * high;
    return true;
}

// A segment over a face whose ends are both within the margin has two points there.
void judge_two_points(const Trial& t) {
    if (!t.face() || t.pair.points != PointSelection::all || t.incident().vertices() != 2) return;
    // Beyond 64:1, and of thin hulls, a face that is not flat is split: its parts lean by more than can be told here.
    const Placed& hull = t.reference();
    if ((t.bounds.beyond || hull.is_thin()) && hull.bend(t.reference_face()) > 1e-9 * hull.size()) return;
    // The part that is there in any case, and the longest that there may be, whose ends may be higher.
    const double clear = kClear * t.bounds.unit + t.bend();
    Vec3d ends[2];
    Vec3d longest[2];
    if (!part_over_face(t, clear, ends) || !part_over_face(t, -clear, longest)) return;
    if (!(length(ends[1] - ends[0]) > 4 * clear)) return;
    const Vec3d out = t.reference().stored_normal(t.reference_face());
    const double top = t.reference().support(out);
    for (const Vec3d& x : longest) {
        if (!(dot(out, x) - top <= static_cast<double>(t.pair.margin) - kClear * t.bounds.unit)) return;
    }
    if (t.count() != 2) {
        t.out.violate(Violation::coverage, "a segment lies on a face with one point");
        return;
    }
    // Seen along the normal: points are midway between segment and face.
    const auto flat = [&](const Vec3d& x) { return length(x - out * dot(out, x)); };
    const double apart = flat(vec(t.point(1).position) - vec(t.point(0).position));
    const double due = flat(ends[1] - ends[0]);
    const double far = std::max(t.stored(vec(t.point(0).position)), t.stored(vec(t.point(1).position)));
    const double rounding = 4.0 * kFloat * (far + length(ends[0]) + length(ends[1])) + 2.0 * t.bounds.noise;
    if (!(apart >= due - kClear * t.bounds.unit - rounding))
        t.out.violate(Violation::coverage, text("two points %.9g apart, the part over the face is %.9g", apart, due));
}

// Two segments that are clearly parallel and beside each other have two points.
void judge_common_part(const Trial& t) {
    const bool segments =
        t.a.counts().faces == 0 && t.b.counts().faces == 0 && t.a.vertices() == 2 && t.b.vertices() == 2;
    if (!segments || t.pair.points != PointSelection::all || t.count() == 2) return;
    const double clear = kClear * t.bounds.unit;
    const Vec3d from = t.a.vertex(0);
    const Vec3d along = t.a.vertex(1) - from;
    const Vec3d other = t.b.vertex(1) - t.b.vertex(0);
    const double longer = std::max(length(along), length(other));
    if (!(length(cross(normalized(along), normalized(other))) * longer <= 0.01 * clear)) return;
    const auto at = [&](std::uint32_t v) { return dot(t.b.vertex(v) - from, along) / length_squared(along); };
    const double low = std::max(0.0, std::min(at(0), at(1)));
    const double high = std::min(1.0, std::max(at(0), at(1)));
    if (!((high - low) * length(along) > 4 * clear)) return;
    // They are parallel, so one gap along the normal is that of all.
    const double gap = dot(t.normal, t.b.vertex(0) - from);
    if (gap <= static_cast<double>(t.pair.margin) - clear)
        t.out.violate(Violation::coverage, "two segments lie beside each other with one point");
}

}  // namespace

void judge_small_core(Trial& t) {
    const Manifold16& m = t.record.m;
    const FeatureTypes types = types_beside_core(t);
    const bool may_be_two = t.face() || m.kind == ContactKind::edge_edge;
    if (m.count < 1 || m.count > (may_be_two ? 2 : 1)) {
        t.out.violate(Violation::points, text("%u points of kind %s", m.count, lanefold::to_string(m.kind)));
        return;
    }
    if (!judge_named(t, types)) return;
    if (m.count == 2 && m.points[0].feature == m.points[1].feature)
        t.out.violate(Violation::points, "both points have the same feature id");
    judge_deepest(t);
    for (std::uint32_t i = 0; i < t.count(); ++i) judge_point(t, i);
    if (!t.out.right()) return;
    judge_two_points(t);
    judge_common_part(t);
}

}  // namespace lanefold::reference::judging
