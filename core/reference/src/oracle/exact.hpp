// SPDX-License-Identifier: MIT
//
// Arithmetic of the oracle that loses no digits: the exact sign of the orientation of four float32 points, and cross
// products whose components are right to the last bits even if nearly everything cancels. Private to the reference; the
// builder has separate predicates, so that the two stay independent.
#pragma once

#include <cmath>

#include <lanefold/vec.hpp>

namespace lanefold::reference {

// a * b - c * d within 1.5 units in the last place of the result (Kahan's algorithm; Jeannerod, Louvet and
// Muller, "Further analysis of Kahan's algorithm for the accurate computation of 2x2 determinants", 2013).
inline double difference_of_products(double a, double b, double c, double d) {
    const double cd = c * d;
    const double rest = std::fma(-c, d, cd);
    const double ab = std::fma(a, b, -cd);
    return ab + rest;
}

inline Vec3d accurate_cross(const Vec3d& a, const Vec3d& b) {
    return {difference_of_products(a.y, b.z, a.z, b.y), difference_of_products(a.z, b.x, a.x, b.z),
            difference_of_products(a.x, b.y, a.y, b.x)};
}

// Sign of (b - a) x (c - a) . (d - a), exact for points whose coordinates are float32 values: +1 if d is on the side of
// the plane (a, b, c) from which the loop a, b, c is counter-clockwise, 0 if it is on the plane.
int orientation(const Vec3d& a, const Vec3d& b, const Vec3d& c, const Vec3d& d);

}  // namespace lanefold::reference
