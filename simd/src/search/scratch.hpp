// SPDX-License-Identifier: MIT
//
// Working memory of the searches: one group of pairs at a time. Part of a chunk's scratch; no SIMD types.
#pragma once

#include <lanefold/detail/hull_block.hpp>

#include "pair/rows.hpp"

namespace lanefold::detail {

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
    const float* planes;           // nx, ny, nz, d of each face; the coarse planes follow
    const float* vertices;         // x of the vertices; y, z follow
    const RelativePose* to_faces;  // from the other hull's frame
    const RelativePose* to_other;  // the way back
    float scale;                   // of coordinates into fixed point
    std::int32_t offset;           // o, both halves
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

// Up to kSearchGroup pairs that are searched side by side: its members, numbered from 0.
struct SearchGroup {
    std::uint32_t slot[kSearchGroup] = {};
    FaceSearches faces[2];              // the searches of A's faces, of B's
    AlignedBuffer<std::int16_t> bound;  // kSearchGroup x bound_stride
    std::uint32_t bound_stride = 0;
};

// Some members of the group, with room for a vector behind the last.
struct MemberList {
    std::uint32_t member[kSearchGroup + kBlockLanes];
};

// Where the edges of one hull of a pair come from.
struct EdgeSource {
    const float* vertices[3];  // x, y, z
    const float* planes;       // nx, ny, nz, d of each face
    const std::uint16_t* face0;
    const std::uint16_t* face1;
    const std::uint16_t* ends;  // two an edge
    float number;               // of the pair, taken along in the rows of its edges
};

// An edge as the test of combinations reads it, four points of 16 bytes each (search/edge_rows.hpp). `along`: second
// minus first vertex; x, y, z: first vertex; n0, n1: normals of its faces.
struct alignas(64) EdgeRowA {
    float n0[3];
    float x;
    float n1[3];
    float y;
    float along[3];
    float z;
    float along_again[3];
    float number;  // of EdgeSource
};
struct alignas(64) EdgeRowB {
    float along[3];
    float x;
    float along_again[3];
    float y;
    float n0[3];
    float z;
    float n1[3];
    float number;
};
static_assert(sizeof(EdgeRowA) == 64 && sizeof(EdgeRowB) == 64);

// Surviving edges of one side (A's or B's hulls) of all pairs that wait.
struct EdgeList {
    AlignedBuffer<std::uint32_t> edge;    // its number in the hull
    AlignedBuffer<std::uint32_t> member;  // of the search group
    std::uint32_t count = 0;
};
template <class Row>
struct EdgeRows : EdgeList {
    AlignedBuffer<Row> rows;
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

// Pairs of edges by their places in EdgeScratch::a and b.
struct EdgePairList {
    AlignedBuffer<std::uint32_t> a;
    AlignedBuffer<std::uint32_t> b;
    std::uint32_t count = 0;
};

// The edges of a group that may beat the best faces: as bits a hull, then as lists, with their combinations.
struct EdgeScratch {
    AlignedBuffer<std::int16_t> face_bits;  // of one hull, F rounded up to 64: which witnesses each face is deep above
    AlignedBuffer<std::uint32_t> masks;     // kSearchGroup x 2 x mask_stride: A's of each member, and B's
    std::uint32_t mask_stride = 0;
    AlignedBuffer<std::uint32_t> mask_words;  // of one mask, the numbers of the words that have a bit
    EdgeSource source[2][kSearchGroup];       // of A, of B; of members whose arcs were tested
    EdgeRows<EdgeRowA> a;
    EdgeRows<EdgeRowB> b;
    AlignedBuffer<EdgeJob> jobs;
    std::uint32_t job_count = 0;
    EdgePairList combinations;
    EdgePairList crossings;  // those whose arcs cross
};

struct SearchScratch {
    AlignedBuffer<std::uint32_t> scan_a;  // scan classes of the hulls, by slot
    AlignedBuffer<std::uint32_t> scan_b;
    AlignedBuffer<float> gap;  // by slot, along the centre axis, beyond margin and slack
    SlotList candidates;       // what the centre axes leave
    SearchGroup group;
    EdgeScratch edges;
    MemberList members = {};  // not yet rejected
    MemberList active = {};   // of these, those that take part in a step

    // Makes room for hulls of at most these counts.
    void reserve(std::size_t faces, std::size_t edges);
};

}  // namespace lanefold::detail
