// SPDX-License-Identifier: MIT
//
// Bodies: what is refused, mass and inertia, and where a body is.
#include <algorithm>
#include <cmath>
#include <new>

#include <lanefold/fp_environment.hpp>

#include "world/impl.hpp"

namespace lanefold {
namespace {

using detail::refuse;

bool finite3(const float* x) { return std::isfinite(x[0]) && std::isfinite(x[1]) && std::isfinite(x[2]); }
bool finite3(const double* x) { return std::isfinite(x[0]) && std::isfinite(x[1]) && std::isfinite(x[2]); }

// Beyond these the solver's float32 squares and products leave their range: lengths a second and radians a second,
// kilograms, coefficients.
constexpr float kMostSpeed = 1e12F;
constexpr double kLeastMass = 1e-15;
constexpr double kMostMass = 1e15;
constexpr float kMostFriction = 1e6F;

// The inverse of a symmetric positive definite matrix by cofactors. False when it is not one, or not in float32.
bool invert(const Mat3d& m, float inertia[6], float inverse[6]) {
    const double xx = m.row[0].x, xy = m.row[0].y, xz = m.row[0].z;
    const double yy = m.row[1].y, yz = m.row[1].z, zz = m.row[2].z;
    const double cxx = yy * zz - yz * yz, cxy = xz * yz - xy * zz, cxz = xy * yz - xz * yy;
    const double cyy = xx * zz - xz * xz, cyz = xy * xz - xx * yz, czz = xx * yy - xy * xy;
    const double det = (xx * cxx + xy * cxy) + xz * cxz;
    if (!(xx > 0) || !(czz > 0) || !(det > 0)) return false;
    const double from[6] = {xx, xy, xz, yy, yz, zz};
    const double to[6] = {cxx / det, cxy / det, cxz / det, cyy / det, cyz / det, czz / det};
    for (int k = 0; k < 6; ++k) {
        inertia[k] = static_cast<float>(from[k]);
        inverse[k] = static_cast<float>(to[k]);
        if (!std::isfinite(inertia[k]) || !std::isfinite(inverse[k])) return false;
    }
    return true;
}

// False when the numbers make no mass in float32.
bool mass_row(const RigidBody& body, const MassProperties& unit, detail::MassRow& row) {
    row = {};
    const Vec3f centre = to_float(unit.centre_of_mass);
    row.centre[0] = centre.x;
    row.centre[1] = centre.y;
    row.centre[2] = centre.z;
    if (body.kind != BodyKind::dynamic) return true;
    const double mass =
        body.mass != 0 ? static_cast<double>(body.mass) : static_cast<double>(body.density) * unit.volume;
    if (!(mass >= kLeastMass && mass <= kMostMass)) return false;
    row.inverse_mass = static_cast<float>(1.0 / mass);
    Mat3d inertia = unit.inertia;
    for (Vec3d& r : inertia.row) r = r * (mass / unit.volume);
    return invert(inertia, row.inertia, row.inverse_inertia);
}

bool unit_range(float x) { return x >= 0 && x <= 1; }

bool speed_fits(const float* v) {
    return std::abs(v[0]) <= kMostSpeed && std::abs(v[1]) <= kMostSpeed && std::abs(v[2]) <= kMostSpeed;
}

}  // namespace

CallStatus World::Impl::check_body(const RigidBody& body, std::uint64_t where) const {
    Quat q;
    if (body.hull >= hulls.size()) return refuse("body: there is no such hull", where);
    if (hulls[body.hull].block == nullptr) return refuse("body: its hull was removed", where);
    if (body.kind > BodyKind::kinematic) return refuse("body: kind is none of BodyKind", where);
    if (!finite3(body.position)) return refuse("body: position is not finite", where);
    if (!normalize(body.orientation, q)) return refuse("body: orientation is not a unit quaternion", where);
    if (!finite3(body.velocity) || !finite3(body.spin)) return refuse("body: velocity or spin is not finite", where);
    if (!speed_fits(body.velocity) || !speed_fits(body.spin))
        return refuse("body: velocity or spin is beyond 1e12", where);
    const bool rests = body.velocity[0] == 0 && body.velocity[1] == 0 && body.velocity[2] == 0 && body.spin[0] == 0 &&
                       body.spin[1] == 0 && body.spin[2] == 0;
    if (body.kind == BodyKind::fixed && !rests) return refuse("body: a fixed body has a velocity or spin", where);
    if (!(body.friction >= 0 && body.friction <= kMostFriction))
        return refuse("body: friction must be 0 to 1e6", where);
    if (!unit_range(body.restitution)) return refuse("body: restitution must be 0 to 1", where);
    if (body.kind == BodyKind::dynamic) {
        if (!(body.mass >= 0) || !std::isfinite(body.mass))
            return refuse("body: mass must be finite and positive", where);
        if (body.mass == 0 && (!(body.density > 0) || !std::isfinite(body.density)))
            return refuse("body: density must be finite and positive", where);
    }
    detail::MassRow row;
    if (!mass_row(body, hulls.info(body.hull).mass, row))
        return refuse("body: mass is not 1e-15 to 1e15 kilograms, or its inertia is beyond float32", where);
    return {};
}

void World::Impl::push_body(const RigidBody& body) {
    const std::size_t i = bodies();
    detail::MassRow row;
    mass_row(body, hulls.info(body.hull).mass, row);
    const Vec3f middle{row.centre[0], row.centre[1], row.centre[2]};
    float reach = 0;
    for (const Vec3f& v : hulls.vertices(body.hull)) {
        const Vec3f d = v - middle;
        reach = std::max(reach, dot(d, d));
    }
    BodyD placed{};
    placed.hull = body.hull;
    pose.push_back(placed);
    orientation.push_back({0, 0, 0, 1});
    kind.push_back(body.kind);
    groups.push_back(body.groups);
    touches.push_back(body.touches);
    limb_of.push_back(body.limb_of);
    finder_mass.push_back(body.kind == BodyKind::dynamic ? 1.0F : 0.0F);
    radius.push_back(std::sqrt(reach));
    still.push_back(0);
    bed.push_back(kAwake);
    unmoved.push_back(0);
    boxed.push_back(0);

    resize_rows(bodies());
    mass[i] = row;
    material[i] = {body.friction, body.restitution};
    detail::MotionRow& m = motion[i];
    std::copy_n(body.velocity, 3, m.v);
    std::copy_n(body.spin, 3, m.w);
    m.inverse_mass = row.inverse_mass;
    Quat q;
    normalize(body.orientation, q);
    place(i, body.position, q);
}

void World::Impl::pop_bodies(std::size_t count) {
    pose.resize(count);
    orientation.resize(count);
    kind.resize(count);
    groups.resize(count);
    touches.resize(count);
    limb_of.resize(count);
    finder_mass.resize(count);
    radius.resize(count);
    still.resize(count);
    bed.resize(count);
    unmoved.resize(count);
    boxed.resize(count);
    resize_rows(count);
}

// Rows for so many bodies, and immovable ones behind them.
void World::Impl::resize_rows(std::size_t count) {
    const std::size_t rows = (count + detail::kBodyBlock) / detail::kBodyBlock * detail::kBodyBlock;
    motion.resize(rows);
    turn.resize(rows);
    mass.resize(rows);
    material.resize(rows);
    centre.resize(rows);
    for (std::size_t i = count; i < rows; ++i) {
        motion[i] = {};
        turn[i] = {};
        turn[i].dq[3] = turn[i].q[3] = 1;
        mass[i] = {};
        material[i] = {};
        centre[i] = {};
    }
}

// The hull's origin at `position`.
void World::Impl::place(std::size_t i, const double position[3], const Quat& q) {
    orientation[i] = q;
    const float* c = mass[i].centre;
    const Vec3d arm =
        rotation(q) * Vec3d{static_cast<double>(c[0]), static_cast<double>(c[1]), static_cast<double>(c[2])};
    centre[i] = Vec3d{position[0], position[1], position[2]} + arm;
    update_pose(i);
    std::copy_n(position, 3, pose[i].position);
}

// From centre and orientation.
void World::Impl::update_pose(std::size_t i) {
    boxed[i] = 0;
    const Quat& q = orientation[i];
    const float f[4] = {static_cast<float>(q.x), static_cast<float>(q.y), static_cast<float>(q.z),
                        static_cast<float>(q.w)};
    std::copy_n(f, 4, pose[i].orientation);
    std::copy_n(f, 4, turn[i].q);
    const float* c = mass[i].centre;
    const Vec3d arm =
        rotation(q) * Vec3d{static_cast<double>(c[0]), static_cast<double>(c[1]), static_cast<double>(c[2])};
    const Vec3d p = centre[i] - arm;
    pose[i].position[0] = p.x;
    pose[i].position[1] = p.y;
    pose[i].position[2] = p.z;
}

namespace {

CallStatus add(World::Impl& w, std::span<const RigidBody> bodies) {
    if (bodies.data() == nullptr && !bodies.empty()) return refuse("bodies is null but has a length", bodies.size());
    const std::size_t before = w.bodies();
    if (before + bodies.size() > detail::kNoRow - detail::kBodyBlock)
        return refuse("more than 2^32 bodies", bodies.size());
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        const CallStatus status = w.check_body(bodies[i], i);
        if (!status) return status;
    }
    try {
        for (const RigidBody& body : bodies) w.push_body(body);
    } catch (const std::bad_alloc&) {
        w.pop_bodies(before);
        return {Status::out_of_memory, "bodies", bodies.size()};
    }
    return {};
}

CallStatus push(World::Impl& w, std::size_t body, const Vec3f& impulse, const Vec3d& point) {
    if (body >= w.bodies()) return refuse("there is no such body", body);
    if (w.kind[body] != BodyKind::dynamic) return refuse("the body is not dynamic", body);
    if (!is_finite(impulse) || !is_finite(point)) return refuse("impulse or point is not finite", body);
    const detail::MassRow& mass = w.mass[body];
    const Mat3d r = rotation(w.orientation[body]);
    const float* s = mass.inverse_inertia;
    const auto d = [](float x) { return static_cast<double>(x); };
    const Mat3d inverse{{{d(s[0]), d(s[1]), d(s[2])}, {d(s[1]), d(s[3]), d(s[4])}, {d(s[2]), d(s[4]), d(s[5])}}};
    const Vec3d p = to_double(impulse);
    const Vec3d turn = r * (inverse * transpose_times(r, cross(point - w.centre[body], p)));
    const Vec3d push = p * d(mass.inverse_mass);
    const double add[6] = {push.x, push.y, push.z, turn.x, turn.y, turn.z};
    detail::MotionRow& m = w.motion[body];
    float v[3], spin[3];
    for (int k = 0; k < 3; ++k) {
        v[k] = static_cast<float>(d(m.v[k]) + add[k]);
        spin[k] = static_cast<float>(d(m.w[k]) + add[3 + k]);
    }
    if (!speed_fits(v) || !speed_fits(spin)) return refuse("impulse: velocity or spin would be beyond 1e12", body);
    w.wake_body(body);
    std::copy_n(v, 3, m.v);
    std::copy_n(spin, 3, m.w);
    w.unmoved[body] = 0;  // its margins have grown
    return {};
}

CallStatus put(World::Impl& w, std::size_t body, const double position[3], const float orientation[4]) {
    Quat q;
    if (body >= w.bodies()) return refuse("there is no such body", body);
    if (!finite3(position)) return refuse("position is not finite", body);
    if (!normalize(orientation, q)) return refuse("orientation is not a unit quaternion", body);
    w.wake_body(body);
    w.wake_around(body);
    w.place(body, position, q);
    w.unmoved[body] = 0;
    return {};
}

}  // namespace

CallStatus World::add_bodies(std::span<const RigidBody> bodies) {
    if (!impl_) return moved_from();
    return in_default_environment([&] { return add(*impl_, bodies); });
}

CallStatus World::set_velocity(std::size_t body, const Vec3f& velocity, const Vec3f& spin) {
    if (!impl_) return moved_from();
    Impl& w = *impl_;
    if (body >= w.bodies()) return refuse("there is no such body", body);
    if (w.kind[body] == BodyKind::fixed) return refuse("the body is fixed", body);
    if (!is_finite(velocity) || !is_finite(spin)) return refuse("velocity or spin is not finite", body);
    if (!speed_fits(&velocity.x) || !speed_fits(&spin.x)) return refuse("velocity or spin is beyond 1e12", body);
    w.wake_body(body);
    if (w.kind[body] == BodyKind::kinematic) w.wake_around(body);
    std::copy_n(&velocity.x, 3, w.motion[body].v);
    std::copy_n(&spin.x, 3, w.motion[body].w);
    w.unmoved[body] = 0;  // its margins have grown
    return {};
}

CallStatus World::apply_impulse(std::size_t body, const Vec3f& impulse, const Vec3d& point) {
    if (!impl_) return moved_from();
    return in_default_environment([&] { return push(*impl_, body, impulse, point); });
}

CallStatus World::set_pose(std::size_t body, const double position[3], const float orientation[4]) {
    if (!impl_) return moved_from();
    return in_default_environment([&] { return put(*impl_, body, position, orientation); });
}

CallStatus World::wake(std::size_t body) {
    if (!impl_) return moved_from();
    if (body >= impl_->bodies()) return refuse("there is no such body", body);
    impl_->wake_body(body);
    return {};
}

}  // namespace lanefold
