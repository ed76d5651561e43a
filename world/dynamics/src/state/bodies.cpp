// SPDX-License-Identifier: MIT
//
// Rows of bodies: made from a RigidBody, placed, and moved at the end of a step.
#include "state/bodies.hpp"

#include <algorithm>
#include <cstring>
#include <limits>

#include <lanefold/detail/lever.hpp>

#include "state/mass.hpp"
#include "state/quaternions.hpp"

namespace lanefold::detail {
namespace {

// Scenes and records of other programs store places as float32.
bool place_fits(const Vec3d& p) {
    constexpr double kMost = std::numeric_limits<float>::max();
    return std::abs(p.x) <= kMost && std::abs(p.y) <= kMost && std::abs(p.z) <= kMost;
}

}  // namespace

bool Bodies::may_touch(const Pair& pair) const {
    const auto [a, b] = pair;
    if (kind_[a] != BodyKind::dynamic && kind_[b] != BodyKind::dynamic) return false;
    if ((finder_category_[a] & collides_with_[b]) == 0 || (finder_category_[b] & collides_with_[a]) == 0) return false;
    return group_[a] == 0 || group_[a] != group_[b];
}

bool Bodies::has_velocity(std::size_t i) const {
    const MotionRow& m = motion_[i];
    return !(m.v[0] == 0 && m.v[1] == 0 && m.v[2] == 0 && m.w[0] == 0 && m.w[1] == 0 && m.w[2] == 0);
}

bool Bodies::sound(std::size_t i) const {
    const MotionRow& m = motion_[i];
    if (kind_[i] == BodyKind::fixed || lost(i)) return true;
    return speed_fits(m.v, kLostSpeed) && speed_fits(m.w, kLostSpeed) && place_fits(centre_[i]);
}

bool Bodies::sound_after(std::size_t i) const {
    const TurnRow& t = turn_[i];
    const auto d = [](float x) { return static_cast<double>(x); };
    const Vec3d end = centre_[i] + Vec3d{d(t.dp[0]), d(t.dp[1]), d(t.dp[2])};
    const bool turned = std::isfinite((t.dq[0] + t.dq[1]) + (t.dq[2] + t.dq[3]));
    return sound(i) && (kind_[i] == BodyKind::fixed || lost(i) || (turned && place_fits(end)));
}

void Bodies::lose(std::size_t i, std::uint32_t step) {
    lost_[i] = step;
    finder_category_[i] = 0;
    hold(i);
    stop(i);
}

void Bodies::bring_back(std::size_t i) {
    lost_[i] = 0;
    finder_category_[i] = category_[i];
    release(i);
}

void Bodies::keep_velocities() {
    kept_.resize(size());
    for (std::size_t i = 0; i < size(); ++i) {
        std::copy_n(motion_[i].v, 3, kept_[i].v);
        std::copy_n(motion_[i].w, 3, kept_[i].w);
    }
}

void Bodies::set_velocities_back() {
    for (std::size_t i = 0; i < size(); ++i) set_velocity_back(i);
}

void Bodies::set_velocity_back(std::size_t i) {
    std::copy_n(kept_[i].v, 3, motion_[i].v);
    std::copy_n(kept_[i].w, 3, motion_[i].w);
}

void Bodies::add(const HullSet& hulls, const RigidBody& body) {
    const std::size_t i = size();
    MassRow row;
    make_mass_row(body, hulls.info(body.hull).mass, row);
    BodyD placed{};
    placed.hull = body.hull;
    pose_.push_back(placed);
    orientation_.push_back({0, 0, 0, 1});
    kind_.push_back(body.kind);
    category_.push_back(body.category);
    collides_with_.push_back(body.collides_with);
    group_.push_back(body.group);
    finder_mass_.push_back(body.kind == BodyKind::dynamic ? 1.0F : 0.0F);
    finder_category_.push_back(body.category);
    lost_.push_back(0);
    const Vec3f centre{row.centre[0], row.centre[1], row.centre[2]};
    add_parts(hulls, body.hull, centre, parts_);
    part_end_.push_back(static_cast<std::uint32_t>(parts_.size()));
    // A surface has no vertices of its own; where it is fixed nothing depends on how far it reaches.
    const bool carries = body.kind == BodyKind::kinematic && is_surface(hulls[body.hull]);
    radius_.push_back(carries ? static_cast<float>(lever_of(hulls, body.hull)) : reach_of(hulls, body.hull, centre));
    unmoved_.push_back(0);
    boxed_.push_back(0);

    resize_rows(size());
    mass_[i] = row;
    material_[i] = {body.friction, body.restitution, thickness_of(hulls, body.hull), hulls[body.hull].round_radius};
    bounce_ = bounce_ || body.restitution > 0;
    release(i);
    set_velocity(i, body.velocity, body.spin);
    Quat q;
    normalize(body.orientation, q);
    place(i, body.position, q);
}

void Bodies::truncate(std::size_t count) {
    pose_.resize(count);
    orientation_.resize(count);
    kind_.resize(count);
    category_.resize(count);
    collides_with_.resize(count);
    group_.resize(count);
    finder_mass_.resize(count);
    finder_category_.resize(count);
    lost_.resize(count);
    parts_.resize(count == 0 ? 0 : part_end_[count - 1]);
    part_end_.resize(count);
    radius_.resize(count);
    unmoved_.resize(count);
    boxed_.resize(count);
    resize_rows(count);
}

// Makes rows for so many bodies, and immovable ones behind them. Without bodies there are none, as at first: to go back
// needs no memory.
void Bodies::resize_rows(std::size_t count) {
    const std::size_t rows = count == 0 ? 0 : (count + kBodyBlock) / kBodyBlock * kBodyBlock;
    motion_.resize(rows);
    turn_.resize(rows);
    mass_.resize(rows);
    material_.resize(rows);
    centre_.resize(rows);
    for (std::size_t i = count; i < rows; ++i) {
        motion_[i] = {};
        turn_[i] = {};
        turn_[i].dq[3] = turn_[i].q[3] = 1;
        mass_[i] = {};
        material_[i] = {};
        centre_[i] = {};
    }
}

// From the hull's origin to the centre of mass, world axes.
Vec3d Bodies::arm(std::size_t i) const {
    const float* c = mass_[i].centre;
    return rotation(orientation_[i]) *
           Vec3d{static_cast<double>(c[0]), static_cast<double>(c[1]), static_cast<double>(c[2])};
}

void Bodies::place(std::size_t i, const double position[3], const Quat& orientation) {
    orientation_[i] = orientation;
    centre_[i] = Vec3d{position[0], position[1], position[2]} + arm(i);
    update_pose(i);
    std::copy_n(position, 3, pose_[i].position);
    unmoved_[i] = 0;
}

// Computes the pose from centre and orientation.
void Bodies::update_pose(std::size_t i) {
    boxed_[i] = 0;
    const Quat& q = orientation_[i];
    const float f[4] = {static_cast<float>(q.x), static_cast<float>(q.y), static_cast<float>(q.z),
                        static_cast<float>(q.w)};
    std::copy_n(f, 4, pose_[i].orientation);
    std::copy_n(f, 4, turn_[i].q);
    const Vec3d p = centre_[i] - arm(i);
    pose_[i].position[0] = p.x;
    pose_[i].position[1] = p.y;
    pose_[i].position[2] = p.z;
}

void Bodies::set_velocity(std::size_t i, const float v[3], const float w[3]) {
    std::copy_n(v, 3, motion_[i].v);
    std::copy_n(w, 3, motion_[i].w);
    unmoved_[i] = 0;  // its margins may have grown
}

void Bodies::stop(std::size_t i) {
    std::fill_n(motion_[i].v, 3, 0.0F);
    std::fill_n(motion_[i].w, 3, 0.0F);
}

BodyState Bodies::state(std::size_t i) const {
    BodyState s{};
    std::memcpy(s.position, pose_[i].position, sizeof s.position);
    const Vec3d& c = centre_[i];
    const Quat& q = orientation_[i];
    const double centre[3] = {c.x, c.y, c.z};
    const double orientation[4] = {q.x, q.y, q.z, q.w};
    std::memcpy(s.centre, centre, sizeof centre);
    std::memcpy(s.orientation, orientation, sizeof orientation);
    std::memcpy(s.v, motion_[i].v, sizeof s.v);
    std::memcpy(s.w, motion_[i].w, sizeof s.w);
    return s;
}

void Bodies::set_state(std::size_t i, const BodyState& state, bool unmoved, std::uint32_t lost) {
    lost_[i] = lost;
    finder_category_[i] = lost != 0 ? 0 : category_[i];
    orientation_[i] = {state.orientation[0], state.orientation[1], state.orientation[2], state.orientation[3]};
    centre_[i] = {state.centre[0], state.centre[1], state.centre[2]};
    update_pose(i);
    std::memcpy(pose_[i].position, state.position, sizeof state.position);
    std::memcpy(motion_[i].v, state.v, sizeof state.v);
    std::memcpy(motion_[i].w, state.w, sizeof state.w);
    unmoved_[i] = unmoved ? 1 : 0;
}

void Bodies::lend_rows(SolverJob& job) {
    job.motion = motion_.data();
    job.turn = turn_.data();
    job.mass = mass_.data();
    job.centre = centre_.data();
    job.material = material_.data();
}

void Bodies::end_at(std::size_t i, const Vec3d& moved, const Quat& turned, const Vec3d& v, const Vec3d& w) {
    const auto put = [](const Vec3d& from, float* to) {
        const Vec3f f = to_float(from);
        to[0] = f.x;
        to[1] = f.y;
        to[2] = f.z;
    };
    put(v, motion_[i].v);
    put(w, motion_[i].w);
    put(moved, turn_[i].dp);
    put({turned.x, turned.y, turned.z}, turn_[i].dq);
    turn_[i].dq[3] = static_cast<float>(turned.w);
}

void Bodies::end_step(std::size_t i) {
    const bool rests = !movable(i) && !has_velocity(i);
    unmoved_[i] = rests ? 1 : 0;
    if (rests) return;
    const TurnRow& t = turn_[i];
    centre_[i] = centre_[i] + to_double({t.dp[0], t.dp[1], t.dp[2]});
    const Quat q = after(quaternion(t.dq), orientation_[i]);
    const double n = std::sqrt(((q.x * q.x + q.y * q.y) + q.z * q.z) + q.w * q.w);
    orientation_[i] = {q.x / n, q.y / n, q.z / n, q.w / n};
    update_pose(i);
}

}  // namespace lanefold::detail
