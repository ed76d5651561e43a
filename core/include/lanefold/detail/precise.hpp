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

// A pair whose distance is still to be found. By bits a quiet NaN: no arithmetic is done with it.
inline constexpr float kUndecided = __builtin_nanf("");

// One pair as the caller gave it: quaternions not yet normalised (but already validated).
struct PrecisePair {
    const HullRecord* a = nullptr;
    const HullRecord* b = nullptr;
    double position_a[3] = {};  // float32 positions widen exactly
    double position_b[3] = {};
    float orientation_a[4] = {};
    float orientation_b[4] = {};
    float margin = 0;
    float distance = kUndecided;  // or decided by the kernels: then the pair touches, and the record says this
    float face_preference = 0;
    PointSelection points = PointSelection::all;
    ContactMethod method = ContactMethod::clip;
    float patch_band = kPatchBand;
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

// Which features a contact is made of: kind, feature_a and feature_b of a record.
struct FeatureChoice {
    std::uint32_t feature_a = 0;
    std::uint32_t feature_b = 0;
    ContactKind kind = ContactKind::none;

    friend constexpr bool operator==(const FeatureChoice&, const FeatureChoice&) = default;
};

// What hysteresis takes from a pair's previous record: its features, which may be any numbers, and its points' ids.
struct PreviousChoice {
    FeatureChoice features;  // kind none: there is nothing that could stay
    std::uint32_t count = 0;
    const ContactPoint* points = nullptr;
};

// The question of hysteresis, asked of a pair that touches: the features and the distance of its record as decided
// without memory, and what was chosen before.
struct Hold {
    FeatureChoice chosen;
    const PreviousChoice* previous = nullptr;
    float distance = 0;
    float hysteresis = 0;
};

// Writes the record with the previous features, the previous points where a reduction has the choice, and the distance
// as given, when they may stay (options.hpp: hysteresis). False, with `out` untouched, when they may not, or when
// neither the features differ from the chosen ones nor the points can be held.
bool hold_contact(const PrecisePair& pair, const Hold& hold, PreciseScratch& scratch, Manifold4& out);
bool hold_contact(const PrecisePair& pair, const Hold& hold, PreciseScratch& scratch, Manifold16& out);

}  // namespace lanefold::detail
