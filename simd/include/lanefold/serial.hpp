// SPDX-License-Identifier: MIT
//
// The calls of narrowphase.hpp on the calling thread, without TBB: the same names with _serial behind, the same
// arguments, the same bits. And a call for one pair of bodies.
#pragma once

#include <concepts>
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

// Dense output: out[i] belongs to pairs[i]. The record of a pair that does not touch and has status ok is all zeros.
// `Record`: Manifold4, Manifold16 or PairDistance. Refused with bad_argument: spans of different lengths, null data
// with a length, `out` overlapping an input.
template <PairRecord Record>
LANEFOLD_EXPORT BatchResult collide_serial(const HullSet& hulls, const BodyView& bodies, std::span<const Pair> pairs,
                                           const Options& options, std::span<Record> out, Workspace& workspace,
                                           const CallInputs& inputs = {});

// Compact output: only the pairs that touch or have a status that is not ok. candidates[k] is the index in `pairs` of
// record k: as many elements as `out`, or none. A call whose `out` is too small goes on from next_pair.
template <PairRecord Record>
LANEFOLD_EXPORT CompactResult collide_compact_serial(const HullSet& hulls, const BodyView& bodies,
                                                     std::span<const Pair> pairs, const Options& options,
                                                     std::span<Record> out, Workspace& workspace,
                                                     const CallInputs& inputs = {}, std::uint64_t first_pair = 0,
                                                     std::span<std::uint32_t> candidates = {});

// Many worlds in one call, as collide_worlds() of narrowphase.hpp.
template <PairRecord Record>
LANEFOLD_EXPORT WorldsResult collide_worlds_serial(const HullSet& hulls, const BodyView& bodies,
                                                   std::span<const Pair> pairs, const WorldRanges& worlds,
                                                   const Options& options, std::span<Record> out,
                                                   std::span<WorldResult> results, Workspace& workspace,
                                                   const CallInputs& inputs = {},
                                                   std::span<std::uint32_t> candidates = {});

// Bit i of out (word i / 64, bit i % 64) is set if pairs[i] has distance <= margin.
LANEFOLD_EXPORT BatchResult collide_overlap_serial(const HullSet& hulls, const BodyView& bodies,
                                                   std::span<const Pair> pairs, const Options& options,
                                                   std::span<std::uint64_t> out, Workspace& workspace,
                                                   const CallInputs& inputs = {});

// Collides one pair of bodies, both of them Body or BodyD; out.pair is (0, 1).
template <PairRecord Record, class AnyBody>
requires std::same_as<AnyBody, Body> || std::same_as<AnyBody, BodyD> LANEFOLD_EXPORT BatchResult
collide_pair(const HullSet& hulls, const AnyBody& a, const AnyBody& b, const Options& options, Record& out,
             Workspace& workspace, const CallInputs& inputs = {});

// The same into a vector or an array, which says what the record is.
template <class Out>
requires PairRecord<RecordOf<Out>> BatchResult collide_serial(const HullSet& hulls, const BodyView& bodies,
                                                              std::span<const Pair> pairs, const Options& options,
                                                              Out&& out, Workspace& workspace,
                                                              const CallInputs& inputs = {}) {
    return collide_serial<RecordOf<Out>>(hulls, bodies, pairs, options, std::span<RecordOf<Out>>(out), workspace,
                                         inputs);
}
// Compact output into a vector or an array, which says what the record is.
template <class Out>
requires PairRecord<RecordOf<Out>> CompactResult
collide_compact_serial(const HullSet& hulls, const BodyView& bodies, std::span<const Pair> pairs,
                       const Options& options, Out&& out, Workspace& workspace, const CallInputs& inputs = {},
                       std::uint64_t first_pair = 0, std::span<std::uint32_t> candidates = {}) {
    return collide_compact_serial<RecordOf<Out>>(hulls, bodies, pairs, options, std::span<RecordOf<Out>>(out),
                                                 workspace, inputs, first_pair, candidates);
}

}  // namespace lanefold
