// SPDX-License-Identifier: MIT
//
// Boxes of bodies: rotations of kDoubles bodies at once, then the corners of each body kDoubles at once. Each number is
// computed by the operations of world_box() in their order, so its boxes have the same bits.
#pragma once

#include <cstddef>
#include <cstdint>

#include "boxes/box_kernels.hpp"
#include "boxes/side_rows.hpp"
#include "boxes/world_box_rounding.hpp"

namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE {

// Bodies at once.
inline constexpr std::uint32_t kGroup = kWidth > kDoubles ? kWidth : kDoubles;

// Quaternions of a group, x of all, y of all, ...
struct Quaternions {
    alignas(64) float of[4][kGroup];
};

struct OrientationRows {
    const BodyD* bodies;
    const std::uint32_t* body;

    LANEFOLD_INLINE const float* operator[](std::size_t l) const { return bodies[body[l]].orientation; }
};

LANEFOLD_INLINE void load_quaternions(const BodyD* bodies, const std::uint32_t* body, Quaternions& out) {
    for (std::uint32_t first = 0; first < kGroup; first += kWidth) {
        WFloat q[4];
        load_rows4(OrientationRows{bodies, body + first}, q);
        for (int k = 0; k < 4; ++k) q[k].storeu(out.of[k] + first);
    }
}

// The rotations of kDoubles bodies, row by row.
struct Rotations {
    alignas(64) double entry[9][kDoubles];
};

LANEFOLD_INLINE void rotations_of(const Quaternions& q, std::uint32_t first, Rotations& out) {
    WDouble x = load_widened(q.of[0] + first);
    WDouble y = load_widened(q.of[1] + first);
    WDouble z = load_widened(q.of[2] + first);
    WDouble w = load_widened(q.of[3] + first);
    const WDouble length = root(((x * x + y * y) + z * z) + w * w);
    x = x / length;
    y = y / length;
    z = z / length;
    w = w / length;
    store_lanes(1.0 - 2.0 * (y * y + z * z), out.entry[0]);
    store_lanes(2.0 * (x * y - w * z), out.entry[1]);
    store_lanes(2.0 * (x * z + w * y), out.entry[2]);
    store_lanes(2.0 * (x * y + w * z), out.entry[3]);
    store_lanes(1.0 - 2.0 * (x * x + z * z), out.entry[4]);
    store_lanes(2.0 * (y * z - w * x), out.entry[5]);
    store_lanes(2.0 * (x * z - w * y), out.entry[6]);
    store_lanes(2.0 * (y * z + w * x), out.entry[7]);
    store_lanes(1.0 - 2.0 * (x * x + y * y), out.entry[8]);
}

// The extent of the turned corners along the axes: upper sides, and lower ones negated.
LANEFOLD_INLINE SideRow turned_extent(const Corners& hull, const Rotations& rotations, std::uint32_t lane) {
    WDouble row[9];
    for (int e = 0; e < 9; ++e) row[e] = splat_double(rotations.entry[e][lane]);
    WDouble upper[3] = {splat_double(-kInfinite), splat_double(-kInfinite), splat_double(-kInfinite)};
    WDouble lower[3] = {splat_double(kInfinite), splat_double(kInfinite), splat_double(kInfinite)};
    for (std::uint32_t i = 0; i < hull.count; i += kDoubles) {
        const WDouble x = load_widened(hull.x + i);
        const WDouble y = load_widened(hull.x + hull.stride + i);
        const WDouble z = load_widened(hull.x + 2 * std::size_t{hull.stride} + i);
        for (int k = 0; k < 3; ++k) {
            const WDouble c = (row[3 * k] * x + row[3 * k + 1] * y) + row[3 * k + 2] * z;
            upper[k] = larger(upper[k], c);
            lower[k] = smaller(lower[k], c);
        }
    }
    const WDouble six[6] = {upper[0], upper[1], -lower[0], -lower[1], upper[2], -lower[2]};
    return largest_lanes(six);
}

// By how much a box is larger than the exact one: growth, and a bound of the rounding.
LANEFOLD_INLINE WDouble excess(WDouble position, double reach, double growth) {
    return growth + kWorldBoxRounding * ((magnitude(position) + reach) + growth);
}

LANEFOLD_INLINE SideRow swept_by(const SideRow& box, const Vec3f& motion) {
    const double by[4] = {motion.x, motion.y, motion.z, 0};
    const SideRow along = along_sides(by);
    const WDouble none = splat_double(0);
    return each_part([&](std::uint32_t k) LANEFOLD_INLINE_LAMBDA { return box.part[k] + larger(along.part[k], none); });
}

LANEFOLD_INLINE SideRow place_box(const BoxJob& job, std::uint32_t i, const Rotations& rotations, std::uint32_t lane) {
    const BodyD& body = job.bodies[i];
    const Corners& hull = job.hulls[body.hull];
    const SideRow extent = turned_extent(hull, rotations, lane);
    const SideRow position = along_sides(body.position);
    const double of_body = job.more == nullptr ? job.growth : job.growth + static_cast<double>(job.more[i]);
    const double growth = of_body + hull.round_radius;
    const SideRow box = each_part([&](std::uint32_t k) LANEFOLD_INLINE_LAMBDA {
        return (position.part[k] + extent.part[k]) + excess(position.part[k], hull.reach, growth);
    });
    return job.motion == nullptr ? box : swept_by(box, job.motion[i]);
}

// The boxes of kDoubles bodies, and their clearance.
LANEFOLD_INLINE void place_some(const BoxJob& job, const std::uint32_t* body, const Rotations& rotations) {
    WDouble least[kDoubles];
    for (std::uint32_t l = 0; l < kDoubles; ++l) {
        const SideRow box = place_box(job, body[l], rotations, l);
        box.store(job.boxes[body[l]]);
        least[l] = smallest_part(SideRow::load(job.within[body[l]]) - box);
    }
    double clearance[kDoubles];
    store_lanes(fold_lanes<Smallest>(least), clearance);
    for (std::uint32_t l = 0; l < kDoubles; ++l) job.clearance[body[l]] = clearance[l];
}

inline void place_boxes(const BoxJob& job, const std::uint32_t* body, std::size_t count) {
    for (std::size_t first = 0; first < count; first += kGroup) {
        // The last group takes the last body more than once.
        std::uint32_t group[kGroup];
        for (std::uint32_t l = 0; l < kGroup; ++l) group[l] = body[first + l < count ? first + l : count - 1];
        Quaternions quaternions;
        load_quaternions(job.bodies, group, quaternions);
        for (std::uint32_t l = 0; l < kGroup && first + l < count; l += kDoubles) {
            Rotations rotations;
            rotations_of(quaternions, l, rotations);
            place_some(job, group + l, rotations);
        }
    }
}

}  // namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE
