// SPDX-License-Identifier: MIT
//
// `lanefold respond`: a pair's numbers are those worked by hand, beside the published ones; a frame keeps its momentum;
// wrong requests are refused.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support/tools/program.hpp"

namespace lanefold::tools {
namespace {

using test::Outcome;
using test::program;
using test::TemporaryFolder;

// The two columns of a row.
std::pair<std::string, std::string> row(const std::string& text, const std::string& name) {
    const std::size_t at = text.find("\n  " + name + " ");
    if (at == std::string::npos) return {};
    const std::string line = text.substr(at + 1, text.find('\n', at + 1) - at - 1);
    const auto cell = [&](std::size_t from, std::size_t count) {
        const std::string padded = line.substr(from, count);
        return padded.substr(0, padded.find_last_not_of(' ') + 1);
    };
    return {cell(41, 34), cell(76, std::string::npos)};
}

class Respond : public ::testing::Test {
protected:
    void SetUp() override { ASSERT_EQ(program({"generate", "presets", scene_}).exit_code, 0); }
    std::string respond(std::vector<std::string> more) const {
        more.insert(more.begin(), {"respond", scene_});
        const Outcome told = program(more);
        EXPECT_EQ(told.exit_code, 0) << told.err;
        return told.out;
    }

    TemporaryFolder folder_;
    std::string scene_ = (folder_ / "presets").string();
};

using Row = std::pair<std::string, std::string>;

// Cube on cube, 1/32 deep, b of mass 1 comes down with 4, a of mass 0.5 rises with 2, restitution 0.5, no gravity. By
// hand: closing 6, impulse (6 + 3) / (2 + 1) = 3; a has 2 - 2 * 3, b has -4 + 3. The overlap is shared 2 to 1.
TEST_F(Respond, PairIsThatWorkedByHand) {
    const std::string told = respond({"--pair", "2,3", "--velocity-a", "0", "2", "0", "--velocity-b", "0", "-4", "0",
                                      "--mass-a", "0.5", "--mass-b", "1", "--gravity", "0", "0", "0"});
    EXPECT_NE(told.find("Contact: normal (0, 1, 0) from a to b, overlap 0.03125, restitution 0.5"), std::string::npos)
        << told;
    EXPECT_EQ(row(told, "closing velocity"), Row("6", "6")) << told;
    EXPECT_EQ(row(told, "of it built up by one step"), Row("0", "0")) << told;
    EXPECT_EQ(row(told, "separating velocity after"), Row("3", "3")) << told;
    EXPECT_EQ(row(told, "impulse on b along the normal"), Row("3", "3")) << told;
    EXPECT_EQ(row(told, "velocity of a after"), Row("(0, -4, 0)", "(0, -4, 0)")) << told;
    EXPECT_EQ(row(told, "velocity of b after"), Row("(0, -1, 0)", "(0, -1, 0)")) << told;
    EXPECT_EQ(row(told, "a moves by"), Row("(0, -0.0208333, 0)", "(0, -0.0208333, 0)")) << told;
    EXPECT_EQ(row(told, "b moves by"), Row("(0, 0.0104167, 0)", "(0, 0.0104167, 0)")) << told;
}

// b comes down with what one step of gravity gave it: 8 / 4. On an immovable a both rules let it rest; on a free one
// that accelerates alike the source lets it hop.
TEST_F(Respond, RestingRulesAreToldBesideEachOther) {
    const std::vector<std::string> common{"--pair", "2,3", "--velocity-b", "0", "-2", "0",
                                          "--rate", "4",   "--gravity",    "0", "-8", "0"};
    std::vector<std::string> fixed = common;
    fixed.insert(fixed.end(), {"--mass-a", "0"});
    const std::string rest = respond(fixed);
    EXPECT_EQ(row(rest, "of it built up by one step"), Row("2", "2")) << rest;
    EXPECT_EQ(row(rest, "velocity of b after"), Row("(0, 0, 0)", "(0, 0, 0)")) << rest;
    EXPECT_NE(rest.find("resting rule"), std::string::npos) << rest;
    const std::string hop = respond(common);
    EXPECT_EQ(row(hop, "of it built up by one step"), Row("2", "0")) << hop;
    EXPECT_EQ(row(hop, "separating velocity after"), Row("0", "1")) << hop;
    EXPECT_EQ(row(hop, "impulse on b along the normal"), Row("1", "1.5")) << hop;
    EXPECT_EQ(row(hop, "velocity of b after"), Row("(0, -1, 0)", "(0, -0.5, 0)")) << hop;
}

TEST_F(Respond, BodiesThatAreApartOrSeparateGetNoImpulse) {
    // "gap": 1/64 apart.
    const std::string gap = respond({"--pair", "22,23", "--margin", "0.02", "--velocity-b", "0", "-1", "0"});
    EXPECT_NE(gap.find("apart within the margin"), std::string::npos) << gap;
    EXPECT_EQ(row(gap, "impulse on b along the normal"), Row("0", "0")) << gap;
    EXPECT_EQ(row(gap, "velocity of b after"), Row("(0, -1, 0)", "(0, -1, 0)")) << gap;
    EXPECT_NE(respond({"--pair", "22,23"}).find("no contact"), std::string::npos);
    const std::string leaving = respond({"--pair", "2,3", "--velocity-b", "0", "1", "0"});
    EXPECT_NE(leaving.find("they do not close: no impulse"), std::string::npos) << leaving;
    EXPECT_EQ(row(leaving, "impulse on b along the normal"), Row("0", "0")) << leaving;
    EXPECT_EQ(row(leaving, "separating velocity after"), Row("1", "1")) << leaving;
    const std::string still = respond({"--pair", "2,3"});
    EXPECT_EQ(row(still, "separating velocity after"), Row("0", "0")) << still;
}

// A pile without motion: bodies are moved apart, momentum stays 0. A scene of two frames has velocities.
TEST_F(Respond, FrameIsResolvedAsAWhole) {
    const std::string pile = std::string(LANEFOLD_TEST_DATA) + "/scenes/debris_pile";
    const Outcome still = program({"respond", pile});
    ASSERT_EQ(still.exit_code, 0) << still.err;
    EXPECT_EQ(test::count_of(still.out, "contacts"), 5782U) << still.out;
    EXPECT_NE(still.out.find("largest overlap"), std::string::npos) << still.out;
    EXPECT_NE(still.out.find("resolutions of positions"), std::string::npos) << still.out;

    const std::string tower = (folder_ / "tower").string();
    const std::string fall = (folder_ / "fall").string();
    ASSERT_EQ(program({"generate", "tower", tower, "--bodies", "3"}).exit_code, 0);
    ASSERT_EQ(program({"simulate", tower, "-o", fall, "--steps", "4"}).exit_code, 0);
    const Outcome moving = program({"respond", fall, "--frame", "2", "--margin", "0.05"});
    ASSERT_EQ(moving.exit_code, 0) << moving.err;
    EXPECT_EQ(test::count_of(moving.out, "contacts"), 3U) << moving.out;
    EXPECT_EQ(moving.out.find("kinetic energy         0 "), std::string::npos) << moving.out;
}

TEST_F(Respond, RequestsThatMakeNoSenseAreTold) {
    struct Wrong {
        std::vector<std::string> arguments;
        const char* message;
    };
    const Wrong cases[] = {
        {{"--pair", "2"}, "--pair 2: expected two bodies"},
        {{"--pair", "2,2"}, "a body does not meet itself"},
        {{"--pair", "2,99"}, "no body 99"},
        {{"--restitution", "1.5"}, "--restitution 1.5: expected 0 to 1"},
        {{"--rate", "0"}, "--rate 0: expected a number above 0"},
        {{"--margin", "-1"}, "--margin -1: expected a number >= 0"},
        {{"--pair", "2,3", "--mass-a", "-1"}, "--mass-a -1: expected a number >= 0"},
        {{"--pair", "2,3", "--velocity-a", "0", "nan", "0"}, "must be finite"},
        {{"--mass-a", "1"}, "only with --pair"},
        {{"--pair", "2,3", "--frame", "4"}, "no frame 4"},
    };
    for (const Wrong& wrong : cases) {
        std::vector<std::string> arguments{"respond", scene_};
        arguments.insert(arguments.end(), wrong.arguments.begin(), wrong.arguments.end());
        const Outcome outcome = program(arguments);
        EXPECT_EQ(outcome.exit_code, 2) << wrong.message;
        EXPECT_NE(outcome.err.find(wrong.message), std::string::npos) << wrong.message << ": " << outcome.err;
    }
}

}  // namespace
}  // namespace lanefold::tools
