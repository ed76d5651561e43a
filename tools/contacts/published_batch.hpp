// SPDX-License-Identifier: MIT
//
// `lanefold collide --method published`: pairs through the float64 reference (lanefold/published.hpp), for study.
// Records have the form of the batch calls; what they mean differs: points are placed as published (on the
// incident hull's surface, not midway), only those touching at the instant of collision, none at all where the
// method finds none, and the first ones when there are more than the record holds. Reported are overlaps.
#pragma once

#include <lanefold/stop.hpp>
#include <span>

#include <lanefold/body.hpp>
#include <lanefold/hull_set.hpp>
#include <lanefold/options.hpp>

namespace lanefold::tools {

BatchResult collide_published(const HullSet& hulls, const BodyView& bodies, std::span<const Pair> pairs,
                              const StopToken& stop, std::span<Manifold4> out);
BatchResult collide_published(const HullSet& hulls, const BodyView& bodies, std::span<const Pair> pairs,
                              const StopToken& stop, std::span<Manifold16> out);

// `out` must hold as many records as there are pairs.
CompactResult collide_published_compact(const HullSet& hulls, const BodyView& bodies, std::span<const Pair> pairs,
                                        const StopToken& stop, std::span<Manifold4> out);
CompactResult collide_published_compact(const HullSet& hulls, const BodyView& bodies, std::span<const Pair> pairs,
                                        const StopToken& stop, std::span<Manifold16> out);

}  // namespace lanefold::tools
