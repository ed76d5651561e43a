// SPDX-License-Identifier: MIT
//
// The patch manifold (ContactMethod::patch). A support patch is the convex outline, in the contact plane, of a hull's
// vertices within a band of its support. The points of the manifold are the corners of the intersection of both
// patches. The separation at a point is measured along the normal between the two surfaces. published::clip_patches()
// is a separate float64 version for comparison.

#include "precise/patch_faces.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

#include <lanefold/detail/plane_hull.hpp>

#include "precise/beyond_tip.hpp"
#include "precise/outline.hpp"
#include "precise/plane_axes.hpp"
#include "precise/witness.hpp"

namespace lanefold::detail {

namespace {

// Facets whose normal has a smaller cosine against the outward direction are left out: they are upright to rounding.
// If one is left out, the surface seems to go on outwards, by a millionth of its height. The height where a line
// along the normal meets a steep plane is off by the plane's error divided by the cosine, but the point stays on the
// facet: it slides along it.
constexpr double kLeastCosine = 1e-6;

// The place of a point in an outline.
struct Place {
    double inside = -std::numeric_limits<double>::infinity();  // distance inside the nearest side
    double rim = -std::numeric_limits<double>::infinity();     // height of that side's chord beside the point
};

double chord_height(const OutlineCorner& p, const OutlineCorner& q, double u, double v) {
    const double du = q.u - p.u;
    const double dv = q.v - p.v;
    const double w = ((u - p.u) * du + (v - p.v) * dv) / (du * du + dv * dv);
    return p.height + (q.height - p.height) * std::clamp(w, 0.0, 1.0);
}

// An outline without area has no inside.
Place locate(const std::vector<OutlineCorner>& o, double u, double v) {
    Place place;
    if (o.size() < 3) return place;
    place.inside = std::numeric_limits<double>::infinity();
    for (std::size_t k = 0; k < o.size(); ++k) {
        const OutlineCorner& p = o[k];
        const OutlineCorner& q = o[k + 1 < o.size() ? k + 1 : 0];
        const double du = q.u - p.u, dv = q.v - p.v;
        const double inside = turn(p, q, u, v) / std::sqrt(du * du + dv * dv);
        if (inside >= place.inside) continue;
        place.inside = inside;
        place.rim = chord_height(p, q, u, v);
    }
    return place;
}

class PatchClipper {
public:
    PatchClipper(const Problem& p, PreciseScratch::Impl& memory, const FaceAxis& axis, double band)
        : p_(p),
          memory_(memory),
          axis_(axis),
          side_{&(axis.on_b ? p.b : p.a), &(axis.on_b ? p.a : p.b)},
          band_(band),
          inside_(p.inside),
          same_(p.same_point) {
        out_ = axis.on_b ? p.from_b.rotation * axis.normal : axis.normal;
        const PlaneAxes axes(out_);
        across_ = axes.across;
        along_ = axes.along;
        face_[0] = side_[0]->face_of(axis.facet);
        face_[1] = incident_face(p, axis);
        limit_ = std::max(p.margin + p.tie + p.bend, axis.separation + 2 * band_);
        memory_.points.clear();
    }

    FaceContact run() {
        gather(0);
        gather(1);
        const std::vector<OutlineCorner>& reference = memory_.patch.outline[0];
        const std::vector<OutlineCorner>& incident = memory_.patch.outline[1];
        for (const OutlineCorner& c : memory_.patch.corners[1]) add_vertex(1, c, locate(reference, c.u, c.v));
        for (const OutlineCorner& c : reference) add_vertex(0, c, locate(incident, c.u, c.v));
        for (std::size_t i = 0; i < sides(reference); ++i) {
            for (std::size_t j = 0; j < sides(incident); ++j) add_crossing(reference, i, incident, j);
        }
        FaceContact c = faces();
        for (const ClipPoint& q : memory_.points) c.deepest = std::min(c.deepest, q.separation);
        return c;
    }

private:
    // The contact, without its points.
    FaceContact faces() const {
        return {axis_.on_b ? -out_ : out_, face_[0], face_[1], std::numeric_limits<double>::infinity()};
    }
    // Outward direction of a side (0: reference, 1: incident) in local A.
    Vec3d outward(int side) const { return side == 0 ? out_ : -out_; }
    bool is_b(int side) const { return (side == 0) == axis_.on_b; }

    static std::size_t sides(const std::vector<OutlineCorner>& o) { return o.size() >= 3 ? o.size() : o.size() - 1; }

    void gather(int side) {
        const Solid& solid = *side_[side];
        const Vec3d direction = outward(side);
        const auto corner = [&](std::uint32_t v) {
            const Vec3d x = is_b(side) ? transform(p_.from_b, solid.vertex(v)) : solid.vertex(v);
            return OutlineCorner{dot(across_, x), dot(along_, x), dot(direction, x), v};
        };
        const double top = corner(side == 0 ? axis_.own : axis_.support).height;
        std::vector<OutlineCorner>& corners = memory_.patch.corners[side];
        corners.clear();
        for (std::uint32_t v = 0; v < solid.vertices; ++v) {
            const OutlineCorner c = corner(v);
            if (c.height >= top - band_) corners.push_back(c);
        }
        // The significant face belongs to the patch even if it is steep. Otherwise the patch of a hull much larger than
        // the band would be a single vertex.
        const std::uint32_t f = face_[side];
        for (std::uint32_t k = solid.view.face_first[f]; k < solid.view.face_first[f + 1]; ++k) {
            const OutlineCorner c = corner(solid.view.face_vertex[k]);
            if (c.height < top - band_) corners.push_back(c);
        }
        top_[side] = top;
        std::sort(corners.begin(), corners.end(), [](const OutlineCorner& p, const OutlineCorner& q) {
            if (p.u != q.u) return p.u < q.u;
            return p.v != q.v ? p.v < q.v : p.vertex < q.vertex;
        });
        make_outline(corners, same_, memory_.patch.hull, memory_.patch.outline[side]);
    }

    // Height of a hull's surface over the point (u, v) along its outward direction, and the canonical face there. No
    // point is above the support, however rounding places the planes. The significant face is the one at the point if
    // its plane is there to the resolution of points: of faces that are level, and near a ridge, rounding would choose.
    double surface(int side, double u, double v, std::uint32_t& face) const {
        const Solid& solid = *side_[side];
        const Vec3d local_x = across_ * u + along_ * v;
        const Vec3d x = is_b(side) ? transpose_times(p_.from_b.rotation, local_x - p_.from_b.position) : local_x;
        const Vec3d d = is_b(side) ? transpose_times(p_.from_b.rotation, outward(side)) : outward(side);
        double height = top_[side];
        double lowest = std::numeric_limits<double>::infinity();
        double significant = lowest;
        std::uint32_t lowest_face = face_[side];
        face = face_[side];
        for (std::uint32_t f = 0; f < solid.facets; ++f) {
            const Vec3d n = solid.facet_normal(f);
            const double cosine = dot(n, d);
            if (cosine < kLeastCosine) continue;
            const double h = (solid.offset[f] - dot(n, x)) / cosine;
            if (h < height) {
                height = h;
                face = solid.face_of(f);
            }
            if (h < lowest) {
                lowest = h;
                lowest_face = solid.face_of(f);
            }
            if (solid.face_of(f) == face_[side]) significant = std::min(significant, h);
        }
        if (significant <= height + same_) {
            face = face_[side];
        } else if (face == face_[side]) {
            face = lowest_face;
        }
        return height;
    }

    // Returns false if a hull is thin and the point is off a surface.
    bool add(double u, double v, double reference_height, double incident_height, const Feature& on_reference,
             const Feature& on_incident) {
        double separation = -incident_height - reference_height;
        if (!(separation <= limit_)) return true;
        if (separation > p_.margin && separation <= p_.margin + p_.tie + p_.bend) separation = p_.margin;
        const auto near = [&](const ClipPoint& q) {
            return (q.u - u) * (q.u - u) + (q.v - v) * (q.v - v) <= same_ * same_;
        };
        const auto there = std::find_if(memory_.points.begin(), memory_.points.end(), near);
        if (there != memory_.points.end() && there->separation <= separation) return true;
        const std::uint32_t r = feature_number(side_[0]->record->feature_counts(), on_reference);
        const std::uint32_t i = feature_number(side_[1]->record->feature_counts(), on_incident);
        ClipPoint c;
        c.middle = across_ * u + along_ * v + out_ * (0.5 * (reference_height - incident_height));
        c.separation = separation;
        c.u = u;
        c.v = v;
        c.number_a = axis_.on_b ? i : r;
        c.number_b = axis_.on_b ? r : i;
        // The deeper one of two at one place may be off a surface, over a face that is seen edge on.
        if (p_.thin && !is_true_point(p_, c, faces(), axis_.on_b)) return false;
        if (there != memory_.points.end()) {
            *there = c;  // the deeper of two at one place
        } else {
            memory_.points.push_back(c);
        }
        return true;
    }

    // Adds a point at a vertex of one hull. Its feature on the other hull is the face there. At the rim of a patch,
    // rounding decides whether the steep faces below it cover the point. The chord between two vertices lies inside the
    // hull, so the surface is no lower than the chord.
    void add_vertex(int side, const OutlineCorner& c, const Place& place) {
        if (place.inside < -inside_) return;
        if (place.inside < 0 && is_beyond_tip(memory_.patch.outline[1 - side], c.u, c.v)) return;
        std::uint32_t face = 0;
        double other = surface(1 - side, c.u, c.v, face);
        if (place.inside <= inside_) other = std::max(other, place.rim);
        const Feature vertex{FeatureType::vertex, c.vertex};
        const Feature under{FeatureType::face, face};
        if (side == 0) {
            add(c.u, c.v, c.height, other, vertex, under);
        } else {
            add(c.u, c.v, other, c.height, under, vertex);
        }
    }

    bool is_beyond_tip(const std::vector<OutlineCorner>& outline, double u, double v) const {
        const auto at = [&](std::uint32_t k) { return Vec3d{outline[k].u, outline[k].v, 0}; };
        const auto corners = static_cast<std::uint32_t>(outline.size());
        return beyond_tip(corners, at, {0, 0, 1}, {u, v, 0}, tip_reach(p_.small, inside_));
    }

    // Adds the crossing of two sides of the outlines. Its features are the vertices at which the sides start.
    void add_crossing(const std::vector<OutlineCorner>& r, std::size_t i, const std::vector<OutlineCorner>& s,
                      std::size_t j) {
        const OutlineCorner &r0 = r[i], &r1 = r[i + 1 < r.size() ? i + 1 : 0];
        const OutlineCorner &s0 = s[j], &s1 = s[j + 1 < s.size() ? j + 1 : 0];
        const double from = turn(r0, r1, s0.u, s0.v);
        const double to = turn(r0, r1, s1.u, s1.v);
        const double left = turn(s0, s1, r0.u, r0.v);
        const double right = turn(s0, s1, r1.u, r1.v);
        if (!((from > 0 && to < 0) || (from < 0 && to > 0)) || !((left > 0 && right < 0) || (left < 0 && right > 0)))
            return;
        const double t = from / (from - to);
        const double u = s0.u + (s1.u - s0.u) * t;
        const double v = s0.v + (s1.v - s0.v) * t;
        // Chords between two vertices lie inside their hulls, so the surfaces are no lower than the chords.
        std::uint32_t face = 0;
        const double on_r = chord_height(r0, r1, u, v);
        const double on_s = chord_height(s0, s1, u, v);
        const double reference = std::max(surface(0, u, v, face), on_r);
        const double incident = std::max(surface(1, u, v, face), on_s);
        const Feature from_r{FeatureType::vertex, r0.vertex};
        const Feature from_s{FeatureType::vertex, s0.vertex};
        // Over faces of thin hulls that are seen edge on, planes are too high, while the chords may be edges.
        if (!add(u, v, reference, incident, from_r, from_s) && !add(u, v, on_r, on_s, from_r, from_s) &&
            !add(u, v, reference, on_s, from_r, from_s)) {
            add(u, v, on_r, incident, from_r, from_s);
        }
    }

    const Problem& p_;
    PreciseScratch::Impl& memory_;
    const FaceAxis& axis_;
    const Solid* side_[2];  // reference, incident
    std::uint32_t face_[2] = {};
    double top_[2] = {};
    double band_;
    double inside_;
    double same_;
    double limit_ = 0;
    Vec3d out_;  // outward normal of the reference face, local A
    Vec3d across_;
    Vec3d along_;
};

}  // namespace

FaceContact clip_patches(const Problem& p, PreciseScratch::Impl& memory, const FaceAxis& axis, double band) {
    return PatchClipper(p, memory, axis, band).run();
}

}  // namespace lanefold::detail
