// SPDX-License-Identifier: MIT
//
// glTF files become pieces with poses: every form of file, the tree of nodes, every interpolation; and whatever cannot
// be a rigid convex piece is refused by name, with nothing written.

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "files/base64.hpp"
#include "scene/io.hpp"
#include "support/tools/gltf_writer.hpp"
#include "support/tools/program.hpp"

namespace lanefold::tools {
namespace {

namespace fs = std::filesystem;
using test::GltfWriter;
using test::Outcome;
using test::program;
using test::TemporaryFolder;
using test::write_bytes;
using Json = GltfWriter::Json;

Outcome import(const std::string& file, const fs::path& scene, std::vector<std::string> more = {}) {
    std::vector<std::string> arguments{"import", file, "-o", scene.string(), "--progress", "none"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return program(arguments);
}

struct Place {
    Vec3d position;
    Mat3d rotation;
};

Place place_of(const Scene& scene, std::uint64_t frame_number, std::size_t body) {
    SceneFrame frame;
    scene.read_frame(frame_number, frame);
    const double* const p = frame.position_double.data() + 3 * body;
    Quat q;
    EXPECT_TRUE(normalize(frame.orientation.data() + 4 * body, q));
    return {{p[0], p[1], p[2]}, rotation(q)};
}

void expect_near(const Vec3d& a, const Vec3d& b) { EXPECT_LT(length(a - b), 1e-6) << a.x << ' ' << a.y << ' ' << a.z; }

// A turn about z by an angle in degrees, as glTF has it.
std::vector<float> turn(double degrees) {
    const double half = degrees * std::acos(-1.0) / 360;
    return {0, 0, static_cast<float>(std::sin(half)), static_cast<float>(std::cos(half))};
}

// A parent that is turned and moved, with two boxes of one mesh below it, of which one moves; and a third box.
GltfWriter family() {
    GltfWriter out;
    const int box = out.box(0.5F, 0.25F, 0.125F);
    const int parent = out.node({{"name", "crane"}, {"translation", {10, 0, 0}}, {"rotation", turn(90)}});
    const int ten = out.node({{"name", "crate.10"}, {"mesh", box}, {"translation", {1, 0, 0}}}, parent);
    out.node({{"name", "crate.2"}, {"mesh", box}, {"translation", {3, 0, 0}}}, parent);
    out.node({{"mesh", out.box(1, 1, 1)}, {"matrix", {0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 1, 0, 0, 5, 0, 1}}});
    out.animate(ten, "translation", {0, 0.04F, 0.12F}, {1, 0, 0, 1, 0, 1, 1, 0, 3});
    return out;
}

TEST(ImportGltf, NodesBecomePiecesWhereTheirParentsPutThem) {
    const TemporaryFolder folder;
    const GltfWriter file = family();
    Json beside = file.root;
    beside["buffers"] = {{{"byteLength", file.bytes().size()}, {"uri", "the%20bytes.bin"}}};
    write_bytes(folder / "beside.gltf", beside.dump());
    write_bytes(folder / "LOUD.GLTF", beside.dump());
    write_bytes(folder / "the bytes.bin", file.bytes());
    std::string first;
    for (const std::string& path : {file.write(folder / "a.gltf"), file.write(folder / "b.glb"),
                                    (folder / "beside.gltf").string(), (folder / "LOUD.GLTF").string()}) {
        const Outcome done = import(path, folder / "scene", {"--replace"});
        ASSERT_EQ(done.exit_code, 0) << done.err;
        const Scene scene(folder / "scene");
        ASSERT_EQ(scene.bodies(), 3U);
        EXPECT_EQ(scene.hulls(), 2U);
        EXPECT_EQ((std::vector<std::string>(scene.names().begin(), scene.names().end())),
                  (std::vector<std::string>{"crate.2", "crate.10", "node_3"}));
        EXPECT_EQ(scene.info().frames_per_second, 25.0);
        ASSERT_EQ(scene.frames(), 4U);
        for (std::uint64_t f = 0; f < 4; ++f) {
            // Frame 2 has no key and lies midway.
            expect_near(place_of(scene, f, 1).position, {10, 1, static_cast<double>(f)});
            expect_near(place_of(scene, f, 0).position, {10, 3, 0});
            expect_near(place_of(scene, f, 2).position, {0, 5, 0});
            for (std::size_t b = 0; b < 3; ++b) expect_near(place_of(scene, f, b).rotation * Vec3d{1, 0, 0}, {0, 1, 0});
        }
        const std::string bytes = test::read_bytes(folder / "scene" / "position.npy");
        EXPECT_TRUE(first.empty() || first == bytes);
        first = bytes;
    }
}

TEST(ImportGltf, AnimationsAreInterpolatedAsTheStandardSays) {
    const TemporaryFolder folder;
    GltfWriter file;
    const int box = file.box(1, 1, 1);
    const auto node = [&](const char* name) { return file.node({{"name", name}, {"mesh", box}}); };
    const std::vector<float> times{0, 1};
    std::vector<float> quarter = turn(0);
    const std::vector<float> end = turn(90);
    quarter.insert(quarter.end(), end.begin(), end.end());
    file.animate(node("turns"), "rotation", times, quarter);
    for (std::size_t i = 4; i < 8; ++i) quarter[i] = -quarter[i];
    file.animate(node("turns the short way"), "rotation", times, quarter);
    file.animate(node("jumps"), "translation", times, {0, 10, 0, 8, 10, 0}, "STEP");
    // Tangents of 0: 3 u^2 - 2 u^3 of the way.
    file.animate(node("eases"), "translation", times, {0, 0, 0, 0, 20, 0, 0, 0, 0, 0, 0, 0, 8, 20, 0, 0, 0, 0},
                 "CUBICSPLINE");
    file.animate(node("has sixteen bits"), "translation", times, {0, 30, 0, 8, 30, 0});
    const Outcome done = import(file.write(folder / "a.glb"), folder / "scene", {"--fps", "4"});
    ASSERT_EQ(done.exit_code, 0) << done.err;
    const Scene scene(folder / "scene");
    ASSERT_EQ(scene.frames(), 5U);
    for (std::uint64_t f = 0; f < 5; ++f) {
        const double u = static_cast<double>(f) / 4;
        const double angle = u * std::acos(0.0);
        for (const std::size_t b : {0U, 1U}) {
            expect_near(place_of(scene, f, b).rotation * Vec3d{1, 0, 0}, {std::cos(angle), std::sin(angle), 0});
        }
        expect_near(place_of(scene, f, 2).position, {f == 4 ? 8.0 : 0.0, 10, 0});
        expect_near(place_of(scene, f, 3).position, {8 * (3 * u * u - 2 * u * u * u), 20, 0});
        expect_near(place_of(scene, f, 4).position, {8 * u, 30, 0});
    }
}

TEST(ImportGltf, ScaleIsRefusedWithItsAmountOrTakenIntoTheVertices) {
    const TemporaryFolder folder;
    GltfWriter file;
    const int box = file.box(1, 1, 1);
    const int group = file.node({{"name", "group"}, {"scale", {1, 2, 1}}, {"rotation", turn(90)}});
    file.node({{"name", "sheared"}, {"mesh", box}, {"rotation", turn(45)}}, group);
    const int tall = file.node({{"name", "tall"}, {"mesh", box}, {"scale", {-1, 3, 1}}, {"translation", {9, 0, 0}}});
    file.animate(tall, "rotation", {0, 1}, {0, 0, 0, 1, 0, 0, 1, 0});
    const std::string path = file.write(folder / "a.glb");
    const Outcome refused = import(path, folder / "scene");
    EXPECT_EQ(refused.exit_code, 2);
    EXPECT_NE(refused.err.find("a.glb: frame 0: node 'sheared' is not rigid: scale"), std::string::npos) << refused.err;
    EXPECT_NE(refused.err.find("--apply-scale"), std::string::npos) << refused.err;
    EXPECT_FALSE(fs::exists(folder / "scene"));
    const Outcome done = import(path, folder / "scene", {"--apply-scale"});
    ASSERT_EQ(done.exit_code, 0) << done.err;
    const Scene scene(folder / "scene");
    const Mat3d quarter = rotation({0, 0, std::sqrt(0.5), std::sqrt(0.5)});
    const double eighth = std::acos(-1.0) / 8;
    const Mat3d turned = rotation({0, 0, std::sin(eighth), std::cos(eighth)});
    // The places of the boxes' corners, by the matrices of the file.
    for (std::size_t b = 0; b < 2; ++b) {
        std::size_t met = 0;
        const Place place = place_of(scene, 0, b);
        for (unsigned c = 0; c < 8; ++c) {
            const Vec3d corner{(c & 1U) != 0 ? 1.0 : -1.0, (c & 2U) != 0 ? 1.0 : -1.0, (c & 4U) != 0 ? 1.0 : -1.0};
            Vec3d expected{9 - corner.x, 3 * corner.y, corner.z};
            if (b == 0) {
                const Vec3d inner = turned * corner;
                expected = quarter * Vec3d{inner.x, 2 * inner.y, inner.z};
            }
            const std::uint32_t hull = scene.body_hull()[b];
            for (std::uint64_t v = scene.hull_offsets()[hull]; v < scene.hull_offsets()[hull + 1]; ++v) {
                const Vec3d p = place.rotation * to_double(scene.hull_vertices()[v]) + place.position;
                met += length(p - expected) < 1e-5 ? 1U : 0U;
            }
        }
        EXPECT_EQ(met, 8U) << scene.names()[b];
    }
    file.animate(tall, "scale", {0, 1}, {-1, 3, 1, -1, 4, 1});
    const Outcome grows = import(file.write(folder / "b.glb"), folder / "scene2", {"--apply-scale"});
    EXPECT_EQ(grows.exit_code, 2);
    EXPECT_NE(grows.err.find("frame 1: node 'tall' is not rigid: scale 1, 1.33333, 1, beside that of its first frame"),
              std::string::npos)
        << grows.err;
}

TEST(ImportGltf, ScaleZeroMeansNotThere) {
    const TemporaryFolder folder;
    GltfWriter file;
    const int box = file.box(1, 1, 1);
    const int late = file.node({{"name", "late"}, {"mesh", box}});
    file.node({{"name", "always"}, {"mesh", box}, {"translation", {1.5, 0, 0}}});
    file.animate(late, "scale", {0, 1, 2}, {0, 0, 0, 1, 1, 1, 1, 1, 1}, "STEP");
    ASSERT_EQ(import(file.write(folder / "a.glb"), folder / "scene", {"--pairs"}).exit_code, 0);
    const Scene scene(folder / "scene");
    ASSERT_EQ(scene.frames(), 3U);
    SceneFrame frame;
    for (std::uint64_t f = 0; f < 3; ++f) {
        scene.read_frame(f, frame);
        EXPECT_EQ(frame.active, (std::vector<std::uint8_t>{static_cast<std::uint8_t>(f == 0 ? 0 : 1), 1}));
        EXPECT_EQ(frame.pairs.size(), f == 0 ? 0U : 1U);
    }
}

// A change of the family, and what is said of it.
struct Case {
    std::function<void(GltfWriter&)> change;
    const char* message;
};

void expect_refused(const std::vector<Case>& cases) {
    const TemporaryFolder folder;
    for (const Case& one : cases) {
        GltfWriter file = family();
        one.change(file);
        const Outcome outcome = import(file.write(folder / "a.glb"), folder / "scene");
        EXPECT_EQ(outcome.exit_code, 2) << one.message;
        EXPECT_NE(outcome.err.find(one.message), std::string::npos) << one.message << '\n' << outcome.err;
        EXPECT_NE(outcome.err.find("a.glb"), std::string::npos) << outcome.err;
        ASSERT_FALSE(fs::exists(folder / "scene")) << one.message;
    }
}

TEST(ImportGltf, WhatIsNoRigidConvexPieceIsRefusedByName) {
    expect_refused({
        {[](GltfWriter& f) {
             f.node({{"name", "hook"}, {"mesh", f.angle()}});
         },
         "node 'hook': not convex"},
        {[](GltfWriter& f) { f.root["nodes"][1]["skin"] = 0; }, "node 'crate.10' has a skin"},
        {[](GltfWriter& f) { f.root["meshes"][0]["weights"] = {0.5}; }, "morphed by weights"},
        {[](GltfWriter& f) { f.root["extensionsRequired"] = {"KHR_draco_mesh_compression"}; },
         "needs the extension KHR_draco_mesh_compression"},
        {[](GltfWriter& f) { f.root["asset"]["version"] = "1.0"; }, "glTF of version"},
    });
    const TemporaryFolder folder;
    GltfWriter lines = family();
    lines.root["meshes"][1]["primitives"][0]["mode"] = 1;
    const Outcome done = import(lines.write(folder / "lines.glb"), folder / "scene");
    EXPECT_EQ(done.exit_code, 0) << done.err;
    EXPECT_NE(done.err.find("node 'node_3' has no triangles and is left out"), std::string::npos) << done.err;
}

TEST(ImportGltf, WrongNumbersAreRefusedByPlace) {
    const auto first = [](GltfWriter& f, const char* list) -> Json& { return f.root[list][0]; };
    expect_refused({
        {[](GltfWriter& f) { f.root["nodes"][1]["mesh"] = 7; }, "nodes[1] refers to meshes[7], but there are 2"},
        {[](GltfWriter& f) { f.root["nodes"][0]["children"].push_back(0); }, "nodes[0] is there twice"},
        {[](GltfWriter& f) { f.root["scene"] = 3; }, "refers to scenes[3], but there are 1"},
        {[](GltfWriter& f) {
             f.root["nodes"][0]["rotation"] = {0, 0, 0, 2};
         },
         "nodes[0].rotation has length 2"},
        {[](GltfWriter& f) {
             f.root["nodes"][0]["translation"] = {0, "x", 0};
         },
         "nodes[0].translation is not a list"},
        {[&](GltfWriter& f) { first(f, "accessors")["count"] = 9; }, "accessors[0]: 9 elements of 12 bytes are more"},
        {[&](GltfWriter& f) { first(f, "accessors")["count"] = std::uint64_t{1} << 63U; }, "accessors[0]"},
        {[&](GltfWriter& f) { first(f, "accessors")["byteOffset"] = ~std::uint64_t{0}; }, "accessors[0]"},
        {[&](GltfWriter& f) { first(f, "accessors")["bufferView"] = 99; }, "accessors[0] refers to bufferViews[99]"},
        {[&](GltfWriter& f) { first(f, "accessors")["type"] = "VEC7"; }, "accessors[0] has type \"VEC7\""},
        {[&](GltfWriter& f) { first(f, "accessors")["sparse"] = 1; }, "accessors[0].sparse"},
        {[&](GltfWriter& f) { first(f, "bufferViews")["buffer"] = 4; }, "bufferViews[0] has no buffer"},
        {[&](GltfWriter& f) { first(f, "bufferViews")["byteStride"] = 1; }, "accessors[0]"},
        {[&](GltfWriter& f) { first(f, "bufferViews")["byteLength"] = 1 << 20; }, "bufferViews[0] is beyond"},
    });
}

TEST(ImportGltf, AnimationsThatCannotBeFollowedAreRefused) {
    expect_refused({
        {[](GltfWriter& f) { f.root["animations"][0]["samplers"][0]["interpolation"] = "BOUNCE"; }, "\"BOUNCE\""},
        {[](GltfWriter& f) { f.root["animations"][0]["channels"][0]["target"]["path"] = "weights"; },
         "changes the shape of node 'crate.10'"},
        {[](GltfWriter& f) {
             f.animate(1, "translation", {0, 0.04F}, {1, 0, 0, 2, 0, 0}, "LINEAR", 1);
         },
         "animations[0].channels[0] and animations[1].channels[0] both move node 'crate.10'"},
        {[](GltfWriter& f) {
             f.animate(2, "translation", {0, 0.0401F}, {1, 0, 0, 2, 0, 0});
         },
         "say with --fps"},
        {[](GltfWriter& f) {
             f.animate(2, "translation", {0.5F, 0.25F}, {1, 0, 0, 2, 0, 0});
         },
         "ascend"},
        {[](GltfWriter& f) {
             f.animate(2, "translation", {0}, {1, 0, 0, 2, 0, 0});
         },
         "do not belong together"},
        {[](GltfWriter& f) {
             f.animate(2, "translation", {0}, {1, 0, std::nanf("")});
         },
         "value 0 is not finite"},

    });
}

TEST(ImportGltf, FilesThatAreCutAnywhereAreRefused) {
    const TemporaryFolder folder;
    const std::string whole = family().binary();
    for (std::size_t size = 0; size < whole.size(); size += 1 + whole.size() / 97) {
        write_bytes(folder / "cut.glb", whole.substr(0, size));
        EXPECT_EQ(import((folder / "cut.glb").string(), folder / "scene").exit_code, 2) << size;
    }
    EXPECT_FALSE(fs::exists(folder / "scene"));
}

TEST(ImportGltf, ClipsAreChosenByName) {
    const TemporaryFolder folder;
    GltfWriter file = family();
    file.animate(1, "translation", {0, 0.5F}, {1, 0, 0, 7, 0, 0}, "LINEAR", 1);
    const std::string path = file.write(folder / "a.gltf");
    ASSERT_EQ(import(path, folder / "scene", {"--animation", "clip1"}).exit_code, 0);
    const Scene scene(folder / "scene");
    EXPECT_EQ(scene.frames(), 2U);
    EXPECT_EQ(scene.info().frames_per_second, 2.0);
    expect_near(place_of(scene, 1, 1).position, {10, 7, 0});
    const Outcome none = import(path, folder / "none", {"--animation", "clip"});
    EXPECT_EQ(none.exit_code, 2);
    EXPECT_NE(none.err.find("there are 'clip0', 'clip1'"), std::string::npos) << none.err;
}

TEST(ImportGltf, Base64ComesBackAndRefusesOtherText) {
    std::vector<std::byte> bytes;
    for (int i = 0; i < 300; ++i) {
        std::vector<std::byte> back;
        ASSERT_TRUE(from_base64(base64(bytes), back));
        EXPECT_EQ(back, bytes);
        bytes.push_back(static_cast<std::byte>(i * 7));
    }
    std::vector<std::byte> back;
    for (const char* const text : {"A", "AA!A", "AAAA AAAA", "A=AA"}) EXPECT_FALSE(from_base64(text, back)) << text;
}

}  // namespace
}  // namespace lanefold::tools
