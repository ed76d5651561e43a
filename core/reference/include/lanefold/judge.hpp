// SPDX-License-Identifier: MIT
//
// The judge decides whether a record is what the contract promises for its pair. `lanefold verify` and the tests use
// the same judge. It shares no geometry code with the engine: distances come from the oracle; features, points, their
// number and order are derived again in float64 from the hulls' stored vertices and canonical topology.
//
// Bounds. The unit of a pair is the size of the larger hull up to a ratio of 64:1, and of the smaller hull beyond. A
// stored number may differ from the exact one by 2e-6 units or by half a unit in its own last place, whichever is more.
// Pairs within the same band about the margin may be reported or not. A value computed from several stored numbers (a
// witness point) has the sum of their bounds.
//
// The distance of rounded hulls is judged as it is stored; all else is judged of the cores: points are moved back along
// the normal, and separations and margin grow by the radii.
//
// If several results are equally right within the bounds, each is accepted: which of two parallel faces is the
// reference face, whether a corner on a side counts, which of equally far points are kept.
#pragma once

#include <cstdint>
#include <string>

#include <lanefold/capture.hpp>
#include <lanefold/export.hpp>
#include <lanefold/hull_set.hpp>
#include <lanefold/manifold.hpp>
#include <lanefold/options.hpp>
#include <lanefold/pose.hpp>
#include <lanefold/reference.hpp>

namespace lanefold::reference {

// The method that made the record; see docs/methods.md.
enum class JudgedMethod : std::uint8_t {
    clip = 0,
    patch = 1,
    published = 2,
    // To the letter: the right result is that of published::literal::clipping_manifold(), exact or not.
    published_literal = 3,
    // Distance and normal as for clip; points on the incident surface and in the plane of the reference face, or none.
    sutherland_hodgman = 4,
    // Distance, normal and depth as for clip; points on both surfaces, with separations within what the angle allows.
    features = 5,
};

// True for the float64 methods, which find overlaps only and have no face preference.
constexpr bool is_reference(JudgedMethod method) {
    return method != JudgedMethod::clip && method != JudgedMethod::patch;
}

// The oracle's hull or half-space of an id of a set. `vertices` and `normals` of the result are empty on failure.
LANEFOLD_EXPORT OracleHull make_oracle_hull(const HullSet& hulls, std::size_t id);

// The input of one pair.
struct JudgedPair {
    const OracleHull* a = nullptr;  // of the stored vertices
    const OracleHull* b = nullptr;
    const HullRecord* record_a = nullptr;  // canonical faces, edges and vertices, to which a record's indices refer
    const HullRecord* record_b = nullptr;
    PoseD pose_a;
    PoseD pose_b;
    std::uint32_t index_a = 0;  // of the bodies
    std::uint32_t index_b = 0;
    std::uint32_t child_a = 0;  // of a compound; poses are then the child's, points relative to its position
    std::uint32_t child_b = 0;
    // Distance from pose_a's position of the place that points were stored relative to: the body's. Their last place is
    // that of such a length.
    double points_from = 0;
    float margin = 0;
    float face_preference = 0;
    float hysteresis = 0;  // if the pair had a previous record; otherwise 0
    PointSelection points = PointSelection::all;
    JudgedMethod method = JudgedMethod::clip;
    float patch_band = kPatchBand;  // Options::patch_band; method patch
    float feature_angle = 0;        // published::FeatureSettings::angle; method features
};

// The method of the batch calls.
constexpr JudgedMethod judged_method(ContactMethod method) {
    return method == ContactMethod::patch ? JudgedMethod::patch : JudgedMethod::clip;
}

// A pair of a capture. a, b: oracle hulls of the stored vertices of its hulls. The result points to them and to the
// capture's hulls, so both must outlive it.
LANEFOLD_EXPORT JudgedPair judged_pair(const Capture& capture, const CapturedPair& pair, const OracleHull& a,
                                       const OracleHull& b);

// The kinds of violations, counted separately.
enum class Violation : std::uint8_t {
    missed,       // below the margin by more than the band, but not reported
    invented,     // reported, but above the margin by more than the band
    distance,     // differs from the oracle's by more than the bound
    normal,       // not of unit length, not that of its features, or not of maximal separation
    off_surface,  // a witness point is not on the surface of its hull
    points,       // wrong number, order, separation, or unused bytes that are not zero
    feature,      // wrong bodies, features that do not meet along the normal, or wrong ids
    coverage,     // corners of the contact area are missing, or kept points span too little of it
    shallow,      // no point about as deep as the pair
    status,       // a status other than ok, although poses and indices are good
};
inline constexpr std::size_t kViolationCount = 10;

// "missed", ...; "unknown" for a value outside of the enumeration.
LANEFOLD_EXPORT const char* to_string(Violation violation);

// The bounds of a pair, lengths in the caller's unit.
struct LANEFOLD_EXPORT JudgeBounds {
    double larger = 0;  // size of the larger hull; of rounded hulls that of the core, unless it has no volume
    double smaller = 0;
    double unit = 0;      // the larger size, with the radius; beyond 64:1 the smaller one
    bool beyond = false;  // the sizes are beyond 64:1, with the radii or without
    double noise = 0;     // error of the judge's own float64; beyond 64:1 also OracleHull::rounding
    double along = 0;     // bound of the separation along a normal of three float32 numbers

    // Bound of a distance that is stored as `value`; also half the width of the band about a margin of `value`.
    double distance(double value) const;
};
LANEFOLD_EXPORT JudgeBounds judge_bounds(const JudgedPair& pair);

// The errors of a record, by the oracle.
struct LANEFOLD_EXPORT Judgement {
    double distance = 0;  // the oracle's
    Vec3d normal;         // a minimiser of the oracle
    bool touching = false;
    bool overlapping = false;
    bool in_band = false;
    std::uint16_t violations = 0;  // a bit for each Violation
    std::string what;              // the first violation in words

    // Errors of a reported pair, relative to the unit (or to more, if the rounding of the stored number allows more),
    // so that the bound is 2e-6.
    double distance_error = 0;
    double normal_error = 0;   // missing separation along the normal, beyond what the preferences allow
    double surface_error = 0;  // of the worst witness point
    // The same errors as shares of their bounds.
    double distance_share = 0;
    double normal_share = 0;
    double surface_share = 0;
    double depth_share = 0;
    double unit_error = 0;        // | |normal| - 1 |
    double area_share = 1;        // share of the contact area that a reduced patch keeps
    bool preferred_face = false;  // the normal is a face's although another feature is nearer

    // Notes a violation; the text is kept of the first.
    void violate(Violation kind, const std::string& text);
    // Whether nothing was found.
    bool right() const { return violations == 0; }
};

// Judges a record of the compact or dense form. A record of zeros means "not reported".
LANEFOLD_EXPORT Judgement judge(const JudgedPair& pair, const Manifold4& record);
LANEFOLD_EXPORT Judgement judge(const JudgedPair& pair, const Manifold16& record);
// Judges a pair for which the compact form has no record.
LANEFOLD_EXPORT Judgement judge_unreported(const JudgedPair& pair);

}  // namespace lanefold::reference
