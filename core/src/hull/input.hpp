// SPDX-License-Identifier: MIT
//
// Checks a point set before a hull is built: refuses sets without volume and names the culprit, removes duplicates, and
// selects four points that span a tetrahedron.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include <lanefold/hull_builder.hpp>

namespace lanefold::detail {

struct HullInput {
    std::vector<Vec3d> points;           // distinct by at least kGrain, in input order; float32 values
    std::vector<std::uint32_t> index;    // points[i] is input point index[i], the lowest of its duplicates
    std::array<std::uint32_t, 4> start;  // indices into points; start[3] is strictly above start[0..2]
    double size = 0;                     // half diagonal of the points' box
    double thickness = 0;                // across the plane of start[0..2]; the least over all planes is no larger
};

// Largest magnitude of a coordinate, in the caller's unit. Up to this, products of four lengths are finite in float64.
inline constexpr double kLargestCoordinate = 1e15;

// Relative to size (its power of two). One is left of points that are nearer in every coordinate, because between them
// the area of a face could vanish by the rounding of float64, and its normal with it. Only coordinates below 2^-20 of
// the size can be as near.
inline constexpr double kGrain = 0x1p-44;

// Fills `out`, or reports why the points have no hull. Does not set `report.hull`.
HullReport prepare_input(std::span<const Vec3f> points, HullInput& out);

// Four points, far apart, of a set that has a volume; the last is strictly above the plane of the others.
std::array<std::uint32_t, 4> spanning_tetrahedron(const std::vector<Vec3d>& points);

// Smallest thickness, relative to size, that counts as a volume. It is twice kBuildDeviation: the tolerances of the
// build cannot tell the two large sides of a thinner plate from one face.
inline constexpr double kFlatness = 1e-6;

}  // namespace lanefold::detail
