// SPDX-License-Identifier: MIT
//
// The ranges of a call of many worlds: what is refused of them, and the indices of a world alone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include <lanefold/worlds.hpp>

#include "batch/batch.hpp"

namespace lanefold::detail {

// Checks the ranges against the arguments of the call, but not the pairs themselves.
CallStatus check_worlds(const BatchArguments& arguments, const WorldRanges& worlds, std::size_t results);

inline bool takes_part(const WorldRanges& worlds, std::size_t w) {
    return worlds.active.empty() || worlds.active[w] != 0;
}

inline PairRange pairs_of(const WorldRanges& worlds, std::size_t w) { return {worlds.pairs[w], worlds.pairs[w + 1]}; }

// The bodies of a world alone, and those that all share.
class WorldBodies {
public:
    // Without ranges all bodies are the world's own.
    WorldBodies() : first_(0), last_(~std::uint64_t{0}), before_(0), behind_(last_) {}
    WorldBodies(std::span<const std::uint64_t> bodies, std::size_t w)
        : first_(bodies[w]), last_(bodies[w + 1]), before_(bodies.front()), behind_(bodies.back()) {}

    // A body of the world, one that all share, or none of this call.
    bool has(std::uint32_t i) const { return is_own(i) || i < before_ || i >= behind_; }
    // Its index in the world alone. The body is one that it has.
    std::uint32_t index(std::uint32_t i) const {
        if (is_own(i)) return static_cast<std::uint32_t>(i - first_);
        const std::uint64_t shared = i < before_ ? i : i - behind_ + before_;
        return static_cast<std::uint32_t>(last_ - first_ + shared);
    }

    // The body of the call with this index in the world alone.
    std::uint32_t whole(std::uint32_t i) const {
        if (i < last_ - first_) return static_cast<std::uint32_t>(first_ + i);
        const std::uint64_t shared = i - (last_ - first_);
        return static_cast<std::uint32_t>(shared < before_ ? shared : shared - before_ + behind_);
    }

private:
    bool is_own(std::uint32_t i) const { return i >= first_ && i < last_; }

    std::uint64_t first_, last_;
    std::uint64_t before_, behind_;  // of all worlds
};

}  // namespace lanefold::detail
