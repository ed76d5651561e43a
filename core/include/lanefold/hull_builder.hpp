// SPDX-License-Identifier: MIT
//
// Builds hulls from points into a HullSet. The hull is found by exact decisions. Planes, merging, box recognition and
// mass are float64 code without libm. So a hull is a property of its points, and the same points give the same bits
// everywhere.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <lanefold/export.hpp>
#include <lanefold/hull_set.hpp>

namespace lanefold {

// The origin of a hull's coordinates, which poses place.
enum class Origin : std::uint8_t {
    input = 0,           // the origin of the points' coordinates
    centre_of_mass = 1,  // the centre of mass, whose motion a solver integrates
    box_centre = 2,      // the middle of the points' box: float32 is finest there. For points far from their origin
};

// How hulls are made of points.
struct BuildOptions {
    bool merge_coplanar = true;      // join triangles into polygons within kBuildDeviation
    bool recognize_boxes = true;     // any centre, any rotation, within kBuildDeviation
    std::uint32_t max_vertices = 0;  // keep at most this many, and at least 4 (0: all); HullInfo reports the deviation
    std::uint32_t threads = 0;       // 0: as many as the machine has
    // A hull's own origin is subtracted from its points in float64, and the result is rounded to float32 once. With
    // centre_of_mass every hull is built twice: from the points, and from the moved points.
    Origin origin = Origin::input;
    // Every hull is rounded by this: it is its core with all points within `radius` of it. 0: sharp. With a radius one
    // distinct point is a hull, too (a sphere), and two are (a capsule). Flat cores and lines of more points are
    // refused.
    float radius = 0;
    // The radius of each hull instead, or none. The caller keeps them until the call returns.
    std::span<const float> radii;
};

// The place of a hull's coordinates in those of its points, and its principal axes.
struct HullFrame {
    // A point p of the input is p - shift in the hull's coordinates. Zero for Origin::input. If a pose places the input
    // origin at x with rotation R, the body's position is x + R shift.
    Vec3d shift;
    // Rotation from the principal axes of inertia to the hull's coordinates, right-handed: inertia = R diag(m) R^T. If
    // moments are equal the axes are not unique; these are those of Jacobi's method, the same on every machine.
    Mat3d principal_axes;
    // Moments of inertia about these axes and the centre of mass, for density 1, ascending.
    Vec3d principal_moments;
    // The largest distance, in the points' unit, by which rounding p - shift to float32 moved a point. 0 for float32
    // points with Origin::input.
    double rounding = 0;
};

// Why points give no hull.
enum class HullError : std::uint8_t {
    ok = 0,
    too_few_points = 1,  // fewer than 4 distinct points; points nearer than 2^-44 of the size are one
    not_finite = 2,      // NaN or infinity; culprit is the point
    too_large = 3,       // a coordinate beyond 1e15 in magnitude: products would overflow; culprit is the point
    too_small = 4,       // extent below 1e-15, or denormal: products would vanish
    collinear = 5,       // all points on a line; culprit is the furthest point from it
    flat = 6,            // all points in a plane (thickness below 1e-6 of size); culprit is the furthest from it
    internal = 7,        // out of memory, or the result did not pass the adjacency check
    bad_offsets = 8,     // no offsets, not ascending, or beyond the points
    too_far = 9,         // float64 points that rounding to float32 about Origin::input would move by more than
                         // kDistanceTolerance of the size; culprit is the one that it moves furthest
    bad_radius = 10,     // negative, not finite, beyond 1e15, or not one for each hull
};

// "ok", "too_few_points", ...; "unknown" for a value outside of the enumeration.
LANEFOLD_EXPORT const char* to_string(HullError error);

// The fault of the points of one hull.
struct HullReport {
    HullError error = HullError::ok;
    std::uint32_t hull = 0;     // index of the hull in the call
    std::uint32_t culprit = 0;  // input point, relative to the hull's first point
    const char* what = "";      // static storage

    explicit operator bool() const { return error == HullError::ok; }
};

// The hulls of a call, all or none.
struct [[nodiscard]] BuildResult {
    HullSet hulls;                     // empty if any hull failed
    std::vector<HullFrame> frames;     // one per hull; empty if any hull failed
    std::vector<HullReport> failures;  // ascending by hull; empty on success
    explicit operator bool() const { return failures.empty(); }
};

// Builds hull i from points[offsets[i]] .. points[offsets[i + 1] - 1]. offsets has (number of hulls + 1) entries,
// ascending, offsets.back() <= points.size(); one entry makes an empty set. Bad geometry gives a HullReport, never an
// exception. Time and memory are bounded for any input. A hull does not depend on the other hulls or on the number of
// threads. Memory that runs out is a failure too (internal, "out of memory"); only if there is none for the list of
// failures either, std::bad_alloc is thrown.
LANEFOLD_EXPORT BuildResult build_hulls(std::span<const Vec3f> points, std::span<const std::uint64_t> offsets,
                                        const BuildOptions& options = {});

// The same from float64 points, such as UTM coordinates or millimetres: nothing is rounded before a hull's own origin
// is subtracted. With Origin::box_centre or centre_of_mass points may lie anywhere; BuildResult::frames gives each
// origin back. Origin::input rounds the points as they are, and refuses where that would matter (HullError::too_far).
LANEFOLD_EXPORT BuildResult build_hulls(std::span<const Vec3d> points, std::span<const std::uint64_t> offsets,
                                        const BuildOptions& options = {});

// Builds one hull.
LANEFOLD_EXPORT BuildResult build_hull(std::span<const Vec3f> points, const BuildOptions& options = {});
LANEFOLD_EXPORT BuildResult build_hull(std::span<const Vec3d> points, const BuildOptions& options = {});

}  // namespace lanefold
