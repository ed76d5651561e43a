// SPDX-License-Identifier: MIT
//
// Calls about bodies: which arguments are refused, and which bodies a change wakes.
#include <algorithm>
#include <cmath>
#include <new>
#include <utility>
#include <vector>

#include <lanefold/detail/caller_memory.hpp>
#include <lanefold/detail/turn.hpp>
#include <lanefold/fp_environment.hpp>
#include <lanefold/scaled_hulls.hpp>

#include "calls/impl.hpp"
#include "calls/targets.hpp"
#include "islands/islands.hpp"
#include "state/mass.hpp"

namespace lanefold {
namespace {

using detail::refuse;

bool finite3(const float* x) { return std::isfinite(x[0]) && std::isfinite(x[1]) && std::isfinite(x[2]); }
bool finite3(const double* x) { return std::isfinite(x[0]) && std::isfinite(x[1]) && std::isfinite(x[2]); }

using detail::speed_fits;

// Beyond it the solver's float32 products leave their range.
constexpr float kMostFriction = 1e6F;

bool unit_range(float x) { return x >= 0 && x <= 1; }

CallStatus check_body(const HullSet& hulls, const RigidBody& body, std::uint64_t where) {
    Quat q;
    if (body.hull >= hulls.size()) return refuse("body: there is no such hull", where);
    if (hulls[body.hull].block == nullptr) return refuse("body: its hull was removed", where);
    if (hulls[body.hull].shape == ShapeKind::half_space && body.kind != BodyKind::fixed)
        return refuse("body: a half-space has no mass and no end; it can only be fixed", where);
    if (hulls[body.hull].shape == ShapeKind::surface && body.kind == BodyKind::dynamic)
        return refuse("body: a surface has no mass; it can be fixed or kinematic", where);
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
            return refuse("body: mass must be finite and positive; 0 takes the density", where);
        if (body.mass == 0 && (!(body.density > 0) || !std::isfinite(body.density)))
            return refuse("body: density must be finite and positive; 1000 would do", where);
    }
    detail::MassRow row;
    if (!make_mass_row(body, hulls.info(body.hull).mass, row))
        return refuse("body: mass is not 1e-15 to 1e15 kilograms, or its inertia is beyond float32", where);
    return {};
}

// Gives bodies with a scale the hulls that have it, which `hulls` gets where it has none of them. The bodies are then
// those without.
CallStatus give_scaled_hulls(detail::ScaledIdsOfWorld& known, HullSet& hulls, std::span<RigidBody> bodies) {
    std::vector<HullScale> wanted;
    std::vector<std::size_t> of_body;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        RigidBody& body = bodies[i];
        if (body.scale == 1.0F) continue;
        if (!(body.scale > 0)) return refuse("body: scale must be above 0; 1 is the hull itself", i);
        if (!hulls.contains(body.hull)) return refuse("body: there is no such hull, or it was removed", i);
        wanted.push_back({body.hull, {body.scale, body.scale, body.scale}});
        of_body.push_back(i);
    }
    if (wanted.empty()) return {};
    std::vector<HullScale> fresh;
    for (const HullScale& s : wanted) {
        const auto at = known.find({s.hull, s.scale.x});
        if (at == known.end() || !hulls.contains(at->second)) fresh.push_back(s);
    }
    ScaledHulls scaled(hulls);
    const ScaledIds ids = scaled.take(fresh);
    if (!ids) {
        const HullScale& refused = ids.status.where < fresh.size() ? fresh[ids.status.where] : wanted.front();
        const auto same = [&](const HullScale& s) { return s.hull == refused.hull && s.scale == refused.scale; };
        const auto place = std::find_if(wanted.begin(), wanted.end(), same) - wanted.begin();
        return {ids.status.code, ids.status.what, of_body[static_cast<std::size_t>(place)]};
    }
    hulls = scaled.hulls();
    for (std::size_t k = 0; k < fresh.size(); ++k) known[{fresh[k].hull, fresh[k].scale.x}] = ids.ids[k];
    for (std::size_t k = 0; k < wanted.size(); ++k) {
        bodies[of_body[k]].hull = known.at({wanted[k].hull, wanted[k].scale.x});
        bodies[of_body[k]].scale = 1;
    }
    return {};
}

CallStatus add_unscaled(detail::WorldState& world, std::span<const RigidBody> bodies) {
    if (bodies.data() == nullptr && !bodies.empty()) return refuse("bodies is null but has a length", bodies.size());
    const std::size_t before = world.bodies.size();
    if (before + bodies.size() > detail::kNoRow - detail::kBodyBlock)
        return refuse("more than 2^32 bodies", bodies.size());
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        const CallStatus status = check_body(world.hulls, bodies[i], i);
        if (!status) return status;
    }
    try {
        for (const RigidBody& body : bodies) world.bodies.add(world.hulls, body);
        world.sleep.resize(world.bodies.size());
    } catch (const std::bad_alloc&) {
        world.bodies.truncate(before);
        world.sleep.resize(before);
        return {Status::out_of_memory, "bodies", bodies.size()};
    }
    return {};
}

CallStatus add(detail::WorldState& world, std::span<const RigidBody> bodies) {
    const auto has_scale = [](const RigidBody& body) { return body.scale != 1.0F; };
    if (bodies.data() == nullptr || std::none_of(bodies.begin(), bodies.end(), has_scale))
        return add_unscaled(world, bodies);
    const HullSet before = world.hulls;
    CallStatus status{Status::out_of_memory, "bodies", bodies.size()};
    try {
        std::vector<RigidBody> unscaled(bodies.begin(), bodies.end());
        HullSet hulls = before;
        detail::ScaledIdsOfWorld known = world.scaled;
        status = give_scaled_hulls(known, hulls, unscaled);
        if (!status) return status;
        world.hulls = hulls;
        status = add_unscaled(world, unscaled);
        if (status) world.scaled = std::move(known);
    } catch (const std::bad_alloc&) {
        status = {Status::out_of_memory, "bodies", bodies.size()};
    }
    if (!status) world.hulls = before;
    return status;
}

CallStatus check_present(const detail::Bodies& bodies, std::size_t body) {
    if (bodies.removed(body)) return refuse("the body was removed; set_pose() brings it back", body);
    if (bodies.lost(body)) return refuse("the body is lost; set_pose() brings it back", body);
    return {};
}

CallStatus set_velocity(detail::WorldState& world, std::size_t body, const Vec3f& velocity, const Vec3f& spin) {
    detail::Bodies& bodies = world.bodies;
    if (body >= bodies.size()) return refuse("there is no such body", body);
    if (bodies.kind(body) == BodyKind::fixed) return refuse("the body is fixed", body);
    const CallStatus present = check_present(bodies, body);
    if (!present) return present;
    if (!is_finite(velocity) || !is_finite(spin)) return refuse("velocity or spin is not finite", body);
    if (!speed_fits(&velocity.x) || !speed_fits(&spin.x)) return refuse("velocity or spin is beyond 1e12", body);
    world.sleep.wake(bodies, body);
    if (bodies.kind(body) == BodyKind::kinematic) detail::wake_neighbours(world, body);
    bodies.set_velocity(body, &velocity.x, &spin.x);
    return {};
}

CallStatus check_pushed(const detail::Bodies& bodies, std::size_t body) {
    if (body >= bodies.size()) return refuse("there is no such body", body);
    if (bodies.kind(body) != BodyKind::dynamic) return refuse("the body is not dynamic", body);
    return check_present(bodies, body);
}

// Changes momentum and angular momentum about the centre of mass of a body that check_pushed() has accepted.
CallStatus push(detail::WorldState& world, std::size_t body, const Vec3d& p, const Vec3d& moment) {
    detail::Bodies& bodies = world.bodies;
    const detail::MassRow& mass = bodies.mass(body);
    const Mat3d r = rotation(bodies.orientation(body));
    const Mat3d inverse = detail::symmetric_matrix(mass.inverse_inertia);
    const auto d = [](float x) { return static_cast<double>(x); };
    const Vec3d turn = r * (inverse * transpose_times(r, moment));
    const Vec3d along = p * d(mass.inverse_mass);
    const double change[6] = {along.x, along.y, along.z, turn.x, turn.y, turn.z};
    const detail::MotionRow& m = bodies.motion(body);
    float v[3], w[3];
    for (int k = 0; k < 3; ++k) {
        v[k] = static_cast<float>(d(m.v[k]) + change[k]);
        w[k] = static_cast<float>(d(m.w[k]) + change[3 + k]);
    }
    if (!speed_fits(v) || !speed_fits(w)) return refuse("impulse: velocity or spin would be beyond 1e12", body);
    world.sleep.wake(bodies, body);
    bodies.set_velocity(body, v, w);
    return {};
}

CallStatus apply_impulse(detail::WorldState& world, std::size_t body, const Vec3f& impulse, const Vec3d& point) {
    const CallStatus status = check_pushed(world.bodies, body);
    if (!status) return status;
    if (!is_finite(impulse) || !is_finite(point)) return refuse("impulse or point is not finite", body);
    const Vec3d p = to_double(impulse);
    return push(world, body, p, cross(point - world.bodies.centre(body), p));
}

CallStatus apply_angular_impulse(detail::WorldState& world, std::size_t body, const Vec3f& impulse) {
    const CallStatus status = check_pushed(world.bodies, body);
    if (!status) return status;
    if (!is_finite(impulse)) return refuse("impulse is not finite", body);
    return push(world, body, {}, to_double(impulse));
}

// Takes the body off the list of those that are lost.
void strike_off(detail::WorldState& world, std::size_t body) {
    std::erase_if(world.lost, [&](const LostBody& lost) { return lost.body == body; });
}

CallStatus set_pose(detail::WorldState& world, std::size_t body, const double position[3], const float orientation[4]) {
    Quat q;
    if (body >= world.bodies.size()) return refuse("there is no such body", body);
    if (!finite3(position)) return refuse("position is not finite", body);
    if (!normalize(orientation, q)) return refuse("orientation is not a unit quaternion", body);
    world.sleep.wake(world.bodies, body);
    detail::wake_neighbours(world, body);
    if (world.bodies.lost(body)) {
        strike_off(world, body);
        world.bodies.bring_back(body);
    }
    world.bodies.place(body, position, q);
    return {};
}

// The target's orientation, if it can be one.
CallStatus check_target(const detail::Bodies& bodies, std::size_t body, const double position[3],
                        const float orientation[4], Quat& q) {
    if (body >= bodies.size()) return refuse("there is no such body", body);
    if (bodies.kind(body) != BodyKind::kinematic) return refuse("target: the body is not kinematic", body);
    const CallStatus present = check_present(bodies, body);
    if (!present) return present;
    if (!finite3(position)) return refuse("target: position is not finite", body);
    if (!normalize(orientation, q)) return refuse("target: orientation is not a unit quaternion", body);
    return {};
}

CallStatus set_target(detail::WorldState& world, std::size_t body, const double position[3], const float orientation[4],
                      double dt) {
    const CallStatus duration = detail::check_duration(dt);
    if (!duration) return duration;
    const detail::TargetMotion to = detail::motion_to(world.bodies, body, position, orientation, dt);
    const auto is_zero = [](const Vec3f& x) { return x.x == 0 && x.y == 0 && x.z == 0; };
    const bool rests = to.status && is_zero(to.velocity) && is_zero(to.spin) && !world.bodies.has_velocity(body);
    if (!to.status || rests) return to.status;
    return set_velocity(world, body, to.velocity, to.spin);
}

CallStatus remove(detail::WorldState& world, std::size_t body) {
    detail::Bodies& bodies = world.bodies;
    if (body >= bodies.size()) return refuse("there is no such body", body);
    if (bodies.removed(body)) return {};
    world.sleep.wake(bodies, body);
    detail::wake_neighbours(world, body);
    strike_off(world, body);
    const float none[3] = {0, 0, 0};
    bodies.set_velocity(body, none, none);  // the step to come looks for contacts anew
    bodies.set_boxed(body, false);
    bodies.lose(body, detail::kRemoved);
    for (std::size_t i = 0; i < world.links.size(); ++i) {
        const BodyLink& link = world.links.links()[i];
        if (link.a == body || link.b == body) world.links.impulses()[i] = {};
    }
    return {};
}

}  // namespace

detail::TargetMotion detail::motion_to(const Bodies& bodies, std::size_t body, const double position[3],
                                       const float orientation[4], double dt) {
    // Below it a turn is rounding of the orientation: a body that has arrived stands still.
    constexpr double kNoTurn = 1e-12;
    TargetMotion to;
    Quat q;
    to.status = check_target(bodies, body, position, orientation, q);
    if (!to.status) return to;
    const float* const c = bodies.mass(body).centre;
    const Vec3d arm{static_cast<double>(c[0]), static_cast<double>(c[1]), static_cast<double>(c[2])};
    const Vec3d end = Vec3d{position[0], position[1], position[2]} + rotation(q) * arm;
    to.velocity = to_float((end - bodies.centre(body)) * (1 / dt));
    const Turn turn = shorter_turn(bodies.orientation(body), q);
    if (turn.angle > kNoTurn) to.spin = to_float(turn.axis * (turn.angle / dt));
    if (!speed_fits(&to.velocity.x) || !speed_fits(&to.spin.x))
        to.status = refuse("target: velocity or spin would be beyond 1e12", body);
    return to;
}

CallStatus World::add_bodies(std::span<const RigidBody> bodies) {
    if (!impl_) return moved_from();
    return in_default_environment([&] { return add(impl_->state, bodies); });
}

CallStatus World::set_velocity(std::size_t body, const Vec3f& velocity, const Vec3f& spin) {
    if (!impl_) return moved_from();
    return lanefold::set_velocity(impl_->state, body, velocity, spin);
}

CallStatus World::apply_impulse(std::size_t body, const Vec3f& impulse, const Vec3d& point) {
    if (!impl_) return moved_from();
    return in_default_environment([&] { return lanefold::apply_impulse(impl_->state, body, impulse, point); });
}

CallStatus World::apply_angular_impulse(std::size_t body, const Vec3f& impulse) {
    if (!impl_) return moved_from();
    return in_default_environment([&] { return lanefold::apply_angular_impulse(impl_->state, body, impulse); });
}

CallStatus World::set_pose(std::size_t body, const double position[3], const float orientation[4]) {
    if (!impl_) return moved_from();
    return in_default_environment([&] { return lanefold::set_pose(impl_->state, body, position, orientation); });
}

CallStatus World::set_target(std::size_t body, const double position[3], const float orientation[4], double dt) {
    if (!impl_) return moved_from();
    return in_default_environment([&] { return lanefold::set_target(impl_->state, body, position, orientation, dt); });
}

CallStatus World::remove(std::size_t body) {
    if (!impl_) return moved_from();
    return lanefold::remove(impl_->state, body);
}

CallStatus World::wake(std::size_t body) {
    if (!impl_) return moved_from();
    if (body >= size()) return refuse("there is no such body", body);
    impl_->state.sleep.wake(impl_->state.bodies, body);
    return {};
}

}  // namespace lanefold
