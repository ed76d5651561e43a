// SPDX-License-Identifier: MIT
//
// Rounded hulls against the oracle: random and degenerate pairs of sharp and rounded hulls of every shape, on every
// instruction set, and the float64 path on the same pairs. Poses are made of the rounded distance, so that pairs touch,
// overlap slightly or are coincident as those of the other sweeps do.
#include <cstdio>
#include <vector>

#include <gtest/gtest.h>

#include <lanefold/isa.hpp>

#include "support/engines.hpp"

namespace lanefold::test {
namespace {

// Radii in units of a hull's scale: from what float32 can hardly tell to several sizes.
constexpr Rounding kAnyRadius = {0.75, 1e-5, 4};

SweepConfig base(const char* name, std::uint64_t seed, std::uint32_t pairs) {
    SweepConfig c;
    c.name = name;
    c.seed = sweep_seed(seed);
    c.pairs = sweep_pairs(pairs, 20 * pairs);
    c.rounding = kAnyRadius;
    return c;
}

struct Verdict {
    Coverage coverage;
    Counters counters;
};

Verdict judge(const SweepConfig& c) {
    IsaDifferences differences;
    const SweepResult lanes = run_sweep(c, all_isas_engine4(differences));
    expect_clean(lanes);
    expect_same(differences);
    EXPECT_GE(differences.records, available_isas().size() > 1 ? c.pairs : 0U);
    const SweepResult precise = run_sweep(c, precise_engine4());
    expect_clean(precise);
    return {lanes.coverage, differences.counters};
}

TEST(RoundedSweep, StrictWithoutMargin) {
    SweepConfig c = base("rounded, strict, margin 0", 5101, 12000);
    c.options.face_preference = 0;
    const Verdict v = judge(c);
    EXPECT_GT(v.coverage.overlapping, c.pairs / 3U);
    EXPECT_GT(v.coverage.unreported, c.pairs / 20U);
    // Cores apart have contacts of corners although the rounded hulls overlap.
    for (std::size_t kind = 1; kind < kContactKindCount; ++kind)
        EXPECT_GT(v.coverage.by_kind[kind], stored_seed() ? c.pairs / 200U : 0U) << kind;
    EXPECT_GT(v.counters.box_pairs, c.pairs / 100U);
    EXPECT_GT(v.counters.hull_pairs, c.pairs / 3U);
    EXPECT_GT(v.counters.distance_finished, 0U);
}

TEST(RoundedSweep, DefaultPreferenceSmallMargin) {
    SweepConfig c = base("rounded, default preference, margin 0.02", 5102, 12000);
    c.options.margin = 0.02F;
    c.reach = 0.02;
    const Verdict v = judge(c);
    EXPECT_GT(v.coverage.preferred_face, c.pairs / 200U);
    EXPECT_GT(v.coverage.multi_point, c.pairs / 5U);
    EXPECT_GT(v.coverage.reduced, c.pairs / 200U);
    EXPECT_GT(v.coverage.touching_separated, c.pairs / 50U);
}

TEST(RoundedSweep, Boxes) {
    SweepConfig c = base("rounded boxes, margin 0.05", 5103, 12000);
    constexpr Shape kBoxes[] = {Shape::box, Shape::rotated_box, Shape::slab, Shape::needle};
    c.shapes = kBoxes;
    c.options.margin = 0.05F;
    const Verdict v = judge(c);
    EXPECT_GT(v.counters.box_pairs, c.pairs / 3U);
    EXPECT_GT(v.coverage.multi_point, c.pairs / 5U);
}

TEST(RoundedSweep, Patches) {
    SweepConfig c = base("rounded, patch", 5104, 6000);
    c.options.method = ContactMethod::patch;
    c.options.margin = 0.02F;
    EXPECT_GT(judge(c).coverage.multi_point, c.pairs / 5U);
}

TEST(RoundedSweep, SixteenPointsAndImpactSelection) {
    SweepConfig c = base("rounded, 16 points, impact", 5105, 6000);
    c.options.margin = 0.05F;
    c.options.points = PointSelection::impact;
    IsaDifferences differences;
    const SweepResult r = run_sweep(c, all_isas_engine16(differences));
    expect_clean(r);
    expect_same(differences);
    EXPECT_GT(r.coverage.multi_point, c.pairs / 20U);
}

TEST(RoundedSweep, ThinHulls) {
    SweepConfig c = base("rounded thin hulls", 5106, 6000);
    c.shapes = thin_shapes();
    c.options.margin = 0.02F;
    const Verdict v = judge(c);
    EXPECT_GT(v.counters.precise_pairs, c.pairs / 3U);
    EXPECT_GT(v.coverage.overlapping, c.pairs / 5U);
}

// Cores of up to 1e6 : 1, with radii that change which of two rounded hulls is the larger one.
TEST(RoundedSweep, SizeRatiosUpToAMillion) {
    SweepConfig c = base("rounded, sizes 1:1e6", 5107, 6000);
    c.min_scale = 1e-3;
    c.max_scale = 1e3;
    c.rounding = {0.75, 1e-4, 100};
    c.options.margin = 0.001F;
    c.float_positions = false;
    const Verdict v = judge(c);
    EXPECT_GT(v.counters.precise_pairs, c.pairs / 3U);
    EXPECT_GT(v.counters.hull_pairs, c.pairs / 20U);
    EXPECT_GT(v.coverage.overlapping, c.pairs / 5U);
}

TEST(RoundedSweep, SizeRatiosAcrossTheLimitOfTheFloat64Path) {
    SweepConfig c = base("rounded, sizes about 64:1", 5108, 6000);
    c.min_scale = 0.1;
    c.max_scale = 10;
    c.rounding = {0.75, 1e-2, 10};
    judge(c);
}

TEST(RoundedSweep, MarginOfManySizes) {
    SweepConfig c = base("rounded, margin 20", 5109, 2000);
    c.options.margin = 20.0F;
    c.reach = 15.0;
    c.float_positions = false;
    EXPECT_GT(judge(c).coverage.touching_separated, c.pairs / 20U);
}

constexpr Shape kBars[] = {Shape::point, Shape::segment, Shape::segment};
// Every second hull is a point or a segment.
constexpr Shape kMixed[] = {Shape::point,   Shape::box,         Shape::segment, Shape::rock,
                            Shape::segment, Shape::cylinder,    Shape::segment, Shape::slab,
                            Shape::point,   Shape::debris,      Shape::segment, Shape::sphere,
                            Shape::segment, Shape::rotated_box, Shape::segment, Shape::wedge};

TEST(SmallCores, SpheresAndCapsules) {
    SweepConfig c = base("spheres and capsules", 5120, 12000);
    c.shapes = kBars;
    c.rounding = {1, 1e-2, 4};
    c.options.margin = 0.02F;
    const Verdict v = judge(c);
    for (std::size_t kind = 3; kind < kContactKindCount; ++kind)
        EXPECT_GT(v.coverage.by_kind[kind], c.pairs / 50U) << kind;
    EXPECT_GT(v.coverage.multi_point, c.pairs / 100U);
    EXPECT_GT(v.coverage.touching_separated, c.pairs / 100U);
    EXPECT_GT(v.coverage.unreported, c.pairs / 50U);
    // Lanes settle most. The library has cores far from their origins, and the poses have coincident cores.
    EXPECT_EQ(v.counters.small_pairs + v.counters.precise_pairs, c.pairs);
    EXPECT_GT(v.counters.small_pairs, 70 * (c.pairs / 100U));
    EXPECT_LT(v.counters.distance_finished, 10 * (c.pairs / 100U));
    std::printf("lanes took %llu of %u, %llu were left to float64\n",
                static_cast<unsigned long long>(v.counters.small_pairs), c.pairs,
                static_cast<unsigned long long>(v.counters.distance_finished));
    c.name = "spheres and capsules, strict, margin of many sizes";
    c.options.margin = 20;
    c.options.face_preference = 0;
    c.reach = 15;
    judge(c);
}

TEST(SmallCores, WithHulls) {
    SweepConfig c = base("spheres and capsules with hulls", 5121, 12000);
    c.shapes = kMixed;
    c.rounding = {0.5, 1e-2, 2};
    c.options.margin = 0.05F;
    const Verdict v = judge(c);
    for (std::size_t kind = 1; kind < kContactKindCount; ++kind)
        EXPECT_GT(v.coverage.by_kind[kind], c.pairs / 100U) << kind;
    EXPECT_GT(v.coverage.multi_point, c.pairs / 20U);
    EXPECT_GT(v.coverage.preferred_face, c.pairs / 500U);
    c.name = "spheres and capsules with hulls, strict, impact";
    c.options.face_preference = 0;
    c.options.points = PointSelection::impact;
    c.options.margin = 0;
    judge(c);
    c.name = "spheres and capsules with hulls, patch";
    c.options = {};
    c.options.method = ContactMethod::patch;
    judge(c);
}

TEST(SmallCores, WithThinHulls) {
    SweepConfig c = base("spheres and capsules with thin hulls", 5122, 6000);
    std::vector<Shape> shapes(thin_shapes().begin(), thin_shapes().end());
    shapes.insert(shapes.end(), {Shape::point, Shape::segment, Shape::segment, Shape::segment});
    c.shapes = shapes;
    c.rounding = {0.5, 1e-2, 2};
    c.options.margin = 0.02F;
    judge(c);
}

TEST(SmallCores, SizeRatiosUpToAMillion) {
    SweepConfig c = base("spheres and capsules, sizes 1:1e6", 5123, 6000);
    c.shapes = kMixed;
    c.min_scale = 1e-3;
    c.max_scale = 1e3;
    c.rounding = {0.5, 1e-3, 10};
    c.options.margin = 0.001F;
    c.float_positions = false;
    judge(c);
}

TEST(SmallCores, SixteenPointsAndUnits) {
    for (const double unit : {1e-3, 1e3}) {
        SweepConfig c = base("spheres and capsules, units", 5124, 3000);
        c.shapes = kMixed;
        c.min_scale *= unit;
        c.max_scale *= unit;
        c.options.margin = static_cast<float>(0.02 * unit);
        c.reach = 0.02 * unit;
        IsaDifferences differences;
        expect_clean(run_sweep(c, all_isas_engine16(differences)));
        expect_same(differences);
    }
}

TEST(RoundedSweep, UnitsOfAMillimetreAndAKilometre) {
    for (const double unit : {1e-3, 1e3}) {
        SweepConfig c = base(unit < 1 ? "rounded, millimetres" : "rounded, kilometres", 5110, 3000);
        c.min_scale *= unit;
        c.max_scale *= unit;
        c.options.margin = static_cast<float>(0.02 * unit);
        c.reach = 0.02 * unit;
        judge(c);
    }
}

}  // namespace
}  // namespace lanefold::test
