// SPDX-License-Identifier: MIT
//
// Closest points of two hulls that are apart.
#pragma once

#include <cstdint>

#include "precise/memory.hpp"
#include "precise/problem.hpp"

namespace lanefold::detail {

struct GjkResult {
    bool converged = false;
    bool beyond_margin = false;
    double distance = 0;  // upper bound: length of q - p
    double lower = 0;     // lower bound: separation along `axis`
    Vec3d axis;
    Vec3d p;
    Vec3d q;
    std::uint32_t count = 0;  // vertices of the last simplex
    std::uint32_t a[4] = {};
    std::uint32_t b[4] = {};
};
// Iterates from `first_axis`. Ends with beyond_margin if an axis separates the hulls by more than the margin.
GjkResult closest_points(const Problem& p, const Vec3d& first_axis);
// Same result by trying every pair of features that the bounds in `found` allow. Exact and slow; used if the iteration
// does not converge.
GjkResult closest_points_brute_force(const Problem& p, PreciseScratch::Impl& memory, const GjkResult& found);

// Whether the foot of x along `normal`, `h` below x, lies inside the facet's face. In a split face the foot must not be
// above the plane of another triangle by more than `rounding`, because otherwise that triangle is nearer. All in the
// solid's frame.
bool foot_inside(const Solid& s, std::uint32_t facet, const Vec3d& normal, const Vec3d& x, double h, double rounding);

}  // namespace lanefold::detail
