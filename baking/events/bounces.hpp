// SPDX-License-Identifier: MIT
//
// Bounces that the poses hide. A body that hits another between two frames and is on its way back at the second moves,
// as the frames have it, past the contact. Its motion before the first frame, gone on with, meets the other; so does
// its motion after the second frame, gone back; and the first meeting is not later than the second. docs/events.md has
// the rule. A bounce is an estimate: it explains a body's change of motion that no contact of the interval explains.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <lanefold/sweep.hpp>

#include "events/event_settings.hpp"
#include "events/interval_input.hpp"
#include "events/swept_pairs.hpp"

namespace lanefold::tools {

// A bounce of two bodies, in their motions before it.
struct Bounce {
    SweepRecord record;   // of the motion before, gone on with from the first frame
    double first = 0;     // fraction of the interval at which that meets
    double fraction = 0;  // between both meetings
};

class BounceFinder {
public:
    BounceFinder(const HullSet& hulls, const BodyMasses& masses, std::span<const float> inverse_mass,
                 std::span<const std::uint32_t> group, const EventSettings& settings, Isa isa, std::uint32_t threads);

    // Ascending by pair; valid until the next call. `touching`: one a body, not 0 if a contact of the interval is known
    // that touches it: its change of motion needs no bounce. Throws Failure.
    std::span<const Bounce> find(const IntervalInput& input, std::span<const std::uint8_t> touching,
                                 const StopToken& stop);

private:
    // Bodies that go on with a motion: positions at its begin and its end, turns by their spins.
    struct Way {
        std::vector<double> first;
        std::vector<double> last;
        std::vector<float> orientation;
        std::vector<Vec3d> spin;
        std::vector<std::uint32_t> hull;
        BodyView begin() const {
            return BodyView::from_arrays(first.data(), orientation.data(), hull.data(), hull.size());
        }
        BodyView end() const {
            return BodyView::from_arrays(last.data(), orientation.data(), hull.data(), hull.size());
        }
    };
    void choose_bodies(const IntervalInput& input, std::span<const std::uint8_t> touching);
    void go_on(const BodyView& from, std::span<const BodyMotion> motions, double factor, Way& way) const;
    void meet(const IntervalInput& input, const StopToken& stop);
    bool parts(const IntervalInput& input, const SweepRecord& record) const;
    void keep_nearest();

    const HullSet& hulls_;
    const BodyMasses& masses_;
    EventSettings settings_;
    Isa isa_;
    std::uint32_t threads_;
    SweptPairs pairs_;
    SweepWorkspace workspace_;
    std::vector<BodyMotion> going_on_;  // as far as motions go on
    std::vector<std::uint8_t> chosen_;  // one a body: its motion changes, and nothing says why
    Way on_, back_;
    std::vector<SweepRecord> forth_records_;
    std::vector<SweepRecord> back_records_;
    std::vector<Pair> met_;
    std::vector<double> gap_;  // of each bounce: from the first meeting to the second, fractions; below 0 it is late
    std::vector<Bounce> bounces_;
};

}  // namespace lanefold::tools
