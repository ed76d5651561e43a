// SPDX-License-Identifier: MIT
//
// Two panels in parallel projection: the left one along the normal (it shows the clipping), the right one across it (it
// shows the depth).

#include "picture/story.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

#include <fmt/format.h>

#include "picture/picture.hpp"

namespace lanefold::tools {

namespace {

constexpr double kPanel = 460;  // side of a panel, pixels
constexpr double kBorder = 40;
constexpr double kTop = 96;  // below the title
constexpr double kFooter = 84;
constexpr const char* kColourA = "#2b5fa8";
constexpr const char* kColourB = "#c2701c";
constexpr const char* kColourClip = "#3d9950";

// A parallel projection that fits given points into a panel.
class Panel {
public:
    Panel(double left, const Vec3d& right, const Vec3d& up, const std::vector<Vec3d>& shown)
        : left_(left), right_(right), up_(up) {
        double low[2] = {1e300, 1e300};
        double high[2] = {-1e300, -1e300};
        for (const Vec3d& p : shown) {
            const double at[2] = {dot(p, right), dot(p, up)};
            for (int k = 0; k < 2; ++k) {
                low[k] = std::min(low[k], at[k]);
                high[k] = std::max(high[k], at[k]);
            }
        }
        const double widest = std::max({high[0] - low[0], high[1] - low[1], std::numeric_limits<double>::min()});
        scale_ = kPanel / widest;
        for (int k = 0; k < 2; ++k) middle_[k] = 0.5 * (low[k] + high[k]);
    }

    std::string point(const Vec3d& p) const { return fmt::format("{:.1f} {:.1f}", x(p), y(p)); }
    double x(const Vec3d& p) const { return left_ + 0.5 * kPanel + scale_ * (dot(p, right_) - middle_[0]); }
    double y(const Vec3d& p) const { return kTop + 0.5 * kPanel - scale_ * (dot(p, up_) - middle_[1]); }

private:
    double left_;
    Vec3d right_;
    Vec3d up_;
    double scale_ = 1;
    double middle_[2] = {};
};

std::string closed(const Panel& panel, const std::vector<Vec3d>& polygon) {
    std::string d;
    for (const Vec3d& corner : polygon) {
        d += d.empty() ? 'M' : 'L';
        d += panel.point(corner);
    }
    if (!d.empty()) d += 'z';
    return d;
}

void add_path(std::string& svg, const std::string& d, const char* fill, double opacity, const char* stroke,
              double width) {
    if (d.empty()) return;
    fmt::format_to(std::back_inserter(svg),
                   "<path d=\"{}\" fill=\"{}\" fill-opacity=\"{}\" stroke=\"{}\" stroke-width=\"{}\" "
                   "stroke-linejoin=\"round\"/>\n",
                   d, fill, opacity, stroke, width);
}

void add_text(std::string& svg, double x, double y, const std::string& text, const char* more = "") {
    fmt::format_to(std::back_inserter(svg), "<text x=\"{:.1f}\" y=\"{:.1f}\"{}>{}</text>\n", x, y, more,
                   escape_xml(text));
}

void add_edges(std::string& svg, const Panel& panel, const PlacedHull& hull, const char* colour, double width) {
    std::string d;
    for (const PlacedHull::Edge& e : hull.edges) {
        d += 'M';
        d += panel.point(hull.vertices[e.v0]);
        d += 'L';
        d += panel.point(hull.vertices[e.v1]);
    }
    add_path(svg, d, "none", 1, colour, width);
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

// A unit vector across the normal, along the reference face's first side, so that boxes stand straight.
Vec3d across(const PairStory& s, const Vec3d& normal) {
    Vec3d along = std::fabs(normal.x) < 0.7 ? Vec3d{1, 0, 0} : Vec3d{0, 0, 1};
    if (s.reference.size() > 1) along = s.reference[1] - s.reference[0];
    return normalized(along - normal * dot(along, normal));
}

}  // namespace

std::string draw_story(const PairStory& s, const std::string& title) {
    const bool touching = s.many.kind != ContactKind::none;
    const Vec3d normal =
        touching ? normalized(to_double(Vec3f{s.many.normal[0], s.many.normal[1], s.many.normal[2]})) : s.oracle_normal;
    const Vec3d right = across(s, normal);
    std::vector<Vec3d> both = s.a.vertices;
    both.insert(both.end(), s.b.vertices.begin(), s.b.vertices.end());
    std::vector<Vec3d> faces = s.reference;
    faces.insert(faces.end(), s.incident.begin(), s.incident.end());
    const double second = 2 * kBorder + kPanel + kBorder;
    const Panel plane(kBorder, right, cross(normal, right), faces.empty() ? both : faces);
    const Panel side(second, right, normal, both);

    const double width = second + kPanel + kBorder;
    const double height = kTop + kPanel + kFooter;
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
        add_path(svg, closed(plane, s.reference), on_a ? kColourA : kColourB, 0.10, on_a ? kColourA : kColourB, 2.2);
        add_path(svg, closed(plane, s.incident), on_a ? kColourB : kColourA, 0.10, on_a ? kColourB : kColourA, 2.2);
        if (!s.steps.empty()) add_path(svg, closed(plane, s.steps.back().left), kColourClip, 0.35, kColourClip, 1.2);
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
        "fill=\"{}\">points: filled are kept, hollow are left out by the reduction</tspan></text>\n</svg>\n",
        kBorder, y, kColourA, s.a.body, kColourB, s.b.body, kColourClip, kOverlapColour);
    return svg;
}

}  // namespace lanefold::tools
