// SPDX-License-Identifier: MIT
//
// The checks of one pair. Tolerances are those of the contract; the few that are wider say why.

#include "contacts/pair_check.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include <fmt/format.h>

#include <lanefold/limits.hpp>

namespace lanefold::tools {
namespace {

// A witness point may be off its surface by this much of the pair's unit: the promise for the distance
// twice (reference plane and incident feature), plus the rounding of an offset of a few sizes to float32.
constexpr double kSurfaceTolerance = 2.0 * kDistanceTolerance;

// PointSelection::impact: height of the band above the deepest point, relative to the smaller hull (options.hpp).
constexpr double kImpactBand = 1e-3;
// The published method calls faces flush when the cosine of their angle is within 1e-8 of -1: up to sqrt(2e-8) radians.
// Reference vertices that it then moves onto the incident face miss it by that angle times at most a diameter.
constexpr double kPublishedFlush = 2.0 * 1.4142135623730951e-4;

// Deviation of |normal| from 1 that rounding three components to float32 can cause.
constexpr double kUnitTolerance = 4e-7;

Vec3d as_vec(const float v[3]) {
    return {static_cast<double>(v[0]), static_cast<double>(v[1]), static_cast<double>(v[2])};
}

// The unit of the promised tolerance.
double unit_of(const PairInput& in) {
    const double larger = std::max(in.a->size, in.b->size);
    const double smaller = std::min(in.a->size, in.b->size);
    return larger > static_cast<double>(kPreciseSizeRatio) * smaller ? smaller : larger;
}

bool is_zero(const void* bytes, std::size_t count) {
    const auto* const first = static_cast<const unsigned char*>(bytes);
    return std::all_of(first, first + count, [](unsigned char byte) { return byte == 0; });
}

// How many features of one hull there are of the sort that `kind` indexes.
std::uint32_t feature_limit(const FeatureCounts& hull, ContactKind kind, bool is_a) {
    switch (kind) {
        case ContactKind::face_a:
        case ContactKind::face_b:
            return hull.faces;
        case ContactKind::edge_edge:
            return hull.edges;
        case ContactKind::vertex_edge:
            return is_a ? hull.vertices : hull.edges;
        case ContactKind::edge_vertex:
            return is_a ? hull.edges : hull.vertices;
        case ContactKind::vertex_vertex:
            return hull.vertices;
        case ContactKind::none:
            break;
    }
    return 0;
}

class Check {
public:
    Check(const PairInput& input, const Manifold16& record, std::uint32_t capacity, PairFindings& findings)
        : in_(input), record_(record), capacity_(capacity), out_(findings), unit_(unit_of(input)) {}

    void run() {
        if (record_.status != Status::ok) {
            out_.violate(Violation::status, fmt::format("status {}", lanefold::to_string(record_.status)));
            return;
        }
        out_.points = record_.count;
        check_distance();
        check_normal();
        check_features();
        if (check_layout()) check_points();
    }

private:
    void check_distance() {
        const double error = std::fabs(static_cast<double>(record_.distance) - out_.distance);
        out_.distance_error = error / unit_;
        if (!(error <= kDistanceTolerance * unit_)) {
            out_.violate(Violation::distance,
                         fmt::format("distance {:.9g}, oracle {:.9g}", record_.distance, out_.distance));
        }
    }

    void check_normal() {
        const Vec3d stored = as_vec(record_.normal);
        const double norm = length(stored);
        if (!(std::fabs(norm - 1.0) <= kUnitTolerance)) {
            out_.violate(Violation::normal, fmt::format("normal of length {:.9g}", norm));
            normal_is_good_ = false;
            return;
        }
        normal_ = stored * (1.0 / norm);
        along_ = reference::separation_along(*in_.a, in_.pose_a, *in_.b, in_.pose_b, normal_);
        const bool face = record_.kind == ContactKind::face_a || record_.kind == ContactKind::face_b;
        const double preference =
            face ? static_cast<double>(in_.face_preference) * std::min(in_.a->size, in_.b->size) : 0.0;
        const double shortfall = out_.distance - preference - along_;
        out_.normal_error = std::max(shortfall, 0.0) / unit_;
        if (!(shortfall <= kDistanceTolerance * unit_)) {
            out_.violate(
                Violation::normal,
                fmt::format("the separation along the normal is {:.9g}, the distance {:.9g}", along_, out_.distance));
        }
    }

    // Indices that exist, ids that mean two features.
    void check_features() {
        const std::uint32_t limit_a = feature_limit(in_.features_a, record_.kind, true);
        const std::uint32_t limit_b = feature_limit(in_.features_b, record_.kind, false);
        if (record_.feature_a >= limit_a || record_.feature_b >= limit_b) {
            out_.violate(Violation::feature, fmt::format("features {} and {} of kind {}", record_.feature_a,
                                                         record_.feature_b, lanefold::to_string(record_.kind)));
        }
        // Beyond 32 bits an id is a hash and cannot be read back.
        if (std::uint64_t{in_.features_a.total()} * in_.features_b.total() > std::uint64_t{1} << 32U) return;
        for (std::uint32_t i = 0; i < std::min<std::uint32_t>(record_.count, 16); ++i) {
            if (decode_feature(in_.features_a, in_.features_b, record_.points[i].feature)) continue;
            out_.violate(Violation::feature,
                         fmt::format("point {}: id {:08x} means no two features", i, record_.points[i].feature));
        }
    }

    // Counts and unused bytes.
    bool check_layout() {
        const std::uint32_t count = record_.count;
        if (record_.kind == ContactKind::none || static_cast<std::size_t>(record_.kind) >= kContactKindCount) {
            out_.violate(Violation::points, fmt::format("kind {}", static_cast<unsigned>(record_.kind)));
        }
        const bool may_be_empty = in_.method == Method::published;
        if ((count == 0 && !may_be_empty) || count > capacity_ || record_.total < count) {
            out_.violate(Violation::points,
                         fmt::format("{} points of {}, capacity {}", count, record_.total, capacity_));
            return false;
        }
        if (!is_zero(&record_.points[count], (16 - count) * sizeof(ContactPoint)) ||
            !is_zero(record_.reserved, sizeof record_.reserved) || !is_zero(record_.padding, sizeof record_.padding)) {
            out_.violate(Violation::points, "unused bytes are not zero");
        }
        for (std::uint32_t i = 0; i < count; ++i) {
            for (std::uint32_t j = 0; j < i; ++j) {
                if (record_.points[i].feature != record_.points[j].feature) continue;
                out_.violate(Violation::points, fmt::format("points {} and {} have the same feature id", j, i));
            }
        }
        return true;
    }

    void check_points() {
        if (!normal_is_good_) return;
        if (in_.method == Method::published) return check_published_points();
        const double band = 2.0 * static_cast<double>(kPatchBand) * std::min(in_.a->size, in_.b->size);
        const bool face = record_.kind == ContactKind::face_a || record_.kind == ContactKind::face_b;
        double limit = static_cast<double>(in_.margin);
        if (in_.method == Method::patch && face) limit = std::max(limit, along_ + band);
        double highest = static_cast<double>(record_.points[0].separation);
        const Vec3d to_b = in_.pose_b.position - in_.pose_a.position;
        double deepest = static_cast<double>(record_.points[0].separation);
        for (std::uint32_t i = 0; i < record_.count; ++i) {
            const ContactPoint& point = record_.points[i];
            const double separation = static_cast<double>(point.separation);
            deepest = std::min(deepest, separation);
            highest = std::max(highest, separation);
            const Vec3d middle = as_vec(point.position);
            const Vec3d on_a = middle - normal_ * (separation * 0.5);
            const Vec3d on_b = middle + normal_ * (separation * 0.5) - to_b;
            const double off_a = std::fabs(reference::point_distance(*in_.a, in_.pose_a.rotation, on_a));
            const double off_b = std::fabs(reference::point_distance(*in_.b, in_.pose_b.rotation, on_b));
            const double off = std::max(off_a, off_b);
            out_.surface_error = std::max(out_.surface_error, off / unit_);
            if (!(off <= kSurfaceTolerance * unit_)) {
                out_.violate(Violation::off_surface,
                             fmt::format("point {}: off the surface of a by {:.3g}, of b by {:.3g}", i, off_a, off_b));
            }
            if (!(separation <= limit + kDistanceTolerance * unit_)) {
                out_.violate(Violation::points,
                             fmt::format("point {}: separation {:.9g} beyond the margin", i, separation));
            }
        }
        if (in_.points == PointSelection::impact &&
            !(highest <= deepest + kImpactBand * std::min(in_.a->size, in_.b->size) + kDistanceTolerance * unit_)) {
            out_.violate(Violation::points,
                         fmt::format("impact points with separations from {:.9g} to {:.9g}", deepest, highest));
        }
        // The manifold must say how deep the pair is: as deep as the pair is along its normal.
        const double spread = in_.method == Method::patch && record_.total > record_.count
                                  ? static_cast<double>(kPatchSpread) * std::min(in_.a->size, in_.b->size)
                                  : 0.0;
        const double allowed = spread + static_cast<double>(in_.face_preference) * std::min(in_.a->size, in_.b->size) +
                               kSurfaceTolerance * unit_;
        if (!(std::fabs(deepest - out_.distance) <= allowed)) {
            out_.violate(Violation::shallow, fmt::format("the deepest point has separation {:.9g}, the pair {:.9g}",
                                                         deepest, out_.distance));
        }
    }

    // Published placement: on the surface of the incident hull (of A's edge), touching at the instant of collision.
    void check_published_points() {
        const Vec3d to_b = in_.pose_b.position - in_.pose_a.position;
        for (std::uint32_t i = 0; i < record_.count; ++i) {
            const ContactPoint& point = record_.points[i];
            const double separation = static_cast<double>(point.separation);
            const Vec3d x = as_vec(point.position);
            const bool on_b = record_.kind == ContactKind::face_a;
            const double off = std::fabs(on_b ? reference::point_distance(*in_.b, in_.pose_b.rotation, x - to_b)
                                              : reference::point_distance(*in_.a, in_.pose_a.rotation, x));
            out_.surface_error = std::max(out_.surface_error, off / unit_);
            if (!(off <= kPublishedFlush * unit_)) {
                out_.violate(Violation::off_surface, fmt::format("point {}: off the surface by {:.3g}", i, off));
            }
            if (!(std::fabs(separation - static_cast<double>(record_.distance)) <= kDistanceTolerance * unit_)) {
                out_.violate(Violation::points, fmt::format("point {}: separation {:.9g}, distance {:.9g}", i,
                                                            separation, record_.distance));
            }
        }
    }

    const PairInput& in_;
    const Manifold16& record_;
    std::uint32_t capacity_;
    PairFindings& out_;
    double unit_;
    Vec3d normal_;
    double along_ = 0;
    bool normal_is_good_ = true;
};

}  // namespace

void PairFindings::violate(Violation kind, std::string text) {
    violations = static_cast<std::uint16_t>(violations | 1U << static_cast<unsigned>(kind));
    if (what.empty()) what = fmt::format("{}: {}", to_string(kind), text);
}

PairFindings check_pair(const PairInput& input, const Manifold16* record, std::uint32_t capacity) {
    PairFindings findings;
    findings.distance = reference::signed_distance(*input.a, input.pose_a, *input.b, input.pose_b).distance;
    const double excess = findings.distance - static_cast<double>(input.margin);
    const double band = kDistanceTolerance * std::max(input.a->size, input.b->size);
    findings.touching = excess <= 0.0;
    findings.overlapping = findings.distance < 0.0;
    findings.in_band = std::fabs(excess) <= band;
    if (record == nullptr) {
        if (findings.touching && !findings.in_band) {
            findings.violate(Violation::missed, fmt::format("distance {:.9g} is not reported", findings.distance));
        }
        return findings;
    }
    if (record->status == Status::ok && !findings.touching && !findings.in_band) {
        findings.violate(Violation::invented, fmt::format("reported, but the distance is {:.9g}", findings.distance));
    }
    Check(input, *record, capacity, findings).run();
    return findings;
}

Manifold16 widen(const Manifold4& record) {
    Manifold16 wide;
    std::memset(&wide, 0, sizeof wide);
    std::memcpy(&wide, &record, sizeof record);
    return wide;
}

}  // namespace lanefold::tools
