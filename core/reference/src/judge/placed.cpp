// SPDX-License-Identifier: MIT
//
// Hulls in the frame of the record.
#include "placed.hpp"

#include <algorithm>
#include <limits>

namespace lanefold::reference::judging {

Placed::Placed(const OracleHull& hull, const HullRecord& record, const Mat3d& rotation, const Vec3d& offset)
    : oracle_(&hull), view_(record), counts_(record.feature_counts()), rotation_(rotation), offset_(offset) {
    at_.reserve(hull.vertices.size());
    for (const Vec3d& v : hull.vertices) at_.push_back(rotation * v + offset);
}

std::vector<std::uint32_t> Placed::loop(std::uint32_t face) const {
    std::vector<std::uint32_t> out;
    for (std::uint32_t k = view_.face_first[face]; k < view_.face_first[face + 1]; ++k) {
        out.push_back(view_.face_vertex[k]);
    }
    return out;
}

std::vector<std::uint32_t> Placed::loop_edges(std::uint32_t face) const {
    std::vector<std::uint32_t> out;
    for (std::uint32_t k = view_.face_first[face]; k < view_.face_first[face + 1]; ++k) {
        out.push_back(view_.face_edge[k]);
    }
    return out;
}

std::uint32_t Placed::edge_end(std::uint32_t edge, int end) const {
    return view_.edge_vertex[2 * std::size_t{edge} + static_cast<std::size_t>(end)];
}

std::vector<std::uint32_t> Placed::faces_around(std::uint32_t vertex) const {
    std::vector<std::uint32_t> out;
    for (std::uint32_t k = view_.vertex_first[vertex]; k < view_.vertex_first[vertex + 1]; ++k) {
        out.push_back(view_.vertex_face[k]);
    }
    return out;
}

double Placed::height(std::uint32_t v, const Vec3d& n) const { return dot(n, at_[v]); }

double Placed::support(const Vec3d& n) const {
    double most = -std::numeric_limits<double>::infinity();
    for (const Vec3d& x : at_) most = std::max(most, dot(n, x));
    return most;
}

Vec3d Placed::stored_normal(std::uint32_t face) const {
    return rotation_ * normalized(view_.internal_to_input().rotation * view_.normal(face));
}

// The direction of M. E. Newell's normal: the sum of the cross products of the loop's fan.
Vec3d Placed::loop_normal(std::uint32_t face) const {
    const std::vector<std::uint32_t> v = loop(face);
    Vec3d sum;
    for (std::size_t k = 2; k < v.size(); ++k) sum = sum + cross(at_[v[k - 1]] - at_[v[0]], at_[v[k]] - at_[v[0]]);
    return normalized(sum);
}

double Placed::bend(std::uint32_t face) const {
    if (counts_.faces == 0) return 0;  // a small core
    const Vec3d n = stored_normal(face);
    const double top = support(n);
    double most = 0;
    for (const std::uint32_t v : loop(face)) most = std::max(most, top - height(v, n));
    return most;
}

Vec3d Placed::normal_near(std::uint32_t face, const Vec3d& n) const {
    Vec3d best = loop_normal(face);
    const Vec3d stored = stored_normal(face);
    if (!is_finite(best) || length_squared(stored - n) < length_squared(best - n)) best = stored;
    std::vector<bool> in_loop(at_.size(), false);
    for (const std::uint32_t v : loop(face)) in_loop[v] = true;
    for (std::size_t t = 0; t < oracle_->triangles.size(); ++t) {
        const auto& corners = oracle_->triangles[t].v;
        if (!in_loop[corners[0]] || !in_loop[corners[1]] || !in_loop[corners[2]]) continue;
        const Vec3d m = rotation_ * oracle_->normals[t];
        if (length_squared(m - n) < length_squared(best - n)) best = m;
    }
    return best;
}

std::vector<std::uint32_t> Placed::box_corners(std::uint32_t face, bool as_loop) const {
    const Vec3d n = view_.normal(face);
    const double of[3] = {std::fabs(n.x), std::fabs(n.y), std::fabs(n.z)};
    const auto axis = static_cast<std::size_t>(std::max_element(of, of + 3) - of);
    std::vector<std::uint32_t> out(4, 0);
    for (const std::uint32_t v : loop(face)) {
        const Vec3d x = view_.vertex(v);
        const double at[3] = {x.x, x.y, x.z};
        const std::size_t u = at[(axis + 1) % 3] > 0 ? 1 : 0;
        const std::size_t w = at[(axis + 2) % 3] > 0 ? 1 : 0;
        out[as_loop && w == 1 ? 3 - u : u + 2 * w] = v;
    }
    return out;
}

double Placed::feature_distance(const Feature& feature, const Vec3d& x) const {
    if (feature.type == FeatureType::vertex) return length(x - at_[feature.index]);
    if (feature.type == FeatureType::edge) {
        const Vec3d from = at_[edge_end(feature.index, 0)];
        const Vec3d e = at_[edge_end(feature.index, 1)] - from;
        const double t = std::clamp(dot(x - from, e) / length_squared(e), 0.0, 1.0);
        return length(x - (from + e * t));
    }
    const Vec3d n = stored_normal(feature.index);
    return std::fabs(dot(n, x) - support(n));
}

std::uint32_t Placed::number_of(FeatureType type) const {
    if (type == FeatureType::face) return counts_.faces;
    return type == FeatureType::edge ? counts_.edges : counts_.vertices;
}

std::vector<std::uint32_t> Placed::vertices_of(const Feature& feature) const {
    if (feature.type == FeatureType::vertex) return {feature.index};
    if (feature.type == FeatureType::edge) return {edge_end(feature.index, 0), edge_end(feature.index, 1)};
    return loop(feature.index);
}

FeatureTypes types_of(ContactKind kind) {
    switch (kind) {
        case ContactKind::edge_edge:
            return {FeatureType::edge, FeatureType::edge};
        case ContactKind::vertex_edge:
            return {FeatureType::vertex, FeatureType::edge};
        case ContactKind::edge_vertex:
            return {FeatureType::edge, FeatureType::vertex};
        case ContactKind::vertex_vertex:
            return {FeatureType::vertex, FeatureType::vertex};
        default:
            return {FeatureType::face, FeatureType::face};
    }
}

}  // namespace lanefold::reference::judging
