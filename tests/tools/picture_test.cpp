// SPDX-License-Identifier: MIT
//
// `lanefold picture`: it draws the contacts at the places of a projection that is computed here; the file is well
// formed and refers to no other file; an invalid request leaves no file.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include <lanefold/hull_builder.hpp>

#include "console/table.hpp"
#include "contacts/io.hpp"
#include "picture/picture.hpp"
#include "support/tools/program.hpp"
#include "support/tools/scenes.hpp"

namespace lanefold::tools {
namespace {

namespace fs = std::filesystem;
using test::occurrences;
using test::Outcome;
using test::program;
using test::TemporaryFolder;

// Checks that a picture is well-formed XML: one root, nested tags, quoted attributes, no bare '<' or '&'.
std::string first_fault(const std::string& xml) {
    std::vector<std::string> open;
    std::size_t roots = 0;
    for (std::size_t at = 0; at < xml.size();) {
        const std::size_t tag = std::min(xml.find('<', at), xml.size());
        const std::string text = xml.substr(at, tag - at);
        for (std::size_t amp = text.find('&'); amp != std::string::npos; amp = text.find('&', amp + 1)) {
            const std::string entity = text.substr(amp, text.find(';', amp) + 1 - amp);
            if (entity != "&amp;" && entity != "&lt;" && entity != "&gt;" && entity != "&quot;")
                return "entity " + text;
        }
        if (tag == xml.size()) break;
        const std::size_t end = xml.find('>', tag);
        if (end == std::string::npos) return "tag without end";
        const std::string inner = xml.substr(tag + 1, end - tag - 1);
        at = end + 1;
        if (inner.find('<') != std::string::npos || occurrences(inner, "\"") % 2 != 0) return "tag " + inner;
        const std::string name = inner.substr(0, inner.find_first_of(" /"));
        if (inner[0] == '/') {
            if (open.empty() || open.back() != inner.substr(1)) return "closing " + inner;
            open.pop_back();
        } else if (inner.back() != '/') {
            if (open.empty()) ++roots;
            open.push_back(name);
        }
    }
    if (!open.empty()) return "open " + open.back();
    return roots == 1 ? "" : "roots";
}

using Point = std::array<double, 2>;

// The dots of a layer: "Mx yh0" each.
std::vector<Point> dots(const std::string& svg, const std::string& layer) {
    std::vector<Point> out;
    std::size_t at = svg.find("<path class=\"" + layer + "\" d=\"");
    if (at == std::string::npos) return out;
    const std::size_t end = svg.find("\" fill", at);
    at = svg.find(" d=\"", at) + 4;
    while (at < end && svg[at] == 'M') {
        std::size_t used = 0;
        const double x = std::stod(svg.substr(at + 1), &used);
        const double y = std::stod(svg.substr(at + 1 + used));
        out.push_back({x, y});
        at = svg.find("h0", at) + 2;
    }
    return out;
}

// A cube on a slab, seen from a side that the test chooses.
struct TwoBodies {
    TwoBodies() {
        std::vector<Vec3f> corners;
        for (const Vec3f h : {Vec3f{1, 1, 1}, Vec3f{4, 0.5F, 4}}) {
            for (unsigned c = 0; c < 8; ++c) {
                corners.push_back({(c & 1U) != 0 ? h.x : -h.x, (c & 2U) != 0 ? h.y : -h.y, (c & 4U) != 0 ? h.z : -h.z});
            }
        }
        const std::uint64_t offsets[] = {0, 8, 16};
        built = build_hulls(corners, offsets);
        input.hulls = &built.hulls;
        input.bodies = BodyView(std::span<const Body>(bodies));
    }

    BuildResult built;
    std::array<Body, 2> bodies{Body{{0, 1, 0}, 0, {0, 0, 0, 1}}, Body{{0, -0.5F, 0}, 1, {0, 0, 0, 1}}};
    PictureInput input;
};

// Compares with a perspective that is computed here: the eye looks at the middle of the boxes from `distance` radii.
TEST(Picture, PointsAreWhereAPerspectivePutsThem) {
    TwoBodies scene;
    const std::vector<Vec3d> points{{1, 0, 1}, {1, 0, -1}, {1, 2, 1}, {-1, 2, 1}, {1, 2, -1}, {4, 0, 4}, {1, 1, 0.25}};
    for (const Vec3d& p : points) scene.input.contacts.push_back({p, {0, 1, 0}, -0.01F});
    PictureOptions options;
    options.azimuth = 30;
    options.elevation = 25;
    const Picture picture = draw_picture(scene.input, options);
    const std::vector<Point> drawn = dots(picture.svg, "overlaps");
    ASSERT_EQ(drawn.size(), points.size());
    EXPECT_EQ(picture.contacts, points.size());

    const double a = 30 * std::numbers::pi / 180;
    const double e = 25 * std::numbers::pi / 180;
    // Around y: azimuth 0 looks from +z, 90 degrees from +x.
    const Vec3d toward_eye{std::cos(e) * std::sin(a), std::sin(e), std::cos(e) * std::cos(a)};
    const Vec3d right = normalized(cross(-toward_eye, {0, 1, 0}));
    const Vec3d up = cross(right, -toward_eye);
    const Vec3d low{-4, -1, -4};
    const Vec3d high{4, 2, 4};
    const Vec3d eye = (low + high) * 0.5 + toward_eye * (4.0 * 0.5 * length(high - low));
    std::vector<Point> mine;
    for (const Vec3d& p : points) {
        const Vec3d d = p - eye;
        const double depth = -dot(d, toward_eye);
        mine.push_back({dot(d, right) / depth, -dot(d, up) / depth});
    }
    // One scale for both directions and a shift remain: taken from the first and the fourth point.
    const double scale = (drawn[3][0] - drawn[0][0]) / (mine[3][0] - mine[0][0]);
    EXPECT_GT(scale, 0);
    for (std::size_t i = 0; i < points.size(); ++i) {
        for (const std::size_t k : {0U, 1U}) {
            EXPECT_NEAR(drawn[i][k] - drawn[0][k], scale * (mine[i][k] - mine[0][k]), 0.3) << i;
        }
        EXPECT_GT(drawn[i][0], kLegendWidth) << "beside the legend";
        EXPECT_LT(drawn[i][0], options.width);
        EXPECT_GT(drawn[i][1], 0);
        EXPECT_LT(drawn[i][1], options.height);
    }
}

TEST(Picture, HiddenPointsAreCountedAndKeptForTheInsideLayer) {
    TwoBodies scene;
    // On the top of the cube; between cube and slab at the far side, behind more than glass; under the slab.
    for (const Vec3d& p : {Vec3d{0, 2, 0}, Vec3d{-0.9, 0, -0.9}, Vec3d{0, -1, 0}}) {
        scene.input.contacts.push_back({p, {0, 1, 0}, 0.01F});
    }
    PictureOptions options;
    Picture picture = draw_picture(scene.input, options);
    EXPECT_EQ(picture.contacts, 1U);
    EXPECT_EQ(picture.contacts_hidden, 2U);
    EXPECT_EQ(dots(picture.svg, "gaps").size(), 1U);
    EXPECT_EQ(dots(picture.svg, "inside").size(), 0U);
    // Three faces of each box show their front; those of the slab are wholly or partly visible.
    EXPECT_EQ(picture.faces, 6U);
    EXPECT_EQ(picture.faces_hidden, 0U);
    options.max_inside = 10;
    picture = draw_picture(scene.input, options);
    EXPECT_EQ(picture.contacts, 1U);
    EXPECT_EQ(dots(picture.svg, "inside").size(), 2U);
    EXPECT_EQ(occurrences(picture.svg, "display:none"), 1U) << "not shown at first";
}

// The number that the legend has in the line of this name.
std::string legend_value(const std::string& svg, const std::string& name) {
    const std::size_t at = svg.find(">" + name + "<");
    if (at == std::string::npos) return "no line " + name;
    const std::size_t begin = svg.find("text-anchor=\"end\">", at) + 18;
    return svg.substr(begin, svg.find('<', begin) - begin);
}

TEST(PictureCommand, NumbersAreThoseOfTheContacts) {
    const TemporaryFolder folder;
    const std::string scene = test::stored_scene("debris_pile").string();
    const std::string contacts = (folder / "contacts").string();
    ASSERT_EQ(program({"collide", scene, "-o", contacts, "--margin", "0.01"}).exit_code, 0);
    const FrameSummary summary = ContactsReader(contacts).summary(0);
    ASSERT_GT(summary.points, 5000U);
    for (const std::string name : {"picture.svg", "picture.html"}) {
        const std::string file = (folder / name).string();
        const Outcome outcome = program({"picture", scene, contacts, "-o", file});
        ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
        EXPECT_EQ(outcome.out.find(file + ": debris_pile, frame 0 of 0 to 0"), 0U) << outcome.out;
        const std::string text = test::read_bytes(file);
        EXPECT_EQ(legend_value(text, "candidate pairs"), with_commas(summary.pairs));
        EXPECT_EQ(legend_value(text, "touching (margin 0.01 m)"), with_commas(summary.touching));
        EXPECT_EQ(legend_value(text, "overlapping"), with_commas(summary.overlapping));
        EXPECT_EQ(legend_value(text, "contact points"), with_commas(summary.points));
        const std::size_t overlaps = dots(text, "overlaps").size();
        const std::size_t gaps = dots(text, "gaps").size();
        EXPECT_GT(overlaps, 50U);
        EXPECT_GT(gaps, 50U);
        const std::string drawn = with_commas(overlaps + gaps) + " points drawn, " +
                                  with_commas(summary.points - overlaps - gaps) + " inside the pile";
        EXPECT_NE(text.find(drawn), std::string::npos) << drawn;
        EXPECT_NE(outcome.out.find(with_commas(overlaps + gaps) + " contact points drawn"), std::string::npos);

        // The file refers to nothing else: its only address is the namespace of SVG.
        EXPECT_EQ(occurrences(text, "://"), 1U);
        EXPECT_EQ(occurrences(text, "xmlns=\"http://www.w3.org/2000/svg\""), 1U);
        for (const char* reference : {"src=", "href", "url(", "@import", "fetch(", "XMLHttp"}) {
            EXPECT_EQ(occurrences(text, reference), 0U) << reference;
        }
        const std::size_t begin = text.find("<svg");
        EXPECT_EQ(first_fault(text.substr(begin, text.rfind("</svg>") + 7 - begin)), "");
    }
}

TEST(PictureCommand, NamesWithMarkupAreEscaped) {
    const TemporaryFolder folder;
    const std::string scene = (folder / "a <b> & \"c\"").string();
    test::write_moving_scene(scene, 3);
    const std::string file = (folder / "picture.svg").string();
    ASSERT_EQ(program({"picture", scene, "-o", file, "--frame", "-2"}).exit_code, 0);
    const std::string text = test::read_bytes(file);
    EXPECT_EQ(first_fault(text), "");
    EXPECT_NE(text.find("<title>a &lt;b&gt; &amp; &quot;c&quot;, frame 1 of 0 to 2</title>"), std::string::npos);
    EXPECT_EQ(occurrences(text, "contact point"), 0U) << "no contacts were given";
}

TEST(PictureCommand, RequestsThatMakeNoSenseLeaveNoFile) {
    const TemporaryFolder folder;
    const std::string scene = test::stored_scene("boxes_pile").string();
    const std::string moving = (folder / "moving").string();
    test::write_moving_scene(moving, 2);
    const std::string contacts = (folder / "contacts").string();
    ASSERT_EQ(program({"collide", moving, "-o", contacts, "--frames", "0:1"}).exit_code, 0);
    const std::string file = (folder / "picture.svg").string();
    struct Wrong {
        std::vector<std::string> arguments;
        const char* message;
    };
    const Wrong cases[] = {
        {{scene, "-o", file, "--frame", "1"}, "no frame 1, there are 1"},
        {{scene, "-o", file, "--frame", "-2"}, "no frame -2"},
        {{scene, "-o", (folder / "picture.png").string()}, "must end in .svg or .html"},
        {{scene, "-o", file, "--up", "w"}, "--up must be x, y or z"},
        {{scene, "-o", file, "--width", "10"}, "between 200 and 20000"},
        {{scene, contacts, "-o", file}, "made from a scene of 2 frames"},
        {{moving, contacts, "-o", file, "--frame", "1"}, "frame 1 has not been computed"},
        {{moving, scene, "-o", file}, "contacts.json"},
        {{(folder / "absent").string(), "-o", file}, "absent"},
    };
    for (const Wrong& wrong : cases) {
        std::vector<std::string> arguments{"picture"};
        arguments.insert(arguments.end(), wrong.arguments.begin(), wrong.arguments.end());
        const Outcome outcome = program(arguments);
        EXPECT_EQ(outcome.exit_code, 2) << wrong.message;
        EXPECT_NE(outcome.err.find(wrong.message), std::string::npos) << wrong.message << ": " << outcome.err;
        EXPECT_FALSE(fs::exists(file)) << wrong.message;
    }
}

// A frame whose records are not what its summary says is told, by every command that draws or hands on records.
TEST(PictureCommand, DamagedRecordsAreNotShown) {
    const TemporaryFolder folder;
    const std::string scene = (folder / "scene").string();
    const std::string contacts = (folder / "contacts").string();
    test::write_moving_scene(folder / "scene", 2);
    ASSERT_EQ(program({"collide", scene, "-o", contacts}).exit_code, 0);
    const auto run = [&](const char* command, const char* name, const char* option) {
        return program({command, scene, contacts, option, "1", "-o", (folder / name).string()});
    };
    ASSERT_EQ(run("picture", "p.svg", "--frame").exit_code, 0);
    ASSERT_EQ(run("export", "e.csv", "--frames").exit_code, 0);
    fs::remove(folder / "p.svg");
    fs::remove(folder / "e.csv");
    const fs::path records = fs::path(contacts) / "frame_000001.npy";
    std::string bytes = test::read_bytes(records);
    bytes[bytes.size() / 2] ^= 1;
    test::write_bytes(records, bytes);
    for (const Outcome& outcome : {run("picture", "p.svg", "--frame"), run("export", "e.csv", "--frames")}) {
        EXPECT_EQ(outcome.exit_code, 1) << outcome.out;
        EXPECT_NE(outcome.err.find("frame_000001.npy: the records do not match their summary"), std::string::npos)
            << outcome.err;
    }
    EXPECT_FALSE(fs::exists(folder / "p.svg"));
    EXPECT_FALSE(fs::exists(folder / "e.csv"));
}

}  // namespace
}  // namespace lanefold::tools
