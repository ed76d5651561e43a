// SPDX-License-Identifier: MIT
//
// Clips an incident face against the side planes of a reference face, for any number of sides (lanes = incident edges,
// then reference vertices). Each incident edge is clipped parametrically (pair/edge_clip.hpp) instead of clipping a
// growing polygon. So every edge is independent, and the features of each point are known.
#pragma once

#include "contact/clip_polygons.hpp"
#include "pair/edge_clip.hpp"
#include "pair/lane_rows.hpp"
#include "pair/point.hpp"
#include "pair/tolerances.hpp"

namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE {

// Loads the face of `count` corners in A's frame; `polygon`: its plane and corners in the hull's block. `row`: the pair
// if the face is B's, null if it is A's. A copy of the first vertex closes the polygon, and more copies fill whole
// vectors.
inline void load_polygon(const float* polygon, std::uint32_t count, const PairRow* row, ClipPolygon& p) {
    static_assert(sizeof(PolygonCorner) == 16 && offsetof(PolygonCorner, vertex) == 12 &&
                  offsetof(PolygonCorner, edge) == 14);
    constexpr std::uint32_t kCorner = sizeof(PolygonCorner) / sizeof(float);
    const auto set = [&p](std::uint32_t k, const WVec3& x) LANEFOLD_INLINE_LAMBDA {
        x.x.store(p.x.data() + k);
        x.y.store(p.y.data() + k);
        x.z.store(p.z.data() + k);
    };
    LanePose pose;
    if (row != nullptr) {
        const float* r = row->to_a.r;
        for (std::size_t i = 0; i < 3; ++i) pose.r[i] = {splat(r[3 * i]), splat(r[3 * i + 1]), splat(r[3 * i + 2])};
        pose.t = splat(origin_b(*row));
    }
    p.count = count;
    const std::uint32_t end = lanes_up(count);
    for (std::uint32_t k = 0; k < end; k += kWidth) {
        const float* rows[kWidth];
        for (std::uint32_t l = 0; l < kWidth; ++l) rows[l] = polygon + kCorner * (k + l < count ? k + l + 1 : 1);
        WFloat q[4];
        load_rows4(rows, q);
        const WVec3 x = {q[0], q[1], q[2]};
        set(k, row != nullptr ? transform(pose, x) : x);
        const WInt ids = bit_cast_int(q[3]);
        store_indices(ids & WInt(0xFFFF), p.vertex.data() + k);
        store_indices(shift_right_logical(ids, 16), p.edge.data() + k);
    }
    set(end, splat(Point{p.x[0], p.y[0], p.z[0]}));
}

// kWidth corners from k on, and their successors.
LANEFOLD_INLINE WVec3 corners(const ClipPolygon& p, std::uint32_t k) {
    return load_points(p.x.data() + k, p.y.data() + k, p.z.data() + k);
}
LANEFOLD_INLINE WVec3 next_corners(const ClipPolygon& p, std::uint32_t k) {
    return loadu_points(p.x.data() + k + 1, p.y.data() + k + 1, p.z.data() + k + 1);
}
// The inward normal of side j, in all lanes.
LANEFOLD_INLINE WVec3 side_normal(const ClipPolygon& p, std::uint32_t j) {
    return {splat(p.sx[j]), splat(p.sy[j]), splat(p.sz[j])};
}

// Makes the side planes through the edges, parallel to n: unit inward normals along sign * (n x e), and offsets.
inline void make_side_planes(ClipPolygon& p, const Point& n, float sign) {
    const WVec3 axis = {splat(n.x * sign), splat(n.y * sign), splat(n.z * sign)};
    for (std::uint32_t k = 0; k < p.count; k += kWidth) {
        const WVec3 from = corners(p, k);
        const WVec3 to = next_corners(p, k);
        const WVec3 s = cross(axis, to - from);
        const WFloat length = sqrt(dot(s, s));
        const WVec3 u = {s.x / length, s.y / length, s.z / length};
        u.x.store(p.sx.data() + k);
        u.y.store(p.sy.data() + k);
        u.z.store(p.sz.data() + k);
        dot(u, from).store(p.so.data() + k);
    }
}

struct ClipPlane {
    Point n;  // outward from the reference hull
    float d;
};

// Appends the points of a manifold that are within the margin, midway between the surfaces.
struct ClipOutput {
    ClipPoints* points;
    ClipPlane plane;
    float margin;
    bool reference_is_a;

    // x: on the incident surface if x_is_incident, otherwise on the reference surface. `separation`: along the
    // reference normal.
    LANEFOLD_INLINE void add(const Point& x, float separation, bool x_is_incident, std::uint32_t reference_feature,
                             std::uint32_t incident_feature) const {
        if (!(separation <= margin)) return;
        const float h = (x_is_incident ? -0.5F : 0.5F) * separation;
        ClipPoints& p = *points;
        const std::uint32_t i = p.count++;
        p.x[i] = x.x + plane.n.x * h;
        p.y[i] = x.y + plane.n.y * h;
        p.z[i] = x.z + plane.n.z * h;
        p.separation[i] = separation;
        p.feature_a[i] = reference_is_a ? reference_feature : incident_feature;
        p.feature_b[i] = reference_is_a ? incident_feature : reference_feature;
    }
};

// The cuts of kWidth incident edges: points, separations, reference sides.
struct EdgeCuts {
    alignas(64) float x[3][kWidth];
    alignas(64) float separation[kWidth];
    alignas(64) std::int32_t side[kWidth];

    LANEFOLD_INLINE void set(const WVec3& at, const ClipPlane& plane, WInt sides) {
        store_points(at, x);
        (dot(splat(plane.n), at) - splat(plane.d)).store(separation);
        sides.storeu(side);
    }
    LANEFOLD_INLINE Point point(std::uint32_t l) const { return {x[0][l], x[1][l], x[2][l]}; }
};

// Adds incident vertices inside the reference face, and crossings of incident edges with its side planes, in loop
// order. `reference_counts`, `incident_counts`: the numbering of features.
inline void clip_incident_edges(const ClipPolygon& reference, const ClipPolygon& incident, std::uint32_t reference_face,
                                const FeatureCounts& reference_counts, const FeatureCounts& incident_counts,
                                float tolerance, const ClipOutput& out) {
    const WFloat outside(-tolerance);
    for (std::uint32_t begin = 0; begin < incident.count; begin += kWidth) {
        const std::uint32_t lanes = lane_count(incident.count, begin);
        const WVec3 v0 = corners(incident, begin);
        const WVec3 v1 = next_corners(incident, begin);
        EdgeClip clip;
        for (std::uint32_t j = 0; j < reference.count; ++j) {
            const WVec3 side = side_normal(reference, j);
            const WFloat offset(reference.so[j]);
            clip.by_side(j, dot(side, v0) - offset, dot(side, v1) - offset, outside);
        }
        const std::uint32_t through = bits(clip.through());
        const std::uint32_t all = lane_mask(lanes);
        const WVec3 e = v1 - v0;
        alignas(64) float separation[kWidth];
        (dot(splat(out.plane.n), v0) - splat(out.plane.d)).store(separation);
        EdgeCuts entry, exit;
        entry.set(v0 + e * clip.clamped_in(), out.plane, clip.side_in);
        exit.set(v0 + e * clip.clamped_out(), out.plane, clip.side_out);

        const std::uint32_t out0 = bits(clip.out0);
        const std::uint32_t vertex = ~out0 & all;
        const std::uint32_t enters = out0 & through & all;
        const std::uint32_t leaves = bits(clip.out1) & through & all;
        for (std::uint32_t busy = vertex | enters | leaves; busy != 0; busy &= busy - 1) {
            const std::uint32_t l = lowest_bit(busy);
            const std::uint32_t k = begin + l;
            const std::uint32_t edge = incident_counts.faces + incident.edge[k];
            const auto add_cut = [&](const EdgeCuts& cut) {
                out.add(cut.point(l), cut.separation[l], true,
                        reference_counts.faces + reference.edge[static_cast<std::uint32_t>(cut.side[l])], edge);
            };
            if (bit_at(vertex, l)) {
                out.add({incident.x[k], incident.y[k], incident.z[k]}, separation[l], true, reference_face,
                        incident_counts.faces + incident_counts.edges + incident.vertex[k]);
            }
            if (bit_at(enters, l)) add_cut(entry);
            if (bit_at(leaves, l)) add_cut(exit);
        }
    }
}

// Adds reference vertices strictly inside the incident face, seen along the reference normal, with the exact plane-ray
// separation. `incident_plane`: in A's frame. Returns false, and adds none, if there are such vertices and that face is
// too steep for their separation in float32.
inline bool clip_reference_vertices(const ClipPolygon& reference, const ClipPolygon& incident,
                                    const ClipPlane& incident_plane, std::uint32_t incident_face,
                                    const FeatureCounts& reference_counts, float tolerance, const ClipOutput& out) {
    const Point& n = out.plane.n;
    const float cosine = dot(n, incident_plane.n);
    if (cosine > kEdgeOnCosine) return true;
    const WVec3 g = splat(incident_plane.n);
    for (std::uint32_t begin = 0; begin < reference.count; begin += kWidth) {
        const std::uint32_t lanes = lane_count(reference.count, begin);
        const WVec3 v = corners(reference, begin);
        WFloat least(kHighest);
        for (std::uint32_t j = 0; j < incident.count; ++j) {
            least = min(dot(side_normal(incident, j), v) - splat(incident.so[j]), least);
        }
        const std::uint32_t all = lane_mask(lanes);
        std::uint32_t inside = bits(least > splat(tolerance)) & all;
        if (inside == 0) continue;
        alignas(64) float separation[kWidth];
        ((splat(incident_plane.d) - dot(g, v)) / splat(cosine)).store(separation);
        for (; inside != 0; inside &= inside - 1) {
            const std::uint32_t l = lowest_bit(inside);
            const std::uint32_t k = begin + l;
            if (cosine > kProjectCosine && separation[l] <= out.margin) return false;
            out.add({reference.x[k], reference.y[k], reference.z[k]}, separation[l], false,
                    reference_counts.faces + reference_counts.edges + reference.vertex[k], incident_face);
        }
    }
    return true;
}

}  // namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE
