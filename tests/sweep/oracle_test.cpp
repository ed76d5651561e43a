// SPDX-License-Identifier: MIT
//
// Sweeps against their oracle: none missed, none late, none outside the tolerance, for motions and shapes of every
// kind. LANEFOLD_PAIR_STEPS: how many pairs of each family; LANEFOLD_SEED: others.
#include <cstdio>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <lanefold/serial_sweep.hpp>

#include "support/sweep_length.hpp"
#include "support/sweep_scene.hpp"

namespace lanefold::test {
namespace {

constexpr double kTwoTurns = 12.566;
constexpr std::uint32_t kRound = 500;

const std::vector<Shape> kGeneral = {Shape::box,    Shape::tetrahedron, Shape::wedge,  Shape::prism,
                                     Shape::debris, Shape::rotated_box, Shape::pebble, Shape::octahedron};
const std::vector<Shape> kThinOnes = {Shape::slab, Shape::needle, Shape::box};

void print(const SweepFamily& family, std::uint64_t seed, const SweepCounts& c) {
    const auto n = [](std::uint64_t x) { return std::to_string(x); };
    const std::string text = std::string(family.name) + ": seed " + n(seed) + ", pairs " + n(c.pairs) + ": misses " +
                             n(c.misses) + ", hits " + n(c.hits) + ", overlapping " + n(c.overlapping) + ", failed " +
                             n(c.failed) + "; missed " + n(c.missed) + ", late " + n(c.late) + ", outside " +
                             n(c.outside) + ", state " + n(c.wrong_state) + ", normal " + n(c.off_normal) + ", point " +
                             n(c.off_point) + ", undecided by the oracle " + n(c.undecided);
    std::printf(
        "%s; worst distance %.3f of the tolerance, late by %.2g of size, normal %.2g; rounds %.2f a pair, at "
        "most %s\n",
        text.c_str(), c.worst_outside, c.worst_late, c.worst_normal,
        static_cast<double>(c.rounds) / static_cast<double>(c.pairs), n(c.most_rounds).c_str());
}

SweepCounts sweep_family(const SweepFamily& family, std::uint64_t usual) {
    const SweepLength length(usual);
    SweepCounts counts;
    SweepWorkspace workspace;
    for (std::uint64_t r = length.round; counts.pairs < length.pair_steps; ++r) {
        const SweepScene scene = make_sweeps(family, length.seed_of(r), kRound);
        std::vector<SweepRecord> records(scene.pairs.size());
        const SweepResult result = sweep_serial(scene.library.hulls, scene.first(), scene.last(), scene.pairs,
                                                scene.options, records, workspace, scene.inputs());
        EXPECT_TRUE(result.status) << result.status.what;
        const std::uint64_t before = counts.wrong();
        SweepJudge judge(scene, counts);
        for (std::size_t i = 0; i < records.size(); ++i) judge.judge(i, records[i]);
        if (counts.wrong() != before) {
            ADD_FAILURE() << family.name << ", round " << r << ": " << counts.first_wrong;
            break;
        }
    }
    print(family, length.seed, counts);
    EXPECT_EQ(counts.wrong(), 0U) << counts.first_wrong;
    // A tolerance of a few roundings of float32 may take more rounds than there are: told, and never a miss.
    EXPECT_LE(counts.failed, family.tolerance < 1e-5F ? counts.pairs / 500 : 0) << counts.first_wrong;
    EXPECT_GT(counts.hits, counts.pairs / 20);
    EXPECT_GT(counts.misses, counts.pairs / 20);
    EXPECT_LT(counts.undecided, counts.pairs / 50 + 1);
    return counts;
}

TEST(SweepOracle, Translations) { sweep_family({.name = "translations", .shapes = kGeneral}, 1500); }

TEST(SweepOracle, TurnsByTheShorterWay) {
    sweep_family({.name = "shorter way", .shapes = kGeneral, .most_turn = 3, .shorter_way = true}, 1500);
}

TEST(SweepOracle, SpinsOfTwoTurns) {
    sweep_family({.name = "two turns", .shapes = kGeneral, .most_turn = kTwoTurns}, 1500);
}

TEST(SweepOracle, Grazing) {
    sweep_family({.name = "grazing", .shapes = kGeneral, .most_turn = 0.3, .grazing = true}, 1000);
}

TEST(SweepOracle, ParallelFaces) {
    sweep_family({.name = "parallel faces", .shapes = {Shape::box, Shape::prism}, .most_turn = 1, .parallel = true},
                 1000);
}

TEST(SweepOracle, ThinPlates) { sweep_family({.name = "thin", .shapes = kThinOnes, .most_turn = kTwoTurns}, 1000); }

TEST(SweepOracle, SizesOfOneToAThousand) {
    sweep_family({.name = "1:1000", .shapes = kGeneral, .least_scale = 0.01, .most_scale = 10, .most_turn = kTwoTurns},
                 1000);
}

TEST(SweepOracle, Rounded) {
    sweep_family({.name = "rounded",
                  .shapes = {Shape::box, Shape::debris, Shape::point, Shape::segment, Shape::wedge},
                  .rounding = {0.7, 0.01, 1},
                  .most_turn = 6},
                 1000);
}

TEST(SweepOracle, SpheresAndCapsules) {
    sweep_family({.name = "spheres and capsules",
                  .shapes = {Shape::point, Shape::segment},
                  .rounding = {1, 0.1, 1},
                  .most_turn = 6},
                 1000);
}

TEST(SweepOracle, TargetsAboveZeroFarFromTheOrigin) {
    sweep_family({.name = "target", .shapes = kGeneral, .most_turn = 2, .far = 1e5, .target = 0.25F}, 1000);
}

TEST(SweepOracle, TightTolerance) {
    sweep_family({.name = "tight", .shapes = kGeneral, .most_turn = 2, .tolerance = 1e-7F}, 500);
}

}  // namespace
}  // namespace lanefold::test
