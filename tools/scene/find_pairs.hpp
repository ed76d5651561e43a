// SPDX-License-Identifier: MIT
//
// Candidate pairs of a frame: bodies whose world boxes, grown by half the margin on every side, overlap.
// The tree and its traversal are Embree's (rtcCollide, on TBB); Embree works in float32, so it gets boxes
// rounded outward and every pair it reports is decided again on the float64 boxes. The result is exactly
// what testing every pair of float64 boxes would give, sorted, whatever the threads.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include <lanefold/body.hpp>
#include <lanefold/hull_set.hpp>
#include <lanefold/pose.hpp>

namespace lanefold::tools {

// A box along the world axes, in the caller's unit. Empty (lower > upper) for a body that cannot be placed.
struct WorldBox {
    Vec3d lower;
    Vec3d upper;

    bool empty() const { return !(lower.x <= upper.x); }
};

// True when the closed boxes share a point; never for an empty one.
constexpr bool overlap(const WorldBox& a, const WorldBox& b) {
    return a.lower.x <= b.upper.x && b.lower.x <= a.upper.x && a.lower.y <= b.upper.y && b.lower.y <= a.upper.y &&
           a.lower.z <= b.upper.z && b.lower.z <= a.upper.z;
}

// The box of a hull's stored vertices under a pose, grown by `growth` >= 0 on every side and rounded
// outward: it contains every placed vertex, and exceeds their true extent by less than 1e-14 of the
// coordinates' magnitude.
WorldBox world_box(std::span<const Vec3f> vertices, const PoseD& pose, double growth);

// Finds candidate pairs frame after frame; its memory grows to the largest frame and is reused. One finder
// serves one caller at a time; any number of finders may work at once.
class PairFinder {
public:
    // threads 0: as many as the machine has. Never changes the result.
    explicit PairFinder(std::uint32_t threads = 0);
    PairFinder(PairFinder&&) noexcept;
    PairFinder& operator=(PairFinder&&) noexcept;
    ~PairFinder();

    // Pairs (a, b), a < b, ascending, whose boxes grown by margin / 2 overlap. Left out are pairs of two
    // immovable bodies (inverse mass 0; an empty span: every body moves) and of equal non-zero group (an
    // empty span: no groups). A body whose pose is not finite, whose quaternion is not near unit length or
    // whose hull id is out of range has no box and so no pairs: see bodies_without_box(). Valid until the
    // next call. Throws Failure(bad_input) when a span has another length than the bodies or the margin is
    // not a finite number >= 0.
    std::span<const Pair> find(const HullSet& hulls, const BodyView& bodies, std::span<const float> inverse_mass,
                               std::span<const std::uint32_t> group, float margin);

    // Of the latest find().
    std::uint64_t bodies_without_box() const;
    std::span<const WorldBox> boxes() const;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

// One frame. A loop over frames keeps a PairFinder instead.
std::vector<Pair> find_pairs(const HullSet& hulls, const BodyView& bodies, std::span<const float> inverse_mass,
                             std::span<const std::uint32_t> group, float margin);

}  // namespace lanefold::tools
