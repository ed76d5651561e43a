// SPDX-License-Identifier: MIT
//
// See the header. A hull is cut by the planes of the other body's faces that may meet it; of two spheres, and of a
// sphere and a half-space, the measures are closed forms. Coordinates are in world axes from the centre of hull A.
#include <lanefold/detail/measure_pair.hpp>

#include <algorithm>
#include <cmath>

#include <lanefold/detail/cut_solid.hpp>
#include <lanefold/detail/half_space_block.hpp>
#include <lanefold/detail/read_body.hpp>
#include <lanefold/detail/round.hpp>

#include "measure/round_measures.hpp"

namespace lanefold::detail {
namespace {

// The radius of a hull and its planes are float32: planes that come nearer than the radius and this part of both sizes
// are tried. Larger only costs time.
constexpr double kSlack = 1e-5;

// An area vector shorter than this part of its side's area is zero: a needle through a hull has two ends that cancel,
// and neither direction nor place means anything then. It is far above float64's rounding.
constexpr double kLeastArea = 1e-9;

// A body of the pair.
struct Placed {
    const HullRecord* hull = nullptr;
    Mat3d rotation;
    Vec3d centre;  // of the hull's input coordinates: subtracted from vertices before anything else
    Vec3d place;   // where it is

    Vec3d point(const Vec3d& input) const { return rotation * (input - centre) + place; }
};

Vec3d centre_of(const HullRecord& r) {
    if (is_half_space(r)) return {};
    return {static_cast<double>(r.centre[0]), static_cast<double>(r.centre[1]), static_cast<double>(r.centre[2])};
}

bool is_sphere(const HullRecord& r) {
    return r.shape == ShapeKind::hull && is_small(r) && r.vertex_count == 1 && r.round_radius > 0;
}

bool is_sharp(const HullRecord& r) { return r.shape == ShapeKind::hull && r.round_radius == 0; }

void begin_solid(const Placed& body, CutSolid& solid) {
    const HullView view(*body.hull);
    solid.clear();
    for (std::uint32_t v = 0; v < body.hull->vertex_count; ++v) solid.add_point(body.point(view.input_vertex(v)));
    for (std::uint32_t f = 0; f < body.hull->face_count; ++f) {
        solid.begin_face();
        const std::uint32_t first = view.face_first[f];
        const std::uint32_t end = view.face_first[f + 1];
        for (std::uint32_t k = first; k < end; ++k) {
            solid.add_edge(view.face_vertex[k], view.face_vertex[k + 1 < end ? k + 1 : first]);
        }
    }
}

// Cuts by face f: the plane of the loop's area vector, through its outermost corner, because a merged face is flat only
// within 5e-7 of the hull's size.
bool cut_by_face(const Placed& body, const HullView& view, std::uint32_t f, CutSolid& solid) {
    const std::uint32_t first = view.face_first[f];
    const std::uint32_t end = view.face_first[f + 1];
    const Vec3d corner = view.input_vertex(view.face_vertex[first]);
    Vec3d area;
    for (std::uint32_t k = first + 1; k + 1 < end; ++k) {
        area = area + cross(view.input_vertex(view.face_vertex[k]) - corner,
                            view.input_vertex(view.face_vertex[k + 1]) - corner);
    }
    const Vec3d n = body.rotation * area;
    double d = -INFINITY;
    for (std::uint32_t k = first; k < end; ++k) {
        d = std::max(d, dot(n, body.point(view.input_vertex(view.face_vertex[k]))));
    }
    return solid.cut(n, d);
}

// Cuts hull A, which is in `solid`, by those planes of hull B that may meet it, the one furthest out first, because it
// leaves the least. Returns false if nothing is left.
bool cut_by_hull(const Placed& a, const Placed& b, CutSolid& solid) {
    const HullView view(*b.hull);
    const Vec3d from =
        transpose_times(view.internal_to_input().rotation, transpose_times(b.rotation, a.place - b.place));
    const double reach = static_cast<double>(a.hull->radius) +
                         kSlack * (static_cast<double>(a.hull->radius) + static_cast<double>(b.hull->radius));
    double most = -INFINITY;
    std::uint32_t first = 0;
    for (std::uint32_t f = 0; f < b.hull->face_count; ++f) {
        const double height = dot(view.normal(f), from) - static_cast<double>(view.offset(f));
        if (height > reach) return false;
        if (height > most) {
            most = height;
            first = f;
        }
    }
    if (most < -reach) return true;
    if (!cut_by_face(b, view, first, solid)) return false;
    for (std::uint32_t f = 0; f < b.hull->face_count; ++f) {
        if (f == first || dot(view.normal(f), from) - static_cast<double>(view.offset(f)) < -reach) continue;
        if (!cut_by_face(b, view, f, solid)) return false;
    }
    return true;
}

void store(const Vec3d& v, double to[3]) {
    to[0] = v.x;
    to[1] = v.y;
    to[2] = v.z;
}

// The middle of one side's parts, by their shares in the area vector s of that side.
Vec3d middle_of(const FaceSums& side, const Vec3d& s) {
    const double square = length_squared(s);
    return Vec3d{dot(side.moment[0], s), dot(side.moment[1], s), dot(side.moment[2], s)} * (1.0 / square);
}

// The record of what is left in `solid`. `sign` is that of the area vector of its own faces, -1 if they are body b's.
ContactMeasures record_of(const CutSolid& solid, double sign, const Vec3d& offset) {
    ContactMeasures out{};
    const Vec3d origin = solid.any_point();
    const SolidSums sums = solid.sums(origin);
    if (!(sums.volume > 0)) return out;
    out.state = MeasureState::overlapping;
    out.volume = sums.volume;
    const Vec3d middle = origin + sums.moment * (1.0 / sums.volume);
    store(middle + offset, out.volume_centroid);
    store(middle + offset, out.area_centroid);
    const Vec3d s = (sums.own.area - sums.cuts.area) * 0.5;
    const double area = length(s);
    const double least = std::min(sums.own.total, sums.cuts.total);
    if (least == 0 || !(area > kLeastArea * least)) return out;
    out.area = area;
    store(s * (sign / area), out.area_normal);
    store(origin + (middle_of(sums.own, s) - middle_of(sums.cuts, s)) * 0.5 + offset, out.area_centroid);
    return out;
}

// The record of measures along the unit vector `axis` from `centre`. It points to what is met; `sign` is -1 if the
// sphere is body b.
ContactMeasures record_of(const AxialMeasures& m, const Vec3d& axis, double sign, const Vec3d& centre) {
    ContactMeasures out{};
    if (!(m.volume > 0)) return out;
    out.state = MeasureState::overlapping;
    out.volume = m.volume;
    out.area = m.area;
    store(centre + axis * m.volume_at, out.volume_centroid);
    store(centre + axis * m.area_at, out.area_centroid);
    if (m.area > 0) store(axis * sign, out.area_normal);
    return out;
}

// A half-space's plane where it is: n.x <= d.
struct Plane {
    explicit Plane(const Placed& body) {
        const HalfSpaceBlock& block = half_space_block(*body.hull);
        n = body.rotation * Vec3d{block.normal[0], block.normal[1], block.normal[2]};
        d = block.offset + dot(n, body.place);
    }
    Vec3d n;
    double d;
};

double radius_of(const Placed& body) { return static_cast<double>(body.hull->round_radius); }

ContactMeasures measure_placed(const Placed& a, const Placed& b, const Vec3d& offset, CutSolid& solid) {
    const bool plane_a = is_half_space(*a.hull);
    const bool plane_b = is_half_space(*b.hull);
    if (is_sphere(*a.hull) && is_sphere(*b.hull)) {
        const Vec3d apart = b.place - a.place;
        const double d = length(apart);
        const Vec3d axis = d > 0 ? apart * (1.0 / d) : Vec3d{1, 0, 0};
        return record_of(measure_spheres(radius_of(a), radius_of(b), d), axis, 1, a.place + offset);
    }
    if ((plane_a && is_sphere(*b.hull)) || (plane_b && is_sphere(*a.hull))) {
        const Plane plane(plane_a ? a : b);
        const Placed& sphere = plane_a ? b : a;
        const AxialMeasures m = measure_sphere_on_plane(radius_of(sphere), dot(plane.n, sphere.place) - plane.d);
        return record_of(m, -plane.n, plane_a ? -1 : 1, sphere.place + offset);
    }
    const Placed& cut = plane_a ? b : a;
    const bool by_plane = plane_a != plane_b;
    if (!is_sharp(*cut.hull) || (!by_plane && !is_sharp(*b.hull))) {
        ContactMeasures out{};
        out.state = MeasureState::not_measured;
        return out;
    }
    begin_solid(cut, solid);
    bool left;
    if (by_plane) {
        const Plane plane(plane_a ? a : b);
        left = solid.cut(plane.n, plane.d);
    } else {
        left = cut_by_hull(a, b, solid);
    }
    return left ? record_of(solid, plane_a ? -1 : 1, offset) : ContactMeasures{};
}

ContactMeasures not_measured(Status status) {
    ContactMeasures out{};
    out.state = MeasureState::not_measured;
    out.status = status;
    return out;
}

}  // namespace

ContactMeasures measure_pair(const HullSet& hulls, const BodyD& a, const BodyD& b, const Vec3d& shift,
                             CutSolid& solid) {
    const BodyD* const bodies[] = {&a, &b};
    Placed placed[2];
    for (int k = 0; k < 2; ++k) {
        Quat q;
        if (!is_finite(position_of(*bodies[k])) || !normalize(bodies[k]->orientation, q)) {
            return not_measured(Status::bad_pose);
        }
        if (!hulls.contains(bodies[k]->hull)) return not_measured(Status::bad_hull);
        placed[k].hull = &hulls[bodies[k]->hull];
        placed[k].rotation = rotation(q);
        placed[k].centre = centre_of(*placed[k].hull);
    }
    if (!is_finite(shift)) return not_measured(Status::bad_pose);
    // From the centre of A's hull: coordinates are then as large as the pair, wherever it is.
    const Vec3d offset = placed[0].rotation * placed[0].centre;
    placed[1].place = position_of(b) - position_of(a) + shift + placed[1].rotation * placed[1].centre - offset;
    // Beyond what float64 holds they are apart.
    if (!is_finite(placed[1].place)) return {};
    return measure_placed(placed[0], placed[1], offset, solid);
}

}  // namespace lanefold::detail
