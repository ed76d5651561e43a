// SPDX-License-Identifier: MIT
//
// `lanefold verify` for bodies of very different size: pebbles on a ground, and a scene over four decades. Right
// records pass, and missing contacts of small bodies are found.

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "contacts/io.hpp"
#include "files/npy.hpp"
#include "scene/io.hpp"
#include "support/random.hpp"
#include "support/tools/program.hpp"

namespace lanefold::tools {
namespace {

namespace fs = std::filesystem;
using test::Outcome;
using test::program;
using test::TemporaryFolder;

struct Bodies {
    std::vector<std::uint64_t> offsets{0};
    std::vector<Vec3f> vertices;
    std::vector<std::uint32_t> body_hull;
    std::vector<float> position;
    std::vector<float> orientation;
    std::vector<float> inverse_mass;

    void add(const std::vector<Vec3f>& hull, const Vec3d& at, const std::array<double, 4>& q, bool fixed) {
        vertices.insert(vertices.end(), hull.begin(), hull.end());
        offsets.push_back(vertices.size());
        body_hull.push_back(static_cast<std::uint32_t>(body_hull.size()));
        for (const double x : {at.x, at.y, at.z}) position.push_back(static_cast<float>(x));
        for (const double x : q) orientation.push_back(static_cast<float>(x));
        inverse_mass.push_back(fixed ? 0.0F : 1.0F);
    }

    void write(const fs::path& folder) const {
        SceneWriter::Contents contents;
        contents.hull_offsets = offsets;
        contents.hull_vertices = vertices;
        contents.body_hull = body_hull;
        contents.inverse_mass = inverse_mass;
        SceneWriter writer(folder, contents);
        writer.add_frame(std::span<const float>(position), orientation);
        writer.commit();
    }
};

std::vector<Vec3f> box(double x, double y, double z) {
    std::vector<Vec3f> out;
    for (int k = 0; k < 8; ++k) {
        out.push_back(to_float(Vec3d{(k & 1) != 0 ? x : -x, (k & 2) != 0 ? y : -y, (k & 4) != 0 ? z : -z}));
    }
    return out;
}

std::vector<Vec3f> pebble(test::Random& random, double radius) {
    std::vector<Vec3f> out;
    while (out.size() < 14) {
        const Vec3d p{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)};
        if (length(p) > 0.1) out.push_back(to_float(normalized(p) * radius));
    }
    return out;
}

std::array<double, 4> turn(test::Random& random) {
    std::array<double, 4> q{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)};
    const double l = std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    for (double& x : q) x /= l;
    return q;
}

// Pebbles that overlap a ground (its top is z = 0) by `depth`, on a grid of ten by ten.
Bodies pebbles_on_ground(double ground, double radius, double depth) {
    test::Random random(3, 5);
    Bodies bodies;
    bodies.add(box(ground, ground, ground / 10), {0, 0, -ground / 10}, {0, 0, 0, 1}, true);
    for (int i = 0; i < 100; ++i) {
        const std::vector<Vec3f> hull = pebble(random, radius);
        float lowest = 0;
        for (const Vec3f& p : hull) lowest = std::min(lowest, p.z);
        const int row = i / 10;
        bodies.add(hull, {(i % 10 - 4.5) * 0.15 * ground, (row - 4.5) * 0.15 * ground, -double{lowest} - depth},
                   {0, 0, 0, 1}, false);
    }
    return bodies;
}

TEST(VerifyScales, PebblesOnAFloorRaiseNothing) {
    for (const char* method : {"clip", "patch"}) {
        const TemporaryFolder folder;
        const std::string scene = (folder / "scene").string();
        const std::string contacts = (folder / "contacts").string();
        pebbles_on_ground(10, 0.02, 1e-4).write(scene);
        ASSERT_EQ(program({"collide", scene, "-o", contacts, "--method", method}).exit_code, 0);
        const Outcome outcome = program({"verify", scene, contacts});
        EXPECT_EQ(outcome.exit_code, 0) << outcome.out << outcome.err;
        EXPECT_EQ(test::count_of(outcome.out, "reported"), 100U) << outcome.out;
    }
}

TEST(VerifyScales, PebblesRemovedFromTheContactsOfAGroundAreMissed) {
    const TemporaryFolder folder;
    const fs::path scene = folder / "scene";
    const fs::path contacts = folder / "contacts";
    pebbles_on_ground(100, 0.01, 2e-4).write(scene);
    ASSERT_EQ(program({"collide", scene.string(), "-o", contacts.string()}).exit_code, 0);
    ASSERT_EQ(program({"verify", scene.string(), contacts.string()}).exit_code, 0);

    const ContactsReader reader(contacts);
    FrameSummary summary = reader.summary(0);
    ASSERT_EQ(summary.records, 100U);
    const ContactsWriter writer(contacts, reader.description());
    writer.begin_frame(0, 4).commit();
    summary.records = 0;
    summary = recount(RecordsReader(contacts / "frame_000000.npy", 4), summary, 4);
    test::write_bytes(contacts / "frame_000000.json", summary.json());
    const Outcome outcome = program({"verify", scene.string(), contacts.string()});
    EXPECT_EQ(outcome.exit_code, 1) << outcome.out << outcome.err;
    EXPECT_EQ(test::count_of(outcome.out, "missed"), 100U) << outcome.out;
}

TEST(VerifyScales, FourDecadesOfSizeRaiseNothing) {
    test::Random random(11, 7);
    Bodies bodies;
    for (int i = 0; i < 240; ++i) {
        const double radius = std::pow(10.0, random.uniform(-2, 2));
        // Around the shells of the larger ones: overlaps of every ratio.
        const Vec3d way = normalized(Vec3d{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)});
        const double reach = std::pow(10.0, random.uniform(-1, 2));
        bodies.add(i % 3 == 0 ? box(radius, 0.7 * radius, 0.4 * radius) : pebble(random, radius), way * reach,
                   turn(random), false);
    }
    const TemporaryFolder folder;
    const std::string scene = (folder / "scene").string();
    bodies.write(scene);
    for (const std::string& method : {std::string("clip"), std::string("patch")}) {
        for (const std::string& margin : {std::string("0"), std::string("0.05")}) {
            std::string contacts = (folder / "contacts").string();
            contacts += method;
            contacts += margin;
            ASSERT_EQ(program({"collide", scene, "-o", contacts, "--method", method, "--margin", margin, "--capacity",
                               margin == "0" ? "4" : "16"})
                          .exit_code,
                      0);
            const Outcome outcome = program({"verify", scene, contacts});
            EXPECT_EQ(outcome.exit_code, 0) << method << " " << margin << "\n" << outcome.out << outcome.err;
        }
    }
}

}  // namespace
}  // namespace lanefold::tools
