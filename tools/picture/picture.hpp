// SPDX-License-Identifier: MIT
//
// A picture of one frame, hulls and contacts, as SVG or as an HTML page. It refers to no other file and no network.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <lanefold/body.hpp>
#include <lanefold/hull_set.hpp>
#include <lanefold/manifold.hpp>

namespace lanefold::tools {

// One contact point, or the one direction of a pair without points.
struct PictureContact {
    Vec3d position;  // world
    Vec3d normal;
    float separation = 0;
};

struct PictureInput {
    const HullSet* hulls = nullptr;
    BodyView bodies;
    std::span<const float> inverse_mass;  // empty: every body moves
    std::vector<PictureContact> contacts;
    std::string title;
    // Lines of the legend: name and value.
    std::vector<std::pair<std::string, std::string>> legend;
};

struct PictureOptions {
    int width = 1600;
    int height = 1000;
    double azimuth = 55;
    double elevation = 28;
    int up = 1;                // axis: 0, 1, 2
    bool left_handed = false;  // coordinates are; the picture is not mirrored then
    // The most faces drawn, those with the most pixels first. It bounds the size of the file (about 70 bytes a face).
    std::uint32_t max_faces = 40000;
    // The most contact points drawn, and the most points inside the pile. The latter are a separate layer, hidden at
    // first. 0: no such layer, for a picture without switches.
    std::uint32_t max_contacts = 20000;
    std::uint32_t max_inside = 0;
};

struct Picture {
    std::string svg;
    std::uint64_t faces = 0;            // drawn
    std::uint64_t faces_hidden = 0;     // on the front of a body, but behind others or smaller than a pixel
    std::uint64_t contacts = 0;         // drawn
    std::uint64_t contacts_hidden = 0;  // inside the pile
    std::uint64_t contacts_inside = 0;  // hidden points that are in the layer
};

// Colours of contact points.
inline constexpr const char* kOverlapColour = "#d9241c";
inline constexpr const char* kGapColour = "#1f6fd6";

// Width of the legend at the left, in pixels.
inline constexpr int kLegendWidth = 340;

Picture draw_picture(const PictureInput& input, const PictureOptions& options);

// A page with the picture inside: layers can be switched, the wheel zooms, dragging moves.
std::string picture_page(const Picture& picture, const std::string& title);

// Appends the legend as an SVG group, after all drawings.
void add_legend(std::string& svg, const PictureInput& input, const Picture& picture);

// &, <, > and quotes escaped for XML.
std::string escape_xml(std::string_view text);

}  // namespace lanefold::tools
