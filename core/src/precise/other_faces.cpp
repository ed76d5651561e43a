// SPDX-License-Identifier: MIT
//
// Tries faces of thin hulls that are one plane within rounding, one after the other.

#include "precise/other_faces.hpp"

#include <algorithm>
#include <limits>

#include "precise/facets.hpp"
#include "precise/patch_faces.hpp"
#include "precise/witness.hpp"

namespace lanefold::detail {

namespace {

// Whether a vertex of `face` is as deep as the support vertex, and no face around that vertex is more opposed.
class IncidentFaces {
public:
    IncidentFaces(const Problem& p, const FaceAxis& axis)
        : s_(axis.on_b ? p.a : p.b),
          direction_(axis.on_b ? p.from_b.rotation * axis.normal : transpose_times(p.from_b.rotation, axis.normal)),
          limit_(dot(direction_, s_.vertex(axis.support)) + p.bend) {}

    std::uint32_t count() const { return s_.record->face_count; }

    bool admits(std::uint32_t face) const {
        const double own = dot(direction_, face_normal(s_, face));
        if (!(own < 0)) return false;
        for (std::uint32_t k = s_.view.face_first[face]; k < s_.view.face_first[face + 1]; ++k) {
            const std::uint32_t v = s_.view.face_vertex[k];
            if (dot(direction_, s_.vertex(v)) <= limit_ && own <= most_opposed(v) + Tolerances::kAsOpposed) return true;
        }
        return false;
    }

private:
    double most_opposed(std::uint32_t vertex) const {
        double least = std::numeric_limits<double>::infinity();
        for (std::uint32_t i = s_.view.vertex_first[vertex]; i < s_.view.vertex_first[vertex + 1]; ++i)
            least = std::min(least, dot(direction_, face_normal(s_, s_.view.vertex_face[i])));
        return least;
    }

    const Solid& s_;
    Vec3d direction_;  // out of the reference face, local frame of the incident hull
    double limit_;
};

bool clip_incident_faces(const Problem& p, PreciseScratch::Impl& memory, const FaceAxis& axis, double limit,
                         FaceContact& out) {
    const IncidentFaces faces(p, axis);
    for (std::uint32_t f = 0; f < faces.count(); ++f) {
        if (!faces.admits(f)) continue;
        FaceContact clipped = clip_faces_on(p, memory, axis, f);
        if (!p.thin) keep_true_points(p, memory, axis.on_b, clipped);
        if (memory.points.empty() || clipped.deepest > limit) continue;
        out = clipped;
        return true;
    }
    return false;
}

}  // namespace

bool clip_other_patches(const Problem& p, PreciseScratch::Impl& memory, FaceAxis& face, double band, double limit,
                        FaceContact& out) {
    const std::uint32_t facets = face.on_b ? p.b.facets : p.a.facets;
    for (std::uint32_t f = 0; f < facets; ++f) {
        if (f == face.facet) continue;
        const FaceAxis axis = evaluate_facet(p, face.on_b, f);
        if (axis.separation < face.separation - p.bend) continue;
        const FaceContact clipped = clip_patches(p, memory, axis, band);
        if (memory.points.empty() || clipped.deepest > limit) continue;
        face = axis;
        out = clipped;
        return true;
    }
    return false;
}

bool clip_other_faces(const Problem& p, PreciseScratch::Impl& memory, FaceAxis& face, double limit, FaceContact& out) {
    if (clip_incident_faces(p, memory, face, limit, out)) return true;
    const std::uint32_t facets = face.on_b ? p.b.facets : p.a.facets;
    for (std::uint32_t f = 0; f < facets; ++f) {
        if (f == face.facet) continue;
        const FaceAxis axis = evaluate_facet(p, face.on_b, f);
        if (axis.separation < face.separation - p.bend) continue;
        if (!clip_incident_faces(p, memory, axis, limit, out)) continue;
        face = axis;
        return true;
    }
    return false;
}

}  // namespace lanefold::detail
