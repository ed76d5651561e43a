// SPDX-License-Identifier: MIT
//
// One hull from points to draft.
#pragma once

#include <span>

#include <lanefold/hull_builder.hpp>

#include "build/draft.hpp"

namespace lanefold::detail {

HullReport build_draft(std::span<const Vec3f> points, const BuildOptions& options, HullDraft& out);

}  // namespace lanefold::detail
