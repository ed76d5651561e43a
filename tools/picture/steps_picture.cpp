// SPDX-License-Identifier: MIT
//
// See the header. The Gauss sphere is seen along the direction in azimuthal equidistant projection, so the distance
// from the middle is the angle to the direction and the cap is a circle.

#include "picture/steps_picture.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numbers>

#include <fmt/format.h>

#include "picture/panel.hpp"
#include "picture/picture.hpp"

namespace lanefold::tools {
namespace {

constexpr double kHead = 26;  // pixels above a panel, for its words
constexpr double kGap = 22;
constexpr int kColumns = 5;
constexpr std::size_t kMostCuts = 15;  // a wheel has more sides than anybody looks at
constexpr const char* kColourCut = "#7a3fb0";
constexpr const char* kSmall = " font-size=\"12\"";

// Places square panels in rows.
class Rows {
public:
    explicit Rows(const StepsArea& area)
        : area_(area), side_((area.width - (kColumns - 1) * kGap) / kColumns), top_(area.top) {}

    // The next square, with its words above.
    Square next(std::string& svg, const std::string& words) {
        if (column_ == kColumns) end_row();
        const Square out{area_.left + column_ * (side_ + kGap), top_ + kHead, side_};
        add_text(svg, out.left, top_ + kHead - 9, words, kSmall);
        ++column_;
        return out;
    }
    void end_row() {
        if (column_ == 0) return;
        top_ += kHead + side_ + kGap;
        column_ = 0;
    }
    double top() const { return top_; }
    void skip(double pixels) { top_ += pixels; }

private:
    StepsArea area_;
    double side_;
    double top_;
    int column_ = 0;
};

std::string line(const Panel& panel, const Vec3d& from, const Vec3d& to) {
    return fmt::format("M{}L{}", panel.point(from), panel.point(to));
}

void add_dot(std::string& svg, const char* what, double x, double y, const char* fill, const char* stroke) {
    fmt::format_to(std::back_inserter(svg),
                   "<circle class=\"{}\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"4\" fill=\"{}\" stroke=\"{}\"/>\n", what, x, y,
                   fill, stroke);
}

void draw_cuts(const PairStory& s, Rows& rows, std::string& svg) {
    const published::FaceClipTrace& trace = s.face_clip->trace;
    const bool on_b = s.face_clip->manifold.reference_on_b;
    const char* const reference = on_b ? kColourB : kColourA;
    const char* const incident = on_b ? kColourA : kColourB;
    const PlacedHull& hull = on_b ? s.b : s.a;
    const Vec3d normal = normal_of(s);
    const Vec3d right = across(s, normal);
    std::vector<Vec3d> shown = trace.reference;
    shown.insert(shown.end(), trace.incident.begin(), trace.incident.end());
    for (std::size_t i = 0; i < std::min(trace.cuts.size(), kMostCuts); ++i) {
        const published::FaceClipCut& cut = trace.cuts[i];
        const Panel panel(rows.next(svg, fmt::format("cut {}, face {}: {} to {} corners", i, cut.face,
                                                     cut.before.size(), cut.after.size())),
                          right, cross(normal, right), shown);
        add_path(svg, panel.closed(trace.reference), {reference, 0.08, reference, 1.2});
        add_path(svg, panel.closed(cut.before), {"none", 1, incident, 1.4, true});
        add_path(svg, panel.closed(cut.after), {kColourClip, 0.35, kColourClip, 1.6});
        add_path(svg, line(panel, hull.vertices[cut.from], hull.vertices[cut.to]), {"none", 1, kColourCut, 3.2});
    }
    if (trace.cuts.size() > kMostCuts) rows.next(svg, fmt::format("and {} more", trace.cuts.size() - kMostCuts));
}

// The corners from the side, with both depths beside each other, and what became of each corner.
void draw_depths(const PairStory& s, Rows& rows, std::string& svg) {
    const published::FaceClipTrace& trace = s.face_clip->trace;
    const bool on_b = s.face_clip->manifold.reference_on_b;
    const Vec3d normal = normal_of(s);
    const Vec3d out = on_b ? -normal : normal;
    const Vec3d right = across(s, normal);
    std::vector<Vec3d> shown = trace.reference;
    shown.insert(shown.end(), trace.incident.begin(), trace.incident.end());
    const Panel panel(rows.next(svg, "from the side, with depths"), right, normal, shown);
    add_path(svg, panel.closed(trace.reference), {"none", 1, on_b ? kColourB : kColourA, 1.6});
    add_path(svg, panel.closed(trace.incident), {"none", 1, on_b ? kColourA : kColourB, 1.4, true});
    for (const published::FaceClipCorner& c : trace.corners) {
        if (c.fate != published::CornerFate::kept) {
            const double x = panel.x(c.at), y = panel.y(c.at);
            add_path(svg, fmt::format("M{:.1f} {:.1f}l10 10m0 -10l-10 10", x - 5, y - 5),
                     {"none", 1, kOverlapColour, 1.8});
            continue;
        }
        add_path(svg, line(panel, c.at, c.at - out * c.plane_ray), {"none", 1, kColourClip, 2.4});
        const double x = panel.x(c.at) + 4;
        add_path(
            svg,
            fmt::format("M{:.1f} {:.1f}L{:.1f} {:.1f}", x, panel.y(c.at), x, panel.y(c.at - out * c.furthest_vertex)),
            {"none", 1, kColourCut, 1.6, true});
        add_dot(svg, "corner", panel.x(c.at), panel.y(c.at), kOverlapColour, kOverlapColour);
    }
    rows.end_row();
    add_text(svg, 40, rows.top() + 4,
             "dashed: before the cut; violet side: its face cuts; green: depth by plane and ray; violet dashed: by the "
             "furthest vertex; crosses: deleted above the reference face",
             kSmall);
    for (std::size_t i = 0; i < trace.corners.size(); ++i) {
        const published::FaceClipCorner& c = trace.corners[i];
        add_text(svg, 40, rows.top() + 24 + 18 * static_cast<double>(i),
                 c.fate == published::CornerFate::kept
                     ? fmt::format("corner {}: {:.6g} by plane and ray, {:.6g} by the furthest vertex", i, c.plane_ray,
                                   c.furthest_vertex)
                     : fmt::format("corner {}: deleted, {:.6g} above the reference face", i, c.above),
                 kSmall);
    }
    rows.skip(36 + 18 * static_cast<double>(trace.corners.size()));
}

// The Gauss sphere around a direction, up to an angle.
class Sphere {
public:
    Sphere(const Square& square, const published::FeatureGrowth& growth, double range)
        : square_(square),
          direction_(growth.direction),
          axes_(published::plane_axes(growth.direction)),
          range_(range) {}

    double middle_x() const { return square_.left + 0.5 * square_.side; }
    double middle_y() const { return square_.top + 0.5 * square_.side; }
    double radius(double angle) const { return 0.5 * square_.side * angle / range_; }

    std::string point(const Vec3d& n) const {
        const Vec3d flat = n - direction_ * dot(n, direction_);
        const double l = length(flat);
        const double r = radius(std::atan2(l, dot(n, direction_)));
        const Vec3d towards = l > 0 ? flat * (1 / l) : Vec3d{};
        return fmt::format("{:.1f} {:.1f}", middle_x() + r * dot(towards, axes_.across),
                           middle_y() - r * dot(towards, axes_.along));
    }
    // The great arc between two normals.
    std::string arc(const Vec3d& from, const Vec3d& to) const {
        constexpr int kPieces = 24;
        std::string d = fmt::format("M{}", point(from));
        for (int i = 1; i <= kPieces; ++i) {
            const double t = static_cast<double>(i) / kPieces;
            d += fmt::format("L{}", point(normalized(from * (1 - t) + to * t)));
        }
        return d;
    }
    void ring(std::string& svg, double angle, const char* name, const char* fill) const {
        fmt::format_to(std::back_inserter(svg),
                       "<circle class=\"{}\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{:.1f}\" fill=\"{}\" "
                       "fill-opacity=\"0.3\" stroke=\"{}\"/>\n",
                       name, middle_x(), middle_y(), radius(angle), fill, kColourClip);
    }

private:
    Square square_;
    Vec3d direction_;
    published::PlaneAxes axes_;
    double range_;
};

const char* type_name(FeatureType type) {
    return type == FeatureType::face ? "face" : type == FeatureType::edge ? "edge" : "vertex";
}

// The maps of all stages; the last one, of the contact feature, is bold. A small cap needs a second, magnified view.
void draw_gauss_maps(const published::FeatureGrowth& growth, const char* colour, const Square& square, double range,
                     const std::string& clip, std::string& svg) {
    const Sphere sphere(square, growth, range);
    fmt::format_to(std::back_inserter(svg),
                   "<clipPath id=\"{0}\"><circle cx=\"{1:.1f}\" cy=\"{2:.1f}\" r=\"{3:.1f}\"/></clipPath>\n"
                   "<circle cx=\"{1:.1f}\" cy=\"{2:.1f}\" r=\"{3:.1f}\" fill=\"#ffffff\" stroke=\"#8a929e\"/>\n"
                   "<g clip-path=\"url(#{0})\">\n",
                   clip, sphere.middle_x(), sphere.middle_y(), 0.5 * square.side);
    sphere.ring(svg, growth.angle, "cap", kColourClip);
    for (const published::GrowthStage& stage : growth.stages) {
        const bool last = &stage == &growth.stages.back();
        const std::vector<Vec3d>& map = stage.gauss_map;
        const std::size_t arcs = map.size() < 3 ? map.size() - 1 : map.size();
        std::string d;
        for (std::size_t k = 0; k < arcs; ++k) d += sphere.arc(map[k], map[(k + 1) % map.size()]);
        add_path(svg, d, {"none", 1, colour, last ? 3.0 : 1.2, !last});
        for (const Vec3d& n : map) {
            const std::string at = sphere.point(n);
            const std::size_t space = at.find(' ');
            fmt::format_to(
                std::back_inserter(svg), "<circle class=\"gauss-{}\" cx=\"{}\" cy=\"{}\" r=\"{}\" fill=\"{}\"/>\n",
                type_name(stage.feature.type), at.substr(0, space), at.substr(space + 1), last ? 5 : 3, colour);
        }
    }
    svg += "</g>\n";
}

void draw_growth(char name, const published::FeatureGrowth& growth, const char* colour, Rows& rows, std::string& svg) {
    std::string words = fmt::format("{}: ", name);
    for (const published::GrowthStage& stage : growth.stages) {
        if (&stage != growth.stages.data()) words += " to ";
        words += fmt::format("{} {}", type_name(stage.feature.type), stage.feature.index);
    }
    draw_gauss_maps(growth, colour, rows.next(svg, words), std::numbers::pi, fmt::format("sphere-{}", name), svg);
    const double range = growth.angle > 0 ? std::min(4 * growth.angle, std::numbers::pi) : 0.01;
    draw_gauss_maps(
        growth, colour,
        rows.next(svg, fmt::format("{}: cap of {:.4g} degrees", name, growth.angle * 180 / std::numbers::pi)), range,
        fmt::format("cap-{}", name), svg);
}

}  // namespace

StepsPicture draw_steps(const PairStory& s, const StepsArea& area) {
    StepsPicture out;
    Rows rows(area);
    if (s.face_clip) {
        draw_cuts(s, rows, out.svg);
        draw_depths(s, rows, out.svg);
    } else if (s.features) {
        draw_growth('a', s.features->trace.a, kColourA, rows, out.svg);
        draw_growth('b', s.features->trace.b, kColourB, rows, out.svg);
        rows.end_row();
        add_text(out.svg, area.left, rows.top() + 4,
                 "Gauss maps of the features as they grow (the last one bold), on the whole sphere seen along the "
                 "normal and near the cap of the tolerance angle (green)",
                 kSmall);
        rows.skip(24);
    }
    out.height = out.svg.empty() ? 0 : rows.top() - area.top + kGap;
    return out;
}

}  // namespace lanefold::tools
