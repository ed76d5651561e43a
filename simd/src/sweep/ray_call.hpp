// SPDX-License-Identifier: MIT
//
// A call of rays on an executor.
#pragma once

#include <lanefold/detail/ray_batch.hpp>
#include <lanefold/serial_rays.hpp>

#include "sweep/sweep_call.hpp"
#include "tasks/executor.hpp"

namespace lanefold::detail {

LANEFOLD_EXPORT RayResult run_rays(const HullSet& hulls, const BodyView& bodies, const RayOutput& output,
                                   SweepWorkspace& workspace, Executor& executor);

}  // namespace lanefold::detail
