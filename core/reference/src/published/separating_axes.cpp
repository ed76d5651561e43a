// SPDX-License-Identifier: MIT
//
// The separating axis test: supports, face directions both ways, edge directions, collide.
#include <cmath>
#include <cstddef>
#include <limits>

#include <lanefold/detail/hull_block.hpp>
#include <lanefold/fp_environment.hpp>
#include <lanefold/published.hpp>

namespace lanefold::published {
namespace {

// Twice the area vector of a loop (Newell). It points along the outward normal of a counter-clockwise loop.
Vec3d area_vector(const std::vector<Vec3d>& positions, const std::vector<std::uint32_t>& loop) {
    Vec3d sum;
    for (std::size_t k = 1; k + 1 < loop.size(); ++k) {
        sum = sum + cross(positions[loop[k]] - positions[loop[0]], positions[loop[k + 1]] - positions[loop[0]]);
    }
    return sum;
}

struct Segment {
    Vec3d origin;
    Vec3d direction;
};

Segment segment(const Polyhedron& h, std::size_t edge) {
    const Vec3d& p = h.positions[h.edges[edge][0]];
    return {p, h.positions[h.edges[edge][1]] - p};
}

}  // namespace

Polyhedron make_polyhedron(const HullRecord& hull, const PoseD& pose) {
    return in_default_environment([&]() -> Polyhedron {
        const detail::HullView view(hull);
        Polyhedron out;
        for (std::uint32_t v = 0; v < hull.vertex_count; ++v)
            out.positions.push_back(transform(pose, view.input_vertex(v)));
        for (std::uint32_t f = 0; f < hull.face_count; ++f) {
            std::vector<std::uint32_t> loop;
            for (std::uint32_t k = view.face_first[f]; k < view.face_first[f + 1]; ++k)
                loop.push_back(view.face_vertex[k]);
            out.normals.push_back(normalized(area_vector(out.positions, loop)));
            out.faces.push_back(std::move(loop));
        }
        for (std::uint32_t e = 0; e < hull.edge_count; ++e) {
            out.edges.push_back({view.edge_vertex[2 * e], view.edge_vertex[2 * e + 1]});
        }
        return out;
    });
}

Supports supports_along(const Polyhedron& hull, const Vec3d& axis) {
    return in_default_environment([&]() -> Supports {
        Supports s;
        s.min_value = s.max_value = dot(axis, hull.positions[0]);
        for (std::size_t i = 1; i < hull.positions.size(); ++i) {
            const double value = dot(axis, hull.positions[i]);
            if (value < s.min_value) {
                s.min_value = value;
                s.min_index = static_cast<std::uint32_t>(i);
            }
            if (value > s.max_value) {
                s.max_value = value;
                s.max_index = static_cast<std::uint32_t>(i);
            }
        }
        return s;
    });
}

FaceDirection query_face_directions(const Polyhedron& hull, const Polyhedron& other) {
    return in_default_environment([&]() -> FaceDirection {
        FaceDirection best;
        best.separation = -std::numeric_limits<double>::infinity();
        for (std::size_t f = 0; f < hull.faces.size(); ++f) {
            const Vec3d& n = hull.normals[f];
            const Supports own = supports_along(hull, n);
            const Supports his = supports_along(other, n);
            const double separation = his.min_value - own.max_value;
            if (separation <= best.separation) continue;
            best = {true, static_cast<std::uint32_t>(f), his.min_index, separation};
        }
        return best;
    });
}

LinePoints closest_points_of_lines(const Vec3d& p, const Vec3d& u, const Vec3d& q, const Vec3d& v) {
    return in_default_environment([&]() -> LinePoints {
        // With c = u x v the lines' points satisfy (q + mu_q v) - (p + mu_p u) parallel to c.
        LinePoints r;
        const Vec3d c = cross(u, v);
        const double cc = length_squared(c);
        const Vec3d w = q - p;
        if (cc > 0.0) {
            r.mu_p = dot(cross(w, v), c) / cc;
            r.mu_q = dot(cross(w, u), c) / cc;
        } else {
            r.parallel = true;
            const double vv = length_squared(v);
            r.mu_q = vv > 0.0 ? -dot(w, v) / vv : 0.0;
        }
        r.on_p = p + u * r.mu_p;
        r.on_q = q + v * r.mu_q;
        return r;
    });
}

EdgeDirection query_edge_directions(const Polyhedron& a, const Polyhedron& b, const Settings& settings) {
    return in_default_environment([&]() -> EdgeDirection {
        EdgeDirection best;
        best.separation = -std::numeric_limits<double>::infinity();
        for (std::size_t i = 0; i < a.edges.size(); ++i) {
            const Segment ea = segment(a, i);
            for (std::size_t j = 0; j < b.edges.size(); ++j) {
                const Segment eb = segment(b, j);
                const Vec3d c = cross(ea.direction, eb.direction);
                const double cc = length_squared(c);
                if (!(cc > 0.0)) continue;
                const LinePoints points = closest_points_of_lines(ea.origin, ea.direction, eb.origin, eb.direction);
                const bool meet = points.mu_p >= 0.0 && points.mu_p <= 1.0 && points.mu_q >= 0.0 && points.mu_q <= 1.0;
                for (const double sign : {1.0, -1.0}) {
                    const Vec3d n = c * (sign / std::sqrt(cc));
                    const double high = supports_along(a, n).max_value;
                    const double low = supports_along(b, n).min_value;
                    const double separation = low - high;
                    if (separation <= best.separation) continue;
                    // Lines that pass each other beyond their edges give no contact. But an axis that separates is
                    // valid wherever they pass.
                    if (!meet && separation <= 0.0) continue;
                    // The edges must be the features that touch: extreme on their hulls.
                    if (high - dot(n, ea.origin) > settings.epsilon || dot(n, eb.origin) - low > settings.epsilon)
                        continue;
                    best = {true,
                            static_cast<std::uint32_t>(i),
                            static_cast<std::uint32_t>(j),
                            separation,
                            n,
                            points.mu_p,
                            points.mu_q};
                }
            }
        }
        return best;
    });
}

Collision collide(const Polyhedron& a, const Polyhedron& b, const Settings& settings) {
    return in_default_environment([&]() -> Collision {
        const FaceDirection fa = query_face_directions(a, b);
        const FaceDirection fb = query_face_directions(b, a);
        const EdgeDirection e = query_edge_directions(a, b, settings);
        Collision r;
        r.info.separation = -std::numeric_limits<double>::infinity();
        if (fa.found) {
            r.info = {Type::face_a, {fa.face, fa.support}, fa.separation, a.normals[fa.face]};
            r.point = b.positions[fa.support];
        }
        if (fb.found && fb.separation > r.info.separation + settings.epsilon) {
            r.info = {Type::face_b, {fb.face, fb.support}, fb.separation, -b.normals[fb.face]};
            r.point = a.positions[fb.support];
        }
        if (e.found && e.separation > r.info.separation + settings.epsilon) {
            r.info = {Type::edges, {e.edge_a, e.edge_b}, e.separation, e.normal};
            const Segment s = segment(a, e.edge_a);
            r.point = s.origin + s.direction * e.mu_a;
        }
        r.colliding = r.info.separation <= 0.0;
        if (r.colliding) r.mtv = r.info.normal * -r.info.separation;
        return r;
    });
}

}  // namespace lanefold::published
