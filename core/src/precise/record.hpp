// SPDX-License-Identifier: MIT
//
// From contact to record on the float64 path: the outcome of a face or feature contact, the test whether clipped points
// reach the contact's depth, and the record's bytes. Used by path.cpp and hold.cpp.
#pragma once

#include <cstddef>
#include <vector>

#include "precise/contact.hpp"
#include "precise/distance.hpp"
#include "precise/outcome.hpp"

namespace lanefold::detail {

void take_feature_contact(const Problem& p, PreciseScratch::Impl& memory, const FeatureContact& c, Outcome& r);
void take_face_contact(const FaceAxis& axis, const FaceContact& c, Outcome& r);

// PointSelection::impact: leaves the points near the deepest one.
void keep_impact_points(const Problem& p, std::vector<ClipPoint>& points);

// Whether no clipped point is as deep as a separation of `limit`.
bool lost_depth(const PreciseScratch::Impl& memory, const FaceContact& clipped, double limit);

// Writes the fields that records of every form have: normal, distance, kind. An outcome and its points are of the
// cores; writing takes off the radii, in float64.
template <class Record>
void write_axis(const PrecisePair& pair, const Problem& p, const Outcome& r, Record& out);

// `total`: number of points before reduction.
template <class Manifold>
void write(const PrecisePair& pair, const Problem& p, const Outcome& r, std::vector<ClipPoint>& points,
           std::size_t total, Manifold& out);

}  // namespace lanefold::detail
