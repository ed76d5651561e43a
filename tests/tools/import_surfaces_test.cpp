// SPDX-License-Identifier: MIT
//
// `lanefold import --surface`: meshes that need not be convex become surfaces, with the builder's report.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <iostream>

#include <fmt/format.h>

#include <lanefold/detail/read_body.hpp>
#include <lanefold/surface.hpp>

#include "contacts/io.hpp"
#include "import/triangulate.hpp"
#include "support/tools/gltf_writer.hpp"
#include "support/tools/obj_file.hpp"
#include "support/tools/program.hpp"
#include "support/tools/scenes.hpp"

namespace lanefold::tools {
namespace {

namespace fs = std::filesystem;
using test::count_of;
using test::Obj;
using test::Outcome;
using test::program;
using test::TemporaryFolder;

// A floor of two groups that share an edge, with vertices of their own, and a cube 1 cm over it. `at` moves all.
Obj floor_and_cube(double at = 0) {
    Obj obj;
    obj.object("ground");
    for (const double x : {-2.0, 0.0}) {
        obj.add(x < 0 ? "g left" : "g right");
        for (const double y : {-2.0, 2.0}) {
            obj.vertex({at + x, at + y, x < 0 && y < 0 ? 0.5 : 0.0});
            obj.vertex({at + x + 2, at + y, 0});
        }
        obj.add(x < 0 ? "f 1 2 4 3" : "f 5 6 8 7");
    }
    obj.object("cube");
    obj.add("g cube");
    for (unsigned c = 0; c < 8; ++c) {
        obj.vertex({at + ((c & 1U) != 0 ? 1.5 : 0.5), at + ((c & 2U) != 0 ? 1.5 : 0.5), (c & 4U) != 0 ? 1.01 : 0.01});
    }
    for (const char* face : {"9 11 12 10", "13 14 16 15", "9 10 14 13", "11 15 16 12", "9 13 15 11", "10 12 16 14"})
        obj.add(std::string("f ") + face);
    return obj;
}

const lanefold::Surface* surface_of(const HullSet& hulls, const Scene& scene, const std::string& name) {
    const auto at = std::find(scene.names().begin(), scene.names().end(), name);
    EXPECT_NE(at, scene.names().end()) << name;
    return hulls.surface(scene.body_hull()[static_cast<std::size_t>(at - scene.names().begin())]);
}

TEST(ImportSurfaces, GroupsOfAnObjectAreOneSurfaceWithoutSeams) {
    const TemporaryFolder folder;
    for (const double at : {0.0, 4e6}) {
        const std::string obj = floor_and_cube(at).write(folder / "floor.obj");
        const std::string scene = (folder / "scene").string(), contacts = (folder / "contacts").string();
        fs::remove_all(scene);
        fs::remove_all(contacts);
        Outcome outcome = program({"import", obj, "-o", scene, "--surface", "ground"});
        ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
        EXPECT_EQ(count_of(outcome.out, "of these surfaces"), 1U) << outcome.out;
        EXPECT_NE(outcome.out.find("surface 'ground'"), std::string::npos) << outcome.out;
        EXPECT_NE(outcome.out.find("6 vertices, 4 triangles"), std::string::npos) << outcome.out;
        EXPECT_EQ(count_of(outcome.out, "exact copies of vertices joined"), 2U) << outcome.out;
        EXPECT_EQ(count_of(outcome.out, "edges at its border"), 6U) << outcome.out;
        const Scene made(scene);
        EXPECT_EQ(made.bodies(), 2U);
        EXPECT_EQ(made.hulls(), 2U);
        const HullSet hulls = made.build_hulls();
        const lanefold::Surface* const ground = surface_of(hulls, made, "ground");
        ASSERT_NE(ground, nullptr);
        EXPECT_EQ(ground->triangle_count(), 4U);
        EXPECT_EQ(ground->report().border_edges, 6U);
        ASSERT_EQ(program({"collide", scene, "-o", contacts, "--margin", "0.05"}).exit_code, 0);
        EXPECT_EQ(program({"verify", scene, contacts}).exit_code, 0);
        const FrameSummary summary = ContactsReader(contacts).summary(0);
        EXPECT_EQ(summary.touching, 1U);
        EXPECT_EQ(summary.points, 4U);
    }
}

TEST(ImportSurfaces, ConcaveMeshesAreTakenAsTheyAre) {
    const TemporaryFolder folder;
    Obj obj;
    obj.object("angle").angle("a");
    const std::string file = obj.write(folder / "angle.obj"), scene = (folder / "scene").string();
    EXPECT_EQ(program({"import", file, "-o", scene}).exit_code, 2);  // not convex
    const Outcome outcome = program({"import", file, "-o", scene, "--surface", "angle"});
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    const Scene made(scene);
    const HullSet hulls = made.build_hulls();
    const lanefold::Surface* const angle = hulls.surface(0);
    ASSERT_NE(angle, nullptr);
    EXPECT_EQ(angle->triangle_count(), 2U * 4 + 6 * 2);
    EXPECT_EQ(angle->report().border_edges, 0U);
    // The L's sides together: twice its area, and its outline times its height.
    double area = 0;
    for (std::uint32_t t = 0; t < angle->triangle_count(); ++t) {
        const auto c = angle->triangle(t);
        const Vec3d a = to_double(angle->vertex(c[0]));
        area += 0.5 * length(cross(to_double(angle->vertex(c[1])) - a, to_double(angle->vertex(c[2])) - a));
    }
    EXPECT_NEAR(area, 2 * 5 + 12, 1e-6);
}

TEST(ImportSurfaces, NodesOfGltfShareASurface) {
    const TemporaryFolder folder;
    test::GltfWriter gltf;
    const int mesh = gltf.mesh({0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0.5F}, {0, 1, 2, 0, 2, 3});
    for (const char* const name : {"a", "b"}) {
        gltf.root["nodes"].push_back({{"name", name}, {"mesh", mesh}, {"translation", {*name == 'a' ? 0 : 5, 0, 0}}});
        gltf.root["scenes"][0]["nodes"].push_back(gltf.root["nodes"].size() - 1);
    }
    const std::string file = gltf.write(folder / "two.gltf"), scene = (folder / "scene").string();
    const Outcome outcome = program({"import", file, "-o", scene, "--surface", "a", "--surface", "b"});
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    const Scene made(scene);
    EXPECT_EQ(made.bodies(), 2U);
    EXPECT_EQ(made.hulls(), 1U);
    EXPECT_EQ(made.build_hulls().surface(0)->triangle_count(), 2U);
    EXPECT_EQ(made.inverse_mass()[0], 0.0F);
}

// A box that slides over six tiles of one object keeps its speed as over one floor: a surface has no seams.
TEST(ImportSurfaces, TilesOfAnObjectAreSlidOverAsOneFloor) {
    const TemporaryFolder folder;
    const std::string setup = (folder / "setup.json").string();
    std::ofstream(setup)
        << R"({"bodies": [{"body": 0, "friction": 0}, {"body": 1, "friction": 0, "velocity": [3, 0, 0]}]})";
    const auto number = [](const SceneFrame& frame, std::size_t i) {
        return frame.position.empty() ? frame.position_double[i] : static_cast<double>(frame.position[i]);
    };
    std::vector<double> ends;
    for (const int tiles : {1, 6}) {
        for (const bool surface : {true, false}) {
            if (tiles == 6 && !surface) continue;
            Obj obj;
            obj.object("floor");
            const double half = 6.0 / tiles;
            for (int k = 0; k < tiles; ++k)
                obj.box(fmt::format("tile{}", k), {-2 + (2 * k + 1) * half, -0.5, 0}, {half, 0.5, 2});
            obj.object("box").box("box", {0, 0.25, 0.1}, {0.25, 0.25, 0.25});
            const std::string file = obj.write(folder / "floor.obj"), scene = (folder / "scene").string();
            const std::string moved = (folder / "moved").string();
            for (const std::string& old : {scene, moved}) fs::remove_all(old);
            std::vector<std::string> import{"import", file, "-o", scene};
            const std::vector<std::string> how =
                surface ? std::vector<std::string>{"--surface", "floor"} : std::vector<std::string>{"--fixed", "floor"};
            import.insert(import.end(), how.begin(), how.end());
            Outcome outcome = program(import);
            ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
            outcome = program({"simulate", scene, "-o", moved, "--steps", "120", "--every", "120", "--setup", setup});
            ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
            const Scene after(moved);
            SceneFrame first, last;
            after.read_frame(0, first);
            after.read_frame(1, last);
            ends.push_back(number(last, 3) - number(first, 3));
            EXPECT_NEAR(number(last, 4), number(first, 4), 1e-4) << tiles;
        }
    }
    std::cout << fmt::format("slid {:.7f} m over one surface, {:.7f} m over one hull, {:.7f} m over six tiles\n",
                             ends[0], ends[1], ends[2]);
    ASSERT_EQ(ends.size(), 3U);
    EXPECT_NEAR(ends[1], 6, 6e-5);
    EXPECT_NEAR(ends[0], ends[1], 6e-5);
    EXPECT_NEAR(ends[2], ends[1], 6e-5);
}

TEST(ImportSurfaces, WhatCannotBeIsRefused) {
    const TemporaryFolder folder;
    const std::string obj = floor_and_cube().write(folder / "floor.obj"), scene = (folder / "scene").string();
    const auto refused = [&](const std::vector<std::string>& more, const std::vector<std::string>& words) {
        std::vector<std::string> command{"import", obj, "-o", scene};
        command.insert(command.end(), more.begin(), more.end());
        const Outcome outcome = program(command);
        EXPECT_EQ(outcome.exit_code, 2) << words[0];
        for (const std::string& word : words) EXPECT_NE(outcome.err.find(word), std::string::npos) << outcome.err;
        EXPECT_FALSE(fs::exists(scene));
    };
    refused({"--surface", "grund"}, {"--surface grund", "no object"});
    // Points are no surface, whatever the format.
    test::write_bytes(folder / "cloud.ply",
                      "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\n"
                      "end_header\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n");
    refused({(folder / "cloud.ply").string(), "--surface", "ground", "--surface", "cloud"},
            {"cloud", "a surface needs faces"});
}

// Poses move a surface like any other piece.
TEST(ImportSurfaces, PosesMoveThem) {
    const TemporaryFolder folder;
    const std::string obj = floor_and_cube().write(folder / "floor.obj"), scene = (folder / "scene").string();
    std::vector<float> poses;
    for (int frame = 0; frame < 2; ++frame) {
        for (int body = 0; body < 2; ++body) {
            const bool moved = frame == 1 && body == 0;
            poses.insert(poses.end(), {0, 0, moved ? 1.0F : 0.0F, 0, moved ? 0.6F : 0.0F, 0, moved ? 0.8F : 1.0F});
        }
    }
    const std::string npy = (folder / "poses.npy").string();
    write_npy<float>(npy, poses, {2, 2, 7});
    const Outcome outcome = program(
        {"import", obj, "-o", scene, "--surface", "ground", "--poses", npy, "--group-by", "none", "--fps", "24"});
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    const Scene made(scene);
    ASSERT_EQ(made.frames(), 2U);
    EXPECT_EQ(made.inverse_mass()[0], 0);
    EXPECT_EQ(made.info().frames_per_second, 24);
    const HullSet hulls = made.build_hulls();
    const Surface* const ground = hulls.surface(made.body_hull()[0]);
    ASSERT_NE(ground, nullptr);
    // A vertex is where the file's is, turned about the file's origin and lifted.
    SceneFrame first, second;
    made.read_frame(0, first);
    made.read_frame(1, second);
    const auto place = [&](const SceneFrame& frame) {
        const BodyD body = detail::read_body(made.view(frame), 0);
        Quat q;
        EXPECT_TRUE(normalize(body.orientation, q));
        return transform(PoseD{rotation(q), detail::position_of(body)}, to_double(ground->vertex(0)));
    };
    const Vec3d from = place(first), to = place(second);
    const Vec3d expected = rotation(Quat{0, 0.6, 0, 0.8}) * from + Vec3d{0, 0, 1};
    EXPECT_LT(length(to - expected), 1e-5);
    EXPECT_GT(length(to - from), 0.5);
}

// Nothing is split where all that is concave is a surface, so no Python is started.
TEST(ImportSurfaces, ASurfaceIsNotDecomposed) {
    const TemporaryFolder folder;
    const std::string obj = floor_and_cube().write(folder / "floor.obj");
    const Outcome done =
        program({"import", obj, "-o", (folder / "scene").string(), "--surface", "ground", "--decompose"});
    ASSERT_EQ(done.exit_code, 0) << done.err;
    EXPECT_EQ(count_of(done.out, "of these surfaces"), 1U) << done.out;
}

TEST(ImportSurfaces, ConcaveFacesAreDivided) {
    const std::vector<Vec3d> star{{0, 0, 0}, {4, 0, 0}, {4, 4, 0}, {2, 1, 0}, {0, 4, 0}};
    for (std::uint32_t first = 0; first < 5; ++first) {
        std::vector<std::uint32_t> face;
        for (std::uint32_t k = 0; k < 5; ++k) face.push_back((first + k) % 5);
        std::vector<std::array<std::uint32_t, 3>> triangles;
        triangulate(star, face, triangles);
        ASSERT_EQ(triangles.size(), 3U);
        double area = 0;
        for (const auto& t : triangles) {
            const Vec3d n = cross(star[t[1]] - star[t[0]], star[t[2]] - star[t[0]]);
            EXPECT_GT(n.z, 0) << first;
            area += 0.5 * n.z;
        }
        EXPECT_NEAR(area, 16 - 6, 1e-12);
    }
}

}  // namespace
}  // namespace lanefold::tools
