// SPDX-License-Identifier: MIT
//
// Derives the contact area of two faces again: corners of the incident face inside the reference face, crossings of
// their sides, corners of the reference face inside the incident one, seen along the normal. A corner is certain if its
// distance from every decision exceeds the bound of a point. Rounding decides about the other corners, so the record
// may hold any of them. This gives the points that must be there, those that may be, and their number before a
// reduction.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>

#include "placed.hpp"
#include "text.hpp"

namespace lanefold::reference::judging {

namespace {

// Points nearer to each other than this are one. Relative to the smaller hull's size.
constexpr double kSamePoint = 1e-6;

// Cosines between an incident face and the normal: above the first the face surely gives reference corners, below the
// second it is surely seen edge on. Between them the judge accepts both.
constexpr double kSurelyFacing = 0.012;
constexpr double kSurelyEdgeOn = 0.009;

constexpr double kImpactBand = 1e-3;

// `total` saturates at this count.
constexpr std::size_t kMostCounted = 65535;

// A clip whose deepest point is shallower than the contact by more than this may have been replaced. Relative to the
// smaller hull's size.
constexpr double kSurelyLost = 5e-7;

// The position of a point relative to a decision; open: within the tolerance.
enum class Side : std::uint8_t { in, open, out };

Side side_of(double inside, double tolerance) {
    if (inside > tolerance) return Side::in;
    return inside < -tolerance ? Side::out : Side::open;
}

Side both(Side x, Side y) {
    if (x == Side::out || y == Side::out) return Side::out;
    return x == Side::in && y == Side::in ? Side::in : Side::open;
}

// A convex polygon seen along the normal. Loops run counter-clockwise about `out`, or clockwise if `clockwise`.
class Outline {
public:
    Outline(const std::vector<Vec3d>& corners, const Vec3d& out, bool clockwise) : corners_(corners) {
        for (std::size_t k = 0; k < corners.size(); ++k) {
            const Vec3d side = corners[(k + 1) % corners.size()] - corners[k];
            const Vec3d inward = clockwise ? cross(side, out) : cross(out, side);
            lengths_.push_back(length(inward));
            inward_.push_back(inward * (1.0 / lengths_.back()));
        }
    }

    std::size_t size() const { return corners_.size(); }
    double inside(std::size_t k, const Vec3d& x) const { return dot(inward_[k], x - corners_[k]); }

    // Error of a side beside x if its corners have an error of `place`.
    double tolerance(std::size_t k, const Vec3d& x, double place) const {
        return place * (1.0 + 2.0 * length(x - corners_[k]) / lengths_[k]);
    }

    Side locate(const Vec3d& x, double place, double more = 0) const {
        Side at = Side::in;
        for (std::size_t k = 0; k < size(); ++k) {
            // A side without length decides nothing.
            const double t = tolerance(k, x, place) + more;
            at = both(at, std::isfinite(t) ? side_of(inside(k, x), t) : Side::open);
        }
        return at;
    }

private:
    std::vector<Vec3d> corners_;
    std::vector<Vec3d> inward_;
    std::vector<double> lengths_;
};

std::vector<Vec3d> corners_of(const Placed& hull, const std::vector<std::uint32_t>& loop) {
    std::vector<Vec3d> out;
    for (const std::uint32_t v : loop) out.push_back(hull.vertex(v));
    return out;
}

class Area {
public:
    explicit Area(const Trial& t)
        : t_(t),
          r_loop_(t.reference().loop(t.reference_face())),
          i_loop_(t.incident().loop(t.incident_face())),
          r_(corners_of(t.reference(), r_loop_)),
          i_(corners_of(t.incident(), i_loop_)),
          stored_out_(t.reference_is_b() ? -t.normal : t.normal),
          plane_(stored_out_) {
        // The unrounded normal, because three float32 numbers turn the plane of a large face by too much.
        const Vec3d near = t.reference().normal_near(t.reference_face(), stored_out_);
        out_ = length(near - stored_out_) < 4e-7 ? near : stored_out_;
        place_ = kDistanceTolerance * t.bounds.unit + t.bend() + t.bounds.noise +
                 kFloat * (length(t.b.offset()) + t.bounds.smaller);
        height_ = t.reference().support(out_);
        limit_ = static_cast<double>(t.pair.margin);
    }

    // The corners that the record must hold and those that it may hold.
    std::vector<Corner> corners() {
        const Outline reference(r_, out_, false);
        const Outline incident(i_, out_, true);
        add_incident_corners(reference);
        add_crossings(reference);
        add_reference_corners(incident);
        if (t_.pair.points == PointSelection::impact) keep_impact();
        return std::move(corners_);
    }

    double place() const { return place_; }
    const Plane& plane() const { return plane_; }

    // The place of a point in the order of a record: the incident loop with the crossings of each of its sides, then
    // the reference loop. `t`: where a crossing is along its side.
    struct Rank {
        std::size_t group = 0;
        std::size_t place = 0;
        double t = 0;
    };
    Rank rank(const FeaturePair& f, const Vec3d& x, bool as_boxes) const {
        const Feature& r = t_.reference_is_b() ? f.b : f.a;
        const Feature& i = t_.reference_is_b() ? f.a : f.b;
        const Placed& hull = t_.incident();
        const std::vector<std::uint32_t> loop = as_boxes ? hull.box_corners(t_.incident_face(), true) : i_loop_;
        if (i.type == FeatureType::vertex) return {0, index_of(loop, i.index), 0};
        if (i.type == FeatureType::face) {
            return {1, index_of(as_boxes ? t_.reference().box_corners(t_.reference_face(), false) : r_loop_, r.index),
                    0};
        }
        const std::size_t p = index_of(loop, hull.edge_end(i.index, 0));
        const std::size_t q = index_of(loop, hull.edge_end(i.index, 1));
        const std::size_t k = (p + 1) % loop.size() == q ? p : q;
        const Vec3d& from = hull.vertex(loop[k]);
        const Vec3d side = hull.vertex(loop[(k + 1) % loop.size()]) - from;
        const Vec3d flat = side - out_ * dot(out_, side);
        return {0, k, std::max(dot(x - from, flat) / length(flat), 0.0) + std::numeric_limits<double>::min()};
    }

private:
    static std::size_t index_of(const std::vector<std::uint32_t>& list, std::uint32_t value) {
        return static_cast<std::size_t>(std::find(list.begin(), list.end(), value) - list.begin());
    }

    // `below`: how far the point midway between the surfaces is below x, along the outward normal.
    void add(const Vec3d& x, double separation, double below, double error, double depth_error, Side place,
             const std::array<std::size_t, 2>& sides) {
        const double tolerance = 2.0 * place_ + depth_error;
        const Side all = both(place, side_of(limit_ - separation, tolerance));
        if (all == Side::out) return;
        const PlanPoint at = plane_.at(x);
        const Vec3d middle = x - out_ * below;
        const bool certain = all == Side::in && is_due(t_, middle, separation);
        corners_.push_back({at.u, at.v, separation, middle, error, certain, {sides[0], sides[1]}});
    }

    void add_incident_corners(const Outline& reference) {
        for (std::size_t j = 0; j < i_.size(); ++j) {
            const double separation = dot(out_, i_[j]) - height_;
            add(i_[j], separation, 0.5 * separation, 0, 0, reference.locate(i_[j], place_),
                {j, (j + i_.size() - 1) % i_.size()});
        }
    }

    void add_crossings(const Outline& reference) {
        for (std::size_t j = 0; j < i_.size(); ++j) {
            for (std::size_t k = 0; k < r_.size(); ++k) add_crossing(reference, j, k);
        }
    }

    void add_crossing(const Outline& reference, std::size_t j, std::size_t k) {
        const Vec3d& x = i_[j];
        const Vec3d& y = i_[(j + 1) % i_.size()];
        const double at_x = reference.inside(k, x);
        const double at_y = reference.inside(k, y);
        const double tx = reference.tolerance(k, x, place_);
        const double ty = reference.tolerance(k, y, place_);
        const Side sx = side_of(at_x, tx);
        const Side sy = side_of(at_y, ty);
        if (sx == sy && sx != Side::open) return;
        const double steps = std::fabs(at_x - at_y);
        const double span = length(y - x);
        const double w = steps > 0 ? std::clamp(at_x / (at_x - at_y), 0.0, 1.0) : 0.5;
        const Vec3d q = x + (y - x) * w;
        // A side that is almost parallel to the other one may cross it anywhere within this.
        const double own = reference.tolerance(k, q, place_);
        const double error = steps > 0 ? std::min(own * span / steps, span) : span;
        Side place = sx != Side::open && sy != Side::open ? Side::in : Side::open;
        for (std::size_t other = 0; other < r_.size(); ++other) {
            if (other == k) continue;
            place = both(place, side_of(reference.inside(other, q), reference.tolerance(other, q, place_) + error));
        }
        const double slope = std::fabs(dot(out_, y - x)) / span;
        const double separation = dot(out_, q) - height_;
        add(q, separation, 0.5 * separation, error, slope * error, place, {j, i_.size() + k});
    }

    void add_reference_corners(const Outline& incident) {
        const Vec3d out = t_.reference_is_b() ? t_.normal : -t_.normal;
        const double stored_cosine = dot(t_.incident().stored_normal(t_.incident_face()), out);
        if (stored_cosine < kSurelyEdgeOn) return;
        const Vec3d n = t_.incident().loop_normal(t_.incident_face());
        const double cosine = -dot(n, out_);
        for (std::size_t k = 0; k < r_.size(); ++k) {
            Side place = incident.locate(r_[k], place_);
            if (stored_cosine < kSurelyFacing || !(cosine > kSurelyEdgeOn)) place = both(place, Side::open);
            // Along the normal to the plane of the incident face; the error is that of the plane divided by the cosine.
            const double separation = dot(n, r_[k] - i_[0]) / cosine;
            const double depth_error = 2.0 * (place_ + kBuildDeviation * t_.incident().size()) / cosine;
            if (!std::isfinite(separation)) continue;
            add(r_[k], separation, -0.5 * separation, 0, depth_error, place,
                {i_.size() + k, i_.size() + (k + r_.size() - 1) % r_.size()});
        }
    }

    // Keeps only corners near the record's deepest point.
    void keep_impact() {
        double deepest = std::numeric_limits<double>::infinity();
        for (std::uint32_t i = 0; i < t_.count(); ++i) {
            deepest = std::min(deepest, static_cast<double>(t_.point(i).separation));
        }
        const double limit = deepest + kImpactBand * t_.bounds.smaller;
        std::vector<Corner> kept;
        for (Corner& c : corners_) {
            const Side place = side_of(limit - c.separation, 2.0 * place_ + c.error);
            if (place == Side::out) continue;
            c.certain = c.certain && place == Side::in;
            kept.push_back(c);
        }
        corners_ = std::move(kept);
    }

    const Trial& t_;
    std::vector<std::uint32_t> r_loop_;
    std::vector<std::uint32_t> i_loop_;
    std::vector<Vec3d> r_;
    std::vector<Vec3d> i_;
    Vec3d stored_out_;  // outward normal of the reference face
    Vec3d out_;
    Plane plane_;
    double place_ = 0;  // error of any point
    double height_ = 0;
    double limit_ = 0;
    std::vector<Corner> corners_;
};

struct Range {
    std::size_t least = 0;
    std::size_t most = 0;
};

// The possible numbers of points. Corners that are too near to each other to be distinguished form a cluster.
Range count_points(const std::vector<Corner>& corners, double near, std::size_t all_corners) {
    std::vector<std::size_t> root(corners.size());
    std::iota(root.begin(), root.end(), std::size_t{0});
    const auto find = [&](std::size_t i) {
        while (root[i] != i) i = root[i] = root[root[i]];
        return i;
    };
    for (std::size_t i = 0; i < corners.size(); ++i) {
        for (std::size_t k = 0; k < i; ++k) {
            const double d = std::hypot(corners[i].u - corners[k].u, corners[i].v - corners[k].v);
            if (d <= near + corners[i].error + corners[k].error) root[find(i)] = find(k);
        }
    }
    Range out;
    for (std::size_t r = 0; r < corners.size(); ++r) {
        if (find(r) != r) continue;
        std::size_t members = 0;
        bool certain = false;
        std::set<std::size_t> sides;
        for (std::size_t i = 0; i < corners.size(); ++i) {
            if (find(i) != r) continue;
            ++members;
            certain = certain || corners[i].certain;
            sides.insert(corners[i].sides.begin(), corners[i].sides.end());
        }
        out.least += certain ? 1U : 0U;
        // n lines bound a convex polygon of at most n corners.
        out.most += std::min(members, sides.size());
    }
    out.most = std::min(out.most, all_corners);
    return out;
}

double distance(const PlanPoint& p, const Corner& c) { return std::hypot(p.u - c.u, p.v - c.v); }

// Whether the record is the support vertex alone, which replaces a clip that loses the depth of the contact.
bool is_support_point(const Trial& t, const std::vector<Corner>& corners) {
    if (t.record.m.total != 1) return false;
    double deepest = std::numeric_limits<double>::infinity();
    for (const Corner& c : corners) {
        if (c.certain) deepest = std::min(deepest, c.separation);
    }
    return deepest > t.out.distance + t.preference() + t.held() + kSurelyLost * t.bounds.smaller;
}

// Index of the first point that should come before its predecessor; 0 if there is none.
std::uint32_t first_early(const Trial& t, const Area& area, const std::vector<Vec3d>& places, double slack,
                          bool as_boxes) {
    Area::Rank before;
    for (std::uint32_t i = 0; i < t.count(); ++i) {
        const auto f = decode_feature(t.a.counts(), t.b.counts(), t.point(i).feature);
        if (!f) return 0;
        const Area::Rank now = area.rank(*f, places[i], as_boxes);
        const bool early = now.group < before.group || (now.group == before.group && now.place < before.place);
        // Two crossings of one side that are too near to each other may come in either order.
        const bool back = now.group == before.group && now.place == before.place && now.t < before.t - slack;
        if (i > 0 && (early || back)) return i;
        before = now;
    }
    return 0;
}

std::string complain_of_order(const Trial& t, const Area& area, const std::vector<Vec3d>& places, double slack) {
    if (!t.decodable()) return {};
    const std::uint32_t early = first_early(t, area, places, slack, false);
    if (early == 0) return {};
    // The points of two boxes follow the boxes' own axes, unless the float64 path settled the pair.
    if (t.a.is_box() && t.b.is_box() && first_early(t, area, places, slack, true) == 0) return {};
    return text("point %u comes after point %u, against the order of the faces", early - 1, early);
}

}  // namespace

std::string complain_of_clip(const Trial& t) {
    Area area(t);
    const std::vector<Corner> corners = area.corners();
    double rounding = 0;  // of the stored positions
    double depth_rounding = 0;
    for (std::uint32_t i = 0; i < t.count(); ++i) {
        rounding = std::max(rounding, 2.0 * kFloat * t.stored(vec(t.point(i).position)));
        depth_rounding = std::max(depth_rounding, 2.0 * kFloat * std::fabs(static_cast<double>(t.point(i).separation)));
    }
    const double near = 2.0 * kSamePoint * t.bounds.smaller + 4.0 * area.place() + rounding;
    std::vector<PlanPoint> points;
    std::vector<Vec3d> places;
    for (std::uint32_t i = 0; i < t.count(); ++i) {
        places.push_back(vec(t.point(i).position));
        points.push_back(area.plane().at(places.back()));
        points.back().separation = static_cast<double>(t.point(i).separation);
    }
    if (std::string early = complain_of_order(t, area, places, near); !early.empty()) return early;
    if (is_support_point(t, corners)) return {};
    for (std::size_t i = 0; i < points.size(); ++i) {
        const bool known = std::any_of(corners.begin(), corners.end(),
                                       [&](const Corner& c) { return distance(points[i], c) <= near + c.error; });
        if (!known) {
            return text("point %u is not a corner of the contact area", number(i));
        }
    }
    const std::size_t sides =
        t.reference().loop(t.reference_face()).size() + t.incident().loop(t.incident_face()).size();
    const Range range = count_points(corners, near, sides);
    const std::size_t total = t.record.m.total;
    if (total < std::min(range.least, kMostCounted) || total > range.most) {
        return text("%u points in all, the contact area has %u to %u corners", number(total), number(range.least),
                    number(range.most));
    }
    if (total <= t.count()) {
        for (const Corner& c : corners) {
            if (!c.certain) continue;
            const bool there = std::any_of(points.begin(), points.end(),
                                           [&](const PlanPoint& p) { return distance(p, c) <= near + c.error; });
            if (there) continue;
            return text("a corner of the contact area with separation %.9g is missing", c.separation);
        }
        return {};
    }
    if (t.pair.hysteresis > 0 || t.patches()) return {};  // previous points may stay
    const bool spread = t.record.capacity == Manifold4::kCapacity
                            ? spread_keeps(corners, points, 4.0 * near, 8.0 * area.place() + depth_rounding)
                            : spread_covers(corners, points, 4.0 * near);
    return spread ? "" : "the kept points leave out corners further apart than theirs";
}

void judge_clip_area(Trial& t) {
    const std::string complaint = complain_of_clip(t);
    if (!complaint.empty()) t.out.violate(Violation::coverage, complaint);
}

}  // namespace lanefold::reference::judging
