// SPDX-License-Identifier: MIT
//
// See certificate_pool.hpp.
#include "certificate_pool.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <utility>

#include <lanefold/detail/hull_block.hpp>

#include "blocks.hpp"
#include "pair_carrier.hpp"

namespace lanefold::detail {
namespace {

// Whether two records stand for the same hull: the bytes that kernels read.
bool same_hull(const HullRecord& a, const HullRecord& b) {
    if (a.block == b.block) return true;
    if (a.block == nullptr || b.block == nullptr) return false;
    HullRecord at_b = a;
    at_b.block = b.block;
    return std::memcmp(&at_b, &b, sizeof b) == 0 && std::memcmp(a.block, b.block, hull_layout(a).bytes) == 0;
}

// Whether each hull of the first set is that of the second, or was removed from it.
bool continues(const HullSet& before, const HullSet& now) {
    if (before.records() == now.records() && before.size() == now.size()) return true;
    if (now.size() < before.size()) return false;
    for (std::size_t id = 0; id < before.size(); ++id) {
        const bool removed = now[id].block == nullptr;
        if (!removed && !same_hull(before[id], now[id])) return false;
    }
    return true;
}

// Certificates cost 3 to 6% of a step (debris) and spare half of the time of each pair that they drop. In a fast fall,
// where 60% of them hold, that is a loss; where 75% hold it is a gain.
constexpr std::uint64_t kLeastShare = 70;  // per cent of those tried
// Boxes have no certificates, and to carry places for them would take a tenth of their time: at least one pair of so
// many must be of general hulls.
constexpr std::uint64_t kLeastGeneral = 8;
// Steps without certificates before the next attempt, which takes two steps: to make them and to try them.
constexpr std::uint32_t kRest = 8;
// Where nine of ten hold, pairs that touch take 0.6 (rocks) to 0.75 (debris) of their time; where none holds, they take
// more than without (docs/history/optimisation.md, sixteenth round).
constexpr std::uint64_t kLeastHeld = 30;  // per cent of the contacts of general hulls
// Steps until the first of them hold: one notes poses, the next certifies.
constexpr std::uint32_t kOptimaWarmUp = 2;
constexpr std::uint32_t kOptimaRest = 16;

std::uint64_t owner_of(std::uint32_t step, std::size_t pair) { return std::uint64_t{step} << 32U | pair; }

}  // namespace

void CertificatePool::learn(const Counters& counters, std::size_t pairs) {
    if (resting_ != 0) {
        --resting_;
        return;
    }
    const bool few = counters.hull_pairs < pairs / kLeastGeneral;
    const bool fail = 100 * counters.rejected_certificate < kLeastShare * counters.certificates_tried;
    resting_ = few || fail ? kRest : 0;
    learn_optima(counters);
}

void CertificatePool::learn_optima(const Counters& counters) {
    if (optima_resting_ != 0) {
        --optima_resting_;
        optima_steps_ = 0;
        return;
    }
    if (++optima_steps_ <= kOptimaWarmUp) return;
    // What came through a search whole, and what no search was needed for.
    const std::uint64_t searched = counters.face_contacts + counters.edge_contacts;
    if (100 * counters.certificates_held < kLeastHeld * searched) optima_resting_ = kOptimaRest;
}

void CertificatePool::forget() {
    for (std::size_t i = 0; i < places_; ++i) certificates_[i].hull_a = kNoCertificate;
}

void CertificatePool::begin_step(const HullSet& hulls) {
    if (!continues(hulls_, hulls)) forget();
    if (hulls_.records() != hulls.records() || hulls_.size() != hulls.size()) hulls_ = hulls;
    if (++step_ != 0) return;
    // The numbers of steps begin again, so owners of old steps would be wrong.
    std::fill_n(owner_.data(), places_, 0);
    step_ = 1;
}

void CertificatePool::grow(std::size_t n) {
    AlignedBuffer<Certificate> certificates;
    AlignedBuffer<CertificateEdges> edges;
    AlignedBuffer<std::uint64_t> owner;
    certificates.reserve(n);
    edges.reserve(n);
    owner.reserve(n);
    if (places_ != 0) {
        std::memcpy(certificates.data(), certificates_.data(), places_ * sizeof(Certificate));
        std::memcpy(edges.data(), edges_.data(), places_ * sizeof(CertificateEdges));
        std::memcpy(owner.data(), owner_.data(), places_ * sizeof(std::uint64_t));
    }
    // All bytes, because lanes read whole lines before they know that there is no certificate.
    std::memset(static_cast<void*>(certificates.data() + places_), 0, (n - places_) * sizeof(Certificate));
    for (std::size_t i = places_; i < n; ++i) certificates[i].hull_a = kNoCertificate;
    std::fill(owner.data() + places_, owner.data() + n, 0);
    certificates_ = std::move(certificates);
    edges_ = std::move(edges);
    owner_ = std::move(owner);
    places_ = n;
}

void CertificatePool::place(std::span<const std::uint32_t> before, std::span<const std::uint32_t> from,
                            std::span<std::uint32_t> to, Executor& executor, unsigned slots) {
    if (to.size() > places_) grow(to.size() + to.size() / 2);
    if (homeless_.size() < to.size()) homeless_.reserve(to.size() + to.size() / 2);
    const auto had_place = [&](std::size_t i) { return before[i] != kNotListed && !from.empty(); };
    // A pair that is listed twice claims its place twice; the claim that stays counts.
    for_all_blocks(executor, slots, to.size(), [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            if (had_place(i)) __atomic_store_n(&owner_[from[before[i]]], owner_of(step_, i), __ATOMIC_RELAXED);
        }
    });
    std::atomic<std::size_t> homeless = 0;
    for_all_blocks(executor, slots, to.size(), [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            if (had_place(i) && owner_[from[before[i]]] == owner_of(step_, i))
                to[i] = from[before[i]];
            else
                homeless_[homeless.fetch_add(1, std::memory_order_relaxed)] = static_cast<std::uint32_t>(i);
        }
    });
    std::size_t free = 0;
    for (std::size_t k = 0; k < homeless; ++k, ++free) {
        // There is one: the pairs are at most as many as the places.
        while (owner_[free] >> 32U == step_) ++free;
        to[homeless_[k]] = static_cast<std::uint32_t>(free);
    }
}

}  // namespace lanefold::detail
