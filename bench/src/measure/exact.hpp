// SPDX-License-Identifier: MIT
//
// Counts wrong contacts of an engine over all pairs of a frame. Distances are those of lanefold's strict call, of which
// a sample is compared with the float64 oracle; overlaps along normals are the oracle's.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include <lanefold/narrowphase.hpp>
#include <lanefold/reference.hpp>

#include "peers/engine.hpp"

namespace lanefold::bench {

struct Wrongs {
    std::uint64_t pairs = 0;
    std::uint64_t touching = 0;      // truly within the engine's margin
    std::uint64_t missing = 0;       // of these by more than the band, not reported
    std::uint64_t extra = 0;         // reported, truly beyond the margin by more than the band
    std::uint64_t overlapping = 0;   // truly overlapping and reported
    std::uint64_t wrong_depth = 0;   // of these, by more than 1 mm and 1%
    std::uint64_t wrong_normal = 0;  // of these, the overlap along the normal exceeds the depth by more than that
};

class ExactFrames {
public:
    explicit ExactFrames(const Scene& scene);

    // The exact distances of a frame's pairs up to `reach`.
    void set_frame(const Frame& frame, double reach);
    // The largest difference from the oracle's distances in sizes of the larger hull, of every k-th pair that has one.
    double check(std::size_t k) const;
    // Counts the results of the engine's last call, which had this frame.
    void count(const Engine& engine, Wrongs& out) const;

private:
    const reference::OracleHull& hull(std::uint32_t id) const;

    const Scene& scene_;
    mutable std::map<std::uint32_t, reference::OracleHull> hulls_;
    Workspace workspace_;
    const Frame* frame_ = nullptr;
    std::vector<PairDistance> distances_;
};

}  // namespace lanefold::bench
