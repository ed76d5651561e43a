// SPDX-License-Identifier: MIT
//
// Contact points by intersecting the two contact features of a collision: vertex, edge or face on each side, nine
// cases. Scalar, in float64, for study, and `lanefold collide --method features`.
//
// Source: contact manifolds from contact features grown by a tolerance angle, as published for shapes of few polygons
// (contact_features.hpp has the growth); heights come from the support query.
//
// Frames and signs as in published.hpp: one common frame, normals from A to B, lengths absolute.
#pragma once

#include <vector>

#include <lanefold/contact_features.hpp>
#include <lanefold/feature.hpp>
#include <lanefold/published.hpp>

namespace lanefold::published {

struct FeaturePoint {
    Vec3d position;         // midway between the two features along the normal
    double separation = 0;  // between them, along the normal
    FeaturePair features;   // what meets there: a vertex and the feature that it lies on, or two edges that cross
};

struct FeatureManifold {
    ContactFeature a;
    ContactFeature b;
    bool as_found = false;  // the point is the collision's own, see clip_features()
    std::vector<FeaturePoint> points;
};

struct FeatureSettings {
    double angle = kDefaultFeatureAngle;  // radians, 0 up to a right angle
    // Absolute, seen along the normal: a corner this near to a feature lies on it, points this near are one. 0: 1e-9 of
    // the smaller hull's half diagonal.
    double same = 0;
};

// `found`: the features from which both sides grow (grow_feature()), a vertex, an edge or a face each. Three rules then
// make the points, seen along the normal (unit, from A to B): corners of A's feature on B's, corners of B's feature on
// A's, and crossings of their sides. A vertex is a corner without sides, an edge has two corners and one side. So come
//     vertex, vertex      the vertex
//     vertex, edge/face   the vertex
//     edge, edge          their crossing, or both ends of what they share when they are parallel
//     edge, face          both ends of the part of the edge on the face
//     face, face          the corners of their intersection
// and nothing where the features do not meet.
//
// Heights at corners are those of the support query; elsewhere they are linear along the edge or over the face, so that
// each point lies on both hulls. Features may be tilted by the angle, so points may be apart: by up to the extent of
// the intersection times 2 sin(angle) more than the deepest one.
FeatureManifold intersect_features(const Polyhedron& a, const Polyhedron& b, const Vec3d& normal,
                                   const FeaturePair& found, const FeatureSettings& settings = {});

// From what collide() found: a face and the support vertex, or two edges. The point at which they meet has the depth of
// the collision and is among the points, so that nothing is shallower than the pair. Where the collision is the minimum
// over all axes they do meet, but for ties up to rounding. Grown features that do not meet are replaced by those that
// are level within such ties (1e-5 radians), and if these do not meet either the only point is the collision's own
// (as_found).
FeatureManifold clip_features(const Polyhedron& a, const Polyhedron& b, const Collision& collision,
                              const FeatureSettings& settings = {});

}  // namespace lanefold::published
