// SPDX-License-Identifier: MIT
//
// The narrowphase on the calling thread, without TBB: one pair, or a batch.
#pragma once

#include <span>

#include <lanefold/body.hpp>
#include <lanefold/call_inputs.hpp>
#include <lanefold/export.hpp>
#include <lanefold/hull_set.hpp>
#include <lanefold/manifold.hpp>
#include <lanefold/options.hpp>
#include <lanefold/workspace.hpp>

namespace lanefold {

// Dense output: out[i] belongs to pairs[i]. The record of a pair that does not touch and has status ok is all zeros.
// Refused with bad_argument: spans of different lengths, null data with a length, `out` overlapping an input. The
// results have the same bits as those of every other form of call.
LANEFOLD_EXPORT BatchResult collide_serial(const HullSet& hulls, const BodyView& bodies, std::span<const Pair> pairs,
                                           const Options& options, std::span<Manifold4> out, Workspace& workspace,
                                           const CallInputs& inputs = {});
LANEFOLD_EXPORT BatchResult collide_serial(const HullSet& hulls, const BodyView& bodies, std::span<const Pair> pairs,
                                           const Options& options, std::span<Manifold16> out, Workspace& workspace,
                                           const CallInputs& inputs = {});

// Collides one pair of bodies; out.pair is (0, 1). Errors as above.
LANEFOLD_EXPORT BatchResult collide_pair(const HullSet& hulls, const Body& a, const Body& b, const Options& options,
                                         Manifold4& out, Workspace& workspace, const CallInputs& inputs = {});
LANEFOLD_EXPORT BatchResult collide_pair(const HullSet& hulls, const BodyD& a, const BodyD& b, const Options& options,
                                         Manifold4& out, Workspace& workspace, const CallInputs& inputs = {});
LANEFOLD_EXPORT BatchResult collide_pair(const HullSet& hulls, const Body& a, const Body& b, const Options& options,
                                         Manifold16& out, Workspace& workspace, const CallInputs& inputs = {});
LANEFOLD_EXPORT BatchResult collide_pair(const HullSet& hulls, const BodyD& a, const BodyD& b, const Options& options,
                                         Manifold16& out, Workspace& workspace, const CallInputs& inputs = {});

}  // namespace lanefold
