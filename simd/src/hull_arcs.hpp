// SPDX-License-Identifier: MIT
//
// Pruning of edges by their Gauss arcs. Every unit normal on the arc of an edge is a non-negative combination,
// with weights that sum to at least 1, of the normals of its two faces. So if ONE witness is at least `depth`
// (>= 0) below the planes of both faces, no axis on the arc separates better than -depth, and the edge is out.
// One bit per (face, witness); an edge survives iff no witness has both its faces' bits.
#pragma once

#include "chunk_scratch_impl.hpp"
#include "support.hpp"

namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE {

#if LANEFOLD_ISA_ID == LANEFOLD_ISA_avx512

// Bits of 32 faces from two vectors of plane distances; `faces` 32-bit lanes beyond the hull give garbage bits
// that no edge refers to.
LANEFOLD_INLINE __m512i face_bits32(const float* plane_distance, std::uint32_t stride, std::uint32_t first,
                                    std::uint32_t witnesses, WFloat threshold) {
    __m512i acc = _mm512_setzero_si512();
    for (std::uint32_t k = 0; k < witnesses; ++k) {
        const float* p = plane_distance + k * stride + first;
        const std::uint32_t lo = bits(WFloat::load(p) <= threshold);
        const std::uint32_t hi = bits(WFloat::load(p + 16) <= threshold);
        const __m512i bit = _mm512_set1_epi16(static_cast<short>(1U << k));
        acc = _mm512_mask_add_epi16(acc, lo | (hi << 16), acc, bit);  // one bit per round: adding is or
    }
    return acc;
}

// Up to 64 faces: the table of bits stays in two registers and 32 edges look it up at once.
LANEFOLD_INLINE std::uint32_t surviving_edges64(const HullTopology& topology, std::uint32_t edges, std::uint32_t faces,
                                                const float* plane_distance, std::uint32_t stride,
                                                std::uint32_t witnesses, WFloat threshold, std::uint32_t* out) {
    const __m512i low = face_bits32(plane_distance, stride, 0, witnesses, threshold);
    const __m512i high =
        faces > 32 ? face_bits32(plane_distance, stride, 32, witnesses, threshold) : _mm512_setzero_si512();
    std::uint32_t n = 0;
    for (std::uint32_t i = 0; i < edges; i += 32) {
        const __m512i f0 = _mm512_loadu_si512(topology.edge_face0 + i);
        const __m512i f1 = _mm512_loadu_si512(topology.edge_face1 + i);
        const __m512i b0 = _mm512_permutex2var_epi16(low, f0, high);
        const __m512i b1 = _mm512_permutex2var_epi16(low, f1, high);
        std::uint32_t alive = _mm512_testn_epi16_mask(b0, b1);
        if (edges - i < 32) alive &= (1U << (edges - i)) - 1U;
        while (alive != 0) {
            out[n++] = i + lowest_bit(alive);
            alive &= alive - 1;
        }
    }
    return n;
}

#endif

// Indices of the surviving edges, ascending; returns how many. `stride` is the row length of plane_distance (a
// multiple of 64).
LANEFOLD_INLINE std::uint32_t surviving_edges(const HullTopology& topology, std::uint32_t edges, std::uint32_t faces,
                                              const float* plane_distance, std::uint32_t stride,
                                              std::uint32_t witnesses, float threshold, std::uint8_t* face_bits,
                                              std::uint32_t* out) {
    const WFloat limit(threshold);
#if LANEFOLD_ISA_ID == LANEFOLD_ISA_avx512
    if (faces <= 64) {
        return surviving_edges64(topology, edges, faces, plane_distance, stride, witnesses, limit, out);
    }
#endif
    for (std::uint32_t i = 0; i < faces; i += kWidth) {
        WInt acc(0);
        for (std::uint32_t k = 0; k < witnesses; ++k) {
            const WMask below = WFloat::load(plane_distance + k * stride + i) <= limit;
            acc = acc + select(below, WInt(1 << k), WInt(0));
        }
        alignas(64) std::int32_t lanes[kWidth];
        acc.storeu(lanes);
        for (std::uint32_t l = 0; l < kWidth; ++l) face_bits[i + l] = static_cast<std::uint8_t>(lanes[l]);
    }
    std::uint32_t n = 0;
    for (std::uint32_t e = 0; e < edges; ++e) {
        out[n] = e;
        n += (face_bits[topology.edge_face0[e]] & face_bits[topology.edge_face1[e]]) == 0 ? 1U : 0U;
    }
    return n;
}

// Edge e of a hull as a row, in that hull's own frame.
LANEFOLD_INLINE void write_edge_row(const HullFloats& h, const HullTopology& topology, std::uint32_t e,
                                    std::uint32_t slot, EdgeRow& row) {
    const std::uint32_t v0 = topology.edge_vertex[2 * e];
    const std::uint32_t v1 = topology.edge_vertex[2 * e + 1];
    const std::uint32_t f0 = topology.edge_face0[e];
    const std::uint32_t f1 = topology.edge_face1[e];
    row.p[0] = h.vx[v0];
    row.p[1] = h.vy[v0];
    row.p[2] = h.vz[v0];
    row.e[0] = h.vx[v1] - row.p[0];
    row.e[1] = h.vy[v1] - row.p[1];
    row.e[2] = h.vz[v1] - row.p[2];
    row.n0[0] = h.nx[f0];
    row.n0[1] = h.ny[f0];
    row.n0[2] = h.nz[f0];
    row.n1[0] = h.nx[f1];
    row.n1[1] = h.ny[f1];
    row.n1[2] = h.nz[f1];
    row.edge = e;
    row.slot = slot;
}

}  // namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE
