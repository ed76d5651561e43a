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

#include "pair/support.hpp"
#include "search/bounds.hpp"

namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE {

// Sums of faces (search/bounds.hpp) below this prove that a face is at least `-threshold` above a point. `threshold` <= 0.
LANEFOLD_INLINE std::int32_t deep_from(float threshold, float scale) {
    // One less than the greatest whole number of steps, for rounding; one more, for "below" where "at most" is meant.
    const float sum = threshold * scale * kStepsPerScaled - kStepSlack - 1.0F;
    const float least = static_cast<float>(kLowestSum);
    return static_cast<std::int32_t>(sum > least ? sum : least) + 1;
}

// The best face of both hulls, if it is one of this hull's: `bit` is that of the witness under it. Otherwise nothing.
struct BestFace {
    std::uint32_t face;
    std::uint32_t bit;
};

// The faces and the number of edges of one hull, the witnesses of their search, and what counts as deep.
struct ArcTest {
    CoarsePlanes faces;
    std::uint32_t edges;
    const FaceSearch& search;
    WShort limit;  // sums below it: see deep_from()
    BestFace best;
};

// Is each of the faces of one vector, from i on, deep above a point?
LANEFOLD_INLINE WShortMask deep(const ArcTest& t, std::uint32_t i, const CoarsePoint& p) {
    return t.limit > coarse_distance(t.faces, i, p);
}

template <class Bit>
LANEFOLD_INLINE void for_each_witness(const FaceSearch& search, const Bit& bit) {
    for (std::uint32_t k = 0; k < search.witness_count; ++k) bit(k, coarse_point(search.witness[k], search));
}

// What is known of the faces of N vectors, from `first` on: bit k is set where a face is deep above witness k.
// Padding faces give garbage that no edge refers to.
template <std::uint32_t N>
LANEFOLD_INLINE void face_words(const ArcTest& t, std::uint32_t first, WShort* words) {
    for (std::uint32_t v = 0; v < N; ++v) words[v] = WShort(0);
    for_each_witness(t.search, [&](std::uint32_t k, const CoarsePoint& p) {
        const WShort bit(1 << k);
        for (std::uint32_t v = 0; v < N; ++v)
            words[v] = words[v] + select(deep(t, first + v * kShorts, p), bit, WShort(0));
    });
    if (t.best.bit == 0) return;
    const WShort bit(static_cast<std::int32_t>(t.best.bit));
    const WShort face(static_cast<std::int32_t>(t.best.face));
    for (std::uint32_t v = 0; v < N; ++v) {
        const WShort place = WShort::iota() + WShort(static_cast<std::int32_t>(first + v * kShorts));
        words[v] = words[v] | select(place == face, bit, WShort(0));
    }
}

// The same of all faces, into memory.
LANEFOLD_INLINE void write_face_words(const ArcTest& t, std::int16_t* words) {
    for (std::uint32_t i = 0; i < t.faces.faces; i += kShorts) {
        WShort w;
        face_words<1>(t, i, &w);
        w.store(words + i);
    }
}

// Edges i .. i + 31 of those that survive; there are none beyond the last. Returns what was written.
LANEFOLD_INLINE std::uint32_t put_edges(std::uint32_t* alive, std::uint32_t i, std::uint32_t edges,
                                        std::uint32_t mask) {
    const std::uint32_t beyond = i + 32 > edges ? i + 32 - edges : 0;
    alive[i / 32] = mask & (~std::uint32_t{0} >> beyond);
    return alive[i / 32];
}

#if LANEFOLD_ISA_ID == LANEFOLD_ISA_avx512

// Up to 512 faces: one bit a face, so that one register holds what a witness says of all of them.
inline constexpr std::uint32_t kBitFaces = 512;

inline std::uint32_t surviving_edges_bits(const ArcTest& t, const HullTopology& topology, std::uint32_t* alive) {
    alignas(64) std::uint32_t table[kMaxWitnesses][kBitFaces / 32];
    for_each_witness(t.search, [&](std::uint32_t k, const CoarsePoint& p) {
        for (std::uint32_t i = 0; i < t.faces.faces; i += 32) table[k][i / 32] = deep(t, i, p).v;
    });
    if (t.best.bit != 0) table[lowest_bit(t.best.bit)][t.best.face / 32] |= 1U << t.best.face % 32;
    const std::uint32_t edges = t.edges;
    const __m512i low = _mm512_set1_epi16(15);
    std::uint32_t any = 0;
    for (std::uint32_t i = 0; i < edges; i += 32) {
        const __m512i f0 = _mm512_loadu_si512(topology.edge_face0 + i);
        const __m512i f1 = _mm512_loadu_si512(topology.edge_face1 + i);
        const __m512i word0 = _mm512_srli_epi16(f0, 4), bit0 = _mm512_and_si512(f0, low);
        const __m512i word1 = _mm512_srli_epi16(f1, 4), bit1 = _mm512_and_si512(f1, low);
        __m512i both = _mm512_setzero_si512();
        for (std::uint32_t k = 0; k < t.search.witness_count; ++k) {
            const __m512i row = _mm512_load_si512(table[k]);
            const __m512i b0 = _mm512_srlv_epi16(_mm512_permutexvar_epi16(word0, row), bit0);
            const __m512i b1 = _mm512_srlv_epi16(_mm512_permutexvar_epi16(word1, row), bit1);
            both = _mm512_or_si512(both, _mm512_and_si512(b0, b1));
        }
        any |= put_edges(alive, i, edges, _mm512_testn_epi16_mask(both, _mm512_set1_epi16(1)));
    }
    return any;
}

// 65 to 128 faces: one byte a face, so that two registers hold what all witnesses say of all of them.
static_assert(kMaxWitnesses <= 8, "one bit a witness");

// Sixteen bits a face into eight.
LANEFOLD_INLINE __m512i pack_words(WShort first, WShort second) {
    return _mm512_permutexvar_epi64(_mm512_setr_epi64(0, 2, 4, 6, 1, 3, 5, 7), _mm512_packus_epi16(first.v, second.v));
}

LANEFOLD_INLINE std::uint32_t surviving_edges_bytes(const ArcTest& t, const HullTopology& topology,
                                                    std::uint32_t* alive) {
    WShort words[4];
    if (t.faces.faces <= 96) {
        face_words<3>(t, 0, words);
        words[3] = WShort(0);
    } else {
        face_words<4>(t, 0, words);
    }
    const __m512i low = pack_words(words[0], words[1]);
    const __m512i high = pack_words(words[2], words[3]);
    const std::uint32_t edges = t.edges;
    // A word holds the bytes of two faces: looked up, then shifted.
    const __m512i eight = _mm512_set1_epi16(8);
    std::uint32_t any = 0;
    for (std::uint32_t i = 0; i < edges; i += 32) {
        const __m512i f0 = _mm512_loadu_si512(topology.edge_face0 + i);
        const __m512i f1 = _mm512_loadu_si512(topology.edge_face1 + i);
        const __m512i w0 = _mm512_permutex2var_epi16(low, _mm512_srli_epi16(f0, 1), high);
        const __m512i w1 = _mm512_permutex2var_epi16(low, _mm512_srli_epi16(f1, 1), high);
        const __m512i b0 = _mm512_srlv_epi16(w0, _mm512_and_si512(_mm512_slli_epi16(f0, 3), eight));
        const __m512i b1 = _mm512_srlv_epi16(w1, _mm512_and_si512(_mm512_slli_epi16(f1, 3), eight));
        const __mmask32 none = _mm512_testn_epi16_mask(_mm512_and_si512(b0, b1), _mm512_set1_epi16(0xFF));
        any |= put_edges(alive, i, edges, none);
    }
    return any;
}

// The table of face bits stays in registers, 64 faces to a pair of them, and 32 edges look it up at once.
inline constexpr std::uint32_t kTableFaces = kMaxIndex16;
LANEFOLD_INLINE std::uint32_t surviving_edges_table(const ArcTest& t, const HullTopology& topology,
                                                    std::int16_t* face_bits, std::uint32_t* alive) {
    std::uint32_t any = 0;
    const std::uint32_t faces = t.faces.faces;
    const std::uint32_t edges = t.edges;
    if (faces <= 64) {
        WShort words[2];
        if (faces <= 32) {
            face_words<1>(t, 0, words);
            words[1] = WShort(0);
        } else {
            face_words<2>(t, 0, words);
        }
        const __m512i low = words[0].v;
        const __m512i high = words[1].v;
        for (std::uint32_t i = 0; i < edges; i += 32) {
            const __m512i f0 = _mm512_loadu_si512(topology.edge_face0 + i);
            const __m512i f1 = _mm512_loadu_si512(topology.edge_face1 + i);
            const __m512i b0 = _mm512_permutex2var_epi16(low, f0, high);
            const __m512i b1 = _mm512_permutex2var_epi16(low, f1, high);
            any |= put_edges(alive, i, edges, _mm512_testn_epi16_mask(b0, b1));
        }
        return any;
    }
    if (faces <= 128) return surviving_edges_bytes(t, topology, alive);
    if (faces <= kBitFaces) return surviving_edges_bits(t, topology, alive);
    write_face_words(t, face_bits);
    const auto* table = face_bits;
    for (std::uint32_t i = 0; i < edges; i += 32) {
        const __m512i f0 = _mm512_loadu_si512(topology.edge_face0 + i);
        const __m512i f1 = _mm512_loadu_si512(topology.edge_face1 + i);
        __m512i b0 = _mm512_setzero_si512();
        __m512i b1 = _mm512_setzero_si512();
        for (std::uint32_t first = 0; first < faces; first += 64) {
            const __m512i low = _mm512_loadu_si512(table + first);
            const __m512i high = _mm512_loadu_si512(table + first + 32);
            const __m512i group = _mm512_set1_epi16(static_cast<short>(first));
            const __m512i above = _mm512_set1_epi16(static_cast<short>(0xFFC0));
            const __mmask32 in0 = _mm512_cmpeq_epi16_mask(_mm512_and_si512(f0, above), group);
            const __mmask32 in1 = _mm512_cmpeq_epi16_mask(_mm512_and_si512(f1, above), group);
            b0 = _mm512_mask_mov_epi16(b0, in0, _mm512_permutex2var_epi16(low, f0, high));
            b1 = _mm512_mask_mov_epi16(b1, in1, _mm512_permutex2var_epi16(low, f1, high));
        }
        any |= put_edges(alive, i, edges, _mm512_testn_epi16_mask(b0, b1));
    }
    return any;
}

#elif LANEFOLD_ISA_ID == LANEFOLD_ISA_avx2

static_assert(kMaxWitnesses <= 8, "one byte a face");

// Bytes of 32 faces.
LANEFOLD_INLINE __m256i face_bytes32(const ArcTest& t, std::uint32_t first) {
    WShort words[2];
    face_words<2>(t, first, words);
    // Packing works on 128-bit halves.
    return _mm256_permute4x64_epi64(_mm256_packus_epi16(words[0].v, words[1].v), 0xD8);
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
LANEFOLD_INLINE std::uint32_t surviving_edges_table(const ArcTest& t, const HullTopology& topology,
                                                    std::int16_t* face_bits, std::uint32_t* alive) {
    std::uint32_t any = 0;
    const std::uint32_t edges = t.edges;
    auto* table = reinterpret_cast<__m256i*>(face_bits);
    for (std::uint32_t i = 0; i < t.faces.faces; i += 32) _mm256_storeu_si256(table + i / 32, face_bytes32(t, i));
    const __m256i above = _mm256_set1_epi8(static_cast<char>(0xE0));
    for (std::uint32_t i = 0; i < edges; i += 32) {
        const __m256i f0 = load_bytes(topology.edge_face0 + i);
        const __m256i f1 = load_bytes(topology.edge_face1 + i);
        __m256i b0 = _mm256_setzero_si256();
        __m256i b1 = _mm256_setzero_si256();
        for (std::uint32_t first = 0; first < t.faces.faces; first += 32) {
            const __m256i bytes = _mm256_loadu_si256(table + first / 32);
            const __m256i low = _mm256_permute2x128_si256(bytes, bytes, 0x00);
            const __m256i high = _mm256_permute2x128_si256(bytes, bytes, 0x11);
            const __m256i group = _mm256_set1_epi8(static_cast<char>(first));
            b0 = _mm256_blendv_epi8(b0, look_up_bytes(low, high, f0),
                                    _mm256_cmpeq_epi8(_mm256_and_si256(f0, above), group));
            b1 = _mm256_blendv_epi8(b1, look_up_bytes(low, high, f1),
                                    _mm256_cmpeq_epi8(_mm256_and_si256(f1, above), group));
        }
        const __m256i none = _mm256_cmpeq_epi8(_mm256_and_si256(b0, b1), _mm256_setzero_si256());
        any |= put_edges(alive, i, edges, static_cast<std::uint32_t>(_mm256_movemask_epi8(none)));
    }
    return any;
}

#else

inline constexpr std::uint32_t kTableFaces = 0;
LANEFOLD_INLINE std::uint32_t surviving_edges_table(const ArcTest&, const HullTopology&, std::int16_t*,
                                                    std::uint32_t*) {
    return 0;
}

#endif

// Bit e of `alive` (32 to a word): edge e survives. Returns 1 if any does, otherwise 0. `face_bits`: room for a number per
// face, rounded up to 64.
LANEFOLD_INLINE std::uint32_t surviving_edges(const ArcTest& t, const HullTopology& topology, std::int16_t* face_bits,
                                              std::uint32_t* alive) {
    const std::uint32_t faces = t.faces.faces;
    const std::uint32_t edges = t.edges;
    LANEFOLD_STAGE_LANES(faces, shorts_up(faces));
    std::uint32_t any = 0;
    if (faces <= kTableFaces) {
        any = surviving_edges_table(t, topology, face_bits, alive);
    } else {
        write_face_words(t, face_bits);
        for (std::uint32_t i = 0; i < edges; i += 32) {
            std::uint32_t word = 0;
            const std::uint32_t n = edges - i < 32 ? edges - i : 32;
            for (std::uint32_t e = 0; e < n; ++e) {
                const std::int32_t both = face_bits[topology.edge_face0[i + e]] & face_bits[topology.edge_face1[i + e]];
                word |= static_cast<std::uint32_t>(both == 0) << e;
            }
            any |= put_edges(alive, i, edges, word);
        }
    }
    return any != 0 ? 1U : 0U;
}

}  // namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE
