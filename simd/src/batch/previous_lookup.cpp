// SPDX-License-Identifier: MIT
//
// Searches previous records by pair.
#include "batch/previous_lookup.hpp"

#include <algorithm>
#include <cstring>

namespace lanefold::detail {
namespace {

Pair pair_at(const PreviousContacts& previous, std::size_t i) {
    Pair pair;
    std::memcpy(&pair, previous.records + i * previous.stride, sizeof pair);
    return pair;
}

// Index of the first record in [first, last) that is not before `pair`; last if there is none.
std::size_t lower_bound(const PreviousContacts& previous, std::size_t first, std::size_t last, const Pair& pair) {
    while (first < last) {
        const std::size_t middle = first + (last - first) / 2;
        if (pair_at(previous, middle) < pair) {
            first = middle + 1;
        } else {
            last = middle;
        }
    }
    return first;
}

}  // namespace

std::size_t PreviousLookup::find(const Pair& pair) {
    if (!previous_.one_per_pair) return find_sorted(pair);
    const std::size_t i = next_++;
    return pair_at(previous_, i) == pair ? i : kNoPrevious;
}

std::size_t PreviousLookup::find_sorted(const Pair& pair) {
    const std::size_t n = previous_.count;
    if (at_ == kNoPrevious || pair < last_) {
        at_ = lower_bound(previous_, 0, n, pair);
    } else {
        // Few candidates lie between two reported pairs, so the next record is near: steps that double, then a binary
        // search.
        std::size_t step = 1;
        std::size_t low = at_;
        while (low < n && pair_at(previous_, low) < pair) {
            at_ = low + 1;
            low += step;
            step *= 2;
        }
        at_ = lower_bound(previous_, at_, std::min(low, n), pair);
    }
    last_ = pair;
    return at_ < n && pair_at(previous_, at_) == pair ? at_ : kNoPrevious;
}

PreviousChoice choice_of(const PreviousContacts& previous, std::size_t i) {
    const std::byte* record = previous.records + i * previous.stride;
    RecordHead head;
    std::memcpy(&head, record, sizeof head);
    const bool may_stay = head.status == static_cast<std::uint8_t>(Status::ok) &&
                          (head.kind == static_cast<std::uint8_t>(ContactKind::face_a) ||
                           head.kind == static_cast<std::uint8_t>(ContactKind::face_b) ||
                           head.kind == static_cast<std::uint8_t>(ContactKind::edge_edge));
    if (!may_stay) return {};
    const std::size_t capacity = previous.stride == sizeof(Manifold4) ? Manifold4::kCapacity : Manifold16::kCapacity;
    return {{head.feature_a, head.feature_b, static_cast<ContactKind>(head.kind)},
            static_cast<std::uint32_t>(std::min<std::size_t>(head.count, capacity)),
            reinterpret_cast<const ContactPoint*>(record + sizeof head)};
}

std::size_t first_descent(const PreviousContacts& previous, std::size_t first, std::size_t last) {
    for (std::size_t i = std::max<std::size_t>(first, 1); i < last; ++i) {
        if (pair_at(previous, i) < pair_at(previous, i - 1)) return i;
    }
    return last;
}

}  // namespace lanefold::detail
