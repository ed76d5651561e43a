// SPDX-License-Identifier: MIT
//
// The judge of manifolds.
#include "support/check.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <lanefold/detail/hull_block.hpp>
#include <lanefold/limits.hpp>

#include "support/format.hpp"
#include "support/poses.hpp"

namespace lanefold::test {
namespace {

// Rounding one number to float32 costs at most 2^-24 of it.
constexpr double kFloat = 0x1p-24;

Vec3d vec(const float v[3]) { return {v[0], v[1], v[2]}; }

// Distance of a point from the feature of a hull, world axes relative to the hull's position. Vertices and
// edges are the stored ones; of a merged face it is the distance from its plane.
double feature_distance(const reference::OracleHull& hull, const HullRecord& record, const Feature& feature,
                        const Mat3d& rotation, const Vec3d& point) {
    const Vec3d p = transpose_times(rotation, point);
    const detail::HullView view(record);
    if (feature.type == FeatureType::vertex) return length(p - hull.vertices[feature.index]);
    if (feature.type == FeatureType::edge) {
        const Vec3d a = hull.vertices[view.edge_vertex[2 * feature.index]];
        const Vec3d e = hull.vertices[view.edge_vertex[2 * feature.index + 1]] - a;
        const double t = std::clamp(dot(p - a, e) / length_squared(e), 0.0, 1.0);
        return length(p - (a + e * t));
    }
    const PoseD frame = view.internal_to_input();
    const Vec3d n = normalized(frame.rotation * view.normal(feature.index));
    double height = -std::numeric_limits<double>::infinity();
    for (const Vec3d& v : hull.vertices) height = std::max(height, dot(n, v));
    return std::fabs(dot(n, p) - height);
}

// The bounds of a pair.
struct Bounds {
    double larger = 0;
    double smaller = 0;
    double distance = 0;  // of the signed distance, and half the classification band
    double normal = 0;    // of the separation along the reported normal

    explicit Bounds(const Question& q) {
        larger = std::max(q.a->size, q.b->size);
        smaller = std::min(q.a->size, q.b->size);
        const bool precise = larger > smaller * static_cast<double>(kPreciseSizeRatio) * (1.0 + 1e-6);
        // Far apart hulls (large margins) cannot have a float32 distance better than its own rounding.
        distance = kDistanceTolerance * (precise ? smaller : larger);
        // Each component of the normal is rounded to float32: its direction is off by up to 1e-7, which moves
        // the support of the larger hull.
        normal = distance + 2.0 * kFloat * (larger + length(q.pose_b.position - q.pose_a.position));
    }
};

template <class M>
bool all_zero(const M& m) {
    const auto* bytes = reinterpret_cast<const unsigned char*>(&m);
    return std::all_of(bytes, bytes + sizeof m, [](unsigned char c) { return c == 0; });
}

template <class M>
std::string check_unused_bytes(const M& m) {
    for (const std::uint8_t r : m.reserved) {
        if (r != 0) return "reserved bytes are not zero";
    }
    const auto* first = reinterpret_cast<const unsigned char*>(&m.points[m.count]);
    const auto* last = reinterpret_cast<const unsigned char*>(&m) + sizeof m;
    if (!std::all_of(first, last, [](unsigned char c) { return c == 0; })) return "bytes after the points are not zero";
    return {};
}

bool types_fit_kind(ContactKind kind, ContactMethod method, const FeaturePair& f) {
    const auto is = [&f](FeatureType a, FeatureType b) { return f.a.type == a && f.b.type == b; };
    using T = FeatureType;
    switch (kind) {
        // Vertex of one on the face of the other, or a crossing of edges.
        case ContactKind::face_a:
        case ContactKind::face_b:
            // Of two sides of support patches, which need not be edges: the vertices at which they start.
            return is(T::face, T::vertex) || is(T::vertex, T::face) || is(T::edge, T::edge) ||
                   (method == ContactMethod::patch && is(T::vertex, T::vertex));
        case ContactKind::edge_edge:
            return is(T::edge, T::edge);
        case ContactKind::vertex_edge:
            return is(T::vertex, T::edge);
        case ContactKind::edge_vertex:
            return is(T::edge, T::vertex);
        case ContactKind::vertex_vertex:
            return is(T::vertex, T::vertex);
        case ContactKind::none:
            break;
    }
    return false;
}

template <class M>
std::string check_features(const Question& q, const M& m) {
    const FeatureCounts a = q.record_a->feature_counts();
    const FeatureCounts b = q.record_b->feature_counts();
    const auto limit = [](const FeatureCounts& n, FeatureType t) {
        return t == FeatureType::face ? n.faces : t == FeatureType::edge ? n.edges : n.vertices;
    };
    FeatureType type_a = FeatureType::face;
    FeatureType type_b = FeatureType::face;
    if (m.kind == ContactKind::edge_edge || m.kind == ContactKind::edge_vertex) type_a = FeatureType::edge;
    if (m.kind == ContactKind::edge_edge || m.kind == ContactKind::vertex_edge) type_b = FeatureType::edge;
    if (m.kind == ContactKind::vertex_edge || m.kind == ContactKind::vertex_vertex) type_a = FeatureType::vertex;
    if (m.kind == ContactKind::edge_vertex || m.kind == ContactKind::vertex_vertex) type_b = FeatureType::vertex;
    if (m.feature_a >= limit(a, type_a))
        return format("feature_a %u of kind %d out of range", m.feature_a, int(m.kind));
    if (m.feature_b >= limit(b, type_b))
        return format("feature_b %u of kind %d out of range", m.feature_b, int(m.kind));
    for (int i = 0; i < m.count; ++i) {
        for (int k = 0; k < i; ++k) {
            if (m.points[i].feature == m.points[k].feature) return format("points %d and %d share a feature id", k, i);
        }
        if (static_cast<std::uint64_t>(a.total()) * b.total() > 0xFFFFFFFFU) continue;  // ids cannot be decoded
        const auto f = decode_feature(a, b, m.points[i].feature);
        if (!f) return format("feature id %08x of point %d decodes to nothing", m.points[i].feature, i);
        if (!types_fit_kind(m.kind, q.method, *f)) {
            return format("point %d has features of types %d, %d in kind %d", i, int(f->a.type), int(f->b.type),
                          int(m.kind));
        }
    }
    return {};
}

template <class M>
std::string check_points(const Question& q, const M& m, const Bounds& bounds, Coverage& coverage) {
    const Vec3d n = vec(m.normal);
    const Vec3d to_b = q.pose_b.position - q.pose_a.position;
    const FeatureCounts counts_a = q.record_a->feature_counts();
    const FeatureCounts counts_b = q.record_b->feature_counts();
    const bool decodable = static_cast<std::uint64_t>(counts_a.total()) * counts_b.total() <= 0xFFFFFFFFU;
    const bool face = m.kind == ContactKind::face_a || m.kind == ContactKind::face_b;
    double limit = static_cast<double>(q.margin);
    if (q.method == ContactMethod::patch && face) {
        // A patch keeps what lies within both bands.
        const double along = reference::separation_along(*q.a, q.pose_a, *q.b, q.pose_b, normalized(n));
        limit = std::max(limit, along + 2.0 * static_cast<double>(kPatchBand) * bounds.smaller + bounds.normal);
    }
    for (int i = 0; i < m.count; ++i) {
        const ContactPoint& c = m.points[i];
        const Vec3d x = vec(c.position);
        const double s = c.separation;
        if (!is_finite(x) || !std::isfinite(s)) return format("point %d is not finite", i);
        if (s > limit + bounds.distance + kFloat * std::fabs(s)) {
            return format("point %d has separation %.9g above the margin", i, s);
        }
        // Position, separation and normal are rounded: the witness moves by that much. A merged face deviates
        // from the stored vertices by up to kBuildDeviation of ITS hull's size, also beyond 64:1.
        const double bound = 2.0 * bounds.distance + kBuildDeviation * (q.a->size + q.b->size) +
                             kFloat * (3.0 * length(x) + 2.0 * std::fabs(s) + 3.0 * bounds.smaller);
        const Vec3d on_a = x - n * (0.5 * s);
        const Vec3d on_b = x + n * (0.5 * s) - to_b;
        const double error_a = std::fabs(reference::point_distance(*q.a, q.pose_a.rotation, on_a));
        const double error_b = std::fabs(reference::point_distance(*q.b, q.pose_b.rotation, on_b));
        coverage.worst_point = std::max(coverage.worst_point, std::max(error_a, error_b) / bound);
        if (!(error_a <= bound))
            return format("witness of point %d is %.3g off the surface of a (bound %.3g)", i, error_a, bound);
        if (!(error_b <= bound))
            return format("witness of point %d is %.3g off the surface of b (bound %.3g)", i, error_b, bound);
        if (!decodable) continue;
        const auto f = decode_feature(counts_a, counts_b, c.feature);
        if (face && f->a.type == FeatureType::vertex && f->b.type == FeatureType::vertex) continue;  // names two sides
        const double off_a = feature_distance(*q.a, *q.record_a, f->a, q.pose_a.rotation, on_a);
        const double off_b = feature_distance(*q.b, *q.record_b, f->b, q.pose_b.rotation, on_b);
        // A crossing of edges in a face contact lies on the incident edge; the reference edge is met in
        // projection, within the clipping tolerance.
        const double feature_bound = bound + 2e-6 * bounds.larger;
        const bool crossing = f->a.type == FeatureType::edge && f->b.type == FeatureType::edge;
        const bool loose_a = crossing && m.kind == ContactKind::face_a;
        const bool loose_b = crossing && m.kind == ContactKind::face_b;
        if (!(off_a <= feature_bound * (loose_a ? 4.0 : 1.0))) {
            return format("point %d is %.3g off its feature (type %d, %u) of a", i, off_a, int(f->a.type), f->a.index);
        }
        if (!(off_b <= feature_bound * (loose_b ? 4.0 : 1.0))) {
            return format("point %d is %.3g off its feature (type %d, %u) of b", i, off_b, int(f->b.type), f->b.index);
        }
    }
    return {};
}

template <class M>
std::string check_reported(const Question& q, const M& m, const reference::OracleResult& truth, const Bounds& bounds,
                           Coverage& coverage) {
    if (m.pair[0] != q.index_a || m.pair[1] != q.index_b) return format("pair is (%u, %u)", m.pair[0], m.pair[1]);
    if (static_cast<unsigned>(m.kind) >= kContactKindCount || m.kind == ContactKind::none)
        return "kind is not a contact";
    const bool face = m.kind == ContactKind::face_a || m.kind == ContactKind::face_b;
    if (m.count < 1 || m.count > M::kCapacity) return format("%d points", m.count);
    if (m.total < m.count) return format("total %d below count %d", m.total, m.count);
    if (m.total <= M::kCapacity ? m.count != m.total : m.count < std::min<std::size_t>(M::kCapacity, 4)) {
        return format("%d points kept of %d", m.count, m.total);
    }
    if (!face && m.count != 1) return format("%d points in a contact that is not a face", m.count);

    const double d = m.distance;
    const double error = std::fabs(d - truth.distance);
    const double distance_bound = bounds.distance + kFloat * std::fabs(d);
    coverage.worst_distance = std::max(coverage.worst_distance, error / distance_bound);
    if (bounds.larger <= bounds.smaller * static_cast<double>(kPreciseSizeRatio)) {
        coverage.worst_distance_size = std::max(coverage.worst_distance_size, error / bounds.larger);
    }
    if (!(error <= distance_bound))
        return format("distance %.9g, oracle %.9g: off by %.3g of the bound", d, truth.distance,
                      error / distance_bound);

    const Vec3d n = vec(m.normal);
    const double unit = std::fabs(length(n) - 1.0);
    coverage.worst_unit = std::max(coverage.worst_unit, unit);
    // Three float32 components give a length within 1e-7; float32 normalisation adds two roundings.
    if (!(unit <= 5e-7)) return format("normal of length %.9g", length(n));

    const double held = static_cast<double>(q.hysteresis) * bounds.smaller;
    const double preference = static_cast<double>(q.face_preference) * bounds.smaller + held;
    const double along = reference::separation_along(*q.a, q.pose_a, *q.b, q.pose_b, normalized(n));
    const double lack = truth.distance - along;
    if (preference == 0.0) coverage.worst_normal = std::max(coverage.worst_normal, lack / bounds.normal);
    // Only a face may take precedence over a nearer feature, but for what was held from a previous contact.
    const double allowed = (face ? preference : held) + bounds.normal;
    if (!(lack <= allowed))
        return format("separation along the normal %.9g, oracle %.9g: lacks %.3g of %.3g allowed", along,
                      truth.distance, lack, allowed);
    if (face && lack > bounds.normal) ++coverage.preferred_face;

    double deepest = std::numeric_limits<double>::infinity();
    double highest = -std::numeric_limits<double>::infinity();
    for (int i = 0; i < m.count; ++i) {
        deepest = std::min(deepest, static_cast<double>(m.points[i].separation));
        highest = std::max(highest, static_cast<double>(m.points[i].separation));
    }
    const double depth_error = std::max(along - deepest, deepest - (truth.distance + preference));
    coverage.worst_depth = std::max(coverage.worst_depth, depth_error / bounds.normal);
    if (!(along - deepest <= bounds.normal))
        return format("deepest point %.9g is below the separation %.9g along the normal", deepest, along);
    // A patch that had to be reduced starts from its spread.
    const double spread = q.method == ContactMethod::patch && m.total > m.count
                              ? static_cast<double>(kPatchSpread) * bounds.smaller
                              : 0.0;
    if (!(deepest <= truth.distance + preference + spread + bounds.normal)) {
        return format("deepest point %.9g is shallower than the distance %.9g", deepest, truth.distance);
    }
    if (q.points == PointSelection::impact && highest > deepest + 1e-3 * bounds.smaller + bounds.distance) {
        return format("impact points from %.9g to %.9g", deepest, highest);
    }
    if (std::string wrong = check_unused_bytes(m); !wrong.empty()) return wrong;
    if (std::string wrong = check_features(q, m); !wrong.empty()) return wrong;
    return check_points(q, m, bounds, coverage);
}

void count_reported(const Question& q, ContactKind kind, int count, int total, double distance, Coverage& coverage) {
    const auto k = static_cast<std::size_t>(kind);
    if (k < std::size(coverage.by_kind)) ++coverage.by_kind[k];  // spoiled records may hold any
    if (distance >= 0.0) ++coverage.touching_separated;
    if (distance < 0.0) ++coverage.overlapping;
    if (count >= 2) ++coverage.multi_point;
    if (total > count) ++coverage.reduced;
    if (-distance > std::min(q.a->size, q.b->size)) ++coverage.containments;
}

}  // namespace

template <class M>
std::string check_manifold(const Question& q, const M& m, Coverage& coverage) {
    ++coverage.pairs;
    const reference::OracleResult truth = reference::signed_distance(*q.a, q.pose_a, *q.b, q.pose_b);
    const Bounds bounds(q);
    const double band = bounds.distance + 2.0 * kFloat * static_cast<double>(q.margin);
    const double over = truth.distance - static_cast<double>(q.margin);
    const bool in_band = std::fabs(over) <= band;
    if (in_band) ++coverage.in_band;
    std::string wrong;
    if (m.status != Status::ok) {
        wrong = format("status %d", int(m.status));
    } else if (m.kind == ContactKind::none) {
        if (!in_band && over < 0.0)
            wrong = format("not reported at distance %.9g, margin %.9g", truth.distance, double(q.margin));
        if (wrong.empty() && !all_zero(m)) wrong = "unreported, but not all zeros";
        ++coverage.unreported;
    } else {
        ++coverage.touching;
        if (!in_band && over > 0.0) {
            wrong = format("reported at distance %.9g, margin %.9g", truth.distance, double(q.margin));
        } else {
            wrong = check_reported(q, m, truth, bounds, coverage);
        }
        count_reported(q, m.kind, m.count, m.total, static_cast<double>(m.distance), coverage);
    }
    if (!wrong.empty()) ++coverage.violations;
    return wrong;
}

template std::string check_manifold(const Question&, const Manifold4&, Coverage&);
template std::string check_manifold(const Question&, const Manifold16&, Coverage&);

}  // namespace lanefold::test
