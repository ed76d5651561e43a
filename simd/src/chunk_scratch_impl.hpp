// SPDX-License-Identifier: MIT
//
// Working memory of one chunk: plain arrays between the stages. No SIMD types, so that one scratch serves
// every instruction set.
#pragma once

#include <cstdint>

#include <lanefold/aligned_buffer.hpp>
#include <lanefold/detail/chunk.hpp>

#include "patch_scratch.hpp"

namespace lanefold::detail {

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
    float reserved[4];
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
    std::uint32_t support_a;  // along the axis
    std::uint32_t support_b;
    float reserved[3];
};
static_assert(sizeof(AxisRow) == 64);

// Witnesses remembered per hull for the arc test. More would prune a little more; forgetting one costs time only.
inline constexpr std::uint32_t kMaxWitnesses = 8;

// Pairs searched side by side: enough to overlap, few enough for their states to stay in L1 and L2.
inline constexpr std::uint32_t kSearchGroup = 64;

// One face search: the faces of one hull against the vertices of the other.
struct alignas(64) FaceSearch {
    const float* planes;    // nx of the faces; ny, nz, d follow at plane_stride
    const float* vertices;  // x of the vertices; y, z follow at vertex_stride
    const float* to_faces;  // rotation and translation from the other hull's frame, as in PairRow
    const float* to_other;  // the way back
    std::uint32_t plane_stride;
    std::uint32_t vertex_stride;
    std::uint32_t faces;
    std::uint32_t vertex_count;
    std::uint32_t witness_count;
    std::uint32_t reserved[3];
    float witness[kMaxWitnesses][4];  // in the frame of the faces; the fourth means nothing
};
static_assert(sizeof(FaceSearch) == 192);

// What the face searches of a group on one of the two hulls know, one entry a member.
struct alignas(64) FaceSearches {
    FaceSearch search[kSearchGroup];
    float value[kSearchGroup];           // best exact separation
    std::int32_t face[kSearchGroup];     // its face
    std::int32_t support[kSearchGroup];  // vertex of the other hull under it
    float cut[kSearchGroup];             // what a bound must reach to matter
    float slack[kSearchGroup];
    float limit[kSearchGroup];             // the search ends once value exceeds it
    float top_value[kSearchGroup];         // highest bound
    std::int32_t top_face[kSearchGroup];   // its face
    std::int32_t evaluated[kSearchGroup];  // the face of the step under way, its vertex and separation
    std::int32_t vertex[kSearchGroup];
    float separation[kSearchGroup];
    float query[kSearchGroup][4];  // direction in the other hull's frame
};

// Optimum of the searches of one pair.
struct PairOptimum {
    float face_value;         // best face separation
    std::uint32_t face;       // its face
    std::uint32_t support;    // support vertex of the other hull under it
    std::uint32_t face_on_b;  // 0: the face is A's, 1: B's
    float edge_value;         // best edge pair above face_value, or face_value
    std::uint32_t edge_a;
    std::uint32_t edge_b;
    std::uint32_t has_edge;
    std::uint32_t unproven;  // apart: nothing has shown yet that the best axis is the distance
    std::uint32_t reserved[3];
};

// A touching pair of boxes on its way to a contact.
struct BoxPick {
    static constexpr std::uint32_t kHasEdge = 1U << 8;   // the edge axis is better than the face axis
    static constexpr std::uint32_t kFaceWins = 1U << 9;  // the face gives the manifold all the same
    static constexpr std::uint32_t kUnproven = 1U
                                               << 10;  // apart: nothing has shown yet that the optimum is the distance
    static constexpr std::uint32_t kCrowded = 1U << 11;  // clipped before: more points than the record holds

    std::uint32_t place;  // in the list of box pairs
    float optimum;
    std::uint32_t codes;  // bits 0-3: best face axis (0..2 of A, 3..5 of B); 4-7: best edge axes (3 i + j); flags
    float margin;
};

// The box pairs of the chunk, and where their bodies and hulls are: found once, when the pair is sorted. Padded with
// copies of the last so that a load of kWidth stays inside.
struct BoxList {
    AlignedBuffer<std::uint32_t> pair;    // index in the chunk
    AlignedBuffer<const float*> frame_a;  // BodyFrame, from its first float
    AlignedBuffer<const float*> frame_b;
    AlignedBuffer<const float*> extents_a;  // size and half extents in the HullRecord
    AlignedBuffer<const float*> extents_b;
    std::uint32_t count = 0;
};

// A face contact on its way to the clip.
struct FacePick {
    std::uint32_t slot;
    std::uint32_t incident_face;
    std::uint32_t reference_sides;
    std::uint32_t incident_sides;
};

// A pair whose surviving edges wait for their combinations: entries [first, first + count_a) of the edge list are A's,
// the next count_b B's.
struct EdgeJob {
    std::uint32_t slot;
    std::uint32_t first;
    std::uint32_t count_a;
    std::uint32_t count_b;
};

// A vector of edge combinations of one pair, one of which may be the optimum: combination first + l is edge
// (first + l) / count_b of those from at_a in the edge list with edge (first + l) % count_b of those from at_b.
struct EdgeCandidate {
    std::uint32_t slot;
    std::uint32_t at_a;
    std::uint32_t at_b;
    std::uint32_t count_a;
    std::uint32_t count_b;
    std::uint32_t first;
    std::uint32_t may_win;   // bit l: lane l may be the optimum
    std::uint32_t doubtful;  // of these: the axis must be checked with full supports
};

// Surviving edges that wait at once: what a search group leaves as a rule, 24 KB.
inline constexpr std::uint32_t kEdgeListBatch = 2048;

// Candidates that wait at once: more than a search group leaves as a rule, 72 KB with the widest lanes.
inline constexpr std::uint32_t kEdgeCandidates = 128;

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

    // Lists of pair indices of the chunk.
    AlignedBuffer<std::uint32_t> hull_list;
    AlignedBuffer<std::uint32_t> precise_list;
    AlignedBuffer<std::uint32_t> alive_list;  // slots not yet rejected
    AlignedBuffer<std::uint32_t> face_list;   // slots
    AlignedBuffer<std::uint32_t> edge_list;   // slots
    std::uint32_t hull_count = 0;
    std::uint32_t precise_count = 0;
    std::uint32_t alive_count = 0;
    std::uint32_t face_count = 0;
    std::uint32_t edge_count = 0;

    BoxList boxes;
    AlignedBuffer<BoxPick> box_faces;
    AlignedBuffer<BoxPick> box_edges;
    std::uint32_t box_face_count = 0;
    std::uint32_t box_edge_count = 0;

    AlignedBuffer<FacePick> picks;
    AlignedBuffer<FacePick> sorted_picks;  // by sides

    AlignedBuffer<PairRow> rows;
    AlignedBuffer<InverseRow> inverses;
    AlignedBuffer<AxisRow> axes;
    AlignedBuffer<float> gap;  // along the centre axis, beyond margin and slack
    AlignedBuffer<PairOptimum> optimum;

    // Face search, for one group of pairs.
    FaceSearches search_a;
    FaceSearches search_b;
    AlignedBuffer<float> bound;             // kSearchGroup x plane_stride
    AlignedBuffer<std::uint32_t> group;     // slots of the group
    AlignedBuffer<std::uint32_t> members;   // of the group, not yet rejected
    AlignedBuffer<std::uint32_t> active;    // members still searching
    AlignedBuffer<std::int32_t> face_bits;  // F'

    // Surviving edges: of each member of the group A's and B's as bits; then, of the pairs in edge_jobs, as lists.
    AlignedBuffer<std::uint32_t> edge_masks;  // kSearchGroup x 2 x mask_stride
    AlignedBuffer<std::uint32_t> edges;
    AlignedBuffer<std::uint32_t> edge_vertices;  // first and second, 16 bits each
    AlignedBuffer<std::uint32_t> edge_faces;     // face0 and face1, likewise
    AlignedBuffer<EdgeJob> edge_jobs;            // kSearchGroup
    AlignedBuffer<EdgeCandidate> edge_candidates;
    AlignedBuffer<float> candidate_lanes;  // 9 vectors each
    std::uint32_t edge_candidate_count = 0;
    std::uint32_t edge_list_count = 0;
    std::uint32_t edge_job_count = 0;

    AlignedBuffer<PairDistance> overlap_records;  // level overlap: nobody reads them

    ClipPolygon reference;
    ClipPolygon incident;
    ClipPoints points;
    PatchScratch patch;

    std::uint32_t plane_stride = 0;  // row length of bound
    std::uint32_t mask_stride = 0;   // words of an edge mask
};

}  // namespace lanefold::detail
