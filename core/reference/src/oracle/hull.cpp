// SPDX-License-Identifier: MIT
//
// The oracle's own hull: incremental construction with exact orientation signs, so that boxes, prisms and nearly
// coplanar faces give a valid triangulation without any tolerance. Points on a plane do not count as above it. With
// exact signs no triangle without area can arise, and the horizon is always one cycle.
#include <array>
#include <cstddef>
#include <utility>

#include <lanefold/fp_environment.hpp>
#include <lanefold/reference.hpp>

#include "oracle/exact.hpp"

namespace lanefold::reference {
namespace {

constexpr std::uint32_t kNone = 0xFFFFFFFFU;

struct Facet {
    std::array<std::uint32_t, 3> vertex;
    std::array<std::uint32_t, 3> neighbour;  // across the edge vertex[i] -> vertex[i + 1]
    bool alive = true;
    bool visible = false;
};

class Construction {
public:
    explicit Construction(const std::vector<Vec3d>& points) : p_(points), facet_from_(points.size(), kNone) {}

    bool run() {
        std::array<std::uint32_t, 4> corner{};
        if (!first_tetrahedron(corner)) return false;
        start(corner);
        for (std::uint32_t i = 0; i < p_.size(); ++i) {
            if (i == corner[0] || i == corner[1] || i == corner[2] || i == corner[3]) continue;
            if (!insert(i)) return false;
        }
        return is_convex();
    }

    const std::vector<Facet>& facets() const { return facets_; }

private:
    int side(const Facet& f, std::uint32_t point) const {
        return orientation(p_[f.vertex[0]], p_[f.vertex[1]], p_[f.vertex[2]], p_[point]);
    }

    // Points that are far apart if possible; only the sign at the end matters.
    bool first_tetrahedron(std::array<std::uint32_t, 4>& corner) const {
        const auto n = static_cast<std::uint32_t>(p_.size());
        if (n < 4) return false;
        corner = {0, 0, 0, 0};
        double best = 0.0;
        for (std::uint32_t i = 1; i < n; ++i) {
            const double d = length_squared(p_[i] - p_[0]);
            if (d > best) best = d, corner[1] = i;
        }
        best = 0.0;
        for (std::uint32_t i = 1; i < n; ++i) {
            const double d = length_squared(accurate_cross(p_[corner[1]] - p_[0], p_[i] - p_[0]));
            if (d > best) best = d, corner[2] = i;
        }
        if (corner[1] == 0 || corner[2] == 0) return false;
        best = -1.0;
        const Vec3d normal = accurate_cross(p_[corner[1]] - p_[0], p_[corner[2]] - p_[0]);
        for (std::uint32_t i = 1; i < n; ++i) {
            const double d = std::fabs(dot(normal, p_[i] - p_[0]));
            if (d <= best) continue;
            if (orientation(p_[0], p_[corner[1]], p_[corner[2]], p_[i]) == 0) continue;
            best = d;
            corner[3] = i;
        }
        if (corner[3] == 0) return false;
        // Outward facets need the fourth point below the first three.
        if (orientation(p_[0], p_[corner[1]], p_[corner[2]], p_[corner[3]]) > 0) std::swap(corner[1], corner[2]);
        return true;
    }

    void start(const std::array<std::uint32_t, 4>& c) {
        facets_.push_back({{c[0], c[1], c[2]}, {1, 2, 3}});
        facets_.push_back({{c[1], c[0], c[3]}, {0, 3, 2}});
        facets_.push_back({{c[2], c[1], c[3]}, {0, 1, 3}});
        facets_.push_back({{c[0], c[2], c[3]}, {0, 2, 1}});
    }

    bool insert(std::uint32_t point) {
        visible_.clear();
        for (std::uint32_t f = 0; f < facets_.size(); ++f) {
            if (!facets_[f].alive) continue;
            facets_[f].visible = side(facets_[f], point) > 0;
            if (facets_[f].visible) visible_.push_back(f);
        }
        if (visible_.empty()) return true;
        const auto first_new = static_cast<std::uint32_t>(facets_.size());
        for (const std::uint32_t f : visible_) {
            facets_[f].alive = false;
            for (std::size_t i = 0; i < 3; ++i) {
                const std::uint32_t across = facets_[f].neighbour[i];
                if (facets_[across].visible) continue;
                const std::uint32_t u = facets_[f].vertex[i];
                const std::uint32_t v = facets_[f].vertex[(i + 1) % 3];
                const auto fresh = static_cast<std::uint32_t>(facets_.size());
                for (std::size_t k = 0; k < 3; ++k) {
                    if (facets_[across].vertex[k] == v && facets_[across].neighbour[k] == f) {
                        facets_[across].neighbour[k] = fresh;
                    }
                }
                facets_.push_back({{u, v, point}, {across, kNone, kNone}});
                facet_from_[u] = fresh;
            }
        }
        // The new facets close around the point: the facet that ends at v meets the one that starts at v.
        for (auto f = first_new; f < facets_.size(); ++f) {
            const std::uint32_t next = facet_from_[facets_[f].vertex[1]];
            if (next == kNone || next < first_new) return false;
            facets_[f].neighbour[1] = next;
            facets_[next].neighbour[2] = f;
        }
        compact();
        return true;
    }

    // Removes dead facets once they are the majority, so that scans stay proportional to the hull.
    void compact() {
        dead_ += visible_.size();
        for (const std::uint32_t f : visible_) facets_[f].visible = false;
        if (dead_ * 2 < facets_.size()) return;
        std::vector<std::uint32_t> moved(facets_.size(), kNone);
        std::vector<Facet> kept;
        kept.reserve(facets_.size() - dead_);
        for (std::size_t f = 0; f < facets_.size(); ++f) {
            if (!facets_[f].alive) continue;
            moved[f] = static_cast<std::uint32_t>(kept.size());
            kept.push_back(facets_[f]);
        }
        for (Facet& f : kept) {
            for (std::uint32_t& n : f.neighbour) n = moved[n];
        }
        // Every entry that is read later is written before, by a later insertion.
        facets_ = std::move(kept);
        dead_ = 0;
        facet_from_.assign(facet_from_.size(), kNone);
    }

    // Proves convexity: a closed surface in which every edge has two sides, with no vertex above any facet.
    bool is_convex() const {
        for (std::uint32_t f = 0; f < facets_.size(); ++f) {
            const Facet& facet = facets_[f];
            if (!facet.alive) continue;
            for (std::size_t i = 0; i < 3; ++i) {
                if (facet.neighbour[i] == kNone || !facets_[facet.neighbour[i]].alive) return false;
                const Facet& other = facets_[facet.neighbour[i]];
                bool matched = false;
                for (std::size_t k = 0; k < 3; ++k) {
                    matched = matched || (other.vertex[k] == facet.vertex[(i + 1) % 3] &&
                                          other.vertex[(k + 1) % 3] == facet.vertex[i] && other.neighbour[k] == f);
                }
                if (!matched) return false;
            }
            for (std::uint32_t v = 0; v < p_.size(); ++v) {
                if (side(facet, v) > 0) return false;
            }
        }
        return true;
    }

    const std::vector<Vec3d>& p_;
    std::vector<Facet> facets_;
    std::vector<std::uint32_t> visible_;
    std::vector<std::uint32_t> facet_from_;  // newest facet whose first edge starts at this vertex
    std::size_t dead_ = 0;
};

double half_diagonal(const std::vector<Vec3d>& points) {
    Vec3d low = points[0];
    Vec3d high = points[0];
    for (const Vec3d& p : points) {
        low = {std::fmin(low.x, p.x), std::fmin(low.y, p.y), std::fmin(low.z, p.z)};
        high = {std::fmax(high.x, p.x), std::fmax(high.y, p.y), std::fmax(high.z, p.z)};
    }
    return 0.5 * length(high - low);
}

}  // namespace

OracleHull make_oracle_hull(std::span<const Vec3f> vertices, float round_radius, float scale) {
    return in_default_environment([&]() -> OracleHull {
        OracleHull hull;
        // A product of two float32 is exact in float64, so it is rounded once.
        const auto scaled = [scale](float x) {
            return static_cast<float>(static_cast<double>(x) * static_cast<double>(scale));
        };
        if (scale != 1.0F) round_radius = scaled(round_radius);
        for (const Vec3f& v : vertices) {
            const Vec3f own = scale == 1.0F ? v : Vec3f{scaled(v.x), scaled(v.y), scaled(v.z)};
            if (!is_finite(own)) return {};
            hull.vertices.push_back(to_double(own));
        }
        if (round_radius > 0 && (vertices.size() == 1 || vertices.size() == 2)) {
            if (vertices.size() == 2) hull.edges.push_back({{0, 1}, {0, 0}});
            hull.size = half_diagonal(hull.vertices);
            hull.round_radius = static_cast<double>(round_radius);
            return hull;
        }
        Construction construction(hull.vertices);
        if (!construction.run()) return {};

        std::vector<std::uint32_t> number(construction.facets().size(), kNone);
        for (std::size_t f = 0; f < construction.facets().size(); ++f) {
            const Facet& facet = construction.facets()[f];
            if (!facet.alive) continue;
            number[f] = static_cast<std::uint32_t>(hull.triangles.size());
            hull.triangles.push_back({{facet.vertex[0], facet.vertex[1], facet.vertex[2]}});
            const Vec3d& a = hull.vertices[facet.vertex[0]];
            hull.normals.push_back(
                normalized(accurate_cross(hull.vertices[facet.vertex[1]] - a, hull.vertices[facet.vertex[2]] - a)));
        }
        for (std::size_t f = 0; f < construction.facets().size(); ++f) {
            const Facet& facet = construction.facets()[f];
            if (!facet.alive) continue;
            for (std::size_t i = 0; i < 3; ++i) {
                if (facet.neighbour[i] < f) continue;
                hull.edges.push_back(
                    {{facet.vertex[i], facet.vertex[(i + 1) % 3]}, {number[f], number[facet.neighbour[i]]}});
            }
        }
        hull.size = half_diagonal(hull.vertices);
        hull.round_radius = static_cast<double>(round_radius);
        return hull;
    });
}

OracleHull make_oracle_hull(std::span<const Vec3f> rounded, std::span<const Vec3d> numbers) {
    if (rounded.size() != numbers.size()) return {};
    OracleHull hull = make_oracle_hull(rounded);
    if (hull.vertices.empty()) return hull;
    return in_default_environment([&]() -> OracleHull {
        for (std::size_t i = 0; i < numbers.size(); ++i) {
            if (!is_finite(numbers[i])) return {};
            hull.rounding = std::fmax(hull.rounding, length(numbers[i] - hull.vertices[i]));
            hull.vertices[i] = numbers[i];
        }
        for (std::size_t t = 0; t < hull.triangles.size(); ++t) {
            const auto& v = hull.triangles[t].v;
            const Vec3d& a = hull.vertices[v[0]];
            const Vec3d area = accurate_cross(hull.vertices[v[1]] - a, hull.vertices[v[2]] - a);
            const double length_of = length(area);
            // A sliver may have its area from rounding. It keeps the normal that looks outward.
            if (dot(area, hull.normals[t]) > 0.5 * length_of) hull.normals[t] = area * (1 / length_of);
        }
        hull.size = half_diagonal(hull.vertices);
        return std::move(hull);
    });
}

PoseD oracle_pose(const double position[3], const float orientation[4]) {
    return in_default_environment([&]() -> PoseD {
        Quat q;
        normalize(orientation, q);
        return {rotation(q), {position[0], position[1], position[2]}};
    });
}

}  // namespace lanefold::reference
