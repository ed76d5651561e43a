// SPDX-License-Identifier: MIT
//
// Contact features by a tolerance angle, and support patches: which part of a hull a contact along a direction
// rests on. Scalar, in float64, on the polyhedra of published.hpp: the definition of what the batch calls do
// with Options::method = patch, and a tool for study.
//
// Idea: a face is a poor answer where a flat side has been cut into nearly coplanar faces (scans, cylinders,
// finely faceted spheres): which of them wins is decided by rounding, and a manifold made of one of them jumps
// with every tremor of the pose. Both answers below depend on heights along the direction alone.
//
// Frames and signs as in published.hpp: one common frame, normals from A to B, lengths absolute.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include <lanefold/feature.hpp>
#include <lanefold/published.hpp>

namespace lanefold::published {

// Radians. Half a degree: a cube of one metre may tilt by 9 mm before its face becomes an edge. Larger: points stay
// while a body rocks, and lie further from the other hull; smaller: a body that trembles loses and finds points.
inline constexpr double kDefaultFeatureAngle = 0.0087;

// Heights of all vertices along a direction: what a support query computes on its way, kept.
struct SupportHeights {
    std::uint32_t vertex = 0;  // the furthest one, lowest index
    std::vector<double> height;
};
SupportHeights support_heights(const Polyhedron& hull, const Vec3d& direction);

// The feature that a contact rests on.
struct ContactFeature {
    FeatureType type = FeatureType::vertex;
    std::uint32_t index = 0;              // of the vertex, edge or face
    std::uint32_t vertex = 0;             // the furthest one, lowest index
    std::vector<std::uint32_t> vertices;  // one, two, or the face's as stored
};

// Grown from the feature that a collision found, to an edge, to a face: of the faces around it that are aligned with
// the contact plane the most aligned one; if there is none, and a vertex was found, of the aligned edges around it the
// most level one; otherwise what was found. A face is as large as a feature gets. Ties go to the lowest index.
//
// An edge is aligned when the heights of its ends differ by at most length * sin(angle), a face when all of its edges
// are; a face is as aligned as its steepest edge. Only faces that look along the direction count: the two sides of a thin
// plate are both level.
//
// The sine of a side, not the cosine of the face's normal: 1 - cos(angle) is quadratic, so that in float32 no
// angle below 0.02 degrees can be told from zero, and a long thin face would be judged by its short side too.
ContactFeature grow_feature(const Polyhedron& hull, const Vec3d& direction, const SupportHeights& heights,
                            const Feature& found, double angle = kDefaultFeatureAngle);

// The same from the vertex furthest along the direction.
ContactFeature contact_feature(const Polyhedron& hull, const Vec3d& direction, double angle = kDefaultFeatureAngle);

// A corner of a patch's outline, seen along the direction.
struct PatchCorner {
    double u = 0;
    double v = 0;
    std::uint32_t vertex = 0;
};

// All vertices within a height band below the furthest one, and their convex outline.
struct SupportPatch {
    double top = 0;                       // height of the furthest vertex
    std::uint32_t vertex = 0;             // the furthest vertex, lowest index
    std::vector<std::uint32_t> vertices;  // ascending
    std::vector<PatchCorner> outline;     // counter-clockwise about the axes' normal (across x along); 1, 2 or more
};

// Axes of the contact plane: across x along = n.
struct PlaneAxes {
    Vec3d across;
    Vec3d along;
};
PlaneAxes plane_axes(const Vec3d& n);

// `extra`: vertices that belong to the patch wherever they are (the significant face's), ascending or not.
SupportPatch support_patch(const Polyhedron& hull, const Vec3d& direction, double band, const PlaneAxes& axes,
                           const std::vector<std::uint32_t>& extra = {});

// Height of the hull's surface over the point x along `direction`, above the origin: where a line along it
// leaves the hull. Only meaningful where the line meets the hull.
double surface_height(const Polyhedron& hull, const Vec3d& direction, const Vec3d& x);

enum class PatchPointSource : std::uint8_t {
    vertex_a = 0,  // index = {vertex of A, face of B under it}
    vertex_b = 1,  // index = {face of A under it, vertex of B}
    crossing = 2,  // of two sides of the outlines: index = the vertices at which they start
};

struct PatchPoint {
    Vec3d position;  // midway between the two surfaces along the normal
    double separation = 0;
    PatchPointSource source = PatchPointSource::vertex_a;
    std::array<std::uint32_t, 2> index{};
};

struct PatchSettings {
    double band = 0;              // absolute; the batch calls use kPatchBand times the smaller hull's size
    double margin = 0;            // points further apart than this are kept only within the bands of both patches
    double same = 0;              // absolute: a corner this near to an outline is inside, points this near are one
    std::optional<double> merge;  // points this near are one; none: `same`; below 0: no two are
    double angle = kDefaultFeatureAngle;
    bool reference_on_b = false;  // the normal is B's face's: A's is the incident patch, see clip_patches()
    // The faces that belong to the patches however steep; none: the significant ones.
    std::optional<std::uint32_t> face_a;
    std::optional<std::uint32_t> face_b;
};

struct PatchManifold {
    ContactFeature feature_a;
    ContactFeature feature_b;
    SupportPatch patch_a;
    SupportPatch patch_b;
    std::vector<PatchPoint> points;
};

// Patch against patch: the corners of the intersection of both outlines seen along the normal, and the other
// vertices of the incident patch inside the reference patch (the deepest one may lie in the middle). The patch
// only says WHERE points are; how far the surfaces are apart there is measured on the hulls themselves, so that
// points, witnesses and separations are as exact as those of face clipping. Each patch holds its hull's significant
// face as well: on
// a hull much larger than the band no vertex but one would be left otherwise.
//
// A point is kept when its separation is at most the margin, or at most twice the band above that of the
// deepest point: a patch that is level up to its band keeps its whole area.
PatchManifold clip_patches(const Polyhedron& a, const Polyhedron& b, const Vec3d& normal,
                           const PatchSettings& settings);

}  // namespace lanefold::published
