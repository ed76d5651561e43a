// SPDX-License-Identifier: MIT
//
// Checks the order of previous records, and copies together what the chunks read of them.
#include "coherence/previous_records.hpp"

namespace lanefold::detail {

void PreviousRecords::reserve() const {
    if (!walks()) return;
    memory_->keys.reserve_grown(contacts_.count + 1);
    memory_->heads.reserve_grown(contacts_.count);
    memory_->keys[contacts_.count] = kLastKey;
}

std::size_t PreviousRecords::take(std::size_t first, std::size_t last) const {
    std::uint64_t* const keys = memory_->keys.data();
    RecordHead* const heads = memory_->heads.data();
    std::uint64_t before = first == 0 ? 0 : key_of(pair_of_record(contacts_, first - 1));
    for (std::size_t i = first; i < last; ++i) {
        const std::uint64_t key = key_of(pair_of_record(contacts_, i));
        if (key < before) return i;
        keys[i] = before = key;
        std::memcpy(heads + i, contacts_.records + i * contacts_.stride + kHeadOffset, sizeof heads[i]);
    }
    return last;
}

RecordHeads PreviousRecords::heads() const {
    if (contacts_.empty()) return {};
    if (walks()) return {reinterpret_cast<const std::byte*>(memory_->heads.data()), sizeof(RecordHead)};
    return {contacts_.records + kHeadOffset, contacts_.stride};
}

}  // namespace lanefold::detail
