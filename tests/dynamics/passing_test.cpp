// SPDX-License-Identifier: MIT
//
// Thin and fast: shards, bars and cubes against thin plates, head on, and past corners. A body passes none that it
// would hit, and is not struck by one that it misses. Fine steps of the free flight, in float64, say which is which.
//
// LANEFOLD_THROWS=N: so many of each kind (./dev sweep --impacts); LANEFOLD_SEED: other ones.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <vector>

#include <gtest/gtest.h>

#include "support/flights.hpp"
#include "support/sweep.hpp"
#include "support/throws.hpp"

namespace lanefold::test {
namespace {

constexpr std::uint32_t kThrows = 400;
constexpr Vec3d kGravity{0, -9.81, 0};
// Free flights of the engine and of the judge differ by less than this, in parts of a body's reach; by the angle by
// which a tumbling body is off in ten substeps a step: its turn times this share of the square of a substep's turn; and
// by half of gravity's gain of a substep times the time.
constexpr double kTold = 0.02;
constexpr double kTumbling = 0.1;
// A body that overlaps another by more of the smaller thickness may lose its side: a way ends at a quarter, and a pair
// that moves by less than half of the thickness is not followed.
constexpr double kInside = 0.8;

// One of so many bodies that would miss may be struck.
constexpr std::uint32_t kGhosts = 1000;
// Bodies begin apart by at least this part of the smaller thickness.
constexpr double kApart = 0.1;

struct Flight {
    std::array<FlyingBox, 2> box;       // the second may be a plate
    BodyKind kind = BodyKind::dynamic;  // of the second
    double rate = 60;
    double time = 0;  // until they have met or missed each other
    float friction = 0;
    float restitution = 0;

    // With some more in which what has hit goes its way.
    int steps() const { return static_cast<int>(time * rate) + 6; }
    double thickness() const { return std::min(box[0].thickness(), box[1].thickness()); }
};

FlyingBox random_box(Random& random) {
    FlyingBox box;
    const double size = random.log_uniform(0.01, 0.3);
    const std::uint32_t shape = random.index(3);
    const double wide = random.uniform(0.3, 1), thin = random.log_uniform(0.02, 0.15), bar = random.uniform(0.05, 0.25);
    if (shape == 0) box.half = {size, size * wide, size * thin};
    if (shape == 1) box.half = {size, size * bar, size * bar};
    if (shape == 2) box.half = {size, size, size};
    box.half = box.half * 0.5;
    box.turn = random.rotation();
    const bool still = random.chance(0.2);
    const double spin = random.log_uniform(0.1, 500);
    box.spin = random.direction() * (still ? 0 : spin);
    box.velocity = random.direction() * random.log_uniform(1, 500);
    return box;
}

void set_surface(Random& random, Flight& f) {
    f.rate = random.log_uniform(60, 240);
    f.friction = static_cast<float>(random.uniform());
    f.restitution = static_cast<float>(random.chance(0.7) ? 0 : random.uniform(0, 0.9));
}

// Puts the first box where it flies to a point, and gives both the time to meet there.
void aim(Random& random, Flight& f, const Vec3d& point) {
    FlyingBox& box = f.box[0];
    const Vec3d closing = box.velocity - f.box[1].velocity;
    const double speed = length(closing), steps = random.uniform(0.05, 2.5);
    const double near = std::min(f.box[1].reach(), 2 * box.reach() + f.box[1].thickness());
    const double back = steps / f.rate + (box.reach() + near) / speed;
    box.centre = point - closing * back;
    f.time = back + (box.reach() + near) / speed;
}

FlyingBox random_plate(Random& random, double half, BodyKind kind) {
    FlyingBox plate;
    plate.free = false;
    plate.half = {half, 0.5 * random.log_uniform(1e-3, 2e-2), half};
    if (random.chance(0.7)) plate.turn = random.rotation();
    if (kind == BodyKind::kinematic) {
        plate.velocity = random.in_ball() * 50.0;
        plate.spin = random.in_ball() * 10.0;
    }
    return plate;
}

BodyKind random_kind(Random& random) { return random.chance(0.3) ? BodyKind::kinematic : BodyKind::fixed; }

// Against the inner part of a plate.
Flight onto_plate(Random& random) {
    Flight f;
    set_surface(random, f);
    f.kind = random_kind(random);
    f.box[0] = random_box(random);
    f.box[1] = random_plate(random, 1, f.kind);
    const double x = random.uniform(-0.4, 0.4), z = random.uniform(-0.4, 0.4);
    aim(random, f, rotation(f.box[1].turn) * Vec3d{x, 0, z});
    return f;
}

Flight head_on(Random& random) {
    Flight f;
    set_surface(random, f);
    f.box = {random_box(random), random_box(random)};
    const double speed = random.log_uniform(1, 500);
    f.box[1].velocity = f.box[0].velocity * (-speed / length(f.box[0].velocity));
    aim(random, f, random.in_ball() * (0.5 * (f.box[0].reach() + f.box[1].reach())));
    return f;
}

// Past the rim of a plate, or past another body.
Flight past_corner(Random& random) {
    const bool plate = random.chance(0.7);
    Flight f = plate ? onto_plate(random) : head_on(random);
    if (plate) f.box[1].half.x = f.box[1].half.z = random.log_uniform(0.05, 1);
    const double along = random.uniform(-1, 1);
    const Vec3d rim = plate ? Vec3d{f.box[1].half.x, 0, f.box[1].half.z * along} : Vec3d{0, 0, 0};
    const double off = f.box[0].reach() + (plate ? 0 : f.box[1].reach());
    aim(random, f, rotation(f.box[1].turn) * rim + random.arrow(0.3 * off, 1.3 * off));
    return f;
}

RigidBody rigid_body(const Flight& f, std::uint32_t i) {
    const FlyingBox& box = f.box[i];
    RigidBody body = body_at(box.centre.x, box.centre.y, box.centre.z, i);
    set_rotation(body, box.turn);
    const Vec3f v = to_float(box.velocity), w = to_float(box.spin);
    std::memcpy(body.velocity, &v, sizeof body.velocity);
    std::memcpy(body.spin, &w, sizeof body.spin);
    body.friction = f.friction;
    body.restitution = f.restitution;
    if (i == 1) body.kind = f.kind;
    return body;
}

FlyingBox box_of(const World& world, const Flight& f, std::uint32_t i) {
    FlyingBox box = f.box[i];
    box.centre = world.centre(i);
    const float* q = world.bodies()[i].orientation;
    box.turn = {static_cast<double>(q[0]), static_cast<double>(q[1]), static_cast<double>(q[2]),
                static_cast<double>(q[3])};
    return box;
}

// The place of the first box's centre against the second's, of a plate in its axes.
Vec3d place_of(const Flight& f, const FlyingBox& a, const FlyingBox& b) {
    const Vec3d between = a.centre - b.centre;
    return f.kind == BodyKind::dynamic ? between : transpose_times(rotation(b.turn), between);
}

// Whether a place against a plate is over it, not near its rim.
bool over_plate(const Flight& f, const Vec3d& at) {
    const Vec3d inner = f.box[1].half - Vec3d{1, 1, 1} * f.box[0].reach();
    return std::fabs(at.x) < inner.x && std::fabs(at.z) < inner.z;
}

// Whether the way from one place to the next leads through the middle of the second box: through the middle plane of a
// plate, or so that the balls inside of both boxes overlap by half.
bool leads_through(const Flight& f, const Vec3d& from, const Vec3d& to) {
    const Vec3d way = to - from;
    if (f.kind != BodyKind::dynamic) {
        if ((from.y > 0) == (to.y > 0)) return false;
        const Vec3d at = from + way * (from.y / (from.y - to.y));
        // Nearer to the rim it may have gone around.
        return over_plate(f, at);
    }
    if (length_squared(way) == 0) return false;
    const double nearest = std::clamp(-dot(from, way) / length_squared(way), 0.0, 1.0);
    return nearest > 0 && nearest < 1 &&
           length(from + way * nearest) < 0.25 * (f.box[0].thickness() + f.box[1].thickness());
}

// The same of a step, in which a plate may turn: a straight way is bent in its axes.
bool leads_through(const Flight& f, const std::array<FlyingBox, 2>& from, const std::array<FlyingBox, 2>& to) {
    constexpr int kParts = 64;
    const auto at = [&](int k) {
        const double part = static_cast<double>(k) / kParts;
        std::array<FlyingBox, 2> box = from;
        for (std::size_t i = 0; i < 2; ++i) {
            const Quat& p = from[i].turn;
            const Quat& q = to[i].turn;
            const double sign = p.x * q.x + p.y * q.y + p.z * q.z + p.w * q.w < 0 ? -part : part;
            const Quat t{p.x * (1 - part) + q.x * sign, p.y * (1 - part) + q.y * sign, p.z * (1 - part) + q.z * sign,
                         p.w * (1 - part) + q.w * sign};
            const double n = std::sqrt(t.x * t.x + t.y * t.y + t.z * t.z + t.w * t.w);
            box[i].turn = {t.x / n, t.y / n, t.z / n, t.w / n};
            box[i].centre = from[i].centre + (to[i].centre - from[i].centre) * part;
        }
        return place_of(f, box[0], box[1]);
    };
    for (int k = 0; k < kParts; ++k) {
        if (leads_through(f, at(k), at(k + 1))) return true;
    }
    return false;
}

struct Seen {
    bool touched = false;
    bool passed = false;
    bool around = false;  // perhaps: its ways do not tell whether it has gone around a rim or through the plate
    double deepest = 0;   // at the end of a step, in parts of the smaller thickness
};

Seen see(const Flight& f) {
    std::vector<Points> shapes;
    for (const FlyingBox& box : f.box) shapes.push_back(box_points(box.half.x, box.half.y, box.half.z));
    std::vector<Vec3f> points(shapes[0].begin(), shapes[0].end());
    points.insert(points.end(), shapes[1].begin(), shapes[1].end());
    const std::array<std::uint64_t, 3> offsets{0, shapes[0].size(), points.size()};
    WorldSettings s;
    s.sleep = false;
    s.threads = 1;
    const std::array<RigidBody, 2> bodies{rigid_body(f, 0), rigid_body(f, 1)};
    World world = make_world(build_hulls(points, offsets).hulls, bodies, s);
    Seen seen;
    std::array<FlyingBox, 2> from = f.box;
    Vec3d before = f.box[0].velocity;
    for (int i = 0; i < f.steps(); ++i) {
        EXPECT_TRUE(world.step(1 / f.rate).status);
        const FlyingBox a = box_of(world, f, 0), b = box_of(world, f, 1);
        const std::array<FlyingBox, 2> to{a, b};
        // A way that a contact has bent is known at its ends only: where one is past the rim it may have gone around.
        const Vec3d after = to_double(world.velocity(0));
        const bool straight = length(after - before) / f.rate < f.box[0].reach();
        const bool over = over_plate(f, place_of(f, from[0], from[1])) && over_plate(f, place_of(f, a, b));
        const bool known = f.kind == BodyKind::dynamic || straight || over;
        before = after;
        const bool through = leads_through(f, from, to);
        seen.passed = seen.passed || (known && through);
        seen.around = seen.around || (!known && through);
        seen.deepest = std::max(seen.deepest, -box_separation(a, b) / f.thickness());
        from = to;
        for (const ContactImpulse& p : world.impulses())
            for (const float normal : p.normal) seen.touched = seen.touched || normal > 0;
        for (std::uint32_t k = 0; k < 2; ++k) {
            if (f.kind != BodyKind::dynamic && k == 1) continue;
            const Vec3d v = f.box[k].velocity + kGravity * ((i + 1) / f.rate);
            const double changed = length(to_double(world.velocity(k)) - v);
            seen.touched = seen.touched || changed > 1e-4 * length(f.box[k].velocity) + 1e-3;
        }
    }
    return seen;
}

struct Counts {
    std::uint32_t hits = 0, passes = 0, inside = 0, around = 0;
    std::uint32_t clear = 0, ghosts = 0;
    double deepest = 0;
};

// The overlap or gap that tells whether two bodies meet.
double telling(const Flight& f) {
    constexpr double kSubsteps = 10;
    double told = 0;
    for (const FlyingBox& box : f.box) {
        const double spin = length(box.spin), part = spin / (f.rate * kSubsteps);
        const double off = box.free ? kTumbling * part * part * spin * f.time : 0;
        told += std::min(1.0, kTold + off) * (box.free ? box.reach() : 0);
    }
    // Two free bodies fall alike.
    const double fallen = 0.5 * length(kGravity) * f.time / (f.rate * kSubsteps);
    return told + (f.kind == BodyKind::dynamic ? 0 : fallen);
}

void judge(const char* name, std::uint32_t i, const Flight& f, Counts& counts) {
    const double thickness = f.thickness(), told = telling(f);
    const double deep = std::max(0.3 * thickness, told);
    const double least = least_separation(f.box[0], f.box[1], f.time, kGravity, 0.02 * thickness, deep);
    const double end = f.steps() / f.rate;
    const bool hits = least <= -deep;
    const bool clear =
        least >= told && least_separation(f.box[0], f.box[1], end, kGravity, 0.02 * thickness, deep) >= told;
    const Seen seen = see(f);
    const bool passed = seen.passed || (hits && !seen.touched), ghost = clear && seen.touched;
    const bool inside = seen.deepest > kInside;
    if ((passed && counts.passes < 5) || (ghost && counts.ghosts < 5) || (inside && counts.inside < 5))
        std::printf(
            "  %s %u: %s%s%s; %.3g m/s, %.3g and %.3g rad/s, thickness %.3g and %.3g m, %.3g steps/s, kind %d\n", name,
            i, passed ? "passes " : "", ghost ? "ghost " : "", inside ? "deep inside" : "", length(f.box[0].velocity),
            length(f.box[0].spin), length(f.box[1].spin), f.box[0].thickness(), f.box[1].thickness(), f.rate,
            static_cast<int>(f.kind));
    counts.hits += hits ? 1U : 0U;
    counts.clear += clear ? 1U : 0U;
    counts.passes += passed ? 1U : 0U;
    counts.ghosts += ghost ? 1U : 0U;
    counts.inside += inside ? 1U : 0U;
    counts.around += seen.around ? 1U : 0U;
    counts.deepest = std::max(counts.deepest, seen.deepest);
}

// The flight of a number.
template <class Make>
Flight flight(std::uint64_t seed, std::uint32_t i, const Make& make) {
    Random random(seed, i);
    Flight f = make(random);
    while (box_separation(f.box[0], f.box[1]) < kApart * f.thickness()) f = make(random);
    return f;
}

template <class Make>
Counts fly_all(const char* name, std::uint64_t seed, const Make& make) {
    const std::uint32_t count = throws_count(kThrows);
    Counts counts;
    for (std::uint32_t i = 0; i < count; ++i) {
        judge(name, i, flight(sweep_seed(seed), i, make), counts);
    }
    std::printf(
        "%s, seed %llu: %u; %u would hit: %u pass, %u end past a rim so that it is not told; %u end a step deep "
        "inside, %.2f of the thickness at most; %u would miss: %u are struck\n",
        name, static_cast<unsigned long long>(sweep_seed(seed)), count, counts.hits, counts.passes, counts.around,
        counts.inside, counts.deepest, counts.clear, counts.ghosts);
    return counts;
}

TEST(DynamicsPassing, PlatesStopAll) {
    const Counts c = fly_all("plates", 61, onto_plate);
    EXPECT_GT(c.hits, throws_count(kThrows) * 9 / 10);
    EXPECT_EQ(c.passes, 0U);
    EXPECT_LE(c.ghosts, c.clear / kGhosts);
    EXPECT_EQ(c.inside, 0U);
}

TEST(DynamicsPassing, HeadOnAllMeet) {
    const Counts c = fly_all("head on", 62, head_on);
    EXPECT_GT(c.hits, throws_count(kThrows) / 4);
    EXPECT_EQ(c.passes, 0U);
    EXPECT_LE(c.ghosts, c.clear / kGhosts);
    EXPECT_EQ(c.inside, 0U);
}

TEST(DynamicsPassing, CornersStrikeWhatTheyMeet) {
    const Counts c = fly_all("past corners", 63, past_corner);
    EXPECT_GT(c.hits, throws_count(kThrows) / 10);
    EXPECT_GT(c.clear, throws_count(kThrows) / 8);
    EXPECT_EQ(c.passes, 0U);
    EXPECT_LE(c.ghosts, c.clear / kGhosts);
    EXPECT_EQ(c.inside, 0U);
}

// Flights of long campaigns that were once counted as passes. The first stopped where it touches the plate on its way
// up, lost the rest of its speed there and fell back without an impulse; the second goes around a rim that strikes it.
TEST(DynamicsPassing, StoredFlightsDoNotPass) {
    Counts c;
    judge("plates", 38667, flight(16061, 38667, onto_plate), c);
    judge("past corners", 10827, flight(6063, 10827, past_corner), c);
    EXPECT_EQ(c.hits, 2U);
    EXPECT_EQ(c.passes, 0U);
    EXPECT_EQ(c.around, 1U);
    EXPECT_EQ(c.inside, 0U);
}

}  // namespace
}  // namespace lanefold::test
