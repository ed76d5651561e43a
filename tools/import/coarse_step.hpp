// SPDX-License-Identifier: MIT
//
// Finds numbers of float32 files that are too coarse for the pieces that they place.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

#include <lanefold/vec.hpp>

namespace lanefold::tools {

// The worst of some coordinates: the step from its float32 number to the next, beside the size of the piece.
struct CoarseStep {
    // A step of a thousandth of a piece's size shows in its contacts, and in what a solver makes of them.
    static constexpr double kCoarse = 1e-3;

    double share = 0;       // of the piece's size
    double step = 0;        // after scaling
    double coordinate = 0;  // as the file has it
    std::size_t piece = 0;

    // `p`: as the file has it; `size`: of the piece, after scaling.
    void add(const Vec3d& p, double scale, double size, std::size_t of) {
        const double largest = std::max({std::fabs(p.x), std::fabs(p.y), std::fabs(p.z)});
        const auto x = static_cast<float>(largest);
        const double gap = static_cast<double>(std::nextafter(x, std::numeric_limits<float>::infinity()) - x) * scale;
        if (!(gap > share * size)) return;
        share = gap / size;
        step = gap;
        coordinate = largest;
        piece = of;
    }
};

}  // namespace lanefold::tools
