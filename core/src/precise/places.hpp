// SPDX-License-Identifier: MIT
//
// Features at points of a hull's surface.
#pragma once

#include <cstdint>

#include <lanefold/feature.hpp>

#include "precise/problem.hpp"

namespace lanefold::detail {

// Distance of x from the segment between two points.
double segment_distance(const Vec3d& x, const Vec3d& v0, const Vec3d& v1);

// Whether x (local frame) is within a tolerance of a feature; for a face of its plane.
bool at_feature(const Solid& s, const Feature& f, const Vec3d& x, double tolerance);

// A point of a surface and the smallest feature that contains it.
struct Place {
    Vec3d x;  // local frame of its hull
    Feature feature;
};

// Which features of a hull are extreme along a normal. Beside a narrow face the point of a contact is near to features
// of several directions, but only these meet the other hull.
class Extreme {
public:
    // `out`: outward direction, local frame of the hull.
    Extreme(const Problem& p, const Solid& s, const Vec3d& out);

    bool vertex(std::uint32_t v) const { return dot(out_, s_.vertex(v)) >= limit_; }
    bool edge(std::uint32_t e) const {
        const SolidEdge ends = s_.edge(e);
        return vertex(ends.v0) && vertex(ends.v1);
    }
    // A split face carries a contact by one of its triangles or chords.
    bool face(std::uint32_t f) const;
    bool feature(const Feature& f) const;

private:
    const Solid& s_;
    Vec3d out_;
    double limit_;
};

// The nearest edge within a tolerance, extreme or not. Returns false if there is none.
bool nearest_edge(const Solid& s, const Vec3d& x, double tolerance, Feature& f);

// The place of x: on a vertex or an edge within the tolerance, otherwise on a face, of those that are extreme. `wide`:
// distance up to which a feature may hold x. A chord of a merged face may carry the contact while the face as a whole
// is not extreme; then the edge beside the chord stands for it.
Place place_of(const Solid& s, const Extreme& extreme, const Vec3d& x, double tolerance, double wide);

// Multiple of `step` by which a place can move before it leaves its feature. 0 for a vertex.
double room_along(const Solid& s, const Place& at, const Vec3d& step);

}  // namespace lanefold::detail
