// SPDX-License-Identifier: MIT
//
// Eight lanes of 16 bits. Included by lanes/native/short.inl only.

inline constexpr std::uint32_t kShorts = 8;
struct WShortMask {
    uint16x8_t v;
};
struct WShort {
    int16x8_t v;
    WShort() = default;
    LANEFOLD_INLINE WShort(int16x8_t x) : v(x) {}
    LANEFOLD_INLINE explicit WShort(std::int32_t x) : v(vdupq_n_s16(static_cast<std::int16_t>(x))) {}
    LANEFOLD_INLINE static WShort load(const std::int16_t* p) { return vld1q_s16(p); }
    LANEFOLD_INLINE void store(std::int16_t* p) const { vst1q_s16(p, v); }
    LANEFOLD_INLINE static WShort pairs(std::int32_t x) { return vreinterpretq_s16_s32(vdupq_n_s32(x)); }
    LANEFOLD_INLINE static WShort iota() {
        static constexpr std::int16_t kIota[8] = {0, 1, 2, 3, 4, 5, 6, 7};
        return vld1q_s16(kIota);
    }
};
LANEFOLD_INLINE WShort operator+(WShort a, WShort b) { return vaddq_s16(a.v, b.v); }
LANEFOLD_INLINE WShort operator|(WShort a, WShort b) { return vorrq_s16(a.v, b.v); }
LANEFOLD_INLINE WShort mul_round(WShort a, WShort b) { return vqrdmulhq_s16(a.v, b.v); }
LANEFOLD_INLINE WShort min(WShort a, WShort b) { return vminq_s16(a.v, b.v); }
LANEFOLD_INLINE WShort max(WShort a, WShort b) { return vmaxq_s16(a.v, b.v); }
LANEFOLD_INLINE WShortMask operator==(WShort a, WShort b) { return {vceqq_s16(a.v, b.v)}; }
LANEFOLD_INLINE WShortMask operator>(WShort a, WShort b) { return {vcgtq_s16(a.v, b.v)}; }
LANEFOLD_INLINE WShort select(WShortMask m, WShort a, WShort b) { return vbslq_s16(m.v, a.v, b.v); }
LANEFOLD_INLINE std::int32_t highest(WShort a) { return vmaxvq_s16(a.v); }
LANEFOLD_INLINE std::uint64_t pair_bits(WShortMask a, WShortMask b) {
    static constexpr std::uint16_t kBit[8] = {1, 2, 4, 8, 16, 32, 64, 128};
    const uint16x8_t bit = vld1q_u16(kBit);
    return vaddvq_u16(vandq_u16(a.v, bit)) | std::uint64_t{vaddvq_u16(vandq_u16(b.v, bit))} << 8;
}
