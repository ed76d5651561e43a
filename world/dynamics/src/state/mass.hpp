// SPDX-License-Identifier: MIT
//
// Mass and inertia of a body in the solver's numbers.
#pragma once

#include <lanefold/hull_set.hpp>
#include <lanefold/pose.hpp>
#include <lanefold/rigid_body.hpp>

#include "solve/rows.hpp"

namespace lanefold::detail {

// Mass, inertia and centre of mass of a body, whose hull has these properties. False: the mass is not 1e-15 to 1e15
// kilograms, or the inertia has no inverse in float32. Only dynamic bodies have a mass.
bool make_mass_row(const RigidBody& body, const MassProperties& hull, MassRow& row);

// The smallest extent of the box that has the hull's moments of inertia: the thickness of a coin.
float smallest_extent(const MassProperties& hull);

// The matrix of xx, xy, xz, yy, yz, zz.
Mat3d symmetric_matrix(const float s[6]);

}  // namespace lanefold::detail
