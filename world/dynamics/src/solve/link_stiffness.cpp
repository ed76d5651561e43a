// SPDX-License-Identifier: MIT
//
// Pulls of links within a substep. Tension is a spring across what it pulls: it draws the ends of a link, and the arms
// of a body, into line. Where such a spring swings faster than substeps can follow, a step with its force at the begin
// gains energy; with its force at the end it is one whose bodies are heavier by the spring's stiffness times the square
// of the substep.
#include <algorithm>
#include <cmath>

#include "solve/link_pass.hpp"

namespace lanefold::detail {
namespace {

// Springs of more than this times the mass, over the square of the substep, are implicit: half a radian in a substep.
// Several that meet swing twice as fast, and two radians are where an explicit step ends.
constexpr double kSwing = 0.25;
// Damping beyond so many times the mass changes nothing any more.
constexpr double kMostDamping = 1e6;
// Pulls that ask for so much more damping than the pass had are taken.
constexpr double kMore = 1.2;

// The inverse of a symmetric positive definite matrix.
void invert(const double* m, double* out) {
    const double cxx = m[3] * m[5] - m[4] * m[4], cxy = m[2] * m[4] - m[1] * m[5], cxz = m[1] * m[4] - m[2] * m[3];
    const double scale = 1 / ((m[0] * cxx + m[1] * cxy) + m[2] * cxz);
    out[0] = cxx * scale;
    out[1] = cxy * scale;
    out[2] = cxz * scale;
    out[3] = (m[0] * m[5] - m[2] * m[2]) * scale;
    out[4] = (m[1] * m[2] - m[0] * m[4]) * scale;
    out[5] = (m[0] * m[3] - m[1] * m[1]) * scale;
}

// The sum of what unit impulses along three axes change at an arm's end by turning the body.
double turning_gain(const LinkedMotion& body, const Vec3d& arm) {
    const double* const i = body.inverse_inertia;
    return dot(arm, arm) * ((i[0] + i[3]) + i[5]) - dot(arm, times(i, arm));
}

}  // namespace

// A pull along `towards` at the arm's end resists turning: the arm wants to lie along it.
void LinkPass::add_pull(LinkedMotion& body, const Vec3d& arm, const Vec3d& towards, double pull) const {
    const double reach = std::sqrt(dot(arm, arm));
    if (!(reach > 0) || !(body.inverse_mass > 0)) return;
    const double k = 0.5 * static_cast<double>(job_.h) * pull * (dot(towards, arm) + reach);
    const Vec3d r = arm * (1 / reach);
    const double across[6] = {1 - r.x * r.x, -r.x * r.y, -r.x * r.z, 1 - r.y * r.y, -r.y * r.z, 1 - r.z * r.z};
    for (int i = 0; i < 6; ++i) body.pull[i] += k * across[i];
}

// A bar that is pulled at both ends swings about its middle. False: so slowly that it may.
bool LinkPass::steady(LinkedMotion& body) const {
    const double* const i = body.inverse_inertia;
    const double* const p = body.pull;
    const double swings = ((i[0] * p[0] + i[3] * p[3]) + i[5] * p[5]) + 2 * ((i[1] * p[1] + i[2] * p[2]) + i[4] * p[4]);
    if (!(swings > kSwing)) return false;
    const double share = 1 - kSwing / swings;
    double inertia[6], sum[6];
    invert(body.inverse_inertia, inertia);
    for (int j = 0; j < 6; ++j) sum[j] = inertia[j] + share * p[j];
    const Vec3d momentum = times(inertia, body.w);
    invert(sum, body.inverse_inertia);
    if (slow_down_) body.w = times(body.inverse_inertia, momentum);
    return true;
}

LinkPass::Stiffness LinkPass::stiffen() {
    Stiffness some{false, false};
    for (std::uint32_t s = group_.first; s < group_.last; ++s) {
        const LinkSlot& slot = links_.slots[s];
        const LinkPose& pose = links_.poses[s];
        if (!(pose.pull > 0)) continue;
        add_pull(links_.motions[slot.a], pose.arm_a, pose.direction, pose.pull);
        add_pull(links_.motions[slot.b], pose.arm_b, -pose.direction, pose.pull);
    }
    for (std::uint32_t i = group_.first_body; i < group_.last_body; ++i)
        some.bodies = steady(links_.motions[i]) || some.bodies;
    for (std::uint32_t s = group_.first; s < group_.last; ++s) {
        LinkPose& pose = links_.poses[s];
        pose.damping = damping(s, pose.pull);
        some.across = some.across || pose.damping > 0;
    }
    return some;
}

// The damping across a link that pulls by so much; 0: its bodies may swing.
double LinkPass::damping(std::uint32_t s, double pull) const {
    const LinkSlot& slot = links_.slots[s];
    const LinkPose& pose = links_.poses[s];
    if (!(pull > 0) || !(dot(pose.direction, pose.direction) > 0)) return 0;
    const LinkedMotion &a = links_.motions[slot.a], &b = links_.motions[slot.b];
    const Vec3d ma = cross(pose.arm_a, pose.direction), mb = cross(pose.arm_b, pose.direction);
    const double along = dot(ma, times(a.inverse_inertia, ma)) + dot(mb, times(b.inverse_inertia, mb));
    const double gain =
        2 * (a.inverse_mass + b.inverse_mass) + ((turning_gain(a, pose.arm_a) + turning_gain(b, pose.arm_b)) - along);
    const double stiffness = static_cast<double>(job_.h) * pull / (pose.excess + slot.length);
    return std::clamp(stiffness - kSwing / gain, 0.0, kMostDamping / gain);
}

// Whether such a pull at the end of its arm swings one of the link's bodies faster than substeps can follow.
bool LinkPass::swings(std::uint32_t s, double pull) const {
    const LinkSlot& slot = links_.slots[s];
    const LinkPose& pose = links_.poses[s];
    const auto at = [&](const LinkedMotion& body, const Vec3d& arm) {
        const double reach = std::sqrt(dot(arm, arm));
        return reach > 0 && static_cast<double>(job_.h) * pull * turning_gain(body, arm) > kSwing * reach;
    };
    return at(links_.motions[slot.a], pose.arm_a) || at(links_.motions[slot.b], pose.arm_b);
}

// Takes the pulls that the pass has found where they are greater than those that it reckoned with. True: it must be
// done again.
bool LinkPass::take_pulls() {
    bool again = false;
    for (std::uint32_t s = group_.first; s < group_.last; ++s) {
        LinkPose& pose = links_.poses[s];
        const double pull = -(pose.before + links_.rows[s].y[0]);
        if (!pose.active || !(pull > kMore * pose.pull)) continue;
        again = again || damping(s, pull) > kMore * pose.damping || swings(s, pull);
        pose.pull = pull;
    }
    return again;
}

}  // namespace lanefold::detail
