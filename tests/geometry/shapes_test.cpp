// SPDX-License-Identifier: MIT
//
// Hulls other than boxes that broke other systems, built again with other numbers. Their numbers go on from
// boxes_test.cpp.
#include <cmath>
#include <cstdio>
#include <numbers>

#include <gtest/gtest.h>

#include <lanefold/detail/hull_block.hpp>
#include <lanefold/hull_builder.hpp>

#include "support/two_bodies.hpp"

namespace lanefold::test {
namespace {

// 6. Two copies of a sliver of six vertices, side by side in the same rotation, overlap. The expected distance is the
// oracle's.
TEST(GeometryShapes, SliversSideBySideOverlap) {
    const Points sliver = {{-.0611590669F, -.13801524F, -.158372656F}, {.0620514415F, .135089189F, -.159879193F},
                           {-.105518319F, -.100999095F, -.188289702F}, {-.107238553F, -.102976903F, .1569262F},
                           {-.0851279497F, -.122304708F, .156887323F}, {-.0590926372F, -.104567274F, -.242715642F}};
    TwoBodies t(sliver, sliver);
    const Quat q{.0029009761, .0001424328, .8400087479, .5425650813};
    t.turn_a(q).turn_b(q).move_a(-.141666584, 0, 0).move_b(.141666584, 0, 0).strict();
    EXPECT_LT(t.oracle_distance(), -1e-4);
    const Manifold4 m = t.collide();
    EXPECT_LT(m.distance, 0.0F);
    EXPECT_LT(deepest(m), 0.0);
}

// 8. A triangular prism 300 m by 200 m, 10 m thick, and a cylinder of 2 cm standing 0.1 mm deep on it, far from its
// corners. The bound is relative to the cylinder.
TEST(GeometryShapes, PinOnAPrismOfHundredsOfMetres) {
    const Points prism = {{0, 0, 0}, {300, 0, 0}, {0, 200, 0}, {0, 0, 10}, {300, 0, 10}, {0, 200, 10}};
    TwoBodies t(prism, prism_points(16, 0.01, 0.01));
    for (const double x : {1.0, 75.25, 190.0}) {
        t.move_b(x, 50.5, 10 + 0.01 - 1e-4);
        const Manifold4 m = t.collide();
        EXPECT_NEAR(m.distance, -1e-4, 2e-6 * 0.0174 + 1e-9) << x;  // 0.01 is not a float32
        expect_normal(m.normal, {0, 0, 1}, 1e-7);
        EXPECT_EQ(m.count, 4);
        EXPECT_EQ(m.total, 16);
    }
}

// 9. A nearly flat hull (1 m wide, a tenth of a millimetre thick, an irregular outline) and a hull 1.42 mm above
// it: a gap, not a penetration.
TEST(GeometryShapes, NearlyFlatHullKeepsItsGap) {
    Random random(61);
    Points flat;
    for (int i = 0; i < 12; ++i) {
        const double phi = 2 * std::numbers::pi * i / 12;
        const double r = random.uniform(0.9, 1.0);
        for (const float z : {-5e-5F, 5e-5F}) {
            flat.push_back(
                {static_cast<float>(0.5 * r * std::cos(phi)), static_cast<float>(0.5 * r * std::sin(phi)), z});
        }
    }
    TwoBodies t(flat, make_points(Shape::octahedron, random));
    t.margin(0.01F);
    Vec3d low{};
    for (const Vec3d& v : t.library.oracle[1].vertices) low = v.z < low.z ? v : low;
    t.move_b(0.05 - low.x, 0.02 - low.y, 5e-5 - low.z + 0.00142);
    const Manifold4 m = t.collide();
    EXPECT_NEAR(m.distance, 0.00142, 2e-6);
    for (int i = 0; i < m.count; ++i) EXPECT_GT(m.points[i].separation, 0.0F);
}

// 11. Coordinates near 1e-23: products of three vanish in float32. A typed error, no crash.
TEST(GeometryShapes, CoordinatesNear1e23AreAnError) {
    Points tiny = box_points(1, 1, 1);
    for (Vec3f& p : tiny) p = p * 1e-23F;
    const BuildResult r = build_hull(tiny);
    ASSERT_EQ(r.failures.size(), 1U);
    EXPECT_EQ(r.failures[0].error, HullError::too_small);
    EXPECT_TRUE(r.hulls.empty());
}

// 15. A disc of 32 sides lies on a thin box of (0.49, 0.63, 0.015): the normal must have length 1. The depth is 0.002,
// upwards (the disc's own half height is 0.005, the box is 0.015 thick).
TEST(GeometryShapes, DiscOnAThinBoxHasAUnitNormal) {
    for (const double scale : {0.5, 1.0}) {  // sizes meant as full or as half
        TwoBodies t(box_points(0.49 * scale, 0.63 * scale, 0.015 * scale), prism_points(32, 0.2, 0.005));
        t.move_b(0.03, 0.01, 0.015 * scale + 0.005 - 0.002);
        const Manifold4 m = t.collide();
        expect_normal(m.normal, {0, 0, 1}, 1e-7);
        EXPECT_NEAR(m.distance, -0.002, 2e-6);
        EXPECT_EQ(m.total, 32);
        EXPECT_EQ(m.count, 4);
    }
}

// 18a. Two cubes on edge, crossed, moved through the margin band: the ridges are at sqrt(2) from the centres, so
// the distance is the height of the gap all the way, overlapping or apart, and the contact is one point above
// the origin.
TEST(GeometryShapes, CrossedEdgesThroughTheMarginBand) {
    TwoBodies t(box_points(1, 1, 1), box_points(1, 1, 1));
    t.margin(0.05F).turn_a(about({1, 0, 0}, std::numbers::pi / 4)).turn_b(about({0, 1, 0}, std::numbers::pi / 4));
    for (int i = 0; i <= 120; ++i) {
        const double gap = -0.06 + 0.001 * i;
        t.move_b(0.1, -0.2, 2 * std::sqrt(2.0) + gap);
        const Manifold4 m = t.collide();
        if (gap > 0.05 + 1e-5) {
            EXPECT_EQ(m.kind, ContactKind::none);
        } else if (gap < 0.05 - 1e-5) {
            ASSERT_EQ(m.kind, ContactKind::edge_edge) << gap;
            EXPECT_NEAR(m.distance, gap, 4e-6);
            EXPECT_NEAR(m.points[0].position[0], 0.1, 1e-5);
            EXPECT_NEAR(m.points[0].position[1], 0.0, 1e-5);
        }
    }
}

// 18b. Faces tilted about the threshold at which they count as parallel: the depth changes continuously, by no
// more than the tilt moves a corner.
TEST(GeometryShapes, FacesTiltedAboutTheParallelThreshold) {
    TwoBodies t(box_points(1, 1, 1), prism_points(6, 1, 1));
    for (const double tilt : {0.0, 1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 0.05}) {
        for (const Vec3d& axis : {Vec3d{1, 0, 0}, Vec3d{0, 1, 0}, normalized(Vec3d{1, 1, 0})}) {
            t.turn_b(about(axis, tilt)).move_b(0.1, 0.05, 1.99);
            const Manifold4 m = t.collide();
            EXPECT_LE(m.distance, -0.01 + 4e-6);
            EXPECT_GE(m.distance, -0.01 - 1.01 * tilt - 4e-6);
            EXPECT_GE(m.count, tilt <= 1e-3 ? 4 : 2) << tilt;
        }
    }
}

// 18c. Ridge on ridge: two wedges, roof against upturned roof, ridges parallel and crossing at every angle. The
// ridges meet at z = 0.5 + 0.5 - 0.02.
TEST(GeometryShapes, RidgeOnRidge) {
    const Points roof = {{-1, -0.5F, -0.5F}, {-1, 0.5F, -0.5F}, {1, -0.5F, -0.5F},
                         {1, 0.5F, -0.5F},   {-1, 0, 0.5F},     {1, 0, 0.5F}};
    TwoBodies t(roof, roof);
    for (const double angle : {0.0, 1e-7, 1e-5, 1e-3, 0.01, 0.1, 0.5, 1.0, std::numbers::pi / 2}) {
        t.turn_b(about({0, 0, 1}, angle) * about({1, 0, 0}, std::numbers::pi)).move_b(0.1, 0, 0.98);
        const Manifold4 m = t.collide();
        // Never deeper than straight up; sideways along a roof's slope can be shorter when ridges are parallel.
        EXPECT_GE(m.distance, -0.02 - 3e-6) << angle;
        EXPECT_LT(m.distance, 0.0F) << angle;
    }
}

// 18d. Hulls far from their own origin: the same contact as with hulls about their origins, for offsets up to a
// thousand sizes (the vertices keep float32 steps of the offset, so the expectation is the oracle's).
TEST(GeometryShapes, HullsFarFromTheirOwnOrigin) {
    for (const double far : {1.0, 3.0, 5.0, 100.0, 1000.0}) {
        const Points cube = transformed(box_points(0.5, 0.5, 0.5), 1, {}, {far, -far, 0});
        TwoBodies t(cube, cube);
        t.turn_b(about({0, 0, 1}, 0.5));
        const Vec3d shift = rotation(about({0, 0, 1}, 0.5)) * Vec3d{far, -far, 0};
        t.move_b(far - shift.x, -far - shift.y, 0.99);
        const Manifold4 m = t.collide();
        EXPECT_NEAR(m.distance, -0.01, 2e-6 + 2e-7 * far) << far;
        EXPECT_GE(m.count, 4) << far;
    }
}

// 18e. Thin beams (0.02 x 0.02 x 4) crossed at right angles and nearly parallel, 0.005 deep, face on face and edge
// on edge.
TEST(GeometryShapes, CrossedThinBeams) {
    TwoBodies t(box_points(2, 0.01, 0.01), box_points(2, 0.01, 0.01));
    for (const double angle : {1e-6, 1e-4, 1e-2, 0.3, std::numbers::pi / 2}) {
        const Quat yaw = about({0, 0, 1}, angle);
        t.turn_a({}).turn_b(yaw).move_b(0.3, 0, 0.015);
        const Manifold4 flat = t.collide();
        EXPECT_NEAR(flat.distance, -0.005, 4e-6) << angle;
        EXPECT_GE(flat.count, 2) << angle;
        const Quat on_edge = about({1, 0, 0}, std::numbers::pi / 4);
        t.turn_a(on_edge).turn_b(yaw * on_edge).move_b(0.3, 0.001, 0.02 * std::sqrt(2.0) - 0.005);
        const Manifold4 edges = t.collide();
        EXPECT_GE(edges.distance, -0.005 - 4e-6) << angle;
        EXPECT_LT(edges.distance, 0.0F) << angle;
    }
}

// 19. The tetrahedron (1,1,-1) (1,-1,-1) (-1,-1,-1) (1,-1,1): four faces, six edges, and right against everything.
TEST(GeometryShapes, RightAngledTetrahedron) {
    const Points corner = {{1, 1, -1}, {1, -1, -1}, {-1, -1, -1}, {1, -1, 1}};
    const Points lists[] = {corner};
    const Library one = build_library(lists);
    EXPECT_EQ(one.hulls[0].face_count, 4U);
    EXPECT_EQ(one.hulls[0].edge_count, 6U);
    TwoBodies t(corner, box_points(0.5, 0.5, 0.5));
    t.margin(0.1F).strict();
    for (std::uint32_t k = 0; k < 300; ++k) {
        Random random(62, k);
        const Vec3d p = random.in_ball() * 1.8;
        t.turn_b(k % 3 == 0 ? Quat{} : random.rotation()).move_b(p.x, p.y, p.z);
        t.collide();
    }
    EXPECT_GT(t.coverage.overlapping, 100U);
    EXPECT_GT(t.coverage.touching_separated, 10U);
}

// 20. Fifteen points, seven of them exactly on one plane (a hexagon and its middle): one face of six vertices;
// the middle is no vertex of the hull.
TEST(GeometryShapes, SevenPointsOnOnePlaneMakeOneFace) {
    Points points = {{2, 0, 0}, {1, 2, 0}, {-1, 2, 0}, {-2, 0, 0}, {-1, -2, 0}, {1, -2, 0}, {0, 0, 0}};
    Random random(63);
    for (int i = 0; i < 8; ++i) {
        const Vec3d p = random.in_ball();
        points.push_back(to_float({p.x, p.y, 1.5 + p.z}));
    }
    TwoBodies t(points, box_points(1, 1, 1));
    const detail::HullView view(t.library.hulls[0]);
    int bottoms = 0;
    for (std::uint32_t f = 0; f < t.library.hulls[0].face_count; ++f) {
        if (view.plane(f)[2] > -0.999F) continue;
        ++bottoms;
        EXPECT_EQ(view.face_first[f + 1] - view.face_first[f], 6U);
    }
    EXPECT_EQ(bottoms, 1);
    for (const std::uint32_t i : t.library.hulls.input_index(0)) EXPECT_NE(i, 6U);
    t.move_b(0.2, 0.1, -0.99);
    const Manifold4 m = t.collide();
    EXPECT_NEAR(m.distance, -0.01, 5e-6);
    EXPECT_EQ(m.count, 4);
}

// 21. A thousand random points with long sharp tips: built, and right against each other.
TEST(GeometryShapes, ThousandPointsWithLongTips) {
    Random random(64);
    Points points;
    for (int i = 0; i < 1000; ++i) points.push_back(to_float(random.in_ball()));
    for (int i = 0; i < 6; ++i) {
        Vec3d tip{};
        (i % 3 == 0 ? tip.x : i % 3 == 1 ? tip.y : tip.z) = i < 3 ? 10 : -10;
        points.push_back(to_float(tip + random.in_ball() * 0.01));
    }
    TwoBodies t(points, points);
    t.margin(0.05F).strict();
    for (std::uint32_t k = 0; k < 40; ++k) {
        Random pose(65, k);
        const Vec3d p = pose.in_ball() * 8.0;
        t.turn_a(pose.rotation()).turn_b(pose.rotation()).move_b(p.x, p.y, p.z);
        t.collide();
    }
    EXPECT_GT(t.coverage.overlapping, 5U);
}

}  // namespace
}  // namespace lanefold::test
