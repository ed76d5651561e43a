// SPDX-License-Identifier: MIT
//
// See the header.
#include "boxes/window_boxes.hpp"

#include <algorithm>
#include <cstring>

#include <lanefold/detail/compound_block.hpp>

#include "boxes/tasks.hpp"

namespace lanefold::detail {

namespace {

// Bodies per task, and those whose poses are gathered at once: these fill a part of the innermost cache.
constexpr std::size_t kBodiesPerTask = 256;
constexpr std::size_t kPosesAtOnce = 32;

constexpr Corners kNoCorners;

// Widens a position of a frame, and those of the bodies behind it, into column `frame` of their poses.
template <class T>
void take_positions(const BodyView& bodies, std::size_t first, std::span<WindowPoses> out, std::uint32_t frame) {
    const std::byte* from = bodies.position + first * bodies.position_stride;
    for (WindowPoses& poses : out) {
        T p[3];
        std::memcpy(p, from, sizeof p);
        for (int k = 0; k < 3; ++k) poses.position[k][frame] = static_cast<double>(p[k]);
        from += bodies.position_stride;
    }
}

void take_orientations(const BodyView& bodies, std::size_t first, std::span<WindowPoses> out, std::uint32_t frame) {
    const std::byte* from = bodies.orientation + first * bodies.orientation_stride;
    for (WindowPoses& poses : out) {
        float q[4];
        std::memcpy(q, from, sizeof q);
        for (int k = 0; k < 4; ++k) poses.orientation[k][frame] = q[k];
        from += bodies.orientation_stride;
    }
}

}  // namespace

void WindowBoxes::take_corners(const HullSet& hulls, const BodyView& bodies, std::uint32_t threads) {
    corners_.take(hulls_, hulls);
    hulls_ = hulls;
    corners_of_.resize(bodies.count);
    const std::span<const Corners> all = corners_.all();
    for_blocks(bodies.count, kBodiesPerTask, threads, [&](std::size_t first, std::size_t last) {
        for (std::size_t i = first; i < last; ++i) {
            std::uint32_t hull = 0;
            std::memcpy(&hull, bodies.hull + i * bodies.hull_stride, sizeof hull);
            const bool there = hull < hulls_.size() && has_outline(hulls_[hull]);
            corners_of_[i] = there ? &all[hull] : &kNoCorners;
        }
    });
}

void WindowBoxes::take_poses(std::span<const BodyView> frames, std::size_t first, std::span<WindowPoses> out) const {
    for (std::uint32_t f = 0; f < blocks_ * kFrameBlock; ++f) {
        const BodyView& bodies = frames[std::min<std::size_t>(f, frames.size() - 1)];
        if (bodies.position_is_double) {
            take_positions<double>(bodies, first, out, f);
        } else {
            take_positions<float>(bodies, first, out, f);
        }
        take_orientations(bodies, first, out, f);
    }
    for (std::size_t i = 0; i < out.size(); ++i) out[i].hull = corners_of_[first + i];
}

void WindowBoxes::place(const BoxKernels& kernels, const HullSet& hulls, std::span<const BodyView> frames,
                        const PairFinderOptions& o) {
    bodies_ = frames[0].count;
    frames_ = static_cast<std::uint32_t>(frames.size());
    blocks_ = (frames_ + kFrameBlock - 1) / kFrameBlock;
    take_corners(hulls, frames[0], o.threads);
    sides_.reserve(bodies_ * WindowJob::kSides * blocks_);
    around_.resize(bodies_);
    longest_.resize(bodies_);
    without_.resize(bodies_);
    job_.blocks = blocks_;
    job_.growth = 0.5 * static_cast<double>(o.margin);
    job_.more = o.growth.empty() ? nullptr : o.growth.data();
    job_.sides = sides_.data();
    job_.around = around_.data();
    job_.longest = longest_.data();
    job_.without = without_.data();
    for_blocks(bodies_, kBodiesPerTask, o.threads, [&](std::size_t first, std::size_t last) {
        WindowPoses poses[kPosesAtOnce];
        for (std::size_t i = first; i < last; i += kPosesAtOnce) {
            const std::size_t count = std::min(kPosesAtOnce, last - i);
            take_poses(frames, i, {poses, count});
            kernels.place_window(job_, poses, i, count);
        }
    });
    std::fill(std::begin(without_count_), std::end(without_count_), 0);
    for (const std::uint16_t mask : without_) {
        for (std::uint32_t f = 0; mask >> f != 0 && f < frames_; ++f) without_count_[f] += mask >> f & 1U;
    }
}

std::span<const Sides> WindowBoxes::around(std::uint32_t first, std::uint32_t frames, std::uint32_t threads) {
    if (first == 0 && frames == frames_) return around_;
    around_some_.resize(bodies_);
    for_blocks(bodies_, kBodiesPerTask, threads, [&](std::size_t begin, std::size_t end) {
        const std::size_t stride = std::size_t{blocks_} * kFrameBlock;
        for (std::size_t i = begin; i < end; ++i) {
            const double* const sides = sides_[i * WindowJob::kSides * blocks_].of;
            Sides box = kNoSides;
            for (std::uint32_t s = 0; s < WindowJob::kSides; ++s)
                box.of[s] = *std::max_element(sides + s * stride + first, sides + s * stride + first + frames);
            around_some_[i] = box;
        }
    });
    return around_some_;
}

}  // namespace lanefold::detail
