// SPDX-License-Identifier: MIT
//
// Support queries: lanes = vertices of one hull. Also the per-hull pointers that every scan needs.
#pragma once

#include <lanefold/detail/hull_block.hpp>

#include "wide.hpp"

namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE {

// The float sections of a hull block.
struct HullFloats {
    const float* vx;
    const float* vy;
    const float* vz;
    const float* nx;
    const float* ny;
    const float* nz;
    const float* d;
    std::uint32_t vertices;
    std::uint32_t faces;
    std::uint32_t edges;
};

LANEFOLD_INLINE std::uint32_t pad16(std::uint32_t n) { return (n + (kBlockLanes - 1)) & ~(kBlockLanes - 1); }

LANEFOLD_INLINE HullFloats hull_floats(const HullRecord& h) {
    const std::uint32_t v = pad16(h.vertex_count);
    const std::uint32_t f = pad16(h.face_count);
    const float* base = reinterpret_cast<const float*>(h.block);
    HullFloats r;
    r.vx = base;
    r.vy = base + v;
    r.vz = base + 2 * v;
    r.nx = base + 3 * v;
    r.ny = r.nx + f;
    r.nz = r.ny + f;
    r.d = r.nz + f;
    r.vertices = h.vertex_count;
    r.faces = h.face_count;
    r.edges = h.edge_count;
    return r;
}

// The 16-bit topology sections of a hull block (the kernels never see wide hulls).
struct HullTopology {
    const std::uint16_t* edge_face0;
    const std::uint16_t* edge_face1;
    const std::uint16_t* edge_vertex;
    const std::uint16_t* face_first;
    const std::uint16_t* face_vertex;
    const std::uint16_t* face_edge;
    const std::uint16_t* vertex_first;
    const std::uint16_t* vertex_face;
};

LANEFOLD_INLINE const std::uint16_t* take16(const std::byte*& at, std::uint32_t count) {
    const auto* p = reinterpret_cast<const std::uint16_t*>(at);
    at += (2 * count + 63U) & ~63U;
    return p;
}

LANEFOLD_INLINE HullTopology hull_topology(const HullRecord& h) {
    // The order of the sections is that of hull_layout(); a test compares the two.
    const std::byte* at = h.block + 4 * (3 * pad16(h.vertex_count) + 4 * pad16(h.face_count));
    const std::uint32_t e = (h.edge_count + 31U) & ~31U;
    HullTopology t;
    t.edge_face0 = take16(at, e);
    t.edge_face1 = take16(at, e);
    t.edge_vertex = take16(at, 2 * e);
    t.face_first = take16(at, h.face_count + 1);
    t.face_vertex = take16(at, 2 * h.edge_count);
    t.face_edge = take16(at, 2 * h.edge_count);
    t.vertex_first = take16(at, h.vertex_count + 1);
    t.vertex_face = take16(at, 2 * h.edge_count);
    return t;
}

struct Best {
    float value;
    std::uint32_t index;
};

// The largest lane of `best` and the lowest index that attains it; lane l of vector `block` (a multiple of
// kWidth kept per lane) is index block + l. `single`: there was one vector, so the lane is the index.
//
// + 0.0F: whether a maximum of +0 and -0 comes out as one or the other depends on the width; +0 it is.
LANEFOLD_INLINE Best reduce_best(WFloat best, WInt block, bool single) {
    const float value = reduce_max(best);
    std::uint32_t ties = bits(best == splat(value));
    if (ties == 0) return {value, 0};  // NaN: not reached with validated input, but must not be undefined
    if (single) return {value + 0.0F, lowest_bit(ties)};
    alignas(64) std::int32_t blocks[kWidth];
    block.storeu(blocks);
    std::uint32_t lane = lowest_bit(ties);
    std::uint32_t index = static_cast<std::uint32_t>(blocks[lane]) + lane;
    ties &= ties - 1;
    while (ties != 0) {
        lane = lowest_bit(ties);
        const std::uint32_t other = static_cast<std::uint32_t>(blocks[lane]) + lane;
        index = other < index ? other : index;
        ties &= ties - 1;
    }
    return {value + 0.0F, index};
}

// Support of a hull: the largest n . v over its vertices, lowest index on ties. n in the hull's frame, any length.
LANEFOLD_INLINE Best support(const HullFloats& h, float nx, float ny, float nz) {
    const WFloat x(nx), y(ny), z(nz);
    WFloat best = (WFloat::load(h.vx) * x + WFloat::load(h.vy) * y) + WFloat::load(h.vz) * z;
    if (h.vertices <= kWidth) return reduce_best(best, WInt(0), true);
    WInt block(0);
    for (std::uint32_t i = kWidth; i < h.vertices; i += kWidth) {
        const WFloat v = (WFloat::load(h.vx + i) * x + WFloat::load(h.vy + i) * y) + WFloat::load(h.vz + i) * z;
        const WMask above = v > best;
        best = select(above, v, best);
        block = select(above, WInt(static_cast<std::int32_t>(i)), block);
    }
    return reduce_best(best, block, false);
}

}  // namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE
