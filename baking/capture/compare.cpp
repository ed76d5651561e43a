// SPDX-License-Identifier: MIT
//
// Compares two records in the order of the stages that make them: search, decision, clip, reduction.

#include "capture/compare.hpp"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

namespace lanefold::tools {
namespace {

template <class T>
bool same_bits(const T& x, const T& y) {
    return std::memcmp(&x, &y, sizeof x) == 0;
}

std::string text(const float v[3]) { return fmt::format("({:.9g}, {:.9g}, {:.9g})", v[0], v[1], v[2]); }

std::string point_text(const ContactPoint& p) {
    return fmt::format("{} separation {:.9g} id {}", text(p.position), p.separation, p.feature);
}

}  // namespace

std::string features_text(ContactKind kind, std::uint32_t a, std::uint32_t b) {
    const char* const name = to_string(kind);
    switch (kind) {
        case ContactKind::none:
            return "apart by more than the margin";
        case ContactKind::face_a:
            return fmt::format("{}: reference face {} of a, incident face {} of b", name, a, b);
        case ContactKind::face_b:
            return fmt::format("{}: reference face {} of b, incident face {} of a", name, b, a);
        case ContactKind::edge_edge:
            return fmt::format("{}: edge {} of a, edge {} of b", name, a, b);
        case ContactKind::vertex_edge:
            return fmt::format("{}: vertex {} of a, edge {} of b", name, a, b);
        case ContactKind::edge_vertex:
            return fmt::format("{}: edge {} of a, vertex {} of b", name, a, b);
        case ContactKind::vertex_vertex:
            return fmt::format("{}: vertex {} of a, vertex {} of b", name, a, b);
    }
    return name;
}

std::string first_difference(const Manifold16& found, const Manifold16& expected, const char* stage_of_points) {
    const Manifold16& x = found;
    const Manifold16& y = expected;
    if (same_bits(x, y)) return {};
    if (x.status != y.status) return fmt::format("status: {}, not {}", to_string(x.status), to_string(y.status));
    if (is_reported(x) != is_reported(y)) {
        return fmt::format("search: {}", is_reported(x) ? "touching, not apart by more than the margin"
                                                        : "apart by more than the margin, not touching");
    }
    if (!same_bits(x.distance, y.distance))
        return fmt::format("search: distance {:.9g}, not {:.9g}", x.distance, y.distance);
    if (x.kind != y.kind || x.feature_a != y.feature_a || x.feature_b != y.feature_b) {
        return fmt::format("decision: {}, not {}", features_text(x.kind, x.feature_a, x.feature_b),
                           features_text(y.kind, y.feature_a, y.feature_b));
    }
    if (!same_bits(x.normal, y.normal))
        return fmt::format("decision: normal {}, not {}", text(x.normal), text(y.normal));
    if (x.total != y.total) return fmt::format("clip: {} points in all, not {}", x.total, y.total);
    if (x.count != y.count) return fmt::format("{}: {} points, not {}", stage_of_points, x.count, y.count);
    for (std::size_t i = 0; i < std::min<std::size_t>(x.count, Manifold16::kCapacity); ++i) {
        if (same_bits(x.points[i], y.points[i])) continue;
        return fmt::format("{}: point {} {}, not {}", stage_of_points, i, point_text(x.points[i]),
                           point_text(y.points[i]));
    }
    return "record: other bodies, or bytes that are not used";
}

}  // namespace lanefold::tools
