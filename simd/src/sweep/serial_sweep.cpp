// SPDX-License-Identifier: MIT
//
// The sweeps of serial_sweep.hpp, and the memory of sweeps.
#include <lanefold/serial_sweep.hpp>

#include "sweep/sweep_call.hpp"

namespace lanefold {

SweepWorkspace::SweepWorkspace() : impl_(std::make_unique<Impl>()) {}
SweepWorkspace::SweepWorkspace(SweepWorkspace&&) noexcept = default;
SweepWorkspace& SweepWorkspace::operator=(SweepWorkspace&&) noexcept = default;
SweepWorkspace::~SweepWorkspace() = default;

SweepResult sweep_serial(const HullSet& hulls, const BodyView& begin, const BodyView& end, std::span<const Pair> pairs,
                         const SweepOptions& options, std::span<SweepRecord> out, SweepWorkspace& workspace,
                         const SweepInputs& inputs) {
    detail::SerialExecutor executor;
    return detail::run_sweep({&hulls, &begin, &end, pairs, &options, out, &workspace, &inputs, false, 0}, executor);
}

SweepResult sweep_compact_serial(const HullSet& hulls, const BodyView& begin, const BodyView& end,
                                 std::span<const Pair> pairs, const SweepOptions& options, std::span<SweepRecord> out,
                                 SweepWorkspace& workspace, const SweepInputs& inputs, std::uint64_t first_pair) {
    detail::SerialExecutor executor;
    return detail::run_sweep({&hulls, &begin, &end, pairs, &options, out, &workspace, &inputs, true, first_pair},
                             executor);
}

}  // namespace lanefold
