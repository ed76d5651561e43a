// SPDX-License-Identifier: MIT
//
// See pair_carrier.hpp.
#include "coherence/pair_carrier.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstring>

#include "coherence/previous_records.hpp"
#include "tasks/blocks.hpp"

namespace lanefold::detail {
namespace {

// The finaliser of SplitMix (G. Steele, D. Lea, C. Flood, "Fast splittable pseudorandom number generators", 2014).
std::size_t hash_of(const Pair& pair) {
    std::uint64_t x = key_of(pair) + 0x9e3779b97f4a7c15U;
    x = (x ^ (x >> 30U)) * 0xbf58476d1ce4e5b9U;
    x = (x ^ (x >> 27U)) * 0x94d049bb133111ebU;
    return static_cast<std::size_t>(x ^ (x >> 31U));
}

// The order of a list with one more pair behind its last one.
PairOrder order_with(PairOrder order, const Pair& last, const Pair& next) {
    const std::uint64_t before = key_of(last);
    const std::uint64_t now = key_of(next);
    if (now > before) return order;
    return now == before ? std::min(order, PairOrder::ascending) : PairOrder::any;
}

// The order of now[begin - 1 .. end).
PairOrder order_of(std::span<const Pair> now, std::size_t begin, std::size_t end) {
    PairOrder order = PairOrder::strictly_ascending;
    for (std::size_t i = begin == 0 ? 1 : begin; i < end && order != PairOrder::any; ++i)
        order = order_with(order, now[i - 1], now[i]);
    return order;
}

// Pairs that are compared at once where both lists go on alike.
constexpr std::size_t kRun = 8;

// Whether kRun pairs from both on are the same.
bool same_run(const Pair* a, const Pair* b) {
    std::uint64_t differ = 0;
    for (std::size_t k = 0; k < kRun; ++k) differ |= key_of(a[k]) ^ key_of(b[k]);
    return differ == 0;
}

// A walk through both lists from now[begin] on, as far as `now` ascends. `before` ascends; `once`: strictly. Returns
// the order of now[begin - 1 .. end).
PairOrder walk(std::span<const Pair> before, bool once, std::span<const Pair> now, std::size_t begin, std::size_t end,
               std::uint32_t* at) {
    auto k = static_cast<std::size_t>(std::lower_bound(before.begin(), before.end(), now[begin]) - before.begin());
    PairOrder order = PairOrder::strictly_ascending;
    for (std::size_t i = begin; i < end; ++i) {
        const std::uint64_t key = key_of(now[i]);
        if (i != 0) order = order_with(order, now[i - 1], now[i]);
        if (order == PairOrder::any) return order;
        while (k < before.size() && key_of(before[k]) < key) ++k;
        const bool listed = k < before.size() && before[k] == now[i];
        at[i] = listed ? static_cast<std::uint32_t>(k) : kNotListed;
        // If no pair is listed twice, what follows is alike, too, and ascends.
        while (listed && once && i + kRun < end && k + kRun < before.size() && same_run(&now[i + 1], &before[k + 1])) {
            for (std::size_t j = 1; j <= kRun; ++j) at[i + j] = static_cast<std::uint32_t>(k + j);
            i += kRun;
            k += kRun;
        }
    }
    return order;
}

// Calls f(begin, end) for all blocks of the pairs; the lowest of the orders that it returns.
template <class F>
PairOrder lowest_order(std::size_t pairs, Executor& executor, unsigned slots, F f) {
    std::atomic<bool> ascends = true;
    std::atomic<bool> strictly = true;
    for_all_blocks(executor, slots, pairs, [&](std::size_t begin, std::size_t end) {
        const PairOrder order = f(begin, end);
        if (order == PairOrder::any) ascends.store(false, std::memory_order_relaxed);
        if (order != PairOrder::strictly_ascending) strictly.store(false, std::memory_order_relaxed);
    });
    if (!ascends) return PairOrder::any;
    return strictly ? PairOrder::strictly_ascending : PairOrder::ascending;
}

}  // namespace

// Tasks that list the same pair meet at the same entry, because no entry becomes empty again; the lowest index stays.
void PairCarrier::fill_table(std::span<const Pair> before, Executor& executor, unsigned slots) {
    const std::size_t entries = std::bit_ceil(2 * before.size() + 2);
    table_.reserve(entries);
    mask_ = entries - 1;
    for_all_blocks(executor, slots, entries, [&](std::size_t begin, std::size_t end) {
        std::fill(table_.data() + begin, table_.data() + end, 0);
    });
    for_all_blocks(executor, slots, before.size(), [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) enter(before, static_cast<std::uint32_t>(i));
    });
}

void PairCarrier::enter(std::span<const Pair> before, std::uint32_t index) {
    const std::uint32_t mine = index + 1;
    const Pair pair = before[index];
    for (std::size_t place = hash_of(pair) & mask_;; place = (place + 1) & mask_) {
        std::uint32_t there = __atomic_load_n(&table_[place], __ATOMIC_RELAXED);
        while (there == 0 || (there > mine && before[there - 1] == pair)) {
            if (__atomic_compare_exchange_n(&table_[place], &there, mine, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
                return;
        }
        if (before[there - 1] == pair) return;
    }
}

std::uint32_t PairCarrier::look_up(std::span<const Pair> before, const Pair& pair) const {
    for (std::size_t place = hash_of(pair) & mask_; table_[place] != 0; place = (place + 1) & mask_) {
        if (before[table_[place] - 1] == pair) return table_[place] - 1;
    }
    return kNotListed;
}

PairOrder PairCarrier::locate(std::span<const Pair> before, PairOrder order, std::span<const Pair> now,
                              std::span<std::uint32_t> at, Executor& executor, unsigned slots) {
    const bool walks = !before.empty() && order != PairOrder::any;
    const PairOrder mine = lowest_order(now.size(), executor, slots, [&](std::size_t begin, std::size_t end) {
        return walks ? walk(before, order == PairOrder::strictly_ascending, now, begin, end, at.data())
                     : order_of(now, begin, end);
    });
    if (before.empty()) std::fill(at.begin(), at.end(), kNotListed);
    if (before.empty() || (walks && mine != PairOrder::any)) return mine;
    fill_table(before, executor, slots);
    for_all_blocks(executor, slots, now.size(), [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) at[i] = look_up(before, now[i]);
    });
    return mine;
}

}  // namespace lanefold::detail
