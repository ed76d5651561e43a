// SPDX-License-Identifier: MIT
//
// Operations that all instruction sets except AVX-512 build alike from their own ones. Included by
// lanes/native/wide.inl only.

LANEFOLD_INLINE WMask less_of(WMask m, WFloat a, WFloat b) { return m & (a < b); }
LANEFOLD_INLINE WMask at_most_of(WMask m, WFloat a, WFloat b) { return m & (a <= b); }

// For every set of lanes its members in order, then zeros.
struct PackingTable {
    std::uint16_t lane[1U << kWidth][kWidth] = {};

    constexpr PackingTable() {
        for (std::uint32_t set = 0; set < 1U << kWidth; ++set) {
            std::uint32_t n = 0;
            for (std::uint32_t l = 0; l < kWidth; ++l) {
                if ((set >> l & 1U) != 0) lane[set][n++] = static_cast<std::uint16_t>(l);
            }
        }
    }
};
inline constexpr PackingTable kPackingTable;

struct Packing {
    WInt lane;
};
// permute(a, lane): lane l of the result is lane lane[l] of a. lane[l] must be below kWidth where the result is used.
LANEFOLD_INLINE Packing packing(std::uint32_t lanes) { return {load_u16(kPackingTable.lane[lanes])}; }
LANEFOLD_INLINE WFloat pack(WFloat a, Packing p) { return permute(a, p.lane); }

template <std::size_t kQuads, class Rows>
LANEFOLD_INLINE void load_quads(const Rows& rows, WFloat* out, std::size_t at = 0) {
    for (std::size_t q = 0; q < kQuads; ++q) load_rows4(rows, out + 4 * q, at + 4 * q);
}
LANEFOLD_INLINE WInt pack_once(WInt a, std::uint32_t lanes) {
    return bit_cast_int(pack(bit_cast_float(a), packing(lanes)));
}
