// SPDX-License-Identifier: MIT
//
// Support patches and their intersection: heights, outline, corners, exact separations, selection.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

#include <lanefold/contact_features.hpp>
#include <lanefold/fp_environment.hpp>
#include <lanefold/sutherland_hodgman.hpp>

namespace lanefold::published {
namespace {

// Faces steeper than this (cosine against the direction) are left out: upright to rounding. The height where a line
// along the direction meets a steep plane is the plane's error (merged faces are flat to 5e-7 of the size) divided by
// the cosine; the point stays on the plane. If one is left out, the surface seems to go on outwards, by a millionth
// of the face's height.
constexpr double kLeastCosine = 1e-6;

using Outline = std::vector<PatchCorner>;

double turn(const PatchCorner& p, const PatchCorner& q, double u, double v) {
    return (q.u - p.u) * (v - p.v) - (q.v - p.v) * (u - p.u);
}

// Distance from the nearest side, positive inside. An outline without area has no inside.
double depth_inside(const Outline& o, double u, double v) {
    if (o.size() < 3) return -std::numeric_limits<double>::infinity();
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t k = 0; k < o.size(); ++k) {
        const PatchCorner& p = o[k];
        const PatchCorner& q = o[(k + 1) % o.size()];
        least = std::min(least, turn(p, q, u, v) / std::hypot(q.u - p.u, q.v - p.v));
    }
    return least;
}

// The side nearest to a point of the plane, by the distance inside of its line.
std::size_t nearest_side(const Outline& o, double u, double v) {
    std::size_t best = 0;
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t k = 0; k < o.size(); ++k) {
        const PatchCorner& p = o[k];
        const PatchCorner& q = o[(k + 1) % o.size()];
        const double inside = turn(p, q, u, v) / std::hypot(q.u - p.u, q.v - p.v);
        if (inside < least) least = inside, best = k;
    }
    return best;
}

// The corner furthest from p; the first on ties.
std::size_t furthest_from(const Outline& corners, double u, double v) {
    std::size_t best = 0;
    double most = -1;
    for (std::size_t k = 0; k < corners.size(); ++k) {
        const double d = std::hypot(corners[k].u - u, corners[k].v - v);
        if (d > most) most = d, best = k;
    }
    return best;
}

// Appends the corners between p and q, counter-clockwise: those that lie right of the line from p to q.
void add_between(const Outline& corners, const PatchCorner& p, const PatchCorner& q, double straight, Outline& out) {
    const double span = std::hypot(q.u - p.u, q.v - p.v);
    Outline beyond;
    const PatchCorner* furthest = nullptr;
    double most = straight;
    for (const PatchCorner& c : corners) {
        const double off = -turn(p, q, c.u, c.v) / span;
        if (!(off > straight)) continue;
        beyond.push_back(c);
        if (off > most) most = off, furthest = &c;
    }
    if (furthest == nullptr) return;
    const PatchCorner middle = *furthest;
    add_between(beyond, p, middle, straight, out);
    out.push_back(middle);
    add_between(beyond, middle, q, straight, out);
}

// Is the corner q no further than `straight` from the line between its neighbours?
bool is_straight(const PatchCorner& p, const PatchCorner& q, const PatchCorner& r, double straight) {
    const double span = std::hypot(r.u - p.u, r.v - p.v);
    return span > 0 && turn(p, q, r.u, r.v) <= straight * span;
}

// Error of a coordinate in the plane, relative to the largest. A vertex that stands out by less is no corner: of two at
// one place either could be the other's neighbour.
constexpr double kRounding = 1e-14;

// Convex hull from the furthest corners outwards (W. F. Eddy, 1977): chains of sorted corners go wrong on corners in a
// row whose order is rounding.
Outline convex_outline(Outline corners, double straight) {
    const auto before = [](const PatchCorner& p, const PatchCorner& q) {
        if (p.u != q.u) return p.u < q.u;
        return p.v != q.v ? p.v < q.v : p.vertex < q.vertex;
    };
    std::sort(corners.begin(), corners.end(), before);
    const auto same = [](const PatchCorner& p, const PatchCorner& q) { return p.u == q.u && p.v == q.v; };
    corners.erase(std::unique(corners.begin(), corners.end(), same), corners.end());
    if (corners.size() < 2) return corners;
    double u = 0, v = 0, furthest = 0;
    for (const PatchCorner& c : corners) u += c.u, v += c.v, furthest = std::max(furthest, std::hypot(c.u, c.v));
    straight = std::max(straight, kRounding * furthest);
    const auto count = static_cast<double>(corners.size());
    const PatchCorner p = corners[furthest_from(corners, u / count, v / count)];
    const PatchCorner q = corners[furthest_from(corners, p.u, p.v)];
    Outline out = {p};
    add_between(corners, p, q, straight, out);
    out.push_back(q);
    add_between(corners, q, p, straight, out);
    for (std::size_t k = 0; k < out.size() && out.size() > 3;) {
        const PatchCorner& last = out[(k + out.size() - 1) % out.size()];
        if (is_straight(last, out[k], out[(k + 1) % out.size()], straight)) {
            out.erase(out.begin() + static_cast<std::ptrdiff_t>(k));
        } else {
            ++k;
        }
    }
    std::rotate(out.begin(), std::min_element(out.begin(), out.end(), before), out.end());
    return out;
}

// The highest of the corners within `near` of c; c itself on ties.
PatchCorner highest_near(const Polyhedron& hull, const Vec3d& direction, const Outline& corners, const PatchCorner& c,
                         double near) {
    PatchCorner best = c;
    for (const PatchCorner& other : corners) {
        if (std::hypot(other.u - c.u, other.v - c.v) > near) continue;
        if (dot(direction, hull.positions[other.vertex]) > dot(direction, hull.positions[best.vertex])) best = other;
    }
    return best;
}

// The face whose plane a line along `direction` through x meets first from outside, and the height there.
std::uint32_t face_over(const Polyhedron& h, const Vec3d& direction, const Vec3d& x, double& height) {
    std::uint32_t best = 0;
    height = std::numeric_limits<double>::infinity();
    for (std::uint32_t f = 0; f < h.faces.size(); ++f) {
        const double cosine = dot(h.normals[f], direction);
        if (cosine < kLeastCosine) continue;
        const double t = dot(h.normals[f], h.positions[h.faces[f][0]] - x) / cosine;
        if (t < height) height = t, best = f;
    }
    height += dot(direction, x);
    return best;
}

class Intersection {
public:
    Intersection(const Polyhedron& a, const Polyhedron& b, const Vec3d& normal, const PatchSettings& settings,
                 PatchManifold& m)
        : a_(a), b_(b), n_(normal), settings_(settings), axes_(plane_axes(normal)), m_(m) {}

    void run() {
        const Outline& pa = m_.patch_a.outline;
        const Outline& pb = m_.patch_b.outline;
        for (const std::uint32_t v : counted(a_, m_.patch_a, settings_.reference_on_b)) {
            if (inside(pb, corner(a_, v))) add_vertex_of_a(v);
        }
        for (const std::uint32_t v : counted(b_, m_.patch_b, !settings_.reference_on_b)) {
            if (inside(pa, corner(b_, v))) add_vertex_of_b(v);
        }
        for (std::size_t i = 0; i < sides(pa); ++i) {
            for (std::size_t j = 0; j < sides(pb); ++j) add_crossing(i, j);
        }
        keep();
    }

private:
    // All vertices of the incident patch; of the reference patch its corners, and what is taken for one.
    std::vector<std::uint32_t> counted(const Polyhedron& h, const SupportPatch& patch, bool incident) const {
        if (incident) return patch.vertices;
        std::vector<std::uint32_t> corners;
        for (const PatchCorner& c : patch.outline) corners.push_back(c.vertex);
        if (!(settings_.straight < 0)) return corners;
        for (const std::uint32_t v : patch.vertices) {
            const PatchCorner c = corner(h, v);
            if (depth_inside(patch.outline, c.u, c.v) <= -settings_.straight) corners.push_back(v);
        }
        return corners;
    }

    // A segment has one side, a point none.
    static std::size_t sides(const Outline& o) { return o.size() >= 3 ? o.size() : o.size() - 1; }

    PatchCorner corner(const Polyhedron& h, std::uint32_t v) const {
        return {dot(axes_.across, h.positions[v]), dot(axes_.along, h.positions[v]), v};
    }
    bool inside(const Outline& o, const PatchCorner& c) const { return depth_inside(o, c.u, c.v) >= -settings_.same; }

    void add(const Vec3d& x, double height_a, double height_b, PatchPointSource source, std::uint32_t i,
             std::uint32_t j) {
        if (!std::isfinite(height_a) || !std::isfinite(height_b)) return;  // all faces there are below kLeastCosine
        const Vec3d flat = x - n_ * dot(n_, x);
        const Vec3d position = flat + n_ * (0.5 * (height_a + height_b));
        const PatchPoint point = {position, height_b - height_a, source, {i, j}};
        for (PatchPoint& p : m_.points) {
            const Vec3d d = p.position - position;
            if (length(d - n_ * dot(n_, d)) > settings_.merge.value_or(settings_.same)) continue;
            if (point.separation < p.separation) p = point;
            return;
        }
        m_.points.push_back(point);
    }

    void add_vertex_of_a(std::uint32_t v) {
        const Vec3d& x = a_.positions[v];
        double height = 0;
        const std::uint32_t f = face_over(b_, -n_, x, height);
        height = std::max(height, rim_height(b_, -n_, m_.patch_b.outline, corner(a_, v)));
        add(x, dot(n_, x), -height, PatchPointSource::vertex_a, v, f);
    }

    void add_vertex_of_b(std::uint32_t v) {
        const Vec3d& x = b_.positions[v];
        double height = 0;
        const std::uint32_t f = face_over(a_, n_, x, height);
        height = std::max(height, rim_height(a_, n_, m_.patch_a.outline, corner(b_, v)));
        add(x, height, dot(n_, x), PatchPointSource::vertex_b, f, v);
    }

    // Least height of a hull's surface at a point within `same` of the rim of its patch; minus infinity elsewhere. A
    // face below the rim that is seen almost edge on, by the rounding of its vertices alone, meets the line through
    // such a point at any height. The chord between the two vertices of the side lies inside of the hull, so the
    // surface is no lower.
    double rim_height(const Polyhedron& h, const Vec3d& direction, const Outline& o, const PatchCorner& c) const {
        if (depth_inside(o, c.u, c.v) > settings_.same) return -std::numeric_limits<double>::infinity();
        const std::size_t k = nearest_side(o, c.u, c.v);
        const PatchCorner& p = o[k];
        const PatchCorner& q = o[(k + 1) % o.size()];
        const double du = q.u - p.u, dv = q.v - p.v;
        const double t = ((c.u - p.u) * du + (c.v - p.v) * dv) / (du * du + dv * dv);
        return dot(direction, along(h, p.vertex, q.vertex, std::clamp(t, 0.0, 1.0)));
    }

    void add_crossing(std::size_t i, std::size_t j) {
        const Outline& pa = m_.patch_a.outline;
        const Outline& pb = m_.patch_b.outline;
        const PatchCorner &p0 = pa[i], &p1 = pa[(i + 1) % pa.size()];
        const PatchCorner &q0 = pb[j], &q1 = pb[(j + 1) % pb.size()];
        const double from = turn(p0, p1, q0.u, q0.v), to = turn(p0, p1, q1.u, q1.v);
        const double left = turn(q0, q1, p0.u, p0.v), right = turn(q0, q1, p1.u, p1.v);
        if (!((from > 0.0 && to < 0.0) || (from < 0.0 && to > 0.0))) return;
        if (!((left > 0.0 && right < 0.0) || (left < 0.0 && right > 0.0))) return;
        const double clear_p = std::max(-settings_.same, 0.0) * std::hypot(p1.u - p0.u, p1.v - p0.v);
        const double clear_q = std::max(-settings_.same, 0.0) * std::hypot(q1.u - q0.u, q1.v - q0.v);
        if (std::min(std::fabs(from), std::fabs(to)) < clear_p) return;
        if (std::min(std::fabs(left), std::fabs(right)) < clear_q) return;
        // The chord between two vertices of a hull lies inside of it: the surface is no lower.
        const Vec3d on_a = along(a_, p0.vertex, p1.vertex, left / (left - right));
        const Vec3d on_b = along(b_, q0.vertex, q1.vertex, from / (from - to));
        const double height_a = std::max(surface_height(a_, n_, on_b), dot(n_, on_a));
        const double height_b = std::min(-surface_height(b_, -n_, on_b), dot(n_, on_b));
        add(on_b, height_a, height_b, PatchPointSource::crossing, p0.vertex, q0.vertex);
    }

    static Vec3d along(const Polyhedron& h, std::uint32_t v, std::uint32_t w, double t) {
        return h.positions[v] + (h.positions[w] - h.positions[v]) * t;
    }

    void keep() {
        const double deepest = -m_.patch_b.top - m_.patch_a.top;
        const double limit = std::max(settings_.margin, deepest + 2 * settings_.band);
        std::erase_if(m_.points, [limit](const PatchPoint& p) { return !(p.separation <= limit); });
    }

    const Polyhedron& a_;
    const Polyhedron& b_;
    Vec3d n_;
    PatchSettings settings_;
    PlaneAxes axes_;
    PatchManifold& m_;
};

}  // namespace

PlaneAxes plane_axes(const Vec3d& n) {
    return in_default_environment([&]() -> PlaneAxes {
        const Vec3d other = std::fabs(n.x) < 0.6 ? Vec3d{1, 0, 0} : Vec3d{0, 1, 0};
        const Vec3d across = normalized(cross(n, other));
        return {across, cross(n, across)};
    });
}

double surface_height(const Polyhedron& hull, const Vec3d& direction, const Vec3d& x) {
    return in_default_environment([&]() -> double {
        double height = 0;
        face_over(hull, direction, x, height);
        return height;
    });
}

SupportPatch support_patch(const Polyhedron& hull, const Vec3d& direction, double band, const PlaneAxes& axes,
                           const std::vector<std::uint32_t>& extra, double straight) {
    return in_default_environment([&]() -> SupportPatch {
        SupportPatch patch;
        const Supports s = supports_along(hull, direction);
        patch.top = s.max_value;
        patch.vertex = s.max_index;
        Outline corners;
        for (std::uint32_t v = 0; v < hull.positions.size(); ++v) {
            const Vec3d& x = hull.positions[v];
            const bool wanted = std::find(extra.begin(), extra.end(), v) != extra.end();
            if (!wanted && dot(direction, x) < patch.top - band) continue;
            patch.vertices.push_back(v);
            corners.push_back({dot(axes.across, x), dot(axes.along, x), v});
        }
        patch.outline = convex_outline(corners, straight);
        for (PatchCorner& c : patch.outline) c = highest_near(hull, direction, corners, c, straight);
        return patch;
    });
}

PatchManifold clip_patches(const Polyhedron& a, const Polyhedron& b, const Vec3d& normal,
                           const PatchSettings& settings) {
    return in_default_environment([&]() -> PatchManifold {
        PatchManifold m;
        m.feature_a = contact_feature(a, normal, settings.angle);
        m.feature_b = contact_feature(b, -normal, settings.angle);
        const PlaneAxes axes = plane_axes(normal);
        const std::uint32_t face_a = settings.face_a ? *settings.face_a : significant_face(a, normal).face;
        const std::uint32_t face_b = settings.face_b ? *settings.face_b : significant_face(b, -normal).face;
        const double straight = std::max(settings.straight, 0.0);
        m.patch_a = support_patch(a, normal, settings.band, axes, a.faces[face_a], straight);
        m.patch_b = support_patch(b, -normal, settings.band, axes, b.faces[face_b], straight);
        Intersection(a, b, normal, settings, m).run();
        return m;
    });
}

}  // namespace lanefold::published
