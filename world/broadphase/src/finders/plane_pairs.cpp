// SPDX-License-Identifier: MIT
//
// See the header.
#include "finders/plane_pairs.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <lanefold/detail/half_space_block.hpp>
#include <lanefold/detail/read_body.hpp>
#include <lanefold/pose.hpp>

#include "boxes/tasks.hpp"

namespace lanefold::detail {
namespace {

constexpr std::size_t kBodiesPerTask = 512;

// Rounding of a height, relative to the numbers that make it: less than ten roundings of 1.1e-16.
constexpr double kRounding = 16 * std::numeric_limits<double>::epsilon();

// How far a corner of a box moves along a unit direction at most, in travels of its sides: the root of 3, rounded up.
constexpr double kAlong = 1.7320509;

}  // namespace

std::optional<WorldPlane> world_plane(const HullSet& hulls, const BodyView& bodies, std::size_t i,
                                      const PairFinderOptions& o) {
    const BodyD body = read_body(bodies, i);
    Quat unit;
    if (!hulls.contains(body.hull) || !is_half_space(hulls[body.hull])) return std::nullopt;
    if (!is_finite(position_of(body)) || !normalize(body.orientation, unit)) return std::nullopt;
    const HalfSpaceBlock& own = half_space_block(hulls[body.hull]);
    WorldPlane plane;
    plane.body = static_cast<std::uint32_t>(i);
    plane.normal = rotation(unit) * Vec3d{own.normal[0], own.normal[1], own.normal[2]};
    const double more = o.growth.empty() ? 0 : static_cast<double>(o.growth[i]);
    const double along = o.motion.empty() ? 0 : std::max(0.0, dot(plane.normal, to_double(o.motion[i])));
    const double growth = (0.5 * static_cast<double>(o.margin) + more) + along;
    const Vec3d at = position_of(body);
    plane.offset = (dot(plane.normal, at) + own.offset) + growth;
    plane.magnitude = (std::fabs(at.x) + std::fabs(at.y)) + (std::fabs(at.z) + std::fabs(own.offset)) + growth;
    return plane;
}

HeightOver height_over(const WorldPlane& plane, const WorldBox& box) {
    const auto lowest = [](double n, double lower, double upper) { return n * (n > 0 ? lower : upper); };
    const double x = lowest(plane.normal.x, box.lower.x, box.upper.x);
    const double y = lowest(plane.normal.y, box.lower.y, box.upper.y);
    const double z = lowest(plane.normal.z, box.lower.z, box.upper.z);
    HeightOver h;
    h.rounding = kRounding * (((std::fabs(x) + std::fabs(y)) + std::fabs(z)) + plane.magnitude);
    h.value = (((x + y) + z) - plane.offset) - h.rounding;
    return h;
}

void merge_into(std::vector<Pair>& pairs, std::span<const Pair> more, std::vector<Pair>& scratch) {
    if (more.empty()) return;
    scratch.resize(pairs.size() + more.size());
    std::merge(pairs.begin(), pairs.end(), more.begin(), more.end(), scratch.begin());
    pairs.swap(scratch);
}

void PlanePairs::begin(const HullSet& hulls, const BodyView& bodies, const PairFinderOptions& o,
                       const LazyBoxes& boxes) {
    planes_.clear();
    for (std::size_t i = 0; i < bodies.count; ++i) {
        if (!boxes.is_empty(i)) continue;
        if (const std::optional<WorldPlane> plane = world_plane(hulls, bodies, i, o)) planes_.push_back(*plane);
    }
    const bool same = bodies.count == bodies_ && planes_.size() == last_.size();
    bodies_ = bodies.count;
    if (!same) holds_until_.assign(planes_.size() * bodies_, 0);
    for (std::size_t p = 0; same && p < planes_.size(); ++p) {
        if (planes_[p] == last_[p]) continue;
        const auto row = holds_until_.begin() + static_cast<std::ptrdiff_t>(p * bodies_);
        std::fill(row, row + static_cast<std::ptrdiff_t>(bodies_), 0.0);
    }
    last_ = planes_;
}

void PlanePairs::open(const LazyBoxes& boxes, const PairFilter& travels, std::uint32_t threads,
                      std::span<std::uint8_t> needed) {
    if (planes_.empty()) return;
    for_blocks(bodies_, kBodiesPerTask, threads, [&](std::size_t first, std::size_t last) {
        for (std::size_t p = 0; p < planes_.size(); ++p) {
            const double* const until = holds_until_.data() + p * bodies_;
            for (std::size_t i = first; i < last; ++i) {
                if (!boxes.is_empty(i) && !(std::fabs(until[i]) > travels.travel(i))) needed[i] = 1;
            }
        }
    });
}

void PlanePairs::compare(const LazyBoxes& boxes, const PairFilter& travels, std::size_t plane, std::size_t first,
                         std::size_t last) {
    double* const until = holds_until_.data() + plane * bodies_;
    for (std::size_t i = first; i < last; ++i) {
        if (boxes.is_empty(i)) {
            until[i] = 0;
            continue;
        }
        const double travel = travels.travel(i);
        if (std::fabs(until[i]) > travel) continue;
        const HeightOver h = height_over(planes_[plane], boxes[i]);
        const double room = std::max(0.0, std::fabs(h.value) - 4 * h.rounding) * (1 / kAlong);
        // A number beyond float64 decides nothing.
        const double limit = (travel + room) * (1 - 4 * std::numeric_limits<double>::epsilon());
        until[i] = std::copysign(limit > travel ? limit : 0.0, h.touches() ? -1.0 : 1.0);
    }
}

std::span<const Pair> PlanePairs::list(const LazyBoxes& boxes, const PairFilter& travels, const BodyFilters& filters,
                                       std::span<const Pair> pairs, std::uint32_t threads) {
    if (planes_.empty()) return pairs;
    for_blocks(bodies_, kBodiesPerTask, threads, [&](std::size_t first, std::size_t last) {
        for (std::size_t p = 0; p < planes_.size(); ++p) compare(boxes, travels, p, first, last);
    });
    all_.assign(pairs.begin(), pairs.end());
    for (std::size_t p = 0; p < planes_.size(); ++p) {
        const double* const until = holds_until_.data() + p * bodies_;
        const std::uint32_t own = planes_[p].body;
        of_plane_.clear();
        for (std::uint32_t i = 0; i < bodies_; ++i) {
            if (std::signbit(until[i]) && filters.pass(own, i))
                of_plane_.push_back({std::min(own, i), std::max(own, i)});
        }
        merge_into(all_, of_plane_, scratch_);
    }
    return all_;
}

}  // namespace lanefold::detail
