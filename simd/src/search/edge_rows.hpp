// SPDX-License-Identifier: MIT
//
// Surviving edges as rows: from the masks of the arc test to lists, and from there to what the test of combinations reads,
// four points of 16 bytes each:
//
//             point 0          point 1          point 2          point 3
//   A's edge  n0, v.x          n1, v.y          e, v.z           e, number       n0, n1  normals of face0 and face1
//   B's edge  e, v.x           e, v.y           n0, v.z          n1, number      e       second minus first vertex
//                                                                                v       first vertex
// so that the product of two rows holds what both pairs of normals have in common with the other edge. The fourth elements
// take along what only combinations that pass need, in the same cache line.
#pragma once

#include "lanes/quad_row.hpp"
#include "search/arcs.hpp"

namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE {

// Where the edges of a hull are. `number`: for A's hull the separation of the best face, for B's the mean size of both.
LANEFOLD_INLINE EdgeSource edge_source(const HullFloats& h, const HullTopology& t, float number) {
    return {{h.vx, h.vy, h.vz}, h.planes, t.edge_face0, t.edge_face1, t.edge_vertex, number};
}

// Appends the edges of a mask (as surviving_edges() leaves it); returns how many. `words`: room for the numbers of its words.
LANEFOLD_INLINE std::uint32_t list_edges(EdgeRows& out, std::uint32_t member, std::uint32_t edges,
                                         const std::uint32_t* alive, std::uint32_t* words) {
    // One or two of the words have a bit: first which, without a branch, then their bits.
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

// First elements of the normals and of the direction.
template <bool kOfB>
inline constexpr std::uint32_t kRowNormals = kOfB ? 8 : 0;
template <bool kOfB>
inline constexpr std::uint32_t kRowDirection = kOfB ? 0 : 8;

// The rows of all listed edges, in the frames of their own hulls. Written number by number, which costs no later pass a wait:
// it reads them whole when they have long left the store buffer.
template <bool kOfB>
inline void write_edge_rows(EdgeScratch& edges) {
    EdgeRows& out = kOfB ? edges.b : edges.a;
    const EdgeSource* sources = edges.source[kOfB ? 1 : 0];
    for (std::uint32_t k = 0; k < out.count; ++k) {
        const EdgeSource& h = sources[out.member[k]];
        const std::size_t e = out.edge[k];
        const float* n0 = plane_at(h.planes, h.face0[e]);
        const float* n1 = plane_at(h.planes, h.face1[e]);
        const std::size_t v0 = h.ends[2 * e];
        const std::size_t v1 = h.ends[2 * e + 1];
        float* row = out.rows.data() + std::size_t{k} * kRowFloats;
        float* normals = row + kRowNormals<kOfB>;
        float* direction = row + kRowDirection<kOfB>;
        for (std::uint32_t c = 0; c < 3; ++c) {
            const float at = h.vertices[c][v0];
            const float along = h.vertices[c][v1] - at;
            normals[c] = n0[c];
            normals[4 + c] = n1[c];
            direction[c] = along;
            direction[4 + c] = along;
            row[4 * c + 3] = at;
        }
        row[15] = h.number;
    }
}

// B's rows into A's frame. `slots`: of the group.
inline void turn_edge_rows(const HullPairs& pairs, const std::uint32_t* slots, EdgeRows& rows) {
    for (std::uint32_t k = 0; k < rows.count; ++k) {
        // The rows of the way back are the columns of the way there.
        const std::uint32_t slot = slots[rows.member[k]];
        const float* columns = pairs.inverses[slot].to_b.r;
        float* at = rows.rows.data() + std::size_t{k} * kRowFloats;
        const float x = at[3];
        const float y = at[7];
        const float z = at[11];
        const float number = at[15];
        const QuadRow row = load_row(at);
        store_row((spread<0>(row) * repeat_quad(columns) + spread<1>(row) * repeat_quad(columns + 3)) +
                      spread<2>(row) * repeat_quad(columns + 6),
                  at);
        float p[4];
        const Quad turned = transposed_times(columns, x, y, z) + load_quad(pairs.rows[slot].to_a.t);
        __builtin_memcpy(p, &turned, sizeof p);
        at[3] = p[0];
        at[7] = p[1];
        at[11] = p[2];
        at[15] = number;
    }
}

}  // namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE
