// SPDX-License-Identifier: MIT
//
// Hostile options and outputs: invalid numbers, numbers that wrap or overflow, empty names, outputs that are devices,
// links or other files, and closed standard streams.

#include <gtest/gtest.h>

#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "console/failure.hpp"
#include "contacts/frame_range.hpp"
#include "support/tools/program.hpp"
#include "support/tools/scenes.hpp"

namespace lanefold::tools {
namespace {

namespace fs = std::filesystem;
using test::Outcome;
using test::program;
using test::read_bytes;
using test::TemporaryFolder;
using test::write_bytes;

std::string pile() { return test::stored_scene("boxes_pile").string(); }

void expect_refused(const std::vector<std::string>& arguments, const std::string& names) {
    const Outcome outcome = program(arguments);
    EXPECT_EQ(outcome.exit_code, 2) << testing::PrintToString(arguments) << " signal " << outcome.signal << outcome.err;
    EXPECT_NE(outcome.err.find(names), std::string::npos) << outcome.err;
}

TEST(HostileOptions, NumbersThatAreNoneWrapOrOverflow) {
    const TemporaryFolder folder;
    write_bytes(folder / "one.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n");
    const std::string obj = (folder / "one.obj").string();
    const std::string out = (folder / "out").string();
    const std::string picture = (folder / "picture.svg").string();
    const std::vector<std::string> collide{"collide", pile()};
    const std::vector<std::string> show{"show", pile(), "--pair", "0,1"};
    const std::vector<std::string> draw{"picture", pile(), "-o", picture};
    const std::vector<std::string> import{"import", obj, "-o", out};
    const std::vector<std::string> generate{"generate", "boxes", out};
    struct Case {
        const std::vector<std::string>* command;
        const char* option;
        std::vector<const char*> values;
    };
    const Case cases[] = {
        {&collide, "--margin", {"nan", "inf", "-inf", "-1", "1e999", "0x", "one"}},
        {&collide, "--face-preference", {"nan", "inf", "-1", "1e999"}},
        {&collide, "--threads", {"-1", "70000", "4294967295", "4294967296", "1e3", "nan"}},
        {&collide, "--capacity", {"-4", "0", "5", "4294967300"}},
        {&collide, "--repeat", {"-1", "4294967296"}},
        {&collide, "--shard", {"1/1", "0/0", "-1/2", "18446744073709551616/2", "1/18446744073709551616", "0/", "/2"}},
        {&collide,
         "--frames",
         {"-1", "18446744073709551615", "18446744073709551616", "5:1", "nan", "0:18446744073709551614"}},
        {&show, "--pair", {"4294967297,0", "0,4294967297", "-1,0", "0,1,2", "0", ",", "+0,1", "0, 1", "1e0,2"}},
        {&show, "--margin", {"nan", "inf", "-1"}},
        {&show, "--face-preference", {"nan", "inf", "-1"}},
        {&show, "--frame", {"1", "-2", "9223372036854775807", "-9223372036854775808", "nan"}},
        {&draw, "--azimuth", {"nan", "inf", "-inf", "1e999"}},
        {&draw, "--elevation", {"nan", "inf", "1e999"}},
        {&draw, "--width", {"nan", "-5", "0", "1000000000"}},
        {&draw, "--up", {"w", "xy"}},
        {&import, "--scale", {"nan", "inf", "0", "-1", "1e39", "1e999"}},
        {&import, "--density", {"nan", "inf", "0", "-1", "1e300"}},
        {&import, "--margin", {"nan", "inf", "-1"}},
        {&import, "--threads", {"70000", "-1"}},
        {&generate, "--margin", {"nan", "inf", "-1"}},
        {&generate, "--seconds", {"nan", "inf", "-1", "1e30"}},
        {&generate, "--bodies", {"-1", "0", "4294967296"}},
        {&generate, "--threads", {"70000", "-1"}},
    };
    for (const Case& c : cases) {
        for (const char* value : c.values) {
            std::vector<std::string> arguments = *c.command;
            if (std::string(c.option) == "--pair") arguments.resize(2);
            arguments.push_back(std::string(c.option) + "=" + value);
            expect_refused(arguments, std::string(c.option) == "--frame" ? "frame" : c.option);
        }
    }
    EXPECT_FALSE(fs::exists(out));
    EXPECT_FALSE(fs::exists(picture));
    expect_refused({"verify", pile(), pile(), "--threads", "70000"}, "--threads");
}

// A parser takes some of these for other whole numbers.
TEST(HostileOptions, WholeNumbersHaveNoSignAndDoNotWrap) {
    const TemporaryFolder folder;
    const std::string out = (folder / "out").string();
    const std::pair<std::vector<std::string>, std::vector<const char*>> cases[] = {
        {{"generate", "boxes", out}, {"--bodies", "--frames", "--hulls", "--seed", "--threads"}},
        {{"simulate", pile(), "-o", out}, {"--steps", "--every", "--substeps", "--threads"}},
        {{"collide", pile(), "-o", out}, {"--threads", "--capacity", "--repeat", "--capture-limit"}},
        {{"verify", pile(), pile()}, {"--seed", "--threads"}},
        {{"show", pile(), "--pair", "0,1"}, {"--axes"}},
        {{"export", pile(), "-o", out + ".csv"}, {"--threads"}},
        {{"import", out + ".obj", "-o", out}, {"--threads"}},
        {{"replay", out + ".lfp"}, {"--pair"}},
    };
    for (const auto& [command, options] : cases) {
        for (const char* option : options) {
            for (const char* value : {"-1", "-18446744073709551615", "18446744073709551616", "1e3", "0x10", "1.5"}) {
                std::vector<std::string> arguments = command;
                arguments.push_back(fmt::format("{}={}", option, value));
                expect_refused(arguments, fmt::format("{}: {} is not a whole number", option, value));
            }
        }
    }
    EXPECT_FALSE(fs::exists(out));
}

TEST(HostileOptions, ShardsDoNotWrap) {
    const std::vector<std::uint64_t> frames{0, 1, 2, 3, 4};
    const std::vector<double> costs(5, 1.0);
    constexpr std::uint64_t kMost = ~std::uint64_t{0};
    EXPECT_EQ(cut_shard(frames, costs, 0, kMost), std::vector<std::uint64_t>{0});
    EXPECT_EQ(cut_shard(frames, costs, 3, kMost), std::vector<std::uint64_t>{3});
    EXPECT_TRUE(cut_shard(frames, costs, kMost - 1, kMost).empty());
    FrameRange range;
    range.parse_shard("18446744073709551614/18446744073709551615");
    EXPECT_EQ(range.shard(), kMost - 1);
    EXPECT_EQ(range.shards(), kMost);
    range.parse_frames("2:5,0,3:4");
    EXPECT_EQ(range.select(6), (std::vector<std::uint64_t>{0, 2, 3, 4}));
    EXPECT_EQ(frame_list(range.select(6)), "0,2:5");
    EXPECT_THROW(FrameRange().select(0), Failure) << "a scene without frames";
    EXPECT_EQ(program({"collide", pile(), "--shard", "0/18446744073709551615"}).exit_code, 0);
}

TEST(HostileOptions, EmptyNamesAreRefused) {
    const TemporaryFolder folder;
    for (const std::vector<std::string>& arguments :
         std::vector<std::vector<std::string>>{{"collide", pile(), "-o", ""},
                                               {"collide", pile(), "--output="},
                                               {"collide", ""},
                                               {"info", ""},
                                               {"picture", pile(), "-o", ""},
                                               {"generate", "boxes", ""},
                                               {"verify", pile(), ""},
                                               {""},
                                               {"show", pile(), "--pair", "0,1", "-o", ""},
                                               {"collide", pile(), "--frames", ""}}) {
        expect_refused(arguments, "empty");
    }
}

TEST(HostileOutputs, WhatIsNoFileIsNotReplaced) {
    const TemporaryFolder folder;
    const auto picture = [](const fs::path& to) { return program({"picture", pile(), "-o", to.string()}); };
    // An output that is a link: its target is written, and the link stays.
    write_bytes(folder / "real.svg", "old");
    fs::create_symlink("real.svg", folder / "link.svg");
    EXPECT_EQ(picture(folder / "link.svg").exit_code, 0);
    EXPECT_TRUE(fs::is_symlink(folder / "link.svg"));
    EXPECT_NE(read_bytes(folder / "real.svg"), "old");
    // A link to a file that is not there yet.
    fs::create_symlink("new.svg", folder / "dangling.svg");
    EXPECT_EQ(picture(folder / "dangling.svg").exit_code, 0);
    EXPECT_TRUE(fs::is_regular_file(folder / "new.svg"));
    EXPECT_TRUE(fs::is_symlink(folder / "dangling.svg"));
    // Outputs that cannot be a picture.
    ASSERT_EQ(::mkfifo((folder / "pipe.svg").c_str(), 0600), 0);
    fs::create_symlink("/dev/null", folder / "null.svg");
    fs::create_directory(folder / "folder.svg");
    fs::create_symlink("loop.svg", folder / "loop.svg");
    for (const char* name : {"pipe.svg", "null.svg", "folder.svg", "loop.svg"}) {
        const Outcome outcome = picture(folder / name);
        EXPECT_EQ(outcome.exit_code, 2) << name;
        EXPECT_NE(outcome.err.find(name), std::string::npos) << outcome.err;
        const Outcome show = program({"show", pile(), "--pair", "0,1", "-o", (folder / name).string()});
        EXPECT_EQ(show.exit_code, 2) << name;
    }
    EXPECT_TRUE(fs::is_symlink(folder / "null.svg"));
    EXPECT_TRUE(fs::is_fifo(folder / "pipe.svg"));
    EXPECT_TRUE(fs::is_directory(folder / "folder.svg"));
    EXPECT_TRUE(fs::is_character_file("/dev/null"));
}

TEST(HostileOutputs, ContactsFoldersThatAreSomethingElse) {
    const TemporaryFolder folder;
    write_bytes(folder / "file", "mine");
    expect_refused({"collide", pile(), "-o", (folder / "file").string()}, "no folder");
    EXPECT_EQ(read_bytes(folder / "file"), "mine");
    fs::create_directory(folder / "others");
    write_bytes(folder / "others" / "thesis.txt", "mine");
    expect_refused({"collide", pile(), "-o", (folder / "others").string()}, "thesis.txt");
    EXPECT_EQ(fs::directory_iterator(folder / "others")->path().filename(), "thesis.txt");
    fs::create_symlink("round", folder / "round");
    expect_refused({"collide", pile(), "-o", (folder / "round").string()}, "round");
}

// Closes standard streams like a shell's `2>&-`. The text of a progress bar must not go into a file.
TEST(HostileStreams, ClosedStandardStreamsAreNotOurFiles) {
    const TemporaryFolder folder;
    const std::string plain = (folder / "plain").string();
    ASSERT_EQ(program({"generate", "boxes", plain, "--bodies", "4", "--frames", "2", "--seconds", "0.2"}).exit_code, 0);
    const auto expected = test::files_below(plain);
    for (const char* closed : {"2>&-", ">&- 2>&-", "<&- >&- 2>&-", "<&-", ">&-"}) {
        const std::string out = (folder / "out").string();
        const std::string command = std::string(LANEFOLD_PROGRAM) + " generate boxes '" + out +
                                    "' --bodies 4 --frames 2 --seconds 0.2 --progress json " + closed;
        const Outcome outcome = test::run_program("/bin/sh", {"-c", command});
        EXPECT_TRUE(outcome.exit_code == 0 || outcome.exit_code == 3) << closed << ": " << outcome.exit_code;
        EXPECT_EQ(test::files_below(out), expected) << closed;
        fs::remove_all(out);
    }
}

}  // namespace
}  // namespace lanefold::tools
