// SPDX-License-Identifier: MIT
//
// See certificate_pool.hpp.
#include "coherence/certificate_pool.hpp"

#include <algorithm>
#include <atomic>
#include <cassert>
#include <cstring>
#include <utility>

#include <lanefold/detail/chunk.hpp>
#include <lanefold/detail/compound_block.hpp>
#include <lanefold/detail/same_set.hpp>

#include "coherence/pair_carrier.hpp"
#include "tasks/blocks.hpp"

namespace lanefold::detail {
namespace {

// Whether two records stand for the same hull: the bytes that kernels read.
bool same_hull(const HullRecord& a, const HullRecord& b) {
    if (a.block == b.block) return true;
    if (a.block == nullptr || b.block == nullptr) return false;
    HullRecord at_b = a;
    at_b.block = b.block;
    return std::memcmp(&at_b, &b, sizeof b) == 0 && std::memcmp(a.block, b.block, block_bytes(a)) == 0;
}

// Whether each hull of the first set is that of the second, or was removed from it.
bool continues(const HullSet& before, const HullSet& now) {
    if (is_same_set(before, now)) return true;
    if (now.size() < before.size()) return false;
    for (std::size_t id = 0; id < before.size(); ++id) {
        const bool removed = now[id].block == nullptr;
        if (!removed && !same_hull(before[id], now[id])) return false;
    }
    return true;
}

// Certificates cost 3 to 6% of a step (debris) and spare half of the time of each pair that they drop or settle. In a
// fast fall, where 60% of the pairs that are asked are dropped, that is a loss; where 75% are it is a gain, but only if
// they are not too few of all.
constexpr std::uint64_t kLeastShare = 70;  // per cent of those tried
constexpr std::uint64_t kLeastSpared = 8;  // one of so many pairs
// Boxes have no certificates, and to carry places for them would take a tenth of their time: at least one pair of so
// many must be of general hulls.
constexpr std::uint64_t kLeastGeneral = 8;
// Steps without certificates before the next attempt: a quarter of a second of most simulations.
constexpr std::uint32_t kRest = 16;
// A certificate of a best face spares half of a contact's time in each step that it holds, and to make it costs about
// four contacts: at the break-even six hold for each that is made. And all pairs are asked, so that too few of them
// are a loss, too (docs/history/optimisation.md, sixteenth and twenty-fourth round).
constexpr std::uint64_t kHeldForEachMade = 6;
constexpr std::uint64_t kLeastHeld = 30;  // per cent of the contacts of general hulls
// Attempts after a rest are made with one of so many blocks of pairs, because one in vain takes half as long again.
constexpr std::uint32_t kProbedBlocks = 16;
constexpr std::uint32_t kProbeRest = 8;  // steps between them
// Steps in a row that may be in vain: in the first ones of an attempt more certificates are made than later.
constexpr std::uint32_t kProbeSteps = 5;
// Steps in a row that may be in vain: until the first certificates hold, one notes poses, and the next certifies.
constexpr std::uint32_t kWarmUp = 2;

constexpr std::uint32_t kNoPlace = 0xFFFFFFFFU;

std::uint64_t owner_of(std::uint32_t step, std::size_t pair) { return std::uint64_t{step} << 32U | pair; }

// Makes `mine` the owner of a place unless a pair that is before it in the same step is.
void claim(std::uint64_t& owner, std::uint64_t mine) {
    std::uint64_t seen = __atomic_load_n(&owner, __ATOMIC_RELAXED);
    while (seen >> 32U != mine >> 32U || seen > mine) {
        if (__atomic_compare_exchange_n(&owner, &seen, mine, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) return;
    }
}

}  // namespace

void CertificatePool::learn(const Counters& counters, std::size_t pairs, std::size_t carried) {
    if (resting_ != 0) {
        --resting_;
        return;
    }
    const std::uint64_t held = counters.certificates_held * probed_blocks(pairs);
    const bool undecided = learn_of_optima(counters, held);
    const bool few = counters.hull_pairs < (pairs - std::min(carried, pairs)) / kLeastGeneral;
    const bool fail = 100 * counters.rejected_certificate < kLeastShare * counters.certificates_tried;
    const bool little = (counters.rejected_certificate + held) * kLeastSpared < counters.hull_pairs;
    vain_steps_ = little ? vain_steps_ + 1 : 0;
    if (!few && !fail && (vain_steps_ <= kWarmUp || undecided)) return;
    resting_ = kRest;
    vain_steps_ = 0;
    begin_probe(0);
}

// `held`: best faces that were settled, as if all blocks had been tried. Returns whether an attempt goes on.
bool CertificatePool::learn_of_optima(const Counters& counters, std::uint64_t held) {
    if (optima_resting_ != 0) {
        --optima_resting_;
        return false;
    }
    // Pairs that came through a search whole, and pairs that needed no search.
    const std::uint64_t contacts = counters.face_contacts + counters.edge_contacts;
    const bool pays = counters.certificates_held >= kHeldForEachMade * counters.certificates_made &&
                      100 * held >= kLeastHeld * contacts;
    vain_optima_ = pays ? 0 : vain_optima_ + 1;
    if (pays) probing_ = false;
    if (vain_optima_ < kProbeSteps) return vain_optima_ != 0;
    begin_probe(kProbeRest);
    return false;
}

// After so many steps without certificates of best faces, few pairs get some again.
void CertificatePool::begin_probe(std::uint32_t rest) {
    optima_resting_ = rest;
    vain_optima_ = 0;
    probing_ = true;
    ++probes_;
}

// One of so many blocks of this list is used.
std::uint32_t CertificatePool::probed_blocks(std::size_t pairs) const {
    if (!probing_) return 1;
    const std::size_t blocks = (pairs + kChunkPairs - 1) / kChunkPairs;
    return static_cast<std::uint32_t>(std::clamp<std::size_t>(blocks, 1, kProbedBlocks));
}

CertificateTable CertificatePool::table(const std::uint32_t* of, const std::uint32_t* ask, std::size_t pairs) {
    CertificateTable t;
    t.all = certificates_.data();
    t.of = of;
    t.ask = ask;
    if (optima_resting_ != 0) return t;
    t.optima = optima_.data();
    t.singles = singles_.data();
    t.optima_every = probed_blocks(pairs);
    t.optima_first = probes_ % t.optima_every;
    return t;
}

void CertificatePool::forget() {
    for (std::size_t i = 0; i < places_; ++i) certificates_[i].hull_a = kNoCertificate;
}

bool CertificatePool::begin_step(const HullSet& hulls) {
    const bool kept = continues(hulls_, hulls);
    if (!kept) forget();
    if (!is_same_set(hulls_, hulls)) hulls_ = hulls;
    if (++step_ != 0) return kept;
    // The numbers of steps begin again, so owners of old steps would be wrong.
    std::fill_n(owner_.data(), places_, 0);
    step_ = 1;
    return kept;
}

void CertificatePool::grow(std::size_t n) {
    AlignedBuffer<Certificate> certificates;
    AlignedBuffer<CertifiedOptimum> optima;
    AlignedBuffer<CertifiedSingle> singles;
    AlignedBuffer<std::uint64_t> owner;
    certificates.reserve(n);
    optima.reserve(n);
    singles.reserve(n);
    owner.reserve(n);
    if (places_ != 0) {
        std::memcpy(certificates.data(), certificates_.data(), places_ * sizeof(Certificate));
        std::memcpy(optima.data(), optima_.data(), places_ * sizeof(CertifiedOptimum));
        std::memcpy(singles.data(), singles_.data(), places_ * sizeof(CertifiedSingle));
        std::memcpy(owner.data(), owner_.data(), places_ * sizeof(std::uint64_t));
    }
    // All bytes, because lanes read whole lines before they know that there is no certificate.
    std::memset(static_cast<void*>(certificates.data() + places_), 0, (n - places_) * sizeof(Certificate));
    std::memset(static_cast<void*>(optima.data() + places_), 0, (n - places_) * sizeof(CertifiedOptimum));
    for (std::size_t i = places_; i < n; ++i) certificates[i].hull_a = kNoCertificate;
    std::fill(owner.data() + places_, owner.data() + n, 0);
    certificates_ = std::move(certificates);
    optima_ = std::move(optima);
    singles_ = std::move(singles);
    owner_ = std::move(owner);
    places_ = n;
}

std::span<const std::uint32_t> CertificatePool::place(std::span<const std::uint32_t> before,
                                                      std::span<const std::uint32_t> from, std::span<std::uint32_t> to,
                                                      bool twice, Executor& executor, unsigned slots) {
    if (to.size() > places_) grow(to.size() + to.size() / 2);
    unplaced_.reserve_grown(to.size());
    const auto place_of = [&](std::size_t i) {
        return before[i] != kNotListed && !from.empty() ? from[before[i]] : kNoPlace;
    };
    // A pair that is listed twice claims its place twice; the first claim counts, whichever thread makes it.
    if (twice) {
        for_all_blocks(executor, slots, to.size(), [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i) {
                const std::uint32_t place = place_of(i);
                if (place != kNoPlace) claim(owner_[place], owner_of(step_, i));
            }
        });
    }
    std::atomic<std::size_t> unplaced = 0;
    for_all_blocks(executor, slots, to.size(), [&](std::size_t begin, std::size_t end) {
        std::size_t mine = 0;
        for (std::size_t i = begin; i < end; ++i) {
            std::uint32_t place = place_of(i);
            if (!twice && place != kNoPlace) owner_[place] = owner_of(step_, i);
            if (twice && place != kNoPlace && owner_[place] != owner_of(step_, i)) place = kNoPlace;
            to[i] = place;
            mine += place == kNoPlace ? 1 : 0;
        }
        std::size_t at = mine == 0 ? 0 : unplaced.fetch_add(mine, std::memory_order_relaxed);
        for (std::size_t i = begin; mine != 0; ++i) {
            if (to[i] != kNoPlace) continue;
            unplaced_[at++] = static_cast<std::uint32_t>(i);
            --mine;
        }
    });
    if (unplaced != 0) fill_free_places(unplaced, to, executor, slots);
    return {unplaced_.data(), unplaced.load(std::memory_order_relaxed)};
}

void CertificatePool::fill_free_places(std::size_t unplaced, std::span<std::uint32_t> to, Executor& executor,
                                       unsigned slots) {
    // There are enough free places among the first so many: at most to.size() - unplaced of them are taken.
    std::atomic<std::size_t> filled = 0;
    for_all_blocks(executor, slots, to.size(), [&](std::size_t begin, std::size_t end) {
        if (filled.load(std::memory_order_relaxed) >= unplaced) return;
        const auto is_free = [&](std::size_t place) { return owner_[place] >> 32U != step_; };
        std::size_t free = 0;
        for (std::size_t place = begin; place < end; ++place) free += is_free(place) ? 1U : 0U;
        std::size_t k = filled.fetch_add(free, std::memory_order_relaxed);
        for (std::size_t place = begin; place < end && k < unplaced; ++place) {
            if (is_free(place)) to[unplaced_[k++]] = static_cast<std::uint32_t>(place);
        }
    });
    assert(filled.load(std::memory_order_relaxed) >= unplaced);
}

}  // namespace lanefold::detail
