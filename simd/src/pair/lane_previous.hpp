// SPDX-License-Identifier: MIT
//
// Previous records in lanes, lanes = pairs. Any bytes are safe: features are compared before they are used.
#pragma once

#include "lanes/wide.hpp"
#include "pair/previous_rows.hpp"

namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE {

// The heads of the previous records of kWidth pairs, for load_rows4().
struct PreviousRows {
    const ChunkHold& hold;
    const std::uint32_t* pair;

    LANEFOLD_INLINE const float* operator[](std::uint32_t l) const {
        return reinterpret_cast<const float*>(hold.head[pair[l]]);
    }
};

// RecordHead.
static_assert(offsetof(RecordHead, feature_a) == 4 && offsetof(RecordHead, feature_b) == 8 &&
              offsetof(RecordHead, total) == 12 && offsetof(RecordHead, count) == 14 &&
              offsetof(RecordHead, kind) == 15 && offsetof(RecordHead, status) == 16 && sizeof(RecordHead) == 20);
struct LanePrevious {
    WInt feature_a, feature_b, kind;
    WInt count;      // points; at most the capacity
    WMask may_stay;  // the features could stay: two faces, or two edges
    WMask face;      // a reference face could stay
    WMask on_b;      // it is B's

    LANEFOLD_INLINE static LanePrevious load(const ChunkHold& hold, const std::uint32_t* pair) {
        static_assert(static_cast<int>(ContactKind::face_a) == 1 && static_cast<int>(ContactKind::face_b) == 2 &&
                      static_cast<int>(ContactKind::edge_edge) == 3 && static_cast<int>(Status::ok) == 0);
        WFloat q[4];
        load_rows4(PreviousRows{hold, pair}, q, 1);
        const WInt counts = bit_cast_int(q[2]);
        LanePrevious p;
        p.feature_a = bit_cast_int(q[0]);
        p.feature_b = bit_cast_int(q[1]);
        p.kind = shift_right_logical(counts, 24);
        const WInt most(static_cast<std::int32_t>(hold.most_points));
        const WInt count = shift_right_logical(counts, 16) & WInt(0xFF);
        p.count = select(count < most, count, most);
        const WMask good = (bit_cast_int(q[3]) & WInt(0xFF)) == WInt(0);
        p.on_b = p.kind == WInt(2);
        p.face = good & ((p.kind == WInt(1)) | p.on_b);
        p.may_stay = p.face | (good & (p.kind == WInt(3)));
        return p;
    }
    LANEFOLD_INLINE WInt reference() const { return select(on_b, feature_b, feature_a); }
    LANEFOLD_INLINE WInt incident() const { return select(on_b, feature_a, feature_b); }
    LANEFOLD_INLINE WMask has(WInt a, WInt b, WInt of_kind) const {
        return (feature_a == a) & (feature_b == b) & (kind == of_kind);
    }
};

// The inverse of lane_mix32(); see unmix32().
LANEFOLD_INLINE WInt lane_unmix32(WInt x) {
    x = x ^ shift_right_logical(x, 16);
    x = x * WInt(0x43021123);
    x = x ^ (shift_right_logical(x, 15) ^ shift_right_logical(x, 30));
    x = x * WInt(0x1d69e2a5);
    return x ^ shift_right_logical(x, 16);
}

// The numbers of the pairs of features of the first four previous points. Those of a record with fewer points are
// numbers that must not be used.
struct LanePreviousPoints {
    WInt number[4];

    LANEFOLD_INLINE static LanePreviousPoints load(const ChunkHold& hold, const std::uint32_t* pair) {
        alignas(64) std::int32_t id[4][kWidth];
        for (std::uint32_t l = 0; l < kWidth; ++l) {
            const std::byte* first = hold.record[pair[l]] + offsetof(Manifold4, points);
            for (std::size_t k = 0; k < 4; ++k) {
                __builtin_memcpy(&id[k][l], first + k * sizeof(ContactPoint) + offsetof(ContactPoint, feature),
                                 sizeof id[k][l]);
            }
        }
        LanePreviousPoints p;
        for (int k = 0; k < 4; ++k) p.number[k] = lane_unmix32(WInt::loadu(id[k]));
        return p;
    }
};

}  // namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE
