// SPDX-License-Identifier: MIT
//
// Bakes of scenes with half-spaces and compounds: files hold the records of the calls, whatever their number; verify
// finds nothing in them, and finds what is changed.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <functional>
#include <random>

#include <lanefold/narrowphase.hpp>

#include "contacts/io.hpp"
#include "files/atomic_file.hpp"
#include "scene/find_pairs.hpp"
#include "support/tools/baked_records.hpp"
#include "support/tools/program.hpp"
#include "support/tools/shapes_scene.hpp"

namespace lanefold::tools {
namespace {

namespace fs = std::filesystem;
using test::count_of;
using test::Outcome;
using test::program;
using test::read_records;
using test::replace_records;
using test::same_bytes;
using test::ShapesScene;
using test::TemporaryFolder;

// A heap of bodies of all kinds in a ball of this radius, on the floor; children of compounds are up to `spread` from
// their body, and `more` other children are added to each compound.
ShapesScene heap(unsigned seed, std::size_t bodies, float radius, double spread = 1.5, std::size_t more = 0) {
    ShapesScene out;
    std::mt19937 random(seed);
    const auto unit = [&] { return static_cast<float>(random() % 20001U) * 1e-4F - 1.0F; };
    std::vector<CompoundChild> children;
    std::vector<std::uint64_t> offsets{0};
    for (std::size_t c = 0; c < 2; ++c) {
        const auto own = std::span(out.shapes.children).subspan(2 * c, 2);
        children.insert(children.end(), own.begin(), own.end());
        for (std::size_t k = 0; k < more; ++k) {
            CompoundChild child = own[k % 2];
            for (double& x : child.position) x = spread * static_cast<double>(unit());
            children.push_back(child);
        }
        for (std::size_t k = offsets.back(); k < children.size(); ++k) {
            for (double& x : children[k].position) x *= spread / 1.5;
        }
        offsets.push_back(children.size());
    }
    out.shapes.children = children;
    out.shapes.offsets = offsets;
    out.body_hull = {1};
    out.inverse_mass = {0};
    out.position = {0, 0, 0};
    out.orientation = {0, 0, 0, 1};
    const std::uint32_t hulls[] = {3, 5, 0, 2, 4};
    for (std::size_t i = 0; i < bodies; ++i) {
        out.body_hull.push_back(hulls[i % 5]);
        out.inverse_mass.push_back(1);
        for (int k = 0; k < 3; ++k) out.position.push_back(radius * (unit() + (k == 1 ? 0.75F : 0.0F)));
        // Only a little where children are far away, so that those of two bodies still meet.
        const float turn = spread > 10 ? 1e-3F : 1.0F;
        const float q[4] = {turn * unit(), turn * unit(), turn * unit(), 1};
        const float length = std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
        for (const float x : q) out.orientation.push_back(x / length);
    }
    return out;
}

// The records that one call of the library gives.
template <class M>
std::vector<M> records_of_call(const fs::path& folder, float margin, std::size_t room) {
    const Scene scene(folder);
    const HullSet hulls = scene.build_hulls();
    SceneFrame frame;
    scene.read_frame(0, frame);
    PairFinder finder;
    find_pairs(finder, scene, hulls, margin, frame);
    std::vector<M> out(room);
    Options options;
    options.margin = margin;
    Workspace workspace;
    const CompactResult r = collide_compact(hulls, scene.view(frame), frame.pairs, options, out, workspace);
    EXPECT_TRUE(r.status) << r.status.what;
    out.resize(r.written);
    return out;
}

// Capacity 4 and 16, all forms of files; more records than pairs, so that rooms of one record a pair are too small.
TEST(ShapesBake, FilesHoldTheRecordsOfTheCalls) {
    const TemporaryFolder folder;
    const std::string scene = (folder / "scene").string();
    heap(1, 40, 1.5F, 1.5, 30).write(scene);
    const std::vector<Manifold4> of4 = records_of_call<Manifold4>(scene, 0.05F, 400000);
    const std::vector<Manifold16> of16 = records_of_call<Manifold16>(scene, 0.05F, 400000);
    std::uint64_t pairs = 0;
    for (const std::string capacity : {"4", "16"}) {
        for (const std::string form : {"none", "zstd", "fast", "small"}) {
            const std::string contacts = (folder / (form + capacity)).string();
            std::vector<std::string> command{"collide", scene,        "-o",     contacts,     "--margin",
                                             "0.05",    "--capacity", capacity, "--progress", "none"};
            if (form != "none") command.insert(command.end(), {"--compress", form});
            const Outcome outcome = program(command);
            ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
            const FrameSummary summary = ContactsReader(contacts).summary(0);
            pairs = summary.pairs;
            if (capacity == "4") {
                EXPECT_TRUE(same_bytes(read_records<Manifold4>(contacts), of4)) << form;
            } else {
                EXPECT_TRUE(same_bytes(read_records<Manifold16>(contacts), of16)) << form;
            }
            EXPECT_EQ(program({"info", contacts, "--check"}).exit_code, 0) << form;
        }
    }
    EXPECT_GT(of4.size(), 5 * pairs);
    EXPECT_GT(pairs, 300U);
}

TEST(ShapesBake, EveryWayHasTheSameHashAndCounts) {
    const TemporaryFolder folder;
    const std::string scene = (folder / "scene").string(), contacts = (folder / "contacts").string();
    heap(2, 40, 2.5F).write(scene, 3);
    const auto table = [&](std::vector<std::string> more) {
        std::vector<std::string> command{"collide", scene, "--margin", "0.05", "--progress", "none"};
        command.insert(command.end(), more.begin(), more.end());
        const Outcome outcome = program(command);
        EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
        return outcome.out;
    };
    const auto value = [](const std::string& text, const std::string& name) {
        const std::size_t at = text.find("  " + name + " ");
        std::string row = text.substr(at, text.find('\n', at) - at);
        std::erase(row, ' ');  // tables differ in width
        return row;
    };
    const std::string files = table({"-o", contacts});
    for (const std::string& other : {table({}), table({"--repeat", "2"}), table({"-o", contacts, "--repeat", "1"}),
                                     table({"-o", contacts, "--resume", "--threads", "1"}),
                                     table({"-o", (folder / "one").string(), "--isa", "scalar"})}) {
        for (const char* const name : {"hash", "touching (distance <= margin)", "overlapping"})
            EXPECT_EQ(value(other, name), value(files, name));
    }
    // A pair counts once, whatever the number of its records.
    const FrameSummary summary = ContactsReader(contacts).summary(0);
    EXPECT_LT(summary.touching, summary.records);
    EXPECT_LE(summary.touching, summary.pairs);
    std::uint64_t kinds = 0;
    for (std::size_t k = 1; k < kContactKindCount; ++k) kinds += summary.by_kind[k];
    EXPECT_EQ(kinds, summary.touching);
    EXPECT_EQ(summary.by_kind[0], summary.pairs - summary.touching);
}

TEST(ShapesBake, VerifyFindsNothing) {
    const TemporaryFolder folder;
    const std::string scene = (folder / "scene").string(), contacts = (folder / "contacts").string();
    std::uint64_t records = 0;
    const auto check = [&](const ShapesScene& made, const std::vector<std::string>& more) {
        made.write(scene);
        fs::remove_all(contacts);
        std::vector<std::string> command{"collide", scene, "-o", contacts, "--progress", "none"};
        command.insert(command.end(), more.begin(), more.end());
        Outcome outcome = program(command);
        ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
        outcome = program({"verify", scene, contacts, "--progress", "none"});
        EXPECT_EQ(outcome.exit_code, 0) << outcome.out << outcome.err;
        const FrameSummary summary = ContactsReader(contacts).summary(0);
        records += summary.records;
        EXPECT_EQ(count_of(outcome.out, "checked"), summary.pairs);
        EXPECT_EQ(count_of(outcome.out, "touching by the oracle"), summary.touching);
    };
    check(ShapesScene(), {"--margin", "0.05"});
    check(heap(3, 90, 2.5F), {"--margin", "0.05"});
    check(heap(4, 90, 2.5F), {"--margin", "0.05", "--capacity", "16", "--points", "impact"});
    check(heap(5, 90, 2.5F), {"--method", "patch", "--margin", "0.3"});
    check(heap(6, 90, 2.5F), {"--margin", "0.05", "--select", "deeper-than=0.05", "--compress", "small"});
    // Children that are small beside their distance from the body, whose points are as coarse as that distance.
    check(heap(7, 60, 4.0F, 300), {"--margin", "0.05"});
    EXPECT_GT(records, 1000U);
}

TEST(ShapesBake, VerifyFindsWhatIsChanged) {
    const TemporaryFolder folder;
    const std::string scene = (folder / "scene").string();
    heap(8, 40, 2.5F).write(scene);
    // The second record of a pair with several.
    const auto second = [](std::vector<Manifold4>& r) -> Manifold4& {
        for (std::size_t i = 1; i < r.size(); ++i) {
            if (r[i].pair[0] == r[i - 1].pair[0] && r[i].pair[1] == r[i - 1].pair[1] && r[i].distance < -0.01F)
                return r[i];
        }
        ADD_FAILURE() << "no pair has two records";
        return r[0];
    };
    // A record of the half-space, body 0.
    const auto on_floor = [](std::vector<Manifold4>& r) -> Manifold4& {
        return *std::find_if(r.begin(), r.end(), [](const Manifold4& m) { return m.pair[0] == 0 && m.count > 0; });
    };
    using Records = std::vector<Manifold4>;
    const std::pair<const char*, std::function<void(Records&)>> lies[] = {
        {"missed", [&](Records& r) { r.erase(r.begin() + (&second(r) - r.data())); }},
        {"distance", [&](Records& r) { second(r).distance *= 1.01F; }},
        {"features", [&](Records& r) { second(r).child_b += 100; }},
        {"off the surface", [&](Records& r) { second(r).points[0].position[0] += 0.01F; }},
        {"missed", [&](Records& r) { r.erase(r.begin() + (&on_floor(r) - r.data())); }},
        {"normal", [&](Records& r) { on_floor(r).normal[1] = -on_floor(r).normal[1]; }},
        {"features", [&](Records& r) { on_floor(r).feature_b = 3; }},
    };
    for (const auto& [row, lie] : lies) {
        const std::string contacts = (folder / "contacts").string();
        fs::remove_all(contacts);
        ASSERT_EQ(program({"collide", scene, "-o", contacts, "--margin", "0.05"}).exit_code, 0);
        replace_records(contacts, lie);
        const Outcome outcome = program({"verify", scene, contacts, "--progress", "none"});
        EXPECT_EQ(outcome.exit_code, 1) << row << outcome.out << outcome.err;
        EXPECT_GT(count_of(outcome.out, row), 0U) << row << outcome.out;
    }
}

TEST(ShapesBake, ChangedShapesAreNoticed) {
    const TemporaryFolder folder;
    const std::string scene = (folder / "scene").string(), contacts = (folder / "contacts").string();
    ShapesScene().write(scene);
    ASSERT_EQ(program({"collide", scene, "-o", contacts, "--margin", "0.05"}).exit_code, 0);
    ShapesScene plane;
    plane.shapes.half_spaces[0].offset = -0.001F;
    ShapesScene child;
    child.shapes.children[0].position[1] = 0.001;
    for (const ShapesScene& other : {plane, child}) {
        other.write(scene);
        EXPECT_NE(program({"verify", scene, contacts}).exit_code, 0);
        EXPECT_NE(program({"collide", scene, "-o", contacts, "--margin", "0.05", "--resume"}).exit_code, 0);
    }
}

// Every body within the margin of a plane is a candidate with it, and no other.
TEST(ShapesBake, FoundPairsHaveThoseOfThePlane) {
    const TemporaryFolder folder;
    ShapesScene().write(folder / "scene");
    const Scene scene(folder / "scene");
    SceneFrame frame;
    scene.read_frame(0, frame);
    PairFinder finder;
    find_pairs(finder, scene, scene.build_hulls(), 0.05F, frame);
    EXPECT_EQ(frame.pairs, (std::vector<Pair>{{0, 1}, {0, 3}, {0, 4}, {1, 2}, {3, 5}}));
}

TEST(ShapesBake, CapturesHaveHalfSpacesAndChildren) {
    const TemporaryFolder folder;
    const std::string scene = (folder / "scene").string(), captured = (folder / "pairs.lfp").string();
    ShapesScene().write(scene);
    Outcome outcome = program({"collide", scene, "--margin", "0.05", "--capture", "a == 0 and b >= 3 and reported == 1",
                               "--capture-to", captured});
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    outcome = program({"replay", captured, "--json"});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.out << outcome.err;
    EXPECT_NE(outcome.out.find("\"pairs\":2"), std::string::npos) << outcome.out;
    outcome = program({"collide", scene, "--margin", "0.05", "--capture", "distance < 0.02", "--capture-to", captured});
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    outcome = program({"replay", captured, "--json"});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.out << outcome.err;
    EXPECT_NE(outcome.out.find("\"pairs\":5"), std::string::npos) << outcome.out;
    EXPECT_NE(outcome.out.find("\"not_as_captured\":0"), std::string::npos) << outcome.out;
    // Accepted records are those of the call again.
    const std::string again = (folder / "again.lfp").string();
    EXPECT_EQ(program({"replay", captured, "-o", again}).exit_code, 0);
    EXPECT_EQ(read_file(again), read_file(captured));
}

TEST(ShapesBake, WhatKnowsHullsOnlySaysSo) {
    const TemporaryFolder folder;
    const std::string scene = (folder / "scene").string(), contacts = (folder / "contacts").string();
    ShapesScene made;
    made.body_hull[4] = 0;  // no sphere, which these methods refuse, too
    made.body_hull[5] = 3;
    made.radius.clear();
    made.vertices.insert(made.vertices.end(), {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}});
    made.offsets = {0, 8, 8, 16, 16, 20, 20};
    made.position[3 * 3 + 1] = 0.4F;  // in the floor, so there is a pair
    made.write(scene);
    for (const std::string method : {"published", "published-literal", "sutherland-hodgman", "features"}) {
        const Outcome outcome = program({"collide", scene, "--method", method, "-o", contacts});
        EXPECT_EQ(outcome.exit_code, 2);
        EXPECT_NE(outcome.err.find("no half-spaces, compounds and surfaces"), std::string::npos) << outcome.err;
        EXPECT_FALSE(std::filesystem::exists(contacts));
    }
    for (const auto& [pair, word] : {std::pair("0,3", "half-space"), std::pair("1,2", "compound")}) {
        const Outcome outcome = program({"show", scene, "--pair", pair});
        EXPECT_EQ(outcome.exit_code, 2) << outcome.out;
        EXPECT_NE(outcome.err.find(word), std::string::npos) << outcome.err;
    }
    EXPECT_EQ(program({"respond", scene}).exit_code, 0);  // a contact for each record of children
}

// All come to rest where the floor holds them.
TEST(ShapesBake, SimulatesOnAHalfSpace) {
    const TemporaryFolder folder;
    const std::string scene = (folder / "scene").string(), moved = (folder / "moved").string();
    ShapesScene made;
    made.write(scene);
    made.inverse_mass.clear();  // half-spaces are fixed without being told to
    made.write(scene);
    Outcome outcome = program({"simulate", scene, "-o", moved, "--steps", "240", "--every", "240"});
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    const Scene after(moved);
    EXPECT_EQ(after.info().version, 3);
    EXPECT_EQ(after.other_shapes().half_spaces, made.shapes.half_spaces);
    EXPECT_EQ(after.other_shapes().children.size(), 4U);
    SceneFrame frame;
    after.read_frame(1, frame);
    EXPECT_NEAR(frame.position[3 * 3 + 1], 0.5F, 5e-3F);
    EXPECT_NEAR(frame.position[3 * 4 + 1], 0.5F, 5e-3F);
    EXPECT_EQ(frame.position[1], 0.0F);
    // A bake of the result is right.
    const std::string contacts = (folder / "contacts").string();
    ASSERT_EQ(program({"collide", moved, "-o", contacts}).exit_code, 0);
    outcome = program({"verify", moved, contacts, "--progress", "none"});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.out << outcome.err;
}

}  // namespace
}  // namespace lanefold::tools
