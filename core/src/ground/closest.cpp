// SPDX-License-Identifier: MIT
//
// See the header.

#include "ground/closest.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <lanefold/detail/geometry/nearest.hpp>

namespace lanefold::detail {

namespace {

constexpr int next(int k) { return k == 2 ? 0 : k + 1; }

// Relative error of a distance, with much room, and by how much the length of a face's normal may be off.
constexpr double kRounding = 1e-12;
constexpr double kFaceLength = 1e-6;

// The point of a triangle that is closest to x, with its feature.
struct Foot {
    Vec3d at;
    TriangleFeature feature;
};

Foot foot_on(const Vec3d& x, const Vec3d& a, const Vec3d& b, const Vec3d& c) {
    // C. Ericson, Real-Time Collision Detection (2005), section 5.1.5.
    const Vec3d ab = b - a;
    const Vec3d ac = c - a;
    const Vec3d ax = x - a;
    const double d1 = dot(ab, ax);
    const double d2 = dot(ac, ax);
    if (d1 <= 0 && d2 <= 0) return {a, {FeatureType::vertex, 0}};
    const Vec3d bx = x - b;
    const double d3 = dot(ab, bx);
    const double d4 = dot(ac, bx);
    if (d3 >= 0 && d4 <= d3) return {b, {FeatureType::vertex, 1}};
    const double vc = d1 * d4 - d3 * d2;
    if (vc <= 0 && d1 >= 0 && d3 <= 0) return {a + ab * (d1 / (d1 - d3)), {FeatureType::edge, 0}};
    const Vec3d cx = x - c;
    const double d5 = dot(ab, cx);
    const double d6 = dot(ac, cx);
    if (d6 >= 0 && d5 <= d6) return {c, {FeatureType::vertex, 2}};
    const double vb = d5 * d2 - d1 * d6;
    if (vb <= 0 && d2 >= 0 && d6 <= 0) return {a + ac * (d2 / (d2 - d6)), {FeatureType::edge, 2}};
    const double va = d3 * d6 - d5 * d4;
    if (va <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0) {
        return {b + (c - b) * ((d4 - d3) / ((d4 - d3) + (d5 - d6))), {FeatureType::edge, 1}};
    }
    const double whole = va + vb + vc;
    return {a + ab * (vb / whole) + ac * (vc / whole), {FeatureType::face, 0}};
}

// The parameters of the closest points of two edges from p and q on.
geometry::ClosestOnEdges<double> feet_of(const Vec3d& p, const Vec3d& d1, const Vec3d& q, const Vec3d& d2) {
    const auto products = geometry::EdgeProducts<double>::of(d1, d2, q - p);
    const auto lines = geometry::closest_on_lines(products);
    return geometry::closest_on_edges(products, lines.det > 0 ? geometry::clamp01(lines.a / lines.det) : 0.0);
}

// Every pair of features, but for those that are further apart than a pair that is known, or than the limit. The first
// of the nearest pairs counts, so leaving out pairs changes nothing.
class Search {
public:
    // Distances above `most` may come out as larger ones.
    Search(const GroundBody& body, const Vec3d (&corner)[3], double most) : body_(body), corner_(corner) {
        const TriangleBall ball(corner);
        middle_ = ball.middle;
        radius_ = ball.radius;
        room_ = kRounding * (body.size + std::fabs(middle_.x) + std::fabs(middle_.y) + std::fabs(middle_.z) + radius_);
        limit_distance(most);
    }

    // Features that are probably near: a face of the core and the triangle's lowest corner over it, then the vertex.
    void expect(std::uint32_t face, int corner, std::uint32_t vertex) {
        double squared = std::numeric_limits<double>::infinity();
        each_part(face, [&](const Vec3d& a, const Vec3d& b, const Vec3d& c) {
            squared = std::min(squared, length_squared(foot_on(corner_[corner], a, b, c).at - corner_[corner]));
        });
        const Vec3d& x = body_.vertices[vertex];
        squared = std::min(squared, length_squared(foot_on(x, corner_[0], corner_[1], corner_[2]).at - x));
        const double d = std::sqrt(squared);
        if (d < limit_) limit_distance(d);
    }

    GroundClosest run() {
        for (std::uint32_t i = 0; i < body_.vertices.size(); ++i) {
            const Vec3d& x = body_.vertices[i];
            if (length_squared(x - middle_) > reach_squared_) continue;
            const Foot f = foot_on(x, corner_[0], corner_[1], corner_[2]);
            offer(x, f.at, {FeatureType::vertex, i}, f.feature);
        }
        for (std::uint32_t e = 0; e < body_.edges.size(); ++e) {
            if (!is_beyond(body_.edges[e])) pass_edges(e);
        }
        for (std::uint32_t f = 0; f < body_.faces(); ++f) pass_face(f);
        best_.distance = std::sqrt(squared_);
        return best_;
    }

private:
    // Pairs further apart than d do not count.
    void limit_distance(double d) {
        limit_ = d * (1 + kFaceLength) + room_;
        const double reach = limit_ + radius_ + room_;
        reach_squared_ = reach * reach;
    }

    // Whether an edge is further from the triangle's middle than counts.
    bool is_beyond(const GroundEdge& e) const {
        const Vec3d from = middle_ - body_.vertices[e.v[0]];
        const double s = std::clamp(dot(from, e.along), 0.0, e.length);
        return length_squared(from - e.along * s) > reach_squared_;
    }

    // The triangles about the first corner of a face.
    template <class Take>
    void each_part(std::uint32_t face, const Take& take) const {
        const std::uint32_t first = body_.loop_first[face];
        const Vec3d& a = body_.vertices[body_.loop_vertex[first]];
        for (std::uint32_t i = first + 1; i + 1 < body_.loop_first[face + 1]; ++i) {
            take(a, body_.vertices[body_.loop_vertex[i]], body_.vertices[body_.loop_vertex[i + 1]]);
        }
    }

    void offer(const Vec3d& on_body, const Vec3d& on_triangle, const Feature& body, const TriangleFeature& triangle) {
        const double d = length_squared(on_body - on_triangle);
        if (!(d < squared_)) return;
        squared_ = d;
        if (d < limit_ * limit_) limit_distance(std::sqrt(d));
        best_.on_body = on_body;
        best_.on_triangle = on_triangle;
        best_.body = body;
        best_.triangle = triangle;
    }

    void pass_edges(std::uint32_t e) {
        const Vec3d& p = body_.vertices[body_.edges[e].v[0]];
        const Vec3d along = body_.vertices[body_.edges[e].v[1]] - p;
        for (int k = 0; k < 3; ++k) {
            const Vec3d side = corner_[next(k)] - corner_[k];
            const auto feet = feet_of(p, along, corner_[k], side);
            Feature mine{FeatureType::edge, e};
            if (feet.a == 0 || feet.a == 1) mine = {FeatureType::vertex, body_.edges[e].v[feet.a == 0 ? 0 : 1]};
            TriangleFeature its{FeatureType::edge, k};
            if (feet.b == 0 || feet.b == 1) its = {FeatureType::vertex, feet.b == 0 ? k : next(k)};
            offer(p + along * feet.a, corner_[k] + side * feet.b, mine, its);
        }
    }

    // The corners of the triangle over a face of the core, which is divided into triangles about its first corner.
    void pass_face(std::uint32_t f) {
        for (int k = 0; k < 3; ++k) {
            const double height = dot(body_.normals[f], corner_[k]) - body_.offsets[f];
            if (height > limit_ || dot(body_.normals[f], corner_[k]) <= body_.offsets[f]) continue;
            each_part(f, [&](const Vec3d& a, const Vec3d& b, const Vec3d& c) {
                offer(foot_on(corner_[k], a, b, c).at, corner_[k], {FeatureType::face, f}, {FeatureType::vertex, k});
            });
        }
    }

    const GroundBody& body_;
    const Vec3d (&corner_)[3];
    Vec3d middle_;  // of the triangle, and the distance of its corners
    double radius_ = 0;
    double room_ = 0;           // for rounding
    double limit_ = 0;          // pairs further apart do not count,
    double reach_squared_ = 0;  // nor features that are further from the middle
    double squared_ = std::numeric_limits<double>::infinity();
    GroundClosest best_;
};

// Whether a part of the triangle is left below every face, each lowered by the slack.
bool cut_by_faces(const GroundBody& body, const Vec3d (&corner)[3], double slack, GroundCut& memory) {
    memory.polygon.assign(corner, corner + 3);
    for (std::uint32_t f = 0; f < body.faces(); ++f) {
        const Vec3d& n = body.normals[f];
        const double limit = body.offsets[f] - slack;
        const std::vector<Vec3d>& polygon = memory.polygon;
        memory.rest.clear();
        double hp = dot(n, polygon[0]) - limit;
        for (std::size_t i = 0; i < polygon.size(); ++i) {
            const Vec3d& p = polygon[i];
            const Vec3d& q = polygon[i + 1 == polygon.size() ? 0 : i + 1];
            const double hq = dot(n, q) - limit;
            if (hp <= 0) memory.rest.push_back(p);
            if ((hp < 0 && hq > 0) || (hp > 0 && hq < 0)) memory.rest.push_back(p + (q - p) * (hp / (hp - hq)));
            hp = hq;
        }
        memory.polygon.swap(memory.rest);
        if (memory.polygon.empty()) return false;
    }
    return true;
}

// Whether the segment of a core runs through the triangle, whose corners and plane are at another place.
bool pierces(const GroundBody& body, const GroundTriangle& t, const Vec3d (&corner)[3], double offset) {
    if (body.vertices.size() < 2) return false;
    const Vec3d& p = body.vertices[0];
    const Vec3d& q = body.vertices[1];
    const double hp = dot(t.normal(), p) - offset;
    const double hq = dot(t.normal(), q) - offset;
    if (!((hp < 0 && hq > 0) || (hp > 0 && hq < 0))) return false;
    const Vec3d x = p + (q - p) * (hp / (hp - hq));
    for (int k = 0; k < 3; ++k) {
        if (dot(cross(t.normal(), t.side[k]), x - corner[k]) < 0) return false;
    }
    return true;
}

}  // namespace

GroundClosest closest_points(const GroundBody& body, const GroundTriangle& t, double most) {
    Search search(body, t.corner, most);
    if (!body.has_faces()) return search.run();
    std::uint32_t face = 0;
    int corner = 0;
    double best = -std::numeric_limits<double>::infinity();
    for (std::uint32_t f = 0; f < body.faces(); ++f) {
        int lowest = 0;
        double h[3];
        for (int k = 0; k < 3; ++k) {
            h[k] = dot(body.normals[f], t.corner[k]);
            if (h[k] < h[lowest]) lowest = k;
        }
        if (!(h[lowest] - body.offsets[f] > best)) continue;
        best = h[lowest] - body.offsets[f];
        face = f;
        corner = lowest;
    }
    search.expect(face, corner, body.lowest(t.normal()).vertex);
    return search.run();
}

bool overlap(const GroundBody& body, const GroundTriangle& t, GroundCut& memory) {
    if (!body.has_faces()) return pierces(body, t, t.corner, t.offset);
    // A clip keeps a corner that is below every face, and nothing of a triangle above one.
    double largest = 0;
    for (const Vec3d& c : t.corner) largest = std::max(largest, (std::fabs(c.x) + std::fabs(c.y)) + std::fabs(c.z));
    const double room = kRounding * (body.size + largest);
    bool inside[3] = {true, true, true};
    for (std::uint32_t f = 0; f < body.faces(); ++f) {
        double h[3];
        for (int k = 0; k < 3; ++k) {
            h[k] = dot(body.normals[f], t.corner[k]) - body.offsets[f];
            inside[k] = inside[k] && h[k] <= 0;
        }
        if (std::min({h[0], h[1], h[2]}) > room) return false;
    }
    if (inside[0] || inside[1] || inside[2]) return true;
    return cut_by_faces(body, t.corner, 0, memory);
}

bool overlap_moved(const GroundBody& body, const GroundTriangle& t, const Vec3d& shift, double slack,
                   GroundCut& memory) {
    const Vec3d corner[3] = {t.corner[0] - shift, t.corner[1] - shift, t.corner[2] - shift};
    if (body.has_faces()) {
        if (cut_by_faces(body, corner, slack, memory)) return true;
    } else if (pierces(body, t, corner, t.offset - dot(t.normal(), shift))) {
        return true;
    }
    return body.radius > 0 && Search(body, corner, body.radius).run().distance < body.radius - slack;
}

}  // namespace lanefold::detail
