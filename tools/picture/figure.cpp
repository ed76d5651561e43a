// SPDX-License-Identifier: MIT
//
// SVG elements, one line each, coordinates to a tenth of a pixel.

#include "picture/figure.hpp"

#include <cmath>
#include <iterator>

#include <fmt/format.h>

#include "picture/picture.hpp"

namespace lanefold::tools {

Figure::Figure(double left, double right, double bottom, double top, int width)
    : left_(left),
      top_(top),
      scale_(width / (right - left)),
      width_(width),
      height_(static_cast<int>(std::lround((top - bottom) * scale_))) {}

FigurePoint Figure::place(const FigurePoint& p) const { return {(p.x - left_) * scale_, (top_ - p.y) * scale_}; }

void Figure::path(const std::vector<FigurePoint>& points, bool closed, const Stroke& stroke) {
    if (points.empty()) return;
    body_ += "<path d=\"";
    for (std::size_t i = 0; i < points.size(); ++i) {
        const FigurePoint p = place(points[i]);
        fmt::format_to(std::back_inserter(body_), "{}{:.1f} {:.1f}", i == 0 ? "M" : "L", p.x, p.y);
    }
    fmt::format_to(std::back_inserter(body_), "{}\" fill=\"{}\" stroke=\"{}\" stroke-width=\"{:.1f}\"",
                   closed ? "z" : "", closed ? stroke.fill : "none", stroke.colour, stroke.width);
    if (stroke.opacity < 1) fmt::format_to(std::back_inserter(body_), " fill-opacity=\"{:.2f}\"", stroke.opacity);
    if (stroke.dashed) body_ += " stroke-dasharray=\"5 4\"";
    body_ += "/>\n";
}

void Figure::polygon(const std::vector<FigurePoint>& corners, const Stroke& stroke) { path(corners, true, stroke); }

void Figure::line(const std::vector<FigurePoint>& points, const Stroke& stroke) { path(points, false, stroke); }

void Figure::arrow(const FigurePoint& from, const FigurePoint& to, const Stroke& stroke) {
    line({from, to}, stroke);
    const double dx = to.x - from.x, dy = to.y - from.y, l = std::hypot(dx, dy);
    if (!(l > 0)) return;
    const double head = 9 / scale_;  // pixels
    const double ux = dx / l * head, uy = dy / l * head;
    Stroke solid = stroke;
    solid.fill = stroke.colour;
    solid.dashed = false;
    polygon({to, {to.x - ux - 0.4 * uy, to.y - uy + 0.4 * ux}, {to.x - ux + 0.4 * uy, to.y - uy - 0.4 * ux}}, solid);
}

void Figure::dot(const FigurePoint& at, const char* colour, double radius) {
    const FigurePoint p = place(at);
    fmt::format_to(std::back_inserter(body_), "<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{:.1f}\" fill=\"{}\"/>\n", p.x,
                   p.y, radius, colour);
}

void Figure::ring(const FigurePoint& at, const char* colour, double radius) {
    const FigurePoint p = place(at);
    fmt::format_to(std::back_inserter(body_),
                   "<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{:.1f}\" fill=\"none\" stroke=\"{}\" "
                   "stroke-width=\"1.6\"/>\n",
                   p.x, p.y, radius, colour);
}

void Figure::text(const FigurePoint& at, std::string_view words, const char* colour, const char* anchor) {
    const FigurePoint p = place(at);
    fmt::format_to(std::back_inserter(body_),
                   "<text x=\"{:.1f}\" y=\"{:.1f}\" fill=\"{}\" text-anchor=\"{}\">{}</text>\n", p.x, p.y, colour,
                   anchor, escape_xml(words));
}

std::string Figure::svg(std::string_view title) const {
    return fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" "
        "font-family=\"sans-serif\" font-size=\"13\">\n<title>{2}</title>\n"
        "<rect width=\"{0}\" height=\"{1}\" fill=\"#ffffff\"/>\n{3}</svg>\n",
        width_, height_, escape_xml(title), body_);
}

}  // namespace lanefold::tools
