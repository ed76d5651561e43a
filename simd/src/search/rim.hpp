// SPDX-License-Identifier: MIT
//
// Edges whose axes rounding alone could make better than the best face of a pair.
//
// Let f be the best face, with separation d >= all others and unit normal u, H its hull, O the other one. An edge
// between the faces g and h is no better than f if one vertex w of the hull that does not have the edge is
//
//   - at most at the limit of g, and
//   - deeper than the limit of h, by kRimSlack.
//
// The limit of a face with normal n is d if d <= 0. Hulls that are apart are moved together by d along u first, so it
// is d times the cosine between n and u (search/arcs.hpp). The first condition holds for g = f and the support of f,
// and for any face g of O with its own support, unless g is level with f and apart only by more than rounding
// (kLevelSlack).
//
// Near the normal of g the axis of such an edge is level with f, and might win by its last bit. The arc test leaves the
// edge out if its fixed point can tell. Here the rule is repeated in float32, for axes that would win and are level
// with f or doubtful; all others are below f if the rule holds. kRimSlack is smaller than the slack of the arc test, by
// more than the rounding of heights. So an edge that any arc test leaves out by this rule is left out here, and results
// do not depend on which test that was.
#pragma once

#include "pair/places.hpp"
#include "pair/point.hpp"
#include "search/faces.hpp"

namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE {

// In (size A + size B). Between the slack of the arc test, kPruneSlack, and twice the rounding of a height, 1e-6.
inline constexpr float kRimSlack = 0.5F * kPruneSlack;

// In (size A + size B): the rounding of separations of level faces. A larger one would leave out axes that are better
// than the best face by as much.
inline constexpr float kLevelSlack = 2.5e-7F;

LANEFOLD_INLINE float dot3(Quad a, Quad b) { return (a[0] * b[0] + a[1] * b[1]) + a[2] * b[2]; }

// The height down to which a vertex over a face counts. `d`: separation of the best face; `cosine`: of the angle
// between the face's normal and the direction in which the hull of the vertex is moved away.
LANEFOLD_INLINE float face_limit(float d, float cosine) { return d > 0.0F ? d * cosine : d; }

// Whether a face of the other hull, with its support, is not above the limit. `normal`: of the best face in the frame
// of the other hull.
LANEFOLD_INLINE bool is_within_level(float separation, Quad plane, float d, Quad normal, float size_sum) {
    return separation <= face_limit(d, -dot3(normal, plane)) + kLevelSlack * size_sum;
}

// The best face of a pair.
class Rim {
public:
    LANEFOLD_INLINE Rim(const ChunkJob& job, const HullPairs& pairs, std::uint32_t slot)
        : o_(pairs.optima[slot]), size_sum_(pairs.axes[slot].size_sum) {
        const FaceHulls hulls = face_hulls(job, pairs.rows[slot], o_.face_on_b);
        own_ = hulls.own;
        other_ = hulls.other;
        const RelativePose& to_a = pairs.rows[slot].to_a;
        const RelativePose& to_b = pairs.inverses[slot].to_b;
        to_own_ = o_.face_on_b != 0 ? &to_b : &to_a;
        to_other_ = o_.face_on_b != 0 ? &to_a : &to_b;
    }

    // Whether an edge of the best face cannot beat it, because the support is deep below the face beside.
    LANEFOLD_INLINE bool rules_out_own(std::uint32_t edge) const {
        const HullFloats h = hull_floats(*own_);
        const HullTopology t = hull_topology(*own_);
        const std::uint32_t f0 = t.edge_face0[edge];
        const std::uint32_t f1 = t.edge_face1[edge];
        if (f0 != o_.face && f1 != o_.face) return false;
        const Quad beside = load_quad(plane_of(h, f0 == o_.face ? f1 : f0));
        const Quad v = vertex_between(hull_floats(*other_), o_.support, *to_own_, *to_other_);
        return is_deep(v, beside, dot3(load_quad(plane_of(h, o_.face)), beside));
    }

    // Whether an edge of the other hull cannot beat the best face, because the support of a face of the edge is deep
    // below the one beside.
    LANEFOLD_INLINE bool rules_out_other(std::uint32_t edge) const {
        const HullFloats h = hull_floats(*other_);
        const HullTopology t = hull_topology(*other_);
        const float* n = plane_of(hull_floats(*own_), o_.face);
        const Quad normal = transposed_times(to_own_->r, n[0], n[1], n[2]);
        const Quad planes[2] = {load_quad(plane_of(h, t.edge_face0[edge])), load_quad(plane_of(h, t.edge_face1[edge]))};
        for (std::uint32_t k = 0; k < 2; ++k) {
            const Quad w = support_below(planes[k]);
            const Quad& beside = planes[1 - k];
            if (is_within_level(height(w, planes[k]), planes[k], o_.face_value, normal, size_sum_) &&
                is_deep(w, beside, -dot3(normal, beside)))
                return true;
        }
        return false;
    }

private:
    static LANEFOLD_INLINE float height(Quad w, Quad p) { return dot3(p, w) - p[3]; }

    LANEFOLD_INLINE bool is_deep(Quad w, Quad plane, float cosine) const {
        return height(w, plane) < face_limit(o_.face_value, cosine) - kRimSlack * size_sum_;
    }

    // The support of a face of the other hull, in that hull's frame.
    LANEFOLD_INLINE Quad support_below(Quad plane) const {
        alignas(16) float m[4];
        store_quad(-transposed_times(to_other_->r, plane[0], plane[1], plane[2]), m);
        const HullFloats own = hull_floats(*own_);
        return vertex_between(own, support(own, m[0], m[1], m[2]).index, *to_other_, *to_own_);
    }

    PairOptimum o_;
    float size_sum_;
    const HullRecord* own_;
    const HullRecord* other_;
    const RelativePose* to_own_;    // from the other hull's frame
    const RelativePose* to_other_;  // its inverse
};

// Whether either of two edges cannot beat the best face of their pair. Few axes are level with that face or doubtful.
__attribute__((noinline)) inline bool rim_rules_out(const ChunkJob& job, const HullPairs& pairs, std::uint32_t slot,
                                                    std::uint32_t edge_a, std::uint32_t edge_b) {
    const Rim rim(job, pairs, slot);
    const bool on_b = pairs.optima[slot].face_on_b != 0;
    return rim.rules_out_own(on_b ? edge_b : edge_a) || rim.rules_out_other(on_b ? edge_a : edge_b);
}

}  // namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE
