// SPDX-License-Identifier: MIT
//
// Measures flicker over frames that hardly differ: the share of touching pairs whose features change from one frame to
// the next, and the share of points with a new id.
#pragma once

#include <gtest/gtest.h>

#include <cstdio>
#include <functional>
#include <vector>

#include <lanefold/match_contacts.hpp>
#include <lanefold/narrowphase.hpp>
#include <lanefold/serial.hpp>

namespace lanefold::test {

struct Flicker {
    std::uint64_t pairs = 0;          // touching in this frame and in the one before
    std::uint64_t pairs_changed = 0;  // kind, feature_a or feature_b differ
    std::uint64_t points = 0;         // of those pairs
    std::uint64_t points_new = 0;     // with an id that the frame before did not have
    std::uint64_t tried = 0;
    std::uint64_t held = 0;
    std::uint64_t lanes = 0;   // of those tried, pairs that were decided in lanes
    std::uint64_t floors = 0;  // pairs of all frames that one face of a far larger box settled

    double pair_share() const {
        return pairs == 0 ? 0 : static_cast<double>(pairs_changed) / static_cast<double>(pairs);
    }
    double point_share() const {
        return points == 0 ? 0 : static_cast<double>(points_new) / static_cast<double>(points);
    }
};

template <class M>
bool same_features(const M& a, const M& b) {
    return a.kind == b.kind && a.feature_a == b.feature_a && a.feature_b == b.feature_b;
}

template <class M>
void add_frame(const std::vector<M>& previous, const std::vector<M>& current, Flicker& f) {
    std::vector<RecordMatch<M>> matches(current.size());
    const MatchResult r =
        match_contacts(std::span<const M>(previous), std::span<const M>(current), std::span<RecordMatch<M>>(matches));
    ASSERT_TRUE(r.status) << r.status.what;
    for (std::size_t i = 0; i < current.size(); ++i) {
        if (matches[i].record == kNoRecord || current[i].kind == ContactKind::none) continue;
        ++f.pairs;
        f.pairs_changed += same_features(previous[matches[i].record], current[i]) ? 0U : 1U;
        f.points += current[i].count;
        for (std::uint32_t k = 0; k < current[i].count; ++k)
            f.points_new += matches[i].previous[k] == kNewPoint ? 1U : 0U;
    }
}

// Bodies and candidate pairs (ascending) of a frame.
struct Frame {
    std::vector<Body> bodies;
    std::vector<Pair> pairs;
};
using Frames = std::function<void(int, Frame&)>;

// Runs `count` frames. With `hysteresis` > 0 the records of the frame before are `previous`. Calls `each` with every
// frame, its records and its `previous`.
template <class M>
using EachFrame = std::function<void(const Frame&, const std::vector<M>& previous, const std::vector<M>& current)>;

template <class M>
Flicker run_frames(const HullSet& hulls, const Frames& frames, int count, Options options, float hysteresis,
                   const EachFrame<M>& each = {}) {
    Flicker flicker;
    Workspace workspace;
    Frame frame;
    std::vector<M> previous;
    std::vector<M> current;
    options.hysteresis = hysteresis;
    for (int n = 0; n < count; ++n) {
        frames(n, frame);
        current.resize(frame.pairs.size());
        const CallInputs inputs{.previous = PreviousContacts::compact(std::span<const M>(previous))};
        const CompactResult r = collide_compact(hulls, std::span<const Body>(frame.bodies), frame.pairs, options,
                                                std::span<M>(current), workspace, inputs);
        EXPECT_TRUE(r.status) << r.status.what;
        current.resize(r.written);
        if (n > 0) add_frame(previous, current, flicker);
        flicker.tried += r.counters.hold_tried;
        flicker.held += r.counters.held;
        flicker.lanes += r.counters.hold_lanes;
        flicker.floors += r.counters.floor_pairs;
        if (each) each(frame, previous, current);
        previous.swap(current);
    }
    return flicker;
}

inline void print(const char* name, float hysteresis, const Flicker& f) {
    std::printf(
        "%-28s hysteresis %-6g %8llu pairs, features change in %7.3f%%; %8llu points, new ids %7.3f%%; "
        "tried %llu, held %llu\n",
        name, static_cast<double>(hysteresis), static_cast<unsigned long long>(f.pairs), 100 * f.pair_share(),
        static_cast<unsigned long long>(f.points), 100 * f.point_share(), static_cast<unsigned long long>(f.tried),
        static_cast<unsigned long long>(f.held));
}

}  // namespace lanefold::test
