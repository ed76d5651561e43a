// SPDX-License-Identifier: MIT
//
// Boxes of the bodies of a finder, computed when they are needed. A frame bounds how far the sides of a moved body's
// box went, from the two poses. The box itself is computed where that bound does not decide. It is the same box, to the
// last bit, whenever it is computed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include <lanefold/body.hpp>
#include <lanefold/broadphase.hpp>
#include <lanefold/hull_set.hpp>

#include "boxes/box_kernels.hpp"
#include "boxes/hull_corners.hpp"
#include "boxes/sides.hpp"

namespace lanefold::detail {

// How a body's box changed from the frame before: by at most how much any of its sides moved, and about how far its
// middle did. `most` is infinite where there was no box, or is none.
struct BoxStep {
    double most = 0;
    Vec3f middle;
};

// The inputs of a frame's boxes besides poses and hulls. An array may be null: nothing.
struct BoxShape {
    double growth = 0;              // of all boxes
    const float* more = nullptr;    // and of each body's
    const Vec3f* motion = nullptr;  // by which each body's box is swept
};

class LazyBoxes {
public:
    // Begins a frame, by `kernels`. Returns true if follow() may be called for its bodies; otherwise set() must be, for
    // each of them. The frame before had `known` of these bodies.
    bool begin(const BoxKernels& kernels, const HullSet& hulls, std::size_t bodies, const BoxShape& shape,
               std::size_t known, std::uint32_t threads);

    // A frame with this set takes these corners instead of making its own.
    void offer(std::shared_ptr<const SharedCorners> corners) { offered_ = std::move(corners); }
    const std::shared_ptr<const SharedCorners>& offered() const { return offered_; }

    // Takes the pose of body i. Calls for different bodies may run at once, as those of set() and compute() may.
    BoxStep follow(const BodyView& bodies, std::size_t i);
    // Takes the poses of these bodies and computes their boxes. steps[k]: of body[k].
    void set(const BodyView& bodies, std::span<const std::uint32_t> body, std::span<BoxStep> steps);

    // Computes the boxes of those bodies of [first, last) for which want(i) is true, and which are not those of the
    // latest frame.
    template <class Want>
    void compute(std::size_t first, std::size_t last, const Want& want) {
        std::uint32_t* const list = list_.data() + first;
        std::size_t n = 0;
        for (std::size_t i = first; i < last; ++i) {
            list[n] = static_cast<std::uint32_t>(i);
            n += state_[i] == kOld && want(i) ? 1U : 0U;
        }
        place({list, n});
    }
    void compute_all(std::uint32_t threads);

    std::size_t size() const { return sides_.size(); }
    // Only boxes that were computed are those of the latest frame.
    std::span<const Sides> all() const { return sides_; }
    WorldBox operator[](std::size_t i) const { return sides_[i].box(); }
    // Whether body i has no box; known without computing it.
    bool is_empty(std::size_t i) const { return state_[i] == kNone; }
    std::uint64_t empty_ones() const;

    // The poses of the latest frame, and its hulls.
    std::span<const BodyD> poses() const { return poses_; }
    const HullSet& hulls() const { return hulls_; }

    // A box around that of body i, and its clearance: by how much each side may move until it may reach that of this
    // one. It is kept up to date with the boxes that are computed; negative where a box is beyond.
    void put_within(std::size_t i, const Sides& around, double clearance) {
        within_[i] = around;
        clearance_[i] = clearance;
    }
    double clearance(std::size_t i) const { return clearance_[i]; }

private:
    enum State : std::uint8_t {
        kNone,      // the body has no box
        kComputed,  // the box is that of the latest frame
        kOld,       // it is that of an earlier one
    };
    void place(std::span<const std::uint32_t> list);
    void take_hulls(const HullSet& hulls);
    const HullCorners& corners() const { return common_ ? common_->corners : own_; }

    const BoxKernels* kernels_ = nullptr;
    std::vector<Sides> sides_;
    std::vector<std::uint8_t> state_;
    std::vector<BodyD> poses_;  // of the latest frame
    std::vector<Sides> within_;
    std::vector<double> clearance_;
    HullSet hulls_;                        // of the latest frame; holds the hulls of boxes that are not computed yet
    std::span<const HullRecord> records_;  // of hulls_
    std::shared_ptr<const SharedCorners> offered_;
    std::shared_ptr<const SharedCorners> common_;  // of hulls_; null: own_ has them
    HullCorners own_;
    BoxShape shape_;                   // of the latest frame
    std::vector<std::uint32_t> list_;  // scratch: a place for each body
};

}  // namespace lanefold::detail
