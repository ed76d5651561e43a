// SPDX-License-Identifier: MIT
//
// Eight lanes of 16 bits. Included by lanes/native/short.inl only.

#include "lanes/native/x86/short.inl"

inline constexpr std::uint32_t kShorts = 8;
struct WShortMask {
    __m128i v;
};
struct WShort {
    __m128i v;
    WShort() = default;
    LANEFOLD_INLINE WShort(__m128i x) : v(x) {}
    LANEFOLD_INLINE explicit WShort(std::int32_t x) : v(_mm_set1_epi16(static_cast<short>(before_splat(x)))) {}
    LANEFOLD_INLINE static WShort load(const std::int16_t* p) {
        return _mm_load_si128(reinterpret_cast<const __m128i*>(p));
    }
    LANEFOLD_INLINE void store(std::int16_t* p) const { _mm_store_si128(reinterpret_cast<__m128i*>(p), v); }
    LANEFOLD_INLINE static WShort pairs(std::int32_t x) { return _mm_set1_epi32(before_splat(x)); }
    LANEFOLD_INLINE static WShort iota() { return _mm_setr_epi16(0, 1, 2, 3, 4, 5, 6, 7); }
};
LANEFOLD_INLINE WShort operator+(WShort a, WShort b) { return _mm_add_epi16(a.v, b.v); }
LANEFOLD_INLINE WShort operator|(WShort a, WShort b) { return _mm_or_si128(a.v, b.v); }
LANEFOLD_INLINE WShort mul_round(WShort a, WShort b) {
#if LANEFOLD_ISA_ID == LANEFOLD_ISA_sse2
    // Bits 15 to 30 of the product, rounded up if bit 14 is set.
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
