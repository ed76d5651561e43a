// SPDX-License-Identifier: MIT
//
// `lanefold import --decompose`: what the program does with the parts of concave pieces, and with a Python that is not
// there, lacks coacd, fails, is killed, writes rubbish or does not end. Scripts stand for Python, so that these tests
// need no coacd; tests/foreign/check_decompose.py has the real one.

#include <gtest/gtest.h>

#include <csignal>

#include <cerrno>
#include <chrono>
#include <thread>

#include <fmt/format.h>

#include "files/npy.hpp"
#include "scene/io.hpp"
#include "support/tools/gltf_writer.hpp"
#include "support/tools/obj_file.hpp"
#include "support/tools/program.hpp"

namespace lanefold::tools {
namespace {

namespace fs = std::filesystem;
using test::GltfWriter;
using test::Obj;
using test::Outcome;
using test::Row;
using test::TemporaryFolder;
using test::write_bytes;
using test::write_poses;

// Splits every mesh like Obj::angle() into its two arms. $2: the meshes, $4: the parts.
constexpr const char* kArms = R"(
awk 'function box(x0, x1, y0, y1, i) {
  for (i = 0; i < 8; ++i) print "v", (i % 2 ? x1 : x0), (int(i / 2) % 2 ? y1 : y0), int(i / 4) }
/^o / { print; print "g 0"; box(0, 3, 0, 1); print "g 1"; box(0, 1, 1, 3) }' "$2" > "$4"
)";

class Decompose : public testing::Test {
protected:
    // A program that stands for Python.
    std::string script(const std::string& name, const std::string& body) const {
        const fs::path path = folder_ / name;
        write_bytes(path, "#!/bin/sh\n" + body);
        fs::permissions(path, fs::perms::owner_all);
        return path.string();
    }
    Outcome import(const std::string& file, const std::string& python, std::vector<std::string> more = {},
                   const std::function<void(pid_t)>& meanwhile = {}) const {
        std::vector<std::string> arguments{"import", file, "-o", scene().string(), "--progress", "none", "--replace"};
        if (!python.empty()) arguments.insert(arguments.end(), {"--decompose"});
        arguments.insert(arguments.end(), more.begin(), more.end());
        fs::create_directories(folder_ / "tmp");
        test::RunOptions options;
        options.environment = {{"LANEFOLD_PYTHON", python}, {"TMPDIR", (folder_ / "tmp").string()}};
        options.meanwhile = meanwhile;
        Outcome done = test::run_program(LANEFOLD_PROGRAM, arguments, options);
        EXPECT_TRUE(fs::is_empty(folder_ / "tmp")) << "something was left";
        return done;
    }
    void expect_refused(const Outcome& done, int code, const std::vector<std::string>& texts) const {
        EXPECT_EQ(done.exit_code, code) << done.err;
        for (const std::string& text : texts) EXPECT_NE(done.err.find(text), std::string::npos) << done.err;
        EXPECT_FALSE(fs::exists(scene()));
    }
    fs::path scene() const { return folder_ / "scene"; }
    // A shelf with a convex and a concave piece, and a cup beside it.
    std::string shelf() const {
        return Obj()
            .object("shelf")
            .box("plate", {0, 5, 0}, {1, 1, 1})
            .angle("angle")
            .object("cup")
            .box("cup", {8, 0, 0}, {1, 1, 1})
            .write(folder_ / "shelf.obj");
    }

    TemporaryFolder folder_;
};

using Groups = std::vector<std::uint32_t>;
using Names = std::vector<std::string>;

Groups groups_of(const Scene& scene) { return {scene.group().begin(), scene.group().end()}; }
Names names_of(const Scene& scene) { return {scene.names().begin(), scene.names().end()}; }

TEST_F(Decompose, PartsAreNamedGroupedAndWeighed) {
    const Outcome done = import(shelf(), script("arms", kArms), {"--density", "500"});
    ASSERT_EQ(done.exit_code, 0) << done.err;
    EXPECT_NE(done.out.find("split by CoACD"), std::string::npos) << done.out;
    EXPECT_EQ(test::count_of(done.out, "  shelf/angle"), 2U) << done.out;
    const Scene scene(this->scene());
    EXPECT_EQ(names_of(scene), (Names{"shelf/plate", "shelf/angle/0", "shelf/angle/1", "cup/cup"}));
    EXPECT_EQ(groups_of(scene), (Groups{1, 1, 1, 2}));
    const HullSet hulls = scene.build_hulls();
    const float inverse[] = {1.0F / 4000, 1.0F / 1500, 1.0F / 1000, 1.0F / 4000};
    for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(scene.inverse_mass()[i], inverse[i], 1e-9F) << i;
    EXPECT_NEAR(hulls.info(1).mass.volume + hulls.info(2).mass.volume, 5.0, 1e-6);
    // Without groups the parts of one piece still do not collide, and one --fixed object is fixed in all parts.
    ASSERT_EQ(import(shelf(), script("arms", kArms), {"--group-by", "none", "--fixed", "shelf"}).exit_code, 0);
    const Scene none(this->scene());
    EXPECT_EQ(groups_of(none), (Groups{0, 2, 2, 0}));
    EXPECT_EQ(none.inverse_mass()[1] + none.inverse_mass()[2], 0.0F);
}

TEST_F(Decompose, PartsShareTheRowOfTheirPiece) {
    const auto at = [](double x) { return Row{x, 0, 0, 0, 0, 0, 1}; };
    write_poses(folder_ / "pieces.npy", 1, 3, {at(10), at(20), at(30)});
    write_poses(folder_ / "objects.npy", 1, 2, {at(10), at(30)});
    write_bytes(folder_ / "names.txt", "cup\nshelf/angle\nshelf/plate\n");
    write_bytes(folder_ / "objects.txt", "cup\nshelf\n");
    const std::string pieces = (folder_ / "pieces.npy").string();
    const std::string objects = (folder_ / "objects.npy").string();
    struct Case {
        std::vector<std::string> options;
        double x[4];
    };
    const std::vector<Case> cases{
        {{"--poses", pieces}, {10, 20, 20, 30}},
        {{"--poses", objects}, {10, 10, 10, 30}},
        {{"--poses", pieces, "--pose-names", (folder_ / "names.txt").string()}, {30, 20, 20, 10}},
        {{"--poses", objects, "--pose-names", (folder_ / "objects.txt").string()}, {30, 30, 30, 10}}};
    for (const Case& c : cases) {
        const Outcome done = import(shelf(), script("arms", kArms), c.options);
        ASSERT_EQ(done.exit_code, 0) << done.err;
        const Scene scene(this->scene());
        ASSERT_EQ(scene.bodies(), 4U);
        SceneFrame frame;
        scene.read_frame(0, frame);
        // The cup lies far from its origin and has got one of its own, at (8, 0, 0).
        for (std::size_t i = 0; i < 4; ++i) {
            EXPECT_EQ(frame.position_double[3 * i] - (i == 3 ? 8 : 0), c.x[i]) << c.options.back() << i;
        }
    }
    // A part has no row of its own, and there are no rows for all parts.
    fs::remove_all(scene());
    write_bytes(folder_ / "parts.txt", "cup\nshelf/angle/0\nshelf/plate\n");
    expect_refused(
        import(shelf(), script("arms", kArms), {"--poses", pieces, "--pose-names", (folder_ / "parts.txt").string()}),
        2, {"no row for 1 of 3 pieces: 'shelf/angle'", "names without a piece: 'shelf/angle/0'"});
    write_poses(folder_ / "four.npy", 1, 4, {at(1), at(2), at(3), at(4)});
    expect_refused(import(shelf(), script("arms", kArms), {"--poses", (folder_ / "four.npy").string()}), 2,
                   {"poses of 4 bodies, but the files have 3 pieces in 2 objects"});
}

TEST_F(Decompose, NodesOfOneMeshAreSplitOnceAndShareHulls) {
    GltfWriter file;
    const int hook = file.angle();
    file.node({{"name", "hook.2"}, {"mesh", hook}, {"translation", {10, 0, 0}}});
    const int moving = file.node({{"name", "hook.1"}, {"mesh", hook}});
    file.node({{"name", "box"}, {"mesh", file.box(1, 1, 1)}, {"translation", {-5, 0, 0}}});
    file.animate(moving, "translation", {0, 0.5F}, {0, 0, 0, 0, 4, 0});
    const std::string count = "grep -c '^o ' \"$2\" > " + (folder_ / "asked").string();
    const Outcome done = import(file.write(folder_ / "hooks.glb"), script("arms", kArms + count));
    ASSERT_EQ(done.exit_code, 0) << done.err;
    EXPECT_EQ(test::read_bytes(folder_ / "asked"), "1\n");
    const Scene scene(this->scene());
    EXPECT_EQ(names_of(scene), (Names{"hook.1/0", "hook.1/1", "hook.2/0", "hook.2/1", "box"}));
    EXPECT_EQ(scene.hulls(), 3U);
    const Groups group = groups_of(scene);
    EXPECT_TRUE(group[0] == group[1] && group[2] == group[3] && group[0] != group[2] && group[4] != group[0]);
    SceneFrame frame;
    ASSERT_EQ(scene.frames(), 2U);
    scene.read_frame(1, frame);
    const double x[] = {0, 0, 10, 10, -5};
    for (std::size_t i = 0; i < 5; ++i) {
        EXPECT_EQ(frame.position_double[3 * i], x[i]) << i;
        EXPECT_EQ(frame.position_double[3 * i + 1], i < 2 ? 4 : 0) << i;
    }
    // The parts of hook.1 touch each other and are no pair; those of two hooks are.
    ASSERT_EQ(import((folder_ / "hooks.glb").string(), script("arms", kArms), {"--pairs", "--margin", "9"}).exit_code,
              0);
    SceneFrame stored;
    Scene(this->scene()).read_frame(0, stored);
    ASSERT_GE(stored.pairs.size(), 4U);
    for (const Pair& pair : stored.pairs) EXPECT_NE(group[pair.a], group[pair.b]) << pair.a << ' ' << pair.b;
}

TEST_F(Decompose, ConvexPiecesNeedNoPython) {
    const std::string boxes = test::table_and_cup().write(folder_ / "boxes.obj");
    ASSERT_EQ(import(boxes, "/nonexistent/python").exit_code, 0);
    const auto with = test::files_below(scene());
    ASSERT_EQ(import(boxes, "").exit_code, 0);
    EXPECT_EQ(with, test::files_below(scene()));
}

TEST_F(Decompose, OnePartIsTheHullAndFlatPartsAreLeftOut) {
    const std::string cube =
        "for x in 0 3; do for y in 0 3; do for z in 0 1; do echo v $x $y $z; done; done; done > \"$4.body\"\n";
    const std::string one = cube + "{ echo o 0; cat \"$4.body\"; } > \"$4\"";
    const Outcome whole = import(shelf(), script("one", one));
    ASSERT_EQ(whole.exit_code, 0) << whole.err;
    EXPECT_NE(whole.err.find("within --decompose-threshold 0.05; its hull was taken"), std::string::npos) << whole.err;
    EXPECT_EQ(names_of(Scene(scene())), (Names{"shelf/plate", "shelf/angle", "cup/cup"}));
    const std::string flat = std::string(kArms) + "{ echo g 2; echo v 0 0 0; echo v 1 0 0; echo v 0 1 0; } >> \"$4\"";
    const Outcome some = import(shelf(), script("flat", flat));
    ASSERT_EQ(some.exit_code, 0) << some.err;
    EXPECT_NE(some.err.find("1 of its parts are too flat"), std::string::npos) << some.err;
    EXPECT_EQ(Scene(scene()).bodies(), 4U);
}

TEST_F(Decompose, WhatIsMissingIsToldWithTheRemedy) {
    expect_refused(import(shelf(), "/nonexistent/python"), 2,
                   {"'/nonexistent/python': No such file", "pip install coacd numpy", "LANEFOLD_PYTHON"});
    // Python without the packages that are installed for it.
    expect_refused(import(shelf(), script("bare", "exec python3 -I -S \"$@\"")), 2,
                   {"No module named", "pip install coacd numpy", "LANEFOLD_PYTHON"});
    expect_refused(import(shelf(), ""), 2, {"not convex", "--decompose", "--accept-concave"});
    write_bytes(folder_ / "text", "no program");
    fs::permissions(folder_ / "text", fs::perms::owner_read);
    expect_refused(import(shelf(), (folder_ / "text").string()), 2, {"Permission denied", "LANEFOLD_PYTHON"});
}

TEST_F(Decompose, AProcessThatFailsLeavesNothing) {
    const std::string obj = shelf();
    const auto says = [&](const char* name, const std::string& body, int code, const std::vector<std::string>& texts) {
        expect_refused(import(obj, script(name, body)), code, texts);
    };
    says("fails", "echo 'lanefold: mesh 0'; echo 'Traceback'; echo 'ValueError: torn' >&2; exit 1", 2,
         {"failed at", "group 'angle' of object 'shelf'", "Traceback | ValueError: torn"});
    says("silent", "exit 7", 2, {"it said nothing"});
    says("dies", "echo 'lanefold: mesh 0'; kill -SEGV $$", 3, {"signal 11", "group 'angle'"});
    says("killed", "kill -KILL $$", 3, {"signal 9"});
    says("nothing", "exit 0", 3, {"cannot be used"});
    says("rubbish", "head -c 4000 /dev/urandom > \"$4\"", 3, {"cannot be used"});
    says("words", "echo 'o 0\nv 1 2 x' > \"$4\"", 3, {"cannot be used", "a vertex needs three numbers"});
    says("strange", std::string(kArms) + "sed -i 's/^o 0/o 1/' \"$4\"", 3, {"'1' was not asked for"});
    says("far", std::string(kArms) + "sed -i 's/^v 3/v 300/' \"$4\"", 3, {"lies elsewhere", "group 'angle'"});
    says("points", "printf 'o 0\\ng 0\\nv 0 0 0\\nv 1 1 0\\n' > \"$4\"", 3, {"has a volume"});
    says("loud", "yes 'a line of many' | head -c 3000000; exit 1", 2, {"a line of many"});
}

TEST_F(Decompose, AStopEndsAProcessThatDoesNotListen) {
    const std::string running = (folder_ / "pid").string();
    const std::string deaf = script("deaf", "trap '' TERM INT HUP\necho $$ > " + running + ".new; mv " + running +
                                                ".new " + running + "\nwhile :; do sleep 0.05; done");
    const auto begin = std::chrono::steady_clock::now();
    const Outcome done = import(shelf(), deaf, {}, [&](pid_t program) {
        for (int i = 0; i < 1000 && !fs::exists(running); ++i)
            std::this_thread::sleep_for(std::chrono::milliseconds(10));
        ::kill(program, SIGINT);
    });
    expect_refused(done, 3, {"interrupted"});
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(60));
    const pid_t child = std::stoi(test::read_bytes(running));
    EXPECT_TRUE(::kill(child, 0) != 0 && errno == ESRCH) << child;
}

TEST_F(Decompose, OptionsThatContradictAreRefused) {
    const std::string obj = shelf();
    const std::string arms = script("arms", kArms);
    expect_refused(import(obj, arms, {"--accept-concave"}), 2, {"--decompose", "--accept-concave"});
    expect_refused(import(obj, arms, {"--decompose-threshold", "0"}), 2, {"--decompose-threshold"});
    expect_refused(import(obj, "", {"--decompose-threshold", "0.1"}), 2, {"which is not given"});
    // The threshold goes to the script.
    const std::string told = (folder_ / "told").string();
    ASSERT_EQ(
        import(obj, script("told_by", "echo \"$@\" > " + told + kArms), {"--decompose-threshold", "0.2"}).exit_code, 0);
    EXPECT_NE(test::read_bytes(told).find("--threshold 0.2"), std::string::npos);
}

}  // namespace
}  // namespace lanefold::tools
