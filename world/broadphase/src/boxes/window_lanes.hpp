// SPDX-License-Identifier: MIT
//
// Boxes of a body in all frames of a window, and pairs compared in all of them: kDoubles frames at once. Each number is
// computed by the operations of place_boxes() in their order, so a frame's boxes have the same bits.
#pragma once

#include <cstddef>
#include <cstdint>

#include <lanefold/pose.hpp>

#include "boxes/box_kernels.hpp"
#include "boxes/box_lanes.hpp"
#include "boxes/side_rows.hpp"

namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE {

static_assert(kFrameBlock % kDoubles == 0);

// kDoubles frames of a body, the first of which is `at`.
struct FramesPose {
    WDouble position[3];
    WDouble orientation[4];
    WDouble length_squared;

    LANEFOLD_INLINE FramesPose(const WindowPoses& poses, std::uint32_t at) {
        for (int k = 0; k < 3; ++k) position[k] = load_doubles(poses.position[k] + at);
        for (int k = 0; k < 4; ++k) orientation[k] = load_widened(poses.orientation[k] + at);
        const WDouble* const q = orientation;
        length_squared = ((q[0] * q[0] + q[1] * q[1]) + q[2] * q[2]) + q[3] * q[3];
    }

    // Tells the frames in which the body has a box, if it has a hull: has_box() in lanes.
    LANEFOLD_INLINE WLong placed() const {
        WLong in = magnitude(length_squared - 1.0) <= kQuaternionTolerance;
        for (const WDouble& x : position) in &= magnitude(x) < kInfinite;
        return in;
    }
};

// Whether the frames from `at` on all have the pose of the frame before.
LANEFOLD_INLINE bool all_rest(const WindowPoses& poses, std::uint32_t at) {
    WLong same = ~WLong{};
    for (int k = 0; k < 3; ++k) {
        same &= load_doubles(poses.position[k] + at) == splat_double(poses.position[k][at - 1]);
    }
    for (int k = 0; k < 4; ++k) {
        same &=
            load_widened(poses.orientation[k] + at) == splat_double(static_cast<double>(poses.orientation[k][at - 1]));
    }
    std::int64_t lanes[kDoubles];
    store_lanes(same, lanes);
    std::int64_t all = -1;
    for (const std::int64_t lane : lanes) all &= lane;
    return all != 0;
}

// The extent of the turned corners along the axes, kDoubles rotations of one hull at once.
struct FramesExtent {
    WDouble upper[3] = {splat_double(-kInfinite), splat_double(-kInfinite), splat_double(-kInfinite)};
    WDouble lower[3] = {splat_double(kInfinite), splat_double(kInfinite), splat_double(kInfinite)};

    LANEFOLD_INLINE FramesExtent(const Corners& hull, const FramesPose& pose) {
        const WDouble length = root(pose.length_squared);
        const WDouble x = pose.orientation[0] / length;
        const WDouble y = pose.orientation[1] / length;
        const WDouble z = pose.orientation[2] / length;
        const WDouble w = pose.orientation[3] / length;
        const WDouble row[9] = {1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - w * z),       2.0 * (x * z + w * y),
                                2.0 * (x * y + w * z),       1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - w * x),
                                2.0 * (x * z - w * y),       2.0 * (y * z + w * x),       1.0 - 2.0 * (x * x + y * y)};
        // Corners are widened some at a time, because to widen them one by one takes longer than to turn them.
        constexpr std::uint32_t kAtOnce = 32;
        static_assert(kAtOnce % kCornerBlock == 0);
        alignas(64) double wide[3][kAtOnce];
        for (std::uint32_t first = 0; first < hull.count; first += kAtOnce) {
            const std::uint32_t count = hull.count - first < kAtOnce ? hull.count - first : kAtOnce;
            for (int k = 0; k < 3; ++k) {
                const float* const from = hull.x + static_cast<std::size_t>(k) * hull.stride + first;
                for (std::uint32_t i = 0; i < count; i += kDoubles) store_lanes(load_widened(from + i), wide[k] + i);
            }
            for (std::uint32_t i = 0; i < count; ++i) {
                for (int k = 0; k < 3; ++k) {
                    const WDouble c =
                        (row[3 * k] * wide[0][i] + row[3 * k + 1] * wide[1][i]) + row[3 * k + 2] * wide[2][i];
                    upper[k] = larger(upper[k], c);
                    lower[k] = smaller(lower[k], c);
                }
            }
        }
    }
};

// The six sides of a body's boxes in kDoubles frames, in the order of Sides.
struct FramesSides {
    WDouble of[WindowJob::kSides];

    // All of them `from`.
    LANEFOLD_INLINE explicit FramesSides(const double (&from)[WindowJob::kSides]) {
        for (std::uint32_t s = 0; s < WindowJob::kSides; ++s) of[s] = splat_double(from[s]);
    }
    LANEFOLD_INLINE FramesSides(const FramesPose& pose, const Corners& hull, double growth) {
        const FramesExtent extent(hull, pose);
        constexpr std::uint32_t kUpper[3] = {0, 1, 4};
        constexpr std::uint32_t kLower[3] = {2, 3, 5};
        const WLong placed = pose.placed();
        const WDouble none = splat_double(-kInfinite);
        for (int k = 0; k < 3; ++k) {
            const WDouble p = pose.position[k];
            const WDouble more = excess(p, hull.reach, growth);
            of[kUpper[k]] = placed ? (p + extent.upper[k]) + more : none;
            of[kLower[k]] = placed ? (-p + -extent.lower[k]) + more : none;
        }
    }
};

// A bit for each frame of `at` in which the body has no box.
LANEFOLD_INLINE std::uint32_t frames_without(const FramesSides& sides, std::uint32_t at) {
    double upper[kDoubles];
    store_lanes(sides.of[0], upper);
    std::uint32_t mask = 0;
    for (std::uint32_t l = 0; l < kDoubles; ++l) mask |= (upper[l] == -kInfinite ? 1U : 0U) << (at + l);
    return mask;
}

LANEFOLD_INLINE WDouble longest_side(const FramesSides& sides) {
    return larger(larger(sides.of[0] + sides.of[2], sides.of[1] + sides.of[3]), sides.of[4] + sides.of[5]);
}

LANEFOLD_INLINE double largest_lane(WDouble a) {
    double lanes[kDoubles];
    store_lanes(a, lanes);
    double most = lanes[0];
    for (const double lane : lanes) most = lane > most ? lane : most;
    return most;
}

inline void place_window(const WindowJob& job, const WindowPoses* poses, std::size_t first, std::size_t count) {
    const std::uint32_t frames = job.blocks * kFrameBlock;
    for (std::size_t i = 0; i < count; ++i) {
        const std::size_t body = first + i;
        const Corners& hull = *poses[i].hull;
        double* const out = job.sides[body * WindowJob::kSides * job.blocks].of;
        const double of_body = job.more == nullptr ? job.growth : job.growth + static_cast<double>(job.more[body]);
        const double growth = of_body + hull.round_radius;
        WDouble around[WindowJob::kSides];
        for (WDouble& side : around) side = splat_double(-kInfinite);
        WDouble longest = splat_double(0);
        std::uint32_t without = 0;
        for (std::uint32_t at = 0; at < frames; at += kDoubles) {
            if (at != 0 && all_rest(poses[i], at)) {
                for (std::uint32_t s = 0; s < WindowJob::kSides; ++s)
                    store_lanes(splat_double(out[s * frames + at - 1]), out + s * frames + at);
                without |= (without >> (at - 1) & 1U) * (((1U << kDoubles) - 1U) << at);
                continue;
            }
            const FramesSides sides(FramesPose(poses[i], at), hull, growth);
            for (std::uint32_t s = 0; s < WindowJob::kSides; ++s) {
                store_lanes(sides.of[s], out + s * frames + at);
                around[s] = larger(sides.of[s], around[s]);
            }
            longest = larger(longest_side(sides), longest);
            without |= frames_without(sides, at);
        }
        job.without[body] = static_cast<std::uint16_t>(without);
        job.longest[body] = largest_lane(longest);
        largest_lanes(around).store(job.around[body]);
    }
}

// Tells in which frames the boxes of a pair overlap, of kDoubles frames.
LANEFOLD_INLINE WLong overlapping(const double* a, const double* b, std::uint32_t frames) {
    constexpr std::uint32_t kOther[WindowJob::kSides] = {2, 3, 0, 1, 5, 4};
    WDouble least = splat_double(kInfinite);
    for (std::uint32_t s = 0; s < WindowJob::kSides; ++s) {
        least = smaller(load_doubles(a + s * frames) + load_doubles(b + kOther[s] * frames), least);
    }
    return ~(least < 0.0);
}

inline void compare_window(const WindowJob& job, const Pair* pairs, std::size_t count, std::uint32_t first_block,
                           std::uint32_t blocks, std::uint64_t* words) {
    const std::uint32_t frames = job.blocks * kFrameBlock;
    const std::size_t body = std::size_t{WindowJob::kSides} * job.blocks;
    constexpr std::uint32_t kMostParts = kMostFrames / kDoubles;
    const std::uint32_t parts = blocks * (kFrameBlock / kDoubles);
    WLong in[kMostParts] = {};
    for (std::size_t k = 0; k < count; ++k) {
        const double* const a = job.sides[pairs[k].a * body + first_block].of;
        const double* const b = job.sides[pairs[k].b * body + first_block].of;
        const auto bit = static_cast<std::int64_t>(std::uint64_t{1} << k);
        for (std::uint32_t part = 0; part < parts; ++part) {
            in[part] |= overlapping(a + part * kDoubles, b + part * kDoubles, frames) & bit;
        }
    }
    for (std::uint32_t part = 0; part < parts; ++part) store_lanes(in[part], words + part * kDoubles);
}

}  // namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE
