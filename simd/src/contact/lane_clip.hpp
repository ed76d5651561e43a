// SPDX-License-Identifier: MIT
//
// Clipping of faces with few sides, lanes = pairs: both polygons of kWidth pairs at once, in coordinates of the contact
// plane. The points come from the same sources, in the same order, as in contact/large_clip.hpp.
#pragma once

#include "contact/large_clip.hpp"
#include "contact/tips.hpp"
#include "record/lane_emit.hpp"

namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE {

// A face of each of kWidth pairs: up to kSides vertices in loop order (slots beyond the count repeat vertex 0) and the
// plane. vertex, side and own are the shares of its features in the number of a pair of features: of each vertex, of a
// crossing on the side that starts there, and of the face. (The number of a pair of features is A's feature number
// times B's feature count, plus B's feature number.)
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
    // Candidates; 2 * incident sides + reference sides are in use. For each incident side its first vertex (its entry
    // point if that vertex is clipped away), then its exit point; at the end the reference vertices.
    LanePoint points[static_cast<std::size_t>(kCandidates)];
    WInt number[static_cast<std::size_t>(kCandidates)];  // numbers of their pairs of features
    WVec3 origin, u, v;                                  // the contact plane, in the frame of the faces
    WMask spoilt;                                        // lanes whose points float32 does not give; see lane_clip()
};

// Distance of x, times the side's length, from the side through (pu, pv) with direction (eu, ev); positive to the left.
LANEFOLD_INLINE WFloat left_of(WFloat eu, WFloat ev, WFloat pu, WFloat pv, WFloat xu, WFloat xv) {
    return eu * (xv - pv) - ev * (xu - pu);
}

// Both faces in coordinates of the contact plane, whose origin is the reference face's first vertex. reference_sides,
// incident_sides: largest number of sides in the batch. A face with fewer sides repeats vertex 0 in the slot after its
// last.
template <int kSides>
struct LaneOutlines {
    static constexpr auto kN = static_cast<std::size_t>(kSides);

    std::size_t reference_sides, incident_sides;
    WFloat reference_u[kN], reference_v[kN];
    WFloat incident_u[kN], incident_v[kN];
    WFloat separation[kN];  // separations of the incident vertices

    LANEFOLD_INLINE std::size_t next_reference(std::size_t p) const { return p + 1 == reference_sides ? 0 : p + 1; }
    LANEFOLD_INLINE std::size_t next_incident(std::size_t k) const { return k + 1 == incident_sides ? 0 : k + 1; }
};

// Lanes whose face has a vertex k.
template <int kSides>
LANEFOLD_INLINE WMask has_slot(const LaneFace<kSides>& face, std::size_t k) {
    return WInt(static_cast<std::int32_t>(k)) < face.count;
}

// Sets the contact plane. Its axes depend on the normal only, because the direction of a tiny side is mostly rounding.
template <int kSides>
LANEFOLD_INLINE void lay_plane(const LaneFace<kSides>& reference, LaneClip<kSides>& out) {
    const WFloat zero(0.0F);
    const WFloat one(1.0F);
    const WVec3& n = reference.n;
    const WMask along_x = abs(n.x) > splat(kFlatAxis);
    const WVec3 other = {select(along_x, zero, one), select(along_x, one, zero), zero};
    const WVec3 across = cross(n, other);
    const WFloat length = sqrt(dot(across, across));
    out.u = {across.x / length, across.y / length, across.z / length};
    out.v = cross(n, out.u);
    out.origin = reference.x[0] + n * (reference.d - dot(n, reference.x[0]));
}

template <int kSides>
LANEFOLD_INLINE void project_faces(const LaneFace<kSides>& reference, const LaneFace<kSides>& incident, const WVec3& u,
                                   const WVec3& v, LaneOutlines<kSides>& at) {
    for (std::size_t k = 0; k < at.reference_sides; ++k) {
        const WVec3 r = reference.x[k] - reference.x[0];
        at.reference_u[k] = dot(u, r);
        at.reference_v[k] = dot(v, r);
    }
    for (std::size_t k = 0; k < at.incident_sides; ++k) {
        const WVec3 i = incident.x[k] - reference.x[0];
        at.incident_u[k] = dot(u, i);
        at.incident_v[k] = dot(v, i);
        at.separation[k] = dot(reference.n, incident.x[k]) - reference.d;
    }
}

// Signed distance (times the side's length) of every incident vertex from every reference side.
template <int kSides>
struct LaneDistances {
    static constexpr auto kN = static_cast<std::size_t>(kSides);

    WFloat distance[kN][kN];  // [reference side][incident vertex]
    WMask outside[kN][kN];
    WMask vertex_out[kN];  // vertices outside of some side
};

template <int kSides>
LANEFOLD_INLINE void measure_distances(const LaneOutlines<kSides>& at, WFloat tolerance, LaneDistances<kSides>& out) {
    const WFloat* u = at.reference_u;
    const WFloat* v = at.reference_v;
    for (std::size_t k = 0; k < at.incident_sides; ++k) out.vertex_out[k] = no_lanes();
    for (std::size_t p = 0; p < at.reference_sides; ++p) {
        const std::size_t q = at.next_reference(p);
        const WFloat eu = u[q] - u[p];
        const WFloat ev = v[q] - v[p];
        // The sides of unused slots have no length: nothing is outside of them.
        const WFloat limit = negate(tolerance * sqrt(eu * eu + ev * ev));
        for (std::size_t k = 0; k < at.incident_sides; ++k) {
            out.distance[p][k] = left_of(eu, ev, u[p], v[p], at.incident_u[k], at.incident_v[k]);
            out.outside[p][k] = out.distance[p][k] < limit;
            out.vertex_out[k] = out.vertex_out[k] | out.outside[p][k];
        }
    }
}

// Crosses the side from incident vertex k to the next.
template <int kSides>
LANEFOLD_INLINE geometry::EdgeClip<WFloat, WMask, WInt> cross_sides(const LaneFace<kSides>& reference,
                                                                    std::size_t reference_sides,
                                                                    const LaneDistances<kSides>& d, std::size_t k,
                                                                    std::size_t next) {
    geometry::EdgeClip<WFloat, WMask, WInt> clip(reference.side[0]);
    for (std::size_t p = 0; p < reference_sides; ++p) {
        clip.by_side(reference.side[p], d.distance[p][k], d.distance[p][next], d.outside[p][k], d.outside[p][next]);
    }
    return clip;
}

// Candidates: incident vertices over the reference face, and crossings of the incident sides.
template <int kSides>
LANEFOLD_INLINE void clip_incident_sides(const LaneFace<kSides>& reference, const LaneFace<kSides>& incident,
                                         const LaneOutlines<kSides>& at, WFloat tolerance, LaneClip<kSides>& out) {
    LaneDistances<kSides> d;
    measure_distances(at, tolerance, d);
    for (std::size_t k = 0; k < at.incident_sides; ++k) {
        const std::size_t next = at.next_incident(k);
        const auto side = cross_sides(reference, at.reference_sides, d, k, next);
        const WMask real = has_slot(incident, k);
        const WMask through = side.through() & real;
        const WMask clipped = d.vertex_out[k];
        const WFloat from = select(clipped, side.clamped_in(), splat(0.0F));
        const WFloat to = side.clamped_out();
        const WFloat u = at.incident_u[k];
        const WFloat v = at.incident_v[k];
        const WFloat s = at.separation[k];
        const WFloat eu = at.incident_u[next] - u;
        const WFloat ev = at.incident_v[next] - v;
        const WFloat es = at.separation[next] - s;
        out.points[2 * k] = {u + eu * from, v + ev * from, s + es * from, real & (through | ~clipped)};
        out.points[2 * k + 1] = {u + eu * to, v + ev * to, s + es * to, d.vertex_out[next] & through};
        out.number[2 * k] = select(clipped, side.side_in + incident.side[k], reference.own + incident.vertex[k]);
        out.number[2 * k + 1] = side.side_out + incident.side[k];
    }
}

// Candidates: reference vertices strictly inside the incident face (clockwise in this view), with the exact plane-ray
// separation. Incident faces above the cosine `edge_on` have none. Returns the lanes whose incident face is too steep
// for that separation in float32: the candidates there only tell that the contact has such points.
template <int kSides>
LANEFOLD_INLINE WMask add_reference_vertices(const LaneFace<kSides>& reference, const LaneFace<kSides>& incident,
                                             const LaneOutlines<kSides>& at, WFloat tolerance, float edge_on,
                                             LaneClip<kSides>& out) {
    constexpr auto kN = static_cast<std::size_t>(kSides);
    const WFloat* u = at.incident_u;
    const WFloat* v = at.incident_v;
    const WFloat cosine = dot(incident.n, reference.n);
    const WMask facing = cosine <= splat(edge_on);
    WFloat side_u[kN], side_v[kN], side_limit[kN];
    for (std::size_t k = 0; k < at.incident_sides; ++k) {
        const std::size_t next = at.next_incident(k);
        side_u[k] = u[next] - u[k];
        side_v[k] = v[next] - v[k];
        side_limit[k] = tolerance * sqrt(side_u[k] * side_u[k] + side_v[k] * side_v[k]);
    }
    for (std::size_t p = 0; p < at.reference_sides; ++p) {
        const WFloat pu = at.reference_u[p];
        const WFloat pv = at.reference_v[p];
        WMask inside = facing & has_slot(reference, p);
        for (std::size_t k = 0; k < at.incident_sides; ++k) {
            const WFloat right = negate(left_of(side_u[k], side_v[k], u[k], v[k], pu, pv));
            inside = inside & ((right > side_limit[k]) | ~has_slot(incident, k));
        }
        const WFloat s = (incident.d - dot(incident.n, reference.x[p])) / cosine;
        out.points[2 * at.incident_sides + p] = {pu, pv, s, inside};
        out.number[2 * at.incident_sides + p] = reference.vertex[p] + incident.own;
    }
    return facing & (cosine > splat(kProjectCosine));
}

// Takes the reference vertices of the `steep` lanes out of the candidates. Lanes that had one are spoilt.
template <int kSides>
LANEFOLD_INLINE void drop_reference_vertices(WMask steep, std::size_t first, std::size_t count, LaneClip<kSides>& out) {
    for (std::size_t c = first; c < first + count; ++c) {
        out.spoilt = out.spoilt | (steep & out.points[c].valid);
        out.points[c].valid = out.points[c].valid & ~steep;
    }
}

// Clips both faces. Spoilt are lanes with a point beyond a sharp corner (contact/tips.hpp), or with a reference vertex
// inside a steep incident face. `edge_on`: see add_reference_vertices().
template <int kSides>
inline void lane_clip(std::size_t reference_sides, std::size_t incident_sides, const LaneFace<kSides>& reference,
                      const LaneFace<kSides>& incident, WFloat size_sum, WFloat margin, float edge_on,
                      LaneClip<kSides>& out) {
    LaneOutlines<kSides> at;
    at.reference_sides = reference_sides;
    at.incident_sides = incident_sides;
    lay_plane(reference, out);
    project_faces(reference, incident, out.u, out.v, at);
    const WFloat tolerance = size_sum * splat(kClipTolerance);
    clip_incident_sides(reference, incident, at, tolerance, out);
    const WMask steep = add_reference_vertices(reference, incident, at, tolerance, edge_on, out);
    for (std::size_t c = 0; c < 2 * incident_sides + reference_sides; ++c)
        out.points[c].valid = out.points[c].valid & (out.points[c].separation <= margin);
    out.spoilt = no_lanes();
    if (any(steep)) drop_reference_vertices(steep, 2 * incident_sides, reference_sides, out);
    // Always, because a point beyond a tip may also be a crossing of a side whose ends are clear of it.
    const TipOutline face = {at.reference_u, at.reference_v, reference_sides, reference.count};
    out.spoilt = out.spoilt | beyond_tips(face, out.points, 2 * incident_sides, size_sum * splat(kTip)) |
                 more_points_than(reference.count + incident.count, out.points, 2 * incident_sides + reference_sides);
}

}  // namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE
