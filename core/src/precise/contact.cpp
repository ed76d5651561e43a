// SPDX-License-Identifier: MIT
//
// The face manifold: the incident face clipped by the side planes of the reference face, seen along the contact normal.
// Its points are the incident vertices inside the reference face, the crossings of incident edges with its sides, and
// the reference vertices inside the incident face. Faces may have any size.

#include "precise/contact.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <lanefold/detail/geometry/edge_clip.hpp>

#include "precise/beyond_tip.hpp"
#include "precise/clip_rows.hpp"
#include "precise/facets.hpp"
#include "precise/plane_axes.hpp"
#include "precise/witness.hpp"

namespace lanefold::detail {

namespace {

// Cosine between the incident face's normal and the contact normal, below which the face is seen edge on. A line along
// the contact normal meets its plane with the plane's error divided by the cosine, so reference vertices are not
// projected onto such a face.
constexpr double kEdgeOn = 0.01;

// Cosines of normals that are closer than this are equal, and the lower face number wins. It is the resolution of
// float32 normals; a larger value would take a face for the most anti-parallel one that is not.
constexpr double kNormalResolution = 1e-7;

// Distance inside of a side, relative to the smaller hull, that is far inside: 1e4 times Tolerances::inside.
constexpr double kClear = 1e-3;

// Problem::scale, relative to the smaller hull, up to which coordinates are exact to 1e-12 of the smaller hull.
constexpr double kResolved = 1e4;

// No side of the reference face.
constexpr std::int32_t kNoSide = -1;

class Clipper {
public:
    Clipper(const Problem& p, PreciseScratch::Impl& memory, const FaceAxis& axis, double inside)
        : p_(p),
          memory_(memory),
          rows_(memory.clip),
          on_b_(axis.on_b),
          reference_(axis.on_b ? p.b : p.a),
          incident_(axis.on_b ? p.a : p.b),
          face_(reference_.face_of(axis.facet)),
          inside_(inside),
          same_(p.same_point),
          clear_(p.scale <= kResolved * p.small) {
        out_ = on_b_ ? p.from_b.rotation * axis.normal : axis.normal;
        height_ = on_b_ ? axis.offset + dot(out_, p.from_b.position) : axis.offset;
        incident_face_ = incident_face(p, axis);
        const PlaneAxes axes(out_);
        across_ = axes.across;
        along_ = axes.along;
        memory_.points.clear();
    }

    FaceContact faces() const {
        return {on_b_ ? -out_ : out_, face_, incident_face_, std::numeric_limits<double>::infinity()};
    }

    FaceContact describe() const {
        FaceContact c = faces();
        for (const ClipPoint& q : memory_.points) c.deepest = std::min(c.deepest, q.separation);
        return c;
    }

    // Makes `face` the incident face if it is nearly as good as the best one (clip_faces() with a given incident face).
    void prefer_incident(std::uint32_t face, const FaceAxis& axis, double band) {
        if (face >= incident_.record->face_count || face == incident_face_) return;
        const Vec3d best = incident_axes(face_normal(incident_, incident_face_));
        const Vec3d other = incident_axes(face_normal(incident_, face));
        if (!(dot(out_, other) < 0)) return;
        // Compares sines, because the cosines of small tilts differ only by second-order terms.
        if (!(length(cross(out_, other)) <= length(cross(out_, best)) + band / p_.small)) return;
        const std::uint32_t first = incident_.view.face_first[face];
        double lowest = std::numeric_limits<double>::infinity();
        for (std::uint32_t k = 0; k < incident_.face_size(face); ++k) {
            lowest = std::min(lowest, dot(out_, incident_at(incident_.view.face_vertex[first + k])) - height_);
        }
        if (lowest <= axis.separation + band) incident_face_ = face;
    }

    void set_incident(std::uint32_t face) { incident_face_ = face; }

    void clip() {
        make_sides();
        gather_corners();
        clip_incident_loop();
        add_reference_vertices();
    }

    void add_incident_vertex(std::uint32_t vertex) {
        any_point_ = true;
        const Vec3d x = incident_at(vertex);
        add(x, dot(out_, x) - height_, {FeatureType::face, face_}, {FeatureType::vertex, vertex});
    }

private:
    Vec3d reference_at(std::uint32_t v) const {
        return on_b_ ? transform(p_.from_b, reference_.vertex(v)) : reference_.vertex(v);
    }
    Vec3d incident_at(std::uint32_t v) const {
        return on_b_ ? incident_.vertex(v) : transform(p_.from_b, incident_.vertex(v));
    }
    Vec3d incident_axes(const Vec3d& n) const { return on_b_ ? n : p_.from_b.rotation * n; }

    // Adds a point of the incident hull at `x`, `separation` above the reference face.
    void add(const Vec3d& x, double separation, const Feature& on_reference, const Feature& on_incident) {
        if (!(separation <= p_.margin + p_.tie + p_.bend)) return;
        if (tips_ && !any_point_ && is_beyond_tip(ClipMemory::reference, sides_, x)) return;
        add_middle(x - out_ * (0.5 * separation), separation, on_reference, on_incident);
    }

    void add_middle(const Vec3d& middle, double separation, const Feature& on_reference, const Feature& on_incident) {
        const std::uint32_t r = feature_number(reference_.record->feature_counts(), on_reference);
        const std::uint32_t i = feature_number(incident_.record->feature_counts(), on_incident);
        ClipPoint c;
        c.middle = middle;
        c.separation = std::min(separation, p_.margin);
        c.u = dot(across_, middle);
        c.v = dot(along_, middle);
        c.number_a = on_b_ ? i : r;
        c.number_b = on_b_ ? r : i;
        if (p_.thin && !any_point_ && !is_true_point(p_, c, faces(), on_b_)) return;
        memory_.points.push_back(c);
    }

    void make_sides() {
        const std::uint32_t first = reference_.view.face_first[face_];
        sides_ = reference_.face_size(face_);
        const double least = p_.thin ? least_side(reference_.record->size) : 0.0;
        const auto at = [&](std::uint32_t k) {
            return reference_at(reference_.view.face_vertex[first + (k < sides_ ? k : k - sides_)]);
        };
        Vec3d from = at(0);
        Vec3d before = from - at(sides_ - 1);
        Vec3d to = at(1);
        tips_ = false;
        for (std::uint32_t k = 0; k < sides_; ++k) {
            const Vec3d next = at(k + 2);
            rows_.put_side(k, from, to, out_, !bounds_face(before, to - from, next - to, out_, least));
            tips_ = tips_ || is_tip(before, to - from, inside_, tip_reach(p_.small, inside_));
            before = to - from;
            from = to;
            to = next;
        }
        rows_.end_sides(sides_);
    }

    bool is_beyond_tip(ClipMemory::Row face, std::uint32_t count, const Vec3d& x) const {
        const auto at = [&](std::uint32_t k) { return rows_.at(face, k); };
        return beyond_tip(count, at, out_, x, tip_reach(p_.small, inside_));
    }

    void gather_corners() {
        const std::uint32_t first = incident_.view.face_first[incident_face_];
        corners_ = incident_.face_size(incident_face_);
        for (std::uint32_t j = 0; j < corners_; ++j) {
            rows_.put(ClipMemory::corner, j, incident_at(incident_.view.face_vertex[first + j]));
        }
    }

    Vec3d corner(std::uint32_t j) const { return rows_.at(ClipMemory::corner, j); }

    bool measure(const Vec3d& x, double* heights) {
        return rows_.measure(sides_, x, inside_, kClear * p_.small, heights, clear_);
    }

    void clip_incident_loop() {
        const std::uint32_t first = incident_.view.face_first[incident_face_];
        // The last side needs the first corner's heights again, so these have a row of their own. The other corners
        // alternate between two rows.
        const double* first_row = rows_.row(ClipMemory::heights_first);
        const double* at_x = first_row;
        double* at_y = rows_.row(ClipMemory::heights_1);
        double* spare = rows_.row(ClipMemory::heights_2);
        const Vec3d start = corner(0);
        const bool start_inside = measure(start, rows_.row(ClipMemory::heights_first));
        Vec3d x = start;
        bool inside = start_inside;
        for (std::uint32_t j = 0; j < corners_; ++j) {
            const bool last = j + 1 == corners_;
            if (inside) {
                const std::uint32_t vertex = incident_.view.face_vertex[first + j];
                add(x, dot(out_, x) - height_, {FeatureType::face, face_}, {FeatureType::vertex, vertex});
            }
            const Vec3d y = last ? start : corner(j + 1);
            const bool y_inside = last ? start_inside : measure(y, at_y);
            if (!inside || !y_inside) {
                cross_sides(incident_.view.face_edge[first + j], x, y, inside, y_inside, at_x, last ? first_row : at_y);
            }
            at_x = at_y;
            std::swap(at_y, spare);
            x = y;
            inside = y_inside;
        }
    }

    // Adds the points where the incident edge from x to y enters and leaves the reference face. `at_x`, `at_y`: heights
    // of its ends over the sides.
    void cross_sides(std::uint32_t edge, const Vec3d& x, const Vec3d& y, bool x_inside, bool y_inside,
                     const double* at_x, const double* at_y) {
        geometry::EdgeClip<double, bool, std::int32_t> clip(kNoSide);
        for (std::uint32_t k = 0; k < sides_; ++k) {
            clip.by_side(static_cast<std::int32_t>(k), at_x[k], at_y[k], at_x[k] < -inside_, at_y[k] < -inside_);
        }
        const double enter = clip.clamped_in();
        const double leave = clip.clamped_out();
        if (clip.culled || enter > leave) return;
        const Vec3d d = y - x;
        const double span = length(d - out_ * dot(out_, d));
        const bool enters = clip.side_in != kNoSide;
        if (enters && !(y_inside && (1 - enter) * span <= same_)) add_crossing(edge, clip.side_in, x, d, enter);
        const bool at_start = x_inside && leave * span <= same_;
        const bool at_enter = enters && (leave - enter) * span <= same_;
        if (clip.side_out != kNoSide && !at_start && !at_enter) add_crossing(edge, clip.side_out, x, d, leave);
    }

    void add_crossing(std::uint32_t edge, std::int32_t side, const Vec3d& x, const Vec3d& d, double t) {
        const Vec3d q = x + d * t;
        const std::uint32_t reference_edge =
            reference_.view.face_edge[reference_.view.face_first[face_] + static_cast<std::uint32_t>(side)];
        add(q, dot(out_, q) - height_, {FeatureType::edge, reference_edge}, {FeatureType::edge, edge});
    }

    // Height over x, along the normal, of the incident face. A split face is as high as the highest of its triangles'
    // planes.
    double ray_to_incident(const Vec3d& x) const {
        const std::uint32_t end = incident_.first_facet(incident_face_ + 1);
        double height = -std::numeric_limits<double>::infinity();
        for (std::uint32_t f = incident_.first_facet(incident_face_); f < end; ++f) {
            // The normal comes from the vertices, because a steep face multiplies the error of a float32 normal.
            const Vec3d n =
                incident_axes(incident_.triangulated ? incident_.facet_normal(f) : loop_normal(incident_, f));
            const double cosine = dot(n, out_);
            if (cosine > -kEdgeOn) continue;
            // A flat face contains its first corner. A triangle has an offset of its own.
            const double offset =
                incident_.triangulated ? incident_.offset[f] + dot(n, frame_shift()) : dot(n, corner(0));
            height = std::max(height, (offset - dot(n, x)) / cosine);
        }
        return height;
    }

    Vec3d frame_shift() const { return on_b_ ? Vec3d{0, 0, 0} : p_.from_b.position; }

    void add_reference_vertices() {
        // A point outside of the outline by d is off the face by up to d / cosine, so the room shrinks with the cosine.
        const double cosine = -dot(incident_axes(face_normal(incident_, incident_face_)), out_);
        if (cosine < kEdgeOn) return;
        // Every incident corner is at least kClear inside of all sides, so every reference corner is at least that far
        // from the incident outline. The outline of an exact box's face has no angle below kEdgeOn here, so the
        // reference corner is outside of one of its sides by at least half of kEdgeOn * kClear. No reference corner
        // gives a point.
        if (clear_ && incident_.record->exact_box) return;
        const double room = inside_ * cosine;
        rows_.make_outline(corners_, out_, room, p_.thin ? least_side(incident_.record->size) : 0.0);
        const std::uint32_t first = reference_.view.face_first[face_];
        for (std::uint32_t k = 0; k < sides_; ++k) {
            const Vec3d x = rows_.at(ClipMemory::reference, k);
            if (rows_.surely_outside(corners_, x)) continue;
            const ClipPlace place = rows_.locate(corners_, x, room, same_);
            if (place == ClipPlace::outside) continue;
            // Two convex faces have no more corners in common than both together.
            const bool full = memory_.points.size() >= sides_ + corners_;
            if (place == ClipPlace::on_outline && (full || is_beyond_tip(ClipMemory::corner, corners_, x))) continue;
            const double separation = ray_to_incident(x);
            if (!std::isfinite(separation) || !(separation <= p_.margin + p_.tie + p_.bend)) continue;
            const Vec3d middle = x + out_ * (0.5 * separation);
            if (place == ClipPlace::on_outline && taken(middle)) continue;
            const std::uint32_t vertex = reference_.view.face_vertex[first + k];
            add_middle(middle, separation, {FeatureType::vertex, vertex}, {FeatureType::face, incident_face_});
        }
    }

    bool taken(const Vec3d& middle) const {
        const double u = dot(across_, middle);
        const double v = dot(along_, middle);
        return std::any_of(memory_.points.begin(), memory_.points.end(), [&](const ClipPoint& c) {
            const double du = c.u - u;
            const double dv = c.v - v;
            return du * du + dv * dv <= 4 * same_ * same_;
        });
    }

    const Problem& p_;
    PreciseScratch::Impl& memory_;
    ClipRows rows_;
    bool on_b_;
    const Solid& reference_;
    const Solid& incident_;
    std::uint32_t face_;
    std::uint32_t incident_face_ = 0;
    std::uint32_t sides_ = 0;
    std::uint32_t corners_ = 0;
    double inside_;
    double same_;
    bool any_point_ = false;  // also points that are off a surface
    bool tips_ = false;       // the reference face has a corner so sharp that points may be far beyond it
    bool clear_;              // every incident corner is far inside of all sides, by more than rounding
    double height_ = 0;       // out_ . x on the reference plane
    Vec3d out_;               // outward normal of the reference face, local A
    Vec3d across_;
    Vec3d along_;
};

}  // namespace

std::uint32_t incident_face(const Problem& p, const FaceAxis& axis) {
    // The incident face must contain the support vertex, or the deepest point is lost. So only the faces around that
    // vertex are compared.
    const Solid& incident = axis.on_b ? p.a : p.b;
    const Vec3d direction =
        axis.on_b ? p.from_b.rotation * axis.normal : transpose_times(p.from_b.rotation, axis.normal);
    std::uint32_t best = kNoIndex;
    double lowest = std::numeric_limits<double>::infinity();
    for (std::uint32_t i = incident.view.vertex_first[axis.support]; i < incident.view.vertex_first[axis.support + 1];
         ++i) {
        const std::uint32_t f = incident.view.vertex_face[i];
        const double d = dot(direction, face_normal(incident, f));
        if (d < lowest - kNormalResolution) {
            lowest = d;
            best = f;
        }
    }
    return best;
}

FaceContact clip_faces(const Problem& p, PreciseScratch::Impl& memory, const FaceAxis& axis) {
    return clip_faces_within(p, memory, axis, p.inside);
}

FaceContact clip_faces_within(const Problem& p, PreciseScratch::Impl& memory, const FaceAxis& axis, double inside) {
    Clipper clipper(p, memory, axis, inside);
    clipper.clip();
    return clipper.describe();
}

bool clip_tied_supports(const Problem& p, PreciseScratch::Impl& memory, const FaceAxis& axis, double tie, double limit,
                        FaceContact& out) {
    const Solid& incident = axis.on_b ? p.a : p.b;
    const Vec3d down =
        axis.on_b ? -(p.from_b.rotation * axis.normal) : -transpose_times(p.from_b.rotation, axis.normal);
    const double lowest = dot(down, incident.vertex(axis.support));
    FaceAxis other = axis;
    for (std::uint32_t v = 0; v < incident.record->vertex_count; ++v) {
        if (v == axis.support || dot(down, incident.vertex(v)) < lowest - tie) continue;
        other.support = v;
        FaceContact clipped = clip_faces(p, memory, other);
        if (memory.points.empty() || clipped.deepest > limit) continue;
        out = clipped;
        return true;
    }
    return false;
}

FaceContact clip_faces(const Problem& p, PreciseScratch::Impl& memory, const FaceAxis& axis, std::uint32_t incident,
                       double band) {
    Clipper clipper(p, memory, axis, p.inside);
    clipper.prefer_incident(incident, axis, band);
    clipper.clip();
    return clipper.describe();
}

FaceContact clip_faces_on(const Problem& p, PreciseScratch::Impl& memory, const FaceAxis& axis,
                          std::uint32_t incident) {
    Clipper clipper(p, memory, axis, p.inside);
    clipper.set_incident(incident);
    clipper.clip();
    return clipper.describe();
}

void keep_support_point(const Problem& p, PreciseScratch::Impl& memory, const FaceAxis& axis) {
    Clipper clipper(p, memory, axis, p.inside);
    clipper.add_incident_vertex(axis.support);
}

}  // namespace lanefold::detail
