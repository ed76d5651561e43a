// SPDX-License-Identifier: MIT
//
// Surfaces in a World: what slides over a flat mesh keeps the speed that it has on a half-space and is not lifted,
// whatever the tessellation; what falls on rolling terrain comes to rest on it; the same bits with any number of
// threads.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

#include <oneapi/tbb/task_arena.h>

#include <lanefold/half_space.hpp>
#include <lanefold/height_field.hpp>
#include <lanefold/narrowphase.hpp>
#include <lanefold/surface_set.hpp>

#include "support/hulls.hpp"
#include "support/poses.hpp"
#include "support/world_scene.hpp"
#include "surface/flat_meshes.hpp"

namespace lanefold::test {
namespace {

enum Id : std::uint32_t { kGround, kCube, kPlate, kSphere, kCapsule, kRock };

HullSet world_hulls(const Surface* surface) {
    const HalfSpace plane{{0, 0, 1}, 0};
    Random random(17);
    const std::vector<Points> lists{box_points(0.25, 0.25, 0.25), box_points(0.4, 0.3, 0.05), Points{{0, 0, 0}},
                                    Points{{-0.3F, 0, 0}, {0.3F, 0, 0}}, make_points(Shape::debris, random)};
    const std::vector<float> radii{0, 0, 0.25F, 0.2F, 0};
    const HullSet ground =
        surface == nullptr ? build_half_spaces(std::span(&plane, 1)).hulls : surface_set(std::span(surface, 1)).hulls;
    return ground.append(build_library(lists, radii).hulls);
}

RigidBody ground(float friction = 0.6F) {
    RigidBody b;
    b.kind = BodyKind::fixed;
    b.hull = kGround;
    b.friction = friction;
    return b;
}

RigidBody placed(std::uint32_t hull, const Vec3d& at, const Quat& turn, float friction) {
    RigidBody b;
    b.hull = hull;
    b.position[0] = at.x;
    b.position[1] = at.y;
    b.position[2] = at.z;
    BodyD pose{};
    set_orientation(pose, turn);
    std::copy_n(pose.orientation, 4, b.orientation);
    b.friction = friction;
    return b;
}

WorldSettings down_z() {
    WorldSettings settings;
    settings.gravity = {0, 0, -9.81F};
    return settings;
}

double height_of(std::uint32_t hull) { return hull == kPlate ? 0.05 : hull == kCapsule ? 0.2 : 0.25; }

// One body of each kind for each speed, side by side.
constexpr float kSpeeds[] = {1, 3, 8, 20};

std::vector<RigidBody> sliders(float friction) {
    std::vector<RigidBody> bodies{ground(friction)};
    for (int i = 0; i < 16; ++i) {
        const std::uint32_t hull = kCube + static_cast<std::uint32_t>(i % 4);
        const double yaw = 0.37 * i;
        RigidBody b = placed(hull, {-8 + 0.03 * i, -8.0 + i, height_of(hull)}, about({0, 0, 1}, yaw), friction);
        bodies.push_back(b);
    }
    return bodies;
}

struct Worst {
    double speed = 0;  // difference from the half-space, relative to the speed at the start
    double lift = 0;
};

// `floor`: a surface, or null for the half-space.
void slide(const Surface* floor, const Surface& surface, float friction, Worst& worst) {
    const std::vector<RigidBody> bodies = sliders(friction);
    World plane = make_world(world_hulls(floor), bodies, down_z());
    World mesh = make_world(world_hulls(&surface), bodies, down_z());
    for (World* const world : {&plane, &mesh}) {
        run(*world, 0.4);
        for (std::size_t i = 1; i < bodies.size(); ++i) {
            ASSERT_TRUE(world->set_velocity(i, {kSpeeds[(i - 1) / 4], 0, 0}, {}));
        }
    }
    const std::vector<BodyD> start(mesh.bodies().begin(), mesh.bodies().end());
    for (int step = 0; step < 40; ++step) {
        run(plane, kWorldStep);
        run(mesh, kWorldStep);
        for (std::size_t i = 1; i < bodies.size(); ++i) {
            const Vec3d apart = to_double(mesh.velocity(i)) - to_double(plane.velocity(i));
            const auto speed = static_cast<double>(kSpeeds[(i - 1) / 4]);
            worst.speed = std::max(worst.speed, length(apart) / speed);
            worst.lift = std::max(worst.lift, mesh.bodies()[i].position[2] - start[i].position[2]);
        }
    }
}

Surface two_triangles() {
    FlatMesh m;
    m.quad(m.add(-40, -40), m.add(40, -40), m.add(40, 40), m.add(-40, 40));
    return m.build();
}

TEST(SurfaceWorld, SlidesKeepTheSpeedOfTheHalfSpace) {
    const Surface whole = two_triangles();
    Worst smooth;
    Worst rough;
    Worst plane;
    std::uint32_t slides = 0;
    for (std::uint32_t tiling = 0; tiling < kTilingCount; ++tiling) {
        const auto kind = static_cast<Tiling>(tiling);
        for (const double cell : {0.4, 3.1}) {
            Random random(tiling + 1);
            const double width = kind == Tiling::slivers ? 6 : cell;
            const auto n = static_cast<std::uint32_t>(2 * std::ceil(12 / width));
            const Surface surface = flat_mesh(kind, n, width, random).build();
            slide(nullptr, surface, 0, smooth);
            slide(&whole, surface, 0.4F, rough);
            if (tiling == 0) slide(nullptr, surface, 0.4F, plane);
            slides += 32;
        }
    }
    EXPECT_EQ(slides, kTilingCount * 64U);
    EXPECT_LE(smooth.speed, 1e-5);
    EXPECT_LE(rough.speed, 1e-5);
    // The half-space has the four corners of a box in another order, in which the solver gives them their friction.
    EXPECT_LE(plane.speed, 1e-4);
    for (const Worst* w : {&smooth, &rough, &plane}) EXPECT_LE(w->lift, 1e-4);
    std::printf("slides: %u, worst speed off by %.2e of it (friction: %.2e, from the half-space %.2e), lift %.2e m\n",
                slides, smooth.speed, rough.speed, plane.speed, std::max({smooth.lift, rough.lift, plane.lift}));
}

// Hills and valleys of 40 m, 1 m high.
double hills(double x, double y) { return 0.5 * std::sin(1.1 * x) * std::cos(0.9 * y) + 0.15 * std::sin(3.1 * x + y); }

constexpr std::uint32_t kSamples = 129;
constexpr double kStride = 0.3;

constexpr double kFrom = -0.5 * (kSamples - 1) * kStride;

// The height of the field's triangles, which is below the hills' by some centimetres where these are round.
double ground_height(double x, double y) {
    const double c = std::floor((x - kFrom) / kStride);
    const double r = std::floor((y - kFrom) / kStride);
    const auto at = [&](double i, double k) { return hills(kFrom + (c + k) * kStride, kFrom + (r + i) * kStride); };
    const double u = (x - kFrom) / kStride - c;
    const double v = (y - kFrom) / kStride - r;
    return u > v ? at(0, 0) + u * (at(0, 1) - at(0, 0)) + v * (at(1, 1) - at(0, 1))
                 : at(0, 0) + v * (at(1, 0) - at(0, 0)) + u * (at(1, 1) - at(1, 0));
}

Surface terrain() {
    static std::vector<float> heights;
    heights.clear();
    for (std::uint32_t r = 0; r < kSamples; ++r) {
        for (std::uint32_t c = 0; c < kSamples; ++c)
            heights.push_back(static_cast<float>(hills(kFrom + c * kStride, kFrom + r * kStride)));
    }
    const HeightSamples samples(heights.data(), kSamples);
    HeightFieldOptions options;
    options.rows = options.columns = kSamples;
    options.x0 = options.y0 = kFrom;
    options.dx = options.dy = kStride;
    const SurfaceResult built = build_height_field(std::span(&samples, 1), options);
    EXPECT_TRUE(built) << built.status.what;
    return built.surface;
}

std::vector<RigidBody> dropped(std::uint32_t count) {
    Random random(23);
    std::vector<RigidBody> bodies{ground()};
    for (std::uint32_t i = 0; i < count; ++i) {
        const std::uint32_t hull = kCube + i % 5;
        const double x = 2.2 * (i % 8) - 8 + random.uniform(-0.4, 0.4);
        const double y = 2.2 * (i / 8) - 8 + random.uniform(-0.4, 0.4);
        bodies.push_back(placed(hull, {x, y, 1.8 + random.uniform(0, 2)}, random.rotation(), 0.7F));
    }
    return bodies;
}

TEST(SurfaceWorld, WhatFallsOnTerrainComesToRest) {
    const Surface ground = terrain();
    const std::vector<RigidBody> bodies = dropped(40);
    WorldSettings settings = down_z();
    settings.angular_damping = 4;  // balls roll in a valley for long
    World world = make_world(world_hulls(&ground), bodies, settings);
    run(world, 10);
    std::size_t resting = 0;
    for (std::size_t i = 1; i < bodies.size(); ++i) {
        const double* p = world.bodies()[i].position;
        EXPECT_GT(p[2], ground_height(p[0], p[1]) - 0.001) << i << " at " << p[0] << ", " << p[1];
        const bool rests = speed_of(world, i) < 0.1;
        if (!rests) std::printf("body %zu of hull %u moves at %.3f m/s\n", i, bodies[i].hull, speed_of(world, i));
        resting += rests ? 1U : 0U;
    }
    std::printf("at rest after 10 s: %zu of %zu\n", resting, bodies.size() - 1);
    EXPECT_EQ(resting, bodies.size() - 1);
}

std::size_t asleep_in(const World& world) {
    std::size_t n = 0;
    for (std::size_t i = 1; i < world.size(); ++i) n += world.asleep(i) ? 1U : 0U;
    return n;
}

// Bodies at rest on terrain sleep and keep every bit; a struck one wakes, and none far from it; then all sleep again.
TEST(SurfaceWorld, BodiesOnTerrainSleepAndWake) {
    const Surface ground = terrain();
    const std::vector<RigidBody> bodies = dropped(40);
    WorldSettings settings = down_z();
    settings.angular_damping = 4;
    World world = make_world(world_hulls(&ground), bodies, settings);
    run(world, 12);
    const std::size_t slept = asleep_in(world);
    EXPECT_EQ(slept, bodies.size() - 1);
    const std::uint64_t resting = state_hash(world);
    run(world, 1);
    EXPECT_EQ(state_hash(world), resting);
    std::size_t woken = 0;
    std::size_t struck = 0;
    for (std::size_t i = 1; i + 1 < bodies.size(); i += 7) {
        const std::size_t ball = i + 1;  // is dropped on body i
        double above[3];
        std::copy_n(world.bodies()[i].position, 3, above);
        const float turn[] = {0, 0, 0, 1};
        above[2] += 1.5;
        expect_good(world.set_pose(ball, above, turn));
        EXPECT_FALSE(world.asleep(ball));
        std::vector<char> was(bodies.size());
        for (std::size_t k = 1; k < bodies.size(); ++k) was[k] = world.asleep(k) ? 1 : 0;
        bool hit = false;
        for (int step = 0; step < 60; ++step) {
            run(world, kWorldStep);
            hit = hit || !world.asleep(i);
            for (std::size_t k = 1; k < bodies.size(); ++k) {
                const Vec3d apart = world.centre(k) - Vec3d{above[0], above[1], above[2]};
                if (was[k] != 0 && length(apart) > 6) {
                    EXPECT_TRUE(world.asleep(k)) << k;
                }
            }
        }
        struck += hit ? 1U : 0U;
        run(world, 8);
        woken += bodies.size() - 1 - asleep_in(world);
        const double* p = world.bodies()[ball].position;
        EXPECT_GT(p[2], ground_height(p[0], p[1]) - 0.001) << ball;
    }
    std::printf("asleep: %zu of %zu, struck and woken: %zu of 6, still awake after 8 s: %zu\n", slept,
                bodies.size() - 1, struck, woken);
    EXPECT_EQ(struck, 6U);
    EXPECT_EQ(woken, 0U);
}

// Bodies of this radius that are thrown down at a slant, and how many of them pass the ground within half a second.
struct Thrown {
    std::uint32_t bodies = 0, below = 0;
    double deepest = 0;  // that a centre was below the ground, in radii
};

constexpr std::uint32_t kThrown = 24;

Thrown thrown(const Surface& ground, double radius, double speed, double slant) {
    std::vector<RigidBody> bodies{lanefold::test::ground()};
    const std::vector<Points> lists{Points{{0, 0, 0}}, box_points(radius, radius, radius),
                                    Points{{-static_cast<float>(radius), 0, 0}, {static_cast<float>(radius), 0, 0}}};
    const std::vector<float> radii{static_cast<float>(radius), 0, static_cast<float>(radius)};
    const HullSet hulls = surface_set(std::span(&ground, 1)).hulls.append(build_library(lists, radii).hulls);
    Random random(29);
    for (std::uint32_t i = 0; i < kThrown; ++i) {
        RigidBody b = placed(1 + i % 3, {2.0 * (i % 8) - 7, 4.0 * (i / 8) - 5, 3.0 + 0.1 * i}, random.rotation(), 0.5F);
        b.velocity[0] = static_cast<float>(slant * speed * random.uniform(-1, 1));
        b.velocity[1] = static_cast<float>(slant * speed * random.uniform(-1, 1));
        b.velocity[2] = static_cast<float>(-speed);
        bodies.push_back(b);
    }
    World world = make_world(hulls, bodies, down_z());
    Thrown out;
    for (int step = 0; step < 30; ++step) {
        run(world, kWorldStep);
        out.below = 0;
        for (std::size_t i = 1; i < bodies.size(); ++i) {
            const double* p = world.bodies()[i].position;
            if (std::fabs(p[0]) > 19 || std::fabs(p[1]) > 19) continue;  // beside the field
            const double under = ground_height(p[0], p[1]) - p[2];
            out.deepest = std::max(out.deepest, under / radius);
            out.below += under > 0 ? 1U : 0U;
        }
    }
    out.bodies = kThrown;
    return out;
}

// The contacts of a step are those with the ground that is nearest as it begins. A body that goes further than its own
// size may meet a slope beside that ground first; its way is followed, and it stops there.
TEST(SurfaceWorld, NoBodyPassesTerrain) {
    const Surface ground = terrain();
    std::uint32_t bodies = 0;
    for (const double radius : {0.4, 0.25, 0.1, 0.02}) {
        for (const double speed : {10.0, 30.0, 100.0}) {
            for (const double slant : {0.2, 2.0}) {
                const Thrown t = thrown(ground, radius, speed, slant);
                std::printf("radius %.2f m, %.0f m/s, slant %.1f: %u of %u below, centres at most %.2f radii\n", radius,
                            speed, slant, t.below, t.bodies, t.deepest);
                EXPECT_EQ(t.below, 0U) << radius << " m, " << speed << " m/s";
                bodies += t.bodies;
            }
        }
    }
    EXPECT_EQ(bodies, 24 * kThrown);
}

TEST(SurfaceWorld, ThreadsDoNotChangeABit) {
    const Surface ground = terrain();
    std::vector<std::uint64_t> hashes;
    for (const int threads : {1, 4}) {
        tbb::task_arena arena(threads);
        arena.execute([&] {
            World world = make_world(world_hulls(&ground), dropped(20), down_z());
            run(world, 1);
            hashes.push_back(state_hash(world));
        });
    }
    EXPECT_EQ(hashes[0], hashes[1]);
}

TEST(SurfaceWorld, ASavedStateGoesOnToTheSameBits) {
    const Surface ground = terrain();
    const std::vector<RigidBody> bodies = dropped(20);
    World world = make_world(world_hulls(&ground), bodies, down_z());
    std::size_t several = 0;
    for (int step = 0; step < 60; ++step) {
        run(world, kWorldStep);
        const std::span<const Manifold4> contacts = world.contacts();
        std::size_t now = 0;
        for (std::size_t i = 1; i < contacts.size(); ++i)
            now += contacts[i].pair[1] == contacts[i - 1].pair[1] ? 1U : 0U;
        several += now;
        if (now == 0) continue;
        std::vector<std::byte> bytes;
        expect_good(world.save(bytes));
        World other = make_world(world_hulls(&ground), bodies, down_z());
        expect_good(other.restore(bytes));
        run(other, kWorldStep);
        run(world, kWorldStep);
        EXPECT_EQ(state_hash(other), state_hash(world));
    }
    EXPECT_GT(several, 10U);
}

// A backend with a narrowphase call of its own hands in all records of a pair.
TEST(SurfaceWorld, AdvanceTakesSeveralManifoldsWithASurface) {
    const Surface ground = terrain();
    World world = make_world(world_hulls(&ground), dropped(20), down_z());
    run(world, 1);
    std::vector<Pair> pairs;
    for (std::uint32_t i = 1; i < world.size(); ++i) pairs.push_back({0, i});
    std::vector<Manifold4> manifolds(500);
    Options options;
    options.margin = 0.05F;
    Workspace workspace;
    const CompactResult r = collide_compact(world_hulls(&ground), world.bodies(), pairs, options,
                                            std::span<Manifold4>(manifolds), workspace);
    ASSERT_TRUE(r.status) << r.status.what;
    manifolds.resize(r.written);
    ASSERT_GT(r.written, r.touching);
    EXPECT_TRUE(world.advance(kWorldStep, manifolds).status);
    EXPECT_EQ(world.contacts().size(), manifolds.size());
    const std::vector<Manifold4> many(65, manifolds[0]);
    EXPECT_EQ(world.advance(kWorldStep, many).status.where, 64U);
    EXPECT_TRUE(world.advance(kWorldStep, std::span(many).first(64)).status);
}

TEST(SurfaceWorld, SurfacesAreFixedOrKinematic) {
    const Surface ground = terrain();
    World world(world_hulls(&ground));
    RigidBody body = lanefold::test::ground();
    for (const BodyKind kind : {BodyKind::fixed, BodyKind::dynamic, BodyKind::kinematic}) {
        body.kind = kind;
        EXPECT_EQ(bool{world.add_bodies(std::span(&body, 1))}, kind != BodyKind::dynamic);
    }
}

}  // namespace
}  // namespace lanefold::test
