// SPDX-License-Identifier: MIT
//
// `lanefold collide --method`, `--points`, `--band` and `--feature-angle`: every combination is recorded, verified by
// its promises, and refused in a folder of another one. `lanefold figures` draws the figures.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>

#include "contacts/io.hpp"
#include "files/npy.hpp"
#include "support/tools/program.hpp"
#include "support/tools/scenes.hpp"

namespace lanefold::tools {
namespace {

using test::Outcome;
using test::program;
using test::TemporaryFolder;

// 4,000 pairs of the stored debris pile.
std::string debris(const TemporaryFolder& folder) {
    const auto scene = folder / "scene";
    test::write_moving_scene(scene, 1, true, false, "debris_pile", 4000);
    return scene.string();
}

std::vector<Manifold4> records_of(const std::string& contacts) {
    const ContactsReader reader(contacts);
    const FrameSummary summary = reader.summary(0);
    std::vector<Manifold4> records(summary.records);
    reader.open_records(0, summary).read(0, std::span(records));
    return records;
}

struct Case {
    std::vector<std::string> options;
    const char* recorded;  // in contacts.json
    std::size_t touching = 0;
    std::uint64_t points = 0;
};

TEST(Method, EachIsRecordedAndVerified) {
    const TemporaryFolder folder;
    const std::string scene = debris(folder);
    enum { clip, patch, narrow, wide, impact, published, literal, hodgman, hodgman_impact, features, flat, count };
    Case cases[count] = {
        {{"--method", "clip"}, "\"method\": \"clip\""},
        {{"--method", "patch"}, "\"band\": 0.01"},
        {{"--method", "patch", "--band", "0"}, "\"band\": 0.0"},
        {{"--method", "patch", "--band", "0.05"}, "\"band\": 0.05"},
        {{"--method", "patch", "--points", "impact"}, "\"points\": \"impact\""},
        {{"--method", "published"}, "\"method\": \"published\""},
        {{"--method", "published-literal"}, "\"method\": \"published-literal\""},
        {{"--method", "sutherland-hodgman"}, "\"method\": \"sutherland-hodgman\""},
        {{"--method", "sutherland-hodgman", "--points", "impact"}, "\"points\": \"impact\""},
        {{"--method", "features", "--feature-angle", "0.05"}, "\"feature_angle\": 0.05"},
        {{"--method", "features", "--feature-angle", "0", "--capacity", "16"}, "\"feature_angle\": 0.0"},
    };
    for (Case& c : cases) {
        const std::string contacts = (folder / ("contacts" + std::to_string(&c - cases))).string();
        std::vector<std::string> arguments{"collide", scene, "-o", contacts};
        arguments.insert(arguments.end(), c.options.begin(), c.options.end());
        ASSERT_EQ(program(arguments).exit_code, 0) << c.recorded;
        EXPECT_NE(test::read_bytes(contacts + "/contacts.json").find(c.recorded), std::string::npos)
            << c.recorded << test::read_bytes(contacts + "/contacts.json");
        const Outcome verified = program({"verify", scene, contacts});
        EXPECT_EQ(verified.exit_code, 0) << c.options[1] << verified.out << verified.err;
        const FrameSummary summary = ContactsReader(contacts).summary(0);
        c.points = summary.points;
        c.touching = summary.records;
        std::string title;
        for (const std::string& o : c.options) title += o + " ";
        std::printf("%s: %llu points of %zu pairs\n", title.c_str(), static_cast<unsigned long long>(c.points),
                    c.touching);
    }
    EXPECT_GT(cases[clip].touching, 500U);
    for (const int k : {patch, narrow, wide, impact}) EXPECT_EQ(cases[k].touching, cases[clip].touching);
    EXPECT_GE(cases[patch].points, cases[clip].points);
    EXPECT_LE(cases[narrow].points, cases[patch].points);
    EXPECT_GT(cases[wide].points, cases[patch].points);
    EXPECT_LT(cases[impact].points, cases[patch].points);
    EXPECT_LT(cases[hodgman_impact].points, cases[hodgman].points);
    EXPECT_LT(cases[flat].points, cases[features].points);
    // One method may find an overlap within rounding of zero that another does not find.
    for (const int k : {published, literal, hodgman, features}) {
        EXPECT_NEAR(static_cast<double>(cases[k].touching), static_cast<double>(cases[clip].touching), 50.0) << k;
    }
}

// Replaces the records of frame 0 and writes their summary.
void replace_records(const TemporaryFolder& folder, const std::string& contacts,
                     const std::vector<Manifold4>& records) {
    const ContactsReader reader(contacts);
    FrameSummary summary = reader.summary(0);
    const ContactsWriter writer(contacts, reader.description());
    RecordsWriter file = writer.begin_frame(0, 4);
    file.append(std::span<const Manifold4>(records));
    file.commit();
    summary = recount(RecordsReader(folder / "contacts" / "frame_000000.npy", 4), summary, 4);
    test::write_bytes(folder / "contacts" / "frame_000000.json", summary.json());
}

TEST(Method, RecordsOfReferenceMethodsAreFoundOutWhenSpoiled) {
    for (const char* const method : {"published", "published-literal", "sutherland-hodgman", "features"}) {
        const TemporaryFolder folder;
        const std::string scene = debris(folder);
        const std::string contacts = (folder / "contacts").string();
        ASSERT_EQ(program({"collide", scene, "-o", contacts, "--method", method}).exit_code, 0);
        const std::vector<Manifold4> good = records_of(contacts);
        const auto with_points =
            std::find_if(good.begin(), good.end(), [](const Manifold4& m) { return m.count > 0; }) - good.begin();
        const auto expect_found = [&](const char* what, const auto& spoil) {
            std::vector<Manifold4> records = good;
            spoil(records[static_cast<std::size_t>(with_points)]);
            replace_records(folder, contacts, records);
            const Outcome outcome = program({"verify", scene, contacts});
            EXPECT_EQ(outcome.exit_code, 1) << method << ": " << what;
            EXPECT_NE(outcome.out.find(what), std::string::npos) << method << ": " << outcome.out;
        };
        expect_found("off the surface", [](Manifold4& m) { m.points[0].position[1] += 0.01F; });
        expect_found("distance", [](Manifold4& m) { m.distance *= 1.01F; });
        expect_found("normal", [](Manifold4& m) { m.normal[0] += 0.01F; });
        expect_found("separation", [](Manifold4& m) { m.points[0].separation += 0.02F; });
    }
}

TEST(Method, SettingsAreKeptApartAndBadOnesRefused) {
    const TemporaryFolder folder;
    const std::string scene = debris(folder);
    const std::string contacts = (folder / "contacts").string();
    ASSERT_EQ(program({"collide", scene, "-o", contacts, "--method", "patch"}).exit_code, 0);
    const Outcome mixed = program({"collide", scene, "-o", contacts});
    EXPECT_EQ(mixed.exit_code, 2);
    EXPECT_NE(mixed.err.find("was made with method \"patch\", not \"clip\""), std::string::npos) << mixed.err;
    const auto refused = [&](const std::vector<std::string>& options, const char* what) {
        std::vector<std::string> arguments{"collide", scene};
        arguments.insert(arguments.end(), options.begin(), options.end());
        const Outcome outcome = program(arguments);
        EXPECT_EQ(outcome.exit_code, 2);
        EXPECT_NE(outcome.err.find(what), std::string::npos) << outcome.err;
    };
    refused({"--method", "magic"},
            "--method magic: expected clip, patch, published, published-literal, sutherland-hodgman or features");
    refused({"--points", "some"}, "--points some: expected all or impact");
    refused({"--method", "published", "--margin", "0.01"}, "--margin must be 0");
    refused({"--method", "published", "--points", "all"}, "--points must be impact");
    refused({"--method", "features", "--margin", "0.01"}, "--margin must be 0");
    refused({"--band", "0.02"}, "--band: only of --method patch, not clip");
    refused({"--method", "patch", "--feature-angle", "0.02"}, "--feature-angle: only of --method features, not patch");
    refused({"--method", "patch", "--band", "-0.1"}, "--band -0.1: expected 0 to 1");
    refused({"--method", "patch", "--band", "nan"}, "expected 0 to 1");
    refused({"--method", "features", "--feature-angle", "2"}, "--feature-angle 2: expected 0 to 0.785");
    const Outcome other_band = program({"collide", scene, "-o", contacts, "--method", "patch", "--band", "0.02"});
    EXPECT_EQ(other_band.exit_code, 2);
    EXPECT_NE(other_band.err.find("was made with band 0.01, not 0.02"), std::string::npos) << other_band.err;
}

TEST(Figures, AreDrawnTheSameEveryTime) {
    const TemporaryFolder folder;
    for (const char* name : {"one", "two"}) {
        ASSERT_EQ(program({"figures", (folder / name).string()}).exit_code, 0);
    }
    const auto one = test::files_below(folder / "one");
    EXPECT_EQ(one, test::files_below(folder / "two"));
    EXPECT_EQ(one.size(), 7U);
    for (const auto& [name, svg] : one) {
        EXPECT_GT(svg.size(), 1000U) << name;
        EXPECT_EQ(svg.find("nan"), std::string::npos) << name;
    }
}

TEST(Figures, ThoseOfTheDocumentsAreDrawnByThisProgram) {
    const TemporaryFolder folder;
    ASSERT_EQ(program({"figures", (folder / "figures").string()}).exit_code, 0);
    const auto drawn = test::files_below(folder / "figures");
    const auto shown = test::files_below(std::filesystem::path(LANEFOLD_TEST_DATA) / "../../docs/methods");
    EXPECT_EQ(drawn.size(), shown.size());
    for (const auto& [name, svg] : drawn) {
        const auto file = shown.find(name);
        ASSERT_NE(file, shown.end()) << "docs/methods has no " << name;
        EXPECT_TRUE(file->second == svg) << name << " is another: lanefold figures docs/methods makes it again";
    }
}

}  // namespace
}  // namespace lanefold::tools
