// SPDX-License-Identifier: MIT
//
// Face contacts of boxes, lanes = pairs: the incident rectangle clipped against the reference rectangle in the
// reference face's own plane coordinates (u, v) with w along its outward normal. The same three sources of
// points, in the same order, as contact/large_clip.hpp.
#pragma once

#include "box/axes.hpp"
#include "box/features.hpp"
#include "pair/tolerances.hpp"
#include "record/lane_emit.hpp"

namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE {

// Candidates in order: for each incident side its first corner or, where that is clipped away, its entry; then its exit;
// at the end the reference corners.
inline constexpr int kBoxCandidates = 12;

struct BoxClip {
    LanePoint points[kBoxCandidates];
    WInt features[kBoxCandidates];  // pairs of features, see BoxFaceNumbers
    LanePlane plane;
    WInt reference_face;  // number of the face on its box
    WInt incident_face;
    WFloat deepest;  // separation of the valid points, the highest number if there are none
    WInt total;      // valid points

    // While a point's mask is in a register: there are eight of those.
    LANEFOLD_INLINE void set(int c, WFloat u, WFloat v, WFloat separation, WMask over, WFloat margin) {
        const WMask valid = at_most_of(over, separation, margin);
        points[c] = {u, v, separation, valid};
        deepest = select(valid, min(separation, deepest), deepest);
        total = select(valid, total + WInt(1), total);
    }
};

LANEFOLD_INLINE void rotate_rows(WMask is0, WMask is1, const WFloat* in, WFloat* out) {
    // Rows in the order axis + 1, axis + 2, axis.
    out[0] = choose(is0, is1, in[1], in[2], in[0]);
    out[1] = choose(is0, is1, in[2], in[0], in[1]);
    out[2] = choose(is0, is1, in[0], in[1], in[2]);
}

// How far the corners of the incident face are inside the reference face's sides at +h and at -h of one of its axes.
struct BoxDistances {
    WFloat plus[4];
    WFloat minus[4];
};

// Sides are 2a and 2b, forward and back: four quotients serve all crossings. A side parallel to a pair of planes
// (quotient infinite) has both ends on the same side of each: whatever it says about where it meets them is not used.
// One nearly so may meet them anywhere, hence the clamps at the end of cross_reference().
struct BoxSideDirection {
    WFloat along[3];
    WMask rises[2];  // in u, in v
    WFloat per[2];   // 1 / |along|
};

// The part of a side of the incident face that is over the reference face. Where there is none, the rest means nothing.
struct BoxCrossing {
    WFloat t_in, t_out;      // within 0..1; where nothing is crossed, 0 and 1
    WInt side_in, side_out;  // reference sides crossed
    WMask through;           // there is such a part
};

// The side from corner q to the next. Of the two planes of an axis it can only enter through the one it comes from and
// leave through the one it runs to: corners (c - a - b, c + a - b, ...) and their distances are rounded monotonically,
// so a side that rises by its direction does not fall by its ends.
LANEFOLD_INLINE BoxCrossing cross_reference(const BoxDistances* distance, const BoxSideDirection& side, bool forward,
                                            int q, WFloat outside, const BoxFaceNumbers& number) {
    const WFloat one(1.0F);
    const int r = (q + 1) % 4;
    BoxCrossing out = {WFloat(0.0F), one, number.reference_face(), WInt(0), no_lanes()};
    // Below `outside` if both ends are outside of one plane: the far end of the plane behind, the near one of the
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
    out.t_in = min(max(out.t_in, WFloat(0.0F)), one);
    out.t_out = min(max(out.t_out, WFloat(0.0F)), one);
    return out;
}

// face_code: 0..2 axes of A, 3..5 of B.
inline void box_clip(const PairPlaces* places, const BoxLanes& x, WInt face_code, WFloat margin, BoxClip& out) {
    const WFloat zero(0.0F);
    const WMask on_b = WInt(2) < face_code;
    const WMask is0 = (face_code == WInt(0)) | (face_code == WInt(3));
    const WMask is1 = (face_code == WInt(1)) | (face_code == WInt(4));

    // The incident box in the reference box's frame, rows rotated so that the face's axis is last.
    WFloat reference[3];
    WFloat incident[3];
    for (int k = 0; k < 3; ++k) {
        reference[k] = select(on_b, x.hb[k], x.ha[k]);
        incident[k] = select(on_b, x.ha[k], x.hb[k]);
    }
    WFloat m[3][3];  // [column][row]
    for (int j = 0; j < 3; ++j) {
        WFloat column[3];
        for (int i = 0; i < 3; ++i) column[i] = select(on_b, x.r[j][i], x.r[i][j]);
        rotate_rows(is0, is1, column, m[j]);
    }
    const WFloat t[3] = {x.t.x, x.t.y, x.t.z};
    WFloat centre_in[3];
    for (int i = 0; i < 3; ++i) {
        const WFloat back = negate((x.r[0][i] * t[0] + x.r[1][i] * t[1]) + x.r[2][i] * t[2]);
        centre_in[i] = select(on_b, back, t[i]);
    }
    WFloat centre[3];
    WFloat h[3];
    rotate_rows(is0, is1, centre_in, centre);
    rotate_rows(is0, is1, reference, h);
    const WFloat s = sign_of(centre[2]);
    centre[2] = centre[2] * s;
    for (int j = 0; j < 3; ++j) m[j][2] = m[j][2] * s;

    // Incident face: the axis most along w (it contains the support vertex), facing down.
    const WFloat d0 = abs(m[0][2]);
    const WFloat d1 = abs(m[1][2]);
    const WFloat d2 = abs(m[2][2]);
    const WMask k1 = (d1 > d0) & ~(d2 > d1);
    const WMask k2 = (d2 > d0) & (d2 > d1);
    const WMask k0 = ~(k1 | k2);
    WFloat a[3], b[3], c[3];
    const WFloat ha = choose(k0, k1, incident[1], incident[2], incident[0]);
    const WFloat hb = choose(k0, k1, incident[2], incident[0], incident[1]);
    const WFloat hc = choose(k0, k1, incident[0], incident[1], incident[2]);
    for (int i = 0; i < 3; ++i) {
        a[i] = choose(k0, k1, m[1][i], m[2][i], m[0][i]) * ha;
        b[i] = choose(k0, k1, m[2][i], m[0][i], m[1][i]) * hb;
        c[i] = choose(k0, k1, m[0][i], m[1][i], m[2][i]) * hc;
    }
    const WFloat down = negate(sign_of(c[2]));
    for (int i = 0; i < 3; ++i) c[i] = centre[i] + c[i] * down;

    // 2 axis + positive
    const WInt reference_place =
        select(is0, WInt(0), select(is1, WInt(2), WInt(4))) + select(s > zero, WInt(1), WInt(0));
    const WInt incident_place =
        select(k0, WInt(0), select(k1, WInt(2), WInt(4))) + select(down > zero, WInt(1), WInt(0));
    BoxFaceNumbers number;
    load_face_numbers(places, bits(on_b), reference_place, incident_place, number);
    out.reference_face = shift_right_logical(number.reference_face(), 5);
    out.incident_face = number.incident_face();

    // Corners -a-b, +a-b, +a+b, -a+b; the sides between them run along +a, +b, -a, -b.
    WFloat corner[4][3];
    for (int i = 0; i < 3; ++i) {
        const WFloat minus = c[i] - a[i];
        const WFloat plus = c[i] + a[i];
        corner[0][i] = minus - b[i];
        corner[1][i] = plus - b[i];
        corner[2][i] = plus + b[i];
        corner[3][i] = minus + b[i];
    }
    const WFloat tolerance = (x.size_a + x.size_b) * splat(kClipTolerance);
    const WFloat outside = negate(tolerance);
    BoxDistances distance[2];  // of u and v
    WMask corner_out[4];
#pragma GCC unroll 4
    for (int q = 0; q < 4; ++q) {
        for (int i = 0; i < 2; ++i) {
            distance[i].plus[q] = h[i] - corner[q][i];
            distance[i].minus[q] = h[i] + corner[q][i];
        }
        const WFloat nearest[2] = {min(distance[0].plus[q], distance[0].minus[q]),
                                   min(distance[1].plus[q], distance[1].minus[q])};
        corner_out[q] = min(nearest[0], nearest[1]) < outside;
    }
    BoxSideDirection direction[2];
    for (int i = 0; i < 3; ++i) {
        direction[0].along[i] = a[i] + a[i];
        direction[1].along[i] = b[i] + b[i];
    }
    for (BoxSideDirection& side : direction) {
        for (int i = 0; i < 2; ++i) {
            side.rises[i] = side.along[i] > zero;
            side.per[i] = abs(splat(1.0F) / side.along[i]);
        }
    }
    out.deepest = splat(kHighest);
    out.total = WInt(0);
    // In the order of the corners: the incident face's corner and side numbers.
    constexpr std::uint32_t kCorner[4] = {0, 1, 3, 2};
    constexpr std::uint32_t kSide[4] = {3, 0, 2, 1};
#pragma GCC unroll 4
    for (int q = 0; q < 4; ++q) {
        const int r = (q + 1) % 4;
        const bool forward = q < 2;
        const BoxSideDirection& side = direction[q % 2];
        const BoxCrossing cross = cross_reference(distance, side, forward, q, outside, number);
        WFloat e[3];
        for (int i = 0; i < 3; ++i) e[i] = forward ? side.along[i] : negate(side.along[i]);
        const WMask clipped = corner_out[q];
        const WFloat from = select(clipped, cross.t_in, zero);
        const WFloat to = cross.t_out;
        out.set(2 * q, corner[q][0] + e[0] * from, corner[q][1] + e[1] * from, (corner[q][2] + e[2] * from) - h[2],
                cross.through | ~clipped, margin);
        out.set(2 * q + 1, corner[q][0] + e[0] * to, corner[q][1] + e[1] * to, (corner[q][2] + e[2] * to) - h[2],
                corner_out[r] & cross.through, margin);
        // The entry of an unclipped corner is the corner itself, over the reference face.
        const WInt side_number = BoxFaceNumbers::incident(number.incident_sides, kSide[q]);
        const WInt corner_number = BoxFaceNumbers::incident(number.incident_corners, kCorner[q]);
        out.features[2 * q] = select(clipped, cross.side_in | side_number, number.reference_face() | corner_number);
        out.features[2 * q + 1] = cross.side_out | side_number;
    }

    // Reference corners strictly inside the incident rectangle: p = c + alpha a + beta b in (u, v).
    const WFloat determinant = a[0] * b[1] - a[1] * b[0];
    const WFloat per_determinant = splat(1.0F) / determinant;
    const WMask steep = abs(determinant) > ha * hb * splat(-kProjectCosine);
    const WFloat a_length = ha;  // |a| and |b|: distances to the sides are (1 - |alpha|) |a|
    const WFloat b_length = hb;
#pragma GCC unroll 4
    for (int q = 0; q < 4; ++q) {
        const WFloat pu = (q & 1) != 0 ? h[0] : negate(h[0]);
        const WFloat pv = (q & 2) != 0 ? h[1] : negate(h[1]);
        const WFloat du = pu - c[0];
        const WFloat dv = pv - c[1];
        const WFloat alpha = (du * b[1] - dv * b[0]) * per_determinant;
        const WFloat beta = (dv * a[0] - du * a[1]) * per_determinant;
        const WMask inside_a = less_of(steep, tolerance, (splat(1.0F) - abs(alpha)) * a_length);
        const WMask inside = less_of(inside_a, tolerance, (splat(1.0F) - abs(beta)) * b_length);
        out.set(8 + q, pu, pv, ((c[2] + a[2] * alpha) + b[2] * beta) - h[2], inside, margin);
        out.features[8 + q] =
            BoxFaceNumbers::reference(number.reference_corners, static_cast<std::uint32_t>(q)) | number.incident_face();
    }

    // Plane axes in the world: columns of the reference box's rotation.
    WFloat world[3][3];  // [row][axis u, v, w]
    for (int i = 0; i < 3; ++i) rotate_rows(is0, is1, x.world + 3 * i, world[i]);
    LanePlane& plane = out.plane;
    plane.u = {world[0][0], world[1][0], world[2][0]};
    plane.v = {world[0][1], world[1][1], world[2][1]};
    plane.w = WVec3{world[0][2], world[1][2], world[2][2]} * s;
    plane.base = (x.offset_a + select(on_b, x.delta, WVec3{zero, zero, zero})) + plane.w * h[2];
    plane.on_b = on_b;
}

}  // namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE
