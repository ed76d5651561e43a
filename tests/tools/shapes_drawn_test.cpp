// SPDX-License-Identifier: MIT
//
// Pictures, pages and exports of scenes with half-spaces and compounds: a plane is a plate that reaches the other
// bodies, a compound its children.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include <lanefold/half_space.hpp>

#include "export/geometry.hpp"
#include "scene/drawn_hulls.hpp"
#include "support/tools/program.hpp"
#include "support/tools/shapes_scene.hpp"

namespace lanefold::tools {
namespace {

using test::Outcome;
using test::program;
using test::read_bytes;
using test::ShapesScene;
using test::TemporaryFolder;

TEST(ShapesDrawn, APlaneIsAPlateThatReachesTheOthers) {
    const TemporaryFolder folder;
    ShapesScene made;
    made.shapes.half_spaces = {{{0, 3, 4}, 0.25F}};
    made.write(folder / "scene");
    const Scene scene(folder / "scene");
    const HullSet hulls = scene.build_hulls();
    const HullSet drawn = drawn_hulls(scene, hulls, 0);
    ASSERT_EQ(drawn.size(), hulls.size());
    EXPECT_EQ(drawn[1].shape, ShapeKind::hull);
    ASSERT_EQ(drawn.vertices(1).size(), 8U);
    double highest = -1e9, lowest = 1e9, reach = 1e9;
    for (const Vec3f& v : drawn.vertices(1)) {
        const Vec3d p = to_double(v);
        const double height = 0.6 * p.y + 0.8 * p.z - 0.25;
        highest = std::max(highest, height);
        lowest = std::min(lowest, height);
        const double along = 0.8 * p.y - 0.6 * p.z;
        reach = std::min({reach, std::fabs(p.x), std::fabs(along)});
    }
    EXPECT_NEAR(highest, 0, 1e-5);
    EXPECT_LT(lowest, -1e-3);
    EXPECT_GT(lowest, -0.1);
    EXPECT_GT(reach, 5.5);  // the cube at x = 5
    EXPECT_LT(reach, 20);
}

TEST(ShapesDrawn, ACompoundIsItsChildren) {
    const TemporaryFolder folder;
    ShapesScene().write(folder / "scene");
    const Scene scene(folder / "scene");
    const HullSet drawn = drawn_hulls(scene, scene.build_hulls(), 0);
    EXPECT_FALSE(drawn.rounded());
    const std::vector<DrawnPiece> alone = drawn_pieces(drawn, 2);
    ASSERT_EQ(alone.size(), 1U);
    EXPECT_EQ(alone[0].hull, 2U);
    const std::vector<DrawnPiece> two = drawn_pieces(drawn, 5);
    ASSERT_EQ(two.size(), 2U);
    EXPECT_EQ(two[1].hull, 2U);
    EXPECT_EQ(two[1].pose.position.y, 3.0);
    const HullMesh mesh = hull_mesh(drawn, 3, Axes());
    EXPECT_EQ(mesh.vertices.size(), 16U);
    EXPECT_EQ(mesh.loop_size.size(), 12U);
    for (std::size_t k = 0; k < mesh.vertices.size(); ++k) {
        const double middle = k < 8 ? -1.5 : 1.5;
        EXPECT_EQ(std::fabs(mesh.vertices[k].x - middle), 0.5) << k;
    }
    // Loops of a child name its own vertices.
    for (std::size_t k = 0; k < mesh.loops.size(); ++k) EXPECT_EQ(mesh.loops[k] >= 8, k >= mesh.loops.size() / 2) << k;
}

TEST(ShapesDrawn, PicturesPagesAndExportsHaveThem) {
    const TemporaryFolder folder;
    const std::string scene = (folder / "scene").string(), contacts = (folder / "contacts").string();
    ShapesScene().write(scene, 2);
    ASSERT_EQ(program({"collide", scene, "-o", contacts, "--margin", "0.05", "--progress", "none"}).exit_code, 0);
    for (const std::string name : {"scene.svg", "scene.html"}) {
        const Outcome outcome = program({"picture", scene, contacts, "-o", (folder / name).string()});
        ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
        EXPECT_GT(test::occurrences(read_bytes(folder / name), "<path"), 50U) << outcome.out;
    }
    for (const std::string name : {"scene.usda", "scene.ply", "scene.pvd", "points.csv"}) {
        const Outcome outcome = program({"export", scene, contacts, "-o", (folder / name).string()});
        ASSERT_EQ(outcome.exit_code, 0) << name << outcome.err;
    }
    // A body of two cubes has 16 corners and 12 quadrangles in USD.
    const std::string usd = read_bytes(folder / "scene.usda");
    const std::size_t at = usd.find("\"hull_3\"");
    ASSERT_NE(at, std::string::npos);
    const std::string own = usd.substr(at, usd.find("\"hull_4\"") - at);
    EXPECT_EQ(test::occurrences(own.substr(own.find("faceVertexCounts"),
                                           own.find('\n', own.find("faceVertexCounts")) - own.find("faceVertexCounts")),
                                "4"),
              12U)
        << own;
}

}  // namespace
}  // namespace lanefold::tools
