// SPDX-License-Identifier: MIT
//
// Makes the tolerances of a pair: every factor of the table in tolerances.hpp, and nothing else.

#include "precise/tolerances.hpp"

namespace lanefold::detail {

Tolerances::Tolerances(double smaller, double larger, double coordinates)
    : small(smaller), large(larger), scale(coordinates) {
    fine = 1e-15 * scale;
    touching = 1e-14 * scale;
    rounding = 1e-13 * scale;
    equal = 1e-12 * small + fine;
    tie = 1e-9 * small;
    converged = 1e-8 * small + rounding;
    loss = 1e-7 * small;
    inside = 1e-7 * small;
    same_point = 1e-6 * small;
    depth_loss = 1e-6 * small;
    support_set = 1e-5 * small + touching;
    flatness = 2e-8 * small;
    off_feature = 2e-6 * large;
    const bool within_ratio = large <= static_cast<double>(kPreciseSizeRatio) * small;
    off_surface = 3e-6 * (within_ratio ? large : small) + touching;
}

void Tolerances::set_planes(double both_sizes, bool refined) {
    slack = refined ? touching : 4e-7 * scale;
    arc_slack = refined ? 1e-10 : 4e-7;
    bend = refined ? 0.0 : kBuildDeviation * both_sizes;
    edge_bend = refined ? kBuildDeviation * small : bend;
    depth_loss += bend;
}

}  // namespace lanefold::detail
