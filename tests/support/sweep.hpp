// SPDX-License-Identifier: MIT
//
// Oracle sweeps: seeded libraries of hulls, seeded pairs of poses of all kinds, any engine that fills manifolds, and
// the judge for every record. A sweep is a pure function of its configuration.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include <lanefold/body.hpp>
#include <lanefold/manifold.hpp>
#include <lanefold/options.hpp>

#include "support/check.hpp"
#include "support/hulls.hpp"
#include "support/poses.hpp"

namespace lanefold::test {

struct SweepConfig {
    const char* name = "";
    std::uint64_t seed = 1;
    std::uint32_t pairs = 1000;
    std::uint32_t hulls = 48;
    std::span<const Shape> shapes = small_shapes();
    double min_scale = 0.3;
    double max_scale = 3.0;
    Options options;
    double reach = 0.1;              // gaps made by PoseKind::near: up to twice this
    bool float_positions = true;     // Body instead of BodyD
    std::uint32_t kinds_mask = ~0U;  // bit per PoseKind
    Rounding rounding;
};

// The pairs of one block: body 2 i and 2 i + 1 make pair i.
struct SweepBlock {
    const Library& library;
    std::vector<BodyD> bodies;
    std::vector<Body> float_bodies;  // the same, if float_positions
    std::vector<Pair> pairs;
    const SweepConfig& config;
    std::uint32_t first = 0;  // number of the first pair in its sweep
};

// Fills one record per pair.
using Engine4 = std::function<void(const SweepBlock&, std::span<Manifold4>)>;
using Engine16 = std::function<void(const SweepBlock&, std::span<Manifold16>)>;

struct SweepResult {
    Coverage coverage;
    std::vector<std::string> violations;  // the first few, with everything needed to repeat them
};

// With LANEFOLD_CAPTURES=FOLDER: writes a capture of pair i there, and returns a line that says so; otherwise nothing.
std::string save_pair(const SweepBlock& block, std::size_t i, const Manifold4& record);

// Runs the engine over the sweep and judges every record against the oracle. Prints the seed and the worst
// errors.
SweepResult run_sweep(const SweepConfig& config, const Engine4& engine);
SweepResult run_sweep(const SweepConfig& config, const Engine16& engine);

// The block of pairs starting at pair `first`, at most `count` pairs.
SweepBlock make_block(const SweepConfig& config, const Library& library, std::uint32_t first, std::uint32_t count);

// Number of pairs: `long_count` with LANEFOLD_LONG=1, otherwise `normal`, which takes seconds.
std::uint32_t sweep_pairs(std::uint32_t normal, std::uint32_t long_count);
bool long_run();
// LANEFOLD_SEED gives every sweep other hulls and pairs, so that several machines can share a long run.
std::uint64_t sweep_seed(std::uint64_t seed);
// LANEFOLD_SEED is not set. Demands on how often a case occurs are made for the stored seeds. The library of another
// seed has some 50 hulls, so that it may have few or none of a kind.
bool stored_seed();

}  // namespace lanefold::test
