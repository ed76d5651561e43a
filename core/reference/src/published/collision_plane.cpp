// SPDX-License-Identifier: MIT
//
// Contact points by clipping on the collision plane as published, and with the engine's placements.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

#include <lanefold/fp_environment.hpp>
#include <lanefold/published.hpp>

#include "published/extent.hpp"

namespace lanefold::published {
namespace {

// Engine placement, relative to the smaller hull's size: distance below which two points are one and a vertex near an
// outline counts as inside, and height above the deepest point that counts as touching at the instant of collision.
constexpr double kSamePoint = 1e-9;
constexpr double kImpactBand = 1e-3;

std::vector<Vec3d> outline(const Polyhedron& h, const std::vector<std::uint32_t>& loop) {
    std::vector<Vec3d> points;
    points.reserve(loop.size());
    for (const std::uint32_t v : loop) points.push_back(h.positions[v]);
    return points;
}

// The most anti-parallel face, among all faces or among those around one vertex. The published choice among all faces
// can miss the deepest vertex if another face is more anti-parallel.
std::uint32_t most_anti_parallel(const Polyhedron& h, const Vec3d& n, const std::uint32_t* around) {
    std::uint32_t best = 0;
    double lowest = std::numeric_limits<double>::infinity();
    for (std::size_t f = 0; f < h.normals.size(); ++f) {
        if (around != nullptr && std::find(h.faces[f].begin(), h.faces[f].end(), *around) == h.faces[f].end()) continue;
        const double d = dot(h.normals[f], n);
        if (d < lowest) lowest = d, best = static_cast<std::uint32_t>(f);
    }
    return best;
}

// Clips one face against another, seen along the outward normal of the reference face.
class Clip {
public:
    Clip(const Polyhedron& reference, std::uint32_t reference_face, const Polyhedron& incident,
         std::uint32_t incident_face, double separation, const ClipSettings& settings)
        : loop_r_(cyclic_face(reference, reference_face)),
          loop_i_(cyclic_face(incident, incident_face)),
          face_r_(outline(reference, loop_r_)),
          face_i_(outline(incident, loop_i_)),
          out_(reference.normals[reference_face]),
          incident_normal_(incident.normals[incident_face]),
          separation_(separation),
          settings_(settings),
          on_incident_(settings.placement == Placement::incident_surface) {
        height_ = supports_along(reference, out_).max_value;
        same_ =
            on_incident_ ? settings.epsilon : kSamePoint * std::min(half_diagonal(reference), half_diagonal(incident));
    }

    std::vector<ClipPoint> run() {
        incident_vertices();
        reference_vertices();
        crossings();
        select();
        return points_;
    }

private:
    double height(const Vec3d& x) const { return dot(out_, x) - height_; }

    // `x` is on the incident hull, `separation` above the reference face.
    void add(const Vec3d& x, double separation, PointSource source, std::uint32_t i, std::uint32_t j) {
        if (on_incident_ ? !(std::fabs(separation - separation_) < settings_.epsilon)
                         : !(separation <= settings_.margin)) {
            return;
        }
        const Vec3d position = on_incident_ ? x : x - out_ * (0.5 * separation);
        for (const ClipPoint& p : points_) {
            if (length(p.position - position) <= same_) return;
        }
        points_.push_back({position, separation, source, {i, j}});
    }

    bool inside(const std::vector<Vec3d>& polygon, const Vec3d& x) const {
        if (on_incident_) return strictly_inside(polygon, out_, x);
        // Corners on the outline count as inside: move the point towards the middle by the tolerance.
        Vec3d middle;
        for (const Vec3d& p : polygon) middle = middle + p * (1.0 / static_cast<double>(polygon.size()));
        const Vec3d d = middle - x;
        const double l = length(d);
        return l <= same_ || strictly_inside(polygon, out_, x + d * (same_ / l));
    }

    void incident_vertices() {
        for (std::size_t k = 0; k < loop_i_.size(); ++k) {
            if (inside(face_r_, face_i_[k])) {
                add(face_i_[k], height(face_i_[k]), PointSource::incident_vertex, loop_i_[k], loop_i_[k]);
            }
        }
    }

    void reference_vertices() {
        const double facing = dot(incident_normal_, out_);
        const bool flush = facing < settings_.epsilon - 1.0;
        if (on_incident_ ? !flush : !(facing < 0.0)) return;
        for (std::size_t k = 0; k < loop_r_.size(); ++k) {
            if (!inside(face_i_, face_r_[k])) continue;
            // Published: moved by the separation, which is right for flush faces. Exact: where the line along the
            // normal meets the incident plane.
            const double separation =
                on_incident_ ? separation_ : dot(incident_normal_, face_i_[0] - face_r_[k]) / facing;
            add(face_r_[k] + out_ * separation, separation, PointSource::reference_vertex, loop_r_[k], loop_r_[k]);
        }
    }

    void crossings() {
        for (std::size_t i = 0; i < face_r_.size(); ++i) {
            const Vec3d u = face_r_[(i + 1) % face_r_.size()] - face_r_[i];
            for (std::size_t j = 0; j < face_i_.size(); ++j) {
                const Vec3d v = face_i_[(j + 1) % face_i_.size()] - face_i_[j];
                // Published: closest points of the edges in space. Engine: the crossing of the edges seen along the
                // normal.
                const Vec3d uu = on_incident_ ? u : u - out_ * dot(out_, u);
                const Vec3d vv = on_incident_ ? v : v - out_ * dot(out_, v);
                const LinePoints c = closest_points_of_lines(face_r_[i], uu, face_i_[j], vv);
                if (c.parallel || c.mu_p < 0.0 || c.mu_p > 1.0 || c.mu_q < 0.0 || c.mu_q > 1.0) continue;
                const Vec3d x = face_i_[j] + v * c.mu_q;
                add(x, height(x), PointSource::crossing, static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(j));
            }
        }
    }

    void select() {
        if (on_incident_ || settings_.points == PointSelection::all || points_.empty()) return;
        double deepest = std::numeric_limits<double>::infinity();
        for (const ClipPoint& p : points_) deepest = std::min(deepest, p.separation);
        const double limit = deepest + kImpactBand * (same_ / kSamePoint);
        std::erase_if(points_, [limit](const ClipPoint& p) { return p.separation > limit; });
    }

    std::vector<std::uint32_t> loop_r_;
    std::vector<std::uint32_t> loop_i_;
    std::vector<Vec3d> face_r_;
    std::vector<Vec3d> face_i_;
    Vec3d out_;
    Vec3d incident_normal_;
    double separation_;
    ClipSettings settings_;
    bool on_incident_;
    double height_ = 0;
    double same_ = 0;
    std::vector<ClipPoint> points_;
};

}  // namespace

std::vector<std::uint32_t> cyclic_face(const Polyhedron& hull, std::uint32_t face) {
    return in_default_environment([&]() -> std::vector<std::uint32_t> {
        const std::vector<std::uint32_t>& given = hull.faces[face];
        const Vec3d& n = hull.normals[face];
        Vec3d middle;
        for (const std::uint32_t v : given)
            middle = middle + hull.positions[v] * (1.0 / static_cast<double>(given.size()));
        const Vec3d along = hull.positions[given[0]] - middle;
        const Vec3d across = cross(n, along);
        const auto angle = [&](std::uint32_t v) {
            const Vec3d d = hull.positions[v] - middle;
            const double a = std::atan2(dot(across, d), dot(along, d) * length(n));
            return v == given[0] ? -4.0 : (a < 0.0 ? a + 8.0 : a);
        };
        std::vector<std::uint32_t> loop = given;
        std::stable_sort(loop.begin(), loop.end(),
                         [&](std::uint32_t x, std::uint32_t y) { return angle(x) < angle(y); });
        return loop;
    });
}

bool strictly_inside(const std::vector<Vec3d>& polygon, const Vec3d& normal, const Vec3d& x) {
    return in_default_environment([&]() -> bool {
        bool left = true;
        bool right = true;
        for (std::size_t k = 0; k < polygon.size(); ++k) {
            const Vec3d edge = polygon[(k + 1) % polygon.size()] - polygon[k];
            const double side = dot(cross(normal, edge), x - polygon[k]);
            left = left && side > 0.0;
            right = right && side < 0.0;
        }
        return left || right;
    });
}

ClipManifold clip_on_collision_plane(const Polyhedron& a, const Polyhedron& b, const Collision& collision,
                                     const ClipSettings& settings) {
    return in_default_environment([&]() -> ClipManifold {
        ClipManifold m;
        const Info& info = collision.info;
        if (info.type == Type::edges) {
            const Vec3d& p = a.positions[a.edges[info.index[0]][0]];
            const Vec3d& q = b.positions[b.edges[info.index[1]][0]];
            const LinePoints c = closest_points_of_lines(p, a.positions[a.edges[info.index[0]][1]] - p, q,
                                                         b.positions[b.edges[info.index[1]][1]] - q);
            // Accepted only if the closest points are on the edges.
            if (c.mu_p < 0.0 || c.mu_p > 1.0 || c.mu_q < 0.0 || c.mu_q > 1.0) return m;
            const Vec3d position = settings.placement == Placement::incident_surface ? c.on_p : (c.on_p + c.on_q) * 0.5;
            m.points.push_back({position, info.separation, PointSource::edges, info.index});
            return m;
        }
        const bool on_a = info.type == Type::face_a;
        const Polyhedron& reference = on_a ? a : b;
        const Polyhedron& incident = on_a ? b : a;
        m.reference_face = info.index[0];
        m.incident_face =
            most_anti_parallel(incident, reference.normals[m.reference_face],
                               settings.placement == Placement::incident_surface ? nullptr : &info.index[1]);
        m.points = Clip(reference, m.reference_face, incident, m.incident_face, info.separation, settings).run();
        return m;
    });
}

}  // namespace lanefold::published
