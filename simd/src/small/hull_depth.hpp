// SPDX-License-Identifier: MIT
//
// The depth of a segment in a hull. The Minkowski difference of both has the hull's faces, and one face across the
// segment and each edge on the hull's outline as the segment's direction sees it: its two faces look to different
// sides. The best of these axes, lanes = edges of one pair.
//
// The separation along such an axis is taken between the places where the lines pass each other. There the error of the
// axis, which grows as edge and segment become parallel, counts for the length between them only.
#pragma once

#include "small/hull_meeting.hpp"

namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE {

// Rounding of the cross product of two edges, in products of their lengths, and more.
inline constexpr float kCrossError = 4e-7F;

// Faces of a hull, a bit for each that looks against a direction. The bits of 16 faces are in the order of
// kPlaneOfElement, which is its own inverse.
struct FaceSigns {
    std::uint16_t words[kMaxIndex16 / kRowFloats + 1];

    LANEFOLD_INLINE void set(const HullFloats& h, const WVec3& direction) {
        for (std::uint32_t f = 0; f < h.faces; f += kRowFloats) {
            QuadRow rows[4];
            QuadRow c[4];
            for (std::uint32_t r = 0; r < 4; ++r) rows[r] = load_row(plane_of(h, f + 4 * r));
            transpose_quads(rows, c);
            std::uint32_t word = 0;
            for (std::uint32_t k = 0; k < kRowFloats / kWidth; ++k) {
                const WFloat along = dot({c[0].v[k], c[1].v[k], c[2].v[k]}, direction);
                word |= bits(along < splat(0.0F)) << (k * kWidth);
            }
            words[f / kRowFloats] = static_cast<std::uint16_t>(word);
        }
    }
    LANEFOLD_INLINE std::uint32_t against(std::uint32_t f) const {
        const std::uint32_t p = f % kRowFloats;
        return static_cast<std::uint32_t>(words[f / kRowFloats]) >> (4 * (p % 4) + p / 4) & 1U;
    }
};

// The axis across an edge and a bar.
struct AxisAcross {
    NearestOnBars m;
    WVec3 n;       // unit
    WFloat value;  // separation along it; negative: that of -n
    WFloat doubt;  // error of `value`
    WMask exists;

    // `side`: half the edge; `apart`: from its middle to the bar's.
    LANEFOLD_INLINE static AxisAcross of(const WVec3& apart, const WVec3& side, const WVec3& half) {
        AxisAcross a;
        a.m = nearest_on_bars(apart, side, half);
        const WVec3 x = cross(side, half);
        const WFloat length2 = dot(x, x);
        const WFloat product2 = dot(side, side) * dot(half, half);
        const WFloat inverse = splat(1.0F) / sqrt(length2);
        a.n = x * inverse;
        a.value = dot(a.n, a.m.w);
        a.doubt = (splat(kCrossError) * sqrt(product2)) * (inverse * sqrt(dot(a.m.w, a.m.w)));
        a.exists = length2 > product2 * splat(kAlongSine2);
        return a;
    }
    LANEFOLD_INLINE void turn(WMask back) {
        n = select(back, negate(n), n);
        value = select(back, negate(value), value);
    }
};

// The best edge of one pair.
struct OutlineEdge {
    std::uint32_t edge = 0;
    std::uint32_t back = 0;  // 1: the axis is minus that of AxisAcross
    float value = kLowest;
    float most = kLowest;  // no axis separates more, nor do those that rounding makes doubtful
};

// kWidth edges on the outline of one hull.
struct OutlineEdges {
    EdgeEnds ends[kWidth];
    const float* plane0[kWidth];
    const float* plane1[kWidth];
    std::uint32_t edge[kWidth];
    std::uint32_t count = 0;

    LANEFOLD_INLINE void push(const HullRecord& hull, const HullFloats& h, const HullTopology& t, std::uint32_t e) {
        write_edge_ends(hull, e, ends[count].from);
        plane0[count] = plane_of(h, t.edge_face0[e]);
        plane1[count] = plane_of(h, t.edge_face1[e]);
        edge[count++] = e;
    }
    // Takes the best of them, if it is better. Edges come in ascending order.
    LANEFOLD_INLINE void fold(const BarInLanes& bar, OutlineEdge& best) {
        if (count == 0) return;
        const float* rows[kWidth];
        for (std::uint32_t l = 0; l < kWidth; ++l) {
            const std::uint32_t k = l < count ? l : 0;
            rows[l] = ends[k].from;
            plane0[l] = plane0[k];
            plane1[l] = plane1[k];
        }
        const LaneEdgeEnds e = LaneEdgeEnds::load(rows);
        WFloat q0[4];
        WFloat q1[4];
        load_rows4(plane0, q0);
        load_rows4(plane1, q1);
        const WVec3 n0 = {q0[0], q0[1], q0[2]};
        const WVec3 n1 = {q1[0], q1[1], q1[2]};
        const WFloat half(0.5F);
        AxisAcross a = AxisAcross::of(bar.middle - (e.from + e.to) * half, (e.to - e.from) * half, bar.half);
        // Outwards is where the arc of the edge crosses the plane across the bar.
        const WVec3 outward = n0 * abs(dot(n1, bar.half)) + n1 * abs(dot(n0, bar.half));
        const WMask back = dot(a.n, outward) < splat(0.0F);
        a.turn(back);
        const WFloat value = select(a.exists, a.value, splat(kLowest));
        const float most = reduce_max(select(a.exists, a.value + a.doubt, splat(kLowest))) + 0.0F;
        const float top = reduce_max(value) + 0.0F;
        best.most = most > best.most ? most : best.most;
        if (top > best.value) {
            const std::uint32_t l = first_of(bits(value == splat(top)));
            best.value = top;
            best.edge = edge[l];
            best.back = bits(back) >> l & 1U;
        }
        count = 0;
    }
};

__attribute__((noinline)) inline OutlineEdge best_outline_edge(const HullRecord& hull, const float* row) {
    const BarInLanes bar(row);
    const HullFloats h = hull_floats(hull);
    const HullTopology t = hull_topology(hull);
    FaceSigns signs;
    signs.set(h, bar.half);
    OutlineEdge best;
    OutlineEdges edges;
    for (std::uint32_t e = 0; e < hull.edge_count; ++e) {
        if (signs.against(t.edge_face0[e]) == signs.against(t.edge_face1[e])) continue;
        edges.push(hull, h, t, e);
        if (edges.count == kWidth) edges.fold(bar, best);
    }
    edges.fold(bar, best);
    return best;
}

// The best edges of the pairs of lanes.
struct OutlineEdgesOfLanes {
    HullEdges edges;
    alignas(64) std::int32_t back[kWidth] = {};
    alignas(64) float value[kWidth] = {};
    alignas(64) float most[kWidth] = {};

    LANEFOLD_INLINE void set(std::uint32_t l, const HullRecord& hull, const float* row) {
        const OutlineEdge best = best_outline_edge(hull, row);
        edges.set(l, hull, best.edge);
        back[l] = static_cast<std::int32_t>(best.back);
        value[l] = best.value;
        most[l] = best.most;
    }
};

// A segment in a hull, by an edge of it.
struct EdgeDepth {
    EdgeMeeting e;  // with the axis as its normal; no `bars`, because there is one point only
    WMask overlap;  // no axis separates
    WMask by_edge;  // the edge is the optimum
    WMask proven;   // of the lanes by_edge: it is one point, and the hull's support is on the edge

    // `deep`: the lanes to look at. `face_value`: height over the highest face.
    __attribute__((noinline)) static EdgeDepth of(const BarOnHull& x, WFloat face_value, const PairPlaces* places,
                                                  bool hull_is_b, std::uint32_t deep) {
        const BarRows bars(x);
        OutlineEdgesOfLanes best;
        for (std::uint32_t rest = deep; rest != 0; rest &= rest - 1) {
            const std::uint32_t l = lowest_bit(rest);
            best.set(l, host_of(places[l], hull_is_b), bars.row[l]);
        }
        EdgeDepth d;
        d.e.side = best.edges.load();
        d.e.bars = d.e.side.with(x);
        AxisAcross a = AxisAcross::of(d.e.bars.apart, d.e.bars.a.half, x.bar.half);
        a.turn(WInt(0) < WInt::loadu(best.back));
        const WFloat value = WFloat::load(best.value);
        const WFloat top = max(value, face_value);
        const WFloat slack = x.size * splat(kBarProof);
        const WMask certain = WFloat::load(best.most) <= top + slack;
        d.overlap = best.edges.lanes() & certain & (top <= splat(0.0F));
        d.by_edge = d.overlap & (value > face_value + slack);
        const WVec3 aside = a.m.w - a.n * a.value;
        const WFloat low = dot(a.n, x.middle) - abs(dot(a.n, x.bar.half));
        const WFloat separation = low - supports_along(places, hull_is_b, a.n, bits(d.by_edge));
        d.proven = d.by_edge & (a.value - separation <= slack) & (dot(aside, aside) <= slack * slack) &
                   (abs(a.m.s) < splat(1.0F)) & (abs(a.m.t) < splat(1.0F));
        d.e.m = {a.m.s, a.m.t, a.value, a.n, separation, dot(aside, aside)};
        return d;
    }
};

}  // namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE
