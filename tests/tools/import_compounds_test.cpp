// SPDX-License-Identifier: MIT
//
// `lanefold import --compounds`: objects of several pieces become compounds, whose contacts are those of the pieces.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

#include <lanefold/compound.hpp>

#include "contacts/io.hpp"
#include "support/tools/obj_file.hpp"
#include "support/tools/program.hpp"
#include "support/tools/scenes.hpp"

namespace lanefold::tools {
namespace {

using test::Outcome;
using test::program;
using test::TemporaryFolder;
using test::write_poses;

std::vector<Manifold4> records_of(const std::filesystem::path& contacts) {
    const ContactsReader reader(contacts);
    const FrameSummary summary = reader.summary(0);
    std::vector<Manifold4> out(summary.records);
    reader.open_records(0, summary).read(0, std::span(out));
    return out;
}

TEST(ImportCompounds, AnObjectIsOneBody) {
    const TemporaryFolder folder;
    const std::string obj = test::table_and_cup().write(folder / "table.obj");
    const std::string scene = (folder / "scene").string(), pieces = (folder / "pieces").string();
    const Outcome outcome = program({"import", obj, "-o", scene, "--compounds"});
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_EQ(test::count_of(outcome.out, "as bodies"), 2U) << outcome.out;
    ASSERT_EQ(program({"import", obj, "-o", pieces}).exit_code, 0);
    const Scene made(scene), apart(pieces);
    EXPECT_EQ(made.info().version, 3);
    EXPECT_EQ(made.bodies(), 2U);
    EXPECT_EQ(made.hulls(), 4U);
    ASSERT_EQ(made.names().size(), 2U);
    EXPECT_EQ(made.names()[0], "table");
    const HullSet hulls = made.build_hulls();
    ASSERT_EQ(hulls.child_count(made.body_hull()[0]), 2U);
    EXPECT_EQ(hulls.child_count(made.body_hull()[1]), 0U);
    EXPECT_NEAR(1 / made.inverse_mass()[0], 1 / apart.inverse_mass()[0] + 1 / apart.inverse_mass()[1], 1e-3);
    EXPECT_EQ(made.inverse_mass()[1], apart.inverse_mass()[2]);
    // The cup touches the top, in both.
    for (const std::string& folder_of : {scene, pieces}) {
        const std::string contacts = folder_of + "_c";
        ASSERT_EQ(program({"collide", folder_of, "-o", contacts}).exit_code, 0);
        EXPECT_EQ(program({"verify", folder_of, contacts}).exit_code, 0);
    }
    const std::vector<Manifold4> one = records_of(scene + "_c"), other = records_of(pieces + "_c");
    ASSERT_EQ(one.size(), 1U);
    ASSERT_EQ(other.size(), 1U);
    EXPECT_EQ(one[0].child_a, 0U);
    EXPECT_EQ(one[0].distance, other[0].distance);
    EXPECT_EQ(one[0].count, other[0].count);
}

// Far pieces get origins of their own, and move with the row of their object; equal objects share a compound.
TEST(ImportCompounds, MoveWithTheRowOfTheirObject) {
    const TemporaryFolder folder;
    const std::string obj = test::Obj()
                                .object("a")
                                .box("left", {1000, 0, 0}, {0.5, 0.5, 0.5})
                                .box("right", {1003, 0, 0}, {0.5, 1, 0.5})
                                .object("b")
                                .box("left", {2000, 0, 0}, {0.5, 0.5, 0.5})
                                .box("right", {2003, 0, 0}, {0.5, 1, 0.5})
                                .write(folder / "two.obj");
    const std::string poses = (folder / "poses.npy").string(), scene = (folder / "scene").string();
    // A quarter turn about z, and nothing.
    const double half = 0.70710678118654752;
    write_poses(poses, 1, 2, {{1, 2, 3, 0, 0, half, half}, {0, 0, 0, 0, 0, 0, 1}});
    ASSERT_EQ(program({"import", obj, "-o", scene, "--poses", poses, "--compounds"}).exit_code, 0);
    const Scene made(scene);
    EXPECT_EQ(made.bodies(), 2U);
    EXPECT_EQ(made.body_hull()[0], made.body_hull()[1]);
    const HullSet hulls = made.build_hulls();
    const CompoundChild child = hulls.child(made.body_hull()[0], 1);
    EXPECT_EQ(child.position[0], 3);
    SceneFrame frame;
    made.read_frame(0, frame);
    BodyD body{};
    std::copy_n(frame.position_double.begin(), 3, body.position);
    std::copy_n(frame.orientation.begin(), 4, body.orientation);
    body.hull = made.body_hull()[0];
    const BodyD right = child_body(hulls, body, 1);
    EXPECT_NEAR(right.position[0], 1, 1e-3);
    EXPECT_NEAR(right.position[1], 1003 + 2, 1e-3);
    EXPECT_NEAR(right.position[2], 3, 1e-9);

    write_poses(poses, 1, 4, std::vector<test::Row>(4, {0, 0, 0, 0, 0, 0, 1}));
    const Outcome refused = program({"import", obj, "-o", (folder / "no").string(), "--poses", poses, "--compounds"});
    EXPECT_EQ(refused.exit_code, 2);
    EXPECT_NE(refused.err.find("row for each object"), std::string::npos) << refused.err;
    EXPECT_FALSE(std::filesystem::exists(folder / "no"));
}

// An object of several pieces is simulated as one body: it stands on its legs, as no convex hull of it would.
TEST(ImportCompounds, AnImportedTableFallsAndStands) {
    const TemporaryFolder folder;
    test::Obj obj;
    obj.object("floor").box("floor", {0, -0.5, 0}, {5, 0.5, 5});
    obj.object("table").box("top", {0, 0.8, 0}, {0.6, 0.05, 0.4});
    for (int k = 0; k < 4; ++k)
        obj.box("leg" + std::to_string(k), {k / 2 - 0.5, 0.375, 0.6 * (k % 2) - 0.3}, {0.05, 0.375, 0.05});
    const std::string file = obj.write(folder / "table.obj"), scene = (folder / "scene").string(),
                      moved = (folder / "moved").string(), contacts = (folder / "contacts").string(),
                      poses = (folder / "poses.npy").string(), setup = (folder / "setup.json").string();
    write_poses(poses, 1, 2, {{0, 0, 0, 0, 0, 0, 1}, {0, 0.3, 0, 0, 0.1, 0, std::sqrt(0.99)}});
    ASSERT_EQ(program({"import", file, "-o", scene, "--compounds", "--poses", poses}).exit_code, 0);
    std::ofstream(setup) << R"({"gravity": [0, -9.81, 0], "bodies": [{"body": 0, "kind": "fixed"}]})";
    const Outcome outcome =
        program({"simulate", scene, "-o", moved, "--setup", setup, "--steps", "180", "--every", "90"});
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    const Scene after(moved);
    const HullSet hulls = after.build_hulls();
    EXPECT_EQ(hulls.child_count(after.body_hull()[1]), 5U);
    SceneFrame frame;
    for (const std::uint64_t f : {std::uint64_t{0}, std::uint64_t{2}}) {
        after.read_frame(f, frame);
        EXPECT_NEAR(frame.position_double[3 + 1], f == 0 ? 0.3 : 0.0, 5e-3) << f;
    }
    EXPECT_NEAR(std::fabs(frame.orientation[4 + 1]), 0.1F, 2e-2F);
    ASSERT_EQ(program({"collide", moved, "-o", contacts}).exit_code, 0);
    EXPECT_EQ(program({"verify", moved, contacts}).exit_code, 0);
    const ContactsReader reader(contacts);
    const FrameSummary summary = reader.summary(2);
    std::vector<Manifold4> records(summary.records);
    reader.open_records(2, summary).read(0, std::span(records));
    ASSERT_EQ(records.size(), 4U);
    for (std::uint32_t k = 0; k < 4; ++k) EXPECT_EQ(records[k].child_b, 1 + k);
}

}  // namespace
}  // namespace lanefold::tools
