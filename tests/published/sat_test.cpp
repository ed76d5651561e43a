// SPDX-License-Identifier: MIT
//
// The separating axis test as published: the example to 1e-12, each query function on shapes with known results, the
// mended behaviour against the oracle, and inputs for which the literal version is wrong.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numbers>

#include <gtest/gtest.h>

#include <lanefold/published.hpp>
#include <lanefold/published_literal.hpp>

#include "support/hulls.hpp"
#include "support/placed.hpp"
#include "support/poses.hpp"
#include "support/published_example.hpp"

namespace lanefold::test {
namespace {

using published::Collision;
using published::Polyhedron;
using published::Type;

void expect_near(const Vec3d& x, const Vec3d& y, double bound) {
    EXPECT_NEAR(x.x, y.x, bound);
    EXPECT_NEAR(x.y, y.y, bound);
    EXPECT_NEAR(x.z, y.z, bound);
}

TEST(PublishedSat, ExampleIsReproduced) {
    const PublishedExample example = read_published_example(LANEFOLD_TEST_DATA);
    const Collision r = published::collide(example.a, example.b);
    EXPECT_TRUE(r.colliding);
    EXPECT_EQ(r.info.type, Type::edges);
    EXPECT_EQ(r.info.index, example.expected.info.index);
    EXPECT_NEAR(r.info.separation, example.expected.info.separation, 1e-12);
    expect_near(r.info.normal, example.expected.info.normal, 1e-12);
    expect_near(r.mtv, example.expected.mtv, 1e-12);
    expect_near(r.point, example.expected.point, 1e-12);
}

TEST(PublishedSat, MtvOfTheExampleSeparatesIt) {
    const PublishedExample example = read_published_example(LANEFOLD_TEST_DATA);
    Polyhedron moved = example.b;
    for (Vec3d& p : moved.positions) p = p + example.expected.mtv;
    EXPECT_NEAR(published::collide(example.a, moved).info.separation, 0.0, 1e-12);
}

TEST(PublishedSat, SupportsAreTheExtremesWithTheirIndices) {
    Polyhedron h;
    h.positions = {{1, 0, 0}, {-3, 0, 0}, {0, 5, 0}, {-3, 1, 2}, {1, 2, 2}};
    const published::Supports s = published::supports_along(h, {2, 0, 0});
    EXPECT_EQ(s.min_index, 1U);  // lowest index wins the tie with 3
    EXPECT_EQ(s.max_index, 0U);
    EXPECT_EQ(s.min_value, -6.0);
    EXPECT_EQ(s.max_value, 2.0);
}

TEST(PublishedSat, FaceDirectionsAreAskedBothWays) {
    // The corner of a turned cube pokes 0.25 into the top of a big box.
    const Polyhedron box = placed(box_points(4, 4, 1), {});
    const Quat on_corner = about(normalized(Vec3d{1, -1, 0}), std::acos(1.0 / std::sqrt(3.0)));
    const Polyhedron cube = placed(box_points(1, 1, 1), {rotation(on_corner), {0.3, -0.2, 1 + std::sqrt(3.0) - 0.25}});
    const auto down = published::query_face_directions(box, cube);
    ASSERT_TRUE(down.found);
    EXPECT_NEAR(down.separation, -0.25, 1e-12);
    EXPECT_EQ(box.normals[down.face], (Vec3d{0, 0, 1}));
    EXPECT_NEAR(cube.positions[down.support].z, 0.75, 1e-12);
    const auto up = published::query_face_directions(cube, box);
    ASSERT_TRUE(up.found);
    EXPECT_LT(up.separation, -1.0);  // no face of the cube gives a small depth
    const Collision r = published::collide(cube, box);
    EXPECT_EQ(r.info.type, Type::face_b);
    EXPECT_EQ(r.info.index[0], down.face);
    expect_near(r.info.normal, {0, 0, -1}, 1e-15);  // from the cube (A) to the box
    expect_near(r.mtv, {0, 0, -0.25}, 1e-12);
}

TEST(PublishedSat, ClosestPointsOfLinesHaveTheirParameters) {
    const auto r = published::closest_points_of_lines({1, 0, 0}, {2, 0, 0}, {4, 3, 5}, {0, 6, 0});
    EXPECT_FALSE(r.parallel);
    EXPECT_DOUBLE_EQ(r.mu_p, 1.5);
    EXPECT_DOUBLE_EQ(r.mu_q, -0.5);
    EXPECT_EQ(r.on_p, (Vec3d{4, 0, 0}));
    EXPECT_EQ(r.on_q, (Vec3d{4, 0, 5}));
    const auto along = published::closest_points_of_lines({1, 0, 0}, {2, 0, 0}, {4, 3, 5}, {-1, 0, 0});
    EXPECT_TRUE(along.parallel);
    EXPECT_EQ(along.on_p, (Vec3d{1, 0, 0}));
    EXPECT_EQ(along.on_q, (Vec3d{1, 3, 5}));
}

TEST(PublishedSat, CorrectedSeparationIsTheOraclesOnRandomAndDegeneratePairs) {
    double worst = 0;
    std::uint32_t overlapping = 0;
    std::uint32_t edges = 0;
    std::uint32_t apart = 0;
    std::uint32_t invented = 0;
    constexpr Shape kShapes[] = {Shape::box,    Shape::tetrahedron, Shape::wedge,     Shape::prism,
                                 Shape::debris, Shape::slab,        Shape::octahedron};
    const Library library = random_library(31, 21, kShapes);
    for (std::uint32_t k = 0; k < 1500; ++k) {
        Random random(32, k);
        const std::uint32_t i = random.index(21), j = random.index(21);
        const reference::OracleHull& a = library.oracle[i];
        const reference::OracleHull& b = library.oracle[j];
        const PosedPair pair = make_poses(static_cast<PoseKind>(k % kPoseKindCount), a, b, 0.1, false, random);
        const PoseD pa{pose_of(pair.a).rotation, {}};
        const PoseD pb{pose_of(pair.b).rotation, pose_of(pair.b).position - pose_of(pair.a).position};
        const double truth = reference::signed_distance(a, pa, b, pb).distance;
        const Collision r = published::collide(published::make_polyhedron(library.hulls[i], pa),
                                               published::make_polyhedron(library.hulls[j], pb));
        const double size = std::max(a.size, b.size);
        // Merged faces deviate by up to 5e-7 of the size from the stored vertices.
        const double bound = 2e-6 * size;
        if (truth < -bound) {
            ++overlapping;
            edges += r.info.type == Type::edges ? 1U : 0U;
            ASSERT_TRUE(r.colliding) << "case " << k;
            ASSERT_NEAR(r.info.separation, truth, bound) << "case " << k;
            worst = std::max(worst, std::fabs(r.info.separation - truth) / size);
            ASSERT_NEAR(length(r.mtv), -truth, bound);
        } else if (truth > bound) {
            ++apart;
            ASSERT_LE(r.info.separation, truth + bound) << "case " << k;  // a bound, not the distance
            ASSERT_FALSE(r.colliding) << "case " << k;
            // In the published version edges at less than 30 degrees are no axis, although they separate.
            invented += published::literal::separating_axes(published::make_polyhedron(library.hulls[i], pa),
                                                            published::make_polyhedron(library.hulls[j], pb))
                                .colliding
                            ? 1U
                            : 0U;
        }
    }
    std::printf(
        "seeds 31, 32: overlapping %u, edges %u, worst difference %.1e of size; apart %u, as published %u overlap\n",
        overlapping, edges, worst, apart, invented);
    EXPECT_GT(overlapping, 700U);
    EXPECT_GT(apart, 200U);
    EXPECT_GT(invented, 0U);
    EXPECT_GT(edges, 150U);
}

// Two beams 0.2 x 0.2 x 10 lying on an edge each (turned by 45 degrees about their length), crossed at 20
// degrees, ridge on ridge, 0.05 deep. The ridges are 0.1 sqrt(2) above the axes, so the way out along z is
// 0.05; every side face is at 45 degrees to z and the other beam reaches sin(20) * 5 = 1.7 along it.
TEST(PublishedSat, LiteralVersionMissesEdgesBelowThirtyDegrees) {
    const Quat on_edge = about({1, 0, 0}, std::numbers::pi / 4);
    const double ridge = 0.1 * std::sqrt(2.0);
    for (const double degrees : {5.0, 20.0, 29.0, 31.0, 60.0}) {
        const Quat turned = about({0, 0, 1}, degrees * std::numbers::pi / 180.0) * on_edge;
        const Polyhedron a = placed(box_points(5, 0.1, 0.1), {rotation(on_edge), {0, 0, 0}});
        const Polyhedron b = placed(box_points(5, 0.1, 0.1), {rotation(turned), {0, 0, 2 * ridge - 0.05}});
        const Collision ours = published::collide(a, b);
        const published::literal::Result theirs = published::literal::separating_axes(a, b);
        EXPECT_EQ(ours.info.type, Type::edges) << degrees;
        EXPECT_NEAR(ours.info.separation, -0.05, 1e-8) << degrees;  // 0.1 is not a float32
        if (degrees < 30) {
            EXPECT_LT(theirs.info.separation, -0.055) << degrees << ": not the minimum";
        } else {
            EXPECT_NEAR(theirs.info.separation, -0.05, 1e-8) << degrees;
        }
    }
}

// A small tetrahedron deep inside a flat box. The shortest translation is through the box's top, 0.5 above the
// tetrahedron's lowest corner. The tetrahedron lies behind every face of the box, so the literal version has only the
// tetrahedron's own directions, which are longer.
TEST(PublishedSat, LiteralVersionPassesOverFacesWithTheOtherHullBehind) {
    const Polyhedron box = placed(box_points(8, 8, 1), {});
    const Points small = {{0, 0, 0.5F}, {0.25F, 0, 0.75F}, {0, 0.25F, 0.75F}, {-0.25F, -0.25F, 0.625F}};
    const Polyhedron tetrahedron = placed(small, {});
    const Collision ours = published::collide(box, tetrahedron);
    EXPECT_EQ(ours.info.type, Type::face_a);
    EXPECT_DOUBLE_EQ(ours.info.separation, -0.5);
    EXPECT_EQ(ours.info.normal, (Vec3d{0, 0, 1}));
    // Edges have the same axis, but do not touch there. Without them only a longer translation is left.
    EXPECT_EQ(published::literal::separating_axes(box, tetrahedron).info.type, Type::edges);
    EXPECT_LT(published::literal::clipping_manifold(box, tetrahedron).info.separation, -0.6);
}

TEST(PublishedSat, FacesWinTiesAgainstEdges) {
    // Aligned cubes: the edges along x and y give the same axis z as the faces.
    const Polyhedron a = placed(box_points(1, 1, 1), {});
    const Polyhedron b = placed(box_points(1, 1, 1), {Mat3d{}, {0.25, 0.5, 1.875}});
    const Collision r = published::collide(a, b);
    EXPECT_EQ(r.info.type, Type::face_a);
    EXPECT_DOUBLE_EQ(r.info.separation, -0.125);
    const auto edges = published::query_edge_directions(a, b);
    ASSERT_TRUE(edges.found);
    EXPECT_NEAR(edges.separation, -0.125, 1e-12);
}

}  // namespace
}  // namespace lanefold::test
