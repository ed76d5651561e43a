// SPDX-License-Identifier: MIT
//
// `lanefold collide --events`: the same bytes whatever the threads, instruction set, shards and kills; filters; what is
// refused.
#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <map>
#include <random>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <lanefold/isa.hpp>

#include "contacts/io.hpp"
#include "events/folder.hpp"
#include "events/join.hpp"
#include "support/tools/collide.hpp"
#include "support/tools/event_scene.hpp"
#include "support/tools/program.hpp"
#include "support/tools/scenes.hpp"

namespace lanefold::tools {
namespace {

namespace fs = std::filesystem;
using test::collide;
using test::files_below;
using test::Outcome;
using test::program;
using test::TemporaryFolder;

constexpr std::uint64_t kFrames = 9;

// A pile whose bodies tremble, with masses and names.
void write_scene(const fs::path& folder) {
    const Scene pile(test::stored_scene("debris_pile"));
    SceneFrame frame;
    pile.read_frame(0, frame);
    SceneWriter::Contents contents = test::contents_of(pile);
    contents.with_pairs = false;
    contents.info.frames_per_second = 24;
    std::vector<float> masses(pile.bodies(), 0.5F);
    masses.back() = 0;
    contents.inverse_mass = masses;
    std::vector<std::string> names;
    for (std::uint64_t i = 0; i < pile.bodies(); ++i) names.push_back("piece \"" + std::to_string(i) + "\", red");
    contents.names = names;
    SceneWriter writer(folder, contents);
    std::mt19937 random(17);
    for (std::uint64_t i = 0; i < kFrames; ++i) {
        writer.add_frame(std::span<const float>(frame.position), frame.orientation);
        for (float& x : frame.position) x += (static_cast<float>(random() % 2001U) - 1000.0F) * 2e-5F;
    }
    writer.commit();
}

Outcome events(const fs::path& scene, const fs::path& out, std::vector<std::string> more = {},
               const test::RunOptions& run = {}) {
    more.insert(more.end(), {"--events", out.string(), "--progress", "none"});
    return collide(scene, more, run);
}

class EventsFiles : public testing::Test {
protected:
    void SetUp() override {
        write_scene(scene());
        const Outcome outcome = events(scene(), folder_ / "whole");
        ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
        whole_ = files_below(folder_ / "whole");
        ASSERT_GT(EventsFolder(folder_ / "whole").read_events().size(), 50U);
    }
    fs::path scene() const { return folder_ / "scene"; }
    void expect_whole(const char* name) const { EXPECT_TRUE(files_below(folder_ / name) == whole_) << name; }

    TemporaryFolder folder_;
    std::map<std::string, std::string> whole_;
};

TEST_F(EventsFiles, AreTheSameWhateverThreadsAndInstructionSet) {
    ASSERT_EQ(events(scene(), folder_ / "one", {"--threads", "1"}).exit_code, 0);
    expect_whole("one");
    for (const Isa isa : available_isas()) {
        ASSERT_EQ(events(scene(), folder_ / to_string(isa), {"--isa", to_string(isa)}).exit_code, 0);
        expect_whole(to_string(isa));
    }
}

TEST_F(EventsFiles, AreJoinedFromShardsWhereverTheyWereMade) {
    // Into one folder, in any order: the last one joins.
    for (const char* shard : {"2/3", "0/3"}) {
        ASSERT_EQ(events(scene(), folder_ / "shared", {"--shard", shard}).exit_code, 0);
        EXPECT_FALSE(fs::exists(folder_ / "shared" / "begin.npy"));
    }
    const Outcome last = events(scene(), folder_ / "shared", {"--shard", "1/3"});
    ASSERT_EQ(last.exit_code, 0) << last.err;
    expect_whole("shared");
    // Into folders of their own, of which one is missing at first.
    for (const char* shard : {"0/2", "1/2"}) {
        ASSERT_EQ(events(scene(), folder_ / ("part" + std::string(1, shard[0])), {"--shard", shard}).exit_code, 0);
    }
    const auto merge = [&](std::vector<std::string> inputs) {
        inputs.insert(inputs.begin(), "merge");
        inputs.insert(inputs.end(), {"-o", (folder_ / "merged").string()});
        return program(inputs);
    };
    const Outcome half = merge({(folder_ / "part1").string()});
    EXPECT_EQ(half.exit_code, 1);
    EXPECT_NE(half.err.find("missing: 0"), std::string::npos) << half.err;
    const Outcome both = merge({(folder_ / "part1").string(), (folder_ / "part0").string()});
    EXPECT_EQ(both.exit_code, 0) << both.err;
    expect_whole("merged");
    // Other settings are refused before anything is written.
    ASSERT_EQ(events(scene(), folder_ / "other", {"--touch", "0.001"}).exit_code, 0);
    const Outcome mixed = merge({(folder_ / "part0").string(), (folder_ / "other").string()});
    EXPECT_EQ(mixed.exit_code, 2);
    EXPECT_NE(mixed.err.find("was made with touch 0.001, not 0"), std::string::npos) << mixed.err;
}

TEST_F(EventsFiles, AreResumedAfterKillsToTheSameBytes) {
    const fs::path out = folder_ / "killed";
    int killed = 0;
    for (std::uint64_t until = 0; until + 1 < kFrames; ++until) {
        test::RunOptions run;
        run.meanwhile = [&](pid_t child) {
            const fs::path piece = out / "pieces" / frame_file_name(until, ".json");
            for (int i = 0; i < 20000 && !fs::exists(piece); ++i)
                std::this_thread::sleep_for(std::chrono::milliseconds(1));
            ::kill(child, SIGKILL);
        };
        killed += events(scene(), out, {"--resume", "--threads", "1", "--isa", "scalar"}, run).signal == SIGKILL;
    }
    std::printf("%d runs were killed\n", killed);
    EXPECT_GT(killed, 0);
    // A damaged piece is made again.
    test::write_bytes(out / "pieces" / frame_file_name(2, ".npy"), "nothing");
    const Outcome outcome = events(scene(), out, {"--resume"});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    expect_whole("killed");
    const Outcome again = events(scene(), out, {"--resume", "--json"});
    EXPECT_NE(again.out.find("\"resumed_frames\":8"), std::string::npos) << again.out;
    expect_whole("killed");
}

TEST_F(EventsFiles, OfSomeFramesAreCutWhereOthersAreMissing) {
    const Outcome outcome = events(scene(), folder_ / "some", {"--frames", "0:3,5:7"});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_NE(outcome.err.find("missing: 3:5,7"), std::string::npos) << outcome.err;
    std::size_t cut = 0;
    for (const Event& event : EventsFolder(folder_ / "some").read_events()) {
        if ((event.flags & kEventCut) == 0) continue;
        ++cut;
        EXPECT_EQ(event.end, 3);
    }
    EXPECT_GT(cut, 10U);
    ASSERT_EQ(events(scene(), folder_ / "some", {"--frames", "3,4,7:"}).exit_code, 0);
    expect_whole("some");
}

TEST_F(EventsFiles, GoWithContactsInOneCommand) {
    const Outcome outcome = events(scene(), folder_ / "both", {"-o", (folder_ / "contacts").string()});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    expect_whole("both");
    EXPECT_TRUE(fs::exists(folder_ / "contacts" / "contacts.json"));
}

// Events leave nothing out that is asked for besides them, and are not taken for contacts.
TEST_F(EventsFiles, GoWithACaptureInOneCommand) {
    const std::vector<std::string> capture{"--capture", "depth > 0", "--capture-to", (folder_ / "deep.lfp").string()};
    const Outcome outcome = events(scene(), folder_ / "both", capture);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    expect_whole("both");
    EXPECT_TRUE(fs::exists(folder_ / "deep.lfp"));
    std::vector<std::string> resumed = capture;
    resumed.emplace_back("--resume");
    const Outcome nowhere = events(scene(), folder_ / "both", resumed);
    EXPECT_EQ(nowhere.exit_code, 2);
    EXPECT_NE(nowhere.err.find("--resume needs -o"), std::string::npos) << nowhere.err;
    const Outcome verified = program({"verify", scene().string(), (folder_ / "both").string()});
    EXPECT_EQ(verified.exit_code, 2);
    EXPECT_NE(verified.err.find("holds events, not contacts"), std::string::npos) << verified.err;
}

TEST_F(EventsFiles, FiltersKeepWhatTheySay) {
    const std::vector<Event> all = EventsFolder(folder_ / "whole").read_events();
    const auto filtered = [&](const char* name, const std::vector<std::string>& options) {
        const Outcome outcome = events(scene(), folder_ / name, options);
        EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
        return EventsFolder(folder_ / name).read_events();
    };
    const auto same = [](const Event& a, const Event& b) { return a.begin == b.begin && a.pair == b.pair; };
    const std::vector<Event> fast = filtered("fast", {"--closing-above", "0.3"});
    std::vector<Event> expected = all;
    std::erase_if(expected, [](const Event& e) { return !(e.closing > 0.3F); });
    EXPECT_TRUE(std::equal(fast.begin(), fast.end(), expected.begin(), expected.end(), same));
    EXPECT_GT(fast.size(), 5U);
    EXPECT_LT(fast.size(), all.size());
    const std::vector<Event> first = filtered("first", {"--first-contact"});
    EXPECT_LT(first.size(), all.size());
    for (std::size_t i = 0; i < first.size(); ++i) {
        const auto at = std::find_if(all.begin(), all.end(), [&](const Event& e) { return e.pair == first[i].pair; });
        ASSERT_TRUE(at != all.end() && same(*at, first[i]));
    }
    const std::vector<Event> one = filtered("one_each", {"--one-a-body", "4"});
    std::map<std::pair<std::uint32_t, int>, float> fastest;
    const auto window = [](const Event& e) { return static_cast<int>(e.begin / 4); };
    const auto still = static_cast<std::uint32_t>(Scene(scene()).bodies() - 1);  // has no mass
    for (const Event& e : all) {
        for (const std::uint32_t body : {e.pair.a, e.pair.b}) {
            if (body == still) continue;
            const auto [at, fresh] = fastest.try_emplace({body, window(e)}, e.closing);
            if (!fresh) at->second = std::max(at->second, e.closing);
        }
    }
    EXPECT_GT(one.size(), 10U);
    EXPECT_LT(one.size(), all.size());
    std::map<std::pair<std::uint32_t, int>, int> times;
    for (const Event& e : one) {
        bool wanted = false;
        for (const std::uint32_t body : {e.pair.a, e.pair.b}) {
            if (body == still || fastest[{body, window(e)}] != e.closing) continue;
            wanted = true;
            ++times[{body, window(e)}];
        }
        EXPECT_TRUE(wanted);
    }
    for (const auto& [key, x] : fastest) EXPECT_EQ(times.count(key), 1U);
}

TEST_F(EventsFiles, RefuseWhatMakesNoSense) {
    const auto refused = [&](const fs::path& from, const std::vector<std::string>& options, const std::string& what) {
        const Outcome outcome = events(from, folder_ / "refused", options);
        EXPECT_EQ(outcome.exit_code, 2) << what;
        EXPECT_NE(outcome.err.find(what), std::string::npos) << outcome.err;
        EXPECT_FALSE(fs::exists(folder_ / "refused")) << what;
    };
    test::PathScene paths;
    const std::uint32_t box = paths.add_box(1, 1, 1);
    paths.add_body(box, 1, [](double) { return Vec3d{}; });
    paths.add_body(box, 1, [](double t) { return Vec3d{0, 2.5 - t, 0}; });
    paths.write(folder_ / "single", 1, 24);
    paths.write(folder_ / "no_rate", 3, 24, false);
    paths.write(folder_ / "no_mass", 3, 24, true, false);
    refused(folder_ / "single", {}, "has 1 frame; events are what happens between frames, so at least 2 are needed");
    refused(folder_ / "no_rate", {}, "does not say how many frames a second has, so speeds are unknown: give --fps");
    refused(folder_ / "no_rate", {"--fps", "0"}, "--fps 0: expected a number above 0");
    refused(folder_ / "no_rate", {"--fps", "nan"}, "--fps nan: expected a number above 0");
    refused(folder_ / "no_mass", {}, "has no masses (body_inverse_mass.npy), so impulses cannot be estimated");
    refused(folder_ / "no_mass", {"--density", "0"}, "--density 0: must be above 0");
    refused(scene(), {"--density", "5"}, "has masses");
    refused(scene(), {"--touch", "-1"}, "--touch -1: expected a number >= 0");
    refused(scene(), {"--touch", "0.1", "--release", "0.05"}, "--release 0.05: must be at least --touch 0.1");
    refused(scene(), {"--closing-above", "inf"}, "--closing-above inf: expected a speed");
    refused(scene(), {"--one-a-body", "0"}, "--one-a-body 0: expected a number of frames above 0");
    refused(scene(), {"--loudest", "3"}, "--loudest");
    const Outcome alone = collide(scene(), {"--first-contact"});
    EXPECT_EQ(alone.exit_code, 2);
    EXPECT_NE(alone.err.find("are of --events, which is missing"), std::string::npos) << alone.err;
    for (const char* command : {"verify", "picture"}) {
        std::vector<std::string> line = {command, scene().string(), (folder_ / "whole").string()};
        if (line.front() == "picture") line.insert(line.end(), {"-o", (folder_ / "drawn.svg").string()});
        const Outcome swapped = program(line);
        EXPECT_EQ(swapped.exit_code, 2) << command;
        EXPECT_NE(swapped.err.find("holds events, not contacts"), std::string::npos) << swapped.err;
    }
    // The options that the messages name help.
    EXPECT_EQ(events(folder_ / "no_rate", folder_ / "a", {"--fps", "24"}).exit_code, 0);
    EXPECT_EQ(events(folder_ / "no_mass", folder_ / "b", {"--density", "1000"}).exit_code, 0);
    EXPECT_EQ(events(folder_ / "no_mass", folder_ / "c", {"--no-impulses"}).exit_code, 0);
    // A folder of another scene, and one that is none of ours.
    const Outcome other = events(folder_ / "no_rate", folder_ / "b", {"--fps", "24"});
    EXPECT_EQ(other.exit_code, 2);
    EXPECT_NE(other.err.find("was made"), std::string::npos) << other.err;
    EXPECT_EQ(EventsFolder(folder_ / "b").bodies().movable.size(), 2U);
    const auto before = files_below(folder_ / "b");
    EXPECT_EQ(events(scene(), folder_ / "b").exit_code, 2);
    EXPECT_TRUE(files_below(folder_ / "b") == before);
    const Outcome foreign = events(scene(), scene());
    EXPECT_EQ(foreign.exit_code, 2);
    EXPECT_NE(foreign.err.find("but no events.json; choose another folder"), std::string::npos) << foreign.err;
}

// Contacts may take hours, so a refusal comes before them.
TEST_F(EventsFiles, RefuseBeforeContactsAreComputed) {
    ASSERT_EQ(events(scene(), folder_ / "touch", {"--touch", "0.001"}).exit_code, 0);
    const auto refused = [&](const fs::path& to, const std::vector<std::string>& options, const std::string& what) {
        const Outcome outcome = events(scene(), to, options);
        EXPECT_EQ(outcome.exit_code, 2) << what;
        EXPECT_NE(outcome.err.find(what), std::string::npos) << outcome.err;
        EXPECT_FALSE(fs::exists(folder_ / "contacts")) << what;
    };
    const std::string contacts = (folder_ / "contacts").string();
    refused(folder_ / "new", {"-o", contacts, "--density", "5"}, "has masses");
    refused(folder_ / "touch", {"-o", contacts}, "was made with touch 0.001");
    refused(scene(), {"-o", contacts}, "but no events.json; choose another folder");
    EXPECT_FALSE(fs::exists(folder_ / "new"));
    const Outcome both = events(scene(), folder_ / "new", {"-o", contacts});
    EXPECT_EQ(both.exit_code, 0) << both.err;
    expect_whole("new");
    EXPECT_TRUE(fs::exists(folder_ / "contacts" / "contacts.json"));
}

}  // namespace
}  // namespace lanefold::tools
