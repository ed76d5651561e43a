// SPDX-License-Identifier: MIT
//
// Finds the previous record of a pair: by index for dense records, by a walk for records that ascend by pair. The
// answer depends only on the pair and the records, not on how the batch is split.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include <lanefold/body.hpp>
#include <lanefold/detail/precise.hpp>
#include <lanefold/export.hpp>
#include <lanefold/previous_contacts.hpp>

namespace lanefold::detail {

// The head of a record, the same for every capacity.
struct RecordHead {
    std::uint32_t pair[2];
    float normal[3];
    float distance;
    std::uint32_t feature_a;
    std::uint32_t feature_b;
    std::uint16_t total;
    std::uint8_t count;
    std::uint8_t kind;    // any byte
    std::uint8_t status;  // any byte
    std::uint8_t reserved[11];
};
static_assert(sizeof(RecordHead) == offsetof(Manifold4, points));
static_assert(offsetof(RecordHead, kind) == offsetof(Manifold4, kind));
static_assert(offsetof(RecordHead, feature_a) == offsetof(Manifold4, feature_a));

inline constexpr std::size_t kNoPrevious = ~std::size_t{0};

// A pair as one number. Keys ascend as pairs do.
inline std::uint64_t key_of(const Pair& pair) { return std::uint64_t{pair.a} << 32 | pair.b; }

// Above every key but that of the pair of the two highest indices. Stands behind the last key.
inline constexpr std::uint64_t kLastKey = ~std::uint64_t{0};

// Walks through the keys of all records, which ascend and end with kLastKey, and writes for each pair the index of its
// record, or kNoPrevious. Of several records of a pair the first counts. A pair that ascends takes a step or two,
// another one a search.
LANEFOLD_EXPORT void walk_previous(const std::uint64_t* keys, std::size_t count, std::span<const Pair> pairs,
                                   std::size_t* found);

// The same where records[i] is that of pair i of the call. `first`: the index of pairs[0] in the call.
LANEFOLD_EXPORT void match_previous(const PreviousContacts& previous, std::size_t first, std::span<const Pair> pairs,
                                    std::size_t* found);

// The part of a record (any bytes of `stride`) that hysteresis reads; kind none if the record holds no features that
// could stay.
inline PreviousChoice choice_of(const std::byte* record, std::size_t stride) {
    RecordHead head;
    std::memcpy(&head, record, sizeof head);
    static_assert(static_cast<int>(ContactKind::face_a) == 1 && static_cast<int>(ContactKind::face_b) == 2 &&
                  static_cast<int>(ContactKind::edge_edge) == 3);
    const auto above = static_cast<std::uint8_t>(head.kind - 1);  // wraps for kind none
    const bool may_stay = (head.status == static_cast<std::uint8_t>(Status::ok)) & (above < 3);
    const std::uint8_t capacity = stride == sizeof(Manifold4) ? Manifold4::kCapacity : Manifold16::kCapacity;
    PreviousChoice choice;
    choice.features = {head.feature_a, head.feature_b, static_cast<ContactKind>(may_stay ? head.kind : 0)};
    choice.count = head.count < capacity ? head.count : capacity;
    choice.points = reinterpret_cast<const ContactPoint*>(record + sizeof head);
    return choice;
}

// Index of the first record in [first, last) that is before its predecessor; last if there is none. Writes the keys of
// the records before it.
LANEFOLD_EXPORT std::size_t first_descent(const PreviousContacts& previous, std::size_t first, std::size_t last,
                                          std::uint64_t* keys);

}  // namespace lanefold::detail
