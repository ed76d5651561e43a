// SPDX-License-Identifier: MIT
//
// Scenes with rounded hulls: version 3 is written where one is, and every command reads it. Wrong radii are refused by
// name and place.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include <nlohmann/json.hpp>

#include "files/npy.hpp"
#include "scene/drawn_hulls.hpp"
#include "scene/io.hpp"
#include "support/tools/program.hpp"
#include "support/tools/scenes.hpp"

namespace lanefold::tools {
namespace {

namespace fs = std::filesystem;
using test::Outcome;
using test::program;
using test::read_bytes;
using test::TemporaryFolder;

std::vector<Vec3f> box(float x, float y, float z) {
    std::vector<Vec3f> out;
    for (unsigned k = 0; k < 8; ++k)
        out.push_back({(k & 1U) != 0 ? x : -x, (k & 2U) != 0 ? y : -y, (k & 4U) != 0 ? z : -z});
    return out;
}

// A floor, two spheres, two capsules and a crate with rounded edges, 1 cm above one another or the floor.
struct RoundedScene {
    std::vector<Vec3f> vertices;
    std::vector<std::uint64_t> offsets{0};
    std::vector<float> radius{0, 0.5F, 0.25F, 0.125F};
    std::vector<std::uint32_t> body_hull{0, 1, 1, 2, 2, 3};
    std::vector<float> inverse_mass{0, 1, 1, 1, 1, 1};
    std::vector<float> position{0, -1, 0, 0, 0.51F, 0, 0, 1.52F, 0, 3, 0.26F, 0, 3, 0.77F, 0, -3, 0.51F, 0};

    RoundedScene() {
        for (const auto& points : {box(10, 1, 10), std::vector<Vec3f>{{0, 0, 0}},
                                   std::vector<Vec3f>{{-0.5F, 0, 0}, {0.5F, 0, 0}}, box(0.375F, 0.375F, 0.375F)}) {
            vertices.insert(vertices.end(), points.begin(), points.end());
            offsets.push_back(vertices.size());
        }
    }

    void write(const fs::path& folder) const {
        SceneWriter::Contents contents;
        contents.hull_offsets = offsets;
        contents.hull_vertices = vertices;
        contents.hull_radius = radius;
        contents.body_hull = body_hull;
        contents.inverse_mass = inverse_mass;
        SceneWriter writer(folder, contents);
        std::vector<float> orientation;
        for (std::size_t i = 0; i < body_hull.size(); ++i) orientation.insert(orientation.end(), {0, 0, 0, 1});
        writer.add_frame(std::span<const float>(position), orientation);
        writer.commit();
    }
};

TEST(RoundedScene, IsOfVersion3AndComesBack) {
    const TemporaryFolder folder;
    RoundedScene rounded;
    rounded.write(folder / "scene");
    const Scene scene(folder / "scene");
    EXPECT_EQ(scene.info().version, 3);
    ASSERT_EQ(scene.hull_radius().size(), 4U);
    EXPECT_EQ(scene.hull_radius()[1], 0.5F);
    const HullSet hulls = scene.build_hulls();
    EXPECT_EQ(hulls[2].round_radius, 0.25F);
    EXPECT_EQ(hulls[2].vertex_count, 2U);
    EXPECT_EQ(hulls[0].round_radius, 0);

    // Without a radius the same bytes as before.
    rounded.radius.clear();
    rounded.vertices.resize(8);
    rounded.offsets = {0, 8};
    rounded.body_hull.assign(6, 0);
    rounded.write(folder / "sharp");
    EXPECT_EQ(Scene(folder / "sharp").info().version, 1);
    EXPECT_FALSE(fs::exists(folder / "sharp" / "hull_radius.npy"));
    rounded.radius = {0};
    rounded.write(folder / "zeros");
    EXPECT_EQ(read_bytes(folder / "sharp" / "scene.json"), read_bytes(folder / "zeros" / "scene.json"));
    EXPECT_FALSE(fs::exists(folder / "zeros" / "hull_radius.npy"));
}

TEST(RoundedScene, WrongRadiiAndVersionsAreRefused) {
    const TemporaryFolder folder;
    RoundedScene().write(folder / "scene");
    const auto refused = [&](std::vector<float> radius, const std::vector<std::string>& words) {
        write_npy<float>(folder / "scene" / "hull_radius.npy", radius, {radius.size()});
        const Outcome outcome = program({"info", (folder / "scene").string()});
        EXPECT_EQ(outcome.exit_code, 2);
        for (const std::string& word : words) EXPECT_NE(outcome.err.find(word), std::string::npos) << outcome.err;
    };
    const float inf = std::numeric_limits<float>::infinity();
    refused({0, 0.5F, -0.25F, 0}, {"hull_radius.npy", "hull 2", "-0.25"});
    refused({0, 0.5F, inf, 0}, {"hull_radius.npy", "hull 2", "inf"});
    refused({0, std::nanf(""), 0.25F, 0}, {"hull_radius.npy", "hull 1", "nan"});
    refused({0, 0.5F, 2e15F, 0}, {"hull_radius.npy", "hull 2", "1e15"});
    refused({0, 0.5F}, {"hull_radius.npy", "(2,)", "(4,)"});
    refused({0, 0, 0.25F, 0}, {"hull_vertices.npy", "hull 1"});  // a point is no sharp hull
    refused({0, 0, 0, 0}, {"hull_vertices.npy", "hull 1"});

    write_npy<float>(folder / "scene" / "hull_radius.npy", std::vector<float>{0, 0.5F, 0.25F, 0}, {4});
    EXPECT_EQ(program({"info", (folder / "scene").string()}).exit_code, 0);
    write_npy<std::uint8_t>(folder / "scene" / "hull_kind.npy", std::vector<std::uint8_t>{0, 0, 9, 0}, {4});
    const Outcome kind = program({"info", (folder / "scene").string()});
    EXPECT_EQ(kind.exit_code, 2);
    EXPECT_NE(kind.err.find("kind 9"), std::string::npos) << kind.err;
    fs::remove(folder / "scene" / "hull_kind.npy");
    test::write_bytes(folder / "scene" / "scene.json", R"({"format": "lanefold-scene", "version": 2, "unit": "m"})");
    const Outcome version = program({"info", (folder / "scene").string()});
    EXPECT_EQ(version.exit_code, 2);
    EXPECT_NE(version.err.find("\"version\": 3"), std::string::npos) << version.err;
    test::write_bytes(folder / "scene" / "scene.json", R"({"format": "lanefold-scene", "version": 4, "unit": "m"})");
    EXPECT_NE(program({"info", (folder / "scene").string()}).err.find("1 to 3"), std::string::npos);
}

// Five gaps of 1 cm, which verify finds, too; the contacts belong to these radii.
TEST(RoundedScene, IsCollidedVerifiedAndReplayed) {
    const TemporaryFolder folder;
    const std::string scene = (folder / "scene").string(), contacts = (folder / "contacts").string();
    const std::string captured = (folder / "pairs.lfp").string();
    RoundedScene().write(scene);
    Outcome outcome = program({"collide", scene, "-o", contacts, "--margin", "0.05", "--capture", "distance < 0.02",
                               "--capture-to", captured, "--progress", "none"});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_EQ(test::count_of(outcome.out, "touching (distance <= margin)"), 5U) << outcome.out;
    outcome = program({"verify", scene, contacts, "--progress", "none"});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.out << outcome.err;
    outcome = program({"replay", captured, "--json"});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.out << outcome.err;
    EXPECT_NE(outcome.out.find("\"pairs\":5"), std::string::npos) << outcome.out;
    outcome = program({"info", scene});
    EXPECT_EQ(test::count_of(outcome.out, "rounded by a radius"), 3U);

    RoundedScene other;
    other.radius[1] = 0.49F;
    other.write(folder / "other");
    EXPECT_NE(program({"verify", (folder / "other").string(), contacts, "--progress", "none"}).exit_code, 0);
}

// A sphere and a capsule have no face to clip, and methods of others know no radius.
TEST(RoundedScene, IsToldStepByStep) {
    const TemporaryFolder folder;
    const std::string scene = (folder / "scene").string();
    RoundedScene().write(scene);
    for (const std::string pair : {"0,1", "1,2", "0,3", "3,4", "0,5", "1,5"}) {
        const Outcome outcome = program({"show", scene, "--pair", pair, "--margin", "10"});
        EXPECT_EQ(outcome.exit_code, 0) << pair << outcome.err;
        EXPECT_NE(outcome.out.find(pair == "1,5" ? "distance 2," : "distance 0.0"), std::string::npos)
            << pair << outcome.out;
    }
    for (const std::string command : {"show", "collide"}) {
        const Outcome outcome =
            command == "show" ? program({"show", scene, "--pair", "0,1", "--method", "published"})
                              : program({"collide", scene, "-o", (folder / "c").string(), "--method", "published"});
        EXPECT_NE(outcome.exit_code, 0) << command;
        EXPECT_NE(outcome.err.find("no rounded hulls"), std::string::npos) << command << outcome.err;
    }
}

// Faces of what is drawn lie within the rounded hull and reach its surface.
TEST(RoundedScene, DrawnHullsAreWithinTheRoundedOnes) {
    const TemporaryFolder folder;
    RoundedScene().write(folder / "scene");
    const Scene scene(folder / "scene");
    const HullSet hulls = scene.build_hulls();
    const HullSet drawn = drawn_hulls(scene, hulls, 0);
    ASSERT_EQ(drawn.size(), hulls.size());
    EXPECT_FALSE(drawn.rounded());
    for (std::size_t h = 1; h < 4; ++h) {
        const double exact = hulls.info(h).mass.volume, shown = drawn.info(h).mass.volume;
        EXPECT_LT(shown, exact);
        EXPECT_GT(shown, 0.93 * exact) << h;
        double most = 0;
        for (const Vec3f& v : drawn.vertices(h)) {
            double least = 1e30;  // from the core: a point, a segment along x or a cube, each about the origin
            const Vec3d p = to_double(v);
            const double half = h == 3 ? 0.375 : 0, along = h == 2 ? 0.5 : half;
            const auto beyond = [](double x, double reach) { return std::max(0.0, std::fabs(x) - reach); };
            least = std::hypot(beyond(p.x, along), beyond(p.y, half), beyond(p.z, half));
            most = std::max(most, std::fabs(least - static_cast<double>(hulls[h].round_radius)));
        }
        EXPECT_LT(most, 1e-6) << h;
    }
    EXPECT_EQ(drawn.vertices(0).size(), 8U);
}

TEST(RoundedScene, IsDrawnAndExported) {
    const TemporaryFolder folder;
    const std::string scene = (folder / "scene").string(), contacts = (folder / "contacts").string();
    RoundedScene().write(scene);
    ASSERT_EQ(program({"collide", scene, "-o", contacts, "--margin", "0.05", "--progress", "none"}).exit_code, 0);
    for (const std::string name : {"scene.svg", "scene.html"}) {
        const Outcome outcome = program({"picture", scene, contacts, "-o", (folder / name).string()});
        EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
        // Round bodies have many faces in sight: without them the floor and the crate have 6.
        const std::size_t at = outcome.out.find(" faces");
        ASSERT_NE(at, std::string::npos) << outcome.out;
        EXPECT_GT(test::occurrences(read_bytes(folder / name), "<path") +
                      test::occurrences(read_bytes(folder / name), "<polygon"),
                  50U)
            << outcome.out;
    }
    for (const std::string name : {"scene.usda", "scene.ply", "scene.pvd", "points.csv"}) {
        const Outcome outcome = program({"export", scene, contacts, "-o", (folder / name).string()});
        EXPECT_EQ(outcome.exit_code, 0) << name << outcome.err;
    }
}

TEST(RoundedScene, IsSimulated) {
    const TemporaryFolder folder;
    const std::string scene = (folder / "scene").string(), moved = (folder / "moved").string();
    RoundedScene().write(scene);
    const Outcome outcome = program({"simulate", scene, "-o", moved, "--steps", "240", "--every", "240"});
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    const Scene after(moved);
    EXPECT_EQ(after.info().version, 3);
    ASSERT_EQ(after.hull_radius().size(), 4U);
    SceneFrame frame;
    after.read_frame(1, frame);
    EXPECT_NEAR(frame.position[3 * 1 + 1], 0.5F, 5e-3F);
    EXPECT_NEAR(frame.position[3 * 3 + 1], 0.25F, 5e-3F);
    EXPECT_NEAR(frame.position[3 * 5 + 1], 0.5F, 5e-3F);
}

}  // namespace
}  // namespace lanefold::tools
