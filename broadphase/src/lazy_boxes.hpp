// SPDX-License-Identifier: MIT
//
// Boxes of the bodies of a finder, computed when they are needed. Of a body that moved, a frame takes only a bound of
// how far the sides of its box moved, from the two poses. The box itself is computed where that bound does not decide.
// It is the same box, to the last bit, whenever it is computed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <lanefold/body.hpp>
#include <lanefold/broadphase.hpp>
#include <lanefold/hull_set.hpp>

#include "world_boxes.hpp"

namespace lanefold::detail {

// How a body's box changed from the frame before: by at most how much any of its sides moved, and about how far its
// middle did. `most` is infinite where there was no box, or is none.
struct BoxStep {
    double most = 0;
    Vec3f middle;
};

class LazyBoxes {
public:
    // Begins a frame in which every box grows by `growth`. Returns true if follow() may be called for its bodies;
    // otherwise set() must be, for each of them. `same`: hulls and growth are all that shapes the boxes of this frame,
    // and the frame before had as many bodies.
    bool begin(const HullSet& hulls, std::size_t bodies, double growth, bool same, std::uint32_t threads);

    // Takes the pose of body i. Calls for different bodies may run at once, as those of set() and compute() may.
    BoxStep follow(const BodyView& bodies, std::size_t i);
    // Computes the box of body i, grown by `more` than the others and swept by `motion`. `known`: it was there in the
    // frame before.
    BoxStep set(const BodyView& bodies, std::size_t i, double more, const Vec3d& motion, bool known);

    // Computes the box of body i if it is not that of the latest frame.
    void compute(std::size_t i) {
        if (state_[i] == kOld) compute_old(i);
    }
    void compute_all(std::uint32_t threads);

    std::size_t size() const { return boxes_.size(); }
    // Only boxes that were computed are those of the latest frame.
    std::span<const WorldBox> all() const { return boxes_; }
    const WorldBox& operator[](std::size_t i) const { return boxes_[i]; }
    // Whether body i has no box; known without computing it.
    bool is_empty(std::size_t i) const { return state_[i] == kNone; }
    std::uint64_t empty_ones() const;

private:
    enum State : std::uint8_t {
        kNone,      // the body has no box
        kComputed,  // the box is that of the latest frame
        kOld,       // it is that of an earlier one
    };
    void compute_old(std::size_t i);
    void put(std::size_t i, const WorldBox& box);

    std::vector<WorldBox> boxes_;
    std::vector<std::uint8_t> state_;
    std::vector<BodyD> poses_;             // of the latest frame, if followed_
    HullSet hulls_;                        // of the latest frame; holds the hulls of boxes that are not computed yet
    std::span<const HullRecord> records_;  // of hulls_
    double growth_ = 0;
    bool followed_ = false;  // poses_ and growth_ say what all boxes are
};

}  // namespace lanefold::detail
