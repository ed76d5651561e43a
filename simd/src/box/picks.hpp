// SPDX-License-Identifier: MIT
//
// Picks (box pairs that touch) in lanes, lanes = picks.
#pragma once

#include "box/box_picks.hpp"
#include "lanes/wide.hpp"

namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE {

// Four lanes have no permutation to pack with, and other instructions gain too little. With them, selected lanes are
// appended one at a time.
inline constexpr bool kPackLanes = kWidth != 4;

// BoxPick.
struct LaneBoxPick {
    WInt place;
    WFloat optimum;
    WInt codes;
    WFloat margin;

    // From pick `begin` of the list on.
    LANEFOLD_INLINE static LaneBoxPick load(const BoxPicks& list, std::uint32_t begin) {
        return {load_indices(list.place.data() + begin), WFloat::loadu(list.optimum.data() + begin),
                WInt::loadu(list.codes.data() + begin), WFloat::loadu(list.margin.data() + begin)};
    }
    // 0..2 for an axis of A, 3..5 for an axis of B.
    LANEFOLD_INLINE WInt face_code() const { return codes & WInt(BoxPick::kCodeMask); }
    // 3 i + j: axis i of A, j of B.
    LANEFOLD_INLINE WInt edge_code() const {
        return shift_right_logical(codes, BoxPick::kEdgeShift) & WInt(BoxPick::kCodeMask);
    }
    LANEFOLD_INLINE WMask without(std::int32_t flag) const { return (codes & WInt(flag)) == WInt(0); }
    // The reference face's axis of held picks as in face_code(), and its place and the incident face's in BoxMap.
    LANEFOLD_INLINE WInt held_place(int shift) const {
        return shift_right_logical(codes, shift) & WInt(BoxPick::kPlaceMask);
    }
    LANEFOLD_INLINE WInt held_code() const {
        const WInt axis = shift_right_logical(held_place(BoxPick::kReferenceShift), 1);
        return axis + select(without(1 << BoxPick::kOnBShift), WInt(0), WInt(3));
    }
};

// Appends the picks of the lanes named by bits.
LANEFOLD_INLINE void append_picks(BoxPicks& list, std::uint32_t lanes, const LaneBoxPick& pick) {
    if constexpr (kPackLanes) {
        const std::uint32_t n = list.count;
        const Packing p = packing(lanes);
        store_indices(pack(pick.place, p), list.place.data() + n);
        pack(pick.optimum, p).storeu(list.optimum.data() + n);
        pack(pick.codes, p).storeu(list.codes.data() + n);
        pack(pick.margin, p).storeu(list.margin.data() + n);
        list.count = n + count_bits(lanes);
    } else {
        alignas(64) std::uint32_t place[kWidth];
        alignas(64) std::int32_t codes[kWidth];
        alignas(64) float optimum[kWidth], margin[kWidth];
        store_indices(pick.place, place);
        pick.optimum.store(optimum);
        pick.codes.storeu(codes);
        pick.margin.store(margin);
        for (std::uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
            const std::uint32_t l = lowest_bit(rest);
            list.push({place[l], optimum[l], codes[l], margin[l]});
        }
    }
}

}  // namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE
