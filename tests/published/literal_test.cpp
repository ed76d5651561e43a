// SPDX-License-Identifier: MIT
//
// The published methods to the letter against tests/data/literal_pairs.json.
#include <cmath>
#include <cstdio>

#include <gtest/gtest.h>

#include <lanefold/published_literal.hpp>

#include "support/literal_pairs.hpp"
#include "support/published_example.hpp"

namespace lanefold::test {
namespace {

using published::Type;
using published::literal::Result;

class PublishedLiteral : public ::testing::Test {
protected:
    static void SetUpTestSuite() { pairs_ = read_literal_pairs(LANEFOLD_TEST_DATA); }

    // For candidates that tie up to rounding the data name the one that the source's rounding chooses. The rounding
    // here is the same, so results must be equal.
    void expect_equal(const std::optional<LiteralExpectation>& expected, const Result& r, const std::string& where,
                      bool with_index) {
        ASSERT_EQ(r.colliding, expected.has_value()) << where;
        if (!expected) return;
        ASSERT_TRUE(r.found) << where;
        ASSERT_EQ(r.info.type, expected->type) << where;
        if (with_index) {
            ASSERT_EQ(r.info.index, expected->index) << where;
        }
        compare(r.info.separation, expected->separation, where);
        compare(r.mtv, expected->mtv, where);
        compare(r.info.normal * -r.info.separation, expected->mtv, where);
        ASSERT_EQ(r.points.size(), expected->points.size()) << where;
        for (std::size_t k = 0; k < r.points.size(); ++k) compare(r.points[k].position, expected->points[k], where);
        points_ += r.points.size();
        ++by_type_[static_cast<std::size_t>(r.info.type)];
    }

    void compare(double x, double y, const std::string& where) {
        worst_ = std::max(worst_, std::fabs(x - y));
        ASSERT_NEAR(x, y, 1e-9) << where;
    }

    void compare(const Vec3d& x, const Vec3d& y, const std::string& where) {
        compare(x.x, y.x, where);
        compare(x.y, y.y, where);
        compare(x.z, y.z, where);
    }

    static std::vector<LiteralPair> pairs_;
    double worst_ = 0;
    std::size_t points_ = 0;
    std::array<std::uint32_t, 3> by_type_{};
};

std::vector<LiteralPair> PublishedLiteral::pairs_;

TEST_F(PublishedLiteral, SeparatingAxesAgreeWithAllPairs) {
    ASSERT_EQ(pairs_.size(), 460U);
    for (std::size_t i = 0; i < pairs_.size(); ++i) {
        expect_equal(pairs_[i].separating_axes, published::literal::separating_axes(pairs_[i].a, pairs_[i].b),
                     "pair " + std::to_string(i), true);
    }
    std::printf("%zu pairs, face of a %u, face of b %u, edges %u, worst difference %.1e\n", pairs_.size(), by_type_[0],
                by_type_[1], by_type_[2], worst_);
    for (const std::uint32_t count : by_type_) EXPECT_GE(count, 50U);
}

TEST_F(PublishedLiteral, ClippingAgreesWithAllPairs) {
    ASSERT_EQ(pairs_.size(), 460U);
    for (std::size_t i = 0; i < pairs_.size(); ++i) {
        expect_equal(pairs_[i].clipping, published::literal::clipping_manifold(pairs_[i].a, pairs_[i].b),
                     "pair " + std::to_string(i), false);
    }
    std::printf("%zu pairs, face of a %u, face of b %u, edges %u, points %zu, worst difference %.1e\n", pairs_.size(),
                by_type_[0], by_type_[1], by_type_[2], points_, worst_);
    for (const std::uint32_t count : by_type_) EXPECT_GE(count, 50U);
    EXPECT_GT(points_, 370U);
}

TEST_F(PublishedLiteral, ExampleIsReproduced) {
    const PublishedExample example = read_published_example(LANEFOLD_TEST_DATA);
    const Result r = published::literal::separating_axes(example.a, example.b);
    ASSERT_TRUE(r.colliding && r.found);
    EXPECT_EQ(r.info.type, Type::edges);
    EXPECT_EQ(r.info.index, example.expected.info.index);
    ASSERT_EQ(r.points.size(), 1U);
    compare(r.points[0].position, example.expected.point, "point");
    compare(r.mtv, example.expected.mtv, "mtv");
    compare(r.info.normal, example.expected.info.normal, "normal");
    compare(r.info.separation, example.expected.info.separation, "separation");
    EXPECT_LT(worst_, 1e-15);
}

}  // namespace
}  // namespace lanefold::test
