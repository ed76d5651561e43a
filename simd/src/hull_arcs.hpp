// SPDX-License-Identifier: MIT
//
// Pruning of edges by their Gauss arcs. Every unit normal on the arc of an edge is a non-negative combination,
// with weights that sum to at least 1, of the normals of its two faces. So if ONE witness is at least `depth`
// (>= 0) below the planes of both faces, no axis on the arc separates better than -depth, and the edge is out.
// One bit per (face, witness); an edge survives iff no witness has both its faces' bits.
#pragma once

#include "chunk_scratch_impl.hpp"
#include "hull_faces.hpp"
#include "support.hpp"

namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE {

// Distances of one vector of faces from every witness, as a mask of those below the threshold.
template <class Bit>
LANEFOLD_INLINE void for_each_witness(const FaceSearch& search, const Bit& bit) {
    for (std::uint32_t k = 0; k < search.witness_count; ++k) {
        const float* w = search.witness[k];
        bit(k, splat(w[0]), splat(w[1]), splat(w[2]));
    }
}

#if LANEFOLD_ISA_ID == LANEFOLD_ISA_avx512

// Bits of 32 faces, 16 bits each. Padding faces give garbage that no edge refers to.
LANEFOLD_INLINE __m512i face_bits32(const HullFloats& h, std::uint32_t first, bool both, const FaceSearch& search,
                                    WFloat threshold) {
    __m512i acc = _mm512_setzero_si512();
    for_each_witness(search, [&](std::uint32_t k, WFloat x, WFloat y, WFloat z) {
        std::uint32_t below = bits(plane_distance(h, first, x, y, z) <= threshold);
        if (both) below |= bits(plane_distance(h, first + 16, x, y, z) <= threshold) << 16;
        acc = _mm512_mask_add_epi16(acc, below, acc, _mm512_set1_epi16(static_cast<short>(1U << k)));
    });
    return acc;
}

// Up to 64 faces: the table of bits stays in two registers and 32 edges look it up at once.
LANEFOLD_INLINE std::uint32_t surviving_edges64(const HullFloats& h, const HullTopology& topology,
                                                const FaceSearch& search, WFloat threshold, std::uint32_t* out) {
    const __m512i low = face_bits32(h, 0, h.faces > 16, search, threshold);
    const __m512i high = h.faces > 32 ? face_bits32(h, 32, h.faces > 48, search, threshold) : _mm512_setzero_si512();
    std::uint32_t n = 0;
    for (std::uint32_t i = 0; i < h.edges; i += 32) {
        const __m512i f0 = _mm512_loadu_si512(topology.edge_face0 + i);
        const __m512i f1 = _mm512_loadu_si512(topology.edge_face1 + i);
        const __m512i b0 = _mm512_permutex2var_epi16(low, f0, high);
        const __m512i b1 = _mm512_permutex2var_epi16(low, f1, high);
        std::uint32_t alive = _mm512_testn_epi16_mask(b0, b1);
        if (h.edges - i < 32) alive &= (1U << (h.edges - i)) - 1U;
        while (alive != 0) {
            out[n++] = i + lowest_bit(alive);
            alive &= alive - 1;
        }
    }
    return n;
}

#endif

// Indices of the surviving edges, ascending; returns how many.
LANEFOLD_INLINE std::uint32_t surviving_edges(const HullFloats& h, const HullTopology& topology,
                                              const FaceSearch& search, float threshold, std::int32_t* face_bits,
                                              std::uint32_t* out) {
    const WFloat limit(threshold);
    LANEFOLD_STAGE_LANES(h.faces, lanes_up(h.faces));
#if LANEFOLD_ISA_ID == LANEFOLD_ISA_avx512
    if (h.faces <= 64) return surviving_edges64(h, topology, search, limit, out);
#endif
    for (std::uint32_t i = 0; i < h.faces; i += kWidth) {
        WInt acc(0);
        for_each_witness(search, [&](std::uint32_t k, WFloat x, WFloat y, WFloat z) {
            acc = acc + select(plane_distance(h, i, x, y, z) <= limit, WInt(1 << k), WInt(0));
        });
        acc.storeu(face_bits + i);
    }
    std::uint32_t n = 0;
    for (std::uint32_t e = 0; e < h.edges; ++e) {
        out[n] = e;
        n += (face_bits[topology.edge_face0[e]] & face_bits[topology.edge_face1[e]]) == 0 ? 1U : 0U;
    }
    return n;
}

// The ends and the faces of edge e, 16 bits each.
LANEFOLD_INLINE std::uint32_t edge_ends(const HullTopology& t, std::uint32_t e) {
    std::uint32_t v;
    __builtin_memcpy(&v, t.edge_vertex + 2 * e, sizeof v);
    return v;
}
LANEFOLD_INLINE std::uint32_t edge_faces(const HullTopology& t, std::uint32_t e) {
    return t.edge_face0[e] | static_cast<std::uint32_t>(t.edge_face1[e]) << 16;
}

}  // namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE
