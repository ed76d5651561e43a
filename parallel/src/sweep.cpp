// SPDX-License-Identifier: MIT
//
// The sweeps of sweep.hpp: the serial calls' code on the executor of TBB.
#include <lanefold/sweep.hpp>

#include "sweep/sweep_call.hpp"
#include "tbb_executor.hpp"

namespace lanefold {

SweepResult sweep(const HullSet& hulls, const BodyView& begin, const BodyView& end, std::span<const Pair> pairs,
                  const SweepOptions& options, std::span<SweepRecord> out, SweepWorkspace& workspace,
                  const SweepInputs& inputs) {
    detail::TbbExecutor executor;
    return detail::run_sweep({&hulls, &begin, &end, pairs, &options, out, &workspace, &inputs, false, 0}, executor);
}

SweepResult sweep_compact(const HullSet& hulls, const BodyView& begin, const BodyView& end, std::span<const Pair> pairs,
                          const SweepOptions& options, std::span<SweepRecord> out, SweepWorkspace& workspace,
                          const SweepInputs& inputs, std::uint64_t first_pair) {
    detail::TbbExecutor executor;
    return detail::run_sweep({&hulls, &begin, &end, pairs, &options, out, &workspace, &inputs, true, first_pair},
                             executor);
}

}  // namespace lanefold
