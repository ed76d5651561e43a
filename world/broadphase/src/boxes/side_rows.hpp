// SPDX-License-Identifier: MIT
//
// A row of sides (boxes/sides.hpp) in lanes: in as many vectors as its six sides fill.
#pragma once

#include <cstdint>

#include "boxes/sides.hpp"
#include "lanes/doubles.hpp"

namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE {

using FourDoubles = double __attribute__((vector_size(32)));

struct SideRow {
    static constexpr std::uint32_t kParts = kDoubles == 8 ? 1 : kDoubles == 4 ? 2 : 3;

    WDouble part[kParts];

    LANEFOLD_INLINE static SideRow load(const Sides& from) {
        SideRow r;
        for (std::uint32_t k = 0; k < kParts; ++k) r.part[k] = load_doubles(from.of + k * kDoubles);
        return r;
    }
    // The places without a side may hold anything by then.
    LANEFOLD_INLINE void store(Sides& to) const {
        for (std::uint32_t k = 0; k < kParts; ++k) store_lanes(part[k], to.of + k * kDoubles);
        to.of[6] = kNoSide;
        to.of[7] = kNoSide;
    }
};

template <class F>
LANEFOLD_INLINE SideRow each_part(const F& f) {
    SideRow r;
    for (std::uint32_t k = 0; k < SideRow::kParts; ++k) r.part[k] = f(k);
    return r;
}

LANEFOLD_INLINE SideRow operator+(const SideRow& a, const SideRow& b) {
    return each_part([&](std::uint32_t k) LANEFOLD_INLINE_LAMBDA { return a.part[k] + b.part[k]; });
}
LANEFOLD_INLINE SideRow operator-(const SideRow& a, const SideRow& b) {
    return each_part([&](std::uint32_t k) LANEFOLD_INLINE_LAMBDA { return a.part[k] - b.part[k]; });
}

// x, y and z beside each upper side, and negated beside each lower one. Reads one number beyond the three.
template <class Vector = WDouble, class Four = FourDoubles>
LANEFOLD_INLINE SideRow along_sides(const double* xyz) {
    if constexpr (sizeof(Vector) == 64) {
        const Four v = load_lanes<Four>(xyz);
        return {{__builtin_shufflevector(v, -v, 0, 1, 4, 5, 2, 6, 2, 6)}};
    } else if constexpr (sizeof(Vector) == 32) {
        const Vector v = load_doubles(xyz);
        return {{__builtin_shufflevector(v, -v, 0, 1, 4, 5), __builtin_shufflevector(v, -v, 2, 6, 2, 6)}};
    } else {
        const Vector v = load_doubles(xyz);
        const Vector z = splat_double(xyz[2]);
        return {{v, -v, __builtin_shufflevector(z, -z, 0, 2)}};
    }
}

// Upper sides in the places of lower ones, and the other way round.
template <class Row>
LANEFOLD_INLINE Row turned(const Row& a) {
    if constexpr (Row::kParts == 1) {
        return {{__builtin_shufflevector(a.part[0], a.part[0], 2, 3, 0, 1, 5, 4, 6, 7)}};
    } else if constexpr (Row::kParts == 2) {
        return {{__builtin_shufflevector(a.part[0], a.part[0], 2, 3, 0, 1),
                 __builtin_shufflevector(a.part[1], a.part[1], 1, 0, 2, 3)}};
    } else {
        return {{a.part[1], a.part[0], __builtin_shufflevector(a.part[2], a.part[2], 1, 0)}};
    }
}

// The largest lane of each of six vectors, as a row in the order of the sides.
template <class Vector>
LANEFOLD_INLINE SideRow largest_lanes(const Vector* six) {
    if constexpr (sizeof(Vector) == 64) {
        const Vector all[8] = {six[0], six[1], six[2], six[3], six[4], six[5], six[4], six[5]};
        return {{fold_lanes<Largest>(all)}};
    } else if constexpr (sizeof(Vector) == 32) {
        const Vector last[4] = {six[4], six[5], six[4], six[5]};
        return {{fold_lanes<Largest>(six), fold_lanes<Largest>(last)}};
    } else {
        return {{fold_lanes<Largest>(six), fold_lanes<Largest>(six + 2), fold_lanes<Largest>(six + 4)}};
    }
}

// The smallest of the row's numbers, spread over the lanes that are left. NaN counts for nothing.
LANEFOLD_INLINE WDouble smallest_part(const SideRow& a) {
    const WDouble none = splat_double(kInfinite);
    WDouble least = smaller(a.part[0], none);
    for (std::uint32_t k = 1; k < SideRow::kParts; ++k) least = smaller(a.part[k], least);
    return least;
}

}  // namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE
