// SPDX-License-Identifier: MIT
//
// The box of one body of a view.
#pragma once

#include <cstddef>

#include <lanefold/broadphase.hpp>

namespace lanefold::detail {

// Bodies per task: placing the vertices of one takes from a tenth of a microsecond to a microsecond.
inline constexpr std::size_t kBodiesPerBlock = 256;

// Empty for a body that cannot be placed.
WorldBox body_box(const HullSet& hulls, const BodyView& bodies, std::size_t i, double growth);

}  // namespace lanefold::detail
