// SPDX-License-Identifier: MIT
//
// Sweeps of a batch of pairs on all cores of the caller's tbb::task_arena: when do bodies that move from a first pose
// to a second meet? docs/between_frames.md has the definition and an example.
//
// Each record is conservative: `fraction` is never later than the first moment at which the signed distance is the
// target, and no such moment is missed; at `fraction` the distance is within the tolerance of the target. A pair whose
// distance comes within the tolerance without reaching the target may be a hit. A record depends on the two hulls,
// their motions and the options, and on nothing else: the same bits on every instruction set, with any number of
// threads, in any order and with any split.
//
// Refused with bad_argument (status.what and status.where name the argument and the place): a target that is negative
// or not finite, a tolerance that is not above 0, spans of different lengths, null with a length, an output that
// overlaps an input, misaligned arrays, an instruction set that is not available, a workspace that is in use or was
// moved from. A pose or a spin that is not finite is a status of its pairs; all others are what they are without it.
#pragma once

#include <cstdint>
#include <span>

#include <lanefold/serial_sweep.hpp>

namespace lanefold {

// See sweep_serial().
LANEFOLD_EXPORT SweepResult sweep(const HullSet& hulls, const BodyView& begin, const BodyView& end,
                                  std::span<const Pair> pairs, const SweepOptions& options, std::span<SweepRecord> out,
                                  SweepWorkspace& workspace, const SweepInputs& inputs = {});

// See sweep_compact_serial().
LANEFOLD_EXPORT SweepResult sweep_compact(const HullSet& hulls, const BodyView& begin, const BodyView& end,
                                          std::span<const Pair> pairs, const SweepOptions& options,
                                          std::span<SweepRecord> out, SweepWorkspace& workspace,
                                          const SweepInputs& inputs = {}, std::uint64_t first_pair = 0);

}  // namespace lanefold
