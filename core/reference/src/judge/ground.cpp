// SPDX-License-Identifier: MIT
//
// The judge of records of a body and a surface. Everything is in the surface's axes, about the body's position.
//
// The least of many is taken by std::min: at std::fmin, which AArch64 has as an instruction, g++ 12 stops with an error
// of its own.

#include <algorithm>
#include <cmath>
#include <sstream>

#include <lanefold/surface_judge.hpp>

namespace lanefold::reference {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Distance of a point from a triangle.
double distance_from(const Vec3d& x, const std::array<Vec3d, 3>& c) {
    const Vec3d n = normalized(cross(c[1] - c[0], c[2] - c[0]));
    bool inside = true;
    double rim = kInfinity;
    for (std::size_t k = 0; k < 3; ++k) {
        const Vec3d along = c[(k + 1) % 3] - c[k];
        inside = inside && dot(cross(n, along), x - c[k]) >= 0;
        const double s = std::clamp(dot(along, x - c[k]) / length_squared(along), 0.0, 1.0);
        rim = std::min(rim, length(x - c[k] - along * s));
    }
    return inside ? std::fabs(dot(n, x - c[0])) : rim;
}

template <class M>
class Judge {
public:
    Judge(const JudgedGround& pair, std::span<const M> records)
        : pair_(pair),
          body_(*pair.surface, pair.surface_pose, *pair.body, pair.body_pose, pair.margin),
          records_(records),
          bound_(2e-6 * body_.size()) {
        for (std::uint32_t t = 0; pair.near.empty() && t < pair.surface->triangles.size(); ++t) all_.push_back(t);
    }

    GroundJudgement run() {
        for (const M& r : records_) {
            const Vec3d n{r.normal[0], r.normal[1], r.normal[2]};
            ways_.push_back(-transpose_times(pair_.surface_pose.rotation, n));
        }
        for (const std::uint32_t t : list()) {
            const std::array<Vec3d, 3> c = body_.corners(t);
            const double own = body_.separation(c, pair_.surface->normals[t]) - body_.radius();
            if (own < -pair_.surface->thickness - bound_ || is_far(c, pair_.surface->normals[t])) {
                triangles_.push_back({kInfinity, kInfinity, {}, -kInfinity, {}, -kInfinity, {}});
                continue;
            }
            triangles_.push_back(body_.examine(t));
        }
        judge_distance();
        for (std::size_t i = 0; i < records_.size(); ++i) judge_record(i);
        for (std::size_t i = 0; i < triangles_.size(); ++i) judge_triangle(i);
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

    std::span<const std::uint32_t> list() const { return pair_.near.empty() ? all_ : pair_.near; }

    // Whether the body is far above the triangle, or far beside it along an axis.
    bool is_far(const std::array<Vec3d, 3>& c, const Vec3d& normal) const {
        const double most = 2 * pair_.margin + 0.1 * body_.size() + body_.radius();
        for (const Vec3d& u : {normal, Vec3d{1, 0, 0}, Vec3d{-1, 0, 0}, Vec3d{0, 1, 0}, Vec3d{0, -1, 0}, Vec3d{0, 0, 1},
                               Vec3d{0, 0, -1}}) {
            if (body_.separation(c, u) > most) return true;
        }
        return false;
    }

    double preference() const { return pair_.preference * body_.size(); }

    void judge_record(std::size_t i) {
        const M& r = records_[i];
        if (r.count == 0 || r.total < r.count) violate("record ", i, " has no points");
        if (std::fabs(length(ways_[i]) - 1) > 1e-6) violate("record ", i, ": normal is no unit vector");
        double least = kInfinity;
        for (std::size_t k = 0; k < triangles_.size(); ++k) {
            if (triangles_[k].best == -kInfinity) continue;
            least = std::min(least, inadmissibility(*pair_.surface, list()[k], ways_[i]));
        }
        if (least > 1e-6) violate("record ", i, ": normal is admissible for no triangle, by ", least);
        double deepest = kInfinity;
        for (std::uint32_t k = 0; k < r.count; ++k) {
            deepest = std::min(deepest, static_cast<double>(r.points[k].separation));
            judge_point(i, k);
        }
        const double room = bound_ + preference() + 1e-7 * std::fabs(deepest);
        if (std::fabs(deepest - static_cast<double>(r.distance)) > room) {
            violate("record ", i, ": distance ", r.distance, ", deepest point ", deepest);
        }
    }

    void judge_point(std::size_t i, std::uint32_t k) {
        const M& r = records_[i];
        const ContactPoint& p = r.points[k];
        const double room = 2 * bound_ + 4e-7 * (length(to_double({p.position[0], p.position[1], p.position[2]})) +
                                                 std::fabs(static_cast<double>(p.separation)));
        // Features are the core's: the core's point is further out by the radius, along the normal.
        const Vec3d inward{r.normal[0], r.normal[1], r.normal[2]};
        const Vec3d on_core = to_double(witness_on_a(r.normal, p)) + pair_.origin - inward * body_.radius();
        const double off = std::fabs(point_distance(*pair_.body, pair_.body_pose.rotation, on_core) + body_.radius());
        out_.worst_surface = std::fmax(out_.worst_surface, off / body_.size());
        if (off > room) violate("record ", i, " point ", k, " is off the body by ", off);
        if (passed_) return;  // the point may be on the plane of a triangle only
        const Vec3d x =
            transpose_times(pair_.surface_pose.rotation, to_double(witness_on_b(r.normal, p)) + pair_.origin);
        double best = kInfinity;
        for (const std::uint32_t t : list()) {
            const std::array<Vec3d, 3> c = body_.corners(t);
            best = std::min(best, distance_from(x, c));
        }
        out_.worst_surface = std::fmax(out_.worst_surface, best / body_.size());
        if (best > room) violate("record ", i, " point ", k, " is off the surface by ", best);
    }

    // Apart from every triangle, the least distance is exact, if the body is at the outer side.
    void judge_distance() {
        double nearest = kInfinity;
        for (const OracleTriangle& t : triangles_) {
            if (t.axes <= bound_) return;
            nearest = std::min(nearest, t.distance);
        }
        bool front = false;
        bool unsure = false;
        for (std::size_t i = 0; i < triangles_.size(); ++i) {
            if (triangles_[i].distance > nearest + bound_) continue;
            const Vec3d& u = triangles_[i].direction;
            front = front || inadmissibility(*pair_.surface, list()[i], u, BorderCone::that_all_face) <= 1e-7;
            unsure = unsure || inadmissibility(*pair_.surface, list()[i], u) <= 1e-3;
        }
        passed_ = !front;
        const double distance = nearest - body_.radius();
        out_.in_band = front && std::fabs(distance - pair_.margin) <= bound_;
        if (front && distance <= pair_.margin) count_contact(distance);
        if (!front || distance > pair_.margin + bound_) {
            const bool deep = nearest < body_.radius() + bound_;
            if (deep && !records_.empty()) count_contact(distance - body_.radius());
            if (!records_.empty() && !(unsure && distance <= pair_.margin + bound_) && !deep) {
                violate("apart by ", distance, " or behind, but there are records");
            }
            return;
        }
        double least = kInfinity;
        if (!pair_.complete) return;
        for (const M& r : records_) least = std::min(least, static_cast<double>(r.distance));
        if (records_.empty() && distance > pair_.margin - bound_) return;
        const double error = std::fabs(least - distance);
        out_.worst_distance = std::fmax(out_.worst_distance, error / body_.size());
        if (error <= bound_ + 1e-7 * std::fabs(distance)) return;
        out_.missed = out_.missed || records_.empty();
        violate("distance ", distance, ", reported ", least);
    }

    void count_contact(double distance) {
        out_.touching = true;
        out_.overlapping = out_.overlapping || distance < 0;
        out_.distance = std::fmin(out_.distance, distance);
    }

    void judge_triangle(std::size_t i) {
        const OracleTriangle& o = triangles_[i];
        const std::uint32_t t = list()[i];
        if (o.best == -kInfinity) return;
        const std::array<Vec3d, 3> c = body_.corners(t);
        const double own = body_.separation(c, pair_.surface->normals[t]) - body_.radius();
        if (own < -pair_.surface->thickness + bound_) return;
        const bool cut = o.axes < -bound_;
        // A core that has passed the nearest triangle is before no other one.
        const bool apart = !passed_ && o.axes > bound_ && o.distance - body_.radius() < pair_.margin - bound_ &&
                           inadmissibility(*pair_.surface, t, o.direction, BorderCone::that_all_face) == 0;
        if (!cut && !apart) return;
        count_contact((cut ? o.best : o.distance) - body_.radius());
        if (!pair_.complete) return;
        const double wanted = (cut ? o.best : o.distance) - bound_ - preference();
        for (const Vec3d& u : ways_) {
            if (body_.separation(c, u) >= wanted && inadmissibility(*pair_.surface, t, u) < 1e-5) {
                ++(cut ? out_.cut : out_.apart);
                return;
            }
        }
        if (cut && is_needless(i)) {
            ++out_.needless;
            return;
        }
        out_.missed = true;
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

    // How deep the contact of a triangle is: along a normal of the surface if the preference takes one. At the
    // preference's very end rounding may choose.
    double contact_depth(std::size_t i) const {
        const OracleTriangle& o = triangles_[i];
        const std::array<Vec3d, 3> c = body_.corners(list()[i]);
        const double lack = o.best - o.normals - preference();
        double least = kInfinity;
        if (lack < bound_) least = body_.separation_over(c, o.normal);
        if (lack > -bound_) least = std::min(least, body_.separation_over(c, o.way));
        return body_.radius() - least;
    }

    // Whether moving the body out along a record by its depth, but by no more than half of the depth of the contact
    // that is not there, takes it off the triangle. What it is off after a part of the way, it is off after all of it.
    bool is_needless(std::size_t i) const {
        const std::uint32_t t = list()[i];
        const double depth = contact_depth(i);
        for (std::size_t r = 0; r < records_.size(); ++r) {
            const double record = std::fmax(-static_cast<double>(records_[r].distance), 0.0);
            const double out = std::fmin(record, 0.5 * depth) + bound_;
            std::array<Vec3d, 3> c = body_.corners(t);
            for (Vec3d& x : c) x = x - ways_[r] * out;
            const double left = body_.largest_separation(c, pair_.surface->normals[t]);
            if (left > 0 && body_.euclidean(c) > body_.radius() - bound_) return true;
        }
        return false;
    }

    const JudgedGround& pair_;
    SurfaceExaminer body_;
    std::span<const M> records_;
    double bound_;
    std::vector<Vec3d> ways_;                // from the surface to the body
    std::vector<std::uint32_t> all_;         // where the caller names no triangles
    std::vector<OracleTriangle> triangles_;  // of list()
    bool passed_ = false;                    // the core is at the inner side of the surface and cuts nothing
    GroundJudgement out_;
};

}  // namespace

std::vector<std::uint32_t> triangles_near(const JudgedGround& pair) {
    // The body's box in the surface's axes.
    const OracleHull& body = *pair.body;
    const Mat3d turn = transpose(pair.surface_pose.rotation) * pair.body_pose.rotation;
    const Vec3d at = transpose_times(pair.surface_pose.rotation, pair.body_pose.position - pair.surface_pose.position);
    double low[3] = {kInfinity, kInfinity, kInfinity};
    double high[3] = {-kInfinity, -kInfinity, -kInfinity};
    for (const Vec3d& v : body.vertices) {
        const Vec3d x = at + turn * v;
        const double own[3] = {x.x, x.y, x.z};
        for (std::size_t k = 0; k < 3; ++k) {
            low[k] = std::min(low[k], own[k]);
            high[k] = std::fmax(high[k], own[k]);
        }
    }
    const double grow = (std::fmax(pair.margin, 0.0) + 2 * (body.size + body.round_radius)) * 1.001 + body.round_radius;
    std::vector<std::uint32_t> out;
    for (std::uint32_t t = 0; t < pair.surface->triangles.size(); ++t) {
        const std::array<std::uint32_t, 3>& c = pair.surface->triangles[t];
        bool near = true;
        for (std::size_t k = 0; k < 3 && near; ++k) {
            const auto along = [&](std::size_t corner) {
                const Vec3d& p = pair.surface->vertices[c[corner]];
                return k == 0 ? p.x : k == 1 ? p.y : p.z;
            };
            const auto [least, most] = std::minmax({along(0), along(1), along(2)});
            near = least <= high[k] + grow && most >= low[k] - grow;
        }
        if (near) out.push_back(t);
    }
    return out;
}

GroundJudgement judge_ground(const JudgedGround& pair, std::span<const Manifold4> records) {
    return Judge(pair, records).run();
}

GroundJudgement judge_ground(const JudgedGround& pair, std::span<const Manifold16> records) {
    return Judge(pair, records).run();
}

}  // namespace lanefold::reference
