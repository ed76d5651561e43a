// SPDX-License-Identifier: MIT
//
// A ray and a convex shape: the planes of a sharp hull, the one plane of a half-space, and of a rounded hull its faces
// moved out by the radius, cylinders about its edges and spheres about its vertices.
#include <algorithm>
#include <cmath>

#include <lanefold/detail/half_space_block.hpp>
#include <lanefold/detail/hull_block.hpp>
#include <lanefold/detail/ray.hpp>
#include <lanefold/detail/round.hpp>

namespace lanefold::detail {
namespace {

// The part of a line that is on the inner side of some planes.
struct PlaneClip {
    double enter = -INFINITY;
    double leave = INFINITY;
    std::uint32_t face = 0;  // through which it enters; of equal ones the lowest

    // Takes a plane over which the line's origin is `above`, and along which it climbs by `rate`.
    void cut(std::uint32_t f, double above, double rate) {
        if (rate == 0) {
            if (above > 0) leave = -INFINITY;
            return;
        }
        const double at = -above / rate;
        if (rate < 0 && at > enter) {
            enter = at;
            face = f;
        }
        if (rate > 0) leave = std::min(leave, at);
    }
    bool is_empty() const { return enter > leave || leave < 0; }
};

PlaneClip clip(const HullView& view, double radius, const RayLine& ray) {
    PlaneClip c;
    for (std::uint32_t f = 0; f < view.record->face_count; ++f) {
        const Vec3d n = view.normal(f);
        c.cut(f, dot(n, ray.origin) - (static_cast<double>(view.offset(f)) + radius), dot(n, ray.direction));
        if (c.is_empty()) break;
    }
    return c;
}

// Whether p is over face f: on the inner side of every plane through one of its sides, across the face.
bool is_over(const HullView& view, std::uint32_t f, const Vec3d& p) {
    const Vec3d n = view.normal(f);
    const std::uint32_t first = view.face_first[f];
    const std::uint32_t last = view.face_first[f + 1];
    Vec3d from = view.vertex(view.face_vertex[last - 1]);
    for (std::uint32_t k = first; k < last; ++k) {
        const Vec3d to = view.vertex(view.face_vertex[k]);
        if (dot(cross(to - from, n), p - from) > 0) return false;
        from = to;
    }
    return true;
}

double distance_to_segment(const Vec3d& p, const Vec3d& a, const Vec3d& b) {
    const Vec3d along = b - a;
    const double most = length_squared(along);
    const double at = most > 0 ? std::clamp(dot(p - a, along) / most, 0.0, 1.0) : 0;
    return length(p - (a + along * at));
}

// Whether p is within the radius of the core, whose planes it is below when they are moved out by the radius.
bool is_within(const HullView& view, double radius, const Vec3d& p) {
    double highest = -INFINITY;
    for (std::uint32_t f = 0; f < view.record->face_count; ++f) {
        const double above = dot(view.normal(f), p) - static_cast<double>(view.offset(f));
        highest = std::max(highest, above);
        if (above > 0 && is_over(view, f, p)) return true;
    }
    if (view.record->face_count != 0 && highest <= 0) return true;
    for (std::uint32_t e = 0; e < view.record->edge_count; ++e) {
        const Vec3d a = view.vertex(view.edge_vertex[std::size_t{2} * e]);
        if (distance_to_segment(p, a, view.vertex(view.edge_vertex[std::size_t{2} * e + 1])) <= radius) return true;
    }
    return view.record->vertex_count == 1 && length(p - view.vertex(0)) <= radius;
}

RayMeets inside_of(const RayLine& ray) { return {true, true, 0, 0, ray.direction * (-1.0 / length(ray.direction))}; }

// Keeps a hit that is nearer than `m` and not behind the origin.
void keep_nearer(RayMeets& m, double at, std::uint32_t feature, const Vec3d& out) {
    if (!(at >= 0) || (m.any && at >= m.fraction)) return;
    m = {true, false, at, feature, out};
}

// The sides of cylinders about edges, and spheres about vertices: with the faces they are the surface of a rounded
// hull, and none of them is outside of it.
RayMeets meet_edges(const HullView& view, double radius, const RayLine& ray) {
    RayMeets m;
    const HullRecord& hull = *view.record;
    const double speed = length_squared(ray.direction);
    for (std::uint32_t e = 0; e < hull.edge_count; ++e) {
        const Vec3d a = view.vertex(view.edge_vertex[std::size_t{2} * e]);
        const Vec3d along = view.vertex(view.edge_vertex[std::size_t{2} * e + 1]) - a;
        const double most = length_squared(along);
        const Vec3d across = ray.direction - along * (dot(ray.direction, along) / most);
        const double rate = length_squared(across);
        if (!(rate > 0)) continue;
        const Vec3d from = ray.origin - a;
        const Vec3d beside = from - along * (dot(from, along) / most);
        const double middle = -dot(beside, across) / rate;
        const Vec3d nearest = beside + across * middle;
        const double root = radius * radius - length_squared(nearest);
        if (root < 0) continue;
        const double at = middle - std::sqrt(root / rate);
        const double place = dot(from + ray.direction * at, along);
        if (place < 0 || place > most) continue;
        keep_nearer(m, at, hull.face_count + e, beside + across * at);
    }
    for (std::uint32_t v = 0; v < hull.vertex_count; ++v) {
        const Vec3d from = ray.origin - view.vertex(v);
        const double middle = -dot(from, ray.direction) / speed;
        const Vec3d nearest = from + ray.direction * middle;
        const double root = radius * radius - length_squared(nearest);
        if (root < 0) continue;
        const double at = middle - std::sqrt(root / speed);
        keep_nearer(m, at, hull.face_count + hull.edge_count + v, from + ray.direction * at);
    }
    return m;
}

RayMeets meet_rounded(const HullView& view, const RayLine& ray) {
    const auto radius = static_cast<double>(view.record->round_radius);
    const PlaneClip c = clip(view, radius, ray);
    if (c.is_empty()) return {};
    if (c.enter < 0) {
        if (is_within(view, radius, ray.origin)) return inside_of(ray);
    } else if (is_over(view, c.face, ray.origin + ray.direction * c.enter)) {
        return {true, false, c.enter, c.face, view.normal(c.face)};
    }
    return meet_edges(view, radius, ray);
}

RayMeets meet_planes(const PlaneClip& c, const RayLine& ray, const Vec3d& normal) {
    if (c.is_empty()) return {};
    if (c.enter < 0) return inside_of(ray);
    return {true, false, c.enter, c.face, normal};
}

RayMeets meet_at_origin(const HullRecord& hull, const RayLine& ray) {
    if (is_half_space(hull)) {
        const HalfSpaceBlock& plane = half_space_block(hull);
        const Vec3d n = {plane.normal[0], plane.normal[1], plane.normal[2]};
        PlaneClip c;
        c.cut(0, dot(n, ray.origin) - plane.offset, dot(n, ray.direction));
        return meet_planes(c, ray, n);
    }
    const HullView view(hull);
    if (hull.round_radius > 0) return meet_rounded(view, ray);
    const PlaneClip c = clip(view, 0, ray);
    return meet_planes(c, ray, view.normal(c.face));
}

}  // namespace

RayMeets meet(const RayTarget& target, const RayLine& ray, double most) {
    const RayLine local = {transpose_times(target.pose.rotation, ray.origin - target.pose.position),
                           transpose_times(target.pose.rotation, ray.direction)};
    RayMeets m = meet_at_origin(*target.hull, local);
    m.any = m.any && m.fraction <= most;
    if (!m.any) return m;
    const Vec3d n = target.pose.rotation * m.normal;
    m.normal = n * (1.0 / length(n));
    return m;
}

}  // namespace lanefold::detail
