// SPDX-License-Identifier: MIT
//
// Draws the steps of Sutherland-Hodgman clipping (a panel for each cut, then the depths) and of contact features (the
// Gauss maps and the cap of the tolerance angle).
#pragma once

#include <string>

#include "picture/pair_story.hpp"

namespace lanefold::tools {

struct StepsPicture {
    std::string svg;    // elements, without a root; empty for other methods
    double height = 0;  // pixels that they take
};

struct StepsArea {
    double left = 0;  // pixels
    double top = 0;
    double width = 0;
};

StepsPicture draw_steps(const PairStory& s, const StepsArea& area);

}  // namespace lanefold::tools
