// SPDX-License-Identifier: MIT
//
// How links and bodies lie and move in a pass, and the order of its parts.
#include "solve/link_pass.hpp"

#include <algorithm>
#include <cmath>

namespace lanefold::detail {
namespace {

// Tries to find how hard links pull.
constexpr int kPullTries = 3;
// So many times as far as lengths are corrected may bodies move for it.
constexpr double kMostMoved = 2;
// Share of an error of length that an implicit substep takes back: all of it would swing.
constexpr double kTakenBack = 0.5;

double d(float x) { return static_cast<double>(x); }
Vec3d vec(const float* x) { return {d(x[0]), d(x[1]), d(x[2])}; }

// The displacement of an arm's end by the rotation.
Vec3d swing(const Vec3d& turn, double scalar, const Vec3d& arm) {
    const Vec3d c = cross(turn, arm);
    const Vec3d t = c + c;
    return t * scalar + cross(turn, t);
}

// Turns a body by a small rotation vector.
void turn_by(LinkedMotion& body, const Vec3d& by) {
    const Vec3d half = by * 0.5;
    const Vec3d u = body.turn + (half * body.turn_scalar + cross(half, body.turn));
    const double scalar = body.turn_scalar - dot(half, body.turn);
    const double scale = 1 / std::sqrt(dot(u, u) + scalar * scalar);
    body.turn = u * scale;
    body.turn_scalar = scalar * scale;
}

// A cable that came taut so fast that it gives speed back.
bool returns(const LinkSlot& slot, double threshold) {
    return slot.cable && slot.restitution > 0 && slot.parting > threshold && slot.pulled;
}

}  // namespace

void LinkPass::load() {
    for (std::uint32_t i = group_.first_body; i < group_.last_body; ++i) {
        const TurnRow& t = job_.turn[links_.bodies[i].row];
        LinkedMotion& to = links_.motions[i];
        to.moved = vec(t.dp);
        to.turn = vec(t.dq);
        to.turn_scalar = d(t.dq[3]);
    }
    load_motions();
}

void LinkPass::load_motions() {
    for (std::uint32_t i = group_.first_body; i < group_.last_body; ++i) {
        const MotionRow& m = job_.motion[links_.bodies[i].row];
        LinkedMotion& to = links_.motions[i];
        to.v = vec(m.v);
        to.w = vec(m.w);
        const bool movable = links_.bodies[i].movable;
        to.inverse_mass = movable ? d(m.inverse_mass) : 0;
        for (int k = 0; k < 6; ++k) {
            to.inverse_inertia[k] = movable ? d(m.inverse_inertia[k]) : 0;
            to.pull[k] = 0;
        }
    }
}

// Directions, arms and errors as the bodies lie now.
void LinkPass::lie() {
    for (std::uint32_t s = group_.first; s < group_.last; ++s) {
        const LinkSlot& slot = links_.slots[s];
        const LinkedMotion &a = links_.motions[slot.a], &b = links_.motions[slot.b];
        LinkPose& pose = links_.poses[s];
        const Vec3d swing_a = swing(a.turn, a.turn_scalar, slot.arm_a);
        const Vec3d swing_b = swing(b.turn, b.turn_scalar, slot.arm_b);
        pose.arm_a = slot.arm_a + swing_a;
        pose.arm_b = slot.arm_b + swing_b;
        const Vec3d gap = slot.gap + ((b.moved - a.moved) + (swing_b - swing_a));
        const double length = std::sqrt(dot(gap, gap));
        pose.direction = length > 0 ? gap * (1 / length) : Vec3d{};
        pose.excess = length - slot.length;
        pose.damping = 0;
        pose.active = length > 0;
    }
}

Vec3d LinkPass::velocity(std::uint32_t s) const {
    const LinkSlot& slot = links_.slots[s];
    const LinkPose& pose = links_.poses[s];
    const LinkedMotion &a = links_.motions[slot.a], &b = links_.motions[slot.b];
    return (b.v + cross(b.w, pose.arm_b)) - (a.v + cross(a.w, pose.arm_a));
}

// A slack cable may come taut in this substep and no further.
void LinkPass::set_bias() {
    const double h = d(job_.h);
    for (std::uint32_t s = group_.first; s < group_.last; ++s) {
        LinkPose& pose = links_.poses[s];
        pose.bias = links_.slots[s].cable && pose.excess < 0 ? pose.excess / h : 0;
    }
}

// Ends that move across the link, and on circles about their centres, part by that in the second order. Velocities that
// make up for it, and are taken back in relax(), keep the energy of what swings.
void LinkPass::add_curvature() {
    const double h = d(job_.h);
    for (std::uint32_t s = group_.first; s < group_.last; ++s) {
        const LinkSlot& slot = links_.slots[s];
        LinkPose& pose = links_.poses[s];
        const LinkedMotion &a = links_.motions[slot.a], &b = links_.motions[slot.b];
        const Vec3d u = velocity(s);
        const Vec3d across = u - pose.direction * dot(u, pose.direction);
        const Vec3d curve = cross(b.w, cross(b.w, pose.arm_b)) - cross(a.w, cross(a.w, pose.arm_a));
        const Vec3d moved = across * h + curve * (0.5 * h * h);
        const double length = pose.excess + slot.length;
        const Vec3d then = pose.direction * length + moved;
        const double most = 0.5 * std::sqrt(dot(moved, moved));
        pose.bias += std::clamp(std::sqrt(dot(then, then)) - length, -most, most) / h;
    }
}

// An implicit substep takes errors back by velocities; relax() takes these away again.
void LinkPass::take_back_errors() {
    const double h = d(job_.h), most = d(job_.push_speed);
    for (std::uint32_t s = group_.first; s < group_.last; ++s) {
        LinkPose& pose = links_.poses[s];
        if (links_.slots[s].cable && pose.excess < 0) continue;
        pose.bias = std::clamp(kTakenBack * pose.excess / h, -most, most);
    }
}

// An impulse on B, and the opposite on A.
void LinkPass::apply(std::uint32_t s, const Vec3d& impulse) {
    const LinkSlot& slot = links_.slots[s];
    const LinkPose& pose = links_.poses[s];
    LinkedMotion &a = links_.motions[slot.a], &b = links_.motions[slot.b];
    a.v = a.v - impulse * a.inverse_mass;
    a.w = a.w - times(a.inverse_inertia, cross(pose.arm_a, impulse));
    b.v = b.v + impulse * b.inverse_mass;
    b.w = b.w + times(b.inverse_inertia, cross(pose.arm_b, impulse));
}

// Takes back what the substep has left of errors of length, without velocities: by as much as the speed of pushes
// allows.
void LinkPass::straighten() {
    const double most = d(job_.push_speed * job_.h);
    for (std::uint32_t s = group_.first; s < group_.last; ++s) {
        LinkPose& pose = links_.poses[s];
        if (links_.slots[s].cable && !(pose.excess > 0)) pose.active = false;
        pose.bias = std::clamp(pose.excess, -most, most);
    }
    // If bodies must go far to change a length by little, lengths yield.
    double far = 0;
    for (const double yield : {kYield, 1e-3, 1e-1}) {
        yield_ = yield;
        for (std::uint32_t i = group_.first_body; i < group_.last_body; ++i)
            links_.motions[i].v = links_.motions[i].w = {};
        solve_rows<1>();
        far = farthest_end();
        if (far <= kMostMoved * most) break;
    }
    yield_ = kYield;
    const double share = far > kMostMoved * most ? kMostMoved * most / far : 1;
    for (std::uint32_t i = group_.first_body; i < group_.last_body; ++i) {
        LinkedMotion& body = links_.motions[i];
        if (!links_.bodies[i].movable) continue;
        body.moved = body.moved + body.v * share;
        turn_by(body, body.w * share);
    }
    load_motions();
    lie();
}

// The largest velocity of a link's end.
double LinkPass::farthest_end() const {
    double far = 0;
    for (std::uint32_t s = group_.first; s < group_.last; ++s) {
        const LinkPose& pose = links_.poses[s];
        const LinkedMotion &a = links_.motions[links_.slots[s].a], &b = links_.motions[links_.slots[s].b];
        const Vec3d at_a = a.v + cross(a.w, pose.arm_a), at_b = b.v + cross(b.w, pose.arm_b);
        far = std::max(far, std::max(dot(at_a, at_a), dot(at_b, at_b)));
    }
    return std::sqrt(far);
}

void LinkPass::keep_totals() {
    for (std::uint32_t s = group_.first; s < group_.last; ++s) {
        const LinkPose& pose = links_.poses[s];
        LinkSlot& slot = links_.slots[s];
        slot.total = pose.active ? pose.before + links_.rows[s].y[0] : 0;
        slot.pulled = slot.pulled || slot.total < 0;
    }
}

void LinkPass::store(bool places) {
    const auto put = [](const Vec3d& from, float* to) {
        to[0] = static_cast<float>(from.x);
        to[1] = static_cast<float>(from.y);
        to[2] = static_cast<float>(from.z);
    };
    const auto put_velocity = [&](const Vec3d& from, float* to) {
        put(from, to);
        // No velocity is -0 (MotionRow).
        for (int k = 0; k < 3; ++k) to[k] += 0.0F;
    };
    for (std::uint32_t i = group_.first_body; i < group_.last_body; ++i) {
        if (!links_.bodies[i].movable) continue;
        put_velocity(links_.motions[i].v, job_.motion[links_.bodies[i].row].v);
        put_velocity(links_.motions[i].w, job_.motion[links_.bodies[i].row].w);
        if (!places) continue;
        TurnRow& t = job_.turn[links_.bodies[i].row];
        put(links_.motions[i].moved, t.dp);
        put(links_.motions[i].turn, t.dq);
        t.dq[3] = static_cast<float>(links_.motions[i].turn_scalar);
    }
}

void LinkPass::begin() {
    const auto arm = [&](std::uint32_t body, const float* end) {
        const float* q = job_.turn[links_.bodies[body].row].q;
        const Vec3d e = vec(end);
        return e + swing(vec(q), d(q[3]), e);
    };
    for (std::uint32_t s = group_.first; s < group_.last; ++s) {
        LinkSlot& slot = links_.slots[s];
        const LinkRow& from = job_.links[slot.link];
        slot.cable = from.cable != 0;
        slot.length = d(from.length);
        slot.restitution = d(from.restitution);
        slot.arm_a = arm(slot.a, from.end_a);
        slot.arm_b = from.fixed != 0 ? Vec3d{} : arm(slot.b, from.end_b);
        const Vec3d end_a = job_.centre[links_.bodies[slot.a].row] + slot.arm_a;
        const Vec3d end_b = from.fixed != 0 ? Vec3d{from.anchor[0], from.anchor[1], from.anchor[2]}
                                            : job_.centre[links_.bodies[slot.b].row] + slot.arm_b;
        slot.gap = end_b - end_a;
        slot.total = d(job_.link_impulses[slot.link].along * job_.impulse_ratio);
        slot.pulled = false;
    }
    load();
    lie();
    for (std::uint32_t s = group_.first; s < group_.last; ++s)
        links_.slots[s].parting = dot(velocity(s), links_.poses[s].direction);
}

void LinkPass::end() const {
    for (std::uint32_t s = group_.first; s < group_.last; ++s)
        job_.link_impulses[links_.slots[s].link].along = static_cast<float>(links_.slots[s].total);
}

void LinkPass::solve() {
    load();
    lie();
    slow_down_ = true;
    for (std::uint32_t s = group_.first; s < group_.last; ++s) {
        links_.poses[s].pull = std::max(0.0, -links_.slots[s].total);
        links_.poses[s].before = 0;
    }
    for (int k = 0; k < kPullTries; ++k) {
        if (k != 0) load_motions();
        const Stiffness stiff = stiffen();
        set_bias();
        if (stiff.any()) {
            take_back_errors();
        } else {
            add_curvature();
        }
        choose_active();
        hold(stiff.across);
        if (!take_pulls()) break;
    }
    keep_totals();
    store(false);
}

void LinkPass::relax() {
    load();
    lie();
    slow_down_ = false;
    for (std::uint32_t s = group_.first; s < group_.last; ++s)
        links_.poses[s].pull = std::max(0.0, -links_.slots[s].total);
    Stiffness stiff = stiffen();
    if (!stiff.any()) {
        straighten();
        stiff = stiffen();
    }
    set_bias();
    for (std::uint32_t s = group_.first; s < group_.last; ++s) links_.poses[s].before = links_.slots[s].total;
    choose_active();
    hold(stiff.across);
    keep_totals();
    store(true);
}

void LinkPass::bounce() {
    const double threshold = d(job_.restitution_threshold);
    const auto some = [&] {
        for (std::uint32_t s = group_.first; s < group_.last; ++s) {
            if (returns(links_.slots[s], threshold)) return true;
        }
        return false;
    };
    if (!some()) return;
    load();
    lie();
    set_bias();
    slow_down_ = false;
    for (std::uint32_t s = group_.first; s < group_.last; ++s) {
        const LinkSlot& slot = links_.slots[s];
        LinkPose& pose = links_.poses[s];
        pose.pull = 0;
        pose.before = slot.total;
        if (returns(slot, threshold)) pose.bias = slot.restitution * slot.parting;
    }
    choose_active();
    hold(false);
    store(false);
}

namespace {

template <class F>
void each_group(const SolverJob& job, std::uint32_t first, std::uint32_t last, const F& f) {
    for (std::uint32_t g = first; g < last; ++g) {
        LinkPass pass(job, job.link_groups->groups[g]);
        f(pass);
    }
}

}  // namespace

void begin_links(const SolverJob& job, std::uint32_t first, std::uint32_t last) {
    each_group(job, first, last, [](LinkPass& pass) { pass.begin(); });
}
void solve_linked(const SolverJob& job, std::uint32_t first, std::uint32_t last) {
    each_group(job, first, last, [](LinkPass& pass) { pass.solve(); });
}
void relax_linked(const SolverJob& job, std::uint32_t first, std::uint32_t last) {
    each_group(job, first, last, [](LinkPass& pass) { pass.relax(); });
}
void bounce_linked(const SolverJob& job, std::uint32_t first, std::uint32_t last) {
    each_group(job, first, last, [](LinkPass& pass) { pass.bounce(); });
}
void end_links(const SolverJob& job, std::uint32_t first, std::uint32_t last) {
    each_group(job, first, last, [](LinkPass& pass) { pass.end(); });
}

}  // namespace lanefold::detail
