// SPDX-License-Identifier: MIT
//
// Feature ids of contact points. An id says in 32 bits which feature of hull a meets which feature of hull b. It stays
// equal while the same two features meet.
//
// The features of a hull are numbered faces first, then edges, then vertices, each in the hull's canonical order: face
// f is f, edge e is F + e, vertex v is F + E + v; N = F + E + V. An id is mix32(fa * N_b + fb) modulo 2^32. mix32 is a
// bijection, so ids can be decoded whenever N_a * N_b <= 2^32 (any two hulls up to about 10,000 vertices). An id does
// not depend on poses, frames or the choice of the reference side: the vertex of b on the face of a has one id,
// whichever face is the reference face.
#pragma once

#include <cstdint>
#include <optional>

#include <lanefold/export.hpp>

namespace lanefold {

// The kinds of features of a hull.
enum class FeatureType : std::uint8_t { face = 0, edge = 1, vertex = 2 };

// A face, an edge or a vertex by its canonical index in its hull.
struct Feature {
    FeatureType type = FeatureType::face;
    std::uint32_t index = 0;

    friend constexpr bool operator==(const Feature&, const Feature&) = default;
};

// A feature of hull a and one of hull b that meet.
struct FeaturePair {
    Feature a;
    Feature b;

    friend constexpr bool operator==(const FeaturePair&, const FeaturePair&) = default;
};

// The numbers of a hull's features, which are enough to number and to decode them.
struct FeatureCounts {
    std::uint32_t faces = 0;
    std::uint32_t edges = 0;
    std::uint32_t vertices = 0;

    // N, the number of all features.
    constexpr std::uint32_t total() const { return faces + edges + vertices; }
};

// The number of a feature among all of its hull: faces, then edges, then vertices.
constexpr std::uint32_t feature_number(const FeatureCounts& n, const Feature& f) {
    if (f.type == FeatureType::face) return f.index;
    if (f.type == FeatureType::edge) return n.faces + f.index;
    return n.faces + n.edges + f.index;
}

// Bijective 32-bit mixer (two rounds of xor-shift and odd multiplication, constants of the family searched
// by C. Wellons, "Hash prospector", 2018).
constexpr std::uint32_t mix32(std::uint32_t x) {
    x ^= x >> 16;
    x *= 0x7feb352dU;
    x ^= x >> 15;
    x *= 0x846ca68bU;
    x ^= x >> 16;
    return x;
}

// The inverse of mix32().
constexpr std::uint32_t unmix32(std::uint32_t x) {
    x ^= x >> 16;
    x *= 0x43021123U;  // inverse of 0x846ca68b modulo 2^32
    x ^= x >> 15 ^ x >> 30;
    x *= 0x1d69e2a5U;  // inverse of 0x7feb352d modulo 2^32
    x ^= x >> 16;
    return x;
}

// Id from the two feature numbers.
constexpr std::uint32_t feature_id(std::uint32_t number_a, std::uint32_t number_b, std::uint32_t total_b) {
    return mix32(number_a * total_b + number_b);
}

// Id of two features.
constexpr std::uint32_t feature_id(const FeatureCounts& a, const FeatureCounts& b, const FeaturePair& f) {
    return feature_id(feature_number(a, f.a), feature_number(b, f.b), b.total());
}

// The features of an id; nullopt if the id belongs to no pair of features of these hulls, or if N_a * N_b > 2^32 makes
// ids ambiguous.
LANEFOLD_EXPORT std::optional<FeaturePair> decode_feature(const FeatureCounts& a, const FeatureCounts& b,
                                                          std::uint32_t id);

}  // namespace lanefold
