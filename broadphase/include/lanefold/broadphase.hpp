// SPDX-License-Identifier: MIT
//
// Candidate pairs: bodies whose world boxes, grown by half the margin on every side, overlap. The list is what
// testing every pair of float64 boxes would give, sorted, whatever the threads and whatever frames came before.
//
// A PairFinder works frame after frame. It keeps a box tree of the bodies, each box grown by a slack, and the
// pairs of these fat boxes. While bodies stay inside their fat boxes only the list is filtered; bodies that leave
// are looked up again; when many leave, or when their number or the filters change, everything is.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include <lanefold/body.hpp>
#include <lanefold/hull_set.hpp>
#include <lanefold/pose.hpp>
#include <lanefold/status.hpp>

namespace lanefold {

// A box along the world axes, in the caller's unit. Empty (lower > upper) for a body that cannot be placed.
struct WorldBox {
    Vec3d lower;
    Vec3d upper;

    constexpr bool empty() const { return !(lower.x <= upper.x); }
    friend constexpr bool operator==(const WorldBox&, const WorldBox&) = default;
};

// True when the closed boxes share a point; never for an empty one.
constexpr bool overlap(const WorldBox& a, const WorldBox& b) {
    return a.lower.x <= b.upper.x && b.lower.x <= a.upper.x && a.lower.y <= b.upper.y && b.lower.y <= a.upper.y &&
           a.lower.z <= b.upper.z && b.lower.z <= a.upper.z;
}

// The box of a hull's stored vertices under a pose, grown by `growth` >= 0 on every side and rounded outward: it
// contains every placed vertex, and exceeds their true extent by less than 1e-14 of the coordinates' magnitude.
WorldBox world_box(std::span<const Vec3f> vertices, const PoseD& pose, double growth);

struct WorldBoxesResult {
    CallStatus status;
    // Bodies whose position is not finite, whose quaternion is not near unit length, or whose hull does not exist:
    // their box is empty.
    std::uint64_t without_box = 0;
};

// out[i] is the box of body i, grown by `growth` >= 0. Refused with bad_argument: `out` of another length, a growth
// that is negative or not finite. threads: as in PairFinderOptions.
WorldBoxesResult world_boxes(const HullSet& hulls, const BodyView& bodies, double growth, std::span<WorldBox> out,
                             std::uint32_t threads = 0);

// What find() looks for. Every span is empty or has one element per body.
struct PairFinderOptions {
    // Each box grows by half of it. Absolute length in the caller's unit, >= 0: that of the narrowphase, or more.
    float margin = 0.0F;
    // 0: immovable. Pairs of two immovable bodies are left out. Empty: every body moves.
    std::span<const float> inverse_mass;
    // Bodies of equal non-zero group are never candidates (limbs of one character).
    std::span<const std::uint32_t> group;
    // Bits: a and b are candidates only if category[a] & collides_with[b] and category[b] & collides_with[a] are both
    // not 0. Give both or none.
    std::span<const std::uint32_t> category;
    std::span<const std::uint32_t> collides_with;
    // Not 0: the body has the pose and the hull of the call before, so that its box stands. Ignored where the finder
    // has no box of it, and when the margin differs from that of the call before.
    std::span<const std::uint8_t> unmoved;
    // Most tasks inside the caller's tbb::task_arena; 0: all it has. Never changes the result.
    std::uint32_t threads = 0;
};

struct PairFinderResult {
    CallStatus status;
    // (a, b), a < b, ascending. Valid until the next call on this finder.
    std::span<const Pair> pairs;
    std::uint64_t without_box = 0;  // as in WorldBoxesResult; these bodies have no pairs
    std::uint64_t searched = 0;  // bodies that were looked up in the tree: all, a few that left their fat box, or none
    bool whole = false;          // the tree was built anew
};

// Finds candidate pairs frame after frame; its memory grows to the largest frame and is reused. One finder serves one
// caller at a time; any number of finders may work at once.
class PairFinder {
public:
    PairFinder();
    PairFinder(PairFinder&&) noexcept;
    PairFinder& operator=(PairFinder&&) noexcept;
    ~PairFinder();

    // Does not throw, print or change the bodies. Refused with bad_argument, status.what naming the argument: spans of
    // other lengths, a category without collides_with, a margin that is negative or not finite, more than 2^32 - 2
    // bodies, a finder that was moved from. out_of_memory: the finder starts afresh with the next call.
    PairFinderResult find(const HullSet& hulls, const BodyView& bodies, const PairFinderOptions& options = {});

    // Of the latest find(): one per body, grown by half the margin.
    std::span<const WorldBox> boxes() const;

    // How far bodies may move before they are looked up again, as a part of half the longest side of their
    // boxes, >= 0; 0.1 unless set. More saves searches of moving bodies and makes the list that each frame filters
    // longer; 0: every body that moves at all is looked up. Never changes the result.
    void set_slack(float slack);

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace lanefold
