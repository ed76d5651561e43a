// SPDX-License-Identifier: MIT
//
// Points held against both hulls and the features that they name.
#pragma once

#include "precise/contact.hpp"
#include "precise/distance.hpp"

namespace lanefold::detail {

struct Outcome;  // precise/record.hpp
// Are the points of a feature contact `distance` apart along its normal, and at the features that it names?
bool is_true_contact(const Problem& p, const FeatureContact& c, double distance);
// Leaves out the points of memory.points that are not on both surfaces, or not at the features that they name.
void keep_true_points(const Problem& p, PreciseScratch::Impl& memory, bool reference_on_b, FaceContact& c);
// One point of contact along an axis whose separation is `distance`, from points that lie on both hulls by
// construction. False when their features cannot be told.
bool settle_contact(const Problem& p, PreciseScratch::Impl& memory, const Vec3d& normal, double distance, Outcome& r);

}  // namespace lanefold::detail
