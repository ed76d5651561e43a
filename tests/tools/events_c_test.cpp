// SPDX-License-Identifier: MIT
//
// Events folders through lanefold_events.h have the numbers of the C++ reader; what is damaged is refused by its file.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <lanefold_events.h>

#include "events/columns.hpp"
#include "events/folder.hpp"
#include "support/meshes.hpp"
#include "support/tools/collide.hpp"
#include "support/tools/event_scene.hpp"

namespace lanefold::tools {
namespace {

namespace fs = std::filesystem;
using test::collide;
using test::Outcome;
using test::read_bytes;
using test::TemporaryFolder;
using test::write_bytes;

struct FreeEvents {
    void operator()(lanefold_events* events) const { lanefold_events_free(events); }
};
using CEvents = std::unique_ptr<lanefold_events, FreeEvents>;

CEvents read(const fs::path& folder, lanefold_status& status) {
    lanefold_events* events = nullptr;
    status = lanefold_events_read(folder.c_str(), &events);
    EXPECT_EQ(events != nullptr, status.code == LANEFOLD_OK);
    return CEvents(events);
}

// A ball that falls on a floor, and one that flies past it; names that JSON escapes.
class EventsInC : public testing::Test {
protected:
    void SetUp() override {
        test::PathScene paths;
        const std::uint32_t ball = paths.add_sphere(0.25F);
        paths.add_body(paths.add_box(20, 20, 1), 0, [](double) { return Vec3d{0, 0, -1}; });
        paths.add_body(ball, 1, [](double t) { return Vec3d{0.1 * t, 0, 0.2495 + std::max(0.0, 2 * (0.25 - t))}; });
        paths.add_body(ball, 2, [](double t) { return Vec3d{3 - 6 * t, 0, 0.2495}; });
        paths.names = {"floor\t\"flat\" \\ level", "Kugel \xC3\xA4 \xF0\x9F\x8E\xB1", "ball/b"};
        paths.group = {0, 5, 6};
        paths.write(folder("scene"), 20, 20);
        const Outcome made = collide(folder("scene"), {"--events", events().string(), "--release", "0.125"});
        ASSERT_EQ(made.exit_code, 0) << made.err;
    }
    fs::path folder(const char* name) const { return files_ / name; }
    fs::path events() const { return folder("events"); }

    // The file that a refusal names, or "" if the folder is read.
    std::string refused() const {
        lanefold_status status{};
        const CEvents got = read(events(), status);
        return got ? "" : lanefold_events_file_name(status.where);
    }

    TemporaryFolder files_;
};

// Every field of every event, and its groups.
void expect_the_same(const lanefold_events* events, const EventsFolder& folder) {
    const std::vector<Event> own = folder.read_events();
    const std::vector<std::uint32_t>& group = folder.bodies().group;
    std::uint64_t count = 0;
    const lanefold_event* const all = lanefold_events_data(events, &count);
    ASSERT_EQ(count, own.size());
    for (std::size_t i = 0; i < own.size(); ++i) {
        const lanefold_event& e = all[i];
        Event back;
        back.begin = e.begin;
        back.end = e.end;
        back.place = {e.place[0], e.place[1], e.place[2]};
        std::copy_n(e.normal, 3, back.normal);
        back.closing = e.closing_speed;
        back.sliding = e.sliding_speed;
        back.impulse = e.impulse;
        back.impulse_peak = e.impulse_peak;
        back.impulse_sum = e.impulse_sum;
        back.slip = e.slip;
        back.pair = {e.pair[0], e.pair[1]};
        back.flags = e.flags;
        for_each_column<const Event>([&](const char* name, std::size_t, const auto& of) {
            const auto mine = std::as_bytes(of(back));
            const auto theirs = std::as_bytes(of(own[i]));
            ASSERT_EQ(std::memcmp(mine.data(), theirs.data(), mine.size()), 0) << name << " of event " << i;
        });
        EXPECT_EQ(e.group[0], group.empty() ? 0 : group[own[i].pair.a]);
        EXPECT_EQ(e.group[1], group.empty() ? 0 : group[own[i].pair.b]);
    }
}

TEST_F(EventsInC, ReadsThoseOfABake) {
    lanefold_status status{};
    const CEvents got = read(events(), status);
    ASSERT_TRUE(got) << status.what;
    const EventsFolder folder(events());
    expect_the_same(got.get(), folder);
    std::uint64_t count = 0;
    static_cast<void>(lanefold_events_data(got.get(), &count));
    EXPECT_GE(count, 2U);
    lanefold_events_info info = LANEFOLD_EVENTS_INFO_INIT;
    ASSERT_EQ(lanefold_events_get_info(got.get(), &info).code, LANEFOLD_OK);
    EXPECT_EQ(info.events, count);
    EXPECT_EQ(info.frames, 20U);
    EXPECT_EQ(info.bodies, 3U);
    EXPECT_EQ(info.rate, 20);
    EXPECT_EQ(info.release, 0.125);
    EXPECT_EQ(info.moment, 0);
    EXPECT_EQ(info.impulses, LANEFOLD_IMPULSES_MASSES);
    EXPECT_EQ(info.bounces, 1);
    EXPECT_STREQ(info.unit, folder.description().unit.c_str());
    for (std::uint32_t i = 0; i < 3; ++i) {
        EXPECT_EQ(lanefold_events_body_name(got.get(), i), folder.bodies().names[i]);
        EXPECT_EQ(lanefold_events_movable(got.get(), i), folder.bodies().movable[i]);
    }
    EXPECT_EQ(lanefold_events_movable(got.get(), 0), 0);
    EXPECT_EQ(lanefold_events_body_name(got.get(), 3), nullptr);
    EXPECT_EQ(lanefold_events_movable(got.get(), 3), 0);
}

// A rough ground that tilts and rises below balls, which it strikes.
TEST_F(EventsInC, ReadsThoseOfASurfaceThatMoves) {
    test::PathScene paths;
    test::Mesh mesh = test::grid_mesh(5, 0.05F, 3);
    for (Vec3f& p : mesh.points) p = {4 * p.x - 2, 4 * p.y - 2, p.z};
    paths.add_body(
        paths.add_mesh(mesh.points, mesh.triangles), 0,
        [](double t) {
            return Vec3d{0, 0, 0.3 * std::sin(20 * t)};
        },
        [](double t) {
            return test::turn_about({1, 0, 0}, 0.2 * std::sin(9 * t));
        });
    const std::uint32_t ball = paths.add_sphere(0.25F);
    for (int i = 0; i < 9; ++i) {
        const double x = i % 3 - 1.0, y = i / 3 - 1.0;
        paths.add_body(ball, 1, [=](double t) { return Vec3d{x, y, 0.45 + 0.1 * std::cos(7 * t + x)}; });
    }
    paths.names = {"deck", "b1", "b2", "b3", "b4", "b5", "b6", "b7", "b8", "b9"};
    paths.write(folder("tilting"), 24, 24);
    const Outcome made = collide(folder("tilting"), {"--events", folder("struck").string()});
    ASSERT_EQ(made.exit_code, 0) << made.err;
    lanefold_status status{};
    const CEvents got = read(folder("struck"), status);
    ASSERT_TRUE(got) << status.what;
    const EventsFolder own(folder("struck"));
    expect_the_same(got.get(), own);
    std::uint64_t count = 0, of_deck = 0, in_motion = 0;
    const lanefold_event* const all = lanefold_events_data(got.get(), &count);
    for (std::uint64_t i = 0; i < count; ++i) {
        if (all[i].pair[0] != 0) continue;
        ++of_deck;
        in_motion += all[i].closing_speed > 0.5F ? 1U : 0U;
        EXPECT_GT(all[i].normal[2], 0.8F) << i;
    }
    std::printf("%llu events, %llu of the ground, %llu of these at more than 0.5 m/s\n",
                static_cast<unsigned long long>(count), static_cast<unsigned long long>(of_deck),
                static_cast<unsigned long long>(in_motion));
    EXPECT_GT(of_deck, 15U);
    EXPECT_GT(in_motion, 10U);
    EXPECT_STREQ(lanefold_events_body_name(got.get(), 0), "deck");
    EXPECT_EQ(lanefold_events_movable(got.get(), 0), 0);
}

// More than are read at a time, with every bit of every number set somewhere.
TEST_F(EventsInC, ReadsTenThousandOfASimulation) {
    std::string text = read_bytes(events() / "events.json");
    const std::string masses = "estimate by masses";
    text.replace(text.find(masses), masses.size(), "exact, of the solver");
    text.insert(text.find("\"rate\""), "\"moment\": 0.001953125,\n    ");
    EventBodies bodies;
    bodies.movable = {1, 1, 1};
    std::vector<Event> all(10000);
    std::uint64_t state = 1;
    const auto draw = [&](auto& to) {
        state = state * 6364136223846793005U + 1442695040888963407U;
        std::memcpy(&to, &state, sizeof to);
    };
    for (Event& e : all) {
        for_each_column<Event>([&](const char*, std::size_t, const auto& of) {
            for (auto& x : of(e)) draw(x);
        });
        e.pair = {e.pair.a % 2, 2};
    }
    const EventsFolder folder(this->folder("many"), text, bodies);
    static_cast<void>(folder.write(all));
    lanefold_status status{};
    const CEvents got = read(folder.path(), status);
    ASSERT_TRUE(got) << status.what << " " << lanefold_events_file_name(status.where);
    expect_the_same(got.get(), folder);
    lanefold_events_info info = LANEFOLD_EVENTS_INFO_INIT;
    ASSERT_EQ(lanefold_events_get_info(got.get(), &info).code, LANEFOLD_OK);
    EXPECT_EQ(info.impulses, LANEFOLD_IMPULSES_SOLVER);
    EXPECT_EQ(info.moment, 0.001953125);
    EXPECT_EQ(lanefold_events_body_name(got.get(), 0), nullptr);
}

TEST_F(EventsInC, RefusesAFolderThatIsNoneOrNotJoined) {
    lanefold_status status{};
    EXPECT_FALSE(read(folder("nowhere"), status));
    EXPECT_EQ(status.code, LANEFOLD_BAD_ARGUMENT);
    EXPECT_STREQ(lanefold_events_file_name(status.where), "events.json");
    fs::remove(events() / "events_summary.json");
    EXPECT_EQ(refused(), "events_summary.json");
    EXPECT_EQ(lanefold_events_read(nullptr, nullptr).code, LANEFOLD_BAD_ARGUMENT);
    lanefold_events_info unset{};
    EXPECT_EQ(lanefold_events_get_info(nullptr, &unset).code, LANEFOLD_BAD_ARGUMENT);
    EXPECT_STREQ(lanefold_events_file_name(1000), "unknown");
    lanefold_events_free(nullptr);
}

// Every file, cut at every length from its end on: refused by its name. The end of a text's last line says nothing.
TEST_F(EventsInC, RefusesEveryFileThatIsCut) {
    std::size_t cuts = 0;
    for (const fs::directory_entry& entry : fs::directory_iterator(events())) {
        if (!entry.is_regular_file()) continue;
        const std::string whole = read_bytes(entry.path());
        std::size_t length = whole.size() - (entry.path().extension() == ".json" ? 1 : 0);
        fs::resize_file(entry.path(), length);
        EXPECT_EQ(refused(), "") << entry.path();
        while (length-- > 0) {
            fs::resize_file(entry.path(), length);
            ASSERT_EQ(refused(), entry.path().filename().string()) << length << " bytes";
            ++cuts;
        }
        write_bytes(entry.path(), whole);
    }
    std::printf("%zu cuts\n", cuts);
    EXPECT_GT(cuts, 2000U);
    EXPECT_EQ(refused(), "");
}

TEST_F(EventsInC, RefusesWhatIsNotAsTheFolderSays) {
    const auto changed = [&](const char* file, const std::string& from, const std::string& to) {
        const std::string whole = read_bytes(events() / file);
        std::string text = whole;
        const std::size_t at = text.find(from);
        EXPECT_NE(at, std::string::npos) << file << " has no " << from;
        if (at != std::string::npos) text.replace(at, from.size(), to);
        write_bytes(events() / file, text);
        const std::string out = refused();
        write_bytes(events() / file, whole);
        return out == file;
    };
    EXPECT_TRUE(changed("events.json", "lanefold-events", "lanefold-scene1"));
    EXPECT_TRUE(changed("events.json", "\"version\": 1", "\"version\": 2"));
    EXPECT_TRUE(changed("events.json", "\"rate\": 20", "\"rate\": 0"));
    EXPECT_TRUE(changed("events.json", "\"rate\": 20", "\"rate\": 1,2"));
    EXPECT_TRUE(changed("events.json", "\"touch\"", "\"tough\""));
    EXPECT_TRUE(changed("events.json", "estimate by masses", "guess"));
    EXPECT_TRUE(changed("bodies.json", "\"movable\":[0", "\"movable\":[2"));
    EXPECT_TRUE(changed("bodies.json", "\"movable\":[0,", "\"movable\":["));
    EXPECT_TRUE(changed("bodies.json", "\"ball/b\"", "\"\\ud800\""));
    EXPECT_TRUE(changed("bodies.json", "\"ball/b\"", std::string(100000, '[')));
    EXPECT_TRUE(changed("flags.npy", "|u1", "|i1"));
    EXPECT_TRUE(changed("place.npy", "False", "True "));
    EXPECT_TRUE(changed("normal.npy", ", 3)", ", 4)"));
    EXPECT_TRUE(changed("begin.npy", "NUMPY\x01", "NUMPY\x07"));
    EXPECT_FALSE(changed("bodies.json", "ball/b", "ball c"));  // another name is none that is wrong
    // More events than the columns have.
    const std::string summary = read_bytes(events() / "events_summary.json");
    const std::size_t at = summary.find("\"events\": ");
    write_bytes(events() / "events_summary.json",
                summary.substr(0, at) + "\"events\": 18446744073709551615" + summary.substr(summary.find(',', at)));
    EXPECT_EQ(refused(), "begin.npy");
    write_bytes(events() / "events_summary.json", summary);
    // A body that does not exist.
    std::string pairs = read_bytes(events() / "pair.npy");
    pairs[pairs.size() - 4] = 3;
    write_bytes(events() / "pair.npy", pairs);
    EXPECT_EQ(refused(), "pair.npy");
}

}  // namespace
}  // namespace lanefold::tools
