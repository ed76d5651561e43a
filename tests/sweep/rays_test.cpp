// SPDX-License-Identifier: MIT
//
// Rays: the first hit is on a surface and nothing is before it, by the oracle's distances of points; closed forms; the
// same bits on all cores and in any order; bad input is a status of its ray.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <cstring>
#include <limits>
#include <vector>

#include <tbb/task_arena.h>

#include <lanefold/rays.hpp>

#include "support/hulls.hpp"

namespace lanefold::test {
namespace {

struct RayScenery {
    Library library;
    std::vector<BodyD> bodies;
    std::vector<PoseD> poses;
    std::vector<Ray> rays;

    BodyView view() const { return BodyView(std::span<const BodyD>(bodies)); }
    double size(std::size_t i) const {
        const reference::OracleHull& h = library.oracle[bodies[i].hull];
        return h.size + h.round_radius;
    }
    // The distance of a world point from the nearest surface, relative to the body's size.
    double above(const Vec3d& p) const {
        double least = INFINITY;
        for (std::size_t i = 0; i < bodies.size(); ++i) {
            const double d =
                reference::point_distance(library.oracle[bodies[i].hull], poses[i].rotation, p - poses[i].position);
            least = std::min(least, d / size(i));
        }
        return least;
    }
};

Vec3d at(const Ray& r, double fraction) {
    return Vec3d{r.origin[0], r.origin[1], r.origin[2]} +
           Vec3d{r.direction[0], r.direction[1], r.direction[2]} * fraction;
}

Ray ray_of(const Vec3d& from, const Vec3d& by) { return {{from.x, from.y, from.z}, {by.x, by.y, by.z}}; }

RayScenery make_scenery(std::uint64_t seed, std::uint32_t bodies, std::uint32_t rays) {
    RayScenery s;
    std::vector<Points> points;
    std::vector<float> radii;
    Random random(seed);
    for (const Shape shape : {Shape::box, Shape::debris, Shape::prism, Shape::rotated_box, Shape::wedge}) {
        points.push_back(make_points(shape, random));
        radii.push_back(0);
    }
    points.push_back({{0.2F, 0.1F, 0}});
    radii.push_back(0.7F);
    s.library = build_library(points, radii);
    for (std::uint32_t i = 0; i < bodies; ++i) {
        BodyD b = {};
        const Vec3d p = random.in_ball() * 6.0;
        const double at_b[3] = {p.x, p.y, p.z};
        std::memcpy(b.position, at_b, sizeof at_b);
        const Quat q = random.rotation();
        const float turned[4] = {static_cast<float>(q.x), static_cast<float>(q.y), static_cast<float>(q.z),
                                 static_cast<float>(q.w)};
        std::memcpy(b.orientation, turned, sizeof turned);
        b.hull = random.index(static_cast<std::uint32_t>(s.library.size()));
        s.bodies.push_back(b);
        s.poses.push_back(reference::oracle_pose(b.position, b.orientation));
    }
    for (std::uint32_t i = 0; i < rays; ++i) {
        const Vec3d from = random.direction() * random.uniform(2, 20);
        const Vec3d to = random.in_ball() * 6.0;
        s.rays.push_back(ray_of(from, to - from));
    }
    return s;
}

std::vector<RayHit> cast(const RayScenery& s, std::span<const Ray> rays) {
    std::vector<RayHit> out(rays.size());
    SweepWorkspace workspace;
    const RayResult r = cast_rays_serial(s.library.hulls, s.view(), rays, out, workspace);
    EXPECT_TRUE(r.status) << r.status.what;
    return out;
}

TEST(Rays, FirstHitsAreOnASurfaceAndNothingIsBefore) {
    const RayScenery s = make_scenery(5, 40, 500);
    const std::vector<RayHit> hits = cast(s, s.rays);
    std::size_t by_state[kRayStateCount] = {};
    double worst = 0;
    for (std::size_t i = 0; i < hits.size(); ++i) {
        const RayHit& h = hits[i];
        ++by_state[static_cast<std::size_t>(h.state)];
        for (int k = 0; k < 20 && h.fraction > 0; ++k) {
            const double f = h.fraction * (k + 0.5) / 20;
            ASSERT_GT(s.above(at(s.rays[i], f)), -2e-6) << "ray " << i << " is in a body at " << f;
        }
        if (h.state == RayState::inside) {
            EXPECT_LT(s.above(at(s.rays[i], 0)), 2e-6) << i;
        }
        if (h.state != RayState::hit) continue;
        const Vec3d p = at(s.rays[i], h.fraction) - s.poses[h.body].position;
        const double off =
            reference::point_distance(s.library.oracle[s.bodies[h.body].hull], s.poses[h.body].rotation, p) /
            s.size(h.body);
        worst = std::max(worst, std::fabs(off));
        EXPECT_LE(std::fabs(off), 2e-6) << i;
        const Vec3d n = to_double({h.normal[0], h.normal[1], h.normal[2]});
        EXPECT_NEAR(length(n), 1, 1e-6);
        EXPECT_LT(dot(n, Vec3d{s.rays[i].direction[0], s.rays[i].direction[1], s.rays[i].direction[2]}), 0) << i;
    }
    std::printf("misses %zu, hits %zu, inside %zu; off the surface by %.2g of size\n", by_state[0], by_state[1],
                by_state[2], worst);
    EXPECT_GT(by_state[0], 50U);
    EXPECT_GT(by_state[1], 100U);
    EXPECT_GT(by_state[2], 5U);
    EXPECT_EQ(by_state[3], 0U);
}

TEST(Rays, AllCoresAndAnyOrderGiveTheSame) {
    const RayScenery s = make_scenery(6, 300, 3000);
    const std::vector<RayHit> hits = cast(s, s.rays);
    std::vector<RayHit> out(s.rays.size());
    SweepWorkspace workspace;
    tbb::task_arena arena(4);
    RayResult r;
    arena.execute([&] { r = cast_rays(s.library.hulls, s.view(), s.rays, out, workspace); });
    ASSERT_TRUE(r.status) << r.status.what;
    EXPECT_EQ(std::memcmp(out.data(), hits.data(), out.size() * sizeof(RayHit)), 0);
    for (std::size_t i = 0; i < 100; ++i) {
        const std::vector<RayHit> alone = cast(s, {&s.rays[i], 1});
        EXPECT_EQ(std::memcmp(alone.data(), &hits[i], sizeof(RayHit)), 0) << i;
    }
}

TEST(Rays, ClosedForms) {
    RayScenery s;
    const Points points[2] = {box_points(1, 2, 3), {{0, 0, 0}}};
    const float radii[2] = {0, 1.5F};
    s.library = build_library(points, radii);
    s.bodies = {{{0, 0, 0}, {0, 0, 0, 1}, 0, 0}, {{10, 0, 0}, {0, 0, 0, 1}, 1, 0}, {{10, 0, 0}, {0, 0, 0, 1}, 1, 0}};
    const Ray rays[5] = {ray_of({-5, 0.5, 0.5}, {10, 0, 0}), ray_of({20, 0, 0}, {-20, 0, 0}),
                         ray_of({0.5, 0, 0}, {5, 0, 0}), ray_of({-5, 2.1, 0}, {10, 0, 0}),
                         ray_of({-5, 0, 0}, {3.9, 0, 0})};
    const std::vector<RayHit> h = cast(s, rays);
    EXPECT_EQ(h[0].state, RayState::hit);
    EXPECT_DOUBLE_EQ(h[0].fraction, 0.4);
    EXPECT_EQ(h[0].normal[0], -1);
    EXPECT_EQ(h[1].state, RayState::hit);
    EXPECT_DOUBLE_EQ(h[1].fraction, 8.5 / 20);
    EXPECT_EQ(h[1].body, 1U);  // of two at one place the lower
    EXPECT_EQ(h[1].normal[0], 1);
    EXPECT_EQ(h[2].state, RayState::inside);
    EXPECT_EQ(h[2].fraction, 0);
    EXPECT_EQ(h[3].state, RayState::miss);
    EXPECT_EQ(h[4].state, RayState::miss);
}

TEST(Rays, BadInputIsAStatusOfItsRay) {
    RayScenery s = make_scenery(7, 40, 50);
    const std::vector<RayHit> good = cast(s, s.rays);
    s.rays[3].origin[1] = std::numeric_limits<double>::quiet_NaN();
    s.rays[4] = ray_of({1, 2, 3}, {0, 0, 0});
    s.rays[5].direction[0] = std::numeric_limits<double>::infinity();
    const std::vector<RayHit> hits = cast(s, s.rays);
    for (std::size_t i = 0; i < hits.size(); ++i) {
        if (i >= 3 && i <= 5) {
            EXPECT_EQ(hits[i].state, RayState::failed) << i;
            EXPECT_EQ(hits[i].status, Status::bad_pose) << i;
        } else {
            EXPECT_EQ(std::memcmp(&hits[i], &good[i], sizeof(RayHit)), 0) << i;
        }
    }
    s.bodies[0].position[0] = std::numeric_limits<double>::quiet_NaN();
    std::vector<RayHit> out(s.rays.size());
    SweepWorkspace workspace;
    EXPECT_EQ(cast_rays_serial(s.library.hulls, s.view(), s.rays, out, workspace).left_out, 1U);
    out.pop_back();
    const RayResult r = cast_rays_serial(s.library.hulls, s.view(), s.rays, out, workspace);
    EXPECT_STREQ(r.status.what, "out and rays differ in length");
}

// A ray that comes to a capsule has no answer, one that stops or hits before has.
TEST(Rays, ShapesThatAreNotTakenAreTold) {
    RayScenery s;
    const Points points[2] = {{{-1, 0, 0}, {1, 0, 0}}, box_points(1, 1, 1)};
    const float radii[2] = {0.5F, 0};
    s.library = build_library(points, radii);
    s.bodies = {{{0, 0, 0}, {0, 0, 0, 1}, 0, 0}, {{-6, 0, 0}, {0, 0, 0, 1}, 1, 0}};
    const Ray rays[3] = {ray_of({0, 10, 0}, {0, -20, 0}), ray_of({-10, 0, 0}, {20, 0, 0}),
                         ray_of({0, 10, 0}, {0, -2, 0})};
    const std::vector<RayHit> h = cast(s, rays);
    EXPECT_EQ(h[0].state, RayState::failed);
    EXPECT_EQ(h[1].state, RayState::hit);
    EXPECT_EQ(h[2].state, RayState::miss);
}

}  // namespace
}  // namespace lanefold::test
