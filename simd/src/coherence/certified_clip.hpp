// SPDX-License-Identifier: MIT
//
// The faces of a clip in a certificate of a best face (coherence/certified_optima.hpp).
//
// While the certificate holds the reference face and the support vertex are the same. The incident face i is the one
// around that vertex whose normal n_i has the lowest product with the normal m of the reference face, in the incident
// hull's frame. When the rotation changes by rho (spectral norm), m moves by rho at most, and (n_j - n_i) . m by |n_j -
// n_i| rho. So if it exceeds that for every other face j, i stays the incident face.
//
// Rounding: an entry of a rotation is off by 2.5e-7, so m by 8e-7 and a product by 1.1e-6; the difference of two is off
// by 2.2e-6 in either pose.
#pragma once

#include "coherence/certificates.hpp"
#include "pair/incident_face.hpp"

namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE {

inline constexpr float kIncidentSlack = 1e-5F;

// Whether `incident` stays the incident face as long as the rotation changes by at most `turn`.
inline bool incident_face_stays(const FacesAround& around, const float* planes, Quad normal, std::uint32_t incident,
                                float turn) {
    const Quad n = load_quad(plane_at(planes, incident));
    bool stays = true;
    for (std::uint32_t k = 0; k < around.count; ++k) {
        const Quad d = load_quad(plane_at(planes, around.face[k])) - n;
        const float above = (d[0] * normal[0] + d[1] * normal[1]) + d[2] * normal[2];
        const float length = __builtin_sqrtf((d[0] * d[0] + d[1] * d[1]) + d[2] * d[2]);
        stays &= around.face[k] == incident || above > length * turn + kIncidentSlack;
    }
    return stays;
}

// Names the faces of the clip of an optimum's best face, if they stay the same as long as the rotation changes by at
// most `turn`. Returns the bit of Certificate::what.
inline std::uint32_t certify_clip(const ChunkJob& job, HullPairs& pairs, std::uint32_t slot, float turn) {
    const PairRow& row = pairs.rows[slot];
    const PairOptimum& o = pairs.optima[slot];
    const FaceHulls hulls = face_hulls(job, row, o.face_on_b);
    const HullTopology r = hull_topology(*hulls.own);
    const HullTopology i = hull_topology(*hulls.other);
    const float* planes = hull_floats(*hulls.other).planes;
    const float* rotation = o.face_on_b != 0 ? pairs.inverses[slot].to_b.r : row.to_a.r;
    const Quad normal = reference_normal(rotation, plane_of(hull_floats(*hulls.own), o.face));
    const FacesAround around(i.vertex_first + o.support, i.vertex_face);
    const std::uint32_t face = incident_face(around, planes, normal);
    const std::uint32_t first[2] = {r.face_first[o.face], i.face_first[face]};
    const std::uint32_t sides[2] = {r.face_first[o.face + 1] - first[0], i.face_first[face + 1] - first[1]};
    const std::uint32_t polygon[2] = {polygon_place(first[0], o.face), polygon_place(first[1], face)};
    if (sides[0] > 255 || sides[1] > 255 || polygon[0] > 65535 || polygon[1] > 65535) return 0;
    pairs.clips[slot] = {static_cast<std::uint16_t>(face),
                         {static_cast<std::uint16_t>(polygon[0]), static_cast<std::uint16_t>(polygon[1])},
                         {static_cast<std::uint8_t>(sides[0]), static_cast<std::uint8_t>(sides[1])}};
    certified_optimum(job, row).clip = pairs.clips[slot];
    return incident_face_stays(around, planes, normal, face, turn) ? kCertifiedClip : 0U;
}

}  // namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE
