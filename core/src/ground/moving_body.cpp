// SPDX-License-Identifier: MIT
//
// The proofs are those of simd/src/sweep/clearance.hpp for a body and a triangle at rest: the least height of the
// core's vertices over the triangle's highest corner, along an axis that stands or that turns with the body.
//
// A surface that turns by w sees a point D from its position, whose velocity is v + wb x r, move by
// v + wb x r - w x D, and accelerate by wb x (wb x r) - 2 w x (v + wb x r) + w x (w x D). An axis u that stands in the
// surface keeps its angle to w, so along it the last two are at most |u x w| (2 (|v| + |wb| arm) + |w| |D|).
#include "ground/moving_body.hpp"

#include <algorithm>
#include <cmath>

#include <lanefold/detail/point_box.hpp>
#include <lanefold/detail/turn.hpp>

namespace lanefold::detail {
namespace {

// Room for the rounding of what is computed once for all of the motion.
constexpr double kRoom = 1 + 1e-12;
// A turn of more radians sweeps about what a whole turn does.
constexpr double kWide = 2;

}  // namespace

MovingBody::MovingBody(const GroundMotion& motion, GroundBody& first, GroundSweepMemory& memory)
    : motion_(motion),
      first_(first),
      memory_(memory),
      now_(&first),
      place_(motion.position + motion.shift * 0.0),
      start_(motion.position),
      along_(motion.shift),
      spin_(motion.axis * motion.angle) {
    first_.place(*motion_.body, motion_.rotation);
    first_lever_ = lever_ = motion_.beside + first_.centre;
    ball_ = turns() ? motion_.axis * dot(motion_.axis, lever_) : lever_;
    if (ground_turns()) ball_ = {};
    double squared = 0;
    double reach = 0;
    double arm = 0;
    for (const Vec3d& x : first_.vertices) {
        squared = std::max(squared, length_squared(x + (lever_ - ball_)));
        reach = std::max(reach, length_squared(x + lever_));
        arm = std::max(arm, length_squared(cross(motion_.axis, x + lever_)));
    }
    radius_ = std::sqrt(squared) * kRoom;
    reach_ = std::sqrt(reach) * kRoom;
    arm_ = std::sqrt(arm) * kRoom;
    fastest_ = length(motion_.shift) + motion_.angle * arm_;
    memory_.height.resize(std::max<std::size_t>(3, first_.vertices.size()));
    memory_.rate.resize(memory_.height.size());
    if (ground_turns()) {
        follow_spiral();
    } else {
        sweep_box();
    }
}

void MovingBody::go_to(double fraction) {
    if (fraction == fraction_) return;
    fraction_ = fraction;
    place_ = motion_.position + motion_.shift * fraction;
    if (!turns()) return;
    if (fraction == 0) {
        now_ = &first_;
        lever_ = first_lever_;
        back_ = {};
        return;
    }
    Mat3d turn = rotation(part_of({motion_.axis, motion_.angle}, fraction));
    if (ground_turns()) {
        back_ = transpose(rotation(part_of({motion_.ground_axis, motion_.ground_angle}, fraction)));
        place_ = back_ * place_;
        turn = back_ * turn;
    }
    now_ = &memory_.moved;
    now_->place(*motion_.body, turn * motion_.rotation);
    lever_ = turn * motion_.beside + now_->centre;
}

// The position runs on a spiral, no further from its chord than its acceleration takes it, and never further from the
// surface's position than at one of its ends. Of the two the smaller one counts.
void MovingBody::follow_spiral() {
    const double w = motion_.ground_angle;
    const double v = length(motion_.shift);
    const double most = std::max(length(motion_.position), length(motion_.position + motion_.shift));
    far_ = (most + reach_) * kRoom;
    fastest_ += w * far_;
    bulge_ = (w * (2 * v + w * most) / 8) * kRoom;
    if (bulge_ > most) {
        bulge_ = most * kRoom;
        start_ = along_ = {};
    } else {
        go_to(1);
        along_ = place_ - motion_.position;
        go_to(0);
    }
    const double room = reach_ + bulge_;
    low_ = {-room, -room, -room};
    high_ = {room, room, room};
}

void MovingBody::sweep_box() {
    low_ = first_.low + lever_;
    high_ = first_.high + lever_;
    if (!turns()) return;
    // About the axis each vertex runs on a circle.
    const Vec3d& a = motion_.axis;
    const Vec3d across = {std::sqrt(std::max(0.0, 1 - a.x * a.x)), std::sqrt(std::max(0.0, 1 - a.y * a.y)),
                          std::sqrt(std::max(0.0, 1 - a.z * a.z))};
    Vec3d low = low_;
    Vec3d high = high_;
    for (const Vec3d& x : first_.vertices) {
        const Vec3d y = x + first_lever_;
        const Vec3d middle = a * dot(a, y);
        const Vec3d room = across * (length(y - middle) * kRoom);
        low = lower_of(low, middle - room);
        high = upper_of(high, middle + room);
    }
    if (motion_.angle < kWide) {
        // Its way is no further from the chord than its acceleration takes it.
        go_to(1);
        const double bulge = arm_ * (motion_.angle * motion_.angle / 8) * kRoom;
        const Vec3d room = {bulge, bulge, bulge};
        low = upper_of(low, lower_of(low_, now_->low + lever_) - room);
        high = lower_of(high, upper_of(high_, now_->high + lever_) + room);
        go_to(0);
    }
    low_ = low;
    high_ = high;
}

Window MovingBody::window(const Vec3d (&corner)[3], double most) const {
    const TriangleBall ball(corner);
    return time_within((start_ - ball.middle) + ball_, along_, (radius_ + ball.radius * kRoom) + (most + bulge_));
}

double MovingBody::clear_time(const GroundTriangle& t, const Vec3d& u, double cut, double span) {
    const double top = top_of(t.corner, u);
    const double separation = (now_->lowest(u).value - top) - cut;
    if (!(separation > 0)) return 0;
    if (ground_turns()) {
        const double time = spiral_time(separation, top, u, cut, span);
        return time >= span ? span : std::max(time, world_time(t, separation, u, span));
    }
    const double time = standing_time(separation, top, u, cut, span);
    if (!turns() || time >= span) return time;
    return std::max(time, turning_time(t, separation, u, span));
}

MovingHeights MovingBody::heights_along(const Vec3d& u, const Vec3d& by) {
    const double of_lever = dot(by, lever_);
    for (std::size_t i = 0; i < now_->vertices.size(); ++i) {
        memory_.height[i] = dot(u, now_->vertices[i]);
        memory_.rate[i] = dot(by, now_->vertices[i]) + of_lever;
    }
    return {memory_.height.data(), memory_.rate.data(), now_->vertices.size()};
}

// u stands.
double MovingBody::standing_time(double separation, double top, const Vec3d& u, double cut, double span) {
    const double rate = dot(u, motion_.shift);
    if (!turns()) return -rate * span < separation ? span : separation / -rate;
    const Vec3d by = cross(u, spin_);
    const double bound = length(by) * arm_;
    const double closing = bound - rate;
    if (closing * span < separation) return span;
    const MovingHeights low = heights_along(u, by);
    const double bend = 0.5 * (bound * motion_.angle);
    return std::max(separation / closing, time_above(low, 1, -(top + cut), rate, bend, span));
}

// u stands in a surface that turns.
double MovingBody::spiral_time(double separation, double top, const Vec3d& u, double cut, double span) {
    const Vec3d ground_spin = motion_.ground_axis * motion_.ground_angle;
    const double beside = length(cross(u, ground_spin));
    const double own = length(motion_.shift) + motion_.angle * arm_;
    const double closing = own + beside * far_;
    if (closing * span < separation) return span;
    const Vec3d by = cross(u, back_ * spin_ - ground_spin);
    const MovingHeights low = heights_along(u, by);
    const double rate = dot(u, back_ * motion_.shift - cross(ground_spin, place_));
    const double bend = 0.5 * (beside * (2 * own + motion_.ground_angle * far_) + motion_.angle * motion_.angle * arm_);
    return std::max(separation / closing, time_above(low, 1, -(top + cut), rate, bend, span));
}

// u stands in world axes, in which body and triangle turn apart. As in clearance.cpp a plane moves between the two.
double MovingBody::world_time(const GroundTriangle& t, double separation, const Vec3d& u, double span) {
    const Vec3d by = cross(u, back_ * spin_);
    const Vec3d by_ground = cross(u, motion_.ground_axis * motion_.ground_angle);
    double height[3];
    double rate[3];
    double arm = 0;
    for (int k = 0; k < 3; ++k) {
        const Vec3d corner = t.corner[k] + origin();
        height[k] = dot(u, t.corner[k]);
        rate[k] = dot(by_ground, corner);
        arm = std::max(arm, length(cross(motion_.ground_axis, corner)));
    }
    const MovingHeights low = heights_along(u, by);
    const MovingHeights high = {height, rate, 3};
    const std::size_t lowest = extreme(low, 1);
    const std::size_t highest = extreme(high, -1);
    const double common = dot(u, back_ * motion_.shift);
    const double moves = 0.5 * ((common + low.rate[lowest]) + high.rate[highest]);
    const double bends = length(by) * (motion_.angle * arm_) + length(by_ground) * (motion_.ground_angle * arm * kRoom);
    const double half = 0.5 * separation;
    const double time = time_above(low, 1, half - low.height[lowest], common - moves, 0.25 * bends, span);
    return time_above(high, -1, half + high.height[highest], moves, 0.25 * bends, time);
}

// u turns with the body: the triangle's corners move in the body's frame, where the heights of the core stay.
double MovingBody::turning_time(const GroundTriangle& t, double separation, const Vec3d& u, double span) {
    const Vec3d down = -u;
    const Vec3d by = cross(down, -spin_);
    double lever = 0;
    for (int k = 0; k < 3; ++k) {
        const Vec3d c = t.corner[k] - t.corner[0];
        lever = std::max(lever, length(c));
        memory_.height[static_cast<std::size_t>(k)] = dot(down, c);
        memory_.rate[static_cast<std::size_t>(k)] = dot(by, c);
    }
    const MovingHeights low = {memory_.height.data(), memory_.rate.data(), 3};
    const Vec3d between = t.corner[0] + lever_;
    const Vec3d shift = -motion_.shift;
    const Vec3d now = cross(spin_, between);
    const Vec3d later = cross(spin_, between + shift * span);
    const double turn = std::max(length(now), length(later));
    const double bend = 0.5 * (length(cross(down, spin_)) * ((2.0 * length(shift) + turn) + motion_.angle * lever));
    const double from = separation - low.height[extreme(low, 1)];
    return time_above(low, 1, from, dot(down, shift - now), bend, span);
}

}  // namespace lanefold::detail
