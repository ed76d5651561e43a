// SPDX-License-Identifier: MIT
//
// Candidate pairs of an interval: bodies whose boxes, swept by their motions, come within a margin.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <lanefold/broadphase.hpp>

#include "events/body_motion.hpp"

namespace lanefold::tools {

class SweptPairs {
public:
    // Borrows all of them; empty spans as in PairFinderOptions.
    SweptPairs(const HullSet& hulls, std::span<const float> inverse_mass, std::span<const std::uint32_t> group, Isa isa,
               std::uint32_t threads)
        : hulls_(hulls), inverse_mass_(inverse_mass), group_(group), isa_(isa), threads_(threads) {}

    // Pairs (a, b), a < b, ascending, without those of surfaces and half-spaces, which never meet one another; valid
    // until the next call. `of`: one a body, or empty; pairs have a body whose number there is not 0. Throws Failure.
    std::span<const Pair> find(const BodyView& begin, std::span<const BodyMotion> motions, float margin,
                               std::span<const std::uint8_t> of = {});

private:
    const HullSet& hulls_;
    std::span<const float> inverse_mass_;
    std::span<const std::uint32_t> group_;
    Isa isa_;
    std::uint32_t threads_;
    PairFinder finder_;
    std::vector<float> growth_;
    std::vector<Vec3f> motion_;
    std::vector<std::uint32_t> category_;
    std::vector<std::uint32_t> collides_with_;
    std::vector<std::uint8_t> is_ground_;  // one a body: it has a surface or a half-space
    std::vector<Pair> pairs_;              // that can meet, where there is ground
};

// Throws what a call's status says: Failure, or std::bad_alloc.
void refuse_events(const CallStatus& status, const char* call);

}  // namespace lanefold::tools
