// SPDX-License-Identifier: MIT
//
// Features at points of a hull's surface, and distances of points from features.

#include "precise/places.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "precise/facets.hpp"
#include "precise/sides.hpp"
#include "precise/support.hpp"

namespace lanefold::detail {

namespace {

double edge_distance(const Solid& s, std::uint32_t edge, const Vec3d& x) {
    const SolidEdge ends = s.edge(edge);
    return segment_distance(x, s.vertex(ends.v0), s.vertex(ends.v1));
}

// Height over the plane through a canonical face.
double plane_distance(const Solid& s, std::uint32_t face, const Vec3d& x) {
    const Vec3d n = loop_normal(s, face);
    return dot(n, x) - furthest(s, n).value;
}

// Calls visit(v0, v1) for the sides of a canonical face that bound it. `n`: the face's normal.
template <class Visit>
void for_each_bound(const Solid& s, std::uint32_t face, const Vec3d& n, const Visit& visit) {
    const std::uint32_t first = s.view.face_first[face];
    const std::uint32_t size = s.face_size(face);
    const double least = least_side(s.record->size);
    const auto at = [&](std::uint32_t k) { return s.vertex(s.view.face_vertex[first + k % size]); };
    for (std::uint32_t k = 0; k < size; ++k) {
        const Vec3d v0 = at(k);
        const Vec3d v1 = at(k + 1);
        if (bounds_face(v0 - at(k + size - 1), v1 - v0, at(k + 2) - v1, n, least)) visit(v0, v1);
    }
}

// Distance of x from a canonical face: the larger of the distance from its plane and the distance beside its sides.
double face_distance(const Solid& s, std::uint32_t face, const Vec3d& x) {
    const Vec3d n = loop_normal(s, face);
    // The block's plane counts as well. The two planes differ if merging bent the face by more than its width.
    const Vec3d stored = s.view.internal_to_input().rotation * s.view.normal(face);
    double worst =
        std::max(std::fabs(dot(n, x) - furthest(s, n).value), std::fabs(dot(stored, x) - furthest(s, stored).value));
    for_each_bound(s, face, n, [&](const Vec3d& v0, const Vec3d& v1) {
        worst = std::max(worst, -dot(normalized(cross(n, v1 - v0)), x - v0));
    });
    return worst;
}

// The nearest edge within a tolerance. Returns false if there is none.
template <class Allowed>
bool nearest_of_edges(const Solid& s, const Vec3d& x, double tolerance, const Allowed& allowed, Feature& f) {
    double best = tolerance;
    bool found = false;
    for (std::uint32_t e = 0; e < s.record->edge_count; ++e) {
        const double d = edge_distance(s, e, x);
        if (d > best || !allowed(e)) continue;
        best = d;
        found = true;
        f = {FeatureType::edge, e};
    }
    return found;
}

// The nearest extreme vertex, otherwise the nearest extreme edge, within a tolerance. Returns false if there is none.
bool place_on_rim(const Solid& s, const Extreme& extreme, const Vec3d& x, double tolerance, Feature& f) {
    double best = tolerance;
    bool found = false;
    for (std::uint32_t v = 0; v < s.vertices; ++v) {
        const double d = length(x - s.vertex(v));
        if (d > best || !extreme.vertex(v)) continue;
        best = d;
        found = true;
        f = {FeatureType::vertex, v};
    }
    return found || nearest_of_edges(
                        s, x, tolerance, [&](std::uint32_t e) { return extreme.edge(e); }, f);
}

// The nearest face within a tolerance. Returns false if there is none.
template <class Allowed>
bool place_on_face(const Solid& s, const Vec3d& x, double tolerance, const Allowed& allowed, Feature& f) {
    double best = tolerance;
    bool found = false;
    for (std::uint32_t k = 0; k < s.record->face_count; ++k) {
        if (!allowed(k)) continue;
        const double d = face_distance(s, k, x);
        if (d >= best) continue;
        best = d;
        found = true;
        f = {FeatureType::face, k};
    }
    return found;
}

}  // namespace

double segment_distance(const Vec3d& x, const Vec3d& v0, const Vec3d& v1) {
    const Vec3d along = v1 - v0;
    const double t = std::clamp(dot(x - v0, along) / length_squared(along), 0.0, 1.0);
    return length(x - (v0 + along * t));
}

bool at_feature(const Solid& s, const Feature& f, const Vec3d& x, double tolerance) {
    if (f.type == FeatureType::vertex) return length(x - s.vertex(f.index)) <= tolerance;
    if (f.type == FeatureType::edge) return edge_distance(s, f.index, x) <= tolerance;
    return std::fabs(plane_distance(s, f.index, x)) <= tolerance;
}

Extreme::Extreme(const Problem& p, const Solid& s, const Vec3d& out)
    : s_(s),
      out_(out),
      limit_(furthest(s, out).value - Tolerances::kOnSupport * static_cast<double>(s.record->size) - p.off_surface) {}

bool Extreme::face(std::uint32_t f) const {
    std::uint32_t count = 0;
    for (std::uint32_t k = s_.view.face_first[f]; k < s_.view.face_first[f + 1]; ++k)
        count += vertex(s_.view.face_vertex[k]) ? 1U : 0U;
    return count >= (s_.triangulated ? 2U : s_.face_size(f));
}

bool Extreme::feature(const Feature& f) const {
    if (f.type == FeatureType::vertex) return vertex(f.index);
    return f.type == FeatureType::edge ? edge(f.index) : face(f.index);
}

bool nearest_edge(const Solid& s, const Vec3d& x, double tolerance, Feature& f) {
    return nearest_of_edges(
        s, x, tolerance, [](std::uint32_t) { return true; }, f);
}

Place place_of(const Solid& s, const Extreme& extreme, const Vec3d& x, double tolerance, double wide) {
    Place r{x, {FeatureType::face, 0}};
    if (place_on_rim(s, extreme, x, tolerance, r.feature)) return r;
    if (place_on_face(
            s, x, wide, [&](std::uint32_t f) { return extreme.face(f); }, r.feature))
        return r;
    if (place_on_rim(s, extreme, x, wide, r.feature)) return r;
    place_on_face(
        s, x, std::numeric_limits<double>::infinity(), [](std::uint32_t) { return true; }, r.feature);
    return r;
}

double room_along(const Solid& s, const Place& at, const Vec3d& step) {
    if (at.feature.type == FeatureType::vertex) return 0;
    if (at.feature.type == FeatureType::edge) {
        const SolidEdge ends = s.edge(at.feature.index);
        const Vec3d along = s.vertex(ends.v1) - s.vertex(ends.v0);
        const double speed = dot(step, along) / length_squared(along);
        const double t = std::clamp(dot(at.x - s.vertex(ends.v0), along) / length_squared(along), 0.0, 1.0);
        if (speed > 0) return (1 - t) / speed;
        return speed < 0 ? -t / speed : std::numeric_limits<double>::infinity();
    }
    const std::uint32_t f = at.feature.index;
    const Vec3d n = loop_normal(s, f);
    double room = std::numeric_limits<double>::infinity();
    for_each_bound(s, f, n, [&](const Vec3d& v0, const Vec3d& v1) {
        const Vec3d inward = cross(n, v1 - v0);
        const double speed = dot(inward, step);
        if (speed < 0) room = std::min(room, std::max(0.0, dot(inward, at.x - v0)) / -speed);
    });
    return room;
}

}  // namespace lanefold::detail
