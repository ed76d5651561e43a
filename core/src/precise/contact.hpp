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
// Same as clip_faces(), but points outside of the reference face by up to `inside` (a length) count as inside.
FaceContact clip_faces_within(const Problem& p, PreciseScratch::Impl& memory, const FaceAxis& axis, double inside);
// Same as clip_faces(), with `incident` as the incident face if that face comes within `band` (a length) of the support
// plane and its tilt (a sine) exceeds that of the best one by at most band / size(smaller). Otherwise the best one is
// used.
FaceContact clip_faces(const Problem& p, PreciseScratch::Impl& memory, const FaceAxis& axis, std::uint32_t incident,
                       double band);
// Same as clip_faces(), with `incident` as the incident face.
FaceContact clip_faces_on(const Problem& p, PreciseScratch::Impl& memory, const FaceAxis& axis, std::uint32_t incident);
// Same as clip_faces(), with the incident faces around the other vertices that are as deep as the support vertex within
// `tie`, lowest index first. Stops at the first face whose deepest point is not above `limit`; returns false if there
// is none. Needed if an edge lies parallel to the reference face and its deeper end (by rounding) is beyond that face:
// the most opposed face around that end may not contain the edge.
bool clip_tied_supports(const Problem& p, PreciseScratch::Impl& memory, const FaceAxis& axis, double tie, double limit,
                        FaceContact& out);
// Makes the support point of a face axis the only point of memory.points.
void keep_support_point(const Problem& p, PreciseScratch::Impl& memory, const FaceAxis& axis);

// The canonical incident face of a face axis: the most anti-parallel face around the support vertex of the other hull.
std::uint32_t incident_face(const Problem& p, const FaceAxis& axis);

}  // namespace lanefold::detail
