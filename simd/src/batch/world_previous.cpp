// SPDX-License-Identifier: MIT
//
// A merge of the world's pairs with its records, both of which ascend; a pair out of order costs a search.
#include "batch/world_previous.hpp"

#include <algorithm>
#include <numeric>

#include "batch/world_arguments.hpp"

namespace lanefold::detail {
namespace {

// The records of a world, by the keys that their pairs have in this call.
class OwnRecords {
public:
    OwnRecords(const PreviousContacts& previous, const WorldRanges& ranges, std::size_t w, std::size_t count)
        : previous_(previous),
          first_(ranges.previous_records[w]),
          end_(first_ + count),
          bodies_(ranges.bodies.empty() ? WorldBodies() : WorldBodies(ranges.bodies, w)) {}

    std::size_t first() const { return first_; }
    std::size_t end() const { return end_; }

    std::uint64_t key(std::size_t i) const {
        const Pair alone = pair_of_record(previous_, i);
        return key_of({bodies_.whole(alone.a), bodies_.whole(alone.b)});
    }
    // The first record that is before its predecessor, or kNoPrevious.
    std::size_t first_disorder() const {
        for (std::size_t i = first_ + 1; i < end_; ++i) {
            if (key(i) < key(i - 1)) return i;
        }
        return kNoPrevious;
    }
    // The first record whose key is not below this one.
    std::size_t lower_bound(std::uint64_t key) const {
        std::size_t low = first_;
        for (std::size_t count = end_ - first_; count > 0;) {
            const std::size_t half = count / 2;
            const bool below = this->key(low + half) < key;
            low += below ? half + 1 : 0;
            count = below ? count - half - 1 : half;
        }
        return low;
    }

private:
    const PreviousContacts& previous_;
    std::size_t first_, end_;
    WorldBodies bodies_;
};

// A world that took no part, or was truncated or stopped, does not say of a pair without a record that it is apart.
bool is_whole(const WorldResult& r) {
    return r.status == Status::ok && std::accumulate(r.by_status, r.by_status + kStatusCount, std::uint64_t{0}) != 0;
}

}  // namespace

std::size_t index_previous(const PreviousContacts& previous, const WorldRanges& ranges, const WorldResult& result,
                           std::size_t w, std::span<const Pair> pairs, std::uint32_t* index) {
    const OwnRecords records(previous, ranges, w, result.written);
    const std::size_t disorder = records.first_disorder();
    if (disorder != kNoPrevious) return disorder;
    const std::uint32_t none = is_whole(result) ? kNoPreviousRecord : kNewPair;
    const PairRange own = pairs_of(ranges, w);
    std::size_t at = records.first();
    std::uint64_t last = 0;
    for (std::uint64_t i = own.begin; i < own.end; ++i) {
        const std::uint64_t key = key_of(pairs[i]);
        if (key < last) at = records.lower_bound(key);
        while (at != records.end() && records.key(at) < key) ++at;
        index[i] = at != records.end() && records.key(at) == key ? static_cast<std::uint32_t>(at) : none;
        last = key;
    }
    return kNoPrevious;
}

}  // namespace lanefold::detail
