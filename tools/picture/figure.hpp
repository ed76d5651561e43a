// SPDX-License-Identifier: MIT
//
// A line drawing as SVG, for figures of the documents that show real results. Coordinates are the drawing's own (y up);
// the picture is scaled to the given box.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace lanefold::tools {

struct FigurePoint {
    double x = 0;
    double y = 0;
};

class Figure {
public:
    // `width` pixels show x from left to right; height follows from bottom and top.
    Figure(double left, double right, double bottom, double top, int width);

    struct Stroke {
        const char* colour = "#20242c";
        double width = 1.2;
        const char* fill = "none";
        bool dashed = false;
        double opacity = 1;  // of the fill
    };
    void polygon(const std::vector<FigurePoint>& corners, const Stroke& stroke);
    void line(const std::vector<FigurePoint>& points, const Stroke& stroke);
    void arrow(const FigurePoint& from, const FigurePoint& to, const Stroke& stroke);
    void dot(const FigurePoint& at, const char* colour, double radius = 4);
    void ring(const FigurePoint& at, const char* colour, double radius = 7);
    // anchor: start, middle or end.
    void text(const FigurePoint& at, std::string_view words, const char* colour = "#20242c",
              const char* anchor = "start");

    // The whole picture. `title` is the text for screen readers.
    std::string svg(std::string_view title) const;

private:
    FigurePoint place(const FigurePoint& p) const;
    void path(const std::vector<FigurePoint>& points, bool closed, const Stroke& stroke);

    double left_;
    double top_;
    double scale_;
    int width_;
    int height_;
    std::string body_;
};

}  // namespace lanefold::tools
