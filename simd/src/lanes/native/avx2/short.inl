// SPDX-License-Identifier: MIT
//
// Sixteen lanes of 16 bits. Included by lanes/native/short.inl only.

#include "lanes/native/x86/short.inl"

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
