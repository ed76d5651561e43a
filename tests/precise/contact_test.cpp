// SPDX-License-Identifier: MIT
//
// Manifolds of the float64 path on pairs with known results: number, places, ids and reduction of points. Calls must
// use no other memory than they are given.

#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <new>
#include <set>
#include <vector>

#include "support/precise_scene.hpp"

namespace {

std::atomic<std::uint64_t> allocations{0};

}  // namespace

// Counts allocations, because a call on reserved memory must allocate nothing. It is not inlined: GCC 12 would warn of
// a mismatch of malloc and free.
[[gnu::noinline]] void* operator new(std::size_t size) {
    ++allocations;
    if (void* p = std::malloc(size == 0 ? 1 : size)) return p;
    throw std::bad_alloc();
}
[[gnu::noinline]] void operator delete(void* p) noexcept { std::free(p); }
[[gnu::noinline]] void operator delete(void* p, std::size_t) noexcept { std::free(p); }

namespace lanefold::precise_test {
namespace {

Placement at(double x, double y, double z) {
    Placement p;
    set_position(p, {x, y, z});
    return p;
}

Placement yawed(double x, double y, double z, double angle) {
    Placement p = at(x, y, z);
    set_quat(p, 0, 0, std::sin(angle / 2), std::cos(angle / 2));
    return p;
}

constexpr double kPi = 3.14159265358979323846;

TEST(PreciseContact, StackedCubesHaveFourCornersMidway) {
    const Library library({box_points(0.5, 0.5, 0.5)});
    Judge judge(library);
    // 1/64 is exact in float32: every number below is known to the bit.
    ASSERT_TRUE(judge.check(0, at(0, 0, 0), 0, at(0, 0, 1 - 0.015625), 0.02, 0.005));
    EXPECT_EQ(judge.four.kind, ContactKind::face_a);
    EXPECT_EQ(judge.four.distance, -0.015625F);
    EXPECT_EQ(judge.four.normal[0], 0.0F);
    EXPECT_EQ(judge.four.normal[1], 0.0F);
    EXPECT_EQ(judge.four.normal[2], 1.0F);
    ASSERT_EQ(judge.four.count, 4);
    EXPECT_EQ(judge.four.total, 4);
    std::set<std::pair<float, float>> corners;
    for (const ContactPoint& c : judge.four.points) {
        EXPECT_EQ(c.separation, -0.015625F);
        EXPECT_EQ(c.position[2], 0.5F - 0.0078125F);
        corners.insert({c.position[0], c.position[1]});
        const auto f = decode_feature(library.hulls[0].feature_counts(), library.hulls[0].feature_counts(), c.feature);
        ASSERT_TRUE(f.has_value());
        EXPECT_EQ(f->a, (Feature{FeatureType::face, judge.four.feature_a}));
        EXPECT_EQ(f->b.type, FeatureType::vertex);
    }
    EXPECT_EQ(corners, (std::set<std::pair<float, float>>{{-.5F, -.5F}, {-.5F, .5F}, {.5F, -.5F}, {.5F, .5F}}));
}

TEST(PreciseContact, OverhangingCubeHasVerticesAndCrossings) {
    const Library library({box_points(0.5, 0.5, 0.5)});
    Judge judge(library);
    ASSERT_TRUE(judge.check(0, at(0, 0, 0), 0, at(0.25, 0.25, 1), 0.02, 0.005));
    // One incident vertex inside, one reference vertex inside, two crossings.
    ASSERT_EQ(judge.four.count, 4);
    int types[3][3] = {};
    for (const ContactPoint& c : judge.four.points) {
        const auto f = decode_feature(library.hulls[0].feature_counts(), library.hulls[0].feature_counts(), c.feature);
        ASSERT_TRUE(f.has_value());
        ++types[static_cast<int>(f->a.type)][static_cast<int>(f->b.type)];
        EXPECT_NEAR(c.position[2], 0.5, 1e-7);
    }
    EXPECT_EQ(types[0][2], 1);
    EXPECT_EQ(types[2][0], 1);
    EXPECT_EQ(types[1][1], 2);
}

TEST(PreciseContact, EighthTurnGivesAnOctagonReducedToASpreadSquare) {
    const Library library({box_points(0.5, 0.5, 0.5)});
    Judge judge(library);
    ASSERT_TRUE(judge.check(0, at(0, 0, 0), 0, yawed(0, 0, 0.95, kPi / 4), 0.02, 0.005));
    EXPECT_EQ(judge.four.total, 8);
    EXPECT_EQ(judge.sixteen.count, 8);
    ASSERT_EQ(judge.four.count, 4);
    // Four of a regular octagon's corners, spread: at least a quarter turn apart.
    for (int i = 0; i < 4; ++i) {
        EXPECT_NEAR(std::hypot(judge.four.points[i].position[0], judge.four.points[i].position[1]), 0.5412, 1e-4);
        for (int k = 0; k < i; ++k) {
            const float* p = judge.four.points[i].position;
            const float* q = judge.four.points[k].position;
            EXPECT_GT(std::hypot(p[0] - q[0], p[1] - q[1]), 0.7);
        }
    }
}

TEST(PreciseContact, LargeLidsAreClippedWhole) {
    const Library library({prism_points(200, 1, 0.2), prism_points(256, 0.9, 0.2)});
    Judge judge(library);
    ASSERT_TRUE(judge.check(0, at(0, 0, 0), 1, yawed(0.3, 0, 0.39, 0.01), 0.02, 0.005));
    EXPECT_GT(judge.sixteen.total, 150);
    EXPECT_EQ(judge.sixteen.count, 16);
    EXPECT_EQ(judge.four.count, 4);
}

TEST(PreciseContact, CrossedEdgesMeetInOnePointMidway) {
    const Library library({box_points(0.5, 0.5, 0.5)});
    Judge judge(library);
    // a: an edge on top along y; b: an edge at the bottom along x. Both turned by 45 degrees.
    Placement a;
    set_quat(a, 0, std::sin(kPi / 8), 0, std::cos(kPi / 8));
    Placement b;
    const double top = std::sqrt(0.5);
    set_quat(b, std::sin(kPi / 8), 0, 0, std::cos(kPi / 8));
    for (const double gap : {-0.01, 0.01}) {
        set_position(b, {0.1, -0.2, 2 * top + gap});
        ASSERT_TRUE(judge.check(0, a, 0, b, 0.02, 0.005));
        EXPECT_EQ(judge.four.kind, ContactKind::edge_edge);
        ASSERT_EQ(judge.four.count, 1);
        EXPECT_NEAR(judge.four.distance, gap, 1e-6);
        EXPECT_NEAR(judge.four.normal[2], 1, 1e-6);
        EXPECT_NEAR(judge.four.points[0].position[0], 0.0, 1e-6);
        EXPECT_NEAR(judge.four.points[0].position[1], -0.2, 1e-6);
        EXPECT_NEAR(judge.four.points[0].position[2], top + gap / 2, 1e-6);
    }
}

TEST(PreciseContact, KindsOfTheSeparatedBand) {
    const Library library({box_points(0.5, 0.5, 0.5)});
    Judge judge(library);
    const double d = 0.01;
    // Corner to corner along the diagonal.
    ASSERT_TRUE(judge.check(0, at(0, 0, 0), 0, at(1 + d, 1 + d, 1 + d), 0.1, 0));
    EXPECT_EQ(judge.four.kind, ContactKind::vertex_vertex);
    EXPECT_NEAR(judge.four.distance, d * std::sqrt(3), 1e-7);
    // Parallel edges, diagonally: the overlap of two edges is a segment; one end of it is a corner.
    ASSERT_TRUE(judge.check(0, at(0, 0, 0), 0, at(1 + d, 1 + d, 0.3), 0.1, 0));
    EXPECT_NEAR(judge.four.distance, d * std::sqrt(2), 1e-7);
    EXPECT_NEAR(judge.four.normal[0], std::sqrt(0.5), 1e-6);
    // A corner over an edge.
    Placement tip;
    // The diagonal (1, 1, 1) turned onto -z: about (1, -1, 0) by pi - acos(1 / sqrt 3).
    const double turn = kPi - std::acos(1 / std::sqrt(3.0));
    set_quat(tip, std::sin(turn / 2) / std::sqrt(2.0), -std::sin(turn / 2) / std::sqrt(2.0), 0, std::cos(turn / 2));
    Placement ridge;
    set_quat(ridge, 0, std::sin(kPi / 8), 0, std::cos(kPi / 8));
    set_position(tip, {0, 0.1, std::sqrt(0.5) + std::sqrt(0.75) + d});
    ASSERT_TRUE(judge.check(0, ridge, 0, tip, 0.1, 0));
    EXPECT_NEAR(judge.four.distance, d, 1e-6);
    EXPECT_EQ(judge.four.kind, ContactKind::edge_vertex);
    Placement back = ridge;
    set_position(back, {0, -0.1, -tip.position[2]});
    Placement here = tip;
    set_position(here, {0, 0, 0});
    ASSERT_TRUE(judge.check(0, here, 0, back, 0.1, 0));
    EXPECT_EQ(judge.four.kind, ContactKind::vertex_edge);
}

TEST(PreciseContact, FacePreferenceChoosesTheNormalButNotTheDistance) {
    const Library library({box_points(0.5, 0.5, 0.5), prism_points(3, 0.6, 0.5)});
    Random random(31);
    Judge strict(library);
    Judge eager(library);
    int changed = 0;
    for (int i = 0; i < 4000; ++i) {
        Placement a;
        Placement b;
        set_random_quat(a, random);
        set_random_quat(b, random);
        set_position(b, random.offset(0.6, 1.2));
        ASSERT_TRUE(strict.check(0, a, i & 1, b, 0.02, 0));
        ASSERT_TRUE(eager.check(0, a, i & 1, b, 0.02, 0.05));
        EXPECT_EQ(strict.four.distance, eager.four.distance);
        const bool edge = strict.four.kind >= ContactKind::edge_edge;
        const bool face = eager.four.kind == ContactKind::face_a || eager.four.kind == ContactKind::face_b;
        changed += edge && face ? 1 : 0;
    }
    EXPECT_GT(changed, 100);
}

TEST(PreciseContact, ImpactKeepsOnlyTheDeepestBand) {
    const Library library({box_points(0.5, 0.5, 0.5)});
    Judge judge(library);
    // Tilted by 2 degrees about y: the points on one side are deeper by sin(2 degrees).
    Placement b = at(0, 0, 1.005);
    set_quat(b, 0, std::sin(kPi / 180), 0, std::cos(kPi / 180));
    ASSERT_TRUE(judge.check(0, at(0, 0, 0), 0, b, 0.1, 0.005, PointSelection::all));
    EXPECT_EQ(judge.four.total, 4);
    ASSERT_TRUE(judge.check(0, at(0, 0, 0), 0, b, 0.1, 0.005, PointSelection::impact));
    EXPECT_EQ(judge.four.total, 2);
    for (int i = 0; i < 2; ++i) EXPECT_NEAR(judge.four.points[i].separation, judge.four.distance, 1e-6);
}

TEST(PreciseContact, FeatureIdsStayWhileTheSameFeaturesMeet) {
    const Library library({box_points(0.5, 0.5, 0.5), prism_points(7, 0.6, 0.4)});
    Judge judge(library);
    std::set<std::uint32_t> first;
    for (int i = 0; i < 50; ++i) {
        ASSERT_TRUE(
            judge.check(0, at(0, 0, 0), 1, yawed(0.2 + 1e-3 * i, 0.1, 0.895 + 1e-4 * i, 0.3 + 1e-4 * i), 0.02, 0.005));
        std::set<std::uint32_t> ids;
        for (int k = 0; k < judge.sixteen.count; ++k) ids.insert(judge.sixteen.points[k].feature);
        EXPECT_EQ(ids.size(), judge.sixteen.count);
        if (i == 0) first = ids;
        EXPECT_EQ(ids, first) << i;
    }
    EXPECT_GT(first.size(), 3U);
}

TEST(PreciseContact, SwappedBodiesMirrorTheManifold) {
    Random shape_random(2);
    const Library library({box_points(0.5, 0.4, 0.6), ball_points(shape_random, 20), prism_points(9, 0.5, 0.5)});
    Random random(41);
    Judge one(library);
    Judge other(library);
    int touching = 0;
    for (int i = 0; i < 2000; ++i) {
        const std::uint32_t ia = random.below(3);
        const std::uint32_t ib = random.below(3);
        Placement a;
        Placement b;
        set_random_quat(a, random);
        set_random_quat(b, random);
        set_position(b, random.offset(0.5, 1.4));
        ASSERT_TRUE(one.check(ia, a, ib, b, 0.05, 0.005));
        ASSERT_TRUE(other.check(ib, b, ia, a, 0.05, 0.005));
        EXPECT_NEAR(one.four.distance, other.four.distance, 2e-6);
        EXPECT_EQ(one.four.count > 0, other.four.count > 0);
        touching += one.four.count > 0 ? 1 : 0;
    }
    EXPECT_GT(touching, 500);
}

TEST(PreciseContact, NothingButThePairDecidesTheBits) {
    Random shape_random(3);
    std::vector<Points> shapes = {box_points(0.5, 0.4, 0.6), prism_points(40, 0.7, 0.3), box_points(90, 90, 1)};
    for (const int n : {10, 50, 150}) shapes.push_back(ball_points(shape_random, n));
    shapes.push_back(scaled(turned(prism_points(12, 1, 0.1), shape_random), 2000));
    const Library library(shapes);
    Random random(51);
    std::vector<detail::PrecisePair> pairs;
    for (int i = 0; i < 400; ++i) {
        detail::PrecisePair p;
        p.a = &library.hulls[random.below(shapes.size())];
        p.b = &library.hulls[random.below(shapes.size())];
        Placement a;
        Placement b;
        set_random_quat(a, random);
        set_random_quat(b, random);
        set_position(b, random.offset(0, 0.7 * (double{p.a->size} + p.b->size)));
        std::copy(b.position, b.position + 3, p.position_b);
        std::copy(a.orientation, a.orientation + 4, p.orientation_a);
        std::copy(b.orientation, b.orientation + 4, p.orientation_b);
        p.margin = 0.05F;
        p.face_preference = 0.005F;
        pairs.push_back(p);
    }
    std::vector<Manifold16> fresh(pairs.size());
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        detail::PreciseScratch scratch;
        detail::collide_precise(pairs[i], scratch, fresh[i]);
    }
    // Memory with data of other pairs.
    detail::PreciseScratch scratch;
    scratch.reserve(library.hulls.max_vertices(), library.hulls.max_faces(), library.hulls.max_edges());
    const std::uint64_t before = allocations;
    int touching = 0;
    for (int round = 0; round < 3; ++round) {
        for (std::size_t i = 0; i < pairs.size(); ++i) {
            const std::size_t k = (i * 7919 + static_cast<std::size_t>(round)) % pairs.size();
            Manifold16 m;
            std::memset(static_cast<void*>(&m), 0xAB, sizeof m);
            detail::collide_precise(pairs[k], scratch, m);
            ASSERT_EQ(std::memcmp(&m, &fresh[k], sizeof m), 0) << k;
            touching += m.count > 0 ? 1 : 0;
        }
    }
    EXPECT_EQ(allocations, before) << "a call on reserved memory allocated";
    EXPECT_GT(touching, 300);
}

}  // namespace
}  // namespace lanefold::precise_test
