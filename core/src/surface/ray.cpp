// SPDX-License-Identifier: MIT
//
// A ray and the triangles of a surface: those near it, by the hierarchy or the pyramid, and the test of one.
#include <lanefold/detail/ray.hpp>

#include <algorithm>
#include <cmath>

#include <lanefold/detail/surface_view.hpp>

#include "surface/height_grid.hpp"
#include "surface/triangle_tree.hpp"

namespace lanefold::detail {
namespace {

// By how much of the coordinates sides of boxes move out: far more than float64's rounding, and nothing in time.
constexpr double kPad = 1e-13;
// An axis along which the ray moves less counts as one along which it does not move.
constexpr double kLeast = 1e-300;
// By how much sides move out at the origin, so that a ray in a side's plane is in the box for more than any fraction.
constexpr double kLeastPad = 1e-280;

// A ray for tests of boxes along the axes. They may pass boxes that it does not meet by rounding, never the reverse.
struct BoxProbe {
    double low[3];   // the origin, moved out for the lower sides
    double high[3];  // and for the upper ones
    double per[3];   // fractions per length

    BoxProbe(const RayLine& ray, const Vec3d& reach) {
        const double grown[3] = {reach.x, reach.y, reach.z};
        const double from[3] = {ray.origin.x, ray.origin.y, ray.origin.z};
        const double by[3] = {ray.direction.x, ray.direction.y, ray.direction.z};
        for (int a = 0; a < 3; ++a) {
            const double pad = kPad * std::fabs(from[a]) + kLeastPad + grown[a];
            low[a] = from[a] + pad;
            high[a] = from[a] - pad;
            per[a] = std::fabs(by[a]) < kLeast ? std::copysign(1 / kLeast, by[a]) : 1 / by[a];
        }
    }

    // The fraction at which the ray comes into the box; infinite if it does not up to `most`.
    double enter(const ItemBox& box, double most) const {
        double first = 0;
        double last = most;
        for (int a = 0; a < 3; ++a) {
            const double s = (static_cast<double>(box.low[a]) - low[a]) * per[a];
            const double t = (static_cast<double>(box.high[a]) - high[a]) * per[a];
            first = std::max(first, per[a] > 0 ? s : t);
            last = std::min(last, per[a] > 0 ? t : s);
        }
        return first <= last + kPad * std::fabs(last) ? first : INFINITY;
    }
};

// The slack of a side's volume, relative to the lengths that make it: some ten roundings.
constexpr double kSideSlack = 4e-15;

struct Near {
    double enter;
    std::uint32_t level;
    std::uint32_t place;
};

// Moves the last element to its place among those from `first` on, so that the nearest is last.
void sort_last(Near* first, Near* last) {
    for (; last > first && (last - 1)->enter < last->enter; --last) std::swap(*(last - 1), *last);
}

double along_mesh(const SurfaceTree& tree, const BoxProbe& probe, double most, VisitTriangle visit, void* context) {
    if (tree.levels == 0) return most;
    Near stack[SurfaceTree::kMostLevels * SurfaceNode::kLanes];
    std::size_t depth = 0;
    stack[depth++] = {0, tree.levels - 1, 0};
    while (depth > 0) {
        const Near at = stack[--depth];
        if (at.enter > most) continue;
        const SurfaceNode& node = tree.level[at.level][at.place];
        const std::uint32_t below = at.level == 0 ? tree.items : tree.nodes[at.level - 1];
        const std::size_t first = depth;
        for (std::uint32_t lane = 0; lane < SurfaceNode::kLanes; ++lane) {
            const std::uint32_t child = at.place * SurfaceNode::kLanes + lane;
            if (child >= below) break;
            const double enter = probe.enter(child_box(node, lane), most);
            if (enter > most) continue;
            if (at.level == 0) {
                most = visit(context, tree.order[child], most);
                continue;
            }
            stack[depth] = {enter, at.level - 1, child};
            sort_last(stack + first, stack + depth);
            ++depth;
        }
    }
    return most;
}

}  // namespace

double HeightGrid::along(const RayLine& ray, double most, VisitTriangle visit, void* context,
                         const Vec3d& reach) const {
    const BoxProbe probe(ray, reach);
    Near stack[16 * kBlock * kBlock];  // as in candidates(); `place` is row * columns + column of a level
    std::size_t depth = 0;
    if (!levels.empty()) stack[depth++] = {0, static_cast<std::uint32_t>(levels.size()) - 1, 0};
    while (depth > 0) {
        const Near at = stack[--depth];
        if (at.enter > most) continue;
        const Level& level = levels[at.level];
        const std::uint32_t row = at.place / level.columns * kBlock;
        const std::uint32_t column = at.place % level.columns * kBlock;
        const std::uint32_t rows_below = at.level == 0 ? cell_rows : levels[at.level - 1].rows;
        const std::uint32_t columns_below = at.level == 0 ? cell_columns : levels[at.level - 1].columns;
        std::uint64_t span = 1;  // cells on a side of what is below
        for (std::uint32_t l = 0; l < at.level; ++l) span *= kBlock;
        const std::size_t first = depth;
        for (std::uint32_t r = row; r < std::min(row + kBlock, rows_below); ++r) {
            for (std::uint32_t c = column; c < std::min(column + kBlock, columns_below); ++c) {
                const std::size_t place = static_cast<std::size_t>(r) * columns_below + c;
                const Range& range = at.level == 0 ? level.blocks[at.place] : levels[at.level - 1].blocks[place];
                if (range.low > range.high) continue;
                const auto end_row = static_cast<std::uint32_t>(std::min<std::uint64_t>((r + 1) * span, cell_rows));
                const auto end_column =
                    static_cast<std::uint32_t>(std::min<std::uint64_t>((c + 1) * span, cell_columns));
                const float xs[2] = {x(static_cast<std::uint32_t>(c * span)), x(end_column)};
                const float ys[2] = {y(static_cast<std::uint32_t>(r * span)), y(end_row)};
                const double enter = probe.enter({{xs[0], ys[0], range.low}, {xs[1], ys[1], range.high}}, most);
                if (enter > most) continue;
                if (at.level == 0) {
                    if (hole(place)) continue;
                    most = visit(context, static_cast<std::uint32_t>(2 * place), most);
                    most = visit(context, static_cast<std::uint32_t>(2 * place + 1), most);
                    continue;
                }
                stack[depth] = {enter, at.level - 1, static_cast<std::uint32_t>(place)};
                sort_last(stack + first, stack + depth);
                ++depth;
            }
        }
    }
    return most;
}

double SurfaceView::along(const RayLine& ray, double most, VisitTriangle visit, void* context,
                          const Vec3d& reach) const {
    if (grid_ != nullptr) return grid_->along(ray, most, visit, context, reach);
    return along_mesh(mesh_.tree, BoxProbe(ray, reach), most, visit, context);
}

RayMeets meet(const SurfaceView& surface, std::uint32_t t, const RayLine& ray, RaySides sides, double most) {
    const std::array<std::uint32_t, 3> v = surface.triangle(t);
    Vec3d p[3];
    for (std::size_t k = 0; k < 3; ++k) p[k] = surface.position(v[k]) - ray.origin;
    const Vec3d& d = ray.direction;
    const double speed = length_squared(d);
    const double away = length(p[0]);
    // About the point beside the first corner, so that a far origin costs little.
    const double middle = dot(p[0], d) / speed;
    double reach = 0;
    for (Vec3d& q : p) {
        q = q - d * middle;
        reach = std::max(reach, length(q));
    }
    // The volumes over the sides have one sign if the ray passes between them. Both triangles of a side have the same
    // ones up to rounding, which is less than the slack: no ray passes between two triangles.
    const double slack = kSideSlack * std::sqrt(speed) * reach * (reach + away);
    double weight[3];
    double sum = 0;
    for (int k = 0; k < 3; ++k) {
        weight[k] = -dot(d, cross(p[(k + 1) % 3], p[(k + 2) % 3]));
        sum += weight[k];
    }
    if (sum < 0) {
        if (sides == RaySides::outer) return {};
        for (double& w : weight) w = -w;
    }
    sum = 0;
    for (double& w : weight) {
        if (w < -slack) return {};
        w = std::max(w, 0.0);
        sum += w;
    }
    if (!(sum > 0)) return {};
    const Vec3d at = (p[0] * weight[0] + p[1] * weight[1]) + p[2] * weight[2];
    RayMeets m;
    m.fraction = middle + dot(at, d) / (sum * speed);
    m.any = m.fraction >= 0 && m.fraction <= most;
    m.feature = t;
    m.normal = surface.normal(t);
    return m;
}

}  // namespace lanefold::detail
