// SPDX-License-Identifier: MIT
//
// Reduction of a patch manifold. The rule keeps the choice steady while bodies move a little. A choice that starts at
// the deepest point turns with it when a level patch trembles, and a choice that starts at any corner of a ragged rim
// jumps with that corner. So four points are those in four fixed directions, unless a choice by spread covers much more
// area. The deepest point is added if the choice misses it.

#include "precise/patch_reduce.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <lanefold/detail/contact_constants.hpp>

#include "precise/plane_axes.hpp"
#include "precise/reduce.hpp"
#include "precise/support.hpp"

namespace lanefold::detail {

namespace {

struct Plan {
    double u;
    double v;
};

// The points in the contact plane, relative to the middle of their extent. The axes depend on the normal from A to B,
// which stays the same when the reference face changes from A to B between frames.
class PatchPlan {
public:
    PatchPlan(const std::vector<ClipPoint>& points, const Vec3d& normal) : points_(points) {
        const PlaneAxes axes(normal);
        u_ = axes.across * kPatchTurnCos + axes.along * kPatchTurnSin;
        v_ = axes.along * kPatchTurnCos - axes.across * kPatchTurnSin;
        constexpr double kFar = std::numeric_limits<double>::infinity();
        double low[2] = {kFar, kFar};
        double high[2] = {-kFar, -kFar};
        for (const ClipPoint& p : points) {
            const double at[2] = {dot(u_, p.middle), dot(v_, p.middle)};
            for (int k = 0; k < 2; ++k) {
                low[k] = std::min(low[k], at[k]);
                high[k] = std::max(high[k], at[k]);
            }
        }
        middle_ = {0.5 * (low[0] + high[0]), 0.5 * (low[1] + high[1])};
        half_ = 0.5 * std::max(high[0] - low[0], high[1] - low[1]);
    }

    Plan at(std::uint32_t i) const {
        return {dot(u_, points_[i].middle) - middle_.u, dot(v_, points_[i].middle) - middle_.v};
    }

    bool near_middle(std::uint32_t i) const {
        const Plan x = at(i);
        return x.u * x.u + x.v * x.v < kPatchMiddle2 * half_ * half_;
    }

    // The point furthest in the direction (c, s) that is not in `kept`; the first on ties.
    std::uint32_t furthest(double c, double s, const std::uint32_t* kept, std::size_t count) const {
        std::uint32_t best = 0;
        double most = -std::numeric_limits<double>::infinity();
        for (std::uint32_t i = 0; i < points_.size(); ++i) {
            if (std::find(kept, kept + count, i) != kept + count) continue;
            const Plan x = at(i);
            const double reach = x.u * c + x.v * s - kPatchAside * std::fabs(x.v * c - x.u * s);
            if (reach <= most) continue;
            most = reach;
            best = i;
        }
        return best;
    }

    // Twice the area of the quadrilateral of four points: the largest over the three ways to pair them as diagonals.
    double area(const std::uint32_t* k) const {
        const auto across = [&](std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t d) {
            const Plan p = at(a), q = at(b), r = at(c), s = at(d);
            return std::fabs((q.u - p.u) * (s.v - r.v) - (q.v - p.v) * (s.u - r.u));
        };
        return std::max(
            {across(k[0], k[2], k[1], k[3]), across(k[0], k[1], k[2], k[3]), across(k[0], k[3], k[1], k[2])});
    }

private:
    const std::vector<ClipPoint>& points_;
    Vec3d u_;
    Vec3d v_;
    Plan middle_{};
    double half_ = 0;
};

double distance2(const Plan& a, const Plan& b) { return (b.u - a.u) * (b.u - a.u) + (b.v - a.v) * (b.v - a.v); }

}  // namespace

void reduce_patch_points(std::vector<ClipPoint>& points, const Vec3d& normal, std::size_t capacity, double spread) {
    if (points.size() <= capacity) return;
    capacity = std::min<std::size_t>(capacity, Manifold16::kCapacity);
    const PatchPlan plan(points, normal);
    std::uint32_t kept[Manifold16::kCapacity] = {plan.furthest(1, 0, nullptr, 0)};
    if (capacity == 4) {
        std::uint32_t fixed[4] = {kept[0]};
        fixed[1] = plan.furthest(0, 1, fixed, 1);
        fixed[2] = plan.furthest(-1, 0, fixed, 2);
        fixed[3] = plan.furthest(0, -1, fixed, 3);
        keep_by_spread(points, capacity, 1, kept);
        if (plan.area(kept) <= kPatchMoreArea * plan.area(fixed)) std::copy_n(fixed, 4, kept);
    } else {
        keep_by_spread(points, capacity, 1, kept);
    }
    const std::uint32_t deepest = deepest_point(points);
    const bool missed = std::none_of(kept, kept + capacity, [&](std::uint32_t i) {
        return points[i].separation <= points[deepest].separation + spread;
    });
    if (missed && capacity == 4 && plan.near_middle(deepest)) {
        // It is in the middle, as on a round hull: keep it and the three corners of a fixed triangle.
        kept[0] = deepest;
        kept[1] = plan.furthest(1, 0, kept, 1);
        kept[2] = plan.furthest(-0.5, kPatchTriangleSin, kept, 2);
        kept[3] = plan.furthest(-0.5, -kPatchTriangleSin, kept, 3);
    } else if (missed) {
        *std::min_element(kept, kept + capacity, [&](std::uint32_t i, std::uint32_t k) {
            return distance2(plan.at(i), plan.at(deepest)) < distance2(plan.at(k), plan.at(deepest));
        }) = deepest;
    }
    keep_only(points, kept, capacity);
}

}  // namespace lanefold::detail
