// SPDX-License-Identifier: MIT
//
// Eight lanes of AVX2: what xsimd 8.1 lacks or does lane by lane. Included by lanes/native/wide.inl only.

using Arch = xsimd::avx2;
#include "lanes/native/xsimd/wide.inl"

#include "lanes/native/x86/wide.inl"

LANEFOLD_INLINE WInt select(WMask m, WInt a, WInt b) {
    return BatchI(_mm256_blendv_epi8(b.v, a.v, _mm256_castps_si256(m.v)));
}
LANEFOLD_INLINE WMask operator==(WInt a, WInt b) { return {BoolF(_mm256_castsi256_ps(_mm256_cmpeq_epi32(a.v, b.v)))}; }
LANEFOLD_INLINE WMask operator<(WInt a, WInt b) { return {BoolF(_mm256_castsi256_ps(_mm256_cmpgt_epi32(b.v, a.v)))}; }
LANEFOLD_INLINE std::uint32_t bits(WMask a) { return static_cast<std::uint32_t>(_mm256_movemask_ps(a.v)); }
LANEFOLD_INLINE bool any(WMask a) { return _mm256_movemask_ps(a.v) != 0; }
LANEFOLD_INLINE float reduce_max(WFloat a) {
    const __m256 v = a.v;
    const __m128 q = _mm_max_ps(_mm256_castps256_ps128(v), _mm256_extractf128_ps(v, 1));
    const __m128 d = _mm_max_ps(q, _mm_movehl_ps(q, q));
    return _mm_cvtss_f32(_mm_max_ss(d, _mm_movehdup_ps(d)));
}
LANEFOLD_INLINE WFloat permute(WFloat table, WInt lane) { return BatchF(_mm256_permutevar8x32_ps(table.v, lane.v)); }
LANEFOLD_INLINE WInt load_u16(const std::uint16_t* p) {
    return BatchI(_mm256_cvtepu16_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(p))));
}
LANEFOLD_INLINE void transpose8(__m256* r) {
    __m256 t[8];
    for (int i = 0; i < 4; ++i) {
        t[2 * i] = _mm256_unpacklo_ps(r[2 * i], r[2 * i + 1]);
        t[2 * i + 1] = _mm256_unpackhi_ps(r[2 * i], r[2 * i + 1]);
    }
    __m256 u[8];
    for (int g = 0; g < 2; ++g) {
        u[4 * g] = _mm256_shuffle_ps(t[4 * g], t[4 * g + 2], 0x44);
        u[4 * g + 1] = _mm256_shuffle_ps(t[4 * g], t[4 * g + 2], 0xEE);
        u[4 * g + 2] = _mm256_shuffle_ps(t[4 * g + 1], t[4 * g + 3], 0x44);
        u[4 * g + 3] = _mm256_shuffle_ps(t[4 * g + 1], t[4 * g + 3], 0xEE);
    }
    for (int c = 0; c < 4; ++c) {
        r[c] = _mm256_permute2f128_ps(u[c], u[4 + c], 0x20);
        r[4 + c] = _mm256_permute2f128_ps(u[c], u[4 + c], 0x31);
    }
}
template <class Rows>
LANEFOLD_INLINE void load_rows16(const Rows& rows, WFloat* out) {
    for (int h = 0; h < 2; ++h) {
        __m256 r[8];
        for (std::uint32_t l = 0; l < 8; ++l) r[l] = _mm256_loadu_ps(rows[l] + 8 * h);
        transpose8(r);
        for (int l = 0; l < 8; ++l) out[8 * h + l] = BatchF(r[l]);
    }
}
template <class Rows>
LANEFOLD_INLINE void load_rows4(const Rows& rows, WFloat* out, std::size_t at = 0) {
    __m256 r[4];
    for (std::uint32_t k = 0; k < 4; ++k)
        r[k] =
            _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(rows[k] + at)), _mm_loadu_ps(rows[4 + k] + at), 1);
    const __m256 ab_lo = _mm256_unpacklo_ps(r[0], r[1]);
    const __m256 ab_hi = _mm256_unpackhi_ps(r[0], r[1]);
    const __m256 cd_lo = _mm256_unpacklo_ps(r[2], r[3]);
    const __m256 cd_hi = _mm256_unpackhi_ps(r[2], r[3]);
    out[0] = BatchF(_mm256_shuffle_ps(ab_lo, cd_lo, 0x44));
    out[1] = BatchF(_mm256_shuffle_ps(ab_lo, cd_lo, 0xEE));
    out[2] = BatchF(_mm256_shuffle_ps(ab_hi, cd_hi, 0x44));
    out[3] = BatchF(_mm256_shuffle_ps(ab_hi, cd_hi, 0xEE));
}
template <class Rows>
LANEFOLD_INLINE void load_rows2(const Rows& rows, WFloat* out) {
    const __m256 first =
        _mm256_insertf128_ps(_mm256_castps128_ps256(load_two(rows[0], rows[1])), load_two(rows[4], rows[5]), 1);
    const __m256 second =
        _mm256_insertf128_ps(_mm256_castps128_ps256(load_two(rows[2], rows[3])), load_two(rows[6], rows[7]), 1);
    out[0] = BatchF(_mm256_shuffle_ps(first, second, 0x88));
    out[1] = BatchF(_mm256_shuffle_ps(first, second, 0xDD));
}
template <std::size_t kQuads, class Rows>
LANEFOLD_INLINE void scatter_quads(const WFloat* in, const Rows& rows) {
    static_assert(kQuads % 2 == 0);
    for (std::size_t h = 0; h < kQuads / 2; ++h) {
        __m256 r[8];
        for (std::size_t l = 0; l < 8; ++l) r[l] = in[8 * h + l].v;
        transpose8(r);
        for (std::uint32_t l = 0; l < 8; ++l) _mm256_storeu_ps(rows[l] + 8 * h, r[l]);
    }
}
template <class Rows>
LANEFOLD_INLINE void stream_rows16(const WFloat* in, const Rows& rows, std::uint32_t lanes) {
    __m256 r[16];
    for (int l = 0; l < 16; ++l) r[l] = in[l].v;
    transpose8(r);
    transpose8(r + 8);
    // Both halves of a cache line in succession, so that the line leaves the write buffer whole.
    for (std::uint32_t l = 0; l < 8; ++l) {
        if (((lanes >> l) & 1U) == 0) continue;
        _mm256_stream_ps(rows[l], r[l]);
        _mm256_stream_ps(rows[l] + 8, r[8 + l]);
    }
}
LANEFOLD_INLINE void stream_zeros(float* row) {
    _mm256_stream_ps(row, _mm256_setzero_ps());
    _mm256_stream_ps(row + 8, _mm256_setzero_ps());
}
LANEFOLD_INLINE void store_rows16(const WFloat* in, float* base) {
    for (int h = 0; h < 2; ++h) {
        __m256 r[8];
        for (int l = 0; l < 8; ++l) r[l] = in[8 * h + l].v;
        transpose8(r);
        for (int l = 0; l < 8; ++l) _mm256_storeu_ps(base + 16 * l + 8 * h, r[l]);
    }
}
