// SPDX-License-Identifier: MIT
//
// Contact points by clipping on the collision plane, against an independent polygon intersection, with the published
// filter and placement, and with those of the engine.
#include <cmath>
#include <cstdio>
#include <numbers>
#include <set>

#include <gtest/gtest.h>

#include <lanefold/published.hpp>

#include "support/hulls.hpp"
#include "support/placed.hpp"
#include "support/polygons.hpp"
#include "support/published_example.hpp"

namespace lanefold::test {
namespace {

using published::ClipManifold;
using published::ClipSettings;
using published::Collision;
using published::PointSource;
using published::Polyhedron;
using published::Type;

std::vector<Point2> flat(const ClipManifold& m) {
    std::vector<Point2> p;
    for (const auto& c : m.points) p.push_back({c.position.x, c.position.y});
    return p;
}

TEST(PublishedManifold, FlushFacesGiveTheIntersectionOfTheirOutlines) {
    double worst = 0;
    int octagons = 0;
    for (std::uint32_t k = 0; k < 300; ++k) {
        Random random(41, k);
        const auto turn = [&] { return about({0, 0, 1}, random.uniform(0, 2 * std::numbers::pi)); };
        const std::uint32_t na = random.between(3, 8), nb = random.between(3, 8);
        const PoseD pa{rotation(turn()), {}};
        const PoseD pb{rotation(turn()), {random.uniform(-0.5, 0.5), random.uniform(-0.5, 0.5), 1.9375}};
        const Polyhedron a = placed(prism_points(na, 1.0, 1.0), pa);
        const Polyhedron b = placed(prism_points(nb, random.uniform(0.5, 2.0), 1.0), pb);
        const Collision c = published::collide(a, b);
        ASSERT_EQ(c.info.normal, (Vec3d{0, 0, 1}));
        ASSERT_DOUBLE_EQ(c.info.separation, -0.0625);
        const ClipManifold m = published::clip_on_collision_plane(a, b, c);
        const auto ring = [](const Polyhedron& h, double z) {
            std::vector<Point2> p;
            for (const Vec3d& v : h.positions) {
                if (std::fabs(v.z - z) < 1e-9) p.push_back({v.x, v.y});
            }
            return p;  // the generator's order is cyclic
        };
        const std::vector<Point2> expected = intersection(ring(a, 1.0), ring(b, 0.9375));
        EXPECT_EQ(m.points.size(), expected.size()) << "case " << k;
        const double error = std::fabs(area(flat(m)) - area(expected));
        EXPECT_LT(error, 1e-12) << "case " << k;
        worst = std::max(worst, error);
        // All on the incident (upper) hull's surface: reference vertices were moved by -mtv.
        for (const auto& p : m.points) {
            EXPECT_NEAR(p.position.z, 0.9375, 1e-12);
            EXPECT_NEAR(p.separation, -0.0625, 1e-12);
        }
        octagons += expected.size() >= 8 ? 1 : 0;
    }
    std::printf("seed 41: 300 pairs, %d with eight points and more, worst error of the area %.1e\n", octagons, worst);
    EXPECT_GT(octagons, 20);
}

TEST(PublishedManifold, OnlyPointsTouchingAtTheInstantOfCollisionCount) {
    // A cube tilted by 0.1 about y over a big box: its lower edge touches first, the other two lower corners
    // are 2 sin(0.1) above it.
    const double tilt = 0.1;
    const Polyhedron floor = placed(box_points(4, 4, 1), {});
    const double lowest = std::sin(tilt) + std::cos(tilt);
    const Polyhedron cube = placed(box_points(1, 1, 1), {rotation(about({0, 1, 0}, tilt)), {0, 0, 1 + lowest - 0.25}});
    const Collision c = published::collide(floor, cube);
    ASSERT_EQ(c.info.type, Type::face_a);
    EXPECT_NEAR(c.info.separation, -0.25, 1e-12);
    const ClipManifold touching = published::clip_on_collision_plane(floor, cube, c);
    ASSERT_EQ(touching.points.size(), 2U);
    for (const auto& p : touching.points) {
        EXPECT_EQ(p.source, PointSource::incident_vertex);
        EXPECT_NEAR(p.position.z, 0.75, 1e-12);  // where the cube's edge is now
    }
    ClipSettings engine;
    engine.placement = published::Placement::midway;
    const ClipManifold all = published::clip_on_collision_plane(floor, cube, c, engine);
    ASSERT_EQ(all.points.size(), 4U);
    double highest = -1;
    for (const auto& p : all.points) {
        EXPECT_NEAR(p.position.z, 1.0 + 0.5 * p.separation, 1e-12);  // midway between the surfaces
        highest = std::max(highest, p.separation);
    }
    EXPECT_NEAR(highest, -0.25 + 2 * std::sin(tilt), 1e-12);
    engine.points = PointSelection::impact;
    EXPECT_EQ(published::clip_on_collision_plane(floor, cube, c, engine).points.size(), 2U);
}

TEST(PublishedManifold, ReferenceVerticesAreMovedOntoTheIncidentHull) {
    // A small cube (A) on a big box (B) below it: faces tie, so A's face is the reference and its corners lie
    // inside B's top.
    const Polyhedron cube = placed(box_points(1, 1, 1), {Mat3d{}, {0.5, 0.25, 1.875}});
    const Polyhedron box = placed(box_points(4, 4, 1), {});
    const Collision c = published::collide(cube, box);
    ASSERT_EQ(c.info.type, Type::face_a);
    const ClipManifold m = published::clip_on_collision_plane(cube, box, c);
    ASSERT_EQ(m.points.size(), 4U);
    for (const auto& p : m.points) {
        EXPECT_EQ(p.source, PointSource::reference_vertex);
        EXPECT_DOUBLE_EQ(p.position.z, 1.0);  // the cube's bottom 0.875 moved by -mtv onto the box's top
    }
}

TEST(PublishedManifold, EdgeContactIsOnePointOnTheEdgeOfA) {
    const PublishedExample example = read_published_example(LANEFOLD_TEST_DATA);
    const Collision c = published::collide(example.a, example.b);
    const ClipManifold m = published::clip_on_collision_plane(example.a, example.b, c);
    ASSERT_EQ(m.points.size(), 1U);
    EXPECT_NEAR(length(m.points[0].position - example.expected.point), 0.0, 1e-12);
    ClipSettings engine;
    engine.placement = published::Placement::midway;
    const ClipManifold middle = published::clip_on_collision_plane(example.a, example.b, c, engine);
    ASSERT_EQ(middle.points.size(), 1U);
    EXPECT_NEAR(length(middle.points[0].position - (example.expected.point - example.expected.mtv * 0.5)), 0.0, 1e-12);
}

TEST(PublishedManifold, FacesOfThePublishedCubeAreMadeCyclic) {
    const PublishedExample example = read_published_example(LANEFOLD_TEST_DATA);
    std::set<std::pair<std::uint32_t, std::uint32_t>> edges;
    for (const auto& e : example.b.edges) edges.insert(std::minmax(e[0], e[1]));
    int as_given = 0;
    for (std::uint32_t f = 0; f < example.b.faces.size(); ++f) {
        const auto loop = published::cyclic_face(example.b, f);
        const auto& given = example.b.faces[f];
        ASSERT_EQ(loop.size(), given.size());
        EXPECT_EQ(loop[0], given[0]);
        bool cyclic = true;
        for (std::size_t k = 0; k < loop.size(); ++k) {
            EXPECT_EQ(edges.count(std::minmax(loop[k], loop[(k + 1) % loop.size()])), 1U) << "face " << f;
            cyclic = cyclic && edges.count(std::minmax(given[k], given[(k + 1) % given.size()])) == 1;
        }
        as_given += cyclic ? 1 : 0;
        const Vec3d a = example.b.positions[loop[1]] - example.b.positions[loop[0]];
        const Vec3d b = example.b.positions[loop[2]] - example.b.positions[loop[1]];
        EXPECT_GT(dot(cross(a, b), example.b.normals[f]), 0.9);  // counter-clockwise from outside, unit square
    }
    EXPECT_LT(as_given, 6);  // some faces of the data are not cyclic
}

TEST(PublishedManifold, StrictlyInsideTakesEitherWinding) {
    std::vector<Vec3d> square = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
    for (int turn = 0; turn < 2; ++turn) {
        EXPECT_TRUE(published::strictly_inside(square, {0, 0, 1}, {0.5, 0.5, 7}));
        EXPECT_FALSE(published::strictly_inside(square, {0, 0, 1}, {1, 0.5, 0}));
        EXPECT_FALSE(published::strictly_inside(square, {0, 0, 1}, {1.5, 0.5, 0}));
        std::reverse(square.begin(), square.end());
    }
}

}  // namespace
}  // namespace lanefold::test
