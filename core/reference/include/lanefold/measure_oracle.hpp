// SPDX-License-Identifier: MIT
//
// The oracle of contact measures: volumes and areas of the common part of two hulls from planes alone, by brute force
// over planes, lines and their intervals (the recursion of J. B. Lasserre, 1983). It knows no polygons, clips nothing,
// and shares no code with the measures of the engine.
#pragma once

#include <lanefold/export.hpp>
#include <lanefold/reference.hpp>

namespace lanefold::reference {

// The common part of two hulls. Points are relative to the position of pose_a, in world axes.
struct OracleOverlap {
    double volume = 0;
    Vec3d centroid;
    Vec3d area_vector;    // of A's surface in B
    Vec3d area_centroid;  // as in ContactMeasures; the centroid where the area vector is zero
};

// The overlap of two sharp hulls. Either may be a half-space, but not both.
LANEFOLD_EXPORT OracleOverlap overlap_of(const OracleHull& a, const PoseD& pose_a, const OracleHull& b,
                                         const PoseD& pose_b);

}  // namespace lanefold::reference
