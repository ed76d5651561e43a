// SPDX-License-Identifier: MIT
//
// Support queries, lanes = vertices of one hull, and pointers to the sections of a hull block.
#pragma once

#include <lanefold/detail/hull_block.hpp>

#include "lanes/wide.hpp"

namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE {

// The float sections of a hull block.
struct HullFloats {
    const float* vx;
    const float* vy;
    const float* vz;
    const float* planes;  // nx, ny, nz, d of each face
    std::uint32_t vertices;
    std::uint32_t faces;
    std::uint32_t edges;
};

LANEFOLD_INLINE std::uint32_t pad16(std::uint32_t n) { return (n + (kBlockLanes - 1)) & ~(kBlockLanes - 1); }

LANEFOLD_INLINE std::uint32_t pad32(std::uint32_t n) { return (n + (2 * kBlockLanes - 1)) & ~(2 * kBlockLanes - 1); }

LANEFOLD_INLINE HullFloats hull_floats(const HullRecord& h) {
    const std::uint32_t v = pad16(h.vertex_count);
    const float* base = reinterpret_cast<const float*>(h.block);
    HullFloats r;
    r.vx = base;
    r.vy = base + v;
    r.vz = base + 2 * v;
    r.planes = base + 3 * v;
    r.vertices = h.vertex_count;
    r.faces = h.face_count;
    r.edges = h.edge_count;
    return r;
}

// nx, ny, nz, d of face f.
LANEFOLD_INLINE const float* plane_at(const float* planes, std::uint32_t f) { return planes + std::size_t{4} * f; }
LANEFOLD_INLINE const float* plane_of(const HullFloats& h, std::uint32_t f) { return plane_at(h.planes, f); }

// Floats that the planes of a hull take.
LANEFOLD_INLINE std::uint32_t plane_floats(std::uint32_t faces) { return (4 * faces + 15U) & ~15U; }

// The polygons and the 16-bit topology sections of a hull block. The kernels never read wide hulls (32-bit topology).
struct HullTopology {
    const std::uint16_t* edge_face0;
    const std::uint16_t* edge_face1;
    const std::uint16_t* edge_vertex;
    const std::uint16_t* face_first;
    const float* polygons;
    const std::uint16_t* vertex_first;
    const std::uint16_t* vertex_face;
    const std::uint16_t* face_vertex;
    const std::uint16_t* face_edge;
};

template <class T = std::uint16_t>
LANEFOLD_INLINE const T* take_section(const std::byte*& at, std::uint32_t bytes) {
    const auto* p = reinterpret_cast<const T*>(at);
    at += (bytes + 63U) & ~63U;
    return p;
}

LANEFOLD_INLINE HullTopology hull_topology(const HullRecord& h) {
    // The sections are in the order of hull_layout(); a test compares the two.
    const std::byte* at =
        h.block + 4 * (3 * pad16(h.vertex_count) + plane_floats(h.face_count)) + 2 * (4 * pad32(h.face_count));
    const std::uint32_t e = pad32(h.edge_count);
    HullTopology t;
    t.edge_face0 = take_section(at, 2 * e);
    t.edge_face1 = take_section(at, 2 * e);
    t.edge_vertex = take_section(at, 4 * e);
    at = h.block + h.loops;
    t.face_first = take_section(at, 2 * (h.face_count + 1));
    t.polygons = take_section<float>(at, sizeof(PolygonCorner) * (2 * h.edge_count + h.face_count));
    t.vertex_first = take_section(at, 2 * (h.vertex_count + 1));
    t.vertex_face = take_section(at, 4 * h.edge_count);
    t.face_vertex = take_section(at, 4 * h.edge_count);
    t.face_edge = take_section(at, 4 * h.edge_count);
    return t;
}

// The entries of a face: its plane, then its corners. `place`: its polygon_place().
LANEFOLD_INLINE const float* polygon_at(const float* polygons, std::uint32_t place) {
    return polygons + sizeof(PolygonCorner) / sizeof(float) * place;
}
// The same of face f. `first`: face_first[f].
LANEFOLD_INLINE const float* polygon_at(const float* polygons, std::uint32_t first, std::uint32_t f) {
    return polygon_at(polygons, polygon_place(first, f));
}

struct Best {
    float value;
    std::uint32_t index;
};

// The reductions below turn the lane-wise maxima of a scan into one number and the lowest index that attains it.
//
// They add 0.0F, because the sign of a maximum of +0 and -0 depends on the width; the sum is +0.

// Index of the lowest set bit. No bit is set if the maximum is NaN. Validated input never gives that, but the result
// must be defined.
LANEFOLD_INLINE std::uint32_t first_of(std::uint64_t ties) {
    return ties == 0 ? 0U : static_cast<std::uint32_t>(__builtin_ctzll(ties));
}

// The maximum of N vectors that fit the registers. Comparing all of them with the maximum gives a mask whose lowest set
// bit is the index.
template <std::uint32_t N>
LANEFOLD_INLINE Best reduce_vectors(const WFloat* v) {
    constexpr std::uint32_t kWord = 64 / kWidth;  // vectors whose lanes share a word
    static_assert(N <= 2 * kWord);
    WFloat best = v[0];
    for (std::uint32_t k = 1; k < N; ++k) best = max(v[k], best);
    const float value = reduce_max(best);
    const WFloat all(value);
    std::uint64_t ties[2] = {0, 0};
    for (std::uint32_t k = 0; k < N; ++k)
        ties[k / kWord] |= static_cast<std::uint64_t>(bits(v[k] == all)) << (k % kWord * kWidth);
    if constexpr (N > kWord) {
        // No branch, because it would be mispredicted half of the time.
        const std::uint64_t later = ~std::uint64_t{0} * static_cast<std::uint64_t>(ties[0] == 0);
        return {value + 0.0F, static_cast<std::uint32_t>(later & 64U) + first_of(ties[0] | (ties[1] & later))};
    }
    return {value + 0.0F, first_of(ties[0])};
}

// The maximum of any number of vectors. `best` holds the maxima per lane, `block` the first index of the vector that
// each came from.
LANEFOLD_INLINE Best reduce_blocks(WFloat best, WInt block) {
    const float value = reduce_max(best);
    std::uint32_t ties = bits(best == splat(value));
    alignas(64) std::int32_t blocks[kWidth];
    block.storeu(blocks);
    std::uint32_t index = ~0U;
    for (; ties != 0; ties &= ties - 1) {
        const std::uint32_t lane = lowest_bit(ties);
        const std::uint32_t other = static_cast<std::uint32_t>(blocks[lane]) + lane;
        index = other < index ? other : index;
    }
    return {value + 0.0F, index == ~0U ? 0U : index};
}

// Scans of up to this many vectors are unrolled, with one code path per count.
inline constexpr std::uint32_t kUnrolled = kWidth == 1 ? 1 : (kWidth < 8 ? 4 : 8);

// scan.of<N>() for N = the number of vectors that hold n <= kUnrolled * kWidth.
template <std::uint32_t N, class Scan>
LANEFOLD_INLINE Best unrolled(std::uint32_t n, const Scan& scan) {
    if constexpr (N < kUnrolled) {
        if (n > N * kWidth) return unrolled<N + 1>(n, scan);
    }
    return scan.template of<N>();
}

LANEFOLD_INLINE WFloat vertex_dot(const HullFloats& h, std::uint32_t i, WFloat x, WFloat y, WFloat z) {
    return (WFloat::load(h.vx + i) * x + WFloat::load(h.vy + i) * y) + WFloat::load(h.vz + i) * z;
}

struct SupportScan {
    const HullFloats& h;
    WFloat x, y, z;

    template <std::uint32_t N>
    LANEFOLD_INLINE Best of() const {
        WFloat v[N];
        for (std::uint32_t k = 0; k < N; ++k) v[k] = vertex_dot(h, k * kWidth, x, y, z);
        return reduce_vectors<N>(v);
    }
};

inline Best support_blocks(const HullFloats& h, WFloat x, WFloat y, WFloat z) {
    WFloat best = vertex_dot(h, 0, x, y, z);
    WInt block(0);
    for (std::uint32_t i = kWidth; i < h.vertices; i += kWidth) {
        const WFloat v = vertex_dot(h, i, x, y, z);
        const WMask above = v > best;
        best = select(above, v, best);
        block = select(above, WInt(static_cast<std::int32_t>(i)), block);
    }
    return reduce_blocks(best, block);
}

// Support of a hull: the largest n . v over its vertices, the lowest index on ties. n: in the hull's frame, any length.
LANEFOLD_INLINE Best support(const HullFloats& h, float nx, float ny, float nz) {
    const WFloat x(nx), y(ny), z(nz);
    LANEFOLD_STAGE_LANES(h.vertices, lanes_up(h.vertices));
    if (h.vertices <= kUnrolled * kWidth) return unrolled<1>(h.vertices, SupportScan{h, x, y, z});
    return support_blocks(h, x, y, z);
}

}  // namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE
