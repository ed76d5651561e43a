// SPDX-License-Identifier: MIT
//
// Lanes of 16 bits, twice as many as WFloat has, for bounds in fixed point. Integers: the same on every instruction set
// without further care. xsimd 8.1 has no upper half of a product of 16-bit lanes, so this is native code throughout.
#pragma once

#include "lanes/wide.hpp"

namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE {

// WShort: load and store of kShorts int16_t (aligned); pairs(x): both halves of x in turns; splat; iota; mul_round:
// products of fixed point numbers with 15 bits behind the point, rounded to nearest, up in the middle (of no two
// -32768); min, max; select(mask, a, b); highest(): the maximum of all lanes; pair_bits(m, n): a bit for each lane of
// two masks.

#if LANEFOLD_ISA_ID == LANEFOLD_ISA_scalar

inline constexpr std::uint32_t kShorts = 1;
struct WShortMask {
    bool v;
};
struct WShort {
    std::int32_t v;
    WShort() = default;
    LANEFOLD_INLINE explicit WShort(std::int32_t x) : v(x) {}
    LANEFOLD_INLINE static WShort load(const std::int16_t* p) { return WShort(*p); }
    LANEFOLD_INLINE void store(std::int16_t* p) const { *p = static_cast<std::int16_t>(v); }
    LANEFOLD_INLINE static WShort pairs(std::int32_t x) { return WShort(static_cast<std::int16_t>(x)); }
    LANEFOLD_INLINE static WShort iota() { return WShort(0); }
};
LANEFOLD_INLINE WShort operator+(WShort a, WShort b) { return WShort(a.v + b.v); }
LANEFOLD_INLINE WShort operator|(WShort a, WShort b) { return WShort(a.v | b.v); }
LANEFOLD_INLINE WShort mul_round(WShort a, WShort b) { return WShort((a.v * b.v + 0x4000) >> 15); }
LANEFOLD_INLINE WShort min(WShort a, WShort b) { return a.v < b.v ? a : b; }
LANEFOLD_INLINE WShort max(WShort a, WShort b) { return a.v > b.v ? a : b; }
LANEFOLD_INLINE WShortMask operator==(WShort a, WShort b) { return {a.v == b.v}; }
LANEFOLD_INLINE WShortMask operator>(WShort a, WShort b) { return {a.v > b.v}; }
LANEFOLD_INLINE WShort select(WShortMask m, WShort a, WShort b) { return m.v ? a : b; }
LANEFOLD_INLINE std::int32_t highest(WShort a) { return a.v; }
LANEFOLD_INLINE std::uint64_t pair_bits(WShortMask a, WShortMask b) { return (a.v ? 1U : 0U) | (b.v ? 2U : 0U); }

#elif LANEFOLD_ISA_ID == LANEFOLD_ISA_neon

inline constexpr std::uint32_t kShorts = 8;
struct WShortMask {
    uint16x8_t v;
};
struct WShort {
    int16x8_t v;
    WShort() = default;
    LANEFOLD_INLINE WShort(int16x8_t x) : v(x) {}
    LANEFOLD_INLINE explicit WShort(std::int32_t x) : v(vdupq_n_s16(static_cast<std::int16_t>(x))) {}
    LANEFOLD_INLINE static WShort load(const std::int16_t* p) { return vld1q_s16(p); }
    LANEFOLD_INLINE void store(std::int16_t* p) const { vst1q_s16(p, v); }
    LANEFOLD_INLINE static WShort pairs(std::int32_t x) { return vreinterpretq_s16_s32(vdupq_n_s32(x)); }
    LANEFOLD_INLINE static WShort iota() {
        static constexpr std::int16_t kIota[8] = {0, 1, 2, 3, 4, 5, 6, 7};
        return vld1q_s16(kIota);
    }
};
LANEFOLD_INLINE WShort operator+(WShort a, WShort b) { return vaddq_s16(a.v, b.v); }
LANEFOLD_INLINE WShort operator|(WShort a, WShort b) { return vorrq_s16(a.v, b.v); }
LANEFOLD_INLINE WShort mul_round(WShort a, WShort b) { return vqrdmulhq_s16(a.v, b.v); }
LANEFOLD_INLINE WShort min(WShort a, WShort b) { return vminq_s16(a.v, b.v); }
LANEFOLD_INLINE WShort max(WShort a, WShort b) { return vmaxq_s16(a.v, b.v); }
LANEFOLD_INLINE WShortMask operator==(WShort a, WShort b) { return {vceqq_s16(a.v, b.v)}; }
LANEFOLD_INLINE WShortMask operator>(WShort a, WShort b) { return {vcgtq_s16(a.v, b.v)}; }
LANEFOLD_INLINE WShort select(WShortMask m, WShort a, WShort b) { return vbslq_s16(m.v, a.v, b.v); }
LANEFOLD_INLINE std::int32_t highest(WShort a) { return vmaxvq_s16(a.v); }
LANEFOLD_INLINE std::uint64_t pair_bits(WShortMask a, WShortMask b) {
    static constexpr std::uint16_t kBit[8] = {1, 2, 4, 8, 16, 32, 64, 128};
    const uint16x8_t bit = vld1q_u16(kBit);
    return vaddvq_u16(vandq_u16(a.v, bit)) | std::uint64_t{vaddvq_u16(vandq_u16(b.v, bit))} << 8;
}

#else  // x86

// The highest of eight lanes. Before SSE4.1, which has an instruction that finds the lowest, by halves.
LANEFOLD_INLINE std::int32_t highest8(__m128i v) {
#if LANEFOLD_ISA_ID == LANEFOLD_ISA_sse2
    v = _mm_max_epi16(v, _mm_shuffle_epi32(v, 0x4E));
    v = _mm_max_epi16(v, _mm_shuffle_epi32(v, 0xB1));
    v = _mm_max_epi16(v, _mm_shufflelo_epi16(v, 0xB1));
    return static_cast<std::int16_t>(_mm_cvtsi128_si32(v));
#else
    const __m128i flip = _mm_set1_epi16(0x7FFF);  // highest signed to lowest unsigned
    return static_cast<std::int16_t>(_mm_cvtsi128_si32(_mm_minpos_epu16(_mm_xor_si128(v, flip))) ^ 0x7FFF);
#endif
}

#if LANEFOLD_ISA_ID == LANEFOLD_ISA_avx512

inline constexpr std::uint32_t kShorts = 32;
struct WShortMask {
    __mmask32 v;
};
struct WShort {
    __m512i v;
    WShort() = default;
    LANEFOLD_INLINE WShort(__m512i x) : v(x) {}
    LANEFOLD_INLINE explicit WShort(std::int32_t x) : v(_mm512_set1_epi16(static_cast<short>(x))) {}
    LANEFOLD_INLINE static WShort load(const std::int16_t* p) { return _mm512_load_si512(p); }
    LANEFOLD_INLINE void store(std::int16_t* p) const { _mm512_store_si512(p, v); }
    LANEFOLD_INLINE static WShort pairs(std::int32_t x) { return _mm512_set1_epi32(x); }
    LANEFOLD_INLINE static WShort iota() {
        alignas(64) static constexpr std::int16_t kIota[32] = {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10,
                                                               11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21,
                                                               22, 23, 24, 25, 26, 27, 28, 29, 30, 31};
        return _mm512_load_si512(kIota);
    }
};
LANEFOLD_INLINE WShort operator+(WShort a, WShort b) { return _mm512_add_epi16(a.v, b.v); }
LANEFOLD_INLINE WShort operator|(WShort a, WShort b) { return _mm512_or_si512(a.v, b.v); }
LANEFOLD_INLINE WShort mul_round(WShort a, WShort b) { return _mm512_mulhrs_epi16(a.v, b.v); }
LANEFOLD_INLINE WShort min(WShort a, WShort b) { return _mm512_min_epi16(a.v, b.v); }
LANEFOLD_INLINE WShort max(WShort a, WShort b) { return _mm512_max_epi16(a.v, b.v); }
LANEFOLD_INLINE WShortMask operator==(WShort a, WShort b) { return {_mm512_cmpeq_epi16_mask(a.v, b.v)}; }
LANEFOLD_INLINE WShortMask operator>(WShort a, WShort b) { return {_mm512_cmpgt_epi16_mask(a.v, b.v)}; }
LANEFOLD_INLINE WShort select(WShortMask m, WShort a, WShort b) { return _mm512_mask_blend_epi16(m.v, b.v, a.v); }
LANEFOLD_INLINE std::int32_t highest(WShort a) {
    const __m256i h = _mm256_max_epi16(_mm512_castsi512_si256(a.v), _mm512_extracti64x4_epi64(a.v, 1));
    return highest8(_mm_max_epi16(_mm256_castsi256_si128(h), _mm256_extracti128_si256(h, 1)));
}
LANEFOLD_INLINE std::uint64_t pair_bits(WShortMask a, WShortMask b) {
    // Joined as masks: of a 32-bit mask that is widened to 64 bits, g++ 12 may spill four bytes and read eight.
    return _cvtmask64_u64(_mm512_kunpackd(b.v, a.v));
}

#elif LANEFOLD_ISA_ID == LANEFOLD_ISA_avx2

inline constexpr std::uint32_t kShorts = 16;
struct WShortMask {
    __m256i v;
};
struct WShort {
    __m256i v;
    WShort() = default;
    LANEFOLD_INLINE WShort(__m256i x) : v(x) {}
    LANEFOLD_INLINE explicit WShort(std::int32_t x) : v(_mm256_set1_epi16(static_cast<short>(x))) {}
    LANEFOLD_INLINE static WShort load(const std::int16_t* p) {
        return _mm256_load_si256(reinterpret_cast<const __m256i*>(p));
    }
    LANEFOLD_INLINE void store(std::int16_t* p) const { _mm256_store_si256(reinterpret_cast<__m256i*>(p), v); }
    LANEFOLD_INLINE static WShort pairs(std::int32_t x) { return _mm256_set1_epi32(x); }
    LANEFOLD_INLINE static WShort iota() {
        return _mm256_setr_epi16(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    }
};
LANEFOLD_INLINE WShort operator+(WShort a, WShort b) { return _mm256_add_epi16(a.v, b.v); }
LANEFOLD_INLINE WShort operator|(WShort a, WShort b) { return _mm256_or_si256(a.v, b.v); }
LANEFOLD_INLINE WShort mul_round(WShort a, WShort b) { return _mm256_mulhrs_epi16(a.v, b.v); }
LANEFOLD_INLINE WShort min(WShort a, WShort b) { return _mm256_min_epi16(a.v, b.v); }
LANEFOLD_INLINE WShort max(WShort a, WShort b) { return _mm256_max_epi16(a.v, b.v); }
LANEFOLD_INLINE WShortMask operator==(WShort a, WShort b) { return {_mm256_cmpeq_epi16(a.v, b.v)}; }
LANEFOLD_INLINE WShortMask operator>(WShort a, WShort b) { return {_mm256_cmpgt_epi16(a.v, b.v)}; }
LANEFOLD_INLINE WShort select(WShortMask m, WShort a, WShort b) { return _mm256_blendv_epi8(b.v, a.v, m.v); }
LANEFOLD_INLINE std::int32_t highest(WShort a) {
    return highest8(_mm_max_epi16(_mm256_castsi256_si128(a.v), _mm256_extracti128_si256(a.v, 1)));
}
LANEFOLD_INLINE std::uint64_t pair_bits(WShortMask a, WShortMask b) {
    // Packing works on 128-bit halves.
    const __m256i bytes = _mm256_permute4x64_epi64(_mm256_packs_epi16(a.v, b.v), 0xD8);
    return static_cast<std::uint32_t>(_mm256_movemask_epi8(bytes));
}

#else  // SSE2, SSE4.2

inline constexpr std::uint32_t kShorts = 8;
struct WShortMask {
    __m128i v;
};
struct WShort {
    __m128i v;
    WShort() = default;
    LANEFOLD_INLINE WShort(__m128i x) : v(x) {}
    LANEFOLD_INLINE explicit WShort(std::int32_t x) : v(_mm_set1_epi16(static_cast<short>(x))) {}
    LANEFOLD_INLINE static WShort load(const std::int16_t* p) {
        return _mm_load_si128(reinterpret_cast<const __m128i*>(p));
    }
    LANEFOLD_INLINE void store(std::int16_t* p) const { _mm_store_si128(reinterpret_cast<__m128i*>(p), v); }
    LANEFOLD_INLINE static WShort pairs(std::int32_t x) { return _mm_set1_epi32(x); }
    LANEFOLD_INLINE static WShort iota() { return _mm_setr_epi16(0, 1, 2, 3, 4, 5, 6, 7); }
};
LANEFOLD_INLINE WShort operator+(WShort a, WShort b) { return _mm_add_epi16(a.v, b.v); }
LANEFOLD_INLINE WShort operator|(WShort a, WShort b) { return _mm_or_si128(a.v, b.v); }
LANEFOLD_INLINE WShort mul_round(WShort a, WShort b) {
#if LANEFOLD_ISA_ID == LANEFOLD_ISA_sse2
    // Bits 15 to 30 of the product, and the bit behind them.
    const __m128i low = _mm_mullo_epi16(a.v, b.v);
    const __m128i high = _mm_slli_epi16(_mm_mulhi_epi16(a.v, b.v), 1);
    const __m128i behind = _mm_and_si128(_mm_srli_epi16(low, 14), _mm_set1_epi16(1));
    return _mm_add_epi16(_mm_or_si128(high, _mm_srli_epi16(low, 15)), behind);
#else
    return _mm_mulhrs_epi16(a.v, b.v);
#endif
}
LANEFOLD_INLINE WShort min(WShort a, WShort b) { return _mm_min_epi16(a.v, b.v); }
LANEFOLD_INLINE WShort max(WShort a, WShort b) { return _mm_max_epi16(a.v, b.v); }
LANEFOLD_INLINE WShortMask operator==(WShort a, WShort b) { return {_mm_cmpeq_epi16(a.v, b.v)}; }
LANEFOLD_INLINE WShortMask operator>(WShort a, WShort b) { return {_mm_cmpgt_epi16(a.v, b.v)}; }
LANEFOLD_INLINE WShort select(WShortMask m, WShort a, WShort b) {
    return _mm_or_si128(_mm_and_si128(m.v, a.v), _mm_andnot_si128(m.v, b.v));
}
LANEFOLD_INLINE std::int32_t highest(WShort a) { return highest8(a.v); }
LANEFOLD_INLINE std::uint64_t pair_bits(WShortMask a, WShortMask b) {
    return static_cast<std::uint32_t>(_mm_movemask_epi8(_mm_packs_epi16(a.v, b.v)));
}

#endif
#endif

LANEFOLD_INLINE WShortMask no_shorts() { return WShort(0) == WShort(1); }

// Least multiple of kShorts that is >= n.
LANEFOLD_INLINE std::uint32_t shorts_up(std::uint32_t n) { return (n + (kShorts - 1)) / kShorts * kShorts; }

}  // namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE
