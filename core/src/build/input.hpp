// SPDX-License-Identifier: MIT
//
// Looks at a point set before any hull is built: refuses what has no volume (naming the culprit), removes
// duplicates, and picks four points that surely span a tetrahedron.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include <lanefold/hull_builder.hpp>

namespace lanefold::detail {

struct HullInput {
    std::vector<Vec3d> points;           // distinct, in input order; float32 values
    std::vector<std::uint32_t> index;    // points[i] was input point index[i], the lowest of its duplicates
    std::array<std::uint32_t, 4> start;  // indices into points; start[3] lies strictly above start[0..2]
    Vec3d box_min;
    Vec3d box_max;
    double size = 0;       // half diagonal of the box
    double thickness = 0;  // across the plane of start[0..2]: no less than the least across any plane
};

// Fills `out`, or reports why the points have no hull. `report.hull` is left alone.
HullReport prepare_input(std::span<const Vec3f> points, HullInput& out);

// Four points of a set that has a volume, far apart; the last strictly above the plane of the others.
std::array<std::uint32_t, 4> spanning_tetrahedron(const std::vector<Vec3d>& points);

// Smallest thickness, relative to size, that counts as a volume. Twice kBuildDeviation: the two large sides
// of a thinner plate could not be told from one face by any tolerance of the build.
inline constexpr double kFlatness = 1e-6;

}  // namespace lanefold::detail
