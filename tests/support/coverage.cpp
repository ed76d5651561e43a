// SPDX-License-Identifier: MIT
//
// Text of a sweep's coverage, and of a pair that is wrong.
#include <algorithm>
#include <cstring>

#include "support/check.hpp"
#include "support/format.hpp"

namespace lanefold::test {

Coverage& Coverage::operator+=(const Coverage& o) {
    pairs += o.pairs;
    violations += o.violations;
    unreported += o.unreported;
    in_band += o.in_band;
    touching += o.touching;
    touching_separated += o.touching_separated;
    overlapping += o.overlapping;
    containments += o.containments;
    for (std::size_t k = 0; k < kContactKindCount; ++k) by_kind[k] += o.by_kind[k];
    multi_point += o.multi_point;
    reduced += o.reduced;
    preferred_face += o.preferred_face;
    worst_distance = std::max(worst_distance, o.worst_distance);
    worst_distance_size = std::max(worst_distance_size, o.worst_distance_size);
    worst_normal = std::max(worst_normal, o.worst_normal);
    worst_unit = std::max(worst_unit, o.worst_unit);
    worst_point = std::max(worst_point, o.worst_point);
    worst_depth = std::max(worst_depth, o.worst_depth);
    least_area = std::min(least_area, o.least_area);
    return *this;
}

std::string Coverage::summary() const {
    const auto n = [](std::uint64_t v) { return static_cast<unsigned long long>(v); };
    return format(
               "pairs %llu, violations %llu, unreported %llu, in band %llu, apart within margin %llu, overlapping %llu "
               "(contained %llu), kinds face %llu + %llu, edge-edge %llu, vertex-edge %llu + %llu, vertex-vertex %llu, "
               "multi-point %llu, reduced %llu, preferred faces %llu;",
               n(pairs), n(violations), n(unreported), n(in_band), n(touching_separated), n(overlapping),
               n(containments), n(by_kind[1]), n(by_kind[2]), n(by_kind[3]), n(by_kind[4]), n(by_kind[5]),
               n(by_kind[6]), n(multi_point), n(reduced), n(preferred_face)) +
           format(
               " worst / bound: distance %.3f (%.2e of size), normal %.3f, point %.3f, depth %.3f, | |n| - 1 | %.1e; "
               "least area of a reduced patch %.3f",
               worst_distance, worst_distance_size, worst_normal, worst_point, worst_depth, worst_unit, least_area);
}

std::string describe(const reference::JudgedPair& q, const double position_a[3], const float orientation_a[4],
                     const double position_b[3], const float orientation_b[4]) {
    std::string out;
    const auto hull = [&out](const char* name, const reference::OracleHull& h) {
        out += name;
        for (const Vec3d& v : h.vertices) out += format(" %a %a %a", v.x, v.y, v.z);
        out += "\n";
    };
    const auto pose = [&out](const char* name, const double p[3], const float r[4]) {
        out += format("%s %a %a %a %a %a %a %a\n", name, p[0], p[1], p[2], double(r[0]), double(r[1]), double(r[2]),
                      double(r[3]));
    };
    hull("a", *q.a);
    hull("b", *q.b);
    pose("body_a", position_a, orientation_a);
    pose("body_b", position_b, orientation_b);
    out += format("options %a %a %d %d %a\n", double(q.margin), double(q.face_preference), int(q.points), int(q.method),
                  double(q.patch_band));
    return out;
}

template <class M>
std::string bitwise_difference(const M& x, const M& y) {
    if (std::memcmp(&x, &y, sizeof x) == 0) return {};
    const auto differs = [](const auto& p, const auto& q) { return std::memcmp(&p, &q, sizeof p) != 0; };
    if (differs(x.pair, y.pair))
        return format("pair (%u, %u) and (%u, %u)", x.pair[0], x.pair[1], y.pair[0], y.pair[1]);
    if (x.status != y.status) return format("status %d and %d", int(x.status), int(y.status));
    if (x.kind != y.kind) return format("kind %d and %d", int(x.kind), int(y.kind));
    if (differs(x.distance, y.distance)) return format("distance %a and %a", double(x.distance), double(y.distance));
    for (int i = 0; i < 3; ++i) {
        if (differs(x.normal[i], y.normal[i]))
            return format("normal[%d] %a and %a", i, double(x.normal[i]), double(y.normal[i]));
    }
    if (x.feature_a != y.feature_a) return format("feature_a %u and %u", x.feature_a, y.feature_a);
    if (x.feature_b != y.feature_b) return format("feature_b %u and %u", x.feature_b, y.feature_b);
    if (x.total != y.total || x.count != y.count)
        return format("points %d of %d and %d of %d", x.count, x.total, y.count, y.total);
    for (std::size_t i = 0; i < M::kCapacity; ++i) {
        const ContactPoint& p = x.points[i];
        const ContactPoint& q = y.points[i];
        if (!differs(p, q)) continue;
        return format("point %zu (%a, %a, %a) %a %08x and (%a, %a, %a) %a %08x", i, double(p.position[0]),
                      double(p.position[1]), double(p.position[2]), double(p.separation), p.feature,
                      double(q.position[0]), double(q.position[1]), double(q.position[2]), double(q.separation),
                      q.feature);
    }
    return "bytes outside the fields";
}

template std::string bitwise_difference(const Manifold4&, const Manifold4&);
template std::string bitwise_difference(const Manifold16&, const Manifold16&);

}  // namespace lanefold::test
