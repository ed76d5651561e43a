// SPDX-License-Identifier: MIT
//
// Intersects two contact features, seen along the contact normal: corners of each on the other, crossings of sides.
#include <algorithm>
#include <cmath>
#include <cstddef>

#include <lanefold/feature_manifold.hpp>
#include <lanefold/fp_environment.hpp>

#include "published/extent.hpp"

namespace lanefold::published {
namespace {

constexpr double kSamePoint = 1e-9;  // of the smaller hull's half diagonal

// Radians. On ties a collision reports a face instead of an edge, or the lowest vertex, so the found feature may be one
// end of an edge that is level up to rounding, with the contact on that edge. Features that do not meet are grown again
// with this angle.
constexpr double kTieAngle = 1e-5;

// A place in the contact plane.
struct Place {
    double u = 0;
    double v = 0;
};

Place operator-(const Place& p, const Place& q) { return {p.u - q.u, p.v - q.v}; }
double dot(const Place& p, const Place& q) { return p.u * q.u + p.v * q.v; }
double cross(const Place& p, const Place& q) { return p.u * q.v - p.v * q.u; }
double length(const Place& p) { return std::sqrt(dot(p, p)); }

struct Corner {
    Place at;
    double height = 0;  // along the contact normal
    std::uint32_t vertex = 0;
};

std::uint32_t edge_between(const Polyhedron& hull, std::uint32_t v, std::uint32_t w) {
    for (std::uint32_t e = 0; e < hull.edges.size(); ++e) {
        const auto [p, q] = hull.edges[e];
        if ((p == v && q == w) || (p == w && q == v)) return e;
    }
    return 0;  // not reached for a valid polyhedron
}

// A feature seen along the contact normal.
class Outline {
public:
    Outline(const Polyhedron& hull, const ContactFeature& feature, const SupportHeights& heights, double sign,
            const PlaneAxes& axes)
        : hull_(hull), feature_{feature.type, feature.index} {
        const auto loop = feature.type == FeatureType::face ? cyclic_face(hull, feature.index) : feature.vertices;
        for (const std::uint32_t v : loop) {
            const Vec3d& x = hull.positions[v];
            corners_.push_back({{dot(axes.across, x), dot(axes.along, x)}, sign * heights.height[v], v});
        }
        if (feature.type == FeatureType::face) fit_plane();
    }

    const std::vector<Corner>& corners() const { return corners_; }
    std::size_t sides() const { return corners_.size() < 3 ? corners_.size() - 1 : corners_.size(); }
    const Corner& end(std::size_t side) const { return corners_[(side + 1) % corners_.size()]; }
    Feature feature() const { return feature_; }
    Feature side_feature(std::size_t side) const {
        if (feature_.type == FeatureType::edge) return feature_;
        return {FeatureType::edge, edge_between(hull_, corners_[side].vertex, end(side).vertex)};
    }

    // Whether p is on the feature, or at most `same` beside it.
    bool holds(const Place& p, double same) const {
        for (std::size_t k = 0; k < std::max<std::size_t>(sides(), 1); ++k) {
            if (distance_from_side(p, k) <= same) return true;
        }
        if (feature_.type != FeatureType::face) return false;
        std::size_t left = 0, right = 0;
        for (std::size_t k = 0; k < sides(); ++k) {
            const double side = cross(end(k).at - corners_[k].at, p - corners_[k].at);
            left += side >= 0.0 ? 1U : 0U;
            right += side <= 0.0 ? 1U : 0U;
        }
        return left == sides() || right == sides();
    }

    double height_at(const Place& p) const {
        if (feature_.type == FeatureType::vertex) return corners_[0].height;
        if (feature_.type == FeatureType::edge) return height_on_side(0, p);
        return corners_[0].height + dot(slope_, p - corners_[0].at);
    }

    double height_on_side(std::size_t side, const Place& p) const {
        const Corner& c = corners_[side];
        const Place d = end(side).at - c.at;
        const double dd = dot(d, d);
        const double t = dd > 0.0 ? dot(p - c.at, d) / dd : 0.0;
        return c.height + (end(side).height - c.height) * t;
    }

private:
    double distance_from_side(const Place& p, std::size_t side) const {
        const Place d = end(side).at - corners_[side].at;
        const double dd = dot(d, d);
        const double t = dd > 0.0 ? std::clamp(dot(p - corners_[side].at, d) / dd, 0.0, 1.0) : 0.0;
        return length(p - Place{corners_[side].at.u + t * d.u, corners_[side].at.v + t * d.v});
    }

    // Fits the plane through three corners far from each other: the first, the furthest from it, the furthest from
    // their line.
    void fit_plane() {
        const Corner& origin = corners_[0];
        const auto furthest = [&](const auto& measure) {
            return *std::max_element(corners_.begin(), corners_.end(), [&](const Corner& x, const Corner& y) {
                return measure(x.at - origin.at) < measure(y.at - origin.at);
            });
        };
        const Corner p = furthest([](const Place& d) { return dot(d, d); });
        const Place dp = p.at - origin.at;
        const Corner q = furthest([&](const Place& d) { return std::fabs(cross(dp, d)); });
        const Place dq = q.at - origin.at;
        const double det = cross(dp, dq);
        if (det == 0.0) return;  // the face is seen edge on, which a grown face never is
        const double hp = p.height - origin.height;
        const double hq = q.height - origin.height;
        slope_ = {(hp * dq.v - hq * dp.v) / det, (hq * dp.u - hp * dq.u) / det};
    }

    const Polyhedron& hull_;
    Feature feature_;
    std::vector<Corner> corners_;
    Place slope_;
};

class Intersection {
public:
    Intersection(const Outline& a, const Outline& b, const Vec3d& normal, const PlaneAxes& axes, double same,
                 std::vector<FeaturePoint>& points)
        : a_(a), b_(b), normal_(normal), axes_(axes), same_(same), points_(points) {}

    void run() {
        for (const Corner& c : a_.corners()) {
            if (!b_.holds(c.at, same_)) continue;
            add(c.at, c.height, b_.height_at(c.at), {{FeatureType::vertex, c.vertex}, b_.feature()});
        }
        for (const Corner& c : b_.corners()) {
            if (!a_.holds(c.at, same_)) continue;
            add(c.at, a_.height_at(c.at), c.height, {a_.feature(), {FeatureType::vertex, c.vertex}});
        }
        for (std::size_t i = 0; i < a_.sides(); ++i) {
            for (std::size_t j = 0; j < b_.sides(); ++j) cross_sides(i, j);
        }
    }

private:
    void add(const Place& p, double height_a, double height_b, const FeaturePair& features) {
        const double middle = 0.5 * (height_a + height_b);
        const Vec3d position = axes_.across * p.u + axes_.along * p.v + normal_ * middle;
        for (const Place& other : places_) {
            if (length(p - other) <= same_) return;
        }
        places_.push_back(p);
        points_.push_back({position, height_b - height_a, features});
    }

    // Parallel sides have no crossing; the ends of their common part are corners.
    void cross_sides(std::size_t i, std::size_t j) {
        const Place& p = a_.corners()[i].at;
        const Place& q = b_.corners()[j].at;
        const Place dp = a_.end(i).at - p;
        const Place dq = b_.end(j).at - q;
        const double det = cross(dp, dq);
        if (det == 0.0) return;
        const double s = cross(q - p, dq) / det;
        const double t = cross(q - p, dp) / det;
        if (s < 0.0 || s > 1.0 || t < 0.0 || t > 1.0) return;
        const Place x{p.u + s * dp.u, p.v + s * dp.v};
        add(x, a_.height_on_side(i, x), b_.height_on_side(j, x), {a_.side_feature(i), b_.side_feature(j)});
    }

    const Outline& a_;
    const Outline& b_;
    Vec3d normal_;
    PlaneAxes axes_;
    double same_;
    std::vector<FeaturePoint>& points_;
    std::vector<Place> places_;
};

FeaturePair found_features(const Info& info) {
    switch (info.type) {
        case Type::face_a:
            return {{FeatureType::face, info.index[0]}, {FeatureType::vertex, info.index[1]}};
        case Type::face_b:
            return {{FeatureType::vertex, info.index[1]}, {FeatureType::face, info.index[0]}};
        case Type::edges:
            break;
    }
    return {{FeatureType::edge, info.index[0]}, {FeatureType::edge, info.index[1]}};
}

// The collision's own point, midway between the surfaces. It is on A's edge or is the support vertex.
Vec3d own_point(const Collision& c) {
    const double to_middle = c.info.type == Type::face_a ? -0.5 : 0.5;
    return c.point + c.info.normal * (to_middle * c.info.separation);
}

}  // namespace

FeatureManifold intersect_features(const Polyhedron& a, const Polyhedron& b, const Vec3d& normal,
                                   const FeaturePair& found, const FeatureSettings& settings, FeatureTrace* trace) {
    return in_default_environment([&]() -> FeatureManifold {
        const double same =
            settings.same > 0.0 ? settings.same : kSamePoint * std::min(half_diagonal(a), half_diagonal(b));
        const SupportHeights heights_a = support_heights(a, normal);
        const SupportHeights heights_b = support_heights(b, -normal);
        FeatureManifold m;
        if (trace != nullptr) *trace = {};
        m.a = grow_feature(a, normal, heights_a, found.a, settings.angle, trace == nullptr ? nullptr : &trace->a);
        m.b = grow_feature(b, -normal, heights_b, found.b, settings.angle, trace == nullptr ? nullptr : &trace->b);
        const PlaneAxes axes = plane_axes(normal);
        const Outline of_a(a, m.a, heights_a, 1.0, axes);
        const Outline of_b(b, m.b, heights_b, -1.0, axes);
        Intersection(of_a, of_b, normal, axes, same, m.points).run();
        return m;
    });
}

FeatureManifold clip_features(const Polyhedron& a, const Polyhedron& b, const Collision& collision,
                              const FeatureSettings& settings, FeatureTrace* trace) {
    return in_default_environment([&]() -> FeatureManifold {
        const Info& info = collision.info;
        const FeaturePair found = found_features(info);
        FeatureManifold m = intersect_features(a, b, info.normal, found, settings, trace);
        if (m.points.empty()) {
            FeatureSettings tied = settings;
            tied.angle = kTieAngle;
            m = intersect_features(a, b, info.normal, found, tied, trace);
            if (trace != nullptr) trace->tied = true;
        }
        if (m.points.empty()) {
            m.as_found = true;
            m.points.push_back({own_point(collision), info.separation, found});
        }
        return m;
    });
}

}  // namespace lanefold::published
