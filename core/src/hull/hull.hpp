// SPDX-License-Identifier: MIT
//
// Builds one hull from points.
#pragma once

#include <span>

#include <lanefold/hull_builder.hpp>

#include "hull/draft.hpp"

namespace lanefold::detail {

// A hull of at least four points. `radius` is that by which it is rounded.
HullReport build_draft(std::span<const Vec3f> points, const BuildOptions& options, float radius, HullDraft& out);

}  // namespace lanefold::detail
