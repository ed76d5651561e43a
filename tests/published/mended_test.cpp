// SPDX-License-Identifier: MIT
//
// The mistakes of the published methods, each with a pair that shows it. The literal version must return the wrong
// result and the mended one the right result. docs/methods.md has the same list. Numbers of pairs are those of
// tests/data/literal_pairs.json.
#include <algorithm>
#include <cmath>
#include <cstdio>

#include <gtest/gtest.h>

#include <lanefold/published.hpp>
#include <lanefold/published_literal.hpp>

#include "support/hulls.hpp"
#include "support/literal_pairs.hpp"
#include "support/poses.hpp"
#include "support/published_example.hpp"

namespace lanefold::test {
namespace {

using published::Collision;
using published::Polyhedron;
using published::Type;
using published::literal::Result;

const LiteralPair& literal_pair(std::size_t i) {
    static const std::vector<LiteralPair> pairs = read_literal_pairs(LANEFOLD_TEST_DATA);
    return pairs.at(i);
}

Vec3d along(const Polyhedron& h, std::uint32_t edge) {
    return h.positions[h.edges[edge][1]] - h.positions[h.edges[edge][0]];
}

// True if the closest points of the edges' lines lie on both edges.
bool edges_meet(const LiteralPair& p, const published::Info& info) {
    const auto lines =
        published::closest_points_of_lines(p.a.positions[p.a.edges[info.index[0]][0]], along(p.a, info.index[0]),
                                           p.b.positions[p.b.edges[info.index[1]][0]], along(p.b, info.index[1]));
    return lines.mu_p >= 0 && lines.mu_p <= 1 && lines.mu_q >= 0 && lines.mu_q <= 1;
}

// Height of x above the hull's planes; negative inside.
double height_outside(const Polyhedron& h, const Vec3d& x) {
    double highest = -1e300;
    for (const Vec3d& n : h.normals) {
        highest = std::max(highest, dot(n, x) - published::supports_along(h, n).max_value);
    }
    return highest;
}

Polyhedron box(const Vec3d& half, const Vec3d& centre, const Mat3d& scene = {}) {
    const Points list[] = {
        box_points(static_cast<float>(half.x), static_cast<float>(half.y), static_cast<float>(half.z))};
    return published::make_polyhedron(build_library(list).hulls[0], {scene, scene * centre});
}

TEST(PublishedMended, EdgesBelowThirtyDegreesAreAxes) {
    const LiteralPair& p = literal_pair(200);
    const Collision mended = published::collide(p.a, p.b);
    ASSERT_EQ(mended.info.type, Type::edges);
    const double sine =
        length(cross(normalized(along(p.a, mended.info.index[0])), normalized(along(p.b, mended.info.index[1]))));
    EXPECT_LT(sine, 0.5);
    EXPECT_NEAR(mended.info.separation, -0.0675, 1e-4);
    EXPECT_NEAR(published::literal::separating_axes(p.a, p.b).info.separation, -0.0877, 1e-4);
}

TEST(PublishedMended, FacesWithTheOtherHullBehindThemAreAxes) {
    const LiteralPair& p = literal_pair(12);
    const Collision mended = published::collide(p.a, p.b);
    ASSERT_EQ(mended.info.type, Type::face_b);
    const Vec3d& n = p.b.normals[mended.info.index[0]];
    EXPECT_LT(published::supports_along(p.a, n).max_value, published::supports_along(p.b, n).max_value);
    EXPECT_NEAR(mended.info.separation, -1.396, 1e-3);
    EXPECT_NEAR(published::literal::separating_axes(p.a, p.b).info.separation, -1.438, 1e-3);
    EXPECT_NEAR(published::literal::clipping_manifold(p.a, p.b).info.separation, -1.901, 1e-3);
}

TEST(PublishedMended, EdgesThatDoNotMeetAreNoContact) {
    const LiteralPair& p = literal_pair(142);
    const Result axes = published::literal::separating_axes(p.a, p.b);
    ASSERT_EQ(axes.info.type, Type::edges);
    EXPECT_FALSE(edges_meet(p, axes.info));
    EXPECT_GT(height_outside(p.a, axes.points.at(0).position), 1e-3) << "its point is on neither hull";
    // Clipping finds that they do not meet, and chooses a face that is not the minimum and has no points.
    const Result clipping = published::literal::clipping_manifold(p.a, p.b);
    EXPECT_EQ(clipping.info.type, Type::face_a);
    EXPECT_TRUE(clipping.points.empty());
    EXPECT_NEAR(clipping.info.separation, -0.2776, 1e-4);
    // Another pair of edges meets and has the same depth.
    const Collision mended = published::collide(p.a, p.b);
    ASSERT_EQ(mended.info.type, Type::edges);
    EXPECT_TRUE(edges_meet(p, mended.info));
    EXPECT_NEAR(mended.info.separation, axes.info.separation, 1e-12);
    EXPECT_NEAR(height_outside(p.a, mended.point), 0.0, 1e-9);
}

TEST(PublishedMended, EdgesMustBeThoseThatTouch) {
    // A hull with parallel edges has one axis more than once; the first edge is not always the one that touches.
    const LiteralPair& p = literal_pair(62);
    const Result axes = published::literal::separating_axes(p.a, p.b);
    const Collision mended = published::collide(p.a, p.b);
    ASSERT_EQ(axes.info.type, Type::edges);
    ASSERT_EQ(mended.info.type, Type::edges);
    EXPECT_NEAR(mended.info.separation, axes.info.separation, 1e-12);
    const auto off_support = [&](const published::Info& info) {
        const Vec3d& n = info.normal;
        const double high = published::supports_along(p.a, n).max_value;
        return high - dot(n, p.a.positions[p.a.edges[info.index[0]][0]]) +
               dot(n, p.b.positions[p.b.edges[info.index[1]][0]]) - published::supports_along(p.b, n).min_value;
    };
    EXPECT_GT(off_support(axes.info), 1e-3);
    EXPECT_NEAR(off_support(mended.info), 0.0, 1e-9);
    EXPECT_GT(length(axes.points.at(0).position - mended.point), 1e-3);
}

TEST(PublishedMended, FacesWinAgainstEdgesThatAreBetterByRounding) {
    const LiteralPair& p = literal_pair(283);
    const Result axes = published::literal::separating_axes(p.a, p.b);
    const Collision mended = published::collide(p.a, p.b);
    EXPECT_EQ(axes.info.type, Type::edges);
    EXPECT_EQ(mended.info.type, Type::face_b);
    EXPECT_NEAR(axes.info.separation, mended.info.separation, 1e-14);
    EXPECT_EQ(published::clip_on_collision_plane(p.a, p.b, mended).points.size(), 2U);
    EXPECT_EQ(axes.points.size(), 1U);
}

TEST(PublishedMended, HeightsAreMeasuredFromTheFurthestVertexOfAFace) {
    // Rounded corners of a face lie up to 1e-8 beside its plane; the source measures from the first corner.
    const LiteralPair& p = literal_pair(8);
    const Result axes = published::literal::separating_axes(p.a, p.b);
    const Collision mended = published::collide(p.a, p.b);
    ASSERT_EQ(axes.info.type, Type::face_a);
    ASSERT_EQ(mended.info.type, Type::face_a);
    ASSERT_EQ(axes.info.index[0], mended.info.index[0]);
    const Polyhedron& a = p.a;
    const Vec3d& n = a.normals[mended.info.index[0]];
    const double first = dot(n, a.positions[a.faces[mended.info.index[0]][0]]);
    const double furthest = published::supports_along(a, n).max_value;
    EXPECT_GT(furthest - first, 1e-9);
    EXPECT_NEAR(axes.info.separation - mended.info.separation, furthest - first, 1e-15);
}

TEST(PublishedMended, TouchingIsTheSameForFacesAndEdges) {
    // Edges that touch count as apart in the source, faces that touch do not.
    const LiteralPair& p = literal_pair(4);
    EXPECT_FALSE(published::literal::separating_axes(p.a, p.b).colliding);
    const Collision mended = published::collide(p.a, p.b);
    EXPECT_TRUE(mended.colliding);
    EXPECT_NEAR(mended.info.separation, 0.0, 1e-15);
}

TEST(PublishedMended, FlushCornersOfAReferenceFaceOfBLieOnTheIncidentHull) {
    // A cube 0.125 deep in the top of a slab, which lies at z = 1, the whole scene turned. Rounding decides which of
    // the two flush faces is the reference.
    std::uint32_t of_a = 0, of_b = 0;
    for (int k = 0; k < 256; ++k) {
        const Mat3d scene = rotation(about(normalized(Vec3d{1, 0.5 + k, 3}), 0.1 + 0.07 * k));
        const auto height = [&](const Vec3d& x) { return dot(scene * Vec3d{0, 0, 1}, x); };
        const Polyhedron slab = box({8, 8, 1}, {}, scene);
        const Polyhedron cube = box({1, 1, 1}, {0.5, 0.25, 1.875}, scene);
        const Result cube_is_a = published::literal::clipping_manifold(cube, slab);
        if (cube_is_a.info.type == Type::face_a) {
            ++of_a;
            ASSERT_EQ(cube_is_a.points.size(), 4U);
            for (const auto& q : cube_is_a.points) EXPECT_NEAR(height(q.position), 1.0, 1e-12);
        }
        const Result cube_is_b = published::literal::clipping_manifold(slab, cube);
        if (cube_is_b.info.type != Type::face_b) continue;
        ++of_b;
        ASSERT_EQ(cube_is_b.points.size(), 4U);
        for (const auto& q : cube_is_b.points) EXPECT_NEAR(height(q.position), 0.75, 1e-12) << "away from the slab";
        Collision c = published::collide(slab, cube);
        c.info = cube_is_b.info;
        const auto mended = published::clip_on_collision_plane(slab, cube, c);
        ASSERT_EQ(mended.points.size(), 4U);
        for (const auto& q : mended.points) EXPECT_NEAR(height(q.position), 1.0, 1e-12);
    }
    EXPECT_GT(of_a, 10U);
    EXPECT_GT(of_b, 10U);
}

TEST(PublishedMended, LoopsThatAreNotCyclicAreSorted) {
    // Some faces of the published cube are not in cyclic order. A cube 0.125 deep in a slab, all loops like those.
    const PublishedExample example = read_published_example(LANEFOLD_TEST_DATA);
    EXPECT_NE(published::cyclic_face(example.b, 2), example.b.faces[2]);
    Polyhedron slab = box({8, 8, 1}, {});
    Polyhedron cube = box({1, 1, 1}, {0.25, 0.5, 1.875});
    EXPECT_EQ(published::literal::clipping_manifold(slab, cube).points.size(), 4U);
    for (Polyhedron* h : {&slab, &cube}) {
        for (auto& loop : h->faces) std::swap(loop[2], loop[3]);
    }
    // The points are the cube's four corners at the bottom.
    const auto corners_among = [&](const std::vector<published::ClipPoint>& points) {
        std::size_t count = 0;
        for (const Vec3d& x : cube.positions) {
            count +=
                std::any_of(points.begin(), points.end(), [&](const auto& q) { return length(q.position - x) < 1e-9; });
        }
        return count;
    };
    EXPECT_LT(corners_among(published::literal::clipping_manifold(slab, cube).points), 4U);
    const auto mended = published::clip_on_collision_plane(slab, cube, published::collide(slab, cube)).points;
    EXPECT_EQ(corners_among(mended), 4U);
    EXPECT_EQ(mended.size(), 4U);
}

TEST(PublishedMended, NothingDependsOnTheUnit) {
    // The example in another unit, a hundredth as large: the determinant of its edges falls below 1e-8.
    const PublishedExample example = read_published_example(LANEFOLD_TEST_DATA);
    Polyhedron a = example.a;
    Polyhedron b = example.b;
    for (Polyhedron* h : {&a, &b}) {
        for (Vec3d& x : h->positions) x = x * 0.005;
    }
    const Result axes = published::literal::separating_axes(a, b);
    EXPECT_EQ(axes.info.type, Type::edges);
    EXPECT_TRUE(axes.points.empty()) << "the source gives what its memory held before";
    const Collision mended = published::collide(a, b);
    EXPECT_LT(length(mended.point - example.expected.point * 0.005), 1e-15);
}

TEST(PublishedMended, IncidentFaceIsAroundTheDeepestVertex) {
    // The most anti-parallel face of all lies elsewhere and leaves no points. Midway placement considers only the faces
    // around the vertex.
    const LiteralPair& p = literal_pair(158);
    EXPECT_TRUE(published::literal::clipping_manifold(p.a, p.b).points.empty());
    const Collision c = published::collide(p.a, p.b);
    EXPECT_TRUE(published::clip_on_collision_plane(p.a, p.b, c).points.empty());
    const auto midway = published::clip_on_collision_plane(p.a, p.b, c, {published::Placement::midway});
    ASSERT_FALSE(midway.points.empty());
    double deepest = 0;
    for (const auto& q : midway.points) deepest = std::min(deepest, q.separation);
    // They only touch, and their faces' corners lie up to 1e-8 beside the planes.
    EXPECT_NEAR(deepest, c.info.separation, 1e-7);
}

// Counts the differences for pairs that overlap by more than rounding.
TEST(PublishedMended, PairsThatDiffer) {
    std::uint32_t overlapping = 0, axes_differ = 0, clipping_differs = 0, without_points = 0, deeper = 0;
    for (std::size_t i = 0; i < 460; ++i) {
        const LiteralPair& p = literal_pair(i);
        const Collision mended = published::collide(p.a, p.b);
        const Result axes = published::literal::separating_axes(p.a, p.b);
        const Result clipping = published::literal::clipping_manifold(p.a, p.b);
        if (!(mended.info.separation < -1e-6)) continue;
        ++overlapping;
        ASSERT_TRUE(axes.colliding && clipping.colliding) << i;
        // Never shallower: the mended one is the minimum.
        ASSERT_GE(mended.info.separation, axes.info.separation - 1e-8) << i;
        ASSERT_GE(mended.info.separation, clipping.info.separation - 1e-8) << i;
        axes_differ += mended.info.separation - axes.info.separation > 1e-8 ? 1U : 0U;
        clipping_differs += mended.info.separation - clipping.info.separation > 1e-8 ? 1U : 0U;
        without_points += clipping.points.empty() ? 1U : 0U;
        deeper += clipping.info.separation < 1.1 * mended.info.separation ? 1U : 0U;
    }
    std::printf(
        "overlapping %u: depth not the minimum for axes %u, for clipping %u (by more than 10%% %u), no points %u\n",
        overlapping, axes_differ, clipping_differs, deeper, without_points);
    EXPECT_GT(overlapping, 350U);
    EXPECT_GT(axes_differ, 20U);
    EXPECT_GT(clipping_differs, axes_differ);
    EXPECT_GT(without_points, 50U);
}

}  // namespace
}  // namespace lanefold::test
