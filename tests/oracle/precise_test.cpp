// SPDX-License-Identifier: MIT
//
// The float64 path against the oracle: random and degenerate pairs of every shape, with and without margin, strict and
// with face preference, size ratios up to 1:1e6.
#include <gtest/gtest.h>

#include "support/engines.hpp"

namespace lanefold::test {
namespace {

SweepConfig base(const char* name, std::uint64_t seed, std::uint32_t pairs, std::uint32_t long_pairs) {
    SweepConfig c;
    c.name = name;
    c.seed = sweep_seed(seed);
    c.pairs = sweep_pairs(pairs, long_pairs);
    return c;
}

TEST(PrecisePath, StrictNormalsMinimiseOnEveryShape) {
    SweepConfig c = base("precise, strict, margin 0", 101, 20000, 1000000);
    c.options.face_preference = 0;
    c.float_positions = false;
    const SweepResult r = run_sweep(c, precise_engine4());
    expect_clean(r);
    EXPECT_GT(r.coverage.overlapping, c.pairs / 3U);
    EXPECT_GT(r.coverage.unreported, c.pairs / 20U);
    EXPECT_GT(r.coverage.by_kind[3], c.pairs / 50U);
    EXPECT_GT(r.coverage.containments, c.pairs / 50U);
}

TEST(PrecisePath, FacePreferenceKeepsTheDistance) {
    SweepConfig c = base("precise, preferred faces, margin 0.1", 102, 20000, 1000000);
    c.options.margin = 0.1F;
    const SweepResult r = run_sweep(c, precise_engine4());
    expect_clean(r);
    EXPECT_GT(r.coverage.preferred_face, c.pairs / 200U);
    EXPECT_GT(r.coverage.multi_point, c.pairs / 5U);
    EXPECT_GT(r.coverage.touching_separated, c.pairs / 50U);
}

TEST(PrecisePath, MarginsOfSeveralSizesGiveTheEuclideanDistance) {
    SweepConfig c = base("precise, strict, margin 5", 103, 10000, 500000);
    c.options.margin = 5.0F;
    c.options.face_preference = 0;
    c.reach = 3.0;
    const SweepResult r = run_sweep(c, precise_engine4());
    expect_clean(r);
    EXPECT_GT(r.coverage.by_kind[4] + r.coverage.by_kind[5], c.pairs / 200U);
    EXPECT_GT(r.coverage.by_kind[6], c.pairs / 200U);
}

TEST(PrecisePath, SizeRatiosUpToAMillion) {
    SweepConfig c = base("precise, sizes 1e-3 to 1e3", 104, 10000, 500000);
    c.min_scale = 1e-3;
    c.max_scale = 1e3;
    c.float_positions = false;
    c.options.margin = 1e-3F;
    const SweepResult r = run_sweep(c, precise_engine4());
    expect_clean(r);
    EXPECT_GT(r.coverage.overlapping, c.pairs / 3U);
}

TEST(PrecisePath, SixteenPointsAndImpactSelection) {
    SweepConfig c = base("precise, 16 points", 105, 6000, 300000);
    c.options.margin = 0.05F;
    const SweepResult all = run_sweep(c, precise_engine16());
    expect_clean(all);
    c.name = "precise, impact points";
    c.options.points = PointSelection::impact;
    const SweepResult impact = run_sweep(c, precise_engine16());
    expect_clean(impact);
    EXPECT_LT(impact.coverage.multi_point, all.coverage.multi_point);
    EXPECT_GT(impact.coverage.multi_point, 0U);
}

TEST(PrecisePath, BigHulls) {
    SweepConfig c = base("precise, big hulls", 106, 400, 20000);
    c.hulls = 12;
    constexpr Shape kBig[] = {Shape::big, Shape::box, Shape::big, Shape::debris};
    c.shapes = kBig;
    c.options.margin = 0.02F;
    expect_clean(run_sweep(c, precise_engine4()));
}

}  // namespace
}  // namespace lanefold::test
