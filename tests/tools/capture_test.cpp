// SPDX-License-Identifier: MIT
//
// `lanefold collide --capture` and `lanefold replay`: conditions choose the right pairs, files do not depend on how a
// bake ran, every stored capture is right on every instruction set, and what does not agree is found.
#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <lanefold/capture.hpp>
#include <lanefold/isa.hpp>

#include "capture/condition.hpp"
#include "capture/replay.hpp"
#include "console/failure.hpp"
#include "contacts/io.hpp"
#include "support/tools/collide.hpp"
#include "support/tools/program.hpp"
#include "support/tools/scenes.hpp"

namespace lanefold::tools {
namespace {

namespace fs = std::filesystem;

using test::collide;
using test::collide_json;
using test::Outcome;
using test::program;
using test::TemporaryFolder;
using Json = nlohmann::ordered_json;

fs::path stored_captures() { return fs::path(LANEFOLD_TEST_DATA) / "captures"; }

Capture read_whole(const fs::path& path) {
    const std::string bytes = test::read_bytes(path);
    CaptureResult result = read_capture(std::as_bytes(std::span(bytes)));
    EXPECT_TRUE(static_cast<bool>(result)) << path << ": " << result.status.what;
    return std::move(result.capture);
}

void write_whole(const fs::path& path, const Capture& capture) {
    const std::vector<std::byte> bytes = capture.bytes();
    test::write_bytes(path, {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

Json replay_json(const std::vector<std::string>& arguments, int exit_code) {
    std::vector<std::string> all = {"replay", "--json"};
    all.insert(all.end(), arguments.begin(), arguments.end());
    const Outcome outcome = program(all);
    EXPECT_EQ(outcome.exit_code, exit_code) << outcome.err;
    return Json::parse(outcome.out, nullptr, false);
}

// A pair with an edge contact 0.2 deep, of hulls of size 2 and 1, the first one a box.
struct Example {
    HullRecord a;
    HullRecord b;
    Manifold4 record{};
    ConditionInput input;

    Example() {
        a.size = 2;
        a.flags = HullRecord::kBox;
        a.vertex_count = 8;
        b.size = 1;
        b.vertex_count = 30;
        b.face_count = 40;
        record.kind = ContactKind::edge_edge;
        record.distance = -0.2F;
        record.count = 1;
        record.total = 1;
        record.normal[2] = 1;
        input = {&record, {12, 57}, {3, 4}, &a, &b, 9};
    }
};

TEST(Condition, HoldsWhereItShould) {
    const Example example;
    for (const char* text : {"distance < -0.1",
                             "depth > 0.1",
                             "depth>.1",
                             "depth >= 0.2 - 1e-6",
                             "points == 1",
                             "total = 1",
                             "kind == edge_edge",
                             "kind != face_a",
                             "status == ok",
                             "a == 12 and b == 57",
                             "a == 12 && hull_b == 4",
                             "a == 0 or b == 57",
                             "a == 0 || b == 57",
                             "not a == 0",
                             "!(a == 0)",
                             "depth > 0.1 * smaller",
                             "depth < 0.15 * larger",
                             "ratio == 2",
                             "size_a == 2 * size_b",
                             "1 + 2 * 3 == 7",
                             "(1 + 2) * 3 == 9",
                             "2 - 1 - 1 == 0",
                             "8 / 2 / 2 == 2",
                             "-distance == depth",
                             "--1 == 1",
                             "vertices_b == 30",
                             "faces_b == 40",
                             "box_a == 1 and box_b == 0",
                             "thin_a + thin_b == 0",
                             "frame == 9",
                             "normal_z == 1",
                             "reported == 1",
                             "a == 0 or a == 12 and b == 57",
                             "(a == 12 or a == 0) and not (b == 0)",
                             "feature_a == 0"}) {
        EXPECT_TRUE(Condition(text).holds(example.input)) << text;
        EXPECT_FALSE(Condition("not (" + std::string(text) + ")").holds(example.input)) << text;
    }
}

TEST(Condition, FieldsOfPairsThatAreNotReportedAreUnknown) {
    Example example;
    example.input.record = nullptr;
    for (const char* text : {"distance < 0", "not distance < 0", "distance != 0", "points == 0", "points < 2",
                             "depth > 0 or total < 1", "a == 0 and depth > 0", "kind == edge_edge"}) {
        EXPECT_FALSE(Condition(text).holds(example.input)) << text;
    }
    for (const char* text :
         {"reported == 0", "kind == none", "status == ok", "a == 12 or depth > 0", "not (a == 0 and depth > 0)"}) {
        EXPECT_TRUE(Condition(text).holds(example.input)) << text;
    }
    // A refused pair is reported, but has no contact.
    example.input.record = &example.record;
    example.record.status = Status::bad_pose;
    EXPECT_TRUE(Condition("status == bad_pose").holds(example.input));
    EXPECT_FALSE(Condition("distance < 0").holds(example.input));
}

TEST(Condition, MistakesAreNamedWithTheirPlace) {
    struct Mistake {
        std::string text;
        const char* message;
    };
    const Mistake mistakes[] = {
        {"", "at its end"},
        {"distance", "expected a comparison"},
        {"1", "expected a comparison"},
        {"distance <", "at its end: expected a field or a number"},
        {"distance < < 1", "at '< 1'"},
        {"distanz < 1", "at 'distanz < 1': there is no such field; the fields are distance, depth"},
        {"distance < 1 depth > 2", "at 'depth > 2': expected 'and', 'or' or the end"},
        {"distance < 1 and", "at its end"},
        {"kind < face_a", "kind can only be equal"},
        {"kind == 3", "at '3': expected one of none, face_a"},
        {"kind == ok", "expected one of none, face_a"},
        {"status == fine", "expected one of ok, bad_pose"},
        {"1 == kind", "kind and status are no numbers"},
        {"kind + 1 == 2", "kind and status are no numbers"},
        {"(distance < 1) + 1 == 2", "a comparison is no number"},
        {"not 1", "expected a comparison"},
        {"1 < 2 < 3", "at '< 3'"},
        {"(distance < 1", "at its end: expected ')'"},
        {"distance < 1)", "at ')'"},
        {"distance < 1e999", "this is no number"},
        {"distance < 1x", "this is no number"},
        {"distance ~ 1", "at '~ 1'"},
        {std::string(100000, '('), "more than 10000 bytes"},
        {std::string(5000, '('), "nested too deeply"},
        {std::string(5000, '-') + "1 < 2", "nested too deeply"},
    };
    for (const Mistake& mistake : mistakes) {
        try {
            const Condition condition(mistake.text);
            ADD_FAILURE() << "accepted: " << mistake.text;
        } catch (const Failure& failure) {
            EXPECT_EQ(failure.code(), ExitCode::bad_input);
            EXPECT_NE(std::string(failure.what()).find(mistake.message), std::string::npos) << failure.what();
        }
    }
}

TEST(CollideCapture, KeepsThePairsOfTheConditionHoweverTheBakeRuns) {
    const TemporaryFolder folder;
    test::write_moving_scene(folder / "scene", 3);
    const std::string condition = "depth > 0.02 * smaller and points >= 3";
    const std::string file = (folder / "one.lfp").string();
    const Json json = collide_json(folder / "scene", {"--capture", condition, "--capture-to", file, "--capture-limit",
                                                      "4096", "-o", (folder / "contacts").string()});
    ASSERT_TRUE(json.contains("capture"));
    const auto chosen = json["capture"]["chosen"].get<std::size_t>();
    const Capture capture = read_whole(file);
    EXPECT_EQ(capture.pairs().size(), chosen);
    EXPECT_EQ(json["capture"]["looked_at"], json["pairs"]);

    // The same pairs by the records of the contacts folder.
    const Scene scene(folder / "scene");
    const HullSet hulls = scene.build_hulls();
    const ContactsReader contacts(folder / "contacts");
    std::size_t next = 0;
    for (const std::uint64_t number : contacts.frames()) {
        const FrameSummary summary = contacts.summary(number);
        std::vector<Manifold4> records(summary.records);
        contacts.open_records(number, summary).read(0, std::span(records));
        for (const Manifold4& m : records) {
            const auto size_of = [&](int k) { return hulls[scene.body_hull()[m.pair[k]]].size; };
            const auto smaller = static_cast<double>(std::min(size_of(0), size_of(1)));
            if (!(-static_cast<double>(m.distance) > 0.02 * smaller && m.count >= 3)) continue;
            ASSERT_LT(next, capture.pairs().size());
            const CapturedPair& pair = capture.pairs()[next++];
            EXPECT_EQ(pair.frame, number);
            EXPECT_EQ(std::memcmp(&pair.record, &m, sizeof m), 0);
        }
    }
    EXPECT_EQ(next, chosen);
    EXPECT_GT(chosen, 100U);

    // In memory, with other threads: the same file.
    const std::string other = (folder / "other.lfp").string();
    collide_json(folder / "scene",
                 {"--capture", condition, "--capture-to", other, "--capture-limit", "4096", "--threads", "1"});
    EXPECT_EQ(test::read_bytes(file), test::read_bytes(other));
    EXPECT_EQ(replay_json({file}, 0)["pairs"], chosen);
}

TEST(CollideCapture, TellsWhatIsLeftOutAndWhatIsEmpty) {
    const TemporaryFolder folder;
    const std::string file = (folder / "some.lfp").string();
    const fs::path scene = test::stored_scene("debris_pile");
    const Outcome some = collide(scene, {"--capture", "reported == 1", "--capture-to", file, "--capture-limit", "10"});
    EXPECT_EQ(some.exit_code, 0) << some.err;
    EXPECT_NE(some.out.find("captured 10 pairs with 'reported == 1' in " + file + "; 5,772 more are left out"),
              std::string::npos)
        << some.out;
    EXPECT_EQ(read_whole(file).pairs().size(), 10U);
    // A pair that is not reported can be captured by its bodies.
    const Outcome apart =
        collide(scene, {"--capture", "reported == 0 and kind == none", "--capture-to", file, "--capture-limit", "3"});
    EXPECT_EQ(apart.exit_code, 0) << apart.err;
    EXPECT_EQ(replay_json({file}, 0)["pairs"], 3);
    // Nothing is chosen: the file of the run before does not stay.
    const Outcome none = collide(scene, {"--capture", "depth > 1e9", "--capture-to", file});
    EXPECT_NE(none.out.find("captured 0 pairs"), std::string::npos);
    EXPECT_NE(none.out.find("; it holds for none of the 15,539 that were looked at"), std::string::npos) << none.out;
    const Outcome empty = program({"replay", file});
    EXPECT_EQ(empty.exit_code, 0);
    EXPECT_NE(empty.out.find("'depth > 1e9': 0 of 0 for which it holds, of 15539 looked at"), std::string::npos)
        << empty.out;
    EXPECT_NE(empty.out.find("none were captured"), std::string::npos);
}

TEST(CollideCapture, RefusesWhatMakesNoSense) {
    const TemporaryFolder folder;
    const fs::path scene = test::stored_scene("boxes_pile");
    const std::string file = (folder / "x.lfp").string();
    const std::vector<std::vector<std::string>> wrong = {
        {"--capture", "distanz < 0", "--capture-to", file},
        {"--capture", "depth > 0", "--capture-to", file, "--capture-limit", "0"},
        {"--capture", "depth > 0", "--capture-to", file, "--capture-limit", "4097"},
        {"--capture", "depth > 0", "--capture-to", file, "--repeat", "2"},
        {"--capture", "depth > 0", "--capture-to", file, "--method", "published"},
        {"--capture", "depth > 0", "--capture-to", folder.path().string()},
    };
    for (const auto& options : wrong) {
        const Outcome outcome = collide(scene, options);
        EXPECT_EQ(outcome.exit_code, 2) << options[1] << outcome.out;
        EXPECT_FALSE(outcome.err.empty());
        EXPECT_FALSE(fs::exists(file));
    }
}

// Everything that ever was wrong: the float64 path, every instruction set and the judge agree, and the bits stay.
TEST(Captures, StoredOnesAreRightOnEveryInstructionSet) {
    std::size_t files = 0;
    std::size_t runs = 0;
    for (const auto& entry : fs::directory_iterator(stored_captures())) {
        SCOPED_TRACE(entry.path().filename().string());
        const Capture capture = read_whole(entry.path());
        EXPECT_GT(capture.pairs().size(), 0U);
        Replayer replayer(capture);
        for (std::size_t i = 0; i < capture.pairs().size(); ++i) {
            const PairReplay replay = replayer.replay(i);
            EXPECT_TRUE(replay.sets_agree());
            EXPECT_TRUE(replay.has_oracle);
            EXPECT_EQ(replay.captured_difference, "");
            EXPECT_EQ(replay.precise.wrong, "");
            ASSERT_EQ(replay.sets.size(), available_isas().size());
            for (const ReplayedRecord& set : replay.sets) EXPECT_EQ(set.wrong, "") << set.name;
            runs += replay.sets.size();
        }
        ++files;
    }
    std::printf("%zu captures, %zu records\n", files, runs);
    EXPECT_GE(files, 80U);
}

TEST(Replay, TellsEveryStageAndWhatDoesNotAgree) {
    const TemporaryFolder folder;
    const fs::path file = folder / "some.lfp";
    collide_json(test::stored_scene("debris_pile"),
                 {"--capture", "total > 4 and points == 4", "--capture-to", file.string(), "--capture-limit", "2"});
    const Outcome lines = program({"replay", file.string()});
    EXPECT_EQ(lines.exit_code, 0) << lines.out;
    EXPECT_EQ(test::occurrences(lines.out, "sets agree, right, as captured"), 2U) << lines.out;
    const Outcome told = program({"replay", file.string(), "--pair", "0", "--steps"});
    EXPECT_EQ(told.exit_code, 0);
    for (const char* stage : {"way  ", "search  ", "decision  ", "clip  ", "reduction  ", "float64 path", "oracle",
                              "Axes, by brute force in float64", "Clipping: face", "the same bits"}) {
        EXPECT_NE(told.out.find(stage), std::string::npos) << stage << told.out;
    }

    // A record that is not what this version computes, although it is well formed.
    Capture forged = read_whole(file);
    Manifold16 record = forged.pairs()[1].record;
    record.points[0].position[0] += 0.25F;
    forged.set_record(1, record);
    const fs::path wrong = folder / "wrong.lfp";
    write_whole(wrong, forged);
    const Outcome found = program({"replay", wrong.string()});
    EXPECT_EQ(found.exit_code, 1);
    EXPECT_NE(found.out.find("sets agree, right, NOT AS CAPTURED"), std::string::npos) << found.out;
    EXPECT_NE(found.out.find("now another in clip or reduction: point 0"), std::string::npos) << found.out;
    EXPECT_NE(found.out.find("captured record is WRONG"), std::string::npos) << found.out;
    const Json json = replay_json({wrong.string()}, 1);
    EXPECT_EQ(json["agree"], false);
    EXPECT_EQ(json["not_as_captured"], 1);
    EXPECT_EQ(json["violations"], 0);
    // An error was mended: agreement is enough, and -o keeps what is right now.
    EXPECT_EQ(program({"replay", wrong.string(), "--any-record"}).exit_code, 0);
    EXPECT_EQ(program({"replay", wrong.string(), "--any-record", "-o", (folder / "new.lfp").string()}).exit_code, 0);
    EXPECT_EQ(test::read_bytes(folder / "new.lfp"), test::read_bytes(file));
    // Several files and folders.
    EXPECT_EQ(replay_json({folder.path().string(), "--any-record"}, 0)["pairs"], 6);
}

TEST(Replay, FilesThatAreNoneAreRefused) {
    const TemporaryFolder folder;
    const fs::path good = folder / "good.lfp";
    collide_json(test::stored_scene("boxes_pile"),
                 {"--capture", "reported == 1", "--capture-to", good.string(), "--capture-limit", "1"});
    const std::string bytes = test::read_bytes(good);
    const fs::path bad = folder / "bad.bin";
    for (const std::string& text : {std::string(), std::string("{}"), bytes.substr(0, bytes.size() - 1), bytes + "x",
                                    std::string(bytes.size(), '\0'), std::string("x").append(bytes, 1)}) {
        test::write_bytes(bad, text);
        const Outcome outcome = program({"replay", bad.string()});
        EXPECT_EQ(outcome.exit_code, 2) << outcome.out;
        EXPECT_NE(outcome.err.find("bad.bin: "), std::string::npos) << outcome.err;
        EXPECT_EQ(outcome.out, "");
    }
    const fs::path fifo = folder / "fifo";
    ASSERT_EQ(::mkfifo(fifo.c_str(), 0600), 0);
    fs::create_directory(folder / "empty");
    for (const fs::path& path : {folder / "nothing", fifo, fs::path("/dev/null"), folder / "empty"}) {
        EXPECT_EQ(program({"replay", path.string()}).exit_code, 2) << path;
    }
    EXPECT_EQ(program({"replay", good.string(), "--pair", "1"}).exit_code, 2);
    EXPECT_EQ(program({"replay", good.string(), "-o", folder.path().string()}).exit_code, 2);
}

}  // namespace
}  // namespace lanefold::tools
