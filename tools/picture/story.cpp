// SPDX-License-Identifier: MIT
//
// Two panels in parallel projection: the left one along the normal (it shows the clipping), the right one across it (it
// shows the depth).

#include "picture/story.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

#include <fmt/format.h>

#include "picture/panel.hpp"
#include "picture/picture.hpp"
#include "picture/steps_picture.hpp"

namespace lanefold::tools {

namespace {

constexpr double kPanel = 460;  // side of a panel, pixels
constexpr double kBorder = 40;
constexpr double kTop = 96;  // below the title
constexpr double kFooter = 84;

void add_edges(std::string& svg, const Panel& panel, const PlacedHull& hull, const char* colour, double width) {
    std::string d;
    for (const PlacedHull::Edge& e : hull.edges) {
        d += 'M';
        d += panel.point(hull.vertices[e.v0]);
        d += 'L';
        d += panel.point(hull.vertices[e.v1]);
    }
    add_path(svg, d, {"none", 1, colour, width});
}

bool kept(const PairStory& s, const ContactPoint& p) {
    return std::any_of(s.four.points, s.four.points + s.four.count,
                       [&](const ContactPoint& q) { return q.feature == p.feature; });
}

void add_points(std::string& svg, const Panel& panel, const PairStory& s, bool numbers) {
    for (std::size_t i = 0; i < s.many.count; ++i) {
        const ContactPoint& p = s.many.points[i];
        const Vec3d at = to_double(Vec3f{p.position[0], p.position[1], p.position[2]});
        fmt::format_to(std::back_inserter(svg),
                       "<circle class=\"{}\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"5\" fill=\"{}\" stroke=\"{}\" "
                       "stroke-width=\"1.6\"/>\n",
                       kept(s, p) ? "kept" : "left-out", panel.x(at), panel.y(at),
                       kept(s, p) ? kOverlapColour : "#ffffff", kOverlapColour);
        if (numbers) add_text(svg, panel.x(at) + 8, panel.y(at) - 7, fmt::format("{}", i));
    }
}

}  // namespace

std::string draw_story(const PairStory& s, const std::string& title) {
    const bool touching = s.many.kind != ContactKind::none;
    const Vec3d normal = normal_of(s);
    const Vec3d right = across(s, normal);
    std::vector<Vec3d> both = s.a.vertices;
    both.insert(both.end(), s.b.vertices.begin(), s.b.vertices.end());
    std::vector<Vec3d> faces = s.reference;
    faces.insert(faces.end(), s.incident.begin(), s.incident.end());
    const double second = 2 * kBorder + kPanel + kBorder;
    const Panel plane({kBorder, kTop, kPanel}, right, cross(normal, right), faces.empty() ? both : faces);
    const Panel side({second, kTop, kPanel}, right, normal, both);

    const double width = second + kPanel + kBorder;
    const double end = kTop + kPanel + kFooter;
    const StepsPicture steps = draw_steps(s, {kBorder, end, width - 2 * kBorder});
    const double height = end + steps.height;
    std::string svg = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" "
        "font-family=\"Helvetica,Arial,sans-serif\" font-size=\"14\" fill=\"#20242c\">\n<title>{2}</title>\n"
        "<rect width=\"{0}\" height=\"{1}\" fill=\"#f8f9fa\"/>\n",
        width, height, escape_xml(title));
    add_text(svg, kBorder, 34, title, " font-size=\"18\" font-weight=\"bold\"");
    add_text(svg, kBorder, kTop - 30, "the contact plane, seen along the normal");
    add_text(svg, second, kTop - 30, "from the side, normal upward");

    if (faces.empty()) {
        add_edges(svg, plane, s.a, kColourA, 1.2);
        add_edges(svg, plane, s.b, kColourB, 1.2);
    } else {
        const bool on_a = s.many.kind == ContactKind::face_a;
        const char* const reference = on_a ? kColourA : kColourB;
        const char* const incident = on_a ? kColourB : kColourA;
        add_path(svg, plane.closed(s.reference), {reference, 0.10, reference, 2.2});
        add_path(svg, plane.closed(s.incident), {incident, 0.10, incident, 2.2});
        if (!s.steps.empty()) add_path(svg, plane.closed(s.steps.back().left), {kColourClip, 0.35, kColourClip});
    }
    add_points(svg, plane, s, true);
    add_edges(svg, side, s.a, kColourA, 1.2);
    add_edges(svg, side, s.b, kColourB, 1.2);
    add_points(svg, side, s, false);

    double y = kTop + kPanel + 34;
    const std::string what = touching ? fmt::format("{}, distance {:.6g}, oracle {:.6g}", to_string(s.many.kind),
                                                    s.many.distance, s.oracle_distance)
                                      : fmt::format("apart, {:.6g} by the oracle", s.oracle_distance);
    add_text(svg, kBorder, y, what + ". " + s.reason);
    y += 26;
    fmt::format_to(
        std::back_inserter(svg),
        "<text x=\"{}\" y=\"{}\"><tspan fill=\"{}\">a: body {}</tspan>   <tspan dx=\"14\" fill=\"{}\">b: body "
        "{}</tspan>   <tspan dx=\"14\" fill=\"{}\">incident face after clipping</tspan>   <tspan dx=\"14\" "
        "fill=\"{}\">points: filled are kept, hollow are left out by the reduction</tspan></text>\n",
        kBorder, y, kColourA, s.a.body, kColourB, s.b.body, kColourClip, kOverlapColour);
    return svg + steps.svg + "</svg>\n";
}

}  // namespace lanefold::tools
