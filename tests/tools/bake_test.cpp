// SPDX-License-Identifier: MIT
//
// The bytes of a bake depend on scene and settings alone: not on overlap, on memory, or on when the disk is waited for.
// Compressed and selected frames are held against plain and whole ones.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include <lanefold/manifold.hpp>

#include "bake/memory_plan.hpp"
#include "console/failure.hpp"
#include "contacts/io.hpp"
#include "support/tools/collide.hpp"
#include "support/tools/program.hpp"
#include "support/tools/scenes.hpp"

namespace lanefold::tools {
namespace {

namespace fs = std::filesystem;
using test::collide;
using test::files_below;
using test::kMemoryIsMeasurable;
using test::Outcome;
using test::TemporaryFolder;

// The pile's pairs again and again: a frame of more than two pieces, one of less than one, one without pairs.
void write_uneven_scene(const fs::path& folder) {
    const Scene pile(test::stored_scene("debris_pile"));
    SceneFrame frame;
    pile.read_frame(0, frame);
    SceneWriter writer(folder, test::contents_of(pile));
    std::vector<Pair> many;
    while (many.size() < kPiecePairs * 2 + 1000) many.insert(many.end(), frame.pairs.begin(), frame.pairs.end());
    for (const std::vector<Pair>& pairs : {frame.pairs, many, std::vector<Pair>{}, frame.pairs}) {
        writer.add_frame(std::span<const float>(frame.position), frame.orientation, pairs);
        for (float& x : frame.position) x *= 1.001F;
    }
    writer.commit();
}

std::string bake(const fs::path& scene, const fs::path& contacts, std::vector<std::string> options = {}) {
    options.insert(options.end(), {"-o", contacts.string()});
    const Outcome outcome = collide(scene, options);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return contacts.string();
}

TEST(Bake, OverlapMemoryThreadsAndSyncChangeNoByte) {
    const TemporaryFolder folder;
    write_uneven_scene(folder / "scene");
    bake(folder / "scene", folder / "plain", {"--no-overlap", "--threads", "1"});
    const auto expected = files_below(folder / "plain");
    ASSERT_EQ(expected.size(), 9U);
    ASSERT_GT(ContactsReader(folder / "plain").summary(1).records, kPiecePairs / 2) << "a frame of several pieces";
    int number = 0;
    for (const std::vector<std::string>& options :
         std::vector<std::vector<std::string>>{{},
                                               {"--threads", "4"},
                                               {"--memory-limit", "150M"},
                                               {"--sync", "none"},
                                               {"--sync", "end"},
                                               // one thread, through the cache
                                               {"--sync", "none", "--memory-limit", "100M", "--threads", "1"},
                                               {"--select", "all"}}) {
        const fs::path other = folder / ("other" + std::to_string(++number));
        bake(folder / "scene", other, options);
        EXPECT_EQ(files_below(other), expected) << number;
    }
}

// Each compression: it unpacks to the plain frames, and everything that reads contacts reads it.
void expect_like_plain(const fs::path& folder, const std::string& compress) {
    const std::string scene = (folder / "scene").string();
    const std::string plain = (folder / "plain").string();
    const std::string packed = bake(scene, folder / compress, {"--margin", "0.01", "--compress", compress});
    bake(scene, folder / (compress + "again"), {"--margin", "0.01", "--compress", compress, "--threads", "1"});
    EXPECT_EQ(files_below(packed), files_below(folder / (compress + "again")));
    std::uint64_t bytes[2] = {};
    for (const auto& [name, content] : files_below(plain)) bytes[0] += content.size();
    for (const auto& [name, content] : files_below(packed)) bytes[1] += content.size();
    std::printf("%.2f MB, %s %.2f MB\n", static_cast<double>(bytes[0]) / 1e6, compress.c_str(),
                static_cast<double>(bytes[1]) / 1e6);
    EXPECT_LT(bytes[1] * 3, bytes[0] * 2);
    const std::string out = (folder / (compress + "out")).string();
    ASSERT_EQ(test::program({"unpack", packed, "-o", out}).exit_code, 0);
    EXPECT_EQ(files_below(out), files_below(plain));
    EXPECT_EQ(test::program({"info", packed, "--check"}).exit_code, 0);
    EXPECT_EQ(test::program({"verify", scene, packed, "--sample", "300"}).exit_code, 0);
    for (const std::string& from : {plain, packed}) {
        const auto at = [&](const char* name) { return from + name; };
        EXPECT_EQ(test::program({"picture", scene, from, "--frame", "0", "-o", at(".html")}).exit_code, 0);
        EXPECT_EQ(test::program({"export", scene, from, "--frames", "0", "-o", at(".csv")}).exit_code, 0);
        EXPECT_EQ(test::program({"merge", from, "-o", at("merged")}).exit_code, 0);
        EXPECT_EQ(files_below(at("merged")), files_below(from));
    }
    EXPECT_EQ(test::read_bytes(plain + ".csv"), test::read_bytes(packed + ".csv"));
    EXPECT_GT(fs::file_size(packed + ".csv"), 10000U);
    const Outcome kept = collide(scene, {"--margin", "0.01", "--compress", compress, "-o", packed, "--resume"});
    EXPECT_NE(kept.out.find("4 kept from before"), std::string::npos) << kept.out << kept.err;
}

TEST(Bake, CompressedFramesUnpackToThePlainOnes) {
    const TemporaryFolder folder;
    write_uneven_scene(folder / "scene");
    const std::string plain = bake(folder / "scene", folder / "plain", {"--margin", "0.01"});
    for (const char* compress : {"zstd", "fast", "small"}) expect_like_plain(folder.path(), compress);
    // None of them is mixed up with another or with a plain one.
    for (const char* made : {"zstd", "fast", "small"}) {
        for (const char* asked : {"none", "zstd", "fast", "small"}) {
            if (std::string(made) == asked) continue;
            const std::string packed = (folder / made).string();
            const Outcome mixed =
                collide(folder / "scene", {"--margin", "0.01", "-o", packed, "--resume", "--compress", asked});
            EXPECT_EQ(mixed.exit_code, 2);
            EXPECT_NE(mixed.err.find("compression"), std::string::npos) << mixed.err;
        }
    }
    EXPECT_EQ(test::program({"unpack", plain, "-o", (folder / "no").string()}).exit_code, 2);
    EXPECT_EQ(
        test::program({"merge", (folder / "zstd").string(), (folder / "fast").string(), "-o", (folder / "no").string()})
            .exit_code,
        2);
}

TEST(Bake, DamageOfACompressedFrameIsFoundAtEveryPlace) {
    const TemporaryFolder folder;
    test::write_moving_scene(folder / "scene", 1, true, false, "debris_pile", 2000);
    for (const std::string compress : {"zstd", "fast", "small"}) {
        const std::string name = compress == "zstd" ? "frame_000000.npy.zst" : "frame_000000.planes";
        const std::string packed = bake(folder / "scene", folder / compress, {"--compress", compress});
        const fs::path file = fs::path(packed) / name;
        const std::string whole = test::read_bytes(file);
        const auto expect_damaged = [&](const std::string& bytes, std::size_t at) {
            test::write_bytes(file, bytes);
            const Outcome info = test::program({"info", packed, "--check"});
            EXPECT_EQ(info.exit_code, 1) << at;
            EXPECT_NE(info.err.find(name), std::string::npos) << info.err;
            EXPECT_EQ(test::program({"info", packed, "--missing"}).out, "0\n");
        };
        for (std::size_t i = 0; i < 12; ++i) {
            const std::size_t at = whole.size() * i / 12;
            std::string bytes = whole;
            bytes[at] = static_cast<char>(bytes[at] ^ 0x10);
            expect_damaged(bytes, at);
            expect_damaged(whole.substr(0, at), at);
        }
        expect_damaged(whole + "x", whole.size());
        expect_damaged(whole + whole.substr(whole.size() / 2), whole.size());
        ASSERT_EQ(collide(folder / "scene", {"--compress", compress, "-o", packed, "--resume"}).exit_code, 0);
        EXPECT_EQ(test::read_bytes(file), whole);
    }
}

std::vector<Manifold4> records_of(const fs::path& contacts) {
    const ContactsReader reader(contacts);
    std::vector<Manifold4> records(reader.summary(0).records);
    reader.open_records(0, reader.summary(0)).read(0, std::span(records));
    return records;
}

TEST(Bake, SelectionKeepsWhatIsDeepAndSaysWhatItLeftOut) {
    const TemporaryFolder folder;
    const fs::path scene = test::stored_scene("debris_pile");
    bake(scene, folder / "all", {"--margin", "0.01"});
    const std::vector<Manifold4> all = records_of(folder / "all");
    const auto separated = std::count_if(all.begin(), all.end(), [](const Manifold4& m) { return m.distance >= 0; });
    ASSERT_GT(separated, 100);
    for (const float depth : {0.0F, 0.002F, 1000.0F}) {
        const fs::path contacts = folder / ("deeper" + std::to_string(depth));
        const std::string which = depth == 0 ? "overlapping" : "deeper-than=" + std::to_string(depth);
        bake(scene, contacts, {"--margin", "0.01", "--select", which});
        std::vector<Manifold4> wanted;
        for (const Manifold4& m : all) {
            if (m.distance < -depth) wanted.push_back(m);
        }
        const std::vector<Manifold4> kept = records_of(contacts);
        ASSERT_EQ(kept.size(), wanted.size()) << which;
        if (!kept.empty()) {
            EXPECT_EQ(std::memcmp(kept.data(), wanted.data(), kept.size() * sizeof(Manifold4)), 0) << which;
        }
        EXPECT_EQ(ContactsReader(contacts).summary(0).left_out, all.size() - kept.size());
        EXPECT_EQ(depth < 1 ? kept.size() > 50 && kept.size() < all.size() : kept.empty(), true) << kept.size();
        const Outcome verified = test::program({"verify", scene.string(), contacts.string(), "--sample", "2000"});
        EXPECT_EQ(verified.exit_code, 0) << verified.out << verified.err;
        EXPECT_EQ(test::program({"info", contacts.string(), "--check"}).exit_code, 0);
    }
}

// A selected folder without one of its records, and one with a record too many, are found out by verify.
TEST(Bake, VerifyFindsWhatASelectionLacksOrHasTooMuch) {
    const TemporaryFolder folder;
    const fs::path scene = test::stored_scene("debris_pile");
    bake(scene, folder / "all");
    const std::vector<Manifold4> all = records_of(folder / "all");
    const std::string contacts = bake(scene, folder / "selected", {"--select", "deeper-than=0.002"});
    for (const bool too_many : {false, true}) {
        const ContactsReader reader(contacts);
        std::vector<Manifold4> records;
        bool spoiled = false;
        for (const Manifold4& m : all) {
            const bool deep = m.distance < -0.002F;
            const bool spoil = !spoiled && (too_many ? !deep : m.distance < -0.004F);
            spoiled = spoiled || spoil;
            if (deep != spoil) records.push_back(m);
        }
        ASSERT_TRUE(spoiled);
        const ContactsWriter writer(contacts, reader.description());
        RecordsWriter file = writer.begin_frame(0, 4);
        file.append(std::span<const Manifold4>(records));
        FrameSummary summary = reader.summary(0);
        summary.records = records.size();
        file.commit();
        summary = recount(RecordsReader(fs::path(contacts) / "frame_000000.npy", 4), summary, 4);
        RecordsWriter same = writer.begin_frame(0, 4);
        same.append(std::span<const Manifold4>(records));
        writer.finish_frame(same, summary);
        const Outcome verified = test::program({"verify", scene.string(), contacts});
        EXPECT_EQ(verified.exit_code, 1) << verified.out;
    }
}

// The time of the processors is told stage by stage only where one stage runs after the other.
TEST(Bake, SaysWhatTheProcessorsTookOfEachStage) {
    const TemporaryFolder folder;
    const fs::path scene = folder / "scene";
    test::write_moving_scene(scene, 3);
    const auto told = [&](std::vector<std::string> options) {
        options.insert(options.end(), {"-o", (folder / std::to_string(options.size())).string(), "--find-pairs"});
        return test::collide_json(scene, options)["processor"];
    };
    const auto alone = told({"--no-overlap"});
    const auto together = told({});
    for (const char* stage : {"read", "search", "narrowphase", "encode", "write"}) {
        EXPECT_GT(alone[stage].get<double>(), 0) << stage;
        EXPECT_EQ(together[stage].get<double>(), 0) << stage;
    }
    EXPECT_GE(alone["together"].get<double>(), alone["narrowphase"].get<double>());
    EXPECT_GT(together["together"].get<double>(), 0);
}

TEST(BakeMemory, StaysBelowItsLimitAndRefusesWhatCannot) {
    if (!kMemoryIsMeasurable) GTEST_SKIP() << "memory cannot be measured under a sanitizer";
    const TemporaryFolder folder;
    write_uneven_scene(folder / "scene");
    for (const char* compress : {"none", "zstd", "fast"}) {
        const Outcome roomy = collide(folder / "scene", {"-o", (folder / compress).string(), "--compress", compress});
        ASSERT_EQ(roomy.exit_code, 0) << roomy.err;
        const Outcome refused = collide(folder / "scene", {"-o", (folder / "no").string(), "--compress", compress,
                                                           "--memory-limit", "40M", "--threads", "2"});
        EXPECT_EQ(refused.exit_code, 2);
        EXPECT_FALSE(fs::exists(folder / "no")) << "refused before anything was written";
        const std::size_t at = refused.err.find("at least ");
        ASSERT_NE(at, std::string::npos) << refused.err;
        const double least = std::stod(refused.err.substr(at + 9)) * 1.01;  // as rounded in the message, in MB
        const std::string limit = std::to_string(static_cast<std::uint64_t>(least * 1e6));
        const fs::path tight = folder / (std::string("tight") + compress);
        const Outcome limited = collide(folder / "scene", {"-o", tight.string(), "--compress", compress,
                                                           "--memory-limit", limit, "--threads", "2"});
        ASSERT_EQ(limited.exit_code, 0) << limited.err;
        EXPECT_EQ(files_below(tight), files_below(folder / compress));
        const Outcome resumed = collide(folder / "scene", {"-o", tight.string(), "--compress", compress, "--resume",
                                                           "--memory-limit", limit, "--threads", "2"});
        EXPECT_LT(static_cast<double>(resumed.max_resident_bytes), least * 1e6);
        EXPECT_LT(static_cast<double>(limited.max_resident_bytes), least * 1e6);
        std::printf("%s: limit %.0f MB, taken %.0f MB; without a limit %.0f MB\n", compress, least,
                    static_cast<double>(limited.max_resident_bytes) / 1e6,
                    static_cast<double>(roomy.max_resident_bytes) / 1e6);
    }
}

TEST(BakeMemory, SizesAreReadAsPeopleWriteThem) {
    EXPECT_EQ(parse_bytes("500M", "--memory-limit"), std::uint64_t{500} << 20U);
    EXPECT_EQ(parse_bytes("2G", ""), std::uint64_t{2} << 30U);
    EXPECT_EQ(parse_bytes("1.5GiB", ""), std::uint64_t{3} << 29U);
    EXPECT_EQ(parse_bytes("64kB", ""), 65536U);
    EXPECT_EQ(parse_bytes("1000", ""), 1000U);
    for (const char* text : {"", "M", "-1G", "1X", "nan", "inf", "0", "1e30", "1 G"}) {
        EXPECT_THROW(parse_bytes(text, "--memory-limit"), Failure) << text;
    }
}

TEST(Bake, OptionsThatMakeNoSenseAreRefused) {
    const TemporaryFolder folder;
    const std::string out = (folder / "out").string();
    for (const std::vector<std::string>& options :
         std::vector<std::vector<std::string>>{{"--sync", "often", "-o", out},
                                               {"--compress", "gzip", "-o", out},
                                               {"--select", "deep", "-o", out},
                                               {"--select", "deeper-than=", "-o", out},
                                               {"--select", "deeper-than=-1", "-o", out},
                                               {"--select", "deeper-than=nan", "-o", out},
                                               {"--select", "overlapping", "--method", "published-literal", "-o", out},
                                               {"--memory-limit", "lots", "-o", out},
                                               {"--compress", "fast"},
                                               {"--frames", "0,,1", "-o", out}}) {
        const Outcome outcome = collide(test::stored_scene("debris_pile"), options);
        EXPECT_EQ(outcome.exit_code, 2) << options[1];
        EXPECT_NE(outcome.err.find(options[0]), std::string::npos) << outcome.err;
    }
    EXPECT_FALSE(fs::exists(out));
}

}  // namespace
}  // namespace lanefold::tools
