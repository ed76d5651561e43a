// SPDX-License-Identifier: MIT
//
// Contact points by Sutherland-Hodgman clipping of significant faces, scalar, in float64, for study and as an
// independent calculation. The engine clips edge by edge instead (simd/src/contact/large_clip.hpp).
//
// Source: I. E. Sutherland and G. W. Hodgman, "Reentrant polygon clipping", Communications of the ACM 17, 1974;
// reference and incident face in contact creation as D. Gregorius describes them, GDC 2013 and 2015.
//
// Frames and signs as in published.hpp: both hulls in one common frame, normals from A to B, separations
// negative when overlapping, lengths absolute in the caller's unit.
#pragma once

#include <cstdint>
#include <vector>

#include <lanefold/feature.hpp>
#include <lanefold/published.hpp>

namespace lanefold::published {

// The face that a contact along `direction` rests on: it contains the vertex furthest along `direction`, and of
// the faces around that vertex it is the most parallel. Lowest index on ties, of vertices and of faces.
struct SignificantFace {
    std::uint32_t vertex = 0;
    std::uint32_t face = 0;
    double alignment = 0;  // cosine between its normal and `direction`
};
SignificantFace significant_face(const Polyhedron& hull, const Vec3d& direction);

// How far a clipped point lies from the reference face along the contact normal.
enum class Depth : std::uint8_t {
    // Where the line through the point along the normal meets the plane of the reference face. Exact.
    plane_ray = 0,
    // As often published: the height of the point below the reference vertex furthest along the normal. Equal
    // only when the normal is the face's; its error grows with the tangent of the tilt between the two.
    furthest_vertex = 1,
};

struct FaceClipSettings {
    Depth depth = Depth::plane_ray;
    // Absolute: a point this far outside of a plane still counts as inside, the reference face wins ties of the
    // alignment within it (then it is A's), and points nearer to each other are one.
    double epsilon = 1e-9;
};

struct FaceClipPoint {
    Vec3d on_incident;
    Vec3d on_reference;  // on_incident moved along the normal by the separation
    double separation = 0;
    // What meets there: a vertex of the incident face and the reference face; an edge of the incident face and the
    // edge of the reference face that cut it; the incident face and the corner of the reference face where two cuts
    // meet, or the reference face itself when they share none.
    FeaturePair features;
};

struct FaceClipManifold {
    bool reference_on_b = false;
    SignificantFace a;  // along +normal
    SignificantFace b;  // along -normal
    std::vector<FaceClipPoint> points;
};

// The incident face, cut by the planes of the faces ADJACENT to the reference face (not by planes perpendicular
// to it: where a neighbour leans inwards, as on a wedge, less is left), in the order of the reference loop. In
// the end points above the reference face's own plane are deleted, not clipped: a point that clipping would put
// on the plane has depth 0 and holds nothing. `normal`: unit, from A to B, of any contact, so also of an edge
// contact that lies on faces which are nearly parallel.
FaceClipManifold clip_significant_faces(const Polyhedron& a, const Polyhedron& b, const Vec3d& normal,
                                        const FaceClipSettings& settings = {});

// One step: the part of a polygon on or below the plane n.x <= offset, in order. Points within `epsilon` above
// stay as they are.
std::vector<Vec3d> clip_below(const std::vector<Vec3d>& polygon, const Vec3d& n, double offset, double epsilon);

}  // namespace lanefold::published
