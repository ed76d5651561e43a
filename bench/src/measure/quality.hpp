// SPDX-License-Identifier: MIT
//
// Quality beside time: what an engine says about a sample of pairs, held against the float64 oracle.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "peers/engine.hpp"

namespace lanefold::bench {

// A depth or an overlap along a normal is counted as right within this much of the truth: 1 mm at bodies of
// metre size, or 1% where that is more. Physics engines settle for about that; lanefold promises far less.
inline constexpr double kGoodAbsolute = 1e-3;
inline constexpr double kGoodRelative = 1e-2;

struct Quality {
    std::size_t sample = 0;       // pairs looked at
    std::size_t touching = 0;     // of them truly within the engine's margin
    std::size_t found = 0;        // of those, reported
    double points = 0;            // mean over the found
    std::size_t missed = 0;       // truly within the margin by more than the band, not reported
    double worst_missed = 0;      // by how much the worst of them is within the margin, m
    std::size_t false_hits = 0;   // reported, truly beyond the margin by more than the band
    double worst_false = 0;       // by how much, m
    std::size_t overlapping = 0;  // truly overlapping and reported
    double depth_good = 0;        // share of those with a good depth
    double depth_worst = 0;       // largest error, m
    double normal_good = 0;       // share whose overlap along the reported normal is minimal
    double normal_worst = 0;      // largest excess of that overlap over the true depth, m
    double distance_error = 0;    // largest error of distance in sizes of the larger hull, all found pairs
};

// The truth about a seeded sample of a frame's pairs; computed once, used for every engine.
class OracleSample {
public:
    // At most `count` pairs, and no more than the oracle manages in `seconds`.
    OracleSample(const Scene& scene, const Frame& frame, std::size_t count, double seconds, std::uint64_t seed);
    ~OracleSample();
    OracleSample(const OracleSample&) = delete;
    OracleSample& operator=(const OracleSample&) = delete;

    const std::vector<Pair>& pairs() const { return pairs_; }

    // Collides the sample with the engine (prepared, frame set) and judges. Engines that find overlaps only
    // (margin 0) are judged on those.
    Quality judge(Engine& engine) const;

    struct Truth;

private:
    std::vector<Pair> pairs_;
    std::unique_ptr<Truth> truth_;
};

// Coherent frames: of the pairs in contact in two successive frames, the share whose normal turned by more
// than `degrees` and the share whose number of points changed.
struct Flicker {
    std::size_t followed = 0;
    double normal_jumps = 0;
    double count_changes = 0;
};
Flicker measure_flicker(const Scene& scene, Engine& engine, double degrees);

}  // namespace lanefold::bench
