// SPDX-License-Identifier: MIT
//
// Clipping of faces with few sides, lanes = pairs: both polygons of kWidth pairs at once, in the coordinates of the
// contact plane. The same sources of points, in the same order, as contact/large_clip.hpp.
#pragma once

#include "contact/large_clip.hpp"
#include "record/lane_emit.hpp"

namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE {

// A face of kWidth pairs: up to kSides vertices in loop order (slots beyond the count repeat vertex 0) and the plane. Then what
// its features add to the number of a pair of features (the number of one hull's feature, times the other's count for one of
// them): each vertex, what a crossing on the side that starts there is named after, and the face.
template <int kSides>
struct LaneFace {
    WVec3 x[static_cast<std::size_t>(kSides)];
    WInt vertex[static_cast<std::size_t>(kSides)];
    WInt side[static_cast<std::size_t>(kSides)];
    WInt own;
    WVec3 n;
    WFloat d;
    WInt count;
};

template <int kSides>
struct LaneClip {
    static constexpr int kCandidates = 3 * kSides;
    // Candidates; 2 * incident sides + reference sides are in use. For each incident side its first vertex or, where that
    // is clipped away, its entry; then its exit; at the end the reference vertices.
    LanePoint points[static_cast<std::size_t>(kCandidates)];
    WInt number[static_cast<std::size_t>(kCandidates)];  // of their pairs of features
    WVec3 origin, u, v;                                  // of the contact plane, in the frame of the faces
};

// x along the side from (pu, pv) with direction (eu, ev): positive to the left.
LANEFOLD_INLINE WFloat left_of(WFloat eu, WFloat ev, WFloat pu, WFloat pv, WFloat xu, WFloat xv) {
    return eu * (xv - pv) - ev * (xu - pu);
}

// `reference_sides`, `incident_sides`: no such face of the batch has more. (One with fewer repeats vertex 0 in the slot after
// its last.)
template <int kSides>
inline void lane_clip(std::size_t reference_sides, std::size_t incident_sides, const LaneFace<kSides>& reference,
                      const LaneFace<kSides>& incident, WFloat size_sum, WFloat margin, LaneClip<kSides>& out) {
    constexpr auto kN = static_cast<std::size_t>(kSides);
    const WFloat zero(0.0F);
    const WFloat one(1.0F);
    const WVec3& n = reference.n;
    // Plane coordinates about the reference face's first vertex. The axes come from the normal alone: the direction of
    // a tiny side is all rounding.
    const WMask along_x = abs(n.x) > splat(0.6F);
    const WVec3 other = {select(along_x, zero, one), select(along_x, one, zero), zero};
    const WVec3 across = cross(n, other);
    const WFloat length = sqrt(dot(across, across));
    out.u = {across.x / length, across.y / length, across.z / length};
    out.v = cross(n, out.u);
    out.origin = reference.x[0] + n * (reference.d - dot(n, reference.x[0]));

    WFloat ru[kN], rv[kN], iu[kN], iv[kN], separation[kN];
    for (std::size_t k = 0; k < reference_sides; ++k) {
        const WVec3 r = reference.x[k] - reference.x[0];
        ru[k] = dot(out.u, r);
        rv[k] = dot(out.v, r);
    }
    for (std::size_t k = 0; k < incident_sides; ++k) {
        const WVec3 i = incident.x[k] - reference.x[0];
        iu[k] = dot(out.u, i);
        iv[k] = dot(out.v, i);
        separation[k] = dot(n, incident.x[k]) - reference.d;
    }
    const WFloat tolerance = size_sum * splat(kClipTolerance);

    // Signed distance (times the side's length) of every incident vertex from every reference side.
    WFloat distance[kN][kN];
    WMask outside[kN][kN];
    WMask vertex_out[kN];
    for (std::size_t k = 0; k < incident_sides; ++k) vertex_out[k] = no_lanes();
    for (std::size_t p = 0; p < reference_sides; ++p) {
        const std::size_t q = p + 1 == reference_sides ? 0 : p + 1;
        const WFloat eu = ru[q] - ru[p];
        const WFloat ev = rv[q] - rv[p];
        const WFloat limit = negate(tolerance * sqrt(eu * eu + ev * ev));
        const WMask real = WInt(static_cast<std::int32_t>(p)) < reference.count;
        for (std::size_t k = 0; k < incident_sides; ++k) {
            distance[p][k] = left_of(eu, ev, ru[p], rv[p], iu[k], iv[k]);
            outside[p][k] = (distance[p][k] < limit) & real;
            vertex_out[k] = vertex_out[k] | outside[p][k];
        }
    }
    for (std::size_t k = 0; k < incident_sides; ++k) {
        const std::size_t next = k + 1 == incident_sides ? 0 : k + 1;
        WFloat t_in(0.0F);
        WFloat t_out(1.0F);
        WInt side_in = reference.side[0];
        WInt side_out = side_in;
        WMask culled = no_lanes();
        for (std::size_t p = 0; p < reference_sides; ++p) {
            const WFloat at = distance[p][k] / (distance[p][k] - distance[p][next]);
            const WMask entering = outside[p][k] & ~outside[p][next] & (at > t_in);
            const WMask leaving = ~outside[p][k] & outside[p][next] & (at < t_out);
            t_in = select(entering, at, t_in);
            side_in = select(entering, reference.side[p], side_in);
            t_out = select(leaving, at, t_out);
            side_out = select(leaving, reference.side[p], side_out);
            culled = culled | (outside[p][k] & outside[p][next]);
        }
        const WMask real = WInt(static_cast<std::int32_t>(k)) < incident.count;
        const WMask through = (t_in < t_out) & ~culled & real;
        t_in = min(max(t_in, zero), one);
        t_out = min(max(t_out, zero), one);
        const WMask clipped = vertex_out[k];
        const WFloat from = select(clipped, t_in, zero);
        const WFloat eu = iu[next] - iu[k];
        const WFloat ev = iv[next] - iv[k];
        const WFloat es = separation[next] - separation[k];
        const WMask here = real & (through | ~clipped);
        out.points[2 * k] = {iu[k] + eu * from, iv[k] + ev * from, separation[k] + es * from, here};
        out.points[2 * k + 1] = {iu[k] + eu * t_out, iv[k] + ev * t_out, separation[k] + es * t_out,
                                 vertex_out[next] & through};
        out.number[2 * k] = select(clipped, side_in + incident.side[k], reference.own + incident.vertex[k]);
        out.number[2 * k + 1] = side_out + incident.side[k];
    }

    // Reference vertices strictly inside the incident face (clockwise in this view), with the exact plane-ray separation.
    const WFloat cosine = dot(incident.n, n);
    const WMask facing = cosine <= splat(kProjectCosine);
    WFloat side_u[kN], side_v[kN], side_limit[kN];
    for (std::size_t k = 0; k < incident_sides; ++k) {
        const std::size_t next = k + 1 == incident_sides ? 0 : k + 1;
        side_u[k] = iu[next] - iu[k];
        side_v[k] = iv[next] - iv[k];
        side_limit[k] = tolerance * sqrt(side_u[k] * side_u[k] + side_v[k] * side_v[k]);
    }
    for (std::size_t p = 0; p < reference_sides; ++p) {
        WMask inside = facing & (WInt(static_cast<std::int32_t>(p)) < reference.count);
        for (std::size_t k = 0; k < incident_sides; ++k) {
            const WMask unreal = ~(WInt(static_cast<std::int32_t>(k)) < incident.count);
            const WFloat right = negate(left_of(side_u[k], side_v[k], iu[k], iv[k], ru[p], rv[p]));
            inside = inside & ((right > side_limit[k]) | unreal);
        }
        const WFloat s = (incident.d - dot(incident.n, reference.x[p])) / cosine;
        out.points[2 * incident_sides + p] = {ru[p], rv[p], s, inside};
        out.number[2 * incident_sides + p] = reference.vertex[p] + incident.own;
    }
    for (std::size_t c = 0; c < 2 * incident_sides + reference_sides; ++c)
        out.points[c].valid = out.points[c].valid & (out.points[c].separation <= margin);
}

}  // namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE
