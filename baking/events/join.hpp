// SPDX-License-Identifier: MIT
//
// Joins the pieces of frame after frame to events. The result is a function of the pieces: it does not matter who
// computed them.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "events/body_motion.hpp"
#include "events/event.hpp"
#include "events/event_settings.hpp"
#include "events/piece.hpp"

namespace lanefold::tools {

class EventJoin {
public:
    // The pieces of a frame, ascending by pair. Frames ascend; where one is left out, all contacts are cut.
    void add(std::uint64_t frame, std::span<const EventPiece> pieces);
    // All events, ascending by begin, then by pair.
    std::vector<Event> finish();

private:
    struct Open {
        Event event;
        double peak = 0;
        double sum = 0;
        double slip = 0;
    };
    // The last event of a pair, for as long as it may be seen twice.
    struct Recent {
        double end = 0;  // pieces
        std::size_t index = 0;
        bool bounce = false;
    };
    bool is_new(const EventPiece& piece);
    void begin(const EventPiece& piece);
    void go_on(Open& open, const EventPiece& piece, bool begins);
    void end(Open& open, double time, std::uint8_t flags);

    std::uint64_t next_ = 0;  // the frame that follows the last one
    bool any_ = false;
    std::vector<Open> open_;  // ascending by pair
    std::vector<Open> still_;
    std::vector<Event> events_;
    std::map<Pair, Recent> recent_;
};

// The events that a filter keeps, in their order. `movable`: one a body.
void apply_filter(const EventFilter& filter, std::span<const std::uint8_t> movable, std::vector<Event>& events);

}  // namespace lanefold::tools
