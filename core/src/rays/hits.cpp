// SPDX-License-Identifier: MIT
//
// See the header.
#include <lanefold/detail/ray_hits.hpp>

#include <algorithm>
#include <cmath>
#include <tuple>

#include <lanefold/detail/caller_memory.hpp>
#include <lanefold/detail/surface_block.hpp>

namespace lanefold::detail {
namespace {

auto place_of(const RayHit& h) { return std::tie(h.fraction, h.body, h.child, h.feature); }

RayHit record_of(std::uint32_t body, std::uint32_t child, const RayMeets& m) {
    RayHit h = {};
    h.fraction = m.fraction;
    h.body = body;
    h.child = child;
    h.feature = m.feature;
    const Vec3f n = to_float(m.normal);
    h.normal[0] = n.x;
    h.normal[1] = n.y;
    h.normal[2] = n.z;
    h.state = m.inside ? RayState::inside : RayState::hit;
    return h;
}

RayHit plain_record(RayState state) {
    RayHit h = {};
    h.fraction = 1;
    h.state = state;
    return h;
}

}  // namespace

CallStatus place_surfaces(std::span<const PlacedSurface> surfaces, std::vector<RaySurface>& out) {
    out.clear();
    for (std::size_t i = 0; i < surfaces.size(); ++i) {
        const PlacedSurface& s = surfaces[i];
        const Vec3d at = {s.pose.position[0], s.pose.position[1], s.pose.position[2]};
        Quat q;
        if (s.surface == nullptr) return refuse("surfaces: a surface is null", i);
        if (!is_finite(at) || !normalize(s.pose.orientation, q)) {
            return refuse("surfaces: a pose is not finite, or its quaternion not near unit length", i);
        }
        out.push_back({{rotation(q), at}, &s.surface->view()});
    }
    return {};
}

bool read_ray(const Ray& ray, RayLine& out) {
    out.origin = {ray.origin[0], ray.origin[1], ray.origin[2]};
    out.direction = {ray.direction[0], ray.direction[1], ray.direction[2]};
    return is_finite(out.origin) && std::isnormal(length_squared(out.direction));
}

RayHit failed_ray() {
    RayHit h = plain_record(RayState::failed);
    h.status = Status::bad_pose;
    return h;
}

void RayHits::take(std::uint32_t body, std::uint32_t child, const RayTarget& target, const RayLine& ray,
                   RaySides sides) {
    if (most_ < 0) return;
    if (!is_surface(*target.hull)) {
        add(body, child, meet(target, ray, most_));
        return;
    }
    const RaySurface surface[1] = {{target.pose, surface_block(*target.hull).view}};
    take_surfaces(surface, body, ray, sides);
}

void RayHits::add(std::uint32_t body, std::uint32_t child, const RayMeets& m) {
    if (!m.any) return;
    if (any_) {
        found_ = true;
        most_ = -1;
        return;
    }
    const RayHit h = record_of(body, child, m);
    if (all_ != nullptr) {
        all_->push_back(h);
        return;
    }
    if (found_ && place_of(best_) <= place_of(h)) return;
    found_ = true;
    best_ = h;
    most_ = h.fraction;
}

void RayHits::take_surfaces(std::span<const RaySurface> surfaces, std::uint32_t first, const RayLine& ray,
                            RaySides sides) {
    struct Visit {
        RayHits* hits;
        const RaySurface* surface;
        RayLine ray;
        RaySides sides;
        std::uint32_t body;
    };
    for (const RaySurface& s : surfaces) {
        if (most_ < 0) return;
        Visit visit = {this,
                       &s,
                       {transpose_times(s.pose.rotation, ray.origin - s.pose.position),
                        transpose_times(s.pose.rotation, ray.direction)},
                       sides,
                       first++};
        const auto one = [](void* context, std::uint32_t t, double) {
            const Visit& v = *static_cast<const Visit*>(context);
            RayMeets m = meet(*v.surface->view, t, v.ray, v.sides, v.hits->most());
            if (m.any) {
                const Vec3d n = v.surface->pose.rotation * m.normal;
                m.normal = n * (1.0 / length(n));
                v.hits->add(v.body, 0, m);
            }
            return v.hits->most();
        };
        s.view->along(visit.ray, most_, one, &visit);
    }
}

RayHit RayHits::finish() {
    if (all_ != nullptr) {
        const auto from = all_->begin() + static_cast<std::ptrdiff_t>(begin_);
        std::sort(from, all_->end(), [](const RayHit& a, const RayHit& b) { return place_of(a) < place_of(b); });
        return from == all_->end() ? plain_record(RayState::miss) : *from;
    }
    if (!found_) return plain_record(RayState::miss);
    return any_ ? plain_record(RayState::hit) : best_;
}

}  // namespace lanefold::detail
