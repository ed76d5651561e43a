// SPDX-License-Identifier: MIT
//
// The judge of records of a body and a surface. Everything is in the surface's axes, about the body's position.

#include <algorithm>
#include <cmath>
#include <sstream>

#include <lanefold/surface_judge.hpp>

#include "oracle/closest.hpp"

namespace lanefold::reference {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// The body and a triangle where they are.
struct Placed {
    std::vector<Vec3d> vertices;
    std::vector<Vec3d> normals;
    std::vector<std::pair<Vec3d, Vec3d>> edges;
    std::vector<std::array<Vec3d, 3>> triangles;
    double radius = 0;
    double size = 0;
    Vec3d shift;  // from the surface's coordinates to these

    explicit Placed(const JudgedGround& pair) {
        const Mat3d& turned = pair.surface_pose.rotation;
        const Mat3d turn = transpose(turned) * pair.body_pose.rotation;
        shift = transpose_times(turned, pair.surface_pose.position - pair.body_pose.position);
        const OracleHull& h = *pair.body;
        for (const Vec3d& v : h.vertices) vertices.push_back(turn * v);
        for (const Vec3d& n : h.normals) normals.push_back(turn * n);
        for (const auto& t : h.triangles) triangles.push_back({vertices[t.v[0]], vertices[t.v[1]], vertices[t.v[2]]});
        for (const auto& e : h.edges) edges.emplace_back(vertices[e.v[0]], vertices[e.v[1]]);
        if (h.triangles.empty() && vertices.size() == 2) edges.assign(1, {vertices[0], vertices[1]});
        radius = h.round_radius;
        size = h.size + radius;
    }

    double lowest(const Vec3d& u) const {
        double low = kInfinity;
        for (const Vec3d& x : vertices) low = std::fmin(low, dot(u, x));
        return low;
    }
    double separation(const std::array<Vec3d, 3>& t, const Vec3d& u) const {
        return lowest(u) - std::fmax(dot(u, t[0]), std::fmax(dot(u, t[1]), dot(u, t[2])));
    }
};

class Examiner {
public:
    explicit Examiner(const JudgedGround& pair) : pair_(pair), body_(pair) {}

    const Placed& body() const { return body_; }

    std::array<Vec3d, 3> corners(std::uint32_t t) const {
        std::array<Vec3d, 3> out{};
        for (std::size_t k = 0; k < 3; ++k) {
            out[k] = pair_.surface->vertices[pair_.surface->triangles[t][k]] + body_.shift;
        }
        return out;
    }

    OracleTriangle examine(std::uint32_t t) const {
        const std::array<Vec3d, 3> c = corners(t);
        OracleTriangle out;
        out.axes = largest_separation(c, pair_.surface->normals[t]);
        closest(c, out);
        out.best = -kInfinity;
        // `whole`: a face gives the direction, and any part of the triangle counts. Otherwise there must be some of the
        // body over the corner or edge that is extreme.
        const auto offer = [&](const Vec3d& u, bool whole) {
            const double s = body_.separation(c, u);
            if (s <= out.best || inadmissibility(*pair_.surface, t, u) > 1e-9) return;
            if (!whole && out.axes < 0 && !is_over_extreme(c, u)) return;
            out.best = s;
            out.way = u;
        };
        each_direction(t, c, offer);
        return out;
    }

    // Of core and triangle over the normals of both and the products of their edges; the core may be moved.
    double largest_separation(const std::array<Vec3d, 3>& c, const Vec3d& normal) const {
        double s = std::fmax(body_.separation(c, normal), body_.separation(c, -normal));
        for (const Vec3d& n : body_.normals) s = std::fmax(s, body_.separation(c, -n));
        for (const auto& e : body_.edges) {
            for (std::size_t k = 0; k < 3; ++k) {
                const Vec3d u = cross(e.second - e.first, c[(k + 1) % 3] - c[k]);
                if (!(length(u) > 1e-9 * length(e.second - e.first) * length(c[(k + 1) % 3] - c[k]))) continue;
                s = std::fmax(s, std::fmax(body_.separation(c, normalized(u)), body_.separation(c, -normalized(u))));
            }
        }
        return s;
    }

    double euclidean(const std::array<Vec3d, 3>& c) const {
        OracleTriangle out;
        closest(c, out);
        return out.distance;
    }

private:
    // Whether a line along u from a point of the segment (p, q) meets the core: in the plane of both, the polygon that
    // the core's faces leave.
    bool is_over(const Vec3d& p, const Vec3d& q, const Vec3d& u) const {
        if (body_.normals.empty()) return is_segment_over(p, q, u);
        using Spot = std::pair<double, double>;  // along the segment, and along u in sizes
        const double far = 1e3 * (body_.size + length(p) + length(q));
        std::vector<Spot> polygon{{0, -far}, {1, -far}, {1, far}, {0, far}};
        for (std::size_t f = 0; f < body_.normals.size(); ++f) {
            const Vec3d& n = body_.normals[f];
            const double limit = dot(n, body_.triangles[f][0]) + 1e-9 * body_.size;
            const auto height = [&](const Spot& x) { return dot(n, p + (q - p) * x.first + u * x.second) - limit; };
            std::vector<Spot> rest;
            for (std::size_t i = 0; i < polygon.size(); ++i) {
                const Spot& a = polygon[i];
                const Spot& b = polygon[(i + 1) % polygon.size()];
                const double ha = height(a);
                const double hb = height(b);
                if (ha <= 0) rest.push_back(a);
                if ((ha < 0) == (hb < 0)) continue;
                const double w = ha / (ha - hb);
                rest.emplace_back(a.first + (b.first - a.first) * w, a.second + (b.second - a.second) * w);
            }
            polygon = rest;
            if (polygon.empty()) return false;
        }
        return std::any_of(polygon.begin(), polygon.end(), [&](const Spot& x) { return x.second <= pair_.margin; });
    }

    bool is_segment_over(const Vec3d& p, const Vec3d& q, const Vec3d& u) const {
        if (body_.edges.empty()) return true;
        const auto& e = body_.edges[0];
        const Vec3d d = e.second - e.first;
        const double det = dot(u, cross(d, q - p));
        if (std::fabs(det) < 1e-9 * length(d) * length(q - p)) return true;
        const double at_body = dot(u, cross(p - e.first, q - p)) / det;
        const double at_surface = dot(u, cross(p - e.first, d)) / det;
        return at_body >= -1e-9 && at_body <= 1 + 1e-9 && at_surface >= -1e-9 && at_surface <= 1 + 1e-9;
    }

    bool is_over_extreme(const std::array<Vec3d, 3>& c, const Vec3d& u) const {
        std::size_t top = 0;
        for (std::size_t k = 1; k < 3; ++k) {
            if (dot(u, c[k]) > dot(u, c[top])) top = k;
        }
        std::size_t other = top;
        for (std::size_t k = 0; k < 3; ++k) {
            if (k != top && dot(u, c[top] - c[k]) <= 1e-9 * length(c[top] - c[k])) other = k;
        }
        return is_over(c[top], c[other], u);
    }

    // The directions across an edge of the surface and one of the body that is lowest along them.
    template <class Offer>
    void across(const Vec3d& along, const std::pair<Vec3d, Vec3d>& e, const Offer& offer) const {
        const Vec3d d = e.second - e.first;
        const Vec3d u = cross(along, d);
        if (!(length(u) > 1e-7 * length(along) * length(d))) return;
        for (const Vec3d& way : {normalized(u), -normalized(u)}) {
            const double low = body_.lowest(way) + 1e-9 * body_.size;
            if (dot(way, e.first) <= low && dot(way, e.second) <= low) offer(way, false);
        }
    }

    // Directions across two edges from a vertex, or across one and an edge of the body.
    template <class Offer>
    void each_rim(std::uint32_t v, const std::array<Vec3d, 3>& c, const Offer& offer) const {
        const OracleSurface& s = *pair_.surface;
        const auto both = [&](const Vec3d& a, const Vec3d& b) {
            const Vec3d u = cross(a, b);
            if (!(length(u) > 1e-7 * length(a) * length(b))) return;
            offer(normalized(u), false);
            offer(-normalized(u), false);
        };
        // The vertex must be the triangle's highest.
        const auto offer_top = [&](const Vec3d& u, bool whole) {
            const Vec3d at = s.vertices[v] + body_.shift;
            for (const Vec3d& x : c) {
                if (dot(u, x - at) > 1e-9 * length(x - at)) return;
            }
            offer(u, whole);
        };
        for (const std::uint32_t w : s.rings[v]) {
            const Vec3d a = s.vertices[w] - s.vertices[v];
            for (const std::uint32_t x : s.rings[v]) {
                if (x > w) both(a, s.vertices[x] - s.vertices[v]);
            }
            for (const auto& e : body_.edges) across(a, e, offer_top);
        }
    }

    template <class Offer>
    void each_direction(std::uint32_t t, const std::array<Vec3d, 3>& c, const Offer& offer) const {
        const OracleSurface& s = *pair_.surface;
        const Vec3d& n = s.normals[t];
        offer(n, true);
        for (std::size_t k = 0; k < 3; ++k) {
            const Vec3d along = normalized(c[(k + 1) % 3] - c[k]);
            const std::uint32_t other = s.neighbours[t][k];
            const Vec3d opposite = c[(k + 2) % 3];
            const auto offer_top = [&](const Vec3d& u, bool whole) {
                if (dot(u, opposite - c[k]) <= 1e-9 * length(opposite - c[k])) offer(u, whole);
            };
            offer(other == OracleSurface::kNone ? cross(along, n) : s.normals[other], false);
            for (const auto& e : body_.edges) across(along, e, offer_top);
        }
        for (const Vec3d& m : body_.normals) offer(-m, true);
        for (const std::uint32_t v : s.triangles[t]) each_rim(v, c, offer);
    }

    void closest(const std::array<Vec3d, 3>& c, OracleTriangle& out) const {
        Vec3d best{kInfinity, 0, 0};
        const auto offer = [&](const Vec3d& v) {
            if (length_squared(v) < length_squared(best)) best = v;
        };
        for (const Vec3d& x : body_.vertices) offer(x - closest_on_triangle(x, c[0], c[1], c[2]));
        for (const auto& e : body_.edges) {
            for (std::size_t k = 0; k < 3; ++k) {
                offer(-segment_to_segment(e.first, e.second, c[k], c[(k + 1) % 3]));
            }
        }
        for (const auto& f : body_.triangles) {
            for (const Vec3d& x : c) offer(closest_on_triangle(x, f[0], f[1], f[2]) - x);
        }
        out.distance = length(best);
        if (out.distance > 0) out.direction = best * (1 / out.distance);
    }

    const JudgedGround& pair_;
    Placed body_;
};

class Judge {
public:
    Judge(const JudgedGround& pair, std::span<const Manifold4> records)
        : pair_(pair), examiner_(pair), body_(examiner_.body()), records_(records), bound_(2e-6 * body_.size) {}

    GroundJudgement run() {
        for (const Manifold4& r : records_) {
            const Vec3d n{r.normal[0], r.normal[1], r.normal[2]};
            ways_.push_back(-transpose_times(pair_.surface_pose.rotation, n));
        }
        for (std::uint32_t t = 0; t < pair_.surface->triangles.size(); ++t) {
            const std::array<Vec3d, 3> c = examiner_.corners(t);
            if (body_.separation(c, pair_.surface->normals[t]) - body_.radius > 2 * pair_.margin + 0.1 * body_.size) {
                triangles_.push_back({kInfinity, kInfinity, {}, -kInfinity, {}});
                continue;
            }
            triangles_.push_back(examiner_.examine(t));
        }
        judge_distance();
        for (std::size_t i = 0; i < records_.size(); ++i) judge_record(i);
        for (std::uint32_t t = 0; t < triangles_.size(); ++t) judge_triangle(t);
        return out_;
    }

private:
    template <class... Parts>
    void violate(const Parts&... parts) {
        std::ostringstream text;
        text.precision(9);
        (text << ... << parts);
        out_.violations.push_back(text.str());
    }

    double preference() const { return pair_.preference * body_.size; }

    void judge_record(std::size_t i) {
        const Manifold4& r = records_[i];
        if (r.count == 0 || r.total < r.count) violate("record ", i, " has no points");
        if (std::fabs(length(ways_[i]) - 1) > 1e-6) violate("record ", i, ": normal is no unit vector");
        double least = kInfinity;
        for (std::uint32_t t = 0; t < triangles_.size(); ++t) {
            if (triangles_[t].best == -kInfinity) continue;
            least = std::fmin(least, inadmissibility(*pair_.surface, t, ways_[i]));
        }
        if (least > 1e-6) violate("record ", i, ": normal is admissible for no triangle, by ", least);
        double deepest = kInfinity;
        for (std::uint32_t k = 0; k < r.count; ++k) {
            deepest = std::fmin(deepest, static_cast<double>(r.points[k].separation));
            judge_point(i, k);
        }
        const double room = bound_ + preference() + 1e-7 * std::fabs(deepest);
        if (std::fabs(deepest - static_cast<double>(r.distance)) > room) {
            violate("record ", i, ": distance ", r.distance, ", deepest point ", deepest);
        }
    }

    void judge_point(std::size_t i, std::uint32_t k) {
        const Manifold4& r = records_[i];
        const ContactPoint& p = r.points[k];
        const double room = 2 * bound_ + 4e-7 * (length(to_double({p.position[0], p.position[1], p.position[2]})) +
                                                 std::fabs(static_cast<double>(p.separation)));
        // Features are the core's: the core's point is further out by the radius, along the normal.
        const Vec3d inward{r.normal[0], r.normal[1], r.normal[2]};
        const Vec3d on_core = to_double(witness_on_a(r.normal, p)) - inward * body_.radius;
        const double off =
            std::fabs(point_distance(*pair_.body, pair_.body_pose.rotation, on_core) + body_.radius);
        out_.worst_surface = std::fmax(out_.worst_surface, off / body_.size);
        if (off > room) violate("record ", i, " point ", k, " is off the body by ", off);
        if (passed_) return;  // the point may be on the plane of a triangle only
        const Vec3d x = transpose_times(pair_.surface_pose.rotation, to_double(witness_on_b(r.normal, p)));
        double best = kInfinity;
        for (std::uint32_t t = 0; t < triangles_.size(); ++t) {
            const std::array<Vec3d, 3> c = examiner_.corners(t);
            best = std::fmin(best, length(x - closest_on_triangle(x, c[0], c[1], c[2])));
        }
        out_.worst_surface = std::fmax(out_.worst_surface, best / body_.size);
        if (best > room) violate("record ", i, " point ", k, " is off the surface by ", best);
    }

    // Apart from every triangle, the least distance is exact, if the body is at the outer side.
    void judge_distance() {
        double nearest = kInfinity;
        for (const OracleTriangle& t : triangles_) {
            if (t.axes <= bound_) return;
            nearest = std::fmin(nearest, t.distance);
        }
        bool front = false;
        bool unsure = false;
        for (std::uint32_t t = 0; t < triangles_.size(); ++t) {
            if (triangles_[t].distance > nearest + bound_) continue;
            const double off = inadmissibility(*pair_.surface, t, triangles_[t].direction);
            front = front || off <= 1e-7;
            unsure = unsure || off <= 1e-3;
        }
        passed_ = !front;
        const double distance = nearest - body_.radius;
        if (!front || distance > pair_.margin + bound_) {
            const bool deep = nearest < body_.radius + bound_;
            if (!records_.empty() && !(unsure && distance <= pair_.margin + bound_) && !deep) {
                violate("apart by ", distance, " or behind, but there are records");
            }
            return;
        }
        double least = kInfinity;
        for (const Manifold4& r : records_) least = std::fmin(least, static_cast<double>(r.distance));
        if (records_.empty() && distance > pair_.margin - bound_) return;
        const double error = std::fabs(least - distance);
        out_.worst_distance = std::fmax(out_.worst_distance, error / body_.size);
        if (!(error <= bound_ + 1e-7 * std::fabs(distance))) violate("distance ", distance, ", reported ", least);
    }

    void judge_triangle(std::uint32_t t) {
        const OracleTriangle& o = triangles_[t];
        if (o.best == -kInfinity) return;
        const std::array<Vec3d, 3> c = examiner_.corners(t);
        const double own = body_.separation(c, pair_.surface->normals[t]) - body_.radius;
        if (own < -pair_.surface->thickness + bound_) return;
        const bool cut = o.axes < -bound_;
        const bool apart = o.axes > bound_ && o.distance - body_.radius < pair_.margin - bound_ &&
                           inadmissibility(*pair_.surface, t, o.direction) == 0;
        if (!cut && !apart) return;
        const double wanted = (cut ? o.best : o.distance) - bound_ - preference();
        for (const Vec3d& u : ways_) {
            if (body_.separation(c, u) >= wanted && inadmissibility(*pair_.surface, t, u) < 1e-5) {
                ++(cut ? out_.cut : out_.apart);
                return;
            }
        }
        if (cut && is_needless(t)) {
            ++out_.needless;
            return;
        }
        violate("triangle ", t, cut ? " is cut" : " is near", ", best ", cut ? o.best : o.distance, " along ", o.way.x,
                " ", o.way.y, " ", o.way.z, ", but no record has its contact", records_text(c));
    }

    std::string records_text(const std::array<Vec3d, 3>& c) const {
        std::ostringstream text;
        for (std::size_t i = 0; i < records_.size(); ++i) {
            text << "; record " << i << " along " << ways_[i].x << " " << ways_[i].y << " " << ways_[i].z
                 << " has distance " << records_[i].distance << ", here " << body_.separation(c, ways_[i]);
        }
        return text.str();
    }

    // Whether moving the body out along a much shallower contact takes it off the triangle.
    bool is_needless(std::uint32_t t) const {
        const double depth = body_.radius - triangles_[t].best;
        for (const Vec3d& way : ways_) {
            for (std::uint32_t w = 0; w < triangles_.size(); ++w) {
                const OracleTriangle& o = triangles_[w];
                if (o.best == -kInfinity || w == t || inadmissibility(*pair_.surface, w, way) > 1e-6) continue;
                const double s = body_.separation(examiner_.corners(w), way);
                const double out = std::fmax(body_.radius - s, 0.0);
                if (!(depth > 2 * out)) continue;
                std::array<Vec3d, 3> c = examiner_.corners(t);
                for (Vec3d& x : c) x = x - way * (out + bound_);
                const double left = examiner_.largest_separation(c, pair_.surface->normals[t]);
                if (left > 0 && examiner_.euclidean(c) > body_.radius - bound_) return true;
            }
        }
        return false;
    }

    const JudgedGround& pair_;
    Examiner examiner_;
    const Placed& body_;
    std::span<const Manifold4> records_;
    double bound_;
    std::vector<Vec3d> ways_;  // from the surface to the body
    std::vector<OracleTriangle> triangles_;
    bool passed_ = false;  // the core is at the inner side of the surface and cuts nothing
    GroundJudgement out_;
};

}  // namespace

OracleTriangle examine_triangle(const JudgedGround& pair, std::uint32_t t) { return Examiner(pair).examine(t); }

GroundJudgement judge_ground(const JudgedGround& pair, std::span<const Manifold4> records) {
    return Judge(pair, records).run();
}

}  // namespace lanefold::reference
