// SPDX-License-Identifier: MIT
//
// The definition of rays: where a ray first meets a hull, a rounded hull, a half-space or a triangle of a surface. All
// of it is closed forms in float64, compiled once, so every call gives the same bits. Internal.
#pragma once

#include <cstddef>
#include <cstdint>

#include <lanefold/body.hpp>
#include <lanefold/detail/surface_view.hpp>
#include <lanefold/export.hpp>
#include <lanefold/hull_set.hpp>
#include <lanefold/pose.hpp>

namespace lanefold::detail {

// A hull, a half-space or a surface at its place.
struct RayTarget {
    PoseD pose;  // of a hull's internal frame, otherwise of the body
    const HullRecord* hull = nullptr;
};

// The first point at which a ray meets something.
struct RayMeets {
    bool any = false;
    bool inside = false;  // its origin is in the closed shape: fraction 0, feature 0, the normal against the direction
    double fraction = 0;
    std::uint32_t feature = 0;  // its number among the hull's (feature.hpp); the triangle of a surface
    Vec3d normal;               // unit, out of the shape
};

// The target of a body whose shape is no compound. False if it cannot be placed.
LANEFOLD_EXPORT bool place_target(const HullSet& hulls, const BodyD& body, RayTarget& out);

// Places the children of a body, which is one itself where it is no compound: calls place(context, child, target).
// False, without a call, if the body cannot be placed.
using PlaceChild = void (*)(void* context, std::uint32_t child, const RayTarget& target);
LANEFOLD_EXPORT bool place_children(const HullSet& hulls, const BodyD& body, PlaceChild place, void* context);

// The first point of the target, which is no surface, at fractions from 0 to `most`. A grazing ray may be decided
// either way.
LANEFOLD_EXPORT RayMeets meet(const RayTarget& target, const RayLine& ray, double most);

// The sides from which a ray meets triangles.
enum class RaySides : std::uint8_t { outer, both };

// The point at which a ray meets triangle t at fractions from 0 to `most`. A ray through an edge or a vertex meets at
// least one of the triangles there: what lies outside by less than float64's rounding counts.
LANEFOLD_EXPORT RayMeets meet(const SurfaceView& surface, std::uint32_t t, const RayLine& ray, RaySides sides,
                              double most);

}  // namespace lanefold::detail
