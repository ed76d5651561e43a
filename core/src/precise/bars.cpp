// SPDX-License-Identifier: MIT
//
// See the header.
#include "precise/bars.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace lanefold::detail {
namespace {

// sin^2 of the angle between two bars below which they cross nowhere: a sine of 1e-7 is the resolution of float32
// orientations. Without the crossing, the ends decide, and the distance is off by less than 5e-8 of the shorter bar.
constexpr double kParallelSine2 = 1e-14;

// Part of Tolerances::off_surface by which the ends of the common part of two bars may be aside of each other, seen
// along the normal: half of the promised bound of a point.
constexpr double kAside = 1.0 / 3;

// `gap` without what it has along a bar that the closest point is inside of: rounding, which for bars that nearly meet
// would turn the direction.
Vec3d across(const Vec3d& gap, const Bar& bar, double at) {
    const double whole = length_squared(bar.along);
    if (!(at > 0 && at < 1 && whole > 0)) return gap;
    return gap - bar.along * (dot(gap, bar.along) / whole);
}

void offer(Meeting& best, const Bar& a, const Bar& b, double s, double t) {
    const Vec3d p = a.at(s);
    const Vec3d q = b.at(t);
    const double d = length(q - p);
    if (!(d < best.distance)) return;
    const Vec3d direction = across(across(q - p, a, s), b, t);
    const double l = length(direction);
    best = {s, t, p, q, d, l > 0 ? direction * (1 / l) : Vec3d{}};
}

// Two bars that cross: the direction is their cross product. That between the closest points is worse by far for bars
// that are almost parallel or very near.
void offer_crossing(Meeting& best, const Bar& a, const Bar& b, double s, double t) {
    const Vec3d n = normalized(cross(normalized(a.along), normalized(b.along)));
    const double d = dot(n, b.from - a.from);
    if (!(std::fabs(d) < best.distance)) return;
    best = {s, t, a.at(s), b.at(t), std::fabs(d), d < 0 ? -n : n};
}

// A parameter nearer to an end than `same` is that of the end.
double snapped(const Bar& bar, double t, double same) {
    const double whole = length(bar.along);
    if (t * whole <= same) return 0;
    return (1 - t) * whole <= same ? 1 : t;
}

// The unit vector perpendicular to u and to the axis of its smallest component, the first of equal ones.
Vec3d perpendicular(const Vec3d& u) {
    const double x = std::fabs(u.x);
    const double y = std::fabs(u.y);
    const double z = std::fabs(u.z);
    if (x <= y && x <= z) return normalized(cross(u, {1, 0, 0}));
    return normalized(cross(u, y <= z ? Vec3d{0, 1, 0} : Vec3d{0, 0, 1}));
}

ContactKind kind_of(FeatureType a, FeatureType b) {
    if (a == FeatureType::face) return ContactKind::face_a;
    if (b == FeatureType::face) return ContactKind::face_b;
    if (a == FeatureType::edge) return b == FeatureType::edge ? ContactKind::edge_edge : ContactKind::edge_vertex;
    return b == FeatureType::edge ? ContactKind::vertex_edge : ContactKind::vertex_vertex;
}

}  // namespace

double Bar::nearest(const Vec3d& x) const {
    const double whole = length_squared(along);
    return whole > 0 ? std::clamp(dot(x - from, along) / whole, 0.0, 1.0) : 0.0;
}

Feature Bar::feature(double t) const {
    if (is_point() || t <= 0) return {FeatureType::vertex, vertex[0]};
    if (t >= 1) return {FeatureType::vertex, vertex[1]};
    return {FeatureType::edge, edge};
}

Bar small_bar(const Solid& s) {
    Bar bar{s.vertex(0), {}, s.record->feature_counts(), 0, {0, 0}};
    if (s.record->vertex_count < 2) return bar;
    bar.along = s.vertex(1) - bar.from;
    bar.vertex[1] = 1;
    return bar;
}

Bar placed_bar(const PoseD& pose, const Bar& bar) {
    Bar out = bar;
    out.from = transform(pose, bar.from);
    if (!bar.is_point()) out.along = pose.rotation * bar.along;
    return out;
}

Bar edge_bar(const Solid& hull, std::uint32_t edge) {
    const SolidEdge e = hull.edge(edge);
    const Vec3d from = hull.vertex(e.v0);
    return {from, hull.vertex(e.v1) - from, hull.record->feature_counts(), edge, {e.v0, e.v1}};
}

Meeting closest_on_bars(const Bar& a, const Bar& b) {
    Meeting best;
    best.distance = std::numeric_limits<double>::infinity();
    // Cramer's rule by cross products, which keep their digits where the bars are almost parallel.
    const Vec3d n = cross(a.along, b.along);
    const double squared = length_squared(n);
    if (squared > kParallelSine2 * (length_squared(a.along) * length_squared(b.along))) {
        const Vec3d d = b.from - a.from;
        const double s = dot(cross(d, b.along), n) / squared;
        const double t = dot(cross(d, a.along), n) / squared;
        if (s > 0 && s < 1 && t > 0 && t < 1) offer_crossing(best, a, b, s, t);
    }
    for (const double s : {0.0, 1.0}) offer(best, a, b, s, b.nearest(a.at(s)));
    // An end of the second whose nearest point is an end of the first is no nearer to it than what was offered there,
    // but by rounding, which would turn a short distance.
    for (const double t : {0.0, 1.0}) {
        const double s = a.nearest(b.at(t));
        if (s > 0 && s < 1) offer(best, a, b, s, t);
    }
    return best;
}

Vec3d direction_of_meeting(const Bar& a, const Bar& b, const Vec3d& apart, double rounding) {
    if (a.is_point() && b.is_point()) return {1, 0, 0};
    if (a.is_point() || b.is_point()) return perpendicular(normalized(a.is_point() ? b.along : a.along));
    const Vec3d u = normalized(a.along);
    const Vec3d crossed = cross(u, normalized(b.along));
    if (!(length_squared(crossed) > kParallelSine2)) return perpendicular(u);
    const Vec3d n = normalized(crossed);
    return dot(n, apart) < -rounding ? -n : n;
}

void ContactTaker::begin(Outcome& r, const Vec3d& normal, double distance) const {
    memory_.points.clear();
    r.reported = true;
    r.distance = distance;
    r.normal = host_is_b_ ? -(p_.from_b.rotation * normal) : normal;
}

void ContactTaker::add(const Vec3d& middle, double separation, std::uint32_t host, std::uint32_t guest) const {
    ClipPoint c;
    c.middle = host_is_b_ ? transform(p_.from_b, middle) : middle;
    c.separation = std::min(separation, p_.margin);
    c.number_a = host_is_b_ ? guest : host;
    c.number_b = host_is_b_ ? host : guest;
    memory_.points.push_back(c);
}

void ContactTaker::name(Outcome& r, const Feature& host, const Feature& guest) const {
    const Feature& a = host_is_b_ ? guest : host;
    const Feature& b = host_is_b_ ? host : guest;
    r.kind = kind_of(a.type, b.type);
    r.feature_a = a.index;
    r.feature_b = b.index;
}

void ContactTaker::take_meeting(const Bar& host, const Bar& guest, const Meeting& m, const Vec3d& normal,
                                double distance, Outcome& r) const {
    begin(r, normal, distance);
    name(r, host.feature(m.s), guest.feature(m.t));
    add((m.p + m.q) * 0.5, distance, host.number(m.s), guest.number(m.t));
}

bool ContactTaker::take_common_part(const Bar& host, const Bar& guest, const Vec3d& normal, double distance,
                                    Outcome& r) const {
    if (host.is_point() || guest.is_point()) return false;
    const double whole = length_squared(host.along);
    const double t0 = dot(guest.at(0) - host.from, host.along) / whole;
    const double t1 = dot(guest.at(1) - host.from, host.along) / whole;
    const double low = std::min(t0, t1);
    const double high = std::max(t0, t1);
    const double ends[2] = {std::max(0.0, low), std::min(1.0, high)};
    if (!((ends[1] - ends[0]) * std::sqrt(whole) > p_.same_point)) return false;
    Meeting at[2];
    double deepest = std::numeric_limits<double>::infinity();
    for (int k = 0; k < 2; ++k) {
        // An end of the part is an end of the host or of the guest.
        const double of_guest = (t0 < t1) == (k == 0) ? 0 : 1;
        const bool by_guest = k == 0 ? low > 0 : high < 1;
        const double s = snapped(host, ends[k], p_.same_point);
        const double t = by_guest ? of_guest : snapped(guest, guest.nearest(host.at(s)), p_.same_point);
        at[k] = {s, t, host.at(s), guest.at(t), 0, normal};
        const Vec3d gap = at[k].q - at[k].p;
        at[k].distance = dot(normal, gap);
        deepest = std::min(deepest, at[k].distance);
        if (!(length(gap - normal * at[k].distance) <= kAside * p_.off_surface)) return false;
        if (!(at[k].distance <= p_.margin + p_.tie)) return false;
    }
    if (!(deepest <= distance + p_.depth_loss)) return false;
    begin(r, normal, distance);
    name(r, {FeatureType::edge, host.edge}, {FeatureType::edge, guest.edge});
    for (const Meeting& m : at) add((m.p + m.q) * 0.5, m.distance, host.number(m.s), guest.number(m.t));
    return true;
}

}  // namespace lanefold::detail
