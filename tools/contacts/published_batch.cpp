// SPDX-License-Identifier: MIT
//
// The float64 reference over a batch: pairs in parallel, each on its own.

#include "contacts/published_batch.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include <oneapi/tbb/parallel_for.h>

#include <lanefold/detail/hull_block.hpp>
#include <lanefold/published.hpp>

namespace lanefold::tools {
namespace {

// A body, or why it cannot take part.
struct Placed {
    Status status = Status::ok;
    Vec3d position;
    Mat3d rotation;
    const HullRecord* hull = nullptr;
};

Placed place(const HullSet& hulls, const BodyView& bodies, std::size_t i) {
    Placed out;
    std::uint32_t hull = 0;
    std::memcpy(&hull, bodies.hull + i * bodies.hull_stride, sizeof hull);
    if (hull >= hulls.size()) {
        out.status = Status::bad_hull;
        return out;
    }
    out.hull = &hulls[hull];
    float q[4];
    std::memcpy(q, bodies.orientation + i * bodies.orientation_stride, sizeof q);
    const std::byte* position = bodies.position + i * bodies.position_stride;
    if (bodies.position_is_double) {
        double p[3];
        std::memcpy(p, position, sizeof p);
        out.position = {p[0], p[1], p[2]};
    } else {
        float p[3];
        std::memcpy(p, position, sizeof p);
        out.position = to_double(Vec3f{p[0], p[1], p[2]});
    }
    Quat unit;
    if (!normalize(q, unit) || !is_finite(out.position)) {
        out.status = Status::bad_pose;
        return out;
    }
    out.rotation = rotation(unit);
    return out;
}

// The two features that a point stands for.
FeaturePair features_of(const published::ClipPoint& point, const published::Info& info,
                        const published::ClipManifold& m, const HullRecord& a, const HullRecord& b) {
    using published::PointSource;
    if (point.source == PointSource::edges)
        return {{FeatureType::edge, point.index[0]}, {FeatureType::edge, point.index[1]}};
    const bool on_a = info.type == published::Type::face_a;
    const auto edge_of = [](const HullRecord& hull, std::uint32_t face, std::uint32_t slot) {
        const detail::HullView view(hull);
        return Feature{FeatureType::edge, view.face_edge[view.face_first[face] + slot]};
    };
    Feature reference{FeatureType::face, m.reference_face};
    Feature incident{FeatureType::face, m.incident_face};
    if (point.source == PointSource::incident_vertex) {
        incident = {FeatureType::vertex, point.index[0]};
    } else if (point.source == PointSource::reference_vertex) {
        reference = {FeatureType::vertex, point.index[0]};
    } else {
        reference = edge_of(on_a ? a : b, m.reference_face, point.index[0]);
        incident = edge_of(on_a ? b : a, m.incident_face, point.index[1]);
    }
    return on_a ? FeaturePair{reference, incident} : FeaturePair{incident, reference};
}

template <class M>
void set_points(const published::Info& info, const published::ClipManifold& m, const HullRecord& a, const HullRecord& b,
                M& out) {
    out.total = static_cast<std::uint16_t>(std::min<std::size_t>(m.points.size(), 65535));
    out.count = static_cast<std::uint8_t>(std::min<std::size_t>(m.points.size(), M::kCapacity));
    for (std::size_t i = 0; i < out.count; ++i) {
        const published::ClipPoint& from = m.points[i];
        ContactPoint& to = out.points[i];
        const Vec3f x = to_float(from.position);
        to.position[0] = x.x;
        to.position[1] = x.y;
        to.position[2] = x.z;
        to.separation = static_cast<float>(from.separation);
        to.feature = feature_id(a.feature_counts(), b.feature_counts(), features_of(from, info, m, a, b));
        for (std::size_t k = 0; k < i; ++k) {
            if (out.points[k].feature != to.feature) continue;
            ++to.feature;  // unique within a manifold, as everywhere
            k = static_cast<std::size_t>(-1);
        }
    }
}

template <class M>
void solve(const HullSet& hulls, const BodyView& bodies, const Pair& pair, M& out) {
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

    // About A's position, so that records and precision do not depend on where the pair is.
    const published::Polyhedron hull_a = published::make_polyhedron(*a.hull, {a.rotation, {}});
    const published::Polyhedron hull_b = published::make_polyhedron(*b.hull, {b.rotation, b.position - a.position});
    const published::Collision c = published::collide(hull_a, hull_b);
    if (!c.colliding) return;
    const published::ClipManifold m = published::clip_on_collision_plane(hull_a, hull_b, c);
    out.pair[0] = pair.a;
    out.pair[1] = pair.b;
    const Vec3f n = to_float(c.info.normal);
    out.normal[0] = n.x;
    out.normal[1] = n.y;
    out.normal[2] = n.z;
    out.distance = static_cast<float>(c.info.separation);
    out.feature_a = c.info.index[0];
    out.feature_b = c.info.index[1];
    out.kind = ContactKind::edge_edge;
    if (c.info.type != published::Type::edges) {
        const bool on_a = c.info.type == published::Type::face_a;
        out.kind = on_a ? ContactKind::face_a : ContactKind::face_b;
        out.feature_a = on_a ? m.reference_face : m.incident_face;
        out.feature_b = on_a ? m.incident_face : m.reference_face;
    }
    set_points(c.info, m, *a.hull, *b.hull, out);
}

template <class M>
BatchResult dense(const HullSet& hulls, const BodyView& bodies, std::span<const Pair> pairs, const StopToken& stop,
                  std::span<M> out) {
    oneapi::tbb::parallel_for(std::size_t{0}, pairs.size(), [&](std::size_t i) {
        if (!stop.stop_requested()) solve(hulls, bodies, pairs[i], out[i]);
    });
    BatchResult result;
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
CompactResult compact(const HullSet& hulls, const BodyView& bodies, std::span<const Pair> pairs, const StopToken& stop,
                      std::span<M> out) {
    CompactResult result;
    static_cast<BatchResult&>(result) = dense(hulls, bodies, pairs, stop, out);
    if (!result.status) return result;
    const auto end = std::stable_partition(out.begin(), out.begin() + static_cast<std::ptrdiff_t>(pairs.size()),
                                           [](const M& m) { return is_reported(m); });
    result.written = result.required = static_cast<std::uint64_t>(end - out.begin());
    result.next_pair = pairs.size();
    return result;
}

}  // namespace

BatchResult collide_published(const HullSet& hulls, const BodyView& bodies, std::span<const Pair> pairs,
                              const StopToken& stop, std::span<Manifold4> out) {
    return dense(hulls, bodies, pairs, stop, out);
}

BatchResult collide_published(const HullSet& hulls, const BodyView& bodies, std::span<const Pair> pairs,
                              const StopToken& stop, std::span<Manifold16> out) {
    return dense(hulls, bodies, pairs, stop, out);
}

CompactResult collide_published_compact(const HullSet& hulls, const BodyView& bodies, std::span<const Pair> pairs,
                                        const StopToken& stop, std::span<Manifold4> out) {
    return compact(hulls, bodies, pairs, stop, out);
}

CompactResult collide_published_compact(const HullSet& hulls, const BodyView& bodies, std::span<const Pair> pairs,
                                        const StopToken& stop, std::span<Manifold16> out) {
    return compact(hulls, bodies, pairs, stop, out);
}

}  // namespace lanefold::tools
