// SPDX-License-Identifier: MIT
//
// Eight lanes of 16 bits. Included by lanes/native/short.inl only.

#include "lanes/native/xsimd/short.inl"

LANEFOLD_INLINE WShort mul_round(WShort a, WShort b) { return BatchS(vqrdmulhq_s16(a.v, b.v)); }
LANEFOLD_INLINE WShort min(WShort a, WShort b) { return xsimd::min(a.v, b.v); }
LANEFOLD_INLINE WShort max(WShort a, WShort b) { return xsimd::max(a.v, b.v); }
LANEFOLD_INLINE WShort select(WShortMask m, WShort a, WShort b) { return xsimd::select(m.v, a.v, b.v); }
LANEFOLD_INLINE std::int32_t highest(WShort a) { return vmaxvq_s16(a.v); }
LANEFOLD_INLINE std::uint64_t pair_bits(WShortMask a, WShortMask b) {
    static constexpr std::uint16_t kBit[8] = {1, 2, 4, 8, 16, 32, 64, 128};
    const uint16x8_t bit = vld1q_u16(kBit);
    return vaddvq_u16(vandq_u16(a.v, bit)) | std::uint64_t{vaddvq_u16(vandq_u16(b.v, bit))} << 8;
}
