// SPDX-License-Identifier: MIT
//
// Candidate pairs of a frame (lanefold/broadphase.hpp) for the commands: with a limit of threads, and failures as
// exceptions.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include <lanefold/broadphase.hpp>

namespace lanefold::tools {

class Scene;
struct SceneFrame;

// A lanefold::PairFinder with its own arena.
class PairFinder {
public:
    // threads 0: as many as the machine has. Never changes the result.
    explicit PairFinder(std::uint32_t threads = 0);
    PairFinder(PairFinder&&) noexcept;
    PairFinder& operator=(PairFinder&&) noexcept;
    ~PairFinder();

    // Pairs (a, b), a < b, ascending, whose boxes grown by margin / 2 overlap. Pairs of two immovable bodies (inverse
    // mass 0; an empty span: every body moves) and pairs of one non-zero group (an empty span: no groups) are left out.
    // The result is valid until the next call. Throws Failure(bad_input) when the length of a span is not the number of
    // bodies, or the margin is not a finite number >= 0.
    std::span<const Pair> find(const HullSet& hulls, const BodyView& bodies, std::span<const float> inverse_mass,
                               std::span<const std::uint32_t> group, float margin);
    // The same for a frame of `scene`.
    std::span<const Pair> find(const HullSet& hulls, const Scene& scene, const SceneFrame& frame, float margin);

    // Counts of the latest find().
    std::uint64_t bodies_without_box() const;
    std::span<const WorldBox> boxes() const;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

// Finds the candidate pairs of a scene's frame, into frame.pairs.
void find_pairs(PairFinder& finder, const Scene& scene, const HullSet& hulls, float margin, SceneFrame& frame);

// The pairs of one frame. A loop over frames should keep a PairFinder instead.
std::vector<Pair> find_pairs(const HullSet& hulls, const BodyView& bodies, std::span<const float> inverse_mass,
                             std::span<const std::uint32_t> group, float margin);

}  // namespace lanefold::tools
