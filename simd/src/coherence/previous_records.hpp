// SPDX-License-Identifier: MIT
//
// Finds the previous record of a pair: by index for dense records, by a walk for records that ascend by pair. The
// answer depends only on the pair and the records, not on how the batch is split.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include <lanefold/aligned_buffer.hpp>
#include <lanefold/body.hpp>
#include <lanefold/export.hpp>
#include <lanefold/manifold.hpp>
#include <lanefold/previous_contacts.hpp>

#include "pair/previous_rows.hpp"

namespace lanefold::detail {

// Heads at equal distances: those in records, or copies that stand together.
struct RecordHeads {
    const std::byte* first = nullptr;
    std::size_t stride = 0;

    RecordHead operator[](std::size_t i) const {
        RecordHead head;
        std::memcpy(&head, first + i * stride, sizeof head);
        return head;
    }
};

inline constexpr std::size_t kNoPrevious = ~std::size_t{0};

inline Pair pair_of_record(const PreviousContacts& previous, std::size_t i) {
    Pair pair;
    std::memcpy(&pair, previous.records + i * previous.stride, sizeof pair);
    return pair;
}

// A pair as one number. Keys ascend as pairs do.
inline std::uint64_t key_of(const Pair& pair) { return std::uint64_t{pair.a} << 32 | pair.b; }

// Above every key but that of the pair of the two highest indices. Stands behind the last key.
inline constexpr std::uint64_t kLastKey = ~std::uint64_t{0};

// A walk through the keys of all records, which ascend and end with kLastKey. A pair that ascends takes a step or two,
// another one a search.
class PreviousWalk {
public:
    PreviousWalk(const std::uint64_t* keys, std::size_t count) : keys_(keys), count_(count) {}

    // Index of the pair's first record, or kNoPrevious.
    template <bool kTouch>
    std::size_t find(const Pair& pair) {
        const std::uint64_t key = key_of(pair);
        if (key < last_) {  // the first pair, or one out of order
            at_ = static_cast<std::size_t>(std::lower_bound(keys_, keys_ + count_, key) - keys_);
        } else {
            // Most pairs are that of the record at hand or of the next one, or lie between both. This is only a branch
            // where it can be predicted: it then waits for no load.
            if constexpr (kTouch) {
                if (keys_[at_] < key) ++at_;
            } else {
                at_ += keys_[at_] < key ? 1 : 0;
            }
            if (keys_[at_] < key) stride_to(key);
        }
        last_ = key;
        return ((keys_[at_] == key) & (at_ < count_)) ? at_ : kNoPrevious;
    }

private:
    // Steps that double, then a binary search.
    void stride_to(std::uint64_t key) {
        for (std::size_t step = 1; keys_[at_] < key; step *= 2) {
            const std::size_t end = std::min(at_ + step, count_);
            at_ = static_cast<std::size_t>(std::lower_bound(keys_ + at_, keys_ + end, key) - keys_);
        }
    }

    const std::uint64_t* keys_;
    std::size_t count_;
    std::size_t at_ = 0;  // the first key that is not below that of the last pair
    std::uint64_t last_ = kLastKey;
};

// Not reported in the call before.
inline constexpr std::uint32_t kNoPreviousRecord = 0xFFFFFFFFU;
// Not in the call before: it is computed although both of its bodies may be marked as unmoved.
inline constexpr std::uint32_t kNewPair = 0xFFFFFFFEU;

// The bytes that are copied together of previous records that ascend.
struct PreviousMemory {
    AlignedBuffer<std::uint64_t> keys;  // with kLastKey behind them
    AlignedBuffer<RecordHead> heads;
};

// The previous records of a call.
class LANEFOLD_EXPORT PreviousRecords {
public:
    PreviousRecords() = default;
    // `index`: per pair the index of its record, kNoPreviousRecord or kNewPair. Null: records are looked up by pair.
    PreviousRecords(const PreviousContacts& contacts, std::span<const Pair> pairs, const std::uint32_t* index,
                    PreviousMemory& memory)
        : contacts_(contacts), pairs_(pairs.data()), index_(index), memory_(&memory) {}

    const PreviousContacts& contacts() const { return contacts_; }
    // Whether a pair's record is found by a walk. Then take() must have taken all records.
    bool walks() const { return !contacts_.empty() && !contacts_.one_per_pair && index_ == nullptr; }
    void reserve() const;
    // Takes the records [first, last) up to the first that is before its predecessor. Returns its index; last if there
    // is none.
    std::size_t take(std::size_t first, std::size_t last) const;
    RecordHeads heads() const;
    // Whether pair i of the call is one that the call before did not have.
    bool is_new(std::uint64_t i) const { return index_ != nullptr && index_[i] == kNewPair; }

    // Calls f with a function that gives the index of the previous record of pair first + i of the call, or
    // kNoPrevious. kTouch: nearly all of the pairs that are asked for have a record, so whether they do can be
    // predicted.
    template <bool kTouch, class F>
    void look_up(std::uint64_t first, F f) const {
        const Pair* pairs = pairs_ + first;
        if (contacts_.empty()) {
            f([](std::uint32_t) { return kNoPrevious; });
        } else if (index_ != nullptr) {
            const std::uint32_t* at = index_ + first;
            f([at](std::uint32_t i) { return at[i] < kNewPair ? std::size_t{at[i]} : kNoPrevious; });
        } else if (contacts_.one_per_pair) {
            f([&](std::uint32_t i) {
                return pair_of_record(contacts_, first + i) == pairs[i] ? first + i : kNoPrevious;
            });
        } else {
            PreviousWalk walk(memory_->keys.data(), contacts_.count);
            f([&](std::uint32_t i) { return walk.template find<kTouch>(pairs[i]); });
        }
    }

private:
    PreviousContacts contacts_;
    const Pair* pairs_ = nullptr;
    const std::uint32_t* index_ = nullptr;
    PreviousMemory* memory_ = nullptr;
};

}  // namespace lanefold::detail
