// SPDX-License-Identifier: MIT
//
// Four lanes of SSE2 or SSE4.2. Included by lanes/native/wide.inl only.

#if LANEFOLD_ISA_ID == LANEFOLD_ISA_sse2
using Arch = xsimd::sse2;
#else
using Arch = xsimd::sse4_2;
#endif
#include "lanes/native/xsimd/wide.inl"

#include "lanes/native/x86/wide.inl"

LANEFOLD_INLINE WInt select(WMask m, WInt a, WInt b) {
    const __m128i s = _mm_castps_si128(m.v);
    return BatchI(_mm_or_si128(_mm_and_si128(s, a.v), _mm_andnot_si128(s, b.v)));
}
LANEFOLD_INLINE WMask operator==(WInt a, WInt b) { return {BoolF(_mm_castsi128_ps(_mm_cmpeq_epi32(a.v, b.v)))}; }
LANEFOLD_INLINE WMask operator<(WInt a, WInt b) { return {BoolF(_mm_castsi128_ps(_mm_cmpgt_epi32(b.v, a.v)))}; }
LANEFOLD_INLINE std::uint32_t bits(WMask a) { return static_cast<std::uint32_t>(_mm_movemask_ps(a.v)); }
LANEFOLD_INLINE bool any(WMask a) { return _mm_movemask_ps(a.v) != 0; }
LANEFOLD_INLINE float reduce_max(WFloat a) {
    const __m128 v = a.v;
    const __m128 d = _mm_max_ps(v, _mm_movehl_ps(v, v));
    return _mm_cvtss_f32(_mm_max_ss(d, _mm_shuffle_ps(d, d, 0x55)));
}
LANEFOLD_INLINE WFloat permute(WFloat table, WInt lane) {
    alignas(16) float t[4];
    alignas(16) std::int32_t i[4];
    table.store(t);
    lane.v.store_aligned(i);
    const auto at = [&](int l) { return before_splat(t[i[l] & 3]); };
    return BatchF(_mm_setr_ps(at(0), at(1), at(2), at(3)));
}
LANEFOLD_INLINE WInt load_u16(const std::uint16_t* p) {
    const __m128i x = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(p));
    return BatchI(_mm_unpacklo_epi16(x, _mm_setzero_si128()));
}
template <class Rows>
LANEFOLD_INLINE void load_rows16(const Rows& rows, WFloat* out) {
    for (int q = 0; q < 4; ++q) {
        __m128 a = _mm_loadu_ps(rows[0] + 4 * q);
        __m128 b = _mm_loadu_ps(rows[1] + 4 * q);
        __m128 c = _mm_loadu_ps(rows[2] + 4 * q);
        __m128 d = _mm_loadu_ps(rows[3] + 4 * q);
        _MM_TRANSPOSE4_PS(a, b, c, d);
        out[4 * q] = BatchF(a);
        out[4 * q + 1] = BatchF(b);
        out[4 * q + 2] = BatchF(c);
        out[4 * q + 3] = BatchF(d);
    }
}
template <class Rows>
LANEFOLD_INLINE void load_rows4(const Rows& rows, WFloat* out, std::size_t at = 0) {
    __m128 a = _mm_loadu_ps(rows[0] + at);
    __m128 b = _mm_loadu_ps(rows[1] + at);
    __m128 c = _mm_loadu_ps(rows[2] + at);
    __m128 d = _mm_loadu_ps(rows[3] + at);
    _MM_TRANSPOSE4_PS(a, b, c, d);
    out[0] = BatchF(a);
    out[1] = BatchF(b);
    out[2] = BatchF(c);
    out[3] = BatchF(d);
}
template <class Rows>
LANEFOLD_INLINE void load_rows2(const Rows& rows, WFloat* out) {
    const __m128 first = load_two(rows[0], rows[1]);
    const __m128 second = load_two(rows[2], rows[3]);
    out[0] = BatchF(_mm_shuffle_ps(first, second, 0x88));
    out[1] = BatchF(_mm_shuffle_ps(first, second, 0xDD));
}
template <std::size_t kQuads, class Rows>
LANEFOLD_INLINE void scatter_quads(const WFloat* in, const Rows& rows) {
    for (std::size_t q = 0; q < kQuads; ++q) {
        __m128 a = in[4 * q].v;
        __m128 b = in[4 * q + 1].v;
        __m128 c = in[4 * q + 2].v;
        __m128 d = in[4 * q + 3].v;
        _MM_TRANSPOSE4_PS(a, b, c, d);
        _mm_storeu_ps(rows[0] + 4 * q, a);
        _mm_storeu_ps(rows[1] + 4 * q, b);
        _mm_storeu_ps(rows[2] + 4 * q, c);
        _mm_storeu_ps(rows[3] + 4 * q, d);
    }
}
template <class Rows>
LANEFOLD_INLINE void stream_rows16(const WFloat* in, const Rows& rows, std::uint32_t lanes) {
    __m128 r[4][4];  // [lane][quarter]
    for (int q = 0; q < 4; ++q) {
        __m128 a = in[4 * q].v;
        __m128 b = in[4 * q + 1].v;
        __m128 c = in[4 * q + 2].v;
        __m128 d = in[4 * q + 3].v;
        _MM_TRANSPOSE4_PS(a, b, c, d);
        r[0][q] = a;
        r[1][q] = b;
        r[2][q] = c;
        r[3][q] = d;
    }
    for (std::uint32_t l = 0; l < 4; ++l) {
        if (((lanes >> l) & 1U) == 0) continue;
        for (int q = 0; q < 4; ++q) _mm_stream_ps(rows[l] + 4 * q, r[l][q]);
    }
}
LANEFOLD_INLINE void stream_zeros(float* row) {
    for (int q = 0; q < 4; ++q) _mm_stream_ps(row + 4 * q, _mm_setzero_ps());
}
LANEFOLD_INLINE void store_rows16(const WFloat* in, float* base) {
    for (int q = 0; q < 4; ++q) {
        __m128 a = in[4 * q].v;
        __m128 b = in[4 * q + 1].v;
        __m128 c = in[4 * q + 2].v;
        __m128 d = in[4 * q + 3].v;
        _MM_TRANSPOSE4_PS(a, b, c, d);
        _mm_storeu_ps(base + 4 * q, a);
        _mm_storeu_ps(base + 16 + 4 * q, b);
        _mm_storeu_ps(base + 32 + 4 * q, c);
        _mm_storeu_ps(base + 48 + 4 * q, d);
    }
}
