// SPDX-License-Identifier: MIT
//
// The state of a pair in rows. A stage that works on one pair reads one or two cache lines. A stage with lanes = pairs
// transposes kWidth rows into a mirror with the same names (pair/lane_rows.hpp). Rows hold no SIMD types, so they are
// the same memory for every instruction set.
#pragma once

#include <cstddef>
#include <cstdint>

#include <lanefold/aligned_buffer.hpp>
#include <lanefold/detail/chunk.hpp>
#include <lanefold/detail/precise.hpp>
#include <lanefold/diagnostics.hpp>

namespace lanefold::detail {

// The places of the bodies and hulls of a pair, looked up once when the pair is sorted.
struct alignas(32) PairPlaces {
    const BodyFrame* frame_a;
    const BodyFrame* frame_b;
    const HullRecord* hull_a;
    const HullRecord* hull_b;
};

// From one hull's internal frame into the other's: x -> r x + t, r row-major. A number must follow t in memory, because
// loads of four floats read it.
struct RelativePose {
    float r[9];
    float t[3];
};

// A pair of general hulls.
struct alignas(64) PairRow {
    RelativePose to_a;  // from B's frame
    float margin;
    std::uint32_t hull_a;
    std::uint32_t hull_b;
    std::uint32_t pair;  // index in the chunk
};
static_assert(sizeof(PairRow) == 64);

// The inverse pose, and the pair's unit of fixed point (search/bounds.hpp).
struct alignas(64) InverseRow {
    RelativePose to_b;      // from A's frame
    float scale;            // from coordinates to fixed point
    std::int32_t offset_a;  // o of A, o of B (search/bounds.hpp)
    std::int32_t offset_b;
    float reserved;
};
static_assert(sizeof(InverseRow) == 64);

// The hull whose face the pair cache names as the best one.
enum class CachedBest : std::uint32_t { none, on_a, on_b };

// The axis between the centres and the pair's tolerances.
struct alignas(64) AxisRow {
    float n[3];       // unit, from A's centre to B's, A's frame; +x when they coincide
    float m[3];       // -n in B's frame, the direction of B's support query
    float tn;         // t . n
    float slack;      // kPruneSlack * (size A + size B)
    float face_band;  // face_preference * size(smaller)
    float size_sum;
    float size_min;
    std::uint32_t support_a;  // first witnesses: supports along the axis, or from the pair cache
    std::uint32_t support_b;
    CachedBest best_on;  // hull of best_face
    std::uint32_t best_face;
    std::uint16_t extra_a;  // second witnesses from the pair cache; otherwise vertex 0
    std::uint16_t extra_b;
};
static_assert(sizeof(AxisRow) == 64);

// By how much a search of one pair looks below its best face: at faces and arcs of A, and of B.
struct SearchReach {
    float of_a;
    float of_b;
};

// The two faces of a contact's clip: the reference face and the incident face, each with its place among the hull's
// polygons (polygon_place()) and its number of sides; 0 sides: they are not known.
struct ClipFaces {
    std::uint16_t incident_face;
    std::uint16_t polygon[2];
    std::uint8_t sides[2];
};
static_assert(sizeof(ClipFaces) == 8);

// Optimum of the searches of one pair.
struct alignas(32) PairOptimum {
    float face_value;         // best face separation
    std::uint32_t face;       // its face
    std::uint32_t support;    // its support vertex on the other hull
    std::uint32_t face_on_b;  // 0: the face is A's, 1: B's
    float value;              // best separation of the pair: that of the edges if has_edge, otherwise face_value
    std::uint32_t edge_a;
    std::uint32_t edge_b;
    std::uint32_t has_edge;
};
static_assert(sizeof(PairOptimum) == 32);

// Entries of a list of a chunk's pairs. Lanes past the end of the list write to the extra ones.
inline constexpr std::size_t kListRoom = kChunkPairs + kBlockLanes;

// The pairs of a chunk that take one path. The last pair is repeated behind the end, to fill a vector.
struct PairList {
    AlignedBuffer<std::uint32_t> pair;  // index in the chunk
    AlignedBuffer<PairPlaces> places;
    std::uint32_t count = 0;

    void reserve() {
        pair.reserve(kListRoom);
        places.reserve(kListRoom);
    }
};

// Pairs for the float64 path, by index in the chunk: those that always need it, and those that float32 cannot settle.
struct PreciseList {
    AlignedBuffer<std::uint32_t> pair;
    // The distance of a pair whose distance is decided and whose contact is still to be made; kUndecided otherwise.
    // Keeping it makes the distance independent of options.method.
    AlignedBuffer<float> distance;
    std::uint32_t count = 0;

    void push(std::uint32_t i, float decided = kUndecided) {
        distance[count] = decided;
        pair[count++] = i;
    }
    // push() without a branch.
    void push_if(bool wanted, std::uint32_t i) {
        distance[count] = kUndecided;
        pair[count] = i;
        count += static_cast<std::uint32_t>(wanted);
    }
};

// A list of pairs of general hulls, by slot.
struct SlotList {
    AlignedBuffer<std::uint32_t> slot;
    std::uint32_t count = 0;

    void push(std::uint32_t s) { slot[count++] = s; }
    void push_if(bool wanted, std::uint32_t s) {
        slot[count] = s;
        count += static_cast<std::uint32_t>(wanted);
    }
};

// Pairs that an axis separates by more than their margins, by slot, and their separations along it.
struct SeparatedPairs {
    AlignedBuffer<std::uint32_t> slot;
    AlignedBuffer<float> separation;
    std::uint32_t count = 0;
    bool wanted = false;  // otherwise none are listed

    void push(std::uint32_t s, float along) {
        separation[count] = along;
        slot[count++] = s;
    }
};

// Pairs of general hulls near enough for float32. A pair keeps its slot, which is its place in the four arrays, through
// all stages.
struct HullPairs {
    AlignedBuffer<PairRow> rows;
    AlignedBuffer<InverseRow> inverses;
    AlignedBuffer<AxisRow> axes;
    AlignedBuffer<PairOptimum> optima;
    AlignedBuffer<SearchReach> reach;  // only if `looks_below`
    AlignedBuffer<ClipFaces> clips;    // only if any pair is settled
    std::uint32_t count = 0;
    bool looks_below = false;  // searches look below their best faces by `reach`, and find the runners-up

    SlotList alive;             // pairs that no face separates by more than their margins
    std::uint32_t settled = 0;  // so many of them, the first ones, without a search
    SeparatedPairs separated;   // of the others
    SlotList faces;             // pairs whose contact a face gives
    SlotList edges;             // pairs whose contact two edges give
    SlotList apart;             // pairs apart whose best axis does not prove the distance

    void reserve() {
        rows.reserve(kListRoom);
        inverses.reserve(kListRoom);
        axes.reserve(kListRoom);
        optima.reserve(kListRoom);
        reach.reserve(kListRoom);
        clips.reserve(kListRoom);
        separated.slot.reserve(kListRoom);
        separated.separation.reserve(kListRoom);
        for (SlotList* list : {&alive, &faces, &edges, &apart}) list->slot.reserve(kListRoom);
    }
};

}  // namespace lanefold::detail
