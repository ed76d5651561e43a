// SPDX-License-Identifier: MIT
//
// Contacts of faces by clipping.
#pragma once

#include <cstdint>

#include "precise/faces.hpp"

namespace lanefold::detail {

struct FaceContact {
    Vec3d normal;                 // A to B, local A
    std::uint32_t reference = 0;  // canonical faces
    std::uint32_t incident = 0;
    double deepest = 0;  // smallest separation of the points; undefined if there are none
};

// Fills memory.points with the face manifold (all points within the margin).
FaceContact clip_faces(const Problem& p, PreciseScratch::Impl& memory, const FaceAxis& axis);
// The same where points outside of the reference face by up to `inside` (a length) still are on it.
FaceContact clip_faces_within(const Problem& p, PreciseScratch::Impl& memory, const FaceAxis& axis, double inside);
// The same against `incident`, if that is a face that comes within `band` (a length) of the support plane and whose
// tilt, as a sine, exceeds the best one's by at most band / size(smaller).
FaceContact clip_faces(const Problem& p, PreciseScratch::Impl& memory, const FaceAxis& axis, std::uint32_t incident,
                       double band);
// The same through the other vertices that are as deep as the support vertex within `tie`, lowest index first, until
// the deepest point is not above `limit`: where an edge lies parallel to the reference face but its deeper end (by
// rounding) beyond that face, the most opposed face around that end need not contain the edge. False: none does.
bool clip_tied_supports(const Problem& p, PreciseScratch::Impl& memory, const FaceAxis& axis, double tie, double limit,
                        FaceContact& out);
// The support point of a face axis as the only point of memory.points.
void keep_support_point(const Problem& p, PreciseScratch::Impl& memory, const FaceAxis& axis);

// The canonical face of the other hull that a face axis meets: the most anti-parallel one around the support vertex.
std::uint32_t incident_face(const Problem& p, const FaceAxis& axis);

}  // namespace lanefold::detail
