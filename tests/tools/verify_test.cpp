// SPDX-License-Identifier: MIT
//
// `lanefold verify` and `lanefold info`: right contacts pass; every kind of wrong record is found, even when its
// summary agrees with it.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include <lanefold/hash.hpp>

#include "contacts/io.hpp"
#include "files/npy.hpp"
#include "support/tools/baked_records.hpp"
#include "support/tools/program.hpp"
#include "support/tools/scenes.hpp"

namespace lanefold::tools {
namespace {

namespace fs = std::filesystem;
using test::count_of;
using test::Outcome;
using test::program;
using test::replace_records;
using test::TemporaryFolder;

// Checks all pairs of a stored pile, and the counts of an independent float64 program.
void verify_pile(const char* pile, const char* face_preference) {
    const TemporaryFolder folder;
    const std::string scene = test::stored_scene(pile).string();
    const std::string contacts = (folder / "contacts").string();
    ASSERT_EQ(program({"collide", scene, "-o", contacts, "--face-preference", face_preference}).exit_code, 0);
    const Outcome outcome = program({"verify", scene, contacts});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.out << outcome.err;
    const bool boxes = std::string(pile) == "boxes_pile";
    EXPECT_EQ(count_of(outcome.out, "checked"), boxes ? 11931U : 15539U);
    EXPECT_EQ(count_of(outcome.out, "overlapping by the oracle"), boxes ? 4712U : 5784U);
    EXPECT_EQ(count_of(outcome.out, "within the band of the margin"), boxes ? 46U : 45U);
}

TEST(Verify, EveryPairOfTheStoredPilesIsRight) {
    verify_pile("debris_pile", "0.005");
    verify_pile("boxes_pile", "0.005");
}

TEST(Verify, EveryPairOfTheStoredPilesIsRightWithStrictNormals) {
    verify_pile("debris_pile", "0");
    verify_pile("boxes_pile", "0");
}

TEST(Verify, MarginCapacityAndFoundPairsAreChecked) {
    const TemporaryFolder folder;
    test::write_moving_scene(folder / "scene", 2, false, true);
    const std::string scene = (folder / "scene").string();
    const std::string contacts = (folder / "contacts").string();
    ASSERT_EQ(program({"collide", scene, "-o", contacts, "--margin", "0.02", "--capacity", "16"}).exit_code, 0);
    const Outcome outcome = program({"verify", scene, contacts});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.out << outcome.err;
    EXPECT_EQ(count_of(outcome.out, "frames"), 2U);
    EXPECT_GT(count_of(outcome.out, "touching by the oracle"),
              count_of(outcome.out, "overlapping by the oracle") + 100);
}

TEST(Verify, SampleIsSeededAndOfTheSizeAskedFor) {
    const TemporaryFolder folder;
    test::write_moving_scene(folder / "scene", 3, true, false, "debris_pile", 2000);
    const std::string scene = (folder / "scene").string();
    const std::string contacts = (folder / "contacts").string();
    ASSERT_EQ(program({"collide", scene, "-o", contacts}).exit_code, 0);
    const Outcome first = program({"verify", scene, contacts, "--sample", "500"});
    ASSERT_EQ(first.exit_code, 0) << first.err;
    EXPECT_EQ(count_of(first.out, "checked"), 500U);
    EXPECT_EQ(program({"verify", scene, contacts, "--sample", "500"}).out, first.out);
    EXPECT_NE(program({"verify", scene, contacts, "--sample", "500", "--seed", "2"}).out, first.out);
    // More than half, and more than there are.
    EXPECT_EQ(count_of(program({"verify", scene, contacts, "--sample", "5900"}).out, "checked"), 5900U);
    EXPECT_EQ(count_of(program({"verify", scene, contacts, "--sample", "1000000"}).out, "checked"), 3U * 2000U);
}

// A stream with reuse goes through the frames of a folder, and its records are within the bound.
TEST(Verify, StreamsWithReuseAreJudgedByTheirBound) {
    const TemporaryFolder folder;
    test::write_moving_scene(folder / "scene", 6, true, false, "debris_pile", 3000);
    const std::string scene = (folder / "scene").string();
    for (const char* capacity : {"4", "16"}) {
        const std::string contacts = (folder / capacity).string();
        ASSERT_EQ(program({"collide", scene, "-o", contacts, "--capacity", capacity}).exit_code, 0);
        const Outcome all = program({"verify", scene, contacts, "--reuse", "0.02"});
        EXPECT_EQ(all.exit_code, 0) << all.out << all.err;
        EXPECT_EQ(count_of(all.out, "checked"), 6U * 3000U);
        EXPECT_GT(count_of(all.out, "carried from an anchor, of all"), 500U);
        EXPECT_GT(count_of(all.out, "computed and anchored, of all"), 500U);
        // The stream goes through all frames, whichever pairs are checked.
        const Outcome some = program({"verify", scene, contacts, "--reuse", "0.02", "--sample", "3"});
        EXPECT_EQ(count_of(some.out, "carried from an anchor, of all"),
                  count_of(all.out, "carried from an anchor, of all"));
        const Outcome exact = program({"verify", scene, contacts, "--reuse", "0"});
        EXPECT_EQ(exact.exit_code, 0);
        EXPECT_EQ(exact.out.find("carried from an anchor"), std::string::npos);
    }
    const std::string contacts = (folder / "4").string();
    for (const char* wrong : {"-0.01", "0.11", "nan", "inf"})
        EXPECT_EQ(program({"verify", scene, contacts, "--reuse", wrong}).exit_code, 2) << wrong;
    const std::string literal = (folder / "literal").string();
    ASSERT_EQ(program({"collide", scene, "-o", literal, "--method", "published", "--frames", "0:1"}).exit_code, 0);
    const Outcome refused = program({"verify", scene, literal, "--reuse", "0.01"});
    EXPECT_EQ(refused.exit_code, 2);
    EXPECT_NE(refused.err.find("methods clip and patch"), std::string::npos) << refused.err;
}

// A record that is an overlapping face contact with several points.
Manifold4& some_record(std::vector<Manifold4>& records) {
    return *std::find_if(records.begin(), records.end(), [](const Manifold4& m) {
        return m.kind == ContactKind::face_a && m.count >= 2 && m.count < 4 && m.distance < -1e-3F;
    });
}

struct Lie {
    const char* name;
    const char* row;  // of the table of violations
    void (*tell)(std::vector<Manifold4>& records);
};

const Lie kLies[] = {
    {"MissedPair", "missed", [](std::vector<Manifold4>& r) { r.erase(r.begin() + (&some_record(r) - r.data())); }},
    {"WrongDistance", "distance", [](std::vector<Manifold4>& r) { some_record(r).distance *= 1.01F; }},
    {"NotANumber", "distance", [](std::vector<Manifold4>& r) { some_record(r).distance = std::nanf(""); }},
    {"FlippedNormal", "normal",
     [](std::vector<Manifold4>& r) {
         for (float& x : some_record(r).normal) x = -x;
     }},
    {"LongNormal", "normal",
     [](std::vector<Manifold4>& r) {
         for (float& x : some_record(r).normal) x *= 1.00001F;
     }},
    {"MovedPoint", "off the surface", [](std::vector<Manifold4>& r) { some_record(r).points[0].position[0] += 0.01F; }},
    {"WrongSeparation", "off the surface",
     [](std::vector<Manifold4>& r) { some_record(r).points[1].separation -= 0.01F; }},
    {"NoPoints", "points", [](std::vector<Manifold4>& r) { some_record(r).count = 0; }},
    {"TotalTooSmall", "points", [](std::vector<Manifold4>& r) { some_record(r).total = 1; }},
    {"UnusedPointNotZero", "points", [](std::vector<Manifold4>& r) { some_record(r).points[3].feature = 1; }},
    {"SameFeatureTwice", "points",
     [](std::vector<Manifold4>& r) { some_record(r).points[1].feature = some_record(r).points[0].feature; }},
    {"DeepestPointDropped", "not as deep as the pair",
     [](std::vector<Manifold4>& r) {
         // From a pair whose points differ in depth by far more than the face preference's band.
         for (Manifold4& m : r) {
             if (m.count != 2) continue;
             const bool first = m.points[0].separation < m.points[1].separation;
             if (std::abs(m.points[0].separation - m.points[1].separation) < 0.02F) continue;
             if (first) m.points[0] = m.points[1];
             m.points[1] = {};
             m.count = 1;
             return;
         }
     }},
    {"FeatureOutOfRange", "features", [](std::vector<Manifold4>& r) { some_record(r).feature_b = 70000; }},
    {"IdOfNoFeatures", "features", [](std::vector<Manifold4>& r) { some_record(r).points[0].feature = 12345; }},
    {"OtherReferenceFace", "features",
     [](std::vector<Manifold4>& r) { some_record(r).feature_a = some_record(r).feature_a == 0 ? 1 : 0; }},
    {"OtherIncidentFace", "features",
     [](std::vector<Manifold4>& r) { some_record(r).feature_b = some_record(r).feature_b == 0 ? 1 : 0; }},
    {"FaceAForFaceB", "features", [](std::vector<Manifold4>& r) { some_record(r).kind = ContactKind::face_b; }},
    {"SevenMoreInTotal", "points",
     [](std::vector<Manifold4>& r) { some_record(r).total = static_cast<std::uint16_t>(some_record(r).total + 7); }},
    {"SevenMoreOfAReducedRecord", "contact area",
     [](std::vector<Manifold4>& r) {
         for (Manifold4& m : r) {
             if (m.total <= m.count) continue;
             m.total = static_cast<std::uint16_t>(m.total + 7);
             return;
         }
     }},
    {"SwappedIds", "features",
     [](std::vector<Manifold4>& r) { std::swap(some_record(r).points[0].feature, some_record(r).points[1].feature); }},
    {"AllPointsButTheDeepestRemoved", "contact area",
     [](std::vector<Manifold4>& r) {
         Manifold4& m = some_record(r);
         m.points[0] = *std::min_element(
             m.points, m.points + m.count,
             [](const ContactPoint& p, const ContactPoint& q) { return p.separation < q.separation; });
         for (std::size_t i = 1; i < 4; ++i) m.points[i] = {};
         m.count = 1;
         m.total = 1;
     }},
    {"StatusOfAGoodPair", "status", [](std::vector<Manifold4>& r) { some_record(r).status = Status::bad_pose; }},
};

class FalseContacts : public testing::TestWithParam<Lie> {};

TEST_P(FalseContacts, AreFound) {
    const TemporaryFolder folder;
    test::write_moving_scene(folder / "scene", 1, true, false, "debris_pile", 3000);
    const std::string scene = (folder / "scene").string();
    const fs::path contacts = folder / "contacts";
    ASSERT_EQ(program({"collide", scene, "-o", contacts.string()}).exit_code, 0);
    replace_records(contacts, GetParam().tell);
    ASSERT_EQ(program({"info", contacts.string()}).exit_code, 0) << "the summary should agree with the records";
    const Outcome outcome = program({"verify", scene, contacts.string()});
    EXPECT_EQ(outcome.exit_code, 1) << outcome.out << outcome.err;
    const std::string violations = outcome.out.substr(outcome.out.find("\nviolations"));
    EXPECT_GE(count_of(violations, GetParam().row), 1U) << violations;
    EXPECT_NE(violations.find("frame 0, row"), std::string::npos) << violations;
}
INSTANTIATE_TEST_SUITE_P(Lies, FalseContacts, testing::ValuesIn(kLies),
                         [](const auto& lie) { return std::string(lie.param.name); });

TEST(Verify, RecordsOutOfOrderOrOfOtherPairsAreFound) {
    const TemporaryFolder folder;
    const std::string scene = test::stored_scene("debris_pile").string();
    const fs::path contacts = folder / "contacts";
    ASSERT_EQ(program({"collide", scene, "-o", contacts.string()}).exit_code, 0);
    replace_records(contacts, [](std::vector<Manifold4>& records) { std::swap(records[10], records[20]); });
    const Outcome swapped = program({"verify", scene, contacts.string()});
    EXPECT_EQ(swapped.exit_code, 1) << swapped.err;
    EXPECT_NE(swapped.err.find("order"), std::string::npos) << swapped.err;
}

TEST(Verify, ContactsOfAnotherSceneAreRefused) {
    const TemporaryFolder folder;
    const std::string contacts = (folder / "contacts").string();
    ASSERT_EQ(program({"collide", test::stored_scene("debris_pile").string(), "-o", contacts}).exit_code, 0);
    const Outcome other = program({"verify", test::stored_scene("boxes_pile").string(), contacts});
    EXPECT_EQ(other.exit_code, 2);
    EXPECT_NE(other.err.find("not made from"), std::string::npos) << other.err;

    // The same hulls and bodies in other places.
    test::write_moving_scene(folder / "two", 2);
    const std::string contacts_of_two = (folder / "contacts_of_two").string();
    ASSERT_EQ(program({"collide", (folder / "two").string(), "-o", contacts_of_two}).exit_code, 0);
    std::string poses = test::read_bytes(folder / "two" / "position.npy");
    poses[poses.size() - 2] = static_cast<char>(poses[poses.size() - 2] ^ 1);
    test::write_bytes(folder / "two" / "position.npy", poses);
    const Outcome moved = program({"verify", (folder / "two").string(), contacts_of_two});
    EXPECT_EQ(moved.exit_code, 2) << moved.out;
    EXPECT_NE(moved.err.find("frame 1"), std::string::npos) << moved.err;
}

TEST(Info, DamagedFramesAreNamed) {
    const TemporaryFolder folder;
    test::write_moving_scene(folder / "scene", 4);
    const fs::path contacts = folder / "contacts";
    ASSERT_EQ(program({"collide", (folder / "scene").string(), "-o", contacts.string()}).exit_code, 0);
    const Outcome good = program({"info", contacts.string()});
    EXPECT_EQ(good.exit_code, 0);
    EXPECT_NE(good.out.find("4 of 4"), std::string::npos) << good.out;
    EXPECT_EQ(count_of(good.out, "damaged frames"), 0U);

    std::string bytes = test::read_bytes(contacts / "frame_000001.npy");
    bytes[5000] = static_cast<char>(bytes[5000] ^ 4);
    test::write_bytes(contacts / "frame_000001.npy", bytes);
    fs::resize_file(contacts / "frame_000002.npy", fs::file_size(contacts / "frame_000002.npy") - 1);
    test::write_bytes(contacts / "frame_000003.json", "{}");
    const Outcome bad = program({"info", contacts.string()});
    EXPECT_EQ(bad.exit_code, 1);
    EXPECT_EQ(count_of(bad.out, "damaged frames"), 3U);
    for (const char* name : {"frame_000001.npy", "frame_000002.npy", "frame_000003.json"}) {
        EXPECT_NE(bad.err.find(name), std::string::npos) << bad.err;
    }
    EXPECT_EQ(bad.err.find("frame_000000"), std::string::npos) << bad.err;
}

TEST(Info, ContactsOfAnUnknownVersionAreRefused) {
    const TemporaryFolder folder;
    const fs::path contacts = folder / "contacts";
    const std::string scene = test::stored_scene("boxes_pile").string();
    ASSERT_EQ(program({"collide", scene, "-o", contacts.string()}).exit_code, 0);
    std::string json = test::read_bytes(contacts / "contacts.json");
    json.replace(json.find("\"version\": 1"), 12, "\"version\": 9");
    test::write_bytes(contacts / "contacts.json", json);
    for (const std::vector<std::string>& arguments :
         std::vector<std::vector<std::string>>{{"info", contacts.string()},
                                               {"verify", scene, contacts.string()},
                                               {"collide", scene, "-o", contacts.string()}}) {
        const Outcome outcome = program(arguments);
        EXPECT_EQ(outcome.exit_code, 2) << arguments[0];
        EXPECT_NE(outcome.err.find("contacts.json"), std::string::npos) << outcome.err;
    }
}

TEST(Program, HelpDocumentsExitCodes) {
    for (const std::vector<std::string>& arguments :
         std::vector<std::vector<std::string>>{{"--help"}, {"collide", "--help"}, {"verify", "--help"}}) {
        const Outcome outcome = program(arguments);
        EXPECT_EQ(outcome.exit_code, 0);
        EXPECT_NE(outcome.out.find("Exit codes: 0"), std::string::npos) << outcome.out;
    }
    EXPECT_EQ(program({}).exit_code, 2);
    EXPECT_EQ(program({"frobnicate"}).exit_code, 2);
    EXPECT_EQ(program({"info", "/nonexistent"}).exit_code, 2);
}

}  // namespace
}  // namespace lanefold::tools
