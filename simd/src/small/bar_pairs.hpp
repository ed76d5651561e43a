// SPDX-License-Identifier: MIT
//
// Contacts of spheres and capsules with one another, lanes = pairs: one point between the closest points, or two at the
// ends of the part that parallel segments have beside each other. The rules are those of core/src/precise/bars.cpp.
#pragma once

#include "pair/chunk_context.hpp"
#include "record/lane_emit.hpp"
#include "small/bar_meeting.hpp"

namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE {

// Lengths in (size A + size B), which is one to two times the larger size. Points this near are one, and a point this
// near to an end is there: rounding of parameters on the larger body is up to 1e-7 of it.
inline constexpr float kSameBarPoint = 1e-6F;
// By how much the ends of the common part of two bars may be aside of each other, seen along the normal: half of the
// promised bound of a point.
inline constexpr float kBarAside = 5e-7F;

// Points of kWidth contacts: the second one only of bars side by side.
struct BarPoints {
    static constexpr int used = 2;  // NOLINT(readability-identifier-naming): a variable of other sources

    LaneRecordPoint p[2];
    WMask over[2];

    LANEFOLD_INLINE WMask valid(int c) const { return over[c]; }
    LANEFOLD_INLINE const LaneRecordPoint& point(int c) const { return p[c]; }
};

// The kept ones in order.
struct KeptBarPoints {
    static constexpr int kPoints = 4;

    LaneRecordPoint p[2];

    LANEFOLD_INLINE KeptBarPoints(const BarPoints& from) : p{no_point(), no_point()} {
        p[0].set(from.over[1], from.p[1]);
        p[1].set(from.over[0], p[0]);
        p[0].set(from.over[0], from.p[0]);
        p[1].set(~from.over[1], no_point());
    }
    LANEFOLD_INLINE LaneRecordPoint kept(int k, WInt) const { return k < 2 ? p[k] : no_point(); }
};

// The number of the feature at a parameter: of a segment 0 is the edge, 1 and 2 are the vertices.
LANEFOLD_INLINE WInt number_on_bar(const LaneBar& bar, WFloat at) {
    const WInt zero(0);
    const WInt end = select(at >= splat(1.0F), WInt(2), select(at <= splat(-1.0F), WInt(1), zero));
    return select(bar.point, zero, end);
}
LANEFOLD_INLINE WMask end_of_bar(const LaneBar& bar, WFloat at) { return bar.point | (abs(at) >= splat(1.0F)); }

// A point of the record: s and t are its places on the cores, `gap` the distance there along the normal.
LANEFOLD_INLINE LaneRecordPoint bar_point(const BarLanes& x, const WVec3& normal, WFloat s, WFloat t, WFloat gap) {
    const WFloat separation = gap - (x.a.round + x.b.round);
    const WVec3 core = x.offset_a + x.a.half * s;
    const WInt features_b = select(x.b.point, WInt(1), WInt(3));
    return {core + normal * (x.a.round + separation * splat(0.5F)), separation,
            lane_mix32(number_on_bar(x.a, s) * features_b + number_on_bar(x.b, t))};
}

// The ends of the common part.
struct BarPart {
    WFloat s[2], t[2], gap[2];
    WMask exists;
};

// A parameter nearer to an end than `same` is that of the end.
LANEFOLD_INLINE WFloat snapped_to_end(WFloat at, WFloat same) {
    at = select(splat(1.0F) - at <= same, splat(1.0F), at);
    return select(splat(1.0F) + at <= same, splat(-1.0F), at);
}

// The common part of bars with a meeting. `margin`: of the cores.
LANEFOLD_INLINE BarPart common_part(const BarLanes& x, const BarMeeting& m, WFloat margin) {
    const WVec3& u = x.a.half;
    const WVec3& v = x.b.half;
    const WFloat one(1.0F);
    const WFloat uu = inverse_or_zero(dot(u, u));
    const WFloat vv = inverse_or_zero(dot(v, v));
    const WFloat same = x.size * splat(kSameBarPoint);
    const WFloat same_a = same * sqrt(uu);
    const WFloat same_b = same * sqrt(vv);
    const WFloat s0 = dot(x.apart - v, u) * uu;
    const WFloat s1 = dot(x.apart + v, u) * uu;
    const WFloat low = min(s0, s1);
    const WFloat high = max(s0, s1);
    const WFloat end[2] = {max(low, splat(-1.0F)), min(high, one)};
    // An end of the part is an end of B or of A.
    const WMask of_b[2] = {low > splat(-1.0F), high < one};
    const WFloat first = select(s0 < s1, splat(-1.0F), one);
    const WFloat end_b[2] = {first, negate(first)};
    BarPart part;
    part.exists = ~(x.a.point | x.b.point) & (end[1] - end[0] > same_a);
    WFloat deepest = splat(kHighest);
    for (int k = 0; k < 2; ++k) {
        const WFloat s = snapped_to_end(end[k], same_a);
        const WFloat beside = within_bar(dot(u * s - x.apart, v) * vv);
        const WFloat t = select(of_b[k], end_b[k], snapped_to_end(beside, same_b));
        const WVec3 w = (x.apart + v * t) - u * s;
        const WFloat gap = dot(m.normal, w);
        const WVec3 aside = w - m.normal * gap;
        const WFloat allowed = x.size * splat(kBarAside);
        part.s[k] = s;
        part.t[k] = t;
        part.gap[k] = gap;
        part.exists = part.exists & (dot(aside, aside) <= allowed * allowed) & (gap <= margin);
        deepest = min(gap, deepest);
    }
    part.exists = part.exists & (deepest <= m.distance + x.size * splat(kBarProof));
    return part;
}

// The kinds are kFirst to kLast.
template <ContactKind kFirst, ContactKind kLast, class Record>
LANEFOLD_INLINE void write_bars(Chunk<Record> chunk, const LaneContact& c, const BarPoints& points) {
    if constexpr (__is_same(Record, Manifold4))
        chunk.totals.points += write_records(chunk.job, c, KeptBarPoints(points), chunk.out);
    else
        chunk.totals.points += write_records(chunk.job, c, points, chunk.out);
    count_contacts<true, kFirst, kLast>(chunk.job, c, chunk.totals);
}

// Writes the records of the lanes `emitted`.
template <class Record>
LANEFOLD_INLINE void emit_bars(Chunk<Record> chunk, const BarLanes& x, const BarMeeting& m, WFloat margin,
                               const std::uint32_t* pair, std::uint32_t emitted) {
    const WFloat radii = x.a.round + x.b.round;
    const WInt one(1);
    const auto index = [&](WFloat at) LANEFOLD_INLINE_LAMBDA { return select(at >= splat(1.0F), one, WInt(0)); };
    LaneContact c = {pair,
                     emitted,
                     m.normal,
                     m.distance - radii,
                     index(m.s),
                     index(m.t),
                     feature_kind(end_of_bar(x.a, m.s), end_of_bar(x.b, m.t)),
                     one};
    LaneRecordPoint only = bar_point(x, m.normal, m.s, m.t, m.distance);
    chunk.totals.counters.edge_contacts += count_bits(emitted);
    const std::uint32_t segments = emitted & ~bits(x.a.point | x.b.point);
    if (segments != 0) {
        const BarPart part = common_part(x, m, margin + radii);
        if ((bits(part.exists) & segments) != 0) {
            const WMask two = part.exists;
            BarPoints points;
            for (int k = 0; k < 2; ++k) points.p[k] = bar_point(x, m.normal, part.s[k], part.t[k], part.gap[k]);
            const WFloat band = min(x.a.size, x.b.size) * splat(kImpactBand);
            const WFloat deepest = min(points.p[0].separation, points.p[1].separation);
            const bool impact = chunk.job.points == PointSelection::impact;
            const WFloat limit = impact ? deepest + band : splat(kHighest);
            for (int k = 0; k < 2; ++k) points.over[k] = two & (points.p[k].separation <= limit);
            points.p[0].set(~two, only);
            points.over[0] = points.over[0] | ~two;
            c.total = select(points.over[0] & points.over[1], WInt(2), one);
            c.kind = select(two, WInt(static_cast<std::int32_t>(ContactKind::edge_edge)), c.kind);
            c.feature_a = select(two, WInt(0), c.feature_a);
            c.feature_b = select(two, WInt(0), c.feature_b);
            write_bars<ContactKind::edge_edge, ContactKind::vertex_vertex>(chunk, c, points);
            return;
        }
    }
    chunk.totals.points += write_records(chunk.job, c, OnePoint{only}, chunk.out);
    count_contacts<true, ContactKind::edge_edge, ContactKind::vertex_vertex>(chunk.job, c, chunk.totals);
}

// Appends lanes that are not settled to the float64 list.
template <class Record>
LANEFOLD_INLINE void leave_bars(Chunk<Record> chunk, const std::uint32_t* pair, std::uint32_t lanes) {
    chunk.totals.counters.distance_finished += count_bits(lanes);
    for (std::uint32_t rest = lanes; rest != 0; rest &= rest - 1) chunk.precise.push(pair[lowest_bit(rest)]);
}

// Contacts of the listed pairs; those that are not settled are appended to the float64 list.
template <class Record>
inline void stage_bars(Chunk<Record> chunk, const PairList& bars) {
    Counters& counters = chunk.totals.counters;
    counters.small_pairs += bars.count;
    for (std::uint32_t begin = 0; begin < bars.count; begin += kWidth) {
        const std::uint32_t lanes = lane_count(bars.count, begin);
        LANEFOLD_STAGE_LANES(lanes, kWidth);
        const std::uint32_t all = lane_mask(lanes);
        const std::uint32_t* const pair = bars.pair.data() + begin;
        const BarLanes x = load_bars(chunk.job, bars.places.data() + begin, pair);
        const WFloat margin = margins_of_bars(chunk.job, pair);
        const BarMeeting m = closest_on_bars(x);
        const BarVerdict v = judge_bars(x, m, margin);
        counters.rejected_distance += count_bits(v.apart & all);
        leave_bars(chunk, pair, all & ~(v.apart | v.touches));
        const std::uint32_t emitted = v.touches & all;
        if (emitted != 0) emit_bars(chunk, x, m, margin, pair, emitted);
    }
}

}  // namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE
