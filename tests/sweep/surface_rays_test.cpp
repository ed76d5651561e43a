// SPDX-License-Identifier: MIT
//
// Rays and surfaces: the first triangle beside brute force, no ray between two triangles, nothing from behind, a height
// field gives the bits of its mesh, bodies and surfaces in one call.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <cstring>
#include <vector>

#include <lanefold/rays.hpp>

#include "support/field_and_mesh.hpp"
#include "support/meshes.hpp"
#include "support/ray_scene.hpp"

namespace lanefold::test {
namespace {

Surface built(const Mesh& mesh) {
    const SurfaceResult r = build_surface(mesh.points, mesh.triangles);
    EXPECT_TRUE(r) << r.status.what;
    return r.surface;
}

reference::OracleSurface oracle_of(const Surface& surface) {
    const SurfaceArrays arrays = surface_arrays(surface);
    return reference::make_oracle_surface(arrays.vertices, arrays.triangles);
}

std::vector<RayHit> cast(const Surface& surface, const SurfacePose& pose, std::span<const Ray> rays,
                         bool back_faces = false, const RayScenery& scene = {}) {
    const PlacedSurface placed[1] = {{&surface, pose}};
    std::vector<RayHit> out(rays.size());
    SweepWorkspace workspace;
    const RayResult r =
        cast_rays_serial(scene.hulls, scene.view(), rays, out, workspace, {RayMode::first, placed, back_faces});
    EXPECT_TRUE(r.status) << r.status.what;
    return out;
}

SurfacePose random_pose(Random& random) {
    const BodyD b = body_at(random.in_ball() * 3.0, random.rotation(), 0);
    SurfacePose pose;
    std::memcpy(pose.position, b.position, sizeof pose.position);
    std::memcpy(pose.orientation, b.orientation, sizeof pose.orientation);
    return pose;
}

// A ray of the surface's axes in the world.
Ray placed_ray(const SurfacePose& pose, const Vec3d& from, const Vec3d& to) {
    const PoseD p = reference::oracle_pose(pose.position, pose.orientation);
    const Vec3d origin = transform(p, from);
    return ray_of(origin, transform(p, to) - origin);
}

struct Sums {
    std::size_t hits = 0;
    std::size_t misses = 0;
    double worst = 0;
};

void compare(const Surface& surface, const SurfacePose& pose, std::span<const Ray> rays, bool back_faces, Sums& sums) {
    const reference::OracleSurface oracle = oracle_of(surface);
    const PoseD p = reference::oracle_pose(pose.position, pose.orientation);
    const std::vector<RayHit> hits = cast(surface, pose, rays, back_faces);
    for (std::size_t i = 0; i < rays.size(); ++i) {
        const reference::OracleRay ray = {transpose_times(p.rotation, origin_of(rays[i]) - p.position),
                                          transpose_times(p.rotation, direction_of(rays[i]))};
        const auto first = [&](double grow) { return reference::first_crossing(oracle, ray, grow, back_faces); };
        const reference::OracleCrossing early = first(1e-9);
        const reference::OracleCrossing late = first(-1e-9);
        const double slack = 2e-6 * surface.size() / length(ray.direction);
        if (hits[i].state == RayState::miss) {
            ++sums.misses;
            EXPECT_FALSE(late.any) << i;
            continue;
        }
        ++sums.hits;
        ASSERT_TRUE(early.any) << i;
        EXPECT_GE(hits[i].fraction, early.fraction - slack) << i;
        if (!late.any) continue;
        EXPECT_LE(hits[i].fraction, late.fraction + slack) << i;
        sums.worst = std::max(sums.worst, std::fabs(hits[i].fraction - late.fraction) / slack * 2e-6);
        const Vec3d n = to_double({hits[i].normal[0], hits[i].normal[1], hits[i].normal[2]});
        EXPECT_LT(length(n - p.rotation * oracle.normals[hits[i].feature]), 1e-6) << i;
    }
}

TEST(SurfaceRays, TheFirstTriangleIsTheOracles) {
    Random random(3);
    Sums sums;
    for (int round = 0; round < 6; ++round) {
        const Surface surface =
            built(round % 2 == 0 ? grid_mesh(12, 0.4F, static_cast<std::uint64_t>(5 + round)) : ball_mesh(8, 12, 0.5F));
        const SurfacePose pose = random_pose(random);
        std::vector<Ray> rays;
        for (int i = 0; i < 300; ++i) {
            const Vec3d to = Vec3d{0.5, 0.5, 0.2} + random.in_ball() * 0.7;
            rays.push_back(placed_ray(pose, to + random.direction() * random.log_uniform(0.1, 1e4),
                                      to + random.direction() * 0.5));
        }
        compare(surface, pose, rays, round >= 4, sums);
    }
    std::printf("%zu hits, %zu misses, worst %.2g of size\n", sums.hits, sums.misses, sums.worst);
    EXPECT_GT(sums.hits, 300U);
    EXPECT_GT(sums.misses, 300U);
}

// Rays to points on edges and vertices of a closed mesh, from outside: a ray between two triangles would leave it
// without a hit, because the inner sides of the others do not count.
TEST(SurfaceRays, NoRayPassesBetweenTriangles) {
    Random random(4);
    std::size_t rays_cast = 0;
    for (int round = 0; round < 40; ++round) {
        const Mesh mesh = ball_mesh(6, 8, 0.5F);
        const Surface surface = built(mesh);
        SurfacePose pose = random_pose(random);
        if (round == 0) pose = {};
        std::vector<Ray> rays;
        for (std::uint32_t t = 0; t < surface.triangle_count(); ++t) {
            const std::array<std::uint32_t, 3> v = surface.triangle(t);
            for (std::size_t k = 0; k < 3; ++k) {
                const Vec3d a = to_double(surface.vertex(v[k]));
                const Vec3d b = to_double(surface.vertex(v[(k + 1) % 3]));
                const Vec3d to = a + (b - a) * (random.chance(0.5) ? 0.0 : random.uniform());
                const Vec3d from = to + normalized(to + random.in_ball() * 0.3) * random.log_uniform(1e-3, 1e3);
                rays.push_back(placed_ray(pose, from, to + (to - from)));
            }
        }
        for (const RayHit& h : cast(surface, pose, rays)) EXPECT_EQ(h.state, RayState::hit);
        rays_cast += rays.size();
    }
    EXPECT_GT(rays_cast, 5000U);
}

TEST(SurfaceRays, FromBehindARayPassesUnlessAsked) {
    const Mesh mesh = box_mesh({0, 0, 0}, {1, 1, 1});
    const Surface surface = built(mesh);
    const Ray rays[3] = {ray_of({0.4, 0.3, 5}, {0, 0, -10}), ray_of({0.4, 0.3, 0.5}, {0, 0, -10}),
                         ray_of({0.4, 0.3, 0.5}, {0, 0, 10})};
    const std::vector<RayHit> outer = cast(surface, {}, rays);
    EXPECT_EQ(outer[0].state, RayState::hit);
    EXPECT_NEAR(outer[0].fraction, 0.4, 1e-12);
    EXPECT_EQ(outer[0].body, 0U);
    EXPECT_EQ(outer[1].state, RayState::miss) << "it begins at the inner side: a surface has no inside";
    EXPECT_EQ(outer[2].state, RayState::miss);
    const std::vector<RayHit> both = cast(surface, {}, rays, true);
    EXPECT_EQ(both[1].state, RayState::hit);
    EXPECT_NEAR(both[1].fraction, 0.05, 1e-12);
    EXPECT_EQ(both[1].normal[2], -1);
    // All hits of a ray: both triangles, in order.
    const PlacedSurface placed[1] = {{&surface, {}}};
    std::uint64_t offsets[2];
    RayHit hits[4];
    SweepWorkspace workspace;
    const RayResult r =
        cast_rays_all_serial({}, BodyView{}, {rays, 1}, offsets, hits, workspace, {RayMode::first, placed, true});
    ASSERT_EQ(r.required, 2U);
    EXPECT_NEAR(hits[0].fraction, 0.4, 1e-12);
    EXPECT_NEAR(hits[1].fraction, 0.5, 1e-12);
}

TEST(SurfaceRays, AHeightFieldGivesTheBitsOfItsMesh) {
    Random random(9);
    constexpr std::size_t kRows = 37;
    constexpr std::size_t kColumns = 23;
    const auto [field, mesh, numbers] = field_and_mesh(random, kRows, kColumns, 2);
    const SurfacePose pose = random_pose(random);
    std::vector<Ray> rays;
    for (int i = 0; i < 2000; ++i) {
        const Vec3d to = {random.uniform(-2, kColumns + 1), random.uniform(-2, kRows + 1), random.uniform(-1, 3)};
        const double away = i % 3 == 0 ? 0.0 : random.uniform(-40, 40);
        rays.push_back(placed_ray(pose, {to.x + away, to.y - 0.7 * away, random.uniform(0, 9)}, to));
    }
    std::vector<RayHit> of_field = cast(field, pose, rays);
    const std::vector<RayHit> of_mesh = cast(mesh, pose, rays);
    std::size_t hits = 0;
    for (std::size_t i = 0; i < rays.size(); ++i) {
        RayHit expected = of_mesh[i];
        if (expected.state == RayState::hit) {
            expected.feature = numbers[expected.feature];
            ++hits;
        }
        EXPECT_EQ(std::memcmp(&of_field[i], &expected, sizeof expected), 0) << i;
    }
    std::printf("%zu hits of %zu\n", hits, rays.size());
    EXPECT_GT(hits, 500U);
    EXPECT_LT(hits, rays.size() - 200);
}

TEST(SurfaceRays, BodiesAndSurfacesAreOneScene) {
    const RayScenery s = make_ray_scene({21, 30, 400, 6, {}});
    const Surface ball = built(ball_mesh(8, 12, 4));
    const std::vector<RayHit> bodies = cast(Surface{}, {}, s.rays, false, s);
    const std::vector<RayHit> surface = cast(ball, {}, s.rays);
    const std::vector<RayHit> both = cast(ball, {}, s.rays, false, s);
    std::size_t on_surface = 0;
    for (std::size_t i = 0; i < s.rays.size(); ++i) {
        RayHit expected = bodies[i];
        if (surface[i].state == RayState::hit &&
            (bodies[i].state == RayState::miss || surface[i].fraction < bodies[i].fraction)) {
            expected = surface[i];
            expected.body = static_cast<std::uint32_t>(s.bodies.size());
            ++on_surface;
        }
        EXPECT_EQ(std::memcmp(&both[i], &expected, sizeof expected), 0) << i;
    }
    EXPECT_GT(on_surface, 50U);
    EXPECT_LT(on_surface, 350U);
}

}  // namespace
}  // namespace lanefold::test
