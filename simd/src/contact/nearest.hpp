// SPDX-License-Identifier: MIT
//
// Closest points of general hulls that are apart, where no axis proves the distance, lanes = pairs: corners and edges
// beside each other, as of the pieces of a shattered block. The closest features then mostly are corners and edges of
// the two faces that the clip has tried. All pairs of their edges are tested, and the nearest points prove themselves.
//
// However the points were found: let p and q be points of A and B, w the vector from p to q, d = |w| and n = w / d. The
// distance D is at most d. The separation along n, which is at most D, is d less the amounts by which A and B reach
// beyond p and q along n and -n. A scan of all vertices gives them. The lanes accept the points if the sum of both is
// at most kHullDeficit; else the float64 path decides.
//
// Errors, in (size A + size B). p and q are vertices of their hulls or points of edges, up to the rounding of w, r, at
// most 3e-7 with that of the pose. Each amount is a difference of two products n . v, in the hull's own frame. Their
// rounding, and that of n in B's frame, is at most 3.2e-7 of the hull's size. So d - kHullDeficit - r - 3.2e-7 <= D <=
// d + r: the error is below 1e-6, which is 2e-6 of the larger size. The sweeps measure less than a third of that.
//
// Components of w along the edges of the points are removed first, because rounding would tilt n against a long edge.
// The removed part is perpendicular to the rest and at most kWitnessTolerance, so d is less by at most its square over
// 2 d, and d is at least kLeastHullGap. Below that n would be rounding, and the float64 path decides, too. Closest
// points of edges that are nearly parallel miss n by more: the point of the record would be off the surfaces.
#pragma once

#include <lanefold/detail/geometry/nearest.hpp>

#include "contact/gather.hpp"
#include "record/lane_emit.hpp"

namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE {

// In (size A + size B).
inline constexpr float kHullDeficit = 3.5e-7F;
inline constexpr float kLeastHullGap = 1e-4F;
// sin^2 of the angle between two edges below which one of their ends has the closest points. Anything else than the
// distance proves itself wrong.
inline constexpr float kBesideSine2 = 1e-6F;
// Part of the squared distance by which edges must be nearer than edges before them.
inline constexpr float kNearerEdges = 1e-5F;

// Faces of more sides are left to the float64 path.
inline constexpr int kNearestSides = 8;

// The outline of one face of kWidth pairs, and the edge of it that was chosen: where the point is (0 to 1), the ends,
// the numbers of vertices and edge.
struct NearEdge {
    WInt index = WInt(0);
    WFloat at = splat(0.0F);
    WVec3 from, to;
    WInt first, second, edge;

    LANEFOLD_INLINE WMask corner() const { return (at <= splat(0.0F)) | (at >= splat(1.0F)); }
    LANEFOLD_INLINE WInt vertex() const { return select(at >= splat(1.0F), second, first); }
    LANEFOLD_INLINE WVec3 point() const { return from + (to - from) * at; }
    // Looks the edge up by its index.
    template <int kSides>
    LANEFOLD_INLINE void find(const LanePolygons<kSides>& face, std::size_t sides) {
        for (std::size_t k = 0; k < sides; ++k) {
            const std::size_t next = k + 1 == sides ? 0 : k + 1;
            const WMask here = k == 0 ? ~no_lanes() : index == WInt(static_cast<std::int32_t>(k));
            from = select(here, face.x[k], k == 0 ? face.x[k] : from);
            to = select(here, face.x[next], k == 0 ? face.x[next] : to);
            first = select(here, face.vertex[k], k == 0 ? face.vertex[k] : first);
            second = select(here, face.vertex[next], k == 0 ? face.vertex[next] : second);
            edge = select(here, face.edge[k], k == 0 ? face.edge[k] : edge);
        }
    }
};

// The nearest points of all pairs of edges of two faces. `b_in_a`: corners of B's face in A's frame.
template <int kSides>
LANEFOLD_INLINE void nearest_edges(const FaceBatch<kSides>& f, const WVec3* b_in_a, std::size_t sides_a,
                                   std::size_t sides_b, NearEdge& a, NearEdge& b) {
    const WFloat zero(0.0F);
    WFloat nearest(kHighest);
    for (std::size_t i = 0; i < sides_a; ++i) {
        const WVec3 from = f.a.x[i];
        const WVec3 along = f.a.x[i + 1 == sides_a ? 0 : i + 1] - from;
        const WMask real = WInt(static_cast<std::int32_t>(i)) < f.a.count;
        for (std::size_t j = 0; j < sides_b; ++j) {
            const WVec3 between = b_in_a[j] - from;
            const WVec3 across = b_in_a[j + 1 == sides_b ? 0 : j + 1] - b_in_a[j];
            const auto products = geometry::EdgeProducts<WFloat>::of(along, across, between);
            const auto lines = geometry::closest_on_lines(products);
            // Edges that are almost parallel give the first end of A's; the other ends are those of the next edges.
            const WMask crossed = lines.det > (products.aa * products.bb) * splat(kBesideSine2);
            const auto near = geometry::closest_on_edges(products, select(crossed, clamp01(lines.a / lines.det), zero));
            const WVec3 w = (between + across * near.b) - along * near.a;
            const WFloat square = dot(w, w);
            const WMask nearer = real & (WInt(static_cast<std::int32_t>(j)) < f.b.count) &
                                 (square < nearest * splat(1.0F - kNearerEdges));
            nearest = select(nearer, square, nearest);
            a.at = select(nearer, near.a, a.at);
            b.at = select(nearer, near.b, b.at);
            a.index = select(nearer, WInt(static_cast<std::int32_t>(i)), a.index);
            b.index = select(nearer, WInt(static_cast<std::int32_t>(j)), b.index);
        }
    }
}

// w without its components along the edges of points that are no corners.
LANEFOLD_INLINE WVec3 without_edges(const WVec3& w, const WVec3& along, WMask on_a, const WVec3& across, WMask on_b) {
    const WVec3 n = cross(along, across);
    const WVec3 u = select(on_a, along, across);
    const WVec3 beside = w - u * (dot(w, u) / dot(u, u));
    return select(on_a & on_b, n * (dot(w, n) / dot(n, n)), select(on_a | on_b, beside, w));
}

// The closest points of kWidth pairs.
struct HullNearest {
    NearEdge a, b;  // in their own frames
    WFloat distance;
    WVec3 n;       // from A to B, A's frame
    WVec3 back;    // -n in B's frame
    WVec3 point;   // midway, A's frame
    WFloat miss2;  // square of how far the points are from the line along n between them
};

template <int kSides>
LANEFOLD_INLINE void find_nearest(const FaceBatch<kSides>& f, HullNearest& out) {
    const WMask on_b = f.face.on_b;
    const std::size_t most = f.reference_sides > f.incident_sides ? f.reference_sides : f.incident_sides;
    const bool all_a = !any(on_b);
    const bool all_b = !any(~on_b);
    const std::size_t sides_a = all_a ? f.reference_sides : (all_b ? f.incident_sides : most);
    const std::size_t sides_b = all_a ? f.incident_sides : (all_b ? f.reference_sides : most);
    WVec3 b_in_a[static_cast<std::size_t>(kSides)];
    for (std::size_t k = 0; k < sides_b; ++k) b_in_a[k] = transform(f.to_a, f.b.x[k]);
    nearest_edges(f, b_in_a, sides_a, sides_b, out.a, out.b);
    out.a.find(f.a, sides_a);
    out.b.find(f.b, sides_b);
    const WVec3 along = out.a.to - out.a.from;
    const WVec3 across = rotate(f.to_a.r, out.b.to - out.b.from);
    const WVec3 p = out.a.point();
    const WVec3 between = ((transform(f.to_a, out.b.from) - out.a.from) + across * out.b.at) - along * out.a.at;
    const WVec3 w = without_edges(between, along, ~out.a.corner(), across, ~out.b.corner());
    out.distance = sqrt(dot(w, w));
    out.n = {w.x / out.distance, w.y / out.distance, w.z / out.distance};
    const WVec3 m = rotate_back(f.to_a.r, out.n);
    out.back = {negate(m.x), negate(m.y), negate(m.z)};
    out.point = p + between * splat(0.5F);
    const WVec3 miss = between - w;
    out.miss2 = dot(miss, miss);
}

// How far the hulls of each lane reach beyond the points, both together.
LANEFOLD_INLINE WFloat reach_beyond(const ChunkJob& job, const HullPairs& pairs, const FacePick* picks,
                                    std::uint32_t lanes, const HullNearest& c) {
    alignas(64) float n[3][kWidth], m[3][kWidth], top_a[kWidth], top_b[kWidth];
    store_points(c.n, n);
    store_points(c.back, m);
    for (std::uint32_t l = 0; l < kWidth; ++l) {
        const PairRow& row = pairs.rows[picks[l < lanes ? l : 0].slot];
        top_a[l] = support(hull_floats(job.hulls[row.hull_a]), n[0][l], n[1][l], n[2][l]).value;
        top_b[l] = support(hull_floats(job.hulls[row.hull_b]), m[0][l], m[1][l], m[2][l]).value;
    }
    return (WFloat::load(top_a) - dot(c.n, c.a.point())) + (WFloat::load(top_b) - dot(c.back, c.b.point()));
}

template <int kSides>
LANEFOLD_INLINE LaneFeatureContact nearest_records(const FaceBatch<kSides>& f, std::uint32_t emitted,
                                                   const HullNearest& c) {
    const WMask corner_a = c.a.corner();
    const WMask corner_b = c.b.corner();
    const WInt a = select(corner_a, c.a.vertex(), c.a.edge);
    const WInt b = select(corner_b, c.b.vertex(), c.b.edge);
    const WInt number = (select(corner_a, f.numbers_a.first_vertex, f.numbers_a.first_edge) + a) * f.numbers_b.total +
                        (select(corner_b, f.numbers_b.first_vertex, f.numbers_b.first_edge) + b);
    return {f.pair, emitted, c.distance, c.n, c.point, a, b, number, feature_kind(corner_a, corner_b)};
}

// The contacts of pairs.apart. The `value` of their optima is the least separation that the clip of their faces found
// (kHighest: no point; -kHighest: not clipped). If the best face is preferred and that clip reaches the distance,
// the float64 path makes the contact of the faces, with the distance that is known here. It takes the pairs that prove
// nothing, too.
template <class Record>
inline void stage_nearest_contacts(const ChunkJob& job, HullPairs& pairs, ContactScratch& s, PreciseList& precise,
                                   Record* out, ChunkTotals& totals) {
    FacePick* picks = s.picks.all.data();
    pick_faces(job, pairs, pairs.apart, picks);
    std::uint32_t count = 0;
    const auto leave = [&](std::uint32_t pair) {
        ++totals.counters.distance_finished;
        precise.push(pair);
    };
    const WMask patch = job.method == ContactMethod::patch ? ~no_lanes() : no_lanes();
    for (std::uint32_t k = 0; k < pairs.apart.count; ++k) {
        const FacePick pick = picks[k];
        if (pick.reference_sides <= kNearestSides && pick.incident_sides <= kNearestSides)
            picks[count++] = pick;
        else
            leave(pairs.rows[pick.slot].pair);
    }
    for (std::uint32_t begin = 0; begin < count; begin += kWidth) {
        const std::uint32_t lanes = lane_count(count, begin);
        LANEFOLD_STAGE_LANES(lanes, kWidth);
        FaceRows rows;
        FaceBatch<kNearestSides> f;
        load_batch(job, pairs, picks + begin, lanes, rows, f);
        HullNearest c;
        find_nearest(f, c);
        const WFloat size_sum = f.tolerance.size_sum;
        const WFloat most_miss = size_sum * splat(kWitnessTolerance);
        const WMask proven = (reach_beyond(job, pairs, picks + begin, lanes, c) <= size_sum * splat(kHullDeficit)) &
                             (size_sum * splat(kLeastHullGap) < c.distance) & (c.miss2 <= most_miss * most_miss);
        const WMask touching = c.distance <= f.margin;
        const WFloat band = f.tolerance.face_band;
        const WMask by_face = f.face.value >= c.distance - (band + size_sum * splat(kHullDeficit));
        const WMask faces_meet = f.optimum.value <= c.distance + (band + size_sum * splat(kDepthTolerance));
        const WMask features = ~by_face | (~faces_meet & ~patch);
        const std::uint32_t in_use = f.in_use & bits(proven);
        const std::uint32_t emitted = in_use & bits(touching & features);
        totals.counters.rejected_distance += count_bits(in_use & ~bits(touching));
        alignas(64) float decided[kWidth];
        c.distance.store(decided);
        for (std::uint32_t rest = in_use & bits(touching & ~features); rest != 0; rest &= rest - 1) {
            ++totals.counters.clip_fallbacks;
            precise.push(f.pair[lowest_bit(rest)], decided[lowest_bit(rest)]);
        }
        for (std::uint32_t rest = f.in_use & ~in_use; rest != 0; rest &= rest - 1) leave(f.pair[lowest_bit(rest)]);
        const LaneFeatureContact records = nearest_records(f, emitted, c);
        const LanePose world = load_pose(rows.frame);
        write_features<false>(job, records, world.r, world.t, out, totals);
    }
}

}  // namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE
