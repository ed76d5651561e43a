// SPDX-License-Identifier: MIT
//
// The state that a step of a ContactStream leaves to the next.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

#include <lanefold/aligned_buffer.hpp>
#include <lanefold/contact_stream.hpp>

#include "coherence/pair_carrier.hpp"

namespace lanefold {

// Records for which there is room from the start.
inline constexpr std::size_t kLeastRecords = 1024;

// Growth that keeps the first `used` elements.
template <class T>
void grow(AlignedBuffer<T>& buffer, std::size_t n, std::size_t used) {
    AlignedBuffer<T> larger;
    larger.reserve(n);
    std::copy_n(buffer.data(), used, larger.data());
    buffer = std::move(larger);
}

// The settings that shape the records of a step besides hulls, poses and pair_margins.
struct Shaping {
    float margin = 0;
    float face_preference = 0;
    float patch_band = 0;
    float hysteresis = 0;
    PointSelection points = PointSelection::all;
    ContactMethod method = ContactMethod::clip;
    float reuse = 0;

    static Shaping of(const Options& o, const StreamOptions& stream) {
        return {o.margin, o.face_preference, o.patch_band, o.hysteresis, o.points, o.method, stream.reuse};
    }
    // Whether anchors of one are good for the other: each knows the margin with which it was made.
    bool same_but_margin(Shaping o) const {
        o.margin = margin;
        return *this == o;
    }
    friend bool operator==(const Shaping&, const Shaping&) = default;
};

// The state that a step leaves to the next.
template <class Manifold>
struct Side {
    AlignedBuffer<Pair> pairs;
    AlignedBuffer<PairCache> cache;
    AlignedBuffer<std::uint32_t> places;     // per pair: its certificate's; only if `placed`
    AlignedBuffer<std::uint32_t> record_of;  // per pair: its record, kNoPreviousRecord, or kNewPair: not computed
    AlignedBuffer<Manifold> records;
    AlignedBuffer<std::uint32_t> candidates;
    std::size_t pair_count = 0;
    detail::PairOrder order = detail::PairOrder::any;
    std::size_t written = 0;
    std::uint64_t points = 0;  // of the records
    bool placed = false;
    Shaping shaping;
    bool own_margins = false;  // pair_margins were given
    HullSet hulls;             // held, so that no other set gets its address

    // With reuse a record may be the only one of its pose, so there is room for all.
    // Pairs with compounds may have more records than there are pairs.
    void reserve(std::size_t n, std::size_t contacts, bool reuses, bool several) {
        pairs.reserve_grown(n);
        cache.reserve_grown(n);
        places.reserve_grown(n);
        record_of.reserve_grown(n);
        const std::size_t expected = std::max(contacts + contacts / 8, kLeastRecords);
        const std::size_t room = reuses ? n : several ? expected : std::min(n, expected);
        records.reserve_grown(room);
        candidates.reserve_grown(records.size());
    }
};

}  // namespace lanefold
