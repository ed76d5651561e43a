// SPDX-License-Identifier: MIT
//
// See the header.
#include "sweep/clearance.hpp"

#include <algorithm>
#include <cmath>

#include <lanefold/detail/time_above.hpp>

namespace lanefold::detail {
namespace {

// Times that an axis is followed without a new distance, and the part of the separation that must be left for it: an
// evaluation costs a tenth of a distance, but finds no better axis.
constexpr int kMostFollowed = 3;
constexpr double kWorthFollowing = 0.25;

void fill(const BodyMotion& body, const Mat3d& rotation, const Vec3d& u, const Vec3d& by, double* height,
          double* rate) {
    Vec3d h = transpose_times(rotation, u);
    Vec3d r = transpose_times(rotation, by);
    const double height_of_origin = body.is_child ? dot(h, body.place.position) : 0.0;
    const double rate_of_origin = body.is_child ? dot(r, body.place.position) : 0.0;
    h = in_hull(body, h);
    r = in_hull(body, r);
    for (std::size_t i = 0; i < body.vertices.size(); ++i) {
        const Vec3d v = to_double(body.vertices[i]);
        height[i] = dot(h, v) + height_of_origin;
        rate[i] = dot(r, v) + rate_of_origin;
    }
}

double least_height(const BodyMotion& body, const Mat3d& rotation, const Vec3d& u) {
    const Vec3d turned = transpose_times(rotation, u);
    const Vec3d h = in_hull(body, turned);
    double least = dot(h, to_double(body.vertices[0]));
    for (const Vec3f& v : body.vertices.subspan(1)) least = std::min(least, dot(h, to_double(v)));
    return body.is_child ? least + dot(turned, body.place.position) : least;
}

double arm_of(const BodyMotion& body) {
    if (body.angle == 0) return 0;
    const Vec3d axis = transpose_times(body.rotation, body.axis);
    double most = 0;
    for (const Vec3f& v : body.vertices) most = std::max(most, length_squared(cross(axis, in_body(body, v))));
    return std::sqrt(most) * (1.0 + 1e-12);  // the axis is of unit length within rounding
}

// A pair seen from x, whose axis points to y.
struct Sides {
    const BodyMotion& x;
    const BodyMotion& y;
    const Mat3d& rotation_x;
    const Mat3d& rotation_y;
    Vec3d offset;
    Vec3d shift;
    Vec3d u;
    double arm_y;
};

class Follower {
public:
    Follower(const PairMotion& pair, const Arms& arms, double end, ClearanceScratch& scratch)
        : pair_(pair), arms_(arms), end_(end), scratch_(scratch) {}

    // The fraction up to which u separates the pair. Names the body with which u turns best, or none.
    Clearance follow(const Moment& m, const Vec3d& u, const BodyMotion*& turns_with) {
        const double span = end_ - m.fraction;
        turns_with = nullptr;
        Clearance c = {m.fraction, false, 0};
        double best = world_time(m, u, span, c.separation);
        if (!(c.separation > 0)) return c;
        best = std::max(best, lever_time(u, c.separation, span));
        for (const bool from_a : {true, false}) {
            const BodyMotion& x = from_a ? pair_.a : pair_.b;
            if (x.angle == 0 || best >= span) continue;
            const double time = turning_time(sides(m, u, from_a), c.separation, span);
            if (time <= best) continue;
            best = time;
            turns_with = &x;
        }
        c.to_end = best >= span;
        c.fraction = c.to_end ? end_ : m.fraction + best;
        return c;
    }

    // The same along the normal of a half-space, which turns with it and has the height of its plane.
    Clearance follow_plane(const Moment& m) {
        const bool from_a = pair_.a.is_plane;
        const BodyMotion& plane = from_a ? pair_.a : pair_.b;
        const Vec3d normal = (from_a ? m.rotation_a : m.rotation_b) * plane.plane.normal;
        const Sides s = sides(m, from_a ? normal : -normal, from_a);
        const double span = end_ - m.fraction;
        Clearance c = {m.fraction, false, 0};
        c.separation = (dot(s.u, s.offset) + least_height(s.y, s.rotation_y, s.u)) - (plane.plane.offset + cut());
        if (!(c.separation > 0)) return c;
        const double time = turning_time(s, c.separation, span);
        c.to_end = time >= span;
        c.fraction = c.to_end ? end_ : m.fraction + time;
        return c;
    }

private:
    double cut() const { return pair_.target + pair_.slack; }

    Sides sides(const Moment& m, const Vec3d& u, bool from_a) const {
        if (from_a) return {pair_.a, pair_.b, m.rotation_a, m.rotation_b, m.offset, pair_.shift, u, arms_.b};
        return {pair_.b, pair_.a, m.rotation_b, m.rotation_a, -m.offset, -pair_.shift, -u, arms_.a};
    }

    // u stands in world axes. Writes the separation now.
    double world_time(const Moment& m, const Vec3d& u, double span, double& separation) {
        if (pair_.a.angle == 0 && pair_.b.angle == 0) {
            // All heights change alike.
            separation = (dot(u, m.offset) - cut()) +
                         (least_height(pair_.b, m.rotation_b, u) + least_height(pair_.a, m.rotation_a, -u));
            const double closing = -dot(u, pair_.shift);
            return closing * span < separation ? span : separation / closing;
        }
        const Vec3d by_a = cross(u, pair_.a.spin);
        const Vec3d by_b = cross(u, pair_.b.spin);
        const MovingHeights low = heights(0, pair_.b, m.rotation_b, u, by_b);
        const MovingHeights high = heights(1, pair_.a, m.rotation_a, u, by_a);
        const std::size_t lowest = extreme(low, 1);
        const std::size_t highest = extreme(high, -1);
        const double base = dot(u, m.offset) - cut();
        const double gap = (low.height[lowest] + base) - high.height[highest];
        separation = gap;
        if (!(gap > 0)) return 0;
        const double rate = dot(u, pair_.shift);
        const double bend = 0.5 * (length(by_a) * (pair_.a.angle * arms_.a) + length(by_b) * (pair_.b.angle * arms_.b));
        if (pair_.a.angle == 0) return time_above(low, 1, base - high.height[highest], rate, bend, span);
        if (pair_.b.angle == 0) return time_above(high, -1, low.height[lowest] + base, rate, bend, span);
        // The plane between them has the height of the middle, and the mean of the two supports' rates.
        const double moves = 0.5 * ((rate + low.rate[lowest]) + high.rate[highest]);
        const double half = 0.5 * gap;
        const double time = time_above(low, 1, half - low.height[lowest], rate - moves, 0.5 * bend, span);
        return time_above(high, -1, half + high.height[highest], moves, 0.5 * bend, time);
    }

    // u turns with x. The separation now is that in world axes.
    double turning_time(const Sides& s, double separation, double span) {
        const Vec3d spin = s.y.spin - s.x.spin;
        const MovingHeights low = heights(0, s.y, s.rotation_y, s.u, cross(s.u, spin));
        const Vec3d now = cross(s.x.spin, s.offset);
        const Vec3d later = cross(s.x.spin, s.offset + s.shift * span);
        const double turn = std::max(length(now), length(later));
        const double relative = length(spin);
        const double bend =
            0.5 * (length(cross(s.u, s.x.spin)) * ((2.0 * length(s.shift) + turn) + relative * s.y.lever) +
                   relative * (s.y.angle * s.arm_y));
        const double from = separation - low.height[extreme(low, 1)];
        return time_above(low, 1, from, dot(s.u, s.shift - now), bend, span);
    }

    MovingHeights heights(int side, const BodyMotion& body, const Mat3d& rotation, const Vec3d& u, const Vec3d& by) {
        double* const height = scratch_.height[side].data();
        double* const rate = scratch_.rate[side].data();
        fill(body, rotation, u, by, height, rate);
        return {height, rate, body.vertices.size()};
    }

    double lever_time(const Vec3d& u, double separation, double span) const {
        const double closing = -dot(u, pair_.shift) +
                               (length(cross(u, pair_.a.spin)) * arms_.a + length(cross(u, pair_.b.spin)) * arms_.b);
        return closing * span < separation ? span : separation / closing;
    }

    const PairMotion& pair_;
    const Arms& arms_;
    double end_;
    ClearanceScratch& scratch_;
};

}  // namespace

Clearance clear_of_plane(const PairMotion& pair, const Arms& arms, const Moment& moment, double end,
                         ClearanceScratch& scratch) {
    return Follower(pair, arms, end, scratch).follow_plane(moment);
}

Arms arms_of(const PairMotion& pair) { return {arm_of(pair.a), arm_of(pair.b)}; }

Clearance clear_along(const PairMotion& pair, const Arms& arms, const Moment& moment, const Vec3d& u, double end,
                      ClearanceScratch& scratch) {
    Follower follower(pair, arms, end, scratch);
    const BodyMotion* turns_with = nullptr;
    Clearance c = follower.follow(moment, u, turns_with);
    Vec3d axis = u;
    double from = moment.fraction;
    double separation = c.separation;
    for (int i = 0; i < kMostFollowed && !c.to_end && c.fraction > from; ++i) {
        if (turns_with != nullptr) axis = rotation(turn_in(*turns_with, c.fraction - from)) * axis;
        from = c.fraction;
        const Clearance next = follower.follow(moment_at(pair, from), axis, turns_with);
        c.fraction = next.fraction;
        c.to_end = next.to_end;
        if (!(next.separation > kWorthFollowing * separation)) break;
        separation = next.separation;
    }
    return c;
}

}  // namespace lanefold::detail
