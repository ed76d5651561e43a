// SPDX-License-Identifier: MIT
//
// A small hull on one that is a box along its axes, beyond the size ratio: bodies on a floor, against a wall. There one
// face of the box and the vertex of the small hull nearest to it mostly settle what the whole search would find.
//
// Let s be the separation along the face's normal, w that vertex, and let w be deeper than s and than 0 below every
// other face of the box. Every direction m has sep(m) <= m.w - support(m), the support of a box is the sum of those
// along its axes, so sep(m) <= |m_face| s - the others' |m_i| times depths: at most s, as the parts of a unit vector
// sum to at least one. So no face and no edge is better; the searches would only find that the face is. What lies
// within rounding of another outcome is left to them, so that results do not depend on which way they came about.

#include "precise/floor.hpp"

#include <algorithm>
#include <cmath>

#include "precise/support.hpp"

namespace lanefold::detail {

namespace {

// Bound on the rounding of separations and gaps, relative to the coordinates: they are sums of a few products, good to
// some 1e-15. Larger only leaves more pairs to the search.
constexpr double kRounding = 1e-13;

// The search takes the faces of A first and those of B only if they are better by a tie. When the box is B, no face of
// A may come within a tie of the box's: at most two vertices of A may be this near to the deepest, relative to
// the smaller hull, and the other faces of the box must be this far away. A face of A then leans by 4e-7 or more,
// which at that distance costs 4e-8 of the smaller hull: many ties.
constexpr double kLevel = 1e-6;
constexpr double kRoom = 0.1;

// An exact box's faces are +-half_extent along its axes.
struct BoxFace {
    std::size_t axis = 0;
    bool positive = false;
};

// The one that x is highest above.
BoxFace highest_face(const double* h, const double* x) {
    BoxFace best;
    for (std::size_t i = 1; i < 3; ++i) {
        if (std::fabs(x[i]) - h[i] > std::fabs(x[best.axis]) - h[best.axis]) best.axis = i;
    }
    best.positive = x[best.axis] > 0;
    return best;
}

// Is x at or below `limit` over every face but this one?
bool below_others(const double* h, const double* x, const BoxFace& face, double limit) {
    for (std::size_t i = 0; i < 3; ++i) {
        const double reach = i != face.axis ? std::fabs(x[i]) : (face.positive ? -x[i] : x[i]);
        if (reach - h[i] > limit) return false;
    }
    return true;
}

// evaluate_facet() for the face of an exact box: its corners are equally far along the normal, the lowest one first in
// the loop.
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

// After the support query that found the deepest vertex.
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
    const double rounding = kRounding * p.scale;
    if (!(box.record->size > kPreciseSizeRatio * other.record->size) || rounding > p.tie || !box.record->exact_box)
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
    if (s > p.margin - rounding) return FloorVerdict::unknown;

    const double guard = 4 * p.tie + rounding;
    const double limit = on_b ? -std::max(std::fabs(s), kRoom * p.small) - guard : std::min(s, 0.0) - guard;
    const Vec3d deepest = transform(from_other, other.vertex(best.support));
    const double w[3] = {deepest.x, deepest.y, deepest.z};
    if (!below_others(h, w, face, limit)) return FloorVerdict::unknown;
    if (on_b && !stands_on_few(other, other.dots[best.support], kLevel * p.small)) return FloorVerdict::unknown;
    return FloorVerdict::face;
}

}  // namespace lanefold::detail
