// SPDX-License-Identifier: MIT
//
// Options and results of the batch calls.
#pragma once

#include <cstdint>

#include <lanefold/export.hpp>
#include <lanefold/limits.hpp>
#include <lanefold/manifold.hpp>
#include <lanefold/status.hpp>

namespace lanefold {

// Instruction sets, weakest first. `scalar` is width 1 of the same kernels.
enum class Isa : std::uint8_t { scalar = 0, sse2 = 1, sse4_2 = 2, avx2 = 3, avx512 = 4, neon = 5, automatic = 255 };
inline constexpr std::size_t kIsaCount = 6;

// Which points of a contact are kept.
enum class PointSelection : std::uint8_t {
    all = 0,     // every point within the margin
    impact = 1,  // points that touch at the instant of collision: within a band above the deepest point
};

// How the points of a contact whose axis is a face normal are found (docs/methods.md).
enum class ContactMethod : std::uint8_t {
    clip = 0,   // the incident face is clipped by the reference face
    patch = 1,  // all vertices of each hull within patch_band of its support take part: steady on nearly coplanar faces
};

// The settings of calls: a value to keep and copy that refers to nothing. The defaults report overlaps with up
// to four points. CallInputs has the data of one call (call_inputs.hpp).
struct Options {
    // Pairs with distance <= margin are reported. Absolute length in the caller's unit, >= 0.
    float margin = 0.0F;
    // A face gives the normal if its separation is at most this below the largest one, relative to the smaller hull's
    // size. 0: the normal minimises the distance.
    float face_preference = kDefaultFacePreference;
    PointSelection points = PointSelection::all;
    // Pairs of boxes are always clipped, because their faces are flat. `patch` cannot be combined with
    // CallInputs::previous; patches are steady without it.
    ContactMethod method = ContactMethod::clip;
    // Method patch: the height of a support patch, relative to the smaller hull's size; 0 to kMaxPatchBand. It affects
    // points, and kind and normal where the points decide which feature gives the contact. 0: the patch is the
    // significant face and the vertices level with the support.
    float patch_band = kPatchBand;
    // In calls with CallInputs::previous: how much better, relative to the smaller hull's size, other features must be
    // to replace the previous ones:
    // - A previous reference face stays while its separation is at least that of the axis that would be chosen now
    //   (each face with its preference) minus this. Its incident face stays with it while the sine of its tilt against
    //   the best incident face is at most this, and the points still reach the depth.
    // - The previous points of a reduction stay while all of them exist, reach the depth within this, and span 90% of
    //   the area of the points that would be chosen now.
    // - Two previous edges stay against other edges while they pass each other and their separation is at least the
    //   distance minus this. A preferred face replaces them. Other features do not stay.
    // `distance`, and with it the set of reported pairs, never depends on this. 0: off.
    float hysteresis = kDefaultHysteresis;
    // Compact calls whose `out` is too small. True: the remaining pairs are decided too, at the cheapest level, and
    // `required` is exact. False: the call stops at once, and `required` is written + 1, which only says that there are
    // more. For callers who continue from next_pair anyway.
    bool count_required = true;
    // Instruction set. automatic: LANEFOLD_ISA if that is set, otherwise the best one.
    Isa isa = Isa::automatic;
    // Largest number of threads in the caller's arena; 0: all of them. Never changes the result.
    std::uint32_t threads = 0;
    // Whether to compute BatchResult::hash.
    bool hash = false;
};

// How many pairs took which way: sums over the batch. They depend only on the pairs and the cache, so they are equal
// for every instruction set and number of threads; threads may only change the counts of certificates.
struct LANEFOLD_EXPORT Counters {
    std::uint64_t box_pairs = 0;          // took the box path
    std::uint64_t hull_pairs = 0;         // took the general float32 path
    std::uint64_t floor_pairs = 0;        // settled by one face of a far larger box (a hull on a floor)
    std::uint64_t precise_pairs = 0;      // took the float64 path from the start
    std::uint64_t rejected_centre = 0;    // separated by more than the margin by the centre axis
    std::uint64_t rejected_face = 0;      // by a face of a or b
    std::uint64_t rejected_edge = 0;      // by a pair of edges
    std::uint64_t rejected_distance = 0;  // by the exact distance
    std::uint64_t faces_evaluated = 0;    // exact support queries in the face searches
    std::uint64_t edges_surviving = 0;    // edges that the arc test leaves, of pairs with some on both sides
    std::uint64_t edge_pairs = 0;         // pairs of edges tested
    std::uint64_t distance_finished = 0;  // pairs whose distance or points the float64 path settled after all
    std::uint64_t face_contacts = 0;
    std::uint64_t edge_contacts = 0;
    std::uint64_t clip_fallbacks = 0;  // face manifolds replaced because the clip lacked the deepest point
    std::uint64_t hold_tried = 0;      // touching pairs whose features differ from the previous ones
    std::uint64_t held = 0;            // of these, pairs that kept the previous features
    std::uint64_t hold_lanes = 0;      // of those tried, pairs that were decided without the float64 path
    std::uint64_t unmoved_pairs = 0;   // not computed, because neither body moved
    std::uint64_t cache_tried = 0;     // general pairs whose cached axis was tried first
    std::uint64_t rejected_cache = 0;  // of these, pairs that it separated by more than the margin
    std::uint64_t cache_begun = 0;     // general pairs whose searches began at their cached best face
    // Steps of a ContactStream; all are among hull_pairs.
    std::uint64_t certificates_tried = 0;    // general pairs that were known to be apart at another relative pose
    std::uint64_t rejected_certificate = 0;  // of these, pairs that have moved too little since to be near
    std::uint64_t certificates_held = 0;     // pairs that have moved too little since for another best face
    std::uint64_t certificates_made = 0;     // pairs whose best face was certified

    // Adds every count.
    Counters& operator+=(const Counters& o);
};

// Sums over the pairs of a call, and whether it was refused, stopped or done.
struct BatchResult {
    CallStatus status;
    std::uint64_t pairs = 0;
    std::uint64_t touching = 0;     // distance <= margin
    std::uint64_t overlapping = 0;  // distance < 0
    std::uint64_t points = 0;       // contact points written
    std::uint64_t by_status[kStatusCount] = {};
    std::uint64_t by_kind[kContactKindCount] = {};
    Counters counters;
    Isa isa = Isa::scalar;   // instruction set that ran
    std::uint64_t hash = 0;  // see hash.hpp; 0 unless Options::hash
};

// The same of a compact call, and where to go on when its output was too small.
struct CompactResult : BatchResult {
    std::uint64_t written = 0;    // records in `out`
    std::uint64_t required = 0;   // number of records of all pairs from first_pair on; see Options::count_required
    std::uint64_t next_pair = 0;  // first pair not in `out`, to pass as first_pair; pairs.size() at the end
};

// Result of level distance. 24 bytes; all zero for a pair that is not reported.
struct PairDistance {
    float normal[3];
    float distance;
    ContactKind kind;
    Status status;
    std::uint8_t reserved[6];
};
static_assert(sizeof(PairDistance) == 24);

}  // namespace lanefold
