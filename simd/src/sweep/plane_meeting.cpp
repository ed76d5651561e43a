// SPDX-License-Identifier: MIT
//
// See the header.
#include "sweep/plane_meeting.hpp"

namespace lanefold::detail {
namespace {

// A moment costs little here, so a hit is this much nearer to the target than the tolerance asks for.
constexpr double kNear = 1.0 / 64;

}  // namespace

PlaneMeeting meet_plane(const PairMotion& pair, ClearanceScratch& scratch) {
    PlaneMeeting out;
    if (!(pair.slack <= kSlackInTolerance * pair.tolerance)) {
        out.failure = SweepFailure::accuracy;
        return out;
    }
    const Arms arms = arms_of(pair);
    double fraction = 0;
    while (out.rounds < kMostSweepRounds) {
        ++out.rounds;
        out.moment = moment_at(pair, fraction);
        const Clearance c = clear_of_plane(pair, arms, out.moment, 1, scratch);
        const double above = c.separation + pair.slack;
        out.distance = (above + pair.target) - pair.radii;
        const bool overlaps = fraction == 0 && above <= 0;
        if (overlaps || (!c.to_end && (above <= kNear * pair.tolerance || !(c.fraction > fraction)))) {
            out.state = overlaps ? SweepState::overlapping : SweepState::hit;
            return out;
        }
        if (c.to_end) {
            out.state = SweepState::miss;
            return out;
        }
        fraction = c.fraction;
    }
    out.failure = SweepFailure::rounds;
    return out;
}

}  // namespace lanefold::detail
