// SPDX-License-Identifier: MIT
//
// `lanefold export`, without the programs for which it writes: the text of a small scene as USD, sizes and numbers of
// the other formats, axes, and what is refused. `./dev export --test` asks OpenUSD, VTK and others.

#include <gtest/gtest.h>

#include <sys/stat.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "contacts/io.hpp"
#include "export/axes.hpp"
#include "files/base64.hpp"
#include "files/npy.hpp"
#include "scene/io.hpp"
#include "support/tools/program.hpp"
#include "support/tools/scenes.hpp"

namespace lanefold::tools {
namespace {

namespace fs = std::filesystem;
using test::occurrences;
using test::Outcome;
using test::program;
using test::read_bytes;
using test::TemporaryFolder;
using test::write_bytes;

// Two tetrahedra of one hull; the second moves, and is gone in frame 2.
void write_small(const fs::path& folder, bool with_mask) {
    const std::vector<std::uint64_t> offsets{0, 4};
    const std::vector<Vec3f> vertices{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const std::vector<std::uint32_t> body_hull{0, 0};
    const std::vector<std::string> names{"wall/1 \"left\"", "wall/2"};
    SceneWriter::Contents contents;
    contents.info.unit = "mm";
    contents.info.first_frame = 10;
    contents.info.frames_per_second = 25;
    contents.info.up = 2;
    contents.hull_offsets = offsets;
    contents.hull_vertices = vertices;
    contents.body_hull = body_hull;
    contents.names = names;
    contents.with_mask = with_mask;
    SceneWriter writer(folder, contents);
    for (int f = 0; f < 3; ++f) {
        const std::vector<float> position{0, 0, 0, 0.25F, static_cast<float>(f), 0};
        const std::vector<float> orientation{0, 0, 0, 1, 0, 0, 0, f == 1 ? -1.0F : 1.0F};
        const std::vector<std::uint8_t> active{1, f == 2 ? std::uint8_t{0} : std::uint8_t{1}};
        writer.add_frame(std::span<const float>(position), orientation, {},
                         with_mask ? std::span<const std::uint8_t>(active) : std::span<const std::uint8_t>());
    }
    writer.commit();
}

constexpr const char* kSmall = R"(#usda 1.0
(
    defaultPrim = "World"
    doc = "Written by lanefold export"
    startTimeCode = 10
    endTimeCode = 12
    framesPerSecond = 25
    timeCodesPerSecond = 25
    metersPerUnit = 0.001
    upAxis = "Z"
)

def Xform "World"
{
    class Scope "Hulls"
    {
        def Xform "hull_0"
        {
            def Mesh "shape"
            {
                float3[] extent = [(0, 0, 0), (1, 1, 1)]
                int[] faceVertexCounts = [3, 3, 3, 3]
                int[] faceVertexIndices = [0, 1, 3, 0, 2, 1, 0, 3, 2, 1, 2, 3]
                point3f[] points = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)]
                uniform token subdivisionScheme = "none"
            }
        }
    }

    def Scope "Bodies"
    {
        def Xform "wall_1__left_" (
            instanceable = true
            prepend references = </World/Hulls/hull_0>
        )
        {
            custom int lanefold:body = 0
            custom string lanefold:name = "wall/1 \"left\""
            double3 xformOp:translate = (0, 0, 0)
            quatf xformOp:orient = (1, 0, 0, 0)
            uniform token[] xformOpOrder = ["xformOp:translate", "xformOp:orient"]
        }
        def Xform "wall_2" (
            instanceable = true
            prepend references = </World/Hulls/hull_0>
        )
        {
            custom int lanefold:body = 1
            custom string lanefold:name = "wall/2"
            double3 xformOp:translate.timeSamples = {
                10: (0.25, 0, 0),
                11: (0.25, 1, 0),
                12: (0.25, 1, 0),
            }
            quatf xformOp:orient.timeSamples = {
                10: (1, 0, 0, 0),
                11: (1, 0, 0, 0),
                12: (1, 0, 0, 0),
            }
            uniform token[] xformOpOrder = ["xformOp:translate", "xformOp:orient"]
            token visibility.timeSamples = {
                10: "inherited",
                12: "invisible",
            }
        }
    }
}
)";

TEST(ExportUsd, OfASmallSceneIsThisText) {
    const TemporaryFolder folder;
    write_small(folder / "scene", true);
    const Outcome outcome = program({"export", (folder / "scene").string(), "-o", (folder / "small.usda").string()});
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    std::string text = read_bytes(folder / "small.usda");
    // -0 is a zero, too.
    for (std::size_t at = text.find("-0,"); at != std::string::npos; at = text.find("-0,")) text.erase(at, 1);
    for (std::size_t at = text.find("-0)"); at != std::string::npos; at = text.find("-0)")) text.erase(at, 1);
    EXPECT_EQ(text, kSmall);
}

TEST(Export, HasWhatSceneAndContactsHave) {
    const TemporaryFolder folder;
    test::write_moving_scene(folder / "scene", 3);
    const std::string scene = (folder / "scene").string();
    const std::string contacts = (folder / "contacts").string();
    ASSERT_EQ(program({"collide", scene, "-o", contacts}).exit_code, 0);
    const ContactsReader reader(contacts);
    std::uint64_t points = 0;
    for (const std::uint64_t f : {1U, 2U}) points += reader.summary(f).points;
    ASSERT_GT(points, 10000U);
    const auto run = [&](const std::string& name) {
        const Outcome outcome = program({"export", scene, contacts, "-o", (folder / name).string(), "--frames", "1:"});
        EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
        EXPECT_NE(outcome.out.find("  frames "), std::string::npos) << outcome.out;
        return outcome.out;
    };
    run("out.csv");
    EXPECT_EQ(occurrences(read_bytes(folder / "out.csv"), "\r\n"), points + 1);
    run("out.usda");
    const std::string usd = read_bytes(folder / "out.usda");
    EXPECT_EQ(occurrences(usd, "instanceable = true"), 2005U);
    EXPECT_EQ(occurrences(usd, "def Mesh"), 67U);
    EXPECT_EQ(occurrences(usd, "timeSamples"), occurrences(usd, "xformOp:translate.timeSamples") * 2 + 9);
    // Blender does not read uint[], nor the primvars behind one.
    EXPECT_EQ(occurrences(usd, "uint[]"), 0U);
    run("out.ply");
    std::uint64_t in_files = 0;
    for (const std::string number : {"0001", "0002"}) {
        const std::string ply = read_bytes(folder / ("out_contacts." + number + ".ply"));
        const std::string count = "element vertex ";
        const std::uint64_t n = std::stoull(ply.substr(ply.find(count) + count.size()));
        in_files += n;
        // Three float32 coordinates and normals, two floats, three ids, a kind.
        EXPECT_EQ(ply.size() - ply.find("end_header\n") - 11, n * 45);
        EXPECT_TRUE(fs::exists(folder / ("out." + number + ".ply")));
    }
    EXPECT_EQ(in_files, points);
    EXPECT_FALSE(fs::exists(folder / "out.0000.ply"));
    const std::string told = run("out.pvd");
    EXPECT_NE(told.find("times are frame numbers"), std::string::npos) << told;
    const std::string pvd = read_bytes(folder / "out.pvd");
    EXPECT_EQ(occurrences(pvd, "<DataSet "), 4U);
    EXPECT_NE(pvd.find("timestep=\"2\" group=\"\" part=\"1\" name=\"contacts\" file=\"out/contacts_0002.vtp\""),
              std::string::npos)
        << pvd;
    in_files = 0;
    for (const std::string number : {"0001", "0002"}) {
        const std::string vtp = read_bytes(folder / "out" / ("contacts_" + number + ".vtp"));
        in_files += std::stoull(vtp.substr(vtp.find("NumberOfPoints=\"") + 16));
    }
    EXPECT_EQ(in_files, points);
}

// A left-handed scene and its mirror image have the same pictures: every vector and every turn is mirrored.
TEST(ExportAxes, MirrorAndExchange) {
    SceneInfo info;
    info.up = 2;
    info.handedness = Handedness::left;
    const Axes mirrored(info, true);
    EXPECT_TRUE(mirrored.mirrored());
    EXPECT_EQ(mirrored.vector({1, 2, 3}), Vec3d({1, -2, 3}));
    info.up = 0;
    const Axes both(info, true);
    EXPECT_EQ(both.up(), 1);
    EXPECT_EQ(both.vector({1, 0, 0}), Vec3d({0, 1, 0})) << "up is up";
    const float turn[4] = {0.1F, -0.3F, 0.5F, 0.8062258F};
    for (const Axes& axes : {Axes(), mirrored, both}) {
        const std::array<float, 4> q = axes.quaternion(turn);
        const auto matrix = [](const float* x) {
            return rotation(Quat{double{x[0]}, double{x[1]}, double{x[2]}, double{x[3]}});
        };
        for (const Vec3d v : {Vec3d{1, 2, 3}, Vec3d{-2, 0.5, 1}}) {
            const Vec3d before = axes.vector(matrix(turn) * v);
            const Vec3d after = matrix(q.data()) * axes.vector(v);
            EXPECT_LT(length(before - after), 1e-6);
        }
    }
}

TEST(Export, Base64IsThatOfTheStandard) {
    const auto encoded = [](const std::string& text) { return base64(std::as_bytes(std::span(text))); };
    EXPECT_EQ(encoded(""), "");
    EXPECT_EQ(encoded("f"), "Zg==");
    EXPECT_EQ(encoded("fo"), "Zm8=");
    EXPECT_EQ(encoded("foobar"), "Zm9vYmFy");
}

TEST(Export, WhatCannotBeDoneIsSaidAndLeavesNoFile) {
    const TemporaryFolder folder;
    write_small(folder / "scene", false);
    write_small(folder / "other", true);
    const std::string scene = (folder / "scene").string();
    const std::string contacts = (folder / "contacts").string();
    ASSERT_EQ(program({"collide", scene, "-o", contacts, "--frames", "0:2"}).exit_code, 0);
    test::write_moving_scene(folder / "pile", 3);
    const std::string out = (folder / "out.usda").string();
    const auto refused = [&](const std::vector<std::string>& arguments, const std::string& text) {
        const Outcome outcome = program(arguments);
        EXPECT_EQ(outcome.exit_code, 2) << outcome.out;
        EXPECT_NE(outcome.err.find(text), std::string::npos) << outcome.err;
    };
    refused({"export", scene, "-o", (folder / "out.obj").string()}, "out.obj: the end of the name says the format");
    refused({"export", scene, "-o", (folder / "out.usdc").string()}, "usdcat");
    refused({"export", scene, "-o", out, "--frames", "3"}, "3");
    refused({"export", scene, contacts, "-o", out, "--frames", "2"}, "frame 2 has not been computed");
    // The left-overs of a killed export go.
    const fs::path left = folder / ".out.usda.0123456789abcdef.tmp";
    write_bytes(left, "half");
    const Outcome part = program({"export", scene, contacts, "-o", (folder / "part.csv").string()});
    EXPECT_FALSE(fs::exists(left));
    EXPECT_EQ(part.exit_code, 0) << part.err;
    EXPECT_NE(part.out.find("1 of 3 frames have no contacts yet and were left out"), std::string::npos) << part.out;
    refused({"export", (folder / "pile").string(), contacts, "-o", out}, "were not made from the scene");
    // A damaged frame is no mistake of the caller's: exit code 1.
    fs::copy(contacts, folder / "damaged");
    fs::resize_file(folder / "damaged" / "frame_000001.npy", 100);
    for (const std::vector<std::string>& more : {std::vector<std::string>{"export", "-o", out},
                                                 {"verify"},
                                                 {"picture", "-o", (folder / "p.html").string(), "--frame", "1"}}) {
        std::vector<std::string> arguments{more[0], scene, (folder / "damaged").string()};
        arguments.insert(arguments.end(), more.begin() + 1, more.end());
        const Outcome outcome = program(arguments);
        EXPECT_EQ(outcome.exit_code, 1) << more[0];
        EXPECT_NE(outcome.err.find("frame_000001.npy"), std::string::npos) << outcome.err;
    }
    refused({"export", (folder / "none").string(), "-o", out}, "scene.json");
    write_bytes(folder / "taken", "a file");
    refused({"export", scene, "-o", (folder / "taken.pvd").string()},
            "taken: the frames of taken.pvd go into a folder");
    fs::create_directory(folder / "folder.csv");
    refused({"export", scene, "-o", (folder / "folder.csv").string()}, "folder.csv");
    ASSERT_EQ(::mkfifo((folder / "pipe.ply").c_str(), 0600), 0);
    refused({"export", scene, "-o", (folder / "pipe.ply").string()}, "pipe.ply");
    // A pose that is wrong in the last frame: no USD file, and no .pvd.
    write_npy<float>(folder / "other" / "position.npy", std::vector<float>(18, std::numeric_limits<float>::quiet_NaN()),
                     {3, 2, 3});
    refused({"export", (folder / "other").string(), "-o", out}, "position.npy");
    refused({"export", (folder / "other").string(), "-o", (folder / "late.pvd").string()}, "position.npy");
    for (const fs::directory_entry& entry : fs::directory_iterator(folder.path())) {
        const std::string name = entry.path().filename().string();
        EXPECT_FALSE(name.ends_with(".usda") || name.ends_with(".pvd") || name.ends_with(".tmp")) << name;
    }
}

}  // namespace
}  // namespace lanefold::tools
