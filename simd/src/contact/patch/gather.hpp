// SPDX-License-Identifier: MIT
//
// Support patches, first half: the vertices and faces of a hull that belong to the patch (lanes = vertices, then faces
// of one hull), and their places in the contact plane. The semantics are those of core/src/precise/patch_faces.cpp.
#pragma once

#include "contact/patch/patch_sides.hpp"
#include "pair/point.hpp"

namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE {

// Faces whose normal has a smaller cosine against the outward direction are left out: they are upright to rounding.
// If one is left out, the surface seems to go on outwards, by a millionth of its height. The height where a line
// along the normal meets an upright plane is off by the plane's rounding divided by the cosine, but the point stays on
// the face: it slides along it.
inline constexpr float kLeastCosine = 1e-6F;

// Above or below any height of a patch: sizes are at most 1e6 and cosines at least kLeastCosine.
inline constexpr float kPatchHighest = 1e30F;

// The contact plane for one hull: directions in the hull's own frame, and the shifts that turn dot products with its
// vertices into coordinates that both hulls share.
struct PatchFrame {
    Point across;
    Point along;
    Point outward;
    float shift_u;
    float shift_v;
    float shift_h;
};

// `across`, `along`, `outward`: in A's frame; `own_outward`: the outward direction in the hull's own frame.
LANEFOLD_INLINE PatchFrame patch_frame(const PairRow& row, bool is_b, const Point& across, const Point& along,
                                       const Point& outward, const Point& own_outward) {
    if (!is_b) return {across, along, own_outward, 0.0F, 0.0F, 0.0F};
    const Point t = origin_b(row);
    return {rotate_to_b(row, across), rotate_to_b(row, along), own_outward,
            dot(across, t),           dot(along, t),           dot(outward, t)};
}

LANEFOLD_INLINE bool in_face(const HullTopology& topology, std::uint32_t face, std::uint32_t vertex) {
    for (std::uint32_t k = topology.face_first[face]; k < topology.face_first[face + 1]; ++k)
        if (topology.face_vertex[k] == vertex) return true;
    return false;
}

// Lists the faces around a vertex that are not yet among the `planes` listed ones; returns the new number. Every face
// is written to the list and only new ones are counted, because a branch would be mispredicted.
LANEFOLD_INLINE std::uint32_t list_faces_around(const HullTopology& topology, std::uint32_t vertex, std::uint32_t epoch,
                                                std::uint32_t* seen, std::uint32_t* face, std::uint32_t planes) {
    const std::uint32_t end = topology.vertex_first[vertex + 1];
    for (std::uint32_t k = topology.vertex_first[vertex]; k < end; ++k) {
        const std::uint32_t f = topology.vertex_face[k];
        face[planes] = f;
        planes += seen[f] != epoch ? 1U : 0U;
        seen[f] = epoch;
    }
    return planes;
}

// Lists the vertices within `band` of the support and those of the significant face, and every face that can be over
// their convex outline. A face over a point of the outline is at least as high there as the lowest listed vertex, so
// one of the face's vertices is, too. `own_top`: height of the support in the hull's own frame.
inline void list_patch(const HullFloats& h, const HullTopology& topology, const PatchFrame& frame, float own_top,
                       float band, std::uint32_t face, PatchSide& s) {
    s.top = own_top + frame.shift_h;
    s.top_face = face;
    if (++s.epoch == 0) {  // the epoch wraps after 2^32 patches: clear all marks
        for (std::size_t i = 0; i < s.seen.size(); ++i) s.seen[i] = 0;
        s.epoch = 1;
    }
    const float limit = own_top - band;
    float lowest = limit;
    for (std::uint32_t k = topology.face_first[face]; k < topology.face_first[face + 1]; ++k) {
        const float height = dot(frame.outward, vertex_of(h, topology.face_vertex[k]));
        lowest = height < lowest ? height : lowest;
    }
    const WVec3 n = splat(frame.outward);
    const std::uint32_t epoch = s.epoch;
    std::uint32_t* const seen = s.seen.data();
    std::uint32_t* const faces = s.face.data();
    std::uint32_t* const vertices = s.vertex.data();
    std::uint32_t planes = 0;
    std::uint32_t count = 0;
    for (std::uint32_t begin = 0; begin < h.vertices; begin += kWidth) {
        const WVec3 x = load_points(h.vx + begin, h.vy + begin, h.vz + begin);
        const WFloat height = dot(n, x);
        std::uint32_t busy = bits(height >= splat(lowest));
        if (h.vertices - begin < kWidth) busy &= lane_mask(h.vertices - begin);
        if (busy == 0) continue;
        const std::uint32_t high = bits(height >= splat(limit));
        for (; busy != 0; busy &= busy - 1) {
            const std::uint32_t l = lowest_bit(busy);
            const std::uint32_t v = begin + l;
            planes = list_faces_around(topology, v, epoch, seen, faces, planes);
            if (bit_at(high, l) || in_face(topology, face, v)) vertices[count++] = v;
        }
    }
    s.planes = planes;
    s.count = count;
}

// Computes the coordinates of the listed vertices in the contact plane.
inline void place_patch(const HullFloats& h, const PatchFrame& frame, PatchSide& s) {
    const std::uint32_t count = s.count;
    const std::uint32_t end = lanes_up(count);
    const std::uint32_t* const vertices = s.vertex.data();
    float* const to[3] = {s.x.data(), s.y.data(), s.z.data()};
    for (std::uint32_t k = 0; k < end; ++k) {
        const std::uint32_t v = vertices[k < count ? k : 0];
        to[0][k] = h.vx[v];
        to[1][k] = h.vy[v];
        to[2][k] = h.vz[v];
    }
    for (std::uint32_t k = 0; k < end; k += kWidth) {
        const WVec3 x = load_points(s.x.data() + k, s.y.data() + k, s.z.data() + k);
        (dot(splat(frame.across), x) + splat(frame.shift_u)).store(s.u.data() + k);
        (dot(splat(frame.along), x) + splat(frame.shift_v)).store(s.v.data() + k);
        (dot(splat(frame.outward), x) + splat(frame.shift_h)).store(s.height.data() + k);
    }
}

// Computes the planes of the listed faces as heights over the contact plane, c - p u - q v. A face below
// kLeastCosine gets a height that is never the lowest.
inline void place_planes(const HullFloats& h, const PatchFrame& frame, const Point& own_origin, PatchSide& s) {
    const std::uint32_t planes = s.planes;
    const std::uint32_t end = lanes_up(planes);
    const std::uint32_t* const faces = s.face.data();
    float* const to[4] = {s.nx.data(), s.ny.data(), s.nz.data(), s.d.data()};
    for (std::uint32_t k = 0; k < end; ++k) {
        const float* plane = plane_of(h, faces[k < planes ? k : 0]);
        for (std::size_t c = 0; c < 4; ++c) to[c][k] = plane[c];
    }
    for (std::uint32_t k = 0; k < end; k += kWidth) {
        const WVec3 n = load_points(s.nx.data() + k, s.ny.data() + k, s.nz.data() + k);
        const WFloat cosine = dot(n, splat(frame.outward));
        const WMask usable = cosine >= splat(kLeastCosine);
        const WFloat divisor = select(usable, cosine, splat(1.0F));
        // own_origin is A's origin in the hull's own frame; subtracting it makes u, v and heights common to both hulls.
        const WFloat offset = WFloat::load(s.d.data() + k) - dot(n, splat(own_origin));
        select(usable, dot(n, splat(frame.across)) / divisor, splat(0.0F)).store(s.p.data() + k);
        select(usable, dot(n, splat(frame.along)) / divisor, splat(0.0F)).store(s.q.data() + k);
        select(usable, offset / divisor, splat(kPatchHighest)).store(s.c.data() + k);
    }
}

// Orders corners by u, then v, then vertex. sort_corners() is a shell sort: insertion for the usual few corners, and
// still fast for a lid of a thousand.
LANEFOLD_INLINE bool corner_before(const PatchCorner& a, const PatchCorner& b) {
    if (a.u != b.u) return a.u < b.u;
    if (a.v != b.v) return a.v < b.v;
    return a.vertex < b.vertex;
}

inline void sort_corners(PatchSide& s) {
    const std::uint32_t count = s.count;
    PatchCorner* const sorted = s.sorted.data();
    for (std::uint32_t k = 0; k < count; ++k) sorted[k] = {s.u[k], s.v[k], s.height[k], s.vertex[k]};
    std::uint32_t gap = 1;
    while (gap < count / 3) gap = 3 * gap + 1;
    for (; gap > 0; gap /= 3) {
        for (std::uint32_t i = gap; i < count; ++i) {
            const PatchCorner c = sorted[i];
            std::uint32_t k = i;
            for (; k >= gap && corner_before(c, sorted[k - gap]); k -= gap) sorted[k] = sorted[k - gap];
            sorted[k] = c;
        }
    }
}

LANEFOLD_INLINE float squared_distance(const PatchCorner& p, const PatchCorner& q) {
    return (q.u - p.u) * (q.u - p.u) + (q.v - p.v) * (q.v - p.v);
}

// Corners at one place, the rims of a side that is seen edge on, count as one, at the greatest height. Returns whether
// c is at the place of a corner that is there.
LANEFOLD_INLINE bool is_taken(PatchCorner& there, const PatchCorner& c, float tolerance2) {
    if (squared_distance(there, c) > tolerance2) return false;
    if (c.height > there.height) there = c;
    return true;
}

// Adds a corner to the convex chain outline[base] ... outline[n - 1]; returns the new end of the chain. Rounding
// decides the order of corners in a row across u, so the places of three corners in a line, not their order, tell which
// one is in the middle.
LANEFOLD_INLINE std::uint32_t add_to_chain(PatchCorner* outline, std::uint32_t base, std::uint32_t n,
                                           const PatchCorner& c, bool upper, float tolerance2) {
    if (n > base && is_taken(outline[n - 1], c, tolerance2)) return n;
    while (n >= base + 2) {
        PatchCorner& p = outline[n - 2];
        const PatchCorner& q = outline[n - 1];
        const float du = c.u - p.u;
        const float dv = c.v - p.v;
        const float eu = q.u - p.u;
        const float ev = q.v - p.v;
        const float turn = eu * dv - ev * du;
        const float pc = du * du + dv * dv;
        const float pq = eu * eu + ev * ev;
        const bool bent = turn * turn > tolerance2 * (pc > pq ? pc : pq);
        if (bent && turn > 0.0F) break;
        if (!bent) {
            if (is_taken(p, c, tolerance2)) return n;
            // c lies between the two, or beyond p, where it belongs to the other chain.
            if (eu * du + ev * dv >= 0.0F ? pc < pq : (ev > 0.0F) == upper) return n;
        }
        --n;
    }
    outline[n] = c;
    return n + 1;
}

// Takes corner k out of an outline of n corners if its neighbours' line passes it by no more than the tolerance.
LANEFOLD_INLINE std::uint32_t drop_if_straight(PatchCorner* outline, std::uint32_t n, std::uint32_t k,
                                               float tolerance2) {
    if (n < 4 || k >= n) return n;
    const PatchCorner& p = outline[k > 0 ? k - 1 : n - 1];
    const PatchCorner& q = outline[k];
    const PatchCorner& c = outline[k + 1 < n ? k + 1 : 0];
    const float turn = (q.u - p.u) * (c.v - p.v) - (q.v - p.v) * (c.u - p.u);
    if (turn > 0.0F && turn * turn > tolerance2 * squared_distance(p, c)) return n;
    for (std::uint32_t i = k + 1; i < n; ++i) outline[i - 1] = outline[i];
    return n - 1;
}

// The first corner of the lower chain: the one with the lowest v among those that tie for the lowest u.
LANEFOLD_INLINE std::uint32_t first_corner(const PatchCorner* sorted, std::uint32_t count, float tolerance) {
    std::uint32_t best = 0;
    for (std::uint32_t k = 1; k < count && sorted[k].u <= sorted[0].u + tolerance; ++k) {
        if (sorted[k].v < sorted[best].v) best = k;
    }
    return best;
}

// The last corner of the lower chain: the one with the highest v among those that tie for the highest u.
LANEFOLD_INLINE std::uint32_t last_corner(const PatchCorner* sorted, std::uint32_t count, float tolerance) {
    std::uint32_t best = count - 1;
    for (std::uint32_t k = best; k > 0 && sorted[k - 1].u >= sorted[count - 1].u - tolerance; --k) {
        if (sorted[k - 1].v > sorted[best].v) best = k - 1;
    }
    return best;
}

// Convex outline of the sorted corners by monotone chains. A corner that stands out from its neighbours' line by less
// than `tolerance` does not count as a corner, because rounding would decide whether it exists.
inline void make_outline(PatchSide& s, float tolerance) {
    std::uint32_t n = 0;
    const float tolerance2 = tolerance * tolerance;
    PatchCorner* const outline = s.outline.data();
    const PatchCorner* const sorted = s.sorted.data();
    const std::uint32_t first = first_corner(sorted, s.count, tolerance);
    const std::uint32_t last = last_corner(sorted, s.count, tolerance);
    n = add_to_chain(outline, 0, n, sorted[first], false, tolerance2);
    for (std::uint32_t k = 0; k < s.count; ++k) {
        if (k != first && k != last) n = add_to_chain(outline, 0, n, sorted[k], false, tolerance2);
    }
    if (last != first) n = add_to_chain(outline, 0, n, sorted[last], false, tolerance2);
    const std::uint32_t base = n - 1;
    for (std::uint32_t k = s.count; k > 0; --k) {
        if (k - 1 != first && k - 1 != last) n = add_to_chain(outline, base, n, sorted[k - 1], true, tolerance2);
    }
    n = add_to_chain(outline, base, n, sorted[first], true, tolerance2);
    // The first corner again.
    if (n > 1 && squared_distance(outline[0], outline[n - 1]) <= tolerance2) --n;
    // The two corners at which the chains meet have not been held against both of their neighbours.
    n = drop_if_straight(outline, n, base, tolerance2);
    n = drop_if_straight(outline, n, 0, tolerance2);
    s.corners = n;

    const std::uint32_t end = lanes_up(n) + kWidth;
    for (std::uint32_t k = 0; k < end; ++k) {
        const PatchCorner& c = outline[k < n ? k : 0];
        s.out_u[k] = c.u;
        s.out_v[k] = c.v;
    }
    outline[n] = outline[0];
    for (std::uint32_t k = 0; k < n; k += kWidth) {
        const WFloat u0 = WFloat::load(s.out_u.data() + k);
        const WFloat v0 = WFloat::load(s.out_v.data() + k);
        const WFloat du = WFloat::loadu(s.out_u.data() + k + 1) - u0;
        const WFloat dv = WFloat::loadu(s.out_v.data() + k + 1) - v0;
        const WFloat length = sqrt(du * du + dv * dv);
        const WMask usable = length > splat(0.0F);
        const WFloat divisor = select(usable, length, splat(1.0F));
        const WFloat nu = negate(dv) / divisor;
        const WFloat nv = du / divisor;
        nu.store(s.side_u.data() + k);
        nv.store(s.side_v.data() + k);
        (nu * u0 + nv * v0).store(s.side_at.data() + k);
    }
}

}  // namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE
