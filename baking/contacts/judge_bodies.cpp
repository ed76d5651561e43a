// SPDX-License-Identifier: MIT
//
// See the header. Children have the poses that child_body() gives, for which their pairs are exact.

#include "contacts/judge_bodies.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include <fmt/format.h>

#include <lanefold/compound.hpp>
#include <lanefold/detail/point_box.hpp>
#include <lanefold/reuse_judge.hpp>

#include "contacts/judge_ground.hpp"

namespace lanefold::tools {
namespace {

using reference::Judgement;
using reference::OracleHull;

// A part of a body: a child of a compound, or the body itself.
struct Part {
    std::uint32_t hull = 0;
    PoseD pose;    // relative to the position of body a
    Vec3d centre;  // of a ball around it, relative to the same
    double radius = 0;
};

// The middle of the core's box, and the distance from it that no point exceeds.
void set_ball(const OracleHull& hull, Part& part) {
    if (hull.half_space) {
        part.radius = HUGE_VAL;
        return;
    }
    const detail::PointBox box(hull.vertices);
    part.centre = transform(part.pose, (box.low + box.high) * 0.5);
    part.radius = hull.size + hull.round_radius;
}

std::vector<Part> parts_of(const HullSet& hulls, std::span<const OracleHull> oracles, const BodyD& body,
                           const Vec3d& origin) {
    BodyD moved = body;
    const double from[3] = {origin.x, origin.y, origin.z};
    for (std::size_t i = 0; i < 3; ++i) moved.position[i] -= from[i];
    const std::size_t children = hulls.child_count(body.hull);
    std::vector<Part> out(std::max<std::size_t>(children, 1));
    for (std::size_t k = 0; k < out.size(); ++k) {
        const BodyD own = children == 0 ? moved : child_body(hulls, moved, k);
        out[k].hull = own.hull;
        out[k].pose = reference::oracle_pose(own.position, own.orientation);
        set_ball(oracles[own.hull], out[k]);
    }
    return out;
}

// Whether the balls are apart by more than the margin, beyond all bounds.
bool are_far(const Part& a, const Part& b, double margin) {
    const double reach = a.radius + b.radius;
    return length(b.centre - a.centre) > margin + reach * 1.001 + 1e-6 * std::fabs(margin);
}

// Points relative to the position of a child.
template <class M>
M moved_to(const M& record, const Vec3d& origin) {
    M out = record;
    const double by[3] = {origin.x, origin.y, origin.z};
    for (std::size_t k = 0; k < std::min<std::size_t>(out.count, M::kCapacity); ++k) {
        for (std::size_t c = 0; c < 3; ++c) {
            float& x = out.points[k].position[c];
            x = static_cast<float>(static_cast<double>(x) - by[c]);
        }
    }
    return out;
}

// Whether a stream with reuse may carry the pair. It computes all others, so these are exact.
bool may_be_carried(const HullSet& hulls, const BodyD& a, const BodyD& b) {
    const auto is_hull = [&](const BodyD& body) { return hulls[body.hull].shape == ShapeKind::hull; };
    return !hulls.rounded() && !hulls.has_surfaces() && hulls.max_children() == 0 && is_hull(a) && is_hull(b);
}

// The question for all parts of a pair.
reference::JudgedPair question_of(const Pair& pair, const PairSettings& how) {
    reference::JudgedPair input;
    input.index_a = pair.a;
    input.index_b = pair.b;
    input.margin = how.margin;
    input.face_preference = how.face_preference;
    input.points = how.points;
    input.method = how.method;
    input.patch_band = how.patch_band;
    input.feature_angle = how.feature_angle;
    return input;
}

void set_part(const HullSet& hulls, std::span<const OracleHull> oracles, const Part& part, const OracleHull*& oracle,
              const HullRecord*& record, PoseD& pose) {
    oracle = &oracles[part.hull];
    record = &hulls[part.hull];
    pose = part.pose;
}

void merge(Judgement& all, const Judgement& one, bool nearer) {
    if (nearer) {
        all.distance = one.distance;
        all.normal = one.normal;
    }
    all.touching |= one.touching;
    all.overlapping |= one.overlapping;
    all.in_band |= one.in_band;
    if (all.violations == 0) all.what = one.what;
    all.violations |= one.violations;
    all.distance_error = std::max(all.distance_error, one.distance_error);
    all.normal_error = std::max(all.normal_error, one.normal_error);
    all.surface_error = std::max(all.surface_error, one.surface_error);
}

}  // namespace

template <class M>
Judgement judge_bodies(const HullSet& hulls, const JudgedShapes& shapes, const BodyD& a, const BodyD& b,
                       const Pair& pair, const PairSettings& how, std::span<const M> records) {
    const std::span<const OracleHull> oracles(shapes.hulls);
    if (hulls[a.hull].shape == ShapeKind::surface || hulls[b.hull].shape == ShapeKind::surface)
        return judge_with_surface(hulls, shapes, a, b, pair, how, records);
    const Vec3d at_a{a.position[0], a.position[1], a.position[2]};
    const bool alone = hulls.child_count(a.hull) == 0 && hulls.child_count(b.hull) == 0;
    const Vec3d origin = alone ? Vec3d{} : at_a;  // a pair of hulls is judged where it is
    const std::vector<Part> parts_a = parts_of(hulls, oracles, a, origin);
    const std::vector<Part> parts_b = parts_of(hulls, oracles, b, origin);
    reference::JudgedPair input = question_of(pair, how);
    if (how.reuse > 0 && may_be_carried(hulls, a, b)) {
        set_part(hulls, oracles, parts_a[0], input.a, input.record_a, input.pose_a);
        set_part(hulls, oracles, parts_b[0], input.b, input.record_b, input.pose_b);
        return reference::judge_reuse(input, records.empty() ? M{} : records[0], how.reuse);
    }
    Judgement all;
    bool any = false;
    std::size_t next = 0;
    for (std::uint32_t i = 0; i < parts_a.size(); ++i) {
        for (std::uint32_t k = 0; k < parts_b.size(); ++k) {
            const Part& part_a = parts_a[i];
            const Part& part_b = parts_b[k];
            // A lone record is the pair's, whatever children it names: the judge tells wrong ones.
            const bool has =
                next < records.size() && (alone || (records[next].child_a == i && records[next].child_b == k));
            input.margin = has ? how.margin : how.margin_unreported;
            if (!has && !alone && are_far(part_a, part_b, static_cast<double>(input.margin))) continue;
            set_part(hulls, oracles, part_a, input.a, input.record_a, input.pose_a);
            set_part(hulls, oracles, part_b, input.b, input.record_b, input.pose_b);
            input.child_a = i;
            input.child_b = k;
            if (!alone) input.points_from = length(part_a.pose.position);
            Judgement one = !has    ? judge_unreported(input)
                            : alone ? judge(input, records[next])
                                    : judge(input, moved_to(records[next], part_a.pose.position));
            if (has) ++next;
            if (!alone && !one.right()) one.what = fmt::format("children {} and {}: {}", i, k, one.what);
            merge(all, one, !any || one.distance < all.distance);
            any = true;
        }
    }
    if (!any) all.distance = HUGE_VAL;
    if (next < records.size())
        all.violate(reference::Violation::feature,
                    fmt::format("record {} of the pair is of children {} and {}, out of order or none", next,
                                records[next].child_a, records[next].child_b));
    return all;
}

template Judgement judge_bodies(const HullSet&, const JudgedShapes&, const BodyD&, const BodyD&, const Pair&,
                                const PairSettings&, std::span<const Manifold4>);
template Judgement judge_bodies(const HullSet&, const JudgedShapes&, const BodyD&, const BodyD&, const Pair&,
                                const PairSettings&, std::span<const Manifold16>);

}  // namespace lanefold::tools
