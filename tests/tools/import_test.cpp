// SPDX-License-Identifier: MIT
//
// `lanefold import`: groups become hulls and bodies, objects become body groups, a pose file gives their poses. The
// written scene passes `info` and `collide`. A wrong file is refused with its line, and nothing is written.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "contacts/io.hpp"
#include "files/npy.hpp"
#include "scene/find_pairs.hpp"
#include "scene/io.hpp"
#include "support/tools/obj_file.hpp"
#include "support/tools/program.hpp"

namespace lanefold::tools {
namespace {

namespace fs = std::filesystem;
using test::Obj;
using test::Outcome;
using test::program;
using test::Row;
using test::table_and_cup;
using test::TemporaryFolder;
using test::write_poses;

SceneFrame read_frame(const Scene& scene, std::uint64_t number) {
    SceneFrame frame;
    scene.read_frame(number, frame);
    return frame;
}

constexpr const char* kOnePiece =
    "warning: there is one piece, so nothing can touch. A piece is a group (g) of an object (o), in glTF a node with a "
    "mesh: were they exported?\n";

TEST(Import, GroupsBecomeHullsAndObjectsBecomeBodyGroups) {
    const TemporaryFolder folder;
    const std::string scene_path = (folder / "scene").string();
    const std::string obj = table_and_cup().write(folder / "table.obj");
    const Outcome outcome = program({"import", obj, "-o", scene_path, "--fixed", "table", "--density", "500"});
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_EQ(outcome.err, "");
    EXPECT_NE(outcome.out.find("3 (3 boxes)"), std::string::npos) << outcome.out;

    const Scene scene(scene_path);
    ASSERT_EQ(scene.hulls(), 3U);
    ASSERT_EQ(scene.bodies(), 3U);
    ASSERT_EQ(scene.frames(), 1U);
    EXPECT_EQ(std::vector<std::uint32_t>(scene.group().begin(), scene.group().end()),
              (std::vector<std::uint32_t>{1, 1, 2}));
    EXPECT_EQ(scene.inverse_mass()[0], 0.0F);
    EXPECT_EQ(scene.inverse_mass()[1], 0.0F);
    EXPECT_NEAR(static_cast<double>(scene.inverse_mass()[2]), 1.0 / (500 * 0.25 * 0.25 * 0.25), 1e-6);
    const std::span<const Vec3f> vertices = scene.hull_vertices();
    ASSERT_EQ(vertices.size(), 24U);
    EXPECT_EQ(vertices[0], (Vec3f{-1, 0.875F, -1}));
    // The cup, modelled far from the file's origin, has one of its own.
    EXPECT_EQ(vertices[23], (Vec3f{0.125F, 0.125F, 0.125F}));

    EXPECT_EQ(program({"info", scene_path}).exit_code, 0);
    const std::string contacts = (folder / "contacts").string();
    ASSERT_EQ(program({"collide", scene_path, "-o", contacts}).exit_code, 0);
    const ContactsReader reader(contacts);
    const FrameSummary summary = reader.summary(0);
    // Top and leg overlap, and are of one object; leg and cup are apart.
    EXPECT_EQ(summary.pairs, 1U);
    ASSERT_EQ(summary.records, 1U);
    Manifold4 m;
    reader.open_records(0, summary).read(0, std::span<Manifold4>(&m, 1));
    EXPECT_EQ(m.pair[0], 0U);
    EXPECT_EQ(m.pair[1], 2U);
    EXPECT_EQ(m.count, 4U);
    EXPECT_NEAR(static_cast<double>(m.distance), -1.0 / 64, 1e-6);
    EXPECT_NEAR(static_cast<double>(m.normal[1]), 1.0, 1e-6);
}

TEST(Import, GroupingByFileOrNotAtAllChangesWhoCollides) {
    const TemporaryFolder folder;
    const std::string table = table_and_cup().write(folder / "table.obj");
    const std::string lamp = Obj().box("lamp", {-0.5, 1.25, 0}, {0.25, 0.25, 0.25}).write(folder / "lamp.obj");
    const auto pairs = [&](const std::string& how) {
        const std::string scene = (folder / how).string();
        EXPECT_EQ(program({"import", table, lamp, "-o", scene, "--group-by", how, "--pairs"}).exit_code, 0);
        return read_frame(Scene(scene), 0).pairs;
    };
    EXPECT_EQ(pairs("object"), (std::vector<Pair>{{0, 2}, {0, 3}}));
    EXPECT_EQ(pairs("file"), (std::vector<Pair>{{0, 3}}));
    EXPECT_EQ(pairs("none"), (std::vector<Pair>{{0, 1}, {0, 2}, {0, 3}}));
}

// The same motion of pieces or of objects, with the quaternion in either order, with or without new origins, gives the
// same vertices in the world.
TEST(Import, PosesPlacePiecesAndObjectsFrameByFrame) {
    const TemporaryFolder folder;
    const std::string obj = table_and_cup().write(folder / "table.obj");
    const double h = std::numbers::sqrt2 / 2;
    const Row still{0, 0, 0, 0, 0, 0, 1};
    const Row turned{10, 0, -4, 0, h, 0, h};          // a quarter turn about y
    const Row turned_w_first{10, 0, -4, h, 0, h, 0};  // the same
    const Row still_w_first{0, 0, 0, 1, 0, 0, 0};
    write_poses(folder / "pieces.npy", 2, 3, {still, still, still, turned, turned, still});
    write_poses(folder / "objects.npy", 2, 2, {still_w_first, still_w_first, turned_w_first, still_w_first});
    const std::vector<std::vector<std::string>> ways{
        {"--poses", (folder / "pieces.npy").string()},
        {"--poses", (folder / "objects.npy").string(), "--quaternion", "wxyz"},
        {"--poses", (folder / "pieces.npy").string(), "--recentre"},
    };
    for (std::size_t w = 0; w < ways.size(); ++w) {
        const std::string path = (folder / std::to_string(w)).string();
        std::vector<std::string> arguments{"import", obj, "-o", path};
        arguments.insert(arguments.end(), ways[w].begin(), ways[w].end());
        const Outcome outcome = program(arguments);
        ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
        const Scene scene(path);
        ASSERT_EQ(scene.frames(), 2U);
        EXPECT_TRUE(scene.positions_are_double());
        for (std::uint64_t f = 0; f < 2; ++f) {
            const SceneFrame frame = read_frame(scene, f);
            for (std::size_t b = 0; b < 3; ++b) {
                const float* q = frame.orientation.data() + b * 4;
                const double* p = frame.position_double.data() + b * 3;
                Quat unit;
                ASSERT_TRUE(normalize(q, unit));
                const PoseD pose{rotation(unit), {p[0], p[1], p[2]}};
                // The first corner of each piece in its file.
                const Vec3d modelled[] = {{-1, 0.875, -1}, {-0.125, 0.0625, -0.125}, {0.125, 1.109375, -0.125}};
                Vec3d expected = modelled[b];
                if (f == 1 && b < 2) expected = {10 + modelled[b].z, modelled[b].y, -4 - modelled[b].x};
                const Vec3d placed = transform(pose, to_double(scene.hull_vertices()[b * 8]));
                EXPECT_LT(length(placed - expected), 1e-6) << "way " << w << ", frame " << f << ", body " << b;
            }
        }
        // Frame 0 as modelled: the cup stands in the table. Frame 1: they are 10 apart.
        const std::string contacts = path + "_contacts";
        ASSERT_EQ(program({"collide", path, "-o", contacts}).exit_code, 0);
        const ContactsReader reader(contacts);
        EXPECT_EQ(reader.summary(0).overlapping, 1U);
        EXPECT_EQ(reader.summary(1).pairs, 0U);
        EXPECT_EQ(program({"verify", path, contacts}).exit_code, 0);
    }
}

TEST(Import, StoredPairsAreThoseThatTheProgramWouldFind) {
    const TemporaryFolder folder;
    Obj obj;
    for (int i = 0; i < 40; ++i) {
        const int row = i / 8;
        const double x = 0.45 * (i % 8);
        const double z = 0.45 * row;
        obj.object(fmt::format("box{}", i)).box("g", {x, 0.01 * i, z}, {0.25, 0.25, 0.25});
    }
    const std::string file = obj.write(folder / "boxes.obj");
    const std::string path = (folder / "scene").string();
    ASSERT_EQ(program({"import", file, "-o", path, "--pairs", "--margin", "0.05", "--scale", "2"}).exit_code, 0);
    const Scene scene(path);
    EXPECT_NEAR(scene.info().pairs_margin.value(), 0.05, 1e-8);
    const SceneFrame frame = read_frame(scene, 0);
    EXPECT_GT(frame.pairs.size(), 60U);
    EXPECT_EQ(frame.pairs,
              find_pairs(scene.build_hulls(), scene.view(frame), scene.inverse_mass(), scene.group(), 0.05F));
    EXPECT_EQ(program({"collide", path, "--margin", "0.05"}).exit_code, 0);
    EXPECT_EQ(program({"collide", path, "--margin", "0.06"}).exit_code, 2);
}

TEST(Import, ConcavePieceIsRefusedUnlessItsHullIsWanted) {
    const TemporaryFolder folder;
    const std::string path = (folder / "scene").string();
    const std::string obj =
        Obj().object("shelf").box("plate", {0, 5, 0}, {1, 1, 1}).angle("angle").write(folder / "l.obj");
    const Outcome refused = program({"import", obj, "-o", path});
    EXPECT_EQ(refused.exit_code, 2);
    EXPECT_NE(refused.err.find("group 'angle' of object 'shelf': not convex"), std::string::npos) << refused.err;
    EXPECT_NE(refused.err.find("l.obj:20"), std::string::npos) << refused.err;  // where the group opens
    EXPECT_FALSE(fs::exists(path));
    const Outcome taken = program({"import", obj, "-o", path, "--accept-concave"});
    EXPECT_EQ(taken.exit_code, 0);
    EXPECT_NE(taken.err.find("warning: "), std::string::npos) << taken.err;
    const HullSet hulls = Scene(path).build_hulls();
    // The L of area 5 in its hull, a square of 3 without a triangle of half of 2 x 2.
    EXPECT_NEAR(hulls.info(1).mass.volume, 7.0, 1e-5);
}

TEST(Import, PointListIsTakenAsItsHull) {
    const TemporaryFolder folder;
    const std::string path = (folder / "scene").string();
    Obj obj;
    for (unsigned c = 0; c < 8; ++c) {
        obj.vertex({(c & 1U) != 0 ? 1.0 : -1.0, (c & 2U) != 0 ? 1.0 : -1.0, (c & 4U) != 0 ? 1.0 : -1.0});
    }
    obj.vertex({0.1, 0.2, 0.3});  // inside, as in a scanned cloud
    const Outcome outcome = program({"import", obj.write(folder / "cloud.obj"), "-o", path});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_EQ(outcome.err, kOnePiece);
    EXPECT_NEAR(Scene(path).build_hulls().info(0).mass.volume, 8.0, 1e-5);
}

struct WrongFile {
    const char* name;
    const char* text;
    const char* message;
};

TEST(Import, WrongObjFilesAreToldWithTheirLineAndNothingIsWritten) {
    const char* const corners = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n";
    const WrongFile cases[] = {
        {"index", "f 1 2 3\nf 1 2 5\n", ":6: the face refers to vertex 5, but there are 4 so far"},
        {"zero", "f 0 1 2\n", ":5: "},
        {"negative", "f -1 -2 -9\n", ":5: the face refers to vertex -9"},
        {"two", "f 1 2\n", ":5: a face needs at least three vertices"},
        {"short", "v 1 2\nf 1 2 3\n", ":5: a vertex needs three numbers"},
        {"word", "v 1 2 up\nf 1 2 3\n", ":5: a vertex needs three numbers"},
        {"nan", "v 1 2 nan\nf 1 2 3\n", ":5: a vertex needs three numbers"},
        {"flat", "g sheet\nf 1 2 3\n", ":5: group 'sheet'"},
        {"wrapped", "f 4294967297 2 3\n", ":5: '4294967297' is no corner of a face"},
        {"fraction", "f 1.5 2 3\n", ":5: '1.5' is no corner of a face"},
        {"letter", "f 1 2x 3\n", ":5: '2x' is no corner of a face"},
        {"slash", "f /1 2 3\n", ":5: '/1' is no corner of a face"},
        {"behind", "f 1 2 \\\n3\nf 1 2 9\n", ":7: the face refers to vertex 9"},
    };
    const TemporaryFolder folder;
    for (const WrongFile& wrong : cases) {
        const std::string obj = (folder / (std::string(wrong.name) + ".obj")).string();
        test::write_bytes(obj, std::string(corners) + wrong.text);
        const Outcome outcome = program({"import", obj, "-o", (folder / "scene").string()});
        EXPECT_EQ(outcome.exit_code, 2) << wrong.name;
        EXPECT_EQ(outcome.err.find("lanefold: " + obj + ":"), 0U) << outcome.err;
        EXPECT_NE(outcome.err.find(wrong.message), std::string::npos) << wrong.name << ": " << outcome.err;
        EXPECT_FALSE(fs::exists(folder / "scene")) << wrong.name;
    }
    test::write_bytes(folder / "empty.obj", "# nothing\n");
    const Outcome empty = program({"import", (folder / "empty.obj").string(), "-o", (folder / "scene").string()});
    EXPECT_EQ(empty.exit_code, 2);
    EXPECT_NE(empty.err.find("empty.obj: no vertices"), std::string::npos) << empty.err;
    for (const fs::path& file : {folder / "absent.obj", folder.path()}) {
        EXPECT_EQ(program({"import", file.string(), "-o", (folder / "scene").string()}).exit_code, 2);
    }
}

TEST(Import, UnusualButLegalFilesAreReadWhole) {
    // A byte order mark, Windows' line ends, weights and colours, comments, statements over several lines, and
    // statements without geometry. The result is a unit cube.
    const std::string file =
        "\xEF\xBB\xBFv 0 0 0 # the first\r\nv 1 0 0\r\nv 1 1 0 1.0\r\nv 0 1 0 0.5 0.5 0.5\r\nv \\\r\n0 0 1\r\n"
        "v +1 0 1\r\nv 1 1e0 1\r\n\tv 0 1 1\r\nvt 0 0\r\nvn 0 0 1\r\nmtllib none.mtl\r\nusemtl none\r\ns off\r\n"
        "g part #1\r\nl 1 2\r\np 1\r\nf 1/1/1 2/1/1 \\\r\n 3/1/1 4/1/1\r\nf -4//1 -3//1 -2//1 -1//1 # lid\r\n";
    const TemporaryFolder folder;
    test::write_bytes(folder / "odd.obj", file);
    const std::string path = (folder / "scene").string();
    const Outcome outcome = program({"import", (folder / "odd.obj").string(), "-o", path});
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_EQ(outcome.err, kOnePiece);
    const HullSet hulls = Scene(path).build_hulls();
    ASSERT_EQ(hulls.size(), 1U);
    EXPECT_TRUE(hulls[0].is_box());
    EXPECT_DOUBLE_EQ(hulls.info(0).mass.volume, 1.0);
}

TEST(Import, WrongPosesAreToldWithTheirPlaceAndNothingIsWritten) {
    const TemporaryFolder folder;
    const std::string obj = table_and_cup().write(folder / "table.obj");
    const Row good{0, 0, 0, 0, 0, 0, 1};
    const Row long_quaternion{0, 0, 0, 0, 0, 0, 1.1};
    const Row nowhere{0, std::nan(""), 0, 0, 0, 0, 1};
    const auto expect_refused = [&](const std::string& name, const std::string& message) {
        const Outcome outcome =
            program({"import", obj, "-o", (folder / "scene").string(), "--poses", (folder / name).string()});
        EXPECT_EQ(outcome.exit_code, 2) << name;
        EXPECT_NE(outcome.err.find(name), std::string::npos) << outcome.err;
        EXPECT_NE(outcome.err.find(message), std::string::npos) << name << ": " << outcome.err;
        EXPECT_FALSE(fs::exists(folder / "scene")) << name;
    };
    write_poses(folder / "rows.npy", 1, 4, {good, good, good, good});
    expect_refused("rows.npy", "poses of 4 bodies, but the files have 3 pieces in 2 objects");
    write_poses(folder / "long.npy", 2, 2, {good, good, good, long_quaternion});
    expect_refused("long.npy", "frame 1, row 1: the quaternion has length 1.1 instead of 1");
    write_poses(folder / "nan.npy", 2, 2, {good, good, nowhere, good});
    expect_refused("nan.npy", "frame 1, row 0: the position is not finite");
    const std::vector<std::uint32_t> integers(14);
    write_npy(folder / "type.npy", std::span<const std::uint32_t>(integers), {1, 2, 7});
    expect_refused("type.npy", "'<f4' or '<f8'");
    const std::vector<float> floats(12);
    write_npy(folder / "shape.npy", std::span<const float>(floats), {1, 2, 6});
    expect_refused("shape.npy", "(frames, bodies, 7)");
    write_poses(folder / "cut.npy", 1, 2, {good, good});
    fs::resize_file(folder / "cut.npy", fs::file_size(folder / "cut.npy") - 8);
    expect_refused("cut.npy", "bytes");
}

TEST(Import, OptionsThatMakeNoSenseAreRefused) {
    const TemporaryFolder folder;
    const std::string obj = table_and_cup().write(folder / "table.obj");
    const std::string path = (folder / "scene").string();
    const std::vector<std::vector<std::string>> wrong{
        {"--fixed", "chair"}, {"--scale", "0"},     {"--scale", "-1"},       {"--density", "0"},
        {"--margin", "-1"},   {"--scale", "large"}, {"--quaternion", "xyz"}, {"--group-by", "colour"}};
    for (const std::vector<std::string>& options : wrong) {
        std::vector<std::string> arguments{"import", obj, "-o", path};
        arguments.insert(arguments.end(), options.begin(), options.end());
        const Outcome outcome = program(arguments);
        EXPECT_EQ(outcome.exit_code, 2) << options[0] << " " << options[1];
        EXPECT_NE(outcome.err.find(options[0]), std::string::npos) << outcome.err;
        EXPECT_FALSE(fs::exists(path));
    }
    // A name of another case, or with what the exporter put behind it.
    const Outcome alike = program({"import", obj, "-o", path, "--fixed", "TABLE"});
    EXPECT_NE(alike.err.find("did you mean table?"), std::string::npos) << alike.err;
    // An existing scene is replaced only with --replace.
    ASSERT_EQ(program({"import", obj, "-o", path}).exit_code, 0);
    const auto before = test::files_below(path);
    EXPECT_EQ(program({"import", obj, "-o", path, "--scale", "3"}).exit_code, 2);
    EXPECT_EQ(test::files_below(path), before);
    EXPECT_EQ(program({"import", obj, "-o", path, "--scale", "3", "--replace"}).exit_code, 0);
    EXPECT_NE(test::files_below(path), before);
}

}  // namespace
}  // namespace lanefold::tools
