// SPDX-License-Identifier: MIT
//
// For how long does an axis separate two bodies that move? A proof in float64, by all vertices of both hulls.
//
// The separation along any unit vector u is at most the signed distance, so while it is above the target the pair is
// clear. It is the least height over the vertices of one body less the greatest over the other's. The height of a
// vertex at a time s from now is its height now, plus s times its rate, plus at most s^2 / 2 times a bound of its
// acceleration. With the bound taken off, each height less the plane that it may not pass is a parabola, whose first
// zero has a closed form; the first of all vertices counts. Where only one body's heights change, the plane is the
// other body's greatest height. Where both change, a plane moves between them, in the middle of the gap and of what
// happens to it at the two supports: there the bound is the same as for the difference of the two.
//
// u may stand in world axes, or turn with either body: an axis that turns with the larger of two bodies follows its
// face. With w the spins, D the vector from x to y and y' the places of y's points about y's position, the bounds are
//
//   in world axes: |u x w| |w| arm for either body, arm the largest distance of a vertex from its axis of rotation;
//   turning with body x: a point of y has in x's frame the velocity v - wx x D + (wy - wx) x y', and its acceleration
//     along u is at most |u x wx| (2 |v| + |wx x D| + |wy - wx| lever) + |wy - wx| |wy| arm. |wx x D| is convex in
//     time, so that the larger one of its ends bounds it.
//
// In world axes the rates themselves bound the separation for all time, too: it falls by at most
// -u.v + |u x wa| arm_a + |u x wb| arm_b. The longest of these proofs counts.
#pragma once

#include <lanefold/aligned_buffer.hpp>

#include "sweep/motion.hpp"

namespace lanefold::detail {

// Heights and rates of the vertices of two hulls.
struct ClearanceScratch {
    AlignedBuffer<double> height[2];
    AlignedBuffer<double> rate[2];

    void reserve(std::size_t vertices) {
        for (auto& h : height) h.reserve(vertices);
        for (auto& r : rate) r.reserve(vertices);
    }
};

// Largest distances of the vertices from the axes of rotation; 0 for a body that does not turn.
struct Arms {
    double a = 0;
    double b = 0;
};
Arms arms_of(const PairMotion& pair);

// How far the pair is clear from a moment on.
struct Clearance {
    double fraction = 0;    // clear up to here, at most the end that was asked for
    bool to_end = false;    // clear up to that end
    double separation = 0;  // along the axis at the moment, less target and slack
};

// Follows the axis u (unit, world axes, from a to b) from `moment` on to the fraction `end`.
Clearance clear_along(const PairMotion& pair, const Arms& arms, const Moment& moment, const Vec3d& u, double end,
                      ClearanceScratch& scratch);

// The same along the normal of the pair's half-space, once. The separation is the distance, to float64's rounding.
Clearance clear_of_plane(const PairMotion& pair, const Arms& arms, const Moment& moment, double end,
                         ClearanceScratch& scratch);

}  // namespace lanefold::detail
