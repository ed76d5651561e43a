// SPDX-License-Identifier: MIT
//
// Feature ids: while numbers fit they are unique and can be decoded.
#include <cstdint>
#include <limits>
#include <set>

#include <gtest/gtest.h>

#include <lanefold/feature.hpp>

#include "support/random.hpp"

namespace lanefold {
namespace {

constexpr FeatureCounts kBox{6, 12, 8};
constexpr FeatureCounts kTetrahedron{4, 6, 4};

Feature feature_of(const FeatureCounts& n, std::uint32_t number) {
    if (number < n.faces) return {FeatureType::face, number};
    if (number < n.faces + n.edges) return {FeatureType::edge, number - n.faces};
    return {FeatureType::vertex, number - n.faces - n.edges};
}

TEST(Mix32, UnmixInvertsMix) {
    test::Random random(1);
    for (int i = 0; i < 200000; ++i) {
        const auto x = static_cast<std::uint32_t>(random.next());
        ASSERT_EQ(unmix32(mix32(x)), x);
        ASSERT_EQ(mix32(unmix32(x)), x);
    }
    for (const std::uint32_t x : {0U, 1U, 2U, 0x7FFFFFFFU, 0x80000000U, 0xFFFFFFFFU}) EXPECT_EQ(unmix32(mix32(x)), x);
}

TEST(FeatureNumber, RunsOverFacesThenEdgesThenVertices) {
    EXPECT_EQ(feature_number(kBox, {FeatureType::face, 5}), 5U);
    EXPECT_EQ(feature_number(kBox, {FeatureType::edge, 0}), 6U);
    EXPECT_EQ(feature_number(kBox, {FeatureType::edge, 11}), 17U);
    EXPECT_EQ(feature_number(kBox, {FeatureType::vertex, 0}), 18U);
    EXPECT_EQ(feature_number(kBox, {FeatureType::vertex, 7}), 25U);
    EXPECT_EQ(kBox.total(), 26U);
}

TEST(FeatureId, IsUniqueAndDecodesForEveryPairOfFeatures) {
    std::set<std::uint32_t> ids;
    for (std::uint32_t a = 0; a < kBox.total(); ++a) {
        for (std::uint32_t b = 0; b < kTetrahedron.total(); ++b) {
            const FeaturePair pair{feature_of(kBox, a), feature_of(kTetrahedron, b)};
            const std::uint32_t id = feature_id(kBox, kTetrahedron, pair);
            EXPECT_TRUE(ids.insert(id).second) << a << " " << b;
            const auto back = decode_feature(kBox, kTetrahedron, id);
            ASSERT_TRUE(back.has_value());
            EXPECT_EQ(*back, pair);
        }
    }
    EXPECT_EQ(ids.size(), std::size_t{26 * 14});
}

TEST(FeatureId, OfNoPairIsRefused) {
    std::uint32_t refused = 0;
    for (std::uint32_t number = 26 * 14; number < 26 * 14 + 1000; ++number) {
        refused += decode_feature(kBox, kTetrahedron, mix32(number)) ? 0U : 1U;
    }
    EXPECT_EQ(refused, 1000U);
}

TEST(DecodeFeature, WorksUpToTheLastUnambiguousCount) {
    // 65536 features on both sides: exactly 2^32 pairs.
    const FeatureCounts n{20000, 30000, 15536};
    ASSERT_EQ(n.total(), 65536U);
    const FeaturePair last{{FeatureType::vertex, 15535}, {FeatureType::vertex, 15535}};
    const auto back = decode_feature(n, n, feature_id(n, n, last));
    ASSERT_TRUE(back.has_value());
    EXPECT_EQ(*back, last);
}

TEST(DecodeFeature, RefusesAmbiguousAndEmptyCounts) {
    const FeatureCounts n{20000, 30000, 15536};
    FeatureCounts more = n;
    ++more.vertices;
    EXPECT_FALSE(decode_feature(n, more, 0).has_value());
    EXPECT_FALSE(decode_feature(more, n, 0).has_value());
    EXPECT_FALSE(decode_feature({}, n, 0).has_value());
    EXPECT_FALSE(decode_feature(n, {}, 0).has_value());
    constexpr std::uint32_t kMost = std::numeric_limits<std::uint32_t>::max();
    EXPECT_FALSE(decode_feature({kMost, kMost, kMost}, {kMost, kMost, kMost}, 0).has_value());
}

}  // namespace
}  // namespace lanefold
