// SPDX-License-Identifier: MIT
//
// Parallel projections into square panels of a picture, and the SVG elements that the pictures of a pair share.
#pragma once

#include <string>
#include <vector>

#include <lanefold/vec.hpp>

#include "picture/pair_story.hpp"

namespace lanefold::tools {

inline constexpr const char* kColourA = "#2b5fa8";
inline constexpr const char* kColourB = "#c2701c";
inline constexpr const char* kColourClip = "#3d9950";

// A square on the page.
struct Square {
    double left = 0;  // pixels
    double top = 0;
    double side = 0;
};

// A parallel projection that fits given points into a square.
class Panel {
public:
    Panel(const Square& square, const Vec3d& right, const Vec3d& up, const std::vector<Vec3d>& shown);

    std::string point(const Vec3d& p) const;
    // The outline of a polygon as the data of a path; empty for a polygon without corners.
    std::string closed(const std::vector<Vec3d>& polygon) const;
    double x(const Vec3d& p) const;
    double y(const Vec3d& p) const;

private:
    Square square_;
    Vec3d right_;
    Vec3d up_;
    double scale_ = 1;
    double middle_[2] = {};
};

struct PathLook {
    const char* fill = "none";
    double opacity = 1;  // of the fill
    const char* stroke = "none";
    double width = 1.2;
    bool dashed = false;
};
void add_path(std::string& svg, const std::string& d, const PathLook& look);
void add_text(std::string& svg, double x, double y, const std::string& text, const char* more = "");

// The contact normal of the story: the record's, or without contact the oracle's.
Vec3d normal_of(const PairStory& s);
// A unit vector across the normal, along the reference face's first side, so that boxes stand straight.
Vec3d across(const PairStory& s, const Vec3d& normal);

}  // namespace lanefold::tools
