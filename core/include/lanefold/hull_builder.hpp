// SPDX-License-Identifier: MIT
//
// Building hulls from points (through Qhull) into a HullSet. From Qhull only the facets' vertex sets are
// used; numbering, planes, merging, box recognition and mass are our own float64 code without libm, so that
// the same points give the same bits everywhere.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <lanefold/hull_set.hpp>

namespace lanefold {

// Where the origin of a hull's coordinates is, which poses place.
enum class Origin : std::uint8_t {
    input = 0,           // where it is in the points
    centre_of_mass = 1,  // at the centre of mass: what a solver integrates
};

struct BuildOptions {
    bool merge_coplanar = true;      // join triangles into polygons within kBuildDeviation
    bool recognize_boxes = true;     // any centre, any rotation, within kBuildDeviation
    std::uint32_t max_vertices = 0;  // keep at most this many (0: all); the deviation is reported
    std::uint32_t threads = 0;       // 0: as many as the machine has
    // Other than input: every hull is built twice, from the points and from the moved points, which are rounded to
    // float32 once more.
    Origin origin = Origin::input;
};

// Where a hull's own coordinates lie in those of its points, and its principal axes.
struct HullFrame {
    // A point p of the input is p - shift in the hull's coordinates. Zero for Origin::input. A body whose input origin
    // was placed at x with rotation R is placed at x + R shift.
    Vec3d shift;
    // Rotation from the principal axes of inertia to the hull's coordinates, right-handed: inertia = R diag(m) R^T.
    // Hulls of equal moments have many; this one is what Jacobi's method gives, the same on every machine.
    Mat3d principal_axes;
    // Moments of inertia about them and the centre of mass, for density 1, ascending.
    Vec3d principal_moments;
};

enum class HullError : std::uint8_t {
    ok = 0,
    too_few_points = 1,  // fewer than 4 distinct points
    not_finite = 2,      // NaN or Inf; culprit is the point
    too_large = 3,       // a coordinate beyond 1e15 in magnitude: products would overflow; culprit is the point
    too_small = 4,       // extent below 1e-15, or denormal: products would vanish
    collinear = 5,       // all points on a line; culprit is the furthest point from it
    flat = 6,            // all points in a plane (thickness below 1e-6 of size); culprit is the furthest from it
    internal = 7,        // out of memory, or the result did not pass the adjacency check
    bad_offsets = 8,     // offsets not ascending, or beyond the points
};

const char* to_string(HullError error);

struct HullReport {
    HullError error = HullError::ok;
    std::uint32_t hull = 0;     // which of the hulls of the call
    std::uint32_t culprit = 0;  // input point, relative to the hull's first point
    const char* what = "";      // static storage

    explicit operator bool() const { return error == HullError::ok; }
};

struct BuildResult {
    HullSet hulls;                     // empty if any hull failed
    std::vector<HullFrame> frames;     // one per hull; empty if any hull failed
    std::vector<HullReport> failures;  // ascending by hull; empty on success
    explicit operator bool() const { return failures.empty(); }
};

// Hull i is built from points[offsets[i]] .. points[offsets[i + 1]]; offsets has (number of hulls + 1)
// entries, ascending, offsets.back() <= points.size(). Never throws for bad geometry; bounded time and
// memory for any input. A hull's result does not depend on the other hulls or the thread count.
BuildResult build_hulls(std::span<const Vec3f> points, std::span<const std::uint64_t> offsets,
                        const BuildOptions& options = {});

// One hull.
BuildResult build_hull(std::span<const Vec3f> points, const BuildOptions& options = {});

}  // namespace lanefold
