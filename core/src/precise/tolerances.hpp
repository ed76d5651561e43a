// SPDX-License-Identifier: MIT
//
// The tolerances of a pair on the float64 path. All are made here, from three lengths: the sizes of both hulls and the
// largest coordinate. "The bound" is what the contract promises for the distance: 2e-6 of the larger hull's size, and
// kPreciseSizeRatio of the smaller one's.
//
// | field | value | reason | if it were |
// |---|---|---|---|
// | `fine` | 1e-15 scale | rounding of one separation | less: two ways to one value differ |
// | `touching` | 1e-14 scale | rounding of a chain of separations | less: rounding decides that hulls are apart |
// | `rounding` | 1e-13 scale | bound on the rounding of heights and iteration | less: right results are refused |
// | `equal` | 1e-12 small + fine | axes and features this close are one optimum | more: normals turn |
// | `tie` | 1e-9 small | the canonical order decides between such separations | less: rounding decides |
// | `converged` | 1e-8 small + rounding | what the iteration's distance may be off | less: brute force, which is slow |
// | `flatness` | 2e-8 small | faces of a far larger hull that bend more are split | more: uses up the bound |
// | `loss` | 1e-7 small | a twentieth of the bound: such an axis is as good | more: uses up the bound |
// | `inside` | 1e-7 small | such corners are inside: equal faces keep theirs | more: points off a face |
// | `same_point` | 1e-6 small | points this close are one | less: a corner stands twice |
// | `depth_loss` | 1e-6 small + bend | what the deepest point may lack of the distance | more: bodies sink |
// | `support_set` | 1e-5 small + touching | vertices that may have the closest points | less: the feature is missed |
// | `off_feature` | 2e-6 large | a point is on a feature | more: a record names what is elsewhere |
// | `off_surface` | 3e-6 large + touching | a point is on a surface; 3/4 of what the judge allows | more: in the air |
// | `slack` | 4e-7 scale, refined planes touching | error of float32 planes | less: the face search ends too early |
// | `arc_slack` | 4e-7, refined planes 1e-10 | the same error as a sine | less: arcs that cross are missed |
// | `bend` | kBuildDeviation of both sizes, refined planes 0 | merged faces leave corners | less: no face is flat |
// | `edge_bend` | bend, refined planes kBuildDeviation small | same beside edges, never 0 | less: edges are missed |
//
// `off_surface` is relative to the smaller hull beyond kPreciseSizeRatio. Planes are refined there, too (facets.hpp).
#pragma once

#include <lanefold/diagnostics.hpp>
#include <lanefold/limits.hpp>

namespace lanefold::detail {

struct Tolerances {
    Tolerances() = default;
    Tolerances(double smaller, double larger, double coordinates);

    // Sets those of planes: call when it is known whether the planes are refined. See facets.hpp.
    void set_planes(double both_sizes, bool refined);

    double small = 0;  // size of the smaller hull: the unit of every tolerance on a result
    double large = 0;  // of the larger hull
    double scale = 0;  // size A + size B + distance of the centres: the unit of every rounding error

    double fine = 0;
    double touching = 0;
    double rounding = 0;
    double equal = 0;
    double tie = 0;  // a point beyond the margin by up to this is kept, too
    double converged = 0;
    double loss = 0;
    double inside = 0;
    double same_point = 0;
    double depth_loss = 0;
    double support_set = 0;
    double flatness = 0;
    double off_feature = 0;
    double off_surface = 0;
    double slack = 0;
    double arc_slack = 0;
    double bend = 0;
    double edge_bend = 0;

    // Depth of a feature's corners below the support plane along the normal, relative to their hull, up to which the
    // feature is extreme: two merged faces deviate by that. `off_surface` comes on top.
    static constexpr double kOnSupport = 1.25e-6;
    // Sine of the angle between two edges below which their cross product is not taken as a normal.
    static constexpr double kEdgeSine = 1e-4;
    // Difference of cosines within which faces are as opposed as the most opposed one around a vertex. Half of what the
    // judge allows, because its normals are rounded elsewhere.
    static constexpr double kAsOpposed = 5e-6;
};

}  // namespace lanefold::detail
