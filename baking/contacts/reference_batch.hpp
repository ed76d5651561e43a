// SPDX-License-Identifier: MIT
//
// `lanefold collide` with a method of the float64 reference, for study. Records have the form of the batch calls, and
// only overlaps are reported. The meaning of the points depends on the method:
// - published, published_literal: points lie on the incident hull's surface, not midway. Only points that touch at the
//   instant of collision are reported, so a pair may have none. If there are more than a record holds, the first are
//   kept;
// - sutherland_hodgman, features: points lie midway between the surfaces. If there are more than a record holds, the
//   deepest is kept, then each time the one furthest from those already kept, in their original order.
// Kind and features are those of the collision; for sutherland_hodgman they are the two significant faces.
#pragma once

#include <span>

#include <lanefold/body.hpp>
#include <lanefold/contact_features.hpp>
#include <lanefold/hull_set.hpp>
#include <lanefold/options.hpp>
#include <lanefold/status.hpp>
#include <lanefold/stop.hpp>

#include "contacts/method.hpp"

namespace lanefold::tools {

struct ReferenceSettings {
    Method method = Method::published;  // is_reference()
    PointSelection points = PointSelection::all;
    double feature_angle = published::kDefaultFeatureAngle;  // radians; method features
};

// Whether the methods know all hulls of the set, which are sharp and convex then; `where` is the first other one.
CallStatus check_reference_hulls(const HullSet& hulls);

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
