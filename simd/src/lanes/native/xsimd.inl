// SPDX-License-Identifier: MIT
//
// The lane types over xsimd (8.1 and newer), with native code where xsimd 8.1 lacks an operation, does it
// lane by lane, or gets it wrong. Included by lanes/wide.hpp only.

#if LANEFOLD_ISA_ID == LANEFOLD_ISA_sse2
using Arch = xsimd::sse2;
#elif LANEFOLD_ISA_ID == LANEFOLD_ISA_sse4_2
using Arch = xsimd::sse4_2;
#elif LANEFOLD_ISA_ID == LANEFOLD_ISA_avx2
using Arch = xsimd::avx2;
#elif LANEFOLD_ISA_ID == LANEFOLD_ISA_avx512
using Arch = xsimd::avx512bw;
#elif LANEFOLD_ISA_ID == LANEFOLD_ISA_neon
using Arch = xsimd::neon64;
#else
#error "unknown LANEFOLD_KERNEL_ISA"
#endif

using BatchF = xsimd::batch<float, Arch>;
using BatchI = xsimd::batch<std::int32_t, Arch>;
using BoolF = xsimd::batch_bool<float, Arch>;

inline constexpr std::uint32_t kWidth = static_cast<std::uint32_t>(BatchF::size);

struct WMask {
    BoolF v;
};

struct WInt {
    BatchI v;
    WInt() = default;
    LANEFOLD_INLINE WInt(BatchI x) : v(x) {}
    LANEFOLD_INLINE explicit WInt(std::int32_t x) : v(x) {}
    LANEFOLD_INLINE static WInt loadu(const std::int32_t* p) { return BatchI::load_unaligned(p); }
    LANEFOLD_INLINE void storeu(std::int32_t* p) const { v.store_unaligned(p); }
    LANEFOLD_INLINE static WInt iota() {
        alignas(64) static constexpr std::int32_t kIota[16] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
        return BatchI::load_aligned(kIota);
    }
};

struct WFloat {
    BatchF v;
    WFloat() = default;
    LANEFOLD_INLINE WFloat(BatchF x) : v(x) {}
    LANEFOLD_INLINE explicit WFloat(float x) : v(x) {}
    LANEFOLD_INLINE static WFloat load(const float* p) { return BatchF::load_aligned(p); }
    LANEFOLD_INLINE static WFloat loadu(const float* p) { return BatchF::load_unaligned(p); }
    LANEFOLD_INLINE void store(float* p) const { v.store_aligned(p); }
    LANEFOLD_INLINE void storeu(float* p) const { v.store_unaligned(p); }
};

LANEFOLD_INLINE WFloat operator+(WFloat a, WFloat b) { return a.v + b.v; }
LANEFOLD_INLINE WFloat operator-(WFloat a, WFloat b) { return a.v - b.v; }
LANEFOLD_INLINE WFloat operator*(WFloat a, WFloat b) { return a.v * b.v; }
// xsimd's unary minus is 0 - x, which turns +0 into +0: flip the sign bit instead.
LANEFOLD_INLINE WFloat negate(WFloat a) { return a.v ^ BatchF(-0.0F); }
LANEFOLD_INLINE WFloat abs(WFloat a) { return xsimd::abs(a.v); }
LANEFOLD_INLINE WMask operator<(WFloat a, WFloat b) { return {a.v < b.v}; }
LANEFOLD_INLINE WMask operator<=(WFloat a, WFloat b) { return {a.v <= b.v}; }
LANEFOLD_INLINE WMask operator>(WFloat a, WFloat b) { return {a.v > b.v}; }
LANEFOLD_INLINE WMask operator>=(WFloat a, WFloat b) { return {a.v >= b.v}; }
LANEFOLD_INLINE WMask operator==(WFloat a, WFloat b) { return {a.v == b.v}; }
LANEFOLD_INLINE WInt operator+(WInt a, WInt b) { return a.v + b.v; }
LANEFOLD_INLINE WInt operator^(WInt a, WInt b) { return a.v ^ b.v; }
LANEFOLD_INLINE WInt operator&(WInt a, WInt b) { return a.v & b.v; }
LANEFOLD_INLINE WInt operator|(WInt a, WInt b) { return a.v | b.v; }
LANEFOLD_INLINE WMask operator&(WMask a, WMask b) { return {a.v & b.v}; }
LANEFOLD_INLINE WMask operator|(WMask a, WMask b) { return {a.v | b.v}; }
LANEFOLD_INLINE WMask operator~(WMask a) { return {~a.v}; }
LANEFOLD_INLINE WFloat select(WMask m, WFloat a, WFloat b) { return xsimd::select(m.v, a.v, b.v); }

#if LANEFOLD_ISA_ID == LANEFOLD_ISA_neon

LANEFOLD_INLINE WInt operator*(WInt a, WInt b) { return BatchI(vmulq_s32(a.v, b.v)); }
// xsimd 8.1 estimates quotients and square roots on NEON64; these are correctly rounded.
LANEFOLD_INLINE WFloat operator/(WFloat a, WFloat b) { return BatchF(vdivq_f32(a.v, b.v)); }
LANEFOLD_INLINE WFloat sqrt(WFloat a) { return BatchF(vsqrtq_f32(a.v)); }
// NEON's own min and max treat zeros and NaN otherwise than x86: compare and select.
LANEFOLD_INLINE WFloat min(WFloat a, WFloat b) { return select(a < b, a, b); }
LANEFOLD_INLINE WFloat max(WFloat a, WFloat b) { return select(a > b, a, b); }
LANEFOLD_INLINE WInt select(WMask m, WInt a, WInt b) {
    return BatchI(vbslq_s32(static_cast<uint32x4_t>(m.v), a.v, b.v));
}
LANEFOLD_INLINE WMask operator==(WInt a, WInt b) { return {BoolF(vceqq_s32(a.v, b.v))}; }
LANEFOLD_INLINE WMask operator<(WInt a, WInt b) { return {BoolF(vcltq_s32(a.v, b.v))}; }
LANEFOLD_INLINE std::uint32_t bits(WMask a) {
    static constexpr std::uint32_t kBit[4] = {1, 2, 4, 8};
    return vaddvq_u32(vandq_u32(static_cast<uint32x4_t>(a.v), vld1q_u32(kBit)));
}
LANEFOLD_INLINE bool any(WMask a) { return vmaxvq_u32(static_cast<uint32x4_t>(a.v)) != 0; }
LANEFOLD_INLINE float reduce_max(WFloat a) {
    const float32x4_t v = a.v;
    const float32x4_t s = vextq_f32(v, v, 2);
    const float32x4_t m = vbslq_f32(vcgtq_f32(v, s), v, s);
    const float x = vgetq_lane_f32(m, 0);
    const float y = vgetq_lane_f32(m, 1);
    return x > y ? x : y;
}
LANEFOLD_INLINE WFloat permute(WFloat table, WInt lane) {
    // Byte 4 l + b of the table for byte b of a lane that asks for l.
    const uint32x4_t bytes =
        vaddq_u32(vmulq_u32(vreinterpretq_u32_s32(lane.v), vdupq_n_u32(0x04040404U)), vdupq_n_u32(0x03020100U));
    return BatchF(vreinterpretq_f32_u8(vqtbl1q_u8(vreinterpretq_u8_f32(table.v), vreinterpretq_u8_u32(bytes))));
}
LANEFOLD_INLINE WInt load_u16(const std::uint16_t* p) { return BatchI(vreinterpretq_s32_u32(vmovl_u16(vld1_u16(p)))); }
LANEFOLD_INLINE void transpose4(float32x4_t* r) {
    const float32x4x2_t ab = vtrnq_f32(r[0], r[1]);
    const float32x4x2_t cd = vtrnq_f32(r[2], r[3]);
    r[0] = vcombine_f32(vget_low_f32(ab.val[0]), vget_low_f32(cd.val[0]));
    r[1] = vcombine_f32(vget_low_f32(ab.val[1]), vget_low_f32(cd.val[1]));
    r[2] = vcombine_f32(vget_high_f32(ab.val[0]), vget_high_f32(cd.val[0]));
    r[3] = vcombine_f32(vget_high_f32(ab.val[1]), vget_high_f32(cd.val[1]));
}
template <class Rows>
LANEFOLD_INLINE void load_rows16(const Rows& rows, WFloat* out) {
    for (int q = 0; q < 4; ++q) {
        float32x4_t r[4];
        for (std::uint32_t l = 0; l < 4; ++l) r[l] = vld1q_f32(rows[l] + 4 * q);
        transpose4(r);
        for (int l = 0; l < 4; ++l) out[4 * q + l] = BatchF(r[l]);
    }
}
template <class Rows>
LANEFOLD_INLINE void load_rows4(const Rows& rows, WFloat* out, std::size_t at = 0) {
    float32x4_t r[4];
    for (std::uint32_t l = 0; l < 4; ++l) r[l] = vld1q_f32(rows[l] + at);
    transpose4(r);
    for (int l = 0; l < 4; ++l) out[l] = BatchF(r[l]);
}
template <class Rows>
LANEFOLD_INLINE void load_rows2(const Rows& rows, WFloat* out) {
    const float32x4_t first = vcombine_f32(vld1_f32(rows[0]), vld1_f32(rows[1]));
    const float32x4_t second = vcombine_f32(vld1_f32(rows[2]), vld1_f32(rows[3]));
    out[0] = BatchF(vuzp1q_f32(first, second));
    out[1] = BatchF(vuzp2q_f32(first, second));
}
template <class Rows>
LANEFOLD_INLINE void scatter_rows16(const WFloat* in, const Rows& rows) {
    for (int q = 0; q < 4; ++q) {
        float32x4_t r[4];
        for (int l = 0; l < 4; ++l) r[l] = in[4 * q + l].v;
        transpose4(r);
        for (std::uint32_t l = 0; l < 4; ++l) vst1q_f32(rows[l] + 4 * q, r[l]);
    }
}
// AArch64 has no store past the caches without assembly: plain ones.
template <class Rows>
LANEFOLD_INLINE void stream_rows16(const WFloat* in, const Rows& rows, std::uint32_t) {
    scatter_rows16(in, rows);
}
LANEFOLD_INLINE void stream_zeros(float* row) {
    for (int k = 0; k < 16; k += 4) vst1q_f32(row + k, vdupq_n_f32(0.0F));
}
LANEFOLD_INLINE void stream_end() {}
LANEFOLD_INLINE WFloat bit_cast_float(WInt a) { return BatchF(vreinterpretq_f32_s32(a.v)); }
LANEFOLD_INLINE WInt bit_cast_int(WFloat a) { return BatchI(vreinterpretq_s32_f32(a.v)); }
LANEFOLD_INLINE WFloat to_float(WInt a) { return BatchF(vcvtq_f32_s32(a.v)); }
LANEFOLD_INLINE WInt truncate(WFloat a) { return BatchI(vcvtq_s32_f32(a.v)); }
LANEFOLD_INLINE WInt shift_right_logical(WInt a, int n) {
    return BatchI(vreinterpretq_s32_u32(vshlq_u32(vreinterpretq_u32_s32(a.v), vdupq_n_s32(-n))));
}
LANEFOLD_INLINE void store_rows16(const WFloat* in, float* base) {
    for (int q = 0; q < 4; ++q) {
        float32x4_t r[4];
        for (int l = 0; l < 4; ++l) r[l] = in[4 * q + l].v;
        transpose4(r);
        for (int l = 0; l < 4; ++l) vst1q_f32(base + 16 * l + 4 * q, r[l]);
    }
}

#else  // x86

// minps/maxps: the second operand when equal or unordered; the scalar and NEON versions follow that.
LANEFOLD_INLINE WFloat operator/(WFloat a, WFloat b) { return a.v / b.v; }
LANEFOLD_INLINE WFloat sqrt(WFloat a) { return xsimd::sqrt(a.v); }
// On the compiler's own vector type a constant count becomes part of the instruction; the intrinsic takes it from a register.
LANEFOLD_INLINE WInt shift_right_logical(WInt a, int n) {
    using Register = BatchI::register_type;
    using Words = std::uint32_t __attribute__((vector_size(sizeof(Register))));
    const Words words = __builtin_bit_cast(Words, static_cast<Register>(a.v)) >> static_cast<std::uint32_t>(n);
    return BatchI(__builtin_bit_cast(Register, words));
}
// Modulo 2^32. xsimd 8.1 multiplies lane by lane on SSE2, as signed numbers, whose overflow is undefined.
LANEFOLD_INLINE WInt operator*(WInt a, WInt b) {
    using Register = BatchI::register_type;
    using Words = std::uint32_t __attribute__((vector_size(sizeof(Register))));
    const Words words =
        __builtin_bit_cast(Words, static_cast<Register>(a.v)) * __builtin_bit_cast(Words, static_cast<Register>(b.v));
    return BatchI(__builtin_bit_cast(Register, words));
}
// Two floats from each of two places.
LANEFOLD_INLINE __m128 load_two(const float* low, const float* high) {
    const __m128 x = _mm_loadl_pi(_mm_setzero_ps(), reinterpret_cast<const __m64*>(low));
    return _mm_loadh_pi(x, reinterpret_cast<const __m64*>(high));
}

#if LANEFOLD_ISA_ID == LANEFOLD_ISA_avx512
#include "lanes/native/avx512.inl"
#elif LANEFOLD_ISA_ID == LANEFOLD_ISA_avx2
#include "lanes/native/avx2.inl"
#else  // SSE2, SSE4.2

LANEFOLD_INLINE WFloat min(WFloat a, WFloat b) { return BatchF(_mm_min_ps(a.v, b.v)); }
LANEFOLD_INLINE WFloat max(WFloat a, WFloat b) { return BatchF(_mm_max_ps(a.v, b.v)); }
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
    return BatchF(_mm_setr_ps(t[i[0] & 3], t[i[1] & 3], t[i[2] & 3], t[i[3] & 3]));
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
template <class Rows>
LANEFOLD_INLINE void scatter_rows16(const WFloat* in, const Rows& rows) {
    for (int q = 0; q < 4; ++q) {
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
LANEFOLD_INLINE WFloat bit_cast_float(WInt a) { return BatchF(_mm_castsi128_ps(a.v)); }
LANEFOLD_INLINE WInt bit_cast_int(WFloat a) { return BatchI(_mm_castps_si128(a.v)); }
LANEFOLD_INLINE WFloat to_float(WInt a) { return BatchF(_mm_cvtepi32_ps(a.v)); }
LANEFOLD_INLINE WInt truncate(WFloat a) { return BatchI(_mm_cvttps_epi32(a.v)); }
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
#endif
// Streamed stores become visible to other threads before whatever is stored next.
LANEFOLD_INLINE void stream_end() { _mm_sfence(); }
#endif
