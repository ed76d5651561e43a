// SPDX-License-Identifier: MIT
//
// Reach and thickness of shapes and of their parts. A child that is not moved within its compound has the numbers of
// its hull to the last bit.
#include "state/parts.hpp"

#include <algorithm>
#include <cmath>

#include <lanefold/detail/read_body.hpp>
#include <lanefold/pose.hpp>

#include "state/mass.hpp"

namespace lanefold::detail {
namespace {

float reach_of_child(const HullSet& hulls, const CompoundChild& child, const Vec3f& centre) {
    const PoseD pose = pose_of(child);
    float most = 0;
    for (const Vec3f& v : hulls.vertices(child.hull)) {
        const Vec3f d = to_float(transform(pose, to_double(v))) - centre;
        most = std::max(most, dot(d, d));
    }
    return std::sqrt(most) + hulls[child.hull].round_radius;
}

}  // namespace

void add_parts(const HullSet& hulls, std::uint32_t hull, const Vec3f& centre, std::vector<CompoundPart>& parts) {
    for (std::size_t k = 0; k < hulls.child_count(hull); ++k) {
        const CompoundChild child = hulls.child(hull, k);
        const HullRecord& own = hulls[child.hull];
        const Vec3f middle = to_float(transform(pose_of(child), {own.centre[0], own.centre[1], own.centre[2]}));
        parts.push_back({smallest_extent(hulls.info(child.hull).mass), own.round_radius, middle - centre,
                         reach_of_child(hulls, child, middle)});
    }
}

float reach_of(const HullSet& hulls, std::uint32_t hull, const Vec3f& centre) {
    float most = 0;
    for (std::size_t k = 0; k < hulls.child_count(hull); ++k)
        most = std::max(most, reach_of_child(hulls, hulls.child(hull, k), centre));
    if (hulls.child_count(hull) != 0) return most;
    for (const Vec3f& v : hulls.vertices(hull)) {
        const Vec3f d = v - centre;
        most = std::max(most, dot(d, d));
    }
    return std::sqrt(most) + hulls[hull].round_radius;
}

float thickness_of(const HullSet& hulls, std::uint32_t hull) {
    const std::size_t children = hulls.child_count(hull);
    float least = smallest_extent(hulls.info(children == 0 ? hull : hulls.child(hull, 0).hull).mass);
    for (std::size_t k = 1; k < children; ++k)
        least = std::min(least, smallest_extent(hulls.info(hulls.child(hull, k).hull).mass));
    return least;
}

}  // namespace lanefold::detail
