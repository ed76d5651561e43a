// SPDX-License-Identifier: MIT
//
// Support patches, second half: the corners of the intersection of two outlines (lanes = corners or sides of one of
// them), and the separation of the two surfaces at each corner (lanes = points).
#pragma once

#include "contact/patch/gather.hpp"
#include "pair/edge_clip.hpp"

namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE {

// Height at (u, v) of the chord between two vertices, or of its nearer end.
LANEFOLD_INLINE float chord_height(const PatchCorner& a, const PatchCorner& b, float u, float v) {
    const float du = b.u - a.u;
    const float dv = b.v - a.v;
    float w = ((u - a.u) * du + (v - a.v) * dv) / (du * du + dv * dv);
    w = w > 0.0F ? w : 0.0F;  // NaN becomes 0
    w = w < 1.0F ? w : 1.0F;
    return a.height + (b.height - a.height) * w;
}

// Adds a point that is a vertex of side `own` (kReference or kIncident), of known height.
LANEFOLD_INLINE void add_patch_vertex(PatchPoints& p, std::uint32_t own, float u, float v, float height,
                                      std::uint32_t number) {
    const std::uint32_t i = p.count++;
    const std::uint32_t other = 1 - own;
    p.u[i] = u;
    p.v[i] = v;
    p.low[own][i] = p.high[own][i] = height;
    p.low[other][i] = -kPatchHighest;
    p.high[other][i] = kPatchHighest;
    p.feature[own][i] = number;
    p.feature[other][i] = kPatchFace;
}

// Distance of points inside of side j of an outline.
LANEFOLD_INLINE WFloat inside_of(const PatchSide& s, std::uint32_t j, WFloat u, WFloat v) {
    return splat(s.side_u[j]) * u + splat(s.side_v[j]) * v - splat(s.side_at[j]);
}
LANEFOLD_INLINE WFloat least_inside(const PatchSide& s, WFloat u, WFloat v) {
    WFloat least(kPatchHighest);
    for (std::uint32_t j = 0; j < s.corners; ++j) least = min(inside_of(s, j, u, v), least);
    return least;
}

// Height on the nearest side of an outline. At the rim of a patch, rounding decides whether the steep faces below it
// cover the point. The chord between two vertices lies inside the hull, so the surface is no lower than the chord.
LANEFOLD_INLINE float rim_height(const PatchSide& s, float u, float v) {
    std::uint32_t nearest = 0;
    float least = kPatchHighest;
    for (std::uint32_t j = 0; j < s.corners; ++j) {
        const float inside = s.side_u[j] * u + s.side_v[j] * v - s.side_at[j];
        if (inside < least) {
            least = inside;
            nearest = j;
        }
    }
    return chord_height(s.outline[nearest], s.outline[nearest + 1], u, v);
}

// Adds the vertices of the incident patch inside the reference outline: all vertices, not only corners, because the
// deepest may be in the middle.
inline void clip_patch_vertices(const PatchSide& reference, const PatchSide& incident, std::uint32_t first_number,
                                float tolerance, PatchPoints& points) {
    for (std::uint32_t begin = 0; begin < incident.count; begin += kWidth) {
        const std::uint32_t lanes = lane_count(incident.count, begin);
        const WFloat u = WFloat::load(incident.u.data() + begin);
        const WFloat v = WFloat::load(incident.v.data() + begin);
        const WFloat least = least_inside(reference, u, v);
        std::uint32_t inside = bits(least >= splat(-tolerance));
        const std::uint32_t rim = bits(least <= splat(tolerance));
        if (lanes < kWidth) inside &= lane_mask(lanes);
        for (; inside != 0; inside &= inside - 1) {
            const std::uint32_t k = begin + lowest_bit(inside);
            add_patch_vertex(points, kIncident, incident.u[k], incident.v[k], incident.height[k],
                             first_number + incident.vertex[k]);
            if (bit_at(rim, k - begin))
                points.low[kReference][points.count - 1] = rim_height(reference, incident.u[k], incident.v[k]);
        }
    }
}

// Adds the corners of the reference outline strictly inside the incident outline.
inline void clip_patch_corners(const PatchSide& reference, const PatchSide& incident, std::uint32_t first_number,
                               float tolerance, PatchPoints& points) {
    if (incident.corners < 3) return;
    for (std::uint32_t begin = 0; begin < reference.corners; begin += kWidth) {
        const std::uint32_t lanes = lane_count(reference.corners, begin);
        const WFloat u = WFloat::load(reference.out_u.data() + begin);
        const WFloat v = WFloat::load(reference.out_v.data() + begin);
        std::uint32_t inside = bits(least_inside(incident, u, v) > splat(tolerance));
        if (lanes < kWidth) inside &= lane_mask(lanes);
        for (; inside != 0; inside &= inside - 1) {
            const PatchCorner& c = reference.outline[begin + lowest_bit(inside)];
            add_patch_vertex(points, kReference, c.u, c.v, c.height, first_number + c.vertex);
        }
    }
}

// Adds the crossing of side k of the incident outline with side j of the reference outline. Chords between two vertices
// lie inside their hulls, so the surfaces are no lower than the chords.
LANEFOLD_INLINE void add_patch_crossing(const PatchSide& reference, const PatchSide& incident, std::uint32_t j,
                                        std::uint32_t k, float t, std::uint32_t reference_number,
                                        std::uint32_t incident_number, PatchPoints& p) {
    const PatchCorner& i0 = incident.outline[k];
    const PatchCorner& i1 = incident.outline[k + 1];
    const PatchCorner& r0 = reference.outline[j];
    const PatchCorner& r1 = reference.outline[j + 1];
    const float u = i0.u + (i1.u - i0.u) * t;
    const float v = i0.v + (i1.v - i0.v) * t;
    const std::uint32_t i = p.count++;
    p.u[i] = u;
    p.v[i] = v;
    p.low[kReference][i] = chord_height(r0, r1, u, v);
    p.low[kIncident][i] = i0.height + (i1.height - i0.height) * t;
    p.high[kReference][i] = p.high[kIncident][i] = kPatchHighest;
    p.feature[kReference][i] = reference_number + r0.vertex;
    p.feature[kIncident][i] = incident_number + i0.vertex;
}

// Adds the crossings of the incident outline's sides with the reference outline, in order.
inline void clip_patch_sides(const PatchSide& reference, const PatchSide& incident, std::uint32_t reference_number,
                             std::uint32_t incident_number, float tolerance, PatchPoints& points) {
    // A segment has one side, a point none.
    const std::uint32_t sides = incident.corners >= 3 ? incident.corners : incident.corners - 1;
    const WFloat outside(-tolerance);
    for (std::uint32_t begin = 0; begin < sides; begin += kWidth) {
        const std::uint32_t lanes = lane_count(sides, begin);
        const WFloat u0 = WFloat::load(incident.out_u.data() + begin);
        const WFloat v0 = WFloat::load(incident.out_v.data() + begin);
        const WFloat u1 = WFloat::loadu(incident.out_u.data() + begin + 1);
        const WFloat v1 = WFloat::loadu(incident.out_v.data() + begin + 1);
        EdgeClip clip;
        for (std::uint32_t j = 0; j < reference.corners; ++j)
            clip.by_side(j, inside_of(reference, j, u0, v0), inside_of(reference, j, u1, v1), outside);
        std::uint32_t through = bits(clip.through());
        if (lanes < kWidth) through &= lane_mask(lanes);
        const std::uint32_t enters = bits(clip.out0) & through;
        const std::uint32_t leaves = bits(clip.out1) & through;
        if ((enters | leaves) == 0) continue;
        alignas(64) float t_first[kWidth];
        alignas(64) float t_last[kWidth];
        alignas(64) std::int32_t first[kWidth];
        alignas(64) std::int32_t last[kWidth];
        clip.clamped_in().store(t_first);
        clip.clamped_out().store(t_last);
        clip.side_in.storeu(first);
        clip.side_out.storeu(last);
        for (std::uint32_t busy = enters | leaves; busy != 0; busy &= busy - 1) {
            const std::uint32_t l = lowest_bit(busy);
            if (bit_at(enters, l))
                add_patch_crossing(reference, incident, static_cast<std::uint32_t>(first[l]), begin + l, t_first[l],
                                   reference_number, incident_number, points);
            if (bit_at(leaves, l))
                add_patch_crossing(reference, incident, static_cast<std::uint32_t>(last[l]), begin + l, t_last[l],
                                   reference_number, incident_number, points);
        }
    }
}

LANEFOLD_INLINE WFloat plane_height(const PatchSide& s, std::uint32_t k, WFloat u, WFloat v) {
    return (splat(s.c[k]) - splat(s.p[k]) * u) - splat(s.q[k]) * v;
}

// Finds the lowest of the listed planes from `first` on that is below `height` at (u, v), the first on ties.
LANEFOLD_INLINE void find_lower_plane(const PatchSide& s, std::uint32_t first, WFloat u, WFloat v, WFloat& height,
                                      WInt& plane) {
    for (std::uint32_t k = first; k < s.planes; ++k) {
        const WFloat h = plane_height(s, k, u, v);
        const WMask lower = h < height;
        height = select(lower, h, height);
        plane = select(lower, WInt(static_cast<std::int32_t>(k)), plane);
    }
}

// The lowest of the listed planes at (u, v), the first on ties.
inline WInt lowest_plane(const PatchSide& s, WFloat u, WFloat v) {
    WFloat height = plane_height(s, 0, u, v);
    WInt plane(0);
    find_lower_plane(s, 1, u, v, height, plane);
    return plane;
}

// Square of the slope of planes above which rounding moves a point by more than the promise: the cosine 0.05 divides
// the rounding of the plane.
inline constexpr float kSteepSlope2 = 400.0F;

// Names the faces of the points' planes. Returns whether a plane that is seen almost edge on gives the height of a
// point, higher than the chord there by more than `tolerance`: the point may have slid off the face.
inline bool name_patch_faces(const PatchSide& s, std::uint32_t which, float tolerance, PatchPoints& points) {
    bool steep = false;
    for (std::uint32_t i = 0; i < points.count; ++i) {
        const auto k = static_cast<std::uint32_t>(points.face[which][i]);
        points.face[which][i] = static_cast<std::int32_t>(s.face[k]);
        const bool free = points.height[which][i] > points.low[which][i] + tolerance;
        steep = steep || (free && s.p[k] * s.p[k] + s.q[k] * s.q[k] > kSteepSlope2);
    }
    return steep;
}

// Measures the height of one hull's surface at every point, and finds the face there (the first listed on ties). No
// point is above the support, however rounding places the planes. A second face as high as the support has no plane
// below it, and neither has the significant face, which is then not the one at the point if its plane is above the
// surface by more than `tolerance`. Returns whether the height of a point is doubtful.
inline bool measure_patch_heights(const PatchSide& s, std::uint32_t which, float tolerance, PatchPoints& points) {
    std::uint32_t top_plane = 0;
    while (top_plane + 1 < s.planes && s.face[top_plane] != s.top_face) ++top_plane;
    const WInt significant(static_cast<std::int32_t>(top_plane));
    for (std::uint32_t begin = 0; begin < points.count; begin += kWidth) {
        const WFloat u = WFloat::load(points.u.data() + begin);
        const WFloat v = WFloat::load(points.v.data() + begin);
        const WFloat high = WFloat::load(points.high[which].data() + begin);
        WFloat height = min(high, splat(s.top));
        WInt plane = significant;
        find_lower_plane(s, 0, u, v, height, plane);
        const WMask elsewhere = (plane == significant) & (high == splat(kPatchHighest)) &
                                (plane_height(s, top_plane, u, v) > height + splat(tolerance));
        if (any(elsewhere)) plane = select(elsewhere, lowest_plane(s, u, v), plane);
        max(height, WFloat::load(points.low[which].data() + begin)).store(points.height[which].data() + begin);
        plane.storeu(points.face[which].data() + begin);
    }
    return name_patch_faces(s, which, tolerance, points);
}

}  // namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE
