// SPDX-License-Identifier: MIT
//
// The contact of a small core. With another small core: the closest points of two segments or points. With a hull: the
// best of all faces and, for a segment in the hull, of all edges; for one that is apart, the closest of all faces and
// edges. All by brute force in float64, which defines the result.

#include "precise/small.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <lanefold/detail/round.hpp>

#include "precise/bars.hpp"
#include "precise/gjk.hpp"
#include "precise/pose.hpp"
#include "precise/record.hpp"
#include "precise/support.hpp"

namespace lanefold::detail {
namespace {

// Sine of the angle between an edge and the segment below which their cross product is no axis: the faces beside the
// edge are as good within 1e-7 of the length.
constexpr double kLeastSine = 1e-7;

// By how much an axis may be outside of the arc of its edge: rounding of products of unit vectors, and more. What is
// let in too much is still a valid axis, because its separation is measured with full supports.
constexpr double kArcSlack = 1e-9;

// Part of the distances that place a core, in its input frame and from body to body, within which rounding decides
// where it is.
constexpr double kPlacing = 4e-15;

// Cores nearer than this meet: the direction between their closest points is rounding.
double meeting_distance(const Problem& p) {
    const double placed = (length(p.a.centre) + length(p.b.centre)) + length(p.from_b.position);
    return p.touching + kPlacing * placed;
}

Outcome solve_bars(const Problem& p, PreciseScratch::Impl& memory) {
    Outcome r;
    const Bar a = small_bar(p.a);
    const Bar b = placed_bar(p.from_b, small_bar(p.b));
    const Meeting m = closest_on_bars(a, b);
    if (m.distance > p.margin) return r;
    const Vec3d apart = b.at(0.5) - a.at(0.5);
    const double near = meeting_distance(p);
    const Vec3d n = m.distance > near ? m.normal : direction_of_meeting(a, b, apart, near);
    const ContactTaker taker(p, memory, false);
    if (!taker.take_common_part(a, b, n, m.distance, r)) taker.take_meeting(a, b, m, n, m.distance, r);
    return r;
}

// A hull and a small core; all in the hull's local frame.
class OnHull {
public:
    OnHull(const Problem& p, PreciseScratch::Impl& memory, bool hull_is_b)
        : p_(p),
          hull_(hull_is_b ? p.b : p.a),
          bar_(placed_bar(hull_is_b ? p.from_a : p.from_b, small_bar(hull_is_b ? p.a : p.b))),
          ends_(bar_.is_point() ? 1 : 2),
          taker_(p, memory, hull_is_b) {}

    Outcome solve() {
        Outcome r;
        if (!search_faces()) return r;
        if (face_ <= p_.touching && !bar_.is_point()) search_edges();
        double distance = std::max(face_, edge_);
        if (distance > p_.margin) return r;
        bool by_face = !(edge_ > face_ + p_.tie);
        Meeting closest;
        std::uint32_t edge = edge_index_;
        Vec3d normal = edge_normal_;
        if (distance > p_.touching) {
            by_face = find_closest(closest, edge);
            distance = closest.distance;
            if (distance > p_.margin) return r;
            normal = normal_of(closest);
        } else if (!by_face) {
            closest = closest_on_bars(edge_bar(hull_, edge), bar_);
        }
        if (by_face) {
            if (!take_face(distance, distance + p_.depth_loss, 1, r)) take_support(distance, r);
            return r;
        }
        // A segment lies on a face that is nearly as good by two points. A single point gains nothing from a face.
        const bool prefers_face = face_ >= distance - p_.preference - p_.loss;
        if (prefers_face && take_face(distance, distance + p_.preference + p_.depth_loss, 2, r)) return r;
        if (iterated_)
            take_iterated(closest, normal, distance, r);
        else
            take_edge(closest, edge, normal, distance, r);
        return r;
    }

private:
    double height(std::uint32_t facet, double t) const {
        return dot(hull_.facet_normal(facet), bar_.at(t)) - hull_.offset[facet];
    }
    // The lower end over a facet.
    double low_end(std::uint32_t facet) const { return ends_ == 2 && height(facet, 1) < height(facet, 0) ? 1 : 0; }

    // False if a face separates by more than the margin.
    bool search_faces() {
        for (std::uint32_t f = 0; f < hull_.facets; ++f) {
            if (!(height(f, low_end(f)) > face_)) continue;
            // With the support of the whole hull: the plane of a sliver may cut it.
            const Vec3d n = hull_.facet_normal(f);
            const double s = dot(n, bar_.at(low_end(f))) - furthest(hull_, n).value;
            if (s > p_.margin) return false;
            if (s > face_) {
                face_ = s;
                facet_ = f;
            }
        }
        return true;
    }

    // Whether the unit vector u, perpendicular to the edge, is on the arc between the normals of its facets.
    bool on_arc(const SolidEdge& e, const Vec3d& u) const {
        const Vec3d n0 = hull_.facet_normal(e.facet0);
        const Vec3d n1 = hull_.facet_normal(e.facet1);
        const double cosine = dot(n0, n1);
        return dot(u, n0 + n1) > 0 && dot(u, n1 - n0 * cosine) >= -kArcSlack && dot(u, n0 - n1 * cosine) >= -kArcSlack;
    }

    void search_edges() {
        const Vec3d along = normalized(bar_.along);
        for (std::uint32_t e = 0; e < hull_.edges; ++e) {
            const SolidEdge edge = hull_.edge(e);
            const Vec3d x = cross(normalized(hull_.vertex(edge.v1) - hull_.vertex(edge.v0)), along);
            const double sine = length(x);
            if (!(sine > kLeastSine)) continue;
            for (const double sign : {1.0, -1.0}) {
                const Vec3d u = x * (sign / sine);
                if (!on_arc(edge, u)) continue;
                const double s = separation_along(u);
                if (!(s > edge_)) continue;
                edge_ = s;
                edge_index_ = e;
                edge_normal_ = u;
            }
        }
    }

    // The closest points of a pair that is apart. True if one is inside a face, which then is the best one.
    bool find_closest(Meeting& closest, std::uint32_t& edge) {
        closest.distance = std::numeric_limits<double>::infinity();
        bool in_face = false;
        for (std::uint32_t f = 0; f < hull_.facets; ++f) {
            for (std::uint32_t k = 0; k < ends_; ++k) {
                const double h = height(f, k);
                if (!(h > 0 && h < closest.distance)) continue;
                const Vec3d n = hull_.facet_normal(f);
                if (!foot_inside(hull_, f, n, bar_.at(k), h, p_.rounding)) continue;
                closest = {0, static_cast<double>(k), bar_.at(k) - n * h, bar_.at(k), h, n};
                in_face = true;
            }
        }
        for (std::uint32_t e = 0; e < hull_.edges; ++e) {
            const Meeting m = closest_on_bars(edge_bar(hull_, e), bar_);
            if (!(m.distance < closest.distance - p_.fine)) continue;
            closest = m;
            edge = e;
            in_face = false;
        }
        if (!in_face) separate_most(closest, edge);
        if (iterate(closest)) in_face = false;
        // The face's normal is the direction of the distance.
        return in_face || closest.distance <= face_ + p_.fine;
    }

    double separation_along(const Vec3d& n) const {
        return std::min(dot(n, bar_.at(0)), dot(n, bar_.at(1))) - furthest(hull_, n).value;
    }

    // Takes another edge that is equally near within rounding where the direction of this one does not separate: their
    // points may be far enough apart to turn that of a short distance.
    void separate_most(Meeting& closest, std::uint32_t& edge) const {
        const double enough = closest.distance - p_.loss;
        const double equal = closest.distance + p_.fine;
        double most = separation_along(closest.normal);
        for (std::uint32_t e = 0; e < hull_.edges && most < enough; ++e) {
            const Meeting m = closest_on_bars(edge_bar(hull_, e), bar_);
            if (m.distance > equal) continue;
            const double separation = separation_along(m.normal);
            if (!(separation > most)) continue;
            most = separation;
            closest = m;
            edge = e;
        }
    }

    // Slivers have normals that are mostly rounding, so that feet beside them may be missed. The iteration of Gilbert,
    // Johnson and Keerthi needs no normals. True if it finds nearer points.
    bool iterate(Meeting& closest) {
        if (!p_.thin && !hull_.triangulated) return false;
        const bool on_b = &hull_ == &p_.b;
        const Vec3d n = hull_.facet_normal(facet_);
        const GjkResult g = closest_points(p_, on_b ? -(p_.from_b.rotation * n) : n);
        if (g.beyond_margin || !g.converged || !(g.distance < closest.distance - 2 * p_.converged)) return false;
        const Vec3d x = on_b ? transform(p_.from_a, g.q) : g.p;
        const Vec3d y = on_b ? transform(p_.from_a, g.p) : g.q;
        closest = {0, bar_.nearest(y), x, y, g.distance, (y - x) * (1 / g.distance)};
        iterated_ = true;
        std::copy_n(on_b ? g.b : g.a, g.count, simplex_);
        corners_ = g.count;
        return true;
    }

    // The direction between the closest points, unless rounding turns it and an axis separates more. Points that are
    // equally near within rounding are far enough apart to turn the direction between cores that almost meet.
    Vec3d normal_of(const Meeting& m) const {
        const Vec3d& n = m.normal;
        const double separation = separation_along(n);
        const bool apart = m.distance > std::max(p_.tie, meeting_distance(p_));
        // Further apart another axis would leave the closest points beside each other.
        if (apart && (m.distance > p_.off_surface || separation >= m.distance - p_.loss)) return n;
        const Vec3d axis = edge_ > face_ ? edge_normal_ : hull_.facet_normal(facet_);
        return m.distance > 0 && separation >= std::max(face_, edge_) ? n : axis;
    }

    Feature guest() const { return {bar_.is_point() ? FeatureType::vertex : FeatureType::edge, 0}; }

    void begin_face(double distance, Outcome& r) const {
        taker_.begin(r, hull_.facet_normal(facet_), distance);
        taker_.name(r, {FeatureType::face, hull_.face_of(facet_)}, guest());
    }

    void add_over_face(double t, std::uint32_t host_number) const {
        const double s = height(facet_, t);
        taker_.add(bar_.at(t) - hull_.facet_normal(facet_) * (0.5 * s), s, host_number, bar_.number(t));
    }

    // The number of the side of a face that x is over. Of two sides almost in one line both cut there; one has it.
    std::uint32_t side_at(std::uint32_t face, const Vec3d& n, const Vec3d& x) const {
        double least = std::numeric_limits<double>::infinity();
        Feature side{FeatureType::edge, 0};
        const Vec3d over = x - n * (dot(n, x) - hull_.offset[facet_]);
        for (std::uint32_t k = hull_.view.face_first[face]; k < hull_.view.face_first[face + 1]; ++k) {
            const Bar edge = edge_bar(hull_, hull_.view.face_edge[k]);
            const double away = length(edge.at(edge.nearest(over)) - over);
            if (!(away < least)) continue;
            least = away;
            side.index = hull_.view.face_edge[k];
        }
        return feature_number(bar_counts(), side);
    }

    // The part of the core over the best face: its ends within the margin. False if they are fewer than `least`, or
    // none is as deep as `limit`.
    bool take_face(double distance, double limit, std::size_t least, Outcome& r) const {
        const std::uint32_t face = hull_.face_of(facet_);
        const Vec3d n = hull_.facet_normal(facet_);
        const std::uint32_t first = hull_.view.face_first[face];
        const std::uint32_t sides = hull_.face_size(face);
        double t[2] = {0, ends_ == 2 ? 1.0 : 0.0};
        // Faces are the first of a hull's features. kNoIndex: a side cuts the core there.
        std::uint32_t number[2] = {face, face};
        for (std::uint32_t k = 0; k < sides; ++k) {
            const Vec3d p = hull_.vertex(hull_.view.face_vertex[first + k]);
            const Vec3d q = hull_.vertex(hull_.view.face_vertex[first + (k + 1) % sides]);
            const Vec3d inward = normalized(cross(n, q - p));
            const double d0 = dot(inward, bar_.at(0) - p);
            const double d1 = dot(inward, bar_.at(ends_ - 1) - p);
            if (d0 < -p_.inside && d1 < -p_.inside) return false;
            // A side that an end is beyond by less than the tolerance may be crossed behind that end.
            const double cut = std::clamp(d0 / (d0 - d1), 0.0, 1.0);
            if (d0 < -p_.inside && cut > t[0]) {
                t[0] = cut;
                number[0] = kNoIndex;
            } else if (d1 < -p_.inside && cut < t[1]) {
                t[1] = cut;
                number[1] = kNoIndex;
            }
        }
        if (t[0] > t[1]) return false;
        for (int k = 0; k < 2; ++k) {
            if (number[k] != face) number[k] = side_at(face, n, bar_.at(t[k]));
        }
        const bool one = (t[1] - t[0]) * length(bar_.along) <= p_.same_point;
        if (one && height(facet_, t[1]) < height(facet_, t[0])) {
            t[0] = t[1];
            number[0] = number[1];
        }
        double deepest = std::numeric_limits<double>::infinity();
        std::size_t kept = 0;
        for (int k = 0; k < (one ? 1 : 2); ++k) {
            deepest = std::min(deepest, height(facet_, t[k]));
            kept += height(facet_, t[k]) <= p_.margin + p_.tie ? 1U : 0U;
        }
        if (kept < least || !(deepest <= limit)) return false;
        begin_face(distance, r);
        for (int k = 0; k < (one ? 1 : 2); ++k) {
            if (height(facet_, t[k]) <= p_.margin + p_.tie) add_over_face(t[k], number[k]);
        }
        return true;
    }

    // The lowest point, where rounding puts it beside the face: of a core that is level with the face the point that is
    // nearest to its sides, because the lower end may be far from them.
    void take_support(double distance, Outcome& r) const {
        const std::uint32_t face = hull_.face_of(facet_);
        double t = low_end(facet_);
        const double level = height(facet_, t) + p_.depth_loss;
        double least = std::numeric_limits<double>::infinity();
        for (std::uint32_t k = hull_.view.face_first[face]; k < hull_.view.face_first[face + 1]; ++k) {
            const Meeting m = closest_on_bars(edge_bar(hull_, hull_.view.face_edge[k]), bar_);
            if (!(m.distance < least)) continue;
            least = m.distance;
            if (height(facet_, m.t) <= level) t = m.t;
        }
        begin_face(distance, r);
        add_over_face(t, face);
    }

    void take_edge(const Meeting& m, std::uint32_t edge, const Vec3d& normal, double distance, Outcome& r) const {
        const Bar host = edge_bar(hull_, edge);
        const bool inner = host.feature(m.s).type == FeatureType::edge;
        if (hull_.is_diagonal(edge) && inner) {
            // A chord of a split face is no feature: the face is.
            taker_.begin(r, normal, distance);
            const std::uint32_t face = hull_.face_of(hull_.edge(edge).facet0);
            taker_.name(r, {FeatureType::face, face}, guest());
            taker_.add((m.p + m.q) * 0.5, distance, face, bar_.number(m.t));
            return;
        }
        if (!hull_.is_diagonal(edge) && taker_.take_common_part(host, bar_, normal, distance, r)) return;
        taker_.take_meeting(host, bar_, m, normal, distance, r);
    }

    // The feature of the hull at x: a vertex or an edge that is there, or the face with most corners of the simplex.
    Feature feature_at(const Vec3d& x) const {
        for (std::uint32_t k = 0; k < corners_; ++k) {
            if (length(hull_.vertex(simplex_[k]) - x) <= p_.same_point) return {FeatureType::vertex, simplex_[k]};
        }
        for (std::uint32_t e = 0; e < hull_.record->edge_count; ++e) {
            const Bar edge = edge_bar(hull_, e);
            if (length(edge.at(edge.nearest(x)) - x) <= p_.same_point) return {FeatureType::edge, e};
        }
        Feature best{FeatureType::face, hull_.face_of(facet_)};
        std::uint32_t most = 0;
        for (std::uint32_t f = 0; f < hull_.record->face_count; ++f) {
            std::uint32_t shared = 0;
            for (std::uint32_t k = hull_.view.face_first[f]; k < hull_.view.face_first[f + 1]; ++k) {
                const std::uint32_t* const end = simplex_ + corners_;
                shared += std::find(simplex_, end, hull_.view.face_vertex[k]) != end ? 1U : 0U;
            }
            if (shared > most) best.index = f;
            most = std::max(most, shared);
        }
        return best;
    }

    void take_iterated(const Meeting& m, const Vec3d& normal, double distance, Outcome& r) const {
        const Feature host = feature_at(m.p);
        taker_.begin(r, normal, distance);
        taker_.name(r, host, host.type == FeatureType::face ? guest() : bar_.feature(m.t));
        taker_.add((m.p + m.q) * 0.5, distance, feature_number(bar_counts(), host), bar_.number(m.t));
    }

    FeatureCounts bar_counts() const { return hull_.record->feature_counts(); }

    const Problem& p_;
    const Solid& hull_;
    Bar bar_;
    std::uint32_t ends_;
    ContactTaker taker_;
    double face_ = -std::numeric_limits<double>::infinity();
    std::uint32_t facet_ = 0;
    double edge_ = -std::numeric_limits<double>::infinity();
    std::uint32_t edge_index_ = 0;
    Vec3d edge_normal_;
    bool iterated_ = false;  // the closest points are those of the iteration
    std::uint32_t simplex_[4] = {};
    std::uint32_t corners_ = 0;
};

}  // namespace

bool has_small_core(const PrecisePair& pair) { return is_small(*pair.a) || is_small(*pair.b); }

Outcome solve_small(const PrecisePair& pair, Problem& p, PreciseScratch::Impl& memory) {
    if (!prepare(pair, memory, p)) return {};
    Outcome r;
    if (is_small(*pair.a) && is_small(*pair.b)) {
        r = solve_bars(p, memory);
    } else {
        prepare_planes(memory, p);
        r = OnHull(p, memory, is_small(*pair.a)).solve();
    }
    if (r.reported && pair.points == PointSelection::impact) keep_impact_points(p, memory.points);
    return r;
}

}  // namespace lanefold::detail
