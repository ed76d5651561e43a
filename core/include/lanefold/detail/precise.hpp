// SPDX-License-Identifier: MIT
//
// The float64 path: one pair at a time, the same semantics as the kernels, for pairs on which float32 is not
// good enough (limits.hpp: kPreciseSizeRatio, kPreciseCentreOffset, kPreciseSeparation, kWide hulls) and for
// the separated pairs whose distance the kernels' free test does not settle. Scalar and compiled once, so
// its bits do not depend on the instruction set. Internal.
#pragma once

#include <cstdint>
#include <memory>

#include <lanefold/hull_set.hpp>
#include <lanefold/manifold.hpp>
#include <lanefold/options.hpp>
#include <lanefold/pose.hpp>

namespace lanefold::detail {

// One pair as the caller gave it: quaternions not yet normalised (but already validated).
struct PrecisePair {
    const HullRecord* a = nullptr;
    const HullRecord* b = nullptr;
    double position_a[3] = {};  // float32 positions widen exactly
    double position_b[3] = {};
    float orientation_a[4] = {};
    float orientation_b[4] = {};
    float margin = 0;
    float face_preference = 0;
    PointSelection points = PointSelection::all;
    std::uint32_t index_a = 0;  // body indices, for the record
    std::uint32_t index_b = 0;
};

// Memory reused from call to call; grows to the largest hulls met, then allocates no more.
class PreciseScratch {
public:
    PreciseScratch();
    PreciseScratch(PreciseScratch&&) noexcept;
    PreciseScratch& operator=(PreciseScratch&&) noexcept;
    ~PreciseScratch();

    // Makes room for hulls of these counts, so that calls on them do not allocate.
    void reserve(std::uint32_t max_vertices, std::uint32_t max_faces, std::uint32_t max_edges);

    struct Impl;
    Impl& impl() { return *impl_; }

private:
    std::unique_ptr<Impl> impl_;
};

// Writes the whole record (all zero if distance > margin, apart from nothing).
void collide_precise(const PrecisePair& pair, PreciseScratch& scratch, Manifold4& out);
void collide_precise(const PrecisePair& pair, PreciseScratch& scratch, Manifold16& out);
void collide_precise(const PrecisePair& pair, PreciseScratch& scratch, PairDistance& out);

}  // namespace lanefold::detail
