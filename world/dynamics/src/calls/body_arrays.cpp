// SPDX-License-Identifier: MIT
//
// See the header. Contact forces are added in float64, manifold after manifold.
#include "calls/body_arrays.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include <lanefold/detail/caller_memory.hpp>

#include "calls/targets.hpp"

namespace lanefold::detail {
namespace {

bool is_zero(const float* x) { return x[0] == 0 && x[1] == 0 && x[2] == 0; }
Vec3f vector_at(const float* x) { return {x[0], x[1], x[2]}; }

template <class T>
bool differ(const T* a, const T* b, std::size_t n) {
    return std::memcmp(a, b, n * sizeof(T)) != 0;
}

}  // namespace

void BodyArrays::resize(std::span<const std::size_t> bodies) {
    std::vector<std::uint64_t> offsets{0};
    offsets.reserve(bodies.size() + 1);
    for (const std::size_t n : bodies) offsets.push_back(offsets.back() + n);
    if (offsets == offsets_) return;
    const std::size_t all = offsets.back();
    for (std::vector<double>* list : {&positions_, &target_positions_}) list->assign(3 * all, 0);
    for (std::vector<float>* list : {&orientations_, &target_orientations_}) list->assign(4 * all, 0);
    for (std::vector<float>* list : {&velocities_, &spins_, &forces_, &torques_, &impulses_, &contact_forces_})
        list->assign(3 * all, 0);
    for (std::vector<std::uint8_t>* list : {&present_, &targets_, &asleep_}) list->assign(all, 0);
    touches_.assign(all, 0);
    offsets_.swap(offsets);
}

WorldArrays BodyArrays::view() {
    return {offsets_, positions_, orientations_,     velocities_,          spins_,   present_,        forces_,
            torques_, impulses_,  target_positions_, target_orientations_, targets_, contact_forces_, touches_,
            asleep_};
}

void BodyArrays::read_body(const WorldState& world, std::size_t i, std::size_t at) {
    const BodyD& pose = world.bodies.poses()[i];
    std::copy_n(pose.position, 3, positions_.data() + 3 * at);
    std::copy_n(pose.orientation, 4, orientations_.data() + 4 * at);
    std::copy_n(world.bodies.motion(i).v, 3, velocities_.data() + 3 * at);
    std::copy_n(world.bodies.motion(i).w, 3, spins_.data() + 3 * at);
    present_[at] = world.bodies.lost(i) ? 0 : 1;
    asleep_[at] = world.sleep.asleep(i) ? 1 : 0;
}

void BodyArrays::read(const WorldState& world, std::size_t w) {
    for (std::size_t i = 0; i < count(w); ++i) read_body(world, i, offsets_[w] + i);
    add_contacts(world, w);
}

void BodyArrays::add_contacts(const WorldState& world, std::size_t w) {
    const std::size_t first = offsets_[w];
    const std::size_t n = count(w);
    std::fill_n(contact_forces_.data() + 3 * first, 3 * n, 0.0F);
    std::fill_n(touches_.data() + first, n, 0U);
    if (!(world.substep > 0)) return;
    const double rate = 1 / static_cast<double>(world.substep);
    const std::span<const Manifold4> manifolds = world.contacts.manifolds();
    const std::span<const ContactImpulse> impulses = world.contacts.impulses();
    for (std::size_t m = 0; m < manifolds.size(); ++m) {
        const Manifold4& manifold = manifolds[m];
        double pressure = 0;
        for (std::uint32_t k = 0; k < manifold.count; ++k) pressure += static_cast<double>(impulses[m].normal[k]);
        if (!(pressure > 0)) continue;
        for (const std::uint32_t side : {0U, 1U}) {
            if (manifold.pair[side] >= n) continue;  // of all worlds
            const std::size_t at = first + manifold.pair[side];
            ++touches_[at];
            for (std::size_t k = 0; k < 3; ++k) {
                const double along =
                    pressure * static_cast<double>(manifold.normal[k]) + static_cast<double>(impulses[m].tangent[k]);
                float& sum = contact_forces_[3 * at + k];
                sum = static_cast<float>(static_cast<double>(sum) + (side == 0 ? -along : along) * rate);
            }
        }
    }
}

// One that is lost comes back by another pose, too, as by World::set_pose().
CallStatus BodyArrays::write_body(World& to, const WorldState& world, std::size_t i, std::size_t at) {
    const BodyD& pose = world.bodies.poses()[i];
    const bool took_part = !world.bodies.lost(i);
    const double* const p = positions_.data() + 3 * at;
    const float* const q = orientations_.data() + 4 * at;
    const float* const v = velocities_.data() + 3 * at;
    const float* const s = spins_.data() + 3 * at;
    const bool placed = differ(p, pose.position, 3) || differ(q, pose.orientation, 4);
    const bool comes = !took_part && present_[at] != 0;
    const bool goes = took_part && present_[at] == 0;
    CallStatus status;
    if (placed || comes) status = to.set_pose(i, p, q);
    if (!status) return status;
    if (goes) return to.remove(i);
    const MotionRow& motion = world.bodies.motion(i);
    if (differ(v, motion.v, 3) || differ(s, motion.w, 3)) status = to.set_velocity(i, vector_at(v), vector_at(s));
    return status;
}

CallStatus BodyArrays::write(World& to, const WorldState& world, std::size_t w) {
    for (std::size_t i = 0; i < count(w); ++i) {
        const std::size_t at = offsets_[w] + i;
        const CallStatus status = write_body(to, world, i, at);
        if (!status) return status;
    }
    // A later body may have woken an earlier one.
    for (std::size_t i = 0; i < count(w); ++i) read_body(world, i, offsets_[w] + i);
    return {};
}

CallStatus BodyArrays::check_forces(const WorldState& world, std::size_t w) const {
    for (std::size_t i = 0; i < count(w); ++i) {
        const std::size_t at = 3 * (offsets_[w] + i);
        const float* const f = forces_.data() + at;
        const float* const t = torques_.data() + at;
        const float* const p = impulses_.data() + at;
        if (is_zero(f) && is_zero(t) && is_zero(p)) continue;
        if (!is_finite(vector_at(f)) || !is_finite(vector_at(t))) return refuse("forces or torques are not finite", i);
        if (!is_finite(vector_at(p))) return refuse("impulses are not finite", i);
        if (world.bodies.kind(i) != BodyKind::dynamic) {
            return refuse(
                is_zero(p) ? "forces act on a body that is not dynamic" : "impulses act on a body that is not dynamic",
                i);
        }
    }
    return {};
}

CallStatus BodyArrays::check_targets(const WorldState& world, std::size_t w, double dt) const {
    for (std::size_t i = 0; i < count(w); ++i) {
        const std::size_t at = offsets_[w] + i;
        if (targets_[at] == 0 || world.bodies.lost(i)) continue;
        const TargetMotion to =
            motion_to(world.bodies, i, target_positions_.data() + 3 * at, target_orientations_.data() + 4 * at, dt);
        if (!to.status) return to.status;
    }
    return {};
}

bool BodyArrays::has_order(const WorldState& world, std::size_t i, std::size_t at) const {
    if (world.bodies.lost(i)) return false;
    return targets_[at] != 0 || !is_zero(forces_.data() + 3 * at) || !is_zero(torques_.data() + 3 * at) ||
           !is_zero(impulses_.data() + 3 * at);
}

CallStatus BodyArrays::push_body(World& to, const WorldState& world, std::size_t i, std::size_t at, double dt) const {
    const auto over = [dt](float x) { return static_cast<float>(static_cast<double>(x) * dt); };
    const float* const f = forces_.data() + 3 * at;
    const float* const t = torques_.data() + 3 * at;
    const float* const p = impulses_.data() + 3 * at;
    CallStatus status;
    if (targets_[at] != 0)
        status = to.set_target(i, target_positions_.data() + 3 * at, target_orientations_.data() + 4 * at, dt);
    if (status && !is_zero(p)) status = to.apply_impulse(i, vector_at(p), world.bodies.centre(i));
    if (status && !is_zero(f))
        status = to.apply_impulse(i, {over(f[0]), over(f[1]), over(f[2])}, world.bodies.centre(i));
    if (status && !is_zero(t)) status = to.apply_angular_impulse(i, {over(t[0]), over(t[1]), over(t[2])});
    return status;
}

CallStatus BodyArrays::push(World& to, const WorldState& world, std::size_t w, double dt, KeptMotion& before) const {
    CallStatus status = check_forces(world, w);
    if (status) status = check_targets(world, w, dt);
    for (std::size_t i = 0; status && i < count(w); ++i) {
        const std::size_t at = offsets_[w] + i;
        if (!has_order(world, i, at)) continue;
        if (before.empty()) before.keep(world);
        status = push_body(to, world, i, at, dt);
    }
    return status;
}

void BodyArrays::clear_orders(const WorldState& world, std::size_t w) {
    for (std::vector<float>* list : {&forces_, &torques_})
        std::fill_n(list->data() + 3 * offsets_[w], 3 * count(w), 0.0F);
    clear_impulses(w);
    for (std::size_t i = 0; i < count(w); ++i) {
        const std::size_t at = offsets_[w] + i;
        const BodyD& pose = world.bodies.poses()[i];
        std::copy_n(pose.position, 3, target_positions_.data() + 3 * at);
        std::copy_n(pose.orientation, 4, target_orientations_.data() + 4 * at);
        targets_[at] = 0;
    }
}

void BodyArrays::clear_impulses(std::size_t w) { std::fill_n(impulses_.data() + 3 * offsets_[w], 3 * count(w), 0.0F); }

}  // namespace lanefold::detail
