// SPDX-License-Identifier: MIT
//
// The front door: contact manifolds of a batch of candidate pairs on all cores of the caller's
// tbb::task_arena. Nothing is global; hulls, bodies and pairs are borrowed for the call; one Workspace per
// concurrent call. No call throws, prints, or (after warm-up of its workspace) allocates by our code.
//
// Every form gives the same bits for the same pair, whatever the threads, the order or the split.
#pragma once

#include <cstdint>
#include <span>

#include <lanefold/body.hpp>
#include <lanefold/hull_set.hpp>
#include <lanefold/manifold.hpp>
#include <lanefold/options.hpp>
#include <lanefold/workspace.hpp>

namespace lanefold {

// Dense: out[i] belongs to pairs[i]; a pair with distance > margin and status ok is all zeros.
BatchResult collide(const HullSet& hulls, const BodyView& bodies, std::span<const Pair> pairs, const Options& options,
                    std::span<Manifold4> out, Workspace& workspace);
BatchResult collide(const HullSet& hulls, const BodyView& bodies, std::span<const Pair> pairs, const Options& options,
                    std::span<Manifold16> out, Workspace& workspace);

// Compact: every pair with distance <= margin or status != ok, in input order, starting at first_pair. When
// `out` is too small the result has status truncated, as many whole records as fit, the exact number
// required, and next_pair to go on from. An empty `out` only counts.
CompactResult collide_compact(const HullSet& hulls, const BodyView& bodies, std::span<const Pair> pairs,
                              const Options& options, std::span<Manifold4> out, Workspace& workspace,
                              std::uint64_t first_pair = 0);
CompactResult collide_compact(const HullSet& hulls, const BodyView& bodies, std::span<const Pair> pairs,
                              const Options& options, std::span<Manifold16> out, Workspace& workspace,
                              std::uint64_t first_pair = 0);

// Level distance + normal: dense.
BatchResult collide_distance(const HullSet& hulls, const BodyView& bodies, std::span<const Pair> pairs,
                             const Options& options, std::span<PairDistance> out, Workspace& workspace);

// Level overlap: bit i of out (word i / 64, bit i % 64) is set when pairs[i] has distance <= margin. `out` has
// (pairs.size() + 63) / 64 words. Pairs with a status are 0 and counted in by_status.
BatchResult collide_overlap(const HullSet& hulls, const BodyView& bodies, std::span<const Pair> pairs,
                            const Options& options, std::span<std::uint64_t> out, Workspace& workspace);

}  // namespace lanefold
