// SPDX-License-Identifier: MIT
//
// The first stage of a chunk: appends every pair to the list of its path, or writes its status. It reads two bodies and
// two hulls per pair and computes almost nothing, so its cost is its number of instructions. Pairs are sorted kWidth at
// a time; those with a bad index, body or hull are handled out of line.
#pragma once

#include <cstddef>
#include <cstdint>

#include "chunk/chunk_scratch.hpp"
#include "coherence/widen.hpp"
#include "floor/lists.hpp"
#include "pair/chunk_context.hpp"
#include "pair/tolerances.hpp"
#include "record/emit.hpp"
#include "round/rounded_pairs.hpp"

namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE {

LANEFOLD_INLINE Status frame_status(const BodyFrame& f) {
    if (f.hull < kFirstBadFrame) return Status::ok;
    return f.hull == kFrameBadPose ? Status::bad_pose : Status::bad_hull;
}

// Whether this pair of hulls takes the float64 path in every pose.
LANEFOLD_INLINE bool needs_precise(const HullRecord& a, const HullRecord& b) {
    const bool a_larger = a.size > b.size;
    const float large = a_larger ? a.size : b.size;
    const float small = a_larger ? b.size : a.size;
    return ((a.flags | b.flags) & kPreciseFlags) != 0 || large > kPreciseSizeRatio * small ||
           !(small >= kSmallestSize) || !(large <= kLargestSize);
}

// Writes the status of a pair whose indices are bad, or one of whose bodies has no hull or no pose.
template <class Record>
__attribute__((noinline)) void refuse_pair(Chunk<Record> chunk, std::uint32_t i) {
    const std::size_t bodies = chunk.job.bodies->count;
    const Pair pair = chunk.job.pairs[i];
    Record r{};
    r.status = Status::bad_index;
    if (pair.a < bodies && pair.b < bodies && pair.a != pair.b) {
        const Status a = frame_status(frame_a(chunk.job, i));
        r.status = a != Status::ok ? a : frame_status(frame_b(chunk.job, i));
    }
    if constexpr (!__is_same(Record, PairDistance)) {
        r.pair[0] = pair.a;
        r.pair[1] = pair.b;
    }
    chunk.out[i] = r;
    count_record(chunk.job, i, r, chunk.totals);
}

// The lists while they are built; the compiler keeps this in registers.
struct SortLists {
    std::uint32_t* hull;
    std::uint32_t* precise;
    std::uint32_t* box;
    PairPlaces* hull_places;
    PairPlaces* box_places;
    std::uint32_t hulls = 0;
    std::uint32_t precises = 0;
    std::uint32_t boxes = 0;
};

template <class Record>
LANEFOLD_INLINE void sort_pair(Chunk<Record> chunk, std::uint32_t i, SortLists& s) {
    PairPlaces p;
    if (!find_places(chunk.job, i, p)) {
        refuse_pair(chunk, i);
        return;
    }
    if (chunk.job.rounded != nullptr && bit_of(chunk.job.rounded->small, i)) return;
    if (chunk.job.widened != nullptr) widen_margin(chunk.job, i, p);
    if (needs_precise(*p.hull_a, *p.hull_b) ||
        (chunk.job.rounded != nullptr && bit_of(chunk.job.rounded->precise, i))) {
        s.precise[s.precises++] = i;
    } else if ((p.hull_a->flags & p.hull_b->flags & HullRecord::kBox) != 0) {
        s.box_places[s.boxes] = p;
        s.box[s.boxes++] = i;
    } else {
        s.hull_places[s.hulls] = p;
        s.hull[s.hulls++] = i;
    }
}

// Copies those of kWidth places that are named by bits, without gaps; kWidth places of `out` are overwritten. `out` may
// be `from`, unless all lanes are named.
LANEFOLD_INLINE void compress_places(const PairPlaces* from, std::uint32_t lanes, PairPlaces* out) {
    if (lanes == 0) return;
    if (lanes == kAllLanes) {
        __builtin_memcpy(out, from, kWidth * sizeof *from);
        return;
    }
    for (std::uint32_t l = 0; l < kWidth; ++l) {
        *out = from[l];
        out += (lanes >> l) & 1U;
    }
}

// kWidth pairs of a chunk, by index: neighbours, or those of a list. append(): writes those that are named by bits.
// within(): the bits of those that are in a set of kChunkPairs bits.
struct NeighbouringPairs {
    std::uint32_t begin;

    LANEFOLD_INLINE std::uint32_t operator[](std::uint32_t l) const { return begin + l; }
    LANEFOLD_INLINE std::uint32_t append(std::uint32_t lanes, std::uint32_t* out) const {
        return list_bits<kWidth>(lanes, begin, out);
    }
    // `begin` is a multiple of kWidth.
    LANEFOLD_INLINE std::uint32_t within(const std::uint64_t* set) const {
        static_assert(64 % kWidth == 0);
        return static_cast<std::uint32_t>(set[begin / 64] >> (begin % 64)) & kAllLanes;
    }
};
struct ListedPairs {
    const std::uint32_t* pair;

    LANEFOLD_INLINE std::uint32_t operator[](std::uint32_t l) const { return pair[l]; }
    LANEFOLD_INLINE std::uint32_t append(std::uint32_t lanes, std::uint32_t* out) const {
        compress(pair, lanes, out);
        return count_bits(lanes);
    }
    LANEFOLD_INLINE std::uint32_t within(const std::uint64_t* set) const {
        std::uint32_t lanes = 0;
        for (std::uint32_t l = 0; l < kWidth; ++l) lanes |= (bit_of(set, pair[l]) ? 1U : 0U) << l;
        return lanes;
    }
};

// Sorts kWidth pairs of the chunk. Returns false and does nothing if one of them gets a status.
template <class Pairs>
LANEFOLD_INLINE bool sort_lanes(const ChunkJob& job, const Pairs& pairs, SortLists& s) {
    const std::uint32_t listed = job.rounded != nullptr ? pairs.within(job.rounded->small) : 0;
    if (listed == kAllLanes) return true;
    // The right place if all pairs are of boxes.
    PairPlaces* places = s.box_places + s.boxes;
    for (std::uint32_t l = 0; l < kWidth; ++l) {
        if (!find_places(job, pairs[l], places[l])) return false;
    }
    const LaneSize a = LaneSize::load({places, false});
    const LaneSize b = LaneSize::load({places, true});
    const WFloat large = max(a.size, b.size);
    const WFloat small = min(a.size, b.size);
    if (job.widened != nullptr) widen_margins(job, pairs, a, b);
    const WInt none(0);
    // The test of needs_precise(), for sizes that are numbers.
    const WMask fine = (((a.flags | b.flags) & WInt(kPreciseFlags)) == none) &
                       (large <= splat(kPreciseSizeRatio) * small) & (small >= splat(kSmallestSize)) &
                       (large <= splat(kLargestSize));
    std::uint32_t usual = bits(fine);
    if (job.rounded != nullptr) usual &= ~(pairs.within(job.rounded->precise) | listed);
    const std::uint32_t box = usual & ~bits((a.flags & b.flags & WInt(HullRecord::kBox)) == none);
    if (box != kAllLanes) {
        compress_places(places, usual & ~box, s.hull_places + s.hulls);
        compress_places(places, box, places);
    }
    s.hulls += pairs.append(usual & ~box, s.hull + s.hulls);
    s.boxes += pairs.append(box, s.box + s.boxes);
    s.precises += pairs.append(~(usual | listed) & kAllLanes, s.precise + s.precises);
    return true;
}

// The pairs that are not skipped, ascending. `list`: kListRoom entries. Returns how many.
LANEFOLD_INLINE std::uint32_t list_unskipped(const ChunkJob& job, std::uint32_t* list) {
    std::uint32_t n = 0;
    for (std::uint32_t begin = 0; begin < job.count; begin += 64) {
        std::uint64_t rest = ~job.skip[begin / 64];
        if (job.count - begin < 64) rest &= (std::uint64_t{1} << (job.count - begin)) - 1;
        n += list_bits(rest, begin, list + n);
    }
    return n;
}

template <class Record>
LANEFOLD_INLINE void sort_listed(Chunk<Record> chunk, SortLists& lists) {
    std::uint32_t list[kListRoom];
    const std::uint32_t count = list_unskipped(chunk.job, list);
    for (std::uint32_t k = 0; k < count;) {
        const std::uint32_t end = k + lane_count(count, k);
        if (end - k == kWidth && sort_lanes(chunk.job, ListedPairs{list + k}, lists)) {
            k = end;
            continue;
        }
        for (; k < end; ++k) sort_pair(chunk, list[k], lists);
    }
}

template <class Record>
inline void stage_sort(Chunk<Record> chunk, PairPaths& paths) {
    SortLists lists = {paths.hulls.pair.data(), chunk.precise.pair.data(), paths.boxes.pair.data(),
                       paths.hulls.places.data(), paths.boxes.places.data()};
    if (chunk.job.skip != nullptr) sort_listed(chunk, lists);
    for (std::uint32_t i = 0; chunk.job.skip == nullptr && i < chunk.job.count;) {
        const std::uint32_t end = i + lane_count(chunk.job.count, i);
        if (end - i == kWidth && sort_lanes(chunk.job, NeighbouringPairs{i}, lists)) {
            i = end;
            continue;
        }
        for (; i < end; ++i) sort_pair(chunk, i, lists);
    }
    paths.hulls.count = lists.hulls;
    chunk.precise.count = lists.precises;
    take_floor_pairs(chunk.job, chunk.precise, paths.floors);
    paths.boxes.count = lists.boxes;
    pad_list(paths.hulls);
    pad_list(paths.boxes);
    chunk.totals.counters.precise_pairs += chunk.precise.count;
    chunk.totals.counters.floor_pairs += paths.floors.count();
    chunk.totals.counters.hull_pairs += paths.hulls.count;
    chunk.totals.counters.box_pairs += paths.boxes.count;
}

}  // namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE
