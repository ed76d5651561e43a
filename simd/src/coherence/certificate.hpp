// SPDX-License-Identifier: MIT
//
// A certificate of motion: two hulls at one relative pose, and what a search found there: how far apart they are at
// least, or by how much their best face and their edges beat all others. It is a fact about the hulls and that pose. It
// names no bodies and no options, so a certificate that another pair or another step left is as true as the pair's own.
// simd/src/coherence/certificates.hpp and certified_optima.hpp have what follows from it at other poses.
#pragma once

#include <cstdint>

#include "pair/rows.hpp"

namespace lanefold::detail {

// Certificate::hull_a where there is none. No body has such a hull.
inline constexpr std::uint32_t kNoCertificate = 0xFFFFFFFFU;

// Certificate::what. Any number with the top bit is a best face; kCertifiedPose is asked for in others only.
inline constexpr std::uint32_t kCertifiedApart = 0;
inline constexpr std::uint32_t kCertifiedFace = 1U << 31;
inline constexpr std::uint32_t kCertifiedOnB = 1U << 30;      // the face is B's
inline constexpr std::uint32_t kCertifiedEdges = 1U << 29;    // edges compete with it: CertifiedOptimum
inline constexpr std::uint32_t kCertifiedUnique = 1U << 28;   // no other vertex is near to be its support
inline constexpr std::uint32_t kCertifiedRunners = 1U << 27;  // faces come near to it: CertifiedOptimum
inline constexpr std::uint32_t kCertifiedFaceShift = 15;      // 12 bits: the face; the lowest 14: its support
inline constexpr std::uint32_t kMostCertifiedFace = (1U << 12) - 1U;
inline constexpr std::uint32_t kCertifiedClip = 1U << 14;  // of the face: CertifiedOptimum names both faces of its clip
inline constexpr std::uint32_t kMostCertifiedSupport = (1U << 14) - 1U;
// Only pose, face and support: how fast the hulls move. A best face takes all 32 bits, so this is one of its flags
// where the top bit is missing.
inline constexpr std::uint32_t kCertifiedPose = kCertifiedUnique;
static_assert(((kCertifiedFace | kCertifiedOnB | kMostCertifiedFace << kCertifiedFaceShift | kMostCertifiedSupport) &
               kCertifiedPose) == 0 &&
                  kCertifiedPose != kCertifiedApart,
              "a pose would be taken for another kind, or would name another face");
// The sum of parts is their union only if no two share a bit.
static_assert(std::uint64_t{kCertifiedFace} + kCertifiedOnB + kCertifiedEdges + kCertifiedUnique + kCertifiedRunners +
                      (std::uint64_t{kMostCertifiedFace} << kCertifiedFaceShift) + kCertifiedClip +
                      kMostCertifiedSupport ==
                  (kCertifiedFace | kCertifiedOnB | kCertifiedEdges | kCertifiedUnique | kCertifiedRunners |
                   kMostCertifiedFace << kCertifiedFaceShift | kCertifiedClip | kMostCertifiedSupport),
              "two parts of a best face share a bit");

// One cache line.
struct alignas(64) Certificate {
    float pose[12];  // from B's internal frame into A's: rotation by rows, then translation
    // Apart: a separation along some direction there, so a lower bound of the distance up to rounding. Best face: how
    // far below it the faces and arcs of its hull are (12 bits), those of the other hull (12 bits), and how far from
    // its support the vertices are by which that is known (4 bits each); simd/src/coherence/gaps.hpp.
    float distance;
    std::uint32_t hull_a;
    std::uint32_t hull_b;
    std::uint32_t what;
};
static_assert(sizeof(Certificate) == 64);

// Edges of both hulls in a certificate: what is left of its cache line.
inline constexpr std::uint32_t kMostCertifiedEdges = 8;

// CertifiedOptimum::runner where no face of the hull comes near.
inline constexpr std::uint32_t kNoRunner = 0xFFFFFFFFU;

// The other facts about a certified face: copies of what every step would read from its hulls otherwise, and what
// may beat it. One cache line.
struct alignas(64) CertifiedOptimum {
    float plane[4];    // of the face, in its hull's frame
    float support[3];  // the vertex of the other hull, in that hull's frame
    std::uint16_t count_a;
    std::uint16_t count_b;
    // The edges whose arcs may beat the face: first those of A, then those of B.
    std::uint16_t edge[kMostCertifiedEdges];
    // The faces that come near to it, of the face's own hull and of the other one: face and support like
    // Certificate::what.
    std::uint32_t runner[2];
    ClipFaces clip;

    // One edge of either hull.
    bool is_single() const { return count_a == 1 && count_b == 1; }
};
static_assert(sizeof(CertifiedOptimum) == 64);

// The rows by which the only edges of a certificate are combined: those of simd/src/search/edge_rows.hpp, of A's edge
// and of B's, each in its own hull's frame.
struct alignas(64) CertifiedSingle {
    float a[16];
    float b[16];
};

// The certificates of a call, or of a chunk.
struct CertificateTable {
    Certificate* all = nullptr;
    const std::uint32_t* of = nullptr;  // pair i has all[of[i]], which no other pair of the call has
    // Per pair kAsk: the certificate is asked whether the pair is apart. Others do without, because they probably
    // touch; those that turn out to be apart get a certificate all the same.
    const std::uint32_t* ask = nullptr;
    CertifiedOptimum* optima = nullptr;  // optima[of[i]]; null: best faces are neither certified nor asked for
    CertifiedSingle* singles = nullptr;  // singles[of[i]], where the edges are one of either hull
    // Best faces are certified and asked for in one of so many blocks of kChunkPairs pairs, beginning with block
    // `optima_first`.
    std::uint32_t optima_every = 1;
    std::uint32_t optima_first = 0;

    static constexpr std::uint32_t kAsk = 0xFFFFFFFFU;

    // The table of the chunk that begins with this pair.
    CertificateTable from(std::uint64_t pair) const {
        CertificateTable chunk = *this;
        chunk.of += pair;
        chunk.ask += pair;
        if (pair / kChunkPairs % optima_every != optima_first) chunk.optima = nullptr;
        return chunk;
    }
};

}  // namespace lanefold::detail
