// SPDX-License-Identifier: MIT
//
// Judges a record of the literal method: repeats the source's steps and compares number by number. The errors tell how
// far these are from the exact values, which is not a violation.
#include <algorithm>
#include <cmath>

#include <lanefold/published_literal.hpp>

#include "placed.hpp"
#include "text.hpp"

namespace lanefold::reference::judging {

namespace {

using published::Type;

// Whether a float32 number is this value, rounded; zeros of either sign are equal.
bool stored_as(float stored, double value, double noise) {
    return std::fabs(static_cast<double>(stored) - value) <= kFloat * std::fabs(value) + noise;
}

bool stored_as(const float stored[3], const Vec3d& v, double noise) {
    return stored_as(stored[0], v.x, noise) && stored_as(stored[1], v.y, noise) && stored_as(stored[2], v.z, noise);
}

ContactKind kind_of(Type type) {
    if (type == Type::edges) return ContactKind::edge_edge;
    return type == Type::face_a ? ContactKind::face_a : ContactKind::face_b;
}

void judge_axis(const Manifold16& m, const published::literal::Result& r, double noise, Judgement& out) {
    const published::Info& info = r.info;
    const bool on_b = info.type == Type::face_b;
    const std::uint32_t other = info.type == Type::edges ? info.index[1] : r.incident_face;
    const std::uint32_t feature_a = on_b ? other : info.index[0];
    const std::uint32_t feature_b = on_b ? info.index[0] : other;
    if (m.kind != kind_of(info.type) || m.feature_a != feature_a || m.feature_b != feature_b) {
        out.violate(Violation::feature,
                    text("kind %u, features %u and %u; the source has %u, %u and %u", static_cast<unsigned>(m.kind),
                         m.feature_a, m.feature_b, static_cast<unsigned>(kind_of(info.type)), feature_a, feature_b));
    }
    if (!stored_as(m.distance, info.separation, noise)) {
        out.violate(Violation::distance,
                    text("distance %.9g, the source has %.9g", static_cast<double>(m.distance), info.separation));
    }
    if (!stored_as(m.normal, info.normal, 1e-14)) out.violate(Violation::normal, "not the normal of the source");
}

void judge_literal_points(const Record& record, const published::literal::Result& r, double noise, Judgement& out) {
    const Manifold16& m = record.m;
    if (m.total != r.points.size() || m.count != std::min<std::size_t>(r.points.size(), record.capacity)) {
        out.violate(Violation::points,
                    text("%u points of %u, the source has %u", m.count, m.total, number(r.points.size())));
        return;
    }
    for (std::uint32_t i = 0; i < m.count; ++i) {
        if (!stored_as(m.points[i].position, r.points[i].position, noise)) {
            out.violate(Violation::off_surface, text("point %u is not where the source has it", i));
        }
        if (!stored_as(m.points[i].separation, r.points[i].separation, noise)) {
            out.violate(Violation::points, text("point %u: separation %.9g, the source has %.9g", i,
                                                static_cast<double>(m.points[i].separation), r.points[i].separation));
        }
    }
}

}  // namespace

void judge_literal(const JudgedPair& pair, const JudgeBounds& bounds, const Record* record, Judgement& out) {
    const published::Polyhedron a = published::make_polyhedron(*pair.record_a, {pair.pose_a.rotation, {}});
    const published::Polyhedron b =
        published::make_polyhedron(*pair.record_b, {pair.pose_b.rotation, pair.pose_b.position - pair.pose_a.position});
    const published::literal::Result r = published::literal::clipping_manifold(a, b);
    const bool reported = r.colliding && r.found;
    if (record == nullptr) {
        if (reported) out.violate(Violation::missed, text("the source has separation %.9g", r.info.separation));
        return;
    }
    const Manifold16& m = record->m;
    if (m.status != Status::ok) {
        out.violate(Violation::status, text("status %u", static_cast<unsigned>(m.status)));
        return;
    }
    if (!reported) {
        out.violate(Violation::invented, "the source finds no collision");
        return;
    }
    if (m.pair[0] != pair.index_a || m.pair[1] != pair.index_b) {
        out.violate(Violation::feature, text("the record names bodies %u and %u", m.pair[0], m.pair[1]));
    }
    judge_axis(m, r, bounds.noise, out);
    judge_literal_points(*record, r, bounds.noise, out);
    out.distance_error = std::fabs(r.info.separation - out.distance) / bounds.unit;
}

}  // namespace lanefold::reference::judging
