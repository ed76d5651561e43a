// SPDX-License-Identifier: MIT
//
// Contact manifolds of a batch of candidate pairs, on all cores of the caller's tbb::task_arena. There is no global
// state. Hulls, bodies and pairs are borrowed for the call. Use one Workspace per concurrent call. No call throws or
// prints, and after warm-up of its workspace none allocates through our code.
//
// Every form gives the same bits for the same pair, with any number of threads, in any order and with any split.
//
// Refused with bad_argument before anything is written (status.what names the argument, status.where the place): spans
// of different lengths; null with a length; an output that overlaps an input; misaligned or impossibly large arrays;
// margins, face_preference and hysteresis that are negative or not finite; previous records that do not ascend; marks
// of unmoved bodies in a call that has no records to keep; an instruction set that is not available; a workspace that
// is in use or was moved from. If memory runs out the status is out_of_memory, and the workspace stays usable.
//
// Positions may have any finite size. Bodies whose distance float64 cannot hold are apart by more than any margin. A
// pose that is not finite, or whose quaternion is not near unit length, gives its pairs the status bad_pose.
//
// Cancellation (CallInputs::stop, or the host's task group): a call computes whole chunks of at most 1024 pairs and
// stops between them. Its status is then cancelled, and status.where is the first pair left. Dense forms give every
// pair left the status cancelled (overlap: bit 0); compact calls return the records before it.
//
// Memory: a dense output of more than 16 MiB that begins on a 64-byte boundary (as AlignedBuffer does) is written past
// the caches, which saves a quarter of the time of box scenes of that size. It never changes a result.
//
// Threads: at most Options::threads tasks, inside the caller's arena; a single task runs on the calling thread. The
// work is isolated: a thread that waits in a call never runs one of the host's other tasks.
#pragma once

#include <cstdint>
#include <span>

#include <lanefold/body.hpp>
#include <lanefold/call_inputs.hpp>
#include <lanefold/export.hpp>
#include <lanefold/hull_set.hpp>
#include <lanefold/manifold.hpp>
#include <lanefold/options.hpp>
#include <lanefold/workspace.hpp>
#include <lanefold/worlds.hpp>

namespace lanefold {

// Dense output: out[i] belongs to pairs[i]. The record of a pair with distance > margin and status ok is all zeros.
// `Record`: Manifold4, Manifold16 or PairDistance, as in collide<Manifold4>(..., out, ...).
template <PairRecord Record>
LANEFOLD_EXPORT BatchResult collide(const HullSet& hulls, const BodyView& bodies, std::span<const Pair> pairs,
                                    const Options& options, std::span<Record> out, Workspace& workspace,
                                    const CallInputs& inputs = {});

// Compact output: every pair with distance <= margin or status != ok, in input order, starting at first_pair. If `out`
// is too small the result has status truncated, as many whole records as fit, the exact number required, and next_pair
// to continue from. An empty `out` only counts.
//
// candidates[k] is the index in `pairs` of record k, for whatever a caller keeps per candidate pair. It has as many
// elements as `out`, or none and is not written; the bytes of the records do not change. Distances do not name their
// pair, so they need it. With it a call refuses more than 4,294,967,280 pairs.
//
// Except for `required`, all sums and the hash are those of the pairs from first_pair up to next_pair, so the sums of a
// resumed sequence of calls add up to those of one call. A truncated call still decides the remaining pairs in order to
// count them, at the cost of collide_overlap(), so a sequence of k calls would decide the last pairs k times. With
// Options::count_required = false a truncated call stops at once instead.
//
// Memory beyond `out` is bounded: 64 bytes per body, 16 per chunk, and for each task four chunks' records
// (512 KiB; 1.5 MiB for Manifold16).
template <PairRecord Record>
LANEFOLD_EXPORT CompactResult collide_compact(const HullSet& hulls, const BodyView& bodies, std::span<const Pair> pairs,
                                              const Options& options, std::span<Record> out, Workspace& workspace,
                                              const CallInputs& inputs = {}, std::uint64_t first_pair = 0,
                                              std::span<std::uint32_t> candidates = {});

// Many worlds in one call: compact output, each world into room of its own, so that one that is full costs no other a
// record. results[w] and the records of world w are byte for byte those of a call of its own, whatever the others hold,
// with any mask and any number of worlds. Worlds may have any sizes. Pairs come in the order of their worlds, as
// PairFinder lists them; a pair belongs to the world in whose range it stands. `candidates` as in compact calls, with
// elements where `out` has them. Refused besides: offsets that do not ascend or end behind what they divide, results of
// another number, inputs.unmoved; with worlds.bodies a pair with a body of another world (status.where says which).
template <PairRecord Record>
LANEFOLD_EXPORT WorldsResult collide_worlds(const HullSet& hulls, const BodyView& bodies, std::span<const Pair> pairs,
                                            const WorldRanges& worlds, const Options& options, std::span<Record> out,
                                            std::span<WorldResult> results, Workspace& workspace,
                                            const CallInputs& inputs = {}, std::span<std::uint32_t> candidates = {});

// Bit i of out (word i / 64, bit i % 64) is set if pairs[i] has distance <= margin. `out` has (pairs.size() + 63) / 64
// words. Pairs with a status other than ok have bit 0 and are counted in by_status.
LANEFOLD_EXPORT BatchResult collide_overlap(const HullSet& hulls, const BodyView& bodies, std::span<const Pair> pairs,
                                            const Options& options, std::span<std::uint64_t> out, Workspace& workspace,
                                            const CallInputs& inputs = {});

// The same into a vector or an array, which says what the record is.
template <class Out>
requires PairRecord<RecordOf<Out>> BatchResult collide(const HullSet& hulls, const BodyView& bodies,
                                                       std::span<const Pair> pairs, const Options& options, Out&& out,
                                                       Workspace& workspace, const CallInputs& inputs = {}) {
    return collide<RecordOf<Out>>(hulls, bodies, pairs, options, std::span<RecordOf<Out>>(out), workspace, inputs);
}
// Compact output into a vector or an array, which says what the record is.
template <class Out>
requires PairRecord<RecordOf<Out>> CompactResult collide_compact(const HullSet& hulls, const BodyView& bodies,
                                                                 std::span<const Pair> pairs, const Options& options,
                                                                 Out&& out, Workspace& workspace,
                                                                 const CallInputs& inputs = {},
                                                                 std::uint64_t first_pair = 0,
                                                                 std::span<std::uint32_t> candidates = {}) {
    return collide_compact<RecordOf<Out>>(hulls, bodies, pairs, options, std::span<RecordOf<Out>>(out), workspace,
                                          inputs, first_pair, candidates);
}

}  // namespace lanefold
