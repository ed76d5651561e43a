// SPDX-License-Identifier: MIT
//
// Thirty-two lanes of 16 bits. Included by lanes/native/short.inl only.

#include "lanes/native/x86/short.inl"
#include "lanes/native/xsimd/short.inl"

LANEFOLD_INLINE WShort mul_round(WShort a, WShort b) { return BatchS(_mm512_mulhrs_epi16(a.v, b.v)); }
LANEFOLD_INLINE WShort min(WShort a, WShort b) { return xsimd::min(a.v, b.v); }
LANEFOLD_INLINE WShort max(WShort a, WShort b) { return xsimd::max(a.v, b.v); }
// xsimd's select of integers does not compile with g++ at -O0.
LANEFOLD_INLINE WShort select(WShortMask m, WShort a, WShort b) {
    const __m512i if_set = a.v;
    const __m512i otherwise = b.v;
    return BatchS(_mm512_mask_blend_epi16(m.v, otherwise, if_set));
}
LANEFOLD_INLINE std::int32_t highest(WShort a) {
    const __m256i h = _mm256_max_epi16(_mm512_castsi512_si256(a.v), _mm512_extracti64x4_epi64(a.v, 1));
    return highest8(_mm_max_epi16(_mm256_castsi256_si128(h), _mm256_extracti128_si256(h, 1)));
}
LANEFOLD_INLINE std::uint64_t pair_bits(WShortMask a, WShortMask b) {
    // The two are joined as masks, because g++ 12 may spill four bytes and read eight of a 32-bit mask that is widened
    // to 64 bits.
    return _cvtmask64_u64(_mm512_kunpackd(b.v, a.v));
}
