// SPDX-License-Identifier: MIT
//
// The anchors of a stream's pairs (coherence/anchor.hpp), by the places that its certificates have
// (coherence/certificate_pool.hpp). A new pair has no anchor, whatever its place held.
#pragma once

#include <cstdint>

#include <lanefold/aligned_buffer.hpp>
#include <lanefold/export.hpp>
#include <lanefold/hull_set.hpp>

#include "coherence/anchor.hpp"

namespace lanefold::detail {

// Whether pairs of these hulls may be carried (coherence/widen.hpp): two boxes never are, and neither are rounded hulls
// and sets with compounds or surfaces yet.
LANEFOLD_EXPORT bool carries_pairs(const HullSet& hulls);

class LANEFOLD_EXPORT AnchorPool {
public:
    // Makes room for anchors in so many places, each of `blocks` blocks of points. `blocks` never changes.
    void reserve(std::size_t places, std::uint32_t blocks);

    // Forgets the anchor of a place, or all: their pairs are computed next.
    void forget(std::uint32_t place) { states_[place] = AnchorState{}; }
    void forget_all();

    // `of`: per pair its place.
    AnchorTable table(const std::uint32_t* of, float reuse);

    // The content of a place, one block of points, for saved states.
    const AnchorState& state(std::uint32_t place) const { return states_[place]; }
    const AnchorPose& pose(std::uint32_t place) const { return poses_[place]; }
    const AnchorPoints& points(std::uint32_t place) const { return points_[place]; }
    void set(std::uint32_t place, const AnchorState& state, const AnchorPose& pose, const AnchorPoints& points);

private:
    AlignedBuffer<AnchorState> states_;
    AlignedBuffer<AnchorPose> poses_;
    AlignedBuffer<AnchorPoints> points_;
    std::size_t places_ = 0;
    std::uint32_t blocks_ = 1;
};

}  // namespace lanefold::detail
