// SPDX-License-Identifier: MIT
//
// The largest feature aligned with the contact plane, by heights of the ends of edges.
#include <algorithm>
#include <cmath>
#include <cstddef>

#include <lanefold/contact_features.hpp>

namespace lanefold::published {
namespace {

// |height difference| / length; an edge without length is level.
double steepness(const Polyhedron& h, const Vec3d& direction, std::uint32_t v, std::uint32_t w) {
    const Vec3d e = h.positions[w] - h.positions[v];
    const double l = length(e);
    return l > 0.0 ? std::fabs(dot(direction, e)) / l : 0.0;
}

bool all_level(const Polyhedron& h, const Vec3d& direction, double sine, const std::vector<std::uint32_t>& loop) {
    for (std::size_t k = 0; k < loop.size(); ++k) {
        if (steepness(h, direction, loop[k], loop[(k + 1) % loop.size()]) > sine) return false;
    }
    return true;
}

double loop_area(const Polyhedron& h, const std::vector<std::uint32_t>& loop) {
    Vec3d sum;
    for (std::size_t k = 1; k + 1 < loop.size(); ++k) {
        sum = sum + cross(h.positions[loop[k]] - h.positions[loop[0]], h.positions[loop[k + 1]] - h.positions[loop[0]]);
    }
    return 0.5 * length(sum);
}

}  // namespace

ContactFeature contact_feature(const Polyhedron& hull, const Vec3d& direction, double angle) {
    const double sine = std::sin(angle);
    ContactFeature r;
    r.vertex = supports_along(hull, direction).max_index;
    r.index = r.vertex;
    r.vertices = {r.vertex};
    double most_level = 2.0;
    for (std::uint32_t e = 0; e < hull.edges.size(); ++e) {
        const auto [v, w] = hull.edges[e];
        if (v != r.vertex && w != r.vertex) continue;
        const double s = steepness(hull, direction, v, w);
        if (s > sine || s >= most_level) continue;
        most_level = s;
        r.type = FeatureType::edge;
        r.index = e;
        r.vertices = {v, w};
    }
    if (r.type == FeatureType::vertex) return r;  // a face needs an aligned edge at the vertex
    double largest = 0.0;
    for (std::uint32_t f = 0; f < hull.faces.size(); ++f) {
        const std::vector<std::uint32_t>& face = hull.faces[f];
        if (std::find(face.begin(), face.end(), r.vertex) == face.end()) continue;
        // Facing along the direction: the two sides of a thin plate are both level.
        if (!(dot(hull.normals[f], direction) > 0.0)) continue;
        const std::vector<std::uint32_t> loop = cyclic_face(hull, f);
        if (!all_level(hull, direction, sine, loop)) continue;
        const double area = loop_area(hull, loop);
        if (area <= largest) continue;
        largest = area;
        r.type = FeatureType::face;
        r.index = f;
        r.vertices = face;
    }
    return r;
}

}  // namespace lanefold::published
