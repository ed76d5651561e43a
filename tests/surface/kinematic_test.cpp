// SPDX-License-Identifier: MIT
//
// Surfaces that move and turn in a World, as kinematic bodies: what they carry goes as on a slab that moves alike, and
// nothing passes terrain that tilts.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

#include <lanefold/collide_surface.hpp>
#include <lanefold/surface_set.hpp>

#include "support/hulls.hpp"
#include "support/meshes.hpp"
#include "support/poses.hpp"
#include "support/world_scene.hpp"

namespace lanefold::test {
namespace {

enum Id : std::uint32_t { kGround, kCube, kPlate, kSphere, kCapsule, kSlab };

WorldSettings down_z() {
    WorldSettings settings;
    settings.gravity = {0, 0, -9.81F};
    return settings;
}

// A square of side 20 about the origin.
Surface square(std::uint32_t cells, float rough, std::uint64_t seed) {
    Mesh mesh = grid_mesh(cells, rough, seed);
    for (Vec3f& p : mesh.points) p = {20 * p.x - 10, 20 * p.y - 10, p.z};
    const SurfaceResult built = build_surface(mesh.points, mesh.triangles);
    EXPECT_TRUE(built) << built.status.what;
    return built.surface;
}

HullSet hulls_of(const Surface& ground) {
    Points slab;
    for (const float x : {-10.0F, 10.0F})
        for (const float y : {-10.0F, 10.0F})
            for (const float z : {-1.0F, 0.0F}) slab.push_back({x, y, z});
    const std::vector<Points> lists{box_points(0.25, 0.25, 0.25), box_points(0.4, 0.3, 0.05), Points{{0, 0, 0}},
                                    Points{{-0.3F, 0, 0}, {0.3F, 0, 0}}, slab};
    const std::vector<float> radii{0, 0, 0.25F, 0.2F, 0};
    return surface_set(std::span(&ground, 1)).hulls.append(build_library(lists, radii).hulls);
}

double height_of(std::uint32_t hull) { return hull == kPlate ? 0.05 : hull == kCapsule ? 0.2 : 0.25; }

RigidBody placed(std::uint32_t hull, const Vec3d& at) {
    RigidBody b;
    b.hull = hull;
    b.position[0] = at.x;
    b.position[1] = at.y;
    b.position[2] = at.z;
    return b;
}

std::vector<RigidBody> riders(std::uint32_t ground, const Vec3f& velocity, const Vec3f& spin, double above = 0) {
    std::vector<RigidBody> bodies{placed(ground, {})};
    bodies[0].kind = BodyKind::kinematic;
    const float v[3] = {velocity.x, velocity.y, velocity.z}, w[3] = {spin.x, spin.y, spin.z};
    std::copy_n(v, 3, bodies[0].velocity);
    std::copy_n(w, 3, bodies[0].spin);
    for (int i = 0; i < 16; ++i) {
        const std::uint32_t hull = kCube + static_cast<std::uint32_t>(i % 4);
        bodies.push_back(placed(hull, {-4.0 + 2.6 * (i % 4) + 0.1 * i, -4.0 + 2.6 * (i / 4), height_of(hull) + above}));
    }
    return bodies;
}

struct Carried {
    double apart = 0;  // of bodies on the surface from those on the slab, metres
    double moved = 0;  // by the slab at most
};

Carried beside_slab(const Vec3f& velocity, const Vec3f& spin, double seconds) {
    const HullSet hulls = hulls_of(square(12, 0, 1));
    World mesh = make_world(hulls, riders(kGround, {}, {}), down_z());
    World slab = make_world(hulls, riders(kSlab, {}, {}), down_z());
    const std::vector<BodyD> start(slab.bodies().begin(), slab.bodies().end());
    Carried out;
    for (double t = kWorldStep; t < seconds; t += kWorldStep) {
        const double way = t < 0.5 ? t * t : t - 0.25;  // it sets in gently: no body is struck or left
        const Vec3d to = to_double(velocity) * way;
        const double angle = length(to_double(spin)) * way;
        const double at_end[3] = {to.x, to.y, to.z};
        BodyD turned{};
        set_orientation(turned, angle > 0 ? about(normalized(to_double(spin)), angle) : Quat{});
        for (World* const world : {&mesh, &slab}) {
            EXPECT_TRUE(world->set_target(0, at_end, turned.orientation, kWorldStep));
            run(*world, kWorldStep);
        }
        for (std::size_t i = 1; i < mesh.size(); ++i) {
            const auto at = [&](const BodyD& b) { return Vec3d{b.position[0], b.position[1], b.position[2]}; };
            out.apart = std::max(out.apart, length(at(mesh.bodies()[i]) - at(slab.bodies()[i])));
            out.moved = std::max(out.moved, length(at(slab.bodies()[i]) - at(start[i])));
        }
    }
    return out;
}

TEST(SurfaceKinematic, CarriesLikeASlab) {
    const struct {
        const char* name;
        Vec3f velocity, spin;
        double seconds, moved;
    } motions[] = {{"lift", {0, 0, 1}, {}, 1, 0.6},
                   {"belt", {2, 0, 0}, {}, 1, 1},
                   {"turntable", {}, {0, 0, 0.5F}, 1, 0.5},
                   {"tilting floor", {}, {0, 0.3F, 0}, 2, 1}};
    for (const auto& m : motions) {
        const Carried carried = beside_slab(m.velocity, m.spin, m.seconds);
        std::printf("%s: moved by up to %.3f m, apart by %.2g m\n", m.name, carried.moved, carried.apart);
        EXPECT_GT(carried.moved, m.moved) << m.name;
        EXPECT_LT(carried.apart, 1e-3) << m.name;
    }
}

// A floor of friction 0.6 tilts: a cube stays on it up to 31 degrees, and slides from there on.
TEST(SurfaceKinematic, ACubeSlidesFromItsAngleOn) {
    const HullSet hulls = hulls_of(square(12, 0, 1));
    constexpr float kSpin = 0.2F;
    std::vector<RigidBody> bodies = riders(kGround, {}, {0, kSpin, 0});
    bodies.resize(2);  // the cube, level with the axis
    bodies[1].position[0] = bodies[1].position[1] = 0;
    World world = make_world(hulls, bodies, down_z());
    double slid = 0;
    for (double angle = 0; angle < 0.7; angle += static_cast<double>(kSpin) * kWorldStep) {
        run(world, kWorldStep);
        const BodyD& cube = world.bodies()[1];
        const Vec3d p = {cube.position[0], cube.position[1], cube.position[2]};
        const double turned = angle + static_cast<double>(kSpin) * kWorldStep;
        const double along = p.x * std::cos(turned) - p.z * std::sin(turned);
        if (slid == 0 && along > 0.01) slid = turned;
    }
    std::printf("slid by 1 cm at %.3f rad, from %.3f on, the angle of its friction\n", slid, std::atan(0.6));
    // Beyond that angle it gains g times the further angle, so its way is g spin t^3 / 6.
    const double later = std::cbrt(6 * 0.01 * static_cast<double>(kSpin) * static_cast<double>(kSpin) / 9.81);
    EXPECT_NEAR(slid, std::atan(0.6) + later, 0.01);
}

// Bodies fall on rough terrain that tilts to and fro, rises and sinks: none is ever deep in it, none below it.
TEST(SurfaceKinematic, NoBodyPassesTerrainThatMoves) {
    const Surface ground = square(20, 0.8F, 3);
    const HullSet hulls = hulls_of(ground);
    World world = make_world(hulls, riders(kGround, {}, {}, 1.5), down_z());
    double deepest = 0;
    std::size_t touches = 0;
    SurfaceContacts contacts;
    for (int step = 0; step < 240; ++step) {
        const double t = step * kWorldStep;
        ASSERT_TRUE(world.set_velocity(0, {0, 0, static_cast<float>(1.5 * std::cos(5 * t))},
                                       {0, static_cast<float>(0.4 * std::cos(2 * t)), 0.2F}));
        run(world, kWorldStep);
        SurfacePose pose;
        const BodyD& at = world.bodies()[0];
        std::copy_n(at.position, 3, pose.position);
        std::copy_n(at.orientation, 4, pose.orientation);
        Options options;
        options.margin = 0.02F;
        std::vector<std::uint32_t> list;
        for (std::uint32_t i = 1; i < world.size(); ++i) list.push_back(i);
        ASSERT_TRUE(collide_surface(ground, pose, hulls, BodyView(world.bodies()), list, options, contacts));
        for (const Manifold4& m : contacts.records) {
            const std::uint32_t hull = world.bodies()[m.pair[0]].hull;
            deepest = std::max(deepest, -static_cast<double>(m.distance) / (2 * height_of(hull)));
            ++touches;
        }
    }
    std::size_t below = 0;
    for (std::size_t i = 1; i < world.size(); ++i) below += world.bodies()[i].position[2] < -3 ? 1U : 0U;
    std::printf("%zu contacts, the deepest by %.2g of the body's thickness; %zu bodies fell off\n", touches, deepest,
                below);
    EXPECT_LT(deepest, 0.275);  // a quarter is what a step may overlap by, to a tenth of it
    EXPECT_EQ(below, 0U);
    EXPECT_GT(touches, 2000U);
}

TEST(SurfaceKinematic, CanHaveNoMass) {
    const HullSet hulls = hulls_of(square(2, 0, 1));
    World world(hulls);
    RigidBody body = placed(kGround, {});
    const CallStatus status = world.add_bodies(std::span(&body, 1));
    EXPECT_EQ(status.code, Status::bad_argument);
    EXPECT_NE(std::string(status.what).find("fixed or kinematic"), std::string::npos) << status.what;
    body.kind = BodyKind::kinematic;
    EXPECT_TRUE(world.add_bodies(std::span(&body, 1)));
    const double to[3] = {0, 0, 1};
    const float turned[4] = {0, 0, 0.6F, 0.8F};
    ASSERT_TRUE(world.set_target(0, to, turned, kWorldStep));
    run(world, kWorldStep);
    EXPECT_NEAR(world.bodies()[0].position[2], 1, 1e-6);
    EXPECT_NEAR(world.bodies()[0].orientation[2], 0.6, 1e-5);
}

}  // namespace
}  // namespace lanefold::test
