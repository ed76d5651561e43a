// SPDX-License-Identifier: MIT
//
// Hysteresis. It runs when all pairs of the chunk are decided. If the features of a touching pair differ from those of
// its previous record, hold_contact() decides whether the previous ones stay (core/src/precise/hold.cpp). Its inputs
// are results of the pair alone and the previous record, so the answer depends on nothing else.
//
// Only pairs that touch are looked up. Nearly all of them have a record with the same features, so the pass over them
// has no branch that depends on a record. It lists the few pairs that need a closer look.
#include "coherence/hold.hpp"

#include <algorithm>
#include <bit>

namespace lanefold::detail {
namespace {

// Whether a previous record has features that could stay.
bool may_stay(const RecordHead& head) {
    static_assert(static_cast<int>(ContactKind::face_a) == 1 && static_cast<int>(ContactKind::face_b) == 2 &&
                  static_cast<int>(ContactKind::edge_edge) == 3);
    const auto above = static_cast<std::uint8_t>(head.kind - 1);  // wraps for kind none
    return (head.status == static_cast<std::uint8_t>(Status::ok)) & (above < 3);
}

// The number of points of a record of this size, whatever its bytes are.
std::uint8_t points_of(const RecordHead& head, std::size_t stride) {
    const std::uint8_t capacity = stride == sizeof(Manifold4) ? Manifold4::kCapacity : Manifold16::kCapacity;
    return head.count < capacity ? head.count : capacity;
}

template <class Record, class Find>
void list_doubtful(const ChunkJob& job, RecordHeads heads, std::size_t stride, Find& find, HoldMemory& list) {
    const auto* const records = static_cast<const Record*>(job.out);
    constexpr RecordHead kNone = {};
    for (std::uint32_t w = 0; w < kChunkWords; ++w) {
        for (std::uint64_t bits = job.reported[w] & list.chunk.left[w]; bits != 0; bits &= bits - 1) {
            const std::uint32_t i = 64 * w + static_cast<std::uint32_t>(std::countr_zero(bits));
            const std::size_t at = find(i);
            const RecordHead head = at == kNoPrevious ? kNone : heads[at];
            const Record& r = records[i];
            const bool other = (r.feature_a != head.feature_a) | (r.feature_b != head.feature_b) |
                               (static_cast<std::uint8_t>(r.kind) != head.kind);
            const bool reduced = (r.total > r.count) & (r.count == points_of(head, stride));
            list.pair[list.count] = i;
            list.previous[list.count] = at;
            const bool doubtful = may_stay(head) & (r.kind != ContactKind::none) & (other | reduced);
            list.count += doubtful ? 1U : 0U;
        }
    }
}

PreviousChoice choice_of(const PreviousContacts& previous, std::size_t i) {
    const std::byte* const record = previous.records + i * previous.stride;
    const RecordHead head = RecordHeads{record + kHeadOffset, 0}[0];
    PreviousChoice choice;
    choice.features = {head.feature_a, head.feature_b, static_cast<ContactKind>(head.kind)};
    choice.count = points_of(head, previous.stride);
    choice.points = reinterpret_cast<const ContactPoint*>(record + offsetof(Manifold4, points));
    return choice;
}

// Whether the reduction of this record dropped a point that the previous record had.
template <class Record>
bool reduced_otherwise(const Record& r, const PreviousChoice& previous) {
    if (r.total <= r.count || previous.count != r.count) return false;
    // Nearly always all points are where they were. One comparison of all of them sees it without a misprediction.
    if (previous.count == Record::kCapacity) {
        std::uint32_t moved = 0;
        for (std::uint32_t k = 0; k < Record::kCapacity; ++k) moved |= r.points[k].feature ^ previous.points[k].feature;
        if (moved == 0) return false;
    }
    for (std::uint32_t k = 0; k < previous.count; ++k) {
        bool there = false;
        for (std::uint32_t j = 0; j < r.count; ++j) there |= r.points[j].feature == previous.points[k].feature;
        if (!there) return true;
    }
    return false;
}

template <class Record>
void hold_listed(const ChunkJob& job, const PreviousContacts& contacts, float hysteresis, const HoldMemory& list,
                 PreciseScratch& scratch, ChunkTotals& totals) {
    for (std::uint32_t k = 0; k < list.count; ++k) {
        const std::uint32_t i = list.pair[k];
        const PreviousChoice previous = choice_of(contacts, list.previous[k]);
        Record& r = static_cast<Record*>(job.out)[i];
        const FeatureChoice chosen{r.feature_a, r.feature_b, r.kind};
        if (chosen == previous.features && !reduced_otherwise(r, previous)) continue;
        ++totals.counters.hold_tried;
        Record held;
        if (!hold_contact(precise_pair(job, i), {chosen, &previous, r.distance, hysteresis}, scratch, held)) continue;
        ++totals.counters.held;
        --totals.by_kind[static_cast<std::size_t>(r.kind)];
        ++totals.by_kind[static_cast<std::size_t>(held.kind)];
        totals.points -= r.count;
        totals.points += held.count;
        r = held;
    }
}

template <class Record>
void hold_records(const ChunkJob& job, HoldMemory& memory, PreciseScratch& scratch, ChunkTotals& totals) {
    const ChunkHold& chunk = memory.chunk;
    const PreviousRecords& previous = *chunk.previous;
    const PreviousContacts& contacts = previous.contacts();
    memory.count = 0;
    previous.look_up<true>(
        chunk.first, [&](auto find) { list_doubtful<Record>(job, previous.heads(), contacts.stride, find, memory); });
    hold_listed<Record>(job, contacts, chunk.hysteresis, memory, scratch, totals);
}

// The record of a pair without a previous one. Its head is one of these zeros, too.
constexpr Manifold16 kNoRecord{};

}  // namespace

void begin_hold(ChunkHold& hold, const PreviousRecords& previous, std::uint64_t first, float hysteresis) {
    hold.previous = &previous;
    hold.first = first;
    hold.hysteresis = hysteresis;
    hold.most_points = previous.contacts().stride == sizeof(Manifold4) ? Manifold4::kCapacity : Manifold16::kCapacity;
    std::fill_n(hold.left, kChunkWords, std::uint64_t{0});
}

void find_previous(ChunkHold& hold, const std::uint64_t* bits) {
    const PreviousContacts& contacts = hold.previous->contacts();
    const RecordHeads heads = hold.previous->heads();
    const auto* const none = reinterpret_cast<const std::byte*>(&kNoRecord);
    hold.previous->look_up<true>(hold.first, [&](auto find) {
        for (std::uint32_t w = 0; w < kChunkWords; ++w) {
            for (std::uint64_t rest = bits[w]; rest != 0; rest &= rest - 1) {
                const std::uint32_t i = 64 * w + static_cast<std::uint32_t>(std::countr_zero(rest));
                const std::size_t at = find(i);
                const bool known = at != kNoPrevious;
                hold.head[i] = known ? heads.first + at * heads.stride : none;
                hold.record[i] = known ? contacts.records + at * contacts.stride : none;
            }
        }
    });
}

void hold_contacts(const ChunkJob& job, HoldMemory& memory, PreciseScratch& scratch, ChunkTotals& totals) {
    if (job.level == OutputLevel::manifold16)
        hold_records<Manifold16>(job, memory, scratch, totals);
    else
        hold_records<Manifold4>(job, memory, scratch, totals);
}

}  // namespace lanefold::detail
