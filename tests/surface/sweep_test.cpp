// SPDX-License-Identifier: MIT
//
// Sweeps of hulls, rounded shapes and compounds before surfaces of triangles, against a march over every triangle by
// brute force: none missed, none late, none outside the tolerance. LANEFOLD_PAIR_STEPS: how many of each family;
// LANEFOLD_SEED: others.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include <lanefold/collide_surface.hpp>
#include <lanefold/serial_sweep.hpp>
#include <lanefold/surface_set.hpp>

#include "support/meshes.hpp"
#include "support/surface_sweep_oracle.hpp"
#include "support/surface_sweeps.hpp"
#include "support/sweep_length.hpp"

namespace lanefold::test {
namespace {

struct Counts {
    std::uint64_t pairs = 0;
    std::uint64_t by_state[kSweepStateCount] = {};
    std::uint64_t wrong = 0;
    std::uint64_t missed = 0;
    std::uint64_t late = 0;
    std::uint64_t outside = 0;
    std::uint64_t doubtful = 0;  // where the oracle says perhaps
    std::uint64_t passed = 0;    // meetings from behind, or that a neighbour has
    double worst = 0;            // |distance - target| / tolerance at a hit
    double latest = -1;          // of a hit, after the oracle's
    std::string first_wrong;
    std::string first_failed;

    void blame(std::uint64_t& what, std::uint64_t i, const std::string& why) {
        ++what;
        ++wrong;
        if (first_wrong.empty()) first_wrong = "pair " + std::to_string(i) + ": " + why;
    }
};

void judge(const SurfaceSweeps& s, std::size_t i, const SweepRecord& r, Counts& counts) {
    const GroundFlight flight = s.flight(i);
    const auto target = static_cast<double>(s.options.target);
    const double size = flight.hull->size + flight.hull->round_radius;
    const double accuracy = 2e-6 * size + 6e-8 * (2 * target + size);
    const double tolerance = std::max(static_cast<double>(s.options.tolerance) * size, 4 * accuracy);
    ++counts.pairs;
    ++counts.by_state[static_cast<std::size_t>(r.state)];
    if (r.state == SweepState::failed) {
        if (counts.first_failed.empty())
            counts.first_failed = "pair " + std::to_string(i) + ": " + to_string(r.failure) + " at " +
                                  std::to_string(r.fraction) + " rounds " + std::to_string(r.rounds);
        return;
    }
    // The judge of contacts has those at the start (tests/surface/judged_test.cpp).
    const std::vector<Manifold4> start = s.start(i);
    if ((r.state == SweepState::overlapping) != !start.empty())
        counts.blame(counts.missed, i, std::string(to_string(r.state)) + " at the start");
    if (r.state == SweepState::overlapping && start[0].distance != r.distance)
        counts.blame(counts.outside, i, "another distance at the start");
    if (r.state == SweepState::overlapping) return;
    const GroundMeetings truth = GroundMarch(flight, target, tolerance, 2e-4 * size).run();
    counts.passed += truth.passed;
    if (truth.perhaps < truth.surely) ++counts.doubtful;
    if (r.state == SweepState::miss) {
        if (truth.surely < 1 - 1e-9) counts.blame(counts.missed, i, "meets at " + std::to_string(truth.surely));
        return;
    }
    counts.latest = std::max(counts.latest, r.fraction - truth.surely);
    if (r.fraction > truth.surely + 1e-9)
        counts.blame(counts.late, i, std::to_string(r.fraction) + " after " + std::to_string(truth.surely));
    const Vec3d normal = s.normal_of_ground(i, r);
    const double off = off_target(flight, r.fraction, target, tolerance, normal);
    counts.worst = std::max(counts.worst, off);
    if (!(off <= 1.0001)) counts.blame(counts.outside, i, "off the target by " + std::to_string(off));
    if (!(std::fabs(static_cast<double>(r.distance) - target) <= tolerance * 1.0001))
        counts.blame(counts.outside, i, "distance " + std::to_string(r.distance));
}

Counts sweep_family(const SurfaceFamily& family, std::uint64_t usual) {
    const SweepLength length(usual);
    Counts counts;
    SweepWorkspace workspace;
    for (std::uint64_t round = length.round; counts.pairs < length.pair_steps && counts.wrong == 0; ++round) {
        const SurfaceSweeps s = make_surface_sweeps(family, length.seed_of(round), 50);
        const std::vector<SweepRecord> records = s.sweep(workspace);
        for (std::size_t i = 0; i < records.size(); ++i) judge(s, i, records[i], counts);
        if (counts.wrong != 0) {
            ADD_FAILURE() << family.name << ", round " << round << ": " << counts.first_wrong;
        }
    }
    std::printf(
        "%s: seed %llu, pairs %llu: misses %llu, hits %llu, overlapping %llu, failed %llu; missed %llu, late %llu, "
        "outside %llu; doubtful %llu, meetings passed %llu; worst distance %.3f of the tolerance, latest %.2g\n",
        family.name, static_cast<unsigned long long>(length.seed), static_cast<unsigned long long>(counts.pairs),
        static_cast<unsigned long long>(counts.by_state[0]), static_cast<unsigned long long>(counts.by_state[1]),
        static_cast<unsigned long long>(counts.by_state[2]), static_cast<unsigned long long>(counts.by_state[3]),
        static_cast<unsigned long long>(counts.missed), static_cast<unsigned long long>(counts.late),
        static_cast<unsigned long long>(counts.outside), static_cast<unsigned long long>(counts.doubtful),
        static_cast<unsigned long long>(counts.passed), counts.worst, counts.latest);
    EXPECT_EQ(counts.wrong, 0U) << counts.first_wrong;
    // A body that slides within the tolerance of the target for long may take more rounds than there are: told.
    const auto most_failed = static_cast<std::uint64_t>(family.most_failed * static_cast<double>(counts.pairs));
    EXPECT_LE(counts.by_state[3], most_failed) << counts.first_failed;
    EXPECT_LT(counts.doubtful, counts.pairs / 5);
    EXPECT_GT(counts.by_state[1], counts.pairs / 20);
    EXPECT_GT(counts.by_state[0], counts.pairs / 20);
    return counts;
}

TEST(SurfaceSweep, Translations) { sweep_family({.name = "translations"}, 80); }

TEST(SurfaceSweep, TurnsByTheShorterWay) { sweep_family({.name = "turns", .most_turn = 3}, 80); }

TEST(SurfaceSweep, SpinsOfTwoTurns) { sweep_family({.name = "two turns", .most_turn = 12.566}, 60); }

TEST(SurfaceSweep, TargetsAboveTheSurface) { sweep_family({.name = "targets", .most_turn = 3, .target = 0.1F}, 60); }

TEST(SurfaceSweep, FromBehindBodiesPass) {
    const Counts c = sweep_family({.name = "behind", .most_turn = 1, .behind = 1}, 60);
    EXPECT_GT(c.passed, c.pairs / 4);
}

TEST(SurfaceSweep, LargeAndSmallTriangles) {
    sweep_family({.name = "large triangles", .most_turn = 3, .least_scale = 0.02, .most_scale = 0.1}, 50);
    sweep_family({.name = "small triangles", .most_turn = 3, .least_scale = 5, .most_scale = 20}, 50);
}

// The surface turns about its position: platforms, drums, doors.
TEST(SurfaceSweep, SurfacesThatTurn) {
    sweep_family({.name = "surface turns, bodies do not", .ground_turn = 1}, 50);
    sweep_family({.name = "both turn", .most_turn = 3, .ground_turn = 3}, 50);
    sweep_family(
        {.name = "surface turns once", .most_turn = 1, .target = 0.05F, .ground_turn = 6.283, .most_failed = 0.05}, 40);
    const Counts c = sweep_family({.name = "behind one that turns", .behind = 1, .ground_turn = 0.5}, 50);
    EXPECT_GT(c.passed, c.pairs / 5);
}

TEST(SurfaceSweep, Grazing) { sweep_family({.name = "grazing", .most_turn = 0.3, .grazing = true}, 100); }

// Once all triangles at an edge, and at a vertex, refused a body that came from behind, and it was taken for one that
// rounding lets fall between them.
TEST(SurfaceSweep, RefusedByAllFromBehindIsNoHit) {
    const SurfaceFamily families[] = {{.name = "vertex", .most_turn = 3, .target = 0.1F},
                                      {.name = "edge", .most_turn = 1, .behind = 1}};
    SweepWorkspace workspace;
    for (const SurfaceFamily& family : families) {
        const SurfaceSweeps s = make_surface_sweeps(family, family.behind < 1 ? 56004 : 56021, 5);
        const std::vector<SweepRecord> records = s.sweep(workspace);
        Counts counts;
        for (std::size_t i = 0; i < records.size(); ++i) judge(s, i, records[i], counts);
        EXPECT_EQ(counts.wrong, 0U) << family.name << ": " << counts.first_wrong;
        EXPECT_EQ(counts.by_state[3], 0U);
    }
}

}  // namespace
}  // namespace lanefold::test
