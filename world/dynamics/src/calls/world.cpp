// SPDX-License-Identifier: MIT
//
// Settings, steps, and the questions that a World answers.
#include <lanefold/world.hpp>

#include <cmath>
#include <new>
#include <utility>
#include <vector>

#include <lanefold/detail/caller_memory.hpp>
#include <lanefold/fp_environment.hpp>
#include <lanefold/isa.hpp>
#include <lanefold/limits.hpp>

#include "calls/impl.hpp"
#include "state/mass.hpp"
#include "step/margins.hpp"

namespace lanefold {
namespace {

using detail::refuse;

// Beyond it float32 ends within a few steps.
constexpr float kMostGravity = 1e12F;

bool positive(float x) { return x > 0 && std::isfinite(x); }
bool not_negative(float x) { return x >= 0 && std::isfinite(x); }

// Each says what would do, which is the default.
CallStatus check_solver(const WorldSettings& s) {
    if (s.substeps < 1 || s.substeps > 1000) return refuse("settings.substeps must be 1 to 1000; 10 would do");
    if (!not_negative(s.contact_hertz))
        return refuse("settings.contact_hertz must be finite and 0 or more; 120 would do");
    if (!not_negative(s.link_hertz)) return refuse("settings.link_hertz must be finite and 0 or more; 240 would do");
    if (!positive(s.contact_damping))
        return refuse("settings.contact_damping must be finite and positive; 32 would do");
    if (!positive(s.link_damping)) return refuse("settings.link_damping must be finite and positive; 5 would do");
    if (!not_negative(s.push_speed)) return refuse("settings.push_speed must be finite and 0 or more; 3 would do");
    if (!not_negative(s.restitution_threshold))
        return refuse("settings.restitution_threshold must be finite and 0 or more; 1 would do");
    if (!not_negative(s.linear_damping))
        return refuse("settings.linear_damping must be finite and 0 or more; 0 would do");
    if (!not_negative(s.angular_damping))
        return refuse("settings.angular_damping must be finite and 0 or more; 0 would do");
    return {};
}

CallStatus check_settings(const WorldSettings& s) {
    if (!positive(s.unit)) return refuse("settings.unit must be finite and positive; 1 would do, in metres");
    if (const CallStatus gravity = check_gravity(s.gravity); !gravity) return gravity;
    if (const CallStatus solver = check_solver(s); !solver) return solver;
    if (!not_negative(s.margin)) return refuse("settings.margin must be finite and 0 or more; 0.02 would do");
    if (!std::isfinite(s.margin * s.unit)) return refuse("settings.margin * settings.unit is not finite");
    if (!not_negative(s.sleep_speed)) return refuse("settings.sleep_speed must be finite and 0 or more; 0.05 would do");
    if (!not_negative(s.sleep_time)) return refuse("settings.sleep_time must be finite and 0 or more; 0.5 would do");
    if (!not_negative(s.face_preference) || !not_negative(s.hysteresis))
        return refuse("settings: face_preference and hysteresis must be finite and 0 or more; 0.005 would do");
    static_assert(kMaxReuse == 0.1F, "the sentence below names it");
    if (!(s.reuse >= 0 && s.reuse <= kMaxReuse)) return refuse("settings.reuse must be 0 to 0.1; 0 would do");
    if (s.method != ContactMethod::clip && s.method != ContactMethod::patch)
        return refuse("settings.method is none of ContactMethod");
    return {};
}

double mass_of(const detail::Bodies& bodies, std::size_t i) {
    if (bodies.kind(i) != BodyKind::dynamic) return 0;
    return 1.0 / static_cast<double>(bodies.mass(i).inverse_mass);
}

Vec3f velocity_of(const detail::Bodies& bodies, std::size_t i) {
    const float* v = bodies.motion(i).v;
    return {v[0], v[1], v[2]};
}

Vec3f spin_of(const detail::Bodies& bodies, std::size_t i) {
    const float* w = bodies.motion(i).w;
    return {w[0], w[1], w[2]};
}

WorldMotion motion_of(const detail::WorldState& world) {
    WorldMotion sum;
    const detail::Bodies& bodies = world.bodies;
    const Vec3d gravity = to_double(world.settings.gravity);
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        const double m = mass_of(bodies, i);
        if (m == 0 || bodies.lost(i)) continue;
        const Mat3d inertia = detail::symmetric_matrix(bodies.mass(i).inertia);
        const Mat3d r = rotation(bodies.orientation(i));
        const Vec3d c = bodies.centre(i);
        const Vec3d v = to_double(velocity_of(bodies, i));
        const Vec3d w = to_double(spin_of(bodies, i));
        const Vec3d own = r * (inertia * transpose_times(r, w));
        const Vec3d p = v * m;
        sum.momentum = sum.momentum + p;
        sum.angular_momentum = sum.angular_momentum + (cross(c, p) + own);
        sum.kinetic_energy += 0.5 * (dot(p, v) + dot(own, w));
        sum.potential_energy -= m * dot(gravity, c);
        sum.mass += m;
    }
    return sum;
}

CallStatus check_hulls(const HullSet& old, const HullSet& hulls, const detail::Bodies& bodies) {
    if (hulls.size() < old.size()) return refuse("hulls: fewer than World::hulls(), which has those of scales, too");
    std::vector<bool> used;
    try {
        used.resize(old.size());
    } catch (const std::bad_alloc&) {
        return {Status::out_of_memory, "hulls", hulls.size()};
    }
    for (const BodyD& body : bodies.poses()) used[body.hull] = true;
    for (std::size_t i = 0; i < old.size(); ++i) {
        if (hulls[i].block == old[i].block) continue;
        if (hulls[i].block != nullptr) return {Status::bad_argument, "hulls: another hull than there is", i};
        if (used[i]) return {Status::bad_argument, "hulls: without one that a body has", i};
    }
    return {};
}

}  // namespace

const detail::WorldState& state_of(const std::unique_ptr<World::Impl>& world) {
    static const World::Impl nothing;
    return world ? world->state : nothing.state;
}

CallStatus moved_from() { return refuse("the world was moved from"); }

CallStatus check_gravity(const Vec3f& g) {
    if (!is_finite(g)) return refuse("settings.gravity is not finite; 0, -9.81, 0 would do");
    if (!(std::abs(g.x) <= kMostGravity && std::abs(g.y) <= kMostGravity && std::abs(g.z) <= kMostGravity))
        return refuse("settings.gravity is beyond 1e12; 0, -9.81, 0 would do");
    return {};
}

namespace {

// Calls f with the step of a world, which its first call makes.
template <class Result, class F>
Result with_step(World::Impl* world, const F& f) {
    Result result{};
    result.status = moved_from();
    if (world == nullptr) return result;
    return in_default_environment([&] {
        try {
            return f(world->step());
        } catch (const std::bad_alloc&) {
            result.status = {Status::out_of_memory, "step", 0};
            return result;
        }
    });
}

}  // namespace

World::World() : impl_(std::make_unique<Impl>()) {}
World::World(HullSet hulls) : World() { impl_->state.hulls = std::move(hulls); }
World::World(World&&) noexcept = default;
World& World::operator=(World&&) noexcept = default;
World::~World() = default;

const HullSet& World::hulls() const { return state_of(impl_).hulls; }

CallStatus World::set_hulls(const HullSet& hulls) {
    if (!impl_) return moved_from();
    detail::WorldState& world = impl_->state;
    const CallStatus status = check_hulls(world.hulls, hulls, world.bodies);
    if (status) world.hulls = hulls;
    return status;
}

const WorldSettings& World::settings() const { return state_of(impl_).settings; }

CallStatus World::set_settings(const WorldSettings& s) {
    if (!impl_) return moved_from();
    // The host may flush denormals to zero, but a denormal setting is positive all the same.
    const CallStatus status = in_default_environment([&] { return check_settings(s); });
    if (!status) return status;
    const IsaChoice isa = choose_isa(s.isa);
    if (!isa.status) return isa.status;
    // Manifolds made with other settings do not hold, and sleeping bodies may have lost their rest.
    detail::WorldState& world = impl_->state;
    world.bodies.clear_unmoved();
    world.sleep.wake_all(world.bodies);
    world.anchored = nullptr;
    world.settings = s;
    return {};
}

StepResult World::step(double dt) {
    return with_step<StepResult>(
        impl_.get(), [&](detail::Step& step) { return step.run(impl_->state, impl_->finder, dt, nullptr); });
}

StepResult World::step(double dt, std::span<const Pair> candidates) {
    return with_step<StepResult>(
        impl_.get(), [&](detail::Step& step) { return step.run(impl_->state, impl_->finder, dt, &candidates); });
}

StepResult World::advance(double dt, std::span<const Manifold4> manifolds) {
    return with_step<StepResult>(impl_.get(),
                                 [&](detail::Step& step) { return step.advance(impl_->state, dt, manifolds); });
}

WorldPairs World::find_pairs(double dt) {
    return with_step<WorldPairs>(impl_.get(),
                                 [&](detail::Step& step) { return step.find_pairs(impl_->state, impl_->finder, dt); });
}

float World::pair_margin(const Pair& pair, double dt) const {
    if (pair.a >= size() || pair.b >= size()) return 0;
    return in_default_environment([&] { return detail::margin_of(state_of(impl_), pair, static_cast<float>(dt)); });
}

std::size_t World::size() const { return state_of(impl_).bodies.size(); }
std::span<const BodyD> World::bodies() const { return state_of(impl_).bodies.poses(); }
std::span<const std::uint8_t> World::unmoved() const { return state_of(impl_).bodies.unmoved(); }
bool World::asleep(std::size_t body) const { return body < size() && state_of(impl_).sleep.asleep(body); }
bool World::lost(std::size_t body) const {
    return body < size() && state_of(impl_).bodies.lost(body) && !removed(body);
}
bool World::removed(std::size_t body) const { return body < size() && state_of(impl_).bodies.removed(body); }
std::span<const LostBody> World::lost() const { return state_of(impl_).lost; }
Vec3d World::centre(std::size_t body) const { return body < size() ? state_of(impl_).bodies.centre(body) : Vec3d{}; }
Vec3f World::velocity(std::size_t body) const {
    return body < size() ? velocity_of(state_of(impl_).bodies, body) : Vec3f{};
}
Vec3f World::spin(std::size_t body) const { return body < size() ? spin_of(state_of(impl_).bodies, body) : Vec3f{}; }

double World::mass(std::size_t body) const {
    if (body >= size()) return 0;
    return in_default_environment([&] { return mass_of(state_of(impl_).bodies, body); });
}

WorldMotion World::motion() const {
    return in_default_environment([&] { return motion_of(state_of(impl_)); });
}
std::span<const Manifold4> World::contacts() const { return state_of(impl_).contacts.manifolds(); }
std::span<const ContactImpulse> World::impulses() const { return state_of(impl_).contacts.impulses(); }
std::span<const ContactPush> World::pushes() const { return state_of(impl_).contacts.pushes(); }

}  // namespace lanefold
