// SPDX-License-Identifier: MIT
//
// A small hull on a much larger box (beyond the size ratio, exact_box): a body on a floor or at a wall. One face of the
// box and the vertex of the small hull deepest along it mostly decide what the whole search would find.
//
// Let s be the separation along the normal of face f of the box, and w the deepest vertex. Let the height of w over
// every other face of the box be at most min(s, 0). Every unit direction m has sep(m) <= m . w - support(m), and the
// support of a box is the sum of |m_i| half_extent_i over its axes. So sep(m) <= |m_f| s + (sum of the other |m_i|)
// min(s, 0). This is at most s, because the |m_i| sum to at least one. So no face or edge axis is better than s. Pairs
// within rounding of another outcome are left to the searches, so that results do not depend on whether this test ran.

#include "precise/floor.hpp"

#include <algorithm>
#include <cmath>

#include "precise/support.hpp"

namespace lanefold::detail {

namespace {

// The searches prefer a face of A to a face of B unless the latter is better by more than a tie. So if the box is B, no
// face of A may come within a tie of the box's face. This holds if at most two vertices of A are within kLevel of the
// deepest one and w is at least kRoom below the other faces of the box (both relative to the smaller hull). Every face
// of A then leans by at least 4e-7, which at a distance of kRoom costs 4e-8 of the smaller hull: many ties.
constexpr double kLevel = 1e-6;
constexpr double kRoom = 0.1;

// A face of an exact box. It lies at +half_extent or -half_extent on its axis.
struct BoxFace {
    std::size_t axis = 0;
    bool positive = false;
};

// The face that x is highest over.
BoxFace highest_face(const double* h, const double* x) {
    BoxFace best;
    for (std::size_t i = 1; i < 3; ++i) {
        if (std::fabs(x[i]) - h[i] > std::fabs(x[best.axis]) - h[best.axis]) best.axis = i;
    }
    best.positive = x[best.axis] > 0;
    return best;
}

// Whether the height of x over every face but `face` is at most `limit`. `h`: half extents.
bool below_others(const double* h, const double* x, const BoxFace& face, double limit) {
    for (std::size_t i = 0; i < 3; ++i) {
        const double reach = i != face.axis ? std::fabs(x[i]) : (face.positive ? -x[i] : x[i]);
        if (reach - h[i] > limit) return false;
    }
    return true;
}

// Same as evaluate_facet(), for a face of an exact box. Its corners are equally far along the normal, and the loop
// starts with the lowest one.
FaceAxis evaluate_box_face(const Solid& box, const Solid& other, const PoseD& from_other, bool on_b,
                           std::uint32_t face) {
    FaceAxis axis;
    axis.on_b = on_b;
    axis.facet = face;
    axis.normal = box.view.normal(face);
    const Support low = furthest(other, -transpose_times(from_other.rotation, axis.normal));
    axis.own = box.view.face_vertex[box.view.face_first[face]];
    axis.offset = dot(axis.normal, box.vertex(axis.own));
    axis.support = low.index;
    axis.separation = (dot(axis.normal, from_other.position) - low.value) - axis.offset;
    return axis;
}

// Whether fewer than three vertices are within `slack` of the support. Reads the products of the query that found
// `depth`.
bool stands_on_few(const Solid& s, double depth, double slack) {
    std::uint32_t count = 0;
    for (std::uint32_t i = 0; i < s.vertices; ++i) count += static_cast<std::uint32_t>(s.dots[i] >= depth - slack);
    return count < 3;
}

}  // namespace

FloorVerdict try_floor(const Problem& p, FaceAxis& best) {
    const bool on_b = p.b.record->size > p.a.record->size;
    const Solid& box = on_b ? p.b : p.a;
    const Solid& other = on_b ? p.a : p.b;
    if (!(box.record->size > kPreciseSizeRatio * other.record->size) || p.rounding > p.tie || !box.record->exact_box)
        return FloorVerdict::unknown;

    const PoseD& from_other = on_b ? p.from_a : p.from_b;
    const float* half = box.record->half_extent;
    const double h[3] = {half[0], half[1], half[2]};
    const Vec3d& centre = from_other.position;
    const double c[3] = {centre.x, centre.y, centre.z};
    const BoxFace face = highest_face(h, c);
    const std::uint32_t number =
        box.view.box_map().face(2 * static_cast<std::uint32_t>(face.axis) + (face.positive ? 1U : 0U));
    best = evaluate_box_face(box, other, from_other, on_b, number);
    const double s = best.separation;
    if (s > p.margin) return FloorVerdict::apart;
    if (s > p.margin - p.rounding) return FloorVerdict::unknown;

    const double guard = 4 * p.tie + p.rounding;
    const double limit = on_b ? -std::max(std::fabs(s), kRoom * p.small) - guard : std::min(s, 0.0) - guard;
    const Vec3d deepest = transform(from_other, other.vertex(best.support));
    const double w[3] = {deepest.x, deepest.y, deepest.z};
    if (!below_others(h, w, face, limit)) return FloorVerdict::unknown;
    if (on_b && !stands_on_few(other, other.dots[best.support], kLevel * p.small)) return FloorVerdict::unknown;
    return FloorVerdict::face;
}

}  // namespace lanefold::detail
