// SPDX-License-Identifier: MIT
//
// Candidate pairs of a frame (lanefold/broadphase.hpp) for the commands: a limit of threads, and failures as
// exceptions.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include <lanefold/broadphase.hpp>

namespace lanefold::tools {

// A lanefold::PairFinder in an arena of its own.
class PairFinder {
public:
    // threads 0: as many as the machine has. Never changes the result.
    explicit PairFinder(std::uint32_t threads = 0);
    PairFinder(PairFinder&&) noexcept;
    PairFinder& operator=(PairFinder&&) noexcept;
    ~PairFinder();

    // Pairs (a, b), a < b, ascending, whose boxes grown by margin / 2 overlap. Left out are pairs of two immovable
    // bodies (inverse mass 0; an empty span: every body moves) and of equal non-zero group (an empty span: no groups).
    // Valid until the next call. Throws Failure(bad_input) when a span has another length than the bodies or the margin
    // is not a finite number >= 0.
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
