// SPDX-License-Identifier: MIT
//
// `lanefold simulate`: it writes a valid scene, with the same bytes for every thread count and instruction set and
// after an interruption, and refuses wrong input with a clear message.
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cmath>
#include <csignal>
#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <lanefold/isa.hpp>

#include "console/failure.hpp"
#include "scene/io.hpp"
#include "simulate/job.hpp"
#include "support/program.hpp"

namespace lanefold::tools {
namespace {

using test::Outcome;
using test::run_program;
using test::TemporaryFolder;

const std::string kScene = LANEFOLD_TEST_DATA "/scenes/boxes_pile";
const std::string kChain = LANEFOLD_TEST_DATA "/scenes/bar_chain";

Outcome simulate(std::vector<std::string> arguments, const test::RunOptions& options = {}) {
    arguments.insert(arguments.begin(), {"simulate", kScene});
    arguments.insert(arguments.end(), {"--progress", "none"});
    return run_program(LANEFOLD_PROGRAM, arguments, options);
}

// The last five bodies of the stored pile are its floor and walls.
std::string setup_text(const Scene& scene) {
    std::string text = R"({"gravity": [0, -9.81, 0], "bodies": [)";
    for (std::uint64_t i = scene.bodies() - 5; i < scene.bodies(); ++i)
        text += (i + 5 == scene.bodies() ? "" : ", ") + (R"({"kind": "fixed", "body": )" + std::to_string(i)) + "}";
    return text + R"(, {"body": 0, "velocity": [0, 3, 0], "friction": 0.2}],
        "links": [{"kind": "rod", "a": 1, "b": 2, "length": 2.5},
                  {"kind": "cable", "a": 3, "end_b": [0, 20, 0], "length": 30}]})";
}

TEST(Simulate, GivesASceneThatIsReadAndTheSameBytesEverywhere) {
    const TemporaryFolder folder;
    const Scene scene(kScene);
    test::write_bytes(folder / "setup.json", setup_text(scene));
    const std::vector<std::string> common{"--setup", (folder / "setup.json").string(), "--steps", "12", "--every", "4"};
    std::string first;
    std::vector<std::vector<std::string>> ways{{"--threads", "1"}, {"--threads", "3"}};
    for (const Isa isa : available_isas()) ways.push_back({"--isa", to_string(isa)});
    for (std::size_t i = 0; i < ways.size(); ++i) {
        std::vector<std::string> arguments = common;
        const std::string out = (folder / ("out" + std::to_string(i))).string();
        arguments.insert(arguments.end(), ways[i].begin(), ways[i].end());
        arguments.insert(arguments.end(), {"-o", out});
        const Outcome outcome = simulate(arguments);
        ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
        EXPECT_NE(outcome.out.find("state hash"), std::string::npos);
        std::string all;
        for (const auto& [name, bytes] : test::files_below(out)) all += name + bytes;
        if (first.empty()) first = all;
        EXPECT_EQ(all, first) << ways[i][0] << ' ' << ways[i][1];
    }
    const Scene made(folder / "out0");
    EXPECT_EQ(made.frames(), 4U);
    EXPECT_EQ(made.bodies(), scene.bodies());
    EXPECT_TRUE(made.has_pairs());
    EXPECT_EQ(made.inverse_mass().back(), 0.0F);
    EXPECT_GT(made.inverse_mass().front(), 0.0F);
    const Outcome collided = run_program(LANEFOLD_PROGRAM, {"collide", (folder / "out0").string(), "-o",
                                                            (folder / "contacts").string(), "--progress", "none"});
    EXPECT_EQ(collided.exit_code, 0) << collided.err;
}

// Bodies that gravity makes too fast to be stored do not end the run: the table, the JSON and a warning name them.
TEST(Simulate, LostBodiesAreToldAndTheRunGoesOn) {
    const TemporaryFolder folder;
    const std::vector<std::string> common{"simulate",   kChain,       "--gravity", "0",
                                          "1e12",       "0",          "--rate",    "0.1",
                                          "--steps",    "4",          "-o",        (folder / "out").string(),
                                          "--no-pairs", "--progress", "none"};
    const Outcome outcome = run_program(LANEFOLD_PROGRAM, common, {});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_NE(outcome.err.find("11 bodies were lost"), std::string::npos) << outcome.err;
    EXPECT_NE(outcome.err.find("body 0 in step 2"), std::string::npos) << outcome.err;
    EXPECT_NE(outcome.out.find("lost bodies"), std::string::npos) << outcome.out;
    std::vector<std::string> again = common;
    again.insert(again.end(), {"--replace", "--json"});
    const Outcome json = run_program(LANEFOLD_PROGRAM, again, {});
    EXPECT_NE(json.out.find(R"("lost":[{"body":0,"step":2},)"), std::string::npos) << json.out;
    EXPECT_EQ(simulate({"--steps", "2", "-o", (folder / "good").string()}).err, "");
}

// Ten bars and a weight of a thousand times each, let go level: the rods hold, and the table says how well. A substep
// of a second is too long for them, and a warning says so.
TEST(Simulate, TellsByHowMuchLinksAreOff) {
    const TemporaryFolder folder;
    const auto run = [&](const std::string& out, std::vector<std::string> more) {
        more.insert(more.begin(), {"simulate", kChain, "--setup", kChain + "/setup.json", "--no-sleep", "--no-pairs",
                                   "--progress", "none", "-o", (folder / out).string()});
        return run_program(LANEFOLD_PROGRAM, more, {});
    };
    const Outcome held = run("held", {"--steps", "480"});
    EXPECT_EQ(held.exit_code, 0) << held.err;
    EXPECT_EQ(held.err, "");
    EXPECT_NE(held.out.find("worst link"), std::string::npos) << held.out;
    const Scene moved(folder / "held");
    SceneFrame frame;
    for (std::uint64_t f = 0; f < moved.frames(); ++f) {
        moved.read_frame(f, frame);
        const float* p = frame.position.data() + std::size_t{3} * 10;
        ASSERT_LT(std::hypot(p[0], p[1], p[2]), 2.1F * 1.001F) << f;
    }
    const Outcome given =
        run("given", {"--steps", "2", "--gravity", "0", "-1e7", "0", "--rate", "1", "--substeps", "1"});
    EXPECT_EQ(given.exit_code, 0) << given.err;
    EXPECT_NE(given.err.find("links did not keep their lengths"), std::string::npos) << given.err;
}

TEST(Simulate, InterruptedRunGoesOnToTheSameBytes) {
    const TemporaryFolder folder;
    const std::vector<std::string> common{"--steps", "60", "--every", "5", "--checkpoint", "0.05"};
    const auto run = [&](const std::string& name, std::vector<std::string> more, const test::RunOptions& options = {}) {
        more.insert(more.begin(), common.begin(), common.end());
        more.insert(more.end(), {"-o", (folder / name).string()});
        return simulate(more, options);
    };
    ASSERT_EQ(run("whole", {}).exit_code, 0);
    // The run is killed when it has a checkpoint; then it is asked to stop; then it runs to its end.
    for (const int signal : {SIGKILL, SIGINT}) {
        test::RunOptions options;
        options.meanwhile = [&](pid_t process) {
            for (int k = 0; k < 2000 && !std::filesystem::exists(folder / "cut.simulating/checkpoint"); ++k)
                ::usleep(5000);
            ::kill(process, signal);
        };
        const Outcome cut =
            run("cut", signal == SIGKILL ? std::vector<std::string>{} : std::vector<std::string>{"--resume"}, options);
        if (cut.exit_code == 0) break;  // it was faster than the signal
        EXPECT_TRUE(std::filesystem::exists(folder / "cut.simulating/checkpoint"));
        EXPECT_FALSE(std::filesystem::exists(folder / "cut/scene.json"));
    }
    if (std::filesystem::exists(folder / "cut.simulating")) {
        EXPECT_EQ(run("cut", {}).exit_code, 2) << "an unfinished run is not overwritten";
        EXPECT_EQ(run("cut", {"--resume", "--rate", "50"}).exit_code, 2) << "nor mixed with another";
        const Outcome resumed = run("cut", {"--resume"});
        ASSERT_EQ(resumed.exit_code, 0) << resumed.err;
        EXPECT_NE(resumed.out.find("resumed after step"), std::string::npos);
    }
    EXPECT_EQ(test::files_below(folder / "cut"), test::files_below(folder / "whole"));
    EXPECT_FALSE(std::filesystem::exists(folder / "cut.simulating"));
}

// A run that was stopped; its work folder, with a few frames.
std::filesystem::path stopped_run(const TemporaryFolder& folder) {
    std::filesystem::path work = folder / "out.simulating";
    test::RunOptions options;
    options.meanwhile = [&](pid_t process) {
        for (int k = 0; k < 2000 && !std::filesystem::exists(work / "checkpoint"); ++k) ::usleep(5000);
        ::kill(process, SIGINT);
    };
    const Outcome cut =
        simulate({"--steps", "1000000", "--checkpoint", "0.05", "-o", (folder / "out").string()}, options);
    EXPECT_EQ(cut.exit_code, 3) << cut.err;
    return work;
}

TEST(Simulate, DamageOfAnUnfinishedRunIsSeen) {
    const TemporaryFolder folder;
    const std::filesystem::path work = stopped_run(folder);
    const std::uint64_t bodies = Scene(kScene).bodies();
    ASSERT_GT(std::filesystem::file_size(work / "frames"), 40 * bodies);
    const std::uintmax_t state = std::filesystem::file_size(work / "checkpoint") / 2;
    // A pose of a frame; the step, the number of frames, the state of the world.
    const std::pair<const char*, std::uintmax_t> places[] = {
        {"frames", 200}, {"frames", 40 * bodies + 3}, {"checkpoint", 8}, {"checkpoint", 16}, {"checkpoint", state}};
    for (const auto& [file, at] : places) {
        const std::string whole = test::read_bytes(work / file);
        std::string damaged = whole;
        damaged[at] = static_cast<char>(damaged[at] ^ 4);
        test::write_bytes(work / file, damaged);
        const Outcome outcome = simulate({"--steps", "1000000", "--resume", "-o", (folder / "out").string()});
        EXPECT_EQ(outcome.exit_code, 2) << file << ' ' << at;
        EXPECT_NE(outcome.err.find(std::string(file) + ": "), std::string::npos) << outcome.err;
        EXPECT_NE(outcome.err.find("damaged"), std::string::npos) << outcome.err;
        EXPECT_NE(outcome.err.find("--replace starts again"), std::string::npos) << outcome.err;
        test::write_bytes(work / file, whole);
    }
}

TEST(Simulate, OneProcessWorksInTheFolderOfAnUnfinishedRun) {
    const TemporaryFolder folder;
    const std::filesystem::path work = stopped_run(folder);
    const auto before = test::files_below(work);
    const int lock = ::open(work.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    ASSERT_EQ(::flock(lock, LOCK_EX | LOCK_NB), 0);
    for (const std::string way : {"--resume", "--replace", "--pairs-margin=0.02"}) {
        const Outcome outcome = simulate({"--steps", "1000000", way, "-o", (folder / "out").string()});
        EXPECT_EQ(outcome.exit_code, 2) << way;
        EXPECT_NE(outcome.err.find("another process is running this simulation"), std::string::npos) << outcome.err;
        EXPECT_EQ(test::files_below(work), before) << way;
    }
    ::close(lock);
    const Outcome again = simulate({"--steps", "4", "--replace", "-o", (folder / "out").string()});
    EXPECT_EQ(again.exit_code, 0) << again.err;
    EXPECT_FALSE(std::filesystem::exists(work));
}

TEST(Simulate, BadInputIsNamedAndNothingIsWritten) {
    const TemporaryFolder folder;
    const std::string out = (folder / "out").string();
    const std::pair<std::string, std::string> setups[] = {
        {"{", "setup.json"},
        {R"({"gravty": [0, 0, 0]})", "no key 'gravty'"},
        {R"({"gravity": [0, 0]})", "three numbers"},
        {R"({"bodies": [{"body": 0}, {"body": 1000000}]})", "bodies[1]: there is no body"},
        {R"({"bodies": [{"body": 0, "mass": -3}]})", "mass"},
        {R"({"bodies": [{"body": 1}, {"body": 0}, {"body": 1}]})", "bodies[2]: body 1 is listed before"},
        {R"({"bodies": [{"body": 0, "kind": "soft"}]})", "kind 'soft'"},
        {R"({"links": [{"kind": "rod", "a": 0, "b": 99999, "length": 1}]})", "no body b: link 0"},
        {R"({"links": [{"kind": "rod", "a": 0, "b": 1, "length": 0}]})", "length"},
        {R"({"links": [{"kind": "rope", "a": 0, "b": 1, "length": 1}]})", "kind 'rope'"},
        {R"({"bodies": [{"body": -1}]})", "body is not a whole number"},
        {R"({"bodies": [{"body": 1.9}]})", "body is not a whole number"},
        {R"({"bodies": [{"body": 1, "category": 4294967296}]})", "category is not a whole number from 0 to 4294967295"},
        {R"({"bodies": [{"body": 1, "collides_with": 0.9}]})", "collides_with is not a whole number"},
        {R"({"bodies": [{"body": 1, "mass": 0}]})", "mass is 0"},
        {R"({"links": [{"kind": "rod", "a": 0, "b": -1, "length": 1}]})", "b is not a whole number"},
        {R"({"links": [{"kind": "rod", "a": 0, "b": 4294967295, "length": 1}]})", "b is not a whole number"},
        {R"({"gravity": [0, 1e30, 0]})", "gravity is beyond"},
    };
    for (const auto& [text, reason] : setups) {
        test::write_bytes(folder / "setup.json", text);
        const Outcome outcome = simulate({"-o", out, "--setup", (folder / "setup.json").string(), "--steps", "2"});
        EXPECT_EQ(outcome.exit_code, 2) << text;
        EXPECT_NE(outcome.err.find(reason), std::string::npos) << outcome.err;
        EXPECT_FALSE(std::filesystem::exists(out)) << text;
        EXPECT_FALSE(std::filesystem::exists(out + ".simulating")) << text;
    }
    const std::vector<std::string> options[] = {
        {"--steps", "0"},         {"--rate", "0"},        {"--every", "0"},    {"--substeps", "0"},  {"--frame", "999"},
        {"--friction", "-1"},     {"--restitution", "2"}, {"--density", "-5"}, {"--density", "nan"}, {"--unit", "0"},
        {"--pairs-margin", "-1"}, {"--method", "magic"},  {"--reuse", "0.2"},  {"--reuse", "-1"},    {"--reuse", "nan"},
        {"--isa", "mmx"},         {"--rate", "1e300"},    {"--rate", "0.01"}};
    for (std::vector<std::string> arguments : options) {
        arguments.insert(arguments.end(), {"-o", out});
        const Outcome outcome = simulate(arguments);
        EXPECT_EQ(outcome.exit_code, 2) << arguments[0] << ' ' << outcome.err;
        EXPECT_FALSE(std::filesystem::exists(out)) << arguments[0];
    }
}

}  // namespace
}  // namespace lanefold::tools
