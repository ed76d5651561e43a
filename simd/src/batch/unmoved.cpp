// SPDX-License-Identifier: MIT
//
// Pairs of two unmoved bodies. They are found before the kernels run, the kernels skip them, and afterwards their kept
// records are counted.
#include <algorithm>
#include <bit>
#include <cstring>

#include "batch/batch.hpp"
#include "batch/previous_lookup.hpp"

namespace lanefold::detail {
namespace {

// Counts a kept record. Invalid bytes, which no call wrote, count as an unreported pair.
template <class Record>
void count_standing(const Record& r, std::uint32_t i, const ChunkOutput& to, ChunkTotals& totals) {
    const auto status = static_cast<std::size_t>(r.status);
    const auto kind = static_cast<std::size_t>(r.kind);
    const bool known = status < kStatusCount && kind < kContactKindCount;
    ++totals.by_status[known ? status : 0];
    ++totals.by_kind[known ? kind : 0];
    if (!known || !is_reported(r)) return;
    set_bit(to.reported, i);
    if (r.kind == ContactKind::none) return;
    ++totals.touching;
    if (r.distance < 0.0F) {
        ++totals.overlapping;
        set_bit(to.overlapping, i);
    }
    if constexpr (requires { r.count; }) totals.points += std::min<std::uint64_t>(r.count, Record::kCapacity);
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
    const std::span<const std::uint8_t> unmoved = arguments_.options->unmoved;
    if (unmoved.empty()) return 0;
    std::uint32_t count = 0;
    const std::uint32_t* known = arguments_.previous_index;
    const bool any_removed = arguments_.hulls->removed() != 0;
    for (std::uint32_t i = 0; i < range.count(); ++i) {
        const Pair pair = arguments_.pairs[range.begin + i];
        if (known != nullptr && known[range.begin + i] == kNewPair) continue;
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

template <class Record>
void Batch::take_standing(const std::uint64_t* bits, const std::size_t* found, const ChunkOutput& to,
                          ChunkTotals& totals) const {
    const PreviousContacts& previous = arguments_.options->previous;
    for (std::uint32_t w = 0; w < kChunkWords; ++w) {
        for (std::uint64_t rest = bits[w]; rest != 0; rest &= rest - 1) {
            const std::uint32_t i = 64 * w + static_cast<std::uint32_t>(std::countr_zero(rest));
            if (!arguments_.compact) {
                count_standing(static_cast<const Record*>(to.out)[i], i, to, totals);
            } else if (found[i] == kNoPrevious) {
                ++totals.by_status[static_cast<std::size_t>(Status::ok)];
                ++totals.by_kind[static_cast<std::size_t>(ContactKind::none)];
            } else {
                // Compact::copy() takes it from there.
                const std::byte* record = previous.records + found[i] * previous.stride;
                count_standing(*reinterpret_cast<const Record*>(record), i, to, totals);
            }
        }
    }
}

void Batch::add_standing(const std::uint64_t* bits, const std::size_t* found, const ChunkOutput& to,
                         ChunkTotals& totals) const {
    // The level of the call, not that of the chunk: a compact call computes chunks that it only counts at level
    // overlap, but keeps its own records.
    switch (arguments_.level) {
        case OutputLevel::overlap:
            break;  // refused by check_arguments(): this level has no records
        case OutputLevel::distance:
            take_standing<PairDistance>(bits, found, to, totals);
            break;
        case OutputLevel::manifold4:
            take_standing<Manifold4>(bits, found, to, totals);
            break;
        case OutputLevel::manifold16:
            take_standing<Manifold16>(bits, found, to, totals);
            break;
    }
}

}  // namespace lanefold::detail
