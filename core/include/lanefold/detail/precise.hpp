// SPDX-License-Identifier: MIT
//
// The float64 path: one pair at a time, with the same semantics as the kernels. It takes pairs for which float32 is not
// good enough (limits.hpp: kPreciseSizeRatio, kPreciseCentreOffset, kPreciseSeparation; hulls with kWide, kFar or
// kThin), and pairs apart whose best axis the kernels do not prove to be the distance. It is scalar and compiled once,
// so its bits do not depend on the instruction set. Internal.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include <lanefold/export.hpp>
#include <lanefold/hull_set.hpp>
#include <lanefold/manifold.hpp>
#include <lanefold/options.hpp>
#include <lanefold/pose.hpp>

namespace lanefold::detail {

// Marks a pair whose distance is not decided. It is a quiet NaN and never an operand of arithmetic.
inline constexpr float kUndecided = __builtin_nanf("");

// One pair in the caller's values: quaternions are validated but not normalised.
struct PrecisePair {
    const HullRecord* a = nullptr;
    const HullRecord* b = nullptr;
    double position_a[3] = {};  // float32 positions widen exactly
    double position_b[3] = {};
    float orientation_a[4] = {};
    float orientation_b[4] = {};
    float margin = 0;
    float distance =
        kUndecided;  // otherwise decided by the kernels: the pair touches, and this is the distance of the cores
    float face_preference = 0;
    PointSelection points = PointSelection::all;
    ContactMethod method = ContactMethod::clip;
    float patch_band = kPatchBand;
    std::uint32_t index_a = 0;  // body indices, for the record
    std::uint32_t index_b = 0;
};

// Candidates for a contact (DESIGN.md: This is a manifold).
enum class CandidateKind : std::uint8_t {
    preferred_face,  // the best face and the most opposed face around the support vertex
    level_patch,     // support patches of the other faces of its plane
    incident_face,   // the best face and the other faces that are as deep and as opposed
    level_face,      // the same with the other faces of its plane
    features,        // the edges or vertices of the optimum
    tied_corner,     // the best face and the most opposed faces around corners that are as deep but for a tie
    wider_face,      // the best face, widened by a tie
    places,          // the features where the hulls meet when they are moved together along the axis
    edges_beside,    // edges beside those of the optimum
    strip,           // the widened face, with points as far off as merging moved them
    last,            // the optimum's features or the support vertex as they are
};

// Why a candidate is not the contact.
enum class Refusal : std::uint8_t { none, not_found, no_points, off_surface, not_extreme, not_deep };

// A candidate that was tried.
struct TriedCandidate {
    CandidateKind candidate = CandidateKind::last;
    Refusal refusal = Refusal::none;
    ContactKind kind = ContactKind::none;
    std::uint32_t feature_a = 0;
    std::uint32_t feature_b = 0;
    std::uint32_t points = 0;
    double deepest = 0;  // separation of the deepest point
};

// Memory that is reused from call to call. It grows to the largest hulls and then allocates no more.
class LANEFOLD_EXPORT PreciseScratch {
public:
    PreciseScratch();
    PreciseScratch(PreciseScratch&&) noexcept;
    PreciseScratch& operator=(PreciseScratch&&) noexcept;
    ~PreciseScratch();

    // Reserves memory for hulls of these counts, so that calls with them do not allocate.
    void reserve(std::uint32_t max_vertices, std::uint32_t max_faces, std::uint32_t max_edges);

    struct Impl;
    Impl& impl() { return *impl_; }

private:
    std::unique_ptr<Impl> impl_;
};

// Writes the whole record; all zero if distance > margin.
LANEFOLD_EXPORT void collide_precise(const PrecisePair& pair, PreciseScratch& scratch, Manifold4& out);
LANEFOLD_EXPORT void collide_precise(const PrecisePair& pair, PreciseScratch& scratch, Manifold16& out);
LANEFOLD_EXPORT void collide_precise(const PrecisePair& pair, PreciseScratch& scratch, PairDistance& out);
// Same, and appends the candidates for the contact in their order, up to the one that is the contact.
LANEFOLD_EXPORT void collide_precise(const PrecisePair& pair, PreciseScratch& scratch, Manifold16& out,
                                     std::vector<TriedCandidate>& tried);

// The features of a contact: kind, feature_a and feature_b of a record.
struct FeatureChoice {
    std::uint32_t feature_a = 0;
    std::uint32_t feature_b = 0;
    ContactKind kind = ContactKind::none;

    friend constexpr bool operator==(const FeatureChoice&, const FeatureChoice&) = default;
};

// The part of a pair's previous record that hysteresis reads: its features, which may be any numbers, and its points'
// ids.
struct PreviousChoice {
    FeatureChoice features;  // kind none: no features that could stay
    std::uint32_t count = 0;
    const ContactPoint* points = nullptr;
};

// Input of hysteresis for a pair that touches: the features and the distance of its record as decided without previous
// contacts, and the previous choice.
struct Hold {
    FeatureChoice chosen;
    const PreviousChoice* previous = nullptr;
    float distance = 0;
    float hysteresis = 0;
};

// If the previous features may stay (options.hpp: hysteresis), writes the record with them, with the previous points
// where a reduction allows it, and with the given distance. Returns false and leaves `out` unchanged if they may not
// stay, or if they equal the chosen ones and the points cannot be kept.
LANEFOLD_EXPORT bool hold_contact(const PrecisePair& pair, const Hold& hold, PreciseScratch& scratch, Manifold4& out);
LANEFOLD_EXPORT bool hold_contact(const PrecisePair& pair, const Hold& hold, PreciseScratch& scratch, Manifold16& out);

}  // namespace lanefold::detail
