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
GjkResult closest_points(const Problem& p, const Vec3d& first_axis);
// The same by trying every pair of features that the bounds of `found` allow. Exact and slow; for what the
// iteration cannot settle.
GjkResult closest_points_brute_force(const Problem& p, PreciseScratch::Impl& memory, const GjkResult& found);

// Is the foot of a point at height h over a facet's plane inside the facet's face? The other triangles of a
// split face must lie lower there: otherwise the point is nearer to one of those. All in the solid's frame.
bool foot_inside(const Solid& s, std::uint32_t facet, const Vec3d& normal, const Vec3d& x, double h);

}  // namespace lanefold::detail
