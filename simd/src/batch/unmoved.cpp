// SPDX-License-Identifier: MIT
//
// Pairs of two unmoved bodies. They are found before the kernels run, the kernels skip them, and afterwards their kept
// records are counted.
#include <algorithm>
#include <bit>
#include <cstring>

#include "batch/batch.hpp"

namespace lanefold::detail {
namespace {

// The part of a kept record that is counted.
RecordHead head_of(const PairDistance& r) {
    RecordHead head{};
    head.distance = r.distance;
    head.kind = static_cast<std::uint8_t>(r.kind);
    head.status = static_cast<std::uint8_t>(r.status);
    return head;
}

template <class Manifold>
RecordHead head_of(const Manifold& r) {
    return RecordHeads{reinterpret_cast<const std::byte*>(&r) + kHeadOffset, 0}[0];
}

// x < 0, on bits: the host's thread may run with DAZ, where a denormal compares as zero.
bool is_negative(float x) {
    constexpr std::uint32_t kLeast = 0x80000001U;  // the first number below -0
    constexpr std::uint32_t kInfinity = 0xFF800000U;
    return std::bit_cast<std::uint32_t>(x) - kLeast <= kInfinity - kLeast;
}

// Sums of up to 64 kept records. Which of them touch and overlap cannot be predicted, so they add without a branch.
struct StandingSums {
    std::uint64_t reported = 0;
    std::uint64_t overlapping = 0;
    std::uint64_t kinds = 0;  // eight bits for each kind
    std::uint64_t points = 0;
    std::uint64_t bad = 0;  // records of another status than ok
    static_assert(kContactKindCount <= 8);

    // Invalid bytes, which no call wrote, count as an unreported pair.
    void add(const RecordHead& r, std::uint64_t bit, std::uint8_t capacity, ChunkTotals& totals) {
        const bool known = (r.status < kStatusCount) & (r.kind < kContactKindCount);
        const std::size_t status = known ? r.status : 0;
        const std::size_t kind = known ? r.kind : 0;
        kinds += std::uint64_t{1} << (8 * kind);
        const bool touches = kind != static_cast<std::size_t>(ContactKind::none);
        reported |= touches ? bit : 0;
        overlapping |= (touches & is_negative(r.distance)) ? bit : 0;
        points += touches ? std::min(r.count, capacity) : std::uint8_t{0};
        if (status == static_cast<std::size_t>(Status::ok)) return;
        reported |= bit;
        ++bad;
        ++totals.by_status[status];
    }

    void finish(std::uint32_t records, ChunkTotals& totals) const {
        totals.by_status[static_cast<std::size_t>(Status::ok)] += records - bad;
        for (std::size_t k = 0; k < kContactKindCount; ++k) totals.by_kind[k] += kinds >> (8 * k) & 0xFFU;
        totals.touching += records - (kinds & 0xFFU);
        totals.overlapping += static_cast<std::uint64_t>(std::popcount(overlapping));
        totals.points += points;
    }
};
static_assert(static_cast<int>(ContactKind::none) == 0 && static_cast<int>(Status::ok) == 0);

// Counts the kept records of the pairs in `bits`; head_at(i) is that of pair i.
template <class HeadAt>
void count_standing(const std::uint64_t* bits, std::uint8_t capacity, const ChunkOutput& to, ChunkTotals& totals,
                    HeadAt head_at) {
    for (std::uint32_t w = 0; w < kChunkWords; ++w) {
        if (bits[w] == 0) continue;
        StandingSums sums;
        for (std::uint64_t rest = bits[w]; rest != 0; rest &= rest - 1) {
            const std::uint32_t i = 64 * w + static_cast<std::uint32_t>(std::countr_zero(rest));
            sums.add(head_at(i), rest & -rest, capacity, totals);
        }
        sums.finish(static_cast<std::uint32_t>(std::popcount(bits[w])), totals);
        to.reported[w] |= sums.reported;
        to.overlapping[w] |= sums.overlapping;
    }
}

template <class Record>
void count_standing(const std::uint64_t* bits, const ChunkOutput& to, ChunkTotals& totals) {
    const auto* const records = static_cast<const Record*>(to.out);
    std::uint8_t capacity = 0;
    if constexpr (requires { Record::kCapacity; }) capacity = Record::kCapacity;
    count_standing(bits, capacity, to, totals, [&](std::uint32_t i) { return head_of(records[i]); });
}

}  // namespace

bool Batch::hull_removed(std::uint32_t body) const {
    const BodyView& view = *arguments_.bodies;
    std::uint32_t hull = 0;
    std::memcpy(&hull, view.hull + body * view.hull_stride, sizeof hull);
    return !arguments_.hulls->contains(hull);
}

std::uint32_t Batch::find_unmoved(const PairRange& range, std::uint64_t* bits) const {
    std::fill_n(bits, kChunkWords, std::uint64_t{0});
    const std::span<const std::uint8_t> unmoved = arguments_.inputs.unmoved;
    if (unmoved.empty()) return 0;
    std::uint32_t count = 0;
    const bool any_removed = arguments_.hulls->removed() != 0;
    for (std::uint32_t i = 0; i < range.count(); ++i) {
        const Pair pair = arguments_.pairs[range.begin + i];
        if (previous_.is_new(range.begin + i)) continue;
        // A pair with a bad index is computed, so that its status is reported.
        if (pair.a >= unmoved.size() || pair.b >= unmoved.size() || pair.a == pair.b) continue;
        if (unmoved[pair.a] == 0 || unmoved[pair.b] == 0) continue;
        // A body whose hull was removed has changed, whatever its mark says.
        if (any_removed && (hull_removed(pair.a) || hull_removed(pair.b))) continue;
        set_bit(bits, i);
        ++count;
    }
    return count;
}

void Batch::find_standing(const PairRange& range, const std::uint64_t* bits, std::size_t* found,
                          std::uint64_t* recorded) const {
    previous_.look_up<false>(range.begin, [&](auto find) {
        for (std::uint32_t w = 0; w < kChunkWords; ++w) {
            recorded[w] = 0;
            for (std::uint64_t rest = bits[w]; rest != 0; rest &= rest - 1) {
                const std::uint32_t i = 64 * w + static_cast<std::uint32_t>(std::countr_zero(rest));
                found[i] = find(i);
                recorded[w] |= found[i] == kNoPrevious ? 0 : rest & -rest;
            }
        }
    });
}

// The level of the call counts, not that of the chunk: a compact call computes chunks that it only counts at level
// overlap, but keeps its own records.
void Batch::add_standing(const PairRange& range, const std::uint64_t* bits, const ChunkOutput& to,
                         ChunkTotals& totals) const {
    if (arguments_.compact) {
        std::uint64_t recorded[kChunkWords];
        find_standing(range, bits, to.found, recorded);
        for (std::uint32_t w = 0; w < kChunkWords; ++w) {
            const auto apart = static_cast<std::uint32_t>(std::popcount(bits[w] & ~recorded[w]));
            totals.by_status[static_cast<std::size_t>(Status::ok)] += apart;
            totals.by_kind[static_cast<std::size_t>(ContactKind::none)] += apart;
        }
        // Compact::copy() takes the records from where they are.
        const RecordHeads heads = previous_.heads();
        const std::uint8_t capacity =
            arguments_.level == OutputLevel::manifold16 ? Manifold16::kCapacity : Manifold4::kCapacity;
        count_standing(recorded, capacity, to, totals, [&](std::uint32_t i) { return heads[to.found[i]]; });
        return;
    }
    with_record(arguments_.level, [&]<class Record>() { count_standing<Record>(bits, to, totals); });
}

}  // namespace lanefold::detail
