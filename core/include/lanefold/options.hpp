// SPDX-License-Identifier: MIT
//
// Options and results of the batch calls.
#pragma once

#include <cstdint>
#include <span>

#include <lanefold/limits.hpp>
#include <lanefold/manifold.hpp>
#include <lanefold/pair_cache.hpp>
#include <lanefold/previous_contacts.hpp>
#include <lanefold/status.hpp>
#include <lanefold/stop.hpp>

namespace lanefold {

// Instruction sets, weakest first. `scalar` is width 1 of the same kernels.
enum class Isa : std::uint8_t { scalar = 0, sse2 = 1, sse4_2 = 2, avx2 = 3, avx512 = 4, neon = 5, automatic = 255 };
inline constexpr std::size_t kIsaCount = 6;

enum class PointSelection : std::uint8_t {
    all = 0,     // every point within the margin
    impact = 1,  // only those touching at the instant of collision: within a band above the deepest point
};

// How a contact whose axis is a face's normal becomes points (docs/methods.md).
enum class ContactMethod : std::uint8_t {
    clip = 0,   // the incident face cut by the reference face
    patch = 1,  // all vertices of each hull within patch_band of its support: steady on nearly coplanar faces
};

struct Options {
    // Pairs with distance <= margin are reported. Absolute length in the caller's unit, >= 0.
    float margin = 0.0F;
    // Per pair instead: empty, or as many as there are pairs. Each >= 0.
    std::span<const float> pair_margins;
    // Relative to the smaller hull's size; 0 is strict: the normal minimises the distance.
    float face_preference = kDefaultFacePreference;
    PointSelection points = PointSelection::all;
    // Two boxes are always clipped: their faces are flat. Patches are steady by themselves: not with `previous`.
    ContactMethod method = ContactMethod::clip;
    // Method patch: the height of a support patch, relative to the smaller hull's size; 0 to kMaxPatchBand. Changes
    // points only, and kind, normal and distance where the points decide which feature gives the contact. 0: what is
    // level with the support, and the significant face.
    float patch_band = kPatchBand;
    // Contacts of the frame before, against flicker between features that are about equally good. None: every pair is
    // decided by its hulls, poses and options alone, which is what a bake wants. Must not overlap `out`.
    PreviousContacts previous;
    // How much better, relative to the smaller hull's size, other features must be before the previous ones give way:
    // - a previous reference face stays while its separation is at least that of the axis that would be chosen now
    //   (each face with its preference) minus this; with it its incident face, while that is tilted by no more than
    //   this against the best (as a sine) and the points still reach the depth;
    // - where a reduction has the choice, the previous points stay while they are all there, reach the depth within
    //   this, and span 90% of the area of the points that would be chosen now;
    // - two previous edges stay against other edges, while they pass each other and their separation is at least the
    //   distance minus this; they yield to a preferred face. Other features do not stay.
    // `distance`, and so which pairs are reported, never depends on it, to the last bit. 0: off.
    float hysteresis = kDefaultHysteresis;
    // Bodies that did not move and did not change their hull since the records below were made with the same options:
    // empty, or one byte per body, not 0: unmoved. Pairs of two such bodies are not computed. In a dense call their
    // out[i] stays as it stands; in a compact call their record, if there is one, is copied from `previous`, which
    // then must be of the capacity of `out` and complete. The sums and the hash count these records like all others,
    // so a call with marks gives what the call without them would. Not for the overlap level, which keeps no records.
    std::span<const std::uint8_t> unmoved;
    // What the last frame learnt about each pair: empty, or one per pair; read and written. A hint that saves time on
    // pairs of general hulls in coherent frames, never a bit of a result. One call at a time may use an entry. Must not
    // overlap anything else of the call. carry_over() takes entries to a new list of pairs.
    std::span<PairCache> cache;
    // Compact calls whose `out` is too small: true decides the remaining pairs too, at the cheapest level, and returns
    // the exact number required. False stops at once, and `required` is only known to be more than was written:
    // written + 1. For callers who go on from next_pair anyway.
    bool count_required = true;
    // Instruction set; automatic is the best one, or LANEFOLD_ISA if that is set.
    Isa isa = Isa::automatic;
    // Most threads to use inside the caller's arena; 0: all of them. Never changes the result.
    std::uint32_t threads = 0;
    // Checked once per chunk: a StopFlag, a function, or a std::stop_token. Pairs not computed have status cancelled.
    StopToken stop;
    // Compute BatchResult::hash.
    bool hash = false;
};

// Where pairs and time went: sums over the batch. They depend on nothing but the pairs and the
// cache, so they too are equal for every ISA and thread count unless noted.
struct Counters {
    std::uint64_t box_pairs = 0;          // took the box path
    std::uint64_t hull_pairs = 0;         // took the general float32 path
    std::uint64_t precise_pairs = 0;      // took the float64 path from the start
    std::uint64_t rejected_centre = 0;    // separated by more than the margin along the centre axis
    std::uint64_t rejected_face = 0;      // by a face of a or b
    std::uint64_t rejected_edge = 0;      // by a pair of edges
    std::uint64_t rejected_distance = 0;  // by the exact distance
    std::uint64_t faces_evaluated = 0;    // exact support queries in the face searches
    std::uint64_t edges_surviving = 0;    // edges left by the arc test, of pairs with some on both sides
    std::uint64_t edge_pairs = 0;         // pairs of edges tested
    std::uint64_t distance_finished = 0;  // separated pairs whose distance needed more than the SAT optimum
    std::uint64_t face_contacts = 0;
    std::uint64_t edge_contacts = 0;
    std::uint64_t clip_fallbacks = 0;  // face manifolds replaced because the clip lost the deepest point
    std::uint64_t hold_tried = 0;      // touching pairs whose features would differ from the previous ones
    std::uint64_t held = 0;            // of these, pairs that kept the previous features
    std::uint64_t unmoved_pairs = 0;   // not computed: neither body moved
    std::uint64_t cache_tried = 0;     // general pairs whose cached axis was tried first
    std::uint64_t rejected_cache = 0;  // of these, pairs that it separated by more than the margin
    std::uint64_t cache_begun = 0;     // general pairs whose searches began at their cached best face

    Counters& operator+=(const Counters& o);
};

struct BatchResult {
    CallStatus status;
    std::uint64_t pairs = 0;
    std::uint64_t touching = 0;     // distance <= margin
    std::uint64_t overlapping = 0;  // distance < 0
    std::uint64_t points = 0;       // contact points written
    std::uint64_t by_status[kStatusCount] = {};
    std::uint64_t by_kind[kContactKindCount] = {};
    Counters counters;
    Isa isa = Isa::scalar;   // the one that ran
    std::uint64_t hash = 0;  // see hash.hpp; 0 unless Options::hash
};

struct CompactResult : BatchResult {
    std::uint64_t written = 0;  // records in `out`
    std::uint64_t required =
        0;  // records that the pairs from first_pair on give altogether; see Options::count_required
    std::uint64_t next_pair = 0;  // first pair not in `out`: pass it as first_pair to go on; pairs.size() at the end
};

// Result of the distance + normal level. 24 bytes; all zero for a pair that is not reported.
struct PairDistance {
    float normal[3];
    float distance;
    ContactKind kind;
    Status status;
    std::uint8_t reserved[6];
};
static_assert(sizeof(PairDistance) == 24);

}  // namespace lanefold
