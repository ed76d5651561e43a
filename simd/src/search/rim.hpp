// SPDX-License-Identifier: MIT
//
// Edges whose axes rounding alone could make better than the best face of a pair.
//
// Let f be the best face, with separation d >= all others and unit normal u, H its hull, O the other one. An edge
// between the faces g and h is no better than f if one vertex w of the hull that does not have the edge is
//
//   - deeper than the limit of both, by kRimSlack; or
//   - at most at the limit of g, and deeper than the limit of h by kRimSlack.
//
// The limit of a face with normal n is d if d <= 0. Hulls that are apart are moved together by d along u first, so it
// is d times the cosine between n and u (search/arcs.hpp). The second rule is asked for g = f and the support of f,
// and for faces g of O with their own supports, which are at most at the limit unless rounding (kLevelSlack) tells
// otherwise.
//
// The axis of such an edge may win all the same: by its last bit, where it is near the normal of a g that is level with
// f, or by more, where rounding leans it off the arc or takes two arcs for crossing that do not. The arc test leaves
// the edge out if one of its witnesses can tell, in fixed point; which ones there are depends on where the search
// began. Here both rules are repeated in float32, the first one with all vertices, for axes that would win and about
// which rounding may decide (search/edge_pairs.hpp); all others are below f if a rule holds. kRimSlack is smaller than
// the slack of the arc test, by more than the rounding of heights. So an edge that any arc test leaves out is left out
// here, and results do not depend on which test that was.
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

    // Whether a vertex of the hull that does not have the edge is deep below both of its faces. `of_own`: the hull of
    // the best face has the edge.
    inline bool is_below_both(std::uint32_t edge, bool of_own) const {
        const HullRecord& hull = of_own ? *own_ : *other_;
        const HullFloats v = hull_floats(of_own ? *other_ : *own_);
        const HullTopology t = hull_topology(hull);
        const RelativePose& to = of_own ? *to_own_ : *to_other_;
        const float* n = plane_of(hull_floats(*own_), o_.face);
        const Quad normal = of_own ? load_quad(n) : -transposed_times(to_own_->r, n[0], n[1], n[2]);
        WVec3 direction[2];
        WFloat limit[2] = {splat(0.0F), splat(0.0F)};
        for (std::uint32_t k = 0; k < 2; ++k) {
            const Quad p = load_quad(plane_of(hull_floats(hull), k == 0 ? t.edge_face0[edge] : t.edge_face1[edge]));
            const Quad m = transposed_times(to.r, p[0], p[1], p[2]);
            direction[k] = {splat(m[0]), splat(m[1]), splat(m[2])};
            const float deepest = face_limit(o_.face_value, dot3(normal, p)) - kRimSlack * size_sum_;
            limit[k] = splat((p[3] - dot3(p, load_quad(to.t))) + deepest);
        }
        std::uint32_t found = 0;
        for (std::uint32_t i = 0; i < v.vertices; i += kWidth) {
            const WVec3 x = load_points(v.vx + i, v.vy + i, v.vz + i);
            const WMask below = (dot(direction[0], x) < limit[0]) & (dot(direction[1], x) < limit[1]);
            found |= bits(below) & (v.vertices - i < kWidth ? lane_mask(v.vertices - i) : kAllLanes);
        }
        return found != 0;
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

// Whether either of two edges cannot beat the best face of their pair. It is asked of few axes.
__attribute__((noinline)) inline bool rim_rules_out(const ChunkJob& job, const HullPairs& pairs, std::uint32_t slot,
                                                    std::uint32_t edge_a, std::uint32_t edge_b) {
    const Rim rim(job, pairs, slot);
    const bool on_b = pairs.optima[slot].face_on_b != 0;
    const std::uint32_t own = on_b ? edge_b : edge_a;
    const std::uint32_t other = on_b ? edge_a : edge_b;
    return rim.is_below_both(own, true) || rim.is_below_both(other, false) || rim.rules_out_own(own) ||
           rim.rules_out_other(other);
}

}  // namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE
