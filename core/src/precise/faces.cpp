// SPDX-License-Identifier: MIT
//
// Face search by cutting planes. The height of any known vertex (witness) of the other hull over a face is an upper
// bound of the separation along the face's normal. A step evaluates the face with the highest bound with full supports,
// and the support becomes another witness. The search ends when no bound reaches the best exact value. About two
// evaluations suffice for any number of faces.

#include "precise/faces.hpp"

#include <cmath>
#include <limits>

#include "precise/lanes.hpp"
#include "precise/pose.hpp"
#include "precise/support.hpp"

namespace lanefold::detail {

namespace {

constexpr double kDone = -std::numeric_limits<double>::infinity();

// Lowers the bounds by the vertex `w` of the other hull (local frame of `s`). Returns the highest bound and the lowest
// facet that has it.
Support add_witness(Solid& s, const Vec3d& w) {
    const Lanes wx = all_lanes(w.x);
    const Lanes wy = all_lanes(w.y);
    const Lanes wz = all_lanes(w.z);
    double* gap = s.gaps + (s.witnesses % kWitnesses) * s.facet_stride;
    ++s.witnesses;
    const double* nx = s.nx;
    const double* ny = s.ny;
    const double* nz = s.nz;
    const double* offset = s.offset;
    double* bound = s.bound;
    const std::size_t stride = s.facet_stride;
    Lanes top[4] = {all_lanes(kDone), all_lanes(kDone), all_lanes(kDone), all_lanes(kDone)};
    for (std::size_t i = 0; i < stride; i += kPreciseLanes) {
        for (std::size_t k = 0; k < 4; ++k) {
            const std::size_t at = i + 2 * k;
            const Lanes g = ((load_lanes(nx + at) * wx + load_lanes(ny + at) * wy) + load_lanes(nz + at) * wz) -
                            load_lanes(offset + at);
            const Lanes b = smaller(g, load_lanes(bound + at));
            store_lanes(gap + at, g);
            store_lanes(bound + at, b);
            top[k] = larger(b, top[k]);
        }
    }
    const double highest = largest(larger(larger(top[0], top[1]), larger(top[2], top[3])));
    return {highest, first_equal(bound, stride, s.facets, highest)};
}

// Searches the facets of `own` against `other`. Returns false if one separates by more than the margin.
bool search(const Problem& p, Solid& own, const Solid& other, const PoseD& from_other, bool on_b, const Vec3d& witness,
            FaceAxis& best) {
    Support next = add_witness(own, witness);
    while (next.value > kDone && next.value + p.slack > best.separation) {
        const FaceAxis axis = evaluate_facet(p, on_b, next.index);
        if (axis.separation > p.margin) return false;
        own.bound[next.index] = kDone;
        const bool wins = axis.separation > best.separation + p.tie;
        const bool ties = axis.separation >= best.separation - p.tie;
        if (wins || (ties && best.on_b == on_b && axis.facet < best.facet)) best = axis;
        next = add_witness(own, transform(from_other, other.vertex(axis.support)));
    }
    return true;
}

}  // namespace

FaceAxis evaluate_facet(const Problem& p, bool on_b, std::uint32_t facet) {
    const Solid& own = on_b ? p.b : p.a;
    const Solid& other = on_b ? p.a : p.b;
    const PoseD& from_other = on_b ? p.from_a : p.from_b;
    FaceAxis axis;
    axis.on_b = on_b;
    axis.facet = facet;
    axis.normal = normalized(own.facet_normal(facet));
    const Support top = furthest(own, axis.normal);
    const Support low = furthest(other, -transpose_times(from_other.rotation, axis.normal));
    axis.offset = top.value;
    axis.own = top.index;
    axis.support = low.index;
    axis.separation = (dot(axis.normal, from_other.position) - low.value) - top.value;
    return axis;
}

bool search_faces(Problem& p, PreciseScratch::Impl& memory, FaceAxis& best) {
    // The axis between the centres rejects most pairs, and gives the search of A's faces its first witness.
    const double apart = length(p.from_b.position);
    const Vec3d axis = apart > 0 ? normalized(p.from_b.position) : Vec3d{1, 0, 0};
    const AxisSeparation between = separation_along(p, axis);
    if (between.value > p.margin) return false;
    prepare_planes(memory, p);

    best.separation = kDone;
    if (!search(p, p.a, p.b, p.from_b, false, transform(p.from_b, p.b.vertex(between.b)), best)) return false;
    // The vertex of A on its best face is near the contact, so it is a good first witness for the search of B's faces.
    return search(p, p.b, p.a, p.from_a, true, transform(p.from_a, p.a.vertex(best.own)), best);
}

}  // namespace lanefold::detail
