// SPDX-License-Identifier: MIT
//
// Single pairs with surfaces in the program: captured and replayed, shown from triangles to records, responded to.
#include <gtest/gtest.h>

#include <span>
#include <string>

#include <lanefold/capture.hpp>

#include "files/atomic_file.hpp"
#include "files/input_file.hpp"
#include "support/tools/ground_scene.hpp"
#include "support/tools/program.hpp"

namespace lanefold::tools {
namespace {

using test::count_of;
using test::GroundScene;
using test::Outcome;
using test::program;
using test::TemporaryFolder;

// Captured, a pair has every record among those of a call with it alone; a record that was changed is found.
TEST(SurfacePair, CapturesAreReplayed) {
    const TemporaryFolder folder;
    const std::string scene = (folder / "scene").string();
    const std::string file = (folder / "c.lfp").string();
    GroundScene made(14);
    made.scatter(15, 120);
    made.write(scene);
    for (const char* const capacity : {"4", "16"}) {
        Outcome outcome = program({"collide", scene, "--margin", "0.05", "--capacity", capacity, "--capture",
                                   "a < 3 and reported == 1", "--capture-to", file});
        ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
        outcome = program({"replay", file});
        EXPECT_EQ(outcome.exit_code, 0) << outcome.out << outcome.err;
        EXPECT_GT(test::occurrences(outcome.out, "sets agree, right, as captured"), 25U) << outcome.out;
        EXPECT_EQ(count_of(outcome.out, "wrong by the oracle"), 0U) << outcome.out;
        outcome = program({"replay", file, "--pair", "0", "--steps"});
        EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
        for (const char* const words : {"triangles of a surface, one by one in float64", "met by the body",
                                        "right by the oracle", "sets agree, right, as captured"})
            EXPECT_NE(outcome.out.find(words), std::string::npos) << words << outcome.out;
    }
    // A pair that is apart is captured, too, and has no distance by the oracle.
    Outcome apart = program(
        {"collide", scene, "--capture", "a == 0 and reported == 0", "--capture-to", file, "--capture-limit", "3"});
    ASSERT_EQ(apart.exit_code, 0) << apart.err;
    apart = program({"replay", file, "--details"});
    EXPECT_EQ(apart.exit_code, 0) << apart.out;
    EXPECT_EQ(test::occurrences(apart.out, "apart by more than the margin; oracle: no clear contact"), 3U) << apart.out;
    ASSERT_EQ(program({"collide", scene, "--capture", "a < 3 and reported == 1", "--capture-to", file}).exit_code, 0);
    std::string bytes = read_file(file, 1U << 24U);
    const CaptureResult read = read_capture(std::as_bytes(std::span(bytes)));
    ASSERT_TRUE(read) << read.status.what;
    Capture changed = read.capture;
    Manifold16 record = changed.pairs()[0].record;
    record.distance += 0.01F;
    changed.set_record(0, record);
    const std::vector<std::byte> again = changed.bytes();
    write_output(file, {reinterpret_cast<const char*>(again.data()), again.size()});
    const Outcome outcome = program({"replay", file, "--pair", "0"});
    EXPECT_EQ(outcome.exit_code, 1) << outcome.out;
    EXPECT_NE(outcome.out.find("NOT AS CAPTURED"), std::string::npos) << outcome.out;
    EXPECT_NE(outcome.out.find("captured record is WRONG"), std::string::npos) << outcome.out;
}

// `show` tells a pair with a surface from its triangles to its records, from either side; `respond` takes a contact for
// each record.
TEST(SurfacePair, PairsAreShownAndRespondedTo) {
    const TemporaryFolder folder;
    const std::string scene = (folder / "scene").string();
    GroundScene made(12, 0);
    made.add(0, {0.1F, 0.1F, 0.49F});   // a cube 1 cm deep in a flat field
    made.add(6, {-8.6F, 0.2F, 1.15F});  // a capsule over the flat field, 0.1 m over it
    made.add(3, {0, 5, 0});
    made.write(scene);
    for (const char* const pair : {"0,3", "3,0"}) {
        const Outcome outcome = program({"show", scene, "--pair", pair, "--axes", "2"});
        ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
        for (const char* const words : {"height field of 288 triangles", "8 vertices, 6 faces, 12 edges",
                                        "separation  -0.00999999 along (0, 0, 1), its normal", "Records: 1\n",
                                        "distance -0.00999999", "right by the oracle; its distance -0.00999999"})
            EXPECT_NE(outcome.out.find(words), std::string::npos) << words << outcome.out;
    }
    Outcome outcome = program({"show", scene, "--pair", "4,2", "--margin", "0.3"});
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_NE(outcome.out.find("met by the body; the way out of each: 0\n"), std::string::npos) << outcome.out;
    EXPECT_NE(outcome.out.find("no neighbour is nearer: 1\n"), std::string::npos) << outcome.out;
    outcome = program({"respond", scene, "--pair", "0,3", "--velocity-b", "0", "0", "-2", "--gravity", "0", "0", "0"});
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_NE(outcome.out.find("normal (0, 0, 1) from a to b"), std::string::npos) << outcome.out;
    EXPECT_NE(outcome.out.find("velocity of b after                    (0, 0, 1)"), std::string::npos) << outcome.out;
    outcome = program({"respond", scene, "--margin", "0.3"});
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_EQ(count_of(outcome.out, "contacts"), 2U) << outcome.out;
}

}  // namespace
}  // namespace lanefold::tools
