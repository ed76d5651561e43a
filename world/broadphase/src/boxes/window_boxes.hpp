// SPDX-License-Identifier: MIT
//
// Boxes of all bodies in all frames of a window, and around some of these frames.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <lanefold/aligned_buffer.hpp>
#include <lanefold/body.hpp>
#include <lanefold/broadphase.hpp>
#include <lanefold/hull_set.hpp>

#include "boxes/box_kernels.hpp"
#include "boxes/hull_corners.hpp"
#include "boxes/sides.hpp"

namespace lanefold::detail {

class WindowBoxes {
public:
    // Computes the boxes of a window, by `kernels`.
    void place(const BoxKernels& kernels, const HullSet& hulls, std::span<const BodyView> frames,
               const PairFinderOptions& o);

    std::size_t bodies() const { return bodies_; }
    std::uint32_t frames() const { return frames_; }
    // In so many frames of the window, by the kernels' count.
    std::uint32_t blocks() const { return blocks_; }
    // For compare_window().
    WindowJob job() const { return job_; }

    // Per body: the box around its boxes in `frames` frames from `first` on. Valid until the next call.
    std::span<const Sides> around(std::uint32_t first, std::uint32_t frames, std::uint32_t threads);
    // Per body: the longest side of its boxes in all frames of the window.
    std::span<const double> longest() const { return longest_; }
    // The box of body i in a frame.
    WorldBox box(std::size_t i, std::uint32_t frame) const {
        const double* const sides = sides_[i * WindowJob::kSides * blocks_].of + frame;
        Sides out = kNoSides;
        for (std::uint32_t s = 0; s < WindowJob::kSides; ++s) out.of[s] = sides[s * std::size_t{blocks_} * kFrameBlock];
        return out.box();
    }
    // Number of bodies without a box in a frame.
    std::uint64_t without_box(std::uint32_t frame) const { return without_count_[frame]; }

private:
    void take_corners(const HullSet& hulls, const BodyView& bodies, std::uint32_t threads);
    void take_poses(std::span<const BodyView> frames, std::size_t first, std::span<WindowPoses> out) const;

    std::size_t bodies_ = 0;
    std::uint32_t frames_ = 0;
    std::uint32_t blocks_ = 0;
    WindowJob job_;
    HullSet hulls_;                           // of the latest window
    HullCorners corners_;                     // of hulls_
    std::vector<const Corners*> corners_of_;  // per body; of no hull where it has none
    AlignedBuffer<SideBlock> sides_;
    std::vector<double> longest_;
    std::vector<Sides> around_;       // all frames of the window
    std::vector<Sides> around_some_;  // what around() gave last, if not that
    std::vector<std::uint16_t> without_;
    std::uint64_t without_count_[kMostFrames] = {};
};

}  // namespace lanefold::detail
