// SPDX-License-Identifier: MIT
//
// Version 2 of scenes: names, numbers and times of frames, axes, and bodies that appear and vanish. Whatever reads a
// scene obeys them or says why it does not; wrong files are refused by name and place.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <limits>

#include <nlohmann/json.hpp>

#include "contacts/io.hpp"
#include "files/npy.hpp"
#include "scene/find_pairs.hpp"
#include "scene/io.hpp"
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

constexpr std::uint64_t kFrames = 4;

// Body b is not there in frame f.
bool is_absent(std::uint64_t f, std::uint64_t b) { return (b + 3 * f) % 7 == 0; }

// The pile of debris with a mask, what it says of itself, and names. Poses of absent bodies are garbage.
void write_scene(const fs::path& folder, bool with_pairs = true, bool masked = true) {
    const Scene pile(test::stored_scene("debris_pile"));
    SceneFrame frame;
    pile.read_frame(0, frame);
    SceneWriter::Contents contents = test::contents_of(pile);
    contents.info.first_frame = 1001;
    contents.info.frames_per_second = 23.976;
    contents.info.up = 2;
    contents.info.handedness = Handedness::left;
    std::vector<std::string> names;
    for (std::uint64_t b = 0; b < pile.bodies(); ++b) names.push_back("debris/piece_" + std::to_string(b));
    names[3] = "Stück \"3\"\n";
    contents.names = names;
    contents.with_pairs = with_pairs;
    contents.with_mask = masked;
    SceneWriter writer(folder, contents);
    for (std::uint64_t f = 0; f < kFrames; ++f) {
        std::vector<float> position = frame.position;
        std::vector<float> orientation = frame.orientation;
        std::vector<std::uint8_t> active;
        for (std::uint64_t b = 0; b < pile.bodies(); ++b) {
            active.push_back(is_absent(f, b) ? 0 : 1);
            if (!masked || !is_absent(f, b)) continue;
            std::fill_n(position.begin() + static_cast<std::ptrdiff_t>(3 * b), 3,
                        std::numeric_limits<float>::infinity());
            std::fill_n(orientation.begin() + static_cast<std::ptrdiff_t>(4 * b), 4, 7.0F);
        }
        writer.add_frame(std::span<const float>(position), orientation, frame.pairs,
                         masked ? std::span<const std::uint8_t>(active) : std::span<const std::uint8_t>());
    }
    writer.commit();
}

TEST(SceneVersion2, EverythingComesBack) {
    const TemporaryFolder folder;
    write_scene(folder / "scene");
    const Scene scene(folder / "scene");
    EXPECT_EQ(scene.info().version, 2);
    EXPECT_EQ(scene.info().first_frame, 1001);
    EXPECT_EQ(scene.info().frames_per_second, 23.976);
    EXPECT_EQ(scene.info().up, 2);
    EXPECT_TRUE(scene.info().is_left_handed());
    EXPECT_EQ(scene.info().number_of(3), 1004);
    ASSERT_EQ(scene.names().size(), scene.bodies());
    EXPECT_EQ(scene.names()[3], "Stück \"3\"\n");
    EXPECT_EQ(scene.describe(20), "body 20 ('debris/piece_20')");
    SceneFrame frame;
    std::uint64_t absent = 0;
    for (std::uint64_t f = 0; f < kFrames; ++f) {
        scene.read_frame(f, frame);
        for (std::uint64_t b = 0; b < scene.bodies(); ++b) {
            ASSERT_EQ(frame.is_there(b), !is_absent(f, b)) << f << ", " << b;
            absent += is_absent(f, b) ? 1U : 0U;
            const bool zero = frame.orientation[4 * b] == 0 && frame.orientation[4 * b + 3] == 0;
            EXPECT_EQ(zero && frame.position[3 * b] == 0, is_absent(f, b));
        }
        for (const Pair& pair : frame.pairs) EXPECT_FALSE(is_absent(f, pair.a) || is_absent(f, pair.b));
        EXPECT_LT(frame.pairs.size(), scene.pairs_in_frame(f));
        EXPECT_GT(frame.pairs.size(), scene.pairs_in_frame(f) / 2);
    }
    EXPECT_GT(absent, 4U * 280);
}

TEST(SceneVersion2, VersionOneIsWrittenWhereNothingElseIsNeeded) {
    const TemporaryFolder folder;
    test::write_moving_scene(folder / "scene", 1);
    EXPECT_EQ(read_bytes(folder / "scene" / "scene.json"),
              "{\n  \"format\": \"lanefold-scene\",\n  \"version\": 1,\n  \"unit\": \"m\"\n}\n");
    EXPECT_FALSE(fs::exists(folder / "scene" / "names.json"));
    EXPECT_FALSE(fs::exists(folder / "scene" / "active.npy"));
}

// The records of a masked scene are those of the whole scene without the pairs of absent bodies, whether pairs are
// stored or found.
TEST(SceneVersion2, AbsentBodiesHaveNoPairsAndNoContacts) {
    const TemporaryFolder folder;
    write_scene(folder / "masked");
    write_scene(folder / "masked_found", false);
    write_scene(folder / "whole", true, false);
    write_scene(folder / "whole_found", false, false);
    for (const std::string name : {"masked", "masked_found", "whole", "whole_found"}) {
        const Outcome outcome = program({"collide", (folder / name).string(), "-o", (folder / (name + "_c")).string()});
        ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
        const Outcome verified = program({"verify", (folder / name).string(), (folder / (name + "_c")).string()});
        EXPECT_EQ(verified.exit_code, 0) << verified.out << verified.err;
    }
    const auto records = [&](const std::string& name, std::uint64_t f) {
        const ContactsReader reader(folder / (name + "_c"));
        const FrameSummary summary = reader.summary(f);
        std::vector<Manifold4> out(summary.records);
        reader.open_records(f, summary).read(0, std::span(out));
        return out;
    };
    std::size_t left_out = 0;
    for (std::uint64_t f = 0; f < kFrames; ++f) {
        for (const std::string how : {"", "_found"}) {
            std::vector<Manifold4> expected = records("whole" + how, f);
            const std::size_t all = expected.size();
            std::erase_if(expected,
                          [&](const Manifold4& m) { return is_absent(f, m.pair[0]) || is_absent(f, m.pair[1]); });
            left_out += all - expected.size();
            ASSERT_GT(expected.size(), 3000U);
            const std::vector<Manifold4> have = records("masked" + how, f);
            ASSERT_EQ(have.size(), expected.size()) << how << ", frame " << f;
            EXPECT_EQ(std::memcmp(have.data(), expected.data(), have.size() * sizeof(Manifold4)), 0) << how;
        }
    }
    EXPECT_GT(left_out, 8U * 1000);
}

TEST(SceneVersion2, CommandsObeyOrSayWhyNot) {
    const TemporaryFolder folder;
    write_scene(folder / "scene");
    const std::string scene = (folder / "scene").string();
    const Outcome info = program({"info", scene});
    ASSERT_EQ(info.exit_code, 0) << info.err;
    for (const std::string text : {"1001 to 1004", "23.976", "left-handed", "debris/piece_0 to debris/piece_2004",
                                   "bodies there in a frame", "with a body that is not there"}) {
        EXPECT_NE(info.out.find(text), std::string::npos) << text << "\n" << info.out;
    }
    // Body 4 is absent in frame 1, body 7 in frame 0.
    const Outcome show = program({"show", scene, "--pair", "4,5", "--frame", "1"});
    EXPECT_EQ(show.exit_code, 2);
    EXPECT_NE(show.err.find("body 4 ('debris/piece_4') is not there in frame 1"), std::string::npos) << show.err;
    const Outcome simulate = program({"simulate", scene, "-o", (folder / "out").string(), "--steps", "1"});
    EXPECT_EQ(simulate.exit_code, 2);
    EXPECT_NE(simulate.err.find("body 0 ('debris/piece_0') is not there in frame 0"), std::string::npos)
        << simulate.err;
    EXPECT_FALSE(fs::exists(folder / "out"));
    const Outcome picture = program({"picture", scene, "-o", (folder / "p.svg").string(), "--frame", "0"});
    ASSERT_EQ(picture.exit_code, 0) << picture.err;
    const std::string svg = read_bytes(folder / "p.svg");
    EXPECT_NE(svg.find("frame 1001 of 1001 to 1004"), std::string::npos);
    EXPECT_EQ(svg.find("nan"), std::string::npos);
}

// If the axes say what is up, bodies fall the other way; the new scene keeps names and axes and tells its rate.
TEST(SceneVersion2, SimulationsKeepWhatTheSceneSays) {
    const TemporaryFolder folder;
    write_scene(folder / "scene", false, false);
    const Outcome outcome =
        program({"simulate", (folder / "scene").string(), "-o", (folder / "out").string(), "--frame", "2", "--steps",
                 "4", "--every", "2", "--rate", "50", "--no-pairs", "--density", "1000", "--progress", "none"});
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    const Scene out(folder / "out");
    EXPECT_EQ(out.info().first_frame, 1003);
    EXPECT_EQ(out.info().frames_per_second, 25.0);
    EXPECT_EQ(out.info().up, 2);
    EXPECT_TRUE(out.info().is_left_handed());
    EXPECT_EQ(out.names()[20], "debris/piece_20");
    SceneFrame before;
    SceneFrame after;
    out.read_frame(0, before);
    out.read_frame(out.frames() - 1, after);
    double moved[3] = {};
    for (std::size_t i = 0; i < before.position.size(); ++i) {
        moved[i % 3] += static_cast<double>(after.position[i] - before.position[i]);
    }
    EXPECT_LT(moved[2], 0.0);
    EXPECT_LT(moved[2], -std::abs(moved[1])) << "gravity is along z";
}

struct Damage {
    const char* name;
    void (*apply)(const fs::path& scene);
    std::vector<std::string> said;
};

// Replaces a member of scene.json.
void set(const fs::path& scene, const char* key, const nlohmann::ordered_json& value) {
    nlohmann::ordered_json json = nlohmann::ordered_json::parse(read_bytes(scene / "scene.json"));
    json[key] = value;
    write_bytes(scene / "scene.json", json.dump());
}

void set_names(const fs::path& scene, const nlohmann::ordered_json& names) {
    write_bytes(scene / "names.json", nlohmann::ordered_json{{"bodies", names}}.dump());
}

nlohmann::ordered_json many_names() {
    nlohmann::ordered_json names = nlohmann::ordered_json::array();
    for (int i = 0; i < 2005; ++i) names.push_back(std::to_string(i));
    return names;
}

const Damage kDamages[] = {
    {"UnknownKey", [](const fs::path& s) { set(s, "frames_per_secnd", 24); }, {"scene.json", "frames_per_secnd"}},
    {"UpIsNoAxis", [](const fs::path& s) { set(s, "up", "w"); }, {"scene.json", "\"up\"", "'w'"}},
    {"UpIsANumber", [](const fs::path& s) { set(s, "up", 1); }, {"scene.json", "\"up\""}},
    {"Handedness", [](const fs::path& s) { set(s, "handedness", "both"); }, {"scene.json", "handedness", "both"}},
    {"NoRate", [](const fs::path& s) { set(s, "frames_per_second", 0); }, {"scene.json", "frames_per_second", "0"}},
    {"RateIsNoNumber", [](const fs::path& s) { set(s, "frames_per_second", "24"); }, {"frames_per_second", "24"}},
    {"FirstFrameIsAFraction", [](const fs::path& s) { set(s, "first_frame", 1.5); }, {"first_frame", "1.5"}},
    {"FirstFrameIsHuge",
     [](const fs::path& s) { set(s, "first_frame", ~std::uint64_t{0}); },
     {"first_frame", "18446744073709551615"}},
    {"VersionOneWithAMask",
     [](const fs::path& s) { write_bytes(s / "scene.json", R"({"format":"lanefold-scene","version":1})"); },
     {"scene.json", "names.json", "version 2"}},
    {"MaskIsNeitherZeroNorOne",
     [](const fs::path& s) {
         std::vector<std::uint8_t> mask;
         for (std::uint64_t i = 0; i < kFrames * 2005; ++i) mask.push_back(is_absent(i / 2005, i % 2005) ? 0 : 1);
         mask[2005 + 9] = 2;
         write_npy<std::uint8_t>(s / "active.npy", mask, {kFrames, 2005});
     },
     {"active.npy", "frame 1", "body 9", "2"}},
    {"MaskOfOtherFrames",
     [](const fs::path& s) {
         write_npy<std::uint8_t>(s / "active.npy", std::vector<std::uint8_t>(2005, 1), {1, 2005});
     },
     {"active.npy", "(1, 2005)", "(4, 2005)"}},
    {"MaskOfAnotherType",
     [](const fs::path& s) {
         write_npy<float>(s / "active.npy", std::vector<float>(kFrames * 2005, 1), {kFrames, 2005});
     },
     {"active.npy", "<f4"}},
    {"TruncatedMask",
     [](const fs::path& s) { fs::resize_file(s / "active.npy", fs::file_size(s / "active.npy") - 1); },
     {"active.npy", "truncated"}},
    {"HullKind",
     [](const fs::path& s) {
         std::vector<std::uint8_t> kind(67, 0);
         kind[5] = 3;
         write_npy<std::uint8_t>(s / "hull_kind.npy", kind, {67});
     },
     {"hull_kind.npy", "hull 5", "3", "\"version\": 3"}},
    {"HullRadius",
     [](const fs::path& s) {
         std::vector<float> radius(67, 0.0F);
         radius[66] = 0.25F;
         write_npy<float>(s / "hull_radius.npy", radius, {67});
     },
     {"hull_radius.npy", "hull 66", "0.25", "\"version\": 3"}},
    {"HullRadiusIsNotANumber",
     [](const fs::path& s) {
         write_npy<float>(s / "hull_radius.npy", std::vector<float>(67, std::numeric_limits<float>::quiet_NaN()), {67});
     },
     {"hull_radius.npy", "hull 0", "nan"}},
    {"HullRadiusOfOtherHulls",
     [](const fs::path& s) { write_npy<float>(s / "hull_radius.npy", std::vector<float>(3, 0), {3}); },
     {"hull_radius.npy", "(3,)", "(67,)"}},
    {"NamesAreNoJson", [](const fs::path& s) { write_bytes(s / "names.json", "[\"a\""); }, {"names.json"}},
    {"NamesAreNoList", [](const fs::path& s) { set_names(s, "a"); }, {"names.json", "not a list"}},
    {"TooFewNames",
     [](const fs::path& s) {
         set_names(s, {"a", "b"});
     },
     {"names.json", "2 names", "2005"}},
    {"ANameTwice",
     [](const fs::path& s) {
         nlohmann::ordered_json names = many_names();
         names[1000] = "7";
         set_names(s, names);
     },
     {"names.json", "body 1000", "'7'"}},
    {"EmptyName",
     [](const fs::path& s) {
         nlohmann::ordered_json names = many_names();
         names[4] = "";
         set_names(s, names);
     },
     {"names.json", "body 4", "empty"}},
    {"NameIsNoText",
     [](const fs::path& s) {
         nlohmann::ordered_json names = many_names();
         names[4] = nlohmann::ordered_json::array({1});
         set_names(s, names);
     },
     {"names.json", "body 4", "[1]"}},
};

class BadScene2 : public testing::TestWithParam<Damage> {};

TEST_P(BadScene2, IsRefusedByNameAndPlaceAndNothingIsWritten) {
    const TemporaryFolder folder;
    write_scene(folder / "scene");
    GetParam().apply(folder / "scene");
    const std::string scene = (folder / "scene").string();
    for (const std::vector<std::string>& arguments :
         {std::vector<std::string>{"collide", scene, "-o", (folder / "contacts").string()},
          std::vector<std::string>{"info", scene}}) {
        const Outcome outcome = program(arguments);
        EXPECT_EQ(outcome.exit_code, 2) << arguments[0] << ": " << outcome.err;
        for (const std::string& word : GetParam().said) {
            EXPECT_NE(outcome.err.find(word), std::string::npos) << outcome.err << "without: " << word;
        }
        EXPECT_EQ(outcome.err.find("json.exception"), std::string::npos) << outcome.err;
        EXPECT_TRUE(outcome.out.empty()) << outcome.out;
    }
    EXPECT_FALSE(fs::exists(folder / "contacts"));
}
INSTANTIATE_TEST_SUITE_P(Damages, BadScene2, testing::ValuesIn(kDamages),
                         [](const auto& damage) { return std::string(damage.param.name); });

// Reserved arrays that say what every hull is, are accepted; a scene that replaces this one takes them away.
TEST(SceneVersion2, ReservedZerosAreReadAndReplaced) {
    const TemporaryFolder folder;
    write_scene(folder / "scene");
    write_npy<std::uint8_t>(folder / "scene" / "hull_kind.npy", std::vector<std::uint8_t>(67, 0), {67});
    write_npy<float>(folder / "scene" / "hull_radius.npy", std::vector<float>(67, -0.0F), {67});
    EXPECT_EQ(program({"info", (folder / "scene").string()}).exit_code, 0);
    const Outcome outcome = program({"generate", "boxes", (folder / "scene").string(), "--bodies", "3", "--frames", "1",
                                     "--seconds", "0.1", "--replace", "--progress", "none"});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    for (const std::string name : {"hull_kind.npy", "hull_radius.npy", "names.json", "active.npy"}) {
        EXPECT_FALSE(fs::exists(folder / "scene" / name)) << name;
    }
    EXPECT_EQ(Scene(folder / "scene").info().version, 1);
}

}  // namespace
}  // namespace lanefold::tools
