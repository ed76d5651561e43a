// SPDX-License-Identifier: MIT
//
// See the header.
#include "events/swept_pairs.hpp"

#include <algorithm>
#include <new>

#include <lanefold/detail/lever.hpp>
#include <lanefold/detail/read_body.hpp>

#include "console/failure.hpp"

namespace lanefold::tools {
namespace {

// Boxes grow by this part of a body's motion and lever, which covers the rounding of both to float32.
constexpr double kRounding = 1e-6;
// Longest chord that a turn makes of a point, in levers.
constexpr double kLongestChord = 2;
// A half-space that turns comes everywhere.
constexpr float kEverywhere = 1e30F;
// Categories of PairFinderOptions.
constexpr std::uint32_t kChosen = 1;
constexpr std::uint32_t kAny = 2;

}  // namespace

void refuse_events(const CallStatus& status, const char* call) {
    if (status) return;
    if (status.code == Status::out_of_memory) throw std::bad_alloc();
    if (status.code == Status::cancelled) throw Failure(ExitCode::interrupted, "interrupted");
    throw bad_input("{}: {} (given: {})", call, status.what, status.where);
}

// A box that is grown by the longest chord that the turn makes of any point, then swept by the shift, holds the body
// all the way.
std::span<const Pair> SweptPairs::find(const BodyView& begin, std::span<const BodyMotion> motions, float margin,
                                       std::span<const std::uint8_t> of) {
    growth_.resize(motions.size());
    motion_.resize(motions.size());
    is_ground_.assign(motions.size(), 0);
    for (std::size_t i = 0; i < motions.size(); ++i) {
        const std::uint32_t hull = detail::read_body(begin, i).hull;
        const double lever = detail::lever_of(hulls_, hull);
        const double chord = std::min(length(motions[i].spin), kLongestChord) * lever;
        motion_[i] = to_float(motions[i].shift);
        growth_[i] = static_cast<float>(chord * (1 + kRounding) + (lever + length(motions[i].shift)) * kRounding);
        const bool plane = detail::is_half_space(hulls_[hull]);
        if (plane && length(motions[i].spin) > 0) growth_[i] = kEverywhere;
        is_ground_[i] = plane || hulls_.surface(hull) != nullptr ? 1 : 0;
    }
    PairFinderOptions options;
    options.margin = margin;
    options.growth = growth_;
    options.motion = motion_;
    options.inverse_mass = inverse_mass_;
    options.group = group_;
    options.isa = isa_;
    options.threads = threads_;
    if (!of.empty()) {
        category_.clear();
        collides_with_.clear();
        for (const std::uint8_t chosen : of) {
            category_.push_back(chosen != 0 ? kChosen | kAny : kAny);
            collides_with_.push_back(chosen != 0 ? kAny : kChosen);
        }
        options.category = category_;
        options.collides_with = collides_with_;
    }
    const PairFinderResult found = finder_.find(hulls_, begin, options);
    refuse_events(found.status, "candidate pairs between frames");
    if (std::count(is_ground_.begin(), is_ground_.end(), 1) < 2) return found.pairs;
    pairs_.clear();
    for (const Pair& pair : found.pairs) {
        if (is_ground_[pair.a] == 0 || is_ground_[pair.b] == 0) pairs_.push_back(pair);
    }
    return pairs_;
}

}  // namespace lanefold::tools
