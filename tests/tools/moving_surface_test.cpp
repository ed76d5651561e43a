// SPDX-License-Identifier: MIT
//
// Scenes whose surfaces move and turn: a bake has in each frame the records of the calls with that frame's poses, by
// every way, and verify finds nothing in it; pictures, pages and exports show the surface where it is.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <string>
#include <vector>

#include <lanefold/collide_surface.hpp>
#include <lanefold/narrowphase.hpp>

#include "contacts/io.hpp"
#include "scene/find_pairs.hpp"
#include "support/tools/baked_records.hpp"
#include "support/tools/ground_scene.hpp"
#include "support/tools/program.hpp"

namespace lanefold::tools {
namespace {

namespace fs = std::filesystem;
using test::GroundScene;
using test::Outcome;
using test::program;
using test::read_records;
using test::same_bytes;
using test::TemporaryFolder;

constexpr std::uint64_t kFrames = 6;

// Bodies on three surfaces of which the first tilts and rises, the second turns like a door, the third runs along x.
struct MovingGround {
    GroundScene made;
    std::vector<std::vector<float>> position;
    std::vector<std::vector<float>> orientation;

    explicit MovingGround(unsigned seed, std::size_t bodies = 60) : made(seed) {
        made.scatter(seed + 1, bodies);
        for (std::uint64_t f = 0; f < kFrames; ++f) {
            std::vector<float> p = made.position, q = made.orientation;
            const auto t = static_cast<float>(f);
            const auto turn = [&](std::size_t body, std::size_t axis, float angle) {
                std::fill_n(q.begin() + static_cast<std::ptrdiff_t>(4 * body), 3, 0.0F);
                q[4 * body + axis] = std::sin(angle / 2);
                q[4 * body + 3] = std::cos(angle / 2);
            };
            turn(0, 1, 0.06F * t);
            p[2] = 0.05F * t;
            turn(1, 2, 0.4F * t);
            p[3 * 2 + 0] += 0.7F * t;
            position.push_back(p);
            orientation.push_back(q);
        }
    }

    // Frames `first` to `end` - 1.
    void write(const fs::path& folder, std::uint64_t first = 0, std::uint64_t end = kFrames) const {
        SceneWriter::Contents contents;
        contents.info.up = 2;
        contents.hull_offsets = made.offsets;
        contents.hull_vertices = made.vertices;
        contents.hull_radius = made.radius;
        contents.other_shapes = made.shapes;
        contents.body_hull = made.body_hull;
        contents.inverse_mass = made.inverse_mass;
        SceneWriter writer(folder, contents, true);
        for (std::uint64_t f = first; f < end; ++f)
            writer.add_frame(std::span<const float>(position[f]), orientation[f]);
        writer.commit();
    }
};

std::vector<Manifold4> records_of_call(const Scene& scene, std::uint64_t f, float margin) {
    const HullSet hulls = scene.build_hulls();
    SceneFrame frame;
    scene.read_frame(f, frame);
    PairFinder finder;
    find_pairs(finder, scene, hulls, margin, frame);
    std::vector<Manifold4> out(20000);
    Options options;
    options.margin = margin;
    Workspace workspace;
    const CompactResult r = collide_compact(hulls, scene.view(frame), frame.pairs, options, out, workspace);
    EXPECT_TRUE(r.status) << r.status.what;
    out.resize(r.written);
    return out;
}

Outcome bake(const fs::path& scene, const fs::path& contacts, std::vector<std::string> more = {}) {
    std::vector<std::string> command{"collide",  scene.string(), "-o",         contacts.string(),
                                     "--margin", "0.05",         "--progress", "none"};
    command.insert(command.end(), more.begin(), more.end());
    const Outcome outcome = program(command);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return outcome;
}

TEST(MovingSurface, EachFrameHasTheRecordsOfTheCalls) {
    const TemporaryFolder folder;
    const MovingGround ground(21);
    ground.write(folder / "scene");
    static_cast<void>(bake(folder / "scene", folder / "contacts"));
    const Scene scene(folder / "scene");
    std::size_t of_surfaces = 0, changed = 0;
    std::vector<Manifold4> before;
    for (std::uint64_t f = 0; f < kFrames; ++f) {
        const std::vector<Manifold4> baked = read_records<Manifold4>(folder / "contacts", f);
        EXPECT_TRUE(same_bytes(baked, records_of_call(scene, f, 0.05F))) << f;
        for (const Manifold4& m : baked) of_surfaces += m.pair[0] < 3 ? 1U : 0U;
        if (f > 0 && !same_bytes(baked, before)) ++changed;
        before = baked;
        // A scene of this frame alone, in which nothing moves.
        ground.write(folder / "still", f, f + 1);
        fs::remove_all(folder / "still_contacts");
        static_cast<void>(bake(folder / "still", folder / "still_contacts"));
        EXPECT_TRUE(same_bytes(baked, read_records<Manifold4>(folder / "still_contacts"))) << f;
    }
    EXPECT_GT(of_surfaces, 100U);
    EXPECT_EQ(changed, kFrames - 1);
}

// collide_surface() takes the surface's pose itself. Its body a is the body, so its normals are the other way round.
TEST(MovingSurface, AndThoseOfTheSurfacesOwnCall) {
    const TemporaryFolder folder;
    MovingGround(22, 120).write(folder / "scene");
    static_cast<void>(bake(folder / "scene", folder / "contacts"));
    const Scene scene(folder / "scene");
    const HullSet hulls = scene.build_hulls();
    Options options;
    options.margin = 0.05F;
    std::size_t compared = 0;
    for (std::uint64_t f = 0; f < kFrames; ++f) {
        SceneFrame frame;
        scene.read_frame(f, frame);
        SurfacePose pose;
        std::copy_n(frame.position.begin(), 3, pose.position);
        std::copy_n(frame.orientation.begin(), 4, pose.orientation);
        const std::vector<Manifold4> baked = read_records<Manifold4>(folder / "contacts", f);
        for (std::uint32_t body = 3; body < scene.bodies(); ++body) {
            if (hulls.child_count(scene.body_hull()[body]) != 0) continue;
            std::vector<Manifold4> mine;
            for (const Manifold4& m : baked)
                if (m.pair[0] == 0 && m.pair[1] == body) mine.push_back(m);
            SurfaceContacts own;
            ASSERT_TRUE(
                collide_surface(*hulls.surface(2), pose, hulls, scene.view(frame), std::span(&body, 1), options, own));
            ASSERT_EQ(own.records.size(), mine.size()) << f << " " << body;
            for (std::size_t i = 0; i < mine.size(); ++i) {
                EXPECT_EQ(own.records[i].distance, mine[i].distance) << f << " " << body;
                for (std::size_t k = 0; k < 3; ++k) EXPECT_EQ(own.records[i].normal[k], -mine[i].normal[k]);
            }
            compared += mine.size();
        }
    }
    EXPECT_GT(compared, 50U);
}

TEST(MovingSurface, EveryWayHasTheSameRecords) {
    const TemporaryFolder folder;
    MovingGround(23).write(folder / "scene");
    static_cast<void>(bake(folder / "scene", folder / "contacts"));
    static_cast<void>(bake(folder / "scene", folder / "scalar", {"--isa", "scalar", "--threads", "1"}));
    static_cast<void>(bake(folder / "scene", folder / "a", {"--shard", "0/2"}));
    static_cast<void>(bake(folder / "scene", folder / "b", {"--shard", "1/2"}));
    const Outcome merged =
        program({"merge", (folder / "a").string(), (folder / "b").string(), "-o", (folder / "all").string()});
    ASSERT_EQ(merged.exit_code, 0) << merged.err;
    for (std::uint64_t f = 0; f < kFrames; ++f) {
        const std::vector<Manifold4> records = read_records<Manifold4>(folder / "contacts", f);
        EXPECT_TRUE(same_bytes(records, read_records<Manifold4>(folder / "scalar", f))) << f;
        EXPECT_TRUE(same_bytes(records, read_records<Manifold4>(folder / "all", f))) << f;
    }
}

TEST(MovingSurface, VerifyFindsNothing) {
    const TemporaryFolder folder;
    MovingGround(24, 40).write(folder / "scene");
    static_cast<void>(bake(folder / "scene", folder / "contacts"));
    const Outcome outcome =
        program({"verify", (folder / "scene").string(), (folder / "contacts").string(), "--progress", "none"});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.out << outcome.err;
    EXPECT_GT(test::count_of(outcome.out, "checked"), 100U);
    EXPECT_GT(test::count_of(outcome.out, "touching by the oracle"), 50U);
}

// Contacts of other poses of the surface are found to be wrong.
TEST(MovingSurface, VerifyFindsTheContactsOfAnotherFrame) {
    const TemporaryFolder folder;
    const MovingGround ground(25, 40);
    ground.write(folder / "scene");
    static_cast<void>(bake(folder / "scene", folder / "contacts"));
    MovingGround other = ground;
    other.position[3][2] += 0.02F;  // the first surface in frame 3 only
    other.write(folder / "scene");
    const Outcome outcome =
        program({"verify", (folder / "scene").string(), (folder / "contacts").string(), "--progress", "none"});
    EXPECT_NE(outcome.exit_code, 0) << outcome.out;
    EXPECT_NE((outcome.out + outcome.err).find("frame 3"), std::string::npos) << outcome.out << outcome.err;
}

TEST(MovingSurface, IsDrawnWhereItIs) {
    const TemporaryFolder folder;
    MovingGround(26, 8).write(folder / "scene");
    static_cast<void>(bake(folder / "scene", folder / "contacts"));
    const std::string scene = (folder / "scene").string(), contacts = (folder / "contacts").string();
    std::string pictures[2];
    for (const std::size_t k : {0U, 1U}) {
        const std::string to = (folder / ("picture" + std::to_string(k) + ".svg")).string();
        const Outcome outcome = program({"picture", scene, contacts, "-o", to, "--frame", k == 0 ? "0" : "5"});
        ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
        pictures[k] = test::read_bytes(to);
        EXPECT_GT(test::occurrences(pictures[k], "class=\"ground\""), 20U);
    }
    EXPECT_NE(pictures[0], pictures[1]);
    const std::string usd = (folder / "scene.usda").string();
    const Outcome outcome = program({"export", scene, contacts, "-o", usd});
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    const std::string text = test::read_bytes(usd);
    const std::size_t at = text.find("custom int lanefold:body = 0\n");
    ASSERT_NE(at, std::string::npos);
    // The first surface has samples of its own: it rises by 5 cm a frame, and z is up.
    const std::string own = text.substr(at, text.find("custom int lanefold:body = 1\n") - at);
    EXPECT_NE(own.find("xformOp:translate.timeSamples"), std::string::npos) << own;
    EXPECT_NE(own.find("xformOp:orient.timeSamples"), std::string::npos) << own;
}

}  // namespace
}  // namespace lanefold::tools
