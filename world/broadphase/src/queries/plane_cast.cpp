// SPDX-License-Identifier: MIT
//
// See the header.
#include "queries/plane_cast.hpp"

#include <algorithm>
#include <cmath>

#include <lanefold/detail/half_space_block.hpp>
#include <lanefold/detail/read_body.hpp>
#include <lanefold/pose.hpp>

namespace lanefold::detail {
namespace {

// By how much a height may be less than computed, relative to the lengths that make it: float64's roundings, so that a
// fraction is never late.
constexpr double kHeightRounding = 1e-14;

struct Lowest {
    double height = INFINITY;  // along n, over the shape's position
    std::uint32_t vertex = 0;
    Vec3d at;
};

Lowest lowest_vertex(const HullSet& hulls, const BodyD& body, const Vec3d& n) {
    Quat q;
    normalize(body.orientation, q);
    const Mat3d turned = rotation(q);
    Lowest lowest;
    std::uint32_t v = 0;
    for (const Vec3f& vertex : hulls.vertices(body.hull)) {
        const Vec3d at = turned * to_double(vertex);
        if (dot(n, at) < lowest.height) lowest = {dot(n, at), v, at};
        ++v;
    }
    return lowest;
}

void copy(const Vec3d& from, float (&to)[3]) {
    const Vec3f f = to_float(from);
    to[0] = f.x;
    to[1] = f.y;
    to[2] = f.z;
}

}  // namespace

ShapeHit cast_on_plane(const HullSet& hulls, const MovingShape& shape, const BodyD& plane, double target) {
    const HalfSpaceBlock& block = half_space_block(hulls[plane.hull]);
    Quat q;
    normalize(plane.orientation, q);
    const Vec3d n = rotation(q) * Vec3d{block.normal[0], block.normal[1], block.normal[2]};
    const Vec3d beside = position_of(shape.body) - position_of(plane);
    const auto radius = static_cast<double>(hulls[shape.body.hull].round_radius);
    const Lowest lowest = shape.turns ? Lowest{-shape.lever, 0, {}} : lowest_vertex(hulls, shape.body, n);
    const double core = shape.turns ? 0 : radius;
    const double height = ((dot(n, beside) - block.offset) + lowest.height) - core;
    const double rate = dot(n, shape.shift);
    const double rounding =
        kHeightRounding * (((length(beside) + std::fabs(block.offset)) + (shape.lever + target)) + length(shape.shift));
    const double above = height - rounding - target;
    ShapeHit hit = {};
    hit.fraction = above <= 0 ? 0 : rate < 0 ? above / -rate : INFINITY;
    if (hit.fraction > 1) {
        hit.fraction = 1;
        hit.state = SweepState::miss;
        return hit;
    }
    if (shape.turns) {
        hit.state = SweepState::failed;
        hit.failure = SweepFailure::shape;
        return hit;
    }
    hit.state = height <= target ? SweepState::overlapping : SweepState::hit;
    const double distance = height + rate * hit.fraction;
    hit.distance = static_cast<float>(distance);
    copy(-n, hit.normal);
    copy(lowest.at - n * (radius + 0.5 * distance), hit.point);
    hit.kind = ContactKind::face_b;
    return hit;
}

}  // namespace lanefold::detail
