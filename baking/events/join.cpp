// SPDX-License-Identifier: MIT
//
// See the header.
#include "events/join.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace lanefold::tools {
namespace {

// Frames. A bounce is found at most half a frame beside where it is, from either side.
constexpr double kSeenTwice = 1;
// The pair of an event that is dropped.
constexpr Pair kNoPair{0xFFFFFFFFU, 0xFFFFFFFFU};

}  // namespace

// Ends a contact and keeps its event.
void EventJoin::end(Open& open, double time, std::uint8_t flags) {
    Event& event = open.event;
    event.end = std::max(time, event.begin);
    event.flags = static_cast<std::uint8_t>(event.flags | flags);
    // No frame is between them, not even at one of them.
    if ((event.flags & (kEventTouchedBefore | kEventLasts)) == 0 && std::ceil(event.begin) > std::floor(event.end)) {
        event.flags |= kEventBetween;
    }
    event.impulse_peak = static_cast<float>(open.peak);
    event.impulse_sum = static_cast<float>(open.sum);
    event.slip = static_cast<float>(open.slip);
    recent_[event.pair] = {event.end, events_.size(), (event.flags & kEventBounce) != 0};
    events_.push_back(event);
}

// A bounce near a frame is found in the interval before the frame and in the one behind it, and one of them may show
// that the two touch. Then what is shown counts, else the first.
bool EventJoin::is_new(const EventPiece& piece) {
    const auto at = recent_.find(piece.pair);
    const double time = static_cast<double>(next_) + piece.begin;
    if (at == recent_.end() || time - at->second.end >= kSeenTwice) return true;
    if ((piece.flags & kPieceBounces) != 0) return false;
    if (at->second.bounce) events_[at->second.index].pair = kNoPair;
    return true;
}

// Adds an interval to a contact, and ends it there if it ends.
void EventJoin::go_on(Open& open, const EventPiece& piece, bool begins) {
    const bool stays = (piece.flags & kPieceStays) != 0;
    const double from = begins ? piece.begin : 0.0;
    const double to = stays ? 1.0 : piece.end;
    const auto last = static_cast<double>(piece.impulse_last);
    const double both = static_cast<double>(piece.impulse_first) + last;
    open.sum += begins ? both : last;
    open.peak = std::max(open.peak, both);
    open.slip += static_cast<double>(piece.slide) * std::max(to - from, 0.0);
    if (stays) {
        still_.push_back(open);
    } else {
        end(open, static_cast<double>(next_) + piece.end, 0);
    }
}

void EventJoin::begin(const EventPiece& piece) {
    Open open;
    Event& event = open.event;
    event.begin = static_cast<double>(next_) + piece.begin;
    event.place = {piece.place[0], piece.place[1], piece.place[2]};
    std::copy_n(piece.normal, 3, event.normal);
    event.closing = piece.closing;
    event.sliding = piece.sliding;
    event.impulse = piece.impulse_first + piece.impulse_last;
    event.pair = piece.pair;
    if ((piece.flags & kPieceTouchesFirst) != 0) event.flags = kEventTouchedBefore;
    if ((piece.flags & kPieceBounces) != 0) event.flags = kEventBounce;
    go_on(open, piece, true);
}

void EventJoin::add(std::uint64_t frame, std::span<const EventPiece> pieces) {
    if (any_ && frame != next_) {
        for (Open& open : open_) end(open, static_cast<double>(next_), kEventCut);
        open_.clear();
    }
    any_ = true;
    next_ = frame;
    std::erase_if(recent_, [&](const auto& x) { return x.second.end + kSeenTwice < static_cast<double>(frame); });
    still_.clear();
    std::size_t at = 0;
    for (const EventPiece& piece : pieces) {
        for (; at < open_.size() && open_[at].event.pair < piece.pair; ++at) {
            end(open_[at], static_cast<double>(frame), kEventCut);
        }
        if (at < open_.size() && open_[at].event.pair == piece.pair) {
            go_on(open_[at++], piece, false);
        } else if ((piece.flags & (kPieceTouches | kPieceBounces)) != 0 && is_new(piece)) {
            begin(piece);
        }
    }
    for (; at < open_.size(); ++at) end(open_[at], static_cast<double>(frame), kEventCut);
    open_.swap(still_);
    next_ = frame + 1;
}

std::vector<Event> EventJoin::finish() {
    for (Open& open : open_) end(open, static_cast<double>(next_), kEventLasts);
    open_.clear();
    std::erase_if(events_, [](const Event& event) { return event.pair == kNoPair; });
    std::sort(events_.begin(), events_.end(), [](const Event& a, const Event& b) {
        return std::tie(a.begin, a.pair.a, a.pair.b) < std::tie(b.begin, b.pair.a, b.pair.b);
    });
    return std::move(events_);
}

namespace {

// For each body and window the event that closes in fastest; the first of equal ones.
void keep_one_a_body(double window, std::span<const std::uint8_t> movable, std::vector<Event>& events) {
    std::map<std::pair<std::uint32_t, double>, std::size_t> fastest;
    const auto window_of = [&](const Event& event) { return std::floor(event.begin / window); };
    for (std::size_t i = 0; i < events.size(); ++i) {
        for (const std::uint32_t body : {events[i].pair.a, events[i].pair.b}) {
            if (movable[body] == 0) continue;
            const auto [at, first] = fastest.try_emplace({body, window_of(events[i])}, i);
            if (!first && events[i].closing > events[at->second].closing) at->second = i;
        }
    }
    std::vector<std::uint8_t> kept(events.size());
    for (const auto& [key, i] : fastest) kept[i] = 1;
    std::size_t count = 0;
    for (std::size_t i = 0; i < events.size(); ++i) {
        if (kept[i] != 0) events[count++] = events[i];
    }
    events.resize(count);
}

}  // namespace

void apply_filter(const EventFilter& filter, std::span<const std::uint8_t> movable, std::vector<Event>& events) {
    if (filter.first_only) {
        std::set<Pair> seen;
        std::erase_if(events, [&](const Event& event) { return !seen.insert(event.pair).second; });
    }
    if (filter.closing_above) {
        std::erase_if(events, [&](const Event& event) { return !(event.closing > *filter.closing_above); });
    }
    if (filter.window) keep_one_a_body(*filter.window, movable, events);
}

}  // namespace lanefold::tools
