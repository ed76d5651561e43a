// SPDX-License-Identifier: MIT
//
// The impulses of a pass: which cables hold, and the rows of the system.
#include <cmath>

#include "solve/link_pass.hpp"

namespace lanefold::detail {
namespace {

// Tries to find which cables hold. Mostly the first is right.
constexpr int kTries = 12;

// Two directions across a unit vector.
void directions_across(const Vec3d& n, Vec3d& t1, Vec3d& t2) {
    const double x = std::abs(n.x), y = std::abs(n.y), z = std::abs(n.z);
    const Vec3d axis = x <= y && x <= z ? Vec3d{1, 0, 0} : y <= z ? Vec3d{0, 1, 0} : Vec3d{0, 0, 1};
    const Vec3d t = cross(n, axis);
    t1 = t * (1 / std::sqrt(dot(t, t)));
    t2 = cross(n, t1);
}

}  // namespace

// Rows across the link have the root of the damping as a factor. A row of 0 gets no impulse.
void LinkPass::set_rows(std::uint32_t s, std::uint32_t count) {
    const LinkSlot& slot = links_.slots[s];
    const LinkPose& pose = links_.poses[s];
    LinkRow3& r = links_.rows[s];
    for (std::uint32_t k = 0; k < count; ++k) {
        r.axis[k] = {};
        r.own[k] = 1;
    }
    if (pose.active) {
        r.axis[0] = pose.direction;
        r.own[0] = 0;
        if (count == 3 && pose.damping > 0) {
            const double factor = std::sqrt(pose.damping);
            directions_across(pose.direction, r.axis[1], r.axis[2]);
            r.axis[1] = r.axis[1] * factor;
            r.axis[2] = r.axis[2] * factor;
        }
    }
    const Vec3d u = velocity(s);
    for (std::uint32_t k = 0; k < count; ++k) {
        r.moment_a[k] = cross(pose.arm_a, r.axis[k]);
        r.moment_b[k] = cross(pose.arm_b, r.axis[k]);
        r.spin_a[k] = times(links_.motions[slot.a].inverse_inertia, r.moment_a[k]);
        r.spin_b[k] = times(links_.motions[slot.b].inverse_inertia, r.moment_b[k]);
        r.y[k] = k == 0 || slow_down_ ? -dot(u, r.axis[k]) : 0;
    }
    if (pose.active) r.y[0] -= pose.bias;
}

// Solves the links that hold, and applies their impulses.
template <std::uint32_t N>
void LinkPass::solve_rows() {
    for (std::uint32_t s = group_.first; s < group_.last; ++s) set_rows(s, N);
    LinkSystem<N>(links_, group_, yield_).solve();
    for (std::uint32_t s = group_.first; s < group_.last; ++s) {
        const LinkRow3& r = links_.rows[s];
        Vec3d impulse = r.axis[0] * r.y[0];
        for (std::uint32_t k = 1; k < N; ++k) impulse = impulse + r.axis[k] * r.y[k];
        apply(s, impulse);
    }
}

// The same from the velocities before the pass; a cable that does not hold gives back what it had.
template <std::uint32_t N>
void LinkPass::solve_active() {
    for (std::uint32_t i = group_.first_body; i < group_.last_body; ++i) {
        links_.motions[i].v = links_.motions[i].v_before;
        links_.motions[i].w = links_.motions[i].w_before;
    }
    for (std::uint32_t s = group_.first; s < group_.last; ++s) {
        const LinkPose& pose = links_.poses[s];
        if (!pose.active) apply(s, pose.direction * -pose.before);
    }
    solve_rows<N>();
}

// Lets cables go that would push, and takes those that would part. False: there are none.
bool LinkPass::change_active() {
    // Share of the speeds: below it a cable that was let go parts by rounding only.
    constexpr double kParts = 1e-6;
    bool changed = false;
    for (std::uint32_t s = group_.first; s < group_.last; ++s) {
        LinkPose& pose = links_.poses[s];
        if (!links_.slots[s].cable) continue;
        if (pose.active) {
            if (!(pose.before + links_.rows[s].y[0] > 0)) continue;
            pose.active = false;
        } else {
            const Vec3d u = velocity(s);
            const double least = kParts * (std::sqrt(dot(u, u)) + std::abs(pose.bias));
            const bool lies = dot(pose.direction, pose.direction) > 0;
            if (!(lies && dot(u, pose.direction) + pose.bias > least)) continue;
            pose.active = true;
        }
        changed = true;
    }
    return changed;
}

template <std::uint32_t N>
void LinkPass::hold_rows() {
    for (int k = 0; k < kTries; ++k) {
        solve_active<N>();
        if (!change_active()) return;
    }
    solve_active<N>();
    // Undecided: no cable pushes all the same.
    for (std::uint32_t s = group_.first; s < group_.last; ++s) {
        LinkPose& pose = links_.poses[s];
        if (!links_.slots[s].cable || !pose.active) continue;
        const double total = pose.before + links_.rows[s].y[0];
        if (!(total > 0)) continue;
        apply(s, pose.direction * -total);
        links_.rows[s].y[0] = -pose.before;
    }
}

// Which links hold at first, and the velocities that the pass begins with.
void LinkPass::choose_active() {
    for (std::uint32_t s = group_.first; s < group_.last; ++s) {
        const LinkSlot& slot = links_.slots[s];
        LinkPose& pose = links_.poses[s];
        pose.active = dot(pose.direction, pose.direction) > 0;
        if (slot.cable && pose.active) pose.active = slot.total < 0 || dot(velocity(s), pose.direction) + pose.bias > 0;
    }
    for (std::uint32_t i = group_.first_body; i < group_.last_body; ++i) {
        links_.motions[i].v_before = links_.motions[i].v;
        links_.motions[i].w_before = links_.motions[i].w;
    }
}

void LinkPass::hold(bool damped) {
    if (damped) {
        hold_rows<3>();
    } else {
        hold_rows<1>();
    }
}

template void LinkPass::solve_rows<1>();

}  // namespace lanefold::detail
