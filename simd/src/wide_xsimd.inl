// SPDX-License-Identifier: MIT
//
// The lane types over xsimd (8.1 and newer), with native code where xsimd 8.1 lacks an operation, does it
// lane by lane, or gets it wrong. Included by wide.hpp only.

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
LANEFOLD_INLINE WInt operator*(WInt a, WInt b) { return a.v * b.v; }
LANEFOLD_INLINE WInt operator^(WInt a, WInt b) { return a.v ^ b.v; }
LANEFOLD_INLINE WInt operator&(WInt a, WInt b) { return a.v & b.v; }
LANEFOLD_INLINE WInt operator|(WInt a, WInt b) { return a.v | b.v; }
LANEFOLD_INLINE WMask operator&(WMask a, WMask b) { return {a.v & b.v}; }
LANEFOLD_INLINE WMask operator|(WMask a, WMask b) { return {a.v | b.v}; }
LANEFOLD_INLINE WMask operator~(WMask a) { return {~a.v}; }
LANEFOLD_INLINE WFloat select(WMask m, WFloat a, WFloat b) { return xsimd::select(m.v, a.v, b.v); }

#if LANEFOLD_ISA_ID == LANEFOLD_ISA_neon

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
LANEFOLD_INLINE WFloat gather(const float* base, WInt index) {
    const int32x4_t i = index.v;
    const float v[4] = {base[vgetq_lane_s32(i, 0)], base[vgetq_lane_s32(i, 1)], base[vgetq_lane_s32(i, 2)],
                        base[vgetq_lane_s32(i, 3)]};
    return BatchF(vld1q_f32(v));
}
LANEFOLD_INLINE WFloat permute(WFloat table, WInt lane) {
    // Byte 4 l + b of the table for byte b of a lane that asks for l.
    const uint32x4_t bytes =
        vaddq_u32(vmulq_u32(vreinterpretq_u32_s32(lane.v), vdupq_n_u32(0x04040404U)), vdupq_n_u32(0x03020100U));
    return BatchF(vreinterpretq_f32_u8(vqtbl1q_u8(vreinterpretq_u8_f32(table.v), vreinterpretq_u8_u32(bytes))));
}
inline constexpr std::uint32_t kLookUpVectors = 0;
template <std::uint32_t kVectors>
LANEFOLD_INLINE WFloat look_up(const float* table, WInt index) {
    return gather(table, index);
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
LANEFOLD_INLINE void load_rows16(const float* const* rows, WFloat* out) {
    for (int q = 0; q < 4; ++q) {
        float32x4_t r[4];
        for (int l = 0; l < 4; ++l) r[l] = vld1q_f32(rows[l] + 4 * q);
        transpose4(r);
        for (int l = 0; l < 4; ++l) out[4 * q + l] = BatchF(r[l]);
    }
}
// The same for 4 floats per row (4-byte aligned).
LANEFOLD_INLINE void load_rows4(const float* const* rows, WFloat* out) {
    float32x4_t r[4];
    for (int l = 0; l < 4; ++l) r[l] = vld1q_f32(rows[l]);
    transpose4(r);
    for (int l = 0; l < 4; ++l) out[l] = BatchF(r[l]);
}
LANEFOLD_INLINE void scatter_rows16(const WFloat* in, float* const* rows) {
    for (int q = 0; q < 4; ++q) {
        float32x4_t r[4];
        for (int l = 0; l < 4; ++l) r[l] = in[4 * q + l].v;
        transpose4(r);
        for (int l = 0; l < 4; ++l) vst1q_f32(rows[l] + 4 * q, r[l]);
    }
}
// AArch64 has no store past the caches without assembly: plain ones.
LANEFOLD_INLINE void stream_rows16(const WFloat* in, float* const* rows, std::uint32_t lanes) {
    alignas(64) float unused[16];
    float* to[4];
    for (std::uint32_t l = 0; l < 4; ++l) to[l] = ((lanes >> l) & 1U) != 0 ? rows[l] : unused;
    scatter_rows16(in, to);
}
LANEFOLD_INLINE void stream_zeros(float* row) {
    for (int k = 0; k < 16; k += 4) vst1q_f32(row + k, vdupq_n_f32(0.0F));
}
LANEFOLD_INLINE void stream_end() {}
LANEFOLD_INLINE WFloat bit_cast_float(WInt a) { return BatchF(vreinterpretq_f32_s32(a.v)); }
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

#if LANEFOLD_ISA_ID == LANEFOLD_ISA_avx512

LANEFOLD_INLINE WFloat min(WFloat a, WFloat b) { return BatchF(_mm512_min_ps(a.v, b.v)); }
LANEFOLD_INLINE WFloat max(WFloat a, WFloat b) { return BatchF(_mm512_max_ps(a.v, b.v)); }
// xsimd's integer select fails to compile on avx512bw at -O0.
LANEFOLD_INLINE WInt select(WMask m, WInt a, WInt b) {
    return BatchI(_mm512_mask_blend_epi32(static_cast<__mmask16>(m.v), b.v, a.v));
}
LANEFOLD_INLINE WMask operator==(WInt a, WInt b) { return {BoolF(_mm512_cmpeq_epi32_mask(a.v, b.v))}; }
LANEFOLD_INLINE WMask operator<(WInt a, WInt b) { return {BoolF(_mm512_cmplt_epi32_mask(a.v, b.v))}; }
LANEFOLD_INLINE std::uint32_t bits(WMask a) { return static_cast<__mmask16>(a.v); }
LANEFOLD_INLINE bool any(WMask a) { return static_cast<__mmask16>(a.v) != 0; }
LANEFOLD_INLINE float reduce_max(WFloat a) {
    const __m512 v = a.v;
    const __m256 h = _mm256_max_ps(_mm512_castps512_ps256(v), _mm512_extractf32x8_ps(v, 1));
    const __m128 q = _mm_max_ps(_mm256_castps256_ps128(h), _mm256_extractf128_ps(h, 1));
    const __m128 d = _mm_max_ps(q, _mm_movehl_ps(q, q));
    return _mm_cvtss_f32(_mm_max_ss(d, _mm_movehdup_ps(d)));
}
LANEFOLD_INLINE WFloat gather(const float* base, WInt index) { return BatchF(_mm512_i32gather_ps(index.v, base, 4)); }
LANEFOLD_INLINE WFloat permute(WFloat table, WInt lane) { return BatchF(_mm512_permutexvar_ps(lane.v, table.v)); }
inline constexpr std::uint32_t kLookUpVectors = 4;
template <std::uint32_t kVectors>
LANEFOLD_INLINE WFloat look_up(const float* table, WInt index) {
    static_assert(kVectors == 1 || kVectors == 2 || kVectors == 4);
    if constexpr (kVectors == 1) return BatchF(_mm512_permutexvar_ps(index.v, _mm512_load_ps(table)));
    const __m512 low = _mm512_permutex2var_ps(_mm512_load_ps(table), index.v, _mm512_load_ps(table + 16));
    if constexpr (kVectors == 2) return BatchF(low);
    const __m512 high = _mm512_permutex2var_ps(_mm512_load_ps(table + 32), index.v, _mm512_load_ps(table + 48));
    return BatchF(_mm512_mask_blend_ps(_mm512_test_epi32_mask(index.v, _mm512_set1_epi32(32)), low, high));
}
LANEFOLD_INLINE WInt load_u16(const std::uint16_t* p) {
    return BatchI(_mm512_cvtepu16_epi32(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(p))));
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
// Four floats from each of rows r, r + 4, r + 8, r + 12 in the four quarters of a register. Masked broadcasts from memory
// run on any vector port; the inserts they replace, like every other shuffle of 512 bits, on one only.
LANEFOLD_INLINE __m512 load_quarters(const float* const* rows, int r, int at) {
    const auto quarter = [&](int k) { return _mm_loadu_ps(rows[r + 4 * k] + at); };
    __m512 v = _mm512_castps128_ps512(quarter(0));
    v = _mm512_mask_broadcast_f32x4(v, 0x00F0, quarter(1));
    v = _mm512_mask_broadcast_f32x4(v, 0x0F00, quarter(2));
    return _mm512_mask_broadcast_f32x4(v, 0xF000, quarter(3));
}
// Floats at .. at + 3 of every row into four columns.
LANEFOLD_INLINE void load_columns4(const float* const* rows, int at, WFloat* out) {
    __m512 r[4];
    for (int k = 0; k < 4; ++k) r[k] = load_quarters(rows, k, at);
    const __m512d ab_lo = _mm512_castps_pd(_mm512_unpacklo_ps(r[0], r[1]));
    const __m512d ab_hi = _mm512_castps_pd(_mm512_unpackhi_ps(r[0], r[1]));
    const __m512d cd_lo = _mm512_castps_pd(_mm512_unpacklo_ps(r[2], r[3]));
    const __m512d cd_hi = _mm512_castps_pd(_mm512_unpackhi_ps(r[2], r[3]));
    out[0] = BatchF(_mm512_castpd_ps(_mm512_unpacklo_pd(ab_lo, cd_lo)));
    out[1] = BatchF(_mm512_castpd_ps(_mm512_unpackhi_pd(ab_lo, cd_lo)));
    out[2] = BatchF(_mm512_castpd_ps(_mm512_unpacklo_pd(ab_hi, cd_hi)));
    out[3] = BatchF(_mm512_castpd_ps(_mm512_unpackhi_pd(ab_hi, cd_hi)));
}
LANEFOLD_INLINE void load_rows16(const float* const* rows, WFloat* out) {
    for (int q = 0; q < 4; ++q) load_columns4(rows, 4 * q, out + 4 * q);
}
LANEFOLD_INLINE void load_rows4(const float* const* rows, WFloat* out) { load_columns4(rows, 0, out); }
LANEFOLD_INLINE void scatter_rows16(const WFloat* in, float* const* rows) {
    __m512 r[16];
    __m512 c[16];
    for (int l = 0; l < 16; ++l) r[l] = in[l].v;
    transpose16(r, c);
    for (int l = 0; l < 16; ++l) _mm512_storeu_ps(rows[l], c[l]);
}
// Rows of the lanes named by bits, past the caches; rows lie on 64-byte boundaries.
LANEFOLD_INLINE void stream_rows16(const WFloat* in, float* const* rows, std::uint32_t lanes) {
    __m512 r[16];
    __m512 c[16];
    for (int l = 0; l < 16; ++l) r[l] = in[l].v;
    transpose16(r, c);
    for (int l = 0; l < 16; ++l) {
        if (((lanes >> l) & 1U) != 0) _mm512_stream_ps(rows[l], c[l]);
    }
}
LANEFOLD_INLINE void stream_zeros(float* row) { _mm512_stream_ps(row, _mm512_setzero_ps()); }
LANEFOLD_INLINE WFloat bit_cast_float(WInt a) { return BatchF(_mm512_castsi512_ps(a.v)); }
LANEFOLD_INLINE WInt shift_right_logical(WInt a, int n) { return BatchI(_mm512_srl_epi32(a.v, _mm_cvtsi32_si128(n))); }
LANEFOLD_INLINE void store_rows16(const WFloat* in, float* base) {
    __m512 r[16];
    __m512 c[16];
    for (int l = 0; l < 16; ++l) r[l] = in[l].v;
    transpose16(r, c);
    for (int l = 0; l < 16; ++l) _mm512_storeu_ps(base + 16 * l, c[l]);
}

#elif LANEFOLD_ISA_ID == LANEFOLD_ISA_avx2

LANEFOLD_INLINE WFloat min(WFloat a, WFloat b) { return BatchF(_mm256_min_ps(a.v, b.v)); }
LANEFOLD_INLINE WFloat max(WFloat a, WFloat b) { return BatchF(_mm256_max_ps(a.v, b.v)); }
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
LANEFOLD_INLINE WFloat gather(const float* base, WInt index) { return BatchF(_mm256_i32gather_ps(base, index.v, 4)); }
LANEFOLD_INLINE WFloat permute(WFloat table, WInt lane) { return BatchF(_mm256_permutevar8x32_ps(table.v, lane.v)); }
inline constexpr std::uint32_t kLookUpVectors = 4;
template <std::uint32_t kVectors>
LANEFOLD_INLINE WFloat look_up(const float* table, WInt index) {
    static_assert(kVectors == 1 || kVectors == 2 || kVectors == 4);
    const __m256 t0 = _mm256_permutevar8x32_ps(_mm256_load_ps(table), index.v);
    if constexpr (kVectors == 1) return BatchF(t0);
    const __m256 t1 = _mm256_permutevar8x32_ps(_mm256_load_ps(table + 8), index.v);
    // The sign bit selects: bit 3 of the index for the odd vector of two, bit 4 for the upper two of four.
    const __m256 bit3 = _mm256_castsi256_ps(_mm256_slli_epi32(index.v, 28));
    const __m256 low = _mm256_blendv_ps(t0, t1, bit3);
    if constexpr (kVectors == 2) return BatchF(low);
    const __m256 t2 = _mm256_permutevar8x32_ps(_mm256_load_ps(table + 16), index.v);
    const __m256 t3 = _mm256_permutevar8x32_ps(_mm256_load_ps(table + 24), index.v);
    const __m256 bit4 = _mm256_castsi256_ps(_mm256_slli_epi32(index.v, 27));
    return BatchF(_mm256_blendv_ps(low, _mm256_blendv_ps(t2, t3, bit3), bit4));
}
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
LANEFOLD_INLINE void load_rows16(const float* const* rows, WFloat* out) {
    for (int h = 0; h < 2; ++h) {
        __m256 r[8];
        for (int l = 0; l < 8; ++l) r[l] = _mm256_loadu_ps(rows[l] + 8 * h);
        transpose8(r);
        for (int l = 0; l < 8; ++l) out[8 * h + l] = BatchF(r[l]);
    }
}
LANEFOLD_INLINE void load_rows4(const float* const* rows, WFloat* out) {
    __m256 r[4];
    for (int k = 0; k < 4; ++k)
        r[k] = _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(rows[k])), _mm_loadu_ps(rows[4 + k]), 1);
    const __m256 ab_lo = _mm256_unpacklo_ps(r[0], r[1]);
    const __m256 ab_hi = _mm256_unpackhi_ps(r[0], r[1]);
    const __m256 cd_lo = _mm256_unpacklo_ps(r[2], r[3]);
    const __m256 cd_hi = _mm256_unpackhi_ps(r[2], r[3]);
    out[0] = BatchF(_mm256_shuffle_ps(ab_lo, cd_lo, 0x44));
    out[1] = BatchF(_mm256_shuffle_ps(ab_lo, cd_lo, 0xEE));
    out[2] = BatchF(_mm256_shuffle_ps(ab_hi, cd_hi, 0x44));
    out[3] = BatchF(_mm256_shuffle_ps(ab_hi, cd_hi, 0xEE));
}
LANEFOLD_INLINE void scatter_rows16(const WFloat* in, float* const* rows) {
    for (int h = 0; h < 2; ++h) {
        __m256 r[8];
        for (int l = 0; l < 8; ++l) r[l] = in[8 * h + l].v;
        transpose8(r);
        for (int l = 0; l < 8; ++l) _mm256_storeu_ps(rows[l] + 8 * h, r[l]);
    }
}
LANEFOLD_INLINE void stream_rows16(const WFloat* in, float* const* rows, std::uint32_t lanes) {
    __m256 r[16];
    for (int l = 0; l < 16; ++l) r[l] = in[l].v;
    transpose8(r);
    transpose8(r + 8);
    // Both halves of a line one after the other: they leave together.
    for (int l = 0; l < 8; ++l) {
        if (((lanes >> l) & 1U) == 0) continue;
        _mm256_stream_ps(rows[l], r[l]);
        _mm256_stream_ps(rows[l] + 8, r[8 + l]);
    }
}
LANEFOLD_INLINE void stream_zeros(float* row) {
    _mm256_stream_ps(row, _mm256_setzero_ps());
    _mm256_stream_ps(row + 8, _mm256_setzero_ps());
}
LANEFOLD_INLINE WFloat bit_cast_float(WInt a) { return BatchF(_mm256_castsi256_ps(a.v)); }
LANEFOLD_INLINE WInt shift_right_logical(WInt a, int n) { return BatchI(_mm256_srl_epi32(a.v, _mm_cvtsi32_si128(n))); }
LANEFOLD_INLINE void store_rows16(const WFloat* in, float* base) {
    for (int h = 0; h < 2; ++h) {
        __m256 r[8];
        for (int l = 0; l < 8; ++l) r[l] = in[8 * h + l].v;
        transpose8(r);
        for (int l = 0; l < 8; ++l) _mm256_storeu_ps(base + 16 * l + 8 * h, r[l]);
    }
}

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
LANEFOLD_INLINE WFloat gather(const float* base, WInt index) {
    alignas(16) std::int32_t i[4];
    index.v.store_aligned(i);
    return BatchF(_mm_setr_ps(base[i[0]], base[i[1]], base[i[2]], base[i[3]]));
}
LANEFOLD_INLINE WFloat permute(WFloat table, WInt lane) {
    alignas(16) float t[4];
    table.store(t);
    return gather(t, BatchI(_mm_and_si128(lane.v, _mm_set1_epi32(3))));
}
inline constexpr std::uint32_t kLookUpVectors = 0;
template <std::uint32_t kVectors>
LANEFOLD_INLINE WFloat look_up(const float* table, WInt index) {
    return gather(table, index);
}
LANEFOLD_INLINE WInt load_u16(const std::uint16_t* p) {
    const __m128i x = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(p));
    return BatchI(_mm_unpacklo_epi16(x, _mm_setzero_si128()));
}
LANEFOLD_INLINE void load_rows16(const float* const* rows, WFloat* out) {
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
LANEFOLD_INLINE void load_rows4(const float* const* rows, WFloat* out) {
    __m128 a = _mm_loadu_ps(rows[0]);
    __m128 b = _mm_loadu_ps(rows[1]);
    __m128 c = _mm_loadu_ps(rows[2]);
    __m128 d = _mm_loadu_ps(rows[3]);
    _MM_TRANSPOSE4_PS(a, b, c, d);
    out[0] = BatchF(a);
    out[1] = BatchF(b);
    out[2] = BatchF(c);
    out[3] = BatchF(d);
}
LANEFOLD_INLINE void scatter_rows16(const WFloat* in, float* const* rows) {
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
LANEFOLD_INLINE void stream_rows16(const WFloat* in, float* const* rows, std::uint32_t lanes) {
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
    for (int l = 0; l < 4; ++l) {
        if (((lanes >> l) & 1U) == 0) continue;
        for (int q = 0; q < 4; ++q) _mm_stream_ps(rows[l] + 4 * q, r[l][q]);
    }
}
LANEFOLD_INLINE void stream_zeros(float* row) {
    for (int q = 0; q < 4; ++q) _mm_stream_ps(row + 4 * q, _mm_setzero_ps());
}
LANEFOLD_INLINE WFloat bit_cast_float(WInt a) { return BatchF(_mm_castsi128_ps(a.v)); }
LANEFOLD_INLINE WInt shift_right_logical(WInt a, int n) { return BatchI(_mm_srl_epi32(a.v, _mm_cvtsi32_si128(n))); }
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
