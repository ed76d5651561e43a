// SPDX-License-Identifier: MIT
//
// Writes records of the float64 path.

#include "precise/record.hpp"

#include <algorithm>
#include <cstring>

#include <lanefold/detail/contact_constants.hpp>

#include "precise/reduce.hpp"

namespace lanefold::detail {

void take_feature_contact(const Problem& p, PreciseScratch::Impl& memory, const FeatureContact& c, Outcome& r) {
    r.kind = c.kind;
    r.feature_a = c.feature_a;
    r.feature_b = c.feature_b;
    r.normal = c.normal;
    const FeaturePair features = c.features();
    ClipPoint point;
    point.middle = (c.p + c.q) * 0.5;
    point.separation = c.distance;
    point.number_a = feature_number(p.a.record->feature_counts(), features.a);
    point.number_b = feature_number(p.b.record->feature_counts(), features.b);
    memory.points.clear();
    memory.points.push_back(point);
}

void take_face_contact(const FaceAxis& axis, const FaceContact& c, Outcome& r) {
    r.kind = axis.on_b ? ContactKind::face_b : ContactKind::face_a;
    r.feature_a = axis.on_b ? c.incident : c.reference;
    r.feature_b = axis.on_b ? c.reference : c.incident;
    r.normal = c.normal;
}

void keep_impact_points(const Problem& p, std::vector<ClipPoint>& points) {
    double deepest = points.front().separation;
    for (const ClipPoint& c : points) deepest = std::min(deepest, c.separation);
    const double limit = deepest + kImpactBand * p.small;
    std::size_t n = 0;
    for (const ClipPoint& c : points) {
        if (c.separation <= limit) points[n++] = c;
    }
    points.resize(n);
}

bool lost_depth(const PreciseScratch::Impl& memory, const FaceContact& clipped, double limit) {
    return memory.points.empty() || clipped.deepest > limit;
}

template <class Record>
void write_axis(const PrecisePair& pair, const Problem& p, const Outcome& r, Record& out) {
    const Vec3f normal = to_float(p.world * r.normal);
    out.normal[0] = normal.x;
    out.normal[1] = normal.y;
    out.normal[2] = normal.z;
    out.distance = static_cast<float>(r.distance - p.radii);
    // Within a margin of the cores, but beyond that of the pair by the rounding of both.
    if (p.radii > 0) out.distance = std::min(out.distance, pair.margin) + 0.0F;
    out.kind = r.kind;
}

template <class Manifold>
void write(const PrecisePair& pair, const Problem& p, const Outcome& r, std::vector<ClipPoint>& points,
           std::size_t total, Manifold& out) {
    std::memset(static_cast<void*>(&out), 0, sizeof out);
    if (!r.reported) return;
    out.pair[0] = pair.index_a;
    out.pair[1] = pair.index_b;
    write_axis(pair, p, r, out);
    out.feature_a = r.feature_a;
    out.feature_b = r.feature_b;
    out.total = static_cast<std::uint16_t>(std::min<std::size_t>(total, 65535));
    const bool face = r.kind == ContactKind::face_a || r.kind == ContactKind::face_b;
    if (face && pair.method == ContactMethod::patch && !(pair.a->is_box() && pair.b->is_box())) {
        reduce_patch_points(points, r.normal, Manifold::kCapacity, static_cast<double>(kPatchSpread) * p.small);
    } else {
        reduce_points(points, Manifold::kCapacity);
    }
    out.count = static_cast<std::uint8_t>(points.size());
    const std::uint32_t total_b = p.b.record->feature_counts().total();
    for (std::size_t i = 0; i < points.size(); ++i) {
        const Vec3d moved = p.midway != 0 ? points[i].middle + r.normal * p.midway : points[i].middle;
        const Vec3f x = to_float(p.world * (moved + p.a.centre));
        ContactPoint& c = out.points[i];
        c.position[0] = x.x;
        c.position[1] = x.y;
        c.position[2] = x.z;
        c.separation = static_cast<float>(points[i].separation - p.radii);
        c.feature = feature_id(points[i].number_a, points[i].number_b, total_b);
        for (std::size_t k = 0; k < i; ++k) {
            // Ids are unique within a manifold, so the next free value is taken. The comparison starts over after every
            // step.
            if (out.points[k].feature == c.feature) {
                ++c.feature;
                k = static_cast<std::size_t>(-1);
            }
        }
    }
}

template void write_axis(const PrecisePair&, const Problem&, const Outcome&, PairDistance&);
template void write(const PrecisePair&, const Problem&, const Outcome&, std::vector<ClipPoint>&, std::size_t,
                    Manifold4&);
template void write(const PrecisePair&, const Problem&, const Outcome&, std::vector<ClipPoint>&, std::size_t,
                    Manifold16&);

}  // namespace lanefold::detail
