// SPDX-License-Identifier: MIT
//
// See the header.
#include "sweep/ray_bodies.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <tuple>

#include <lanefold/detail/half_space_block.hpp>
#include <lanefold/detail/point_box.hpp>
#include <lanefold/detail/read_body.hpp>
#include <lanefold/detail/surface_block.hpp>

namespace lanefold::detail {
namespace {

// By how much boxes are larger than spheres: a record's centre and radius are float32, and a hit is good to 2e-6.
constexpr double kSlack = 4e-6;

double part(const Vec3d& v, int k) { return k == 0 ? v.x : k == 1 ? v.y : v.z; }

RayBox around(const RayBody* bodies, std::size_t count) {
    PointBox box;
    for (std::size_t i = 0; i < count; ++i) {
        const Vec3d& c = bodies[i].centre;
        const double r = bodies[i].radius;
        box.add(c - Vec3d{r, r, r}, c + Vec3d{r, r, r});
    }
    return {box.low, box.high};
}

// A hull's internal frame is about the middle of its bounding sphere, a surface's coordinates are about anything.
Vec3d centre_of(const RayTarget& target) {
    if (!is_surface(*target.hull)) return target.pose.position;
    const float* const c = target.hull->centre;
    return transform(target.pose, {c[0], c[1], c[2]});
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
        return at_a != at_b ? at_a < at_b : std::tie(a.body, a.child) < std::tie(b.body, b.child);
    });
    split(scene, 2 * node + 1, begin, middle);
    split(scene, 2 * node + 2, middle, end);
}

}  // namespace

void RayScene::build(const HullSet& hulls, const BodyView& views) {
    bodies.clear();
    planes.clear();
    left_out = 0;
    struct Place {
        RayScene* scene;
        std::uint32_t body;
    };
    const auto place = [](void* context, std::uint32_t child, const RayTarget& target) {
        const Place& at = *static_cast<const Place*>(context);
        const HullRecord& hull = *target.hull;
        // A float32 radius bounds the vertices up to rounding.
        const double reach = static_cast<double>(hull.radius) + static_cast<double>(hull.round_radius);
        auto& list = is_half_space(hull) ? at.scene->planes : at.scene->bodies;
        list.push_back({target, centre_of(target), reach * (1.0 + kSlack), at.body, child});
    };
    for (std::size_t i = 0; i < views.count; ++i) {
        Place at = {this, static_cast<std::uint32_t>(i)};
        if (!place_children(hulls, read_body(views, i), place, &at)) ++left_out;
    }
    boxes.reserve_grown(2 * std::bit_ceil(std::max<std::size_t>(1, bodies.size())));
    if (!bodies.empty()) split(*this, 0, 0, bodies.size());
}

}  // namespace lanefold::detail
