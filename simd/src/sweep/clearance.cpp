// SPDX-License-Identifier: MIT
//
// See the header.
#include "sweep/clearance.hpp"

#include <algorithm>
#include <cmath>

namespace lanefold::detail {
namespace {

// Halvings of the enclosed time. A result that is shorter than it could be by a few percent costs less than another
// evaluation.
constexpr int kMostSteps = 8;
constexpr double kCloseEnough = 0.02;
// Times that an axis is followed without a new distance, and the part of the separation that must be left for it: an
// evaluation costs a tenth of a distance, but finds no better axis.
constexpr int kMostFollowed = 6;
constexpr double kWorthFollowing = 0.25;

struct Value {
    double value;
    double slope;
};

// A lower bound of the separation less the target, from now on: a concave function of time.
struct Curve {
    double base = 0;  // part of the separation that is the same for all vertices
    double rate = 0;
    double bend = 0;  // half the bound of the accelerations
    const double* low_height = nullptr;
    const double* low_rate = nullptr;
    std::size_t lows = 0;
    const double* high_height = nullptr;
    const double* high_rate = nullptr;
    std::size_t highs = 0;

    Value at(double s) const {
        double low = low_height[0] + s * low_rate[0];
        double low_slope = low_rate[0];
        for (std::size_t i = 1; i < lows; ++i) {
            const double h = low_height[i] + s * low_rate[i];
            low_slope = h < low ? low_rate[i] : low_slope;
            low = h < low ? h : low;
        }
        double high = high_height[0] + s * high_rate[0];
        double high_slope = high_rate[0];
        for (std::size_t i = 1; i < highs; ++i) {
            const double h = high_height[i] + s * high_rate[i];
            high_slope = h > high ? high_rate[i] : high_slope;
            high = h > high ? h : high;
        }
        return {((base + s * rate) + (low - high)) - (bend * s) * s,
                ((rate + low_slope) - high_slope) - 2.0 * (bend * s)};
    }
};

// The time up to which the curve is proven to be above zero, at most `span`. `now` is its value at 0, above zero.
double time_above(const Curve& curve, double now, double span) {
    Value end = curve.at(span);
    if (end.value > 0) return span;
    double low = 0;
    double at_low = now;
    double high = span;
    for (int i = 0; i < kMostSteps && high - low > kCloseEnough * high; ++i) {
        const double chord = low + (high - low) * (at_low / (at_low - end.value));
        const double tangent = end.slope < 0 ? high - end.value / end.slope : high;
        const double at_chord = curve.at(chord).value;
        if (!(at_chord > 0)) return low;  // the root, within rounding
        low = chord;
        at_low = at_chord;
        high = std::clamp(tangent, low, high);
        end = curve.at(high);
        if (end.value > 0) return high;
    }
    return low;
}

void fill(const BodyMotion& body, const Mat3d& rotation, const Vec3d& u, const Vec3d& by, double* height,
          double* rate) {
    const Vec3d h = transpose_times(rotation, u);
    const Vec3d r = transpose_times(rotation, by);
    for (std::size_t i = 0; i < body.vertices.size(); ++i) {
        const Vec3d v = to_double(body.vertices[i]);
        height[i] = dot(h, v);
        rate[i] = dot(r, v);
    }
}

double arm_of(const BodyMotion& body) {
    if (body.angle == 0) return 0;
    const Vec3d axis = transpose_times(body.rotation, body.axis);
    double most = 0;
    for (const Vec3f& v : body.vertices) most = std::max(most, length_squared(cross(axis, to_double(v))));
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

    // The fraction up to which u separates the pair. Turns u with the body whose axis was the best one.
    Clearance follow(const Moment& m, Vec3d& u) {
        const double span = end_ - m.fraction;
        Clearance c = {m.fraction, false, 0};
        const Curve world = world_curve(m, u);
        c.separation = world.at(0).value;
        if (!(c.separation > 0)) return c;
        double best = std::max(time_above(world, c.separation, span), lever_time(u, c.separation, span));
        const BodyMotion* turns_with = nullptr;
        for (const bool from_a : {true, false}) {
            const BodyMotion& x = from_a ? pair_.a : pair_.b;
            if (x.angle == 0 || best >= span) continue;
            const Curve turning = turning_curve(sides(m, u, from_a), span);
            const double now = turning.at(0).value;
            const double time = now > 0 ? time_above(turning, now, span) : 0;
            if (time <= best) continue;
            best = time;
            turns_with = &x;
        }
        c.to_end = best >= span;
        c.fraction = c.to_end ? end_ : m.fraction + best;
        if (turns_with != nullptr) {
            const Mat3d back = rotation(turn_at(*turns_with, m.fraction));
            u = rotation(turn_at(*turns_with, c.fraction)) * transpose_times(back, u);
        }
        return c;
    }

private:
    double cut() const { return pair_.target + pair_.slack; }

    Sides sides(const Moment& m, const Vec3d& u, bool from_a) const {
        if (from_a) return {pair_.a, pair_.b, m.rotation_a, m.rotation_b, m.offset, pair_.shift, u, arms_.b};
        return {pair_.b, pair_.a, m.rotation_b, m.rotation_a, -m.offset, -pair_.shift, -u, arms_.a};
    }

    Curve world_curve(const Moment& m, const Vec3d& u) {
        const Vec3d by_a = cross(u, pair_.a.spin);
        const Vec3d by_b = cross(u, pair_.b.spin);
        fill(pair_.b, m.rotation_b, u, by_b, scratch_.height[0].data(), scratch_.rate[0].data());
        fill(pair_.a, m.rotation_a, u, by_a, scratch_.height[1].data(), scratch_.rate[1].data());
        Curve c = curve(pair_.b.vertices.size(), pair_.a.vertices.size());
        c.base = dot(u, m.offset) - cut();
        c.rate = dot(u, pair_.shift);
        c.bend = 0.5 * (length(by_a) * (pair_.a.angle * arms_.a) + length(by_b) * (pair_.b.angle * arms_.b));
        return c;
    }

    Curve turning_curve(const Sides& s, double span) {
        const Vec3d spin = s.y.spin - s.x.spin;
        fill(s.y, s.rotation_y, s.u, cross(s.u, spin), scratch_.height[0].data(), scratch_.rate[0].data());
        fill(s.x, s.rotation_x, s.u, {}, scratch_.height[1].data(), scratch_.rate[1].data());
        Curve c = curve(s.y.vertices.size(), s.x.vertices.size());
        const Vec3d now = cross(s.x.spin, s.offset);
        const Vec3d later = cross(s.x.spin, s.offset + s.shift * span);
        c.base = dot(s.u, s.offset) - cut();
        c.rate = dot(s.u, s.shift - now);
        const double turn = std::max(length(now), length(later));
        const double relative = length(spin);
        c.bend = 0.5 * (length(cross(s.u, s.x.spin)) * ((2.0 * length(s.shift) + turn) + relative * s.y.lever) +
                        relative * (s.y.angle * s.arm_y));
        return c;
    }

    double lever_time(const Vec3d& u, double separation, double span) const {
        const double closing = -dot(u, pair_.shift) +
                               (length(cross(u, pair_.a.spin)) * arms_.a + length(cross(u, pair_.b.spin)) * arms_.b);
        return closing * span < separation ? span : separation / closing;
    }

    Curve curve(std::size_t lows, std::size_t highs) const {
        Curve c;
        c.low_height = scratch_.height[0].data();
        c.low_rate = scratch_.rate[0].data();
        c.lows = lows;
        c.high_height = scratch_.height[1].data();
        c.high_rate = scratch_.rate[1].data();
        c.highs = highs;
        return c;
    }

    const PairMotion& pair_;
    const Arms& arms_;
    double end_;
    ClearanceScratch& scratch_;
};

}  // namespace

Arms arms_of(const PairMotion& pair) { return {arm_of(pair.a), arm_of(pair.b)}; }

Clearance clear_along(const PairMotion& pair, const Arms& arms, const Moment& moment, const Vec3d& u, double end,
                      ClearanceScratch& scratch) {
    Follower follower(pair, arms, end, scratch);
    Vec3d axis = u;
    Clearance c = follower.follow(moment, axis);
    double separation = c.separation;
    for (int i = 0; i < kMostFollowed && !c.to_end && c.fraction > moment.fraction; ++i) {
        const Clearance next = follower.follow(moment_at(pair, c.fraction), axis);
        if (!(next.separation > kWorthFollowing * separation) || !(next.fraction > c.fraction)) break;
        separation = next.separation;
        c.fraction = next.fraction;
        c.to_end = next.to_end;
    }
    return c;
}

}  // namespace lanefold::detail
