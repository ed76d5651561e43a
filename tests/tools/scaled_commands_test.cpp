// SPDX-License-Identifier: MIT
//
// Every command gives a scene with scales the bytes that it gives the scene whose files have the scaled hulls.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "contacts/io.hpp"
#include "support/tools/baked_records.hpp"
#include "support/tools/program.hpp"
#include "support/tools/scaled_shapes.hpp"

namespace lanefold::tools {
namespace {

namespace fs = std::filesystem;
using test::count_of;
using test::Outcome;
using test::program;
using test::ShapesScene;
using test::TemporaryFolder;

std::string replaced(std::string text, const std::string& what, const std::string& by) {
    for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += by.size())
        text.replace(at, what.size(), by);
    return text;
}

// Both scenes are called scene, in folders of their own, and all output is beside them.
class ScaledCommands : public testing::Test {
protected:
    explicit ScaledCommands(const ShapesScene& made = test::scaled_heap(3, 60, 2.2F)) {
        made.write(folder_ / "scaled" / "scene", 3);
        test::baked(made).write(folder_ / "baked" / "scene", 3);
    }

    // Runs a command on a scene; arguments that begin with @ are below its folder.
    Outcome run(const std::string& name, const std::vector<std::string>& arguments) {
        std::vector<std::string> own;
        for (const std::string& a : arguments)
            own.push_back(a.starts_with('@') ? (folder_ / name / a.substr(1)).string() : a);
        Outcome outcome = program(own);
        outcome.out = replaced(outcome.out, (folder_ / name).string(), "");
        outcome.err = replaced(outcome.err, (folder_ / name).string(), "");
        return outcome;
    }

    // Runs it on both, which must be right, and say the same where what it says has no times. Returns what was said.
    std::string run_both(const std::vector<std::string>& arguments, bool compare = false) {
        const Outcome own = run("scaled", arguments), other = run("baked", arguments);
        EXPECT_EQ(own.exit_code, 0) << own.out << own.err;
        EXPECT_EQ(other.exit_code, 0) << other.out << other.err;
        if (!compare) return own.out;
        EXPECT_EQ(own.out, other.out);
        EXPECT_FALSE(own.out.empty());
        return own.out;
    }

    std::map<std::string, std::string> files_of(const std::string& name, const std::string& output) {
        std::map<std::string, std::string> out;
        const fs::path path = folder_ / name / output;
        if (!fs::is_directory(path)) return {{output, test::read_bytes(path)}};
        for (const auto& entry : fs::recursive_directory_iterator(path)) {
            // Logs say when and how long.
            if (entry.is_regular_file() && entry.path().parent_path().filename() != "log")
                out[fs::relative(entry.path(), path).string()] = test::read_bytes(entry.path());
        }
        return out;
    }

    // Both have written the same bytes there.
    void expect_same(const std::string& output, std::size_t at_least = 1) {
        const auto own = files_of("scaled", output), other = files_of("baked", output);
        EXPECT_GE(own.size(), at_least) << output;
        EXPECT_EQ(own.size(), other.size()) << output;
        for (const auto& [name, bytes] : own) {
            const auto at = other.find(name);
            ASSERT_NE(at, other.end()) << name;
            EXPECT_GT(bytes.size(), 20U) << output << " " << name;
            EXPECT_TRUE(bytes == at->second) << output << " " << name;
        }
    }

    const TemporaryFolder folder_;
};

TEST_F(ScaledCommands, CollideAndVerify) {
    run_both({"collide", "@scene", "-o", "@contacts", "--margin", "0.05", "--progress", "none"});
    expect_same("contacts", 7);
    EXPECT_GT(ContactsReader(folder_ / "scaled" / "contacts").summary(0).touching, 100U);
    const std::string told = run_both({"verify", "@scene", "@contacts", "--progress", "none"}, true);
    EXPECT_GT(count_of(told, "touching by the oracle"), 300U) << told;
    run_both({"collide", "@scene", "-o", "@patches", "--method", "patch", "--capacity", "16", "--progress", "none"});
    expect_same("patches", 7);
    // Contacts of another scale are those of another scene.
    ShapesScene other = test::scaled_heap(3, 60, 2.2F);
    other.scale[5] *= 1.5F;
    other.write(folder_ / "scaled" / "scene", 3);
    const Outcome outcome = run("scaled", {"verify", "@scene", "@contacts", "--progress", "none"});
    EXPECT_EQ(outcome.exit_code, 2) << outcome.out;
    EXPECT_NE(outcome.err.find("not made from the scene"), std::string::npos) << outcome.err;
}

// A changed record of a scaled body is found.
TEST_F(ScaledCommands, VerifyFindsWhatIsChanged) {
    ASSERT_EQ(run("scaled", {"collide", "@scene", "-o", "@contacts", "--frames", "0", "--progress", "none"}).exit_code,
              0);
    const Scene scene(folder_ / "scaled" / "scene");
    bool changed = false;
    test::replace_records((folder_ / "scaled" / "contacts").string(), [&](std::vector<Manifold4>& records) {
        for (Manifold4& m : records) {
            if (changed || m.count == 0 || scene.body_scale()[m.pair[0]] == 1) continue;
            m.distance *= 1.01F;
            changed = true;
        }
    });
    ASSERT_TRUE(changed);
    const Outcome outcome = run("scaled", {"verify", "@scene", "@contacts", "--progress", "none"});
    EXPECT_EQ(outcome.exit_code, 1) << outcome.out << outcome.err;
    const std::string violations = outcome.out.substr(outcome.out.find("violations"));
    EXPECT_EQ(count_of(violations, "distance"), 1U) << outcome.out;
}

TEST_F(ScaledCommands, ShardsFormsAndInstructionSets) {
    run_both({"collide", "@scene", "-o", "@whole", "--compress", "small", "--progress", "none"});
    expect_same("whole", 7);
    for (const std::string shard : {"0/2", "1/2"})
        run_both({"collide", "@scene", "-o", "@shards", "--compress", "small", "--shard", shard, "--isa", "scalar",
                  "--threads", "1", "--progress", "none"});
    expect_same("shards", 7);
    EXPECT_TRUE(files_of("scaled", "shards") == files_of("baked", "whole"));
}

TEST_F(ScaledCommands, CaptureAndReplay) {
    run_both({"collide", "@scene", "--margin", "0.05", "--capture", "distance < 0.02", "--capture-to", "@pairs.lfp",
              "--progress", "none"});
    expect_same("pairs.lfp");
    const std::string told = run_both({"replay", "@pairs.lfp", "--json"}, true);
    EXPECT_NE(told.find("\"not_as_captured\":0"), std::string::npos) << told;
}

TEST_F(ScaledCommands, ShowAndRespond) {
    int shown = 0;
    for (int a = 1; a < 30; ++a) {
        const std::vector<std::string> arguments{"show", "@scene", "--pair",
                                                 std::to_string(a) + "," + std::to_string(a + 5)};
        const Outcome own = run("scaled", arguments), other = run("baked", arguments);
        EXPECT_EQ(own.exit_code, other.exit_code);
        EXPECT_EQ(own.out, other.out);
        EXPECT_EQ(own.err, other.err);
        shown += own.exit_code == 0 ? 1 : 0;
    }
    EXPECT_GT(shown, 5);
    run_both({"respond", "@scene", "--margin", "0.02"}, true);
}

TEST_F(ScaledCommands, PicturesPagesAndExports) {
    const std::string page = (folder_ / "page.html").string();
    test::write_bytes(page, "<html><!--DATA--></html>");
    run_both({"collide", "@scene", "-o", "@contacts", "--progress", "none"});
    for (const std::string name : {"@scene.svg", "@scene.html"})
        run_both({"picture", "@scene", "@contacts", "-o", name});
    for (const std::string name : {"@scene.usda", "@scene.ply", "@scene.pvd", "@points.csv"})
        run_both({"export", "@scene", "@contacts", "-o", name, "--progress", "none"});
    for (const std::string name : {"scene.svg", "scene.html", "scene.usda", "scene.pvd", "points.csv"})
        expect_same(name);
}

TEST_F(ScaledCommands, SimulateAndEvents) {
    run_both({"simulate", "@scene", "-o", "@moved", "--steps", "30", "--every", "10", "--progress", "none"});
    const auto own = files_of("scaled", "moved"), other = files_of("baked", "moved");
    for (const char* const name :
         {"position.npy", "orientation.npy", "pairs.npy", "pair_offsets.npy", "scene.json", "body_inverse_mass.npy"})
        EXPECT_TRUE(own.at(name) == other.at(name)) << name;
    // The scales stay.
    const auto before = files_of("scaled", "scene");
    for (const char* const name :
         {"hull_vertices.npy", "hull_offsets.npy", "hull_kind.npy", "hull_radius.npy", "half_spaces.npy",
          "compound_offsets.npy", "child_position.npy", "body_hull.npy", "body_scale.npy"})
        EXPECT_TRUE(own.at(name) == before.at(name)) << name;
    run_both({"collide", "@moved", "-o", "@contacts", "--events", "@events", "--progress", "none"});
    expect_same("contacts", 7);
    expect_same("events", 4);
}

}  // namespace
}  // namespace lanefold::tools
