// SPDX-License-Identifier: MIT
//
// Cores of rounded hulls that have no volume: a point or a segment.
#pragma once

#include <span>

#include "hull/draft.hpp"

namespace lanefold::detail {

// Makes a draft of one or two distinct points, rounded by `radius`. Returns false and leaves `out` unchanged if the
// points are more, none, or no coordinates that a hull may have. The draft has no faces; a segment has edge 0.
bool take_small_core(std::span<const Vec3f> points, float radius, HullDraft& out);

}  // namespace lanefold::detail
