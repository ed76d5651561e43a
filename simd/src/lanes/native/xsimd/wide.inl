// SPDX-License-Identifier: MIT
//
// The lane types over xsimd (8.1 and newer), and the operations for which xsimd keeps the contract on every instruction
// set. Included by the wide.inl of each set, which defines `Arch`.

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
    LANEFOLD_INLINE explicit WInt(std::int32_t x) : v(before_splat(x)) {}
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
    LANEFOLD_INLINE explicit WFloat(float x) : v(before_splat(x)) {}
    LANEFOLD_INLINE static WFloat load(const float* p) { return BatchF::load_aligned(p); }
    LANEFOLD_INLINE static WFloat loadu(const float* p) { return BatchF::load_unaligned(p); }
    LANEFOLD_INLINE void store(float* p) const { v.store_aligned(p); }
    LANEFOLD_INLINE void storeu(float* p) const { v.store_unaligned(p); }
};

LANEFOLD_INLINE WFloat operator+(WFloat a, WFloat b) { return a.v + b.v; }
LANEFOLD_INLINE WFloat operator-(WFloat a, WFloat b) { return a.v - b.v; }
LANEFOLD_INLINE WFloat operator*(WFloat a, WFloat b) { return a.v * b.v; }
// xsimd's unary minus is 0 - x, which turns +0 into +0, so this flips the sign bit.
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
LANEFOLD_INLINE WFloat bit_cast_float(WInt a) { return xsimd::bitwise_cast<BatchF>(a.v); }
LANEFOLD_INLINE WInt bit_cast_int(WFloat a) { return xsimd::bitwise_cast<BatchI>(a.v); }
LANEFOLD_INLINE WFloat to_float(WInt a) { return xsimd::to_float(a.v); }
LANEFOLD_INLINE WInt truncate(WFloat a) { return xsimd::to_int(a.v); }
