// SPDX-License-Identifier: MIT
//
// Sixteen lanes of AVX-512: what xsimd 8.1 lacks or does lane by lane. Included by lanes/native/wide.inl only.

using Arch = xsimd::avx512bw;
#include "lanes/native/xsimd/wide.inl"

#include "lanes/native/x86/wide.inl"

// xsimd's integer select fails to compile on avx512bw at -O0.
LANEFOLD_INLINE WInt select(WMask m, WInt a, WInt b) {
    return BatchI(_mm512_mask_blend_epi32(static_cast<__mmask16>(m.v), b.v, a.v));
}
LANEFOLD_INLINE WMask operator==(WInt a, WInt b) { return {BoolF((a.v == b.v).data)}; }
LANEFOLD_INLINE WMask operator<(WInt a, WInt b) { return {BoolF((a.v < b.v).data)}; }
LANEFOLD_INLINE WMask less_of(WMask m, WFloat a, WFloat b) {
    return {BoolF(_mm512_mask_cmp_ps_mask(static_cast<__mmask16>(m.v), a.v, b.v, _CMP_LT_OQ))};
}
LANEFOLD_INLINE WMask at_most_of(WMask m, WFloat a, WFloat b) {
    return {BoolF(_mm512_mask_cmp_ps_mask(static_cast<__mmask16>(m.v), a.v, b.v, _CMP_LE_OQ))};
}
LANEFOLD_INLINE std::uint32_t bits(WMask a) { return static_cast<__mmask16>(a.v); }
LANEFOLD_INLINE bool any(WMask a) { return static_cast<__mmask16>(a.v) != 0; }
LANEFOLD_INLINE float reduce_max(WFloat a) {
    const __m512 v = a.v;
    const __m256 h = _mm256_max_ps(_mm512_castps512_ps256(v), _mm512_extractf32x8_ps(v, 1));
    const __m128 q = _mm_max_ps(_mm256_castps256_ps128(h), _mm256_extractf128_ps(h, 1));
    const __m128 d = _mm_max_ps(q, _mm_movehl_ps(q, q));
    return _mm_cvtss_f32(_mm_max_ss(d, _mm_movehdup_ps(d)));
}
LANEFOLD_INLINE void transpose16(const __m512* r, __m512* out) {
    __m512 t[16];
    for (int i = 0; i < 8; ++i) {
        t[2 * i] = _mm512_unpacklo_ps(r[2 * i], r[2 * i + 1]);
        t[2 * i + 1] = _mm512_unpackhi_ps(r[2 * i], r[2 * i + 1]);
    }
    // u[4 g + c]: rows 4 g .. 4 g + 3, columns c + 4 k in 128-bit part k.
    __m512 u[16];
    for (int g = 0; g < 4; ++g) {
        const __m512d a = _mm512_castps_pd(t[4 * g]);
        const __m512d b = _mm512_castps_pd(t[4 * g + 1]);
        const __m512d c = _mm512_castps_pd(t[4 * g + 2]);
        const __m512d d = _mm512_castps_pd(t[4 * g + 3]);
        u[4 * g] = _mm512_castpd_ps(_mm512_unpacklo_pd(a, c));
        u[4 * g + 1] = _mm512_castpd_ps(_mm512_unpackhi_pd(a, c));
        u[4 * g + 2] = _mm512_castpd_ps(_mm512_unpacklo_pd(b, d));
        u[4 * g + 3] = _mm512_castpd_ps(_mm512_unpackhi_pd(b, d));
    }
    for (int c = 0; c < 4; ++c) {
        const __m512 ab_lo = _mm512_shuffle_f32x4(u[c], u[4 + c], 0x44);
        const __m512 ab_hi = _mm512_shuffle_f32x4(u[c], u[4 + c], 0xEE);
        const __m512 cd_lo = _mm512_shuffle_f32x4(u[8 + c], u[12 + c], 0x44);
        const __m512 cd_hi = _mm512_shuffle_f32x4(u[8 + c], u[12 + c], 0xEE);
        out[c] = _mm512_shuffle_f32x4(ab_lo, cd_lo, 0x88);
        out[4 + c] = _mm512_shuffle_f32x4(ab_lo, cd_lo, 0xDD);
        out[8 + c] = _mm512_shuffle_f32x4(ab_hi, cd_hi, 0x88);
        out[12 + c] = _mm512_shuffle_f32x4(ab_hi, cd_hi, 0xDD);
    }
}
// Loads four floats from each of four rows into the four quarters of a register. Masked broadcasts from memory run on
// any vector port. Inserts, like every other shuffle of 512 bits, run on one port only.
LANEFOLD_INLINE __m512 load_quarters(const float* const* rows, std::size_t at) {
    const auto quarter = [&](int k) { return _mm_loadu_ps(rows[k] + at); };
    __m512 v = _mm512_castps128_ps512(quarter(0));
    v = _mm512_mask_broadcast_f32x4(v, 0x00F0, quarter(1));
    v = _mm512_mask_broadcast_f32x4(v, 0x0F00, quarter(2));
    return _mm512_mask_broadcast_f32x4(v, 0xF000, quarter(3));
}
// Four rows at a time, so that their addresses stay in registers.
template <std::size_t kQuads, class Rows>
LANEFOLD_INLINE void load_quads(const Rows& rows, WFloat* out, std::size_t at = 0) {
    __m512 r[kQuads][4];  // [.][k]: rows k, k + 4, k + 8, k + 12
    for (std::uint32_t k = 0; k < 4; ++k) {
        const float* const four[4] = {rows[k], rows[k + 4], rows[k + 8], rows[k + 12]};
        for (std::size_t q = 0; q < kQuads; ++q) r[q][k] = load_quarters(four, at + 4 * q);
    }
    for (std::size_t q = 0; q < kQuads; ++q) {
        const __m512d ab_lo = _mm512_castps_pd(_mm512_unpacklo_ps(r[q][0], r[q][1]));
        const __m512d ab_hi = _mm512_castps_pd(_mm512_unpackhi_ps(r[q][0], r[q][1]));
        const __m512d cd_lo = _mm512_castps_pd(_mm512_unpacklo_ps(r[q][2], r[q][3]));
        const __m512d cd_hi = _mm512_castps_pd(_mm512_unpackhi_ps(r[q][2], r[q][3]));
        out[4 * q] = BatchF(_mm512_castpd_ps(_mm512_unpacklo_pd(ab_lo, cd_lo)));
        out[4 * q + 1] = BatchF(_mm512_castpd_ps(_mm512_unpackhi_pd(ab_lo, cd_lo)));
        out[4 * q + 2] = BatchF(_mm512_castpd_ps(_mm512_unpacklo_pd(ab_hi, cd_hi)));
        out[4 * q + 3] = BatchF(_mm512_castpd_ps(_mm512_unpackhi_pd(ab_hi, cd_hi)));
    }
}
template <class Rows>
LANEFOLD_INLINE void load_rows16(const Rows& rows, WFloat* out) {
    load_quads<4>(rows, out);
}
template <class Rows>
LANEFOLD_INLINE void load_rows4(const Rows& rows, WFloat* out, std::size_t at = 0) {
    load_quads<1>(rows, out, at);
}
template <class Rows>
LANEFOLD_INLINE void load_rows2(const Rows& rows, WFloat* out) {
    const auto eight = [&](std::uint32_t l) {
        const auto two = [&](std::uint32_t k) { return load_two(rows[l + k], rows[l + k + 1]); };
        const __m256 low = _mm256_insertf128_ps(_mm256_castps128_ps256(two(0)), two(4), 1);
        const __m256 high = _mm256_insertf128_ps(_mm256_castps128_ps256(two(8)), two(12), 1);
        return _mm512_insertf32x8(_mm512_castps256_ps512(low), high, 1);
    };
    const __m512 first = eight(0);
    const __m512 second = eight(2);
    out[0] = BatchF(_mm512_shuffle_ps(first, second, 0x88));
    out[1] = BatchF(_mm512_shuffle_ps(first, second, 0xDD));
}
template <std::size_t kQuads, class Rows>
LANEFOLD_INLINE void scatter_quads(const WFloat* in, const Rows& rows) {
    static_assert(kQuads == 2 || kQuads == 4);
    __m512 r[16];
    __m512 c[16];
    for (__m512& x : r) x = _mm512_setzero_ps();
    for (std::size_t l = 0; l < 4 * kQuads; ++l) r[l] = in[l].v;
    transpose16(r, c);
    for (std::uint32_t l = 0; l < 16; ++l) {
        if constexpr (kQuads == 4) {
            _mm512_storeu_ps(rows[l], c[l]);
        } else {
            _mm256_storeu_ps(rows[l], _mm512_castps512_ps256(c[l]));
        }
    }
}
template <class Rows>
LANEFOLD_INLINE void stream_rows16(const WFloat* in, const Rows& rows, std::uint32_t lanes) {
    __m512 r[16];
    __m512 c[16];
    for (int l = 0; l < 16; ++l) r[l] = in[l].v;
    transpose16(r, c);
    for (std::uint32_t l = 0; l < 16; ++l) {
        if (((lanes >> l) & 1U) != 0) _mm512_stream_ps(rows[l], c[l]);
    }
}
LANEFOLD_INLINE void stream_zeros(float* row) { _mm512_stream_ps(row, _mm512_setzero_ps()); }
// Packing is a permutation, one instruction per register where compressing takes two; its order is compressed once.
struct Packing {
    __m512i order;
};
LANEFOLD_INLINE WInt pack_once(WInt a, std::uint32_t lanes) {
    return BatchI(_mm512_maskz_compress_epi32(static_cast<__mmask16>(lanes), a.v));
}
LANEFOLD_INLINE Packing packing(std::uint32_t lanes) { return {pack_once(WInt::iota(), lanes).v}; }
LANEFOLD_INLINE WFloat pack(WFloat a, Packing p) { return BatchF(_mm512_permutexvar_ps(p.order, a.v)); }
LANEFOLD_INLINE void store_rows16(const WFloat* in, float* base) {
    __m512 r[16];
    __m512 c[16];
    for (int l = 0; l < 16; ++l) r[l] = in[l].v;
    transpose16(r, c);
    for (int l = 0; l < 16; ++l) _mm512_storeu_ps(base + 16 * l, c[l]);
}
