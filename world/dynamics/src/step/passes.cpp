// SPDX-License-Identifier: MIT
//
// The ways of suspicious pairs, and where they end. Each pair's first meeting is found with the bodies' ends as they
// are known; those that are the earliest of both of their bodies end these there, and then the pairs of these bodies
// are followed again. Bodies that links connect end together, so that a link stays as long as it is.
#include "step/passes.hpp"

#include <algorithm>
#include <cmath>
#include <new>

#include <lanefold/compound.hpp>
#include <lanefold/detail/disjoint_sets.hpp>
#include <lanefold/serial.hpp>

namespace lanefold::detail {
namespace {

constexpr double kNever = 2;
// Distances of a pair in one follow(): what is not decided then ends where it is known to be clear.
constexpr int kMostRounds = 200;
// Rounds of ends in a step. A body that stops in a stream of bodies stops the next one, and so on.
constexpr int kMostCommits = 64;
// A meeting is within this share of the allowance of it.
constexpr double kTolerance = 0.1;

Vec3d vector(const float* v) { return to_double({v[0], v[1], v[2]}); }

Mat3d inertia_of(const MassRow& mass, bool inverse) {
    const float* m = inverse ? mass.inverse_inertia : mass.inertia;
    const double s[6] = {static_cast<double>(m[0]), static_cast<double>(m[1]), static_cast<double>(m[2]),
                         static_cast<double>(m[3]), static_cast<double>(m[4]), static_cast<double>(m[5])};
    return {{{s[0], s[1], s[2]}, {s[1], s[3], s[4]}, {s[2], s[4], s[5]}}};
}

// The body, or its child as a body of its own.
BodyD part_at(const WorldState& world, std::uint32_t body, std::uint32_t child, const CentrePose& place) {
    BodyD out{};
    out.hull = world.bodies.hull(body);
    const Vec3d p = place.centre - rotation(place.turn) * vector(world.bodies.mass(body).centre);
    out.position[0] = p.x;
    out.position[1] = p.y;
    out.position[2] = p.z;
    const double q[4] = {place.turn.x, place.turn.y, place.turn.z, place.turn.w};
    for (int k = 0; k < 4; ++k) out.orientation[k] = static_cast<float>(q[k]);
    return world.bodies.children(body) == 0 ? out : child_body(world.hulls, out, child);
}

// The spin at an earlier orientation of the same motion: that of the same angular momentum, without a gain of energy.
Vec3d earlier_spin(const MassRow& mass, const Vec3d& spin, const Quat& last, const Quat& earlier) {
    const Vec3d momentum = rotation(last) * (inertia_of(mass, false) * transpose_times(rotation(last), spin));
    const Vec3d w = rotation(earlier) * (inertia_of(mass, true) * transpose_times(rotation(earlier), momentum));
    const double was = dot(spin, momentum), now = dot(w, momentum);
    return now > was && was > 0 ? w * std::sqrt(was / now) : w;
}

// How readily a body gives way.
double mobility(const Bodies& bodies, std::uint32_t body) {
    return bodies.movable(body) ? static_cast<double>(bodies.motion(body).inverse_mass) : 0;
}

// The velocity of a body that has not gone all the way: less by the work of gravity that it missed where it would have
// fallen, more where it would have risen. Without the latter it would lose the speed of a rise that it did not make,
// and one that touches near the top of its flight would turn back before it does. A push moves a body without a
// velocity, so it is never more than gravity takes in the time that is left.
Vec3d at_its_end(const Vec3d& velocity, const Vec3d& missed, const Vec3d& gravity, double left) {
    const double work = dot(missed, gravity), g = length(gravity);
    if (work == 0) return velocity;
    const double along = dot(velocity, gravity) / g;
    if (work < 0 && !(along < 0)) return velocity;
    const double speed = std::sqrt(std::max(0.0, along * along - 2 * work));
    const double fallen = along < 0 ? -speed : speed;
    const double ended = work > 0 ? fallen : std::max(fallen, along - g * left);
    return velocity + gravity * ((ended - along) / g);
}

}  // namespace

void Passes::need_legs(const WorldState& world, std::uint32_t body) {
    if (legs_of_[body] != kNone) return;
    find_legs(world.bodies, paths_, body, found_legs_);
    legs_of_[body] = static_cast<std::uint32_t>(legs_.size());
    legs_count_[body] = found_legs_.count;
    legs_.insert(legs_.end(), found_legs_.leg.begin(), found_legs_.leg.begin() + found_legs_.count);
}

std::span<const Leg> Passes::legs(std::uint32_t body) const {
    return std::span(legs_).subspan(legs_of_[body], legs_count_[body]);
}

CentrePose Passes::place(std::uint32_t body, double fraction) const {
    const End& end = ends_[body];
    if (fraction <= end.fraction) return place_at(legs(body), fraction);
    CentrePose stopped = place_at(legs(body), end.fraction);
    stopped.centre = stopped.centre + end.back;
    if (end.carrier == kNone) return stopped;
    const std::span<const Leg> way = legs(end.carrier);
    return carried(place_at(way, end.fraction), place_at(way, fraction), stopped);
}

Passes::Rate Passes::rate(const WorldState& world, std::uint32_t body, double fraction) const {
    const End& end = ends_[body];
    const double reach = static_cast<double>(world.bodies.radius(body));
    const bool free = fraction < end.fraction;
    if (!free && end.carrier == kNone) return {};
    const Leg& leg = leg_at(legs(free ? body : end.carrier), fraction);
    const double often = 1 / (leg.end - leg.begin);
    if (free) return {leg.shift * often, leg.axis * (leg.angle * often), reach, 0};
    const Vec3d arm = place(body, end.fraction).centre - place_at(legs(end.carrier), end.fraction).centre;
    return {{}, {}, 0, (length(leg.shift) + leg.angle * (length(arm) + reach)) * often};
}

// The end of the legs that the bodies are on, or of the ways.
double Passes::segment_end(const Pair& pair, double fraction) const {
    double end = 1;
    for (const std::uint32_t body : {pair.a, pair.b}) {
        const End& own = ends_[body];
        const bool free = fraction < own.fraction;
        if (free) end = std::min(end, own.fraction);
        if (free || own.carrier != kNone) end = std::min(end, leg_at(legs(free ? body : own.carrier), fraction).end);
    }
    return end;
}

void Passes::add_part(const WorldState& world, const PartPair& parts, double clear, bool apart) {
    const Pair& pair = parts.body;
    if (first_.empty()) {
        const std::size_t n = world.bodies.size();
        first_.assign(n, kNone);
        earliest_.assign(n, kNone);
        legs_of_.assign(n, kNone);
        legs_count_.assign(n, 0);
        ends_.assign(n, End{});
    }
    for (std::uint32_t k = first_[pair.a]; k != kNone;) {
        const Suspect& s = suspects_[k];
        if (PartPair{s.pair, s.child_a, s.child_b} == parts) return;
        k = s.pair.a == pair.a ? s.next_a : s.next_b;
    }
    const auto id = static_cast<std::uint32_t>(suspects_.size());
    suspects_.push_back({pair, parts.child_a, parts.child_b, 0, allowed_depth(world, parts), clear, kNever, 0, Vec3d{},
                         first_[pair.a], first_[pair.b], true, false, apart});
    first_[pair.a] = first_[pair.b] = id;
    need_legs(world, pair.a);
    need_legs(world, pair.b);
    live_.push_back(id);
}

// True if the pair is decided.
bool Passes::decide(const WorldState& world, Suspect& s, const PairDistance& d) const {
    const double end = segment_end(s.pair, s.clear);
    if (d.status != Status::ok) return true;
    if (d.kind == ContactKind::none) {
        s.clear = end;
        return end >= 1;
    }
    const auto distance = static_cast<double>(d.distance);
    if (!s.begun) s.deepest = deepest_allowed(distance, s.allowed, s.apart);
    s.begun = true;
    const double above = distance - s.deepest;
    const Vec3d n = vector(d.normal);
    if (above <= kTolerance * s.allowed) {
        s.meets = s.clear;
        s.met = distance;
        s.normal = n;
        return true;
    }
    const Rate a = rate(world, s.pair.a, s.clear), b = rate(world, s.pair.b, s.clear);
    // The nearest point's plane bounds a convex body, and no surface, which may rise beside it.
    const bool surface = is_surface(world, s.pair.a) || is_surface(world, s.pair.b);
    const double closing = surface ? a.most() + b.most() : (a.along(n) + b.along(n)) - dot(n, b.shift - a.shift);
    const double next = closing * (end - s.clear) > above ? s.clear + above / closing : end;
    s.clear = next;
    return next >= 1;
}

// Decides the live pairs. The status is that of the call for distances.
CallStatus Passes::follow(const WorldState& world) {
    Options options;
    options.isa = world.settings.isa;
    options.threads = 1;
    options.face_preference = 0;
    for (int round = 0; !live_.empty() && round < kMostRounds; ++round) {
        bodies_.clear();
        rows_.clear();
        margins_.clear();
        for (const std::uint32_t id : live_) {
            const Suspect& s = suspects_[id];
            const auto row = static_cast<std::uint32_t>(bodies_.size());
            bodies_.push_back(part_at(world, s.pair.a, s.child_a, place(s.pair.a, s.clear)));
            bodies_.push_back(part_at(world, s.pair.b, s.child_b, place(s.pair.b, s.clear)));
            rows_.push_back({row, row + 1});
            const double left = segment_end(s.pair, s.clear) - s.clear;
            const double most = (rate(world, s.pair.a, s.clear).most() + rate(world, s.pair.b, s.clear).most()) * left;
            margins_.push_back(static_cast<float>(most + s.allowed));
        }
        distances_.resize(live_.size());
        CallInputs inputs;
        inputs.pair_margins = margins_;
        const BatchResult result = collide_serial<PairDistance>(world.hulls, BodyView(std::span<const BodyD>(bodies_)),
                                                                rows_, options, distances_, workspace_, inputs);
        if (!result.status) return result.status;
        std::size_t kept = 0;
        for (std::size_t k = 0; k < live_.size(); ++k) {
            Suspect& s = suspects_[live_[k]];
            s.live = !decide(world, s, distances_[k]);
            if (s.live) live_[kept++] = live_[k];
        }
        live_.resize(kept);
    }
    for (const std::uint32_t id : live_) {
        suspects_[id].meets = suspects_[id].clear;
        suspects_[id].met = 0;  // by how much it overlaps is not known
        suspects_[id].live = false;
    }
    live_.clear();
    return {};
}

bool Passes::end_body(const WorldState& world, std::uint32_t body, const End& end) {
    if (!world.bodies.movable(body) || !(end.fraction < ends_[body].fraction)) return false;
    need_legs(world, body);
    ends_[body] = end;
    changed_.push_back(body);
    return true;
}

// Ends the bodies that links connect with those that have ended together with them.
void Passes::end_linked(const WorldState& world) {
    const std::span<const BodyLink> links = world.links.links();
    if (links.empty()) return;
    const Bodies& bodies = world.bodies;
    if (root_.empty()) {
        root_.resize(bodies.size());
        for (std::uint32_t i = 0; i < bodies.size(); ++i) root_[i] = i;
        for (const BodyLink& link : links) {
            if (link.b != kWorldAnchor && bodies.movable(link.a) && bodies.movable(link.b))
                unite(root_, link.a, link.b);
        }
    }
    const std::size_t count = changed_.size();
    for (std::uint32_t i = 0; i < bodies.size(); ++i) {
        const std::uint32_t root = find_root(root_, i);
        for (std::size_t k = 0; k < count; ++k) {
            const std::uint32_t ended = changed_[k];
            if (ended != i && find_root(root_, ended) == root) end_body(world, i, {ends_[ended].fraction, kNone, {}});
        }
    }
}

// The way by which B is set back out of A where the two meet, so that the next step has an overlap to spend. A body
// that turns fast against another meets it again and again: without the way back it would stop after a small part of
// each step, and go in by kFurther in every one until it is through. A body that a link holds stays where it is, and
// beside a thinner one it does not go far.
Vec3d Passes::way_back(const WorldState& world, const Suspect& s) {
    const double most = dt_ * static_cast<double>(world.settings.push_speed) * static_cast<double>(world.settings.unit);
    double way = std::min(-s.met - kApart * s.allowed, most);
    if (s.apart || !(way > 0)) return {};
    if (beside_.empty()) look_beside(world);
    for (const std::uint32_t own : {s.pair.a, s.pair.b}) {
        if (!world.bodies.movable(own)) continue;
        const Beside& b = beside_[own];
        if (b.linked) return {};
        const float size = b.thinnest == (own == s.pair.a ? s.pair.b : s.pair.a) ? b.next : b.least;
        way = std::min(way, kApart * kAllowed * static_cast<double>(size));
    }
    return s.normal * way;
}

// Ends the bodies of the meetings that are the first of both of their bodies. False: there were none.
bool Passes::commit(const WorldState& world) {
    const auto earlier = [&](std::uint32_t k, std::uint32_t than) {
        return than == kNone || suspects_[k].meets < suspects_[than].meets;
    };
    const Bodies& bodies = world.bodies;
    earliest_.assign(bodies.size(), kNone);
    const auto count = static_cast<std::uint32_t>(suspects_.size());
    bool some = false;
    for (std::uint32_t k = 0; k < count; ++k) {
        const Suspect& s = suspects_[k];
        if (s.meets >= kNever) continue;
        some = true;
        if (earlier(k, earliest_[s.pair.a])) earliest_[s.pair.a] = k;
        if (earlier(k, earliest_[s.pair.b])) earliest_[s.pair.b] = k;
    }
    changed_.clear();
    for (std::uint32_t k = 0; k < count && some; ++k) {
        Suspect& s = suspects_[k];
        const auto first_of = [&](std::uint32_t body) { return !bodies.movable(body) || earliest_[body] == k; };
        if (s.meets >= kNever || !first_of(s.pair.a) || !first_of(s.pair.b)) continue;
        const auto carrier = [&](std::uint32_t body) {
            return !bodies.movable(body) && bodies.has_velocity(body) ? body : kNone;
        };
        const Vec3d back = way_back(world, s);
        const double a = mobility(bodies, s.pair.a), b = mobility(bodies, s.pair.b);
        end_body(world, s.pair.a, {s.meets, carrier(s.pair.b), back * -(a / (a + b))});
        end_body(world, s.pair.b, {s.meets, carrier(s.pair.a), back * (b / (a + b))});
        s.meets = kNever;
        s.clear = 1;
    }
    end_linked(world);
    return some;
}

// After ends have changed: the pairs of these bodies are followed again, from the ends on.
void Passes::recheck(const WorldState& world) {
    for (const std::uint32_t body : changed_) {
        const double from = ends_[body].fraction;
        for (std::uint32_t k = first_[body]; k != kNone;) {
            Suspect& s = suspects_[k];
            const bool holds = s.meets <= from;
            if (!holds) {
                s.clear = std::min(s.clear, from);
                s.meets = kNever;
                if (!s.live) live_.push_back(k);
                s.live = true;
            }
            k = s.pair.a == body ? s.next_a : s.next_b;
        }
    }
    if (changed_.empty()) return;
    std::sort(changed_.begin(), changed_.end());
    const auto has_changed = [&](std::uint32_t body) {
        return std::binary_search(changed_.begin(), changed_.end(), body);
    };
    const auto left = [&](std::uint32_t body) {
        const Brief& b = brief_[body];
        return (length(b.shift) + b.turned) * static_cast<float>(1 - ends_[body].fraction);
    };
    for (const Pair& pair : pairs_) {
        if (ends_[pair.a].fraction >= 1 && ends_[pair.b].fraction >= 1) continue;
        if (!has_changed(pair.a) && !has_changed(pair.b)) continue;
        // The pairs of a body that this step has lost are still there.
        if (world.bodies.lost(pair.a) || world.bodies.lost(pair.b)) continue;
        const float size = std::min(brief_[pair.a].size, brief_[pair.b].size);
        if (size > 0 && left(pair.a) + left(pair.b) > kFast * size)
            add(world, pair, std::min(ends_[pair.a].fraction, ends_[pair.b].fraction), true);
    }
}

CallStatus Passes::find(const WorldState& world, std::span<const Pair> pairs, const Seams& seams,
                        const BodyPaths& paths, double dt, Loops& loops) {
    paths_ = paths;
    pairs_ = pairs;
    dt_ = dt;
    suspects_.clear();
    live_.clear();
    first_.clear();
    root_.clear();
    legs_.clear();
    beside_.clear();
    describe(world, dt, loops);
    add_suspects(world, seams, dt, loops);
    add_strays(world, dt);
    if (suspects_.empty()) return {};
    CallStatus status = follow(world);
    for (int k = 0; status && k < kMostCommits && commit(world); ++k) {
        recheck(world);
        status = follow(world);
    }
    return status;
}

void Passes::stop(WorldState& world) const {
    if (first_.empty()) return;
    Bodies& bodies = world.bodies;
    const Vec3d gravity = to_double(world.settings.gravity);
    for (std::uint32_t i = 0; i < bodies.size(); ++i) {
        const End& end = ends_[i];
        if (!(end.fraction < 1)) continue;
        const CentrePose first{bodies.centre(i), bodies.orientation(i)};
        const CentrePose last = place_at(legs(i), 1), ended = place_at(legs(i), end.fraction), stopped = place(i, 1);
        const bool goes_on = end.carrier != kNone;
        const Vec3d missed = goes_on ? Vec3d{0, 0, 0} : last.centre - stopped.centre;
        // Carried, it meets the other as it did: its motion turns with it.
        const Mat3d turned = rotation(after(stopped.turn, opposite(ended.turn)));
        const double left = (1 - end.fraction) * dt_;
        const Vec3d v = turned * at_its_end(vector(bodies.motion(i).v), missed, gravity, left);
        const Vec3d w = turned * earlier_spin(bodies.mass(i), vector(bodies.motion(i).w), last.turn, ended.turn);
        bodies.end_at(i, stopped.centre - first.centre, after(stopped.turn, opposite(first.turn)), v, w);
    }
}

}  // namespace lanefold::detail
