// SPDX-License-Identifier: MIT
//
// See the header.
#include "sweep/ray_bodies.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include <lanefold/detail/hull_block.hpp>
#include <lanefold/detail/read_body.hpp>
#include <lanefold/detail/round.hpp>

namespace lanefold::detail {
namespace {

// By how much boxes are larger than spheres: a record's centre and radius are float32, and a hit is good to 2e-6.
constexpr double kSlack = 4e-6;

double part(const Vec3d& v, int k) { return k == 0 ? v.x : k == 1 ? v.y : v.z; }

RayBox around(const RayBody* bodies, std::size_t count) {
    RayBox box{{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    for (std::size_t i = 0; i < count; ++i) {
        const Vec3d& c = bodies[i].centre;
        const double r = bodies[i].radius;
        box.lower = {std::min(box.lower.x, c.x - r), std::min(box.lower.y, c.y - r), std::min(box.lower.z, c.z - r)};
        box.upper = {std::max(box.upper.x, c.x + r), std::max(box.upper.y, c.y + r), std::max(box.upper.z, c.z + r)};
    }
    return box;
}

// Halves the longest side of the box of centres. The recursion is as deep as the tree.
void split(RayScene& scene, std::size_t node, std::size_t begin, std::size_t end) {
    RayBody* const bodies = scene.bodies.data();
    scene.boxes[node] = around(bodies + begin, end - begin);
    if (end - begin == 1) return;
    const Vec3d sides = scene.boxes[node].upper - scene.boxes[node].lower;
    const int axis = sides.x >= sides.y && sides.x >= sides.z ? 0 : sides.y >= sides.z ? 1 : 2;
    const std::size_t middle = begin + (end - begin) / 2;
    std::nth_element(bodies + begin, bodies + middle, bodies + end, [&](const RayBody& a, const RayBody& b) {
        const double at_a = part(a.centre, axis);
        const double at_b = part(b.centre, axis);
        return at_a != at_b ? at_a < at_b : a.body < b.body;
    });
    split(scene, 2 * node + 1, begin, middle);
    split(scene, 2 * node + 2, middle, end);
}

RayMeets meet_sphere(const RayBody& body, double r, const Vec3d& origin, const Vec3d& direction) {
    RayMeets m;
    const Vec3d from = origin - body.centre;
    const double along = length(direction);
    const Vec3d unit = direction * (1.0 / along);
    const double at = -dot(from, unit);
    const Vec3d nearest = from + unit * at;
    const double root = r * r - length_squared(nearest);
    if (root < 0) return m;
    const double half = std::sqrt(root);
    if (at + half < 0) return m;
    m.any = true;
    m.inside = at - half < 0;
    m.fraction = m.inside ? 0 : (at - half) / along;
    const Vec3d out = m.inside ? from : nearest - unit * half;
    const double away = length(out);
    m.normal = away > 0 ? out * (1.0 / away) : -unit;
    return m;
}

}  // namespace

RayMeets meet(const RayBody& body, const Vec3d& origin, const Vec3d& direction, double most) {
    RayMeets m;
    const bool sphere = is_small(*body.hull) && body.hull->vertex_count == 1;
    if (body.hull->shape == ShapeKind::hull && sphere) {
        m = meet_sphere(body, static_cast<double>(body.hull->round_radius), origin, direction);
        m.any = m.any && m.fraction <= most;
        return m;
    }
    if (body.hull->shape != ShapeKind::hull || body.hull->round_radius > 0) {
        // From where its bounding sphere begins nothing is known.
        const bool bounded = !std::isinf(body.radius);
        if (bounded) m = meet_sphere(body, body.radius, origin, direction);
        m.unknown = m.any || !bounded;
        m.any = false;
        return m;
    }
    const HullView view(*body.hull);
    const Vec3d from = transpose_times(body.pose.rotation, origin - body.pose.position);
    const Vec3d by = transpose_times(body.pose.rotation, direction);
    double enter = -INFINITY;
    double leave = most;
    std::uint32_t face = 0;
    for (std::uint32_t f = 0; f < body.hull->face_count; ++f) {
        const Vec3d n = view.normal(f);
        const double above = dot(n, from) - static_cast<double>(view.offset(f));
        const double rate = dot(n, by);
        if (rate == 0) {
            if (above > 0) return m;
            continue;
        }
        const double at = -above / rate;
        if (rate < 0 && at > enter) {
            enter = at;
            face = f;
        }
        if (rate > 0) leave = std::min(leave, at);
    }
    if (enter > leave || leave < 0) return m;
    m.any = true;
    m.inside = enter < 0;
    m.fraction = std::max(0.0, enter);
    m.face = face;
    const Vec3d n = body.pose.rotation * view.normal(face);
    m.normal = n * (1.0 / length(n));
    return m;
}

void RayScene::build(const HullSet& hulls, const BodyView& views) {
    bodies.reserve_grown(views.count);
    count = 0;
    left_out = 0;
    for (std::size_t i = 0; i < views.count; ++i) {
        const BodyD body = read_body(views, i);
        Quat q;
        if (!hulls.contains(body.hull) || !is_finite(position_of(body)) || !normalize(body.orientation, q)) {
            ++left_out;
            continue;
        }
        RayBody& b = bodies[count++];
        b.hull = &hulls[body.hull];
        b.body = static_cast<std::uint32_t>(i);
        const Mat3d turned = rotation(q);
        const bool plain = b.hull->shape == ShapeKind::hull;
        const PoseD inner = plain ? HullView(*b.hull).internal_to_input() : PoseD{};
        b.pose = {turned * inner.rotation, turned * inner.position + position_of(body)};
        b.centre = b.pose.position;
        const double reach =
            static_cast<double>(b.hull->radius) + static_cast<double>(b.hull->round_radius) + length(inner.position);
        // No bound is known of another shape.
        b.radius = plain ? reach * (1.0 + kSlack) : INFINITY;
    }
    const std::size_t leaves = std::bit_ceil(std::max<std::size_t>(1, count));
    boxes.reserve_grown(2 * leaves);
    if (count != 0) split(*this, 0, 0, count);
}

}  // namespace lanefold::detail
