// SPDX-License-Identifier: MIT
//
// Tests of contact points against both hulls and against the points' features.
#pragma once

#include "precise/contact.hpp"
#include "precise/distance.hpp"
#include "precise/outcome.hpp"

namespace lanefold::detail {

// Whether the points of a feature contact are `distance` apart along its normal and lie on its features, and these are
// extreme along the normal.
Refusal refusal_of(const Problem& p, const FeatureContact& c, double distance);
// Whether a point is on both surfaces and on its features. `faces`: of the contact, where the point is expected.
bool is_true_point(const Problem& p, const ClipPoint& c, const FaceContact& faces, bool reference_on_b);
// Removes the other points of memory.points. The clips leave them out by themselves if a hull is thin.
void keep_true_points(const Problem& p, PreciseScratch::Impl& memory, bool reference_on_b, FaceContact& c);
// Makes a contact along an axis whose separation is `distance`, from points that lie on both hulls by construction: of
// one point, or the clip by the face that holds it. Returns false if no features are found for them.
bool settle_contact(const Problem& p, PreciseScratch::Impl& memory, const Vec3d& normal, double distance, Outcome& r);

// Finds two edges beside the points of contact whose axis separates the hulls nearly as well as `normal`, and that have
// the points. For the edges of merging, which are shorter than the overlap: the best axis is theirs, and their points
// are not.
bool edges_beside(const Problem& p, PreciseScratch::Impl& memory, const Vec3d& normal, double distance,
                  FeatureContact& contact);

}  // namespace lanefold::detail
