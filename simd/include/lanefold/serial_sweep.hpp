// SPDX-License-Identifier: MIT
//
// The calls of sweep.hpp on the calling thread, without TBB: the same arguments, the same bits. And the memory of both.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include <lanefold/body.hpp>
#include <lanefold/export.hpp>
#include <lanefold/hull_set.hpp>
#include <lanefold/sweep_record.hpp>

namespace lanefold {

// Memory that a caller keeps between sweeps. With it calls allocate nothing after warm-up. One call at a time may use
// it; a second one is refused.
class LANEFOLD_EXPORT SweepWorkspace {
public:
    SweepWorkspace();
    SweepWorkspace(SweepWorkspace&&) noexcept;
    SweepWorkspace& operator=(SweepWorkspace&&) noexcept;
    ~SweepWorkspace();

    struct Impl;  // simd/src/sweep/sweep_call.hpp
    Impl& impl() { return *impl_; }

    // False after a move from it.
    bool valid() const { return impl_ != nullptr; }

private:
    std::unique_ptr<Impl> impl_;
};

// Dense: out[i] belongs to pairs[i]. `end` has the second poses of the bodies of `begin`; its hulls and scales are not
// read.
LANEFOLD_EXPORT SweepResult sweep_serial(const HullSet& hulls, const BodyView& begin, const BodyView& end,
                                         std::span<const Pair> pairs, const SweepOptions& options,
                                         std::span<SweepRecord> out, SweepWorkspace& workspace,
                                         const SweepInputs& inputs = {});

// Compact: all records but those of misses, in the order of the pairs, from first_pair on. If `out` is too small the
// status is truncated, `written` records are there, `required` is the number of all, and next_pair is where to go on.
LANEFOLD_EXPORT SweepResult sweep_compact_serial(const HullSet& hulls, const BodyView& begin, const BodyView& end,
                                                 std::span<const Pair> pairs, const SweepOptions& options,
                                                 std::span<SweepRecord> out, SweepWorkspace& workspace,
                                                 const SweepInputs& inputs = {}, std::uint64_t first_pair = 0);

}  // namespace lanefold
