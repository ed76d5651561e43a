// SPDX-License-Identifier: MIT
//
// Boxes of bodies along the world axes. Every stored vertex is placed in float64.
#include "world_boxes.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "tasks.hpp"

namespace lanefold {

namespace {

// Bound of the rounding of one placed coordinate, relative to the magnitudes that enter it. The rotation's entries have
// errors of a few units in the last place, then come three products and three additions. 16 units are three times the
// sum of these; the excess adds hardly any candidates.
constexpr double kRounding = 16 * std::numeric_limits<double>::epsilon();

// A box that overlaps nothing, whatever its size.
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr WorldBox kNoBox{{kInfinity, kInfinity, kInfinity}, {-kInfinity, -kInfinity, -kInfinity}};

Vec3d read_position(const BodyView& bodies, std::size_t i) {
    const std::byte* at = bodies.position + i * bodies.position_stride;
    if (bodies.position_is_double) {
        double p[3];
        std::memcpy(p, at, sizeof p);
        return {p[0], p[1], p[2]};
    }
    float p[3];
    std::memcpy(p, at, sizeof p);
    return to_double(Vec3f{p[0], p[1], p[2]});
}

Vec3d minimum(const Vec3d& a, const Vec3d& b) { return {std::min(a.x, b.x), std::min(a.y, b.y), std::min(a.z, b.z)}; }

Vec3d maximum(const Vec3d& a, const Vec3d& b) { return {std::max(a.x, b.x), std::max(a.y, b.y), std::max(a.z, b.z)}; }

}  // namespace

WorldBox world_box(std::span<const Vec3f> vertices, const PoseD& pose, double growth) {
    if (vertices.empty()) return kNoBox;
    Vec3d lower = pose.rotation * to_double(vertices[0]);
    Vec3d upper = lower;
    double reach = 0;
    for (const Vec3f& v : vertices) {
        const Vec3d p = to_double(v);
        const Vec3d w = pose.rotation * p;
        lower = minimum(lower, w);
        upper = maximum(upper, w);
        reach = std::max({reach, std::fabs(p.x), std::fabs(p.y), std::fabs(p.z)});
    }
    const auto slack = [&](double position) { return growth + kRounding * (std::fabs(position) + reach + growth); };
    const Vec3d out{slack(pose.position.x), slack(pose.position.y), slack(pose.position.z)};
    return {(pose.position + lower) - out, (pose.position + upper) + out};
}

namespace detail {

WorldBox body_box(const HullSet& hulls, const BodyView& bodies, std::size_t i, double growth) {
    std::uint32_t hull = 0;
    std::memcpy(&hull, bodies.hull + i * bodies.hull_stride, sizeof hull);
    float q[4];
    std::memcpy(q, bodies.orientation + i * bodies.orientation_stride, sizeof q);
    const Vec3d position = read_position(bodies, i);
    Quat unit;
    if (hull >= hulls.size() || !is_finite(position) || !normalize(q, unit)) return kNoBox;
    return world_box(hulls.vertices(hull), {rotation(unit), position}, growth);
}

}  // namespace detail

WorldBoxesResult world_boxes(const HullSet& hulls, const BodyView& bodies, double growth, std::span<WorldBox> out,
                             std::uint32_t threads) {
    WorldBoxesResult result;
    if (out.size() != bodies.count) {
        result.status = {Status::bad_argument, "out needs one box for each body", out.size()};
        return result;
    }
    if (!(growth >= 0) || !std::isfinite(growth)) {
        result.status = {Status::bad_argument, "growth must be 0 or more, and finite", 0};
        return result;
    }
    std::atomic<std::uint64_t> without{0};
    detail::for_blocks(bodies.count, detail::kBodiesPerBlock, threads,
                       [&](std::size_t first, std::size_t last, unsigned) {
                           std::uint64_t none = 0;
                           for (std::size_t i = first; i < last; ++i) {
                               out[i] = detail::body_box(hulls, bodies, i, growth);
                               none += out[i].empty() ? 1U : 0U;
                           }
                           without += none;
                       });
    result.without_box = without;
    return result;
}

}  // namespace lanefold
