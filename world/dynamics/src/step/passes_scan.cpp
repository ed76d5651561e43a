// SPDX-License-Identifier: MIT
//
// Which pairs of a step are suspicious. Nearly all are settled by bounds of their motion, or by the plane of a contact.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <lanefold/speculative.hpp>

#include "step/passes.hpp"

namespace lanefold::detail {
namespace {

// The plane of a contact is looked at so often that no body turns by more in between, radians. Arcs rise above their
// chords by an eighth of its square.
constexpr double kPlaneTurn = 0.25;

Vec3f vector(const float* v) { return {v[0], v[1], v[2]}; }

// The greatest height of a vertex of a hull along a vector.
double greatest_height(const HullSet& hulls, std::uint32_t hull, const Vec3d& h) {
    double most = -1e300;
    for (const Vec3f& v : hulls.vertices(hull)) most = std::max(most, dot(h, to_double(v)));
    return most;
}

// The height of a body's part over its centre of mass along a unit vector: the greatest over its points.
double greatest_height(const WorldState& world, std::uint32_t body, std::uint32_t child, const Quat& turn,
                       const Vec3d& u) {
    const Vec3d h = transpose_times(rotation(turn), u);
    const HullSet& hulls = world.hulls;
    const std::uint32_t hull = world.bodies.hull(body);
    double most = 0;
    if (world.bodies.children(body) == 0) {
        most = greatest_height(hulls, hull, h);
    } else {
        const CompoundChild own = hulls.child(hull, child);
        Quat q;
        normalize(own.orientation, q);
        most = greatest_height(hulls, own.hull, transpose_times(rotation(q), h)) +
               dot(h, Vec3d{own.position[0], own.position[1], own.position[2]});
    }
    return (most - dot(h, to_double(vector(world.bodies.mass(body).centre)))) +
           static_cast<double>(world.bodies.part(body, child).round);
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
            // Neither spin tells of one that began and ended within the step; the chord does.
            const float spun = std::max(length(bodies.spin_before(i)), bodies.spin(i)) * time;
            b.turned = std::max(spun, 2 * length(bodies.turn(i).dq)) * bodies.radius(i);
            b.size = is_surface(world, static_cast<std::uint32_t>(i)) ? std::numeric_limits<float>::max()
                                                                      : bodies.material(i).size;
        }
    });
}

// By how much two points of the bodies have moved against each other at most.
float Passes::most_moved(const Pair& pair) const {
    const Brief& a = brief_[pair.a];
    const Brief& b = brief_[pair.b];
    return length(vector(a.shift) - vector(b.shift)) + (a.turned + b.turned);
}

bool Passes::fast(const WorldState& world, const Pair& pair) const {
    const float size = std::min(brief_[pair.a].size, brief_[pair.b].size);
    return size > 0 && most_moved(pair) > kFast * size &&
           (world.bodies.movable(pair.a) || world.bodies.movable(pair.b)) && !world.bodies.lost(pair.a) &&
           !world.bodies.lost(pair.b);
}

// Calls f for the pairs of parts that may meet on their ways: the balls around them, grown by what the bodies move. All
// children may meet a surface.
template <class F>
void Passes::for_parts(const WorldState& world, const Pair& pair, const F& f) const {
    const Bodies& bodies = world.bodies;
    const std::uint32_t count_a = bodies.children(pair.a), count_b = bodies.children(pair.b);
    if (count_a == 0 && count_b == 0) return f(PartPair{pair});
    const bool surface = is_surface(world, pair.a) || is_surface(world, pair.b);  // in no ball
    const double moved = static_cast<double>(most_moved(pair)) +
                         static_cast<double>(world.settings.margin) * static_cast<double>(world.settings.unit);
    const auto middle = [&](std::uint32_t body, const CompoundPart& part) {
        return bodies.centre(body) + rotation(bodies.orientation(body)) * to_double(part.middle);
    };
    for (std::uint32_t ka = 0; ka < std::max(count_a, 1U); ++ka) {
        const CompoundPart a = bodies.part(pair.a, ka);
        const Vec3d at = middle(pair.a, a);
        for (std::uint32_t kb = 0; kb < std::max(count_b, 1U); ++kb) {
            const CompoundPart b = bodies.part(pair.b, kb);
            const double reach = static_cast<double>(a.reach) + static_cast<double>(b.reach);
            if (surface || length(middle(pair.b, b) - at) <= reach + moved) f(PartPair{pair, ka, kb});
        }
    }
}

// Whether the plane of a contact, as it was when the step began, separates the bodies all the way, as far as they must
// be.
bool Passes::plane_holds(const WorldState& world, const Manifold4& contact, bool left) const {
    const std::uint32_t id[2] = {contact.pair[0], contact.pair[1]};
    const std::uint32_t child[2] = {contact.child_a, contact.child_b};
    const Vec3d n = to_double(vector(contact.normal));
    std::array<Legs, 2> way;
    for (const int side : {0, 1}) find_legs(world.bodies, paths_, id[side], way[static_cast<std::size_t>(side)]);
    const std::span<const Leg> a = way[0].span(), b = way[1].span();
    const auto height = [&](double fraction) {
        const CentrePose pa = place_at(a, fraction), pb = place_at(b, fraction);
        return dot(n, pb.centre - pa.centre) - (greatest_height(world, id[0], child[0], pa.turn, n) +
                                                greatest_height(world, id[1], child[1], pb.turn, -n));
    };
    double before = height(0);
    const double least = deepest_allowed(before, allowed_depth(world, parts_of(contact)), left);
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

Passes::Suspicion Passes::suspicion_without_contact(const WorldState& world, const Pair& pair, const Seams& seams,
                                                    double dt) const {
    if (!seams.empty() && (seams.is_piece(pair.a) || seams.is_piece(pair.b))) return Suspicion::near;
    // Children may touch where their contact was left out (inner_contacts.hpp), because another one's stands.
    const bool several = world.bodies.children(pair.a) > 1 || world.bodies.children(pair.b) > 1;
    if (several && !contacts_of(world, pair).empty()) return Suspicion::near;
    const float margin = approach_before(world.bodies, pair, dt) + world.settings.margin * world.settings.unit;
    return most_moved(pair) > margin ? Suspicion::apart : Suspicion::none;
}

// The bodies must be fast.
Passes::Suspicion Passes::suspicion(const WorldState& world, const PartPair& parts, const Seams& seams,
                                    double dt) const {
    const float moved = most_moved(parts.body);
    const double allowed = allowed_depth(world, parts);
    // The plane of one contact says nothing of a surface beside it.
    const bool plane = !is_surface(world, parts.body.a) && !is_surface(world, parts.body.b);
    bool some = false;
    bool apart = true;
    bool near = false;
    for (const Manifold4& m : contacts_of(world, parts.body)) {
        if (m.status != Status::ok) return Suspicion::none;
        if (parts_of(m) != parts) continue;
        some = true;
        const bool left = left_[static_cast<std::size_t>(&m - world.contacts.manifolds().data())] != 0;
        const double nearest = static_cast<double>(m.distance) - static_cast<double>(moved);
        if (nearest > (left ? 0 : -allowed)) {
            if (plane) return Suspicion::none;
        } else if (plane && plane_holds(world, m, left)) {
            return Suspicion::none;
        } else {
            near = true;
        }
        apart = apart && left;
    }
    if (!some) return suspicion_without_contact(world, parts.body, seams, dt);
    if (!near) return Suspicion::none;
    return apart ? Suspicion::apart : Suspicion::near;
}

void Passes::add(const WorldState& world, const Pair& pair, double clear, bool apart) {
    for_parts(world, pair, [&](const PartPair& parts) { add_part(world, parts, clear, apart); });
}

void Passes::add_suspects(const WorldState& world, const Seams& seams, double dt, Loops& loops) {
    // Tasks settle pairs without compounds, whose lists need no memory, and find the fast ones of the others.
    marks_.resize(pairs_.size());
    const auto has_children = [&](const Pair& pair) {
        return world.bodies.children(pair.a) != 0 || world.bodies.children(pair.b) != 0;
    };
    loops.over(pairs_.size(), [&](std::size_t first, std::size_t last) {
        for (std::size_t i = first; i < last; ++i) {
            marks_[i] = Suspicion::none;
            if (!fast(world, pairs_[i])) continue;
            marks_[i] = has_children(pairs_[i]) ? Suspicion::near : suspicion(world, {pairs_[i]}, seams, dt);
        }
    });
    for (std::size_t i = 0; i < pairs_.size(); ++i) {
        if (marks_[i] == Suspicion::none) continue;
        if (!has_children(pairs_[i])) {
            add_part(world, {pairs_[i]}, 0, marks_[i] == Suspicion::apart);
            continue;
        }
        for_parts(world, pairs_[i], [&](const PartPair& parts) {
            if (!(most_moved(parts.body) > kFast * thickness(world, parts))) return;
            const Suspicion found = suspicion(world, parts, seams, dt);
            if (found != Suspicion::none) add_part(world, parts, 0, found == Suspicion::apart);
        });
    }
}

void Passes::leave(WorldState& world, double dt, Loops& loops) {
    const std::span<const Manifold4> manifolds = world.contacts.manifolds();
    left_.assign(manifolds.size(), 0);
    loops.over(manifolds.size(), [&](std::size_t first, std::size_t last) {
        for (std::size_t i = first; i < last; ++i) {
            const Manifold4& m = manifolds[i];
            const PartPair parts = parts_of(m);
            const Pair& pair = parts.body;
            const Bodies& bodies = world.bodies;
            const float size = thickness(world, parts);
            if (!(size > 0) || !(approach_before(bodies, pair, dt) > kLeft * size)) continue;
            if (!(static_cast<double>(m.distance) > kApart * allowed_depth(world, parts))) continue;
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
            if (is_surface(world, k) || length(bodies.centre(k) - bodies.centre(i)) < reach + other)
                add(world, pair, 0, true);
        }
    }
}

// Notes the thinnest contacts of each body, and which bodies links hold.
void Passes::look_beside(const WorldState& world) {
    beside_.assign(world.bodies.size(), Beside{});
    const auto add = [&](std::uint32_t body, std::uint32_t other, float size) {
        Beside& b = beside_[body];
        if (other == b.thinnest) {
            b.least = std::min(b.least, size);
        } else if (size < b.least) {
            b = {size, b.least, other, b.linked};
        } else {
            b.next = std::min(b.next, size);
        }
    };
    // Contacts, not candidates: a caller's pairs may be more or fewer.
    for (const Manifold4& m : world.contacts.manifolds()) {
        const float size = std::min(brief_[m.pair[0]].size, brief_[m.pair[1]].size);
        if (!(size > 0)) continue;
        add(m.pair[0], m.pair[1], size);
        add(m.pair[1], m.pair[0], size);
    }
    for (const BodyLink& link : world.links.links()) {
        beside_[link.a].linked = true;
        if (link.b != kWorldAnchor) beside_[link.b].linked = true;
    }
}

}  // namespace lanefold::detail
