// SPDX-License-Identifier: MIT
//
// Quickhull with exact sides; see hull/quickhull.hpp.
//
// Only triangles strictly below a new point are replaced. So a horizon edge is never collinear with the point:
// otherwise both its triangles would contain the point in their planes. Thus no triangle without area arises, however
// many points are coplanar or collinear.
#include "hull/quickhull.hpp"

#include <algorithm>
#include <queue>

#include "hull/predicates.hpp"

namespace lanefold::detail {

namespace {

struct Facet {
    Triangle vertex{};
    Triangle neighbour{kNone, kNone, kNone};
    TrianglePlane plane;
    std::uint32_t first_point = kNone;  // first of the list of points that are assigned to this facet, all above it
    std::uint32_t furthest = kNone;
    double furthest_height = 0;
    std::uint32_t visit = 0;  // number of the insertion that last tested it
    bool visible = false;     // result of that test
    bool alive = true;
};

struct HorizonEdge {
    std::uint32_t from;
    std::uint32_t to;
    std::uint32_t outer;       // facet that stays
    std::uint32_t outer_side;  // its side along this edge
};

struct Candidate {
    double height;
    std::uint32_t point;
    std::uint32_t facet;
};

// Order of the heap: the furthest first, then the lowest point.
struct LowerPriority {
    bool operator()(const Candidate& a, const Candidate& b) const {
        if (a.height != b.height) return a.height < b.height;
        return a.point > b.point;
    }
};

class Builder {
public:
    explicit Builder(std::span<const Vec3d> points)
        : points_(points), next_point_(points.size(), kNone), facet_from_(points.size(), kNone) {}

    IncrementalHull run(const std::array<std::uint32_t, 4>& start, std::uint32_t max_vertices) {
        make_tetrahedron(start);
        std::uint32_t used = 4;
        while (used < max_vertices && !heap_.empty()) {
            const Candidate c = heap_.top();
            heap_.pop();
            if (!facets_[c.facet].alive || facets_[c.facet].furthest != c.point) continue;
            insert(c.point, c.facet);
            ++used;
        }
        return finish();
    }

private:
    std::uint32_t add_facet(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
        Facet f;
        f.vertex = {a, b, c};
        f.plane = TrianglePlane(points_[a], points_[b], points_[c]);
        facets_.push_back(f);
        return static_cast<std::uint32_t>(facets_.size() - 1);
    }

    void make_tetrahedron(const std::array<std::uint32_t, 4>& s) {
        // s[3] is above s[0..2], so that face runs in the opposite order seen from outside.
        add_facet(s[0], s[2], s[1]);
        add_facet(s[0], s[1], s[3]);
        add_facet(s[1], s[2], s[3]);
        add_facet(s[2], s[0], s[3]);
        facets_[0].neighbour = {3, 2, 1};
        facets_[1].neighbour = {0, 2, 3};
        facets_[2].neighbour = {0, 3, 1};
        facets_[3].neighbour = {0, 1, 2};
        created_ = {0, 1, 2, 3};
        for (std::uint32_t p = 0; p < points_.size(); ++p) {
            if (p != s[0] && p != s[1] && p != s[2] && p != s[3]) assign(p);
        }
        announce();
    }

    // Assigns a point to the new facet that it is furthest above. A point above none is inside the hull and dropped.
    void assign(std::uint32_t p) {
        std::uint32_t best = kNone;
        double best_height = 0;
        for (const std::uint32_t f : created_) {
            if (facets_[f].plane.side(points_[p]) <= 0) continue;
            const double h = facets_[f].plane.height(points_[p]);
            if (best == kNone || h > best_height) {
                best = f;
                best_height = h;
            }
        }
        if (best == kNone) return;
        Facet& f = facets_[best];
        next_point_[p] = f.first_point;
        f.first_point = p;
        if (f.furthest == kNone || best_height > f.furthest_height ||
            (best_height == f.furthest_height && p < f.furthest)) {
            f.furthest = p;
            f.furthest_height = best_height;
        }
    }

    void announce() {
        for (const std::uint32_t f : created_) {
            if (facets_[f].furthest != kNone) heap_.push({facets_[f].furthest_height, facets_[f].furthest, f});
        }
    }

    bool sees(std::uint32_t p, std::uint32_t f) {
        Facet& facet = facets_[f];
        if (facet.visit != visit_) {
            facet.visit = visit_;
            facet.visible = facet.plane.side(points_[p]) > 0;
            if (facet.visible) visible_.push_back(f);
        }
        return facet.visible;
    }

    void insert(std::uint32_t p, std::uint32_t seen_facet) {
        ++visit_;
        visible_.clear();
        horizon_.clear();
        created_.clear();
        sees(p, seen_facet);
        for (std::size_t k = 0; k < visible_.size(); ++k) {  // visible_ grows in the loop
            const Facet f = facets_[visible_[k]];
            for (std::uint32_t i = 0; i < 3; ++i) {
                const std::uint32_t n = f.neighbour[i];
                if (sees(p, n)) continue;
                std::uint32_t side = 0;
                while (facets_[n].neighbour[side] != visible_[k] || facets_[n].vertex[side] != f.vertex[(i + 1) % 3]) {
                    ++side;
                }
                horizon_.push_back({f.vertex[i], f.vertex[(i + 1) % 3], n, side});
            }
        }
        for (const HorizonEdge& e : horizon_) {
            const std::uint32_t f = add_facet(e.from, e.to, p);
            facets_[f].neighbour[0] = e.outer;
            facets_[e.outer].neighbour[e.outer_side] = f;
            facet_from_[e.from] = f;
            created_.push_back(f);
        }
        for (const std::uint32_t f : created_) {  // the horizon is one cycle, so each vertex starts one edge
            const std::uint32_t after = facet_from_[facets_[f].vertex[1]];
            facets_[f].neighbour[1] = after;
            facets_[after].neighbour[2] = f;
        }
        for (const std::uint32_t f : visible_) {
            facets_[f].alive = false;
            for (std::uint32_t q = facets_[f].first_point; q != kNone;) {
                const std::uint32_t next = next_point_[q];
                if (q != p) assign(q);
                q = next;
            }
        }
        announce();
    }

    IncrementalHull finish() const {
        IncrementalHull out;
        std::vector<std::uint32_t> number(facets_.size(), kNone);
        std::uint32_t count = 0;
        for (std::size_t f = 0; f < facets_.size(); ++f) {
            if (facets_[f].alive) number[f] = count++;
        }
        for (const Facet& f : facets_) {
            if (!f.alive) continue;
            const auto t = static_cast<std::uint32_t>(out.surface.triangle.size());
            out.surface.triangle.push_back(f.vertex);
            out.surface.neighbour.push_back({number[f.neighbour[0]], number[f.neighbour[1]], number[f.neighbour[2]]});
            for (std::uint32_t q = f.first_point; q != kNone; q = next_point_[q]) out.outside.push_back({q, t});
        }
        return out;
    }

    std::span<const Vec3d> points_;
    std::vector<Facet> facets_;
    std::vector<std::uint32_t> next_point_;  // list links
    std::vector<std::uint32_t> facet_from_;  // in one insertion: the new facet whose horizon edge starts at this point
    std::vector<std::uint32_t> visible_, created_;
    std::vector<HorizonEdge> horizon_;
    std::priority_queue<Candidate, std::vector<Candidate>, LowerPriority> heap_;
    std::uint32_t visit_ = 0;
};

// Closest point of a triangle to p, by the regions of its corners, sides and inside (C. Ericson, "Real-time collision
// detection", 2005, section 5.1.5).
Vec3d closest_on_triangle(const Vec3d& a, const Vec3d& b, const Vec3d& c, const Vec3d& p) {
    const Vec3d ab = b - a, ac = c - a;
    const double a1 = dot(ab, p - a), a2 = dot(ac, p - a);
    if (a1 <= 0 && a2 <= 0) return a;
    const double b1 = dot(ab, p - b), b2 = dot(ac, p - b);
    if (b1 >= 0 && b2 <= b1) return b;
    const double vc = a1 * b2 - b1 * a2;
    if (vc <= 0 && a1 >= 0 && b1 <= 0) return a + ab * (a1 / (a1 - b1));
    const double c1 = dot(ab, p - c), c2 = dot(ac, p - c);
    if (c2 >= 0 && c1 <= c2) return c;
    const double vb = c1 * a2 - a1 * c2;
    if (vb <= 0 && a2 >= 0 && c2 <= 0) return a + ac * (a2 / (a2 - c2));
    const double va = b1 * c2 - c1 * b2;
    if (va <= 0 && b2 - b1 >= 0 && c1 - c2 >= 0) return b + (c - b) * ((b2 - b1) / ((b2 - b1) + (c1 - c2)));
    const double scale = 1.0 / (va + vb + vc);
    return a + ab * (vb * scale) + ac * (vc * scale);
}

}  // namespace

IncrementalHull incremental_hull(std::span<const Vec3d> points, const std::array<std::uint32_t, 4>& start,
                                 std::uint32_t max_vertices) {
    return Builder(points).run(start, max_vertices);
}

double outside_distance(std::span<const Vec3d> points, const IncrementalHull& hull) {
    const auto& s = hull.surface;
    const auto distance_squared = [&](std::uint32_t t, const Vec3d& p) {
        const Triangle& v = s.triangle[t];
        return length_squared(p - closest_on_triangle(points[v[0]], points[v[1]], points[v[2]], p));
    };
    std::vector<std::uint32_t> triangle_of(points.size(), kNone);  // any triangle with this corner
    for (std::uint32_t t = 0; t < s.triangle.size(); ++t) {
        for (const std::uint32_t v : s.triangle[t]) triangle_of[v] = t;
    }
    double largest = 0;
    for (const OutsidePoint& o : hull.outside) {
        // The body is convex, so a point of the surface is the closest of all if no triangle around it has a closer
        // one. Walk to the best triangle around the corners of the current one until none is better.
        std::uint32_t t = o.triangle;
        double best = distance_squared(t, points[o.point]);
        for (bool moved = true; moved;) {
            moved = false;
            const Triangle corners = s.triangle[t];
            for (const std::uint32_t corner : corners) {
                const std::uint32_t begin = triangle_of[corner];
                std::uint32_t around = begin;
                do {
                    const double d = distance_squared(around, points[o.point]);
                    if (d < best) {
                        best = d;
                        t = around;
                        moved = true;
                    }
                    std::uint32_t i = 0;
                    while (s.triangle[around][i] != corner) ++i;
                    around = s.neighbour[around][i];
                } while (around != begin);
            }
        }
        largest = std::max(largest, best);
    }
    return std::sqrt(largest);
}

}  // namespace lanefold::detail
