// SPDX-License-Identifier: MIT
//
// Eight lanes of 16 bits. Included by lanes/native/short.inl only.

#include "lanes/native/x86/short.inl"
#include "lanes/native/xsimd/short.inl"

LANEFOLD_INLINE WShort mul_round(WShort a, WShort b) {
#if LANEFOLD_ISA_ID == LANEFOLD_ISA_sse2
    // Bits 15 to 30 of the product, rounded up if bit 14 is set.
    const __m128i low = _mm_mullo_epi16(a.v, b.v);
    const __m128i high = _mm_slli_epi16(_mm_mulhi_epi16(a.v, b.v), 1);
    const __m128i behind = _mm_and_si128(_mm_srli_epi16(low, 14), _mm_set1_epi16(1));
    return BatchS(_mm_add_epi16(_mm_or_si128(high, _mm_srli_epi16(low, 15)), behind));
#else
    return BatchS(_mm_mulhrs_epi16(a.v, b.v));
#endif
}
// xsimd 8.1 compares and selects on SSE2.
LANEFOLD_INLINE WShort min(WShort a, WShort b) { return BatchS(_mm_min_epi16(a.v, b.v)); }
LANEFOLD_INLINE WShort max(WShort a, WShort b) { return BatchS(_mm_max_epi16(a.v, b.v)); }
LANEFOLD_INLINE WShort select(WShortMask m, WShort a, WShort b) { return xsimd::select(m.v, a.v, b.v); }
LANEFOLD_INLINE std::int32_t highest(WShort a) { return highest8(a.v); }
LANEFOLD_INLINE std::uint64_t pair_bits(WShortMask a, WShortMask b) {
    return static_cast<std::uint32_t>(_mm_movemask_epi8(_mm_packs_epi16(a.v, b.v)));
}
