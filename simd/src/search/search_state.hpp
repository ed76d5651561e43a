// SPDX-License-Identifier: MIT
//
// Working memory of the searches, for one group of pairs at a time. It is part of a chunk's scratch and holds no SIMD
// types.
#pragma once

#include <lanefold/detail/hull_block.hpp>

#include "pair/rows.hpp"

namespace lanefold::detail {

// Witnesses kept per hull for the arc test. More would prune slightly more edges; an overwritten witness costs time
// only.
inline constexpr std::uint32_t kMaxWitnesses = 8;

// Pairs that are searched together: enough to overlap their chains, few enough for their states to stay in L1 and L2.
inline constexpr std::uint32_t kSearchGroup = 64;

// A vertex of the other hull in the frame of the faces, in fixed point (search/bounds.hpp), each coordinate in both
// halves of its word.
struct Witness {
    std::int32_t x, y, z;
    std::uint32_t vertex;
};

// One face search: the faces of one hull against the vertices of the other.
struct alignas(64) FaceSearch {
    const float* planes;           // nx, ny, nz, d of each face; the coarse planes follow
    const float* vertices;         // x of the vertices; y, z follow
    const RelativePose* to_faces;  // from the other hull's frame into the frame of the faces
    const RelativePose* to_other;  // its inverse
    float scale;                   // from coordinates to fixed point
    std::int32_t offset;           // o of search/bounds.hpp, in both halves
    std::uint32_t faces;
    std::uint32_t vertex_count;
    std::uint32_t witness_count;
    std::uint32_t lost_witnesses;  // not 0: some were overwritten
    std::uint32_t reserved[2];
    Witness witness[kMaxWitnesses];
};
static_assert(sizeof(FaceSearch) == 192);

// State of the face searches of a group on one of the two hulls, one entry per member.
struct alignas(64) FaceSearches {
    FaceSearch search[kSearchGroup];
    float value[kSearchGroup];           // best exact separation
    std::int32_t face[kSearchGroup];     // its face
    std::int32_t support[kSearchGroup];  // vertex of the other hull that is its support
    std::int32_t under[kSearchGroup];    // index of the witness that is this vertex
    float cut[kSearchGroup];             // a bound below it, less slack, does not matter
    float slack[kSearchGroup];
    float scale[kSearchGroup];             // as in FaceSearch
    float limit[kSearchGroup];             // the search ends once value exceeds it
    std::int32_t top_sum[kSearchGroup];    // highest bound, in fixed point
    std::int32_t top_face[kSearchGroup];   // its face
    std::int32_t evaluated[kSearchGroup];  // the face of the current step; its vertex and separation follow
    std::int32_t vertex[kSearchGroup];
    float separation[kSearchGroup];
    // Only if the search looks below its best face: the runner-up, with its support, and the best separation of all
    // others.
    float second[kSearchGroup];
    std::int32_t second_face[kSearchGroup];  // -1: none
    std::int32_t second_support[kSearchGroup];
    float third[kSearchGroup];
    float query[kSearchGroup][4];  // direction in the other hull's frame
};

// Up to kSearchGroup pairs that are searched together; its members are numbered from 0.
struct SearchGroup {
    std::uint32_t slot[kSearchGroup] = {};
    FaceSearches faces[2];              // searches of A's faces, of B's faces
    AlignedBuffer<std::int16_t> bound;  // kSearchGroup x bound_stride
    std::uint32_t bound_stride = 0;
};

// Some members of the group, with room for one vector behind the last.
struct MemberList {
    std::uint32_t member[kSearchGroup + kBlockLanes];
};

// The source of the edges of one hull of a pair.
struct EdgeSource {
    const float* vertices[3];  // x, y, z
    const float* planes;       // nx, ny, nz, d of each face
    const std::uint16_t* face0;
    const std::uint16_t* face1;
    const std::uint16_t* ends;  // two an edge
    float number;               // a number of the pair for the rows of its edges, see edge_source()
};

// An edge as the test of combinations reads it: four points of 16 bytes (search/edge_rows.hpp). `along`: second minus
// first vertex; x, y, z: first vertex; n0, n1: normals of its faces.
struct alignas(64) EdgeRowA {
    float n0[3];
    float x;
    float n1[3];
    float y;
    float along[3];
    float z;
    float along_again[3];
    float face_value;  // separation of the pair's best face
};
struct alignas(64) EdgeRowB {
    float along[3];
    float x;
    float along_again[3];
    float y;
    float n0[3];
    float z;
    float n1[3];
    float mean_size;  // of both hulls
};
static_assert(sizeof(EdgeRowA) == 64 && sizeof(EdgeRowB) == 64);

// Listed surviving edges of one side (A's or B's hulls), of all pairs of the group.
struct EdgeList {
    AlignedBuffer<std::uint32_t> edge;    // its number in the hull
    AlignedBuffer<std::uint32_t> member;  // of the search group
    std::uint32_t count = 0;
};
template <class Row>
struct EdgeRows : EdgeList {
    AlignedBuffer<Row> rows;
};

// The surviving edges of one pair: [at_a, at_a + count_a) in A's list, [at_b, at_b + count_b) in B's.
struct EdgeJob {
    std::uint32_t at_a;
    std::uint32_t count_a;
    std::uint32_t at_b;
    std::uint32_t count_b;
};

// Listed edges of one side at which the lists are combined. A search group seldom leaves more; their rows take 32 KB.
inline constexpr std::uint32_t kEdgeBatch = 512;

// Edges of each side in one block of combinations.
inline constexpr std::uint32_t kEdgeBlock = 16;

// Room for listed combinations. A search group seldom leaves more; the four lists of them take 16 KB.
inline constexpr std::uint32_t kCombinations = 1024;

// Pairs of edges, by their places in EdgeScratch::a and EdgeScratch::b.
struct EdgePairList {
    AlignedBuffer<std::uint32_t> a;
    AlignedBuffer<std::uint32_t> b;
    std::uint32_t count = 0;
};

// The edges of a group that may beat the best faces: first as masks, then as lists, then as combinations.
struct EdgeScratch {
    AlignedBuffer<std::int16_t> face_bits;  // of one hull, F rounded up to 64: which witnesses are deep below each face
    AlignedBuffer<std::uint32_t> masks;     // kSearchGroup x 2 x mask_stride: A's of each member, and B's
    std::uint32_t mask_stride = 0;
    AlignedBuffer<std::uint32_t> mask_words;  // numbers of the words of one mask that have a set bit
    EdgeSource source[2][kSearchGroup];       // of A, of B; only for members whose arcs were tested
    EdgeRows<EdgeRowA> a;
    EdgeRows<EdgeRowB> b;
    AlignedBuffer<EdgeJob> jobs;
    std::uint32_t job_count = 0;
    EdgePairList combinations;
    EdgePairList crossings;  // combinations whose arcs cross
};

struct SearchScratch {
    AlignedBuffer<std::uint32_t> scan_a;  // scan classes of the hulls, by slot
    AlignedBuffer<std::uint32_t> scan_b;
    AlignedBuffer<float> gap;  // by slot: gap along the centre axis, less margin and slack
    bool searches_all = true;  // all pairs; `searched` is not read
    SlotList searched;         // the pairs that are searched
    SlotList candidates;       // of these, pairs that their centre axis does not drop
    SearchGroup group;
    EdgeScratch edges;
    MemberList members = {};  // members that are not rejected
    MemberList room = {};     // for lists that last for one step

    // Reserves memory for hulls of at most these counts.
    void reserve(std::size_t faces, std::size_t edges);
};

}  // namespace lanefold::detail
