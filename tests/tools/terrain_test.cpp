// SPDX-License-Identifier: MIT
//
// `lanefold generate terrain`, and what a user does with it: simulate, collide, verify, look at it.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include <lanefold/narrowphase.hpp>

#include "contacts/io.hpp"
#include "scene/find_pairs.hpp"
#include "scene/io.hpp"
#include "support/tools/program.hpp"

namespace lanefold::tools {
namespace {

namespace fs = std::filesystem;
using test::count_of;
using test::Outcome;
using test::program;
using test::read_bytes;
using test::TemporaryFolder;

void generate(const fs::path& folder, const std::vector<std::string>& more) {
    std::vector<std::string> command{"generate", "terrain", folder.string()};
    command.insert(command.end(), more.begin(), more.end());
    const Outcome outcome = program(command);
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
}

TEST(Terrain, IsAFieldWithBodiesThatTouchNothing) {
    const TemporaryFolder folder;
    generate(folder / "scene", {"--cells", "24", "--bodies", "60", "--seed", "7"});
    const Scene scene(folder / "scene");
    EXPECT_EQ(scene.bodies(), 61U);
    EXPECT_EQ(scene.info().up_axis(), 2);
    const HullSet hulls = scene.build_hulls();
    const Surface* const ground = hulls.surface(scene.body_hull()[0]);
    ASSERT_NE(ground, nullptr);
    EXPECT_TRUE(ground->is_height_field());
    EXPECT_EQ(ground->triangle_count(), 2U * 24 * 24);
    EXPECT_GT(ground->bounds().high.z - ground->bounds().low.z, 0.2);
    SceneFrame frame;
    scene.read_frame(0, frame);
    PairFinder finder;
    find_pairs(finder, scene, hulls, 0, frame);
    EXPECT_GT(frame.pairs.size(), 10U);
    std::vector<Manifold4> out(frame.pairs.size());
    Workspace workspace;
    const BatchResult r = collide(hulls, scene.view(frame), frame.pairs, Options(), out, workspace);
    ASSERT_TRUE(r.status) << r.status.what;
    EXPECT_EQ(r.touching, 0U);
    std::vector<bool> used(hulls.size(), false);
    for (const std::uint32_t h : scene.body_hull()) used[h] = true;
    // All three kinds are there.
    for (const std::uint32_t first : {1U, 17U, 33U})
        EXPECT_TRUE(std::any_of(used.begin() + first, used.begin() + first + 16, [](bool u) { return u; })) << first;
}

TEST(Terrain, TheSameRequestGivesTheSameBytes) {
    const TemporaryFolder folder;
    const std::vector<std::string> request{"--cells", "40", "--cell", "0.25", "--bodies", "30"};
    generate(folder / "a", request);
    generate(folder / "b", request);
    std::vector<std::string> other = request;
    other.insert(other.end(), {"--seed", "2"});
    generate(folder / "c", other);
    std::size_t files = 0;
    for (const auto& entry : fs::directory_iterator(folder / "a")) {
        ++files;
        EXPECT_EQ(read_bytes(entry.path()), read_bytes(folder / "b" / entry.path().filename()));
    }
    EXPECT_GT(files, 8U);
    for (const char* const name : {"position.npy", "height_samples.npy"})
        EXPECT_NE(read_bytes(folder / "a" / name), read_bytes(folder / "c" / name));
}

TEST(Terrain, WrongOptionsAreRefused) {
    const TemporaryFolder folder;
    const auto refused = [&](const std::vector<std::string>& more, const char* words) {
        std::vector<std::string> command{"generate", "terrain", (folder / "x").string()};
        command.insert(command.end(), more.begin(), more.end());
        const Outcome outcome = program(command);
        EXPECT_EQ(outcome.exit_code, 2) << words;
        EXPECT_NE(outcome.err.find(words), std::string::npos) << outcome.err;
        EXPECT_FALSE(fs::exists(folder / "x"));
    };
    refused({"--cells", "0"}, "--cells 0");
    refused({"--cells", "100000"}, "--cells 100000");
    refused({"--cells", "4"}, "at least 5.2 m wide");
    refused({"--cell", "-1"}, "--cell -1");
    refused({"--bodies", "0"}, "--bodies");
    refused({"--frames", "3"}, "--frames: not with terrain");
    const Outcome other = program({"generate", "tower", (folder / "x").string(), "--cells", "9"});
    EXPECT_EQ(other.exit_code, 2);
    const Outcome pile = program({"generate", "boxes", (folder / "x").string(), "--cells", "9"});
    EXPECT_NE(pile.err.find("--cells: not with boxes"), std::string::npos) << pile.err;
}

TEST(Terrain, AUsersWay) {
    const TemporaryFolder folder;
    const std::string start = (folder / "start").string(), scene = (folder / "scene").string();
    const std::string contacts = (folder / "contacts").string();
    generate(start, {"--cells", "24", "--bodies", "50"});
    Outcome outcome = program({"simulate", start, "-o", scene, "--steps", "180", "--every", "60"});
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    outcome = program({"collide", scene, "-o", contacts, "--margin", "0.02", "--progress", "none"});
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    outcome = program({"verify", scene, contacts, "--progress", "none"});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.out << outcome.err;
    const FrameSummary last = ContactsReader(contacts).summary(3);
    EXPECT_GT(last.touching, 25U);
    EXPECT_GT(last.records, last.touching);
    for (const std::string name : {"scene.svg", "scene.html"}) {
        outcome = program({"picture", scene, contacts, "-o", (folder / name).string()});
        ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
        EXPECT_GT(test::occurrences(read_bytes(folder / name), "class=\"ground\""), 100U) << outcome.out;
    }
    for (const std::string name : {"scene.usda", "scene.ply", "scene.pvd", "points.csv"}) {
        outcome = program({"export", scene, contacts, "-o", (folder / name).string()});
        EXPECT_EQ(outcome.exit_code, 0) << name << outcome.err;
    }
    // Bodies are over the ground, not below it.
    const Scene after(scene);
    SceneFrame frame;
    after.read_frame(3, frame);
    const double low = after.build_hulls().surface(0)->bounds().low.z;
    std::size_t lost = 0;
    for (std::size_t body = 1; body < after.bodies(); ++body)
        lost += static_cast<double>(frame.position[3 * body + 2]) < low ? 1U : 0U;
    EXPECT_LE(lost, 2U);  // over the border
}

}  // namespace
}  // namespace lanefold::tools
