// SPDX-License-Identifier: MIT
//
// The lanes of 16 bits over xsimd, and the operations that it has for them. Included by the short.inl of each set.

using BatchS = xsimd::batch<std::int16_t, Arch>;

inline constexpr std::uint32_t kShorts = static_cast<std::uint32_t>(BatchS::size);

struct WShortMask {
    BatchS::batch_bool_type v;
};

struct WShort {
    BatchS v;
    WShort() = default;
    LANEFOLD_INLINE WShort(BatchS x) : v(x) {}
    LANEFOLD_INLINE explicit WShort(std::int32_t x) : v(static_cast<std::int16_t>(before_splat(x))) {}
    LANEFOLD_INLINE static WShort load(const std::int16_t* p) { return BatchS::load_aligned(p); }
    LANEFOLD_INLINE void store(std::int16_t* p) const { v.store_aligned(p); }
    LANEFOLD_INLINE static WShort pairs(std::int32_t x) { return xsimd::bitwise_cast<BatchS>(WInt(x).v); }
    LANEFOLD_INLINE static WShort iota() {
        alignas(64) static constexpr std::int16_t kIota[32] = {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10,
                                                               11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21,
                                                               22, 23, 24, 25, 26, 27, 28, 29, 30, 31};
        return load(kIota);
    }
};

LANEFOLD_INLINE WShort operator+(WShort a, WShort b) { return a.v + b.v; }
LANEFOLD_INLINE WShort operator|(WShort a, WShort b) { return a.v | b.v; }
LANEFOLD_INLINE WShortMask operator==(WShort a, WShort b) { return {a.v == b.v}; }
LANEFOLD_INLINE WShortMask operator>(WShort a, WShort b) { return {a.v > b.v}; }
