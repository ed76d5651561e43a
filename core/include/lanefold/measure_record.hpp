// SPDX-License-Identifier: MIT
//
// Measures of a contact beyond its manifold: how much two bodies overlap, and the patch in which their surfaces meet
// (docs/measures.md). Discrete element methods make forces of them, because they change continuously with the poses.
#pragma once

#include <cstddef>
#include <cstdint>

#include <lanefold/status.hpp>

namespace lanefold {

// The knowledge of a pair.
enum class MeasureState : std::uint8_t {
    apart = 0,         // no common volume
    overlapping = 1,   // measured
    not_measured = 2,  // a shape that measures do not take, or a status other than ok
};
inline constexpr std::size_t kMeasureStateCount = 3;

// The measures of a pair (a, b), in the caller's unit of length. Points are offsets in world axes from the position of
// body a. Of a pair that is not overlapping all is zero but state and status. 96 bytes.
struct ContactMeasures {
    double volume;              // of the points that are in both bodies
    double volume_centroid[3];  // the mean of these points
    // The length of the area vector S: the integral of A's outward normal over the part of A's surface that is in B,
    // which is also that of B's inward normal over B's part. For two faces flat on each other it is the area that they
    // share. Zero where one body is inside of the other, or sticks out on both sides so that they cancel (to 1e-9).
    double area;
    double area_normal[3];    // S / area: unit, from a to b; zero where area is
    double area_centroid[3];  // of both parts, weighted by their share of S, midway; the volume's where area is zero
    MeasureState state;
    Status status;
    std::uint8_t reserved[6];
};
static_assert(sizeof(ContactMeasures) == 96);

}  // namespace lanefold
