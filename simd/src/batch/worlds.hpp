// SPDX-License-Identifier: MIT
//
// A compact call of many worlds: each has a range of the pairs and room of its own in the output.
#pragma once

#include <span>

#include <lanefold/export.hpp>
#include <lanefold/worlds.hpp>

#include "batch/arguments.hpp"
#include "tasks/executor.hpp"

namespace lanefold::detail {

// Takes the arguments of a dense call. `results`: one for each world, written whole unless the call is refused.
// `candidates`: the index of the pair of each record; as many as records, or none.
LANEFOLD_EXPORT WorldsResult run_worlds(const BatchArguments& arguments, const WorldRanges& worlds,
                                        std::span<WorldResult> results, std::span<std::uint32_t> candidates,
                                        Executor& executor);

}  // namespace lanefold::detail
