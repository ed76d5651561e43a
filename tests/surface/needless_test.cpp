// SPDX-License-Identifier: MIT
//
// Needless contacts, in scenes whose depths are known by hand, before the judge.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include <lanefold/collide_surface.hpp>
#include <lanefold/surface_judge.hpp>

#include "support/hulls.hpp"
#include "surface/flat_meshes.hpp"

namespace lanefold::test {
namespace {

constexpr double kSlope = 0.005;  // of the roof, to either side
constexpr double kRise = 0.004;   // of the ramp, along y
constexpr double kRidge = 2e-4;   // how deep the ridge is in the box

reference::GroundJudgement judge(const FlatMesh& mesh, const BodyD& body, const Options& options,
                                 const Library& library, std::span<const Manifold4> records) {
    const reference::OracleSurface oracle = reference::make_oracle_surface(mesh.points, mesh.triangles);
    const SurfacePose pose;
    return reference::judge_ground({&oracle, reference::oracle_pose(pose.position, pose.orientation),
                                    &library.oracle[0], reference::oracle_pose(body.position, body.orientation),
                                    static_cast<double>(options.margin), static_cast<double>(options.face_preference)},
                                   records);
}

// A box and what it meets.
struct Scene {
    Scene(const FlatMesh& ground, const Vec3d& half, const Vec3d& at, const Options& o) : mesh(ground), options(o) {
        const std::vector<Points> box{box_points(half.x, half.y, half.z)};
        library = build_library(box);
        body.position[0] = at.x, body.position[1] = at.y, body.position[2] = at.z;
        body.orientation[3] = 1;
        SurfaceContacts out;
        const std::span<const BodyD> bodies(&body, 1);
        EXPECT_TRUE(collide_surface(mesh.build(), {}, library.hulls, bodies, {}, options, out));
        records = out.records;
    }

    reference::GroundJudgement judgement() const { return judge(mesh, body, options, library, records); }
    void expect_right(std::uint32_t needless) const {
        const reference::GroundJudgement j = judgement();
        for (const std::string& text : j.violations) ADD_FAILURE() << text;
        EXPECT_EQ(j.needless, needless);
    }

    FlatMesh mesh;
    Options options;
    BodyD body{};
    Library library;
    std::vector<Manifold4> records;
};

void expect_distance(const Manifold4& m, double distance) {
    EXPECT_NEAR(static_cast<double>(m.distance), distance, 1e-6);
}

// A box of half widths 0.3, 0.2 and 0.1 sinks into the ridge of a flat roof, which is under its half y < 0. Under the
// other half a narrow ramp rises along y to `height` over the ridge. The box is kRidge deep over the roof, and its far
// corners are 0.3 * kSlope + kRidge below the planes of either side, but over none of its triangles. Over the ramp it
// is kRidge + height deep, and beside it 0.1 * kRise more below its plane. The ramp's normal is admissible for no
// triangle of the roof.
Scene roof_and_ramp(double height, const Options& options) {
    FlatMesh mesh;
    for (const double y : {-1.0, -0.05}) {
        for (const double x : {-1.0, 0.0, 1.0}) mesh.add(x, y, -kSlope * std::fabs(x));
    }
    mesh.quad(0, 1, 4, 3);
    mesh.quad(1, 2, 5, 4);
    for (const double y : {0.05, 0.1}) {
        for (const double x : {-1.0, 1.0}) mesh.add(x, y, height + kRise * (y - 0.1));
    }
    mesh.quad(6, 7, 9, 8);
    return {mesh, {0.3, 0.2, 0.1}, {0, 0, 0.1 - kRidge}, options};
}

// Below the planes the box is more than twice as deep at the roof as at the ramp. What counts is that it is less deep.
TEST(NeedlessContacts, DepthsAreThoseOfPoints) {
    const Scene s = roof_and_ramp(1e-4, {});
    ASSERT_EQ(s.records.size(), 3U);
    expect_distance(s.records[0], -3e-4);
    EXPECT_NEAR(static_cast<double>(s.records[0].normal[1]), kRise, 1e-6);
    for (const std::size_t i : {1U, 2U}) {
        expect_distance(s.records[i], -kRidge);
        EXPECT_NEAR(std::fabs(static_cast<double>(s.records[i].normal[0])), kSlope, 1e-6);
    }
    s.expect_right(0);
    Scene less = s;
    less.records.resize(1);
    EXPECT_TRUE(less.judgement().missed);
}

// The box is not in the ramp, so nothing is moved out along it.
TEST(NeedlessContacts, WhatIsApartMovesNothing) {
    Options options;
    options.margin = 1e-3F;
    const Scene s = roof_and_ramp(-3e-4, options);
    ASSERT_EQ(s.records.size(), 3U);
    expect_distance(s.records[0], -kRidge);
    expect_distance(s.records[1], -kRidge);
    expect_distance(s.records[2], 1e-4);
    s.expect_right(0);
    Scene less = s;
    less.records.erase(less.records.begin(), less.records.begin() + 2);
    EXPECT_TRUE(less.judgement().missed);
}

// A box sinks by 1 mm into a table and stands over its edge. The wall below the edge is made of strips. The highest
// shares the edge, and so the table's contact. A triangle that begins 0.4 mm below the edge has the way out that all
// the wall has, to the far side of the box: it is needless.
TEST(NeedlessContacts, WallBelowATablesEdge) {
    FlatMesh mesh;
    for (const double x : {1.0, 0.0}) {
        for (const double y : {-1.0, 1.0}) mesh.add(x, y);
    }
    for (const double z : {-4e-4, -1.0}) {
        for (const double y : {-1.0, 1.0}) mesh.add(0, y, z);
    }
    mesh.quad(0, 1, 3, 2);
    mesh.quad(2, 3, 5, 4);
    mesh.quad(4, 5, 7, 6);
    const Scene s(mesh, {0.3, 0.2, 0.1}, {0.1, 0, 0.099}, {});
    ASSERT_EQ(s.records.size(), 1U);
    expect_distance(s.records[0], -1e-3);
    EXPECT_EQ(s.records[0].normal[2], -1);
    s.expect_right(1);
}

}  // namespace
}  // namespace lanefold::test
