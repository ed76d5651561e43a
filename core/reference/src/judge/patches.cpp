// SPDX-License-Identifier: MIT
//
// The contact area of two support patches: the published intersection (contact_features.hpp), three times, with the
// tolerances a little narrower and wider. A corner that all of them have is certain. Corners that are nearer to each
// other than rounding can tell (the two rims of a thin plate) may have been counted apart: a fourth time shows how
// many.
#include <algorithm>
#include <cmath>
#include <limits>

#include <lanefold/contact_features.hpp>

#include "placed.hpp"
#include "text.hpp"

namespace lanefold::reference::judging {

namespace {

// Corners of an outline and points this near to each other, relative to the smaller hull, are taken for one.
constexpr double kSamePoint = 1e-6;

// How much narrower and wider the bands are.
constexpr double kOpen = 1e-3;

constexpr double kImpactBand = 1e-3;

std::vector<Corner> corners_of(const Trial& t, const published::Polyhedron& a, const published::Polyhedron& b,
                               const Plane& plane, double wider, bool apart = false) {
    published::PatchSettings settings;
    settings.band = static_cast<double>(kPatchBand) * t.bounds.smaller * (1.0 + kOpen * wider);
    settings.margin = static_cast<double>(t.pair.margin) + wider * 4.0 * kDistanceTolerance * t.bounds.unit;
    settings.same = kSamePoint * t.bounds.smaller * (wider < 0 ? 0.01 : wider > 0 ? 4.0 : 1.0);
    settings.reference_on_b = t.reference_is_b();
    if (apart) settings.merge = -1;
    settings.face_a = t.record.m.feature_a;
    settings.face_b = t.record.m.feature_b;
    std::vector<Corner> out;
    for (const published::PatchPoint& p : published::clip_patches(a, b, t.normal, settings).points) {
        Corner c;
        const PlanPoint at = plane.at(p.position);
        c.u = at.u;
        c.v = at.v;
        c.separation = p.separation;
        out.push_back(c);
    }
    if (t.pair.points != PointSelection::impact) return out;
    double deepest = std::numeric_limits<double>::infinity();
    for (const Corner& c : out) deepest = std::min(deepest, c.separation);
    const double limit = deepest + kImpactBand * t.bounds.smaller * (1.0 + 10.0 * kOpen * wider);
    std::erase_if(out, [&](const Corner& c) { return c.separation > limit; });
    return out;
}

bool near(const std::vector<Corner>& corners, double u, double v, double within) {
    return std::any_of(corners.begin(), corners.end(),
                       [&](const Corner& c) { return std::hypot(c.u - u, c.v - v) <= within; });
}

// What is wrong with the area that the points cover.
std::string complain(const Trial& t) {
    const Plane plane(t.normal);
    PoseD about_a;
    about_a.rotation = t.pair.pose_a.rotation;
    PoseD of_b;
    of_b.rotation = t.pair.pose_b.rotation;
    of_b.position = t.b.offset();
    const published::Polyhedron a = published::make_polyhedron(*t.pair.record_a, about_a);
    const published::Polyhedron b = published::make_polyhedron(*t.pair.record_b, of_b);
    const std::vector<Corner> narrow = corners_of(t, a, b, plane, -1);
    const std::vector<Corner> plain = corners_of(t, a, b, plane, 0);
    const std::vector<Corner> wide = corners_of(t, a, b, plane, 1);
    const double within = 1e-3 * t.bounds.smaller;
    const auto in_all = [&](const Corner& c) { return near(narrow, c.u, c.v, within) && near(wide, c.u, c.v, within); };
    std::vector<PlanPoint> points;
    for (std::uint32_t i = 0; i < t.count(); ++i) points.push_back(plane.at(vec(t.point(i).position)));
    for (std::size_t i = 0; i < points.size(); ++i) {
        const auto& p = points[i];
        if (near(narrow, p.u, p.v, within) || near(plain, p.u, p.v, within) || near(wide, p.u, p.v, within)) continue;
        return text("point %zu is no corner of the contact area", i);
    }
    const std::size_t total = t.record.m.total;
    const std::size_t least = std::min({narrow.size(), plain.size(), wide.size()});
    const std::size_t most = corners_of(t, a, b, plane, 1, true).size();
    if (total + 2 < least || total > most + 2) {
        return text("%zu points in all, the contact area has %zu to %zu corners", total, least, most);
    }
    if (total <= t.count()) {
        for (const Corner& c : plain) {
            if (!in_all(c)) continue;
            const bool there = std::any_of(points.begin(), points.end(), [&](const PlanPoint& p) {
                return std::hypot(p.u - c.u, p.v - c.v) <= within;
            });
            if (there) continue;
            return text("a corner of the contact area with separation %.9g is not there", c.separation);
        }
        return {};
    }
    std::vector<PlanPoint> all;
    for (const Corner& c : plain) {
        if (in_all(c)) all.push_back({c.u, c.v, c.separation});
    }
    const double whole = twice_hull_area(all);
    t.out.area_share = whole > 0 ? std::min(twice_hull_area(points) / whole, 1.0) : 1.0;
    // Which four are kept depends on fixed directions (docs/methods.md), and a spike between two of them may be left
    // out. Of sixteen none is that far from all the others, though the deepest may have taken the place of one.
    if (t.record.capacity == Manifold4::kCapacity) return {};
    double apart = 0;
    for (std::size_t i = 0; i < points.size(); ++i) {
        double nearest = std::numeric_limits<double>::infinity();
        for (std::size_t k = 0; k < points.size(); ++k) {
            if (k != i) nearest = std::min(nearest, std::hypot(points[i].u - points[k].u, points[i].v - points[k].v));
        }
        apart = std::max(apart, nearest);
    }
    for (const PlanPoint& c : all) {
        double nearest = std::numeric_limits<double>::infinity();
        for (const PlanPoint& p : points) nearest = std::min(nearest, std::hypot(p.u - c.u, p.v - c.v));
        if (nearest > 2.0 * apart + within) return "the kept points leave out corners further apart than theirs";
    }
    return {};
}

// Records of two patches that are one face each come from the clip, and say so by the edges that they name.
bool is_clipped(const Trial& t) {
    if (!t.decodable()) return false;
    for (std::uint32_t i = 0; i < t.count(); ++i) {
        const auto f = decode_feature(t.a.counts(), t.b.counts(), t.point(i).feature);
        if (f && f->a.type == FeatureType::edge && f->b.type == FeatureType::edge) return true;
    }
    return false;
}

}  // namespace

void judge_patch_area(Trial& t) {
    const std::string complaint = complain(t);
    if (complaint.empty() || (is_clipped(t) && complain_of_clip(t).empty())) return;
    t.out.violate(Violation::coverage, complaint);
}

}  // namespace lanefold::reference::judging
