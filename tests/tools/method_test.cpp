// SPDX-License-Identifier: MIT
//
// `lanefold collide --method` and `--points`: every combination is recorded, verified by what it promises, and kept
// apart from the others; `lanefold figures` draws.

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

TEST(Method, EachIsRecordedAndVerified) {
    const TemporaryFolder folder;
    const std::string scene = debris(folder);
    std::uint64_t points[4] = {};
    std::size_t touching[4] = {};
    const std::vector<std::string> options[] = {{"--method", "clip"},
                                                {"--method", "patch"},
                                                {"--method", "patch", "--points", "impact"},
                                                {"--method", "published"}};
    const char* const recorded[] = {"\"method\": \"clip\"", "\"method\": \"patch\"", "\"points\": \"impact\"",
                                    "\"method\": \"published\""};
    for (int k = 0; k < 4; ++k) {
        const std::string contacts = (folder / ("contacts" + std::to_string(k))).string();
        std::vector<std::string> arguments{"collide", scene, "-o", contacts};
        arguments.insert(arguments.end(), options[k].begin(), options[k].end());
        ASSERT_EQ(program(arguments).exit_code, 0) << recorded[k];
        EXPECT_NE(test::read_bytes(contacts + "/contacts.json").find(recorded[k]), std::string::npos) << recorded[k];
        const Outcome verified = program({"verify", scene, contacts});
        EXPECT_EQ(verified.exit_code, 0) << recorded[k] << verified.out << verified.err;
        for (const Manifold4& m : records_of(contacts)) points[k] += m.count;
        touching[k] = records_of(contacts).size();
    }
    std::printf("points: clip %llu, patch %llu, patch at impact %llu, published %llu of %zu pairs (clip %zu)\n",
                static_cast<unsigned long long>(points[0]), static_cast<unsigned long long>(points[1]),
                static_cast<unsigned long long>(points[2]), static_cast<unsigned long long>(points[3]), touching[3],
                touching[0]);
    EXPECT_GT(touching[0], 500U);
    EXPECT_EQ(touching[0], touching[1]);
    EXPECT_GE(points[1], points[0]);
    EXPECT_LT(points[2], points[1]);
    // Overlaps within rounding of zero may be seen by one and not by the other.
    EXPECT_NEAR(static_cast<double>(touching[3]), static_cast<double>(touching[0]), 50.0);
}

TEST(Method, PublishedRecordsAreFoundOutWhenSpoiled) {
    const TemporaryFolder folder;
    const std::string scene = debris(folder);
    const std::string contacts = (folder / "contacts").string();
    ASSERT_EQ(program({"collide", scene, "-o", contacts, "--method", "published"}).exit_code, 0);
    std::vector<Manifold4> records = records_of(contacts);
    const auto with_points =
        std::find_if(records.begin(), records.end(), [](const Manifold4& m) { return m.count > 0; });
    ASSERT_NE(with_points, records.end());
    with_points->points[0].position[1] += 0.01F;
    const ContactsReader reader(contacts);
    FrameSummary summary = reader.summary(0);
    const ContactsWriter writer(contacts, reader.description());
    NpyWriter file = writer.begin_frame(0, 4);
    file.append(std::span<const Manifold4>(records));
    file.commit();
    summary = recount(NpyReader(folder / "contacts" / "frame_000000.npy"), summary, 4);
    test::write_bytes(folder / "contacts" / "frame_000000.json", summary.json());
    const Outcome outcome = program({"verify", scene, contacts});
    EXPECT_EQ(outcome.exit_code, 1);
    EXPECT_NE(outcome.out.find("off the surface by"), std::string::npos) << outcome.out;
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
    refused({"--method", "magic"}, "--method magic: expected clip, patch or published");
    refused({"--points", "some"}, "--points some: expected all or impact");
    refused({"--method", "published", "--margin", "0.01"}, "--margin must be 0");
    refused({"--method", "published", "--points", "all"}, "--points must be impact");
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

}  // namespace
}  // namespace lanefold::tools
