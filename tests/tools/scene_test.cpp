// SPDX-License-Identifier: MIT
//
// Scene folders: round trips, and all kinds of wrong files. The program must name the file and the place, end with code
// 2, and write nothing.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "console/failure.hpp"
#include "files/npy.hpp"
#include "scene/io.hpp"
#include "support/program.hpp"
#include "support/tools/scenes.hpp"

namespace lanefold::tools {
namespace {

namespace fs = std::filesystem;
using test::read_bytes;
using test::TemporaryFolder;
using test::write_bytes;

TEST(Scene, StoredPilesAreReadAsTheyAre) {
    const Scene boxes(test::stored_scene("boxes_pile"));
    EXPECT_EQ(boxes.frames(), 1U);
    EXPECT_EQ(boxes.bodies(), 2005U);
    EXPECT_EQ(boxes.hulls(), 131U);
    EXPECT_EQ(boxes.pairs_in_frame(0), 11931U);
    const HullSet hulls = boxes.build_hulls();
    ASSERT_EQ(hulls.size(), 131U);
    for (std::size_t i = 0; i < hulls.size(); ++i) EXPECT_TRUE(hulls[i].is_box()) << i;
    const Scene debris(test::stored_scene("debris_pile"));
    EXPECT_EQ(debris.hulls(), 67U);
    EXPECT_EQ(debris.pairs_in_all_frames(), 15539U);
}

class SceneRoundTrip : public testing::TestWithParam<bool> {};

// Every array that a scene can have, and three frames.
struct WholeScene {
    std::vector<std::uint64_t> offsets{0, 4, 8};
    std::vector<Vec3f> vertices{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, 0, 0}, {2, 0, 0}, {0, 2, 0}, {0, 0, 2}};
    std::vector<std::uint32_t> body_hull{1, 0, 1};
    std::vector<float> inverse_mass{0.0F, 1.0F, 0.5F};
    std::vector<std::uint32_t> group{0, 3, 3};
    std::vector<float> orientation{0, 0, 0, 1, 0, 0, 1, 0, 0.5F, 0.5F, 0.5F, 0.5F};
    std::vector<Pair> pairs{{0, 1}, {1, 2}};                // none in frame 1
    std::vector<double> position = std::vector<double>(9);  // of the last frame written
    std::vector<float> rounded_position = std::vector<float>(9);

    void write(const std::filesystem::path& folder, bool doubles) {
        SceneWriter::Contents contents;
        contents.info.unit = "cm";
        contents.info.pairs_margin = 0.02;
        contents.hull_offsets = offsets;
        contents.hull_vertices = vertices;
        contents.body_hull = body_hull;
        contents.inverse_mass = inverse_mass;
        contents.group = group;
        contents.positions_are_double = doubles;
        contents.with_pairs = true;
        SceneWriter writer(folder, contents);
        for (int frame = 0; frame < 3; ++frame) {
            for (std::size_t i = 0; i < 9; ++i) {
                position[i] = 1e6 + static_cast<double>(i) + frame / 7.0;
                rounded_position[i] = static_cast<float>(position[i]);
            }
            const std::span<const Pair> some = std::span(pairs).first(static_cast<std::size_t>(frame == 1 ? 0 : 2));
            if (doubles) {
                writer.add_frame(std::span<const double>(position), orientation, some);
            } else {
                writer.add_frame(std::span<const float>(rounded_position), orientation, some);
            }
        }
        writer.commit();
    }
};

TEST_P(SceneRoundTrip, EveryArrayComesBack) {
    const bool doubles = GetParam();
    const TemporaryFolder folder;
    WholeScene written;
    written.write(folder / "scene", doubles);
    const Scene scene(folder / "scene");
    EXPECT_EQ(scene.info().unit, "cm");
    EXPECT_EQ(scene.info().pairs_margin, 0.02);
    EXPECT_EQ(scene.frames(), 3U);
    EXPECT_EQ(scene.positions_are_double(), doubles);
    EXPECT_TRUE(std::ranges::equal(written.offsets, scene.hull_offsets()));
    EXPECT_TRUE(std::ranges::equal(written.vertices, scene.hull_vertices()));
    EXPECT_TRUE(std::ranges::equal(written.body_hull, scene.body_hull()));
    EXPECT_TRUE(std::ranges::equal(written.inverse_mass, scene.inverse_mass()));
    EXPECT_TRUE(std::ranges::equal(written.group, scene.group()));
    EXPECT_EQ(scene.pairs_in_frame(1), 0U);
    EXPECT_EQ(scene.pairs_in_frame(2), 2U);
    SceneFrame frame;
    scene.read_frame(2, frame);
    EXPECT_EQ(frame.position_double, doubles ? written.position : std::vector<double>());
    EXPECT_EQ(frame.position, doubles ? std::vector<float>() : written.rounded_position);
    EXPECT_EQ(frame.orientation, written.orientation);
    EXPECT_EQ(frame.pairs, written.pairs);
    const std::uint64_t hash = Scene::frame_hash(frame, true);
    scene.read_frame(0, frame);
    EXPECT_NE(Scene::frame_hash(frame, true), hash);
}
INSTANTIATE_TEST_SUITE_P(Precision, SceneRoundTrip, testing::Bool(), [](const auto& precision) {
    return precision.param ? std::string("Float64") : std::string("Float32");
});

TEST(SceneWriter, UnfinishedSceneLeavesNothing) {
    const TemporaryFolder folder;
    const std::vector<std::uint64_t> offsets{0, 0};
    const std::vector<std::uint32_t> body_hull{0};
    SceneWriter::Contents contents;
    contents.hull_offsets = offsets;
    contents.body_hull = body_hull;
    { const SceneWriter writer(folder / "scene", contents); }
    EXPECT_TRUE(fs::is_empty(folder / "scene"));
}

TEST(SceneWriter, ExistingSceneIsNotOverwrittenUnasked) {
    const TemporaryFolder folder;
    test::write_moving_scene(folder / "scene", 1);
    const auto before = test::files_below(folder / "scene");
    EXPECT_THROW(test::write_moving_scene(folder / "scene", 1), Failure);
    EXPECT_EQ(test::files_below(folder / "scene"), before);
}

// A scene with one mistake, and the text that the message must contain.
struct Damage {
    const char* name;
    void (*apply)(const fs::path& scene);
    std::vector<std::string> said;
};

template <class T>
void change(const fs::path& file, std::uint64_t element, T value) {
    const std::uint64_t offset = NpyReader(file).header().data_offset + element * sizeof(T);
    std::string bytes = read_bytes(file);
    std::memcpy(bytes.data() + offset, &value, sizeof value);
    write_bytes(file, bytes);
}

void cut(const fs::path& file, std::size_t bytes) { fs::resize_file(file, fs::file_size(file) - bytes); }

constexpr std::uint64_t kBodies = 2005;
const float kNan = std::numeric_limits<float>::quiet_NaN();

const Damage kDamages[] = {
    {"MissingJson", [](const fs::path& s) { fs::remove(s / "scene.json"); }, {"scene.json", "No such file"}},
    {"JsonIsNoJson",
     [](const fs::path& s) { write_bytes(s / "scene.json", "{\"format\": "); },
     {"scene.json", "not a JSON"}},
    {"JsonIsSomethingElse",
     [](const fs::path& s) { write_bytes(s / "scene.json", "{\"format\": \"x\"}"); },
     {"scene.json", "format"}},
    {"UnknownVersion",
     [](const fs::path& s) { write_bytes(s / "scene.json", R"({"format":"lanefold-scene","version":4})"); },
     {"scene.json", "version", "4"}},
    {"NegativePairsMargin",
     [](const fs::path& s) {
         write_bytes(s / "scene.json", R"({"format":"lanefold-scene","version":1,"pairs_margin":-1})");
     },
     {"scene.json", "pairs_margin", "-1"}},
    {"MissingVertices",
     [](const fs::path& s) { fs::remove(s / "hull_vertices.npy"); },
     {"hull_vertices.npy", "No such file"}},
    {"MissingPairOffsets",
     [](const fs::path& s) { fs::remove(s / "pair_offsets.npy"); },
     {"pair_offsets.npy", "missing"}},
    {"MissingPairs", [](const fs::path& s) { fs::remove(s / "pairs.npy"); }, {"pairs.npy", "missing"}},
    {"TruncatedPositions", [](const fs::path& s) { cut(s / "position.npy", 1); }, {"position.npy", "truncated"}},
    {"TruncatedPairs", [](const fs::path& s) { cut(s / "pairs.npy", 4); }, {"pairs.npy", "truncated"}},
    {"TruncatedHeader",
     [](const fs::path& s) { fs::resize_file(s / "orientation.npy", 50); },
     {"orientation.npy", "truncated"}},
    {"NotNpy", [](const fs::path& s) { write_bytes(s / "body_hull.npy", "hello"); }, {"body_hull.npy", "not a .npy"}},
    {"WrongType",
     [](const fs::path& s) {
         write_npy<double>(s / "orientation.npy", std::vector<double>(3 * kBodies * 4), {3, kBodies, 4});
     },
     {"orientation.npy", "<f8", "<f4"}},
    {"WrongTypeOfIndices",
     [](const fs::path& s) { write_npy<float>(s / "body_hull.npy", std::vector<float>(kBodies), {kBodies}); },
     {"body_hull.npy", "<f4", "<u4"}},
    {"WrongShape",
     [](const fs::path& s) {
         write_npy<float>(s / "position.npy", std::vector<float>(3 * kBodies * 2), {3, kBodies, 2});
     },
     {"position.npy", "(3, 2005, 2)"}},
    {"FramesDiffer",
     [](const fs::path& s) {
         write_npy<float>(s / "orientation.npy", std::vector<float>(2 * kBodies * 4), {2, kBodies, 4});
     },
     {"orientation.npy", "(2, 2005, 4)", "(3, 2005, 4)"}},
    {"OffsetsDoNotStartAtZero",
     [](const fs::path& s) { change<std::uint64_t>(s / "hull_offsets.npy", 0, 1); },
     {"hull_offsets.npy", "entry 0"}},
    {"OffsetsDescend",
     [](const fs::path& s) { change<std::uint64_t>(s / "hull_offsets.npy", 5, 0); },
     {"hull_offsets.npy", "entry 5"}},
    {"OffsetsEndElsewhere",
     [](const fs::path& s) { change<std::uint64_t>(s / "hull_offsets.npy", 67, 100000); },
     {"hull_offsets.npy", "100000"}},
    {"PairOffsetsDescend",
     [](const fs::path& s) { change<std::uint64_t>(s / "pair_offsets.npy", 2, 7); },
     {"pair_offsets.npy", "entry 2"}},
    {"HullOutOfRange",
     [](const fs::path& s) { change<std::uint32_t>(s / "body_hull.npy", 9, 67); },
     {"body_hull.npy", "body 9", "67"}},
    {"PairOutOfRange",
     [](const fs::path& s) { change<std::uint32_t>(s / "pairs.npy", 2 * (15539 + 4) + 1, 2005); },
     {"pairs.npy", "frame 1", "row 15543", "2005"}},
    {"PairWithItself",
     [](const fs::path& s) {
         change<std::uint32_t>(s / "pairs.npy", 20, 3);
         change<std::uint32_t>(s / "pairs.npy", 21, 3);
     },
     {"pairs.npy", "frame 0", "row 10", "itself"}},
    {"QuaternionFarFromUnit",
     [](const fs::path& s) { change<float>(s / "orientation.npy", (2 * kBodies + 17) * 4, 3.0F); },
     {"orientation.npy", "frame 2", "body 17", "unit"}},
    {"QuaternionNotANumber",
     [](const fs::path& s) { change<float>(s / "orientation.npy", (1 * kBodies + 5) * 4 + 3, kNan); },
     {"orientation.npy", "frame 1", "body 5"}},
    {"PositionNotFinite",
     [](const fs::path& s) { change<float>(s / "position.npy", (2 * kBodies + 8) * 3 + 1, kNan); },
     {"position.npy", "frame 2", "body 8", "nan"}},
    {"VertexNotFinite",
     [](const fs::path& s) { change<float>(s / "hull_vertices.npy", 31, kNan); },
     {"hull_vertices.npy", "hull", "row 10"}},
    {"FlatHull",
     [](const fs::path& s) {
         const std::vector<std::uint64_t> offsets = NpyReader(s / "hull_offsets.npy").read_all<std::uint64_t>();
         for (std::uint64_t row = offsets[3]; row < offsets[4]; ++row)
             change<float>(s / "hull_vertices.npy", row * 3 + 2, 0.0F);
     },
     {"hull_vertices.npy", "hull 3", "flat"}},
    {"InverseMassNegative",
     [](const fs::path& s) {
         std::vector<float> mass(kBodies, 1.0F);
         mass[4] = -1.0F;
         write_npy<float>(s / "body_inverse_mass.npy", mass, {kBodies});
     },
     {"body_inverse_mass.npy", "body 4", "-1"}},
    {"GroupTooShort",
     [](const fs::path& s) { write_npy<std::uint32_t>(s / "body_group.npy", std::vector<std::uint32_t>(7), {7}); },
     {"body_group.npy", "(7,)", "(2005,)"}},
};

class BadScene : public testing::TestWithParam<Damage> {};

TEST_P(BadScene, IsRefusedByNameAndPlaceAndNothingIsWritten) {
    const TemporaryFolder folder;
    test::write_moving_scene(folder / "scene", 3);
    GetParam().apply(folder / "scene");
    const std::string scene = (folder / "scene").string();
    for (const char* command : {"collide", "info"}) {
        std::vector<std::string> arguments{command, scene};
        if (arguments[0] == "collide") arguments.insert(arguments.end(), {"-o", (folder / "contacts").string()});
        // For info a folder without scene.json is no scene.
        if (arguments[0] == "info" && !fs::exists(folder / "scene" / "scene.json")) continue;
        const test::Outcome outcome = test::run_program(LANEFOLD_PROGRAM, arguments);
        EXPECT_EQ(outcome.exit_code, 2) << command << ": " << outcome.err;
        for (const std::string& word : GetParam().said) {
            EXPECT_NE(outcome.err.find(word), std::string::npos)
                << command << " says: " << outcome.err << "without: " << word;
        }
        EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
        EXPECT_TRUE(outcome.out.empty()) << outcome.out;
    }
    EXPECT_FALSE(fs::exists(folder / "contacts"));
}
INSTANTIATE_TEST_SUITE_P(Damages, BadScene, testing::ValuesIn(kDamages),
                         [](const auto& damage) { return std::string(damage.param.name); });

}  // namespace
}  // namespace lanefold::tools
