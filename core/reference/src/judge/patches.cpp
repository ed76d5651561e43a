// SPDX-License-Identifier: MIT
//
// The contact area of two support patches: the intersection of contact_features.hpp, computed three times, with
// tolerances as they are, slightly narrower and slightly wider. A corner that all three have is certain. Corners that
// are too near to each other for rounding to distinguish (the two rims of a thin plate) may have been counted
// separately; a fourth computation gives their number.
#include <algorithm>
#include <cmath>
#include <limits>

#include <lanefold/contact_features.hpp>

#include "placed.hpp"
#include "text.hpp"

namespace lanefold::reference::judging {

namespace {

// Corners of an outline, and points, this near to each other are one. Relative to the smaller hull's size.
constexpr double kSamePoint = 1e-6;

// Relative change of the narrower and wider bands.
constexpr double kOpen = 1e-3;

constexpr double kImpactBand = 1e-3;

// Points that are shallower than the contact by more than this may have been replaced. Relative to the smaller hull's
// size.
constexpr double kSurelyLost = 5e-7;

// A value of `wider` that stands for corners at any separation.
constexpr double kAnywhere = 2.0;

// How far rounding may carry a point, beyond which a decision about it is certain.
double open_of(const Trial& t) {
    return 4.0 * kSamePoint * t.bounds.smaller + kDistanceTolerance * t.bounds.unit + t.bend();
}

// Height of the patches; wider: 1 for vertices that rounding may still have taken in, -1 without those that it may have
// left out. Heights of vertices are known as well as a distance is, which for narrow bands is more than kOpen of them.
double band_of(const Trial& t, double wider) {
    const double band = static_cast<double>(t.pair.patch_band) * t.bounds.smaller;
    return std::max(0.0, band + wider * (kOpen * band + kDistanceTolerance * t.bounds.unit));
}

using Outline = std::vector<published::PatchCorner>;

double distance_to_side(const Outline& o, std::size_t k, double u, double v) {
    const published::PatchCorner& p = o[k];
    const published::PatchCorner& q = o[(k + 1) % o.size()];
    const double du = q.u - p.u;
    const double dv = q.v - p.v;
    const double squared = du * du + dv * dv;
    const double w = squared > 0 ? std::clamp(((u - p.u) * du + (v - p.v) * dv) / squared, 0.0, 1.0) : 0.0;
    return std::hypot(p.u + du * w - u, p.v + dv * w - v);
}

bool on_rim(const Outline& o, double u, double v, double within) {
    for (std::size_t k = 0; k < o.size(); ++k) {
        if (distance_to_side(o, k, u, v) <= within) return true;
    }
    return false;
}

// Whether a point is a vertex of the outline in a row with its neighbours. If a narrower band lacks one of these,
// the vertex is a corner; with both it is none.
bool in_a_row(const Outline& o, double u, double v, double same, double open) {
    const std::size_t n = o.size();
    for (std::size_t k = 0; n > 2 && k < n; ++k) {
        if (!(std::hypot(o[k].u - u, o[k].v - v) <= same)) continue;
        const Outline side = {o[(k + n - 1) % n], o[(k + 1) % n]};
        if (distance_to_side(side, 0, u, v) <= open) return true;
    }
    return false;
}

// Direction of the side that starts at a vertex.
PlanPoint side_from(const Outline& o, std::uint32_t vertex) {
    const auto at = std::find_if(o.begin(), o.end(), [&](const auto& c) { return c.vertex == vertex; });
    if (at == o.end()) return {};
    const published::PatchCorner& q = at + 1 == o.end() ? o.front() : at[1];
    const double span = std::hypot(q.u - at->u, q.v - at->v);
    return {(q.u - at->u) / span, (q.v - at->v) / span, 0};
}

// A crossing of two sides is off by what they may be off over the sine of their angle.
double crossing_error(const published::PatchManifold& m, const published::PatchPoint& p, double open) {
    if (p.source != published::PatchPointSource::crossing) return 0;
    const PlanPoint a = side_from(m.patch_a.outline, p.index[0]);
    const PlanPoint b = side_from(m.patch_b.outline, p.index[1]);
    return open / std::fabs(a.u * b.v - a.v * b.u);
}

struct Corners {
    std::vector<Corner> all;
    Outline outline_a;
    Outline outline_b;
};

Corners corners_of(const Trial& t, const published::Polyhedron& a, const published::Polyhedron& b, const Plane& plane,
                   double wider, bool apart = false) {
    published::PatchSettings settings;
    settings.band = band_of(t, wider);
    settings.margin = static_cast<double>(t.pair.margin) + wider * 4.0 * kDistanceTolerance * t.bounds.unit;
    if (wider == kAnywhere) {
        settings.band = static_cast<double>(kPatchBand) * t.bounds.smaller * (1.0 + kOpen);
        settings.margin = std::numeric_limits<double>::infinity();
    }
    // Narrower: corners on the very rim of the other outline, where steep faces may claim them or not, do not count,
    // and neither do those that hardly stand out from their own. Wider, both do.
    const double same = kSamePoint * t.bounds.smaller;
    const double open = open_of(t);
    settings.same = wider < 0 ? -open : wider > 0 ? open : same;
    settings.straight = wider < 0 ? open : wider > 0 ? -open : 0;
    settings.merge = same;
    settings.reference_on_b = t.reference_is_b();
    if (apart) settings.merge = -1;
    settings.face_a = t.record.m.feature_a;
    settings.face_b = t.record.m.feature_b;
    const published::PatchManifold m = published::clip_patches(a, b, t.normal, settings);
    Corners out{{}, m.patch_a.outline, m.patch_b.outline};
    // The outlines are about the axes that the reference takes of a normal, which are the plane's.
    for (const published::PatchPoint& p : m.points) {
        Corner c;
        const PlanPoint at = plane.at(p.position);
        c.u = at.u;
        c.v = at.v;
        c.separation = p.separation;
        c.middle = p.position;
        c.error = crossing_error(m, p, open);
        out.all.push_back(c);
    }
    if (t.pair.points != PointSelection::impact || wider == kAnywhere) return out;
    double deepest = std::numeric_limits<double>::infinity();
    for (const Corner& c : out.all) deepest = std::min(deepest, c.separation);
    // Over a face that is seen almost edge on, a point of the record may be deeper than the corner by the width of a
    // bent face over the cosine, and still be on the surface. It selects what the record holds.
    for (std::uint32_t i = 0; wider < 0 && i < t.count(); ++i)
        deepest = std::min(deepest, static_cast<double>(t.point(i).separation));
    const double limit = deepest + kImpactBand * t.bounds.smaller * (1.0 + 10.0 * kOpen * wider);
    std::erase_if(out.all, [&](const Corner& c) { return c.separation > limit; });
    return out;
}

bool near(const std::vector<Corner>& corners, double u, double v, double within) {
    return std::any_of(corners.begin(), corners.end(),
                       [&](const Corner& c) { return std::hypot(c.u - u, c.v - v) <= within; });
}

// The corners of the contact area, with bands as they are, narrower and wider. Rounding decides about the corners
// between.
struct Area {
    std::vector<Corner> narrow;
    std::vector<Corner> plain;
    std::vector<Corner> wide;
    std::vector<Corner> open;  // however far apart the surfaces are there
    Outline outline_a;
    Outline outline_b;
    std::size_t most = 0;  // corners that a record may have counted
    double within = 0;     // a length: points nearer than that are the same
    double off = 0;        // a length: open_of(), how far rounding may carry a point
    double same = 0;       // a length: a corner this near to a vertex of an outline is that vertex

    // Two sides that lie along each other cross anywhere.
    bool in_some(double u, double v) const {
        const double rim = 2.0 * off;
        return near(plain, u, v, within) || near(wide, u, v, within) || near(narrow, u, v, within) ||
               near(open, u, v, within) || (on_rim(outline_a, u, v, rim) && on_rim(outline_b, u, v, rim));
    }
    bool in_all(const Corner& c) const {
        if (in_a_row(outline_a, c.u, c.v, same, off) || in_a_row(outline_b, c.u, c.v, same, off)) return false;
        return near(narrow, c.u, c.v, within) && near(wide, c.u, c.v, within);
    }
};

Area area_of(const Trial& t, const Plane& plane) {
    PoseD about_a;
    about_a.rotation = t.pair.pose_a.rotation;
    PoseD of_b;
    of_b.rotation = t.pair.pose_b.rotation;
    of_b.position = t.b.offset();
    const published::Polyhedron a = published::make_polyhedron(*t.pair.record_a, about_a);
    const published::Polyhedron b = published::make_polyhedron(*t.pair.record_b, of_b);
    Area area;
    area.narrow = corners_of(t, a, b, plane, -1).all;
    Corners plain = corners_of(t, a, b, plane, 0);
    area.plain = std::move(plain.all);
    area.outline_a = std::move(plain.outline_a);
    area.outline_b = std::move(plain.outline_b);
    area.wide = corners_of(t, a, b, plane, 1).all;
    area.open = corners_of(t, a, b, plane, kAnywhere).all;
    // An area that contains another one may have fewer corners.
    area.most = std::max({corners_of(t, a, b, plane, 1, true).all.size(), area.narrow.size(), area.plain.size()});
    area.off = open_of(t);
    area.same = kSamePoint * t.bounds.smaller;
    double rounding = 0;  // of the stored positions; it is large on a far larger floor
    for (std::uint32_t i = 0; i < t.count(); ++i)
        rounding = std::max(rounding, 2.0 * kFloat * t.stored(vec(t.point(i).position)));
    area.within = 1e-3 * t.bounds.smaller + rounding;
    return area;
}

double distance_to(const PlanPoint& p, const std::vector<PlanPoint>& points, std::size_t except) {
    double nearest = std::numeric_limits<double>::infinity();
    for (std::size_t k = 0; k < points.size(); ++k) {
        if (k != except) nearest = std::min(nearest, std::hypot(points[k].u - p.u, points[k].v - p.v));
    }
    return nearest;
}

// How many of the points are further than `within` from all points before them.
std::size_t count_apart(const std::vector<PlanPoint>& points, double within) {
    std::size_t count = 0;
    for (std::size_t i = 0; i < points.size(); ++i) {
        bool alone = true;
        for (std::size_t k = 0; k < i; ++k)
            alone = alone && std::hypot(points[i].u - points[k].u, points[i].v - points[k].v) > within;
        count += alone ? 1 : 0;
    }
    return count;
}

// Checks that all certain corners are there if none had to be left out.
std::string complain_of_missing(const Trial& t, const Area& area, const std::vector<PlanPoint>& points) {
    for (const Corner& c : area.plain) {
        if (!area.in_all(c)) continue;
        if (distance_to({c.u, c.v, c.separation}, points, points.size()) <= area.within + c.error) continue;
        if (!is_due(t, c.middle, c.separation)) continue;
        return text("a corner of the contact area with separation %.9g is missing", c.separation);
    }
    return {};
}

// Checks sixteen kept points: no corner is further from them than they are from each other, except that the deepest
// point may have replaced one.
std::string complain_of_spread(const Area& area, const std::vector<PlanPoint>& points,
                               const std::vector<PlanPoint>& all) {
    double apart = 0;
    for (std::size_t i = 0; i < points.size(); ++i) apart = std::max(apart, distance_to(points[i], points, i));
    for (const PlanPoint& c : all) {
        if (distance_to(c, points, points.size()) > 2.0 * apart + area.within)
            return "the kept points leave out corners further apart than theirs";
    }
    return {};
}

// Returns what is wrong with the area that the points cover; empty if nothing is.
std::string complain(const Trial& t) {
    const Plane plane(t.normal);
    const Area area = area_of(t, plane);
    std::vector<PlanPoint> points;
    for (std::uint32_t i = 0; i < t.count(); ++i) points.push_back(plane.at(vec(t.point(i).position)));
    for (std::size_t i = 0; i < points.size(); ++i) {
        if (!area.in_some(points[i].u, points[i].v))
            return text("point %u is not a corner of the contact area", number(i));
    }
    const std::size_t total = t.record.m.total;
    const std::size_t least = std::min({area.narrow.size(), area.plain.size(), area.wide.size()});
    // An area that rounding may carry away as a whole has no corner for certain, and any number of them within that.
    const std::size_t apart = total <= t.count() ? count_apart(points, open_of(t)) : total;
    if (total + 2 < least || apart > area.most + 2) {
        return text("%u points in all, the contact area has %u to %u corners", number(total), number(least),
                    number(area.most));
    }
    if (total <= t.count()) return complain_of_missing(t, area, points);
    std::vector<PlanPoint> all;
    for (const Corner& c : area.plain) {
        if (area.in_all(c)) all.push_back({c.u, c.v, c.separation});
    }
    const double whole = twice_hull_area(all);
    t.out.area_share = whole > 0 ? std::min(twice_hull_area(points) / whole, 1.0) : 1.0;
    // Fixed directions select the four points (docs/methods.md), and may leave out a spike between two of them.
    if (t.record.capacity == Manifold4::kCapacity) return {};
    return complain_of_spread(area, points, all);
}

// Whether the record comes from the clip, as for two patches of one face each: then its ids name edges.
bool is_clipped(const Trial& t) {
    if (!t.decodable()) return false;
    for (std::uint32_t i = 0; i < t.count(); ++i) {
        const auto f = decode_feature(t.a.counts(), t.b.counts(), t.point(i).feature);
        if (f && f->a.type == FeatureType::edge && f->b.type == FeatureType::edge) return true;
    }
    return false;
}

// Whether the patch may have been replaced by a clip through another vertex as deep, because it loses the depth of the
// contact.
bool may_lose_depth(const Trial& t) {
    const Area area = area_of(t, Plane(t.normal));
    double deepest = std::numeric_limits<double>::infinity();
    for (const Corner& c : area.narrow) deepest = std::min(deepest, c.separation);
    return deepest > t.out.distance + t.preference() + t.held() + kSurelyLost * t.bounds.smaller;
}

// Whether a vertex is so near to the end of its band that rounding decides whether the patch has more than one face.
bool is_open(const Trial& t, const Placed& hull, const Vec3d& outward) {
    const double top = hull.support(outward);
    for (std::uint32_t v = 0; v < hull.vertices(); ++v) {
        const double below = top - hull.height(v, outward);
        if (below > band_of(t, -2) && below < band_of(t, 2)) return true;
    }
    return false;
}

}  // namespace

void judge_patch_area(Trial& t) {
    const std::string complaint = complain(t);
    if (complaint.empty()) return;
    const bool clipped = is_clipped(t) || may_lose_depth(t) || is_open(t, t.a, t.normal) || is_open(t, t.b, -t.normal);
    if (clipped && complain_of_clip(t).empty()) return;
    t.out.violate(Violation::coverage, complaint);
}

}  // namespace lanefold::reference::judging
