// SPDX-License-Identifier: MIT
//
// Quality of results: compares an engine's result for a sample of pairs with the float64 oracle.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "peers/engine.hpp"

namespace lanefold::bench {

// A depth, or an overlap along a normal, counts as right within 1 mm of the truth at bodies of metre size, or within 1%
// if that is more. Physics engines tolerate about that; lanefold's own bound is far smaller.
inline constexpr double kGoodAbsolute = 1e-3;
inline constexpr double kGoodRelative = 1e-2;
// Peers are float32 and compare with their own slack: within 0.1 mm of the margin either answer is right.
inline constexpr double kMarginBand = 1e-4;

struct Quality {
    std::size_t sample = 0;       // pairs of the sample
    std::size_t touching = 0;     // pairs truly within the engine's margin
    std::size_t found = 0;        // touching pairs that are reported
    double points = 0;            // mean over the found pairs
    std::size_t missed = 0;       // truly within the margin by more than the band, not reported
    double worst_missed = 0;      // by how much the worst of them is within the margin, m
    std::size_t false_hits = 0;   // reported, truly beyond the margin by more than the band
    double worst_false = 0;       // by how much, m
    std::size_t overlapping = 0;  // truly overlapping and reported
    double depth_good = 0;        // share of the overlapping pairs with a good depth
    double depth_worst = 0;       // largest error, m
    double normal_good = 0;       // share whose overlap along the reported normal is minimal
    double normal_worst = 0;      // largest excess of that overlap over the true depth, m
    double distance_error = 0;    // largest error of distance in sizes of the larger hull, all found pairs
};

// The oracle's result for a seeded sample of a frame's pairs. It is computed once and used for every engine.
class OracleSample {
public:
    // At most `count` pairs, and at most as many as the oracle computes in `seconds`.
    OracleSample(const Scene& scene, const Frame& frame, std::size_t count, double seconds, std::uint64_t seed);
    ~OracleSample();
    OracleSample(const OracleSample&) = delete;
    OracleSample& operator=(const OracleSample&) = delete;

    const std::vector<Pair>& pairs() const { return pairs_; }

    // Collides the sample with the engine (prepared, frame set) and compares. Engines that find only overlaps (margin
    // 0) are compared on overlaps.
    Quality judge(Engine& engine) const;

    struct Truth;

private:
    std::vector<Pair> pairs_;
    std::unique_ptr<Truth> truth_;
};

// Changes between successive frames: of the pairs in contact in both, the share whose normal turned by more than
// `degrees`, and the share whose number of points changed.
struct Flicker {
    std::size_t followed = 0;
    double normal_jumps = 0;
    double count_changes = 0;
};
Flicker measure_flicker(const Scene& scene, Engine& engine, double degrees);

}  // namespace lanefold::bench
