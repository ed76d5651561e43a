// SPDX-License-Identifier: MIT
//
// Four lanes of NEON. Included by lanes/native/wide.inl only.

using Arch = xsimd::neon64;
#include "lanes/native/xsimd/wide.inl"

LANEFOLD_INLINE WInt operator*(WInt a, WInt b) { return BatchI(vmulq_s32(a.v, b.v)); }
// xsimd 8.1 estimates quotients and square roots on NEON64; these instructions are correctly rounded.
LANEFOLD_INLINE WFloat operator/(WFloat a, WFloat b) { return BatchF(vdivq_f32(a.v, b.v)); }
LANEFOLD_INLINE WFloat sqrt(WFloat a) { return BatchF(vsqrtq_f32(a.v)); }
// NEON's own min and max treat zeros and NaN differently from x86, so these compare and select.
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
    // Byte b of a lane that selects lane l is byte 4 l + b of the table.
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
template <std::size_t kQuads, class Rows>
LANEFOLD_INLINE void scatter_quads(const WFloat* in, const Rows& rows) {
    for (std::size_t q = 0; q < kQuads; ++q) {
        float32x4_t r[4];
        for (std::size_t l = 0; l < 4; ++l) r[l] = in[4 * q + l].v;
        transpose4(r);
        for (std::uint32_t l = 0; l < 4; ++l) vst1q_f32(rows[l] + 4 * q, r[l]);
    }
}
// Plain stores: AArch64 has no store past the caches without assembly.
template <class Rows>
LANEFOLD_INLINE void stream_rows16(const WFloat* in, const Rows& rows, std::uint32_t) {
    scatter_quads<4>(in, rows);
}
LANEFOLD_INLINE void stream_zeros(float* row) {
    for (int k = 0; k < 16; k += 4) vst1q_f32(row + k, vdupq_n_f32(0.0F));
}
LANEFOLD_INLINE void stream_end() {}
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
