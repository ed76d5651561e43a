// SPDX-License-Identifier: MIT
//
// Face contacts of boxes, lanes = pairs: the incident rectangle clipped against the reference rectangle in the
// reference face's own plane coordinates (u, v) with w along its outward normal. The same three sources of
// points, in the same order, as hull_clip.hpp.
#pragma once

#include "box_axes.hpp"
#include "box_features.hpp"
#include "hull_clip.hpp"
#include "lane_emit.hpp"

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
};

LANEFOLD_INLINE void rotate_rows(WMask is0, WMask is1, const WFloat* in, WFloat* out) {
    // Rows in the order axis + 1, axis + 2, axis.
    out[0] = choose(is0, is1, in[1], in[2], in[0]);
    out[1] = choose(is0, is1, in[2], in[0], in[1]);
    out[2] = choose(is0, is1, in[0], in[1], in[2]);
}

// face_code: 0..2 axes of A, 3..5 of B.
inline void box_clip(const BoxLanes& x, const BoxRows& rows, WInt face_code, WFloat margin, BoxClip& out) {
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
    load_face_numbers(rows, bits(on_b), reference_place, incident_place, number);
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
    WFloat distance[4][4];  // [plane u+, u-, v+, v-][corner], positive inside
    WMask out_of[4][4];
    WMask corner_out[4];
#pragma GCC unroll 4
    for (int q = 0; q < 4; ++q) {
        distance[0][q] = h[0] - corner[q][0];
        distance[1][q] = h[0] + corner[q][0];
        distance[2][q] = h[1] - corner[q][1];
        distance[3][q] = h[1] + corner[q][1];
#pragma GCC unroll 4
        for (int p = 0; p < 4; ++p) out_of[p][q] = distance[p][q] < outside;
        corner_out[q] = (out_of[0][q] | out_of[1][q]) | (out_of[2][q] | out_of[3][q]);
    }
    // Sides are 2a and 2b, forward and back: four quotients serve all sixteen crossings. A side parallel to a plane
    // (quotient infinite) has both ends on the same side of it and is never asked; one nearly so may meet it anywhere,
    // hence the clamps.
    WFloat along[2][3];
    WFloat per[2][2];  // 1 / along, for u and v
    for (int i = 0; i < 3; ++i) {
        along[0][i] = a[i] + a[i];
        along[1][i] = b[i] + b[i];
    }
    for (int k = 0; k < 2; ++k)
        for (int i = 0; i < 2; ++i) per[k][i] = splat(1.0F) / along[k][i];
    // In the order of the corners: the incident face's corner and side numbers.
    constexpr std::uint32_t kCorner[4] = {0, 1, 3, 2};
    constexpr std::uint32_t kSide[4] = {3, 0, 2, 1};
#pragma GCC unroll 4
    for (int q = 0; q < 4; ++q) {
        const int r = (q + 1) % 4;
        WFloat t_in(0.0F);
        WFloat t_out(1.0F);
        WInt side_in = number.reference_face();
        WInt side_out(0);
        WMask culled = no_lanes();
#pragma GCC unroll 4
        for (int p = 0; p < 4; ++p) {
            const WFloat quotient = per[q % 2][p / 2];
            // The distance falls along u+ with the side's direction, rises along u-; a side backwards turns it round.
            const bool falls = (p % 2 == 0) == (q < 2);
            const WFloat at = distance[p][q] * (falls ? quotient : negate(quotient));
            const WMask entering = out_of[p][q] & ~out_of[p][r] & (at > t_in);
            const WMask leaving = ~out_of[p][q] & out_of[p][r] & (at < t_out);
            const WInt side = BoxFaceNumbers::reference(number.reference_sides, static_cast<std::uint32_t>(p));
            t_in = select(entering, at, t_in);
            side_in = select(entering, side, side_in);
            t_out = select(leaving, at, t_out);
            side_out = select(leaving, side, side_out);
            culled = culled | (out_of[p][q] & out_of[p][r]);
        }
        const WMask through = (t_in < t_out) & ~culled;
        t_in = min(max(t_in, zero), splat(1.0F));
        t_out = min(max(t_out, zero), splat(1.0F));
        WFloat e[3];
        for (int i = 0; i < 3; ++i) e[i] = q < 2 ? along[q][i] : negate(along[q - 2][i]);
        const WMask clipped = corner_out[q];
        const WFloat from = select(clipped, t_in, zero);
        out.points[2 * q] = {corner[q][0] + e[0] * from, corner[q][1] + e[1] * from,
                             (corner[q][2] + e[2] * from) - h[2], through | ~clipped};
        out.points[2 * q + 1] = {corner[q][0] + e[0] * t_out, corner[q][1] + e[1] * t_out,
                                 (corner[q][2] + e[2] * t_out) - h[2], corner_out[r] & through};
        // The entry of an unclipped corner is the corner itself, over the reference face.
        const WInt side_number = BoxFaceNumbers::incident(number.incident_sides, kSide[q]);
        const WInt corner_number = BoxFaceNumbers::incident(number.incident_corners, kCorner[q]);
        out.features[2 * q] = select(clipped, side_in | side_number, number.reference_face() | corner_number);
        out.features[2 * q + 1] = side_out | side_number;
    }

    // Reference corners strictly inside the incident rectangle: p = c + alpha a + beta b in (u, v).
    const WFloat determinant = a[0] * b[1] - a[1] * b[0];
    const WFloat per_determinant = splat(1.0F) / determinant;
    const WMask flat = abs(determinant) <= ha * hb * splat(-kProjectCosine);
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
        const WMask inside =
            ((splat(1.0F) - abs(alpha)) * a_length > tolerance) & ((splat(1.0F) - abs(beta)) * b_length > tolerance);
        out.points[8 + q] = {pu, pv, ((c[2] + a[2] * alpha) + b[2] * beta) - h[2], inside & ~flat};
        out.features[8 + q] =
            BoxFaceNumbers::reference(number.reference_corners, static_cast<std::uint32_t>(q)) | number.incident_face();
    }
    for (LanePoint& p : out.points) p.valid = p.valid & (p.separation <= margin);

    // Plane axes in the world: columns of the reference box's rotation.
    WFloat world[3][3];  // [row][axis u, v, w]
    for (int i = 0; i < 3; ++i) {
        WFloat row[3];
        for (int k = 0; k < 3; ++k) row[k] = select(on_b, x.world_b[3 * i + k], x.world_a[3 * i + k]);
        rotate_rows(is0, is1, row, world[i]);
    }
    LanePlane& plane = out.plane;
    plane.u = {world[0][0], world[1][0], world[2][0]};
    plane.v = {world[0][1], world[1][1], world[2][1]};
    plane.w = WVec3{world[0][2], world[1][2], world[2][2]} * s;
    plane.base = (x.offset_a + select(on_b, x.delta, WVec3{zero, zero, zero})) + plane.w * h[2];
    plane.on_b = on_b;
}

}  // namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE
