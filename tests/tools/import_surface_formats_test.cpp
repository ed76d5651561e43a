// SPDX-License-Identifier: MIT
//
// `lanefold import --surface` of one messy ground as OBJ, STL, PLY and glTF, at the origin and far from it: the same
// report from each format, and the same triangles.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstring>
#include <fstream>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <lanefold/surface.hpp>

#include "support/tools/gltf_writer.hpp"
#include "support/tools/program.hpp"
#include "support/tools/scenes.hpp"

namespace lanefold::tools {
namespace {

namespace fs = std::filesystem;
using test::Outcome;
using test::program;
using test::TemporaryFolder;

// Two tiles side by side, the right one twice as fine, so that its vertices lie on edges of the left one. Then a
// repeated triangle, one without area, one of the other sense, and a fin on an inner edge.
struct Ground {
    std::vector<Vec3d> points;
    std::vector<std::array<std::uint32_t, 3>> triangles;

    void tile(double x0, std::uint32_t n, bool bumps) {
        const auto first = static_cast<std::uint32_t>(points.size());
        for (std::uint32_t j = 0; j <= n; ++j) {
            for (std::uint32_t i = 0; i <= n; ++i) {
                const bool inner = i > 0 && i < n && j > 0 && j < n;
                points.push_back({x0 + 4.0 * i / n, -2 + 4.0 * j / n, bumps && inner ? 0.25 : 0});
            }
        }
        for (std::uint32_t j = 0; j < n; ++j) {
            for (std::uint32_t i = 0; i < n; ++i) {
                const std::uint32_t a = first + j * (n + 1) + i;
                triangles.push_back({a, a + 1, a + n + 2});
                triangles.push_back({a, a + n + 2, a + n + 1});
            }
        }
    }

    explicit Ground(double at) {
        tile(-4, 4, true);
        tile(0, 8, false);
        triangles.push_back(triangles[3]);
        triangles.push_back({0, 1, 1});
        std::swap(triangles[40][1], triangles[40][2]);
        const std::array<std::uint32_t, 3> side = triangles[5];
        points.push_back({points[side[0]].x, points[side[0]].y, 1});
        triangles.push_back({side[0], side[1], static_cast<std::uint32_t>(points.size() - 1)});
        for (Vec3d& p : points) p = p + Vec3d{at, at, 0};
    }
};

std::string write_obj(const Ground& g, const fs::path& file) {
    std::ofstream out(file);
    out << "o ground\n";
    for (const Vec3d& p : g.points) out << fmt::format("v {} {} {}\n", p.x, p.y, p.z);
    for (const auto& t : g.triangles) out << fmt::format("f {} {} {}\n", t[0] + 1, t[1] + 1, t[2] + 1);
    return file.string();
}

std::string write_stl(const Ground& g, const fs::path& file) {
    std::ofstream out(file, std::ios::binary);
    const auto put = [&](const auto& value) { out.write(reinterpret_cast<const char*>(&value), sizeof value); };
    out << std::string(80, '\0');
    put(static_cast<std::uint32_t>(g.triangles.size()));
    for (const auto& t : g.triangles) {
        put(Vec3f{});
        for (const std::uint32_t v : t) put(to_float(g.points[v]));
        put(std::uint16_t{0});
    }
    return file.string();
}

std::string write_ply(const Ground& g, const fs::path& file) {
    std::ofstream out(file);
    out << fmt::format(
        "ply\nformat ascii 1.0\nelement vertex {}\nproperty double x\nproperty double y\nproperty double z\n"
        "element face {}\nproperty list uchar int vertex_indices\nend_header\n",
        g.points.size(), g.triangles.size());
    for (const Vec3d& p : g.points) out << fmt::format("{} {} {}\n", p.x, p.y, p.z);
    for (const auto& t : g.triangles) out << fmt::format("3 {} {} {}\n", t[0], t[1], t[2]);
    return file.string();
}

// Under a node that turns it by half a turn about x and back by a child, scaled: the vertices are halves. Mirrored,
// they are on the other side and corners run the other way, so that the mesh has the same outer side.
std::string write_gltf(const Ground& g, double at, bool mirrored, const fs::path& file) {
    const double side = mirrored ? -1 : 1;
    test::GltfWriter gltf;
    std::vector<float> points;
    std::vector<std::uint16_t> corners;
    for (const Vec3d& p : g.points) {
        const Vec3f x = to_float((p - Vec3d{at, at, 0}) * 0.5);
        points.insert(points.end(), {static_cast<float>(side) * x.x, x.y, x.z});
    }
    for (const auto& t : g.triangles) {
        for (const std::uint32_t v : {t[0], mirrored ? t[2] : t[1], mirrored ? t[1] : t[2]})
            corners.push_back(static_cast<std::uint16_t>(v));
    }
    const int mesh = gltf.mesh(points, corners);
    gltf.root["nodes"].push_back(
        {{"name", "up"}, {"rotation", {1, 0, 0, 0}}, {"translation", {at, at, 0}}, {"children", {1}}});
    gltf.root["nodes"].push_back(
        {{"name", "ground"}, {"mesh", mesh}, {"rotation", {1, 0, 0, 0}}, {"scale", {2 * side, 2, 2}}});
    gltf.root["scenes"][0]["nodes"].push_back(0);
    return gltf.write(file);
}

// How many triangles look up in the world.
std::size_t level(const lanefold::Surface& surface, const Mat3d& turn) {
    std::size_t count = 0;
    for (std::uint32_t t = 0; t < surface.triangle_count(); ++t) {
        const auto c = surface.triangle(t);
        const Vec3d a = to_double(surface.vertex(c[0]));
        const Vec3d up = turn * cross(to_double(surface.vertex(c[1])) - a, to_double(surface.vertex(c[2])) - a);
        count += up.z > 1e-3 ? 1U : 0U;
    }
    return count;
}

double area_of(const lanefold::Surface& surface) {
    double area = 0;
    for (std::uint32_t t = 0; t < surface.triangle_count(); ++t) {
        const auto c = surface.triangle(t);
        const Vec3d a = to_double(surface.vertex(c[0]));
        area += 0.5 * length(cross(to_double(surface.vertex(c[1])) - a, to_double(surface.vertex(c[2])) - a));
    }
    return area;
}

TEST(ImportSurfaceFormats, EveryFormatHasTheSameReport) {
    const TemporaryFolder folder;
    const std::string scene = (folder / "scene").string();
    // Its numbers are halves and quarters, which float32 files have there, too.
    for (const double at : {0.0, 65536.0}) {
        const Ground ground(at);
        const std::array<std::vector<std::string>, 5> imports{{
            {write_obj(ground, folder / "a.obj"), "ground"},
            {write_stl(ground, folder / "ground.stl"), "ground"},
            {write_ply(ground, folder / "ground.ply"), "ground"},
            {write_gltf(ground, at, false, folder / "a.gltf"), "ground", "--apply-scale"},
            {write_gltf(ground, at, true, folder / "b.gltf"), "ground", "--apply-scale"},
        }};
        double area = 0;
        for (const std::vector<std::string>& import : imports) {
            std::vector<std::string> command{"import", import[0], "-o", scene, "--replace", "--surface"};
            command.insert(command.end(), import.begin() + 1, import.end());
            const Outcome outcome = program(command);
            ASSERT_EQ(outcome.exit_code, 0) << import[0] << outcome.err;
            const auto told = [&](const char* row, std::uint64_t count) {
                EXPECT_EQ(test::count_of(outcome.out, row), count) << import[0] << row << outcome.out;
            };
            EXPECT_NE(outcome.out.find("102 vertices, 165 triangles"), std::string::npos) << outcome.out;
            told("triangles without area left out", 1);
            told("repeated triangles left out", 1);
            told("triangles divided at vertices on their edges", 4);
            told("triangles with an edge of more than two", 3);
            told("triangles against the sense of a neighbour", 3);
            told("edges at its border", 43);
            const Scene made(scene);
            const HullSet hulls = made.build_hulls();
            const lanefold::Surface* const surface = hulls.surface(0);
            ASSERT_NE(surface, nullptr);
            SceneFrame frame;
            made.read_frame(0, frame);
            const SurfaceBox box = surface->bounds();
            const double x = frame.position.empty() ? frame.position_double[0] : static_cast<double>(frame.position[0]);
            EXPECT_NEAR(box.low.x + x, at - 4, 1e-6) << import[0];
            EXPECT_NEAR(box.high.x + x, at + 4, 1e-6) << import[0];
            if (area == 0) area = area_of(*surface);
            EXPECT_NEAR(area_of(*surface), area, 1e-6) << import[0];
            const float* const q = frame.orientation.data();
            const Mat3d turn = rotation(Quat{static_cast<double>(q[0]), static_cast<double>(q[1]),
                                             static_cast<double>(q[2]), static_cast<double>(q[3])});
            EXPECT_EQ(level(*surface, turn), 163U) << import[0];  // but for the fin and the one of the other sense
        }
        EXPECT_GT(area, 32);
    }
}

// Without its name the file is cut into closed surfaces, as it always was.
TEST(ImportSurfaceFormats, OtherNamesDoNotKeepAFileWhole) {
    const TemporaryFolder folder;
    const std::string file = write_stl(Ground(0), folder / "ground.stl");
    const Outcome outcome = program({"import", file, "-o", (folder / "scene").string(), "--surface", "floor"});
    EXPECT_EQ(outcome.exit_code, 2);
    EXPECT_NE(outcome.err.find("no object has that name"), std::string::npos) << outcome.err;
}

}  // namespace
}  // namespace lanefold::tools
