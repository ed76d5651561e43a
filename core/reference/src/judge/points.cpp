// SPDX-License-Identifier: MIT
//
// Judges points one by one: witnesses on the surfaces and on the features that the ids name, separations within the
// margin.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "placed.hpp"
#include "text.hpp"

namespace lanefold::reference::judging {

namespace {

// Factor of the bound for crossings. A crossing of a side of the incident face with one of the reference face lies on
// the incident side, but only within the tolerance of the clip, seen along the normal, on the reference side.
constexpr double kCrossing = 4.0;

// The published method treats faces as flush if the cosine of their angle is within 1e-8 of -1: up to sqrt(2e-8)
// radians. Reference vertices that it then moves onto the incident face miss it by that angle times at most a diameter.
constexpr double kPublishedFlush = 2.0 * 1.4142135623730951e-4;

// Radians. Features that tie up to rounding grow with at least this angle (feature_manifold.hpp).
constexpr double kTieAngle = 1e-5;

// Error of a crossing of two outlines from the sides that its id names, relative to the smaller hull's size.
constexpr double kSide = 1e-4;

struct Off {
    double a;
    double b;
};

// Bound of a witness: twice that of a distance (reference plane and incident feature), the deviation of merged faces,
// and the rounding of its position and of the normal.
double witness_bound(const Trial& t, const Vec3d& x, double s) {
    return 2.0 * (kDistanceTolerance * t.bounds.unit + t.bounds.noise) + t.bend() +
           kFloat * (3.0 * t.stored(x) + 2.0 * std::fabs(s) + 3.0 * t.bounds.smaller);
}

// Takes down how far a point is off: as a share of what it may be, and relative to the size.
void record_surface(const Trial& t, double share, double error) {
    t.out.surface_share = std::max(t.out.surface_share, share);
    t.out.surface_error = std::max(t.out.surface_error, error);
}

// The largest separation that a point may have.
double highest_separation(const Trial& t) {
    const auto margin = static_cast<double>(t.pair.margin);
    if (t.pair.method == JudgedMethod::features) {
        // Corners of a face differ in height by at most half of its perimeter times the sine of the angle; two faces
        // count.
        const double circumference = 2.0 * std::numbers::pi * t.bounds.larger;
        return t.along + circumference * std::sin(std::max(kTieAngle, static_cast<double>(t.pair.feature_angle))) +
               t.bounds.along;
    }
    if (!t.patches() || !t.face()) return margin;
    // A patch keeps points within both bands.
    return std::max(margin, t.along + 2.0 * static_cast<double>(t.pair.patch_band) * t.bounds.smaller + t.bounds.along);
}

// Whether x, seen along the normal, is between this vertex and another one of the hull.
bool on_a_side(const Trial& t, const Placed& hull, std::uint32_t vertex, const Vec3d& x) {
    const double within = kSide * t.bounds.smaller + kDistanceTolerance * t.bounds.unit + 4.0 * kFloat * t.stored(x);
    const auto flat = [&](const Vec3d& v) { return v - t.normal * dot(t.normal, v); };
    const Vec3d from = flat(hull.vertex(vertex) - x);
    for (std::uint32_t v = 0; v < hull.vertices(); ++v) {
        if (v == vertex) continue;
        const Vec3d side = flat(hull.vertex(v) - hull.vertex(vertex));
        const double squared = length_squared(side);
        const double w = squared > 0 ? std::clamp(-dot(from, side) / squared, 0.0, 1.0) : 0.0;
        if (length(from + side * w) <= within) return true;
    }
    return false;
}

void judge_names(const Trial& t, std::uint32_t i, const Vec3d& on_a, const Vec3d& on_b, double bound) {
    const auto f = decode_feature(t.a.counts(), t.b.counts(), t.point(i).feature);
    if (!f) return;  // judge_ids() has reported it
    if (t.face() && f->a.type == FeatureType::vertex && f->b.type == FeatureType::vertex) {
        // A crossing of two sides of patches; the id names the vertices at which they start.
        if (on_a_side(t, t.a, f->a.index, on_a) && on_a_side(t, t.b, f->b.index, on_b)) return;
        t.out.violate(Violation::feature,
                      text("point %u is on no side of the patches that starts at the vertices that its id names", i));
        return;
    }
    const bool crossing = t.face() && f->a.type == FeatureType::edge && f->b.type == FeatureType::edge;
    const Off off{t.a.feature_distance(f->a, on_a), t.b.feature_distance(f->b, on_b)};
    const double bend = t.bend();
    const double named = bound + kDistanceTolerance * t.bounds.unit;
    const double allowed_a = named * (crossing && !t.reference_is_b() ? kCrossing : 1.0) + bend;
    const double allowed_b = named * (crossing && t.reference_is_b() ? kCrossing : 1.0) + bend;
    if (off.a <= allowed_a && off.b <= allowed_b) return;
    t.out.violate(Violation::feature, text("point %u is off the features that its id names: of a by %.3g (%.3g "
                                           "allowed), of b by %.3g (%.3g allowed)",
                                           i, off.a, allowed_a, off.b, allowed_b));
}

Off off_surfaces(const Trial& t, const Vec3d& on_a, const Vec3d& on_b) {
    return {std::fabs(point_distance(*t.pair.a, t.pair.pose_a.rotation, on_a)),
            std::fabs(point_distance(*t.pair.b, t.pair.pose_b.rotation, on_b - t.b.offset()))};
}

}  // namespace

bool is_due(const Trial& t, const Vec3d& middle, double separation) {
    if (((t.pair.record_a->flags | t.pair.record_b->flags) & HullRecord::kThin) == 0) return true;
    const Vec3d half = t.normal * (0.5 * separation);
    const Off off = off_surfaces(t, middle - half, middle + half);
    return std::max(off.a, off.b) <= 0.75 * kDistanceTolerance * t.bounds.unit;
}

void judge_points(Trial& t) {
    const Vec3d n = vec(t.record.m.normal);
    const double limit = highest_separation(t);
    for (std::uint32_t i = 0; i < t.count(); ++i) {
        const auto s = static_cast<double>(t.point(i).separation);
        const Vec3d x = vec(t.point(i).position);
        if (!is_finite(x) || !std::isfinite(s)) {
            t.out.violate(Violation::points, text("point %u is not finite", i));
            continue;
        }
        if (!(s <= limit + t.bounds.distance(s))) {
            t.out.violate(Violation::points, text("point %u: separation %.9g beyond the margin", i, s));
        }
        const double bound = witness_bound(t, x, s);
        const Vec3d on_a = x - n * (0.5 * s);
        const Vec3d on_b = x + n * (0.5 * s);
        const Off off = off_surfaces(t, on_a, on_b);
        const double share = std::max(off.a, off.b) / bound;
        record_surface(t, share, share * 2.0 * kDistanceTolerance);
        if (!(share <= 1)) {
            t.out.violate(Violation::off_surface, text("point %u: off the surface of a by %.3g, of b by %.3g, %.3g "
                                                       "allowed",
                                                       i, off.a, off.b, bound));
            continue;
        }
        if (t.decodable()) judge_names(t, i, on_a, on_b, bound);
    }
}

// Published placement: on the surface of the incident hull (or on A's edge), touching at the instant of collision.
void judge_published_points(Trial& t) {
    const bool on_b = t.record.m.kind == ContactKind::face_a;
    const double allowed = kPublishedFlush * t.bounds.unit;
    for (std::uint32_t i = 0; i < t.count(); ++i) {
        const auto s = static_cast<double>(t.point(i).separation);
        const Vec3d x = vec(t.point(i).position);
        const double off = std::fabs(on_b ? point_distance(*t.pair.b, t.pair.pose_b.rotation, x - t.b.offset())
                                          : point_distance(*t.pair.a, t.pair.pose_a.rotation, x));
        record_surface(t, off / allowed, off / t.bounds.unit);
        if (!(off <= allowed)) {
            t.out.violate(Violation::off_surface, text("point %u: off the surface by %.3g", i, off));
        }
        if (!(std::fabs(s - static_cast<double>(t.record.m.distance)) <= t.bounds.distance(s))) {
            t.out.violate(Violation::points, text("point %u: separation %.9g, distance %.9g", i, s,
                                                  static_cast<double>(t.record.m.distance)));
        }
    }
}

// On the surface of the incident hull and in the plane of the reference face. If a neighbour of that face leans
// outwards, points may be beside the face.
void judge_clipped_points(Trial& t) {
    const bool on_b = t.reference_is_b();
    const Placed& incident = t.incident();
    const Feature face{FeatureType::face, t.reference_face()};
    for (std::uint32_t i = 0; i < t.count(); ++i) {
        const auto s = static_cast<double>(t.point(i).separation);
        const Vec3d x = vec(t.point(i).position);
        if (!is_finite(x) || !std::isfinite(s)) {
            t.out.violate(Violation::points, text("point %u is not finite", i));
            continue;
        }
        if (!(s <= t.bounds.distance(s))) {
            t.out.violate(Violation::points, text("point %u: separation %.9g above the reference face", i, s));
        }
        const double bound = witness_bound(t, x, s);
        const Vec3d half = t.normal * (on_b ? -0.5 * s : 0.5 * s);
        const Mat3d& turn = on_b ? t.pair.pose_a.rotation : t.pair.pose_b.rotation;
        const Off off{std::fabs(point_distance(incident.oracle(), turn, x + half - incident.offset())),
                      t.reference().feature_distance(face, x - half)};
        const double share = std::max(off.a, off.b) / bound;
        record_surface(t, share, share * 2.0 * kDistanceTolerance);
        if (!(share <= 1)) {
            t.out.violate(Violation::off_surface, text("point %u: off the incident surface by %.3g, off the plane of "
                                                       "the reference face by %.3g, %.3g allowed",
                                                       i, off.a, off.b, bound));
        } else if (t.decodable() && !decode_feature(t.a.counts(), t.b.counts(), t.point(i).feature)) {
            t.out.violate(Violation::feature,
                          text("point %u: id %08x names no pair of features", i, t.point(i).feature));
        }
    }
}

}  // namespace lanefold::reference::judging
