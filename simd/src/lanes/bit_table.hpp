// SPDX-License-Identifier: MIT
//
// A table with up to eight bits per entry and a list of pairs of its entries: finds the pairs that have no bit in
// common. All numbers are integers, so results are the same on every instruction set.
//
// A table is computed while it is read, so that it stays in registers if they can hold it. A table has:
//
//   entries()   number of entries, at most kMaxIndex16; whatever is beyond them no pair refers to
//   bits()      number of bits of an entry
//   bit(k)      a callable: for i, the WShortMask of the entries from i on that have bit k, without those of extra()
//   extra()     an EntryBits: bits that one entry has besides
#pragma once

#include <lanefold/diagnostics.hpp>

#include "lanes/short.hpp"

namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE {

inline constexpr std::uint32_t kMaxTableBits = 8;

struct EntryBits {
    std::uint32_t entry;
    std::uint32_t bits;  // 0: none
};

// Two arrays that may be read up to a multiple of 32 entries.
struct EntryPairs {
    const std::uint16_t* first;
    const std::uint16_t* second;
    std::uint32_t count;
};

// Computes the entries of N vectors, from `first` on.
template <std::uint32_t N, class Table>
LANEFOLD_INLINE void table_words(const Table& table, std::uint32_t first, WShort* words) {
    for (std::uint32_t v = 0; v < N; ++v) words[v] = WShort(0);
    for (std::uint32_t k = 0; k < table.bits(); ++k) {
        const auto has_bit = table.bit(k);
        const WShort bit(1 << k);
        for (std::uint32_t v = 0; v < N; ++v)
            words[v] = words[v] + select(has_bit(first + v * kShorts), bit, WShort(0));
    }
    const EntryBits extra = table.extra();
    if (extra.bits == 0) return;
    const WShort bit(static_cast<std::int32_t>(extra.bits));
    const WShort entry(static_cast<std::int32_t>(extra.entry));
    for (std::uint32_t v = 0; v < N; ++v) {
        const WShort place = WShort::iota() + WShort(static_cast<std::int32_t>(first + v * kShorts));
        words[v] = words[v] | select(place == entry, bit, WShort(0));
    }
}

// Writes all entries to memory.
template <class Table>
LANEFOLD_INLINE void write_table(const Table& table, std::int16_t* words) {
    for (std::uint32_t i = 0; i < table.entries(); i += kShorts) {
        WShort w;
        table_words<1>(table, i, &w);
        w.store(words + i);
    }
}

// Writes bits i .. i + 31 of a result over `count` pairs, zeros beyond the last. Returns the written word.
LANEFOLD_INLINE std::uint32_t put_pairs(std::uint32_t* result, std::uint32_t i, std::uint32_t count,
                                        std::uint32_t mask) {
    const std::uint32_t beyond = i + 32 > count ? i + 32 - count : 0;
    result[i / 32] = mask & (~std::uint32_t{0} >> beyond);
    return result[i / 32];
}

// Same as disjoint_pairs(), with the table in memory.
template <class Table>
LANEFOLD_INLINE std::uint32_t look_up_in_memory(const Table& table, const EntryPairs& pairs, std::int16_t* room,
                                                std::uint32_t* result) {
    std::uint32_t any = 0;
    write_table(table, room);
    for (std::uint32_t i = 0; i < pairs.count; i += 32) {
        std::uint32_t word = 0;
        const std::uint32_t n = pairs.count - i < 32 ? pairs.count - i : 32;
        for (std::uint32_t p = 0; p < n; ++p) {
            const std::int32_t both = room[pairs.first[i + p]] & room[pairs.second[i + p]];
            word |= static_cast<std::uint32_t>(both == 0) << p;
        }
        any |= put_pairs(result, i, pairs.count, word);
    }
    return any;
}

// Each instruction set defines kLookUpEntries, the size of the largest table that it looks up in registers (0: none),
// and for such tables
//   look_up_pairs(table, pairs, room, result)     same as disjoint_pairs()
#include "lanes/native/bit_table.inl"

// Sets bit p of `result` (32 to a word) if the entries of pair p have no bit in common. Returns a number that is not
// zero if there is such a pair. `room`: an int16_t per entry, rounded up to 64, on a 64-byte boundary.
template <class Table>
LANEFOLD_INLINE std::uint32_t disjoint_pairs(const Table& table, const EntryPairs& pairs, std::int16_t* room,
                                             std::uint32_t* result) {
    if constexpr (kLookUpEntries == 0) {
        return look_up_in_memory(table, pairs, room, result);
    } else if constexpr (kLookUpEntries == kMaxIndex16) {
        return look_up_pairs(table, pairs, room, result);
    } else {
        if (table.entries() <= kLookUpEntries) return look_up_pairs(table, pairs, room, result);
        return look_up_in_memory(table, pairs, room, result);
    }
}

}  // namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE
