// SPDX-License-Identifier: MIT
//
// The front door: contact manifolds of a batch of candidate pairs on all cores of the caller's
// tbb::task_arena. Nothing is global; hulls, bodies and pairs are borrowed for the call; one Workspace per
// concurrent call. No call throws, prints, or (after warm-up of its workspace) allocates by our code.
//
// Every form gives the same bits for the same pair, whatever the threads, the order or the split.
//
// Refused with bad_argument before anything is written (status.what names the argument, status.where the
// place): spans of different lengths; null with a length; an output that overlaps an input; misaligned or
// impossibly large arrays; margins, face_preference and hysteresis that are negative or not finite; previous
// records that do not ascend; marks of unmoved bodies where no record could stand; an instruction set that is not
// available; a workspace that is in use or was moved from. Memory that runs out is the status out_of_memory; the
// workspace stays usable.
//
// Finite positions of any size are fine, up to the ends of float64: bodies whose distance from one another cannot be
// held in it are apart, by more than any margin. A pose that is not finite, or whose quaternion is not near unit
// length, is the status bad_pose of its pairs.
//
// Cancelled (Options::stop, or the host's own task group): a call computes whole chunks of at most 1024
// pairs and stops between them. status is then cancelled and status.where the first pair left. Dense forms
// give every pair left the status cancelled (overlap: bit 0); compact calls return what precedes it.
//
// Memory: a dense output of more than 16 MiB that begins on a 64-byte boundary (AlignedBuffer does) is written past the
// caches, which saves a quarter of the time of box scenes of that size. It never changes a result.
//
// Threads: at most Options::threads tasks, inside the arena the caller is in; one task runs on the calling
// thread alone. The work is isolated: a thread that waits in here takes up none of the host's other tasks.
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
//
// Apart from `required`, all sums (and the hash) speak of the pairs from first_pair up to next_pair, so that
// the sums of a resumed sequence of calls add up to those of one call. A truncated call still decides the
// remaining pairs in order to count them, at the cost of collide_overlap: a sequence of k calls would decide the last
// pairs k times. Options::count_required = false makes a truncated call stop at once instead.
//
// Memory beyond `out` is bounded: 64 bytes per body, 16 per chunk, and for each task four chunks' records
// (512 KiB; 1.5 MiB for Manifold16).
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
