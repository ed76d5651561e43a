// SPDX-License-Identifier: MIT
//
// Nodes of one mesh at different sizes share its hull and get scales; stretched and mirrored ones get hulls of their
// own. All vertices are where the matrices of the file have them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "files/npy.hpp"
#include "import/rigid.hpp"
#include "scene/io.hpp"
#include "support/tools/gltf_writer.hpp"
#include "support/tools/program.hpp"

namespace lanefold::tools {
namespace {

namespace fs = std::filesystem;
using test::GltfWriter;
using test::Outcome;
using test::program;
using test::TemporaryFolder;

// A node of a mesh of a box: turned about z and scaled.
struct Node {
    std::vector<double> scale;
    double degrees = 0;
    Vec3d place;
};

const double kRight = std::acos(-1.0) / 2;
const Vec3f kHalf{0.5F, 0.25F, 0.125F};

// Boxes about a point of their node, each 3 m from the next.
GltfWriter file_of(const std::vector<Node>& nodes, const Vec3f& middle) {
    GltfWriter out;
    std::vector<float> points;
    for (unsigned c = 0; c < 8; ++c) {
        points.insert(points.end(),
                      {middle.x + ((c & 1U) != 0 ? kHalf.x : -kHalf.x), middle.y + ((c & 2U) != 0 ? kHalf.y : -kHalf.y),
                       middle.z + ((c & 4U) != 0 ? kHalf.z : -kHalf.z)});
    }
    const int mesh = out.mesh(points, {0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6, 0, 1, 5, 0, 5, 4,
                                       2, 6, 7, 2, 7, 3, 0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5});
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        const double half = nodes[i].degrees * kRight / 180;
        out.node({{"name", "box_" + std::to_string(i)},
                  {"mesh", mesh},
                  {"translation", {nodes[i].place.x, nodes[i].place.y, nodes[i].place.z}},
                  {"rotation", {0, 0, std::sin(half), std::cos(half)}},
                  {"scale", nodes[i].scale}});
    }
    return out;
}

// A point of the node's mesh in the world, by the file's numbers.
Vec3d placed(const Node& node, const Vec3d& p) {
    const double angle = node.degrees * kRight / 90;
    const Vec3d at{node.scale[0] * p.x, node.scale[1] * p.y, node.scale[2] * p.z};
    return node.place + Vec3d{std::cos(angle) * at.x - std::sin(angle) * at.y,
                              std::sin(angle) * at.x + std::cos(angle) * at.y, at.z};
}

// The largest distance of a vertex from where the file has it, relative to the largest half size of its box. All bodies
// have the eight corners.
double worst_vertex(const Scene& scene, const std::vector<Node>& nodes, const Vec3f& middle) {
    SceneFrame frame;
    scene.read_frame(0, frame);
    double worst = 0;
    for (std::size_t b = 0; b < nodes.size(); ++b) {
        Quat q;
        EXPECT_TRUE(normalize(frame.orientation.data() + 4 * b, q));
        const double* const p = frame.position_double.data() + 3 * b;
        const std::uint64_t first = scene.hull_offsets()[scene.body_hull()[b]];
        for (unsigned c = 0; c < 8; ++c) {
            const Vec3f corner{middle.x + ((c & 1U) != 0 ? kHalf.x : -kHalf.x),
                               middle.y + ((c & 2U) != 0 ? kHalf.y : -kHalf.y),
                               middle.z + ((c & 4U) != 0 ? kHalf.z : -kHalf.z)};
            const Vec3d wanted = placed(nodes[b], to_double(corner));
            double nearest = 1e9;
            for (std::uint64_t v = first; v < first + 8; ++v) {
                const Vec3d own = rotation(q) * to_double(scene.hull_vertices()[v]) + Vec3d{p[0], p[1], p[2]};
                nearest = std::min(nearest, length(own - wanted));
            }
            worst = std::max(worst, nearest / (0.5 * std::fabs(nodes[b].scale[0])));
        }
    }
    return worst;
}

Outcome import(const std::string& file, const fs::path& scene, std::vector<std::string> more = {}) {
    std::vector<std::string> arguments{"import", file, "-o", scene.string(), "--apply-scale", "--progress", "none"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return program(arguments);
}

// Three sizes of one mesh, two stretched alike, two mirrored. Neighbours overlap, so there are contacts.
std::vector<Node> sizes() {
    return {{{1, 1, 1}, 0, {0, 0, 0}},
            {{2, 2, 2}, 30, {1, 0.25, 0}},
            {{1.5, 1.5, 1.5}, -75, {1.5, 1, 0.25}},
            {{1, 2, 1}, 45, {2, 0.5, 0.5}},
            {{1, 2, 1}, 10, {2.5, 0.75, 0.5}},
            {{-2, -2, -2}, 20, {3, 0.5, 0.25}},
            {{-2, 2, 2}, 0, {3.5, 0, 0.5}},
            {{1 / 3.0, 1 / 3.0, 1 / 3.0}, 5, {0, 0.25, 0.25}}};
}

TEST(ImportScales, SizesOfOneMeshShareItsHull) {
    for (const bool far : {false, true}) {
        const TemporaryFolder folder;
        const Vec3f middle = far ? Vec3f{40, -60, 30} : Vec3f{0.125F, 0.0625F, 0};
        std::vector<Node> nodes = sizes();
        // Boxes are at their places, however far their nodes are.
        for (Node& node : nodes) node.place = node.place * 2.0 - placed(node, to_double(middle));
        const std::string path = file_of(nodes, middle).write(folder / "a.glb");
        const std::string scene_path = (folder / "scene").string(), contacts = (folder / "contacts").string();
        const Outcome done = import(path, scene_path, {"--group-by", "none"});
        ASSERT_EQ(done.exit_code, 0) << done.err;
        // One for four sizes, one for two stretched nodes, and one for two mirrored ones, which differ by a turn.
        EXPECT_EQ(test::count_of(done.out, "different hulls"), 3U) << done.out;
        EXPECT_EQ(test::count_of(done.out, "bodies that share them at a scale"), 3U) << done.out;
        const Scene scene(scene_path);
        EXPECT_EQ(scene.info().version, 3);
        EXPECT_EQ(scene.hulls_in_files(), 3U);
        EXPECT_EQ(scene.hulls(), 6U);
        const std::vector<float> scales{1, 2, 1.5F, 1, 1, 1, 1, 1 / 3.0F};
        EXPECT_TRUE(std::equal(scales.begin(), scales.end(), scene.body_scale().begin(), scene.body_scale().end()));
        const auto hull = scene.body_hull_in_files();
        EXPECT_EQ(hull[1], hull[0]);
        EXPECT_EQ(hull[2], hull[0]);
        EXPECT_EQ(hull[7], hull[0]);
        EXPECT_EQ(hull[4], hull[3]);
        const double worst = worst_vertex(scene, nodes, middle);
        std::printf("  worst vertex: %.2e of its size\n", worst);
        EXPECT_LT(worst, far ? 2e-5 : 1e-6);  // far away the orientation's float32 counts, as for any piece
        // The judge takes the numbers of the file for the truth.
        ASSERT_EQ(program({"collide", scene_path, "-o", contacts, "--margin", "0.02"}).exit_code, 0);
        const Outcome verified = program({"verify", scene_path, contacts, "--against", "files", "--progress", "none"});
        EXPECT_EQ(verified.exit_code, 0) << verified.out << verified.err;
        EXPECT_GT(test::count_of(verified.out, "touching by the oracle"), 3U) << verified.out;
    }
}

// One size of a mesh stays in its vertices, as before there were scales.
TEST(ImportScales, OneSizeNeedsNone) {
    const TemporaryFolder folder;
    std::vector<Node> nodes = sizes();
    for (Node& node : nodes) node.scale = {2, 2, 2};
    const Outcome done = import(file_of(nodes, {}).write(folder / "a.glb"), folder / "scene");
    ASSERT_EQ(done.exit_code, 0) << done.err;
    EXPECT_EQ(done.out.find("at a scale"), std::string::npos) << done.out;
    const Scene scene(folder / "scene");
    EXPECT_EQ(scene.info().version, 2);
    EXPECT_EQ(scene.hulls(), 1U);
    EXPECT_LT(worst_vertex(scene, nodes, {}), 1e-6);
}

TEST(ImportScales, CompoundsHaveTheirSizesInTheVertices) {
    const TemporaryFolder folder;
    const std::vector<Node> nodes = sizes();
    const Outcome done = import(file_of(nodes, {}).write(folder / "a.glb"), folder / "scene", {"--compounds"});
    ASSERT_EQ(done.exit_code, 0) << done.err;
    EXPECT_TRUE(Scene(folder / "scene").body_scale().empty());
    EXPECT_LT(worst_vertex(Scene(folder / "scene"), nodes, {}), 1e-6);
}

// OBJ pieces of two shapes, with a scale for each row of the poses.
class ImportScalesOfRows : public testing::Test {
protected:
    ImportScalesOfRows() {
        std::string text;
        for (int i = 0; i < 4; ++i) {
            text += "o piece_" + std::to_string(i) + "\n";
            const int flat = i == 3 ? 2 : 1;
            for (int c = 0; c < 8; ++c)
                text += "v " + std::to_string(c & 1) + " " + std::to_string(c >> 1 & 1) + " " +
                        std::to_string((c >> 2) * flat) + "\n";
            for (const auto* const face : {"1 2 4 3", "5 7 8 6", "1 5 6 2", "3 4 8 7", "1 3 7 5", "2 6 8 4"}) {
                std::string line = "f";
                for (const char* digit = face; *digit != '\0'; ++digit)
                    line += *digit == ' ' ? std::string() : " " + std::to_string(8 * i + (*digit - '0'));
                text += line + "\n";
            }
        }
        test::write_bytes(folder_ / "a.obj", text);
        write_npy<double>(folder_ / "poses.npy", std::vector<double>{0, 0, 0, 0, 0, 0, 1, 1, 0, 0,   0, 0, 0, 1,
                                                                     0, 1, 0, 0, 0, 0, 1, 0, 0, 0.5, 0, 0, 0, 1},
                          {4, 7});
        test::write_bytes(folder_ / "names.json", R"(["piece_3", "piece_2", "piece_1", "piece_0"])");
    }
    Outcome run(const std::vector<double>& scales, std::vector<std::uint64_t> shape,
                const std::vector<std::string>& more = {}) {
        write_npy<double>(folder_ / "scales.npy", scales, std::move(shape));
        std::vector<std::string> arguments{"import",     (folder_ / "a.obj").string(),
                                           "-o",         (folder_ / "scene").string(),
                                           "--poses",    (folder_ / "poses.npy").string(),
                                           "--scales",   (folder_ / "scales.npy").string(),
                                           "--progress", "none",
                                           "--replace"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        return program(arguments);
    }
    const TemporaryFolder folder_;
};

TEST_F(ImportScalesOfRows, ShareHulls) {
    Outcome done = run({1, 0.5, 1.25, 3}, {4});
    ASSERT_EQ(done.exit_code, 0) << done.err;
    EXPECT_EQ(test::count_of(done.out, "different hulls"), 2U) << done.out;
    const Scene scene(folder_ / "scene");
    // The last piece is the only one of its shape, so its size is in its vertices.
    EXPECT_EQ(std::vector<float>(scene.body_scale().begin(), scene.body_scale().end()),
              (std::vector<float>{1, 0.5F, 1.25F, 1}));
    EXPECT_EQ(scene.hull_vertices()[scene.hull_offsets()[scene.body_hull()[3]] + 7], (Vec3f{3, 3, 6}));
    // Masses are those of the sizes.
    EXPECT_FLOAT_EQ(scene.inverse_mass()[0], 1e-3F);
    EXPECT_FLOAT_EQ(scene.inverse_mass()[1], 8e-3F);
    done = run({1, 0.5, 1.25, 3}, {4}, {"--pose-names", (folder_ / "names.json").string()});
    ASSERT_EQ(done.exit_code, 0) << done.err;
    const Scene named(folder_ / "scene");
    EXPECT_EQ(std::vector<float>(named.body_scale().begin(), named.body_scale().end()),
              (std::vector<float>{3, 1.25F, 0.5F, 1}));
}

TEST_F(ImportScalesOfRows, WrongOnesAreRefused) {
    const auto refused = [&](const Outcome& outcome, const std::vector<std::string>& words) {
        EXPECT_EQ(outcome.exit_code, 2);
        EXPECT_FALSE(fs::exists(folder_ / "scene"));
        for (const std::string& word : words) EXPECT_NE(outcome.err.find(word), std::string::npos) << outcome.err;
    };
    refused(run({1, 0, 1, 1}, {4}), {"scales.npy", "row 1", "scale 0"});
    refused(run({1, 1, -3, 1}, {4}), {"scales.npy", "row 2", "scale -3"});
    refused(run({NAN, 1, 1, 1}, {4}), {"scales.npy", "row 0", "nan"});
    refused(run({1, 1, 1, HUGE_VAL}, {4}), {"scales.npy", "row 3", "inf"});
    refused(run({1, 1, 1, 1e-42}, {4}), {"scales.npy", "row 3"});
    refused(run({1, 1, 1}, {3}), {"scales.npy", "3 bodies", "4 pieces"});
    refused(run({1, 1, 1, 1}, {2, 2}), {"scales.npy", "(2, 2)"});
    refused(run({1, 1, 1, 2}, {4}, {"--pieces-at", "rest"}), {"--scales", "at rest"});
    refused(program({"import", (folder_ / "a.obj").string(), "-o", (folder_ / "scene").string(), "--scales",
                     (folder_ / "scales.npy").string()}),
            {"--scales", "--poses"});
}

TEST(ImportScales, UniformIsWithinATolerance) {
    const auto scale_of = [](double x, double y, double z, double off) {
        Mat3d m;
        m.row[0] = {x, off, 0};
        m.row[1] = {off, y, 0};
        m.row[2] = {0, 0, z};
        return uniform_scale(m);
    };
    EXPECT_EQ(scale_of(2, 2, 2, 0), 2.0);
    EXPECT_EQ(scale_of(1 + 4e-7, 1, 1 - 4e-7, 0), 1.0);
    EXPECT_EQ(scale_of(1 + 6e-7, 1 + 6e-7, 1 + 6e-7, 0), 1 + 6e-7);
    EXPECT_TRUE(scale_of(2, 2, 2, 9e-7));
    EXPECT_FALSE(scale_of(2, 2, 2, 1.1e-6));
    EXPECT_FALSE(scale_of(2, 2, 2 + 4e-6, 0));
    EXPECT_TRUE(scale_of(1e-20, 1e-20, 1e-20, 0));
    EXPECT_FALSE(scale_of(-2, -2, -2, 0));
    EXPECT_FALSE(scale_of(-2, 2, 2, 0));
    EXPECT_FALSE(scale_of(1e-42, 1e-42, 1e-42, 0));
    EXPECT_FALSE(scale_of(NAN, 1, 1, 0));
    EXPECT_FALSE(scale_of(HUGE_VAL, HUGE_VAL, HUGE_VAL, 0));
}

}  // namespace
}  // namespace lanefold::tools
