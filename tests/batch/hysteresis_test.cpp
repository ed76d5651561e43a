// SPDX-License-Identifier: MIT
//
// Hysteresis: previous contacts keep their features while these are nearly as good as the best. Flicker must be less;
// distance and classification must keep every bit, and manifolds must stay within the stated band.
#include <gtest/gtest.h>

#include <cstdio>

#include "support/hysteresis_scenarios.hpp"

namespace lanefold::test {
namespace {

// Flicker with and without over the same frames, every record judged by the oracle in some of them.
struct Comparison {
    Flicker without;
    Flicker with;
};

Comparison compare(const Scenario& s, int frames, int judge_every) {
    Comparison c;
    std::vector<std::vector<Manifold4>> plain;
    c.without = run_frames<Manifold4>(s.library.hulls, s.frames, frames, s.options, 0.0F,
                                      [&](const Frame&, const auto&, const auto& now) { plain.push_back(now); });
    Coverage coverage;
    int n = 0;
    c.with = run_frames<Manifold4>(s.library.hulls, s.frames, frames, s.options, kDefaultHysteresis,
                                   [&](const Frame& frame, const auto&, const auto& now) {
                                       expect_same_distances(now, plain[static_cast<std::size_t>(n)]);
                                       if (n % judge_every == judge_every - 1) {
                                           judge_frame(s, frame, kDefaultHysteresis, now, coverage);
                                       }
                                       ++n;
                                   });
    print(s.name, 0.0F, c.without);
    print(s.name, kDefaultHysteresis, c.with);
    std::printf("  judged: %s\n", coverage.summary().c_str());
    EXPECT_GT(coverage.pairs, 100U);
    EXPECT_EQ(coverage.violations, 0U);
    EXPECT_EQ(c.without.tried, 0U);
    EXPECT_GT(c.with.held, 0U);
    return c;
}

TEST(Hysteresis, TiltedStacksKeepTheirFaces) {
    const Comparison c = compare(tilted_stacks(), 60, 10);
    EXPECT_GT(c.without.pairs, 10000U);
    EXPECT_GT(c.without.pair_share(), 0.05);
    EXPECT_EQ(c.with.pairs_changed, 0U);
    EXPECT_LT(c.with.point_share(), 0.1 * c.without.point_share());
}

TEST(Hysteresis, BentLidsKeepTheirFacets) {
    const Comparison c = compare(bent_lids(), 60, 10);
    EXPECT_GT(c.without.pairs, 10000U);
    EXPECT_GT(c.without.pair_share(), 0.2);
    EXPECT_GT(c.without.point_share(), 0.1);
    EXPECT_EQ(c.with.pairs_changed, 0U);
    EXPECT_EQ(c.with.points_new, 0U);
}

// One face of the plate settles these pairs, without the searches.
TEST(Hysteresis, BodiesOnFarLargerFloorsKeepTheirFacets) {
    for (const bool plate_first : {true, false}) {
        const Comparison c = compare(bent_lids(200, plate_first), 30, 10);
        EXPECT_GT(c.without.pairs, 5000U);
        EXPECT_EQ(c.without.floors, 6000U);
        EXPECT_EQ(c.with.floors, 6000U);
        EXPECT_GT(c.without.pair_share(), 0.2);
        EXPECT_EQ(c.with.pairs_changed, 0U);
        EXPECT_LT(c.with.point_share(), 0.01 * c.without.point_share());
    }
}

// Flush stacks alternate between the two faces, and between corners of reductions. Lanes decide all of that.
TEST(Hysteresis, FlushStacksAreHeldInLanes) {
    for (const double sunk : {5e-4, -5e-3}) {
        for (const double angle : {1e-5, 1e-3}) {
            for (const Scenario& s : all_flush_stacks(sunk, angle)) {
                const Comparison c = compare(s, 12, 6);
                EXPECT_GT(c.with.pairs, 1500U);
                EXPECT_GT(c.with.tried, 300U);
                EXPECT_GT(c.without.pair_share(), 0.1);
                EXPECT_EQ(c.with.lanes, c.with.tried);
                EXPECT_EQ(c.with.pairs_changed, 0U);
            }
        }
    }
}

TEST(Hysteresis, TremblingPilesFlickerLess) {
    for (const char* folder : {"boxes_pile", "debris_pile"}) {
        const Comparison c = compare(trembling_pile(folder, folder), 12, 6);
        EXPECT_GT(c.without.pairs, 50000U);
        EXPECT_GT(c.without.pairs_changed, 100U);
        EXPECT_LT(c.with.pair_share(), 0.2 * c.without.pair_share());
        EXPECT_LT(c.with.point_share(), 0.4 * c.without.point_share());
    }
}

TEST(Hysteresis, DriftingCrowdFlickersLess) {
    const Comparison c = compare(drifting_crowd(), 30, 10);
    EXPECT_GT(c.without.pairs, 10000U);
    EXPECT_LT(c.with.pair_share(), 0.8 * c.without.pair_share());
    EXPECT_LT(c.with.point_share(), 0.9 * c.without.point_share());
}

}  // namespace
}  // namespace lanefold::test
