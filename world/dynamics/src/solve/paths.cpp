// SPDX-License-Identifier: MIT
//
// See the header.
#include "solve/paths.hpp"

#include <algorithm>

namespace lanefold::detail {

void keep_paths(const SolverJob& job, std::uint32_t first, std::uint32_t last) {
    const std::uint32_t moves = first / job.body_blocks + 1;
    if (moves % job.path_stride != 0) return;
    const std::uint32_t moment = moves / job.path_stride - 1;
    const std::uint32_t begin = moves * job.body_blocks - job.body_blocks;
    const float fast = job.arm_spin * job.arm_spin;
    // A rod that swings turns its bodies about one another, although neither may turn itself.
    const bool linked = job.links != nullptr;
    for (std::uint32_t i = (first - begin) * kBodyBlock; i < (last - begin) * kBodyBlock; ++i) {
        const float* w = job.motion[i].w;
        if (!linked && !((w[0] * w[0] + w[1] * w[1]) + w[2] * w[2] > fast)) continue;
        const TurnRow& turn = job.turn[i];
        PathRow& path = job.path[std::size_t{i} * job.path_moments + moment];
        std::copy_n(turn.dp, 3, path.dp);
        std::copy_n(turn.dq, 4, path.dq);
        path.run = job.path_run;
    }
}

}  // namespace lanefold::detail
