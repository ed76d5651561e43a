// SPDX-License-Identifier: MIT
//
// Random sweeps: pairs that meet, graze, pass or part, at a chosen fraction of their motion, with spins up to two turns
// and shapes of every kind. And the judge that holds a record against the oracle of sweeps.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include <lanefold/serial_sweep.hpp>
#include <lanefold/sweep_oracle.hpp>

#include "support/hulls.hpp"
#include "support/random.hpp"

namespace lanefold::test {

// What the bodies of a family do.
struct SweepFamily {
    const char* name;
    std::vector<Shape> shapes;
    double least_scale = 0.5;
    double most_scale = 2;
    Rounding rounding = {};
    double most_turn = 0;      // radians; 0: only translation
    bool shorter_way = false;  // second orientations instead of spins
    bool parallel = false;     // both bodies level with the axes at the first pose
    bool grazing = false;      // motion along the surface where they come nearest
    double far = 0;            // positions this far from the origin
    float target = 0;
    float tolerance = kDefaultSweepTolerance;
};

struct SweepScene {
    Library library;
    std::vector<BodyD> begin;
    std::vector<BodyD> end;
    std::vector<Vec3d> spins;  // empty: the shorter way
    std::vector<Pair> pairs;
    SweepOptions options;

    BodyView first() const { return BodyView(std::span<const BodyD>(begin)); }
    BodyView last() const { return BodyView(std::span<const BodyD>(end)); }
    SweepInputs inputs() const {
        SweepInputs in;
        in.spins = spins;
        return in;
    }

    reference::OraclePair oracle(std::size_t i) const {
        reference::OraclePair p;
        const Pair pair = pairs[i];
        p.a = &library.oracle[begin[pair.a].hull];
        p.b = &library.oracle[begin[pair.b].hull];
        p.motion_a = motion(pair.a);
        p.motion_b = motion(pair.b);
        return p;
    }

private:
    reference::OracleMotion motion(std::uint32_t i) const {
        const BodyD& f = begin[i];
        const BodyD& l = end[i];
        if (spins.empty()) {
            return reference::oracle_motion(f.position, f.orientation, l.position, l.orientation);
        }
        return reference::oracle_motion(f.position, f.orientation, l.position, spins[i]);
    }
};

inline void set_orientation(const Quat& q, BodyD& body) {
    body.orientation[0] = static_cast<float>(q.x);
    body.orientation[1] = static_cast<float>(q.y);
    body.orientation[2] = static_cast<float>(q.z);
    body.orientation[3] = static_cast<float>(q.w);
}

inline void set_position(const Vec3d& p, BodyD& body) {
    body.position[0] = p.x;
    body.position[1] = p.y;
    body.position[2] = p.z;
}

// Two bodies whose gap is chosen at a chosen fraction, and a motion through it.
inline void add_sweep(SweepScene& s, const SweepFamily& family, Random& random) {
    const auto hull = [&] { return random.index(static_cast<std::uint32_t>(s.library.size())); };
    BodyD first[2] = {};
    BodyD last[2] = {};
    Vec3d spin[2];
    Quat q[2];
    Vec3d shift[2];
    double size[2];
    for (int k = 0; k < 2; ++k) {
        first[k].hull = last[k].hull = hull();
        const reference::OracleHull& h = s.library.oracle[first[k].hull];
        size[k] = h.size + h.round_radius;
        q[k] = family.parallel ? Quat{} : random.rotation();
        const double turn = random.chance(0.3) ? 0 : random.uniform(0, family.most_turn);
        spin[k] = random.direction() * turn;
        if (family.parallel && turn > 0 && random.chance(0.5)) spin[k] = {0, 0, turn};
    }
    const double both = size[0] + size[1];
    const double meets = random.uniform(-0.2, 1.2);
    // At `meets` the hulls have this gap, along the direction that separates them.
    const double kinds[4] = {0, random.log_uniform(1e-7, 1e-2), -random.log_uniform(1e-7, 1e-1), random.uniform(0, 1)};
    const double gap = kinds[random.index(4)] * std::min(size[0], size[1]) + static_cast<double>(family.target);
    PoseD at[2];
    for (int k = 0; k < 2; ++k) {
        const double angle = length(spin[k]);
        const Quat turned = angle > 0 ? about(spin[k] * (1 / angle), angle * meets) * q[k] : q[k];
        at[k] = {rotation(turned), {}};
    }
    Vec3d direction = random.direction();
    if (family.parallel) direction = {0, 0, 1};
    const auto middle = [&](int k) {
        Vec3d sum;
        const reference::OracleHull& h = s.library.oracle[first[k].hull];
        for (const Vec3d& v : h.vertices) sum = sum + v;
        return at[k].rotation * (sum * (1.0 / static_cast<double>(h.vertices.size())));
    };
    Vec3d beside;
    if (family.parallel) beside = Vec3d{random.uniform(-0.5, 0.5), random.uniform(-0.5, 0.5), 0} * both;
    at[1].position = (middle(0) - middle(1)) + direction * (1.2 * both) + beside;
    reference::OracleResult apart = reference::signed_distance(s.library.oracle[first[0].hull], at[0],
                                                               s.library.oracle[first[1].hull], at[1]);
    for (int i = 0; i < 3 && apart.distance > 0; ++i) {
        at[1].position = at[1].position - apart.normal * (apart.distance - gap);
        apart = reference::signed_distance(s.library.oracle[first[0].hull], at[0], s.library.oracle[first[1].hull],
                                           at[1]);
        if (gap <= 0) break;
    }
    Vec3d velocity = random.direction() * (both * random.log_uniform(1e-3, 30));
    if (family.grazing) {
        velocity = velocity - apart.normal * dot(velocity, apart.normal);
        velocity = velocity + apart.normal * (random.uniform(-1, 1) * random.log_uniform(1e-9, 1e-2) * length(velocity));
    } else if (random.chance(0.5)) {
        velocity = apart.normal * -std::fabs(dot(velocity, apart.normal));
    }
    const Vec3d common = random.direction() * (both * random.uniform(0, 3));
    shift[0] = common;
    shift[1] = common + velocity;
    const Vec3d origin = random.direction() * family.far;
    for (int k = 0; k < 2; ++k) {
        const Vec3d position = origin + at[k].position - shift[k] * meets;
        set_position(position, first[k]);
        set_position(position + shift[k], last[k]);
        set_orientation(q[k], first[k]);
        const double angle = length(spin[k]);
        set_orientation(angle > 0 ? about(spin[k] * (1 / angle), angle) * q[k] : q[k], last[k]);
        s.begin.push_back(first[k]);
        s.end.push_back(last[k]);
        s.spins.push_back(spin[k]);
    }
    const auto n = static_cast<std::uint32_t>(s.begin.size());
    s.pairs.push_back({n - 2, n - 1});
}

inline SweepScene make_sweeps(const SweepFamily& family, std::uint64_t seed, std::uint32_t count) {
    SweepScene s;
    s.library = random_library(seed, 24, family.shapes, family.least_scale, family.most_scale, family.rounding);
    s.options.target = family.target;
    s.options.tolerance = family.tolerance;
    for (std::uint32_t i = 0; i < count; ++i) {
        Random random(seed, i);
        add_sweep(s, family, random);
    }
    if (family.shorter_way) s.spins.clear();
    return s;
}

// What the judge saw of many sweeps.
struct SweepCounts {
    std::uint64_t pairs = 0, misses = 0, hits = 0, overlapping = 0, failed = 0;
    std::uint64_t missed = 0, late = 0, outside = 0, wrong_state = 0, off_normal = 0, off_point = 0, undecided = 0;
    std::uint64_t rounds = 0, most_rounds = 0;
    double worst_outside = 0;  // |distance - target| / tolerance
    double worst_late = 0;     // by which the distance was below the target before, / size
    double worst_normal = 0;   // lack of separation / size of the larger hull
    std::string first_wrong;

    std::uint64_t wrong() const { return missed + late + outside + wrong_state + off_normal + off_point; }
};

// The bound of a hit's distance, as docs/between_frames.md states it.
inline double stated_tolerance(const SweepScene& s, const reference::OraclePair& p, double lever) {
    const double size_a = p.a->size + p.a->round_radius;
    const double size_b = p.b->size + p.b->round_radius;
    const double larger = std::max(size_a, size_b);
    const double smaller = std::min(size_a, size_b);
    const double unit = larger > 64 * smaller ? smaller : larger;
    const double target = static_cast<double>(s.options.target) + p.a->round_radius + p.b->round_radius;
    const double accuracy = 2e-6 * unit + 2.5e-7 * lever + 6e-8 * (2 * target + unit);
    return std::max(static_cast<double>(s.options.tolerance) * smaller, 4 * accuracy);
}

inline double lever_of(const reference::OracleHull& h) {
    double most = 0;
    for (const Vec3d& v : h.vertices) most = std::max(most, length(v));
    return most;
}

inline void judge_sweep(const SweepScene& s, std::size_t i, const SweepRecord& r, SweepCounts& c) {
    const reference::OraclePair p = s.oracle(i);
    const double target = static_cast<double>(s.options.target);
    const double smaller = std::min(p.a->size + p.a->round_radius, p.b->size + p.b->round_radius);
    const double larger = std::max(p.a->size + p.a->round_radius, p.b->size + p.b->round_radius);
    const double lever_a = lever_of(*p.a);
    const double lever_b = lever_of(*p.b);
    // Roundings of both sides: positions and shifts in float64.
    const double rounding = 1e-13 * (length(p.motion_a.position) + length(p.motion_b.position) +
                                     length(p.motion_a.shift) + length(p.motion_b.shift) + lever_a + lever_b + larger) *
                            (1 + length(p.motion_a.spin) + length(p.motion_b.spin));
    const double tolerance = stated_tolerance(s, p, std::min(lever_a, lever_b)) * (1 + 1e-4) + rounding;
    const auto wrong = [&](std::uint64_t& counter, const char* what, double by) {
        ++counter;
        if (!c.first_wrong.empty()) return;
        c.first_wrong = "pair " + std::to_string(i) + ": " + what + ", " + to_string(r.state) + " at " +
                        std::to_string(r.fraction) + ", by " + std::to_string(by);
    };
    ++c.pairs;
    c.rounds += r.rounds;
    c.most_rounds = std::max<std::uint64_t>(c.most_rounds, r.rounds);
    if (r.status != Status::ok || r.state == SweepState::failed) {
        ++c.failed;
        if (c.first_wrong.empty()) {
            c.first_wrong = "pair " + std::to_string(i) + " failed: " + to_string(r.failure) + ", " +
                            to_string(r.status) + " at " + std::to_string(r.fraction);
        }
        return;
    }
    const double start = reference::distance_at(p, 0).distance;
    if (r.state == SweepState::overlapping) {
        ++c.overlapping;
        if (start > target + tolerance / 4 + rounding) wrong(c.wrong_state, "apart at the start", start - target);
    } else {
        const bool hit = r.state == SweepState::hit;
        hit ? ++c.hits : ++c.misses;
        const double to = hit ? r.fraction : 1.0;
        // Distances on the way may not be at the target. What is not sampled stays above target - slack.
        const reference::March m =
            reference::march(p, target - rounding, 1e-7 * smaller + rounding, to, 4000);
        if (m.end == reference::MarchEnd::undecided) ++c.undecided;
        if (m.end == reference::MarchEnd::reached && to > 0) {
            wrong(hit ? c.late : c.missed, hit ? "late" : "missed", to - m.fraction);
            c.worst_late = std::max(c.worst_late, (target - m.least) / smaller);
        }
        if (!hit && reference::distance_at(p, 1).distance < target - rounding) wrong(c.missed, "missed at the end", 0);
        if (hit) {
            const double d = reference::distance_at(p, r.fraction).distance;
            const double off = std::fabs(d - target) / tolerance;
            c.worst_outside = std::max(c.worst_outside, off);
            if (!(off <= 1)) wrong(c.outside, "outside the tolerance", off);
        }
    }
    if (r.state == SweepState::miss) return;
    PoseD a;
    PoseD b;
    reference::oracle_poses(p, r.fraction, a, b);
    b.position = b.position - a.position;
    a.position = {};
    const Vec3d n = to_double({r.normal[0], r.normal[1], r.normal[2]});
    const double d = reference::signed_distance(*p.a, a, *p.b, b).distance;
    const double along = reference::separation_along(*p.a, a, *p.b, b, n);
    // The normal's own rounding moves supports by a part of the bodies' distance.
    const double lack = (d - along) / (larger + length(b.position) + lever_a + lever_b);
    c.worst_normal = std::max(c.worst_normal, lack);
    if (!(lack <= 3e-6)) wrong(c.off_normal, "the normal does not separate", lack);
    const Vec3d point = to_double({r.point[0], r.point[1], r.point[2]});
    const double off_a = reference::point_distance(*p.a, a.rotation, point);
    const double off_b = reference::point_distance(*p.b, b.rotation, point - b.position);
    const double bound = std::fabs(d) / 2 + 1e-5 * (larger + length(b.position)) + 1e-3 * smaller;
    if (!(std::fabs(off_a) <= bound && std::fabs(off_b) <= bound)) {
        wrong(c.off_point, "the point is off a surface", std::max(std::fabs(off_a), std::fabs(off_b)));
    }
}

}  // namespace lanefold::test
