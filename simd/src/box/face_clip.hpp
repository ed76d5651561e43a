// SPDX-License-Identifier: MIT
//
// Face contacts of boxes, lanes = pairs. The incident rectangle is clipped against the reference rectangle, in
// coordinates of the reference face: u and v along its sides, w along its outward normal (x, y and z of the vectors
// below). The points come from two sources, in this order: for each side of the incident face its corner over the
// reference face and its crossings with the reference sides; then corners of the reference face over the incident face.
#pragma once

#include "box/axes.hpp"
#include "box/features.hpp"
#include "box/picks.hpp"
#include "pair/tolerances.hpp"
#include "record/lane_emit.hpp"

namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE {

// Candidates in order: for each side of the incident face its first corner (its entry point if that corner is clipped
// away), then its exit point; at the end the reference corners.
inline constexpr int kBoxCandidates = 12;
inline constexpr int kFirstReferenceCorner = 8;

struct BoxClip {
    LanePoint points[kBoxCandidates];
    WInt features[kBoxCandidates];  // pairs of features; see BoxFaceNumbers
    LanePlane plane;
    WInt reference_face;  // number of the face on its box
    WInt incident_face;
    WFloat deepest;  // least separation of the valid points; kHighest if there are none
    WInt total;      // number of valid points

    // Updates the sums at once, while the point's mask is in a register: AVX-512 has only eight mask registers.
    LANEFOLD_INLINE void set(int c, WFloat u, WFloat v, WFloat separation, WMask over, WFloat margin) {
        const WMask valid = at_most_of(over, separation, margin);
        points[c] = {u, v, separation, valid};
        deepest = select(valid, min(separation, deepest), deepest);
        total = select(valid, total + WInt(1), total);
    }
};

struct BoxReference {
    WMask on_b;    // the reference face belongs to B
    BoxAxis axis;  // axis of its box along its normal
    WFloat sign;   // sign of its outward normal along that axis
    WVec3 half;    // half extents of its box, in u, v, w
};

// The incident face's box, in coordinates of the reference face.
struct BoxOther {
    WVec3 axis[3];
    WVec3 centre;
    WFloat half[3];
};

// Axes and centre of the incident face's box in coordinates of the reference face, which may look up or down: w along
// the axis of its box.
LANEFOLD_INLINE BoxOther place_other(const BoxLanes& x, WMask on_b, const BoxAxis& axis) {
    BoxOther other;
    for (int k = 0; k < 3; ++k) other.half[k] = select(on_b, x.ha[k], x.hb[k]);
    for (int j = 0; j < 3; ++j) {
        other.axis[j] = axis.last({select(on_b, x.r[j][0], x.r[0][j]), select(on_b, x.r[j][1], x.r[1][j]),
                                   select(on_b, x.r[j][2], x.r[2][j])});
    }
    const WVec3 back = {negate(dot(x.column(0), x.t)), negate(dot(x.column(1), x.t)), negate(dot(x.column(2), x.t))};
    other.centre = axis.last(select(on_b, back, x.t));
    return other;
}

// Multiplies w by a sign.
LANEFOLD_INLINE void face_other(BoxOther& other, WFloat sign) {
    other.centre.z = other.centre.z * sign;
    for (WVec3& axis : other.axis) axis.z = axis.z * sign;
}

// The previous faces of held picks (box_hold.hpp).
struct BoxHeldFaces {
    WMask held;
    WInt reference, incident;  // places in BoxMap; BoxPick::kNoFace: no such face
    WFloat hysteresis;
};

// The reference face of `face_code`: 0..2 for an axis of A, 3..5 for an axis of B. Its normal points at `other`, which
// receives the other box in its coordinates; that of a held face points to the side that it is on.
LANEFOLD_INLINE BoxReference choose_reference(const BoxLanes& x, WInt face_code, const BoxHeldFaces* held,
                                              BoxOther& other) {
    BoxReference r;
    r.on_b = WInt(2) < face_code;
    r.axis = {(face_code == WInt(0)) | (face_code == WInt(3)), (face_code == WInt(1)) | (face_code == WInt(4))};
    r.half = r.axis.last(
        {select(r.on_b, x.hb[0], x.ha[0]), select(r.on_b, x.hb[1], x.ha[1]), select(r.on_b, x.hb[2], x.ha[2])});
    other = place_other(x, r.on_b, r.axis);
    r.sign = sign_of(other.centre.z);
    if (held != nullptr) r.sign = select(held->held, sign_of_place(held->reference), r.sign);
    face_other(other, r.sign);
    return r;
}

struct BoxIncident {
    BoxAxis axis;  // axis of its box along its normal
    WVec3 centre;  // of the face
    WVec3 a, b;    // half sides
    WFloat length_a, length_b;
    WFloat sign;  // sign of its outward normal along its axis
};

// Takes the previous incident face of held picks instead of the best one, if the sine of its tilt is at most the
// hysteresis above that of the best one. Every face that looks down contains a support vertex, so it reaches the depth.
LANEFOLD_INLINE void hold_incident(const BoxOther& other, const BoxHeldFaces& held, BoxAxis& axis) {
    const WInt index = shift_right_logical(held.incident, 1);
    const BoxAxis previous = BoxAxis::of(index);
    const WMask other_axis =
        held.held & (held.incident < WInt(BoxPick::kNoFace)) &
        ~((axis.is0 & previous.is0) | (axis.is1 & previous.is1) | (~(axis.is0 | axis.is1) & (index == WInt(2))));
    if (!any(other_axis)) return;
    const auto sine = [](WFloat cosine)
                          LANEFOLD_INLINE_LAMBDA { return sqrt(max(splat(1.0F) - cosine * cosine, splat(0.0F))); };
    const WFloat best = axis.choose(other.axis[0].z, other.axis[1].z, other.axis[2].z);
    const WFloat along = previous.choose(other.axis[0].z, other.axis[1].z, other.axis[2].z);
    const WMask down = along * sign_of_place(held.incident) < splat(0.0F);
    const WMask stays = other_axis & down & (sine(along) <= sine(best) + held.hysteresis);
    axis.is0 = (axis.is0 & ~stays) | (previous.is0 & stays);
    axis.is1 = (axis.is1 & ~stays) | (previous.is1 & stays);
}

// The incident face is the one whose axis is most parallel to w and whose normal points down. It contains the support
// vertex.
LANEFOLD_INLINE BoxIncident choose_incident(const BoxOther& other, const BoxHeldFaces* held) {
    const WFloat d0 = abs(other.axis[0].z);
    const WFloat d1 = abs(other.axis[1].z);
    const WFloat d2 = abs(other.axis[2].z);
    const WMask is1 = (d1 > d0) & ~(d2 > d1);
    const WMask is2 = (d2 > d0) & (d2 > d1);
    BoxIncident f;
    f.axis = {~(is1 | is2), is1};
    if (held != nullptr) hold_incident(other, *held, f.axis);
    f.length_a = f.axis.choose(other.half[1], other.half[2], other.half[0]);
    f.length_b = f.axis.choose(other.half[2], other.half[0], other.half[1]);
    f.a = f.axis.choose(other.axis[1], other.axis[2], other.axis[0]) * f.length_a;
    f.b = f.axis.choose(other.axis[2], other.axis[0], other.axis[1]) * f.length_b;
    const WVec3 c = f.axis.choose(other.axis[0], other.axis[1], other.axis[2]) *
                    f.axis.choose(other.half[0], other.half[1], other.half[2]);
    f.sign = negate(sign_of(c.z));
    f.centre = other.centre + c * f.sign;
    return f;
}

// Distances by which the corners of the incident face are inside the reference face's sides at +h and at -h of one
// axis.
struct BoxDistances {
    WFloat plus[4];
    WFloat minus[4];
};

// The corners of the incident face in order: -a-b, +a-b, +a+b, -a+b. The sides between them run along +a, +b, -a, -b.
struct BoxCorners {
    WVec3 at[4];
    BoxDistances distance[2];  // of u and v
    WMask out[4];              // not over the reference face
};

LANEFOLD_INLINE void place_corners(const BoxIncident& face, const WVec3& half, WFloat outside, BoxCorners& c) {
    const WVec3 minus = face.centre - face.a;
    const WVec3 plus = face.centre + face.a;
    c.at[0] = minus - face.b;
    c.at[1] = plus - face.b;
    c.at[2] = plus + face.b;
    c.at[3] = minus + face.b;
#pragma GCC unroll 4
    for (int q = 0; q < 4; ++q) {
        BoxDistances& u = c.distance[0];
        BoxDistances& v = c.distance[1];
        u.plus[q] = half.x - c.at[q].x;
        u.minus[q] = half.x + c.at[q].x;
        v.plus[q] = half.y - c.at[q].y;
        v.minus[q] = half.y + c.at[q].y;
        c.out[q] = min(min(u.plus[q], u.minus[q]), min(v.plus[q], v.minus[q])) < outside;
    }
}

// The sides are 2a and 2b, forward and back, so four quotients serve all crossings. A side that is parallel to a pair
// of planes (infinite quotient) has both ends on the same side of each, so its crossing is never used. A side that is
// nearly parallel may give a crossing anywhere; cross_reference() clamps it.
struct BoxSideDirection {
    WVec3 along;
    WMask rises[2];  // in u, in v
    WFloat per[2];   // 1 / |along|
};

LANEFOLD_INLINE BoxSideDirection side_direction(const WVec3& half_side) {
    BoxSideDirection d;
    d.along = half_side + half_side;
    const WFloat along[2] = {d.along.x, d.along.y};
    for (int i = 0; i < 2; ++i) {
        d.rises[i] = along[i] > splat(0.0F);
        d.per[i] = abs(splat(1.0F) / along[i]);
    }
    return d;
}

// The part of a side of the incident face that is over the reference face. Without such a part only `through` is valid.
struct BoxCrossing {
    WFloat t_in, t_out;      // within 0..1; where nothing is crossed, 0 and 1
    WInt side_in, side_out;  // reference sides crossed
    WMask through;           // such a part exists
};

// Crosses the side from corner q to the next, as geometry/edge_clip.hpp does for other hulls with a division for each
// pair of sides; here four serve all. For each axis the side can enter only through the plane that it comes
// from and leave only through the plane that it runs to. This is safe, because corners (c - a - b, c + a - b, ...) and
// their distances are rounded monotonically: a side that rises by its direction does not fall by its ends.
LANEFOLD_INLINE BoxCrossing cross_reference(const BoxDistances* distance, const BoxSideDirection& side, bool forward,
                                            int q, WFloat outside, const BoxFaceNumbers& number) {
    const int r = (q + 1) % 4;
    BoxCrossing out = {splat(0.0F), splat(1.0F), number.reference_face(), WInt(0), no_lanes()};
    // Below `outside` if both ends are outside of one plane: the far end for the plane behind, the near end for the
    // plane ahead.
    WFloat kept[2];
    for (int i = 0; i < 2; ++i) {
        const auto behind = [&](auto plus, auto minus) {
            return forward ? select(side.rises[i], minus, plus) : select(side.rises[i], plus, minus);
        };
        const auto ahead = [&](auto plus, auto minus) { return behind(minus, plus); };
        const BoxDistances& d = distance[i];
        const WFloat behind_q = behind(d.plus[q], d.minus[q]);
        const WFloat behind_r = behind(d.plus[r], d.minus[r]);
        const WFloat ahead_q = ahead(d.plus[q], d.minus[q]);
        const WFloat ahead_r = ahead(d.plus[r], d.minus[r]);
        const WFloat at_in = behind_q * negate(side.per[i]);
        const WFloat at_out = ahead_q * side.per[i];
        const WMask enters = less_of(behind_q < outside, out.t_in, at_in);
        const WMask leaves = less_of(ahead_r < outside, at_out, out.t_out);
        const auto place = static_cast<std::uint32_t>(2 * i);
        const WInt plus = BoxFaceNumbers::reference(number.reference_sides, place);
        const WInt minus = BoxFaceNumbers::reference(number.reference_sides, place + 1);
        out.t_in = select(enters, at_in, out.t_in);
        out.side_in = select(enters, behind(plus, minus), out.side_in);
        out.t_out = select(leaves, at_out, out.t_out);
        out.side_out = select(leaves, ahead(plus, minus), out.side_out);
        kept[i] = min(behind_r, ahead_q);
    }
    out.through = less_of(outside <= min(kept[0], kept[1]), out.t_in, out.t_out);
    out.t_in = clamp01(out.t_in);
    out.t_out = clamp01(out.t_out);
    return out;
}

// Candidates 0 to 7: corners of the incident face and crossings of its sides.
LANEFOLD_INLINE void clip_sides(const BoxReference& reference, const BoxIncident& incident, WFloat outside,
                                const BoxFaceNumbers& number, WFloat margin, BoxClip& out) {
    // BoxMap's numbers of the incident face's sides, in the order of BoxCorners.
    constexpr std::uint32_t kSide[4] = {3, 0, 2, 1};
    BoxCorners corners;
    place_corners(incident, reference.half, outside, corners);
    const BoxSideDirection direction[2] = {side_direction(incident.a), side_direction(incident.b)};
    const WFloat top = reference.half.z;
#pragma GCC unroll 4
    for (int q = 0; q < 4; ++q) {
        const bool forward = q < 2;
        const BoxSideDirection& side = direction[q % 2];
        const BoxCrossing cross = cross_reference(corners.distance, side, forward, q, outside, number);
        const WMask clipped = corners.out[q];
        const WMask next_clipped = corners.out[(q + 1) % 4];
        const WVec3 along = forward ? side.along : negate(side.along);
        const WVec3 first = corners.at[q] + along * select(clipped, cross.t_in, splat(0.0F));
        const WVec3 last = corners.at[q] + along * cross.t_out;
        out.set(2 * q, first.x, first.y, first.z - top, cross.through | ~clipped, margin);
        out.set(2 * q + 1, last.x, last.y, last.z - top, next_clipped & cross.through, margin);
        // A corner that is not clipped is itself the point, over the reference face.
        const WInt side_number = BoxFaceNumbers::incident(number.incident_sides, kSide[q]);
        const WInt corner_number = BoxFaceNumbers::incident(number.incident_corners, kCornerInLoop[q]);
        out.features[2 * q] = select(clipped, cross.side_in | side_number, number.reference_face() | corner_number);
        out.features[2 * q + 1] = cross.side_out | side_number;
    }
}

// Candidates from kFirstReferenceCorner on: the corners p of the reference face strictly inside the incident rectangle.
// In u and v, p = centre + alpha a + beta b.
LANEFOLD_INLINE void add_reference_corners(const BoxReference& reference, const BoxIncident& incident, WFloat tolerance,
                                           const BoxFaceNumbers& number, WFloat margin, BoxClip& out) {
    const WVec3& a = incident.a;
    const WVec3& b = incident.b;
    const WVec3& c = incident.centre;
    const WVec3& half = reference.half;
    const WFloat determinant = a.x * b.y - a.y * b.x;
    const WFloat per_determinant = splat(1.0F) / determinant;
    const WMask facing = abs(determinant) > incident.length_a * incident.length_b * splat(-kProjectCosine);
    // 1 - |alpha| at the tolerance from the sides along b, as seen along the normal: where a corner is that far inside,
    // no crossing of the same sides is kept, even if the incident face is steep.
    const WFloat least_a = tolerance * sqrt(b.x * b.x + b.y * b.y) * abs(per_determinant);
    const WFloat least_b = tolerance * sqrt(a.x * a.x + a.y * a.y) * abs(per_determinant);
#pragma GCC unroll 4
    for (int q = 0; q < 4; ++q) {
        const WFloat u = (q & 1) != 0 ? half.x : negate(half.x);
        const WFloat v = (q & 2) != 0 ? half.y : negate(half.y);
        const WFloat du = u - c.x;
        const WFloat dv = v - c.y;
        const WFloat alpha = (du * b.y - dv * b.x) * per_determinant;
        const WFloat beta = (dv * a.x - du * a.y) * per_determinant;
        const WMask inside_a = less_of(facing, least_a, splat(1.0F) - abs(alpha));
        const WMask inside = less_of(inside_a, least_b, splat(1.0F) - abs(beta));
        out.set(kFirstReferenceCorner + q, u, v, ((c.z + a.z * alpha) + b.z * beta) - half.z, inside, margin);
        out.features[kFirstReferenceCorner + q] =
            BoxFaceNumbers::reference(number.reference_corners, static_cast<std::uint32_t>(q)) | number.incident_face();
    }
}

// The coordinate system of the reference face in world axes.
LANEFOLD_INLINE void plane_in_world(const BoxLanes& x, const BoxReference& reference, LanePlane& plane) {
    WVec3 row[3];  // rows of the reference box's rotation, in the order u, v, w
    for (int i = 0; i < 3; ++i) row[i] = reference.axis.last(x.world[i]);
    const WFloat zero(0.0F);
    plane.u = column_x(row);
    plane.v = column_y(row);
    plane.w = column_z(row) * reference.sign;
    plane.base = (x.offset_a + select(reference.on_b, x.delta, WVec3{zero, zero, zero})) + plane.w * reference.half.z;
    plane.on_b = reference.on_b;
}

// A clip with a point as near as the optimum proves that the optimum is the distance. `deepest`: its least separation.
LANEFOLD_INLINE WMask clip_proves(WFloat deepest, const LaneBoxPick& pick, WFloat size_sum) {
    return (deepest <= pick.optimum + size_sum * splat(kProvenTolerance)) | pick.without(BoxPick::kUnproven);
}

// Whether a clip reaches the depth of its contact up to `band`.
LANEFOLD_INLINE WMask clip_is_deep(WFloat deepest, WFloat distance, WFloat band, WFloat size_sum) {
    return deepest <= distance + (band + size_sum * splat(kDepthTolerance));
}

// Clips the contact of face `face_code` (0..2 axes of A, 3..5 of B). x.world: rotation of the box that has this face.
// `held`: null if no pick is held.
inline void box_clip(const PairPlaces* places, const BoxLanes& x, WInt face_code, WFloat margin,
                     const BoxHeldFaces* held, BoxClip& out) {
    BoxOther other;
    const BoxReference reference = choose_reference(x, face_code, held, other);
    const BoxIncident incident = choose_incident(other, held);
    BoxFaceNumbers number;
    load_face_numbers(places, bits(reference.on_b), reference.axis.face(reference.sign),
                      incident.axis.face(incident.sign), number);
    out.reference_face = BoxFaceNumbers::reference_of(number.reference_face());
    out.incident_face = number.incident_face();
    out.deepest = splat(kHighest);
    out.total = WInt(0);
    const WFloat tolerance = (x.size_a + x.size_b) * splat(kClipTolerance);
    clip_sides(reference, incident, negate(tolerance), number, margin, out);
    add_reference_corners(reference, incident, tolerance, number, margin, out);
    plane_in_world(x, reference, out.plane);
}

}  // namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE
