// SPDX-License-Identifier: MIT
//
// The insides of the engine, for people who look at them: counters of a call's stages, the record that kernels read of
// a hull, and the limits of the kernels, with unit, reason and the consequence of changing them. "size" is half the
// diagonal of a hull's axis-aligned box in its own input frame. Nothing here is needed to make a call, and all of it
// may change in any version.
#pragma once

#include <cstddef>
#include <cstdint>

#include <lanefold/export.hpp>
#include <lanefold/feature.hpp>

namespace lanefold {

// How many pairs took which way: sums over the batch. They depend only on the pairs and the cache, so they are equal
// for every instruction set and number of threads; threads may only change the counts of certificates.
struct LANEFOLD_EXPORT Counters {
    std::uint64_t box_pairs = 0;          // took the box path
    std::uint64_t hull_pairs = 0;         // took the general float32 path
    std::uint64_t floor_pairs = 0;        // settled by one face of a far larger box (a floor), or by a half-space
    std::uint64_t small_pairs = 0;        // with a sphere or a capsule: took the lanes of small cores
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

// The kind of shape that the record of an id describes.
enum class ShapeKind : std::uint8_t { hull = 0, half_space = 1, compound = 2, surface = 3 };

// Hot per-hull data: one cache line.
//
// Internal frame: x_input = box_rotation * x_internal + centre. box_rotation is the identity unless the hull is a box
// whose sides are not along its input axes (kRotated). Vertices and planes of the block are in the internal frame.
// Results never depend on the choice of the centre.
//
// A rounded hull is its core, the convex hull of the stored vertices, with all points within round_radius of it. Every
// other member is of the core: size, half extents and bounding radius do not contain round_radius.
//
// A compound has no vertices, faces and edges of its own, and a block of children (detail/compound_block.hpp). Centre
// and half extents are those of a box along its own axes that contains all children with their radii. A surface has
// none either (Surface::feature_counts() has its numbers); its block (detail/surface_block.hpp) leads to the triangles.
struct alignas(64) HullRecord {
    // Flags.
    static constexpr std::uint8_t kBox = 1;      // geometry is exactly +-half_extent in the internal frame
    static constexpr std::uint8_t kRotated = 2;  // box_rotation (in the block) is not the identity
    static constexpr std::uint8_t kWide = 4;     // topology indices are 32 bit; float64 path only
    static constexpr std::uint8_t kFar = 8;      // centre further than kPreciseCentreOffset; float64 path only
    static constexpr std::uint8_t kThin = 16;  // an edge, a face or the hull is too thin for float32; float64 path only
    static constexpr std::uint8_t kRemoved = 32;  // the hull was removed: no block, no counts
    // The core is a point or a segment, without faces. Only a rounded hull has such a core. Lanes of its own
    // (simd/src/small) and the float64 path.
    static constexpr std::uint8_t kSmall = 64;
    static constexpr std::uint8_t kSegment = 1;  // in `segment`
    static constexpr std::uint8_t kOther = 128;  // no hull: `shape` says what it is; float64 path only

    const std::byte* block = nullptr;
    // Kernels load the following members in groups: the three counts; flags and size; size and half extents; centre and
    // radius.
    std::uint32_t vertex_count = 0;
    std::uint32_t face_count = 0;
    std::uint32_t edge_count = 0;
    std::uint8_t flags = 0;
    bool exact_box = false;  // a box along its input axes whose stored vertices are its corners to the last bit
    ShapeKind shape = ShapeKind::hull;
    // If the core is a segment: kSegment, and bits 7, 6 and 5 where its vertex 1 is on the negative side of the centre
    // along x, y and z. With these signs half_extent is half of the segment.
    std::uint8_t segment = 0;
    float size = 0;             // half diagonal of the axis-aligned box in the INPUT frame
    float half_extent[3] = {};  // of the box about the centre that contains all vertices, internal frame
    float centre[3] = {};       // input coordinates
    float radius = 0;           // largest distance of a vertex from the centre, rounded up
    std::uint32_t loops = 0;    // byte offset of section face_first in the block; of a compound its number of children
    float round_radius = 0;     // of a rounded hull; 0: none

    // Whether the builder found a box.
    bool is_box() const { return (flags & kBox) != 0; }
    // The counts that number the hull's features.
    FeatureCounts feature_counts() const { return {face_count, edge_count, vertex_count}; }
};
static_assert(sizeof(HullRecord) == 64);

// Ratio of hull sizes beyond which a pair takes the float64 path, unless one face of the larger hull, a box, settles it
// (simd/src/floor/heights.hpp). float32 geometry of the larger hull is good to about 6e-7 of its own size. At 64:1 that
// is 4e-5 of the smaller hull, too much for a resting contact of a small body on a large floor. Raising it trades
// accuracy for speed on such pairs.
inline constexpr float kPreciseSizeRatio = 64.0F;

// Distance of a hull's centre from its own origin, in sizes, beyond which its pairs take the float64 path. The rotated
// centre offset is rounded to float32 once, which costs 6e-8 of its length.
inline constexpr float kPreciseCentreOffset = 4.0F;

// Distance between the two centres, in (size A + size B), beyond which a pair takes the float64 path. The relative
// translation is rounded to float32, which costs about 2e-7 of its length. Only pairs with margins of several hull
// sizes can touch at such distances.
inline constexpr float kPreciseSeparation = 2.0F;

// Slack of every pruning test, in (size A + size B). It must exceed the rounding error of any float32 separation
// (measured: below 1e-6). A larger value only costs time; a smaller one could change bits. Bounds of faces in fixed
// point have another slack in addition (kStepSlack).
inline constexpr float kPruneSlack = 4e-6F;

// Largest face preference in effect. A larger one would mean the same, because no hull that the builder accepts is 1e30
// times as large as another. As a length it stays within float32 (sizes up to 1e6, simd/src/chunk/sort.hpp), so no
// comparison with it overflows.
inline constexpr float kLargestPreference = 1e30F;

// ContactMethod::patch: how much shallower than the deepest point the deepest kept point may be when points are left
// out, relative to the smaller hull's size. On a level patch the deepest corner changes with every small motion, and a
// choice that starts at it would turn with it.
inline constexpr float kPatchSpread = 1e-3F;

// Hulls whose indices do not fit 16 bits take the float64 path with 32-bit topology.
inline constexpr std::uint32_t kMaxIndex16 = 65535;

// All float arrays of a hull block are padded to a multiple of this many entries, the width of the widest vector. So
// one block serves every instruction set, and no kernel needs a loop for the rest.
inline constexpr std::uint32_t kBlockLanes = 16;

}  // namespace lanefold
