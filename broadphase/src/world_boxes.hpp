// SPDX-License-Identifier: MIT
//
// The box of one body of a view.
#pragma once

#include <cstddef>

#include <lanefold/broadphase.hpp>

namespace lanefold::detail {

// Bodies per task. Placing the vertices of one takes 0.1 to 1 microseconds.
inline constexpr std::size_t kBodiesPerBlock = 256;

// The box of body i, grown by `growth`; empty if the body cannot be placed.
WorldBox body_box(const HullSet& hulls, const BodyView& bodies, std::size_t i, double growth);

}  // namespace lanefold::detail
