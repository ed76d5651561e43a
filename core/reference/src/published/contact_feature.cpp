// SPDX-License-Identifier: MIT
//
// Grows a contact feature from the one that a collision found, by the heights of the ends of edges.
#include <algorithm>
#include <cmath>
#include <cstddef>

#include <lanefold/contact_features.hpp>
#include <lanefold/fp_environment.hpp>

namespace lanefold::published {
namespace {

// |height difference| / length; an edge without length is level.
double steepness(const Polyhedron& h, const SupportHeights& heights, std::uint32_t v, std::uint32_t w) {
    const double l = length(h.positions[w] - h.positions[v]);
    return l > 0.0 ? std::fabs(heights.height[w] - heights.height[v]) / l : 0.0;
}

double steepest_side(const Polyhedron& h, const SupportHeights& heights, const std::vector<std::uint32_t>& loop) {
    double steepest = 0.0;
    for (std::size_t k = 0; k < loop.size(); ++k) {
        steepest = std::max(steepest, steepness(h, heights, loop[k], loop[(k + 1) % loop.size()]));
    }
    return steepest;
}

bool contains(const std::vector<std::uint32_t>& face, const std::vector<std::uint32_t>& vertices) {
    return std::all_of(vertices.begin(), vertices.end(),
                       [&](std::uint32_t v) { return std::find(face.begin(), face.end(), v) != face.end(); });
}

// The most aligned face around the vertices of `r`, if one is aligned.
void grow_to_face(const Polyhedron& hull, const Vec3d& direction, const SupportHeights& heights, double sine,
                  const std::vector<std::uint32_t>& around, ContactFeature& r) {
    double most_aligned = 2.0;
    for (std::uint32_t f = 0; f < hull.faces.size(); ++f) {
        if (!contains(hull.faces[f], around) || !(dot(hull.normals[f], direction) > 0.0)) continue;
        const double s = steepest_side(hull, heights, cyclic_face(hull, f));
        if (s > sine || s >= most_aligned) continue;
        most_aligned = s;
        r.type = FeatureType::face;
        r.index = f;
        r.vertices = hull.faces[f];
    }
}

void grow_to_edge(const Polyhedron& hull, const SupportHeights& heights, double sine, std::uint32_t vertex,
                  ContactFeature& r) {
    double most_level = 2.0;
    for (std::uint32_t e = 0; e < hull.edges.size(); ++e) {
        const auto [v, w] = hull.edges[e];
        if (v != vertex && w != vertex) continue;
        const double s = steepness(hull, heights, v, w);
        if (s > sine || s >= most_level) continue;
        most_level = s;
        r.type = FeatureType::edge;
        r.index = e;
        r.vertices = {v, w};
    }
}

}  // namespace

SupportHeights support_heights(const Polyhedron& hull, const Vec3d& direction) {
    SupportHeights s;
    s.height.reserve(hull.positions.size());
    for (std::uint32_t v = 0; v < hull.positions.size(); ++v) {
        s.height.push_back(dot(direction, hull.positions[v]));
        if (s.height[v] > s.height[s.vertex]) s.vertex = v;
    }
    return s;
}

ContactFeature grow_feature(const Polyhedron& hull, const Vec3d& direction, const SupportHeights& heights,
                            const Feature& found, double angle) {
    const double sine = std::sin(angle);
    ContactFeature r;
    r.type = found.type;
    r.index = found.index;
    r.vertex = heights.vertex;
    if (found.type == FeatureType::face) {
        r.vertices = hull.faces[found.index];
        return r;
    }
    if (found.type == FeatureType::edge) {
        r.vertices = {hull.edges[found.index][0], hull.edges[found.index][1]};
    } else {
        r.vertices = {found.index};
        grow_to_edge(hull, heights, sine, found.index, r);
        if (r.type == FeatureType::vertex) return r;  // a face needs an aligned edge at the vertex
    }
    const std::vector<std::uint32_t> around =
        found.type == FeatureType::edge ? r.vertices : std::vector<std::uint32_t>{found.index};
    grow_to_face(hull, direction, heights, sine, around, r);
    return r;
}

ContactFeature contact_feature(const Polyhedron& hull, const Vec3d& direction, double angle) {
    return in_default_environment([&]() -> ContactFeature {
        const SupportHeights heights = support_heights(hull, direction);
        return grow_feature(hull, direction, heights, {FeatureType::vertex, heights.vertex}, angle);
    });
}

}  // namespace lanefold::published
