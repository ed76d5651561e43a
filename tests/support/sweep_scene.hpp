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

// The motions of a family.
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

// One of two bodies that add_sweep() moves.
struct SweptBody {
    std::uint32_t hull = 0;
    Quat first;
    Vec3d spin;
    Vec3d shift;
    PoseD at;  // where they come nearest
    double size = 0;
    const reference::OracleHull* oracle = nullptr;

    Quat turned(double fraction) const {
        const double angle = length(spin);
        return angle > 0 ? about(spin * (1 / angle), angle * fraction) * first : first;
    }
    Vec3d middle() const {
        Vec3d sum;
        for (const Vec3d& v : oracle->vertices) sum = sum + v;
        return at.rotation * (sum * (1.0 / static_cast<double>(oracle->vertices.size())));
    }
};

inline SweptBody draw_body(const SweepScene& s, const SweepFamily& family, double meets, Random& random) {
    SweptBody b;
    b.hull = random.index(static_cast<std::uint32_t>(s.library.size()));
    b.oracle = &s.library.oracle[b.hull];
    b.size = b.oracle->size + b.oracle->round_radius;
    b.first = family.parallel ? Quat{} : random.rotation();
    const double turn = random.chance(0.3) ? 0 : random.uniform(0, family.most_turn);
    b.spin = random.direction() * turn;
    if (family.parallel && turn > 0 && random.chance(0.5)) b.spin = {0, 0, turn};
    b.at = {rotation(b.turned(meets)), {}};
    return b;
}

// Moves b so that the gap is as wanted where it can be. Returns the direction that separates them.
inline Vec3d place_beside(const SweptBody& a, SweptBody& b, const SweepFamily& family, Random& random) {
    const double smaller = std::min(a.size, b.size);
    const double kinds[4] = {0, random.log_uniform(1e-7, 1e-2), -random.log_uniform(1e-7, 1e-1), random.uniform(0, 1)};
    const double gap = kinds[random.index(4)] * smaller + static_cast<double>(family.target);
    Vec3d direction = random.direction();
    Vec3d beside;
    if (family.parallel) {
        direction = {0, 0, 1};
        beside.x = random.uniform(-0.5, 0.5) * (a.size + b.size);
        beside.y = random.uniform(-0.5, 0.5) * (a.size + b.size);
    }
    b.at.position = (a.middle() - b.middle()) + direction * (1.2 * (a.size + b.size)) + beside;
    reference::OracleResult apart = reference::signed_distance(*a.oracle, a.at, *b.oracle, b.at);
    for (int i = 0; i < 3 && apart.distance > 0; ++i) {
        b.at.position = b.at.position - apart.normal * (apart.distance - gap);
        apart = reference::signed_distance(*a.oracle, a.at, *b.oracle, b.at);
        if (gap <= 0) break;
    }
    return apart.normal;
}

// Two bodies whose gap is chosen at a chosen fraction, and a motion through it.
inline void add_sweep(SweepScene& s, const SweepFamily& family, Random& random) {
    const double meets = random.uniform(-0.2, 1.2);
    SweptBody body[2];
    for (SweptBody& b : body) b = draw_body(s, family, meets, random);
    const Vec3d normal = place_beside(body[0], body[1], family, random);
    const double both = body[0].size + body[1].size;
    Vec3d velocity = random.direction() * (both * random.log_uniform(1e-3, 30));
    if (family.grazing) {
        velocity = velocity - normal * dot(velocity, normal);
        const double off = random.uniform(-1, 1) * random.log_uniform(1e-9, 1e-2);
        velocity = velocity + normal * (off * length(velocity));
    } else if (random.chance(0.5)) {
        velocity = normal * -std::fabs(dot(velocity, normal));
    }
    body[0].shift = random.direction() * (both * random.uniform(0, 3));
    body[1].shift = body[0].shift + velocity;
    const Vec3d origin = random.direction() * family.far;
    for (const SweptBody& b : body) {
        BodyD first = {};
        first.hull = b.hull;
        BodyD last = first;
        const Vec3d position = origin + b.at.position - b.shift * meets;
        set_position(position, first);
        set_position(position + b.shift, last);
        set_orientation(b.first, first);
        set_orientation(b.turned(1), last);
        s.begin.push_back(first);
        s.end.push_back(last);
        s.spins.push_back(b.spin);
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

// Sums of the judge over many sweeps.
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

inline double lever_of(const reference::OracleHull& h) {
    double most = 0;
    for (const Vec3d& v : h.vertices) most = std::max(most, length(v));
    return most;
}

// Holds records against the oracle.
class SweepJudge {
public:
    SweepJudge(const SweepScene& s, SweepCounts& counts) : s_(s), c_(counts) {}

    void judge(std::size_t i, const SweepRecord& r) {
        i_ = i;
        r_ = &r;
        p_ = s_.oracle(i);
        const double size_a = p_.a->size + p_.a->round_radius;
        const double size_b = p_.b->size + p_.b->round_radius;
        larger_ = std::max(size_a, size_b);
        smaller_ = std::min(size_a, size_b);
        levers_ = lever_of(*p_.a) + lever_of(*p_.b);
        target_ = static_cast<double>(s_.options.target);
        // Roundings of both sides: positions and shifts in float64.
        const reference::OracleMotion& a = p_.motion_a;
        const reference::OracleMotion& b = p_.motion_b;
        rounding_ = 1e-13 *
                    (length(a.position) + length(b.position) + length(a.shift) + length(b.shift) + levers_ + larger_) *
                    (1 + length(a.spin) + length(b.spin));
        tolerance_ = stated_tolerance() * (1 + 1e-4) + rounding_;
        ++c_.pairs;
        c_.rounds += r.rounds;
        c_.most_rounds = std::max<std::uint64_t>(c_.most_rounds, r.rounds);
        if (r.status != Status::ok || r.state == SweepState::failed)
            wrong(c_.failed, to_string(r.failure), 0);
        else
            judge_answer();
    }

private:
    void judge_answer() {
        if (r_->state == SweepState::overlapping) {
            ++c_.overlapping;
            const double above = reference::distance_at(p_, 0).distance - target_;
            if (above > tolerance_ / 4 + rounding_) wrong(c_.wrong_state, "apart at the start", above);
        } else {
            judge_motion();
        }
        if (r_->state != SweepState::miss) judge_contact();
    }

    void judge_motion() {
        const bool hit = r_->state == SweepState::hit;
        ++(hit ? c_.hits : c_.misses);
        const double to = hit ? r_->fraction : 1.0;
        // Distances on the way may not be at the target. Between those that are computed it stays above target - slack.
        const reference::March m = reference::march(p_, target_ - rounding_, 1e-7 * smaller_ + rounding_, to, 4000);
        if (m.end == reference::MarchEnd::undecided) ++c_.undecided;
        if (m.end == reference::MarchEnd::reached && to > 0) {
            wrong(hit ? c_.late : c_.missed, hit ? "late" : "missed", to - m.fraction);
            c_.worst_late = std::max(c_.worst_late, (target_ - m.least) / smaller_);
        }
        const double last = reference::distance_at(p_, to).distance;
        if (!hit) {
            if (last < target_ - rounding_) wrong(c_.missed, "missed at the end", target_ - last);
            return;
        }
        const double off = std::fabs(last - target_) / tolerance_;
        c_.worst_outside = std::max(c_.worst_outside, off);
        if (!(off <= 1)) wrong(c_.outside, "outside the tolerance", off);
    }

    void judge_contact() {
        PoseD a;
        PoseD b;
        reference::oracle_poses(p_, r_->fraction, a, b);
        b.position = b.position - a.position;
        a.position = {};
        const Vec3d n = to_double({r_->normal[0], r_->normal[1], r_->normal[2]});
        const double d = reference::signed_distance(*p_.a, a, *p_.b, b).distance;
        const double along = reference::separation_along(*p_.a, a, *p_.b, b, n);
        // The normal's own rounding moves supports by a part of the bodies' distance.
        const double lack = (d - along) / (larger_ + length(b.position) + levers_);
        c_.worst_normal = std::max(c_.worst_normal, lack);
        if (!(lack <= 3e-6)) wrong(c_.off_normal, "the normal does not separate", lack);
        const Vec3d point = to_double({r_->point[0], r_->point[1], r_->point[2]});
        const double off_a = reference::point_distance(*p_.a, a.rotation, point);
        const double off_b = reference::point_distance(*p_.b, b.rotation, point - b.position);
        const double off = std::max(std::fabs(off_a), std::fabs(off_b));
        const double bound = std::fabs(d) / 2 + 1e-5 * (larger_ + length(b.position));
        if (!(off <= bound)) wrong(c_.off_point, "the point is off a surface", off / bound);
    }

    // As docs/between_frames.md states it.
    double stated_tolerance() const {
        const double unit = larger_ > 64 * smaller_ ? smaller_ : larger_;
        const double lever = std::min(lever_of(*p_.a), lever_of(*p_.b));
        const double accuracy =
            2e-6 * unit + 2.5e-7 * lever + 6e-8 * (2 * (target_ + p_.a->round_radius + p_.b->round_radius) + unit);
        return std::max(static_cast<double>(s_.options.tolerance) * smaller_, 4 * accuracy);
    }

    void wrong(std::uint64_t& counter, const char* what, double by) {
        ++counter;
        if (!c_.first_wrong.empty()) return;
        c_.first_wrong = "pair " + std::to_string(i_) + ": " + what + ", " + to_string(r_->state) + " at " +
                         std::to_string(r_->fraction) + ", by " + std::to_string(by);
    }

    const SweepScene& s_;
    SweepCounts& c_;
    std::size_t i_ = 0;
    const SweepRecord* r_ = nullptr;
    reference::OraclePair p_;
    double larger_ = 0;
    double smaller_ = 0;
    double levers_ = 0;
    double target_ = 0;
    double rounding_ = 0;
    double tolerance_ = 0;
};

}  // namespace lanefold::test
