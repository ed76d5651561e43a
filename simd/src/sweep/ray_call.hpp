// SPDX-License-Identifier: MIT
//
// A call of rays on an executor.
#pragma once

#include <lanefold/pose.hpp>
#include <lanefold/serial_rays.hpp>

#include "sweep/sweep_call.hpp"
#include "tasks/executor.hpp"

namespace lanefold::detail {

LANEFOLD_EXPORT RayResult run_rays(const HullSet& hulls, const BodyView& bodies, std::span<const Ray> rays,
                                   std::span<RayHit> out, SweepWorkspace& workspace, Executor& executor);

}  // namespace lanefold::detail
