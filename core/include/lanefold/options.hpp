// SPDX-License-Identifier: MIT
//
// Options and results of the batch calls.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <type_traits>
#include <utility>

#include <lanefold/diagnostics.hpp>
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
    // `required` is exact. False: the call stops at once, and `required` counts the written records and those of
    // next_pair, which only says that there are more. For callers who continue from next_pair anyway.
    bool count_required = true;
    // Instruction set. automatic: LANEFOLD_ISA if that is set, otherwise the best one.
    Isa isa = Isa::automatic;
    // Largest number of threads in the caller's arena; 0: all of them. Never changes the result.
    std::uint32_t threads = 0;
    // Whether to compute BatchResult::hash.
    bool hash = false;
};

// Sums over the pairs of a call, and whether it was refused, stopped or done. A pair of bodies counts once, whatever
// the number of its records, and by_kind counts its deepest one.
struct [[nodiscard]] BatchResult {
    CallStatus status;
    std::uint64_t pairs = 0;
    std::uint64_t touching = 0;     // distance <= margin
    std::uint64_t overlapping = 0;  // distance < 0
    std::uint64_t points = 0;       // contact points written
    std::uint64_t by_status[kStatusCount] = {};
    std::uint64_t by_kind[kContactKindCount] = {};
    Counters counters;       // how many pairs of hulls took which way (diagnostics.hpp)
    Isa isa = Isa::scalar;   // instruction set that ran
    std::uint64_t hash = 0;  // see hash.hpp; 0 unless Options::hash
};

// The same of a compact call, and where to go on when its output was too small. The records of a pair are written all
// or none. If `out` has no room for those of the first pair, written is 0, next_pair is first_pair, and `required` is
// at least their number: a caller who goes on from there needs a larger `out`.
struct [[nodiscard]] CompactResult : BatchResult {
    std::uint64_t written = 0;    // records in `out`
    std::uint64_t required = 0;   // number of records of all pairs from first_pair on; see Options::count_required
    std::uint64_t next_pair = 0;  // first pair not in `out`, to pass as first_pair; pairs.size() at the end
};

// Result of level distance. 24 bytes; all zero for a pair that is not reported.
struct LANEFOLD_EXPORT PairDistance {
    float normal[3];
    float distance;
    ContactKind kind;
    Status status;
    std::uint8_t reserved[2];
    std::uint16_t child_a;  // as in Manifold4; 65535 for that and all higher numbers
    std::uint16_t child_b;
};
static_assert(sizeof(PairDistance) == 24 && offsetof(PairDistance, child_a) == 20);

// The records that calls write, one for each pair. The type of the record is the level of the call: up to 4 points, up
// to 16, or distance and normal only.
template <class T>
concept PairRecord = std::same_as<T, Manifold4> || std::same_as<T, Manifold16> || std::same_as<T, PairDistance>;

// The record of a vector, an array or a span of records that can be written.
template <class Out>
using RecordOf = std::remove_reference_t<decltype(*std::data(std::declval<Out&>()))>;

}  // namespace lanefold
