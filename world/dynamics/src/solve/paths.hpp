// SPDX-License-Identifier: MIT
//
// The places of bodies that turn fast within a step: between its begin and its end such a body may be anywhere about
// its centre of mass. Contains no SIMD types.
#pragma once

#include <cstddef>
#include <cstdint>

#include "solve/solver_job.hpp"

namespace lanefold::detail {

// The displacement and the rotation of a body since the step began, as its turn row had them at a moment.
struct PathRow {
    float dp[3];
    float dq[4];
    std::uint32_t run;  // BodyPaths::run; another number: nothing is known of this moment
};
static_assert(sizeof(PathRow) == 32);

// Moments of a step that are kept at most. With more substeps than this, not each is.
inline constexpr std::uint32_t kMostMoments = 32;

// The last stage of a substep: keeps the bodies that turn by more than contact arms do in a step (turns.hpp), and all
// of them where there are links. An item is a block of bodies of a substep, all of the first substep first.
void keep_paths(const SolverJob& job, std::uint32_t first, std::uint32_t last);

}  // namespace lanefold::detail
