// SPDX-License-Identifier: MIT
//
// The first stage of a chunk: every pair goes to the list of its path, or gets its status. Two bodies and two hulls are
// looked at per pair and almost nothing is computed, so the number of instructions is what it costs: pairs that cannot
// be looked at are dealt with out of line, and AVX-512 gathers what sixteen pairs need.
#pragma once

#include <cstddef>
#include <cstdint>

#include "body_frames.hpp"
#include "box_pipeline.hpp"
#include "emit.hpp"

namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE {

// Sizes outside of this range take the float64 path: fourth powers of edge lengths must stay far from the ends
// of float32. In the caller's unit; a micrometre to a thousand kilometres when that is the metre.
inline constexpr float kSmallestSize = 1e-6F;
inline constexpr float kLargestSize = 1e6F;

// Hulls with one of these flags take the float64 path whatever they meet.
inline constexpr std::uint8_t kPreciseFlags = HullRecord::kWide | HullRecord::kFar;

LANEFOLD_INLINE Status frame_status(const BodyFrame& f) {
    if (f.hull < kFirstBadFrame) return Status::ok;
    return f.hull == kFrameBadPose ? Status::bad_pose : Status::bad_hull;
}

// Does this pair of hulls need float64, whatever the pose?
LANEFOLD_INLINE bool needs_precise(const HullRecord& a, const HullRecord& b) {
    const bool a_larger = a.size > b.size;
    const float large = a_larger ? a.size : b.size;
    const float small = a_larger ? b.size : a.size;
    return ((a.flags | b.flags) & kPreciseFlags) != 0 || large > kPreciseSizeRatio * small ||
           !(small >= kSmallestSize) || !(large <= kLargestSize);
}

// A pair that cannot be looked at: indices that are no bodies, or a body without a hull or a pose.
template <class Record>
__attribute__((noinline)) void refuse_pair(const ChunkJob& job, std::uint32_t i, Record* out, ChunkTotals& totals) {
    const std::size_t bodies = job.bodies->count;
    const Pair pair = job.pairs[i];
    Record r{};
    r.status = Status::bad_index;
    if (pair.a < bodies && pair.b < bodies && pair.a != pair.b) {
        const Status a = frame_status(frame_a(job, i));
        r.status = a != Status::ok ? a : frame_status(frame_b(job, i));
    }
    if constexpr (!__is_same(Record, PairDistance)) {
        r.pair[0] = pair.a;
        r.pair[1] = pair.b;
    }
    out[i] = r;
    count_record(job, i, r, totals);
}

// The lists under construction, in registers.
struct SortLists {
    std::uint32_t* hull;
    std::uint32_t* precise;
    std::uint32_t* box_pair;
    const float** box_frame_a;
    const float** box_frame_b;
    const float** box_extents_a;
    const float** box_extents_b;
    std::uint32_t hulls = 0;
    std::uint32_t precises = 0;
    std::uint32_t boxes = 0;
};

template <class Record>
LANEFOLD_INLINE void sort_pair(const ChunkJob& job, std::uint32_t i, SortLists& s, Record* out, ChunkTotals& totals) {
    const std::size_t bodies = job.bodies->count;
    const std::size_t body_a = job.pairs[i].a;
    const std::size_t body_b = job.pairs[i].b;
    if (body_a >= bodies || body_b >= bodies || body_a == body_b) {
        refuse_pair(job, i, out, totals);
        return;
    }
    const BodyFrame& a = job.frames[job.frames_per_pair ? 2 * i : body_a];
    const BodyFrame& b = job.frames[job.frames_per_pair ? 2 * i + 1 : body_b];
    if (a.hull >= kFirstBadFrame || b.hull >= kFirstBadFrame) {
        refuse_pair(job, i, out, totals);
        return;
    }
    const HullRecord& hull_a = job.hulls[a.hull];
    const HullRecord& hull_b = job.hulls[b.hull];
    if (needs_precise(hull_a, hull_b)) {
        s.precise[s.precises++] = i;
    } else if ((hull_a.flags & hull_b.flags & HullRecord::kBox) != 0) {
        s.box_pair[s.boxes] = i;
        s.box_frame_a[s.boxes] = a.rotation;
        s.box_frame_b[s.boxes] = b.rotation;
        s.box_extents_a[s.boxes] = &hull_a.size;
        s.box_extents_b[s.boxes] = &hull_b.size;
        ++s.boxes;
    } else {
        s.hull[s.hulls++] = i;
    }
}

#if LANEFOLD_ISA_ID == LANEFOLD_ISA_avx512

// Frames and hull records are reached by 32-bit signed multiples of 8 bytes.
inline constexpr std::uint32_t kMostGathered = 1U << 28;

LANEFOLD_INLINE __m512i gather_words(const void* base, __m512i index, std::size_t offset) {
    static_assert(sizeof(BodyFrame) == 64 && sizeof(HullRecord) == 64);
    return _mm512_i32gather_epi32(_mm512_slli_epi32(index, 3), static_cast<const std::byte*>(base) + offset, 8);
}

LANEFOLD_INLINE void store_pointers(const float** to, const void* base, __m512i index, std::size_t offset) {
    const std::uintptr_t address = reinterpret_cast<std::uintptr_t>(base) + offset;
    const __m512i first = _mm512_set1_epi64(static_cast<long long>(address));
    const __m512i low = _mm512_cvtepu32_epi64(_mm512_castsi512_si256(index));
    const __m512i high = _mm512_cvtepu32_epi64(_mm512_extracti64x4_epi64(index, 1));
    _mm512_storeu_si512(to, _mm512_add_epi64(first, _mm512_slli_epi64(low, 6)));
    _mm512_storeu_si512(to + 8, _mm512_add_epi64(first, _mm512_slli_epi64(high, 6)));
}

// Pairs [begin, begin + 16) of the chunk. False, with nothing done, when some pair needs a closer look.
LANEFOLD_INLINE bool sort_sixteen(const ChunkJob& job, std::uint32_t begin, SortLists& s) {
    const __m512i even = _mm512_set_epi32(30, 28, 26, 24, 22, 20, 18, 16, 14, 12, 10, 8, 6, 4, 2, 0);
    const __m512i odd = _mm512_add_epi32(even, _mm512_set1_epi32(1));
    const __m512i first = _mm512_loadu_si512(job.pairs + begin);
    const __m512i second = _mm512_loadu_si512(job.pairs + begin + 8);
    __m512i a = _mm512_permutex2var_epi32(first, even, second);
    __m512i b = _mm512_permutex2var_epi32(first, odd, second);
    const std::size_t bodies = job.bodies->count;
    const __m512i end = _mm512_set1_epi32(static_cast<int>(bodies < kMostGathered ? bodies : kMostGathered));
    if ((_mm512_cmpge_epu32_mask(_mm512_max_epu32(a, b), end) | _mm512_cmpeq_epi32_mask(a, b)) != 0) return false;
    if (job.frames_per_pair) {
        const __m512i at = _mm512_set1_epi32(static_cast<int>(2 * begin));
        a = _mm512_add_epi32(at, even);
        b = _mm512_add_epi32(at, odd);
    }
    const __m512i hull_a = gather_words(job.frames, a, offsetof(BodyFrame, hull));
    const __m512i hull_b = gather_words(job.frames, b, offsetof(BodyFrame, hull));
    const __m512i most = _mm512_set1_epi32(static_cast<int>(kMostGathered));
    if (_mm512_cmpge_epu32_mask(_mm512_max_epu32(hull_a, hull_b), most) != 0) return false;

    const __m512 size_a = _mm512_castsi512_ps(gather_words(job.hulls, hull_a, offsetof(HullRecord, size)));
    const __m512 size_b = _mm512_castsi512_ps(gather_words(job.hulls, hull_b, offsetof(HullRecord, size)));
    // Flags and the three bytes behind them.
    static_assert(offsetof(HullRecord, flags) % 4 == 0);
    const __m512i flags_a = gather_words(job.hulls, hull_a, offsetof(HullRecord, flags));
    const __m512i flags_b = gather_words(job.hulls, hull_b, offsetof(HullRecord, flags));
    const __m512 large = _mm512_max_ps(size_a, size_b);
    const __m512 small = _mm512_min_ps(size_a, size_b);
    const __mmask16 fine =
        _mm512_testn_epi32_mask(_mm512_or_si512(flags_a, flags_b), _mm512_set1_epi32(kPreciseFlags)) &
        _mm512_cmp_ps_mask(large, _mm512_mul_ps(_mm512_set1_ps(kPreciseSizeRatio), small), _CMP_LE_OQ) &
        _mm512_cmp_ps_mask(small, _mm512_set1_ps(kSmallestSize), _CMP_GE_OQ) &
        _mm512_cmp_ps_mask(large, _mm512_set1_ps(kLargestSize), _CMP_LE_OQ);
    const __mmask16 box =
        fine & _mm512_test_epi32_mask(_mm512_and_si512(flags_a, flags_b), _mm512_set1_epi32(HullRecord::kBox));
    const auto hull = static_cast<__mmask16>(fine & ~box);
    const auto precise = static_cast<__mmask16>(~fine);
    const __m512i pair = _mm512_add_epi32(_mm512_set1_epi32(static_cast<int>(begin)), _mm512_srli_epi32(even, 1));
    // Lists have room for a vector behind their end.
    _mm512_storeu_si512(s.hull + s.hulls, _mm512_maskz_compress_epi32(hull, pair));
    _mm512_storeu_si512(s.precise + s.precises, _mm512_maskz_compress_epi32(precise, pair));
    s.hulls += count_bits(hull);
    s.precises += count_bits(precise);
    if (box == 0) return true;
    const std::uint32_t n = s.boxes;
    _mm512_storeu_si512(s.box_pair + n, _mm512_maskz_compress_epi32(box, pair));
    store_pointers(s.box_frame_a + n, job.frames, _mm512_maskz_compress_epi32(box, a), offsetof(BodyFrame, rotation));
    store_pointers(s.box_frame_b + n, job.frames, _mm512_maskz_compress_epi32(box, b), offsetof(BodyFrame, rotation));
    store_pointers(s.box_extents_a + n, job.hulls, _mm512_maskz_compress_epi32(box, hull_a),
                   offsetof(HullRecord, size));
    store_pointers(s.box_extents_b + n, job.hulls, _mm512_maskz_compress_epi32(box, hull_b),
                   offsetof(HullRecord, size));
    s.boxes += count_bits(box);
    return true;
}

#endif

template <class Record>
inline void stage_sort(const ChunkJob& job, ChunkScratch::Impl& s, Record* out, ChunkTotals& totals) {
    SortLists lists = {s.hull_list.data(),      s.precise_list.data(),  s.boxes.pair.data(),
                       s.boxes.frame_a.data(),  s.boxes.frame_b.data(), s.boxes.extents_a.data(),
                       s.boxes.extents_b.data()};
    std::uint32_t i = 0;
    while (i < job.count) {
        std::uint32_t end = job.count;
#if LANEFOLD_ISA_ID == LANEFOLD_ISA_avx512
        if (job.skip == nullptr && i + 16 <= job.count) {
            if (sort_sixteen(job, i, lists)) {
                i += 16;
                continue;
            }
            end = i + 16;
        }
#endif
        for (; i < end; ++i) {
            if (job.skip != nullptr && ((job.skip[i / 64] >> (i % 64)) & 1U) != 0) continue;
            sort_pair(job, i, lists, out, totals);
        }
    }
    s.hull_count = lists.hulls;
    s.precise_count = lists.precises;
    s.boxes.count = lists.boxes;
    pad_boxes(s.boxes);
    totals.counters.precise_pairs += s.precise_count;
    totals.counters.hull_pairs += s.hull_count;
    totals.counters.box_pairs += s.boxes.count;
}

}  // namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE
