// SPDX-License-Identifier: MIT
//
// Which pairs of a step are suspicious. Nearly all are settled by bounds of their motion, or by the plane of a contact.
#include <algorithm>
#include <array>
#include <cmath>

#include <lanefold/speculative.hpp>

#include "step/passes.hpp"
#include "step/passes_rules.hpp"

namespace lanefold::detail {
namespace {

// The plane of a contact is looked at so often that no body turns by more in between, radians. Arcs rise above their
// chords by an eighth of its square.
constexpr double kPlaneTurn = 0.25;

Vec3f vector(const float* v) { return {v[0], v[1], v[2]}; }

// The height of a body over its centre of mass along a unit vector: the greatest over its points.
double greatest_height(const WorldState& world, std::uint32_t body, const Quat& turn, const Vec3d& u) {
    const Vec3d h = transpose_times(rotation(turn), u);
    const HullSet& hulls = world.hulls;
    const std::uint32_t hull = world.bodies.hull(body);
    double most = -1e300;
    for (const Vec3f& v : hulls.vertices(hull)) most = std::max(most, dot(h, to_double(v)));
    return (most - dot(h, to_double(vector(world.bodies.mass(body).centre)))) +
           static_cast<double>(hulls[hull].round_radius);
}

// By how much the velocities before the solver's stages bring two bodies nearer at most.
float approach_before(const Bodies& bodies, const Pair& pair, double dt) {
    return approach_in(vector(bodies.velocity_before(pair.a)), vector(bodies.velocity_before(pair.b)),
                       length(bodies.spin_before(pair.a)) * bodies.radius(pair.a),
                       length(bodies.spin_before(pair.b)) * bodies.radius(pair.b), static_cast<float>(dt));
}

std::span<const Manifold4> contacts_of(const WorldState& world, const Pair& pair) {
    const std::span<const Manifold4> all = world.contacts.manifolds();
    const auto before = [](const Manifold4& m, const Pair& p) { return Pair{m.pair[0], m.pair[1]} < p; };
    const auto first = std::lower_bound(all.begin(), all.end(), pair, before);
    auto last = first;
    while (last != all.end() && last->pair[0] == pair.a && last->pair[1] == pair.b) ++last;
    return {first, last};
}

}  // namespace

void Passes::describe(const WorldState& world, double dt, Loops& loops) {
    const Bodies& bodies = world.bodies;
    brief_.resize(bodies.size());
    const auto time = static_cast<float>(dt);
    loops.over(bodies.size(), [&](std::size_t first, std::size_t last) {
        for (std::size_t i = first; i < last; ++i) {
            Brief& b = brief_[i];
            std::copy_n(bodies.turn(i).dp, 3, b.shift);
            b.turned = std::max(length(bodies.spin_before(i)), bodies.spin(i)) * time * bodies.radius(i);
            b.size = bodies.material(i).size;
        }
    });
}

bool Passes::fast(const WorldState& world, const Pair& pair) const {
    const Brief& a = brief_[pair.a];
    const Brief& b = brief_[pair.b];
    const float moved = length(vector(a.shift) - vector(b.shift)) + (a.turned + b.turned);
    const float size = std::min(a.size, b.size);
    return size > 0 && moved > kFast * size && (world.bodies.movable(pair.a) || world.bodies.movable(pair.b));
}

// Whether the plane of a contact, as it was when the step began, separates the bodies all the way, as far as they must
// be.
bool Passes::plane_holds(const WorldState& world, const Manifold4& contact, bool left) const {
    const std::uint32_t id[2] = {contact.pair[0], contact.pair[1]};
    const Vec3d n = to_double(vector(contact.normal));
    std::array<Legs, 2> way;
    for (const int side : {0, 1}) find_legs(world.bodies, paths_, id[side], way[static_cast<std::size_t>(side)]);
    const std::span<const Leg> a = way[0].span(), b = way[1].span();
    const auto height = [&](double fraction) {
        const Place pa = place_at(a, fraction), pb = place_at(b, fraction);
        return dot(n, pb.centre - pa.centre) -
               (greatest_height(world, id[0], pa.turn, n) + greatest_height(world, id[1], pb.turn, -n));
    };
    double before = height(0);
    const double least = deepest_allowed(before, allowed_depth(world, {id[0], id[1]}), left);
    if (a.size() == 1 && b.size() == 1 && a[0].angle == 0 && b[0].angle == 0) return !(height(1) < least);
    const double reach[2] = {static_cast<double>(world.bodies.radius(id[0])),
                             static_cast<double>(world.bodies.radius(id[1]))};
    for (double at = 0; at < 1;) {
        const Leg& la = leg_at(a, at);
        const Leg& lb = leg_at(b, at);
        const double turn = std::max(la.angle / (la.end - la.begin), lb.angle / (lb.end - lb.begin));
        double next = std::min(la.end, lb.end);
        if (turn * (next - at) > kPlaneTurn) next = at + kPlaneTurn / turn;
        const double arc = turn * (next - at);
        const double above_chord = arc * arc * 0.125 * ((la.angle > 0 ? reach[0] : 0) + (lb.angle > 0 ? reach[1] : 0));
        const double now = height(next);
        if (std::min(before, now) - above_chord < least) return false;
        before = now;
        at = next;
    }
    return true;
}

Passes::Suspicion Passes::suspicion(const WorldState& world, const Pair& pair, const Seams& seams, double dt) const {
    if (!fast(world, pair)) return Suspicion::none;
    const Bodies& bodies = world.bodies;
    const Brief& a = brief_[pair.a];
    const Brief& b = brief_[pair.b];
    const float moved = length(vector(a.shift) - vector(b.shift)) + (a.turned + b.turned);
    const std::span<const Manifold4> contacts = contacts_of(world, pair);
    if (contacts.empty()) {
        if (!seams.empty() && (seams.is_piece(pair.a) || seams.is_piece(pair.b))) return Suspicion::near;
        const float margin = approach_before(bodies, pair, dt) + world.settings.margin * world.settings.unit;
        return moved > margin ? Suspicion::apart : Suspicion::none;
    }
    const double allowed = allowed_depth(world, pair);
    bool apart = true;
    for (const Manifold4& m : contacts) {
        if (m.status != Status::ok) return Suspicion::none;
        const bool left = left_[static_cast<std::size_t>(&m - world.contacts.manifolds().data())] != 0;
        const double nearest = static_cast<double>(m.distance) - static_cast<double>(moved);
        if (nearest > (left ? 0 : -allowed) || plane_holds(world, m, left)) return Suspicion::none;
        apart = apart && left;
    }
    return apart ? Suspicion::apart : Suspicion::near;
}

void Passes::leave(WorldState& world, double dt, Loops& loops) {
    const std::span<const Manifold4> manifolds = world.contacts.manifolds();
    left_.assign(manifolds.size(), 0);
    loops.over(manifolds.size(), [&](std::size_t first, std::size_t last) {
        for (std::size_t i = first; i < last; ++i) {
            const Manifold4& m = manifolds[i];
            const Pair pair{m.pair[0], m.pair[1]};
            const Bodies& bodies = world.bodies;
            const float size = std::min(bodies.material(pair.a).size, bodies.material(pair.b).size);
            if (!(size > 0) || !(approach_before(bodies, pair, dt) > kLeft * size)) continue;
            if (!(static_cast<double>(m.distance) > kApart * allowed_depth(world, pair))) continue;
            left_[i] = 1;
            world.contacts.forget_impulses(i);
        }
    });
}

// Bodies that left the boxes in which the pairs were looked for, because they were struck.
void Passes::add_strays(const WorldState& world, double dt) {
    const Bodies& bodies = world.bodies;
    const double margin = 0.5 * static_cast<double>(world.settings.margin) * static_cast<double>(world.settings.unit);
    for (std::uint32_t i = 0; i < bodies.size(); ++i) {
        if (!bodies.movable(i)) continue;
        const Vec3d shift = to_double(vector(brief_[i].shift));
        const Vec3d sweep = to_double(vector(bodies.velocity_before(i))) * dt;
        const double length2 = length_squared(sweep);
        const double part = length2 > 0 ? std::clamp(dot(shift, sweep) / length2, 0.0, 1.0) : 0;
        const double size = static_cast<double>(brief_[i].size);
        if (length(shift - sweep * part) <= margin + 0.5 * size) continue;
        const double reach = length(shift) + static_cast<double>(bodies.radius(i));
        for (std::uint32_t k = 0; k < bodies.size(); ++k) {
            const Pair pair{std::min(i, k), std::max(i, k)};
            if (k == i || !bodies.may_touch(pair) || !fast(world, pair)) continue;
            const double other = length(to_double(vector(brief_[k].shift))) + static_cast<double>(bodies.radius(k));
            if (length(bodies.centre(k) - bodies.centre(i)) < reach + other) add(world, pair, 0, true);
        }
    }
}

}  // namespace lanefold::detail
