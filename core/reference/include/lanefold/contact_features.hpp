// SPDX-License-Identifier: MIT
//
// Contact features by a tolerance angle, and support patches: the part of a hull on which a contact along a direction
// rests. Scalar, in float64, on the polyhedra of published.hpp. Support patches define the results of the batch calls
// with Options::method = patch.
//
// A single face is a poor contact feature where a flat side is cut into nearly coplanar faces (scans, cylinders, finely
// faceted spheres). Rounding then selects the face, and a manifold made of it jumps with every small motion. Both
// features here depend on heights along the direction only.
//
// Frames and signs as in published.hpp: one common frame, normals from A to B, lengths absolute.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include <lanefold/export.hpp>
#include <lanefold/feature.hpp>
#include <lanefold/published.hpp>

namespace lanefold::published {

// Radians; half a degree. A cube of one metre may tilt by 9 mm before its face becomes an edge. With a larger angle
// points stay while a body rocks, but are further from the other hull; with a smaller one a body that trembles loses
// and gains points.
inline constexpr double kDefaultFeatureAngle = 0.0087;

// Heights of all vertices along a direction, as a support query computes them.
struct SupportHeights {
    std::uint32_t vertex = 0;  // the furthest vertex, the lowest index on ties
    std::vector<double> height;
};
LANEFOLD_EXPORT SupportHeights support_heights(const Polyhedron& hull, const Vec3d& direction);

// The feature on which a contact rests.
struct ContactFeature {
    FeatureType type = FeatureType::vertex;
    std::uint32_t index = 0;              // of the vertex, edge or face
    std::uint32_t vertex = 0;             // the furthest vertex, the lowest index on ties
    std::vector<std::uint32_t> vertices;  // one, two, or the face's as stored
};

// The Gauss map of a feature: outward normals of the faces around it. A face has one, an edge the two ends of an arc, a
// vertex the corners of a spherical polygon, in cyclic order.
LANEFOLD_EXPORT std::vector<Vec3d> gauss_map(const Polyhedron& hull, const Feature& feature);

// A feature at which growth looked.
struct GrowthCandidate {
    Feature feature;      // an edge or a face
    double sine = 0;      // of the angle between its steepest side and the contact plane
    bool towards = true;  // false: a face whose normal points against the direction; it is never aligned
    bool aligned = false;
    bool chosen = false;  // the most aligned one
};

// A feature on the way from the one that was found to the contact feature.
struct GrowthStage {
    Feature feature;
    std::vector<std::uint32_t> vertices;
    std::vector<Vec3d> gauss_map;
};

// The steps of grow_feature(), as it took them.
struct FeatureGrowth {
    Vec3d direction;                          // the middle of the cap of the tolerance angle
    double angle = 0;                         // the cap's radius
    std::vector<GrowthCandidate> candidates;  // edges first
    std::vector<GrowthStage> stages;          // as found; an edge, if one was aligned; a face, if one was aligned
};

// Grows the feature that a collision found to an edge or a face. If faces around it are aligned with the contact plane,
// the most aligned one. Otherwise, if a vertex was found and edges around it are aligned, the most level one. Otherwise
// the found feature. Ties go to the lowest index.
//
// An edge is aligned if the heights of its ends differ by at most length * sin(angle). A face is aligned if all of its
// edges are; it is as aligned as its steepest edge. Only faces whose normal points along the direction count, because
// both sides of a thin plate are level.
//
// The test uses the sine of a side, not the cosine of the face's normal: 1 - cos(angle) is quadratic, so in float32 no
// angle below 0.02 degrees differs from zero, and the short side of a long thin face would count as much as its long
// one. `growth`: gets the steps, unless null.
LANEFOLD_EXPORT ContactFeature grow_feature(const Polyhedron& hull, const Vec3d& direction,
                                            const SupportHeights& heights, const Feature& found,
                                            double angle = kDefaultFeatureAngle, FeatureGrowth* growth = nullptr);

// grow_feature() from the vertex furthest along the direction.
LANEFOLD_EXPORT ContactFeature contact_feature(const Polyhedron& hull, const Vec3d& direction,
                                               double angle = kDefaultFeatureAngle);

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
    std::vector<PatchCorner> outline;     // 1 or more corners, counter-clockwise about across x along
};

// Axes of the contact plane, with across x along = n.
struct PlaneAxes {
    Vec3d across;
    Vec3d along;
};
LANEFOLD_EXPORT PlaneAxes plane_axes(const Vec3d& n);

// `extra`: vertices that belong to the patch wherever they are (the significant face's), ascending or not.
// `straight`: a length; a corner that stands out by no more from the line through its neighbours is none, and of
// corners this near to each other (the rims of a side that is seen edge on) the highest stands for all.
LANEFOLD_EXPORT SupportPatch support_patch(const Polyhedron& hull, const Vec3d& direction, double band,
                                           const PlaneAxes& axes, const std::vector<std::uint32_t>& extra = {},
                                           double straight = 0);

// Height of the hull's surface over the point x along `direction`: where the line through x along it leaves the hull.
// Only valid if that line meets the hull.
LANEFOLD_EXPORT double surface_height(const Polyhedron& hull, const Vec3d& direction, const Vec3d& x);

// The source of a point of two patches.
enum class PatchPointSource : std::uint8_t {
    vertex_a = 0,  // index = {vertex of A, face of B below it}
    vertex_b = 1,  // index = {face of A below it, vertex of B}
    crossing = 2,  // of two sides of the outlines: index = the vertices at which they start
};

// A point of the intersection of two patches.
struct PatchPoint {
    Vec3d position;  // midway between the two surfaces along the normal
    double separation = 0;
    PatchPointSource source = PatchPointSource::vertex_a;
    std::array<std::uint32_t, 2> index{};
};

// Bands and tolerances of clip_patches().
struct PatchSettings {
    double band = 0;    // absolute; the batch calls use kPatchBand times the smaller hull's size
    double margin = 0;  // points further apart than this are kept only within the bands of both patches
    // Absolute: a corner this near to an outline is inside, points this near are one. Below 0 only corners and
    // crossings count that are clear of the sides' ends and of the other outline by that.
    double same = 0;
    std::optional<double> merge;  // points this near are one, the deepest; none: `same`; below 0: no two are
    double straight = 0;          // absolute: support_patch(); below 0, vertices this near to the rim are corners too
    double angle = kDefaultFeatureAngle;
    bool reference_on_b =
        false;  // the normal is that of a face of B, and A's patch is the incident one; see clip_patches()
    // Faces that belong to the patches at any angle; nullopt: the significant ones.
    std::optional<std::uint32_t> face_a;
    std::optional<std::uint32_t> face_b;
};

// Two patches, their features, and the points of their intersection.
struct PatchManifold {
    ContactFeature feature_a;
    ContactFeature feature_b;
    SupportPatch patch_a;
    SupportPatch patch_b;
    std::vector<PatchPoint> points;
};

// Intersects two patches. The points are the corners of the intersection of both outlines, seen along the normal, and
// the other vertices of the incident patch inside the reference patch, because the deepest one may be in the middle.
// The patches only give the places of points; separations are measured on the hulls themselves. So points, witnesses
// and separations are as exact as those of face clipping. Each patch also contains its hull's significant face, because
// on a hull much larger than the band only one vertex would be left otherwise.
//
// A point is kept if its separation is at most the margin, or at most twice the band above that of the deepest point.
// So a patch that is level up to its band keeps its whole area.
LANEFOLD_EXPORT PatchManifold clip_patches(const Polyhedron& a, const Polyhedron& b, const Vec3d& normal,
                                           const PatchSettings& settings);

}  // namespace lanefold::published
