// SPDX-License-Identifier: MIT
//
// `lanefold import` of STL and PLY files: every closed surface is a piece, also where pieces touch along edges and
// whole faces; text and binary give the same; damaged files are refused with their place.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "import/surface.hpp"
#include "scene/io.hpp"
#include "support/tools/obj_file.hpp"
#include "support/tools/program.hpp"

namespace lanefold::tools {
namespace {

using test::Outcome;
using test::program;
using test::TemporaryFolder;

constexpr int kQuads[6][4] = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};

Vec3d corner(const Vec3d& low, int c, double size) {
    return low + Vec3d{(c & 1) != 0 ? size : 0, (c & 2) != 0 ? size : 0, (c & 4) != 0 ? size : 0};
}

// A soup of triangles, as STL files have it. `turned`: the other diagonals.
void add_cube(Surface& surface, const Vec3d& low, double size, bool turned = false) {
    for (const auto& q : kQuads) {
        const std::array<int, 6> split =
            turned ? std::array{q[1], q[2], q[3], q[1], q[3], q[0]} : std::array{q[0], q[1], q[2], q[0], q[2], q[3]};
        for (std::size_t k = 0; k < 6; ++k) {
            surface.corners.push_back(static_cast<std::uint32_t>(surface.points.size()));
            surface.points.push_back(corner(low, split[k], size));
            if (k % 3 == 2) surface.face_ends.push_back(static_cast<std::uint32_t>(surface.corners.size()));
        }
    }
}

Surface wall() {
    Surface out;
    // A two by two by two block: cubes share whole faces, edges and corners.
    for (int i = 0; i < 8; ++i) add_cube(out, corner({}, i, 1), 1, i % 3 == 0);
    add_cube(out, {10, 0, 0}, 1);
    return out;
}

// The triangles in another order: those of one cube are not together.
void shuffle(Surface& surface, std::uint32_t seed) {
    const std::size_t count = surface.face_ends.size();
    for (std::size_t i = count; i > 1; --i) {
        seed = seed * 1664525U + 1013904223U;
        const std::size_t j = (seed >> 8U) % i;
        for (std::size_t k = 0; k < 3; ++k) {
            std::swap(surface.corners[3 * (i - 1) + k], surface.corners[3 * j + k]);
        }
    }
}

TEST(ImportSurface, PiecesThatShareFacesEdgesAndCornersComeApart) {
    for (std::uint32_t seed = 0; seed < 20; ++seed) {
        Surface surface = wall();
        shuffle(surface, seed);
        // Every second one looks inward.
        for (std::size_t f = 0; seed % 2 == 1 && f < surface.face_ends.size(); ++f) {
            std::swap(surface.corners[3 * f], surface.corners[3 * f + 1]);
        }
        SourceFile file;
        add_surface(surface, "wall", file);
        ASSERT_EQ(file.pieces.size(), 9U) << seed;
        std::vector<Vec3d> lows;
        for (const SourcePiece& piece : file.pieces) {
            EXPECT_EQ(piece.points.size(), 8U);
            EXPECT_EQ(piece.faces(), 12U);
            Vec3d low = piece.points[0];
            Vec3d high = low;
            for (const Vec3d& p : piece.points) {
                low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
                high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
            }
            EXPECT_EQ(high - low, (Vec3d{1, 1, 1}));
            EXPECT_TRUE(std::none_of(lows.begin(), lows.end(), [&](const Vec3d& l) { return l == low; }));
            lows.push_back(low);
        }
    }
}

std::string stl_binary(const Surface& s, const std::string& head = "") {
    std::string out = head;
    out.resize(80, ' ');
    const auto count = static_cast<std::uint32_t>(s.face_ends.size());
    out.append(reinterpret_cast<const char*>(&count), sizeof count);
    for (std::uint32_t t = 0; t < count; ++t) {
        float numbers[12] = {};
        for (std::size_t k = 0; k < 3; ++k) {
            const Vec3f p = to_float(s.points[s.corners[3 * t + k]]);
            std::memcpy(numbers + 3 + 3 * k, &p.x, sizeof p);
        }
        out.append(reinterpret_cast<const char*>(numbers), sizeof numbers);
        out.append(2, '\0');
    }
    return out;
}

std::string stl_text(const Surface& s, const std::string& name) {
    std::string out = "solid " + name + "\n";
    for (std::size_t t = 0; t < s.face_ends.size(); ++t) {
        out += " facet normal 0 0 0\n  outer loop\n";
        for (std::size_t k = 0; k < 3; ++k) {
            const Vec3d p = s.points[s.corners[3 * t + k]];
            out += fmt::format("   vertex {} {} {}\n", p.x, p.y, p.z);
        }
        out += "  endloop\n endfacet\n";
    }
    return out + "endsolid " + name + "\n";
}

std::string reversed(std::string text) {
    std::reverse(text.begin(), text.end());
    return text;
}

template <class T>
std::string bytes(T value, bool big) {
    const std::string out(reinterpret_cast<const char*>(&value), sizeof value);
    return big ? reversed(out) : out;
}

// Quads of two cubes that share a face; vertices have a colour, too.
std::string ply(const std::string& format) {
    const bool text = format == "ascii";
    const bool big = format == "binary_big_endian";
    std::string out = "ply\nformat " + format +
                      " 1.0\ncomment of a test\nelement vertex 16\nproperty double x\nproperty uchar red\n"
                      "property double y\nproperty double z\nelement face 12\nproperty list uchar int vertex_indices\n"
                      "end_header\n";
    for (int v = 0; v < 16; ++v) {
        const Vec3d p = corner({76194.3 + (v < 8 ? 0 : 1), 0, 0}, v % 8, 1);
        out += text ? fmt::format("{} 255 {} {}\n", p.x, p.y, p.z)
                    : bytes(p.x, big) + '\xff' + bytes(p.y, big) + bytes(p.z, big);
    }
    for (int f = 0; f < 12; ++f) {
        const auto& q = kQuads[f % 6];
        const int first = f < 6 ? 0 : 8;
        out += text ? "4" : "\x04";
        for (const int c : q) out += text ? fmt::format(" {}", first + c) : bytes(std::int32_t{first + c}, big);
        if (text) out += '\n';
    }
    return out;
}

Outcome import(const TemporaryFolder& folder, const std::string& name, const std::string& text) {
    test::write_bytes(folder / name, text);
    return program({"import", (folder / name).string(), "-o", (folder / "scene").string(), "--replace"});
}

TEST(ImportSurface, StlTextAndBinaryGiveTheSamePieces) {
    const TemporaryFolder folder;
    const Surface surface = wall();
    for (const auto& [name, text] : {std::pair<std::string, std::string>{"binary.stl", stl_binary(surface)},
                                     {"solid.STL", stl_binary(surface, "solid of a program that begins so")},
                                     {"text.stl", stl_text(surface, "wall")}}) {
        const Outcome done = import(folder, name, text);
        ASSERT_EQ(done.exit_code, 0) << done.err;
        const Scene scene(folder / "scene");
        ASSERT_EQ(scene.bodies(), 9U) << name;
        EXPECT_TRUE(scene.build_hulls()[scene.body_hull()[8]].is_box());
        // Pieces are objects of their own, so that they can meet.
        EXPECT_EQ(program({"collide", (folder / "scene").string()}).exit_code, 0);
        EXPECT_NE(scene.group()[0], scene.group()[1]);
    }
    EXPECT_EQ(Scene(folder / "scene").names()[8], "wall_8");
    // Two solids of one text keep their names.
    Surface one;
    add_cube(one, {}, 1);
    ASSERT_EQ(import(folder, "two.stl", stl_text(one, "left lid") + stl_text(one, "right")).exit_code, 0);
    EXPECT_EQ(Scene(folder / "scene").names()[0], "left lid");
    EXPECT_EQ(Scene(folder / "scene").names()[1], "right");
}

TEST(ImportSurface, PlyOfEveryFormatGivesTheSamePieces) {
    const TemporaryFolder folder;
    for (const std::string format : {"ascii", "binary_little_endian", "binary_big_endian"}) {
        const Outcome done = import(folder, "pair.ply", ply(format));
        ASSERT_EQ(done.exit_code, 0) << format << done.err;
        const Scene scene(folder / "scene");
        ASSERT_EQ(scene.bodies(), 2U) << format;
        SceneFrame frame;
        scene.read_frame(0, frame);
        EXPECT_NEAR(frame.position_double[0], 76194.8, 1e-9);
        EXPECT_NEAR(frame.position_double[3], 76195.8, 1e-9);
        EXPECT_TRUE(scene.build_hulls()[0].is_box());
    }
    // Without faces: the hull of all.
    const std::string cloud =
        "ply\nformat ascii 1.0\nelement vertex 5\nproperty float x\nproperty float y\nproperty float z\nend_header\n"
        "0 0 0\n1 0 0\n0 1 0\n0 0 1\n0.1 0.1 0.1\n";
    ASSERT_EQ(import(folder, "cloud.ply", cloud).exit_code, 0);
    EXPECT_EQ(Scene(folder / "scene").build_hulls()[0].vertex_count, 4U);
}

TEST(ImportSurface, DamagedFilesAreRefusedWithTheirPlace) {
    const TemporaryFolder folder;
    Surface one;
    add_cube(one, {}, 1);
    const auto refused = [&](const std::string& name, const std::string& text, const std::string& what) {
        const Outcome done = import(folder, name, text);
        EXPECT_EQ(done.exit_code, 2) << what << done.out;
        EXPECT_NE(done.err.find(what), std::string::npos) << done.err;
    };
    const std::string binary = stl_binary(one);
    refused("a.stl", binary.substr(0, binary.size() - 7), "12 triangles need 684 bytes, but there are 677");
    refused("a.stl", "", "cut off, or no STL file");
    Surface nan = one;
    nan.points[4].y = std::nan("");
    refused("a.stl", stl_binary(nan), "triangle 1: a coordinate is not finite");
    const std::string text = stl_text(one, "x");
    refused("a.stl", text.substr(0, text.size() / 2), "cut off");
    refused("a.stl", "solid x\nfacet\nouter loop\nvertex 1 2\n", "a.stl:4: a vertex needs three numbers");
    refused("a.stl", "solid x\nendsolid\n", "no triangle");
    const std::string little = ply("binary_little_endian");
    refused("a.ply", little.substr(0, little.size() - 3), "cut off in face 11 of 12");
    const auto changed = [](std::string from, const std::string& what, const std::string& to) {
        return from.replace(from.find(what), what.size(), to);
    };
    refused("a.ply", changed(ply("ascii"), "4 0 2 3 1", "4 0 2 3 16"), "refers to vertex 16, but there are 16");
    refused("a.ply", changed(ply("ascii"), "4 0 2 3 1", "4 0 2 3 -1"), "face 0: -1 is no vertex");
    refused("a.ply", changed(ply("ascii"), "4 0 2 3 1", "2 0 2"), "at least three vertices");
    refused("a.ply", changed(ply("ascii"), "property double y", "property double u"), "vertices without y");
    refused("a.ply", changed(ply("ascii"), "ascii", "utf8"), "no format that PLY knows");
    refused("a.ply", changed(ply("ascii"), "element vertex 16", "element vertex 99999999999"), "cut off in vertex");
    refused("a.ply", "plywood\n", "no end_header");
    refused("a.ply", changed(ply("ascii"), "element face", "element tristrips"), "strips");
    refused("a.ply", changed(ply("ascii"), "uchar red", "rgb red"), "'rgb'");
}

}  // namespace
}  // namespace lanefold::tools
