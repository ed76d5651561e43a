// SPDX-License-Identifier: MIT
//
// Sides of merged faces. Merging turns a short side, and where it turns it inwards the loop has a corner that points
// into the face. The line of such a side cuts through the face although the side itself lies on its rim.
#pragma once

#include <lanefold/limits.hpp>
#include <lanefold/vec.hpp>

namespace lanefold::detail {

// Length up to which merging may turn a side of a hull of this size into any direction.
inline double least_side(float size) { return 2 * kBuildDeviation * static_cast<double>(size); }

// Sine of a turn inwards up to which a loop counts as convex: such a line is off the rim by less than other tolerances.
inline constexpr double kTurnInwards = 1e-7;

// Whether a side (a vector) that turns inwards from or to a neighbour is the shorter one of the two, so that it is the
// one that merging turned. `normal`: about which the loop runs counter-clockwise; unit.
inline bool is_bent_to(const Vec3d& before, const Vec3d& after, const Vec3d& side, const Vec3d& neighbour,
                       const Vec3d& normal) {
    const double turn = dot(normal, cross(before, after));
    const double squared = length_squared(side);
    const double other = length_squared(neighbour);
    return turn < 0 && turn * turn > kTurnInwards * kTurnInwards * squared * other && squared < other;
}

// Whether the line of a side bounds its face. Not if the side is shorter than `least`, and not if merging turned it
// inwards. 0 as `least` stands for exact loops, in which every side bounds the face. `before`, `after`: the sides
// beside it.
inline bool bounds_face(const Vec3d& before, const Vec3d& side, const Vec3d& after, const Vec3d& normal, double least) {
    if (!(least > 0)) return true;
    if (length_squared(side) < least * least) return false;
    return !is_bent_to(before, side, side, before, normal) && !is_bent_to(side, after, side, after, normal);
}

}  // namespace lanefold::detail
