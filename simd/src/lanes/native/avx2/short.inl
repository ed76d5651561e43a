// SPDX-License-Identifier: MIT
//
// Sixteen lanes of 16 bits. Included by lanes/native/short.inl only.

#include "lanes/native/x86/short.inl"
#include "lanes/native/xsimd/short.inl"

LANEFOLD_INLINE WShort mul_round(WShort a, WShort b) { return BatchS(_mm256_mulhrs_epi16(a.v, b.v)); }
LANEFOLD_INLINE WShort min(WShort a, WShort b) { return xsimd::min(a.v, b.v); }
LANEFOLD_INLINE WShort max(WShort a, WShort b) { return xsimd::max(a.v, b.v); }
LANEFOLD_INLINE WShort select(WShortMask m, WShort a, WShort b) { return xsimd::select(m.v, a.v, b.v); }
LANEFOLD_INLINE std::int32_t highest(WShort a) {
    return highest8(_mm_max_epi16(_mm256_castsi256_si128(a.v), _mm256_extracti128_si256(a.v, 1)));
}
LANEFOLD_INLINE std::uint64_t pair_bits(WShortMask a, WShortMask b) {
    // Packing works on 128-bit halves.
    const __m256i bytes = _mm256_permute4x64_epi64(_mm256_packs_epi16(a.v, b.v), 0xD8);
    return static_cast<std::uint32_t>(_mm256_movemask_epi8(bytes));
}
