// SPDX-License-Identifier: MIT
//
// See the header. Where the bodies of a world are neighbours and shared bodies come last, the pairs are in order as
// they are.
#include "finders/world_order.hpp"

#include <algorithm>
#include <atomic>

#include "boxes/tasks.hpp"
#include "tree/bucket_sort.hpp"

namespace lanefold::detail {

namespace {

constexpr std::size_t kPairsPerTask = 8192;

std::size_t world_of(const Pair& pair, std::span<const std::int32_t> world) {
    return static_cast<std::size_t>(std::max(world[pair.a], world[pair.b]));  // kSharedBody is below all worlds
}

bool takes_part(std::size_t world, std::span<const std::uint8_t> active) {
    return active.empty() || active[world] != 0;
}

}  // namespace

// Finds where each world begins, if the pairs are in order and all of them count; false otherwise.
bool WorldOrder::take_offsets(std::span<const Pair> pairs, const PairFinderOptions& o) {
    std::atomic<bool> ordered{true};
    for_blocks(pairs.size(), kPairsPerTask, o.threads, [&](std::size_t first, std::size_t last) {
        // A world begins where the one of the pair before is another.
        std::size_t next = first == 0 ? 0 : world_of(pairs[first - 1], o.world) + 1;
        for (std::size_t i = first; i < last; ++i) {
            const std::size_t w = world_of(pairs[i], o.world);
            if (w + 1 < next || !takes_part(w, o.active)) {
                ordered.store(false, std::memory_order_relaxed);
                return;
            }
            while (next <= w) offsets_[next++] = i;
        }
    });
    return ordered.load(std::memory_order_relaxed);
}

void WorldOrder::sort(std::span<const Pair> pairs, const PairFinderOptions& o) {
    // Pairs that do not count go behind the last world.
    const std::size_t lists = (pairs.size() + kPairsPerTask - 1) / kPairsPerTask;
    bucket_sort(
        lists,
        [&](std::size_t l) {
            const std::size_t first = l * kPairsPerTask;
            return pairs.subspan(first, std::min(kPairsPerTask, pairs.size() - first));
        },
        o.worlds + std::size_t{1},
        [&](const Pair& p) {
            const std::size_t w = world_of(p, o.world);
            return takes_part(w, o.active) ? w : o.worlds;
        },
        o.threads, start_, sorted_);
    // The sort has moved the begin of each bucket to its end.
    for (std::size_t w = 0; w < o.worlds; ++w) offsets_[w + 1] = start_[w];
    offsets_[0] = 0;
}

std::span<const Pair> WorldOrder::order(std::span<const Pair> pairs, const PairFinderOptions& o) {
    offsets_.assign(o.worlds + std::size_t{1}, pairs.size());
    if (take_offsets(pairs, o)) return pairs;
    sort(pairs, o);
    return std::span<const Pair>(sorted_).first(offsets_.back());
}

}  // namespace lanefold::detail
