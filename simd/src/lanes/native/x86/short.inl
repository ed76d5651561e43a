// SPDX-License-Identifier: MIT
//
// Operations on lanes of 16 bits that all x86 instruction sets share. Included by their short.inl only.

// The highest of eight lanes. SSE4.1 has an instruction that finds the lowest; without it, by halves.
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
