// SPDX-License-Identifier: MIT
//
// Edge pairs: lanes = combinations of a surviving edge of A with one of B, of one pair of hulls.
//
// The few surviving edges of either hull fit a vector (or a few, taken block by block); their ends and normals are looked up
// into lanes = edges, those of B turned into A's frame, and the lanes of all combinations permuted from there. No
// rows are written and transposed, and nothing waits in a queue.
//
// Two edges build a face of the Minkowski difference iff their arcs cross on the Gauss map (D. Gregorius, "The
// Separating Axis Test between Convex Polyhedra", GDC 2013). The axis is then the normalised cross product.
#pragma once

#include "chunk_scratch_impl.hpp"
#include "hull_arcs.hpp"
#include "support.hpp"

namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE {

// sin^2 of the angle between two edges below which their cross product is not a usable axis. At sin = 1e-6 the
// separation varies by less than 1e-6 of size along the whole stretch that is given up.
inline constexpr float kParallelSine2 = 1e-12F;

// An axis is evaluated with full supports instead of being trusted when (length of the shorter edge) * sin is below
// a tenth of the hulls' size: the ends of the edges are known to 1e-7 of size, so the axis may lean by ten times that.
inline constexpr float kDoubtfulReach2 = 1e-2F;

// Edges of one hull, lanes = edges.
struct EdgeLanes {
    WVec3 p;  // first vertex
    WVec3 e;  // second minus first
    WVec3 n0, n1;
};

template <std::uint32_t kVectorsV, std::uint32_t kVectorsF>
LANEFOLD_INLINE void look_up_edges(const HullFloats& h, WInt vertices, WInt faces, EdgeLanes& out) {
    // An index above the table's size repeats the table: the upper half needs no clearing.
    const WInt v1 = shift_right_logical(vertices, 16);
    const WInt f1 = shift_right_logical(faces, 16);
    out.p = {look_up<kVectorsV>(h.vx, vertices), look_up<kVectorsV>(h.vy, vertices),
             look_up<kVectorsV>(h.vz, vertices)};
    const WVec3 end = {look_up<kVectorsV>(h.vx, v1), look_up<kVectorsV>(h.vy, v1), look_up<kVectorsV>(h.vz, v1)};
    out.e = end - out.p;
    out.n0 = {look_up<kVectorsF>(h.nx, faces), look_up<kVectorsF>(h.ny, faces), look_up<kVectorsF>(h.nz, faces)};
    out.n1 = {look_up<kVectorsF>(h.nx, f1), look_up<kVectorsF>(h.ny, f1), look_up<kVectorsF>(h.nz, f1)};
}

template <std::uint32_t kVectorsV>
LANEFOLD_INLINE void look_up_edges(const HullFloats& h, WInt vertices, WInt faces, EdgeLanes& out) {
    if (h.faces <= kWidth)
        look_up_edges<kVectorsV, 1>(h, vertices, faces, out);
    else if (h.faces <= 2 * kWidth)
        look_up_edges<kVectorsV, 2>(h, vertices, faces, out);
    else
        look_up_edges<kVectorsV, 4>(h, vertices, faces, out);
}

// Edges [0, count) of the list, count <= kWidth. Lanes beyond hold garbage, but finite: some edge, or zero.
LANEFOLD_INLINE void load_edges(const HullFloats& h, const std::uint32_t* vertices, const std::uint32_t* faces,
                                std::uint32_t count, EdgeLanes& out) {
    if constexpr (kLookUpVectors >= 4) {
        // Three vectors are looked up as four: the fourth is whatever follows in the block.
        if (h.vertices <= 4 * kWidth && h.faces <= 4 * kWidth) {
            const WInt v = WInt::loadu(reinterpret_cast<const std::int32_t*>(vertices));
            const WInt f = WInt::loadu(reinterpret_cast<const std::int32_t*>(faces));
            if (h.vertices <= kWidth)
                look_up_edges<1>(h, v, f, out);
            else if (h.vertices <= 2 * kWidth)
                look_up_edges<2>(h, v, f, out);
            else
                look_up_edges<4>(h, v, f, out);
            return;
        }
    }
    alignas(64) float lanes[12][kWidth] = {};
    for (std::uint32_t l = 0; l < count; ++l) {
        const std::uint32_t v0 = vertices[l] & 0xFFFFU;
        const std::uint32_t v1 = vertices[l] >> 16;
        const std::uint32_t f0 = faces[l] & 0xFFFFU;
        const std::uint32_t f1 = faces[l] >> 16;
        lanes[0][l] = h.vx[v0];
        lanes[1][l] = h.vy[v0];
        lanes[2][l] = h.vz[v0];
        lanes[3][l] = h.vx[v1];
        lanes[4][l] = h.vy[v1];
        lanes[5][l] = h.vz[v1];
        lanes[6][l] = h.nx[f0];
        lanes[7][l] = h.ny[f0];
        lanes[8][l] = h.nz[f0];
        lanes[9][l] = h.nx[f1];
        lanes[10][l] = h.ny[f1];
        lanes[11][l] = h.nz[f1];
    }
    const auto at = [&](int k) {
        return WVec3{WFloat::load(lanes[k]), WFloat::load(lanes[k + 1]), WFloat::load(lanes[k + 2])};
    };
    out.p = at(0);
    out.e = at(3) - out.p;
    out.n0 = at(6);
    out.n1 = at(9);
}

LANEFOLD_INLINE WVec3 rotate(const PairRow& row, const WVec3& v) {
    return {(splat(row.r[0]) * v.x + splat(row.r[1]) * v.y) + splat(row.r[2]) * v.z,
            (splat(row.r[3]) * v.x + splat(row.r[4]) * v.y) + splat(row.r[5]) * v.z,
            (splat(row.r[6]) * v.x + splat(row.r[7]) * v.y) + splat(row.r[8]) * v.z};
}

// Edges of B into A's frame.
LANEFOLD_INLINE void rotate_edges(const PairRow& row, EdgeLanes& b) {
    b.p = rotate(row, b.p) + WVec3{splat(row.t[0]), splat(row.t[1]), splat(row.t[2])};
    b.e = rotate(row, b.e);
    b.n0 = rotate(row, b.n0);
    b.n1 = rotate(row, b.n1);
}

LANEFOLD_INLINE WVec3 permute(const WVec3& v, WInt lane) {
    return {permute(v.x, lane), permute(v.y, lane), permute(v.z, lane)};
}
LANEFOLD_INLINE EdgeLanes permute(const EdgeLanes& e, WInt lane) {
    return {permute(e.p, lane), permute(e.e, lane), permute(e.n0, lane), permute(e.n1, lane)};
}

// What decides cheaply whether two edges can matter: their cross product and whether the arcs cross.
struct EdgeCross {
    WVec3 c;  // ea x eb or its opposite, whichever leads from A to B
    WFloat ea2, eb2;
    WFloat c2;
    WMask crossing;  // the arcs cross and the edges are not parallel
};

// Both edges in A's frame.
LANEFOLD_INLINE EdgeCross edge_cross(const EdgeLanes& a, const EdgeLanes& b) {
    const WFloat zero(0.0F);
    const WFloat x0 = dot(b.n0, a.e);
    const WFloat x1 = dot(b.n1, a.e);
    const WFloat y0 = dot(a.n0, b.e);
    const WFloat y1 = dot(a.n1, b.e);
    EdgeCross r;
    // n = y1 n0 - y0 n1 (up to a positive factor) lies on A's arc, and ea x eb is its opposite when y0 < 0 < y1.
    const WMask up = (x0 < zero) & (x1 > zero) & (y0 < zero) & (y1 > zero);
    const WMask down = (x0 > zero) & (x1 < zero) & (y0 > zero) & (y1 < zero);
    r.ea2 = dot(a.e, a.e);
    r.eb2 = dot(b.e, b.e);
    const WVec3 c = cross(a.e, b.e);
    r.c = select(up, negate(c), c);
    r.c2 = dot(c, c);
    r.crossing = (up | down) & (r.c2 > r.ea2 * r.eb2 * splat(kParallelSine2));
    return r;
}

// Lanes whose edges may separate by more than `best`, without the divisions that the axis itself takes. The cross product
// is off by a few roundings of |ea| |eb|, the separation along it by as much of the distance of the edges:
// `slack` = kPruneSlack * size_sum, times the larger square of an edge, is beyond both.
LANEFOLD_INLINE WMask may_win(const EdgeCross& x, const WVec3& from_a_to_b, float best, float slack) {
    const WFloat w = dot(x.c, from_a_to_b) + max(x.ea2, x.eb2) * splat(slack);
    return x.crossing & (w > splat(best - slack) * sqrt(x.c2));
}

struct EdgeAxis {
    WVec3 n;       // unit, from A to B
    WFloat value;  // separation of the two lines along n
};

// `c`: ea x eb or its opposite, whichever leads from A to B.
LANEFOLD_INLINE EdgeAxis edge_axis(const WVec3& c, const WVec3& ea, const WVec3& from_a_to_b) {
    // Rounding tilts c towards the edges by about 1e-7 / sin; take that out against one edge, which (the other
    // being nearly parallel where it matters) takes it out against both.
    const WVec3 u = c - ea * (dot(c, ea) / dot(ea, ea));
    const WFloat length = sqrt(dot(u, u));
    EdgeAxis r;
    r.n = {u.x / length, u.y / length, u.z / length};
    r.value = dot(r.n, from_a_to_b);
    return r;
}

// `lever`: mean size of the hulls.
LANEFOLD_INLINE WMask doubtful_axis(const EdgeCross& x, float lever) {
    return x.c2 < max(x.ea2, x.eb2) * splat(lever * lever * kDoubtfulReach2);
}

// Separation of the pair in `slot` along n (unit, A's frame) by full supports.
inline float full_support_separation(const ChunkJob& job, const PairRow& row, float nx, float ny, float nz) {
    const HullFloats a = hull_floats(job.hulls[row.hull_a]);
    const HullFloats b = hull_floats(job.hulls[row.hull_b]);
    const float* r = row.r;
    const Best top = support(a, nx, ny, nz);
    const Best low = support(b, -((r[0] * nx + r[3] * ny) + r[6] * nz), -((r[1] * nx + r[4] * ny) + r[7] * nz),
                             -((r[2] * nx + r[5] * ny) + r[8] * nz));
    return (((nx * row.t[0] + ny * row.t[1]) + nz * row.t[2]) - low.value) - top.value;
}

// A vector of combinations that may hold the winner of its pair, on its way from the test to the axis.
struct CandidateLanes {
    WVec3 c;  // the axis, any length, from A to B
    WVec3 ea;
    WVec3 from_a_to_b;
};
inline constexpr std::uint32_t kCandidateFloats = 9;
static_assert(sizeof(CandidateLanes) == sizeof(float) * kCandidateFloats * kWidth);

// Tests every combination of the edges in the lanes of a with those of b. What may win becomes a candidate.
LANEFOLD_INLINE void test_edge_block(ChunkScratch::Impl& s, EdgeCandidate head, const EdgeLanes& a, const EdgeLanes& b,
                                     float lever, float slack, float best) {
    const std::uint32_t count = head.count_a * head.count_b;
    LANEFOLD_STAGE_LANES(count, lanes_up(count));
    // c / count_b for c < 2 kWidth^2: exact, the error of the quotient 65536 / count_b is below 1 / c.
    const WInt reciprocal(static_cast<std::int32_t>(65536U / head.count_b + 1U));
    const WInt minus_b(-static_cast<std::int32_t>(head.count_b));
    for (std::uint32_t first = 0; first < count; first += kWidth) {
        const WInt c = WInt::iota() + WInt(static_cast<std::int32_t>(first));
        const WInt i = shift_right_logical(c * reciprocal, 16);
        const WInt j = c + i * minus_b;
        const EdgeLanes ea = permute(a, i);
        const EdgeLanes eb = permute(b, j);
        const EdgeCross x = edge_cross(ea, eb);
        const WVec3 from_a_to_b = eb.p - ea.p;
        const WMask may = may_win(x, from_a_to_b, best, slack) & (c < WInt(static_cast<std::int32_t>(count)));
        head.first = first;
        head.may_win = bits(may);
        head.doubtful = bits(may & doubtful_axis(x, lever));
        const std::uint32_t at = s.edge_candidate_count;
        s.edge_candidates[at] = head;
        auto* lanes = reinterpret_cast<CandidateLanes*>(s.candidate_lanes.data() +
                                                        std::size_t{at} * kCandidateFloats * kBlockLanes);
        *lanes = {x.c, ea.e, from_a_to_b};
        s.edge_candidate_count = at + (head.may_win != 0 ? 1U : 0U);
    }
}

// Values that are doubtful and could win are lowered to what full supports say.
inline void check_doubtful(const ChunkJob& job, const PairRow& row, std::uint32_t doubtful, const EdgeAxis& axis,
                           float* value) {
    alignas(64) float x[kWidth], y[kWidth], z[kWidth];
    axis.n.x.store(x);
    axis.n.y.store(y);
    axis.n.z.store(z);
    for (; doubtful != 0; doubtful &= doubtful - 1) {
        const std::uint32_t l = lowest_bit(doubtful);
        const float full = full_support_separation(job, row, x[l], y[l], z[l]);
        value[l] = full < value[l] ? full : value[l];
    }
}

// The candidates into the optima of their pairs.
inline void fold_candidates(const ChunkJob& job, ChunkScratch::Impl& s) {
    for (std::uint32_t k = 0; k < s.edge_candidate_count; ++k) {
        const EdgeCandidate& e = s.edge_candidates[k];
        const auto* lanes = reinterpret_cast<const CandidateLanes*>(s.candidate_lanes.data() +
                                                                    std::size_t{k} * kCandidateFloats * kBlockLanes);
        const EdgeAxis axis = edge_axis(lanes->c, lanes->ea, lanes->from_a_to_b);
        alignas(64) float values[kWidth];
        axis.value.store(values);
        if (e.doubtful != 0) check_doubtful(job, s.rows[e.slot], e.doubtful, axis, values);
        PairOptimum& best = s.optimum[e.slot];
        for (std::uint32_t rest = e.may_win; rest != 0; rest &= rest - 1) {
            const std::uint32_t c = e.first + lowest_bit(rest);
            const float value = values[c - e.first];
            const std::uint32_t edge_a = s.edges[e.at_a + c / e.count_b];
            const std::uint32_t edge_b = s.edges[e.at_b + c % e.count_b];
            // Ties: the face, then the lowest edge of A, then of B. (Blocks do not come in that order.)
            const bool earlier =
                best.has_edge != 0 && (edge_a < best.edge_a || (edge_a == best.edge_a && edge_b < best.edge_b));
            if (value > best.edge_value || (value == best.edge_value && earlier)) {
                best.edge_value = value + 0.0F;
                best.edge_a = edge_a;
                best.edge_b = edge_b;
                best.has_edge = 1;
            }
        }
    }
    s.edge_candidate_count = 0;
}

// All combinations of the surviving edges of all pairs that wait, folded into the pairs' optima: first the test of
// every combination, without a branch that depends on it, then the axes of the few that may win.
inline void fold_edge_pairs(const ChunkJob& job, ChunkScratch::Impl& s) {
    for (std::uint32_t k = 0; k < s.edge_job_count; ++k) {
        const EdgeJob& e = s.edge_jobs[k];
        const PairRow& row = s.rows[e.slot];
        const HullFloats hull_a = hull_floats(job.hulls[row.hull_a]);
        const HullFloats hull_b = hull_floats(job.hulls[row.hull_b]);
        const float lever = 0.5F * s.axes[e.slot].size_sum;
        const float slack = s.axes[e.slot].slack;
        EdgeCandidate head = {};
        head.slot = e.slot;
        for (std::uint32_t i = 0; i < e.count_b; i += kWidth) {
            head.at_b = e.first + e.count_a + i;
            head.count_b = e.count_b - i < kWidth ? e.count_b - i : kWidth;
            EdgeLanes b;
            load_edges(hull_b, s.edge_vertices.data() + head.at_b, s.edge_faces.data() + head.at_b, head.count_b, b);
            rotate_edges(row, b);
            for (std::uint32_t j = 0; j < e.count_a; j += kWidth) {
                head.at_a = e.first + j;
                head.count_a = e.count_a - j < kWidth ? e.count_a - j : kWidth;
                EdgeLanes a;
                load_edges(hull_a, s.edge_vertices.data() + head.at_a, s.edge_faces.data() + head.at_a, head.count_a,
                           a);
                if (s.edge_candidate_count > kEdgeCandidates - kBlockLanes) fold_candidates(job, s);
                test_edge_block(s, head, a, b, lever, slack, s.optimum[e.slot].edge_value);
            }
        }
    }
    fold_candidates(job, s);
    s.edge_job_count = 0;
    s.edge_list_count = 0;
}

}  // namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE
