// SPDX-License-Identifier: MIT
//
// One lane of 16 bits. Included by lanes/native/short.inl only.

inline constexpr std::uint32_t kShorts = 1;
struct WShortMask {
    bool v;
};
struct WShort {
    std::int32_t v;
    WShort() = default;
    LANEFOLD_INLINE explicit WShort(std::int32_t x) : v(x) {}
    LANEFOLD_INLINE static WShort load(const std::int16_t* p) { return WShort(*p); }
    LANEFOLD_INLINE void store(std::int16_t* p) const { *p = static_cast<std::int16_t>(v); }
    LANEFOLD_INLINE static WShort pairs(std::int32_t x) { return WShort(static_cast<std::int16_t>(x)); }
    LANEFOLD_INLINE static WShort iota() { return WShort(0); }
};
LANEFOLD_INLINE WShort operator+(WShort a, WShort b) { return WShort(a.v + b.v); }
LANEFOLD_INLINE WShort operator|(WShort a, WShort b) { return WShort(a.v | b.v); }
LANEFOLD_INLINE WShort mul_round(WShort a, WShort b) { return WShort((a.v * b.v + 0x4000) >> 15); }
LANEFOLD_INLINE WShort min(WShort a, WShort b) { return a.v < b.v ? a : b; }
LANEFOLD_INLINE WShort max(WShort a, WShort b) { return a.v > b.v ? a : b; }
LANEFOLD_INLINE WShortMask operator==(WShort a, WShort b) { return {a.v == b.v}; }
LANEFOLD_INLINE WShortMask operator>(WShort a, WShort b) { return {a.v > b.v}; }
LANEFOLD_INLINE WShort select(WShortMask m, WShort a, WShort b) { return m.v ? a : b; }
LANEFOLD_INLINE std::int32_t highest(WShort a) { return a.v; }
LANEFOLD_INLINE std::uint64_t pair_bits(WShortMask a, WShortMask b) { return (a.v ? 1U : 0U) | (b.v ? 2U : 0U); }
