// SPDX-License-Identifier: MIT
//
// Points of common shapes for the builder. A shape is the convex hull of its points, rounded by its radius:
//
//     const Shape shape = cylinder(0.5, 1.0, 0.002);
//     if (!shape) ...  // shape.what says why
//     const BuildResult built = build_hull(shape.points, {.radius = shape.radius});
//
// Spheres and capsules are exact. The others have flat faces where the shape is curved: as many as the wanted error
// asks for. Their points lie on the shape, so the hull lies within it, and no point of the shape is further from the
// hull than Shape::error. The same arguments give the same bits on every machine.
#pragma once

#include <vector>

#include <lanefold/export.hpp>
#include <lanefold/vec.hpp>

namespace lanefold {

// A shape about the origin, or the reason that there is none.
struct [[nodiscard]] Shape {
    std::vector<Vec3f> points;  // empty: see `what`
    float radius = 0;           // BuildOptions::radius
    double error = 0;           // largest distance of a point of the shape from the hull, rounding to float32 included
    const char* what = "";      // of a refused argument; static storage

    explicit operator bool() const { return !points.empty(); }
};

// A ball about the origin.
LANEFOLD_EXPORT Shape sphere(double radius);

// All within the radius of a segment of so much length, along y.
LANEFOLD_EXPORT Shape capsule(double radius, double length);

// A cylinder along y. `rim` rounds its edges and is less than the radius and half of the height; 0: sharp.
LANEFOLD_EXPORT Shape cylinder(double radius, double height, double error, double rim = 0);

// A cone along y with the tip up, about its centre of mass: the base is a quarter of the height below the origin.
LANEFOLD_EXPORT Shape cone(double radius, double height, double error);

// The hull of two balls, `length` apart along y: the first below the origin, the second above it, equally far. If one
// lies within the other, it is that other ball.
LANEFOLD_EXPORT Shape tapered_capsule(double first_radius, double second_radius, double length, double error);

// An ellipsoid with these half axes along x, y and z.
LANEFOLD_EXPORT Shape ellipsoid(double x, double y, double z, double error);

}  // namespace lanefold
