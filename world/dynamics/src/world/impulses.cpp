// SPDX-License-Identifier: MIT
//
// Impulses from step to step: what the solver begins with.
#include <algorithm>
#include <array>
#include <cassert>
#include <limits>
#include <utility>

#include <lanefold/match_contacts.hpp>

#include "world/impl.hpp"

namespace lanefold {
namespace {

// Normal impulses by feature ids. Where the same corner is made by other features than before, as those of aligned
// boxes are at every tremor, a new point takes over from the nearest old one that broke: what held the body up goes on.
void carry_points(const Manifold4& old, const ContactImpulse& from, const Manifold4& now,
                  const RecordMatch<Manifold4>& match, ContactImpulse& to) {
    std::uint32_t left = (1U << old.count) - 1U;  // old points that nobody has taken over
    for (std::uint32_t k = 0; k < now.count; ++k) {
        const std::uint8_t previous = match.previous[k];
        if (previous == kNewPoint) continue;
        to.normal[k] = from.normal[previous];
        left &= ~(1U << previous);
    }
    for (std::uint32_t k = 0; k < now.count && left != 0; ++k) {
        if (match.previous[k] != kNewPoint) continue;
        std::uint32_t nearest = 0;
        float least = std::numeric_limits<float>::infinity();
        for (std::uint32_t j = 0; j < old.count; ++j) {
            if ((left >> j & 1U) == 0) continue;
            const float* p = old.points[j].position;
            const float* q = now.points[k].position;
            const Vec3f d{p[0] - q[0], p[1] - q[1], p[2] - q[2]};
            if (dot(d, d) < least) {
                least = dot(d, d);
                nearest = j;
            }
        }
        to.normal[k] = from.normal[nearest];
        left &= ~(1U << nearest);
    }
}

// Records that are matched together.
constexpr std::size_t kMatched = 512;

bool before(const Manifold4& a, const Manifold4& b) { return Pair{a.pair[0], a.pair[1]} < Pair{b.pair[0], b.pair[1]}; }

// Those of the old records, which ascend like the new ones, that may be of the same pairs.
std::span<const Manifold4> same_range(std::span<const Manifold4> old, std::span<const Manifold4> now) {
    const auto from = std::lower_bound(old.begin(), old.end(), now.front(), before);
    return {from, std::upper_bound(from, old.end(), now.back(), before)};
}

}  // namespace

// Each new record's impulses from the old one of the same pair, point by point.
void World::Impl::carry_impulses() {
    const std::span<const Manifold4> now(next_record.data(), next_records);
    const auto carry = [&](std::size_t begin, std::size_t end) {
        std::array<RecordMatch<Manifold4>, kMatched> match;
        const std::span<const Manifold4> some = now.subspan(begin, end - begin);
        const std::span<const Manifold4> old = same_range(contacts(), some);
        const MatchResult matched = match_contacts(old, some, std::span(match).first(some.size()));
        assert(matched.status);  // pairs ascend, each once
        static_cast<void>(matched);
        const ContactImpulse* const from = impulse.data() + (old.data() - record.data());
        for (std::size_t i = 0; i < some.size(); ++i) {
            ContactImpulse& to = next_impulse[begin + i];
            to = {};
            const std::uint32_t k = match[i].record;
            if (k == kNoRecord) continue;
            std::copy_n(from[k].tangent, 3, to.tangent);
            to.twist = from[k].twist;
            carry_points(old[k], from[k], some[i], match[i], to);
        }
    };
    loops.over(next_records, [&](std::size_t first, std::size_t last) {
        for (std::size_t i = first; i < last; i += kMatched) carry(i, std::min(last, i + kMatched));
    });
}

// The new manifolds and impulses become those of the last step, and those the new ones.
void World::Impl::swap_records() {
    std::swap(record, next_record);
    std::swap(impulse, next_impulse);
    std::swap(records, next_records);
}

// Of contacts and links: one that is not finite would spoil bodies that the caller has put right.
void World::Impl::forget_impulses() {
    std::fill_n(impulse.data(), records, ContactImpulse{});
    std::fill(link_impulse.begin(), link_impulse.end(), detail::LinkImpulse{0});
}

}  // namespace lanefold
