// SPDX-License-Identifier: MIT
//
// `lanefold generate crowd`, `ragdolls` and `gravel`: scenes of round bodies, which every command reads, and which
// `lanefold simulate` lets fall.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "files/json.hpp"
#include "scene/io.hpp"
#include "support/tools/program.hpp"
#include "support/tools/scenes.hpp"

namespace lanefold::tools {
namespace {

namespace fs = std::filesystem;
using test::files_below;
using test::Outcome;
using test::program;
using test::TemporaryFolder;

TEST(Figures, ACrowdWalksAndIsVerified) {
    const TemporaryFolder folder;
    const std::string crowd = (folder / "crowd").string(), contacts = (folder / "contacts").string();
    ASSERT_EQ(program({"generate", "crowd", crowd, "--bodies", "300", "--frames", "5"}).exit_code, 0);
    const Scene scene(crowd);
    EXPECT_EQ(scene.info().version, 3);
    EXPECT_EQ(scene.bodies(), 301U);
    EXPECT_EQ(scene.frames(), 5U);
    const HullSet hulls = scene.build_hulls();
    SceneFrame before, after;
    scene.read_frame(0, before);
    scene.read_frame(4, after);
    for (std::size_t i = 1; i < scene.bodies(); ++i) {
        const HullRecord& hull = hulls[scene.body_hull()[i]];
        EXPECT_EQ(hull.vertex_count, 2U);
        // Feet on the floor, and a step in 4 frames.
        EXPECT_NEAR(before.position[3 * i + 1], hull.half_extent[1] + hull.round_radius, 1e-5F);
        const float walked = std::hypot(after.position[3 * i] - before.position[3 * i],
                                        after.position[3 * i + 2] - before.position[3 * i + 2]);
        EXPECT_LT(walked, 0.25F);
    }
    EXPECT_NE(before.position, after.position);
    const Outcome outcome =
        program({"collide", crowd, "-o", contacts, "--find-pairs", "--margin", "0.01", "--progress", "none"});
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_GT(test::count_of(outcome.out, "touching (distance <= margin)"), 5U * 300U);  // each stands on the floor
    EXPECT_EQ(program({"verify", crowd, contacts, "--progress", "none"}).exit_code, 0);
}

TEST(Figures, RagdollsHoldTogetherAsTheyFall) {
    const TemporaryFolder folder;
    const std::string dolls = (folder / "dolls").string(), moved = (folder / "moved").string();
    ASSERT_EQ(program({"generate", "ragdolls", dolls, "--bodies", "44"}).exit_code, 0);
    const Scene scene(dolls);
    EXPECT_EQ(scene.bodies(), 45U);
    const fs::path setup = folder / "dolls" / "ragdoll_setup.json";
    const Json links = read_json_object(setup)["links"];
    ASSERT_EQ(links.size(), 40U);
    const Outcome outcome = program(
        {"simulate", dolls, "-o", moved, "--setup", setup.string(), "--steps", "300", "--every", "300", "--json"});
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_EQ(outcome.err.find("warning"), std::string::npos) << outcome.err;
    const Scene after(moved);
    SceneFrame frame;
    after.read_frame(1, frame);
    for (std::size_t i = 1; i < after.bodies(); ++i) {
        const double y = frame.position_double[3 * i + 1];
        EXPECT_GT(y, 0.0) << i;
        EXPECT_LT(y, 1.2) << i;  // all lie down
    }
    // Parts that a rod joins are still as near as it lets them.
    for (const auto& link : links) {
        const std::size_t a = link["a"], b = link["b"];
        double apart = 0;
        for (std::size_t k = 0; k < 3; ++k)
            apart = std::hypot(apart, frame.position_double[3 * a + k] - frame.position_double[3 * b + k]);
        EXPECT_LT(apart, 0.75) << a << ' ' << b;
    }
}

// Each figure is one body: it stays in its shape, and the bake of its fall is right.
TEST(Figures, RigidRagdollsFallAsCompounds) {
    const TemporaryFolder folder;
    const std::string dolls = (folder / "dolls").string(), moved = (folder / "moved").string(),
                      contacts = (folder / "contacts").string();
    ASSERT_EQ(program({"generate", "ragdolls", dolls, "--rigid", "--bodies", "9", "--floor", "plane"}).exit_code, 0);
    const Scene scene(dolls);
    EXPECT_EQ(scene.bodies(), 10U);
    EXPECT_EQ(scene.other_shapes().children.size(), 11U);
    EXPECT_FALSE(fs::exists(folder / "dolls" / "ragdoll_setup.json"));
    const HullSet hulls = scene.build_hulls();
    const double mass = 1000 * hulls.info(scene.body_hull()[1]).mass.volume;
    EXPECT_NEAR(1 / static_cast<double>(scene.inverse_mass()[1]), mass, 1e-5 * mass);
    EXPECT_GT(mass, 30);
    Outcome outcome = program({"simulate", dolls, "-o", moved, "--steps", "300", "--every", "60"});
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    const Scene after(moved);
    EXPECT_EQ(after.other_shapes().children.size(), 11U);
    SceneFrame frame;
    after.read_frame(5, frame);
    for (std::size_t i = 1; i < after.bodies(); ++i) {
        EXPECT_GT(frame.position_double[3 * i + 1], 0.03) << i;
        EXPECT_LT(frame.position_double[3 * i + 1], 0.6) << i;
    }
    ASSERT_EQ(program({"collide", moved, "-o", contacts, "--progress", "none"}).exit_code, 0);
    outcome = program({"verify", moved, contacts, "--progress", "none"});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.out;
    EXPECT_EQ(program({"generate", "crowd", (folder / "no").string(), "--rigid"}).exit_code, 2);
    EXPECT_EQ(program({"generate", "rocks", (folder / "no").string(), "--rigid"}).exit_code, 2);
}

// The same bodies on a floor without an end: the same contacts with it, and figures that lie on it.
TEST(Figures, FloorsCanBeHalfSpaces) {
    const TemporaryFolder folder;
    std::string touching[2];
    for (const std::string floor : {"box", "plane"}) {
        const std::string crowd = (folder / floor).string(), contacts = (folder / (floor + "_c")).string();
        ASSERT_EQ(program({"generate", "crowd", crowd, "--bodies", "300", "--frames", "5", "--floor", floor}).exit_code,
                  0);
        const Outcome outcome = program({"collide", crowd, "-o", contacts, "--margin", "0.01", "--progress", "none"});
        ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
        touching[floor == "box" ? 0 : 1] = std::to_string(test::count_of(outcome.out, "touching (distance <= margin)"));
        EXPECT_EQ(program({"verify", crowd, contacts, "--progress", "none"}).exit_code, 0);
    }
    EXPECT_EQ(touching[0], touching[1]);
    EXPECT_EQ(Scene(folder / "plane").other_shapes().half_spaces.size(), 1U);
    const std::string dolls = (folder / "dolls").string(), moved = (folder / "moved").string();
    ASSERT_EQ(program({"generate", "ragdolls", dolls, "--bodies", "22", "--floor", "plane"}).exit_code, 0);
    const Outcome outcome = program(
        {"simulate", dolls, "-o", moved, "--setup", dolls + "/ragdoll_setup.json", "--steps", "300", "--every", "300"});
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    const Scene after(moved);
    SceneFrame frame;
    after.read_frame(1, frame);
    for (std::size_t i = 1; i < after.bodies(); ++i) {
        EXPECT_GT(frame.position_double[3 * i + 1], 0.0) << i;
        EXPECT_LT(frame.position_double[3 * i + 1], 1.2) << i;
    }
    for (const auto& [kind, floor] : {std::pair("crowd", "sphere"), std::pair("debris", "plane")})
        EXPECT_EQ(program({"generate", kind, (folder / "no").string(), "--floor", floor}).exit_code, 2) << kind;
}

TEST(Figures, GravelSettlesInItsBin) {
    const TemporaryFolder folder;
    const std::string gravel = (folder / "gravel").string(), contacts = (folder / "contacts").string();
    const Outcome made = program({"generate", "gravel", gravel, "--bodies", "200", "--hulls", "20", "--frames", "3",
                                  "--progress", "none", "--json"});
    ASSERT_EQ(made.exit_code, 0) << made.err;
    EXPECT_NE(made.out.find("\"escaped\":0"), std::string::npos) << made.out;
    const Scene scene(gravel);
    EXPECT_EQ(scene.info().version, 3);
    EXPECT_EQ(scene.hull_radius().size(), 25U);
    SceneFrame frame;
    scene.read_frame(2, frame);
    float lowest = 1e9F;
    for (std::size_t i = 0; i < 200; ++i)
        lowest = std::min(lowest, frame.position[3 * i + 1] - scene.hull_radius()[scene.body_hull()[i]]);
    EXPECT_GT(lowest, -0.01F);
    EXPECT_LT(lowest, 0.01F);
    ASSERT_EQ(program({"collide", gravel, "-o", contacts, "--progress", "none"}).exit_code, 0);
    EXPECT_EQ(program({"verify", gravel, contacts, "--progress", "none"}).exit_code, 0);
    EXPECT_EQ(program({"generate", "gravel", (folder / "b").string(), "--engine", "bullet"}).exit_code, 2);
}

TEST(Figures, SeedDecidesAndBadSizesAreRefused) {
    const TemporaryFolder folder;
    for (const std::string kind : {"crowd", "ragdolls"}) {
        for (const char* seed : {"1", "2"})
            ASSERT_EQ(program({"generate", kind, (folder / (kind + seed)).string(), "--seed", seed}).exit_code, 0);
        ASSERT_EQ(program({"generate", kind, (folder / (kind + "again")).string()}).exit_code, 0);
        EXPECT_TRUE(files_below(folder / (kind + "1")) == files_below(folder / (kind + "again")));
        EXPECT_FALSE(files_below(folder / (kind + "1")) == files_below(folder / (kind + "2")));
        EXPECT_EQ(program({"generate", kind, (folder / "no").string(), "--bodies", "0"}).exit_code, 2);
        EXPECT_EQ(program({"generate", kind, (folder / "no").string(), "--hulls", "3"}).exit_code, 2);
        EXPECT_EQ(program({"generate", kind, (folder / (kind + "1")).string()}).exit_code, 2);
        EXPECT_EQ(program({"generate", kind, (folder / (kind + "1")).string(), "--replace"}).exit_code, 0);
    }
    const Outcome refused = program({"generate", "ragdolls", (folder / "no").string(), "--bodies", "12"});
    EXPECT_EQ(refused.exit_code, 2);
    EXPECT_NE(refused.err.find("11 bodies"), std::string::npos) << refused.err;
    EXPECT_FALSE(fs::exists(folder / "no"));
}

}  // namespace
}  // namespace lanefold::tools
