// SPDX-License-Identifier: MIT
//
// Judges one pair: whether it is reported, distance, normal, depth, layout; then features, points and area.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include <lanefold/fp_environment.hpp>

#include "placed.hpp"
#include "text.hpp"

namespace lanefold::reference {

using namespace judging;

namespace {

// Relative tolerance of the ratio 64:1, because sizes are float32 in the engine.
constexpr double kRatioRounding = 1e-6;

// Tolerance of the normal's length. The length of three float32 components has an error of 1e-7; normalising in float32
// adds two roundings.
constexpr double kUnitLength = 5e-7;

// PointSelection::impact: height of the band above the deepest point, relative to the smaller hull (options.hpp).
constexpr double kImpactBand = 1e-3;

double half_ulp(double value) {
    const auto x = static_cast<float>(std::fabs(value));
    if (!std::isfinite(x)) return 0;
    const double up = static_cast<double>(std::nextafter(x, std::numeric_limits<float>::infinity()));
    return 0.5 * (up - static_cast<double>(x));
}

bool all_zero(const void* bytes, std::size_t count) {
    const auto* const first = static_cast<const unsigned char*>(bytes);
    return std::all_of(first, first + count, [](unsigned char byte) { return byte == 0; });
}

void judge_distance(const JudgeBounds& bounds, const Manifold16& m, Judgement& out) {
    const double d = static_cast<double>(m.distance);
    const double bound = bounds.distance(d);
    const double error = std::fabs(d - out.distance);
    out.distance_share = error / bound;
    out.distance_error = out.distance_share * kDistanceTolerance;
    if (!(error <= bound)) {
        out.violate(Violation::distance, text("distance %.9g, oracle %.9g", d, out.distance));
    }
}

// Judges the normal: it is unit, and no direction has a larger separation than the preferences allow.
bool judge_normal(Trial& t) {
    const Vec3d stored = vec(t.record.m.normal);
    const double norm = length(stored);
    t.out.unit_error = std::fabs(norm - 1.0);
    if (!(t.out.unit_error <= kUnitLength)) {
        t.out.violate(Violation::normal, text("normal of length %.9g", norm));
        if (!(norm > 0.5 && norm < 2)) return false;
    }
    t.normal = stored * (1.0 / norm);
    t.along = separation_along(*t.pair.a, t.pair.pose_a, *t.pair.b, t.pair.pose_b, t.normal);
    const double bound = t.bounds.distance(t.out.distance) + t.bounds.along;
    // Only a face may be preferred to a nearer feature, except for features held from a previous contact.
    const double lack = t.out.distance - t.along;
    const double allowed = t.held() + (t.face() ? t.preference() : 0.0);
    t.out.normal_share = std::max(lack - allowed, 0.0) / bound;
    t.out.normal_error = t.out.normal_share * kDistanceTolerance;
    t.out.preferred_face = t.face() && lack > bound;
    if (!(lack <= allowed + bound)) {
        t.out.violate(Violation::normal, text("the separation along the normal is %.9g, the distance %.9g: it lacks "
                                              "%.3g more than the preference allows",
                                              t.along, t.out.distance, lack - allowed));
    }
    return true;
}

// Judges counts, unused bytes and body indices.
bool judge_layout(const Trial& t) {
    const Manifold16& m = t.record.m;
    const auto wrong = [&](const std::string& what) { t.out.violate(Violation::points, what); };
    if (m.pair[0] != t.pair.index_a || m.pair[1] != t.pair.index_b) {
        t.out.violate(Violation::feature, text("the record names bodies %u and %u", m.pair[0], m.pair[1]));
    }
    if (static_cast<std::size_t>(m.kind) >= kContactKindCount || m.kind == ContactKind::none) {
        wrong(text("kind %u is not a contact", static_cast<unsigned>(m.kind)));
        return false;
    }
    const bool reference = is_reference(t.pair.method);
    const bool may_be_empty = reference && t.pair.method != JudgedMethod::features;
    if ((m.count == 0 && !may_be_empty) || m.count > t.record.capacity || m.total < m.count) {
        wrong(text("%u points of %u, capacity %u", m.count, m.total, t.record.capacity));
        return false;
    }
    if (!t.face() && !reference && !t.small_core() && (m.count != 1 || m.total != 1)) {
        wrong(text("%u points of %u in a contact that is not a face", m.count, m.total));
    }
    if (m.count != std::min<std::uint32_t>(m.total, t.record.capacity)) {
        wrong(text("%u points kept of %u, capacity %u", m.count, m.total, t.record.capacity));
    }
    if (!all_zero(m.reserved, sizeof m.reserved) || !all_zero(m.padding, sizeof m.padding) ||
        !all_zero(&m.points[m.count], (Manifold16::kCapacity - m.count) * sizeof(ContactPoint))) {
        wrong("unused bytes are not zero");
    }
    if (m.child_a != t.pair.child_a || m.child_b != t.pair.child_b) {
        wrong(text("children %u and %u instead of %u and %u", m.child_a, m.child_b, t.pair.child_a, t.pair.child_b));
    }
    return true;
}

// Judges the deepest point: its separation is the distance of the pair.
void judge_depth(const Trial& t) {
    double deepest = std::numeric_limits<double>::infinity();
    for (std::uint32_t i = 0; i < t.count(); ++i) {
        const auto s = static_cast<double>(t.point(i).separation);
        if (!std::isfinite(s)) {
            t.out.violate(Violation::points, text("point %u is not finite", i));
            return;
        }
        deepest = std::min(deepest, s);
    }
    const double bound = 2.0 * t.bounds.distance(t.out.distance) + t.bend();
    const double open = t.held() + (t.face() ? t.preference() : 0.0);
    // The reduction of a patch does not begin with the deepest point.
    const bool spread = t.pair.method == JudgedMethod::patch && t.record.m.total > t.count();
    const double above = open + (spread ? static_cast<double>(kPatchSpread) * t.bounds.smaller : 0.0);
    const double low = t.out.distance - open - deepest;
    const double high = deepest - (t.out.distance + above);
    t.out.depth_share = std::max({low, high, 0.0}) / bound;
    if (!(low <= bound && high <= bound)) {
        t.out.violate(Violation::shallow,
                      text("the deepest point has separation %.9g, the pair %.9g", deepest, t.out.distance));
    }
}

// Judges PointSelection::impact: no point is above its band.
void judge_impact(const Trial& t) {
    if (t.pair.points != PointSelection::impact) return;
    double deepest = std::numeric_limits<double>::infinity();
    double highest = -std::numeric_limits<double>::infinity();
    for (std::uint32_t i = 0; i < t.count(); ++i) {
        const auto s = static_cast<double>(t.point(i).separation);
        deepest = std::min(deepest, s);
        highest = std::max(highest, s);
    }
    if (!(highest <= deepest + kImpactBand * t.bounds.smaller + t.bounds.distance(highest))) {
        t.out.violate(Violation::points, text("impact points with separations from %.9g to %.9g", deepest, highest));
    }
}

Judgement begin(const JudgedPair& pair, const JudgeBounds& bounds) {
    Judgement out;
    const OracleResult truth = signed_distance(*pair.a, pair.pose_a, *pair.b, pair.pose_b);
    out.distance = truth.distance;
    out.normal = truth.normal;
    const double excess = out.distance - static_cast<double>(pair.margin);
    out.touching = excess <= 0.0;
    out.overlapping = out.distance < 0.0;
    out.in_band = std::fabs(excess) <= bounds.distance(static_cast<double>(pair.margin));
    return out;
}

// Judges a record of the cores whose distance is judged. `out`: the judgement so far.
Judgement judge_contact(const JudgedPair& pair, const JudgeBounds& bounds, const Record& record, Judgement out) {
    const Placed a(*pair.a, *pair.record_a, pair.pose_a.rotation, {});
    const Placed b(*pair.b, *pair.record_b, pair.pose_b.rotation, pair.pose_b.position - pair.pose_a.position);
    Trial trial{pair, bounds, a, b, record, {}, 0, out};
    if (!judge_layout(trial)) return out;
    if (trial.half_space()) {
        judge_half_space(trial);
        judge_impact(trial);
        return out;
    }
    if (!judge_normal(trial)) return out;
    if (trial.small_core()) {
        judge_small_core(trial);
        judge_impact(trial);
        return out;
    }
    if (!judge_features(trial) || trial.count() == 0) return out;
    if (pair.method == JudgedMethod::published) {
        judge_published_points(trial);
        return out;
    }
    if (pair.method == JudgedMethod::sutherland_hodgman) {
        judge_clipped_points(trial);
        judge_impact(trial);
        return out;
    }
    judge_depth(trial);
    judge_impact(trial);
    judge_points(trial);
    // The area is only judged if the points are right. Method features need not cover it.
    if (!out.right() || !trial.face() || pair.method == JudgedMethod::features) return out;
    if (trial.patches()) {
        judge_patch_area(trial);
    } else {
        judge_clip_area(trial);
    }
    return out;
}

// The record of the cores from that of the rounded hulls: a support set of a rounded hull is the core's, moved along
// the normal by the radius.
Record record_of_cores(const JudgedPair& pair, const Record& record) {
    const double radii = pair.a->round_radius + pair.b->round_radius;
    const double midway = 0.5 * (pair.a->round_radius - pair.b->round_radius);
    Record out = record;
    out.m.distance = static_cast<float>(static_cast<double>(record.m.distance) + radii);
    const Vec3d n = vec(record.m.normal);
    for (std::size_t i = 0; i < std::min<std::size_t>(record.m.count, Manifold16::kCapacity); ++i) {
        ContactPoint& p = out.m.points[i];
        const Vec3f x = to_float(vec(p.position) - n * midway);
        p.position[0] = x.x;
        p.position[1] = x.y;
        p.position[2] = x.z;
        p.separation = static_cast<float>(static_cast<double>(p.separation) + radii);
    }
    return out;
}

// Judges what is left of a record of rounded hulls, whose distance is judged, by their cores.
Judgement judge_rounded(const JudgedPair& pair, const JudgeBounds& bounds, const Record& record, const Judgement& out) {
    OracleHull a = *pair.a;
    OracleHull b = *pair.b;
    a.round_radius = 0;
    b.round_radius = 0;
    const double radii = pair.a->round_radius + pair.b->round_radius;
    JudgedPair cores = pair;
    cores.a = &a;
    cores.b = &b;
    cores.margin = static_cast<float>(static_cast<double>(pair.margin) + radii);
    JudgeBounds wider = bounds;
    // The normal is rounded, and so are the numbers of the cores here.
    wider.noise += 4.0 * kFloat * radii;
    Judgement of_cores = out;
    of_cores.distance += radii;
    of_cores = judge_contact(cores, wider, record_of_cores(pair, record), of_cores);
    of_cores.distance = out.distance;
    return of_cores;
}

Judgement judge_record(const JudgedPair& pair, const Record& record) {
    const JudgeBounds bounds = judge_bounds(pair);
    Judgement out = begin(pair, bounds);
    const Manifold16& m = record.m;
    if (pair.method == JudgedMethod::published_literal) {
        judge_literal(pair, bounds, &record, out);
        return out;
    }
    if (m.status != Status::ok) {
        out.violate(Violation::status, text("status %u", static_cast<unsigned>(m.status)));
        return out;
    }
    if (!out.touching && !out.in_band) {
        out.violate(Violation::invented, text("reported, but the distance is %.9g, the margin %.9g", out.distance,
                                              static_cast<double>(pair.margin)));
        return out;
    }
    judge_distance(bounds, m, out);
    if (pair.a->round_radius + pair.b->round_radius > 0) return judge_rounded(pair, bounds, record, out);
    return judge_contact(pair, bounds, record, out);
}

Judgement judge_absence(const JudgedPair& pair) {
    Judgement out = begin(pair, judge_bounds(pair));
    if (pair.method == JudgedMethod::published_literal) {
        judge_literal(pair, judge_bounds(pair), nullptr, out);
        return out;
    }
    if (out.touching && !out.in_band) {
        out.violate(Violation::missed, text("distance %.9g is not reported, the margin is %.9g", out.distance,
                                            static_cast<double>(pair.margin)));
    }
    return out;
}

}  // namespace

double JudgeBounds::distance(double value) const {
    return std::max(kDistanceTolerance * unit, half_ulp(value)) + noise;
}

JudgeBounds judge_bounds(const JudgedPair& pair) {
    if (pair.a->half_space || pair.b->half_space) return half_space_bounds(pair);
    JudgeBounds out;
    // A point or a segment counts with its radius.
    const double size_a = pair.a->size + (pair.a->triangles.empty() ? pair.a->round_radius : 0);
    const double size_b = pair.b->size + (pair.b->triangles.empty() ? pair.b->round_radius : 0);
    out.larger = std::max(size_a, size_b);
    out.smaller = std::min(size_a, size_b);
    const auto is_beyond = [](double larger, double smaller) {
        return larger > smaller * static_cast<double>(kPreciseSizeRatio) * (1.0 + kRatioRounding);
    };
    const double rounded_a = pair.a->size + pair.a->round_radius;
    const double rounded_b = pair.b->size + pair.b->round_radius;
    const double larger = std::max(rounded_a, rounded_b);
    const double smaller = std::min(rounded_a, rounded_b);
    out.unit = is_beyond(larger, smaller) ? smaller : larger;
    out.beyond = is_beyond(larger, smaller) || is_beyond(out.larger, out.smaller);
    const double apart = length(pair.pose_b.position - pair.pose_a.position);
    // A few roundings of numbers as large as the hulls and their distance.
    out.noise = 1e-14 * (out.larger + apart);
    // Within the ratio the bound holds the rounding of vertices. That of a larger hull may exceed a share of the
    // smaller one.
    if (out.beyond) out.noise += pair.a->rounding + pair.b->rounding;
    // Three rounded components turn a normal by up to 1e-7, which moves the supports of hulls at this distance by so
    // much.
    out.along = 2.0 * kFloat * (out.larger + apart);
    return out;
}

const char* to_string(Violation violation) {
    switch (violation) {
        case Violation::missed:
            return "missed";
        case Violation::invented:
            return "invented";
        case Violation::distance:
            return "distance";
        case Violation::normal:
            return "normal";
        case Violation::off_surface:
            return "off the surface";
        case Violation::points:
            return "points";
        case Violation::feature:
            return "features";
        case Violation::coverage:
            return "contact area";
        case Violation::shallow:
            return "not as deep as the pair";
        case Violation::status:
            return "status";
    }
    return "unknown";
}

void Judgement::violate(Violation kind, const std::string& text) {
    violations = static_cast<std::uint16_t>(violations | 1U << static_cast<unsigned>(kind));
    if (what.empty()) what = std::string(to_string(kind)) + ": " + text;
}

Judgement judge(const JudgedPair& pair, const Manifold16& record) {
    return in_default_environment([&]() -> Judgement {
        if (is_reported(record)) return judge_record(pair, {record, Manifold16::kCapacity});
        Judgement out = judge_absence(pair);
        if (!all_zero(&record, sizeof record)) out.violate(Violation::points, "not reported, but not all zeros");
        return out;
    });
}

Judgement judge(const JudgedPair& pair, const Manifold4& record) {
    Manifold16 wide;
    std::memset(&wide, 0, sizeof wide);
    std::memcpy(&wide, &record, sizeof record);
    if (!is_reported(record)) return judge(pair, wide);
    return in_default_environment([&] { return judge_record(pair, {wide, Manifold4::kCapacity}); });
}

Judgement judge_unreported(const JudgedPair& pair) {
    return in_default_environment([&] { return judge_absence(pair); });
}

}  // namespace lanefold::reference
