// SPDX-License-Identifier: MIT
//
// Pruning of edges by their Gauss arcs. Every unit normal on the arc of an edge is a non-negative combination,
// with weights that sum to at least 1, of the normals of its two faces. So if ONE witness is at least `depth`
// (>= 0) below the planes of both faces, no axis on the arc separates better than -depth, and the edge is out.
// One bit per (face, witness); an edge survives iff no witness has both its faces' bits.
//
// Two refinements, both of what is known about the best face f of either hull, with separation d:
//
// - The vertex v under f is exactly d above it, neither deeper nor less deep. Still it counts as deep for f: on the arc from
//   f to a face for which v is deep the separation falls from d, so that none of it beats f. Without this the edges of f
//   would always survive. (For this to depend on the pair only, v has to be the vertex the search reports, and has to be
//   among the witnesses: place_witness() sees to that.)
// - If d > 0, both hulls are first moved together by d along f's normal u (bring_together() moves the witnesses). A witness
//   that is deep then was at most d u . n above a face of normal n; so is every non-negative combination, and u . n <= 1.
//
// The result is a mask of edges, which a later pass turns into a list: a loop over the set bits of something just
// computed mispredicts with the whole computation still in flight.
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

// The best face of both hulls, if it is one of this hull's: `bit` is that of the witness under it. Otherwise nothing.
struct BestFace {
    std::uint32_t face;
    std::uint32_t bit;
};

// Bit k of byte (or word) f: face f lies at least `-threshold` above witness k. Padding faces give garbage that no edge
// refers to.
LANEFOLD_INLINE void write_face_bits(const HullFloats& h, const FaceSearch& search, WFloat threshold,
                                     const BestFace& best, std::int32_t* face_bits) {
    for (std::uint32_t i = 0; i < h.faces; i += kWidth) {
        WInt acc(0);
        for_each_witness(search, [&](std::uint32_t k, WFloat x, WFloat y, WFloat z) {
            acc = acc + select(plane_distance(h, i, x, y, z) <= threshold, WInt(1 << k), WInt(0));
        });
        acc.storeu(face_bits + i);
    }
    face_bits[best.face] |= static_cast<std::int32_t>(best.bit);
}

// Edges i .. i + 31 of those that survive; there are none beyond the last. Returns what was written.
LANEFOLD_INLINE std::uint32_t put_edges(std::uint32_t* alive, std::uint32_t i, std::uint32_t edges,
                                        std::uint32_t mask) {
    const std::uint32_t beyond = i + 32 > edges ? i + 32 - edges : 0;
    alive[i / 32] = mask & (~std::uint32_t{0} >> beyond);
    return alive[i / 32];
}

#if LANEFOLD_ISA_ID == LANEFOLD_ISA_avx512

// Bits of 32 faces, 16 bits each.
LANEFOLD_INLINE __m512i face_bits32(const HullFloats& h, std::uint32_t first, bool both, const FaceSearch& search,
                                    WFloat threshold, const BestFace& best) {
    __m512i acc = _mm512_setzero_si512();
    for_each_witness(search, [&](std::uint32_t k, WFloat x, WFloat y, WFloat z) {
        std::uint32_t below = bits(plane_distance(h, first, x, y, z) <= threshold);
        if (both) below |= bits(plane_distance(h, first + 16, x, y, z) <= threshold) << 16;
        acc = _mm512_mask_add_epi16(acc, below, acc, _mm512_set1_epi16(static_cast<short>(1U << k)));
    });
    const std::uint32_t at = best.face - first;
    const __mmask32 its = at < 32 ? 1U << at : 0U;
    return _mm512_or_si512(acc, _mm512_maskz_set1_epi16(its, static_cast<short>(best.bit)));
}

// Up to 512 faces: one bit a face, so that one register holds what a witness says of all of them.
inline constexpr std::uint32_t kBitFaces = 512;

inline std::uint32_t surviving_edges_bits(const HullFloats& h, const HullTopology& topology, const FaceSearch& search,
                                          WFloat threshold, const BestFace& best, std::uint32_t* alive) {
    alignas(64) std::uint16_t table[kMaxWitnesses][kBitFaces / 16];
    for_each_witness(search, [&](std::uint32_t k, WFloat x, WFloat y, WFloat z) {
        for (std::uint32_t i = 0; i < h.faces; i += 16)
            table[k][i / 16] = static_cast<std::uint16_t>(bits(plane_distance(h, i, x, y, z) <= threshold));
    });
    if (best.bit != 0) {
        const std::uint32_t k = lowest_bit(best.bit);
        table[k][best.face / 16] = static_cast<std::uint16_t>(table[k][best.face / 16] | 1U << best.face % 16);
    }
    const __m512i low = _mm512_set1_epi16(15);
    std::uint32_t any = 0;
    for (std::uint32_t i = 0; i < h.edges; i += 32) {
        const __m512i f0 = _mm512_loadu_si512(topology.edge_face0 + i);
        const __m512i f1 = _mm512_loadu_si512(topology.edge_face1 + i);
        const __m512i word0 = _mm512_srli_epi16(f0, 4), bit0 = _mm512_and_si512(f0, low);
        const __m512i word1 = _mm512_srli_epi16(f1, 4), bit1 = _mm512_and_si512(f1, low);
        __m512i both = _mm512_setzero_si512();
        for (std::uint32_t k = 0; k < search.witness_count; ++k) {
            const __m512i t = _mm512_load_si512(table[k]);
            const __m512i b0 = _mm512_srlv_epi16(_mm512_permutexvar_epi16(word0, t), bit0);
            const __m512i b1 = _mm512_srlv_epi16(_mm512_permutexvar_epi16(word1, t), bit1);
            both = _mm512_or_si512(both, _mm512_and_si512(b0, b1));
        }
        any |= put_edges(alive, i, h.edges, _mm512_testn_epi16_mask(both, _mm512_set1_epi16(1)));
    }
    return any;
}

// 65 to 128 faces: one byte a face, so that two registers hold what all witnesses say of all of them.
static_assert(kMaxWitnesses <= 8, "one bit a witness");

LANEFOLD_INLINE std::uint32_t surviving_edges_bytes(const HullFloats& h, const HullTopology& topology,
                                                    const FaceSearch& search, WFloat threshold, const BestFace& best,
                                                    std::uint32_t* alive) {
    __m512i low = _mm512_setzero_si512();
    __m512i high = _mm512_setzero_si512();
    for_each_witness(search, [&](std::uint32_t k, WFloat x, WFloat y, WFloat z) {
        const auto below = [&](std::uint32_t i) { return bits(plane_distance(h, i, x, y, z) <= threshold); };
        std::uint64_t first = 0;
        std::uint64_t rest = 0;
        for (std::uint32_t i = 0; i < 64; i += 16) first |= std::uint64_t{below(i)} << i;
        for (std::uint32_t i = 64; i < h.faces; i += 16) rest |= std::uint64_t{below(i)} << (i - 64);
        const __m512i bit = _mm512_set1_epi8(static_cast<char>(1U << k));
        low = _mm512_mask_add_epi8(low, first, low, bit);
        high = _mm512_mask_add_epi8(high, rest, high, bit);
    });
    const std::uint64_t its = std::uint64_t{1} << (best.face & 63U);
    const __m512i best_bit = _mm512_set1_epi8(static_cast<char>(best.bit));
    low = _mm512_or_si512(low, _mm512_maskz_mov_epi8(best.face < 64 ? its : 0, best_bit));
    high = _mm512_or_si512(high, _mm512_maskz_mov_epi8(best.face < 64 ? 0 : its, best_bit));
    // A word holds the bytes of two faces: looked up, then shifted.
    const __m512i eight = _mm512_set1_epi16(8);
    std::uint32_t any = 0;
    for (std::uint32_t i = 0; i < h.edges; i += 32) {
        const __m512i f0 = _mm512_loadu_si512(topology.edge_face0 + i);
        const __m512i f1 = _mm512_loadu_si512(topology.edge_face1 + i);
        const __m512i w0 = _mm512_permutex2var_epi16(low, _mm512_srli_epi16(f0, 1), high);
        const __m512i w1 = _mm512_permutex2var_epi16(low, _mm512_srli_epi16(f1, 1), high);
        const __m512i b0 = _mm512_srlv_epi16(w0, _mm512_and_si512(_mm512_slli_epi16(f0, 3), eight));
        const __m512i b1 = _mm512_srlv_epi16(w1, _mm512_and_si512(_mm512_slli_epi16(f1, 3), eight));
        const __mmask32 none = _mm512_testn_epi16_mask(_mm512_and_si512(b0, b1), _mm512_set1_epi16(0xFF));
        any |= put_edges(alive, i, h.edges, none);
    }
    return any;
}

// The table of face bits stays in registers, 64 faces to a pair of them, and 32 edges look it up at once.
inline constexpr std::uint32_t kTableFaces = kMaxIndex16;
LANEFOLD_INLINE std::uint32_t surviving_edges_table(const HullFloats& h, const HullTopology& topology,
                                                    const FaceSearch& search, WFloat threshold, const BestFace& best,
                                                    std::int32_t* face_bits, std::uint32_t* alive) {
    std::uint32_t any = 0;
    if (h.faces <= 64) {
        const __m512i low = face_bits32(h, 0, h.faces > 16, search, threshold, best);
        const __m512i high =
            h.faces > 32 ? face_bits32(h, 32, h.faces > 48, search, threshold, best) : _mm512_setzero_si512();
        for (std::uint32_t i = 0; i < h.edges; i += 32) {
            const __m512i f0 = _mm512_loadu_si512(topology.edge_face0 + i);
            const __m512i f1 = _mm512_loadu_si512(topology.edge_face1 + i);
            const __m512i b0 = _mm512_permutex2var_epi16(low, f0, high);
            const __m512i b1 = _mm512_permutex2var_epi16(low, f1, high);
            any |= put_edges(alive, i, h.edges, _mm512_testn_epi16_mask(b0, b1));
        }
        return any;
    }
    if (h.faces <= 128) return surviving_edges_bytes(h, topology, search, threshold, best, alive);
    if (h.faces <= kBitFaces) return surviving_edges_bits(h, topology, search, threshold, best, alive);
    auto* table = reinterpret_cast<std::uint16_t*>(face_bits);
    for (std::uint32_t i = 0; i < h.faces; i += 32)
        _mm512_storeu_si512(table + i, face_bits32(h, i, h.faces - i > 16, search, threshold, best));
    for (std::uint32_t i = 0; i < h.edges; i += 32) {
        const __m512i f0 = _mm512_loadu_si512(topology.edge_face0 + i);
        const __m512i f1 = _mm512_loadu_si512(topology.edge_face1 + i);
        __m512i b0 = _mm512_setzero_si512();
        __m512i b1 = _mm512_setzero_si512();
        for (std::uint32_t first = 0; first < h.faces; first += 64) {
            const __m512i low = _mm512_loadu_si512(table + first);
            const __m512i high = _mm512_loadu_si512(table + first + 32);
            const __m512i group = _mm512_set1_epi16(static_cast<short>(first));
            const __m512i above = _mm512_set1_epi16(static_cast<short>(0xFFC0));
            const __mmask32 in0 = _mm512_cmpeq_epi16_mask(_mm512_and_si512(f0, above), group);
            const __mmask32 in1 = _mm512_cmpeq_epi16_mask(_mm512_and_si512(f1, above), group);
            b0 = _mm512_mask_mov_epi16(b0, in0, _mm512_permutex2var_epi16(low, f0, high));
            b1 = _mm512_mask_mov_epi16(b1, in1, _mm512_permutex2var_epi16(low, f1, high));
        }
        any |= put_edges(alive, i, h.edges, _mm512_testn_epi16_mask(b0, b1));
    }
    return any;
}

#elif LANEFOLD_ISA_ID == LANEFOLD_ISA_avx2

static_assert(kMaxWitnesses <= 8, "one byte a face");

// Bytes of 32 faces; `first` + 24 .. may be padding.
LANEFOLD_INLINE __m256i face_bytes32(const HullFloats& h, std::uint32_t first, const FaceSearch& search,
                                     WFloat threshold, const BestFace& best) {
    WInt acc[4] = {WInt(0), WInt(0), WInt(0), WInt(0)};
    const std::uint32_t vectors = h.faces - first <= 16 ? 2 : 4;
    for_each_witness(search, [&](std::uint32_t k, WFloat x, WFloat y, WFloat z) {
        for (std::uint32_t i = 0; i < vectors; ++i) {
            acc[i] = acc[i] + select(plane_distance(h, first + 8 * i, x, y, z) <= threshold, WInt(1 << k), WInt(0));
        }
    });
    const WInt its = WInt(static_cast<std::int32_t>(best.face - first));
    const WInt bit = WInt(static_cast<std::int32_t>(best.bit));
    for (std::uint32_t i = 0; i < 4; ++i) {
        const WMask at = (WInt::iota() + WInt(static_cast<std::int32_t>(8 * i))) == its;
        acc[i] = select(at, acc[i] | bit, acc[i]);
    }
    // Packing works on 128-bit halves: 0 2 4 6 | 1 3 5 7 in groups of four faces.
    const __m256i packed =
        _mm256_packus_epi16(_mm256_packus_epi32(acc[0].v, acc[1].v), _mm256_packus_epi32(acc[2].v, acc[3].v));
    return _mm256_permutevar8x32_epi32(packed, _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7));
}

// The bytes of 32 faces for 32 edges; a face of another 32 gives that face's byte modulo 32.
LANEFOLD_INLINE __m256i look_up_bytes(__m256i low, __m256i high, __m256i face) {
    const __m256i index = _mm256_and_si256(face, _mm256_set1_epi8(15));
    return _mm256_blendv_epi8(_mm256_shuffle_epi8(low, index), _mm256_shuffle_epi8(high, index),
                              _mm256_slli_epi16(face, 3));
}

LANEFOLD_INLINE __m256i load_bytes(const std::uint16_t* face) {
    const __m256i a = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(face));
    const __m256i b = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(face + 16));
    return _mm256_permute4x64_epi64(_mm256_packus_epi16(a, b), 0xD8);
}

// Faces numbered in a byte: the table of bits, a byte each, stays in registers, 32 faces to a pair of them, and 32 edges
// look it up at once.
inline constexpr std::uint32_t kTableFaces = 256;
LANEFOLD_INLINE std::uint32_t surviving_edges_table(const HullFloats& h, const HullTopology& topology,
                                                    const FaceSearch& search, WFloat threshold, const BestFace& best,
                                                    std::int32_t* face_bits, std::uint32_t* alive) {
    std::uint32_t any = 0;
    auto* table = reinterpret_cast<__m256i*>(face_bits);
    for (std::uint32_t i = 0; i < h.faces; i += 32)
        _mm256_storeu_si256(table + i / 32, face_bytes32(h, i, search, threshold, best));
    const __m256i above = _mm256_set1_epi8(static_cast<char>(0xE0));
    for (std::uint32_t i = 0; i < h.edges; i += 32) {
        const __m256i f0 = load_bytes(topology.edge_face0 + i);
        const __m256i f1 = load_bytes(topology.edge_face1 + i);
        __m256i b0 = _mm256_setzero_si256();
        __m256i b1 = _mm256_setzero_si256();
        for (std::uint32_t first = 0; first < h.faces; first += 32) {
            const __m256i t = _mm256_loadu_si256(table + first / 32);
            const __m256i low = _mm256_permute2x128_si256(t, t, 0x00);
            const __m256i high = _mm256_permute2x128_si256(t, t, 0x11);
            const __m256i group = _mm256_set1_epi8(static_cast<char>(first));
            b0 = _mm256_blendv_epi8(b0, look_up_bytes(low, high, f0),
                                    _mm256_cmpeq_epi8(_mm256_and_si256(f0, above), group));
            b1 = _mm256_blendv_epi8(b1, look_up_bytes(low, high, f1),
                                    _mm256_cmpeq_epi8(_mm256_and_si256(f1, above), group));
        }
        const __m256i none = _mm256_cmpeq_epi8(_mm256_and_si256(b0, b1), _mm256_setzero_si256());
        any |= put_edges(alive, i, h.edges, static_cast<std::uint32_t>(_mm256_movemask_epi8(none)));
    }
    return any;
}

#else

inline constexpr std::uint32_t kTableFaces = 0;
LANEFOLD_INLINE std::uint32_t surviving_edges_table(const HullFloats&, const HullTopology&, const FaceSearch&, WFloat,
                                                    const BestFace&, std::int32_t*, std::uint32_t*) {
    return 0;
}

#endif

// Bit e of `alive` (32 to a word): edge e survives. Returns 1 if any does, otherwise 0. `face_bits`: room for a word per face.
LANEFOLD_INLINE std::uint32_t surviving_edges(const HullFloats& h, const HullTopology& topology,
                                              const FaceSearch& search, float threshold, const BestFace& best,
                                              std::int32_t* face_bits, std::uint32_t* alive) {
    const WFloat limit(threshold);
    LANEFOLD_STAGE_LANES(h.faces, lanes_up(h.faces));
    std::uint32_t any = 0;
    if (h.faces <= kTableFaces) {
        any = surviving_edges_table(h, topology, search, limit, best, face_bits, alive);
    } else {
        write_face_bits(h, search, limit, best, face_bits);
        for (std::uint32_t i = 0; i < h.edges; i += 32) {
            std::uint32_t word = 0;
            const std::uint32_t n = h.edges - i < 32 ? h.edges - i : 32;
            for (std::uint32_t e = 0; e < n; ++e) {
                const std::int32_t both = face_bits[topology.edge_face0[i + e]] & face_bits[topology.edge_face1[i + e]];
                word |= static_cast<std::uint32_t>(both == 0) << e;
            }
            any |= put_edges(alive, i, h.edges, word);
        }
    }
    return any != 0 ? 1U : 0U;
}

}  // namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE
