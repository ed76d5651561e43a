// SPDX-License-Identifier: MIT
//
// See the header.
#include "step/inner_contacts.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include <lanefold/detail/hull_block.hpp>
#include <lanefold/detail/read_body.hpp>

namespace lanefold::detail {
namespace {

// Children whose faces are nearer than this share of the larger one's size are level, and so are faces whose normals
// differ by less than a thousandth: 1 - its square, halved. Points are rounded by some 1e-7 of their offset.
constexpr double kNear = 2e-5;
constexpr double kRounding = 4e-7;
constexpr double kParallel = 1 - 5e-7;
// A child goes on beyond a point where it reaches this share of its size further along the contact's normal.
constexpr double kBeyond = 1e-3;

// A point of a contact and its outward normal in the coordinates of a hull's planes.
struct Place {
    Vec3d point, normal;

    Place in(const PoseD& frame) const {
        return {transpose_times(frame.rotation, point - frame.position), transpose_times(frame.rotation, normal)};
    }
};

// A child of a compound, with its planes and where they are.
struct Child {
    HullView view;
    PoseD pose, internal;

    Child(const HullSet& hulls, const CompoundChild& child)
        : view(hulls[child.hull]), pose(pose_of(child)), internal(view.internal_to_input()) {}

    double size() const { return static_cast<double>(view.record->size); }
    bool rounded() const { return view.record->round_radius > 0; }
    Place own(const Place& place) const { return place.in(pose).in(internal); }
    double height(const Vec3d& point, std::uint32_t f) const {
        return dot(view.normal(f), point) - static_cast<double>(view.offset(f));
    }
    // Whether the hull, grown by so much, has the point.
    bool has(const Vec3d& point, double grown) const {
        for (std::uint32_t f = 0; f < view.record->face_count; ++f) {
            if (height(point, f) > grown) return false;
        }
        return true;
    }
    bool goes_beyond(const Place& at) const {
        const double least = dot(at.normal, at.point) + kBeyond * size();
        for (std::uint32_t v = 0; v < view.record->vertex_count; ++v) {
            if (dot(at.normal, view.vertex(v)) > least) return true;
        }
        return false;
    }
    Vec3d compound_normal(std::uint32_t f) const { return pose.rotation * (internal.rotation * view.normal(f)); }
};

// Whether both children have a face through the place, and these are level.
bool has_level_faces(const Child& a, const Vec3d& in_a, const Child& b, const Vec3d& in_b, double near) {
    for (std::uint32_t f = 0; f < a.view.record->face_count; ++f) {
        if (std::fabs(a.height(in_a, f)) > near) continue;
        const Vec3d normal = a.compound_normal(f);
        for (std::uint32_t g = 0; g < b.view.record->face_count; ++g) {
            if (std::fabs(b.height(in_b, g)) <= near && dot(normal, b.compound_normal(g)) > kParallel) return true;
        }
    }
    return false;
}

// Whether a child's hull may have a point of the compound. Costs little, before a Child is made.
bool is_near(const HullSet& hulls, const CompoundChild& child, const Vec3d& point, double near) {
    const HullRecord& r = hulls[child.hull];
    const Vec3d offset = point - position_of(child);
    const double centre = length(to_double(Vec3f{r.centre[0], r.centre[1], r.centre[2]}));
    return length(offset) <= centre + static_cast<double>(r.radius) + near;
}

// Whether `other` goes on where the contact has the outside of `child`: beyond the point is its inside, or its face is
// level with one of the child's. Where two faces make a corner both contacts are right.
bool covers(const Child& other, const Child& child, const Place& at, double near) {
    const Place there = other.own(at);
    if (!other.has(there.point, near) || !other.goes_beyond(there)) return false;
    return other.has(there.point + there.normal * (4 * near), -near) ||
           has_level_faces(other, there.point, child, child.own(at).point, near);
}

// Whether all points of a contact are inside of the compound that is one of its bodies.
bool is_inner(const WorldState& world, const Manifold4& m, int side) {
    const std::uint32_t body = m.pair[side];
    const std::uint32_t children = world.bodies.children(body);
    if (children < 2 || m.count == 0) return false;
    const BodyD& pose = world.bodies.poses()[body];
    const BodyD& from = world.bodies.poses()[m.pair[0]];
    const PoseD frame = pose_of(pose);
    const std::uint32_t number = side == 0 ? m.child_a : m.child_b;
    const Child child(world.hulls, world.hulls.child(pose.hull, number));
    if (child.rounded()) return false;
    const double sign = side == 0 ? 1 : -1;
    const Vec3d normal = to_double(Vec3f{m.normal[0], m.normal[1], m.normal[2]}) * sign;
    for (std::uint32_t i = 0; i < m.count; ++i) {
        const Vec3d offset =
            to_double(side == 0 ? witness_on_a(m.normal, m.points[i]) : witness_on_b(m.normal, m.points[i]));
        const Place at = Place{position_of(from) + offset, normal}.in(frame);
        bool covered = false;
        for (std::uint32_t k = 0; k < children && !covered; ++k) {
            const CompoundChild next = world.hulls.child(pose.hull, k);
            const double size = static_cast<double>(world.hulls[next.hull].size);
            const double near = kNear * std::max(child.size(), size) + kRounding * length(offset);
            if (k == number || !is_near(world.hulls, next, at.point, near)) continue;
            const Child other(world.hulls, next);
            covered = !other.rounded() && covers(other, child, at, near);
        }
        if (!covered) return false;
    }
    return true;
}

}  // namespace

void drop_inner_contacts(WorldState& world) {
    if (world.hulls.max_children() < 2) return;
    const std::span<Manifold4> found = world.contacts.room_for_found(world.contacts.found().size());
    std::size_t kept = 0;
    for (std::size_t first = 0, last = 0; first < found.size(); first = last) {
        std::size_t outer = 0;
        bool inner[kMostOfPair];
        while (last < found.size() && same_pair(found[first], found[last])) ++last;
        const bool alone = last == first + 1;
        for (std::size_t i = first; i < last; ++i) {
            inner[i - first] = !alone && (is_inner(world, found[i], 0) || is_inner(world, found[i], 1));
            outer += inner[i - first] ? 0U : 1U;
        }
        for (std::size_t i = first; i < last; ++i) {
            if (outer == 0 || !inner[i - first]) found[kept++] = found[i];
        }
    }
    world.contacts.set_found(kept);
}

}  // namespace lanefold::detail
