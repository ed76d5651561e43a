// SPDX-License-Identifier: MIT
//
// Contact points by intersecting the two contact features of a collision: vertex, edge or face on each side, nine
// cases. Scalar, in float64, for study and for `lanefold collide --method features`.
//
// Source: contact manifolds from contact features that are grown by a tolerance angle, as published for shapes of few
// polygons. contact_features.hpp has the growth; heights are those of the support query.
//
// Frames and signs as in published.hpp: one common frame, normals from A to B, lengths absolute.
#pragma once

#include <vector>

#include <lanefold/contact_features.hpp>
#include <lanefold/export.hpp>
#include <lanefold/feature.hpp>
#include <lanefold/published.hpp>

namespace lanefold::published {

// A point at which two contact features meet.
struct FeaturePoint {
    Vec3d position;         // midway between the two features along the normal
    double separation = 0;  // between them, along the normal
    FeaturePair features;   // the features that meet: a vertex and the feature that it lies on, or two crossing edges
};

// Two contact features and the points at which they meet.
struct FeatureManifold {
    ContactFeature a;
    ContactFeature b;
    bool as_found = false;  // the only point is that of the collision, see clip_features()
    std::vector<FeaturePoint> points;
};

// How the two features of a manifold grew.
struct FeatureTrace {
    FeatureGrowth a;
    FeatureGrowth b;
    bool tied = false;  // grown again, only as far as ties up to rounding; see clip_features()
};

// How far features grow, and what counts as one point.
struct FeatureSettings {
    double angle = kDefaultFeatureAngle;  // radians, 0 up to a right angle
    // Absolute, seen along the normal: a corner this near to a feature lies on it; points this near are one. 0: 1e-9 of
    // the smaller hull's half diagonal.
    double same = 0;
};

// `found`: the features from which both sides grow (grow_feature()), a vertex, an edge or a face each. Three rules give
// the points, seen along the normal (unit, from A to B): corners of A's feature on B's, corners of B's feature on A's,
// and crossings of their sides. A vertex is a corner without sides; an edge has two corners and one side. So the points
// are
//     vertex, vertex      the vertex
//     vertex, edge/face   the vertex
//     edge, edge          their crossing, or both ends of their common part if they are parallel
//     edge, face          both ends of the part of the edge on the face
// and none if the features do not meet. `trace`: gets the growth, unless null.
//
// Heights at corners are those of the support query; elsewhere they are linear along the edge or over the face, so each
// point lies on both hulls. Features may be tilted by the angle. So points may have a positive separation: at most the
// extent of the intersection times 2 sin(angle) above the deepest one.
LANEFOLD_EXPORT FeatureManifold intersect_features(const Polyhedron& a, const Polyhedron& b, const Vec3d& normal,
                                                   const FeaturePair& found, const FeatureSettings& settings = {},
                                                   FeatureTrace* trace = nullptr);

// Grows the features of collide(): a face and the support vertex, or two edges. The point at which they meet has the
// depth of the collision and is one of the points, so no manifold is shallower than the pair. If the collision is the
// minimum over all axes the features meet, except for ties up to rounding. If grown features do not meet, they are
// replaced by those that are level within such ties (1e-5 radians). If these do not meet either, the only point is that
// of the collision (as_found).
LANEFOLD_EXPORT FeatureManifold clip_features(const Polyhedron& a, const Polyhedron& b, const Collision& collision,
                                              const FeatureSettings& settings = {}, FeatureTrace* trace = nullptr);

}  // namespace lanefold::published
