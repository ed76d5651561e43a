// SPDX-License-Identifier: MIT
//
// Judges records of pairs with a half-space: the normal is the plane's, every vertex within the margin counts, and each
// point is midway between a vertex and the plane. The radius of a rounded hull is off already.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#include "placed.hpp"
#include "text.hpp"

namespace lanefold::reference::judging {
namespace {

// Bound of the length of the difference between the plane's normal and three float32 numbers that were rounded, or
// turned in float32 and rounded.
constexpr double kNormal = 5e-7;

// PointSelection::impact: height of the band above the deepest point, relative to the hull (options.hpp).
constexpr double kImpactBand = 1e-3;

// A kept point is above no vertex that is beside it by less than this part of the height between both.
constexpr double kStandsOver = 0.125;

// Part of the area of all points that a previous choice of four keeps at least: four corners of a regular polygon keep
// 0.64, and a previous choice nine tenths of that.
constexpr double kLeastArea = 0.45;

class OnPlane {
public:
    explicit OnPlane(Trial& t)
        : t_(t), plane_is_a_(t.a.oracle().half_space), plane_(plane_is_a_ ? t.a : t.b), hull_(plane_is_a_ ? t.b : t.a) {
        out_ = plane_.rotation() * plane_.oracle().normals[0];
        t_.normal = plane_is_a_ ? out_ : -out_;
        t_.along = t_.out.distance;
        heights_.reserve(hull_.vertices());
        for (std::uint32_t v = 0; v < hull_.vertices(); ++v) heights_.push_back(height(hull_.vertex(v)));
        deepest_ = *std::min_element(heights_.begin(), heights_.end());
        limit_ = static_cast<double>(t_.pair.margin);
        if (t_.pair.points == PointSelection::impact)
            limit_ = std::min(limit_, deepest_ + kImpactBand * t_.bounds.smaller);
        limit_ = std::max(limit_, deepest_);
        band_ = t_.bounds.distance(limit_) + t_.bounds.distance(deepest_);
    }

    void judge() {
        if (!judge_names() || !judge_normal()) return;
        std::vector<std::uint32_t> kept;
        for (std::uint32_t i = 0; i < t_.count(); ++i) judge_point(i, kept);
        if (!t_.out.right()) return;
        judge_total();
        judge_depth();
        if (t_.record.m.total > t_.count()) judge_choice(kept);
    }

private:
    double height(const Vec3d& x) const { return dot(out_, x - plane_.offset()) - plane_.oracle().offset; }

    bool judge_names() {
        const Manifold16& m = t_.record.m;
        const ContactKind kind = plane_is_a_ ? ContactKind::face_a : ContactKind::face_b;
        if (m.kind == kind && m.feature_a == 0 && m.feature_b == 0) return true;
        t_.out.violate(Violation::feature, text("kind %s with features %u and %u beside a half-space",
                                                lanefold::to_string(m.kind), m.feature_a, m.feature_b));
        return false;
    }

    bool judge_normal() {
        const double off = length(vec(t_.record.m.normal) - t_.normal);
        t_.out.normal_share = off / kNormal;
        t_.out.unit_error = std::fabs(length(vec(t_.record.m.normal)) - 1);
        if (off <= kNormal) return true;
        t_.out.violate(Violation::normal, text("the normal is off the plane's by %.3g", off));
        return false;
    }

    void judge_point(std::uint32_t i, std::vector<std::uint32_t>& kept) {
        const auto s = static_cast<double>(t_.point(i).separation);
        const Vec3d x = vec(t_.point(i).position);
        const auto wrong = [&](Violation kind, const std::string& what) {
            t_.out.violate(kind, text("point %u: ", i) + what);
        };
        if (!is_finite(x) || !std::isfinite(s)) return wrong(Violation::points, "not finite");
        if (!(s <= limit_ + band_)) wrong(Violation::points, text("separation %.9g beyond the margin", s));
        const auto f = decode_feature(t_.a.counts(), t_.b.counts(), t_.point(i).feature);
        const Feature of_hull = f ? (plane_is_a_ ? f->b : f->a) : Feature{};
        if (!t_.decodable()) return;
        if (!f || of_hull.type != FeatureType::vertex) return wrong(Violation::feature, "its id names no vertex");
        const std::uint32_t v = of_hull.index;
        if (std::find(kept.begin(), kept.end(), v) != kept.end())
            wrong(Violation::feature, text("vertex %u stands twice", v));
        kept.push_back(v);
        const double bound = 2.0 * (kDistanceTolerance * t_.bounds.unit + t_.bounds.noise) +
                             6.0 * kFloat * (t_.stored(x) + std::fabs(s));
        const Vec3d half = t_.normal * (0.5 * s);
        const Vec3d on_plane = plane_is_a_ ? x - half : x + half;
        const Vec3d on_hull = plane_is_a_ ? x + half : x - half;
        const double off = std::max(length(on_hull - hull_.vertex(v)), std::fabs(height(on_plane)));
        t_.out.surface_share = std::max(t_.out.surface_share, off / bound);
        t_.out.surface_error = std::max(t_.out.surface_error, off / bound * 2.0 * kDistanceTolerance);
        if (!(off <= bound))
            wrong(Violation::off_surface, text("off vertex %u or the plane by %.3g, %.3g allowed", v, off, bound));
        if (!(std::fabs(s - heights_[v]) <= 2.0 * t_.bounds.distance(s)))
            wrong(Violation::points, text("separation %.9g, vertex %u is at %.9g", s, v, heights_[v]));
    }

    void judge_total() {
        std::size_t least = 0;
        std::size_t most = 0;
        for (const double h : heights_) {
            least += h <= limit_ - band_ ? 1U : 0U;
            most += h <= limit_ + band_ ? 1U : 0U;
        }
        const std::size_t total = t_.record.m.total;
        if (total == 65535 && most >= total) return;  // saturated
        if (total < std::max<std::size_t>(least, 1) || total > most)
            t_.out.violate(Violation::points, text("%u points, %u to %u vertices are within the margin", number(total),
                                                   number(least), number(most)));
    }

    void judge_depth() {
        double deepest = std::numeric_limits<double>::infinity();
        for (std::uint32_t i = 0; i < t_.count(); ++i)
            deepest = std::min(deepest, static_cast<double>(t_.point(i).separation));
        const bool reduced = t_.record.m.total > t_.count();
        const double open = reduced ? t_.held() : 0;
        const double bound = 2.0 * t_.bounds.distance(deepest_);
        t_.out.depth_share = std::max(0.0, std::fabs(deepest - deepest_) - open) / bound;
        if (!(std::fabs(deepest - deepest_) <= bound + open))
            t_.out.violate(Violation::shallow,
                           text("the deepest point has separation %.9g, the pair %.9g", deepest, deepest_));
    }

    // The points that are left of more.
    void judge_choice(const std::vector<std::uint32_t>& kept) {
        if (!t_.decodable()) return;
        const Plane plan(t_.normal);
        std::vector<Corner> corners;
        std::vector<PlanPoint> all;
        for (std::uint32_t v = 0; v < hull_.vertices(); ++v) {
            if (!(heights_[v] <= limit_ + band_)) continue;
            Corner c;
            const PlanPoint at = plan.at(hull_.vertex(v));
            c.u = at.u;
            c.v = at.v;
            c.separation = heights_[v];
            c.certain = heights_[v] <= limit_ - band_;
            corners.push_back(c);
            if (c.certain) all.push_back(at);
        }
        std::vector<PlanPoint> chosen;
        for (const std::uint32_t v : kept) {
            PlanPoint at = plan.at(hull_.vertex(v));
            at.separation = heights_[v];
            chosen.push_back(at);
            // Clearly over a vertex that was left out.
            for (const Corner& c : corners) {
                const double drop = heights_[v] - c.separation;
                if (!(drop > 4.0 * band_)) continue;
                const double beside = std::hypot(c.u - at.u, c.v - at.v);
                if (beside > kStandsOver * drop - 4.0 * band_ || is_kept(kept, plan, c)) continue;
                if (t_.held() > 0) continue;
                t_.out.violate(Violation::coverage, text("vertex %u stands over another one, %.3g lower", v, drop));
            }
        }
        // A choice may have moved from a vertex to one below it.
        double range = 0;
        for (const Corner& c : corners) range = std::max(range, c.separation - deepest_);
        const double slack = 8.0 * band_ + 1e-9 * t_.bounds.unit + kStandsOver * range;
        const bool four = t_.record.capacity == Manifold4::kCapacity;
        const bool usual = t_.held() == 0;
        bool right = true;
        if (!usual) {
            const double whole = twice_hull_area(all);
            right = twice_hull_area(chosen) >= kLeastArea * whole - 8.0 * slack * std::sqrt(whole) - slack * slack;
        } else {
            right = four ? spread_keeps(corners, chosen, slack, band_) : spread_covers(corners, chosen, slack);
        }
        if (!right)
            t_.out.violate(Violation::coverage, text("the kept points leave out vertices further apart than theirs: an "
                                                     "area of %.3g of %.3g, range %.3g",
                                                     twice_hull_area(chosen), twice_hull_area(all), range));
    }

    bool is_kept(const std::vector<std::uint32_t>& kept, const Plane& plan, const Corner& c) const {
        return std::any_of(kept.begin(), kept.end(), [&](std::uint32_t v) {
            const PlanPoint at = plan.at(hull_.vertex(v));
            return at.u == c.u && at.v == c.v && heights_[v] == c.separation;
        });
    }

    Trial& t_;
    bool plane_is_a_;
    const Placed& plane_;
    const Placed& hull_;
    Vec3d out_;  // out of the half-space, world axes
    std::vector<double> heights_;
    double deepest_ = 0;
    double limit_ = 0;
    double band_ = 0;
};

}  // namespace

JudgeBounds half_space_bounds(const JudgedPair& pair) {
    const OracleHull& hull = pair.a->half_space ? *pair.b : *pair.a;
    const OracleHull& plane = pair.a->half_space ? *pair.a : *pair.b;
    JudgeBounds out;
    if (hull.half_space) return out;  // two half-spaces never touch
    // A half-space is larger than any hull.
    out.smaller = out.larger = hull.size + (hull.triangles.empty() ? hull.round_radius : 0);
    out.unit = hull.size + hull.round_radius;
    out.beyond = true;
    const double apart = length(pair.pose_b.position - pair.pose_a.position);
    out.noise = 1e-14 * (out.larger + apart + std::fabs(plane.offset));
    out.along = 2.0 * kFloat * (out.larger + apart);
    return out;
}

void judge_half_space(Trial& t) { OnPlane(t).judge(); }

}  // namespace lanefold::reference::judging
