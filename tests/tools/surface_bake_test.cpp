// SPDX-License-Identifier: MIT
//
// Bakes of scenes with surfaces: files hold the records of the calls; shards, merging and resumption change nothing;
// verify finds nothing in them, and finds what is changed.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include <lanefold/narrowphase.hpp>

#include "contacts/io.hpp"
#include "scene/find_pairs.hpp"
#include "support/tools/baked_records.hpp"
#include "support/tools/ground_scene.hpp"
#include "support/tools/program.hpp"

namespace lanefold::tools {
namespace {

namespace fs = std::filesystem;
using test::count_of;
using test::GroundScene;
using test::Outcome;
using test::program;
using test::read_records;
using test::replace_records;
using test::same_bytes;
using test::TemporaryFolder;

GroundScene heap(unsigned seed, std::size_t bodies, float rough = 0.2F) {
    GroundScene out(seed, rough);
    out.scatter(seed + 1, bodies);
    return out;
}

template <class M>
std::vector<M> records_of_call(const fs::path& folder, float margin) {
    const Scene scene(folder);
    const HullSet hulls = scene.build_hulls();
    SceneFrame frame;
    scene.read_frame(0, frame);
    PairFinder finder;
    find_pairs(finder, scene, hulls, margin, frame);
    std::vector<M> out(20000);
    Options options;
    options.margin = margin;
    Workspace workspace;
    const CompactResult r = collide_compact(hulls, scene.view(frame), frame.pairs, options, out, workspace);
    EXPECT_TRUE(r.status) << r.status.what;
    out.resize(r.written);
    return out;
}

TEST(SurfaceBake, FilesHoldTheRecordsOfTheCalls) {
    const TemporaryFolder folder;
    const std::string scene = (folder / "scene").string();
    heap(1, 60).write(scene);
    const auto of4 = records_of_call<Manifold4>(scene, 0.05F);
    const auto of16 = records_of_call<Manifold16>(scene, 0.05F);
    const bool several =
        std::adjacent_find(of4.begin(), of4.end(), [](const Manifold4& a, const Manifold4& b) {
            return a.pair[0] == b.pair[0] && a.pair[1] == b.pair[1] && a.child_a == b.child_a && a.child_b == b.child_b;
        }) != of4.end();
    EXPECT_TRUE(several);
    for (const std::string capacity : {"4", "16"}) {
        for (const std::string form : {"none", "zstd", "fast"}) {
            const std::string contacts = (folder / (form + capacity)).string();
            std::vector<std::string> command{"collide", scene,        "-o",     contacts,     "--margin",
                                             "0.05",    "--capacity", capacity, "--progress", "none"};
            if (form != "none") command.insert(command.end(), {"--compress", form});
            const Outcome outcome = program(command);
            ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
            if (capacity == "4") {
                EXPECT_TRUE(same_bytes(read_records<Manifold4>(contacts), of4)) << form;
            } else {
                EXPECT_TRUE(same_bytes(read_records<Manifold16>(contacts), of16)) << form;
            }
            EXPECT_EQ(program({"info", contacts, "--check"}).exit_code, 0) << form;
        }
    }
}

TEST(SurfaceBake, EveryWayHasTheSameRecords) {
    const TemporaryFolder folder;
    const std::string scene = (folder / "scene").string(), contacts = (folder / "contacts").string();
    heap(2, 60).write(scene, 4);
    const auto bake = [&](const std::string& to, std::vector<std::string> more) {
        std::vector<std::string> command{"collide", scene, "--margin", "0.05", "--progress", "none"};
        if (!to.empty()) command.insert(command.end(), {"-o", to});
        command.insert(command.end(), more.begin(), more.end());
        const Outcome outcome = program(command);
        EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
        return outcome.out;
    };
    const auto hash = [](const std::string& text) {
        const std::size_t at = text.find("  hash ");
        std::string row = text.substr(at, text.find('\n', at) - at);
        std::erase(row, ' ');  // tables differ in width
        return row;
    };
    const std::string files = bake(contacts, {});
    for (const std::string& other :
         {bake("", {}), bake("", {"--repeat", "2"}), bake(contacts, {"--resume", "--threads", "1"}),
          bake((folder / "scalar").string(), {"--isa", "scalar"})})
        EXPECT_EQ(hash(other), hash(files));
    const std::string a = (folder / "a").string(), b = (folder / "b").string(), all = (folder / "all").string();
    bake(a, {"--shard", "0/2"});
    bake(b, {"--shard", "1/2"});
    const Outcome merged = program({"merge", a, b, "-o", all});
    ASSERT_EQ(merged.exit_code, 0) << merged.err;
    for (std::uint64_t frame = 0; frame < 4; ++frame)
        EXPECT_TRUE(same_bytes(read_records<Manifold4>(all, frame), read_records<Manifold4>(contacts, frame)));
    // A pair counts once, whatever the number of its records.
    const FrameSummary summary = ContactsReader(contacts).summary(0);
    EXPECT_LT(summary.touching, summary.records);
    EXPECT_LE(summary.touching, summary.pairs);
}

// A pair that is stored twice counts twice, and begins again.
TEST(SurfaceBake, PairsStoredTwice) {
    const TemporaryFolder folder;
    GroundScene made = heap(3, 1);
    made.position[9 + 0] = 0;  // into the field, with several records
    made.position[9 + 1] = 0;
    made.position[9 + 2] = 0.3F;
    made.write(folder / "scene");
    for (const auto& list : {std::vector<std::uint32_t>{0, 3, 0, 3}, std::vector<std::uint32_t>{3, 0, 3, 0, 3, 0}}) {
        const std::uint64_t pairs = list.size() / 2;
        write_npy<std::uint32_t>(folder / "scene" / "pairs.npy", list, {pairs, 2});
        write_npy<std::uint64_t>(folder / "scene" / "pair_offsets.npy", std::vector<std::uint64_t>{0, pairs}, {2});
        const std::string contacts = (folder / "contacts").string();
        fs::remove_all(contacts);
        ASSERT_EQ(program({"collide", (folder / "scene").string(), "-o", contacts}).exit_code, 0);
        EXPECT_EQ(ContactsReader(contacts).summary(0).touching, pairs);
        EXPECT_GT(ContactsReader(contacts).summary(0).records, pairs);
        EXPECT_EQ(program({"info", contacts, "--check"}).exit_code, 0);
        const Outcome outcome = program({"verify", (folder / "scene").string(), contacts, "--progress", "none"});
        EXPECT_EQ(outcome.exit_code, 0) << outcome.out << outcome.err;
    }
}

// Children of a compound are beside one another: what the second meets may have the normal of the first one's record.
TEST(SurfaceBake, ChildrenMayHaveTheSameNormals) {
    std::vector<Manifold4> records(3);
    records[0].normal[2] = records[2].normal[2] = 1;
    records[1].normal[0] = 1;
    records[1].child_b = records[2].child_b = 1;
    for (std::size_t i = 0; i < records.size(); ++i) {
        records[i].distance = static_cast<float>(i) - 4;
        records[i].kind = ContactKind::face_a;
    }
    FrameSummary summary;
    RecordCounter counter(summary);
    for (const Manifold4& m : records) counter.add(m);
    EXPECT_EQ(summary.touching, 1U);
    EXPECT_EQ(summary.records, 3U);
    counter.add(records[0]);  // the pair begins again
    EXPECT_EQ(summary.touching, 2U);
}

TEST(SurfaceBake, VerifyFindsNothing) {
    const TemporaryFolder folder;
    const std::string scene = (folder / "scene").string(), contacts = (folder / "contacts").string();
    std::uint64_t records = 0;
    const auto check = [&](const GroundScene& made, const std::vector<std::string>& more) {
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
        // The oracle does not tell which records of a pair are left out.
        if (std::find(more.begin(), more.end(), "--select") == more.end()) {
            EXPECT_EQ(count_of(outcome.out, "touching by the oracle"), summary.touching);
        }
    };
    check(heap(4, 80), {"--margin", "0.05"});
    check(heap(5, 80, 0.3F), {"--margin", "0"});
    check(heap(6, 80), {"--margin", "0.05", "--capacity", "16", "--points", "impact"});
    check(heap(7, 80), {"--method", "patch", "--margin", "0.1"});
    check(heap(8, 80), {"--margin", "0.05", "--select", "deeper-than=0.05", "--compress", "small"});
    GroundScene thin = heap(9, 80);
    thin.shapes.surfaces.thickness = {0.1F, 0.2F, 0.3F};
    check(thin, {"--margin", "0.05"});
    EXPECT_GT(records, 300U);
}

TEST(SurfaceBake, VerifyFindsWhatIsChanged) {
    const TemporaryFolder folder;
    const std::string scene = (folder / "scene").string(), contacts = (folder / "contacts").string();
    heap(10, 60).write(scene);
    using Records = std::vector<Manifold4>;
    const auto of_ground = [](const Manifold4& m) { return m.pair[0] < 3 && m.count > 0 && m.distance < -0.02F; };
    const auto first = [&](Records& r) -> Manifold4& { return *std::find_if(r.begin(), r.end(), of_ground); };
    const std::pair<const char*, std::function<void(Records&)>> lies[] = {
        {"missed",
         [&](Records& r) {
             const auto pair = std::pair(first(r).pair[0], first(r).pair[1]);
             std::erase_if(r, [&](const Manifold4& m) { return std::pair(m.pair[0], m.pair[1]) == pair; });
         }},
        {"distance", [&](Records& r) { first(r).distance -= 0.01F; }},
        {"off the surface", [&](Records& r) { first(r).points[0].position[2] += 0.05F; }},
        {"normal", [&](Records& r) { first(r).normal[2] = -first(r).normal[2]; }},
    };
    for (const auto& [row, lie] : lies) {
        fs::remove_all(contacts);
        ASSERT_EQ(program({"collide", scene, "-o", contacts, "--margin", "0.05"}).exit_code, 0);
        replace_records(contacts, lie);
        const Outcome outcome = program({"verify", scene, contacts, "--progress", "none"});
        EXPECT_EQ(outcome.exit_code, 1) << row << outcome.out << outcome.err;
        EXPECT_GT(count_of(outcome.out, row), 0U) << row << outcome.out;
    }
}

TEST(SurfaceBake, ChangedSurfacesAreNoticed) {
    const TemporaryFolder folder;
    const std::string scene = (folder / "scene").string(), contacts = (folder / "contacts").string();
    GroundScene made = heap(11, 10);
    made.write(scene);
    ASSERT_EQ(program({"collide", scene, "-o", contacts, "--margin", "0.05"}).exit_code, 0);
    GroundScene sample = made, vertex = made, thickness = made;
    sample.shapes.surfaces.samples[3] += 0.001F;
    vertex.shapes.surfaces.vertices[5].z += 0.001F;
    thickness.shapes.surfaces.thickness = {1, 1, 1};
    for (const GroundScene& other : {sample, vertex, thickness}) {
        other.write(scene);
        EXPECT_NE(program({"verify", scene, contacts}).exit_code, 0);
        EXPECT_NE(program({"collide", scene, "-o", contacts, "--margin", "0.05", "--resume"}).exit_code, 0);
    }
}

TEST(SurfaceBake, WhatKnowsNoSurfacesSaysSo) {
    const TemporaryFolder folder;
    const std::string scene = (folder / "scene").string();
    GroundScene made(12);
    made.add(0, {0, 0, 0.5F});
    made.write(scene);
    const auto refused = [&](const std::vector<std::string>& command, const char* words) {
        const Outcome outcome = program(command);
        EXPECT_NE(outcome.exit_code, 0) << words;
        EXPECT_NE(outcome.err.find(words), std::string::npos) << outcome.err;
    };
    made.add(3, {0, 0, 2});
    made.write(scene);
    refused({"show", scene, "--pair", "0,4"}, "body 4 is a compound");
    refused({"show", scene, "--pair", "0,1"}, "body 1 is a surface");
    refused({"show", scene, "--pair", "0,3", "-o", (folder / "p.svg").string()}, "not of a pair with a surface");
    refused({"show", scene, "--pair", "0,3", "--candidates"}, "--candidates: not of a pair with a surface");
    refused({"show", scene, "--pair", "0,3", "--method", "features"}, "no half-spaces, compounds and surfaces");
    // Without rounded hulls and compounds, which these refuse, too.
    made = GroundScene(12);
    made.shapes.kind[3] = 0;
    made.shapes.offsets.clear();
    made.shapes.children.clear();
    made.radius.assign(7, 0);
    made.vertices.resize(8);
    for (std::uint32_t h = 3; h < 7; ++h) {
        if (h != 5) test::add_box(made.vertices, 0.5F, 0.5F, 0.5F);
        made.offsets[h + 1] = made.vertices.size();
    }
    made.add(0, {0, 0, 0.5F});
    made.write(scene);
    for (const char* const method : {"published", "sutherland-hodgman", "features"})
        refused({"collide", scene, "--method", method}, "compounds and surfaces");
}

// Bodies come to rest on the surfaces, and a bake of what they did is right.
TEST(SurfaceBake, SimulatesOnSurfaces) {
    const TemporaryFolder folder;
    const std::string scene = (folder / "scene").string(), moved = (folder / "moved").string();
    GroundScene made(13, 0.05F);
    for (const float x : {-1.5F, 0.0F, 1.5F}) made.add(x == 0 ? 4 : 0, {x, 0, 1});
    made.add(0, {-9, 0, 1});    // on the flat field at z = 0.25
    made.inverse_mass.clear();  // surfaces are fixed without being told to
    made.write(scene);
    Outcome outcome = program({"simulate", scene, "-o", moved, "--steps", "240", "--every", "60"});
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    const Scene after(moved);
    EXPECT_EQ(after.build_hulls().fingerprint(), Scene(scene).build_hulls().fingerprint());
    SceneFrame frame;
    after.read_frame(4, frame);
    for (std::size_t body = 3; body < 6; ++body) {
        EXPECT_GT(frame.position[3 * body + 2], 0.3F) << body;
        EXPECT_LT(frame.position[3 * body + 2], 0.8F) << body;
    }
    EXPECT_NEAR(frame.position[3 * 6 + 2], 0.75F, 5e-3F);
    const std::string contacts = (folder / "contacts").string();
    ASSERT_EQ(program({"collide", moved, "-o", contacts}).exit_code, 0);
    outcome = program({"verify", moved, contacts, "--progress", "none"});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.out << outcome.err;
    EXPECT_GT(ContactsReader(contacts).summary(4).touching, 3U);
}

}  // namespace
}  // namespace lanefold::tools
