// SPDX-License-Identifier: MIT
//
// See lanefold/reuse_judge.hpp.
#include <lanefold/reuse_judge.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include <lanefold/fp_environment.hpp>
#include <lanefold/reference.hpp>

#include "placed.hpp"
#include "text.hpp"

namespace lanefold::reference {

using namespace judging;

namespace {

// Tolerance of the normal's length, as of any record.
constexpr double kUnitLength = 5e-7;

// A record of a stream with reuse while it is judged.
struct Reused {
    const JudgedPair& pair;
    const JudgeBounds& bounds;
    const Manifold16& m;
    std::uint32_t capacity;
    double reuse;
    Judgement& out;

    double reach() const { return 2.0 * reuse * bounds.smaller; }
    double preference() const {
        const bool face = is_face(m.kind);
        return (static_cast<double>(pair.hysteresis) + (face ? static_cast<double>(pair.face_preference) : 0.0)) *
               bounds.smaller;
    }
    Vec3d origin_b() const { return pair.pose_b.position - pair.pose_a.position; }
};

void judge_distance(const Reused& r) {
    const double bound = r.reach() + r.bounds.distance(r.out.distance);
    const double error = std::fabs(static_cast<double>(r.m.distance) - r.out.distance);
    r.out.distance_share = error / bound;
    r.out.distance_error = error / r.bounds.smaller;
    if (!(error <= bound)) {
        r.out.violate(Violation::distance,
                      text("distance %.9g, oracle %.9g", static_cast<double>(r.m.distance), r.out.distance));
    }
}

bool judge_layout(const Reused& r) {
    const Manifold16& m = r.m;
    if (m.pair[0] != r.pair.index_a || m.pair[1] != r.pair.index_b) {
        r.out.violate(Violation::feature, text("the record names bodies %u and %u", m.pair[0], m.pair[1]));
    }
    const bool known = static_cast<std::size_t>(m.kind) < kContactKindCount && m.kind != ContactKind::none;
    if (!known || m.count == 0 || m.count > r.capacity || m.count != std::min<std::uint32_t>(m.total, r.capacity)) {
        r.out.violate(Violation::points,
                      text("kind %u, %u points of %u", static_cast<unsigned>(m.kind), m.count, m.total));
        return false;
    }
    for (std::uint32_t i = 0; i < m.count; ++i) {
        for (std::uint32_t k = 0; k < i; ++k) {
            if (m.points[i].feature == m.points[k].feature)
                r.out.violate(Violation::points, text("points %u and %u have one id", k, i));
        }
    }
    const ContactPoint none{};
    for (std::uint32_t i = m.count; i < Manifold16::kCapacity; ++i) {
        if (std::memcmp(&m.points[i], &none, sizeof none) != 0)
            r.out.violate(Violation::points, text("unused point %u is not zero", i));
    }
    return true;
}

// The furthest that a vertex of a hull is from a point. `origin`: of the hull, from A's position.
double furthest(const OracleHull& hull, const Mat3d& rotation, const Vec3d& origin, const Vec3d& from) {
    double most = 0;
    for (const Vec3d& v : hull.vertices) most = std::max(most, length(rotation * v + origin - from));
    return most;
}

// A direction at the angle alpha from n separates by at most what n does and alpha times the furthest vertex of both
// hulls, seen from any point.
void judge_normal(const Reused& r, const Vec3d& normal) {
    const Vec3d at = vec(r.m.points[0].position);
    const double lever = furthest(*r.pair.a, r.pair.pose_a.rotation, {}, at) +
                         furthest(*r.pair.b, r.pair.pose_b.rotation, r.origin_b(), at);
    const double along = separation_along(*r.pair.a, r.pair.pose_a, *r.pair.b, r.pair.pose_b, normal);
    const double turn = std::sqrt(3.0) * r.reuse * lever;
    const double bound = turn + r.reach() + r.bounds.distance(r.out.distance) + r.bounds.along;
    const double lack = std::max(r.out.distance - along - r.preference(), 0.0);
    r.out.normal_share = lack / bound;
    r.out.normal_error = lack / r.bounds.smaller;
    if (!(lack <= bound)) {
        r.out.violate(Violation::normal,
                      text("the separation along the normal is %.9g, the distance %.9g", along, r.out.distance));
    }
}

void judge_points(const Reused& r, const Vec3d& normal) {
    // A witness is the sum of three stored numbers; merged faces are off the vertices by at most kBuildDeviation.
    const double bound =
        r.reach() + 3.0 * r.bounds.distance(r.out.distance) + kBuildDeviation * (r.pair.a->size + r.pair.b->size);
    double deepest = std::numeric_limits<double>::infinity();
    for (std::uint32_t i = 0; i < r.m.count; ++i) {
        const ContactPoint& p = r.m.points[i];
        const auto separation = static_cast<double>(p.separation);
        const Vec3d half = normal * (0.5 * separation);
        const Vec3d middle = vec(p.position);
        const double off_a = std::fabs(point_distance(*r.pair.a, r.pair.pose_a.rotation, middle - half));
        const double off_b = std::fabs(point_distance(*r.pair.b, r.pair.pose_b.rotation, middle + half - r.origin_b()));
        const double off = std::max(off_a, off_b);
        r.out.surface_share = std::max(r.out.surface_share, off / bound);
        r.out.surface_error = std::max(r.out.surface_error, off / r.bounds.smaller);
        if (!(off <= bound)) r.out.violate(Violation::off_surface, text("point %u is off by %.3g", i, off));
        deepest = std::min(deepest, separation);
    }
    const double depth_bound =
        r.reach() + 2.0 * r.bounds.distance(r.out.distance) + kBuildDeviation * (r.pair.a->size + r.pair.b->size);
    const double spread =
        r.pair.method == JudgedMethod::patch ? 2.0 * static_cast<double>(r.pair.patch_band) * r.bounds.smaller : 0.0;
    const double off = std::fabs(deepest - r.out.distance) - r.preference() - spread;
    r.out.depth_share = std::max(off, 0.0) / depth_bound;
    if (!(off <= depth_bound)) {
        r.out.violate(Violation::shallow,
                      text("the deepest point has separation %.9g, the pair %.9g", deepest, r.out.distance));
    }
}

Judgement judge_record(const JudgedPair& pair, const Manifold16& m, std::uint32_t capacity, float reuse,
                       const OracleResult& truth) {
    const JudgeBounds bounds = judge_bounds(pair);
    Judgement out;
    out.distance = truth.distance;
    out.normal = truth.normal;
    const Reused r{pair, bounds, m, capacity, static_cast<double>(reuse), out};
    const double excess = out.distance - static_cast<double>(pair.margin);
    const double band = r.reach() + bounds.distance(static_cast<double>(pair.margin));
    out.touching = excess <= 0.0;
    out.overlapping = out.distance < 0.0;
    out.in_band = std::fabs(excess) <= band;
    if (!is_reported(m)) {
        if (excess < -band) out.violate(Violation::missed, text("distance %.9g is not reported", out.distance));
        return out;
    }
    if (m.status != Status::ok) {
        out.violate(Violation::status, text("status %u", static_cast<unsigned>(m.status)));
        return out;
    }
    if (excess > band) out.violate(Violation::invented, text("reported at the distance %.9g", out.distance));
    judge_distance(r);
    if (!judge_layout(r)) return out;
    const Vec3d stored = vec(m.normal);
    const double norm = length(stored);
    out.unit_error = std::fabs(norm - 1.0);
    if (!(out.unit_error <= kUnitLength)) {
        out.violate(Violation::normal, text("normal of length %.9g", norm));
        return out;
    }
    const Vec3d normal = stored * (1.0 / norm);
    judge_normal(r, normal);
    judge_points(r, normal);
    return out;
}

OracleResult truth_of(const JudgedPair& pair) { return signed_distance(*pair.a, pair.pose_a, *pair.b, pair.pose_b); }

Manifold16 widened(const Manifold4& record) {
    Manifold16 wide;
    std::memset(&wide, 0, sizeof wide);
    std::memcpy(&wide, &record, sizeof record);
    return wide;
}

}  // namespace

Judgement judge_reuse(const JudgedPair& pair, const Manifold16& record, float reuse) {
    return in_default_environment(
        [&] { return judge_record(pair, record, Manifold16::kCapacity, reuse, truth_of(pair)); });
}

Judgement judge_reuse(const JudgedPair& pair, const Manifold4& record, float reuse) {
    return in_default_environment(
        [&] { return judge_record(pair, widened(record), Manifold4::kCapacity, reuse, truth_of(pair)); });
}

Judgement judge_reuse(const JudgedPair& pair, const Manifold4& record, float reuse, const OracleResult& truth) {
    return in_default_environment(
        [&] { return judge_record(pair, widened(record), Manifold4::kCapacity, reuse, truth); });
}

}  // namespace lanefold::reference
