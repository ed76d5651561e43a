// SPDX-License-Identifier: MIT
//
// `lanefold view`: the data of the page are those of the scene and of the contacts folder, byte for byte or to the step
// of 16 bits; the file stays below its limit; a refused request leaves no file. The page itself is tested in a browser
// (bindings/web/tests, ./dev page --test); here a file with the mark takes its place.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fstream>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "contacts/io.hpp"
#include "events/folder.hpp"
#include "files/atomic_file.hpp"
#include "files/npy.hpp"
#include "support/tools/ground_scene.hpp"
#include "support/tools/program.hpp"
#include "support/tools/scenes.hpp"

namespace lanefold::tools {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using test::Outcome;
using test::program;
using test::TemporaryFolder;

constexpr std::uint64_t kFrames = 3;
constexpr std::uint64_t kMostBytes = 1U << 30U;

// The text between the first `begin` after `at` and `end`; moves `at` behind it.
std::string between(const std::string& text, const std::string& begin, const std::string& end, std::size_t& at) {
    const std::size_t first = text.find(begin, at);
    if (first == std::string::npos) return {};
    const std::size_t last = text.find(end, first + begin.size());
    at = last + end.size();
    return text.substr(first + begin.size(), last - first - begin.size());
}

std::vector<std::byte> from_base64(const std::string& text) {
    const std::string digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::vector<std::byte> out;
    std::uint32_t word = 0;
    int bits = 0;
    for (const char c : text) {
        if (c == '=') break;
        const std::size_t digit = digits.find(c);
        EXPECT_NE(digit, std::string::npos);
        word = word << 6U | static_cast<std::uint32_t>(digit);
        bits += 6;
        if (bits < 8) continue;
        bits -= 8;
        out.push_back(static_cast<std::byte>(word >> static_cast<unsigned>(bits) & 0xFFU));
    }
    return out;
}

struct Page {
    std::string text;
    json header;
    std::vector<std::byte> bytes;

    template <class T>
    std::vector<T> array(const char* name) const {
        const json& place = header["arrays"][name];
        std::vector<T> out(place["count"].get<std::size_t>());
        const auto at = place["at"].get<std::size_t>();
        EXPECT_LE(at + out.size() * sizeof(T), bytes.size()) << name;
        std::memcpy(out.data(), bytes.data() + at, out.size() * sizeof(T));
        return out;
    }
};

Page read_page(const fs::path& file) {
    Page page;
    page.text = read_file(file, kMostBytes);
    std::size_t at = 0;
    page.header =
        json::parse(between(page.text, "<script type=\"application/json\" id=\"lanefold-scene\">", "</script>", at));
    for (;;) {
        const std::string piece = between(page.text, "<script type=\"application/x-lanefold-bytes\">", "</script>", at);
        if (piece.empty()) break;
        const std::vector<std::byte> more = from_base64(piece);
        page.bytes.insert(page.bytes.end(), more.begin(), more.end());
    }
    EXPECT_EQ(page.bytes.size(), page.header["bytes"].get<std::size_t>());
    return page;
}

class View : public testing::Test {
protected:
    TemporaryFolder folder_;
    fs::path scene_ = folder_ / "scene";
    fs::path contacts_ = folder_ / "contacts";
    fs::path template_ = folder_ / "template.html";
    fs::path output_ = folder_ / "page.html";

    void SetUp() override {
        test::write_moving_scene(scene_, kFrames);
        std::ofstream(template_) << "<html><!--DATA--></html>";
        const Outcome done =
            program({"collide", scene_.string(), "-o", contacts_.string(), "--margin", "0.02", "--find-pairs"});
        ASSERT_EQ(done.exit_code, 0) << done.err;
    }

    Outcome view(std::vector<std::string> more, bool with_contacts = true) const {
        std::vector<std::string> arguments{"view", scene_.string()};
        if (with_contacts) arguments.push_back(contacts_.string());
        arguments.insert(arguments.end(), {"-o", output_.string(), "--page", template_.string()});
        arguments.insert(arguments.end(), more.begin(), more.end());
        return program(arguments);
    }
};

// Records in the page lack only the unused points.
void expect_records(const Page& page, const ContactsReader& contacts) {
    const std::vector<std::byte> records = page.array<std::byte>("records");
    const std::vector<std::uint32_t> first = page.array<std::uint32_t>("record_first");
    ASSERT_EQ(first.size(), kFrames + 1);
    std::vector<float> depths;  // of the points that overlap
    std::size_t at = 0;
    for (std::uint64_t f = 0; f < kFrames; ++f) {
        EXPECT_EQ(at, std::size_t{4} * first[f]);
        const RecordsReader reader = contacts.open_records(f, contacts.summary(f));
        std::vector<Manifold4> expected(reader.length());
        reader.read(0, std::span<Manifold4>(expected));
        EXPECT_GT(expected.size(), 1000U);
        for (const Manifold4& m : expected) {
            ASSERT_LE(at + 36 + 20 * std::size_t{m.count}, records.size());
            ASSERT_EQ(std::memcmp(records.data() + at, &m, 36), 0);
            ASSERT_EQ(std::memcmp(records.data() + at + 36, m.points, 20 * std::size_t{m.count}), 0);
            at += 36 + 20 * std::size_t{m.count};
            for (std::size_t i = 0; i < m.count; ++i) {
                if (m.points[i].separation < 0) depths.push_back(-m.points[i].separation);
            }
        }
    }
    EXPECT_EQ(at, records.size());
    std::sort(depths.begin(), depths.end());
    ASSERT_GT(depths.size(), 1000U);
    EXPECT_EQ(page.header["deepest"].get<float>(), depths.back());
    // 95 of 100 depths are at most this, and not at most anything less.
    const auto usual = page.header["usual_depth"].get<float>();
    const auto up_to = std::upper_bound(depths.begin(), depths.end(), usual) - depths.begin();
    const auto below = std::lower_bound(depths.begin(), depths.end(), usual) - depths.begin();
    EXPECT_GE(100 * up_to, 95 * std::ssize(depths));
    EXPECT_LT(100 * below, 95 * std::ssize(depths));
    EXPECT_LT(usual, depths.back());
}

TEST_F(View, DataAreThoseOfTheSceneAndOfTheContacts) {
    const Outcome done = view({});
    ASSERT_EQ(done.exit_code, 0) << done.err;
    EXPECT_NE(done.out.find("poses exact"), std::string::npos) << done.out;
    const Page page = read_page(output_);
    EXPECT_EQ(page.text.substr(0, 6), "<html>");
    EXPECT_EQ(page.text.substr(page.text.size() - 7), "</html>");
    const Scene scene(scene_);
    EXPECT_EQ(page.header["bodies"], scene.bodies());
    EXPECT_EQ(page.header["frames"], json::parse("[0, 1, 2]"));
    EXPECT_FALSE(page.header.contains("quantised"));
    const std::vector<float> position = page.array<float>("position");
    const std::vector<float> orientation = page.array<float>("orientation");
    SceneFrame frame;
    for (std::uint64_t f = 0; f < kFrames; ++f) {
        scene.read_frame(f, frame);
        ASSERT_EQ(std::memcmp(position.data() + f * frame.position.size(), frame.position.data(),
                              frame.position.size() * sizeof(float)),
                  0);
        ASSERT_EQ(std::memcmp(orientation.data() + f * frame.orientation.size(), frame.orientation.data(),
                              frame.orientation.size() * sizeof(float)),
                  0);
    }
    expect_records(page, ContactsReader(contacts_));
}

TEST_F(View, EventsAreThoseOfTheFolderThatBeginInTheFrames) {
    const fs::path events = folder_ / "events";
    const Outcome made = program({"collide", scene_.string(), "--events", events.string(), "--fps", "24",
                                  "--no-impulses", "--progress", "none"});
    ASSERT_EQ(made.exit_code, 0) << made.err;
    const std::vector<Event> all = EventsFolder(events).read_events();
    for (const bool some : {false, true}) {
        std::vector<std::string> more{"--events", events.string()};
        if (some) more.insert(more.end(), {"--frames", "1:3"});
        const Outcome done = view(more);
        ASSERT_EQ(done.exit_code, 0) << done.err;
        std::vector<Event> kept = all;
        if (some) std::erase_if(kept, [](const Event& e) { return e.begin < 1; });
        ASSERT_GT(kept.size(), 10U);
        EXPECT_EQ(kept.size() < all.size(), some);
        const Page page = read_page(output_);
        const std::vector<float> time = page.array<float>("event_time");
        const std::vector<float> numbers = page.array<float>("event_numbers");
        const std::vector<std::uint32_t> pair = page.array<std::uint32_t>("event_pair");
        ASSERT_EQ(pair.size(), 2 * kept.size());
        for (std::size_t i = 0; i < kept.size(); ++i) {
            EXPECT_EQ(time[2 * i], static_cast<float>(kept[i].begin));
            EXPECT_EQ(numbers[4 * i], kept[i].closing);
            EXPECT_EQ(pair[2 * i + 1], kept[i].pair.b);
        }
    }
    EXPECT_NE(view({"--events", contacts_.string()}).exit_code, 0);
}

TEST_F(View, CompressedContactsMakeTheSamePage) {
    ASSERT_EQ(view({}).exit_code, 0);
    const std::string expected = read_file(output_, 1U << 30U);
    EXPECT_GT(expected.size(), 100'000U);
    for (const char* way : {"fast", "small", "zstd"}) {
        fs::remove_all(contacts_);
        fs::remove(output_);
        const Outcome done = program({"collide", scene_.string(), "-o", contacts_.string(), "--margin", "0.02",
                                      "--find-pairs", "--compress", way});
        ASSERT_EQ(done.exit_code, 0) << done.err;
        const Outcome page = view({});
        ASSERT_EQ(page.exit_code, 0) << page.err;
        EXPECT_TRUE(read_file(output_, 1U << 30U) == expected) << way;
    }
}

TEST_F(View, TrianglesCloseEveryHull) {
    ASSERT_EQ(view({}, false).exit_code, 0);
    const Page page = read_page(output_);
    const auto vertex_first = page.array<std::uint32_t>("vertex_first");
    const auto triangle_first = page.array<std::uint32_t>("triangle_first");
    const auto triangles = page.array<std::uint32_t>("triangles");
    EXPECT_FALSE(page.header["arrays"].contains("records"));
    ASSERT_EQ(vertex_first.size(), 68U);
    for (std::size_t h = 0; h + 1 < vertex_first.size(); ++h) {
        const std::uint32_t vertices = vertex_first[h + 1] - vertex_first[h];
        EXPECT_EQ(triangle_first[h + 1] - triangle_first[h], 2 * vertices - 4) << h;
        for (std::size_t k = 3 * std::size_t{triangle_first[h]}; k < 3 * std::size_t{triangle_first[h + 1]}; ++k) {
            ASSERT_LT(triangles[k], vertices);
        }
    }
}

TEST_F(View, PosesOfSixteenBitsStayWithinTheirStepAndTheFileBelowItsLimit) {
    ASSERT_EQ(view({}).exit_code, 0);
    const Page exact = read_page(output_);
    // A little less than the exact page takes.
    const double limit = static_cast<double>(exact.text.size()) / 1e6 - 0.02;
    const Outcome done = view({"--max-size", std::to_string(limit)});
    ASSERT_EQ(done.exit_code, 0) << done.err;
    EXPECT_NE(done.out.find("poses of 16 bits"), std::string::npos) << done.out;
    EXPECT_LE(static_cast<double>(fs::file_size(output_)), limit * 1e6);
    const Page page = read_page(output_);
    const auto position = page.array<std::uint16_t>("position");
    const auto orientation = page.array<std::int16_t>("orientation");
    const auto true_position = exact.array<float>("position");
    const auto true_orientation = exact.array<float>("orientation");
    const auto low = page.header["quantised"]["low"].get<std::vector<double>>();
    const auto step = page.header["quantised"]["step"].get<std::vector<double>>();
    double worst = 0;
    for (std::size_t i = 0; i < position.size(); ++i) {
        const double x = low[i % 3] + position[i] * step[i % 3];
        worst = std::max(worst, std::fabs(x - static_cast<double>(true_position[i])) / step[i % 3]);
    }
    EXPECT_GT(worst, 0.4);
    EXPECT_LE(worst, 0.5001);
    for (std::size_t i = 0; i < orientation.size(); ++i) {
        ASSERT_NEAR(orientation[i] / 32767.0, static_cast<double>(true_orientation[i]), 0.51 / 32767);
    }
    expect_records(page, ContactsReader(contacts_));
}

TEST_F(View, WhatCannotBeDoneIsSaidAndLeavesNoFile) {
    const auto refused = [&](const Outcome& done, const char* why) {
        EXPECT_EQ(done.exit_code, 2);
        EXPECT_NE(done.err.find(why), std::string::npos) << done.err;
        EXPECT_FALSE(fs::exists(output_)) << why;
    };
    refused(view({"--max-size", "0.9"}), "--frames 0:");
    refused(view({"--max-size", "0.05"}), "not even one frame fits");
    refused(view({"--max-size", "0"}), "--max-size");
    refused(view({"--frames", "7"}), "frame");
    refused(view({"--up", "w"}), "--up must be x, y or z");
    std::ofstream(template_) << "<html></html>";
    refused(view({}), "this is no live page");
    fs::remove(template_);
    refused(view({}), "template.html");
    fs::remove(contacts_ / "frame_000001.json");
    std::ofstream(template_) << "<html><!--DATA--></html>";
    refused(view({"--frames", "0:3"}), "frame 1 has not been computed");
    const Outcome rest = view({});
    EXPECT_EQ(rest.exit_code, 0) << rest.err;
    EXPECT_NE(rest.out.find("1 of 3 frames have no contacts yet and were left out"), std::string::npos) << rest.out;
    EXPECT_EQ(read_page(output_).header["frames"], json::parse("[0, 2]"));
}

TEST_F(View, WithoutThePageItSaysHowToGetIt) {
    // A copy of the program, beside which there is no page.
    const fs::path alone = folder_ / "alone";
    fs::copy_file(LANEFOLD_PROGRAM, alone);
    const Outcome done = test::run_program(alone.string(), {"view", scene_.string(), "-o", output_.string()});
    EXPECT_EQ(done.exit_code, 2);
    EXPECT_NE(done.err.find("./dev page"), std::string::npos) << done.err;
    EXPECT_FALSE(fs::exists(output_));
}

// A surface is in the page once, and has a pose in each frame.
TEST_F(View, SurfacesMoveByTheirFrames) {
    const test::GroundScene made;
    made.write(folder_ / "ground", kFrames);
    std::vector<float> position, orientation;
    for (std::uint64_t f = 0; f < kFrames; ++f) {
        std::vector<float> p = made.position, q = made.orientation;
        const auto t = static_cast<float>(f);
        p[2] = 0.5F * t;
        q[1] = std::sin(0.1F * t);
        q[3] = std::cos(0.1F * t);
        position.insert(position.end(), p.begin(), p.end());
        orientation.insert(orientation.end(), q.begin(), q.end());
    }
    write_npy<float>(folder_ / "ground" / "position.npy", position, {kFrames, 3, 3});
    write_npy<float>(folder_ / "ground" / "orientation.npy", orientation, {kFrames, 3, 4});
    scene_ = folder_ / "ground";
    const Outcome outcome = view({}, false);
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    const Page page = read_page(output_);
    EXPECT_EQ(page.array<float>("position"), position);
    EXPECT_EQ(page.array<float>("orientation"), orientation);
    EXPECT_EQ(page.header["surfaces"], (json{1, 2, 5}));
}

}  // namespace
}  // namespace lanefold::tools
