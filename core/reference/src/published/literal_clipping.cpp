// SPDX-License-Identifier: MIT
//
// Clipping on the collision plane, literally as published.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

#include <lanefold/fp_environment.hpp>
#include <lanefold/published_literal.hpp>

#include "published/literal_steps.hpp"

namespace lanefold::published::literal {
namespace {

// As published: |2 mu - 1| <= 1, which equals 0 <= mu <= 1 except for the last bit.
bool on_edge(double mu) { return std::fabs(mu * 2.0 - 1.0) <= 1.0; }

std::uint32_t most_anti_parallel(const Polyhedron& hull, const Vec3d& normal) {
    std::uint32_t face = 0;
    double least = std::numeric_limits<double>::infinity();
    for (std::uint32_t f = 0; f < hull.normals.size(); ++f) {
        const double d = dot(hull.normals[f], normal);
        if (d < least) face = f, least = d;
    }
    return face;
}

// Clips the incident face against the reference face, seen along the normal of the latter.
class Clip {
public:
    Clip(const Polyhedron& reference, std::uint32_t face, const Polyhedron& incident, Result& result)
        : reference_(reference),
          incident_(incident),
          face_r_(reference.faces[face]),
          face_i_(incident.faces[result.incident_face]),
          normal_(reference.normals[face]),
          facing_(dot(normal_, incident.normals[result.incident_face])),
          offset_(dot(normal_, reference.positions[face_r_[0]])),
          result_(result) {}

    void run() {
        incident_vertices();
        reference_vertices();
        crossings();
    }

private:
    bool touching_at_impact(const Vec3d& x) const {
        return std::fabs(dot(normal_, x) - offset_ - result_.info.separation) < kEpsilon;
    }

    void incident_vertices() {
        for (const std::uint32_t v : face_i_) {
            const Vec3d& x = incident_.positions[v];
            if (touching_at_impact(x) && point_in_polygon(reference_, face_r_, normal_, x)) {
                add_point(result_, x, PointSource::incident_vertex, {v, v});
            }
        }
    }

    // Moved by -mtv, which leads to the incident face only if the reference face is A's.
    void reference_vertices() {
        if (!(facing_ < kEpsilon - 1.0)) return;
        for (const std::uint32_t v : face_r_) {
            const Vec3d& x = reference_.positions[v];
            if (!point_in_polygon(incident_, face_i_, normal_, x)) continue;
            add_point(result_, x - result_.mtv, PointSource::reference_vertex, {v, v});
        }
    }

    // Only here are points left out that are near an earlier point of any source.
    void crossings() {
        for (std::size_t i = 0; i < face_r_.size(); ++i) {
            const Vec3d& p1 = reference_.positions[face_r_[i]];
            const Vec3d& p2 = reference_.positions[face_r_[(i + 1) % face_r_.size()]];
            for (std::size_t j = 0; j < face_i_.size(); ++j) {
                const auto lines = line_line(p1, p2, incident_.positions[face_i_[j]],
                                             incident_.positions[face_i_[(j + 1) % face_i_.size()]]);
                if (!lines || !on_edge(lines->mu_p) || !on_edge(lines->mu_q)) continue;
                if (!touching_at_impact(lines->on_q)) continue;
                const bool again = std::any_of(result_.points.begin(), result_.points.end(), [&](const ClipPoint& p) {
                    return length(p.position - lines->on_q) < kEpsilon;
                });
                if (again) continue;
                add_point(result_, lines->on_q, PointSource::crossing,
                          {static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(j)});
            }
        }
    }

    const Polyhedron& reference_;
    const Polyhedron& incident_;
    const std::vector<std::uint32_t>& face_r_;
    const std::vector<std::uint32_t>& face_i_;
    Vec3d normal_;
    double facing_;
    double offset_;
    Result& result_;
};

}  // namespace

bool point_in_polygon(const Polyhedron& hull, const std::vector<std::uint32_t>& face, const Vec3d& normal,
                      const Vec3d& x) {
    return in_default_environment([&]() -> bool {
        std::size_t left = 0;
        std::size_t right = 0;
        for (std::size_t k = 0; k < face.size(); ++k) {
            const Vec3d& p = hull.positions[face[k]];
            const Vec3d out = unit(cross(p - hull.positions[face[(k + 1) % face.size()]], normal));
            const double side = dot(out, p) - dot(out, x);
            if (std::fabs(side) < kEpsilon) return false;
            ++(side > 0.0 ? left : right);
        }
        return left == face.size() || right == face.size();
    });
}

Result clipping_manifold(const Polyhedron& a, const Polyhedron& b) {
    return in_default_environment([&]() -> Result {
        Result r;
        const auto of_a = literal::query_face_directions(a, b);
        if (!of_a) return r;
        const auto of_b = literal::query_face_directions(b, a);
        if (!of_b) return r;
        const auto of_edges = literal::query_edge_directions(a, b);
        if (!of_edges) return r;
        r.colliding = true;
        const bool on_b = of_b->separation > of_a->separation;
        const FaceDirection& face = on_b ? *of_b : *of_a;
        // Both faces are missing (separation -infinity) if every face is skipped. Then only edges that meet give a
        // result.
        if (of_edges->found && of_edges->separation - face.separation > kEpsilon) {
            const auto lines = edges_meeting(a, b, *of_edges);
            if (lines && on_edge(lines->mu_p) && on_edge(lines->mu_q)) {
                set_edges(r, *of_edges);
                add_point(r, lines->on_p, PointSource::edges, r.info.index);
                return r;
            }
        }
        if (!face.found) return r;
        const Polyhedron& reference = on_b ? b : a;
        const Polyhedron& incident = on_b ? a : b;
        set_face(r, on_b ? Type::face_b : Type::face_a, face, reference);
        r.incident_face = most_anti_parallel(incident, reference.normals[face.face]);
        Clip(reference, face.face, incident, r).run();
        return r;
    });
}

}  // namespace lanefold::published::literal
