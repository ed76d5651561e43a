// SPDX-License-Identifier: MIT
//
// The box of one body.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include <lanefold/body.hpp>
#include <lanefold/broadphase.hpp>
#include <lanefold/hull_set.hpp>

namespace lanefold::detail {

// Bodies per task. Placing the vertices of one takes 0.1 to 1 microseconds.
inline constexpr std::size_t kBodiesPerBlock = 256;

// Whether the body can be placed.
bool has_box(std::span<const HullRecord> hulls, const BodyD& body);

// The body's box, grown by `growth`; empty if the body cannot be placed.
WorldBox body_box(const HullSet& hulls, const BodyD& body, double growth);

}  // namespace lanefold::detail
