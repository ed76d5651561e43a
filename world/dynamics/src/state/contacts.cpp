// SPDX-License-Identifier: MIT
//
// The solver begins a step with the impulses of the step before: they are carried over by feature ids.
#include "state/contacts.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <limits>
#include <utility>

#include <lanefold/body.hpp>
#include <lanefold/match_contacts.hpp>

namespace lanefold::detail {
namespace {

// Carries normal impulses by feature ids. Other features may make the same corner than before, as they do between
// aligned boxes at every tremor. Then a new point takes over from the nearest old one that broke: the load goes on.
void carry_points(const Manifold4& old, const ContactImpulse& from, const Manifold4& now,
                  const RecordMatch<Manifold4>& match, ContactImpulse& to) {
    std::uint32_t left = (1U << old.count) - 1U;  // old points that no new one has taken over
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

// Records that are matched together, all of a pair at once.
constexpr std::size_t kMatched = 512;

// The first record from i on that is of another pair than the one before it.
std::size_t pair_begin(std::span<const Manifold4> records, std::size_t i) {
    while (i != 0 && i < records.size() && same_pair(records[i - 1], records[i])) ++i;
    return std::min(i, records.size());
}

bool before(const Manifold4& a, const Manifold4& b) { return Pair{a.pair[0], a.pair[1]} < Pair{b.pair[0], b.pair[1]}; }

// The old records that may be of the same pairs as the new ones. Both ascend.
std::span<const Manifold4> same_range(std::span<const Manifold4> old, std::span<const Manifold4> now) {
    const auto from = std::lower_bound(old.begin(), old.end(), now.front(), before);
    return {from, std::upper_bound(from, old.end(), now.back(), before)};
}

}  // namespace

std::span<Manifold4> Contacts::more_room_for_found(std::size_t kept, std::size_t count) {
    AlignedBuffer<Manifold4> larger;
    larger.reserve_grown(count);
    std::copy_n(found_.manifold.data(), kept, larger.data());
    found_.manifold = std::move(larger);
    return {found_.manifold.data(), count};
}

std::span<Manifold4> Contacts::all_room_for_found(std::size_t count) {
    found_.manifold.reserve_grown(count);
    return {found_.manifold.data(), found_.manifold.size()};
}

std::span<Manifold4> Contacts::room_for_found(std::size_t count) {
    found_.manifold.reserve_grown(count);
    return {found_.manifold.data(), count};
}

std::span<ContactImpulse> Contacts::room_for_impulses(std::size_t count) {
    found_.impulse.reserve_grown(count);
    found_.push.reserve_grown(count);
    std::fill_n(found_.push.data(), count, ContactPush{});
    return {found_.impulse.data(), count};
}

void Contacts::forget_pushes() { std::fill_n(last_.push.data(), last_.count, ContactPush{}); }

void Contacts::carry_impulses(Loops& loops) {
    const auto carry = [&](std::size_t begin, std::size_t end) {
        std::array<RecordMatch<Manifold4>, kMatched> match;
        const std::span<const Manifold4> now = found().subspan(begin, end - begin);
        const std::span<const Manifold4> old = same_range(manifolds(), now);
        const MatchResult matched = match_contacts(old, now, std::span(match).first(now.size()));
        assert(matched.status);  // pairs ascend
        static_cast<void>(matched);
        const ContactImpulse* const from = last_.impulse.data() + (old.data() - last_.manifold.data());
        for (std::size_t i = 0; i < now.size(); ++i) {
            ContactImpulse& to = found_.impulse[begin + i];
            to = {};
            const std::uint32_t k = match[i].record;
            if (k == kNoRecord) continue;
            std::copy_n(from[k].tangent, 3, to.tangent);
            to.twist = from[k].twist;
            carry_points(old[k], from[k], now[i], match[i], to);
        }
    };
    loops.over(found_.count, [&](std::size_t first, std::size_t last) {
        const std::size_t end = pair_begin(found(), last);
        for (std::size_t i = pair_begin(found(), first); i < end;) {
            const std::size_t next = std::min(end, pair_begin(found(), i + kMatched - kMostOfPair));
            carry(i, next);
            i = next;
        }
    });
}

void Contacts::swap_found() { std::swap(last_, found_); }

void Contacts::lend_rows(SolverJob& job) {
    job.records = last_.manifold.data();
    job.impulses = last_.impulse.data();
    job.pushes = last_.push.data();
}

}  // namespace lanefold::detail
