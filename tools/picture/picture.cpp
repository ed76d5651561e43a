// SPDX-License-Identifier: MIT
//
// Draws the faces that face the camera and have visible pixels, from back to front, and over them the contacts near the
// visible surface.

#include "picture/picture.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include <lanefold/detail/compound_block.hpp>
#include <lanefold/detail/hull_block.hpp>
#include <lanefold/detail/read_body.hpp>
#include <lanefold/pose.hpp>

#include "picture/ground_faces.hpp"
#include "picture/view.hpp"
#include "scene/drawn_hulls.hpp"

namespace lanefold::tools {

namespace {

// Contacts up to this depth behind the visible surface are shown, in median body sizes: contacts of the outer bodies,
// as if these were glass.
constexpr double kGlassDepth = 0.3;
// Height of walls in the picture, relative to the pile. Whole walls would hide it.
constexpr double kKerb = 0.04;
// Immovable bodies larger than this many median sizes are floor and walls.
constexpr float kStageSize = 4;

struct Placed {
    PoseD pose;  // of the hull's input frame
    std::uint32_t hull = 0;
    bool usable = false;
    bool stage = false;
};

struct Face {
    std::vector<PicturePoint> corners;
    double depth = 0;
    std::uint32_t colour = 0;  // 0xrrggbb
    bool stage = false;
    bool ground = false;   // of a surface
    bool outlined = true;  // in a darker colour than its own
};

// The most triangles of surfaces that are drawn with their edges.
constexpr std::size_t kOutlined = 4000;

Placed place(const PictureInput& input, std::size_t i) {
    Placed out;
    const BodyD body = detail::read_body(input.bodies, i);
    out.hull = body.hull;
    out.pose.position = detail::position_of(body);
    Quat unit;
    out.usable = out.hull < input.hulls->size() && is_finite(out.pose.position) && normalize(body.orientation, unit);
    if (out.usable) out.pose.rotation = rotation(unit);
    return out;
}

double component(const Vec3d& v, int axis) { return axis == 0 ? v.x : axis == 1 ? v.y : v.z; }

// The part of a convex polygon at or below a height.
std::vector<Vec3d> clip_above(const std::vector<Vec3d>& polygon, int up, double height) {
    std::vector<Vec3d> out;
    for (std::size_t i = 0; i < polygon.size(); ++i) {
        const Vec3d& p = polygon[i];
        const Vec3d& q = polygon[(i + 1) % polygon.size()];
        const double hp = component(p, up) - height;
        const double hq = component(q, up) - height;
        if (hp <= 0) out.push_back(p);
        if ((hp < 0 && hq > 0) || (hp > 0 && hq < 0)) out.push_back(p + (q - p) * (hp / (hp - hq)));
    }
    return out;
}

// A colour for every hull: hues differ by the golden angle, with little saturation.
Vec3d hull_colour(std::uint32_t hull) {
    const double hue = std::fmod(0.11 + 0.61803398875 * hull, 1.0) * 6;
    const double light = 0.70 + 0.10 * std::fmod(0.754877666 * hull, 1.0);
    const double chroma = 0.17;
    const auto channel = [&](double shift) {
        const double h = std::fmod(hue + shift, 6.0);
        const double ramp = std::clamp(std::fabs(h - 3) - 1, 0.0, 1.0);
        return light + chroma * (ramp - 0.5);
    };
    return {channel(0), channel(4), channel(2)};
}

class Painter {
public:
    Painter(const PictureInput& input, const PictureOptions& options)
        : input_(input), options_(options), bodies_(place_all()), camera_(make_camera()) {}

    Picture paint();

private:
    std::vector<Placed> place_all();
    Camera make_camera();
    void add_faces();
    void add_body(const Placed& body);
    void add_hull(const Placed& body, std::uint32_t hull, const PoseD& pose);
    void keep_visible(Picture& out);
    void add_visible_ground(const std::uint32_t* pixels);
    void write_faces(std::string& svg, bool stage) const;
    void write_contacts(std::string& svg, Picture& out) const;

    const PictureInput& input_;
    const PictureOptions& options_;
    double median_size_ = 1;
    double floor_ = 0;
    double top_ = 0;
    std::vector<Placed> bodies_;
    Camera camera_;
    std::vector<Face> faces_;
    std::vector<GroundFace> ground_;
    VisibilityBuffer buffer_{1, 1};
};

std::vector<Placed> Painter::place_all() {
    std::vector<Placed> out(input_.bodies.count);
    std::vector<float> sizes;
    for (std::size_t i = 0; i < out.size(); ++i) {
        out[i] = place(input_, i);
        const bool moves = input_.inverse_mass.empty() || input_.inverse_mass[i] != 0;
        if (out[i].usable && moves) sizes.push_back((*input_.hulls)[out[i].hull].size);
    }
    if (sizes.empty()) {
        for (const Placed& b : out) {
            if (b.usable) sizes.push_back((*input_.hulls)[b.hull].size);
        }
    }
    if (sizes.empty()) return out;
    std::nth_element(sizes.begin(), sizes.begin() + static_cast<std::ptrdiff_t>(sizes.size() / 2), sizes.end());
    const float median = sizes[sizes.size() / 2];
    median_size_ = static_cast<double>(median);
    for (std::size_t i = 0; i < out.size(); ++i) {
        // Without masses only the size decides.
        const bool moves = !input_.inverse_mass.empty() && input_.inverse_mass[i] != 0;
        out[i].stage = out[i].usable && !moves && (*input_.hulls)[out[i].hull].size > kStageSize * median;
    }
    return out;
}

Camera Painter::make_camera() {
    std::vector<WorldBox> shown;
    for (const int pass : {0, 1}) {
        for (const Placed& b : bodies_) {
            if (b.usable && (pass == 1 || !b.stage)) {
                shown.push_back(world_box(detail::outline_of(*input_.hulls, b.hull), b.pose, 0));
            }
        }
        if (!shown.empty()) break;  // a scene of floor and walls alone is shown whole
    }
    floor_ = top_ = 0;
    for (std::size_t i = 0; i < shown.size(); ++i) {
        const double low = component(shown[i].lower, options_.up);
        const double high = component(shown[i].upper, options_.up);
        floor_ = i == 0 ? low : std::min(floor_, low);
        top_ = i == 0 ? high : std::max(top_, high);
    }
    const double width = options_.width;
    const double height = options_.height;
    const double border = 0.04 * height;
    // The legend keeps its place when the picture is wide enough for both.
    const double left = width >= 3 * kLegendWidth ? kLegendWidth + 40.0 : border;
    return {shown,       options_.azimuth,     options_.elevation,
            options_.up, options_.left_handed, {left, border, width - border, height - border}};
}

void Painter::add_body(const Placed& body) {
    if (const Surface* const surface = input_.hulls->surface(body.hull))
        return add_ground(*surface, body.pose, camera_, options_.width, options_.height, ground_);
    if (input_.hulls->child_count(body.hull) == 0) return add_hull(body, body.hull, body.pose);
    for (const DrawnPiece& piece : drawn_pieces(*input_.hulls, body.hull))
        add_hull(body, piece.hull,
                 {body.pose.rotation * piece.pose.rotation, transform(body.pose, piece.pose.position)});
}

// A hull of a body.
void Painter::add_hull(const Placed& body, std::uint32_t hull, const PoseD& pose) {
    const HullRecord& record = (*input_.hulls)[hull];
    const detail::HullView view(record);
    const PoseD inner = view.internal_to_input();
    const Mat3d turn = pose.rotation * inner.rotation;
    const std::span<const Vec3f> vertices = input_.hulls->vertices(hull);
    const Vec3d base = body.stage ? Vec3d{0.86, 0.87, 0.88} : hull_colour(body.hull);
    std::vector<Vec3d> corners;
    for (std::uint32_t f = 0; f < record.face_count; ++f) {
        const Vec3d normal = turn * view.normal(f);
        corners.clear();
        for (std::uint32_t k = view.face_first[f]; k < view.face_first[f + 1]; ++k) {
            corners.push_back(transform(pose, to_double(vertices[view.face_vertex[k]])));
        }
        if (!camera_.sees(corners[0], normal)) continue;
        if (body.stage) corners = clip_above(corners, options_.up, floor_ + kKerb * (top_ - floor_));
        if (corners.size() < 3) continue;
        Face face;
        face.stage = body.stage;
        for (const Vec3d& c : corners) {
            face.corners.push_back(camera_.project(c));
            face.depth += face.corners.back().depth / static_cast<double>(corners.size());
        }
        face.colour = shade(base, lit(normal, camera_));
        faces_.push_back(std::move(face));
    }
}

void Painter::add_faces() {
    for (const Placed& b : bodies_) {
        if (b.usable) add_body(b);
    }
}

// Surfaces have half of the faces at most. A triangle is as deep as its deepest corner, so that what stands on a large
// one comes after it.
void Painter::add_visible_ground(const std::uint32_t* pixels) {
    const std::vector<GroundFace> ground = visible_ground(ground_, pixels, buffer_, options_.max_faces / 2);
    for (const GroundFace& g : ground) {
        Face& face = faces_.emplace_back();
        face.corners.assign(g.corners.begin(), g.corners.end());
        face.depth = std::max({g.corners[0].depth, g.corners[1].depth, g.corners[2].depth});
        face.colour = g.colour;
        face.ground = true;
        face.outlined = ground.size() <= kOutlined;
    }
}

void Painter::keep_visible(Picture& out) {
    buffer_ = VisibilityBuffer(options_.width, options_.height);
    const auto hull_faces = static_cast<std::uint32_t>(faces_.size());
    for (std::uint32_t i = 0; i < hull_faces; ++i) buffer_.draw(faces_[i].corners, i);
    for (std::uint32_t i = 0; i < ground_.size(); ++i) buffer_.draw(ground_[i].corners, hull_faces + i);
    std::vector<std::uint32_t> pixels = buffer_.pixels(static_cast<std::uint32_t>(hull_faces + ground_.size()));
    const std::uint64_t all = hull_faces + ground_.size();
    add_visible_ground(pixels.data() + hull_faces);
    pixels.resize(hull_faces);
    pixels.resize(faces_.size(), ~std::uint32_t{0});  // all visible triangles stay
    std::vector<std::uint32_t> order;
    for (std::uint32_t i = 0; i < faces_.size(); ++i) {
        if (pixels[i] > 0) order.push_back(i);
    }
    if (order.size() > options_.max_faces) {
        std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
            return pixels[a] != pixels[b] ? pixels[a] > pixels[b] : a < b;
        });
        order.resize(options_.max_faces);
    }
    // Floor and walls first, then back to front.
    std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
        const Face& fa = faces_[a];
        const Face& fb = faces_[b];
        if (fa.stage != fb.stage) return fa.stage;
        return fa.depth != fb.depth ? fa.depth > fb.depth : a < b;
    });
    out.faces = order.size();
    out.faces_hidden = all - std::min<std::uint64_t>(all, order.size());
    std::vector<Face> kept;
    kept.reserve(order.size());
    for (const std::uint32_t i : order) kept.push_back(std::move(faces_[i]));
    faces_ = std::move(kept);
}

void Painter::write_faces(std::string& svg, bool stage) const {
    for (const Face& face : faces_) {
        if (face.stage != stage) continue;
        fmt::format_to(std::back_inserter(svg), "<path {}fill=\"#{:06x}\" ", face.ground ? "class=\"ground\" " : "",
                       face.colour);
        // A line of its own colour closes the seams.
        if (!face.outlined)
            fmt::format_to(std::back_inserter(svg), "stroke=\"#{:06x}\" stroke-opacity=\"1\" ", face.colour);
        svg += "d=\"";
        for (std::size_t i = 0; i < face.corners.size(); ++i) {
            fmt::format_to(std::back_inserter(svg), "{}{:.1f} {:.1f}", i == 0 ? "M" : "L", face.corners[i].x,
                           face.corners[i].y);
        }
        svg += "z\"/>\n";
    }
}

void Painter::write_contacts(std::string& svg, Picture& out) const {
    // Overlapping points, and points with a gap.
    std::string dots[2];
    std::string inside[2];
    std::string normals;
    const double reach = kGlassDepth * median_size_;
    const double arrow = 0.22 * median_size_;
    for (const PictureContact& c : input_.contacts) {
        const PicturePoint p = camera_.project(c.position);
        const bool framed = p.x >= 0 && p.y >= 0 && p.x < options_.width && p.y < options_.height;
        const std::size_t sign = c.separation < 0 ? 0 : 1;
        if (!framed || p.depth > buffer_.depth_at(p.x, p.y) + reach || out.contacts == options_.max_contacts) {
            ++out.contacts_hidden;
            if (!framed || out.contacts_inside == options_.max_inside) continue;
            ++out.contacts_inside;
            fmt::format_to(std::back_inserter(inside[sign]), "M{:.1f} {:.1f}h0", p.x, p.y);
            continue;
        }
        ++out.contacts;
        fmt::format_to(std::back_inserter(dots[sign]), "M{:.1f} {:.1f}h0", p.x, p.y);
        const PicturePoint a = camera_.project(c.position - c.normal * arrow);
        const PicturePoint b = camera_.project(c.position + c.normal * arrow);
        fmt::format_to(std::back_inserter(normals), "M{:.1f} {:.1f}L{:.1f} {:.1f}", a.x, a.y, b.x, b.y);
    }
    const auto layer = [&](const char* id, const char* colour, double width, const std::string& path,
                           const char* more = "") {
        if (path.empty()) return;
        fmt::format_to(std::back_inserter(svg),
                       "<path class=\"{}\" d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"{:.2f}\" "
                       "stroke-linecap=\"round\"{}/>\n",
                       id, path, colour, width, more);
    };
    const char* const unseen = " style=\"display:none\"";
    layer("inside", kGapColour, 2.4, inside[1], unseen);
    layer("inside", kOverlapColour, 2.4, inside[0], unseen);
    layer("normals", "#20242c", 0.9, normals);
    layer("gaps", kGapColour, 4.2, dots[1]);
    layer("overlaps", kOverlapColour, 4.2, dots[0]);
}

Picture Painter::paint() {
    Picture out;
    add_faces();
    keep_visible(out);
    std::string& svg = out.svg;
    fmt::format_to(std::back_inserter(svg),
                   "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\">\n"
                   "<title>{2}</title>\n<rect width=\"{0}\" height=\"{1}\" fill=\"#f4f5f7\"/>\n",
                   options_.width, options_.height, escape_xml(input_.title));
    svg += "<g class=\"stage\" stroke=\"#b9bec6\" stroke-width=\"0.8\" stroke-linejoin=\"round\">\n";
    write_faces(svg, true);
    svg +=
        "</g>\n<g class=\"bodies\" stroke=\"#3a3f48\" stroke-opacity=\"0.55\" stroke-width=\"0.5\" "
        "stroke-linejoin=\"round\">\n";
    write_faces(svg, false);
    svg += "</g>\n<g class=\"contacts\">\n";
    write_contacts(svg, out);
    svg += "</g>\n";
    add_legend(svg, input_, out);
    svg += "</svg>\n";
    return out;
}

}  // namespace

Picture draw_picture(const PictureInput& input, const PictureOptions& options) {
    return Painter(input, options).paint();
}

}  // namespace lanefold::tools
