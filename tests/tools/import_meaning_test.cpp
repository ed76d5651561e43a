// SPDX-License-Identifier: MIT
//
// The meaning of imported poses: rows by name, the order of numbers, matrices, rest, masks. Impossible input is told:
// nothing that can touch, pieces flung apart or in one heap, matrices with a scale.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "contacts/io.hpp"
#include "files/npy.hpp"
#include "import/order.hpp"
#include "import/rigid.hpp"
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
using test::TemporaryFolder;
using test::write_bytes;
using test::write_poses;

Row still(double x, double y = 0, double z = 0) { return {x, y, z, 0, 0, 0, 1}; }

bool tells(const Outcome& outcome, const std::string& text) { return outcome.err.find(text) != std::string::npos; }

// A wall of n unit cubes in a row, each an object, at its place, in the order of the given numbers.
Obj wall(const std::vector<int>& numbers) {
    Obj obj;
    for (const int i : numbers) obj.object(fmt::format("brick_{}", i)).box("box", {1.0 * i, 0, 0}, {0.5, 0.5, 0.5});
    return obj;
}

TEST(NaturalOrder, NumbersAscendAndOtherNamesKeepTheirPlaces) {
    EXPECT_TRUE(natural_less("piece_2", "piece_10"));
    EXPECT_FALSE(natural_less("piece_10", "piece_2"));
    EXPECT_TRUE(natural_less("a9b10", "a9b11"));
    EXPECT_TRUE(natural_less("a", "a1"));
    EXPECT_TRUE(natural_less("x18446744073709551616", "x18446744073709551617"));
    EXPECT_TRUE(natural_less("x01", "x1"));
    EXPECT_FALSE(natural_less("x1", "x1"));
    const std::vector<std::string> names{"floor", "p10", "p1", "q2", "p2", "ceiling", "q1"};
    std::vector<std::string> sorted;
    for (const std::uint32_t i : natural_order(names)) sorted.push_back(names[i]);
    EXPECT_EQ(sorted, (std::vector<std::string>{"floor", "p1", "p2", "q1", "p10", "ceiling", "q2"}));
    std::vector<std::string> twice{"a", "b", "a", "a#2", "a"};
    make_unique(twice);
    EXPECT_EQ(twice, (std::vector<std::string>{"a", "b", "a#3", "a#2", "a#4"}));
}

TEST(ImportNames, AreKeptAndInTheOrderOfTheirNumbers) {
    const TemporaryFolder folder;
    const std::string obj = wall({1, 10, 2}).write(folder / "wall.obj");
    const std::string lamp = Obj().box("bulb", {0, 9, 0}, {1, 1, 1}).write(folder / "lamp.obj");
    const std::string again = Obj().box("bulb", {0, 19, 0}, {1, 1, 1}).write(folder / "spare.obj");
    const std::string path = (folder / "scene").string();
    const Outcome outcome = program({"import", obj, lamp, again, "-o", path, "--first-frame", "12", "--fps", "24",
                                     "--up", "z", "--handedness", "left"});
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_NE(outcome.out.find("the numbers in their names"), std::string::npos) << outcome.out;
    const Scene scene(path);
    EXPECT_EQ(std::vector<std::string>(scene.names().begin(), scene.names().end()),
              (std::vector<std::string>{"brick_1/box", "brick_2/box", "brick_10/box", "lamp:bulb", "spare:bulb"}));
    EXPECT_EQ(scene.hull_vertices()[8].x, 1.5F) << "the second body is brick_2";
    EXPECT_EQ(scene.info().first_frame, 12);
    EXPECT_EQ(scene.info().frames_per_second, 24.0);
    EXPECT_EQ(scene.info().up, 2);
    EXPECT_TRUE(scene.info().is_left_handed());
    const std::string other = (folder / "other").string();
    ASSERT_EQ(program({"import", obj, "-o", other, "--order", "file"}).exit_code, 0);
    EXPECT_EQ(Scene(other).names()[1], "brick_10/box");
}

TEST(ImportPoses, RowsAreTakenByName) {
    const TemporaryFolder folder;
    const std::string obj = wall({1, 10, 2}).write(folder / "wall.obj");
    write_poses(folder / "poses.npy", 1, 3, {still(0, 10), still(0, 2), still(0, 1)});
    write_bytes(folder / "names.json", R"(["brick_10", "brick_2/box", "brick_1"])");
    write_bytes(folder / "names.txt", "brick_10\r\nbrick_2/box\n\nbrick_1\n");
    const std::vector<std::string> base{"import", obj, "--poses", (folder / "poses.npy").string()};
    const auto run = [&](std::vector<std::string> more) {
        std::vector<std::string> arguments = base;
        arguments.insert(arguments.end(), more.begin(), more.end());
        return program(arguments);
    };
    for (const std::string names : {"names.json", "names.txt"}) {
        const std::string path = (folder / ("scene_" + names)).string();
        const Outcome outcome = run({"-o", path, "--pose-names", (folder / names).string()});
        ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
        EXPECT_FALSE(tells(outcome, "order of the numbers")) << outcome.err;
        SceneFrame frame;
        Scene(path).read_frame(0, frame);
        const double expected[3] = {1, 2, 10};
        for (std::size_t b = 0; b < 3; ++b) EXPECT_EQ(frame.position_double[3 * b + 1], expected[b]) << b;
    }
    // Without names the rows are those of the new order, and that is told.
    const Outcome told = run({"-o", (folder / "unnamed").string()});
    EXPECT_EQ(told.exit_code, 0);
    EXPECT_TRUE(tells(told, "order of the numbers")) << told.err;
    EXPECT_TRUE(tells(told, "--pose-names")) << told.err;
    const auto refused = [&](const std::string& text, const std::string& message) {
        write_bytes(folder / "wrong.json", text);
        const std::string path = (folder / "wrong").string();
        const Outcome outcome = run({"-o", path, "--pose-names", (folder / "wrong.json").string()});
        EXPECT_EQ(outcome.exit_code, 2) << text;
        EXPECT_TRUE(tells(outcome, "wrong.json") && tells(outcome, message)) << outcome.err;
        EXPECT_FALSE(fs::exists(path));
    };
    refused(R"(["brick_10", "brick_2", "brick_3"])", "no row for 1 of 3 pieces: 'brick_1/box'; names without a piece");
    refused(R"(["brick_10", "brick_2", "brick_2"])", "'brick_2' is there twice");
    refused(R"(["brick_10", "brick_2"])", "2 names");
    refused(R"(["brick_10", "brick_2", 7])", "entry 2 is no name: 7");
    refused(R"({"rows": "all"})", "expected a list");
    refused(R"([)", "not a JSON");
}

// A rigid motion as a quaternion and as matrices of both forms gives the same scene.
TEST(ImportPoses, MatricesAreQuaternions) {
    const TemporaryFolder folder;
    const std::string obj = wall({0, 1}).write(folder / "wall.obj");
    const double h = std::sqrt(0.5);
    const std::vector<Row> rows{still(0), {1, 2, 3, 0, 0, h, h}};
    write_poses(folder / "q.npy", 1, 2, rows);
    std::vector<double> column;
    std::vector<double> row;
    for (const Row& r : rows) {
        const Mat3d m = rotation(Quat{r[3], r[4], r[5], r[6]});
        for (int i = 0; i < 3; ++i) {
            column.insert(column.end(), {m.row[i].x, m.row[i].y, m.row[i].z, r[static_cast<std::size_t>(i)]});
            const Vec3d c = lanefold::column(m, i);
            row.insert(row.end(), {c.x, c.y, c.z, 0});
        }
        column.insert(column.end(), {0, 0, 0, 1});
        row.insert(row.end(), {r[0], r[1], r[2], 1});
    }
    write_npy<double>(folder / "column.npy", column, {1, 2, 4, 4});
    write_npy<double>(folder / "row.npy", row, {2, 4, 4});
    for (const std::string name : {"q", "column", "row"}) {
        const Outcome outcome = program({"import", obj, "-o", (folder / name).string(), "--poses",
                                         (folder / (name + ".npy")).string(), "--scale", "2"});
        ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
        SceneFrame frame;
        Scene(folder / name).read_frame(0, frame);
        EXPECT_EQ(frame.position_double, (std::vector<double>{0, 0, 0, 2, 4, 6})) << name;
        EXPECT_NEAR(frame.orientation[6], h, 1e-6);
        EXPECT_NEAR(frame.orientation[7], h, 1e-6);
    }
}

// The largest component of a quaternion is each of the four, and noise of float32 in the matrix does no harm.
TEST(RigidMatrix, GivesTheNearestRotation) {
    double worst = 0;
    const double turns[][4] = {{1, 0, 0, 0},    {0, 1, 0, 0},      {0, 0, 1, 0},      {0, 0, 0, 1},
                               {3, 1, -1, 0.5}, {0.1, -4, 0.2, 1}, {1, 1, 5, -0.25},  {0.3, 0.2, 0.1, 2},
                               {1, 1, 1, 1},    {-1, 1, -1, 1e-9}, {1e-9, 2, 2, 0.1}, {0.5, -0.5, 0.5, -0.5}};
    for (const auto& t : turns) {
        const double l = std::sqrt(t[0] * t[0] + t[1] * t[1] + t[2] * t[2] + t[3] * t[3]);
        const Quat q{t[0] / l, t[1] / l, t[2] / l, t[3] / l};
        const Mat3d r = rotation(q);
        double m[16] = {};
        for (std::size_t i = 0; i < 3; ++i) {
            const Vec3d v = r.row[i];
            m[4 * i] = static_cast<double>(static_cast<float>(v.x));
            m[4 * i + 1] = static_cast<double>(static_cast<float>(v.y));
            m[4 * i + 2] = static_cast<double>(static_cast<float>(v.z));
            m[4 * i + 3] = 7;
        }
        m[15] = 1;
        EXPECT_EQ(form_of(m), MatrixForm::column);
        RigidPose pose;
        std::string what;
        ASSERT_TRUE(to_rigid(m, MatrixForm::column, pose, what)) << what;
        const Quat& o = pose.orientation;
        const double same = std::fabs(o.x * q.x + o.y * q.y + o.z * q.z + o.w * q.w);
        worst = std::max(worst, std::fabs(1 - same));
        EXPECT_EQ(pose.position.z, 7.0);
    }
    std::printf("worst 1 - |cos| between quaternions: %.2e\n", worst);
    EXPECT_LT(worst, 1e-13);
}

TEST(ImportPoses, MatricesThatAreNotRigidAreToldWithRowAndAmount) {
    const TemporaryFolder folder;
    const std::string obj = wall({0, 1}).write(folder / "wall.obj");
    const std::vector<double> identity{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    const auto refused = [&](const std::vector<std::pair<std::size_t, double>>& changes, const std::string& message,
                             std::vector<std::string> more = {}) {
        std::vector<double> all;
        for (int i = 0; i < 4; ++i) all.insert(all.end(), identity.begin(), identity.end());
        all[3] = 1;  // says that vectors are columns
        for (const auto& [at, value] : changes) all[3 * 16 + at] = value;
        write_npy<double>(folder / "m.npy", all, {2, 2, 4, 4});
        std::vector<std::string> arguments{
            "import", obj, "-o", (folder / "scene").string(), "--poses", (folder / "m.npy").string()};
        arguments.insert(arguments.end(), more.begin(), more.end());
        const Outcome outcome = program(arguments);
        EXPECT_EQ(outcome.exit_code, 2) << message;
        EXPECT_TRUE(tells(outcome, message)) << outcome.err;
        EXPECT_FALSE(fs::exists(folder / "scene"));
    };
    refused({{0, 1.25}, {5, 1.25}, {10, 1.25}},
            "m.npy: frame 1, row 1: the matrix is not rigid: scale 1.25, 1.25, 1.25");
    refused({{5, 1.001}}, "frame 1, row 1: the matrix is not rigid: scale 1, 1.001, 1");
    refused({{0, 0}}, "scale 0, 1, 1");
    refused({{1, 0.1}, {5, std::sqrt(0.99)}}, "shear: axes x and y are 84.2608 degrees apart");
    refused({{10, -1}}, "mirrored");
    refused({{12, 2}}, "the last row of the matrix is not 0, 0, 0, 1");
    refused({{7, std::nan("")}}, "not finite");
    refused({{15, 2}}, "the last row");
    refused({}, "--quaternion", {"--quaternion", "wxyz"});
    // Nothing says which form it is, and it matters.
    const double h = std::sqrt(0.5);
    const std::vector<double> turned{h, -h, 0, 0, h, h, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    std::vector<double> both = turned;
    both.insert(both.end(), turned.begin(), turned.end());
    write_npy<double>(folder / "m.npy", both, {2, 4, 4});
    const std::vector<std::string> arguments{
        "import", obj, "-o", (folder / "scene").string(), "--poses", (folder / "m.npy").string()};
    const Outcome undecided = program(arguments);
    EXPECT_EQ(undecided.exit_code, 2);
    EXPECT_TRUE(tells(undecided, "--matrices column or --matrices row")) << undecided.err;
    for (const std::string form : {"column", "row"}) {
        std::vector<std::string> said = arguments;
        said.insert(said.end(), {"--matrices", form, "--replace"});
        ASSERT_EQ(program(said).exit_code, 0);
        SceneFrame frame;
        Scene(folder / "scene").read_frame(0, frame);
        EXPECT_NEAR(frame.orientation[2], (form == "row" ? -1 : 1) * std::sin(std::numbers::pi / 8), 1e-6);
    }
}

// Pieces modelled at their places, poses of the world: frame 0 is as modelled, later frames move from there.
TEST(ImportPoses, OfTheWorldForPiecesAtRest) {
    const TemporaryFolder folder;
    const std::string obj = wall({5, 6, 7, 8}).write(folder / "wall.obj");
    const double h = std::sqrt(0.5);
    std::vector<Row> rows;
    for (const double turn : {0.0, 1.0}) {
        for (const double x : {5.0, 6.0, 7.0, 8.0}) {
            rows.push_back(turn == 0 ? still(x) : Row{x, 3, 0, 0, 0, h, h});
        }
    }
    write_poses(folder / "poses.npy", 2, 4, rows);
    const std::vector<std::string> base{"import", obj, "--poses", (folder / "poses.npy").string(), "-o"};
    const auto run = [&](const std::string& name, std::vector<std::string> more) {
        std::vector<std::string> arguments = base;
        arguments.push_back((folder / name).string());
        arguments.insert(arguments.end(), more.begin(), more.end());
        Outcome outcome = program(arguments);
        EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
        return outcome;
    };
    // As they stand, places are counted twice: bricks are 2 apart. The remedy that is told is the right one.
    const Outcome flung = run("flung", {});
    EXPECT_TRUE(tells(flung, "frame 0: 3 pairs of pieces touch as the files have them, but only 0")) << flung.err;
    EXPECT_TRUE(tells(flung, "use --pieces-at rest")) << flung.err;
    EXPECT_TRUE(tells(run("relative", {"--poses-are", "relative-to-rest"}), "use --poses-are world --pieces-at rest"));
    const Outcome rest = run("rest", {"--pieces-at", "rest"});
    EXPECT_EQ(rest.err, "");
    const Scene scene(folder / "rest");
    EXPECT_EQ(scene.hulls(), 1U) << "the bricks are equal about their own origins";
    SceneFrame frame;
    for (const std::uint64_t f : {0U, 1U}) {
        scene.read_frame(f, frame);
        for (std::size_t b = 0; b < 4; ++b) {
            const double* const p = frame.position_double.data() + 3 * b;
            EXPECT_EQ(Vec3d({p[0], p[1], p[2]}), Vec3d({5.0 + static_cast<double>(b), f == 0 ? 0.0 : 3.0, 0})) << b;
        }
    }
    // Pieces about their own origins, taken for pieces at rest, all lie at one place.
    Obj local;
    for (int i = 0; i < 4; ++i) local.object(fmt::format("brick_{}", i)).box("box", {}, {0.5, 0.5, 0.5});
    const std::string local_obj = local.write(folder / "local.obj");
    const std::string poses = (folder / "poses.npy").string();
    const Outcome heap =
        program({"import", local_obj, "--poses", poses, "-o", (folder / "heap").string(), "--pieces-at", "rest"});
    EXPECT_EQ(heap.exit_code, 0);
    EXPECT_TRUE(tells(heap, "frame 0: 4 of 4 pieces lie deep in others")) << heap.err;
    EXPECT_TRUE(tells(heap, "leave out --pieces-at rest")) << heap.err;
    const Outcome good = program({"import", local_obj, "--poses", poses, "-o", (folder / "good").string()});
    EXPECT_EQ(good.exit_code, 0);
    EXPECT_EQ(good.err, "");
}

TEST(ImportPoses, PiecesAppearAndVanish) {
    const TemporaryFolder folder;
    const std::string obj = wall({1, 2, 3}).write(folder / "wall.obj");
    const Row nowhere(7, std::nan(""));
    write_poses(folder / "poses.npy", 2, 3, {still(0), still(0), nowhere, still(0), nowhere, still(0)});
    const std::vector<std::uint8_t> active{1, 1, 0, 1, 0, 1};
    write_npy<std::uint8_t>(folder / "active.npy", active, {2, 3});
    std::vector<std::string> arguments{
        "import", obj, "-o", (folder / "scene").string(), "--poses", (folder / "poses.npy").string()};
    EXPECT_EQ(program(arguments).exit_code, 2);  // the poses that are none would count
    arguments.insert(arguments.end(), {"--active", (folder / "active.npy").string(), "--pairs"});
    const Outcome outcome = program(arguments);
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    const Scene scene(folder / "scene");
    SceneFrame frame;
    scene.read_frame(0, frame);
    EXPECT_EQ(frame.active, (std::vector<std::uint8_t>{1, 1, 0}));
    EXPECT_EQ(frame.pairs, (std::vector<Pair>{{0, 1}}));
    scene.read_frame(1, frame);
    EXPECT_EQ(frame.active, (std::vector<std::uint8_t>{1, 0, 1}));
    EXPECT_TRUE(frame.pairs.empty());
    write_npy<std::uint8_t>(folder / "active.npy", std::vector<std::uint8_t>(3, 1), {1, 3});
    arguments.emplace_back("--replace");
    const Outcome refused = program(arguments);
    EXPECT_EQ(refused.exit_code, 2);
    EXPECT_TRUE(tells(refused, "active.npy: 1 frames of 3 rows")) << refused.err;
}

TEST(ImportWarnings, QuaternionsThatLookAsIfInAnotherOrderAreTold) {
    const TemporaryFolder folder;
    const std::string obj = wall({1, 2, 3}).write(folder / "wall.obj");
    const Row w_first = {0, 0, 0, 1, 0, 0, 0};
    const Row turned = {0, 0, 0, 0.5, 0.5, 0.5, 0.5};
    int run = 0;
    const auto import = [&](const std::vector<Row>& rows, const std::string& order) {
        write_poses(folder / "poses.npy", 1, 3, rows);
        Outcome outcome =
            program({"import", obj, "-o", (folder / fmt::format("scene_{}", run++)).string(), "--poses",
                     (folder / "poses.npy").string(), "--poses-are", "relative-to-rest", "--quaternion", order});
        EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
        return outcome;
    };
    const Outcome first = import({w_first, turned, w_first}, "xyzw");
    EXPECT_TRUE(tells(first, "frame 0: 2 of 3 pieces are turned by exactly half a turn about x")) << first.err;
    EXPECT_TRUE(tells(first, "have w first. If they do, use --quaternion wxyz")) << first.err;
    const Outcome last = import({still(0), still(0), still(0)}, "wxyz");
    EXPECT_TRUE(tells(last, "frame 0: 3 of 3 pieces are turned by exactly half a turn about z")) << last.err;
    EXPECT_TRUE(tells(last, "have w last. If they do, use --quaternion xyzw")) << last.err;
    EXPECT_FALSE(tells(import({w_first, w_first, w_first}, "wxyz"), "half a turn"));
    EXPECT_FALSE(tells(import({still(0), still(0), still(0)}, "xyzw"), "half a turn"));
    EXPECT_FALSE(tells(import({w_first, turned, turned}, "xyzw"), "half a turn"));
}

TEST(ImportWarnings, NothingThatCanTouchIsToldWithTheRemedy) {
    const TemporaryFolder folder;
    // As Houdini writes them: groups without objects.
    Obj groups;
    for (int i = 0; i < 4; ++i) groups.box(fmt::format("piece{}", i), {1.0 * i, 0, 0}, {0.5, 0.5, 0.5});
    const std::string obj = groups.write(folder / "fracture.obj");
    const Outcome one = program({"import", obj, "-o", (folder / "one").string()});
    EXPECT_EQ(one.exit_code, 0);
    EXPECT_TRUE(tells(one, "all 4 pieces are of one object")) << one.err;
    EXPECT_TRUE(tells(one, "--group-by none")) << one.err;
    const Outcome remedy = program({"import", obj, "-o", (folder / "two").string(), "--group-by", "none"});
    EXPECT_EQ(remedy.err.find("pair"), std::string::npos) << remedy.err;
    const Outcome pairs = program({"collide", (folder / "two").string(), "--json", "--progress", "none"});
    EXPECT_NE(pairs.out.find("\"pairs\":3"), std::string::npos) << pairs.out;
    const Outcome file = program({"import", obj, "-o", (folder / "file").string(), "--group-by", "file"});
    EXPECT_TRUE(tells(file, "of one file")) << file.err;
    const std::string far = wall({0, 5}).write(folder / "far.obj");
    EXPECT_TRUE(tells(program({"import", far, "-o", (folder / "far").string()}), "no frame has a candidate pair"));
    EXPECT_TRUE(
        tells(program({"import", far, "-o", (folder / "fixed").string(), "--fixed", "brick_0", "--fixed", "brick_5"}),
              "all pieces are --fixed"));
    // In one heap, and without poses.
    Obj heap;
    for (int i = 0; i < 3; ++i) heap.object(fmt::format("p{}", i)).box("g", {0.01 * i * i, 0, 0}, {0.5, 0.5, 0.5});
    const Outcome told = program({"import", heap.write(folder / "heap.obj"), "-o", (folder / "heap").string()});
    EXPECT_TRUE(tells(told, "3 of 3 pieces lie deep in others, most of all 'p0/g' and 'p1/g'")) << told.err;
    EXPECT_TRUE(tells(told, "say with --poses")) << told.err;
}

// Thousands of pieces at one place are millions of pairs: the check looks at some of them.
TEST(ImportWarnings, AHeapOfThousandsIsToldSoon) {
    const TemporaryFolder folder;
    Obj heap;
    for (int i = 0; i < 3000; ++i) {
        const double r = 0.5 + 1e-4 * i;
        heap.object(fmt::format("p{}", i)).box("g", {}, {r, r, r});
    }
    const Outcome told =
        program({"import", heap.write(folder / "heap.obj"), "-o", (folder / "heap").string(), "--group-by", "file"});
    EXPECT_EQ(told.exit_code, 0);
    EXPECT_TRUE(tells(told, "1000 of 1000 pieces lie deep in others")) << told.err;
}

}  // namespace
}  // namespace lanefold::tools
