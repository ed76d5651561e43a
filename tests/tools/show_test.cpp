// SPDX-License-Identifier: MIT
//
// `lanefold show`: its axes and clipping, which are computed without the engine, agree with the engine's record and
// with the oracle. The text and the picture show them.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "generate/presets.hpp"
#include "picture/pair_story.hpp"
#include "picture/story.hpp"
#include "scene/io.hpp"
#include "support/random.hpp"
#include "support/tools/program.hpp"
#include "support/tools/scenes.hpp"

namespace lanefold::tools {
namespace {

using test::occurrences;
using test::Outcome;
using test::program;
using test::TemporaryFolder;

double best_axis(const PairStory& s) {
    double best = -1e300;
    for (const auto* list : {&s.faces_a, &s.faces_b, &s.edges}) {
        if (!list->empty()) best = std::max(best, list->front().separation);
    }
    return best;
}

// Distance of the engine's nearest contact point from the point of this corner of the clipped face.
double nearest_point(const PairStory& s, const Vec3d& corner, double separation, const Vec3d& out) {
    const Vec3d middle = corner - out * (0.5 * separation);
    double best = 1e300;
    for (std::size_t i = 0; i < s.many.count; ++i) {
        const ContactPoint& p = s.many.points[i];
        best = std::min(best, length(to_double(Vec3f{p.position[0], p.position[1], p.position[2]}) - middle));
    }
    return best;
}

TEST(PairStory, AxesAndClippingAgreeWithEngineAndOracle) {
    constexpr double kMargin = 0.01;
    const Scene scene(test::stored_scene("debris_pile"));
    const HullSet hulls = scene.build_hulls();
    SceneFrame frame;
    scene.read_frame(0, frame);
    std::size_t overlapping = 0;
    std::size_t apart = 0;
    std::size_t edges = 0;
    std::size_t corners = 0;
    double worst_axis = 0;
    double worst_corner = 0;
    for (std::size_t i = 0; i < frame.pairs.size() && overlapping + apart < 150; i += 53) {
        StoryRequest request;
        request.pair = frame.pairs[i];
        request.margin = static_cast<float>(kMargin);
        const PairStory s = tell_pair(scene, hulls, frame, request);
        const auto size = static_cast<double>(std::max(s.a.record->size, s.b.record->size));
        EXPECT_EQ(s.many.kind == ContactKind::none, s.oracle_distance > kMargin);
        EXPECT_FALSE(s.reason.empty());
        // Overlapping, the largest separation of all axes is the signed distance; apart, it cannot exceed it.
        if (s.oracle_distance < 0) {
            ++overlapping;
            worst_axis = std::max(worst_axis, std::fabs(best_axis(s) - s.oracle_distance) / size);
        } else {
            ++apart;
            EXPECT_LE(best_axis(s), s.oracle_distance + 2e-6 * size);
        }
        edges += s.many.kind == ContactKind::edge_edge ? 1U : 0U;
        if (s.steps.empty() || s.many.total > s.many.count) continue;
        const bool on_a = s.many.kind == ContactKind::face_a;
        const Vec3d out = on_a ? s.a.normals[s.many.feature_a] : s.b.normals[s.many.feature_b];
        for (const Vec3d& corner : s.steps.back().left) {
            const double separation = dot(corner - s.reference[0], out);
            if (separation > kMargin - 1e-5) continue;
            ++corners;
            worst_corner = std::max(worst_corner, nearest_point(s, corner, separation, out) / size);
        }
    }
    std::cout << overlapping << " overlapping, " << apart << " apart, " << edges << " edge contacts, " << corners
              << " corners; worst axis " << worst_axis << ", worst corner " << worst_corner << " of size\n";
    EXPECT_GT(overlapping, 40U);
    EXPECT_GT(apart, 40U);
    EXPECT_GT(edges, 3U);
    EXPECT_GT(corners, 80U);
    EXPECT_LT(worst_axis, 2e-6);
    EXPECT_LT(worst_corner, 1e-4) << "corners of nearly parallel sides are ill-conditioned, others are not";
}

class ShowPresets : public ::testing::Test {
protected:
    void SetUp() override { ASSERT_EQ(program({"generate", "presets", scene_}).exit_code, 0); }

    // The pair of the preset with this name.
    std::string pair(const std::string& name) const {
        const std::vector<Preset> all = presets();
        for (std::size_t i = 0; i < all.size(); ++i) {
            if (all[i].name == name) return std::to_string(2 * i) + "," + std::to_string(2 * i + 1);
        }
        return "none";
    }
    std::string show(const std::string& name) const {
        const Outcome outcome = program({"show", scene_, "--pair", pair(name), "--margin", "0.02"});
        EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
        return outcome.out;
    }

    TemporaryFolder folder_;
    std::string scene_ = (folder_ / "presets").string();
};

TEST_F(ShowPresets, TextTellsTheWholeStory) {
    const std::string rotated = show("rotated");
    EXPECT_NE(rotated.find("presets, frame 0: bodies 4 and 5"), std::string::npos) << rotated;
    EXPECT_NE(rotated.find("8 vertices, 6 faces, 12 edges"), std::string::npos) << rotated;
    EXPECT_NE(rotated.find("face_a, distance -0.03125, normal (0, 1, 0)"), std::string::npos) << rotated;
    EXPECT_NE(rotated.find("(4 corners) by the sides of face"), std::string::npos) << rotated;
    EXPECT_EQ(occurrences(rotated, "\n  side "), 4U) << rotated;
    EXPECT_NE(rotated.find("7 corners become 8"), std::string::npos) << rotated;
    EXPECT_NE(rotated.find("surfaces): 8, of which a manifold of 4 keeps those marked *"), std::string::npos)
        << rotated;
    EXPECT_EQ(occurrences(rotated, "\n  * "), 4U) << rotated;

    const std::string crossed = show("edge-edge");
    EXPECT_NE(crossed.find("Chosen: edge contact: better than the best face"), std::string::npos) << crossed;
    EXPECT_EQ(crossed.find("Clipping"), std::string::npos) << crossed;

    const std::string corner = show("corner-corner");
    EXPECT_NE(corner.find("vertex_vertex"), std::string::npos) << corner;
    EXPECT_NE(corner.find("Chosen: apart"), std::string::npos) << corner;
}

TEST_F(ShowPresets, PictureHasEveryPointOnceInEachPanel) {
    const std::string file = (folder_ / "pair.svg").string();
    ASSERT_EQ(program({"show", scene_, "--pair", pair("rotated"), "--margin", "0.02", "-o", file}).exit_code, 0);
    const std::string svg = test::read_bytes(file);
    EXPECT_EQ(occurrences(svg, "class=\"kept\""), 8U);
    EXPECT_EQ(occurrences(svg, "class=\"left-out\""), 8U);
    EXPECT_EQ(occurrences(svg, "://"), 1U) << "the name of SVG's vocabulary, no other address";
    EXPECT_EQ(svg.find("<svg"), 0U);
    EXPECT_EQ(svg.find("nan"), std::string::npos);
    EXPECT_EQ(svg.substr(svg.size() - 7), "</svg>\n");
}

// The picture of a pair by a method, and the text.
struct Told {
    std::string text;
    std::string svg;
};

Told tell(const std::string& scene, const std::string& pair, const std::string& method, const std::string& file) {
    const Outcome told = program({"show", scene, "--pair", pair, "--method", method, "-o", file});
    EXPECT_EQ(told.exit_code, 0) << told.err;
    return {told.out, test::read_bytes(file)};
}

// Cube on cube, moved aside by 1 and 0.5, 1/32 deep: two cuts change the incident face.
TEST_F(ShowPresets, SutherlandHodgmanIsToldCutByCut) {
    const Told told = tell(scene_, pair("offset"), "sutherland-hodgman", (folder_ / "sh.svg").string());
    EXPECT_EQ(occurrences(told.text, " the normal; around it face "), 2U) << told.text;
    EXPECT_NE(told.text.find("of a, the more parallel; incident: face"), std::string::npos) << told.text;
    EXPECT_EQ(occurrences(told.text, " of a, beyond the side from vertex "), 4U) << told.text;
    EXPECT_EQ(occurrences(told.text, "\n     before "), 4U) << told.text;
    EXPECT_NE(told.text.find("(2, 0.96875, 1.5)"), std::string::npos) << "a corner before the cuts\n" << told.text;
    EXPECT_NE(told.text.find("(1, 0.96875, 1)"), std::string::npos) << "a corner after them\n" << told.text;
    // Height, depth by plane and ray, depth by the furthest vertex: flat faces have them all alike.
    EXPECT_EQ(occurrences(told.text, "-0.03125       -0.03125         -0.03125   kept"), 4U) << told.text;
    EXPECT_EQ(occurrences(told.svg, ">cut "), 4U);
    EXPECT_EQ(occurrences(told.svg, "class=\"corner\""), 4U);
    EXPECT_EQ(occurrences(told.svg, "-0.03125 by plane and ray, -0.03125 by the furthest vertex"), 4U);
    EXPECT_EQ(told.svg.find("nan"), std::string::npos);
}

// The cube on its edge: two corners of its lower face are 2 / sqrt(2) - 1/32 above the other cube and deleted.
TEST_F(ShowPresets, DeletedCornersAreTold) {
    const Told told = tell(scene_, pair("edge-face"), "sutherland-hodgman", (folder_ / "sh.svg").string());
    EXPECT_EQ(occurrences(told.text, "deleted: above the reference face"), 2U) << told.text;
    EXPECT_EQ(occurrences(told.text, "   kept"), 2U) << told.text;
    EXPECT_EQ(occurrences(told.svg, "above the reference face</text>"), 3U) << "two corners and the legend";
}

TEST_F(ShowPresets, FeaturesAreToldAsTheyGrow) {
    const Told flat = tell(scene_, pair("aligned"), "features", (folder_ / "flat.svg").string());
    EXPECT_NE(flat.text.find("a side is aligned if its sine is at most 0.00869989, of 0.498473 degrees"),
              std::string::npos)
        << flat.text;
    EXPECT_EQ(occurrences(flat.text, "aligned, the most of all: chosen"), 2U) << "an edge and a face of b\n"
                                                                              << flat.text;
    EXPECT_EQ(occurrences(flat.text, "     grows: "), 2U) << flat.text;
    EXPECT_EQ(occurrences(flat.text, " at 0 degrees"), 4U) << "the level face is in all maps of b\n" << flat.text;
    // Each hull on the whole sphere and around the cap. a is a face from the start; b's vertex has three normals.
    EXPECT_EQ(occurrences(flat.svg, "class=\"cap\""), 4U);
    EXPECT_EQ(occurrences(flat.svg, "class=\"gauss-vertex\""), 6U);
    EXPECT_EQ(occurrences(flat.svg, "class=\"gauss-edge\""), 4U);
    EXPECT_EQ(occurrences(flat.svg, "class=\"gauss-face\""), 4U);
    EXPECT_EQ(flat.svg.find("nan"), std::string::npos);

    const Told corner = tell(scene_, pair("vertex-face"), "features", (folder_ / "corner.svg").string());
    EXPECT_NE(corner.text.find("contact features: face "), std::string::npos) << corner.text;
    EXPECT_EQ(corner.text.find("grows:"), std::string::npos) << corner.text;
    EXPECT_EQ(occurrences(corner.text, " at 54.74 degrees"), 3U) << corner.text;
}

TEST_F(ShowPresets, RequestsThatMakeNoSenseAreTold) {
    const std::string file = (folder_ / "pair.svg").string();
    struct Wrong {
        std::vector<std::string> arguments;
        const char* message;
    };
    const Wrong cases[] = {
        {{"--pair", "4"}, "--pair 4: expected two bodies"},
        {{"--pair", "4;5"}, "--pair 4;5: expected two bodies"},
        {{"--pair", "-4,5"}, "--pair -4,5: expected two bodies"},
        {{"--pair", "4,4"}, "a body does not meet itself"},
        {{"--pair", "4,400"}, "no body 400, there are 26"},
        {{"--pair", "4,5", "--frame", "1"}, "no frame 1, there are 1"},
        {{"--pair", "4,5", "--margin", "-1"}, "--margin -1"},
        {{"--pair", "4,5", "-o", (folder_ / "pair.png").string()}, "must end in .svg"},
    };
    for (const Wrong& wrong : cases) {
        std::vector<std::string> arguments{"show", scene_};
        arguments.insert(arguments.end(), wrong.arguments.begin(), wrong.arguments.end());
        const Outcome outcome = program(arguments);
        EXPECT_EQ(outcome.exit_code, 2) << wrong.message;
        EXPECT_NE(outcome.err.find(wrong.message), std::string::npos) << wrong.message << ": " << outcome.err;
        EXPECT_EQ(outcome.out, "") << wrong.message;
    }
}

// Hulls of so many edges that trying all pairs of them would take minutes.
TEST(Show, LargeHullsAreToldWithoutTheirAxes) {
    const TemporaryFolder folder;
    test::Random random(77);
    std::string obj;
    for (int piece = 0; piece < 2; ++piece) {
        obj += "o ball" + std::to_string(piece) + "\n";
        for (int k = 0; k < 1200; ++k) {
            const Vec3d v = rotation(random.rotation()) * Vec3d{1, 0, 0};
            obj += fmt::format("v {} {} {}\n", v.x + 1.99 * piece, v.y, v.z);
        }
    }
    test::write_bytes(folder / "balls.obj", obj);
    const std::string scene = (folder / "scene").string();
    ASSERT_EQ(program({"import", (folder / "balls.obj").string(), "-o", scene}).exit_code, 0);
    const Outcome told = program({"show", scene, "--pair", "0,1", "--margin", "0.1"});
    EXPECT_EQ(told.exit_code, 0) << told.err;
    EXPECT_NE(told.out.find("Axes: none tried, of "), std::string::npos) << told.out;
    EXPECT_NE(told.out.find("oracle:"), std::string::npos) << told.out;
}

TEST(Show, EveryMethodTellsItsPoints) {
    const TemporaryFolder folder;
    const std::string scene = (folder / "presets").string();
    ASSERT_EQ(program({"generate", "presets", scene}).exit_code, 0);
    // Cube on cube, face on face.
    for (const char* const method :
         {"clip", "patch", "published", "published-literal", "sutherland-hodgman", "features"}) {
        const std::string svg = (folder / (std::string(method) + ".svg")).string();
        const Outcome told = program({"show", scene, "--pair", "2,3", "--method", method, "-o", svg});
        ASSERT_EQ(told.exit_code, 0) << method << told.err;
        EXPECT_NE(told.out.find("face_a, distance -0.03125"), std::string::npos) << method << told.out;
        EXPECT_NE(told.out.find("): 4\n"), std::string::npos) << method << told.out;
        EXPECT_GT(test::read_bytes(svg).size(), 1000U) << method;
    }
    const Outcome refused = program({"show", scene, "--pair", "2,3", "--method", "features", "--margin", "0.1"});
    EXPECT_EQ(refused.exit_code, 2);
    EXPECT_NE(refused.err.find("--margin must be 0"), std::string::npos) << refused.err;
}

TEST(Show, CandidatesAreToldWithTheReasonOfTheirRefusal) {
    const TemporaryFolder folder;
    const std::string scene = (folder / "presets").string();
    ASSERT_EQ(program({"generate", "presets", scene}).exit_code, 0);
    // Cube on cube: the first candidate is the contact. Edge on edge: there is no face to prefer.
    const Outcome faces = program({"show", scene, "--pair", "2,3", "--candidates"});
    EXPECT_EQ(occurrences(faces.out, "accepted"), 1U) << faces.out;
    EXPECT_NE(faces.out.find("preferred face  accepted; face_a"), std::string::npos) << faces.out;
    const Outcome edges = program({"show", scene, "--pair", "0,1", "--face-preference", "0", "--candidates"});
    EXPECT_NE(edges.out.find("features        accepted; edge_edge (1, 5), points: 1"), std::string::npos) << edges.out;
    const Outcome refused = program({"show", scene, "--pair", "2,3", "--method", "published", "--candidates"});
    EXPECT_EQ(refused.exit_code, 2);
    EXPECT_NE(refused.err.find("must be clip or patch"), std::string::npos) << refused.err;
}

}  // namespace
}  // namespace lanefold::tools
