// SPDX-License-Identifier: MIT
//
// Thirty-two lanes of 16 bits. Included by lanes/native/short.inl only.

#include "lanes/native/x86/short.inl"

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
    // The two are joined as masks, because g++ 12 may spill four bytes and read eight of a 32-bit mask that is widened
    // to 64 bits.
    return _cvtmask64_u64(_mm512_kunpackd(b.v, a.v));
}
