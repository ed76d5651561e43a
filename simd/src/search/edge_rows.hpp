// SPDX-License-Identifier: MIT
//
// Surviving edges as rows. The masks of the arc test become lists, and the lists become the rows that the test of
// combinations reads. A row has four points of 16 bytes:
//
//             point 0          point 1          point 2          point 3
//   A's edge  n0, v.x          n1, v.y          e, v.z           e, face_value   n0, n1  normals of face0 and face1
//   B's edge  e, v.x           e, v.y           n0, v.z          n1, mean_size    e       second minus first vertex
// The product of an A row and a B row holds the dot products of A's two normals with B's edge and of B's two normals
// with A's edge. The fourth elements hold what only combinations that pass the test need, in the same cache line.
// EdgeRowA and EdgeRowB name the elements.
#pragma once

#include <cstddef>

#include "lanes/quad_row.hpp"
#include "search/arcs.hpp"

namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE {

// The places of the edges of a hull. `number`: for A's hull EdgeRowA::face_value, for B's hull EdgeRowB::mean_size.
LANEFOLD_INLINE EdgeSource edge_source(const HullFloats& h, const HullTopology& t, float number) {
    return {{h.vx, h.vy, h.vz}, h.planes, t.edge_face0, t.edge_face1, t.edge_vertex, number};
}

// Appends the edges of a mask that surviving_edges() wrote; returns how many. `words`: room for the numbers of its
// words.
LANEFOLD_INLINE std::uint32_t list_edges(EdgeList& out, std::uint32_t member, std::uint32_t edges,
                                         const std::uint32_t* alive, std::uint32_t* words) {
    // Usually one or two words have a set bit. The first loop finds them without a branch, the second lists their bits.
    std::uint32_t count_words = 0;
    for (std::uint32_t i = 0; 32 * i < edges; ++i) {
        words[count_words] = i;
        count_words += alive[i] != 0 ? 1U : 0U;
    }
    std::uint32_t n = out.count;
    for (std::uint32_t k = 0; k < count_words; ++k)
        n += list_bits<32>(alive[words[k]], 32 * words[k], out.edge.data() + n);
    const WInt owner(static_cast<std::int32_t>(member));
    for (std::uint32_t k = out.count; k < n; k += kWidth)
        owner.storeu(reinterpret_cast<std::int32_t*>(out.member.data()) + k);
    const std::uint32_t count = n - out.count;
    out.count = n;
    return count;
}

// An edge in the frame of its hull.
struct EdgeQuads {
    Quad n0, n1;  // planes of its faces; the fourth elements count for nothing
    Quad vertex, along;

    LANEFOLD_INLINE EdgeQuads(const EdgeSource& h, std::size_t e)
        : n0(load_quad(plane_at(h.planes, h.face0[e]))), n1(load_quad(plane_at(h.planes, h.face1[e]))) {
        const std::size_t v0 = h.ends[2 * e];
        const std::size_t v1 = h.ends[2 * e + 1];
        vertex = Quad{h.vertices[0][v0], h.vertices[1][v0], h.vertices[2][v0], 0.0F};
        along = Quad{h.vertices[0][v1], h.vertices[1][v1], h.vertices[2][v1], 0.0F} - vertex;
    }
};

LANEFOLD_INLINE Quad with_fourth(Quad q, float number) {
    q[3] = number;
    return q;
}

// Writes the row of edge e in the frame of its hull.
LANEFOLD_INLINE void write_edge_row(const EdgeSource& h, std::size_t e, EdgeRowA& row) {
    const EdgeQuads q(h, e);
    store_quad(with_fourth(q.n0, q.vertex[0]), row.n0);
    store_quad(with_fourth(q.n1, q.vertex[1]), row.n1);
    store_quad(with_fourth(q.along, q.vertex[2]), row.along);
    store_quad(with_fourth(q.along, h.number), row.along_again);
}
LANEFOLD_INLINE void write_edge_row(const EdgeSource& h, std::size_t e, EdgeRowB& row) {
    const EdgeQuads q(h, e);
    store_quad(with_fourth(q.along, q.vertex[0]), row.along);
    store_quad(with_fourth(q.along, q.vertex[1]), row.along_again);
    store_quad(with_fourth(q.n0, q.vertex[2]), row.n0);
    store_quad(with_fourth(q.n1, h.number), row.n1);
}

// Writes the rows of all listed edges, in the frames of their own hulls.
template <class Row>
inline void write_edge_rows(const EdgeSource* sources, EdgeRows<Row>& out) {
    for (std::uint32_t k = 0; k < out.count; ++k) write_edge_row(sources[out.member[k]], out.edge[k], out.rows[k]);
}

// Turns B's rows into A's frame. `slots`: those of the group.
inline void turn_edge_rows(const HullPairs& pairs, const std::uint32_t* slots, EdgeRows<EdgeRowB>& edges) {
    for (std::uint32_t k = 0; k < edges.count; ++k) {
        // The rows of the inverse rotation are the columns of the rotation.
        const std::uint32_t slot = slots[edges.member[k]];
        const float* columns = pairs.inverses[slot].to_b.r;
        EdgeRowB& edge = edges.rows[k];
        const float x = edge.x;
        const float y = edge.y;
        const float z = edge.z;
        const float mean_size = edge.mean_size;
        const QuadRow row = load_row(edge.along);
        store_row((spread<0>(row) * repeat_quad(columns) + spread<1>(row) * repeat_quad(columns + 3)) +
                      spread<2>(row) * repeat_quad(columns + 6),
                  edge.along);
        float p[4];
        const Quad turned = transposed_times(columns, x, y, z) + load_quad(pairs.rows[slot].to_a.t);
        __builtin_memcpy(p, &turned, sizeof p);
        edge.x = p[0];
        edge.y = p[1];
        edge.z = p[2];
        edge.mean_size = mean_size;
    }
}

// kWidth rows of A's and of B's edges in lanes.
static_assert(offsetof(EdgeRowA, n0) == 0 && offsetof(EdgeRowA, x) == 12 && offsetof(EdgeRowA, n1) == 16 &&
              offsetof(EdgeRowA, y) == 28 && offsetof(EdgeRowA, along) == 32 && offsetof(EdgeRowA, z) == 44 &&
              offsetof(EdgeRowA, along_again) == 48 && offsetof(EdgeRowA, face_value) == 60);
struct LaneEdgeA {
    WVec3 n0, n1, along, vertex;
    WFloat face_value;  // separation of the best face

    template <class Rows>
    LANEFOLD_INLINE static LaneEdgeA load(const Rows& rows) {
        WFloat q[16];
        load_rows16(rows, q);
        return {{q[0], q[1], q[2]}, {q[4], q[5], q[6]}, {q[8], q[9], q[10]}, {q[3], q[7], q[11]}, q[15]};
    }
};
static_assert(offsetof(EdgeRowB, along) == 0 && offsetof(EdgeRowB, x) == 12 && offsetof(EdgeRowB, along_again) == 16 &&
              offsetof(EdgeRowB, y) == 28 && offsetof(EdgeRowB, n0) == 32 && offsetof(EdgeRowB, z) == 44 &&
              offsetof(EdgeRowB, n1) == 48 && offsetof(EdgeRowB, mean_size) == 60);
struct LaneEdgeB {
    WVec3 along, vertex, n0, n1;
    WFloat mean_size;  // of both hulls

    template <class Rows>
    LANEFOLD_INLINE static LaneEdgeB load(const Rows& rows) {
        WFloat q[16];
        load_rows16(rows, q);
        return {{q[0], q[1], q[2]}, {q[3], q[7], q[11]}, {q[8], q[9], q[10]}, {q[12], q[13], q[14]}, q[15]};
    }
};

}  // namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE
