// SPDX-License-Identifier: MIT
//
// Settings and what a World tells about its bodies.
#include <lanefold/world.hpp>

#include <cmath>
#include <new>

#include <lanefold/fp_environment.hpp>
#include <lanefold/isa.hpp>

#include "world/impl.hpp"

namespace lanefold {
namespace {

using detail::refuse;

// Beyond it float32 ends within a few steps.
constexpr float kMostGravity = 1e12F;

bool positive(float x) { return x > 0 && std::isfinite(x); }
bool not_negative(float x) { return x >= 0 && std::isfinite(x); }

CallStatus check_settings(const WorldSettings& s) {
    if (!positive(s.unit)) return refuse("settings.unit must be finite and positive");
    if (!is_finite(s.gravity)) return refuse("settings.gravity is not finite");
    if (!(std::abs(s.gravity.x) <= kMostGravity && std::abs(s.gravity.y) <= kMostGravity &&
          std::abs(s.gravity.z) <= kMostGravity))
        return refuse("settings.gravity is beyond 1e12");
    if (s.substeps < 1 || s.substeps > 1000) return refuse("settings.substeps must be 1 to 1000");
    if (!not_negative(s.contact_hertz) || !not_negative(s.link_hertz))
        return refuse("settings: frequencies must be finite and 0 or more");
    if (!positive(s.contact_damping) || !positive(s.link_damping))
        return refuse("settings: damping ratios must be finite and positive");
    if (!not_negative(s.push_speed) || !not_negative(s.restitution_threshold) || !not_negative(s.sleep_speed))
        return refuse("settings: speeds must be finite and 0 or more");
    if (!not_negative(s.linear_damping) || !not_negative(s.angular_damping))
        return refuse("settings: damping must be finite and 0 or more");
    if (!not_negative(s.margin)) return refuse("settings.margin must be finite and 0 or more");
    if (!std::isfinite(s.margin * s.unit)) return refuse("settings.margin * settings.unit is not finite");
    if (!not_negative(s.sleep_time)) return refuse("settings.sleep_time must be finite and 0 or more");
    if (!not_negative(s.face_preference) || !not_negative(s.hysteresis))
        return refuse("settings: face_preference and hysteresis must be finite and 0 or more");
    if (s.method != ContactMethod::clip && s.method != ContactMethod::patch)
        return refuse("settings.method is none of ContactMethod");
    return {};
}

WorldMotion motion_of(const World& world, const World::Impl& impl) {
    WorldMotion sum;
    const Vec3d gravity = to_double(impl.settings.gravity);
    for (std::size_t i = 0; i < world.size(); ++i) {
        const double m = world.mass(i);
        if (m == 0) continue;
        const float* s = impl.mass[i].inertia;
        const auto d = [](float x) { return static_cast<double>(x); };
        const Mat3d inertia{{{d(s[0]), d(s[1]), d(s[2])}, {d(s[1]), d(s[3]), d(s[4])}, {d(s[2]), d(s[4]), d(s[5])}}};
        const Mat3d r = rotation(impl.orientation[i]);
        const Vec3d v = to_double(world.velocity(i));
        const Vec3d w = to_double(world.spin(i));
        const Vec3d own = r * (inertia * transpose_times(r, w));
        const Vec3d p = v * m;
        sum.momentum = sum.momentum + p;
        sum.angular_momentum = sum.angular_momentum + (cross(impl.centre[i], p) + own);
        sum.kinetic_energy += 0.5 * (dot(p, v) + dot(own, w));
        sum.potential_energy -= m * dot(gravity, impl.centre[i]);
        sum.mass += m;
    }
    return sum;
}

}  // namespace

const World::Impl& seen(const std::unique_ptr<World::Impl>& world) {
    static const World::Impl nothing;
    return world ? *world : nothing;
}

CallStatus moved_from() { return refuse("the world was moved from"); }

World::World() : impl_(std::make_unique<Impl>()) { impl_->resize_rows(0); }
World::World(HullSet hulls) : World() { impl_->hulls = std::move(hulls); }
World::World(World&&) noexcept = default;
World& World::operator=(World&&) noexcept = default;
World::~World() = default;

const HullSet& World::hulls() const { return seen(impl_).hulls; }

CallStatus World::set_hulls(const HullSet& hulls) {
    if (!impl_) return moved_from();
    const HullSet& old = impl_->hulls;
    if (hulls.size() < old.size()) return refuse("hulls: fewer than there are");
    std::vector<bool> used;
    try {
        used.resize(old.size());
    } catch (const std::bad_alloc&) {
        return {Status::out_of_memory, "hulls", hulls.size()};
    }
    for (const BodyD& body : impl_->pose) used[body.hull] = true;
    for (std::size_t i = 0; i < old.size(); ++i) {
        if (hulls[i].block == old[i].block) continue;
        if (hulls[i].block != nullptr) return {Status::bad_argument, "hulls: another hull than there is", i};
        if (used[i]) return {Status::bad_argument, "hulls: without one that a body has", i};
    }
    impl_->hulls = hulls;
    return {};
}

const WorldSettings& World::settings() const { return seen(impl_).settings; }

CallStatus World::set_settings(const WorldSettings& s) {
    if (!impl_) return moved_from();
    // A host that takes denormals for zeros has no say in what is positive.
    const CallStatus status = in_default_environment([&] { return check_settings(s); });
    if (!status) return status;
    const IsaChoice isa = choose_isa(s.isa);
    if (!isa.status) return isa.status;
    // Records made with other settings stand for nothing, and what sleeps may have lost its rest.
    impl_->unmoved.assign(impl_->unmoved.size(), 0);
    impl_->wake_all();
    impl_->settings = s;
    return {};
}

std::size_t World::size() const { return seen(impl_).bodies(); }
std::span<const BodyD> World::bodies() const { return seen(impl_).pose; }
std::span<const std::uint8_t> World::unmoved() const { return seen(impl_).unmoved; }
bool World::asleep(std::size_t body) const { return body < size() && seen(impl_).bed[body] != Impl::kAwake; }
Vec3d World::centre(std::size_t body) const { return body < size() ? seen(impl_).centre[body] : Vec3d{}; }

Vec3f World::velocity(std::size_t body) const {
    if (body >= size()) return {};
    const float* v = seen(impl_).motion[body].v;
    return {v[0], v[1], v[2]};
}

Vec3f World::spin(std::size_t body) const {
    if (body >= size()) return {};
    const float* w = seen(impl_).motion[body].w;
    return {w[0], w[1], w[2]};
}

double World::mass(std::size_t body) const {
    if (body >= size() || seen(impl_).kind[body] != BodyKind::dynamic) return 0;
    const float inverse = seen(impl_).mass[body].inverse_mass;
    return in_default_environment([&] { return 1.0 / static_cast<double>(inverse); });
}

WorldMotion World::motion() const {
    return in_default_environment([&] { return motion_of(*this, seen(impl_)); });
}
std::span<const Manifold4> World::contacts() const { return seen(impl_).contacts(); }
std::span<const ContactImpulse> World::impulses() const { return {seen(impl_).impulse.data(), seen(impl_).records}; }

}  // namespace lanefold
