// SPDX-License-Identifier: MIT
//
// From a feature id back to the two features: inverts the mixer, then divides the product numbering.
#include <lanefold/feature.hpp>

namespace lanefold {

namespace {

Feature feature_of_number(const FeatureCounts& n, std::uint32_t number) {
    if (number < n.faces) return {FeatureType::face, number};
    if (number - n.faces < n.edges) return {FeatureType::edge, number - n.faces};
    return {FeatureType::vertex, number - n.faces - n.edges};
}

}  // namespace

std::optional<FeaturePair> decode_feature(const FeatureCounts& a, const FeatureCounts& b, std::uint32_t id) {
    // 64 bits, because the total of a hull can itself be close to 2^32.
    const std::uint64_t total_a = std::uint64_t{a.faces} + a.edges + a.vertices;
    const std::uint64_t total_b = std::uint64_t{b.faces} + b.edges + b.vertices;
    constexpr std::uint64_t kIds = std::uint64_t{1} << 32;
    if (total_a == 0 || total_b == 0) return std::nullopt;
    // Beyond 2^32 products wrap, and an id has several origins. The division avoids an overflow of the test.
    if (total_a > kIds / total_b) return std::nullopt;
    const std::uint64_t number = unmix32(id);
    if (number >= total_a * total_b) return std::nullopt;
    return FeaturePair{feature_of_number(a, static_cast<std::uint32_t>(number / total_b)),
                       feature_of_number(b, static_cast<std::uint32_t>(number % total_b))};
}

}  // namespace lanefold
