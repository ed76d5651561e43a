// SPDX-License-Identifier: MIT
//
// The first stage of a chunk: appends every pair to the list of its path, or writes its status. It reads two bodies and
// two hulls per pair and computes almost nothing, so its cost is its number of instructions. Pairs are sorted kWidth at
// a time; those with a bad index, body or hull are handled out of line.
#pragma once

#include <cstddef>
#include <cstdint>

#include "chunk/chunk_scratch.hpp"
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

// Returns false and sets nothing if the pair gets a status instead.
LANEFOLD_INLINE bool find_places(const ChunkJob& job, std::uint32_t i, PairPlaces& out) {
    const std::size_t bodies = job.bodies->count;
    const Pair pair = job.pairs[i];
    if (pair.a >= bodies || pair.b >= bodies || pair.a == pair.b) return false;
    const BodyFrame& a = frame_a(job, i);
    const BodyFrame& b = frame_b(job, i);
    if (a.hull >= kFirstBadFrame || b.hull >= kFirstBadFrame) return false;
    out = {&a, &b, job.hulls + a.hull, job.hulls + b.hull};
    return true;
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
    } else if (needs_precise(*p.hull_a, *p.hull_b) ||
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

// Sorts pairs [begin, begin + kWidth) of the chunk. Returns false and does nothing if one of them gets a status.
LANEFOLD_INLINE bool sort_lanes(const ChunkJob& job, std::uint32_t begin, SortLists& s) {
    // The right place if all pairs are of boxes.
    PairPlaces* places = s.box_places + s.boxes;
    for (std::uint32_t l = 0; l < kWidth; ++l) {
        if (!find_places(job, begin + l, places[l])) return false;
    }
    const LaneSize a = LaneSize::load({places, false});
    const LaneSize b = LaneSize::load({places, true});
    const WFloat large = max(a.size, b.size);
    const WFloat small = min(a.size, b.size);
    const WInt none(0);
    // The test of needs_precise(), for sizes that are numbers.
    const WMask fine = (((a.flags | b.flags) & WInt(kPreciseFlags)) == none) &
                       (large <= splat(kPreciseSizeRatio) * small) & (small >= splat(kSmallestSize)) &
                       (large <= splat(kLargestSize));
    std::uint32_t usual = bits(fine);
    if (job.rounded != nullptr) {
        static_assert(64 % kWidth == 0);
        usual &= ~static_cast<std::uint32_t>(job.rounded->precise[begin / 64] >> (begin % 64));
    }
    const std::uint32_t box = usual & ~bits((a.flags & b.flags & WInt(HullRecord::kBox)) == none);
    if (box != kAllLanes) {
        compress_places(places, usual & ~box, s.hull_places + s.hulls);
        compress_places(places, box, places);
    }
    s.hulls += list_bits<kWidth>(usual & ~box, begin, s.hull + s.hulls);
    s.boxes += list_bits<kWidth>(box, begin, s.box + s.boxes);
    s.precises += list_bits<kWidth>(~usual & kAllLanes, begin, s.precise + s.precises);
    return true;
}

template <class Record>
inline void stage_sort(Chunk<Record> chunk, PairPaths& paths) {
    SortLists lists = {paths.hulls.pair.data(), chunk.precise.pair.data(), paths.boxes.pair.data(),
                       paths.hulls.places.data(), paths.boxes.places.data()};
    std::uint32_t i = 0;
    while (i < chunk.job.count) {
        std::uint32_t end = chunk.job.count;
        if (chunk.job.skip == nullptr && i + kWidth <= chunk.job.count) {
            if (sort_lanes(chunk.job, i, lists)) {
                i += kWidth;
                continue;
            }
            end = i + kWidth;
        }
        for (; i < end; ++i) {
            if (chunk.job.skip != nullptr && bit_of(chunk.job.skip, i)) continue;
            sort_pair(chunk, i, lists);
        }
    }
    paths.hulls.count = lists.hulls;
    chunk.precise.count = lists.precises;
    take_floor_pairs(chunk.job, chunk.precise, paths.floors);
    paths.boxes.count = lists.boxes;
    pad_list(paths.hulls);
    pad_list(paths.boxes);
    chunk.totals.counters.precise_pairs += chunk.precise.count;
    chunk.totals.counters.floor_pairs += paths.floors.boxes.count + paths.floors.hulls.count;
    chunk.totals.counters.hull_pairs += paths.hulls.count;
    chunk.totals.counters.box_pairs += paths.boxes.count;
}

}  // namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE
