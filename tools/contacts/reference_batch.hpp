// SPDX-License-Identifier: MIT
//
// `lanefold collide` with a method of the float64 reference, for study. Records have the form of the batch calls; what
// they mean differs by method:
// - published, published_literal: points as published, on the incident hull's surface, not midway; only those
//   touching at the instant of collision, none at all where the method finds none, and the first ones when there are
//   more than the record holds;
// - sutherland_hodgman, features: points midway between the surfaces; when there are more than the record holds, the
//   deepest one and those furthest from the ones already kept, in their order.
// Reported are overlaps. Kinds and features are those of the collision, of sutherland_hodgman the two significant
// faces.
#pragma once

#include <span>

#include <lanefold/body.hpp>
#include <lanefold/contact_features.hpp>
#include <lanefold/hull_set.hpp>
#include <lanefold/options.hpp>
#include <lanefold/stop.hpp>

#include "contacts/method.hpp"

namespace lanefold::tools {

struct ReferenceSettings {
    Method method = Method::published;  // is_reference()
    PointSelection points = PointSelection::all;
    double feature_angle = published::kDefaultFeatureAngle;  // radians; method features
};

BatchResult collide_reference(const HullSet& hulls, const BodyView& bodies, std::span<const Pair> pairs,
                              const ReferenceSettings& settings, const StopToken& stop, std::span<Manifold4> out);
BatchResult collide_reference(const HullSet& hulls, const BodyView& bodies, std::span<const Pair> pairs,
                              const ReferenceSettings& settings, const StopToken& stop, std::span<Manifold16> out);

// `out` must hold as many records as there are pairs.
CompactResult collide_reference_compact(const HullSet& hulls, const BodyView& bodies, std::span<const Pair> pairs,
                                        const ReferenceSettings& settings, const StopToken& stop,
                                        std::span<Manifold4> out);
CompactResult collide_reference_compact(const HullSet& hulls, const BodyView& bodies, std::span<const Pair> pairs,
                                        const ReferenceSettings& settings, const StopToken& stop,
                                        std::span<Manifold16> out);

}  // namespace lanefold::tools
