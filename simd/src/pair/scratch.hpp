// SPDX-License-Identifier: MIT
//
// Working memory of one chunk: plain arrays between the stages. No SIMD types, so that one scratch serves
// every instruction set.
#pragma once

#include <cstdint>

#include <lanefold/aligned_buffer.hpp>
#include <lanefold/detail/chunk.hpp>

#include "pair/patch_scratch.hpp"

namespace lanefold::detail {

// Where the bodies and hulls of a pair are: found once, when it is sorted.
struct alignas(32) PairPlaces {
    const BodyFrame* frame_a;
    const BodyFrame* frame_b;
    const HullRecord* hull_a;
    const HullRecord* hull_b;
};

// A pair in the frame of hull A: x_A = r x_B + t (internal frames). 64 bytes: a stage that works on one pair reads one
// line, a stage with lanes = pairs transposes kWidth of them.
struct alignas(64) PairRow {
    float r[9];
    float t[3];
    float margin;  // follows t: what a load of four floats takes along is a number
    std::uint32_t hull_a;
    std::uint32_t hull_b;
    std::uint32_t pair;  // index in the chunk
};
static_assert(sizeof(PairRow) == 64);

// The way back: x_B = r x_A + t.
struct alignas(64) InverseRow {
    float r[9];
    float t[3];
    float scale;            // of coordinates into fixed point (search/bounds.hpp); follows t as the margin does
    std::int32_t offset_a;  // o of the two hulls
    std::int32_t offset_b;
    float reserved;
};
static_assert(sizeof(InverseRow) == 64);

// The axis between the centres and the pair's tolerances.
struct alignas(64) AxisRow {
    float n[3];       // unit, from A's centre to B's, A's frame; +x when they coincide
    float m[3];       // -r^T n: the direction in which B is queried
    float tn;         // t . n
    float slack;      // kPruneSlack * (size A + size B)
    float face_band;  // face_preference * size(smaller)
    float size_sum;
    float size_min;
    std::uint32_t support_a;  // along the axis, or from the pair cache: first witnesses
    std::uint32_t support_b;
    std::uint32_t best_on;  // what the pair cache says: 0 nothing, 1 the best face is A's best_face, 2 B's
    std::uint32_t best_face;
    std::uint16_t extra_a;  // with it second witnesses; otherwise vertex 0
    std::uint16_t extra_b;
};
static_assert(sizeof(AxisRow) == 64);

// Witnesses remembered per hull for the arc test. More would prune a little more; forgetting one costs time only.
inline constexpr std::uint32_t kMaxWitnesses = 8;

// Pairs searched side by side: enough to overlap, few enough for their states to stay in L1 and L2.
inline constexpr std::uint32_t kSearchGroup = 64;

// A vertex of the other hull, in the frame of the faces, in fixed point (search/bounds.hpp): both halves of every word.
struct Witness {
    std::int32_t x, y, z;
    std::uint32_t vertex;
};

// One face search: the faces of one hull against the vertices of the other.
struct alignas(64) FaceSearch {
    const float* planes;    // nx, ny, nz, d of each face; the coarse planes follow
    const float* vertices;  // x of the vertices; y, z follow
    const float* to_faces;  // rotation and translation from the other hull's frame, as in PairRow
    const float* to_other;  // the way back
    float scale;            // of coordinates into fixed point
    std::int32_t offset;    // o, both halves
    std::uint32_t faces;
    std::uint32_t vertex_count;
    std::uint32_t witness_count;
    std::uint32_t reserved[3];
    Witness witness[kMaxWitnesses];
};
static_assert(sizeof(FaceSearch) == 192);

// What the face searches of a group on one of the two hulls know, one entry a member.
struct alignas(64) FaceSearches {
    FaceSearch search[kSearchGroup];
    float value[kSearchGroup];           // best exact separation
    std::int32_t face[kSearchGroup];     // its face
    std::int32_t support[kSearchGroup];  // vertex of the other hull under it
    std::int32_t under[kSearchGroup];    // which witness that vertex is
    float cut[kSearchGroup];             // what a bound must reach to matter
    float slack[kSearchGroup];
    float scale[kSearchGroup];             // as in search
    float limit[kSearchGroup];             // the search ends once value exceeds it
    std::int32_t top_sum[kSearchGroup];    // highest bound, in fixed point
    std::int32_t top_face[kSearchGroup];   // its face
    std::int32_t evaluated[kSearchGroup];  // the face of the step under way, its vertex and separation
    std::int32_t vertex[kSearchGroup];
    float separation[kSearchGroup];
    float query[kSearchGroup][4];  // direction in the other hull's frame
};

// Optimum of the searches of one pair.
struct alignas(32) PairOptimum {
    float face_value;         // best face separation
    std::uint32_t face;       // its face
    std::uint32_t support;    // support vertex of the other hull under it
    std::uint32_t face_on_b;  // 0: the face is A's, 1: B's
    float edge_value;         // best edge pair above face_value, or face_value
    std::uint32_t edge_a;
    std::uint32_t edge_b;
    std::uint32_t has_edge;
};
static_assert(sizeof(PairOptimum) == 32);

// A touching pair of boxes on its way to a contact.
struct BoxPick {
    static constexpr std::int32_t kHasEdge = 1 << 8;    // the edge axis is better than the face axis
    static constexpr std::int32_t kFaceWins = 1 << 9;   // the face gives the manifold all the same
    static constexpr std::int32_t kUnproven = 1 << 10;  // apart: nothing has shown yet that the optimum is the distance
    static constexpr std::int32_t kCrowded = 1 << 11;   // clipped before: more points than the record holds

    std::uint32_t place;  // in box_list
    float optimum;
    std::int32_t codes;  // bits 0-3: best face axis (0..2 of A, 3..5 of B); 4-7: best edge axes (3 i + j); flags
    float margin;
};

// A list of them by columns, with room for a vector behind its end. Codes behind the end are those of some pick, or zero.
struct BoxPicks {
    AlignedBuffer<std::uint32_t> place;
    AlignedBuffer<float> optimum;
    AlignedBuffer<std::int32_t> codes;
    AlignedBuffer<float> margin;
    std::uint32_t count = 0;

    void reserve(std::size_t n) {
        place.reserve(n);
        optimum.reserve(n);
        codes.reserve(n);
        margin.reserve(n);
    }
    BoxPick operator[](std::uint32_t k) const { return {place[k], optimum[k], codes[k], margin[k]}; }
    void push(const BoxPick& p) {
        place[count] = p.place;
        optimum[count] = p.optimum;
        codes[count] = p.codes;
        margin[count] = p.margin;
        ++count;
    }
};

// Box pairs that no face axis separates, on their way to the edge axes: a group of the list at a time, in L1.
inline constexpr std::uint32_t kBoxGroup = 256;
struct alignas(64) BoxSurvivors {
    float r[9][kBoxGroup + kBlockLanes];  // as in BoxLanes
    float t[3][kBoxGroup + kBlockLanes];
    float ha[3][kBoxGroup + kBlockLanes];
    float hb[3][kBoxGroup + kBlockLanes];
    float band[kBoxGroup + kBlockLanes];  // face preference as a length
    float face_value[kBoxGroup + kBlockLanes];
    float margin[kBoxGroup + kBlockLanes];
    std::int32_t face_code[kBoxGroup + kBlockLanes];
    std::uint32_t place[kBoxGroup + kBlockLanes];
    std::uint32_t count;
};

// A face contact on its way to the clip.
struct alignas(32) FacePick {
    std::uint32_t slot;
    std::uint32_t incident_face;
    std::uint32_t reference_sides;
    std::uint32_t incident_sides;
    const float* polygon[2];  // reference, incident, in the hulls' blocks
};
static_assert(sizeof(FacePick) == 32);

// Where the edges of one hull of a pair come from.
struct EdgeSource {
    const float* vertices[3];  // x, y, z
    const float* planes;       // nx, ny, nz, d of each face
    const std::uint16_t* face0;
    const std::uint16_t* face1;
    const std::uint16_t* ends;  // two an edge
    float number;               // of the pair, taken along in the rows of its edges
};

// Surviving edges of one side (A's or B's hulls) of all pairs that wait.
struct EdgeRows {
    AlignedBuffer<std::uint32_t> edge;    // its number in the hull
    AlignedBuffer<std::uint32_t> member;  // of the search group
    AlignedBuffer<float> rows;            // see search/edge_rows.hpp
    std::uint32_t count = 0;
};

// The surviving edges of one pair: of A [at_a, at_a + count_a), of B likewise.
struct EdgeJob {
    std::uint32_t at_a;
    std::uint32_t count_a;
    std::uint32_t at_b;
    std::uint32_t count_b;
};

// Surviving edges of a side that wait at once: more than a search group leaves as a rule; their rows take 32 KB.
inline constexpr std::uint32_t kEdgeBatch = 512;

// Edges of either side that are combined at once.
inline constexpr std::uint32_t kEdgeBlock = 16;

// Combinations that wait at once: more than a search group leaves as a rule; the four lists of them take 16 KB.
inline constexpr std::uint32_t kCombinations = 1024;

// Face clipping of one pair: polygons (one extra entry closes the loop) and the points found.
struct ClipPolygon {
    AlignedBuffer<float> x, y, z;         // vertices, A's frame
    AlignedBuffer<float> sx, sy, sz, so;  // side planes: unit inward normal and offset
    AlignedBuffer<std::uint32_t> vertex;  // canonical ids
    AlignedBuffer<std::uint32_t> edge;
    std::uint32_t count = 0;
};

struct ClipPoints {
    AlignedBuffer<float> x, y, z;  // midpoints, A's frame
    AlignedBuffer<float> separation;
    AlignedBuffer<std::uint32_t> feature_a;  // feature numbers
    AlignedBuffer<std::uint32_t> feature_b;
    std::uint32_t count = 0;
};

struct ChunkScratch::Impl {
    PreciseScratch precise;

    // Lists of pair indices of the chunk. Behind the ends of those with places, the last pair again for a vector of lanes.
    AlignedBuffer<std::uint32_t> hull_list;
    AlignedBuffer<PairPlaces> hull_places;
    AlignedBuffer<std::uint32_t> box_list;
    AlignedBuffer<PairPlaces> box_places;
    AlignedBuffer<std::uint32_t> precise_list;
    AlignedBuffer<std::uint32_t> alive_list;  // slots not yet rejected
    AlignedBuffer<std::uint32_t> face_list;   // slots
    AlignedBuffer<std::uint32_t> edge_list;   // slots
    std::uint32_t hull_count = 0;
    std::uint32_t box_count = 0;
    std::uint32_t precise_count = 0;
    std::uint32_t alive_count = 0;
    std::uint32_t face_count = 0;
    std::uint32_t edge_count = 0;

    BoxSurvivors box_survivors = {};
    BoxPicks box_faces;
    BoxPicks box_edges;

    AlignedBuffer<FacePick> picks;
    AlignedBuffer<FacePick> sorted_picks;  // by sides

    AlignedBuffer<PairRow> rows;
    AlignedBuffer<InverseRow> inverses;
    AlignedBuffer<AxisRow> axes;
    AlignedBuffer<std::uint32_t> scan_a;  // scan classes of the hulls, by slot
    AlignedBuffer<std::uint32_t> scan_b;
    AlignedBuffer<float> gap;  // along the centre axis, beyond margin and slack
    AlignedBuffer<PairOptimum> optimum;

    // Face search, for one group of pairs.
    FaceSearches search[2];                 // of A's faces, of B's
    AlignedBuffer<std::int16_t> bound;      // kSearchGroup x bound_stride
    AlignedBuffer<std::uint32_t> group;     // slots of the group
    AlignedBuffer<std::uint32_t> members;   // of the group, not yet rejected
    AlignedBuffer<std::uint32_t> active;    // members still searching
    AlignedBuffer<std::int16_t> face_bits;  // F rounded up to 64

    // Surviving edges: of each member of the group A's and B's as bits; then as lists, with their combinations.
    AlignedBuffer<std::uint32_t> edge_masks;  // kSearchGroup x 2 x mask_stride
    AlignedBuffer<std::uint32_t> mask_words;  // numbers of words of a mask
    EdgeSource edge_source[2][kSearchGroup];  // of A, of B; of members whose arcs were tested
    EdgeRows edges_a;
    EdgeRows edges_b;
    AlignedBuffer<EdgeJob> edge_jobs;
    std::uint32_t edge_job_count = 0;
    AlignedBuffer<std::uint32_t> combination_a;  // places in edges_a and edges_b
    AlignedBuffer<std::uint32_t> combination_b;
    AlignedBuffer<std::uint32_t> crossing_a;  // of those, the ones whose arcs cross
    AlignedBuffer<std::uint32_t> crossing_b;
    std::uint32_t combination_count = 0;

    AlignedBuffer<PairDistance> overlap_records;  // level overlap: nobody reads them

    ClipPolygon reference;
    ClipPolygon incident;
    ClipPoints points;
    PatchScratch patch;

    std::uint32_t bound_stride = 0;  // row length of bound
    std::uint32_t mask_stride = 0;   // words of an edge mask
};

}  // namespace lanefold::detail
