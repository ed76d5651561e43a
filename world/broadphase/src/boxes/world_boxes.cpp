// SPDX-License-Identifier: MIT
//
// Boxes of bodies along the world axes. Every stored vertex is placed in float64.
#include "boxes/world_boxes.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <lanefold/detail/caller_memory.hpp>
#include <lanefold/detail/compound_block.hpp>
#include <lanefold/detail/half_space_block.hpp>
#include <lanefold/detail/point_box.hpp>
#include <lanefold/detail/read_body.hpp>
#include <lanefold/detail/scaled_bodies.hpp>

#include "boxes/tasks.hpp"
#include "boxes/world_box_rounding.hpp"

namespace lanefold {

namespace {

// A box that overlaps nothing, whatever its size.
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr WorldBox kNoBox{{kInfinity, kInfinity, kInfinity}, {-kInfinity, -kInfinity, -kInfinity}};

// The smallest box around the turned vertices, and the largest of their coordinates before.
struct Extent {
    Vec3d lower;
    Vec3d upper;
    double reach = 0;
};

#if defined(__GNUC__) && !defined(LANEFOLD_NO_VECTOR_EXTENSIONS)

// Two vertices at once, each with the operations of Mat3d * Vec3d in their order: the same bits in two thirds of the
// time. An odd last vertex is taken twice.
Extent turned(std::span<const Vec3f> vertices, const Mat3d& m) {
    using Lanes = double __attribute__((vector_size(16)));
    const auto smaller = [](Lanes a, Lanes b) { return a < b ? a : b; };
    const auto larger = [](Lanes a, Lanes b) { return a > b ? a : b; };
    const auto both = [](double x) { return Lanes{x, x}; };
    const Lanes row[3][3] = {{both(m.row[0].x), both(m.row[0].y), both(m.row[0].z)},
                             {both(m.row[1].x), both(m.row[1].y), both(m.row[1].z)},
                             {both(m.row[2].x), both(m.row[2].y), both(m.row[2].z)}};
    Lanes lower[3] = {both(kInfinity), both(kInfinity), both(kInfinity)};
    Lanes upper[3] = {both(-kInfinity), both(-kInfinity), both(-kInfinity)};
    Lanes reach = both(0);
    for (std::size_t i = 0; i < vertices.size(); i += 2) {
        const Vec3d p = to_double(vertices[i]);
        const Vec3d q = to_double(vertices[std::min(i + 1, vertices.size() - 1)]);
        const Lanes x{p.x, q.x};
        const Lanes y{p.y, q.y};
        const Lanes z{p.z, q.z};
        for (int k = 0; k < 3; ++k) {
            const Lanes w = (row[k][0] * x + row[k][1] * y) + row[k][2] * z;
            lower[k] = smaller(lower[k], w);
            upper[k] = larger(upper[k], w);
        }
        reach = larger(larger(larger(reach, larger(x, -x)), larger(y, -y)), larger(z, -z));
    }
    const auto least = [](const Lanes& v) { return std::min(v[0], v[1]); };
    const auto most = [](const Lanes& v) { return std::max(v[0], v[1]); };
    return {{least(lower[0]), least(lower[1]), least(lower[2])},
            {most(upper[0]), most(upper[1]), most(upper[2])},
            most(reach)};
}

#else

Extent turned(std::span<const Vec3f> vertices, const Mat3d& m) {
    Extent e{{kInfinity, kInfinity, kInfinity}, {-kInfinity, -kInfinity, -kInfinity}};
    for (const Vec3f& v : vertices) {
        const Vec3d p = to_double(v);
        const Vec3d w = m * p;
        e.lower = detail::lower_of(e.lower, w);
        e.upper = detail::upper_of(e.upper, w);
        e.reach = std::max({e.reach, std::fabs(p.x), std::fabs(p.y), std::fabs(p.z)});
    }
    return e;
}

#endif

// A half-space has no box, but is not without one by mistake.
bool is_placed_plane(const HullSet& hulls, const BodyD& body) {
    return hulls.contains(body.hull) && detail::is_half_space(hulls[body.hull]) &&
           is_finite(detail::position_of(body)) && is_orientation(body.orientation);
}

}  // namespace

WorldBox world_box(std::span<const Vec3f> vertices, const PoseD& pose, double growth) {
    if (vertices.empty()) return kNoBox;
    const Extent e = turned(vertices, pose.rotation);
    const auto slack = [&](double position) {
        return growth + detail::kWorldBoxRounding * (std::fabs(position) + e.reach + growth);
    };
    const Vec3d out{slack(pose.position.x), slack(pose.position.y), slack(pose.position.z)};
    return {(pose.position + e.lower) - out, (pose.position + e.upper) + out};
}

namespace detail {

bool has_box(std::span<const HullRecord> hulls, const BodyD& body) {
    return body.hull < hulls.size() && has_outline(hulls[body.hull]) && is_finite(position_of(body)) &&
           is_orientation(body.orientation);
}

WorldBox body_box(const HullSet& hulls, const BodyD& body, double growth) {
    Quat unit;
    if (!has_box({hulls.records(), hulls.size()}, body) || !normalize(body.orientation, unit)) return kNoBox;
    const auto round_radius = static_cast<double>(hulls[body.hull].round_radius);
    return world_box(outline_of(hulls, body.hull), {rotation(unit), position_of(body)}, growth + round_radius);
}

}  // namespace detail

WorldBoxesResult world_boxes(const HullSet& hulls, const BodyView& bodies, double growth, std::span<WorldBox> out,
                             std::uint32_t threads) {
    WorldBoxesResult result;
    if (bodies.scale != nullptr) {
        detail::ScaledBodies memory;
        return detail::at_scale<WorldBoxesResult>(memory, hulls, bodies,
                                                  [&](const HullSet& own, const BodyView& unscaled) {
                                                      return world_boxes(own, unscaled, growth, out, threads);
                                                  });
    }
    detail::Bytes fields[3];
    result.status = out.size() != bodies.count ? detail::refuse("out needs one box for each body", out.size())
                    : out.data() == nullptr && !out.empty() ? detail::refuse("out is null but has a length", out.size())
                    : !(growth >= 0) || !std::isfinite(growth) ? detail::refuse("growth must be 0 or more, and finite")
                                                               : detail::check_body_view(bodies, fields);
    if (!result.status) return result;
    std::atomic<std::uint64_t> without{0};
    detail::for_blocks(bodies.count, detail::kBodiesPerBlock, threads, [&](std::size_t first, std::size_t last) {
        std::uint64_t none = 0;
        for (std::size_t i = first; i < last; ++i) {
            out[i] = detail::body_box(hulls, detail::read_body(bodies, i), growth);
            none += out[i].empty() && !is_placed_plane(hulls, detail::read_body(bodies, i)) ? 1U : 0U;
        }
        without += none;
    });
    result.without_box = without;
    return result;
}

}  // namespace lanefold
