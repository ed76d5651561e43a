// SPDX-License-Identifier: MIT
//
// Contact points by Sutherland-Hodgman clipping of significant faces, scalar, in float64, for study and as an
// independent calculation. The engine clips edge by edge instead (simd/src/contact/large_clip.hpp).
//
// Source: I. E. Sutherland and G. W. Hodgman, "Reentrant polygon clipping", Communications of the ACM 17, 1974;
// reference and incident face in contact creation after D. Gregorius, GDC 2013 and 2015.
//
// Frames and signs as in published.hpp: both hulls in one common frame, normals from A to B, separations
// negative when overlapping, lengths absolute in the caller's unit.
#pragma once

#include <cstdint>
#include <vector>

#include <lanefold/export.hpp>
#include <lanefold/feature.hpp>
#include <lanefold/published.hpp>

namespace lanefold::published {

// The face on which a contact along `direction` rests: of the faces around the vertex furthest along `direction` the
// one most parallel to it. The lowest index wins ties, of vertices and of faces.
struct SignificantFace {
    std::uint32_t vertex = 0;
    std::uint32_t face = 0;
    double alignment = 0;  // cosine between its normal and `direction`
};
LANEFOLD_EXPORT SignificantFace significant_face(const Polyhedron& hull, const Vec3d& direction);

// How the distance of a clipped point from the reference face is measured along the contact normal.
enum class Depth : std::uint8_t {
    // To the plane of the reference face, on the line through the point along the normal. Exact.
    plane_ray = 0,
    // As often published: the height of the point below the reference vertex furthest along the normal. It is exact
    // only if the normal is the face's; its error grows with the tangent of the angle between the two.
    furthest_vertex = 1,
};

// Depth and tolerance of the clipping.
struct FaceClipSettings {
    Depth depth = Depth::plane_ray;
    // Absolute: a point this far outside a plane still counts as inside, the reference face is A's if the alignments
    // differ by at most this, and points nearer to each other are one.
    double epsilon = 1e-9;
};

// A point of the clipped incident face.
struct FaceClipPoint {
    Vec3d on_incident;
    Vec3d on_reference;  // on_incident moved along the normal by the separation
    double separation = 0;
    // The features that meet: a vertex of the incident face and the reference face; an edge of the incident face and
    // the edge of the reference face that cut it; the incident face and the corner of the reference face where two cuts
    // meet, or the reference face itself if they share no corner.
    FeaturePair features;
};

// The significant faces and the points of their clipping.
struct FaceClipManifold {
    bool reference_on_b = false;
    SignificantFace a;  // along +normal
    SignificantFace b;  // along -normal
    std::vector<FaceClipPoint> points;
};

// A cut of the incident face by the plane of a neighbour of the reference face.
struct FaceClipCut {
    std::uint32_t face = 0;  // the neighbour
    std::uint32_t from = 0;  // the reference face's side at which it lies runs from this vertex
    std::uint32_t to = 0;    // to this one
    Vec3d normal;            // of the neighbour's plane
    double offset = 0;       // what is above normal.x = offset is cut off
    std::vector<Vec3d> before;
    std::vector<Vec3d> after;
};

// The fate of a corner that the cuts left.
enum class CornerFate : std::uint8_t {
    kept = 0,
    above = 1,     // deleted: above the reference face
    repeated = 2,  // deleted: at the place of a corner that was kept
    edge_on = 3,   // deleted: the reference face is seen edge on, so nothing has a depth
};

// A corner that the cuts left, with its separation by either Depth, whichever the settings choose. Both are 0 where the
// reference face is seen edge on.
struct FaceClipCorner {
    Vec3d at;
    double above = 0;  // height above the plane of the reference face
    double plane_ray = 0;
    double furthest_vertex = 0;
    CornerFate fate = CornerFate::kept;
};

// The steps of clip_significant_faces(), as it took them.
struct FaceClipTrace {
    std::vector<Vec3d> reference;  // the reference face, cyclic
    std::vector<Vec3d> incident;   // the incident face before the first cut, cyclic
    Vec3d furthest;                // the reference vertex furthest along the normal
    std::vector<FaceClipCut> cuts;
    std::vector<FaceClipCorner> corners;
};

// The incident face, clipped by the planes of the faces adjacent to the reference face, in the order of the reference
// loop. These planes are not perpendicular to it: where a neighbour leans inwards, as on a wedge, less is left. At the
// end points above the reference face's own plane are deleted, not clipped, because a point that clipping puts on the
// plane has depth 0 and supports nothing. `normal`: unit, from A to B, of any contact, also of an edge contact on
// nearly parallel faces. `trace`: gets the steps, unless null.
LANEFOLD_EXPORT FaceClipManifold clip_significant_faces(const Polyhedron& a, const Polyhedron& b, const Vec3d& normal,
                                                        const FaceClipSettings& settings = {},
                                                        FaceClipTrace* trace = nullptr);

// One step of the clip: the part of a polygon on or below the plane n.x <= offset, in order. Points up to `epsilon`
// above it stay as they are.
LANEFOLD_EXPORT std::vector<Vec3d> clip_below(const std::vector<Vec3d>& polygon, const Vec3d& n, double offset,
                                              double epsilon);

}  // namespace lanefold::published
