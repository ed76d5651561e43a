// SPDX-License-Identifier: MIT
//
// Wrong uses of the program: each gives one line that says what is wrong and what would be right, exit code 2, and no
// file.

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "support/program.hpp"
#include "support/tools/scenes.hpp"

namespace lanefold::tools {
namespace {

using test::Outcome;
using test::TemporaryFolder;

struct WrongUse {
    std::vector<std::string> arguments;
    std::vector<std::string> said;  // all of these
};

TEST(Usage, WrongUsesAreToldInOneLine) {
    const TemporaryFolder folder;
    const std::string scene = test::stored_scene("boxes_pile").string();
    const std::string out = (folder / "out").string();
    const WrongUse cases[] = {
        {{}, {"lanefold: a command is missing", "generate, import, simulate, collide, verify", "lanefold --help"}},
        {{"colide", scene}, {"lanefold: there is no command 'colide'", "collide, verify", "lanefold --help"}},
        {{"--fast"}, {"lanefold: there is no option '--fast'", "lanefold --help"}},
        {{"collide"}, {"lanefold collide: scene is required", "lanefold collide --help"}},
        {{"collide", scene, "-o", out, "--margin", "wide"}, {"--margin = wide", "lanefold collide --help"}},
        {{"collide", scene, "-o", out, "--marign", "1"}, {"--marign", "lanefold collide --help"}},
        {{"collide", scene, "-o", out, "--margin", "-1"}, {"lanefold: --margin -1: expected a number >= 0"}},
        {{"collide", scene, "-o", out, "--capacity", "5"}, {"--capacity 5: expected 4 or 16"}},
        {{"collide", scene, "-o", out, "--isa", "avx9"}, {"--isa avx9: unknown", "scalar"}},
        {{"collide", scene, "-o", out, "--frames", "3:9"}, {"--frames 3:9", "the scene has 1 frame"}},
        {{"collide", scene, "-o", out, "--frames", "1"}, {"--frames 1: the scene has 1 frame"}},
        {{"collide", scene, "-o", out, "--frames", "0,"}, {"--frames 0,: a frame or a range is missing"}},
        {{"collide", scene, "-o", out, "--shard", "3/2"}, {"--shard 3/2"}},
        {{"collide", scene, "-o", out, "--shard", "a/2"}, {"--shard a/2: 'a' is not a whole number"}},
        {{"simulate", scene, "-o", out, "--substeps", "0"}, {"lanefold: --substeps must be 1 to 1000"}},
        {{"simulate", scene, "-o", out, "--unit", "nan"}, {"lanefold: --unit must be above 0, and finite"}},
        {{"simulate", scene, "-o", out, "--gravity", "0", "1e13", "0"}, {"--gravity must be three numbers up to 1e12"}},
        {{"simulate", scene, "-o", out, "--friction", "-1"}, {"lanefold: --friction must be 0 to 1e6"}},
        {{"simulate", scene, "-o", out, "--restitution", "2"}, {"lanefold: --restitution must be 0 to 1"}},
        {{"simulate", scene, "-o", out, "--linear-damping", "-1"}, {"--linear-damping must be 0 or more, and finite"}},
        {{"simulate", scene, "-o", out, "--hysteresis", "nan"}, {"--hysteresis must be 0 or more, and finite"}},
        {{"collide", scene, "-o", out, "--resume", "--repeat", "2"}, {"--resume and --repeat exclude each other"}},
        {{"collide", (folder / "none").string(), "-o", out}, {"none/scene.json", "No such file"}},
        {{"collide", scene, "-o", scene}, {"no contacts.json; choose another folder"}},
        {{"verify", scene, scene}, {"contacts.json", "a scene where a contacts folder belongs"}},
        {{"verify", scene, scene, "--sample", "-3"}, {"--sample: expected 1 or more, not -3"}},
        {{"verify", scene, scene, "--threads", "x"}, {"--threads: x is not a whole number"}},
        {{"info", folder.path().string()}, {"neither a scene (scene.json) nor a folder of contacts"}},
        {{"generate", "tower", out, "--frames", "3"}, {"--frames: not with tower", "--bodies, --seed"}},
        {{"generate", "presets", out, "--bodies", "3"}, {"--bodies: not with presets"}},
        {{"collide", scene, "-o", out, "--capture-to", "x.lfp"}, {"--capture-to requires --capture"}},
        {{"collide", scene, "-o", out, "--capture-limit", "9"}, {"--capture-limit requires --capture"}},
        {{"collide", scene, "--method", "published", "--face-preference", "0.1"}, {"--face-preference must be 0"}},
        {{"info", out}, {"there is no such folder"}},
        {{"generate", "debris"}, {"lanefold generate: ", "is required", "lanefold generate --help"}},
    };
    for (const WrongUse& wrong : cases) {
        const auto before = test::files_below(folder.path());
        const Outcome outcome = test::run_program(LANEFOLD_PROGRAM, wrong.arguments);
        const std::string line = wrong.arguments.empty() ? "nothing" : wrong.arguments.front() + ": " + wrong.said[0];
        EXPECT_EQ(outcome.exit_code, 2) << line;
        EXPECT_EQ(outcome.out, "") << line;
        EXPECT_EQ(outcome.err.find("lanefold"), 0U) << outcome.err;
        EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
        for (const std::string& said : wrong.said) {
            EXPECT_NE(outcome.err.find(said), std::string::npos) << line << ": " << outcome.err;
        }
        EXPECT_EQ(test::files_below(folder.path()), before) << line;
    }
}

TEST(Usage, FolderThatIsNotThereIsNamedAsTheUserWroteIt) {
    const TemporaryFolder folder;
    const std::string file = (folder / "none/picture.svg").string();
    const Outcome outcome =
        test::run_program(LANEFOLD_PROGRAM, {"picture", test::stored_scene("boxes_pile").string(), "-o", file});
    EXPECT_EQ(outcome.exit_code, 3);
    EXPECT_EQ(outcome.err.find("lanefold: " + file + ": cannot create a file in this folder"), 0U) << outcome.err;
}

TEST(Usage, ResultThatStandardOutputDoesNotTakeIsAFailure) {
    const std::string command = std::string("exec '") + LANEFOLD_PROGRAM + "' collide '" +
                                test::stored_scene("boxes_pile").string() + "' --json >/dev/full";
    const Outcome outcome = test::run_program("/bin/sh", {"-c", command});
    EXPECT_EQ(outcome.exit_code, 3);
    EXPECT_EQ(outcome.err.find("lanefold: standard output: cannot write: "), 0U) << outcome.err;
}

TEST(Usage, InstructionSetOfTheEnvironmentIsChecked) {
    test::RunOptions options;
    options.environment["LANEFOLD_ISA"] = "foo";
    const Outcome outcome =
        test::run_program(LANEFOLD_PROGRAM, {"collide", test::stored_scene("boxes_pile").string()}, options);
    EXPECT_EQ(outcome.exit_code, 2);
    EXPECT_EQ(outcome.err.find("lanefold: LANEFOLD_ISA is 'foo'"), 0U) << outcome.err;
    EXPECT_NE(outcome.err.find("scalar"), std::string::npos) << outcome.err;
}

TEST(Usage, HelpAndVersionAreNoErrors) {
    for (const char* command :
         {"", "generate", "import", "info", "collide", "verify", "picture", "show", "figures", "view"}) {
        std::vector<std::string> arguments{"--help"};
        if (*command != '\0') arguments.insert(arguments.begin(), command);
        const Outcome outcome = test::run_program(LANEFOLD_PROGRAM, arguments);
        EXPECT_EQ(outcome.exit_code, 0) << command;
        EXPECT_GT(outcome.out.size(), 200U) << command;
        EXPECT_EQ(outcome.err, "") << command;
    }
    EXPECT_EQ(test::run_program(LANEFOLD_PROGRAM, {"--version"}).out.find("lanefold 0."), 0U);
}

}  // namespace
}  // namespace lanefold::tools
