// SPDX-License-Identifier: MIT
//
// Builds compounds: checks the children, places their boxes and adds up their masses. See lanefold/compound.hpp.
#include <lanefold/compound.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <new>

#include <xxhash.h>

#include <lanefold/detail/compound_block.hpp>
#include <lanefold/detail/point_box.hpp>
#include <lanefold/detail/read_body.hpp>
#include <lanefold/fp_environment.hpp>

#include "set/store.hpp"

namespace lanefold {
namespace {

using detail::CentredBox;
using detail::StoredChild;

// Limit of positions: that of vertices, whose products the builder bounds.
constexpr double kLargestPosition = 1e15;

CompoundReport refuse(CompoundError error, std::size_t child, const char* what) {
    CompoundReport r;
    r.error = error;
    r.child = static_cast<std::uint32_t>(child);
    r.what = what;
    return r;
}

CompoundReport check_child(const HullSet& hulls, const CompoundChild& child, std::size_t k) {
    if (child.hull >= hulls.size()) return refuse(CompoundError::bad_hull, k, "a child's hull is out of range");
    if (!hulls.contains(child.hull)) return refuse(CompoundError::removed_hull, k, "a child's hull was removed");
    if ((hulls[child.hull].flags & HullRecord::kOther) != 0)
        return refuse(CompoundError::no_hull, k, "a child is no hull; compounds have no compounds");
    const Vec3d p = detail::position_of(child);
    if (!is_finite(p)) return refuse(CompoundError::bad_pose, k, "a child's position is not finite");
    if (std::max({std::fabs(p.x), std::fabs(p.y), std::fabs(p.z)}) > kLargestPosition)
        return refuse(CompoundError::bad_pose, k, "a child's position is beyond 1e15");
    if (!is_orientation(child.orientation))
        return refuse(CompoundError::bad_pose, k, "a child's quaternion is not finite or not near unit length");
    return {};
}

CompoundReport check_compound(const HullSet& hulls, std::span<const CompoundChild> children,
                              std::span<const std::uint64_t> offsets, std::size_t i) {
    if (offsets[i] > offsets[i + 1] || offsets[i + 1] > children.size())
        return refuse(CompoundError::bad_offsets, 0, "offsets must ascend and stay within the children");
    const auto own = children.subspan(offsets[i], offsets[i + 1] - offsets[i]);
    if (own.empty()) return refuse(CompoundError::empty, 0, "a compound without children");
    if (own.size() > std::numeric_limits<std::uint32_t>::max())
        return refuse(CompoundError::bad_offsets, 0, "more children than numbers of 32 bits");
    for (std::size_t k = 0; k < own.size(); ++k) {
        const CompoundReport report = check_child(hulls, own[k], k);
        if (!report) return report;
    }
    return {};
}

CentredBox placed(const CentredBox& box, const PoseD& pose) {
    return {transform(pose, box.centre), detail::magnitudes_times(pose.rotation, box.half)};
}

float above(double x) {
    const auto f = static_cast<float>(x);
    return static_cast<double>(f) < x ? std::nextafter(f, std::numeric_limits<float>::infinity()) : f;
}

// Adds up masses: first the centre of mass, from that of the first child, then the inertia about it. So a child alone
// has its own numbers to the last bit, and children far from the origin lose nothing.
MassProperties total_mass(const HullSet& hulls, std::span<const CompoundChild> children) {
    MassProperties total;
    const auto centre_of = [&](const CompoundChild& child) {
        return transform(detail::pose_of(child), hulls.info(child.hull).mass.centre_of_mass);
    };
    const Vec3d first = centre_of(children.front());
    Vec3d moment;
    for (const CompoundChild& child : children) {
        const double mass = hulls.info(child.hull).mass.volume;
        total.volume += mass;
        moment = moment + (centre_of(child) - first) * mass;
    }
    total.centre_of_mass = total.volume > 0 ? first + moment * (1 / total.volume) : first;
    double about[3][3] = {};
    const auto add = [&about](const Mat3d& m) {
        for (std::size_t r = 0; r < 3; ++r) {
            about[r][0] += m.row[r].x;
            about[r][1] += m.row[r].y;
            about[r][2] += m.row[r].z;
        }
    };
    // Inertia of a point of this mass.
    const auto point = [](double mass, const Vec3d& c) {
        const double square = length_squared(c);
        return Mat3d{{{mass * (square - c.x * c.x), -mass * c.x * c.y, -mass * c.x * c.z},
                      {-mass * c.y * c.x, mass * (square - c.y * c.y), -mass * c.y * c.z},
                      {-mass * c.z * c.x, -mass * c.z * c.y, mass * (square - c.z * c.z)}}};
    };
    for (const CompoundChild& child : children) {
        const MassProperties& own = hulls.info(child.hull).mass;
        const Mat3d turn = detail::pose_of(child).rotation;
        add(turn * own.inertia * transpose(turn));
        add(point(own.volume, centre_of(child) - total.centre_of_mass));
    }
    for (std::size_t r = 0; r < 3; ++r) total.inertia.row[r] = {about[r][0], about[r][1], about[r][2]};
    return total;
}

void write_bounds(std::span<const CentredBox> boxes, std::byte* block) {
    auto* const bounds = reinterpret_cast<float*>(block + boxes.size() * sizeof(StoredChild));
    const std::size_t stride = detail::bound_stride(boxes.size());
    std::fill_n(bounds, 3 * stride, std::numeric_limits<float>::infinity());
    std::fill_n(bounds + 3 * stride, 3 * stride, -std::numeric_limits<float>::infinity());
    for (std::size_t k = 0; k < boxes.size(); ++k) {
        const Vec3f low = to_float(boxes[k].centre - boxes[k].half);
        const Vec3f high = to_float(boxes[k].centre + boxes[k].half);
        const float values[6] = {low.x, low.y, low.z, high.x, high.y, high.z};
        for (std::size_t i = 0; i < 6; ++i) bounds[i * stride + k] = values[i];
    }
}

float below(double x) { return -above(-x); }

// The corners contain children whose orientations are rounded to float32, too: an error of less than 2e-7 of a child's
// size.
constexpr double kTurnRounding = 2e-7;

void write_corners(const detail::PointBox& all, std::size_t children, std::byte* block) {
    const double grow = kTurnRounding * length(all.high - all.low);
    auto* const corners = reinterpret_cast<Vec3f*>(block + detail::corners_at(children));
    for (std::size_t c = 0; c < 8; ++c) {
        corners[c] = {(c & 1U) != 0 ? above(all.high.x + grow) : below(all.low.x - grow),
                      (c & 2U) != 0 ? above(all.high.y + grow) : below(all.low.y - grow),
                      (c & 4U) != 0 ? above(all.high.z + grow) : below(all.low.z - grow)};
    }
}

// Writes the block of a compound of this id and the members of its record that follow from the children.
void write_compound(const HullSet& hulls, std::span<const CompoundChild> children, std::size_t id, HullRecord& record,
                    std::byte* block) {
    std::vector<CentredBox> boxes;
    detail::PointBox all;
    auto* const stored = reinterpret_cast<StoredChild*>(block);
    for (std::size_t k = 0; k < children.size(); ++k) {
        const CompoundChild& child = children[k];
        boxes.push_back(placed(detail::input_box(hulls[child.hull]), detail::pose_of(child)));
        all.add(boxes.back().centre - boxes.back().half, boxes.back().centre + boxes.back().half);
        StoredChild& to = stored[k];
        to = {};
        std::copy_n(child.position, 3, to.position);
        std::copy_n(child.orientation, 4, to.orientation);
        to.back = static_cast<std::uint32_t>(id) - child.hull;
    }
    write_bounds(boxes, block);
    write_corners(all, boxes.size(), block);
    const Vec3f centre = to_float((all.low + all.high) * 0.5);
    const Vec3d c = to_double(centre);
    const Vec3d up = all.high - c;
    const Vec3d down = c - all.low;
    const float half[3] = {above(std::max(up.x, down.x)), above(std::max(up.y, down.y)), above(std::max(up.z, down.z))};
    std::copy_n(half, 3, record.half_extent);
    record.centre[0] = centre.x;
    record.centre[1] = centre.y;
    record.centre[2] = centre.z;
    record.size = static_cast<float>(all.size());
    double radius = 0;
    for (const CentredBox& box : boxes) radius = std::max(radius, length(box.centre - c) + length(box.half));
    record.radius = above(radius);
    record.flags = HullRecord::kOther;
    record.shape = ShapeKind::compound;
    record.loops = static_cast<std::uint32_t>(children.size());
    record.block = block;
}

std::shared_ptr<const HullSet::Segment> make_segment(const HullSet& hulls, std::span<const CompoundChild> children,
                                                     std::span<const std::uint64_t> offsets) {
    auto segment = std::make_shared<HullSet::Segment>();
    const std::size_t count = offsets.size() - 1;
    std::size_t bytes = 0;
    for (std::size_t i = 0; i < count; ++i) bytes += detail::compound_bytes(offsets[i + 1] - offsets[i]);
    segment->blocks.reserve(bytes);
    segment->index_first.assign(count + 1, 0);
    std::byte* at = segment->blocks.data();
    for (std::size_t i = 0; i < count; ++i) {
        const auto own = children.subspan(offsets[i], offsets[i + 1] - offsets[i]);
        HullRecord record;
        write_compound(hulls, own, hulls.size() + i, record, at);
        segment->records.push_back(record);
        // Hashes of hulls are of their own bytes; here the children's places in the set are part of them.
        segment->hash.push_back(XXH64(at, own.size() * sizeof(StoredChild), std::uint64_t{own.size()}));
        HullInfo info;
        info.mass = total_mass(hulls, own);
        segment->info.push_back(info);
        at += detail::compound_bytes(own.size());
    }
    return segment;
}

CompoundReport out_of_memory() { return refuse(CompoundError::internal, 0, "out of memory"); }

}  // namespace

const char* to_string(CompoundError error) {
    static constexpr const char* kNames[] = {"ok",      "empty",    "bad_hull",    "removed_hull",
                                             "no_hull", "bad_pose", "bad_offsets", "internal"};
    const auto i = static_cast<std::size_t>(error);
    return i < std::size(kNames) ? kNames[i] : "unknown";
}

CompoundResult build_compounds(const HullSet& hulls, std::span<const CompoundChild> children,
                               std::span<const std::uint64_t> offsets) {
    CompoundResult result;
    result.failures.reserve(1);  // so that running out of memory can be told
    if (offsets.empty()) {
        result.failures.push_back(
            refuse(CompoundError::bad_offsets, 0, "offsets must have (number of compounds + 1) entries"));
        return result;
    }
    try {
        in_default_environment([&] {
            for (std::size_t i = 0; i + 1 < offsets.size(); ++i) {
                CompoundReport report = check_compound(hulls, children, offsets, i);
                if (report) continue;
                report.compound = static_cast<std::uint32_t>(i);
                result.failures.push_back(report);
            }
            if (!result.failures.empty()) return;
            result.hulls = offsets.size() == 1 ? hulls : hulls.append(HullSet(make_segment(hulls, children, offsets)));
        });
    } catch (const std::bad_alloc&) {
        result.hulls = {};
        result.failures.assign(1, out_of_memory());
    }
    return result;
}

CompoundResult build_compound(const HullSet& hulls, std::span<const CompoundChild> children) {
    const std::uint64_t offsets[2] = {0, children.size()};
    return build_compounds(hulls, children, offsets);
}

BodyD child_body(const HullSet& hulls, const BodyD& body, std::size_t child) {
    return in_default_environment([&] {
        const detail::BodyTurn turn(body.orientation);
        return detail::place_child(detail::children_of(hulls[body.hull])[child], body.hull, turn,
                                   detail::position_of(body));
    });
}

}  // namespace lanefold
