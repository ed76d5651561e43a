// SPDX-License-Identifier: MIT
//
// A strike, or a tight contact, reaches the contacts that bear a load with it. Sweeps go over these only, by one
// task, and of them over those of which a body has moved. Marks of bodies (MotionRow::struck) say which.
#pragma once

#include "solve/contact_block.hpp"

namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE {

// Contacts that may be reached in a substep. Beyond, as in a pile that settles, what closes is stopped by the
// iterations, or a step of 5,000 bodies would take twice its time.
inline constexpr std::uint32_t kMostReached = 256;
// The mark of bodies where sweeps begin. Those that sweep k, from 0 on, changes have k more than this and 1.
inline constexpr float kSeedMark = 1;

// The index of the first lane of a block.
LANEFOLD_INLINE std::size_t lanes_of(std::uint32_t i) { return std::size_t{i} * kWidth; }

// Marks the bodies of these lanes that can move.
LANEFOLD_INLINE void mark_lanes(const SolverJob& job, std::uint32_t i, std::uint32_t lanes) {
    for (std::size_t l = 0; l < kWidth; ++l) {
        if (!bit_at(lanes, static_cast<std::uint32_t>(l))) continue;
        MotionRow& a = job.motion[job.contact_blocks.a[lanes_of(i) + l]];
        MotionRow& b = job.motion[job.contact_blocks.b[lanes_of(i) + l]];
        if (a.inverse_mass > 0.0F) a.struck = kSeedMark;
        if (b.inverse_mass > 0.0F) b.struck = kSeedMark;
    }
}

// The lanes of a block of which a body has this mark or a later one.
LANEFOLD_INLINE WMask marked_since(const SolverJob& job, std::uint32_t i, float mark) {
    alignas(64) float latest[kWidth];
    for (std::size_t l = 0; l < kWidth; ++l) {
        const float a = job.motion[job.contact_blocks.a[lanes_of(i) + l]].struck;
        const float b = job.motion[job.contact_blocks.b[lanes_of(i) + l]].struck;
        latest[l] = a < b ? b : a;
    }
    return WFloat::load(latest) >= splat(mark);
}

LANEFOLD_INLINE void clear_marks(const SolverJob& job, std::uint32_t i) {
    for (std::size_t l = lanes_of(i); l < lanes_of(i) + kWidth; ++l) {
        job.motion[job.contact_blocks.a[l]].struck = 0.0F;
        job.motion[job.contact_blocks.b[l]].struck = 0.0F;
    }
}

// Marks the bodies of the manifolds of which a field of the block is not 0. Returns the field's largest value.
LANEFOLD_INLINE float mark_seeds(const SolverJob& job, std::uint32_t i, std::uint32_t field) {
    const WFloat seeds = contact_block(job, i).get(field);
    const std::uint32_t some = bits(seeds > splat(0.0F));
    if (some == 0) return 0;
    mark_lanes(job, i, some);
    alignas(64) float value[kWidth];
    seeds.store(value);
    float most = 0;
    for (const float x : value) most = most < x ? x : most;
    return most;
}

// The blocks that the seeds reach through contacts that bear a load, in ascending order. Which lanes of them take part
// is in kHot: what marks reach later would depend on what shares a block.
class ReachedBlocks {
public:
    // The seeds are marked, and are all that is marked when this is done.
    ReachedBlocks(const SolverJob& job, std::uint32_t first, std::uint32_t last, std::uint32_t seeds) {
        for (std::uint32_t i = first; i < last; ++i) contact_block(job, i).set(kHot, splat(0.0F));
        while (few() && spread(job, first, last)) {
        }
        for (std::uint32_t i = first; i < last; ++i) {
            if (few() && any(contact_block(job, i).get(kHot) > splat(0.0F))) block_[count_++] = i;
        }
        if (!few()) count_ = last - first;
        first_ = first;
        for (std::uint32_t k = 0; k < count_; ++k) clear_marks(job, (*this)[k]);
        for (std::uint32_t k = 0; k < count_; ++k) mark_seeds(job, (*this)[k], seeds);
    }

    // There are no more than kMostReached; otherwise these are all blocks.
    LANEFOLD_INLINE bool few() const { return contacts_ <= kMostReached; }
    // More sweeps over fewer contacts, at most so many, cost no more than these over kMostReached.
    LANEFOLD_INLINE int sweeps(int over_most, int most) const {
        if (!few() || contacts_ == 0) return over_most;
        const std::uint32_t same_cost = static_cast<std::uint32_t>(over_most) * kMostReached / contacts_;
        return same_cost < static_cast<std::uint32_t>(most) ? static_cast<int>(same_cost) : most;
    }
    LANEFOLD_INLINE std::uint32_t size() const { return count_; }
    LANEFOLD_INLINE std::uint32_t operator[](std::uint32_t k) const { return few() ? block_[k] : first_ + k; }
    // The lanes of a block that take part in a sweep: of which a body has this mark or a later one.
    LANEFOLD_INLINE WMask lanes(const SolverJob& job, std::uint32_t i, float mark) const {
        const WMask moved = marked_since(job, i, mark);
        return few() ? moved & (contact_block(job, i).get(kHot) > splat(0.0F)) : moved;
    }
    void clear(const SolverJob& job) const {
        for (std::uint32_t k = 0; k < count_; ++k) clear_marks(job, (*this)[k]);
    }

private:
    // Goes on from the marked bodies by a contact each, or by several. False: there were none left.
    bool spread(const SolverJob& job, std::uint32_t first, std::uint32_t last) {
        bool some = false;
        for (std::uint32_t i = first; i < last && few(); ++i) {
            const WBlock block = contact_block(job, i);
            const std::uint32_t hot = bits(block.get(kHot) > splat(0.0F));
            const std::uint32_t there = bits(block.get(point_field(0, kPointExists)) > splat(0.0F));
            if ((there & ~hot) == 0) continue;
            const WMask reached = marked_since(job, i, kSeedMark);
            const std::uint32_t more = bits(reached) & there & ~hot;
            if (more == 0) continue;
            some = true;
            contacts_ += count_bits(more);
            block.set(kHot, select(reached, splat(1.0F), splat(0.0F)));
            mark_loaded(job, i, more);
        }
        return some;
    }
    // Marks both bodies where a contact bears a load: a strike goes on through it.
    static void mark_loaded(const SolverJob& job, std::uint32_t i, std::uint32_t lanes) {
        const WBlock block = contact_block(job, i);
        WFloat load = splat(0.0F);
        for (std::uint32_t k = 0; k < job.contact_blocks.points[i]; ++k)
            load = load + block.get(point_field(k, kPointImpulse));
        mark_lanes(job, i, lanes & bits(load > splat(0.0F)));
    }

    std::uint32_t block_[kMostReached];
    std::uint32_t count_ = 0, contacts_ = 0, first_ = 0;
};

}  // namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE
