// SPDX-License-Identifier: MIT
//
// The closest points of hulls and bars, and the direction that proves them (bar_meeting.hpp). They are looked for at
// the sides of the highest face, which has them nearly always, then at all edges, lanes = edges of one pair. The proof
// is the support of the whole hull along the direction.
#pragma once

#include "small/hull_faces.hpp"

namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE {

// Supports of the hulls of the named lanes along n, in the hulls' frames.
__attribute__((noinline)) inline WFloat supports_along(const PairPlaces* places, bool hull_is_b, const WVec3& n,
                                                       std::uint32_t lanes) {
    alignas(64) float direction[3][kWidth];
    alignas(64) float value[kWidth] = {};
    store_points(n, direction);
    for (std::uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
        const std::uint32_t l = lowest_bit(rest);
        const HullFloats h = hull_floats(host_of(places[l], hull_is_b));
        value[l] = support(h, direction[0][l], direction[1][l], direction[2][l]).value;
    }
    return WFloat::load(value);
}

// The edge nearest to a bar, the lowest index of equal ones. Edges are padded to a whole vector.
__attribute__((noinline)) inline std::uint32_t nearest_edge(const HullRecord& hull, const float* row) {
    const BarInLanes bar(row);
    const WFloat half(0.5F);
    const WInt count(static_cast<std::int32_t>(hull.edge_count));
    WFloat best = splat(kLowest);
    WInt block(0);
    LANEFOLD_STAGE_LANES(hull.edge_count, lanes_up(hull.edge_count));
    for (std::uint32_t e = 0; e < hull.edge_count; e += kWidth) {
        EdgeEnds ends[kWidth];
        const float* rows[kWidth];
        for (std::uint32_t l = 0; l < kWidth; ++l) {
            write_edge_ends(hull, e + l, ends[l].from);
            rows[l] = ends[l].from;
        }
        const LaneEdgeEnds edge = LaneEdgeEnds::load(rows);
        const NearestOnBars m =
            nearest_on_bars(bar.middle - (edge.from + edge.to) * half, (edge.to - edge.from) * half, bar.half);
        const WFloat nearness = negate(dot(m.w, m.w));
        const auto first = static_cast<std::int32_t>(e);
        const WMask nearer = (WInt::iota() + WInt(first) < count) & (nearness > best);
        best = select(nearer, nearness, best);
        block = select(nearer, WInt(first), block);
    }
    return reduce_blocks(best, block).index;
}

// Edges of the hulls of kWidth pairs, by index.
struct HullEdges {
    EdgeEnds ends[kWidth] = {};
    alignas(64) std::int32_t edge[kWidth] = {};
    alignas(64) std::int32_t first[kWidth] = {};
    alignas(64) std::int32_t last[kWidth] = {};
    alignas(64) std::int32_t taken[kWidth] = {};

    LANEFOLD_INLINE void set(std::uint32_t l, const HullRecord& hull, std::uint32_t e) {
        const std::uint16_t* const vertices = hull_topology(hull).edge_vertex + 2 * e;
        write_edge_ends(hull, e, ends[l].from);
        edge[l] = static_cast<std::int32_t>(e);
        first[l] = vertices[0];
        last[l] = vertices[1];
        taken[l] = 1;
    }
    LANEFOLD_INLINE LaneSide load() const {
        const float* rows[kWidth];
        for (std::uint32_t l = 0; l < kWidth; ++l) rows[l] = ends[l].from;
        const LaneEdgeEnds e = LaneEdgeEnds::load(rows);
        return {e.from, e.to, WInt::loadu(edge), WInt::loadu(first), WInt::loadu(last)};
    }
    LANEFOLD_INLINE WMask lanes() const { return WInt(0) < WInt::loadu(taken); }
};

// The place at which a hull and a bar come closest, by an edge of the hull.
struct EdgeMeeting {
    LaneSide side;
    BarLanes bars;
    BarMeeting m;
    WMask proven;  // these are the closest points
    WMask beyond;  // the direction separates by more than the margin

    // `lanes`: those that need the proof.
    __attribute__((noinline)) static EdgeMeeting at(const BarOnHull& x, const LaneSide& side, const PairPlaces* places,
                                                    bool hull_is_b, WFloat margin, std::uint32_t lanes) {
        EdgeMeeting e;
        e.side = side;
        e.bars = side.with(x);
        e.m = closest_on_bars(e.bars);
        const WVec3& n = e.m.normal;
        const WFloat low = dot(n, x.middle) - abs(dot(n, x.bar.half));
        const WFloat separation = low - supports_along(places, hull_is_b, n, lanes);
        const WFloat slack = x.size * splat(kBarProof);
        e.proven = (e.m.distance - separation <= slack) & (e.m.distance > x.size * splat(kBarsMeet)) &
                   (e.m.aside2 <= slack * slack);
        e.beyond = separation - (slack + e.m.distance * splat(1e-6F)) > margin;
        return e;
    }
};

}  // namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE
