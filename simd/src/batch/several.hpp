// SPDX-License-Identifier: MIT
//
// Pairs of bodies that give any number of records, whatever it is that makes them (compounds: batch/children.hpp;
// surfaces: batch/ground.hpp). The kernels skip such pairs. Their records are taken pair by pair: a dense call keeps
// the deepest of each pair, a compact call all of them, beside the staged records of the other pairs.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>
#include <vector>

#include "batch/batch.hpp"

namespace lanefold::detail {

// Records of a chunk that wait for their place in a compact output; 2 MiB of Manifold4. Those beyond are computed again
// when their place is known. It bounds memory and changes no result.
inline constexpr std::uint64_t kMostKept = 16 * std::uint64_t{kChunkPairs};

// A child's number as a record has it.
template <class Number>
Number child_number(std::uint32_t child) {
    return static_cast<Number>(std::min<std::uint32_t>(child, std::numeric_limits<Number>::max()));
}

// The records of those pairs of a chunk, in order.
struct SeveralRecords {
    std::uint64_t pairs[kChunkWords] = {};
    std::uint64_t count[kChunkPairs] = {};  // of those pairs: records
    std::uint64_t total = 0;
    std::uint64_t kept = 0;  // the first of them stand in `memory`, or at `direct`
    std::vector<std::byte> memory;
    std::byte* direct = nullptr;  // with room for all records
    std::uint64_t most_kept = kMostKept;

    // Begins a chunk with these pairs.
    void begin(const std::uint64_t* of) {
        std::memcpy(pairs, of, sizeof pairs);
        std::memset(count, 0, sizeof count);
        total = kept = 0;
    }

    // How many of those pairs are in a set.
    std::uint64_t reported(const std::uint64_t* of) const {
        std::uint64_t n = 0;
        for (std::uint32_t w = 0; w < kChunkWords; ++w)
            n += static_cast<std::uint64_t>(std::popcount(pairs[w] & of[w]));
        return n;
    }

    template <class Record>
    void add(std::uint32_t pair, const Record& record, bool counted_only) {
        ++count[pair];
        ++total;
        if (counted_only || (direct == nullptr && kept == most_kept)) return;
        const std::size_t at = kept++ * sizeof record;
        if (direct == nullptr && memory.size() < at + sizeof record) memory.resize(2 * at + sizeof record);
        std::memcpy((direct != nullptr ? direct : memory.data()) + at, &record, sizeof record);
    }
};

// Copies the records of a pair to `to`: it is number i of its chunk, and `first` of the chunk's such records are before
// its own. Those that were not kept are computed again, which writes the slot's bits of reported pairs.
template <class Record>
void copy_several(const Batch& batch, const SeveralRecords& several, const PairRange& chunk, std::uint32_t i,
                  std::uint64_t first, WorkSlot& slot, std::byte* to) {
    const std::uint64_t count = several.count[i];
    if (first + count <= several.kept) {
        std::memcpy(to, several.memory.data() + first * sizeof(Record), count * sizeof(Record));
        return;
    }
    if (slot.again == nullptr) slot.again = std::make_shared<SeveralRecords>();
    slot.again->direct = to;
    ChunkOutput output;
    output.level = batch.arguments().level;
    output.write_unreported = false;
    output.reported = slot.reported;
    output.overlapping = slot.overlapping;
    output.several = slot.again.get();
    ChunkTotals totals;
    batch.collide({chunk.begin + i, chunk.begin + i + 1}, slot, output, totals);
}

// Takes the records of a job's pairs that give several, in the order of the pairs, and adds up their sums.
template <class Record>
class RecordTaker {
public:
    RecordTaker(const ChunkJob& job, const ChunkOutput& to, ChunkTotals& totals)
        : job_(job), to_(to), totals_(totals), stores_(to.level != OutputLevel::overlap) {}

    // A record of pair i, which touches. The first of several with the lowest distance is the pair's.
    void take(std::uint32_t i, const Record& record) {
        const bool first = i != pair_;
        if (first) close();
        pair_ = i;
        const bool best = first || record.distance < distance_;
        if (to_.several != nullptr) {
            to_.several->add(i, record, !stores_);
            points_ += points_of(record);
        }
        if (!best) return;
        distance_ = record.distance;
        kind_ = record.kind;
        if (to_.several != nullptr || !stores_) return;
        points_ = points_of(record);
        std::memcpy(static_cast<std::byte*>(to_.out) + std::size_t{i} * sizeof record, &record, sizeof record);
    }

    // After the last record: the pairs in `pairs` without one are apart.
    void finish(const std::uint64_t* pairs) {
        close();
        for (std::uint32_t i = 0; i < job_.count; ++i) {
            if (!has_bit(pairs, i) || has_bit(to_.reported, i)) continue;
            ++totals_.by_status[static_cast<std::size_t>(Status::ok)];
            ++totals_.by_kind[static_cast<std::size_t>(ContactKind::none)];
            if (stores_ && to_.write_unreported && to_.several == nullptr)
                std::memset(static_cast<std::byte*>(to_.out) + std::size_t{i} * sizeof(Record), 0, sizeof(Record));
        }
    }

private:
    static constexpr std::uint32_t kNoPair = 0xFFFFFFFFU;

    static std::uint64_t points_of(const Record& record) {
        if constexpr (requires { record.count; }) return record.count;
        return 0;
    }

    void close() {
        if (pair_ == kNoPair) return;
        set_bit(to_.reported, pair_);
        ++totals_.touching;
        if (distance_ < 0.0F) {
            set_bit(to_.overlapping, pair_);
            ++totals_.overlapping;
        }
        totals_.points += points_;
        ++totals_.by_status[static_cast<std::size_t>(Status::ok)];
        ++totals_.by_kind[static_cast<std::size_t>(kind_)];
        points_ = 0;
    }

    const ChunkJob& job_;
    const ChunkOutput& to_;
    ChunkTotals& totals_;
    bool stores_;
    std::uint32_t pair_ = kNoPair;
    float distance_ = 0;
    ContactKind kind_ = ContactKind::none;
    std::uint64_t points_ = 0;
};

}  // namespace lanefold::detail
