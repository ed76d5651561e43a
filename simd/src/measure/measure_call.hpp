// SPDX-License-Identifier: MIT
//
// A call of measures on an executor: arguments and blocks of pairs. The serial and the parallel call share it.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include <lanefold/detail/cut_solid.hpp>
#include <lanefold/detail/scaled_bodies.hpp>
#include <lanefold/serial_measures.hpp>

#include "tasks/executor.hpp"

namespace lanefold::detail {

struct MeasureArguments {
    const HullSet* hulls = nullptr;
    const BodyView* bodies = nullptr;
    std::span<const Pair> pairs;
    std::span<ContactMeasures> out;
    MeasureWorkspace* workspace = nullptr;
    std::span<const Vec3d> shifts;
};

LANEFOLD_EXPORT MeasureResult run_measures(const MeasureArguments& arguments, Executor& executor);

}  // namespace lanefold::detail

namespace lanefold {

struct MeasureWorkspace::Impl {
    std::atomic<std::uint32_t> in_use = 0;  // 1 while a call runs: refuses a second one
    detail::ScaledBodies scaled;
    std::vector<std::unique_ptr<detail::CutSolid>> solids;  // one for each task
};

}  // namespace lanefold
