// SPDX-License-Identifier: MIT
//
// The pieces of one interval between two frames. Candidate pairs come from boxes that are swept from the first frame to
// the second; sweeps from the second frame back to the first say which of them come within the release distance and
// until when, sweeps from the first to the second when they touch. Then bounces explain what is left (bounces.hpp).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <lanefold/sweep.hpp>

#include "events/bounces.hpp"
#include "events/event_settings.hpp"
#include "events/interval_input.hpp"
#include "events/piece.hpp"
#include "events/swept_pairs.hpp"

namespace lanefold::tools {

// The amount of work, and of sweeps without an answer.
struct IntervalCounts {
    std::uint64_t candidates = 0;
    std::uint64_t near = 0;                     // pieces
    std::uint64_t failed = 0;                   // sweeps
    SweepFailure failure = SweepFailure::none;  // of the first of them
    Pair failed_pair{};

    void add(const IntervalCounts& other);
};

class IntervalSweeper {
public:
    // Borrows all of them. threads: of the caller's arena.
    IntervalSweeper(const HullSet& hulls, const BodyMasses& masses, std::span<const float> inverse_mass,
                    std::span<const std::uint32_t> group, const EventSettings& settings, Isa isa,
                    std::uint32_t threads);

    // Ascending by pair; valid until the next call. Throws Failure.
    std::span<const EventPiece> sweep(const IntervalInput& input, const StopToken& stop);
    const IntervalCounts& counts() const { return counts_; }

private:
    void sweep_back(const IntervalInput& input, const StopToken& stop);
    void keep_surfaces(const IntervalInput& input);
    void sweep_forth(const IntervalInput& input, const StopToken& stop);
    void settle(const BodyView& first, const BodyView& second, SweepOptions options, std::span<SweepRecord> records,
                const StopToken& stop);
    void count_failure(const SweepRecord& record);
    void add_piece(const IntervalInput& input, const SweepRecord& back, const SweepRecord& forth);
    void add_bounces(const IntervalInput& input, const StopToken& stop);
    EventPiece* known(const Pair& pair, std::size_t among);
    void order(std::size_t among);
    void measure(const IntervalInput& input, std::span<const BodyMotion> along, double moment, const SweepRecord& shown,
                 EventPiece& piece) const;
    void estimate_impulses(const IntervalInput& input, const Vec3d& normal, EventPiece& piece) const;

    const HullSet& hulls_;
    const BodyMasses& masses_;
    EventSettings settings_;
    Isa isa_;
    std::uint32_t threads_;
    SweptPairs pairs_;
    BounceFinder bounces_;
    SweepWorkspace workspace_;
    std::span<const Pair> candidates_;
    std::vector<SweepRecord> back_;
    std::vector<Pair> near_;
    std::vector<SweepRecord> forth_;
    std::vector<std::size_t> unsettled_;  // records without an answer
    std::vector<Pair> again_;
    std::vector<SweepRecord> settled_;
    std::vector<std::uint8_t> touching_;  // one a body: a piece of it touches
    std::vector<EventPiece> pieces_;
    IntervalCounts counts_;
};

}  // namespace lanefold::tools
