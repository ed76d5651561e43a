// SPDX-License-Identifier: MIT
//
// Edge pairs: combines every surviving edge of A with every one of B, for all pairs of hulls of a search group at once.
//
// Three passes: list the combinations, test them row by row, compute the axes of those that pass (one in five) in
// lanes. Each pass is a long loop whose iterations do not depend on each other. Loops per pair of hulls would run over
// a handful of edges, mispredict at every end and form one chain.
//
// Two edges build a face of the Minkowski difference iff their arcs cross on the Gauss map (D. Gregorius, "The
// Separating Axis Test between Convex Polyhedra", GDC 2013). The axis is then the normalised cross product.
#pragma once

#include "pair/edge_axis.hpp"
#include "pair/point.hpp"
#include "search/edge_rows.hpp"
#include "search/rim.hpp"

namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE {

// An axis is evaluated with full supports if (length of the shorter edge) * sin is below a tenth of the hulls' mean
// size; this is the square of that tenth. The ends of the edges are known to 1e-7 of size, so such an axis may lean by
// ten times that.
inline constexpr float kDoubtfulReach2 = 1e-2F;

// An axis is also evaluated with full supports if it is better than the best face by at most this, relative to the
// hulls' mean size: an axis on both arcs is off by 4e-6 at most, the rounding of its direction times the distance of
// the edges.
inline constexpr float kTiedReach = 1e-5F;

// And if one of its edges leaves a face of the other's by less than this sine; this is its square. Rounding, of edges
// and normals, merged faces included, then decides whether the arcs cross, and on which side. Such an axis leans beyond
// the end of an arc and is no support of its edges, or is the opposite of one.
inline constexpr float kUncertainSine2 = 1e-10F;

// Rounding, in (size A + size B), by which the value of an axis that is not doubtful may exceed that of full supports.
inline constexpr float kTiedSlack = 2.5e-7F;

// Lowers a doubtful value that could win to the separation that full supports give, if it exceeds that by more than
// `slack`. Few axes are doubtful; inside the loop over the crossings the two supports would take registers from all the
// others.
__attribute__((noinline)) inline void check_doubtful(const ChunkJob& job, const PairRow& row, const LaneEdgeAxis& axis,
                                                     std::uint32_t lane, float slack, float* value) {
    alignas(64) float x[kWidth], y[kWidth], z[kWidth];
    axis.n.x.store(x);
    axis.n.y.store(y);
    axis.n.z.store(z);
    const float full = separation_along(row, hull_floats(job.hulls[row.hull_a]), hull_floats(job.hulls[row.hull_b]),
                                        {x[lane], y[lane], z[lane]});
    value[lane] = full < value[lane] - slack ? full : value[lane];
}

// Makes edges edge_a and edge_b of the two hulls, `value` apart, the optimum of their pair if they are better.
LANEFOLD_INLINE void take_if_better(std::uint32_t edge_a, std::uint32_t edge_b, float value, PairOptimum& best) {
    // On ties the face wins, then the lowest edge of A, then the lowest edge of B. Combinations do not come in that
    // order.
    const bool earlier =
        best.has_edge != 0 && (edge_a < best.edge_a || (edge_a == best.edge_a && edge_b < best.edge_b));
    if (value > best.value || (value == best.value && earlier)) {
        best.value = value + 0.0F;
        best.edge_a = edge_a;
        best.edge_b = edge_b;
        best.has_edge = 1;
    }
}

// The products of A's normals with B's edge, and of B's with A's: their signs tell whether the arcs cross, see
// arcs_cross().
struct ArcProducts {
    WFloat y0, y1, x0, x1;

    LANEFOLD_INLINE ArcProducts(const LaneEdgeA& a, const LaneEdgeB& b)
        : y0(dot(a.n0, b.along)), y1(dot(a.n1, b.along)), x0(dot(b.n0, a.along)), x1(dot(b.n1, a.along)) {}
};

// Lanes whose arcs cross, or not, by rounding.
LANEFOLD_INLINE WMask crosses_uncertainly(const LaneEdgeA& a, const LaneEdgeB& b, WFloat a2, WFloat b2) {
    const ArcProducts p(a, b);
    const WFloat least_b = b2 * splat(kUncertainSine2);
    const WFloat least_a = a2 * splat(kUncertainSine2);
    return ((p.y0 * p.y0 < least_b) | (p.y1 * p.y1 < least_b)) | ((p.x0 * p.x0 < least_a) | (p.x1 * p.x1 < least_a));
}

// Computes the axes of edges whose arcs cross, lanes = pairs of edges, and updates the optima of their pairs of hulls.
// `crossing`: bits of the lanes. `names`: slot, edge_a, edge_b of a lane.
template <class Names>
LANEFOLD_INLINE void fold_crossings(const ChunkJob& job, HullPairs& pairs, const LaneEdgeA& a, const LaneEdgeB& b,
                                    std::uint32_t crossing, const Names& names) {
    const WVec3 c = cross_towards_b(a.along, a.n0, b.along);
    const WFloat c2 = dot(c, c);
    const WFloat a2 = dot(a.along, a.along);
    const WFloat b2 = dot(b.along, b.along);
    const LaneEdgeAxis axis = edge_axis(c, a.along, b.vertex - a.vertex);
    const WMask usable = c2 > a2 * b2 * splat(kParallelSine2);
    const std::uint32_t doubtful = bits(c2 < max(a2, b2) * (b.mean_size * b.mean_size * splat(kDoubtfulReach2)));
    const std::uint32_t rounded =
        bits((axis.value <= a.face_value + b.mean_size * splat(kTiedReach)) | crosses_uncertainly(a, b, a2, b2));
    alignas(64) float values[kWidth];
    axis.value.store(values);
    std::uint32_t rest = bits(usable & (axis.value >= a.face_value)) & crossing;
    for (; rest != 0; rest &= rest - 1) {
        const std::uint32_t l = lowest_bit(rest);
        const std::uint32_t slot = names.slot(l);
        // A value is only ever lowered.
        if (values[l] < pairs.optima[slot].value) continue;
        if (bit_at(doubtful | rounded, l)) {
            if (rim_rules_out(job, pairs, slot, names.edge_a(l), names.edge_b(l))) continue;
            const float slack = bit_at(doubtful, l) ? 0.0F : kTiedSlack * pairs.axes[slot].size_sum;
            check_doubtful(job, pairs.rows[slot], axis, l, slack, values);
        }
        take_if_better(names.edge_a(l), names.edge_b(l), values[l], pairs.optima[slot]);
    }
}

// Lanes of crossings: places in the lists of a group's edges.
struct CrossingNames {
    const EdgeScratch& edges;
    const std::uint32_t* slots;  // of the group
    std::uint32_t first;

    LANEFOLD_INLINE std::uint32_t at_a(std::uint32_t l) const { return edges.crossings.a[first + l]; }
    LANEFOLD_INLINE std::uint32_t at_b(std::uint32_t l) const { return edges.crossings.b[first + l]; }
    LANEFOLD_INLINE std::uint32_t slot(std::uint32_t l) const { return slots[edges.a.member[at_a(l)]]; }
    LANEFOLD_INLINE std::uint32_t edge_a(std::uint32_t l) const { return edges.a.edge[at_a(l)]; }
    LANEFOLD_INLINE std::uint32_t edge_b(std::uint32_t l) const { return edges.b.edge[at_b(l)]; }
};

// Folds all listed crossings. `slots`: those of the group.
inline void evaluate_crossings(const ChunkJob& job, HullPairs& pairs, const std::uint32_t* slots,
                               const EdgeScratch& edges) {
    const EdgePairList& crossings = edges.crossings;
    for (std::uint32_t k = 0; k < crossings.count; k += kWidth) {
        const std::uint32_t lanes = lane_count(crossings.count, k);
        LANEFOLD_STAGE_LANES(lanes, kWidth);
        const CrossingNames names = {edges, slots, k};
        const float* rows_a[kWidth];
        const float* rows_b[kWidth];
        for (std::uint32_t l = 0; l < kWidth; ++l) {
            rows_a[l] = edges.a.rows[names.at_a(l)].n0;
            rows_b[l] = edges.b.rows[names.at_b(l)].along;
        }
        fold_crossings(job, pairs, LaneEdgeA::load(rows_a), LaneEdgeB::load(rows_b),
                       lanes < kWidth ? lane_mask(lanes) : kAllLanes, names);
    }
}

// Tests whether the arcs of four combinations cross, from place k on; returns a bit for each.
LANEFOLD_INLINE std::uint32_t arcs_cross(const EdgeScratch& edges, std::uint32_t k) {
    const EdgePairList& list = edges.combinations;
    QuadRow products[4];
    for (std::uint32_t r = 0; r < 4; ++r) {
        products[r] = load_row(edges.a.rows[list.a[k + r]].n0) * load_row(edges.b.rows[list.b[k + r]].along);
    }
    // Elements 0..3 and 4..7 are y0 and y1, the products of A's normals with eb; 8..11 and 12..15 are x0 and x1, the
    // products of B's normals with ea.
    const QuadRow sums = component_sums(products);
    const std::uint32_t below = below_zero(sums);
    const std::uint32_t above = above_zero(sums);
    // n = y1 n0 - y0 n1 is perpendicular to both edges, so it is parallel to ea x eb. Up to its sign it lies on A's arc
    // when y0 and y1 have opposite signs, and on B's arc when x0 and x1 have the same signs as y0 and y1.
    std::uint32_t all = ((above & 0x0F0FU) | (below & 0xF0F0U)) | ((below & 0x0F0FU) | (above & 0xF0F0U)) << 16;
    all &= all >> 8;
    all &= all >> 4;
    return (all | all >> 16) & 15U;
}

// Tests the listed combinations and evaluates those that pass. The last vectors of all lists run over the ends, onto
// places of earlier combinations. These places are inside the buffers and masked here.
inline void test_combinations(const ChunkJob& job, HullPairs& pairs, const std::uint32_t* slots, EdgeScratch& edges) {
    EdgePairList& waiting = edges.combinations;
    EdgePairList& crossings = edges.crossings;
    const std::uint32_t count = waiting.count;
    LANEFOLD_STAGE_LANES(count, (count + 3) / 4 * 4);
    // A whole number of vectors of any width.
    constexpr std::uint32_t kBatch = kBlockLanes;
    std::uint32_t n = 0;
    for (std::uint32_t begin = 0; begin < count; begin += kBatch) {
        std::uint32_t crossing = 0;
        for (std::uint32_t k = 0; k < kBatch; k += 4) crossing |= arcs_cross(edges, begin + k) << k;
        if (count - begin < kBatch) crossing &= lane_mask(count - begin);
        for (std::uint32_t k = 0; k < kBatch; k += kWidth) {
            const std::uint32_t lanes = (crossing >> k) & kAllLanes;
            compress(waiting.a.data() + begin + k, lanes, crossings.a.data() + n);
            compress(waiting.b.data() + begin + k, lanes, crossings.b.data() + n);
            n += count_bits(lanes);
        }
    }
    waiting.count = 0;
    crossings.count = n;
    evaluate_crossings(job, pairs, slots, edges);
}

// Appends all combinations of up to kEdgeBlock edges of A with as many of B.
LANEFOLD_INLINE void append_combinations(EdgePairList& list, std::uint32_t at_a, std::uint32_t count_a,
                                         std::uint32_t at_b, std::uint32_t count_b) {
    static_assert((kEdgeBlock * kEdgeBlock + kBlockLanes) * kEdgeBlock < 65536, "c / count_b below");
    const std::uint32_t count = count_a * count_b;
    // For c / count_b. It is too high by at most 1, which adds c / 65536 to the quotient. This is less than the 1 /
    // count_b that is at least missing to the next integer while c count_b < 65536.
    const WInt reciprocal(static_cast<std::int32_t>(65536U / count_b + 1U));
    const WInt minus_b(-static_cast<std::int32_t>(count_b));
    auto* a = reinterpret_cast<std::int32_t*>(list.a.data()) + list.count;
    auto* b = reinterpret_cast<std::int32_t*>(list.b.data()) + list.count;
    for (std::uint32_t first = 0; first < count; first += kWidth) {
        const WInt c = WInt::iota() + WInt(static_cast<std::int32_t>(first));
        const WInt i = shift_right_logical(c * reciprocal, 16);
        (i + WInt(static_cast<std::int32_t>(at_a))).storeu(a + first);
        (c + i * minus_b + WInt(static_cast<std::int32_t>(at_b))).storeu(b + first);
    }
    list.count += count;
}

// Adds a pair's edges, which are listed, to those whose combinations are folded.
LANEFOLD_INLINE void add_job(EdgeScratch& edges, const EdgeJob& e, Counters& counters) {
    edges.jobs[edges.job_count++] = e;
    counters.edges_surviving += e.count_a + e.count_b;
    counters.edge_pairs += std::uint64_t{e.count_a} * e.count_b;
}

// Empties the lists.
LANEFOLD_INLINE void clear_edges(EdgeScratch& edges) {
    edges.a.count = 0;
    edges.b.count = 0;
    edges.job_count = 0;
    edges.combinations.count = 0;
}

// Writes the rows of the listed edges, all in A's frames. `slots`: those of the group.
inline void write_listed_rows(const HullPairs& pairs, const std::uint32_t* slots, EdgeScratch& edges) {
    write_edge_rows(edges.source[0], edges.a);
    write_edge_rows(edges.source[1], edges.b);
    turn_edge_rows(pairs, slots, edges.b);
}

// Folds all combinations of the jobs, whose rows are written, into the optima of their pairs.
inline void fold_jobs(const ChunkJob& job, HullPairs& pairs, const std::uint32_t* slots, EdgeScratch& edges) {
    for (std::uint32_t k = 0; k < edges.job_count; ++k) {
        const EdgeJob& e = edges.jobs[k];
        for (std::uint32_t j = 0; j < e.count_b; j += kEdgeBlock) {
            const std::uint32_t count_b = e.count_b - j < kEdgeBlock ? e.count_b - j : kEdgeBlock;
            for (std::uint32_t i = 0; i < e.count_a; i += kEdgeBlock) {
                const std::uint32_t count_a = e.count_a - i < kEdgeBlock ? e.count_a - i : kEdgeBlock;
                if (edges.combinations.count > kCombinations - kEdgeBlock * kEdgeBlock)
                    test_combinations(job, pairs, slots, edges);
                append_combinations(edges.combinations, e.at_a + i, count_a, e.at_b + j, count_b);
            }
        }
    }
    test_combinations(job, pairs, slots, edges);
    clear_edges(edges);
}

// Writes the rows of the listed edges and folds their combinations.
inline void fold_edge_pairs(const ChunkJob& job, HullPairs& pairs, const std::uint32_t* slots, EdgeScratch& edges) {
    write_listed_rows(pairs, slots, edges);
    fold_jobs(job, pairs, slots, edges);
}

}  // namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE
