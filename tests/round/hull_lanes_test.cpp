// SPDX-License-Identifier: MIT
//
// Spheres and capsules with general hulls in lanes: what they settle, where they have two points, and that all of it is
// the same alone, shuffled and on every instruction set.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numeric>
#include <span>
#include <vector>

#include <lanefold/hull_builder.hpp>
#include <lanefold/isa.hpp>
#include <lanefold/serial.hpp>

#include "support/engines.hpp"
#include "support/hulls.hpp"
#include "support/poses.hpp"

namespace lanefold::test {
namespace {

constexpr std::uint32_t kSphere = 0;   // radius 0.25
constexpr std::uint32_t kCapsule = 1;  // from -0.5 to 0.5 along z, radius 0.25
constexpr std::uint32_t kPrism = 2;    // six sides, corners 1 from the axis, from -1 to 1 along z

HullSet prism_set() {
    std::vector<Vec3f> points = {{0, 0, 0}, {0, 0, -0.5F}, {0, 0, 0.5F}};
    std::vector<std::uint64_t> offsets = {0, 1, 3};
    const Points prism = prism_points(6, 1, 1);
    points.insert(points.end(), prism.begin(), prism.end());
    offsets.push_back(points.size());
    const float radii[] = {0.25F, 0.25F, 0};
    BuildOptions options;
    options.radii = radii;
    BuildResult built = build_hulls(points, offsets, options);
    EXPECT_TRUE(static_cast<bool>(built));
    return built.hulls;
}

struct Result {
    Manifold4 record;
    Counters counters;
};

// One pair by the serial batch on the weakest instruction set.
Result collide(const HullSet& hulls, const BodyD& a, const BodyD& b) {
    const BodyD bodies[] = {a, b};
    const Pair pair{0, 1};
    Options options;
    options.margin = 0.01F;
    Workspace workspace;
    Result r{};
    const BatchResult batch =
        collide_serial(hulls, BodyView(bodies), std::span(&pair, 1), options, std::span(&r.record, 1), workspace);
    EXPECT_TRUE(batch.status);
    r.counters = batch.counters;
    return r;
}

void expect_in_lanes(const Result& r, const char* what) {
    EXPECT_EQ(r.counters.small_pairs, 1U) << what;
    EXPECT_EQ(r.counters.distance_finished, 0U) << what;
    EXPECT_EQ(r.counters.precise_pairs, 0U) << what;
}

TEST(SmallOnHulls, FacesEdgesAndCornersAreSettledInLanes) {
    const HullSet hulls = prism_set();
    ASSERT_FALSE(hulls[kPrism].is_box());
    const Quat level = about({0, 1, 0}, 1.5707963267948966);
    struct Case {
        const char* what;
        std::uint32_t small;
        Vec3d at;
        Quat turn;
        ContactKind kind;
        int points;
        double distance;
    };
    const double high = std::sqrt(3.0) / 2;
    const Case cases[] = {
        {"a sphere over a lid", kSphere, {0.1, 0.2, 1.24}, {}, ContactKind::face_a, 1, -0.01},
        {"a sphere in the prism", kSphere, {0.1, 0.1, 0.8}, {}, ContactKind::face_a, 1, -0.45},
        {"a sphere at an edge", kSphere, {1.24, 0, 0.1}, {}, ContactKind::edge_vertex, 1, -0.01},
        {"a sphere at a corner",
         kSphere,
         {1.14, 0, 1.14},
         {},
         ContactKind::vertex_vertex,
         1,
         0.14 * std::sqrt(2.0) - 0.25},
        {"a capsule flat on a lid", kCapsule, {0.1, 0.1, 1.24}, level, ContactKind::face_a, 2, -0.01},
        {"a capsule along a side", kCapsule, {0, high + 0.24, 0.2}, {}, ContactKind::face_a, 2, -0.01},
        {"a capsule along an edge", kCapsule, {1.24, 0, 0.3}, {}, ContactKind::edge_edge, 2, -0.01},
        {"a capsule across an edge", kCapsule, {1.24, 0, 0.1}, about({1, 0, 0}, 1.3), ContactKind::edge_edge, 1, -0.01},
        {"a capsule that reaches in through an edge",
         kCapsule,
         {0.9, 0, 0.1},
         about({1, 0, 0}, 1.5707963267948966),
         ContactKind::edge_edge,
         1,
         -0.35},
    };
    for (const Case& c : cases) {
        const Result r = collide(hulls, placed_body(kPrism, {}), placed_body(c.small, c.at, c.turn));
        EXPECT_EQ(r.record.kind, c.kind) << c.what << ": " << to_string(r.record.kind);
        EXPECT_EQ(static_cast<int>(r.record.count), c.points) << c.what;
        EXPECT_NEAR(r.record.distance, c.distance, 2e-6) << c.what;
        expect_in_lanes(r, c.what);
        const Result other = collide(hulls, placed_body(c.small, c.at, c.turn), placed_body(kPrism, {}));
        EXPECT_EQ(other.record.distance, r.record.distance) << c.what;
        EXPECT_EQ(other.record.count, r.record.count) << c.what;
        for (int k = 0; k < 3; ++k) EXPECT_EQ(other.record.normal[k], -r.record.normal[k]) << c.what;
        expect_in_lanes(other, c.what);
    }
}

constexpr Shape kOnHulls[] = {Shape::point,   Shape::rock,   Shape::segment, Shape::debris,
                              Shape::segment, Shape::big,    Shape::point,   Shape::cylinder,
                              Shape::segment, Shape::pebble, Shape::segment, Shape::sphere,
                              Shape::segment, Shape::prism,  Shape::point,   Shape::wedge};

SweepConfig on_hulls(std::uint64_t seed, std::uint32_t pairs) {
    SweepConfig c;
    c.name = "spheres and capsules on hulls";
    c.seed = sweep_seed(seed);
    c.pairs = sweep_pairs(pairs, 20 * pairs);
    c.shapes = kOnHulls;
    c.rounding = {0.2, 1e-2, 2};
    c.options.margin = 0.05F;
    return c;
}

TEST(SmallOnHulls, LanesSettleNearlyAllPairs) {
    const SweepConfig c = on_hulls(5131, 12000);
    IsaDifferences differences;
    const SweepResult r = run_sweep(c, all_isas_engine4(differences));
    expect_clean(r);
    expect_same(differences);
    for (std::size_t kind = 1; kind < kContactKindCount; ++kind)
        EXPECT_GT(r.coverage.by_kind[kind], stored_seed() ? c.pairs / 200U : 0U) << kind;
    EXPECT_GT(r.coverage.multi_point, stored_seed() ? c.pairs / 50U : 0U);
    const Counters& n = differences.counters;
    EXPECT_GT(n.small_pairs, c.pairs / 2U);
    EXPECT_LT(n.distance_finished, c.pairs / 10U);
    std::printf("lanes took %llu of %u, %llu were left to float64\n", static_cast<unsigned long long>(n.small_pairs),
                c.pairs, static_cast<unsigned long long>(n.distance_finished));
}

// A pair's record does not depend on its neighbours in a vector.
TEST(SmallOnHulls, APairIsTheSameAloneAndShuffled) {
    const SweepConfig c = on_hulls(5132, 1500);
    const Library library = random_library(c.seed, c.hulls, c.shapes, c.min_scale, c.max_scale, c.rounding);
    const SweepBlock block = make_block(c, library, 0, c.pairs);
    const BodyView view{std::span<const Body>(block.float_bodies)};
    Workspace workspace;
    std::vector<std::size_t> order(block.pairs.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    Random random(c.seed);
    for (std::size_t i = order.size(); i > 1; --i)
        std::swap(order[i - 1], order[random.index(static_cast<std::uint32_t>(i))]);
    std::vector<Pair> shuffled;
    for (const std::size_t i : order) shuffled.push_back(block.pairs[i]);
    for (const Isa isa : available_isas()) {
        Options options = c.options;
        options.isa = isa;
        std::vector<Manifold4> together(order.size());
        std::vector<Manifold4> other(order.size());
        ASSERT_TRUE(collide_serial(library.hulls, view, block.pairs, options, together, workspace).status);
        ASSERT_TRUE(collide_serial(library.hulls, view, shuffled, options, other, workspace).status);
        for (std::size_t k = 0; k < order.size(); ++k)
            ASSERT_EQ(bitwise_difference(together[order[k]], other[k]), "") << to_string(isa);
        for (std::size_t i = 0; i < order.size(); i += 7) {
            Manifold4 alone{};
            ASSERT_TRUE(collide_serial(library.hulls, view, std::span(&block.pairs[i], 1), options,
                                       std::span(&alone, 1), workspace)
                            .status);
            ASSERT_EQ(bitwise_difference(together[i], alone), "") << to_string(isa);
        }
    }
}

}  // namespace
}  // namespace lanefold::test
