// SPDX-License-Identifier: MIT
//
// Builds one hull from points.
#pragma once

#include <span>

#include <lanefold/hull_builder.hpp>

#include "hull/draft.hpp"

namespace lanefold::detail {

HullReport build_draft(std::span<const Vec3f> points, const BuildOptions& options, HullDraft& out);

}  // namespace lanefold::detail
