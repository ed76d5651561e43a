// SPDX-License-Identifier: MIT
//
// The oracle against an exhaustive search (every axis of every pair of features with both signs and full supports), and
// against distances that follow from the shapes.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <numbers>

#include <gtest/gtest.h>

#include <lanefold/reference.hpp>

#include "support/hulls.hpp"
#include "support/poses.hpp"

namespace lanefold::test {
namespace {

using reference::OracleHull;

// Largest separation over all faces and all pairs of edges: no pruning, no arc test, plain cross products.
double exhaustive_separation(const OracleHull& a, const PoseD& pa, const OracleHull& b, const PoseD& pb) {
    double best = -std::numeric_limits<double>::infinity();
    const auto offer = [&](const Vec3d& n) { best = std::max(best, reference::separation_along(a, pa, b, pb, n)); };
    for (const Vec3d& n : a.normals) offer(pa.rotation * n);
    for (const Vec3d& n : b.normals) offer(-(pb.rotation * n));
    for (const auto& e : a.edges) {
        const Vec3d da = pa.rotation * (a.vertices[e.v[1]] - a.vertices[e.v[0]]);
        for (const auto& f : b.edges) {
            const Vec3d db = pb.rotation * (b.vertices[f.v[1]] - b.vertices[f.v[0]]);
            const Vec3d c = cross(da, db);
            if (length(c) < 1e-11 * length(da) * length(db)) continue;
            const Vec3d n = normalized(c);
            offer(n);
            offer(-n);
        }
    }
    return best;
}

TEST(Oracle, PrunedSearchEqualsExhaustiveSearch) {
    double worst = 0;
    int overlapping = 0;
    int apart = 0;
    for (std::uint32_t k = 0; k < 1800; ++k) {
        Random random(11, k);
        const auto shapes = small_shapes();
        Points pa = transformed(make_points(shapes[random.index(static_cast<std::uint32_t>(shapes.size()))], random),
                                random.log_uniform(0.1, 10), {}, random.in_ball());
        Points pb = transformed(make_points(shapes[random.index(static_cast<std::uint32_t>(shapes.size()))], random),
                                random.log_uniform(0.1, 10), {}, random.in_ball());
        if (pa.size() * pb.size() > 900) continue;  // the exhaustive search takes milliseconds per pair
        const OracleHull a = reference::make_oracle_hull(pa);
        const OracleHull b = reference::make_oracle_hull(pb);
        ASSERT_FALSE(a.vertices.empty() || b.vertices.empty());
        const PosedPair pair = make_poses(static_cast<PoseKind>(k % kPoseKindCount), a, b, 0.2 * a.size, false, random);
        const auto fast = reference::signed_distance(a, pose_of(pair.a), b, pose_of(pair.b));
        const double slow = exhaustive_separation(a, pose_of(pair.a), b, pose_of(pair.b));
        const double size = std::max(a.size, b.size);
        ASSERT_NEAR(length(fast.normal), 1.0, 1e-12);
        ASSERT_NEAR(reference::separation_along(a, pose_of(pair.a), b, pose_of(pair.b), fast.normal), fast.distance,
                    1e-9 * size);
        if (slow <= 0) {
            ++overlapping;
            // Cross products of the exhaustive search lose digits, so its result can only be smaller.
            ASSERT_NEAR(fast.distance, slow, 1e-9 * size) << "case " << k;
            worst = std::max(worst, std::fabs(fast.distance - slow) / size);
        } else {
            ++apart;
            // Apart, the distance is at least the best separation over faces and edges.
            ASSERT_GE(fast.distance, slow - 1e-12 * size) << "case " << k;
        }
    }
    std::printf("seed 11: overlapping %d, apart %d, worst difference %.2e of size\n", overlapping, apart, worst);
    EXPECT_GT(overlapping, 500);
    EXPECT_GT(apart, 150);
}

// The Euclidean distance is the largest separation over ALL directions. An independent calculation climbs over
// directions and does not use the oracle's closest points.
TEST(Oracle, DistanceApartIsTheLargestSeparationOverAllDirections) {
    int checked = 0;
    for (std::uint32_t k = 0; k < 200; ++k) {
        Random random(12, k);
        const OracleHull a = reference::make_oracle_hull(make_points(Shape::debris, random));
        const OracleHull b = reference::make_oracle_hull(make_points(k % 2 == 0 ? Shape::box : Shape::needle, random));
        const PosedPair pair = make_poses(PoseKind::near, a, b, 1.0, false, random);
        const PoseD pa = pose_of(pair.a), pb = pose_of(pair.b);
        const auto r = reference::signed_distance(a, pa, b, pb);
        if (r.distance < 0.05) continue;
        ++checked;
        // The separation is concave on the directions that separate, so shrinking random steps reach the maximum.
        Vec3d n = r.normal;
        double best = reference::separation_along(a, pa, b, pb, n);
        EXPECT_NEAR(best, r.distance, 1e-12);
        for (double step = 0.5; step > 1e-7; step *= 0.8) {
            for (int i = 0; i < 20; ++i) {
                const Vec3d m = normalized(n + random.in_ball() * step);
                const double s = reference::separation_along(a, pa, b, pb, m);
                if (s > best) best = s, n = m;
            }
        }
        EXPECT_LE(best, r.distance + 1e-12) << "case " << k;
    }
    EXPECT_GT(checked, 100);
}

TEST(Oracle, BoxesHaveTheDistancesOfIntervals) {
    const OracleHull box = reference::make_oracle_hull(box_points(1, 2, 3));
    ASSERT_EQ(box.triangles.size(), 12U);
    ASSERT_EQ(box.edges.size(), 18U);
    EXPECT_DOUBLE_EQ(box.size, std::sqrt(14.0));
    const PoseD at_origin{};
    const auto at = [&](double x, double y, double z) {
        return reference::signed_distance(box, at_origin, box, {Mat3d{}, {x, y, z}});
    };
    EXPECT_DOUBLE_EQ(at(1.5, 0, 0).distance, -0.5);
    EXPECT_EQ(at(1.5, 0, 0).normal, (Vec3d{1, 0, 0}));
    EXPECT_DOUBLE_EQ(at(0, 0, 0).distance, -2.0);  // the thin way out: twice the smallest half extent
    EXPECT_DOUBLE_EQ(at(2, 4, 0).distance, 0.0);   // edge on edge
    EXPECT_DOUBLE_EQ(at(2, 4, 6).distance, 0.0);   // corner on corner
    EXPECT_DOUBLE_EQ(at(5, 8, 6).distance, 5.0);   // edges apart by (3, 4)
    EXPECT_DOUBLE_EQ(at(3, 6, 8).distance, 3.0);   // corners apart by (1, 2, 2)
    EXPECT_NEAR(at(3, 6, 8).normal.x, 1.0 / 3.0, 1e-15);
}

// The gap is so small for the size of the hulls that rounding turns the direction between the closest points. The
// distance must still be that of the points (edge to edge, sqrt(2) g), not that of the best face axis (g).
TEST(Oracle, TinyGapsOfHugeHullsAreEuclidean) {
    const OracleHull huge = reference::make_oracle_hull(box_points(512, 512, 512));
    const OracleHull tiny = reference::make_oracle_hull(box_points(0x1p-11, 0x1p-11, 0x1p-11));
    for (const double g : {1e-3, 1e-5, 1e-7, 1e-9}) {
        for (std::uint32_t k = 0; k < 20; ++k) {
            Random random(14, k);
            const Mat3d turn = rotation(random.rotation());
            const Vec3d d{512 + 0x1p-11 + g, 512 + 0x1p-11 + g, 3};
            const auto r = reference::signed_distance(huge, {turn, {}}, tiny, {turn, turn * d});
            EXPECT_NEAR(r.distance, std::sqrt(2.0) * g, 1e-12) << g;
            const double along = reference::separation_along(huge, {turn, {}}, tiny, {turn, turn * d}, r.normal);
            EXPECT_GE(along, g - 1e-12) << g;
        }
    }
}

TEST(Oracle, CrossedEdgesOfCubesMeetAtTheirEdges) {
    // Edges along x and y at the top of one cube and the bottom of another, both turned by 45 degrees.
    const OracleHull cube = reference::make_oracle_hull(box_points(1, 1, 1));
    const PoseD a{rotation(about({1, 0, 0}, std::numbers::pi / 4)), {}};
    const PoseD b{rotation(about({0, 1, 0}, std::numbers::pi / 4)), {0, 0, 2 * std::sqrt(2.0) - 0.125}};
    const auto r = reference::signed_distance(cube, a, cube, b);
    EXPECT_NEAR(r.distance, -0.125, 1e-15);
    EXPECT_NEAR(r.normal.z, 1.0, 1e-15);
}

TEST(Oracle, HullsOfDegeneratePointSetsAreValid) {
    // 10 x 10 x 10 lattice: nearly all points on faces, edges or inside; every plane is exact.
    Points lattice;
    for (int i = 0; i < 1000; ++i) {
        lattice.push_back(
            {static_cast<float>(i % 10), static_cast<float>(i / 10 % 10), static_cast<float>(i / 100 % 10)});
    }
    const OracleHull cube = reference::make_oracle_hull(lattice);
    ASSERT_FALSE(cube.vertices.empty());
    for (const Vec3d& n : cube.normals) EXPECT_EQ(std::fabs(n.x) + std::fabs(n.y) + std::fabs(n.z), 1.0);
    // Euler: triangles = 2 (vertices on the surface) - 4, whichever vertices the triangulation uses.
    EXPECT_EQ(cube.triangles.size() * 3, cube.edges.size() * 2);
    // Flat and collinear input have no hull.
    EXPECT_TRUE(
        reference::make_oracle_hull(Points{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}, {3, 2, 0}}).vertices.empty());
    EXPECT_TRUE(reference::make_oracle_hull(Points{{0, 0, 0}, {1, 1, 1}, {2, 2, 2}, {3, 3, 3}}).vertices.empty());
    EXPECT_TRUE(reference::make_oracle_hull(Points{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}).vertices.empty());
    // A sheet with one vertex a single float32 step above its plane is a hull, if a thin one.
    const OracleHull thin =
        reference::make_oracle_hull(Points{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0.25F, 0.25F, 0x1p-149F}});
    EXPECT_EQ(thin.triangles.size(), 4U);
    // Some thousand vertices, all on the surface.
    Random random(13);
    Points many;
    for (int i = 0; i < 3000; ++i) many.push_back(to_float(random.direction()));
    const OracleHull ball = reference::make_oracle_hull(many);
    EXPECT_EQ(ball.triangles.size(), 2U * 3000U - 4U);
}

TEST(Oracle, PointDistanceOfABoxIsTheDistanceFromItsSlabs) {
    const OracleHull box = reference::make_oracle_hull(box_points(1, 2, 3));
    const Mat3d turn = rotation(about({0, 0, 1}, std::numbers::pi / 2));  // x -> y
    EXPECT_DOUBLE_EQ(reference::point_distance(box, Mat3d{}, {0, 0, 0}), -1.0);
    EXPECT_DOUBLE_EQ(reference::point_distance(box, Mat3d{}, {0.75, 0, 0}), -0.25);
    EXPECT_DOUBLE_EQ(reference::point_distance(box, Mat3d{}, {4, 6, 0}), 5.0);
    EXPECT_DOUBLE_EQ(reference::point_distance(box, Mat3d{}, {2, 4, 5}), 3.0);
    EXPECT_NEAR(reference::point_distance(box, turn, {0, 1.5, 0}), 0.5, 1e-15);
    EXPECT_NEAR(reference::point_distance(box, turn, {1.5, 0, 0}), -0.5, 1e-15);
}

TEST(Oracle, FarFromTheOriginOnlyTheDifferenceOfPositionsCounts) {
    const OracleHull cube = reference::make_oracle_hull(box_points(0.5, 0.5, 0.5));
    const Mat3d turn = rotation(about({0, 0, 1}, std::numbers::pi / 4));
    const auto near = reference::signed_distance(cube, {Mat3d{}, {0, 0, 0}}, cube, {turn, {1, 0.25, 0}});
    const auto far =
        reference::signed_distance(cube, {Mat3d{}, {1e9, -1e9, 0}}, cube, {turn, {1e9 + 1, -1e9 + 0.25, 0}});
    EXPECT_DOUBLE_EQ(near.distance, far.distance);
}

}  // namespace
}  // namespace lanefold::test
