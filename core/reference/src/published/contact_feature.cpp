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

// The steps of a growth for a caller who asked for them.
class Recorder {
public:
    Recorder(const Polyhedron& hull, FeatureGrowth* growth) : hull_(hull), growth_(growth) {}

    void start(const Vec3d& direction, double angle) {
        if (growth_ != nullptr) *growth_ = {direction, angle, {}, {}};
    }
    void candidate(const Feature& feature, double sine, bool towards, bool aligned) {
        if (growth_ != nullptr) growth_->candidates.push_back({feature, sine, towards, aligned, false});
    }
    void stage(const ContactFeature& r) {
        if (growth_ == nullptr) return;
        const Feature feature{r.type, r.index};
        if (!growth_->stages.empty()) {
            for (GrowthCandidate& c : growth_->candidates) c.chosen = c.chosen || c.feature == feature;
        }
        growth_->stages.push_back({feature, r.vertices, gauss_map(hull_, feature)});
    }

private:
    const Polyhedron& hull_;
    FeatureGrowth* growth_;
};

// The most aligned face around the vertices of `r`, if one is aligned.
void grow_to_face(const Polyhedron& hull, const Vec3d& direction, const SupportHeights& heights, double sine,
                  const std::vector<std::uint32_t>& around, ContactFeature& r, Recorder& recorder) {
    double most_aligned = 2.0;
    for (std::uint32_t f = 0; f < hull.faces.size(); ++f) {
        if (!contains(hull.faces[f], around)) continue;
        const bool towards = dot(hull.normals[f], direction) > 0.0;
        const double s = steepest_side(hull, heights, cyclic_face(hull, f));
        const bool aligned = towards && s <= sine;
        recorder.candidate({FeatureType::face, f}, s, towards, aligned);
        if (!aligned || s >= most_aligned) continue;
        most_aligned = s;
        r.type = FeatureType::face;
        r.index = f;
        r.vertices = hull.faces[f];
    }
    if (r.type == FeatureType::face) recorder.stage(r);
}

void grow_to_edge(const Polyhedron& hull, const SupportHeights& heights, double sine, std::uint32_t vertex,
                  ContactFeature& r, Recorder& recorder) {
    double most_level = 2.0;
    for (std::uint32_t e = 0; e < hull.edges.size(); ++e) {
        const auto [v, w] = hull.edges[e];
        if (v != vertex && w != vertex) continue;
        const double s = steepness(hull, heights, v, w);
        const bool aligned = s <= sine;
        recorder.candidate({FeatureType::edge, e}, s, true, aligned);
        if (!aligned || s >= most_level) continue;
        most_level = s;
        r.type = FeatureType::edge;
        r.index = e;
        r.vertices = {v, w};
    }
    if (r.type == FeatureType::edge) recorder.stage(r);
}

// Vertices of a feature.
std::vector<std::uint32_t> vertices_of(const Polyhedron& hull, const Feature& feature) {
    if (feature.type == FeatureType::face) return hull.faces[feature.index];
    if (feature.type == FeatureType::edge) return {hull.edges[feature.index][0], hull.edges[feature.index][1]};
    return {feature.index};
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

std::vector<Vec3d> gauss_map(const Polyhedron& hull, const Feature& feature) {
    if (feature.type == FeatureType::face) return {hull.normals[feature.index]};
    const std::vector<std::uint32_t> around = vertices_of(hull, feature);
    std::vector<Vec3d> out;
    Vec3d middle;
    for (std::uint32_t f = 0; f < hull.faces.size(); ++f) {
        if (!contains(hull.faces[f], around)) continue;
        out.push_back(hull.normals[f]);
        middle = middle + hull.normals[f];
    }
    if (out.size() < 3) return out;
    // The normals around a vertex are in convex position about their middle.
    const PlaneAxes axes = plane_axes(normalized(middle));
    const auto turn = [&](const Vec3d& n) { return std::atan2(dot(n, axes.along), dot(n, axes.across)); };
    std::sort(out.begin(), out.end(), [&](const Vec3d& p, const Vec3d& q) { return turn(p) < turn(q); });
    return out;
}

ContactFeature grow_feature(const Polyhedron& hull, const Vec3d& direction, const SupportHeights& heights,
                            const Feature& found, double angle, FeatureGrowth* growth) {
    const double sine = std::sin(angle);
    Recorder recorder(hull, growth);
    recorder.start(direction, angle);
    ContactFeature r;
    r.type = found.type;
    r.index = found.index;
    r.vertex = heights.vertex;
    r.vertices = vertices_of(hull, found);
    recorder.stage(r);
    if (found.type == FeatureType::face) return r;
    const std::vector<std::uint32_t> around = r.vertices;
    if (found.type == FeatureType::vertex) {
        grow_to_edge(hull, heights, sine, found.index, r, recorder);
        if (r.type == FeatureType::vertex) return r;  // a face needs an aligned edge at the vertex
    }
    grow_to_face(hull, direction, heights, sine, around, r, recorder);
    return r;
}

ContactFeature contact_feature(const Polyhedron& hull, const Vec3d& direction, double angle) {
    return in_default_environment([&]() -> ContactFeature {
        const SupportHeights heights = support_heights(hull, direction);
        return grow_feature(hull, direction, heights, {FeatureType::vertex, heights.vertex}, angle);
    });
}

}  // namespace lanefold::published
