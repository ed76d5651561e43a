// SPDX-License-Identifier: MIT
//
// Runs the float64 references over a batch, pairs in parallel.

#include "contacts/reference_batch.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include <oneapi/tbb/parallel_for.h>

#include <lanefold/detail/hull_block.hpp>
#include <lanefold/detail/read_body.hpp>
#include <lanefold/feature_manifold.hpp>
#include <lanefold/published.hpp>
#include <lanefold/published_literal.hpp>
#include <lanefold/sutherland_hodgman.hpp>

namespace lanefold::tools {
namespace {

// Height of PointSelection::impact, relative to the smaller hull's size, as in the batch calls.
constexpr double kImpactBand = 1e-3;

// A placed body, or the status that excludes it.
struct Placed {
    Status status = Status::ok;
    Vec3d position;
    Mat3d rotation;
    const HullRecord* hull = nullptr;
};

Placed place(const HullSet& hulls, const BodyView& bodies, std::size_t i) {
    Placed out;
    const BodyD body = detail::read_body(bodies, i);
    if (body.hull >= hulls.size()) {
        out.status = Status::bad_hull;
        return out;
    }
    out.hull = &hulls[body.hull];
    out.position = detail::position_of(body);
    Quat unit;
    if (!normalize(body.orientation, unit) || !is_finite(out.position)) {
        out.status = Status::bad_pose;
        return out;
    }
    out.rotation = rotation(unit);
    return out;
}

// A point of any method.
struct ReferencePoint {
    Vec3d position;
    double separation = 0;
    FeaturePair features;
};

// A method's result for a pair, relative to A's position.
struct ReferenceContact {
    bool colliding = false;
    ContactKind kind = ContactKind::none;
    std::uint32_t feature_a = 0;
    std::uint32_t feature_b = 0;
    Vec3d normal;
    double distance = 0;
    std::vector<ReferencePoint> points;
};

struct PlacedPair {
    const HullRecord& hull_a;
    const HullRecord& hull_b;
    published::Polyhedron a;
    published::Polyhedron b;
};

// The two features that meet at a published point.
FeaturePair features_of(const published::ClipPoint& point, const published::Info& info, std::uint32_t reference_face,
                        std::uint32_t incident_face, const PlacedPair& pair) {
    using published::PointSource;
    if (point.source == PointSource::edges)
        return {{FeatureType::edge, point.index[0]}, {FeatureType::edge, point.index[1]}};
    const bool on_a = info.type == published::Type::face_a;
    const auto edge_of = [](const HullRecord& hull, std::uint32_t face, std::uint32_t slot) {
        const detail::HullView view(hull);
        return Feature{FeatureType::edge, view.face_edge[view.face_first[face] + slot]};
    };
    Feature reference{FeatureType::face, reference_face};
    Feature incident{FeatureType::face, incident_face};
    if (point.source == PointSource::incident_vertex) {
        incident = {FeatureType::vertex, point.index[0]};
    } else if (point.source == PointSource::reference_vertex) {
        reference = {FeatureType::vertex, point.index[0]};
    } else {
        reference = edge_of(on_a ? pair.hull_a : pair.hull_b, reference_face, point.index[0]);
        incident = edge_of(on_a ? pair.hull_b : pair.hull_a, incident_face, point.index[1]);
    }
    return on_a ? FeaturePair{reference, incident} : FeaturePair{incident, reference};
}

// Normal, distance, kind and features of a collision; for a face the other hull's `incident_face`.
ReferenceContact contact_of(const published::Info& info, std::uint32_t incident_face) {
    ReferenceContact c;
    c.colliding = true;
    c.normal = info.normal;
    c.distance = info.separation;
    c.feature_a = info.index[0];
    c.feature_b = info.index[1];
    c.kind = ContactKind::edge_edge;
    if (info.type == published::Type::edges) return c;
    const bool on_a = info.type == published::Type::face_a;
    c.kind = on_a ? ContactKind::face_a : ContactKind::face_b;
    c.feature_a = on_a ? info.index[0] : incident_face;
    c.feature_b = on_a ? incident_face : info.index[0];
    return c;
}

ReferenceContact by_published(const PlacedPair& p) {
    const published::Collision c = published::collide(p.a, p.b);
    if (!c.colliding) return {};
    const published::ClipManifold m = published::clip_on_collision_plane(p.a, p.b, c);
    ReferenceContact out = contact_of(c.info, m.incident_face);
    for (const published::ClipPoint& x : m.points) {
        out.points.push_back({x.position, x.separation, features_of(x, c.info, m.reference_face, m.incident_face, p)});
    }
    return out;
}

ReferenceContact by_literal(const PlacedPair& p) {
    const published::literal::Result r = published::literal::clipping_manifold(p.a, p.b);
    if (!r.colliding || !r.found) return {};
    ReferenceContact out = contact_of(r.info, r.incident_face);
    for (const published::ClipPoint& x : r.points) {
        out.points.push_back({x.position, x.separation, features_of(x, r.info, r.info.index[0], r.incident_face, p)});
    }
    return out;
}

ReferenceContact by_sutherland_hodgman(const PlacedPair& p) {
    const published::Collision c = published::collide(p.a, p.b);
    if (!c.colliding) return {};
    const published::FaceClipManifold m = published::clip_significant_faces(p.a, p.b, c.info.normal);
    ReferenceContact out = contact_of(c.info, 0);
    out.kind = m.reference_on_b ? ContactKind::face_b : ContactKind::face_a;
    out.feature_a = m.a.face;
    out.feature_b = m.b.face;
    for (const published::FaceClipPoint& x : m.points) {
        out.points.push_back({(x.on_incident + x.on_reference) * 0.5, x.separation, x.features});
    }
    return out;
}

ReferenceContact by_features(const PlacedPair& p, double angle) {
    const published::Collision c = published::collide(p.a, p.b);
    if (!c.colliding) return {};
    published::FeatureSettings settings;
    settings.angle = angle;
    const published::FeatureManifold m = published::clip_features(p.a, p.b, c, settings);
    // A record names faces. For a feature that is no face it names the face that is nearest to it.
    const bool on_a = c.info.type == published::Type::face_a;
    const published::ContactFeature& grown = on_a ? m.b : m.a;
    const std::uint32_t incident =
        grown.type == FeatureType::face
            ? grown.index
            : published::significant_face(on_a ? p.b : p.a, on_a ? -c.info.normal : c.info.normal).face;
    ReferenceContact out = contact_of(c.info, incident);
    for (const published::FeaturePoint& x : m.points) out.points.push_back({x.position, x.separation, x.features});
    return out;
}

ReferenceContact contact_by(const ReferenceSettings& settings, const PlacedPair& pair) {
    switch (settings.method) {
        case Method::published_literal:
            return by_literal(pair);
        case Method::sutherland_hodgman:
            return by_sutherland_hodgman(pair);
        case Method::features:
            return by_features(pair, settings.feature_angle);
        default:
            return by_published(pair);
    }
}

// Keeps the deepest point, then each time the one furthest from those already kept; in their original order.
void keep_spread(std::vector<ReferencePoint>& points, std::size_t capacity) {
    if (points.size() <= capacity) return;
    std::vector<double> away(points.size(), std::numeric_limits<double>::infinity());
    std::vector<bool> kept(points.size(), false);
    std::size_t next = 0;
    for (std::size_t i = 1; i < points.size(); ++i) {
        if (points[i].separation < points[next].separation) next = i;
    }
    for (std::size_t count = 0; count < capacity; ++count) {
        kept[next] = true;
        std::size_t furthest = next;
        for (std::size_t i = 0; i < points.size(); ++i) {
            away[i] = std::min(away[i], length(points[i].position - points[next].position));
            if (!kept[i] && (kept[furthest] || away[i] > away[furthest])) furthest = i;
        }
        next = furthest;
    }
    std::size_t to = 0;
    for (std::size_t i = 0; i < points.size(); ++i) {
        if (kept[i]) points[to++] = points[i];
    }
    points.resize(capacity);
}

template <class M>
void set_points(const std::vector<ReferencePoint>& points, std::size_t total, const PlacedPair& pair, M& out) {
    out.total = static_cast<std::uint16_t>(std::min<std::size_t>(total, 65535));
    out.count = static_cast<std::uint8_t>(std::min<std::size_t>(points.size(), M::kCapacity));
    for (std::size_t i = 0; i < out.count; ++i) {
        ContactPoint& to = out.points[i];
        const Vec3f x = to_float(points[i].position);
        to.position[0] = x.x;
        to.position[1] = x.y;
        to.position[2] = x.z;
        to.separation = static_cast<float>(points[i].separation);
        to.feature = feature_id(pair.hull_a.feature_counts(), pair.hull_b.feature_counts(), points[i].features);
        for (std::size_t k = 0; k < i; ++k) {
            if (out.points[k].feature != to.feature) continue;
            ++to.feature;  // ids are unique within a manifold
            k = static_cast<std::size_t>(-1);
        }
    }
}

template <class M>
void solve(const HullSet& hulls, const BodyView& bodies, const Pair& pair, const ReferenceSettings& settings, M& out) {
    std::memset(static_cast<void*>(&out), 0, sizeof out);
    const auto refuse = [&](Status status) {
        out.pair[0] = pair.a;
        out.pair[1] = pair.b;
        out.status = status;
    };
    if (pair.a >= bodies.count || pair.b >= bodies.count || pair.a == pair.b) return refuse(Status::bad_index);
    const Placed a = place(hulls, bodies, pair.a);
    const Placed b = place(hulls, bodies, pair.b);
    if (a.status != Status::ok || b.status != Status::ok) return refuse(a.status != Status::ok ? a.status : b.status);

    // Relative to A's position, so that records and precision do not depend on where the pair is.
    const PlacedPair placed{*a.hull, *b.hull, published::make_polyhedron(*a.hull, {a.rotation, {}}),
                            published::make_polyhedron(*b.hull, {b.rotation, b.position - a.position})};
    ReferenceContact c = contact_by(settings, placed);
    if (!c.colliding) return;
    if (settings.points == PointSelection::impact && !is_impact_only(settings.method)) {
        published::keep_points_at_impact(c.points,
                                         kImpactBand * static_cast<double>(std::min(a.hull->size, b.hull->size)));
    }
    const std::size_t total = c.points.size();
    if (!is_impact_only(settings.method)) keep_spread(c.points, M::kCapacity);
    out.pair[0] = pair.a;
    out.pair[1] = pair.b;
    const Vec3f n = to_float(c.normal);
    out.normal[0] = n.x;
    out.normal[1] = n.y;
    out.normal[2] = n.z;
    out.distance = static_cast<float>(c.distance);
    out.feature_a = c.feature_a;
    out.feature_b = c.feature_b;
    out.kind = c.kind;
    set_points(c.points, total, placed, out);
}

template <class M>
BatchResult dense(const HullSet& hulls, const BodyView& bodies, std::span<const Pair> pairs,
                  const ReferenceSettings& settings, const StopToken& stop, std::span<M> out) {
    BatchResult result;
    result.status = check_reference_hulls(hulls);
    if (!result.status) return result;
    oneapi::tbb::parallel_for(std::size_t{0}, pairs.size(), [&](std::size_t i) {
        if (!stop.stop_requested()) solve(hulls, bodies, pairs[i], settings, out[i]);
    });
    if (stop.stop_requested()) {
        result.status = {Status::cancelled, "stopped", 0};
        return result;
    }
    result.pairs = pairs.size();
    for (const M& m : out.first(pairs.size())) {
        ++result.by_status[static_cast<std::size_t>(m.status)];
        ++result.by_kind[static_cast<std::size_t>(m.kind)];
        if (m.kind == ContactKind::none) continue;
        ++result.touching;
        result.overlapping += m.distance < 0.0F ? 1U : 0U;
        result.points += m.count;
    }
    return result;
}

template <class M>
CompactResult compact(const HullSet& hulls, const BodyView& bodies, std::span<const Pair> pairs,
                      const ReferenceSettings& settings, const StopToken& stop, std::span<M> out) {
    CompactResult result;
    static_cast<BatchResult&>(result) = dense(hulls, bodies, pairs, settings, stop, out);
    if (!result.status) return result;
    const auto end = std::stable_partition(out.begin(), out.begin() + static_cast<std::ptrdiff_t>(pairs.size()),
                                           [](const M& m) { return is_reported(m); });
    result.written = result.required = static_cast<std::uint64_t>(end - out.begin());
    result.next_pair = pairs.size();
    return result;
}

}  // namespace

CallStatus check_reference_hulls(const HullSet& hulls) {
    for (std::size_t i = 0; i < hulls.size(); ++i) {
        if ((hulls[i].flags & HullRecord::kOther) != 0) {
            return {Status::bad_argument, "this method knows no half-spaces, compounds and surfaces, such as hull", i};
        }
        if (hulls[i].round_radius > 0) {
            return {Status::bad_argument, "this method knows no rounded hulls, such as hull", i};
        }
    }
    return {};
}

BatchResult collide_reference(const HullSet& hulls, const BodyView& bodies, std::span<const Pair> pairs,
                              const ReferenceSettings& settings, const StopToken& stop, std::span<Manifold4> out) {
    return dense(hulls, bodies, pairs, settings, stop, out);
}

BatchResult collide_reference(const HullSet& hulls, const BodyView& bodies, std::span<const Pair> pairs,
                              const ReferenceSettings& settings, const StopToken& stop, std::span<Manifold16> out) {
    return dense(hulls, bodies, pairs, settings, stop, out);
}

CompactResult collide_reference_compact(const HullSet& hulls, const BodyView& bodies, std::span<const Pair> pairs,
                                        const ReferenceSettings& settings, const StopToken& stop,
                                        std::span<Manifold4> out) {
    return compact(hulls, bodies, pairs, settings, stop, out);
}

CompactResult collide_reference_compact(const HullSet& hulls, const BodyView& bodies, std::span<const Pair> pairs,
                                        const ReferenceSettings& settings, const StopToken& stop,
                                        std::span<Manifold16> out) {
    return compact(hulls, bodies, pairs, settings, stop, out);
}

}  // namespace lanefold::tools
