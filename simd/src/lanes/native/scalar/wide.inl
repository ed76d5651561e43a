// SPDX-License-Identifier: MIT
//
// The lane types of width 1: the same kernels, one pair or vertex at a time. Included by lanes/native/wide.inl only.

inline constexpr std::uint32_t kWidth = 1;

struct WMask {
    bool v;
};

struct WInt {
    std::int32_t v;
    WInt() = default;
    LANEFOLD_INLINE explicit WInt(std::int32_t x) : v(x) {}
    LANEFOLD_INLINE static WInt iota() { return WInt(0); }
    LANEFOLD_INLINE static WInt loadu(const std::int32_t* p) { return WInt(*p); }
    LANEFOLD_INLINE void storeu(std::int32_t* p) const { *p = v; }
};

struct WFloat {
    float v;
    WFloat() = default;
    LANEFOLD_INLINE explicit WFloat(float x) : v(x) {}
    LANEFOLD_INLINE static WFloat load(const float* p) { return WFloat(*p); }
    LANEFOLD_INLINE static WFloat loadu(const float* p) { return WFloat(*p); }
    LANEFOLD_INLINE void store(float* p) const { *p = v; }
    LANEFOLD_INLINE void storeu(float* p) const { *p = v; }
};

LANEFOLD_INLINE WFloat operator+(WFloat a, WFloat b) {
    LANEFOLD_STAGE_FLOPS(1);
    return WFloat(a.v + b.v);
}
LANEFOLD_INLINE WFloat operator-(WFloat a, WFloat b) {
    LANEFOLD_STAGE_FLOPS(1);
    return WFloat(a.v - b.v);
}
LANEFOLD_INLINE WFloat operator*(WFloat a, WFloat b) {
    LANEFOLD_STAGE_FLOPS(1);
    return WFloat(a.v * b.v);
}
LANEFOLD_INLINE WFloat operator/(WFloat a, WFloat b) {
    LANEFOLD_STAGE_FLOPS(1);
    return WFloat(a.v / b.v);
}
LANEFOLD_INLINE WFloat negate(WFloat a) { return WFloat(-a.v); }
LANEFOLD_INLINE WFloat sqrt(WFloat a) {
    LANEFOLD_STAGE_FLOPS(1);
    return WFloat(__builtin_sqrtf(a.v));
}
LANEFOLD_INLINE WFloat abs(WFloat a) { return WFloat(__builtin_fabsf(a.v)); }
LANEFOLD_INLINE WFloat min(WFloat a, WFloat b) { return WFloat(a.v < b.v ? a.v : b.v); }
LANEFOLD_INLINE WFloat max(WFloat a, WFloat b) { return WFloat(a.v > b.v ? a.v : b.v); }
LANEFOLD_INLINE WMask operator<(WFloat a, WFloat b) { return {a.v < b.v}; }
LANEFOLD_INLINE WMask operator<=(WFloat a, WFloat b) { return {a.v <= b.v}; }
LANEFOLD_INLINE WMask operator>(WFloat a, WFloat b) { return {a.v > b.v}; }
LANEFOLD_INLINE WMask operator>=(WFloat a, WFloat b) { return {a.v >= b.v}; }
LANEFOLD_INLINE WMask operator==(WFloat a, WFloat b) { return {a.v == b.v}; }

LANEFOLD_INLINE WInt operator+(WInt a, WInt b) { return WInt(a.v + b.v); }
LANEFOLD_INLINE WInt operator*(WInt a, WInt b) {
    return WInt(static_cast<std::int32_t>(static_cast<std::uint32_t>(a.v) * static_cast<std::uint32_t>(b.v)));
}
LANEFOLD_INLINE WInt operator^(WInt a, WInt b) { return WInt(a.v ^ b.v); }
LANEFOLD_INLINE WInt operator&(WInt a, WInt b) { return WInt(a.v & b.v); }
LANEFOLD_INLINE WInt operator|(WInt a, WInt b) { return WInt(a.v | b.v); }
LANEFOLD_INLINE WMask operator==(WInt a, WInt b) { return {a.v == b.v}; }
LANEFOLD_INLINE WMask operator<(WInt a, WInt b) { return {a.v < b.v}; }

LANEFOLD_INLINE WMask operator&(WMask a, WMask b) { return {a.v && b.v}; }
LANEFOLD_INLINE WMask operator|(WMask a, WMask b) { return {a.v || b.v}; }
LANEFOLD_INLINE WMask operator~(WMask a) { return {!a.v}; }
LANEFOLD_INLINE std::uint32_t bits(WMask a) { return a.v ? 1U : 0U; }
LANEFOLD_INLINE bool any(WMask a) { return a.v; }

LANEFOLD_INLINE WFloat select(WMask m, WFloat a, WFloat b) { return m.v ? a : b; }
LANEFOLD_INLINE WInt select(WMask m, WInt a, WInt b) { return m.v ? a : b; }

LANEFOLD_INLINE float reduce_max(WFloat a) { return a.v; }
LANEFOLD_INLINE WFloat permute(WFloat table, WInt) { return table; }
LANEFOLD_INLINE WInt load_u16(const std::uint16_t* p) { return WInt(static_cast<std::int32_t>(*p)); }

// Rows also hold integers, of which only the bits are moved. A plain load would tell the compiler that they are floats.
LANEFOLD_INLINE WFloat load_any(const float* p) {
    float x = 0.0F;
    __builtin_memcpy(&x, p, sizeof x);
    return WFloat(x);
}

template <class Rows>
LANEFOLD_INLINE void load_rows16(const Rows& rows, WFloat* out) {
    for (std::size_t c = 0; c < 16; ++c) out[c] = load_any(rows[0] + c);
}
template <class Rows>
LANEFOLD_INLINE void load_rows4(const Rows& rows, WFloat* out, std::size_t at = 0) {
    for (std::size_t c = 0; c < 4; ++c) out[c] = load_any(rows[0] + at + c);
}
template <class Rows>
LANEFOLD_INLINE void load_rows2(const Rows& rows, WFloat* out) {
    for (std::size_t c = 0; c < 2; ++c) out[c] = load_any(rows[0] + c);
}
LANEFOLD_INLINE void store_rows16(const WFloat* in, float* base) {
    for (int c = 0; c < 16; ++c) base[c] = in[c].v;
}
template <std::size_t kQuads, class Rows>
LANEFOLD_INLINE void scatter_quads(const WFloat* in, const Rows& rows) {
    for (std::size_t c = 0; c < 4 * kQuads; ++c) __builtin_memcpy(rows[0] + c, &in[c].v, sizeof(float));
}
template <class Rows>
LANEFOLD_INLINE void stream_rows16(const WFloat* in, const Rows& rows, std::uint32_t lanes) {
    if (lanes != 0) scatter_quads<4>(in, rows);
}
LANEFOLD_INLINE void stream_zeros(float* row) { __builtin_memset(row, 0, 64); }
LANEFOLD_INLINE void stream_end() {}
LANEFOLD_INLINE WFloat bit_cast_float(WInt a) { return WFloat(__builtin_bit_cast(float, a.v)); }
LANEFOLD_INLINE WInt bit_cast_int(WFloat a) { return WInt(__builtin_bit_cast(std::int32_t, a.v)); }
LANEFOLD_INLINE WInt shift_right_logical(WInt a, int n) {
    return WInt(static_cast<std::int32_t>(static_cast<std::uint32_t>(a.v) >> n));
}
LANEFOLD_INLINE WFloat to_float(WInt a) { return WFloat(static_cast<float>(a.v)); }
LANEFOLD_INLINE WInt truncate(WFloat a) { return WInt(static_cast<std::int32_t>(a.v)); }
