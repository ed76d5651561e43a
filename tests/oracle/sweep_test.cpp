// SPDX-License-Identifier: MIT
//
// The engine against the oracle: tens of thousands of random and degenerate pairs of every shape through the serial
// batch call, on every instruction set of this machine. The judge checks the records of the weakest instruction set;
// every other one must give the same bits. LANEFOLD_SEED=k gives other hulls and pairs; tests/long_sweep runs many
// seeds. LANEFOLD_PAIR=n prints one pair; LANEFOLD_CAPTURES=FOLDER captures it and all that are wrong.
#include <cstdio>

#include <gtest/gtest.h>

#include "support/engines.hpp"
#include "support/isa_fixture.hpp"

namespace lanefold::test {
namespace {

void expect_same_and_print(const IsaDifferences& d) {
    expect_same(d);
    std::printf("  %llu records of other instruction sets, %llu differ; box %llu, hull %llu, float64 %llu pairs\n",
                static_cast<unsigned long long>(d.records), static_cast<unsigned long long>(d.differing),
                static_cast<unsigned long long>(d.counters.box_pairs),
                static_cast<unsigned long long>(d.counters.hull_pairs),
                static_cast<unsigned long long>(d.counters.precise_pairs));
}

SweepConfig base(const char* name, std::uint64_t seed, std::uint32_t pairs) {
    SweepConfig c;
    c.name = name;
    c.seed = sweep_seed(seed);
    c.pairs = pairs;
    return c;
}

Coverage judge(const SweepConfig& c) {
    IsaDifferences differences;
    const SweepResult r = run_sweep(c, all_isas_engine4(differences));
    expect_clean(r);
    expect_same_and_print(differences);
    return r.coverage;
}

TEST(OracleSweep, StrictWithoutMargin) {
    SweepConfig c = base("strict, margin 0", 201, 30000);
    c.options.face_preference = 0;
    const Coverage seen = judge(c);
    EXPECT_GT(seen.overlapping, c.pairs / 3U);
    EXPECT_GT(seen.unreported, c.pairs / 20U);
    EXPECT_GT(seen.by_kind[1], c.pairs / 20U);
    EXPECT_GT(seen.by_kind[2], c.pairs / 20U);
    EXPECT_GT(seen.by_kind[3], c.pairs / 50U);
    EXPECT_GT(seen.containments, c.pairs / 50U);
    EXPECT_GT(seen.in_band, c.pairs / 100U);
}

TEST(OracleSweep, DefaultPreferenceSmallMargin) {
    SweepConfig c = base("default preference, margin 0.02", 202, 30000);
    c.options.margin = 0.02F;
    c.reach = 0.02;
    const Coverage seen = judge(c);
    EXPECT_GT(seen.preferred_face, c.pairs / 200U);
    EXPECT_GT(seen.multi_point, c.pairs / 5U);
    EXPECT_GT(seen.reduced, c.pairs / 100U);
    EXPECT_GT(seen.touching_separated, c.pairs / 50U);
}

TEST(OracleSweep, StrictMarginOfOneSize) {
    SweepConfig c = base("strict, margin 1", 203, 15000);
    c.options.margin = 1.0F;
    c.options.face_preference = 0;
    c.reach = 1.0;
    const Coverage seen = judge(c);
    EXPECT_GT(seen.by_kind[4] + seen.by_kind[5], c.pairs / 100U);
    EXPECT_GT(seen.by_kind[6], c.pairs / 200U);
    EXPECT_GT(seen.unreported, c.pairs / 100U);
}

TEST(OracleSweep, MarginOfManySizesReachesTheFloat64Path) {
    SweepConfig c = base("default preference, margin 20", 204, 4000);
    c.options.margin = 20.0F;
    c.reach = 15.0;
    c.float_positions = false;
    const Coverage seen = judge(c);
    EXPECT_GT(seen.touching_separated, c.pairs / 20U);
}

TEST(OracleSweep, DoublePositions) {
    SweepConfig c = base("strict, double positions, margin 0.1", 205, 10000);
    c.options.margin = 0.1F;
    c.options.face_preference = 0;
    c.float_positions = false;
    judge(c);
}

TEST(OracleSweep, BoxesOnly) {
    SweepConfig c = base("boxes, strict, margin 0.05", 206, 30000);
    constexpr Shape kBoxes[] = {Shape::box, Shape::rotated_box, Shape::slab, Shape::needle};
    c.shapes = kBoxes;
    c.options.margin = 0.05F;
    c.options.face_preference = 0;
    const Coverage strict = judge(c);
    EXPECT_GT(strict.by_kind[3], c.pairs / 50U);
    c.name = "boxes, default preference, margin 0";
    c.options.margin = 0;
    c.options.face_preference = kDefaultFacePreference;
    const Coverage preferred = judge(c);
    EXPECT_GT(preferred.multi_point, c.pairs / 5U);
}

// Hulls with few features, so that every kind of contact and every tie occurs often, and 30,000 pairs take a second.
TEST(OracleSweep, SmallHulls) {
    SweepConfig c = base("4 to 12 vertices, margin 0.01", 212, 30000);
    constexpr Shape kSmall[] = {Shape::tetrahedron, Shape::wedge, Shape::prism,  Shape::pebble, Shape::box,
                                Shape::octahedron,  Shape::slab,  Shape::pebble, Shape::needle, Shape::rotated_box};
    c.hulls = 60;
    c.shapes = kSmall;
    c.options.margin = 0.01F;
    c.options.face_preference = 0;
    c.reach = 0.01;
    const Coverage seen = judge(c);
    EXPECT_GT(seen.overlapping, c.pairs / 3U);
    EXPECT_GT(seen.by_kind[3], c.pairs / 20U);
    EXPECT_GT(seen.touching_separated, c.pairs / 50U);
}

TEST(OracleSweep, SizeRatiosAcrossTheLimitOfTheFloat64Path) {
    SweepConfig c = base("sizes 0.02 to 50, margin 0.001", 207, 15000);
    c.min_scale = 0.02;
    c.max_scale = 50.0;
    c.options.margin = 0.001F;
    c.float_positions = false;
    judge(c);
}

TEST(OracleSweep, SizeRatiosUpToAMillion) {
    SweepConfig c = base("sizes 1e-3 to 1e3, strict", 208, 6000);
    c.min_scale = 1e-3;
    c.max_scale = 1e3;
    c.options.face_preference = 0;
    c.float_positions = false;
    judge(c);
}

TEST(OracleSweep, BigHulls) {
    SweepConfig c = base("big hulls, margin 0.02", 209, 600);
    constexpr Shape kBig[] = {Shape::big, Shape::box, Shape::big, Shape::debris, Shape::cylinder};
    c.hulls = 15;
    c.shapes = kBig;
    c.options.margin = 0.02F;
    c.options.face_preference = 0;
    judge(c);
}

TEST(OracleSweep, SixteenPointsAndImpactSelection) {
    SweepConfig c = base("16 points, margin 0.05", 210, 8000);
    c.options.margin = 0.05F;
    IsaDifferences differences;
    const SweepResult all = run_sweep(c, all_isas_engine16(differences));
    expect_clean(all);
    expect_same_and_print(differences);
    EXPECT_GT(all.coverage.multi_point, c.pairs / 5U);
    c.name = "impact points";
    c.options.points = PointSelection::impact;
    const Coverage impact = judge(c);
    EXPECT_LT(impact.multi_point, all.coverage.multi_point);
    EXPECT_GT(impact.multi_point, c.pairs / 50U);
}

TEST(OracleSweep, UnitsOfAMillimetreAndAKilometre) {
    for (const double unit : {1e-3, 1e3}) {
        SweepConfig c = base(unit < 1 ? "unit 1e-3" : "unit 1e3", 211, 5000);
        c.min_scale *= unit;
        c.max_scale *= unit;
        c.options.margin = static_cast<float>(0.02 * unit);
        c.reach = 0.02 * unit;
        judge(c);
    }
}

class OracleSweepOn : public IsaTest {};

// One instruction set at a time: the judge checks every record, and the fixture which set ran.
TEST_P(OracleSweepOn, EveryManifoldIsWhatTheContractPromises) {
    SweepConfig c = base(to_string(GetParam()), 220, 4000);
    c.options.margin = 0.02F;
    c.options.face_preference = 0;
    const SweepResult r = run_sweep(c, serial_engine4(GetParam()));
    expect_clean(r);
    EXPECT_GT(r.coverage.overlapping, c.pairs / 3U);
    EXPECT_GT(r.coverage.by_kind[3], c.pairs / 50U);
}

LANEFOLD_INSTANTIATE_ISA_TESTS(OracleSweepOn);

}  // namespace
}  // namespace lanefold::test
