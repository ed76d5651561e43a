// SPDX-License-Identifier: MIT
//
// Sutherland-Hodgman clipping of significant faces: choice of the faces, clipping by the neighbours of the
// reference face, deletion above it, depth along the contact normal.
#include <algorithm>
#include <cmath>
#include <cstddef>

#include <lanefold/fp_environment.hpp>
#include <lanefold/sutherland_hodgman.hpp>

namespace lanefold::published {
namespace {

// A reference face seen edge on (cosine below this) has no depth along the normal: its points are deleted.
constexpr double kEdgeOn = 1e-6;

bool contains(const std::vector<std::uint32_t>& face, std::uint32_t vertex) {
    return std::find(face.begin(), face.end(), vertex) != face.end();
}

// The faces other than `face` that share two or more vertices with it.
std::vector<std::uint32_t> neighbours(const Polyhedron& h, std::uint32_t face) {
    const std::vector<std::uint32_t> loop = cyclic_face(h, face);
    std::vector<std::uint32_t> out;
    for (std::size_t k = 0; k < loop.size(); ++k) {
        const std::uint32_t v = loop[k];
        const std::uint32_t w = loop[(k + 1) % loop.size()];
        for (std::uint32_t f = 0; f < h.faces.size(); ++f) {
            if (f != face && contains(h.faces[f], v) && contains(h.faces[f], w)) out.push_back(f);
        }
    }
    return out;
}

}  // namespace

SignificantFace significant_face(const Polyhedron& hull, const Vec3d& direction) {
    return in_default_environment([&]() -> SignificantFace {
        SignificantFace s;
        s.vertex = supports_along(hull, direction).max_index;
        s.alignment = -2.0;
        for (std::uint32_t f = 0; f < hull.faces.size(); ++f) {
            if (!contains(hull.faces[f], s.vertex)) continue;
            const double alignment = dot(hull.normals[f], direction);
            if (alignment <= s.alignment) continue;
            s.face = f;
            s.alignment = alignment;
        }
        return s;
    });
}

std::vector<Vec3d> clip_below(const std::vector<Vec3d>& polygon, const Vec3d& n, double offset, double epsilon) {
    return in_default_environment([&]() -> std::vector<Vec3d> {
        std::vector<Vec3d> out;
        for (std::size_t k = 0; k < polygon.size(); ++k) {
            const Vec3d& p = polygon[k];
            const Vec3d& q = polygon[(k + 1) % polygon.size()];
            const double hp = dot(n, p) - offset;
            const double hq = dot(n, q) - offset;
            if (hp <= epsilon) out.push_back(p);
            // Crossed only if one end is inside and the other is not; ends on the plane are points already.
            if ((hp <= epsilon) != (hq <= epsilon) && std::fabs(hp) > epsilon && std::fabs(hq) > epsilon) {
                out.push_back(p + (q - p) * (hp / (hp - hq)));
            }
        }
        return out;
    });
}

FaceClipManifold clip_significant_faces(const Polyhedron& a, const Polyhedron& b, const Vec3d& normal,
                                        const FaceClipSettings& settings) {
    return in_default_environment([&]() -> FaceClipManifold {
        FaceClipManifold m;
        m.a = significant_face(a, normal);
        m.b = significant_face(b, -normal);
        m.reference_on_b = m.b.alignment > m.a.alignment + settings.epsilon;
        const Polyhedron& reference = m.reference_on_b ? b : a;
        const Polyhedron& incident = m.reference_on_b ? a : b;
        const SignificantFace& face = m.reference_on_b ? m.b : m.a;
        const Vec3d out = m.reference_on_b ? -normal : normal;  // away from the reference hull

        std::vector<Vec3d> polygon;
        for (const std::uint32_t v : cyclic_face(incident, m.reference_on_b ? m.a.face : m.b.face)) {
            polygon.push_back(incident.positions[v]);
        }
        for (const std::uint32_t f : neighbours(reference, face.face)) {
            const Vec3d& n = reference.normals[f];
            polygon = clip_below(polygon, n, dot(n, reference.positions[reference.faces[f][0]]), settings.epsilon);
        }

        const Vec3d& plane = reference.normals[face.face];
        const Vec3d& furthest = reference.positions[face.vertex];
        const double slope = dot(plane, out);
        if (slope < kEdgeOn) return m;
        for (const Vec3d& x : polygon) {
            const double above = dot(plane, x - furthest);
            if (above > settings.epsilon) continue;
            const double separation = settings.depth == Depth::plane_ray ? above / slope : dot(out, x - furthest);
            const bool again = std::any_of(m.points.begin(), m.points.end(), [&](const FaceClipPoint& p) {
                return length(p.on_incident - x) <= settings.epsilon;
            });
            if (!again) m.points.push_back({x, x - out * separation, separation});
        }
        return m;
    });
}

}  // namespace lanefold::published
