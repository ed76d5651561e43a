// SPDX-License-Identifier: MIT
//
// See the header. Coordinates to a tenth of a pixel.

#include "picture/panel.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

#include <fmt/format.h>

#include "picture/picture.hpp"

namespace lanefold::tools {

Panel::Panel(const Square& square, const Vec3d& right, const Vec3d& up, const std::vector<Vec3d>& shown)
    : square_(square), right_(right), up_(up) {
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
    scale_ = square.side / widest;
    for (int k = 0; k < 2; ++k) middle_[k] = 0.5 * (low[k] + high[k]);
}

std::string Panel::point(const Vec3d& p) const { return fmt::format("{:.1f} {:.1f}", x(p), y(p)); }

double Panel::x(const Vec3d& p) const {
    return square_.left + 0.5 * square_.side + scale_ * (dot(p, right_) - middle_[0]);
}

double Panel::y(const Vec3d& p) const { return square_.top + 0.5 * square_.side - scale_ * (dot(p, up_) - middle_[1]); }

std::string Panel::closed(const std::vector<Vec3d>& polygon) const {
    std::string d;
    for (const Vec3d& corner : polygon) {
        d += d.empty() ? 'M' : 'L';
        d += point(corner);
    }
    if (!d.empty()) d += 'z';
    return d;
}

void add_path(std::string& svg, const std::string& d, const PathLook& look) {
    if (d.empty()) return;
    fmt::format_to(std::back_inserter(svg),
                   "<path d=\"{}\" fill=\"{}\" fill-opacity=\"{}\" stroke=\"{}\" stroke-width=\"{}\" "
                   "stroke-linejoin=\"round\"{}/>\n",
                   d, look.fill, look.opacity, look.stroke, look.width, look.dashed ? " stroke-dasharray=\"5 4\"" : "");
}

void add_text(std::string& svg, double x, double y, const std::string& text, const char* more) {
    fmt::format_to(std::back_inserter(svg), "<text x=\"{:.1f}\" y=\"{:.1f}\"{}>{}</text>\n", x, y, more,
                   escape_xml(text));
}

Vec3d normal_of(const PairStory& s) {
    if (s.many.kind == ContactKind::none) return s.oracle_normal;
    return normalized(to_double(Vec3f{s.many.normal[0], s.many.normal[1], s.many.normal[2]}));
}

Vec3d across(const PairStory& s, const Vec3d& normal) {
    Vec3d along = std::fabs(normal.x) < 0.7 ? Vec3d{1, 0, 0} : Vec3d{0, 0, 1};
    if (s.reference.size() > 1) along = s.reference[1] - s.reference[0];
    return normalized(along - normal * dot(along, normal));
}

}  // namespace lanefold::tools
