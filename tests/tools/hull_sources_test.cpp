// SPDX-License-Identifier: MIT
//
// hull_sources.json: `show --method published-literal` repeats a published example to 1e-12 with the indices of its
// source, `info` refuses files that are not the hulls' sources, and results of all other methods do not depend on it.

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "files/atomic_file.hpp"
#include "generate/presets.hpp"
#include "scene/hull_sources.hpp"
#include "scene/io.hpp"
#include "support/published_example.hpp"
#include "support/tools/program.hpp"

namespace lanefold::tools {
namespace {

using test::Outcome;
using test::program;
using test::TemporaryFolder;

// The numbers between the brackets behind `name` in a text as the source prints it.
std::vector<double> numbers_of(const std::string& text, const std::string& name) {
    std::vector<double> out;
    const std::size_t at = text.find(name + ": [");
    if (at == std::string::npos) return out;
    std::size_t from = at + name.size() + 3;
    const std::size_t end = text.find(']', from);
    while (from < end) {
        out.push_back(std::stod(text.substr(from)));
        from = std::min(end, text.find(',', from)) + 1;
    }
    return out;
}

double number_of(const std::string& text, const std::string& name) {
    const std::size_t at = text.find("    " + name + ": ");
    return at == std::string::npos ? std::nan("") : std::stod(text.substr(at + name.size() + 6));
}

void expect_vector(const std::string& text, const std::string& name, const Vec3d& expected) {
    const std::vector<double> found = numbers_of(text, name);
    ASSERT_EQ(found.size(), 3U) << name << "\n" << text;
    EXPECT_NEAR(found[0], expected.x, 1e-12) << name;
    EXPECT_NEAR(found[1], expected.y, 1e-12) << name;
    EXPECT_NEAR(found[2], expected.z, 1e-12) << name;
}

class HullSources : public ::testing::Test {
protected:
    void SetUp() override { ASSERT_EQ(program({"generate", "presets", scene_}).exit_code, 0); }

    std::string show(const std::string& method) const {
        const Outcome told = program({"show", scene_, "--pair", "0,1", "--method", method});
        EXPECT_EQ(told.exit_code, 0) << told.err;
        return told.out;
    }

    TemporaryFolder folder_;
    std::string scene_ = (folder_ / "presets").string();
    std::string file_ = scene_ + "/hull_sources.json";
};

TEST_F(HullSources, PublishedLiteralPrintsThePublishedExample) {
    const test::PublishedExample example = test::read_published_example(LANEFOLD_TEST_DATA);
    const std::string told = show("published-literal");
    const published::Collision& expected = example.expected;
    expect_vector(told, "mtv", expected.mtv);
    expect_vector(told, "point", expected.point);
    expect_vector(told, "    normal", expected.info.normal);
    EXPECT_NEAR(number_of(told, "separation"), expected.info.separation, 1e-12) << told;
    EXPECT_EQ(number_of(told, "type"), 2) << told;
    EXPECT_EQ(numbers_of(told, "index"), (std::vector<double>{1, 2})) << told;
    EXPECT_NE(told.find("edge 1 of a: vertices 0-2; edge 2 of b: vertices 2-3"), std::string::npos) << told;
    EXPECT_NE(told.find("world coordinates, numbers and numbering of hull_sources.json"), std::string::npos) << told;
}

// The source's solids move with their bodies.
TEST_F(HullSources, SolidsHaveThePosesOfTheirBodies) {
    const test::PublishedExample example = test::read_published_example(LANEFOLD_TEST_DATA);
    const std::vector<Preset> all = presets();
    const std::vector<std::uint64_t> offsets{0, all[0].a.size(), all[0].a.size() + all[0].b.size()};
    std::vector<Vec3f> vertices = all[0].a;
    vertices.insert(vertices.end(), all[0].b.begin(), all[0].b.end());
    const std::vector<std::uint32_t> hulls{0, 1};
    const std::vector<HullSource> sources{{0, example.a}, {1, example.b}};
    SceneWriter::Contents contents;
    contents.hull_offsets = offsets;
    contents.hull_vertices = vertices;
    contents.body_hull = hulls;
    const std::string moved = (folder_ / "moved").string();
    SceneWriter writer(moved, contents);
    // A quarter turn about z and a step along x, exact in binary: (x, y, z) becomes (8 - y, x, z).
    const auto half = static_cast<float>(std::sqrt(0.5));
    const std::vector<float> position{8, 0, 0, 8, 0, 0};
    const std::vector<float> orientation{0, 0, half, half, 0, 0, half, half};
    writer.add_frame(std::span<const float>(position), orientation);
    writer.commit();
    write_file(std::filesystem::path(moved) / kHullSourcesFile, hull_sources_text(sources));
    const Outcome told = program({"show", moved, "--pair", "0,1", "--method", "published-literal"});
    ASSERT_EQ(told.exit_code, 0) << told.err;
    const Vec3d& p = example.expected.point;
    const Vec3d& n = example.expected.info.normal;
    expect_vector(told.out, "point", {8 - p.y, p.x, p.z});
    expect_vector(told.out, "    normal", {-n.y, n.x, n.z});
    EXPECT_EQ(numbers_of(told.out, "index"), (std::vector<double>{1, 2}));
}

TEST_F(HullSources, OtherMethodsDoNotDependOnThem) {
    std::vector<std::string> with;
    const std::vector<std::string> methods{"clip", "patch", "published", "sutherland-hodgman", "features"};
    for (const std::string& method : methods) with.push_back(show(method));
    const std::string literal = show("published-literal");
    const std::string contacts = (folder_ / "contacts").string();
    ASSERT_EQ(program({"collide", scene_, "-o", contacts, "--method", "published-literal"}).exit_code, 0);
    ASSERT_TRUE(std::filesystem::remove(file_));
    for (std::size_t i = 0; i < methods.size(); ++i) EXPECT_EQ(show(methods[i]), with[i]) << methods[i];
    // Without the file the literal method has what all others have: float32 and the builder's numbering.
    const std::string rounded = show("published-literal");
    EXPECT_NE(rounded, literal);
    EXPECT_NE(rounded.find("edge 1 of a: vertices 0-2; edge 5 of b: vertices 2-3"), std::string::npos) << rounded;
    EXPECT_NEAR(number_of(rounded, "separation"), -0.48856698416292277, 1e-6) << rounded;
    const std::string again = (folder_ / "again").string();
    ASSERT_EQ(program({"collide", scene_, "-o", again, "--method", "published-literal"}).exit_code, 0);
    for (const char* const name : {"/frame_000000.npy", "/frame_000000.json", "/contacts.json"}) {
        EXPECT_EQ(test::read_bytes(contacts + name), test::read_bytes(again + name)) << name;
    }
}

TEST_F(HullSources, InfoCountsThemAndRefusesWhatIsNoSource) {
    const Outcome whole = program({"info", scene_});
    ASSERT_EQ(whole.exit_code, 0) << whole.err;
    EXPECT_EQ(test::count_of(whole.out, "  in float64, as their source has them"), 2U) << whole.out;

    using nlohmann::json;
    struct Wrong {
        std::function<void(json&)> plant;
        const char* message;
    };
    const Wrong cases[] = {
        {[](json& j) { j["hulls"] = 3; }, "\"hulls\" is not a list"},
        {[](json& j) { j["hulls"][1]["hull"] = 26; }, "entry 1: no hull 26, there are 26"},
        {[](json& j) { j["hulls"][1]["hull"] = -1; }, "entry 1: no hull -1"},
        {[](json& j) { j["hulls"][1] = j["hulls"][0]; }, "hull 0 twice"},
        {[](json& j) { j["hulls"][0]["positions"].erase(3); }, "3 positions, but the hull has 4 vertices"},
        {[](json& j) { j["hulls"][0]["positions"][2][1] = -0.53737; }, "hull 0: position 2, rounded to float32"},
        {[](json& j) { j["hulls"][0]["positions"][2].push_back(1); }, "\"positions\": entry 2 is not three numbers"},
        {[](json& j) { j["hulls"][0]["positions"][2][0] = "x"; }, "\"positions\": entry 2 is not three numbers"},
        {[](json& j) { j["hulls"][0].erase("normals"); }, "\"normals\" is not a list"},
        {[](json& j) { j["hulls"][1]["normals"].erase(0); }, "hull 1: 6 faces, but 5 normals"},
        {[](json& j) { std::swap(j["hulls"][1]["normals"][0], j["hulls"][1]["normals"][1]); },
         "hull 1: face 0: vertex 4 is outside its plane"},
        {[](json& j) { std::swap(j["hulls"][1]["normals"][0], j["hulls"][1]["normals"][2]); },
         "hull 1: face 0: vertex"},
        {[](json& j) {
             j["hulls"][0]["normals"][1] = {0, 0, 2};
         },
         "\"normals\": entry 1 is not of unit length"},
        {[](json& j) {
             j["hulls"][0]["faces"][1] = {0, 1};
         },
         "\"faces\": entry 1 has fewer than 3 vertices"},
        {[](json& j) { j["hulls"][0]["faces"][1][2] = 4; }, "\"faces\": entry 1: no vertex 4, there are 4"},
        {[](json& j) {
             j["hulls"][0]["edges"][5] = {3, 3};
         },
         "\"edges\": entry 5: vertex 3 twice"},
        {[](json& j) { j["hulls"][0]["edges"][5] = {3}; }, "\"edges\": entry 5 has not 2 vertices"},
        {[](json& j) {
             j["hulls"][0]["edges"] = {1, 2};
         },
         "\"edges\": entry 0 is not a list"},
    };
    const json right = json::parse(std::ifstream(file_));
    for (const Wrong& wrong : cases) {
        json j = right;
        wrong.plant(j);
        std::ofstream(file_) << j;
        for (const Outcome& refused :
             {program({"info", scene_}), program({"show", scene_, "--pair", "0,1", "--method", "published-literal"})}) {
            EXPECT_EQ(refused.exit_code, 2) << wrong.message;
            EXPECT_NE(refused.err.find("hull_sources.json"), std::string::npos) << refused.err;
            EXPECT_NE(refused.err.find(wrong.message), std::string::npos) << wrong.message << ": " << refused.err;
        }
        EXPECT_EQ(program({"show", scene_, "--pair", "0,1"}).exit_code, 0) << "the engine does not read the file";
    }
}

TEST_F(HullSources, AnotherSceneInTheFolderHasNone) {
    ASSERT_TRUE(std::filesystem::exists(file_));
    ASSERT_EQ(program({"generate", "tower", scene_, "--bodies", "2", "--replace"}).exit_code, 0);
    EXPECT_FALSE(std::filesystem::exists(file_));
}

}  // namespace
}  // namespace lanefold::tools
